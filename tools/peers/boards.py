"""Boards as the peers write them. Nothing but Python: a peer's environment has no nardy.

Between all of them stand two *sides*, the one on roll first: how many men on the side's own points
1..24, and on its bar (index 24). Rows are those of docs/architecture.md, as 32 bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

CHECKERS = 15
POINTS = 24
BAR = 24  # of a side

Side = list[int]


def sides_of(row: bytes) -> tuple[Side, Side]:
    """Read a row: the side on roll, then the other, each in its own numbering."""
    cells = array("b", row)
    own = [max(cells[point], 0) for point in range(1, 26)]
    other = [max(-cells[25 - point], 0) for point in range(1, 25)] + [cells[27]]
    return own, other


def row_of(own: Sequence[int], other: Sequence[int]) -> bytes:
    """Write a row as ``own`` sees it; men that stand nowhere are off."""
    cells = array("b", bytes(32))
    for point in range(1, 25):
        cells[point] = own[point - 1] - other[24 - point]
    cells[0], cells[25] = CHECKERS - sum(own), own[BAR]
    cells[26], cells[27] = CHECKERS - sum(other), other[BAR]
    return cells.tobytes()


def to_bgsage(row: bytes) -> list[int]:
    """26 cells: the other side's bar, points 1..24 (his men negative), the own bar."""
    cells = array("b", row)
    return [cells[27], *cells[1:26]]


def from_bgsage(cells: Sequence[int]) -> tuple[Side, Side]:
    """Read those 26 cells as two sides."""
    own = [max(cells[point], 0) for point in range(1, 26)]
    other = [max(-cells[25 - point], 0) for point in range(1, 25)] + [cells[0]]
    return own, other


def after_steps(row: bytes, steps: Iterable[tuple[int, int]]) -> bytes:
    """Play half-moves ``(from, to)``, 25 for the bar and 0 for off; the other side sees the row."""
    own, other = sides_of(row)
    for source, target in steps:
        own[source - 1] -= 1
        if target == 0:
            continue
        own[target - 1] += 1
        if other[POINTS - target] == 1:
            other[POINTS - target] = 0
            other[BAR] += 1
    return row_of(other, own)


def handed_over(row: bytes) -> bytes:
    """Show the other side the same board: the one after-state where nothing can be played."""
    own, other = sides_of(row)
    return row_of(other, own)
