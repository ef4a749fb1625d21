"""Bear-off tables of GNU Backgammon, made by its program `makebearoff` and read from its files.

What the files hold, as far as it is used here; it was found by reading the bytes and confirmed by
`proof.bearoff`, which finds the same numbers. Integers are little-endian.

* 40 bytes of text: ``gnubg-``, ``OS`` or ``TS`` (one side, two sides), points and checkers in two
  digits each, then flags, all joined by ``-`` and filled up with ``x``.
* Placements are counted from the empty one: fewer checkers first; among as many, those with more on
  the ace point first, then on the 2-point, and so on.
* One side: for each placement 8 bytes: a place in the numbers that follow (uint32), then how many
  there are and for how many rolls the first one stands (two uint8), for the last checker off, and
  the same for the first checker off. Behind all of these come the numbers, uint16, in parts of
  65,535: those for the last checker, then those for the first. The first checker is known where
  all 15 are on the board; elsewhere one is off already.
* Two sides: for each pair, by the placement of the side to roll and then by the other's, four
  uint16: equity without a cube, with the own cube, with the cube in the middle, with the
  opponent's, from -1 (0) to +1 (65,535), **if the side to roll does not double this time**.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from proof.bearoff import Placement, placements

HEADER = 40
UNIT = 1 / 65535  # of a chance; an equity has two

_ENTRY = np.dtype(
    [("at", "<u4"), ("last", "u1"), ("last_from", "u1"), ("first", "u1"), ("first_from", "u1")]
)


def program() -> str | None:
    """Find `makebearoff`; Debian keeps it with the games, which root has not on his path."""
    return shutil.which("makebearoff") or shutil.which("makebearoff", path="/usr/games")


def in_order(points: int, checkers: int) -> list[Placement]:
    """List the placements as the files count them."""
    listed = placements(points, checkers)
    return sorted(listed, key=lambda placement: (sum(placement), [-men for men in placement]))


class OneSidedFile(NamedTuple):
    """Distributions, a row for each placement and a column for each number of rolls from 0."""

    placements: list[Placement]
    last: Any  # float64 (n, 256): to the last checker off
    first: Any  # to the first one


def make(folder: Path, *options: str) -> bytes:
    """Let the program make a table; its bytes."""
    found = program()
    assert found is not None
    path = folder / "table.bd"
    command = [found, *options, "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return path.read_bytes()


def one_sided(folder: Path, points: int) -> OneSidedFile:
    """Make and read the table of one side for up to 15 checkers."""
    data = make(folder, "-o", str(points))
    assert data.startswith(b"gnubg-OS-%02d-15-1-1-0" % points)
    listed = in_order(points, 15)
    entries = np.frombuffer(data, _ENTRY, len(listed), HEADER)
    numbers = np.frombuffer(data, "<u2", offset=HEADER + entries.nbytes) * UNIT
    last, first = np.zeros((2, len(listed), 256))
    for row, (at, many, start, many_first, start_first) in enumerate(entries.tolist()):
        last[row, start : start + many] = numbers[at : at + many]
        at += many
        first[row, start_first : start_first + many_first] = numbers[at : at + many_first]
    return OneSidedFile(listed, last, first)


def two_sided(folder: Path, points: int, checkers: int) -> tuple[list[Placement], Any]:
    """Make and read a table of pairs: placements, and float64 (n, n, 4) as the file has them."""
    data = make(folder, "-t", f"{points}x{checkers}")
    assert data.startswith(b"gnubg-TS-%02d-%02d-1" % (points, checkers))
    listed = in_order(points, checkers)
    values = np.frombuffer(data, "<u2", offset=HEADER) * (2 * UNIT) - 1
    return listed, values.reshape(len(listed), len(listed), 4)
