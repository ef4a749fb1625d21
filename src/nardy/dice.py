"""The dice: the 21 rolls, their order and their chances.

A roll is a pair of faces 1..6, the larger first wherever the package writes one. The order of the
21 rolls is (1, 1), (2, 1), (2, 2), (3, 1) ... (6, 6), the same in every table of the package.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy.errors import InvalidNotation, as_int

__all__ = ["ROLLS", "ROLL_WEIGHTS", "as_roll", "roll_index"]

_PAIRS: Final = tuple((large, small) for large in range(1, 7) for small in range(1, large + 1))

ROLLS: Final[NDArray[np.int8]] = np.array(_PAIRS, dtype=np.int8)
"""int8 (21, 2), read-only: every roll once, larger die first, rising."""

ROLL_WEIGHTS: Final[NDArray[np.int64]] = np.array(
    [1 if large == small else 2 for large, small in _PAIRS], dtype=np.int64
)
"""int64 (21,), read-only: chances of each roll in 36."""

ROLLS.flags.writeable = False
ROLL_WEIGHTS.flags.writeable = False

_WRITTEN: Final = re.compile(r"\s*([1-6])\s*[-,:\s]?\s*([1-6])\s*")


def as_roll(roll: Sequence[int] | NDArray[np.int8] | str) -> tuple[int, int]:
    """Return a roll as a pair of ints, the larger first.

    Parameters
    ----------
    roll : sequence of two ints, or str
        The dice in either order; a text such as ``"65"``, ``"6-5"``, ``"6:5"``, ``"6,5"`` or
        ``"6 5"``.

    Raises
    ------
    ValueError
        Not two dice, or a face outside 1..6 (for a text: InvalidNotation).
    TypeError
        No sequence of ints, nor a text.

    Examples
    --------
    >>> as_roll((2, 5))
    (5, 2)
    >>> as_roll("6-5")
    (6, 5)
    """
    if type(roll) is tuple and len(roll) == 2:
        one, other = roll
        # The common case at once: a bool or a float must not pass for an int.
        if type(one) is type(other) is int and 1 <= one <= 6 and 1 <= other <= 6:
            return (one, other) if one >= other else (other, one)
    if isinstance(roll, str):
        written = _WRITTEN.fullmatch(roll)
        if written is None:
            raise InvalidNotation(f"roll must be two dice 1..6 such as '65' or '6-5', not {roll!r}")
        faces = [int(face) for face in written.groups()]
    elif isinstance(roll, Sequence | np.ndarray) and not isinstance(roll, bytes | bytearray):
        faces = [as_int("roll: each die", face, "an int 1..6") for face in roll]
    else:
        raise TypeError(f"roll must be two ints 1..6 or a text such as '65', not {roll!r}")
    if len(faces) != 2 or not all(1 <= face <= 6 for face in faces):
        raise ValueError(f"roll must be two dice 1..6, not {roll!r}")
    return max(faces), min(faces)


def roll_index(roll: Sequence[int] | NDArray[np.int8] | str) -> int:
    """Return the row of :data:`ROLLS` that holds a roll.

    Examples
    --------
    >>> roll_index((1, 2))
    1
    >>> roll_index("66")
    20
    """
    large, small = as_roll(roll)
    return large * (large - 1) // 2 + small - 1
