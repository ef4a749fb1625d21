"""Search: what boards are worth some rolls ahead, and what a roll is best played to.

Vocabulary. A value of **0 plies** is what the evaluator says (of a game that is over: its outcome).
A value of **k plies** is the mean over the 21 rolls of what the best after-state of each is worth
at k - 1 plies, the side to roll having chosen it. All values are of the side to roll.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.errors import as_int_from
from nardy.nardy_core import (
    after_states,
    after_states_all_rolls,
    mean_over_rolls,
    outcomes,
    segment_argmax,
    segment_max,
)
from nardy.options import Rules
from nardy.values import Evaluator, as_rows, identity_of, rules_for, settled

__all__ = ["MOST_PLIES", "Search", "Searched"]

MOST_PLIES: Final = 2
# Boards whose rolls are all listed at once: some 30,000 after-states of long nardy, 60,000 of
# short, so that an evaluator is asked about few large batches and a cache holds one of them.
_AT_ONCE: Final = 64
# The same number of after-states where each board has one roll only.
_ONE_ROLL_AT_ONCE: Final = 21 * _AT_ONCE


class Searched(NamedTuple):
    """After-states of a batch, and what each is worth to the side that has moved.

    Examples
    --------
    >>> start = nardy.Position.start("long").row[None]
    >>> found = Search(nardy.Spread("long")).after_states(start, np.array([[3, 3]], np.int8))
    >>> found.rows.shape, found.offsets.tolist(), found.plies.tolist()
    ((2, 32), [0, 2], [0, 0])
    """

    rows: NDArray[np.int8]
    """int8 (m, 32): as the other side sees them, in the order of ``nardy.after_states``."""
    offsets: NDArray[np.int64]
    """int64 (n + 1,): those of row i are ``offsets[i]:offsets[i + 1]``."""
    equities: NDArray[np.float64]
    """float64 (m,): points of the side that has moved."""
    plies: NDArray[np.int8]
    """int8 (m,): plies of lookahead behind each equity. Only those with most can be chosen."""

    def choices(self) -> NDArray[np.int64]:
        """Return the place of the best of each row, the first of equals: int64 (n,); -1 for none.

        Examples
        --------
        >>> start = nardy.Position.start("long").row[None]
        >>> found = Search(nardy.Spread("long")).after_states(start, np.array([[3, 3]], np.int8))
        >>> found.choices()
        array([0])
        """
        return segment_argmax(self.eligible(), self.offsets)

    def eligible(self) -> NDArray[np.float64]:
        """Return the equities, -inf for what a deeper look at others has left behind.

        Examples
        --------
        >>> start = nardy.Position.start("short").row[None]
        >>> search = Search(nardy.Pips("short"), plies=1, candidates=(8, 4))
        >>> found = search.after_states(start, np.array([[3, 1]], np.int8))
        >>> int(np.isfinite(found.eligible()).sum())
        8
        """
        deepest = segment_max(self.plies.astype(np.float64), self.offsets)
        deepest = np.repeat(deepest, np.diff(self.offsets))
        return np.where(self.plies == deepest, self.equities, -np.inf)


class Search:
    """Expectimax over all 21 rolls with pruned lists; an evaluator itself.

    Parameters
    ----------
    evaluator : callable
        Rows (m, 32) int8 of the side to roll -> its chances (m, 5) or equity (m,).
    rules : Rules or str, optional
        By default ``evaluator.rules``.
    plies : int
        0, 1 or 2: rolls that are looked ahead from an after-state.
    candidates : pair of ints
        Of the after-states of the roll to be played, so many are looked at with 1 ply, the best at
        0 plies; and of these so many with 2 plies. 8 and 4 by default.
    replies : int
        Of the after-states of each roll within a lookahead of 2 plies, so many are looked at with
        1 ply, the best at 0 plies. 1 by default: the reply is chosen at 0 plies, and valued at 1.

    Notes
    -----
    Equals at 0 plies are taken in the documented order of after-states. Work goes by parts of some
    ten thousand boards, whatever the batch; Ctrl-C is heard between them. A row's values do not
    depend on its batch if those of the evaluator do not. With 1 ply a board costs the after-states
    of all its rolls (some 400 in long nardy, 500 to 1,000 in short); with 2 plies 21 x `replies`
    times as many.

    Examples
    --------
    >>> search = Search(nardy.Pips("long"), plies=1)
    >>> row = nardy.Position.start("long").row[None]
    >>> search(row).round(4) * 375               # pips: of 8 1/6, less what cannot be played
    array([7.8375])
    """

    def __init__(
        self,
        evaluator: Evaluator,
        rules: Rules | str | None = None,
        *,
        plies: int = 0,
        candidates: tuple[int, int] = (8, 4),
        replies: int = 1,
    ) -> None:
        self.evaluator = evaluator
        self.rules: Rules = rules_for(evaluator, rules)
        self.plies: int = as_int_from("plies", plies, 0, MOST_PLIES)
        if not isinstance(candidates, tuple) or len(candidates) != MOST_PLIES:
            raise TypeError(f"candidates must be a pair of ints, not {candidates!r}")
        self.candidates: tuple[int, ...] = tuple(
            as_int_from("candidates: each", many, 1) for many in candidates
        )
        self.replies: int = as_int_from("replies", replies, 1)

    def __repr__(self) -> str:
        return f"<Search of {self.plies} plies by {self.evaluator!r}, {self.rules!r}>"

    @property
    def identity(self) -> str:
        """What tells its values from those of another evaluator.

        Examples
        --------
        >>> Search(nardy.Pips("long"), plies=1).identity
        'search of 1 plies, 1 replies, by nardy.players.Pips'
        """
        return (
            f"search of {self.plies} plies, {self.replies} replies, by "
            f"{identity_of(self.evaluator)}"
        )

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Value rows (m, 32) for the side to roll: float64 (m,), as an evaluator.

        A game that is over has its outcome.
        """
        outcomes(rows, rules=self.rules)  # refuses what is no board
        return self._values(rows, self.plies)

    def after_states(
        self, rows: NDArray[np.int8], rolls: NDArray[np.int8], *, forced: bool = True
    ) -> Searched:
        """Value the after-states of one roll each.

        Parameters
        ----------
        rows : ndarray of int8, shape (n, 32), C-contiguous
            As the side to roll sees them. Not modified.
        rolls : ndarray of int8, shape (n, 2), C-contiguous
        forced : bool
            Whether an after-state without an alternative is looked at as deeply as a choice. False
            saves time where only the choice matters.

        Returns
        -------
        Searched
            Equities are of the side that has moved. A row whose game is over has no after-states.

        Raises
        ------
        TypeError, ValueError, InvalidPosition, MemoryError
            As ``nardy.after_states``; of the evaluator, where it breaks its contract.

        Examples
        --------
        >>> start = nardy.Position.start("long").row[None]
        >>> found = Search(nardy.Spread("long")).after_states(start, np.array([[3, 3]], np.int8))
        >>> (found.equities * 24).round(4)
        array([2., 1.])
        """
        n = len(as_rows(rows))
        if isinstance(rolls, np.ndarray) and len(rolls) != n:
            raise ValueError(f"rolls must be as many as rows, {n}, not {len(rolls)}")
        parts = []
        for first in range(0, max(n, 1), _ONE_ROLL_AT_ONCE):
            part = slice(first, first + _ONE_ROLL_AT_ONCE)
            parts.append(self._searched(rows[part], rolls[part], forced))
        if len(parts) == 1:
            return parts[0]
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        return Searched(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate([part.equities for part in parts]),
            np.concatenate([part.plies for part in parts]),
        )

    def _searched(self, rows: NDArray[np.int8], rolls: NDArray[np.int8], forced: bool) -> Searched:
        after, offsets = after_states(rows, rolls, rules=self.rules)
        # An after-state is worth to the mover what it costs the other side.
        equity = -settled(self.evaluator, after, self.rules)
        plies = np.zeros(len(after), np.int8)
        counts = np.diff(offsets)
        places, within = np.arange(len(after)), offsets
        if not forced:
            places = np.flatnonzero(np.repeat(counts > 1, counts))
            within = _offsets(np.where(counts > 1, counts, 0))
        for ply, many in zip(range(1, self.plies + 1), self.candidates, strict=False):
            best, within = _best(equity[places], within, many)
            places = places[best]
            equity[places] = -self._values(after[places], ply)
            plies[places] = ply
        return Searched(after, offsets, equity, plies)

    def _values(self, rows: NDArray[np.int8], plies: int) -> NDArray[np.float64]:
        """Return what rows are worth to the side to roll at so many plies: float64 (m,)."""
        if plies == 0:
            return settled(self.evaluator, rows, self.rules)
        worth = outcomes(rows, rules=self.rules).astype(np.float64)
        running = np.flatnonzero(worth == 0)
        for first in range(0, len(running), _AT_ONCE):
            part = running[first : first + _AT_ONCE]
            worth[part] = self._ahead(rows[part], plies)
        return worth

    def _ahead(self, rows: NDArray[np.int8], plies: int) -> NDArray[np.float64]:
        """Look one roll ahead from boards whose game is not over."""
        after, offsets = after_states_all_rolls(rows, rules=self.rules)
        equity = -settled(self.evaluator, after, self.rules)
        if plies > 1:
            places, offsets = _best(equity, offsets, self.replies)
            equity = -self._values(after[places], plies - 1)
        return mean_over_rolls(segment_max(equity, offsets))


def _best(
    values: NDArray[np.float64], offsets: NDArray[np.int64], many: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the `many` largest of each segment, and the offsets of what is left.

    Within a segment the places rise, so that equals stay in the order of after-states.
    """
    counts = np.diff(offsets)
    if many == 1:
        places = segment_argmax(values, offsets)
        return places[places >= 0], _offsets(np.minimum(counts, 1))
    segments = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((-values, segments))  # stable: equals keep their order
    kept = np.arange(len(values)) - offsets[segments] < many
    return np.sort(order[kept]), _offsets(np.minimum(counts, many))


def _offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets
