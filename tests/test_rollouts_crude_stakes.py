"""Rollouts at stakes that know nothing of a model: who doubles, takes and drops is plain to see.

Every number depends on the stake, the owner and the side, so whoever mixes these up is found out.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Self

import numpy as np
import pytest

import nardy
from nardy.stakes import Stakes
from proof.slow_rollout import Asked, covariance, exact, mean

TRIALS = 72


@dataclass(frozen=True)
class Crude(Stakes):
    """Double by the chance to win alone.

    Who owns the cube likes a mars, whoever loses it, and so does one of the sides: so which play is
    best depends on both.
    """

    cube: nardy.Cube | None = field(default_factory=nardy.Cube)
    doubling: tuple[float, float] = (0.54, 0.5)
    """From where on a side doubles, of side 0 and 1."""
    taking: tuple[float, float] = (0.58, 0.62)
    """Up to where the other side takes a double of side 0, and of side 1."""
    ahead: float = 0.75
    """What a mars is worth to side 0, whoever loses it."""
    _whole = 0.0

    def worth(self, values: Any, cube: Any, owner: Any, side: Any, rules: Any) -> Any:
        mars = values[:, 1].astype(np.float64) + values[:, 3]
        return cube * nardy.equities(values) + self._more(mars, cube, owner, side)

    def settled(self, points: Any, cube: Any, owner: Any, side: Any, rules: Any) -> Any:
        mars = np.abs(points) >= 2
        return cube * points.astype(np.float64) + self._more(mars, cube, owner, side)

    def offers(self, values: Any, cube: Any, owner: Any, side: Any, rules: Any) -> Any:
        win = values[:, 0].astype(np.float64)
        doubles = (win > np.array(self.doubling)[side]) & (owner >= 0) & (cube <= 8)
        return doubles, win < np.array(self.taking)[side]

    def passed(self, cube: Any, owner: Any, side: Any) -> Any:
        return 1.25 * cube + self._more(0.125, cube, owner, side)

    def seen_by_other(self) -> Self:
        assert self.cube is not None
        owner = self.cube.owner
        cube = replace(self.cube, owner=None if owner is None else 1 - owner)
        doubling, taking = self.doubling[::-1], self.taking[::-1]
        return replace(self, cube=cube, doubling=doubling, taking=taking, ahead=-self.ahead)

    def _more(self, mars: Any, cube: Any, owner: Any, side: Any) -> Any:
        return mars * (0.5 * cube * owner + self.ahead * (1 - 2 * side.astype(np.int64)))

    def _nothing(self, *_: Any, **__: Any) -> NoReturn:
        raise AssertionError("rollouts ask what is public")

    _worth = _settled = _passed = _can_double = _nothing


def mixed(rows: Any) -> Any:
    """Tell chances that have little to do with the board: many doubles, and both answers."""
    told = (rows.astype(np.int64) * np.arange(3, 35) ** 2).sum(axis=1)
    win, mars = 0.35 + 0.3 * (told % 97 / 97), 0.1 + 0.5 * (told % 89 / 89)
    lose = 1 - win
    return np.stack([win, win * mars, win * 0.1, lose * (0.7 - mars), lose * 0.05], axis=1)


OWNED = Crude(nardy.Cube(2, owner=0, is_turned=True))
ITS = Crude(nardy.Cube(2, owner=1, is_turned=True))

CASES: dict[str, tuple[str, str, Crude, dict[str, Any]]] = {
    "long": ("long", "middle", Crude(), {"truncate": 12}),
    "short": ("short", "middle", Crude(), {"truncate": 12}),
    "own cube": ("long", "ending", OWNED, {}),
    "the other's cube": ("short", "ending", ITS, {}),
    "own cube, short": ("short", "middle", OWNED, {"truncate": 7}),
    "reduced": ("short", "ending", Crude(), {"variance_reduction": True}),
    "reduced, the other's cube": ("long", "ending", ITS, {"variance_reduction": True}),
    "reduced, cut": ("long", "middle", OWNED, {"variance_reduction": True, "truncate": 2}),
    "tables": ("short", "near", Crude(), {"tables": True}),
    "tables, reduced": ("long", "near", Crude(), {"tables": True, "variance_reduction": True}),
}


def question(name: str) -> tuple[nardy.Position, dict[str, Any]]:
    game, kind, stakes, how = CASES[name]
    if kind == "middle":
        row = nardy.random_rows(60, rules=game, seed=3)[40]
        position = nardy.Position.from_row(row, rules=game)
    elif kind == "near":  # a race that some rolls bring into the tables
        position = nardy.Position.from_points({8: 1, 5: 2, 2: 1}, {7: 1, 4: 2, 1: 1}, rules=game)
    else:
        position = nardy.Position.from_points({1: 2, 3: 1, 5: 1}, {2: 2, 4: 2}, rules=game)
    how = how | {"stakes": stakes}
    if "tables" in how:
        how["tables"] = nardy.Tables(game)
    return position, how


def asked(position: nardy.Position, how: dict[str, Any], seed: int) -> Asked:
    return Asked(
        position,
        mixed,
        seed,
        how["stakes"],
        how.get("truncate"),
        how.get("variance_reduction", False),
        how.get("tables"),
    )


def close(found: Any, wanted: Any) -> bool:
    return abs(float(found) - float(wanted)) < 1e-9


@pytest.mark.parametrize("name", CASES)
def test_a_position(name: str) -> None:
    position, how = question(name)
    found = nardy.rollout(position, mixed, seed=8, trials=TRIALS, first=108, chunk=36, **how)
    games = exact(asked(position, how, 8), 108, TRIALS)
    assert found.chances is not None and found.chance_errors is not None
    for number, column in enumerate(zip(*games, strict=True)):
        values = [*column]
        error = math.sqrt(covariance(values, values))
        if number == 0:
            assert close(found.equity, mean(values)) and close(found.standard_error, error)
        else:
            assert close(found.chances[number - 1], mean(values)), number
            assert close(found.chance_errors[number - 1], error), number


@pytest.mark.parametrize("name", ["long", "short", "the other's cube", "reduced", "tables"])
def test_the_plays_of_a_roll(name: str) -> None:
    position, how = question(name)
    plays = [*position.plays("32")][:3]
    found = nardy.rollout_plays(
        position, "32", mixed, seed=8, trials=TRIALS, first=36, plays=plays, **how
    )
    worths: dict[str, Any] = {}
    for play in plays:
        after = asked(play.after, how, 8)
        after.stakes, after.may_double_first = how["stakes"].seen_by_other(), True
        games = exact(after, 36, TRIALS)
        worths[str(play)] = [-game[0] for game in games]
        (entry,) = (entry for entry in found if entry.play == play)
        assert entry.chances is not None
        lost = mean([game[1] for game in games])
        assert close(entry.chances[0], 1 - lost)
    best = worths[str(found.best)]
    assert mean(best) == max(map(mean, worths.values()))
    for entry in found:
        own = worths[str(entry.play)]
        apart = [one - other for one, other in zip(best, own, strict=True)]
        assert close(entry.equity, mean(own))
        assert close(entry.standard_error, math.sqrt(covariance(own, own)))
        assert close(entry.behind, mean(apart))
        assert close(entry.behind_error, math.sqrt(covariance(apart, apart)))


@dataclass(frozen=True)
class Told(Crude):
    """Says what it was asked: who doubled what, and whether it was taken."""

    said: Counter[tuple[int, int, bool]] = field(default_factory=Counter, repr=False)

    def offers(self, values: Any, cube: Any, owner: Any, side: Any, rules: Any) -> Any:
        doubles, takes = super().offers(values, cube, owner, side, rules)
        told = zip(side[doubles], cube[doubles], takes[doubles], strict=True)
        self.said.update((int(one), int(stake), bool(taken)) for one, stake, taken in told)
        return doubles, takes


@pytest.mark.parametrize("name", ["long", "short"])
def test_every_answer_is_given(name: str) -> None:
    # By both sides, and more than once in a game: else the comparisons above would say little.
    position, how = question(name)
    stakes = Told()
    nardy.rollout(position, mixed, seed=8, trials=TRIALS, first=108, **how | {"stakes": stakes})
    assert {(side, taken) for side, _, taken in stakes.said} == {
        (side, taken) for side in (0, 1) for taken in (False, True)
    }
    assert {(1, True), (2, True), (2, False)} < {(stake, taken) for _, stake, taken in stakes.said}
