"""Stakes: what a game is played for, so what a board is worth with a cube or a score about it.

Vocabulary
----------
side 0, side 1
    The side to roll on the board that was asked about, and the other one.
stake
    What the cube shows: what a single win is worth.
owner
    Of a cube as the side to roll sees it: 1 it is its own, -1 the other side's, 0 it lies in the
    middle.
live, dead
    A live cube is turned at the last moment at which it should be, a dead one never. What a board
    is worth lies between: ``efficiency`` times the first and the rest of the second
    (docs/stakes.md).

All arrays hold one number for each board. A board's worth does not depend on the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nardy.cube import Cube
from nardy.equity import EFFICIENCY, MatchEquity, as_share
from nardy.live_cube import MatchGame, Wins, bent, wins_of
from nardy.options import Rules
from nardy.values import equities

__all__ = ["MatchPlay", "Money", "Stakes"]

_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]

_MOST: Final = 2**28  # that a cube shows here: three times as much is within what trials keep


class State(NamedTuple):
    """What is about a game: few states are met at once, so boards are worked on by them."""

    stake: int
    owner: int
    side: int
    """Which side rolls: 0 or 1."""


class Stakes(ABC):
    """What :class:`Money` and :class:`MatchPlay` can do; those say what one state means."""

    cube: Cube | None
    _whole: ClassVar[float]
    """What both sides together have."""

    @property
    def start(self) -> tuple[int, int]:
        """The stake at the start, and who owns the cube, as side 0 sees it: 1, -1 or 0."""
        if self.cube is None:
            return 1, 0
        owner = self.cube.owner
        return self.cube.value, 0 if owner is None else 1 - 2 * owner

    @property
    def needs_chances(self) -> bool:
        """Whether an equity (m,) of an evaluator is not enough: with a cube, or a score."""
        return True

    def worth(
        self,
        values: NDArray[Any],
        cube: NDArray[np.int64],
        owner: NDArray[np.int8],
        side: NDArray[np.int8],
        rules: Rules,
    ) -> _Floats:
        """Return what running games are worth to the side to roll, before it may double.

        Parameters
        ----------
        values : ndarray of float32 or float64, shape (m, 5) or (m,)
            What an evaluator returned.
        cube : ndarray of int64, shape (m,)
            Stakes.
        owner : ndarray of int8, shape (m,)
        side : ndarray of int8, shape (m,)
            Which side rolls: 0 or 1.
        rules : Rules

        Raises
        ------
        ValueError
            Equities (m,) where chances are needed.
        """
        return self._valued(values, cube, owner, side, rules)

    def _valued(
        self,
        values: NDArray[Any],
        cube: NDArray[np.int64],
        owner: NDArray[np.int8],
        side: NDArray[np.int8],
        rules: Rules,
        *,
        waits: bool = False,
    ) -> _Floats:
        """Value games; `waits`: the side to roll does not double now."""
        if not self.needs_chances:
            return equities(values).astype(np.float64)
        p, wins, losses = _divided(values)
        worth = np.empty(len(cube))
        for at, of in _states(cube, owner, side):
            won, lost = (Wins(*(part[of] for part in shares)) for shares in (wins, losses))
            worth[of] = self._worth(p[of], won, lost, at, rules, waits=waits)
        return worth

    def settled(
        self,
        points: NDArray[np.int8],
        cube: NDArray[np.int64],
        owner: NDArray[np.int8],
        side: NDArray[np.int8],
        rules: Rules,
    ) -> _Floats:
        """Return what finished games are worth to the side that sees `points`: +-1, 2, 3."""
        worth = np.empty(len(cube))
        for at, of in _states(cube, owner, side):
            worth[of] = self._settled(points[of].astype(np.int64), at, rules)
        return worth

    def passed(
        self, cube: NDArray[np.int64], owner: NDArray[np.int8], side: NDArray[np.int8]
    ) -> _Floats:
        """Return what it is worth to the side that offered a double that the other drops."""
        worth = np.empty(len(cube))
        for at, of in _states(cube, owner, side):
            worth[of] = self._passed(at)
        return worth

    def offers(
        self,
        values: NDArray[Any],
        cube: NDArray[np.int64],
        owner: NDArray[np.int8],
        side: NDArray[np.int8],
        rules: Rules,
    ) -> tuple[_Bools, _Bools]:
        """Return whether the side to roll doubles, and whether the other side would take.

        A double is offered where both answers to it are worth more than not to double. It is taken
        where that leaves the other side as much as dropping, or more. Beavers do not enter.

        Parameters
        ----------
        values, cube, owner, side, rules
            As in :meth:`worth`.

        Returns
        -------
        doubles, takes : ndarray of bool, shape (m,)
        """
        doubles, takes = np.zeros(len(cube), bool), np.zeros(len(cube), bool)
        for at, of in _states(cube, owner, side):
            doubles[of] = at.owner >= 0 and self._can_double(at, rules)
        if not doubles.any():
            return doubles, takes
        may = doubles.copy()
        asked, cube, owner, side = values[may], cube[may], owner[may], side[may]
        kept = self._valued(asked, cube, owner, side, rules, waits=True)
        taken = self.worth(asked, 2 * cube, np.full(len(cube), -1, np.int8), side, rules)
        dropped = self.passed(cube, owner, side)
        doubles[may] = np.minimum(taken, dropped) > kept
        takes[may] = taken <= dropped
        return doubles, takes

    def flipped(self, worth: _Floats) -> _Floats:
        """Return the same worth as the other side sees it."""
        return self._whole - worth

    @abstractmethod
    def seen_by_other(self) -> Self:
        """Return the same stakes with the sides exchanged."""

    @abstractmethod
    def _worth(
        self, p: _Floats, wins: Wins, losses: Wins, at: State, rules: Rules, *, waits: bool
    ) -> _Floats:
        """Value games in one state of the cube by the chance to win and the shares of both."""

    @abstractmethod
    def _settled(self, points: NDArray[np.int64], at: State, rules: Rules) -> _Floats:
        """Value finished games in one state of the cube."""

    @abstractmethod
    def _passed(self, at: State) -> float:
        """Return what a side gets that doubles this stake, when the other drops."""

    @abstractmethod
    def _can_double(self, at: State, rules: Rules) -> bool:
        """Whether a side that may offer this stake's double has something to win by it."""


