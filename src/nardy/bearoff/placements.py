"""The index of placements: one side's checkers on its last points, and a number (docs/bearoff.md).

With b(p) checkers on point p or farther, of ``points`` points, a placement has the number::

    sum over p = 1 .. points of  C(b(p) + points - p, points - p + 1)

so the numbers 0, 1, 2 ... are given out by checkers on the board, then by checkers beyond point 1,
beyond point 2 and so on. Two things follow. 0 is the side that has finished, and each half-move
lowers the number. And a table of fewer checkers is the beginning of one of more.
"""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy.errors import as_int

__all__ = [
    "MOST_CHECKERS",
    "MOST_POINTS",
    "placement_count",
    "placement_index",
    "placements",
]

MOST_POINTS: Final = 10
MOST_CHECKERS: Final = 15

# _CHOOSE[n, k] = C(n, k), as far as placements need them.
_CHOOSE: Final = np.array(
    [[comb(n, k) for k in range(MOST_POINTS + 1)] for n in range(MOST_POINTS + MOST_CHECKERS)],
    dtype=np.int64,
)


def checked_size(points: int, checkers: int) -> tuple[int, int]:
    """Return points and checkers of a table as ints, or raise what says how many there may be."""
    sizes = []
    limits = ("points", points, MOST_POINTS), ("checkers", checkers, MOST_CHECKERS)
    for name, value, most in limits:
        number = as_int(name, value, f"an int 1..{most}")
        if not 1 <= number <= most:
            raise ValueError(f"{name} must be an int 1..{most}, not {value!r}")
        sizes.append(number)
    return sizes[0], sizes[1]


def placement_count(points: int, checkers: int) -> int:
    """Return how many placements there are of up to so many checkers: C(points + checkers, points).

    Parameters
    ----------
    points : int
        1..10.
    checkers : int
        1..15.

    Examples
    --------
    >>> placement_count(6, 15)
    54264
    """
    points, checkers = checked_size(points, checkers)
    return comb(points + checkers, points)


def placement_index(men: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the numbers of placements.

    Parameters
    ----------
    men : ndarray of int8, shape (n, points)
        Checkers on point 1, 2, ... of each placement, 15 at most in all. Not modified.

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    TypeError
        Not an array of int8.
    ValueError
        Another shape, or a placement of fewer than 0 or more than 15 checkers, the first of them.

    Examples
    --------
    >>> placement_index(np.array([[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]], np.int8))
    array([    6, 38760])
    """
    wanted = f"an array of int8, shape (n, 1..{MOST_POINTS})"
    if not isinstance(men, np.ndarray) or men.dtype != np.int8:
        came = men.dtype if isinstance(men, np.ndarray) else type(men).__name__
        raise TypeError(f"men: wanted {wanted}; got {came}")
    if men.ndim != 2 or not 1 <= men.shape[1] <= MOST_POINTS:
        raise ValueError(f"men: wanted {wanted}; got shape {men.shape}")
    points = men.shape[1]
    beyond = np.cumsum(men[:, ::-1], axis=1, dtype=np.int64)  # point `points` first
    bad = (men < 0).any(axis=1) | (beyond[:, -1] > MOST_CHECKERS)
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"men: wanted 0..{MOST_CHECKERS} checkers in each row; row {row} is {men[row].tolist()}"
        )
    order = np.arange(points)
    found: NDArray[np.int64] = _CHOOSE[beyond + order, order + 1].sum(axis=1)
    return found


def placements(numbers: NDArray[np.int64], *, points: int) -> NDArray[np.int8]:
    """Return the placements of numbers: what `placement_index` undoes.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        0 .. C(points + 15, points) - 1. Not modified.
    points : int
        1..10.

    Returns
    -------
    ndarray of int8, shape (n, points)
        Checkers on point 1, 2, ...

    Raises
    ------
    TypeError
        Not an array of int64.
    ValueError
        Another shape, or a number out of range, the first of them.

    Examples
    --------
    >>> placements(np.array([6, 38760]), points=6).tolist()
    [[0, 0, 0, 0, 0, 1], [15, 0, 0, 0, 0, 0]]
    """
    points, _ = checked_size(points, MOST_CHECKERS)
    if not isinstance(numbers, np.ndarray) or numbers.dtype != np.int64:
        came = numbers.dtype if isinstance(numbers, np.ndarray) else type(numbers).__name__
        raise TypeError(f"numbers: wanted an array of int64, shape (n,); got {came}")
    if numbers.ndim != 1:
        raise ValueError(f"numbers: wanted an array of int64, shape (n,); got {numbers.shape}")
    count = placement_count(points, MOST_CHECKERS)
    bad = (numbers < 0) | (numbers >= count)
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"numbers: wanted 0..{count - 1} for {points} points; row {row} is {numbers[row]}"
        )
    rest = numbers.copy()
    beyond = np.zeros((len(numbers), points + 1), np.int64)  # beyond[:, p - 1]: on p or farther
    for place in range(points):
        k = points - place
        # The most checkers whose summand fits into what is left.
        summands = _CHOOSE[np.arange(MOST_CHECKERS + 1) + k - 1, k]
        beyond[:, place] = np.searchsorted(summands, rest, side="right") - 1
        rest -= summands[beyond[:, place]]
    return (beyond[:, :-1] - beyond[:, 1:]).astype(np.int8)
