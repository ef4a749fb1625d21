"""The dice: the 21 rolls, their order and their chances, and dice that fall as written.

A roll is a pair of faces 1..6, the larger first wherever the package writes one. The order of the
21 rolls is (1, 1), (2, 1), (2, 2), (3, 1) ... (6, 6), the same in every table of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy.errors import InvalidNotation, as_int
from nardy.options import Rules
from nardy.options import rules as named_rules

__all__ = [
    "ROLLS",
    "ROLL_WEIGHTS",
    "ScriptedDice",
    "SeededDice",
    "as_roll",
    "as_throw",
    "as_word",
    "opening_weights",
    "roll_index",
]

_PAIRS: Final = tuple((large, small) for large in range(1, 7) for small in range(1, large + 1))

ROLLS: Final[NDArray[np.int8]] = np.array(_PAIRS, dtype=np.int8)
"""int8 (21, 2), read-only: every roll once, larger die first, rising."""

ROLL_WEIGHTS: Final[NDArray[np.int64]] = np.array(
    [1 if large == small else 2 for large, small in _PAIRS], dtype=np.int64
)
"""int64 (21,), read-only: chances of each roll in 36."""

_NO_DOUBLES: Final = np.where(ROLL_WEIGHTS == 2, ROLL_WEIGHTS, 0)

for _table in (ROLLS, ROLL_WEIGHTS, _NO_DOUBLES):
    _table.flags.writeable = False

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
    one, other = as_throw(roll)
    return (one, other) if one >= other else (other, one)


def as_throw(roll: Sequence[int] | NDArray[np.int8] | str) -> tuple[int, int]:
    """Return two dice in the order given, as a roll-off needs them; else as :func:`as_roll`.

    Examples
    --------
    >>> as_throw("25")
    (2, 5)
    """
    if type(roll) is tuple and len(roll) == 2:
        one, other = roll
        # The common case at once: a bool or a float must not pass for an int.
        if type(one) is type(other) is int and 1 <= one <= 6 and 1 <= other <= 6:
            return roll
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
    return faces[0], faces[1]


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


def opening_weights(rules: Rules | str) -> NDArray[np.int64]:
    """Return how often each roll is the first of a game that begins with a roll-off.

    Under ``opening="use_rolloff"`` the starter plays the two dice of the roll-off (docs/rules.md
    §2, §8.1): never a double, so there are 15 opening rolls. Under ``"reroll"``, and in a game that
    begins without a roll-off, the first roll is a roll like any other: ``ROLL_WEIGHTS``.

    Parameters
    ----------
    rules : Rules or str

    Returns
    -------
    ndarray of int64, shape (21,), read-only
        In the order of :data:`ROLLS`, as ``nardy.mean_over_rolls`` takes it.

    Examples
    --------
    >>> weights = opening_weights("short")
    >>> ROLLS[weights > 0].tolist()[:4], int(weights.sum())
    ([[2, 1], [3, 1], [3, 2], [4, 1]], 30)
    >>> int(opening_weights("long").sum())
    36
    """
    return _NO_DOUBLES if named_rules(rules).opening == "use_rolloff" else ROLL_WEIGHTS


class ScriptedDice:
    """Dice that fall as written: for tests, and to play a known game again.

    At the end of a ``with`` block all of them must have been thrown: a program that throws fewer
    than were written does something else than was meant. An error of the block's own goes first.

    Parameters
    ----------
    rolls : str or iterable of rolls
        Rolls as :func:`as_roll` reads them; a text has blanks between them.

    Raises
    ------
    ValueError
        A roll that is none, with its number from 0 (in a text: InvalidNotation); at :meth:`roll`,
        when all are thrown; at the end of the block, when some are left over.
    TypeError
        Not rolls at all.

    Examples
    --------
    >>> with ScriptedDice("65 3-1") as dice:
    ...     dice.roll(), dice.roll()
    ((6, 5), (3, 1))
    >>> with ScriptedDice([(4, 4), (2, 1)]) as dice:
    ...     dice.roll()
    Traceback (most recent call last):
        ...
    ValueError: dice: wanted all 2 rolls thrown; left over: 2-1
    """

    def __init__(self, rolls: str | Iterable[Sequence[int] | NDArray[np.int8] | str]) -> None:
        self._rolls = tuple(_numbered(rolls.split() if isinstance(rolls, str) else rolls))
        self._thrown = 0

    @property
    def left(self) -> tuple[tuple[int, int], ...]:
        """The rolls that are still to fall, the larger die first."""
        return tuple(map(as_roll, self._rolls[self._thrown :]))

    def roll(self) -> tuple[int, int]:
        """Throw: the next roll, the larger die first.

        Examples
        --------
        >>> dice = ScriptedDice("12")
        >>> dice.roll(), dice.left
        ((2, 1), ())
        """
        one, other = self.throw()
        return max(one, other), min(one, other)

    def throw(self) -> tuple[int, int]:
        """Throw: the next roll, its dice in the order written, as a roll-off tells them apart.

        Examples
        --------
        >>> ScriptedDice("12").throw()
        (1, 2)
        """
        if self._thrown == len(self._rolls):
            raise ValueError(f"dice: all {self._thrown} rolls are thrown, and one more is wanted")
        self._thrown += 1
        return self._rolls[self._thrown - 1]

    def __enter__(self) -> ScriptedDice:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None and self.left:
            written = " ".join(f"{large}-{small}" for large, small in self.left)
            raise ValueError(
                f"dice: wanted all {len(self._rolls)} rolls thrown; left over: {written}"
            )

    def __repr__(self) -> str:
        written = " ".join(f"{one}{other}" for one, other in self._rolls)
        return f"ScriptedDice({written!r})"


def _numbered(
    rolls: Iterable[Sequence[int] | NDArray[np.int8] | str],
) -> Iterable[tuple[int, int]]:
    """Read rolls; an error says which one."""
    if not isinstance(rolls, Iterable):
        raise TypeError(f"rolls must be rolls such as '65 31', not {rolls!r}")
    for number, roll in enumerate(rolls):
        try:
            yield as_throw(roll)
        except (ValueError, TypeError) as error:
            raise type(error)(f"rolls: number {number}: {error}") from None


# --- dice of a seed -------------------------------------------------------------------------------

_HALF: Final = 1 << 32
_TURNS_A_BLOCK: Final = 4
_BLOCKS: Final = 32
_SPARE: Final = 1 << 63


class SeededDice:
    """The dice of one game of a seed: throw k is the same however often it is asked for.

    They come from the stream of that game (docs/architecture.md): Philox 4x64-10 with the key
    ``(seed, number)``, word k for throw k. So a game that begins with its starter throws what game
    ``number`` of ``nardy.playouts(..., seed=seed)`` throws.

    Parameters
    ----------
    seed, number : int
        0 .. 2**64 - 1.

    Examples
    --------
    >>> dice = SeededDice(7)
    >>> dice.throw(), dice.throw(), dice.at(0)
    ((6, 3), (5, 4), (6, 3))
    """

    __slots__ = ("_key", "_next", "_words")

    def __init__(self, seed: int, number: int = 0) -> None:
        self._key = as_word("seed", seed), as_word("number", number)
        self._words: list[int] = []
        self._next = 0

    def throw(self) -> tuple[int, int]:
        """Throw the next one: two dice, in no order.

        Examples
        --------
        >>> SeededDice(7).throw()
        (6, 3)
        """
        self._next += 1
        return self.at(self._next - 1)

    def at(self, throw: int) -> tuple[int, int]:
        """Return the two dice of a throw, counted from 0, in no order.

        Examples
        --------
        >>> SeededDice(7, number=3).at(100)
        (5, 3)
        """
        return DICE_OF_36[fair(self.word(throw) >> 32, 36, self, throw)]

    def word(self, throw: int) -> int:
        """Return the 64 random bits of a throw: its dice take the high half.

        Examples
        --------
        >>> SeededDice(7).word(0) >> 60
        14
        """
        while throw >= len(self._words):
            self._words += _block(self._key, len(self._words) // _TURNS_A_BLOCK, _BLOCKS)
        return self._words[throw]

    def _spare(self, throw: int, number: int) -> int:
        """Return the bits that stand in for a throw's where those would favour some number."""
        block, word = divmod(number, _TURNS_A_BLOCK)
        return _block(self._key, _SPARE + throw + (block << 64), 1)[word]


DICE_OF_36: Final = tuple((n // 6 + 1, n % 6 + 1) for n in range(36))
"""The throws of two dice: what a fair number below 36 stands for."""


def fair(bits: int, among: int, dice: SeededDice, throw: int) -> int:
    """Turn 32 random bits into a number below `among`, all of them as likely (Lemire 2019).

    Where the bits would favour some number, those of spare words are taken.

    Examples
    --------
    >>> fair(2**31 + 1, 36, SeededDice(7), 0)
    18
    """
    number = 0
    while bits * among % _HALF < _HALF % among:
        bits = dice._spare(throw, number) >> 32
        number += 1
    return bits * among >> 32


def _block(key: tuple[int, int], counter: int, blocks: int) -> list[int]:
    """Draw blocks of four words; NumPy counts up once before its first block."""
    before = (counter - 1) % 2**256
    stream = np.random.Philox(key=np.array(key, np.uint64), counter=before)
    words: list[int] = stream.random_raw(blocks * _TURNS_A_BLOCK).tolist()
    return words


def as_word(name: str, value: int) -> int:
    """Take an int of 64 bits without sign, as seeds and numbers of games are."""
    wanted = "an int 0 .. 2**64 - 1"
    if not 0 <= as_int(name, value, wanted) < 2**64:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return int(value)
