"""A file that is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

__all__ = ["replaced"]


@contextmanager
def replaced(target: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file to be written beside its place, and put it there if nothing went wrong.

    Of a link, what it names is replaced. A pipe or a device is written to as it is: nothing
    stands there to be kept, and a file in its place would be a loss.
    """
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        with _opened(path, binary=binary) as stream:
            yield stream
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _opened(beside, binary=binary) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except OSError as error:
        if error.filename == str(beside):
            error.filename = os.fspath(target)  # which the caller knows
        raise
    finally:
        beside.unlink(missing_ok=True)


def _opened(path: Path, *, binary: bool) -> IO[Any]:
    return open(path, "wb") if binary else open(path, "w", encoding="utf-8", newline="\n")
