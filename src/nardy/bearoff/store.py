"""Tables on disk: an array that is mapped into memory, and a sidecar that says what it holds.

    <name>-<first 16 digits of its SHA-256>.npy      the array
    <name>.json                                      which of them is in force, and of what it is

An array is written beside its place and renamed, then the sidecar likewise. So a sidecar never
names an array that is not all there, and a builder that is killed leaves at most a file that nobody
names. Two builders at once write the same bytes, hence the same array; if they do not (two versions
of the library), each sidecar still names the array that belongs to it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from nardy.nardy_core import build_info

if TYPE_CHECKING:
    from nardy.bearoff.variants import Variant

__all__: list[str] = []

FORMAT: Final = 1
"""Of file and sidecar; a table of another one is refused."""

INDEX: Final = 1
"""Of the numbers of placements (docs/bearoff.md)."""

_STALE: Final = 3600.0  # seconds after which an unfinished file is nobody's any more
_PIECE: Final = 1 << 22  # bytes written or hashed at a time


class BadTable(Exception):
    """What is wrong with a table on disk, for the one who tells the user how to mend it."""


def cache_folder() -> Path:
    """Return the folder in which tables are kept if no other is given.

    ``$NARDY_CACHE`` if it is set; else a folder ``nardy`` where the platform keeps what can be made
    anew: ``$XDG_CACHE_HOME`` or ``~/.cache``, ``~/Library/Caches``, ``%LOCALAPPDATA%``.
    """
    chosen = os.environ.get("NARDY_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "nardy" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "nardy"
    base = os.environ.get("XDG_CACHE_HOME")  # the standard says: a relative one is to be ignored
    return (Path(base) if base and os.path.isabs(base) else Path.home() / ".cache") / "nardy"


def save(folder: Path, variant: Variant, array: NDArray[np.float64], extra: dict[str, int]) -> None:
    """Write a table and put it in force."""
    import json

    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder, variant.name)
    written = _beside(folder / f"{variant.name}.npy")
    try:
        with open(written, "wb") as file:
            _write(file, np.ascontiguousarray(array, "<f8"))
            file.flush()
            os.fsync(file.fileno())
        digest = _digest(written)
        target = folder / _array_name(variant, digest)
        # Whoever has the same array open keeps it: some systems refuse to replace a mapped file.
        if not target.exists() or _digest(target) != digest:
            os.replace(written, target)
    finally:
        written.unlink(missing_ok=True)
    sidecar = {
        "format": FORMAT,
        "index": INDEX,
        "version": build_info()["version"],
        "table": variant.as_json(),
        "file": target.name,
        "shape": list(array.shape),
        "sha256": digest,
        **extra,
    }
    written = _beside(folder / f"{variant.name}.json")
    try:
        with open(written, "w", encoding="utf-8") as text:
            json.dump(sidecar, text, indent=1)
            text.flush()
            os.fsync(text.fileno())
        os.replace(written, folder / f"{variant.name}.json")
    finally:
        written.unlink(missing_ok=True)


def load(folder: Path, variant: Variant) -> tuple[NDArray[np.float64], dict[str, Any]] | None:
    """Map a table into memory and return it with its sidecar; None if there is none.

    Raises
    ------
    BadTable
        It is not what its sidecar says, or of something else.
    """
    import json

    path = folder / f"{variant.name}.json"
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise BadTable(f"{path} is no JSON: {error}") from None
    if not isinstance(said, dict):
        raise BadTable(f"{path} is no sidecar of a table")
    wanted = {"format": FORMAT, "index": INDEX, "table": variant.as_json()}
    for name, value in wanted.items():
        if said.get(name) != value:
            raise BadTable(f"{path} has {name} {said.get(name)!r}, where {value!r} is wanted")
    file, shape = said.get("file"), said.get("shape")
    if not isinstance(file, str) or Path(file).name != file or not isinstance(shape, list):
        raise BadTable(f"{path} does not name its file and shape")
    array = _mapped(folder / file, shape, said.get("sha256"))
    if file != _array_name(variant, said["sha256"]):
        raise BadTable(f"{path} names {file}, an array of another table")
    return array, said


def _array_name(variant: Variant, digest: str) -> str:
    return f"{variant.name}-{digest[:16]}.npy"


def _mapped(path: Path, shape: list[Any], digest: object) -> NDArray[np.float64]:
    """Map an array, and refuse one that is not as wanted."""
    try:
        found = _digest(path)
    except OSError as error:
        raise BadTable(f"{path} cannot be read: {error.strerror}") from None
    if found != digest:
        raise BadTable(f"{path} is truncated or altered: its SHA-256 is not that of the sidecar")
    try:
        array: NDArray[np.float64] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise BadTable(f"{path} is no array of numpy: {error}") from None
    if array.dtype != np.dtype("<f8") or list(array.shape) != shape:
        raise BadTable(
            f"{path} is an array of {array.dtype}, {array.shape}, where float64, {shape} is wanted"
        )
    return array


def _write(file: BinaryIO, array: NDArray[np.float64]) -> None:
    """Write an array as numpy.save does, but in pieces, so that Ctrl-C does not wait for it all."""
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    content = array.data.cast("B")
    for start in range(0, len(content), _PIECE):
        file.write(content[start : start + _PIECE])


def _digest(path: Path) -> str:
    from hashlib import sha256

    digest = sha256()
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _beside(path: Path) -> Path:
    """Return a new name in the same folder: of this process and this moment."""
    from secrets import token_hex

    return path.with_name(f"{path.name}.{os.getpid()}-{token_hex(4)}.part")


def _sweep(folder: Path, name: str) -> None:
    """Remove what builders of this table that were killed long ago have left."""
    import time

    for left in folder.glob(f"{name}.*.part"):
        try:
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink()
        except OSError:
            continue  # another process is at it
