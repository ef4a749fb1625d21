"""A text file that is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["replaced"]


@contextmanager
def replaced(target: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Open a file to be written beside its place, and put it there if nothing went wrong.

    Of a link, what it names is replaced. A pipe or a device is written to as it is: nothing
    stands there to be kept, and a file in its place would be a loss.
    """
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as stream:
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
