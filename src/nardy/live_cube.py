"""One game of a match: what it is worth with a dead cube, with a live one, and in between.

The model is told in ``nardy.equity``. All is from one side's view, and every number may be a float
or an array with one for each of many boards: there is no branch on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["MatchGame", "Wins", "bent", "wins_of"]

_Number: TypeAlias = Any
"""A float, or an array of float64: one for each board."""

_Line: TypeAlias = tuple[_Number, _Number]
"""What a chance of winning the game of 0 and of 1 are worth; straight between them."""

_Point: TypeAlias = tuple[_Number, _Number]  # a chance of winning the game, and what it is worth

# Where a point more is worth less, as in no game that people play, a cash point may be 0.
_STEEPEST: Final = 1e-12


class Wins(NamedTuple):
    """How the wins of a side divide: they add up to 1."""

    oin: _Number
    mars: _Number
    koks: _Number


def wins_of(mars: _Number, koks: _Number) -> Wins:
    """Divide wins by the shares that are mars or koks, and koks.

    Examples
    --------
    >>> wins_of(0.25, 0.125)
    Wins(oin=0.75, mars=0.125, koks=0.125)
    """
    return Wins(1.0 - mars, mars - koks, koks)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match, seen by one side; every chance is that side's of winning the match.

    Examples
    --------
    >>> equity = nardy.MatchEquity(5, mars=0)
    >>> game = MatchGame(equity.table, 3, 3, wins_of(0, 0), wins_of(0, 0), 1.0, 64)
    >>> float(game.start())
    0.5
    """

    after: NDArray[np.float64]
    """What a score is worth once this game is over, to the side that needs the first index."""
    own: int
    other: int
    wins: Wins
    losses: Wins
    efficiency: float
    cube_max: float

    def seen_by_other(self) -> MatchGame:
        """Return the same game from the other side."""
        # `after` stays: for each score it holds what both sides have, and they add up to 1.
        return replace(self, own=self.other, other=self.own, wins=self.losses, losses=self.wins)

    def dead(self, cube: int) -> _Line:
        """Return what a game lost and a game won at this cube are worth."""
        lost = [self.after[self.own, max(self.other - n * cube, 0)] for n in (1, 2, 3)]
        won = [self.after[max(self.own - n * cube, 0), self.other] for n in (1, 2, 3)]
        return _mean(self.losses, lost), _mean(self.wins, won)

    def cashed(self, cube: int) -> float:
        """Return what it is worth that the other side drops."""
        return float(self.after[max(self.own - cube, 0), self.other])

    def can_use(self, cube: int) -> bool:
        """Whether the side may double this cube and has something to win by it."""
        return cube < self.own and 2 * cube <= self.cube_max

    def owned(self, cube: int) -> _Line:
        """Return the line on which the side holds the cube: true from p = 0 to its cash point."""
        lost, won = self.dead(cube)
        if not self.can_use(cube):
            return lost, won
        point = self.cash_point(cube)
        # The rise of the line; it is the dead one's for a side that rather plays on for more.
        live = np.maximum((self.cashed(cube) - lost) / np.maximum(point, _STEEPEST), won - lost)
        efficiency = 1.0 if cube >= self.other else self.efficiency
        return lost, lost + efficiency * live + (1.0 - efficiency) * (won - lost)

    def taken(self, cube: int) -> _Line:
        """Return the line after the other side has taken at ``cube``, and owns it."""
        at_0, at_1 = self.seen_by_other().owned(cube)
        return 1.0 - at_1, 1.0 - at_0

    def cash_point(self, cube: int) -> _Number:
        """Return the chance of the game at which the other side takes or drops alike."""
        at_0, at_1 = self.taken(2 * cube)
        rise = at_1 - at_0
        # Where the doubled game is worth the same won or lost, taking costs nothing: it is 1.
        flat = (rise == 0) * _STEEPEST
        point = (self.cashed(cube) - at_0 + flat) / (rise + flat)
        return np.minimum(np.maximum(point, 0.0), 1.0)

    def start(self) -> _Number:
        """Return the chance of the match at the start of the game, p = 1/2, the cube in the middle.

        Without jumps the best end of the live line is chosen for each side: its cash point, or to
        play on. Here alone a cash point that is passed already is cashed at once, for nobody has
        played yet: it matters where nearly all wins are mars.
        """
        lost, won = self.dead(1)
        other = self.seen_by_other()
        uppers, lowers = [(1.0, won)], [(0.0, lost)]
        if self.can_use(1):
            uppers.append((self.cash_point(1), self.cashed(1)))
        if other.can_use(1):
            lowers.append((1.0 - other.cash_point(1), 1.0 - other.cashed(1)))
        live = max(min(_middle(lower, upper) for lower in lowers) for upper in uppers)
        efficiency = 1.0 if min(self.own, self.other) == 1 else self.efficiency
        return efficiency * live + (1.0 - efficiency) * (lost + won) / 2

    def worth(self, p: _Number, cube: int, owner: int, *, waits: bool = False) -> _Number:
        """Return the chance of the match at a chance `p` of the game.

        Parameters
        ----------
        p : float or array
        cube : int
        owner : int
            1: the side owns the cube; -1: the other one; 0: it lies in the middle.
        waits : bool
            Whether the side does not double now. It matters where doubling costs nothing, for there
            the side is taken to double at once: to wait then costs what it costs elsewhere.

        Notes
        -----
        Without jumps the best end of the live line is chosen for each side: its cash point, or to
        play on. Beyond its cash point a side plays on for more: up the line to a game won for
        certain.
        """
        lost, won = self.dead(cube)
        dead = lost + p * (won - lost)
        other = self.seen_by_other()
        upper = owner >= 0 and self.can_use(cube)
        lower = owner <= 0 and other.can_use(cube)
        if not (upper or lower):
            return dead
        ends: tuple[_Point, _Point] = (0.0, lost), (1.0, won)
        uppers, lowers = [ends[1]], [ends[0]]
        if upper:
            uppers.append((self.cash_point(cube), self.cashed(cube)))
        if lower:
            lowers.append((1.0 - other.cash_point(cube), 1.0 - other.cashed(cube)))
        lives = []
        for above in uppers:
            lines = [bent(p, [ends[0], below, above, ends[1]]) for below in lowers]
            lives.append(lines[0] if len(lines) == 1 else np.minimum(*lines))
        live = lives[0] if len(lives) == 1 else np.maximum(*lives)
        # Where doubling costs nothing, since a lost game loses the match as it is, nothing is lost.
        is_free = (upper and cube >= self.other) or (lower and cube >= self.own)
        efficiency = 1.0 if is_free and not waits else self.efficiency
        return efficiency * live + (1.0 - efficiency) * dead


def bent(p: _Number, points: list[_Point]) -> _Number:
    """Return the height at `p` of the line through points whose chances rise, or are equal.

    Examples
    --------
    >>> float(bent(0.75, [(0.0, -1.0), (0.5, 0.0), (1.0, 2.0)]))
    1.0
    """
    height = points[0][1]
    for (left, low), (right, high) in pairwise(points):
        width = right - left
        # No width: nothing lies within, so what is divided by does not matter.
        share = (p - left) / np.where(width > 0, width, 1.0)
        rise = low + np.minimum(np.maximum(share, 0.0), 1.0) * (high - low)
        height = np.where((p >= left) & (width > 0), rise, height)
    return height


def _mean(shares: Wins, worths: list[float]) -> _Number:
    oin, mars, koks = (share * worth for share, worth in zip(shares, worths, strict=True))
    return oin + mars + koks


def _middle(lower: _Point, upper: _Point) -> _Number:
    """Return the height at p = 1/2 of the line between two points."""
    (left, low), (right, high) = lower, upper
    if right <= 0.5:
        return high
    if left >= 0.5:
        return low
    return low + (high - low) * (0.5 - left) / (right - left)
