"""The text board: one picture for both games, as the side of the row sees it.

X is the side that the row belongs to, O the other one. X travels from 24 in the upper right corner
to the left, then from 12 in the lower left corner to the right, and bears off below point 1. The
numbers are X's own: distances, or the points of his path as the sources of long nardy count them,
on the same picture. A stack grows from the edge to the middle; one of more than five checkers shows
its size at its inner end. The column between 7 and 6 is the bar: X's checkers in the upper half,
where they enter, O's in the lower one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nardy.board import BAR, OFF, OPPONENT_BAR, OPPONENT_OFF

__all__ = ["text_board"]

_HEIGHT: Final = 5
_EDGE: Final = f"+{'-' * 18}+---+{'-' * 18}+"


def text_board(row: Sequence[int], numbering: str = "distance") -> str:
    """Draw a row of 32 ints as lines of text.

    Parameters
    ----------
    row : sequence of 32 ints
        The board; X is the side that sees it so.
    numbering : str
        What the numbers are: ``"distance"``, or ``"path"`` for 25 - distance (long nardy).

    Returns
    -------
    str
        Fifteen lines, without a line break at the end.

    Raises
    ------
    ValueError
        Another numbering.

    Examples
    --------
    >>> print(text_board([0] * 12 + [-15] + [0] * 11 + [15] + [0] * 7))
     13 14 15 16 17 18      19 20 21 22 23 24
    +------------------+---+------------------+
    |                  |   |                X |
    |                  |   |                X |
    |                  |   |                X |
    |                  |   |                X |
    |                  |   |               15 |
    |                  |   |                  |
    |15                |   |                  |
    | O                |   |                  |
    | O                |   |                  |
    | O                |   |                  |
    | O                |   |                  |
    +------------------+---+------------------+
     12 11 10  9  8  7       6  5  4  3  2  1
    off: X 0, O 0
    """
    if numbering not in ("distance", "path"):
        raise ValueError(f"numbering must be 'distance' or 'path', not {numbering!r}")
    upper = _half(row, range(13, 19), row[BAR], range(19, 25))
    lower = _half(row, range(12, 6, -1), -row[OPPONENT_BAR], range(6, 0, -1))
    lines = [
        _numbers(range(13, 19), range(19, 25), numbering),
        _EDGE,
        *upper,
        f"|{' ' * 18}|   |{' ' * 18}|",
        *reversed(lower),
        _EDGE,
        _numbers(range(12, 6, -1), range(6, 0, -1), numbering),
        f"off: X {row[OFF]}, O {row[OPPONENT_OFF]}",
    ]
    return "\n".join(lines)


def _numbers(left: range, right: range, numbering: str) -> str:
    shown = [[25 - p if numbering == "path" else p for p in points] for points in (left, right)]
    return f" {_cells(shown[0])}     {_cells(shown[1])}".rstrip()


def _cells(values: Sequence[object]) -> str:
    return "".join(f"{value!s:>2} " for value in values)


def _half(row: Sequence[int], left: range, bar: int, right: range) -> list[str]:
    """Draw half a board as lines from its edge to the middle."""
    stacks = [_stack(row[point]) for point in left], _stack(bar), [_stack(row[p]) for p in right]
    return [
        f"|{_cells([s[i] for s in stacks[0]])}|{stacks[1][i]:>2} "
        f"|{_cells([s[i] for s in stacks[2]])}|"
        for i in range(_HEIGHT)
    ]


def _stack(men: int) -> list[str]:
    """Draw a stack from the edge inwards: X for men > 0, O for men < 0."""
    size, letter = abs(men), "X" if men > 0 else "O"
    if size > _HEIGHT:
        return [letter] * (_HEIGHT - 1) + [str(size)]
    return [letter] * size + [""] * (_HEIGHT - size)