@dataclass(frozen=True)
class Money(Stakes):
    """Play for points: worth is in points, 1 for a single win at a cube of 1.

    Parameters
    ----------
    cube : Cube, optional
        The cube at the start, at most 2**28, which nobody doubles; its owner 0 is the side to roll
        on the board that is asked about. Without one, nobody doubles.
    efficiency : float
        Of a live cube, 0 (it is dead) .. 1.

    Notes
    -----
    Of the rules ``cube``, ``cube_max`` and ``jacoby`` count, the last only with a cube. A cube that
    shows ``cube_max`` is dead; below it the model is as if there were no end.

    Examples
    --------
    >>> start = nardy.Position.start("short")
    >>> result = nardy.rollout(start, seed=7, trials=216, stakes=nardy.Money(nardy.Cube()))
    >>> -1 < result.equity < 1
    True
    """

    cube: Cube | None = None
    efficiency: float = EFFICIENCY
    _whole: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        _checked(self.cube, self.efficiency)

    @property
    def needs_chances(self) -> bool:
        """Whether an equity (m,) of an evaluator is not enough: with a cube."""
        return self.cube is not None

    def seen_by_other(self) -> Money:
        """Return the same stakes with the sides exchanged.

        Examples
        --------
        >>> nardy.Money(nardy.Cube(2, owner=0)).seen_by_other().cube
        Cube(value=2, owner=1, is_turned=False)
        """
        return replace(self, cube=_exchanged(self.cube))

    def _worth(
        self, p: _Floats, wins: Wins, losses: Wins, at: State, rules: Rules, *, waits: bool
    ) -> _Floats:
        won = 1.0 + wins.mars + 2.0 * wins.koks
        lost = 1.0 + losses.mars + 2.0 * losses.koks
        # Where dropping and taking are alike: for the side to roll, and for the other one.
        take, cash = (lost - 0.5) / (won + lost + 0.5), (lost + 1.0) / (won + lost + 0.5)
        if at.owner == 0 and self._jacoby(rules):
            won = lost = np.ones_like(p)
        dead = p * (won + lost) - lost
        if not self._can_double(at, rules):
            worth: _Floats = at.stake * dead
            return worth
        bends: list[Any] = [(take, -1.0)] if at.owner <= 0 else []
        bends += [(cash, 1.0)] if at.owner >= 0 else []
        live = bent(p, [(0.0, -lost), *bends, (1.0, won)])
        worth = at.stake * (self.efficiency * live + (1.0 - self.efficiency) * dead)
        return worth

    def _jacoby(self, rules: Rules) -> bool:
        """Whether mars and koks count 1 as long as the cube lies in the middle."""
        return rules.jacoby and self.cube is not None and not self.cube.is_turned

    def _settled(self, points: NDArray[np.int64], at: State, rules: Rules) -> _Floats:
        # A cube that was turned never comes back into the middle.
        counted = np.sign(points) if at.owner == 0 and self._jacoby(rules) else points
        return (at.stake * counted).astype(np.float64)

    def _passed(self, at: State) -> float:
        return float(at.stake)

    def _can_double(self, at: State, rules: Rules) -> bool:
        most = _MOST if rules.cube_max is None else min(rules.cube_max, _MOST)
        return self.cube is not None and rules.cube and 2 * at.stake <= most


