"""Simple players, as evaluators: opponents to measure a bot with, known and the same for ever.

Each says what a board is worth to the side to roll, so a bot that plays by it takes the after-state
that is worth least to the other side. All are antisymmetric: what a board is worth to one side is
minus what it would be worth to the other with the same men. So the least for the other side is the
most for oneself. Their numbers only order boards, and lie within -1..1: a game that is won, worth
1 point or more, is above them. Of equals a bot takes one at random (``Bot(seed=...)``).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.board import BAR, COLUMNS, OPPONENT_BAR, opponent_point
from nardy.options import Rules
from nardy.values import as_rows

__all__ = ["Pips", "Runner", "Spread", "Uniform"]

_POINTS: Final = slice(1, 25)
_LAST: Final = 24  # the head of long nardy


class Pips:
    """Plays for the race: the opponent's pip count less the own one, 25 a man as the unit.

    Parameters
    ----------
    rules : Rules or str

    Notes
    -----
    In long nardy, where nobody is hit, all plays of a roll that use the same dice in full are
    equal.

    Examples
    --------
    >>> board = nardy.Position.from_points({6: 2}, {5: 3}, rules="long")
    >>> (Pips("long")(board.row[None]) * 25 * 15).round(3)
    array([3.], dtype=float32)
    """

    def __init__(self, rules: Rules | str) -> None:
        self.rules: Rules = options.rules(rules)
        away = np.arange(COLUMNS, dtype=np.int16)
        away[BAR + 1 :] = 0
        theirs = np.zeros(COLUMNS, np.int16)
        for point in range(1, 25):
            theirs[opponent_point(self.rules.game, point)] = point
        self._own, self._opponents = away, theirs

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Value rows (m, 32) for the side to roll: float32 (m,)."""
        rows = as_rows(rows)
        lead = BAR * rows[:, OPPONENT_BAR].astype(np.int16)
        lead -= _weighed(np.minimum(rows, 0), self._opponents)
        lead -= _weighed(np.maximum(rows, 0), self._own)
        values: NDArray[np.float32] = (lead / (BAR * self.rules.checkers)).astype(np.float32)
        return values


def _weighed(counts: NDArray[np.int8], weights: NDArray[np.int16]) -> NDArray[np.int16]:
    """Add up men times weights, at most 25 x 15."""
    # Not a product of matrices: BLAS starts threads, and waits for them on a busy machine.
    total: NDArray[np.int16] = np.einsum("ij,j->i", counts.astype(np.int16), weights)
    return total


class Spread:
    """Plays for room: own points held less the opponent's, 24 as the unit.

    A point is held when the other side may not land on it: by one man in long nardy, by two in
    short nardy. Nobody takes a held point from the other side, so it is the own ones that count.

    Parameters
    ----------
    rules : Rules or str

    Examples
    --------
    >>> board = nardy.Position.from_points({6: 2, 5: 1}, {5: 3}, rules="long")
    >>> Spread("long")(board.row[None]) * 24
    array([1.], dtype=float32)
    """

    def __init__(self, rules: Rules | str) -> None:
        self.rules: Rules = options.rules(rules)
        self._men = 1 if self.rules.game == "long" else 2

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Value rows (m, 32) for the side to roll: float32 (m,)."""
        points = as_rows(rows)[:, _POINTS]
        lead = np.einsum("ij->i", (points >= self._men).view(np.int8))
        lead -= np.einsum("ij->i", (points <= -self._men).view(np.int8))
        values: NDArray[np.float32] = (lead / 24).astype(np.float32)
        return values


class Runner:
    """Plays to get its men away: the opponent's men left behind less the own ones, as a share.

    Left behind is a man with at least 24 pips to go: in long nardy he stands on the head, in short
    nardy on the farthest point or on the bar. (Of first quarters, halves and this, tried against
    ``Uniform``, it makes the strongest player in both games.)

    Parameters
    ----------
    rules : Rules or str

    Examples
    --------
    >>> board = nardy.Position.from_points({24: 2, 5: 1}, {24: 3, 18: 1}, rules="long")
    >>> Runner("long")(board.row[None]) * 15
    array([1.], dtype=float32)
    """

    def __init__(self, rules: Rules | str) -> None:
        self.rules: Rules = options.rules(rules)
        self._opponents = opponent_point(self.rules.game, _LAST)

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Value rows (m, 32) for the side to roll: float32 (m,)."""
        rows = as_rows(rows)
        own = np.maximum(rows[:, _LAST], 0) + rows[:, BAR]
        theirs = rows[:, OPPONENT_BAR] - np.minimum(rows[:, self._opponents], 0)
        lead: NDArray[np.float32] = ((theirs - own) / self.rules.checkers).astype(np.float32)
        return lead


class Uniform:
    """Holds all boards equal: a bot that plays by it takes any after-state, each as likely.

    But one that wins at once it takes before all others, as every bot does: 1 game of long nardy in
    1,000 and 4 of short nardy end a turn or two sooner than those of ``nardy.playouts``.

    Parameters
    ----------
    rules : Rules or str

    Examples
    --------
    >>> Uniform("long")(nardy.random_rows(3, rules="long", seed=1))
    array([0., 0., 0.], dtype=float32)
    """

    def __init__(self, rules: Rules | str) -> None:
        self.rules: Rules = options.rules(rules)

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Value rows (m, 32) for the side to roll: float32 (m,), all 0."""
        return np.zeros(len(as_rows(rows)), np.float32)
