"""Bots: an evaluator, how far it looks ahead, and how it chooses among equals."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.dice import as_roll, as_word
from nardy.nardy_core import outcomes, segment_max
from nardy.options import Rules
from nardy.plays import Play, Roll
from nardy.position import Position
from nardy.search import Search
from nardy.values import Evaluator

__all__ = ["Bot", "Ranked"]

_HALF: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(2**32 - 1)


class Ranked(NamedTuple):
    """A play and what it is worth.

    Examples
    --------
    >>> best, *_ = Bot(nardy.Spread("long")).rank(nardy.Position.start("long"), "33")
    >>> best.play, best.plies
    (<Play 3-3: 24/15 24/21>, 0)
    """

    play: Play
    equity: float
    """Points of the side that plays."""
    plies: int
    """Plies of lookahead behind the equity: fewer for plays that looked bad at once."""


class Bot:
    """Plays for the best after-state that a search finds.

    Parameters
    ----------
    evaluator : callable
        Rows (m, 32) int8 of the side to roll -> its chances (m, 5) or equity (m,). What it says is
        a matter of money without a cube; the cube and the score of a match do not enter.
    rules : Rules or str, optional
        By default ``evaluator.rules``.
    plies : int
        0, 1 or 2: rolls that are looked ahead.
    seed : int
        0 .. 2**64 - 1: chooses among equal after-states, each as likely.
    candidates, replies
        Of the search: see :class:`Search`.

    Notes
    -----
    A choice is a function of the board, the roll (in either order of the dice) and the seed: other
    boards in the batch, and what was asked before, do not matter (if the evaluator's values do not
    depend on the batch: ``check_evaluator``).

    Examples
    --------
    >>> bot = Bot(nardy.Pips("short"), plies=1)
    >>> str(bot.choose(nardy.Position.start("short"), (6, 5)))
    '24/13'
    """

    def __init__(
        self,
        evaluator: Evaluator,
        rules: Rules | str | None = None,
        *,
        plies: int = 0,
        seed: int = 0,
        candidates: tuple[int, int] = (8, 4),
        replies: int = 1,
    ) -> None:
        self.search: Search = Search(
            evaluator, rules, plies=plies, candidates=candidates, replies=replies
        )
        self.seed: int = as_word("seed", seed)

    @property
    def rules(self) -> Rules:
        """The rules by which it plays."""
        return self.search.rules

    def __repr__(self) -> str:
        search = self.search
        return f"<Bot of {search.plies} plies by {search.evaluator!r}, {self.rules!r}>"

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play of a roll that is worth most.

        Parameters
        ----------
        position : Position
            Under the bot's rules; the side to move plays.
        roll : two ints 1..6, or a text such as "65"

        Raises
        ------
        ValueError
            The game is over, or the position has other rules.
        TypeError
            Not a Position.

        Examples
        --------
        >>> str(Bot(nardy.Spread("long")).choose(nardy.Position.start("long"), "33"))
        '24/15 24/21'
        """
        row, rolls = self._asked(position, roll)
        found = self.search.after_states(row, rolls, forced=False)
        place = _chosen(found.eligible(), found.offsets, self._words(row, rolls))[0]
        return position.plays(roll)[int(place)]

    def rank(self, position: Position, roll: Roll) -> list[Ranked]:
        """Return the plays of a roll with what each is worth, the best first.

        What was looked at most deeply stands first: those alone can be chosen. Equals stay in the
        order of ``position.plays(roll)``.

        Parameters
        ----------
        position, roll
            As in :meth:`choose`.

        Examples
        --------
        >>> bot = Bot(nardy.Spread("long"))
        >>> [(str(play), round(24 * equity)) for play, equity, _ in bot.rank(
        ...     nardy.Position.start("long"), "33")]
        [('24/15 24/21', 2), ('24/18(2)', 1)]
        """
        row, rolls = self._asked(position, roll)
        found = self.search.after_states(row, rolls)
        plays = position.plays(roll)
        order = np.lexsort((-found.equities, -found.plies)).tolist()
        equities, plies = found.equities.tolist(), found.plies.tolist()
        return [Ranked(plays[place], equities[place], plies[place]) for place in order]

    def choose_rows(
        self,
        rows: NDArray[np.int8],
        rolls: NDArray[np.int8],
        *,
        words: NDArray[np.uint64] | None = None,
    ) -> NDArray[np.int8]:
        """Choose for a batch.

        Parameters
        ----------
        rows : ndarray of int8, shape (n, 32), C-contiguous
            As the side to roll sees them, none of a game that is over. Not modified.
        rolls : ndarray of int8, shape (n, 2), C-contiguous
        words : ndarray of uint64, shape (n,), optional
            The chance that chooses among equals: of the low 32 bits of a word the after-state of
            that number, as in ``nardy.playouts``. By default made of row, roll and seed.

        Returns
        -------
        ndarray of int8, shape (n, 32)
            The after-states chosen, as the other side sees them: ready to be the next input.

        Raises
        ------
        TypeError, InvalidPosition, MemoryError
            As ``nardy.after_states``.
        ValueError
            Also: a row whose game is over.

        Examples
        --------
        >>> bot = Bot(nardy.Spread("long"))
        >>> start = nardy.Position.start("long").row[None]
        >>> bot.choose_rows(start, np.array([[3, 3]], np.int8))[0, [12, 9, 3]]
        array([-13,  -1,  -1], dtype=int8)
        """
        found = self.search.after_states(rows, rolls, forced=False)
        empty = np.diff(found.offsets) == 0
        if empty.any():
            row = int(empty.argmax())
            raise ValueError(
                f"rows: the game of row {row} is over ({int(outcomes(rows, rules=self.rules)[row])}"
                f" points): there is nothing to choose: {rows[row].tolist()}"
            )
        if words is None:
            words = self._words(rows, rolls)
        elif not isinstance(words, np.ndarray) or words.dtype != np.uint64:
            raise TypeError(f"words must be an array of uint64, not {words!r}")
        elif words.shape != (len(rows),):
            raise ValueError(f"words must have the shape ({len(rows)},), not {words.shape}")
        return found.rows[_chosen(found.eligible(), found.offsets, words)]

    def _asked(self, position: Position, roll: Roll) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        if not isinstance(position, Position):
            raise TypeError(f"position must be a Position, not {position!r}")
        if position.rules != self.rules:
            raise ValueError(
                f"position has the rules {position.rules!r}, but the bot plays by {self.rules!r}"
            )
        dice = as_roll(roll)
        if position.is_over:
            raise ValueError(f"the game is over: there is nothing to play: {position!r}")
        return position.row[np.newaxis], np.array([dice], np.int8)

    def _words(self, rows: NDArray[np.int8], rolls: NDArray[np.int8]) -> NDArray[np.uint64]:
        """Return 64 bits for each row that look like chance, made of row, roll and seed."""
        words = np.full(len(rows), self.seed, np.uint64)
        large, small = rolls.max(axis=1, initial=0), rolls.min(axis=1, initial=6)
        parts = np.ascontiguousarray(rows).view(np.uint64)
        for part in [8 * large.astype(np.uint64) + small.astype(np.uint64), *parts.T]:
            words = _mixed(words ^ part)
        return words


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of each word: the finish of SplitMix64 (Steele, Lea and Flood 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _chosen(
    values: NDArray[np.float64], offsets: NDArray[np.int64], words: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return the place of a largest value of each segment, none empty, each as likely.

    Of `ties` equals the one of number ``low half * ties / 2**32``: some are likelier than others by
    less than 1 in 10 million.
    """
    if not len(words):
        return np.zeros(0, np.int64)
    best = np.repeat(segment_max(values, offsets), np.diff(offsets))
    equal = values == best
    ties = np.add.reduceat(equal.astype(np.int64), offsets[:-1])
    number = ((words & _LOW_HALF) * ties.astype(np.uint64) >> _HALF).astype(np.int64)
    return np.flatnonzero(equal)[np.cumsum(ties) - ties + number]
