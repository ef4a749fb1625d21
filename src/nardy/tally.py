"""What finished games add up to: chances with their intervals, equity, turns."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chance", "Tally", "quantile", "wilson"]

_Z95: Final = 1.959963984540054  # of the normal distribution, 95 % two-sided

# Outcomes from which each chance counts: cumulative, so that a koks is a mars and a win too.
_CHANCES: Final = {
    "win": (1, 2, 3),
    "win mars": (2, 3),
    "win koks": (3,),
    "lose mars": (-2, -3),
    "lose koks": (-3,),
}


class Chance(NamedTuple):
    """A share of games and its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(hits: int, games: int) -> Chance:
    """Return a share of at least one game with its Wilson 95 % interval.

    Examples
    --------
    >>> chance = wilson(5, 10)
    >>> chance.share, round(chance.low, 3), round(chance.high, 3)
    (0.5, 0.237, 0.763)
    """
    share, spread = hits / games, _Z95**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    # At the ends the bound is the share itself; the sum above misses it by a rounding.
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == games else middle + half
    return Chance(share, low, high)


def quantile(level: float, freedom: float = math.inf) -> float:
    """Return how many standard errors wide, to each side, an interval is: of Student's t.

    Without end of degrees of freedom it is of the normal distribution; with 36 and more the
    expansion of Cornish and Fisher, which is used, is within 1e-5 of it.

    Raises
    ------
    ValueError
        A level that is not above 0 and below 1.

    Examples
    --------
    >>> round(quantile(0.95, 36), 4), round(quantile(0.95), 4)
    (2.0281, 1.96)
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be above 0 and below 1, not {level!r}")
    if freedom <= 0:
        return math.inf
    z = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    more = [term / float(freedom) ** power for power, term in enumerate(terms, start=1)]
    return math.fsum([z, *more])


class Tally:
    """Counts of finished games, seen by the side that moved first in each.

    Examples
    --------
    >>> tally = Tally()
    >>> tally.add(np.array([1, -2, 1, 1], np.int8), np.array([90, 80, 85, 101], np.int32))
    >>> tally.games, tally.equity, tally.turns_a_game
    (4, 0.25, 89.0)
    >>> tally.chances()["win"].share
    0.75
    """

    def __init__(self) -> None:
        self._counts = np.zeros(7, dtype=np.int64)  # outcomes -3..3
        self._turns = 0

    def add(self, outcomes: NDArray[np.int8], turns: NDArray[np.int32]) -> None:
        """Count n games: their outcomes -3..3 for the side that moved first, and their turns."""
        self._counts = self._counts + np.bincount(outcomes.astype(np.int64) + 3, minlength=7)
        self._turns += int(turns.sum(dtype=np.int64))

    @property
    def games(self) -> int:
        """Games counted so far; the rest needs at least one."""
        return int(self._counts.sum())

    @property
    def turns_a_game(self) -> float:
        """Mean number of turns, passes counted."""
        return self._turns / self.games

    @property
    def equity(self) -> float:
        """Mean outcome, in points of the game."""
        return float(self._counts @ np.arange(-3, 4)) / self.games

    @property
    def standard_error(self) -> float:
        """Standard error of :attr:`equity`."""
        square = float(self._counts @ np.arange(-3, 4) ** 2) / self.games
        return math.sqrt(max(square - self.equity**2, 0) / self.games)

    def chances(self) -> dict[str, Chance]:
        """Return the chances of a win, mars and koks, cumulative, with 95 % intervals."""
        return {
            name: wilson(sum(int(self._counts[outcome + 3]) for outcome in outcomes), self.games)
            for name, outcomes in _CHANCES.items()
        }
