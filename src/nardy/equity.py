"""Match equity: how likely a side is to win the match from a score, and where it should take.

The model
---------
A game is a chance ``p`` of winning it that wanders from 1/2 to 0 or 1 in steps so small that no
point is jumped. Of the games a side wins, a fixed share is mars and a fixed share koks. Nobody
plays better than the other.

*Dead cube.* Nobody doubles any more: the chance of the match is the straight line between what a
lost and what a won game leads to.

*Live cube.* Both double at the last moment: where the other side is as well off dropping as taking.
For the owner of the cube the chance of the match is then the straight line from a lost game to that
point; while the cube is in the middle, the line between both sides' points. A side that does better
by playing for mars or koks plays on instead.

*Efficiency* ``x``. Real games jump, and part of what a live cube is worth is lost: the chance of
the match is ``x`` of the live line and ``1 - x`` of the dead one, as R. Janowski proposed for money
play (Take-Points in Money Games, 1993). Where doubling costs nothing, because a lost game loses the
match as it is, a side doubles at once and nothing is lost: ``x = 1``.

All is exact from the shorter scores up: the cube ends where doubling is of no use, so no equation
has to be iterated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.errors import as_int, as_int_from
from nardy.live_cube import MatchGame, wins_of
from nardy.options import SHORT, Rules
from nardy.options import rules as named_rules

__all__ = ["EFFICIENCY", "MAX_LENGTH", "MatchEquity", "as_share"]

MAX_LENGTH: Final = 100
"""The longest match that is solved; a table of it takes a few seconds."""

# Short nardy between good players: about a quarter of the wins is mars, one in a hundred koks.
_SHARES: Final = (0.26, 0.01)
EFFICIENCY: Final = 0.68
"""How much of a live cube's worth is kept: what Janowski found to fit games of backgammon."""