@dataclass(frozen=True, repr=False)
class MatchPlay(Stakes):
    """Play for a match: worth is the chance to win it, 0..1.

    Parameters
    ----------
    equity : MatchEquity
        What each score is worth.
    own, other : int
        Points that the side to roll on the board asked about needs, and the other one.
    cube : Cube, optional
        As in :class:`Money`; without one nobody doubles, and the stake is 1.
    crawford_done : bool
        Whether the Crawford game is over, where a side needs 1 point. If it is not, this is the
        game (by the rules' option), and nobody may double.
    efficiency : float, optional
        That of `equity` by default.

    Examples
    --------
    >>> score = nardy.MatchPlay(nardy.MatchEquity(5), own=2, other=4, cube=nardy.Cube())
    >>> result = nardy.rollout(nardy.Position.start("short"), seed=7, trials=216, stakes=score)
    >>> 0.5 < result.equity < 1
    True
    """

    equity: MatchEquity
    own: int
    other: int
    cube: Cube | None = None
    crawford_done: bool = False
    efficiency: float | None = None
    _whole: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.equity, MatchEquity):
            raise TypeError(f"equity must be a nardy.MatchEquity, not {self.equity!r}")
        self._after()  # which refuses points that are none of this match, and another kind of flag
        _checked(self.cube, 0.0 if self.efficiency is None else self.efficiency)

    def __repr__(self) -> str:
        equity = self.equity
        return (
            f"MatchPlay(MatchEquity({equity.length}, rules={equity.rules!r}, mars={equity.mars!r}, "
            f"koks={equity.koks!r}, efficiency={equity.efficiency!r}), own={self.own}, "
            f"other={self.other}, cube={self.cube!r}, crawford_done={self.crawford_done}, "
            f"efficiency={self.efficiency})"
        )

    def seen_by_other(self) -> MatchPlay:
        """Return the same stakes with the sides exchanged.

        Examples
        --------
        >>> score = nardy.MatchPlay(nardy.MatchEquity(5), own=2, other=4).seen_by_other()
        >>> score.own, score.other
        (4, 2)
        """
        return replace(self, own=self.other, other=self.own, cube=_exchanged(self.cube))

    def _after(self) -> _Floats:
        """Return what each score is worth that this game leads to."""
        return self.equity.following(self.own, self.other, crawford_done=self.crawford_done)

    def _away(self, side: int) -> tuple[int, int]:
        return (self.own, self.other) if side == 0 else (self.other, self.own)

    def _game(self, side: int, wins: Wins, losses: Wins, rules: Rules) -> MatchGame:
        """Return the game at this score as a side sees it."""
        is_crawford = 1 in (self.own, self.other) and rules.crawford and not self.crawford_done
        most = np.inf if rules.cube_max is None else float(rules.cube_max)
        if self.cube is None or is_crawford or not rules.cube:
            most = 0.0
        share = self.equity.efficiency if self.efficiency is None else self.efficiency
        return MatchGame(self._after(), *self._away(side), wins, losses, share, most)

    def _worth(
        self, p: _Floats, wins: Wins, losses: Wins, at: State, rules: Rules, *, waits: bool
    ) -> _Floats:
        worth: _Floats = self._game(at.side, wins, losses, rules).worth(
            p, at.stake, at.owner, waits=waits
        )
        return worth

    def _settled(self, points: NDArray[np.int64], at: State, rules: Rules) -> _Floats:
        own, other = self._away(at.side)
        gained = at.stake * points
        left = np.maximum(own - np.maximum(gained, 0), 0)
        worth: _Floats = self._after()[left, np.maximum(other + np.minimum(gained, 0), 0)]
        return worth

    def _passed(self, at: State) -> float:
        own, other = self._away(at.side)
        return float(self._after()[max(own - at.stake, 0), other])

    def _can_double(self, at: State, rules: Rules) -> bool:
        single = wins_of(0.0, 0.0)
        return self._game(at.side, single, single, rules).can_use(at.stake)