class MatchEquity:
    """The chances of winning a match at every score, by a documented model (see ``nardy.equity``).

    Parameters
    ----------
    length : int
        Points that the match is played to, 1..100: the table holds every score of it.
    rules : Rules or str
        For its options ``cube``, ``cube_max`` and ``crawford``; short nardy by default.
    mars : float
        Share of a side's wins that are mars **or koks**, 0..1. Default: 0.26 for short nardy; for
        long nardy it has to be given, since no source says how often good players win one.
    koks : float
        Share of a side's wins that are koks, 0..mars. Default: 0.01 for short nardy, else 0.
    efficiency : float
        How much of a live cube's worth is kept, 0 (none: nobody doubles) .. 1 (all).

    Attributes
    ----------
    length, rules, mars, koks, efficiency
    table : ndarray of float64, shape (length + 1, length + 1), read-only
        ``table[i, j]``: the chance of a side that needs ``i`` points while the other needs ``j``.
        Where one of them needs 1 point, the next game is the Crawford game (if the rules have it).
        Needing 0 points is having won; ``table[0, 0]`` is no score, and NaN.
    post_crawford : ndarray of float64, shape (length + 1,), read-only
        ``post_crawford[j]``: the chance of the side that needs 1 point while the other needs
        ``j``, after the Crawford game (or without one).

    Raises
    ------
    ValueError, TypeError
        A number outside its range, or of another kind; unknown rules.

    Notes
    -----
    Equal are those made of the same numbers and rules: all else follows from these.

    A point more is never worse where ``mars`` is at most 0.4, or ``efficiency`` 1. Where most wins
    are mars and yet hardly anybody doubles, which is no game that people play, it may be.

    Examples
    --------
    >>> equity = nardy.MatchEquity(7)
    >>> round(equity.chance(3, 5), 3), round(equity.chance(5, 3), 3)
    (0.656, 0.344)
    >>> round(equity.chance(2, 1), 3), round(equity.chance(2, 1, crawford_done=True), 3)
    (0.315, 0.5)
    """

    __slots__ = (
        "_later",
        "efficiency",
        "koks",
        "length",
        "mars",
        "post_crawford",
        "rules",
        "table",
    )

    length: int
    rules: Rules
    mars: float
    koks: float
    efficiency: float
    table: NDArray[np.float64]
    post_crawford: NDArray[np.float64]
    _later: NDArray[np.float64]

    def __init__(
        self,
        length: int,
        *,
        rules: Rules | str = SHORT,
        mars: float | None = None,
        koks: float | None = None,
        efficiency: float = EFFICIENCY,
    ) -> None:
        self.length = as_int_from("length", length, 1, MAX_LENGTH)
        self.rules = named_rules(rules)
        usual = _SHARES if self.rules.game == "short" else (None, 0.0)
        mars = usual[0] if mars is None else mars
        if mars is None:
            raise TypeError("mars must be given for long nardy: no source says how often it is won")
        self.mars = as_share("mars", mars, 1.0)
        self.koks = as_share("koks", min(usual[1], self.mars) if koks is None else koks, self.mars)
        self.efficiency = as_share("efficiency", efficiency, 1.0)
        self._solve()
        self._lock()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchEquity) and self._made_of() == other._made_of()

    def __hash__(self) -> int:
        return hash(self._made_of())

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        for name, value in state[1].items():
            setattr(self, name, value)
        self._lock()  # which a pickle does not keep

    def __repr__(self) -> str:
        return (
            f"<MatchEquity to {self.length}: mars {self.mars:g}, koks {self.koks:g}, "
            f"efficiency {self.efficiency:g}>"
        )

    def chance(self, own: int, other: int, *, crawford_done: bool = False) -> float:
        """Return the chance of winning the match of a side that needs ``own`` points.

        Parameters
        ----------
        own, other : int
            Points that the side and the other one need, 0..length; not both 0.
        crawford_done : bool
            Whether the Crawford game is over; it matters only where a side needs 1 point.

        Raises
        ------
        ValueError, TypeError
            No score of this match.

        Examples
        --------
        >>> nardy.MatchEquity(5).chance(4, 4), nardy.MatchEquity(5).chance(0, 3)
        (0.5, 1.0)
        """
        own, other = self._points(own, other, 0)
        _bool("crawford_done", crawford_done)
        if own == other == 0:
            raise ValueError("own and other must not both be 0: only one side can have won")
        done = crawford_done and 1 in (own, other)
        return float((self._later if done else self.table)[own, other])

    def following(
        self, own: int, other: int, *, crawford_done: bool = False
    ) -> NDArray[np.float64]:
        """Return what the scores are worth that a game at a score leads to.

        Parameters
        ----------
        own, other, crawford_done
            As in :meth:`chance`.

        Returns
        -------
        ndarray of float64, shape (length + 1, length + 1), read-only
            As :attr:`table`, but where a side needs 1 point: there the Crawford game is the one
            that is played, or is over.

        Examples
        --------
        >>> equity = nardy.MatchEquity(5)
        >>> bool(equity.following(3, 1)[2, 1] == equity.chance(2, 1, crawford_done=True))
        True
        """
        own, other = self._points(own, other, 1)
        _bool("crawford_done", crawford_done)
        return self._later if 1 in (own, other) else self.table

    def take_point(
        self,
        own: int,
        other: int,
        *,
        cube: int = 1,
        crawford_done: bool = False,
        efficiency: float | None = None,
        wins: tuple[float, float] | None = None,
        losses: tuple[float, float] | None = None,
    ) -> float:
        """Return the least chance of winning the game with which a double should be taken.

        Parameters
        ----------
        own, other : int
            Points that the side which has to answer and the doubling side need, 1..length.
        cube : int
            The stake before the double: 1, 2, 4 ...
        crawford_done : bool
            Whether the Crawford game is over, where a side needs 1 point.
        efficiency : float, optional
            0 for a dead cube, 1 for a live one, that of the table if left out. A redouble that
            costs nothing, since losing would lose the match as it is, counts fully in any case.
        wins, losses : tuple of two floats, optional
            Shares (mars or koks, koks) of the games that the answering side wins, and of those
            that it loses, in the position at hand; those of the table if left out.

        Returns
        -------
        float
            Chance of winning the game, by any score, 0..1.

        Raises
        ------
        ValueError, TypeError
            No score of this match, or a double that the rules do not allow there.

        Examples
        --------
        Far from the end it is as for money: a quarter with a dead cube, a fifth with a live one.

        >>> equity = nardy.MatchEquity(25, mars=0)
        >>> [round(equity.take_point(25, 25, efficiency=x), 2) for x in (0, 1)]
        [0.25, 0.2]
        >>> round(nardy.MatchEquity(5).take_point(4, 2), 3)
        0.182
        """
        own, other = self._points(own, other, 1)
        cube = _cube(cube)
        _bool("crawford_done", crawford_done)
        if not self.rules.cube:
            raise ValueError("rules: these play without a cube, so there is no take point")
        if 2 * cube > self._cube_max():
            raise ValueError(f"cube must be below the rules' cube_max, not {cube!r}")
        near = 1 in (own, other)
        if near and self.rules.crawford and not crawford_done:
            raise ValueError("crawford_done must be True at 1 away: the Crawford game has no cube")
        usual = (self.mars, self.koks)
        asked = MatchGame(
            self.following(own, other, crawford_done=crawford_done),
            own,
            other,
            wins_of(*_shares("wins", usual if wins is None else wins)),
            wins_of(*_shares("losses", usual if losses is None else losses)),
            self.efficiency if efficiency is None else as_share("efficiency", efficiency, 1.0),
            self._cube_max(),
        )
        return float(1.0 - asked.seen_by_other().cash_point(cube))

    def _points(self, own: int, other: int, low: int) -> tuple[int, int]:
        """Take what both sides need, from `low` on."""
        most = self.length
        return as_int_from("own", own, low, most), as_int_from("other", other, low, most)

    def _solve(self) -> None:
        n, wins = self.length, wins_of(self.mars, self.koks)
        scores = np.full((n + 1, n + 1), np.nan)
        scores[0, 1:], scores[1:, 0] = 1.0, 0.0
        # After the Crawford game a score has another worth than in it: they are solved apart.
        later = scores.copy()
        for j in range(1, n + 1):
            game = MatchGame(later, 1, j, wins, wins, self.efficiency, self._cube_max())
            later[1, j] = game.start()
            later[j, 1] = 1.0 - later[1, j]
        for j in range(1, n + 1):
            game = MatchGame(later, 1, j, wins, wins, self.efficiency, cube_max=1)
            scores[1, j] = game.start() if self.rules.crawford else later[1, j]
            scores[j, 1] = 1.0 - scores[1, j]
        for i in range(2, n + 1):
            scores[i, i] = 0.5
            for j in range(i + 1, n + 1):
                game = MatchGame(scores, i, j, wins, wins, self.efficiency, self._cube_max())
                scores[i, j] = game.start()
                scores[j, i] = 1.0 - scores[i, j]
        self.table, self._later, self.post_crawford = scores, later, later[1]

    def _made_of(self) -> tuple[int, Rules, float, float, float]:
        return self.length, self.rules, self.mars, self.koks, self.efficiency

    def _lock(self) -> None:
        for solved in (self.table, self._later, self.post_crawford):
            solved.flags.writeable = False

    def _cube_max(self) -> float:
        if not self.rules.cube:
            return 1
        return math.inf if self.rules.cube_max is None else self.rules.cube_max


def _cube(value: int) -> int:
    wanted = "a power of two: the stake before the double"
    number = as_int("cube", value, wanted)
    if number < 1 or number & (number - 1):
        raise ValueError(f"cube must be {wanted}, not {value!r}")
    return number


def _bool(name: str, value: bool) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {value!r}")


def as_share(name: str, value: float, high: float = 1.0) -> float:
    """Take a number from 0 to `high`.

    Examples
    --------
    >>> as_share("efficiency", 2)
    Traceback (most recent call last):
        ...
    ValueError: efficiency must be a number 0..1, not 2
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number 0..{high:g}, not {value!r}")
    if not 0 <= value <= high:  # NaN is refused too
        raise ValueError(f"{name} must be a number 0..{high:g}, not {value!r}")
    return float(value)


def _shares(name: str, pair: Sequence[float]) -> tuple[float, float]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        error = ValueError if isinstance(pair, tuple | list) else TypeError
        raise error(f"{name} must be (share of mars or koks, share of koks), not {pair!r}")
    mars = as_share(f"{name}: mars", pair[0], 1.0)
    return mars, as_share(f"{name}: koks", pair[1], mars)