def _checked(cube: Cube | None, efficiency: float) -> None:
    if cube is not None and not isinstance(cube, Cube):
        raise TypeError(f"cube must be a nardy.Cube or None, not {cube!r}")
    if cube is not None and cube.value > _MOST:
        raise ValueError(f"cube must show at most {_MOST}, not {cube.value}")
    as_share("efficiency", efficiency)


def _exchanged(cube: Cube | None) -> Cube | None:
    if cube is None or cube.owner is None:
        return cube
    return replace(cube, owner=1 - cube.owner)


def _states(
    cube: NDArray[np.int64], owner: NDArray[np.int8], side: NDArray[np.int8]
) -> list[tuple[State, Any]]:
    """List the states of cubes that there are, and the places of each: there are few."""
    # Stakes are at most _MOST: what is mixed stays apart.
    mixed = (cube * 4 + owner + 1) * 2 + side
    found = np.unique(mixed).tolist()
    listed = []
    for one in found:
        rest, who = divmod(one, 2)
        stake, whose = divmod(rest, 4)
        of = slice(None) if len(found) == 1 else mixed == one
        listed.append((State(stake, whose - 1, who), of))
    return listed


def _divided(values: NDArray[Any]) -> tuple[_Floats, Wins, Wins]:
    """Return the chance to win, and how wins and losses divide, of chances that are about right."""
    if values.ndim != 2:
        raise ValueError(
            "evaluator: equities (m,) are not enough with a cube, or for a match: "
            "chances (m, 5) are wanted"
        )
    win, mars, koks, lost_mars, lost_koks = np.clip(values.astype(np.float64), 0.0, 1.0).T
    lose = 1.0 - win
    return win, _shares(win, mars, koks), _shares(lose, lost_mars, lost_koks)


def _shares(won: _Floats, mars: _Floats, koks: _Floats) -> Wins:
    """Divide a chance; one that is 0 divides into single wins."""
    of = np.where(won > 0, won, 1.0)
    mars = np.minimum(mars, won)  # before dividing: a tiny chance would overflow
    return wins_of(mars / of, np.minimum(koks, mars) / of)
