"""Rollouts are what docs/decisions/0021 says: held against one game at a time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import nardy
from proof import slow_rollout
from proof.slow_rollout import PARTS, Asked, covariance, exact, mean

TRIALS = 72


def equity_alone(rows: Any) -> Any:
    """Tell equities: it moves forward, and likes what ends on even points."""
    weights = np.where(np.arange(32) % 2, 0.013, 0.011)
    return np.tanh(-(rows * weights).sum(axis=1))


def strange(rows: Any) -> Any:
    """Tell chances that are far from right, but hold together."""
    mixed = (rows.astype(np.int64) * np.arange(3, 35) ** 2).sum(axis=1) % 97 / 97
    win = 0.15 + 0.7 * mixed
    return np.stack([win, win * 0.4, win * 0.1, (1 - win) * 0.3, (1 - win) * 0.05], axis=1)


def board(game: str, kind: str) -> nardy.Position:
    rules = nardy.rules(game)
    if kind == "start":
        return nardy.Position.start(rules)
    if kind == "ending":
        return nardy.Position.from_points({1: 2, 3: 1, 5: 1}, {2: 2, 4: 2}, rules=rules)
    if kind == "mars":  # the last men decide whether it is one: who gives no chances has no luck
        return nardy.Position.from_points({1: 2, 2: 1, 3: 1}, {6: 15}, rules=rules)
    if kind == "behind":  # whatever is played, the other side is the favourite, not by too much
        return nardy.Position.from_points({4: 2, 5: 2, 6: 2}, {3: 2, 4: 2, 5: 1}, rules=rules)
    if kind == "over":
        return nardy.Position.from_points({}, {2: 2, 4: 2}, rules=rules)
    rows = nardy.random_rows(60, rules=rules, seed=3)
    return nardy.Position.from_row(rows[40], rules=rules)


SHORT_CUBE = nardy.Money(nardy.Cube(), efficiency=0.5)
OWNED = nardy.Money(nardy.Cube(2, owner=0, is_turned=True))
SCORE = nardy.MatchPlay(nardy.MatchEquity(7), 3, 5, cube=nardy.Cube())
NO_CUBE = nardy.MatchPlay(nardy.MatchEquity(5, rules="long", mars=0.2), 2, 4)

CASES: dict[str, tuple[str, str, Any, dict[str, Any]]] = {
    "short start, cut": ("short", "start", "network", {"truncate": 5}),
    "long start, cut": ("long", "start", "network", {"truncate": 4}),
    "short middle": ("short", "middle", "network", {"truncate": 12}),
    "short ending": ("short", "ending", "network", {}),
    "long ending": ("long", "ending", "network", {}),
    "an ending by equity": ("short", "ending", equity_alone, {}),
    "long, by equity, cut": ("long", "middle", equity_alone, {"truncate": 7}),
    "short, to the end": ("short", "middle", "network", {}),
    "long, to the end": ("long", "middle", "network", {}),
    "by points held": ("short", "middle", "spread", {"truncate": 8}),
    "by pips": ("long", "ending", "pips", {}),
    "strange": ("short", "ending", strange, {}),
    "reduced, short ending": ("short", "ending", "network", {"variance_reduction": True}),
    "reduced, long ending": ("long", "ending", strange, {"variance_reduction": True}),
    "reduced by equity": ("short", "ending", equity_alone, {"variance_reduction": True}),
    "reduced by equity, a mars": ("short", "mars", equity_alone, {"variance_reduction": True}),
    "reduced, middle": ("short", "middle", "network", {"variance_reduction": True, "truncate": 3}),
    "reduced, cut": ("long", "start", strange, {"variance_reduction": True, "truncate": 2}),
    "tables": ("short", "ending", strange, {"tables": True}),
    "tables, from outside": ("long", "near", strange, {"tables": True}),
    "tables, or cut": ("long", "near", strange, {"tables": True, "truncate": 1}),
    "over": ("long", "over", "network", {}),
    "cube": ("short", "middle", strange, {"stakes": SHORT_CUBE, "truncate": 9}),
    "cube at the end": ("short", "ending", "network", {"stakes": SHORT_CUBE}),
    "cube of one side": ("short", "ending", strange, {"stakes": OWNED}),
    "cube, reduced": ("long-fnr2026", "ending", strange,
                      {"stakes": SHORT_CUBE, "variance_reduction": True}),
    "cube, at once": ("short", "behind", "network", {"stakes": nardy.Money(nardy.Cube())}),
    "a match": ("short", "ending", strange, {"stakes": SCORE}),
    "a match, reduced": ("short", "ending", "network",
                         {"stakes": SCORE, "variance_reduction": True}),
    "a match, no cube": ("long", "ending", strange, {"stakes": NO_CUBE, "tables": True}),
}  # fmt: skip


def question(name: str) -> tuple[nardy.Position, Any, dict[str, Any]]:
    game, kind, evaluator, how = CASES[name]
    position = board(game, kind) if kind != "near" else nearly(game)
    if evaluator == "network":
        evaluator = nardy.network(position.rules)
    elif evaluator == "pips":
        evaluator = nardy.Pips(position.rules)
    elif evaluator == "spread":
        evaluator = nardy.Spread(position.rules)
    how = dict(how)
    if how.get("tables"):
        how["tables"] = nardy.Tables(position.rules)
    return position, evaluator, how


def nearly(game: str) -> nardy.Position:
    """Give a race that some rolls bring into the tables."""
    return nardy.Position.from_points({8: 1, 5: 3, 2: 2}, {7: 1, 4: 3, 1: 2}, rules=game)


def asked(position: nardy.Position, evaluator: Any, seed: int, how: dict[str, Any]) -> Asked:
    return Asked(
        position,
        evaluator,
        seed,
        how.get("stakes", nardy.Money()),
        how.get("truncate"),
        how.get("variance_reduction", False),
        how.get("tables"),
    )


def close(found: Any, wanted: Fraction | float) -> bool:
    return abs(float(found) - float(wanted)) < 1e-9


def same_error(found: float, variance: Fraction) -> bool:
    """Compare a standard error itself: its square would hide small ones."""
    return close(found, math.sqrt(variance))


def same_sums(found: nardy.Rollout, games: list[list[Fraction]], *, reduced: bool) -> bool:
    """Tell whether the sums of each first throw are those of the games, in whole parts.

    Where luck was taken out, numbers were added up in another order: each may round otherwise.
    """
    known = slice(None) if found.chances is not None else slice(1)
    for throw, kept in enumerate(found.sums.strata[:, 0].tolist()):
        own = [sum(column) * PARTS for column in zip(*games[throw::36], strict=True)]
        off = [abs(one - other) for one, other in zip(kept[known], own[known], strict=True)]
        if max(off) > (len(games) // 36 if reduced else 0):
            return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_a_position(name: str) -> None:
    position, evaluator, how = question(name)
    first = 36 * (len(name) % 4)
    found = nardy.rollout(position, evaluator, seed=len(name), trials=TRIALS, first=first, **how)
    games = exact(asked(position, evaluator, len(name), how), first, TRIALS)
    columns = [list(column) for column in zip(*games, strict=True)]
    assert close(found.equity, mean(columns[0]))
    assert same_error(found.standard_error, covariance(columns[0], columns[0]))
    assert same_sums(found, games, reduced=bool(how.get("variance_reduction")))
    if found.chances is None or found.chance_errors is None:
        assert evaluator is equity_alone or isinstance(evaluator, nardy.Spread)
        assert how["truncate"]
        return
    for number, column in enumerate(columns[1:]):
        assert close(found.chances[number], mean(column)), number
        assert same_error(found.chance_errors[number], covariance(column, column)), number


def test_the_cases_are_not_empty() -> None:
    # Cubes are turned and dropped in them, games end in tables and are cut off.
    doubled = [trial_of("cube at the end", i) for i in range(72)]
    assert {-1.0, 1.0} < {round(six[0], 6) for six in doubled}
    assert any(abs(six[0]) in (2, 4) for six in doubled)


def trial_of(name: str, number: int) -> list[float]:
    position, evaluator, how = question(name)
    return slow_rollout.trial(asked(position, evaluator, 5, how), number)


@pytest.mark.parametrize(
    "name",
    ["short start, cut", "reduced, long ending", "cube at the end", "cube of one side",
     "cube, at once", "a match", "tables", "an ending by equity"],
)  # fmt: skip
def test_the_plays_of_a_roll(name: str) -> None:
    position, evaluator, how = question(name)
    plays = list(position.plays("41"))[:3]
    found = nardy.rollout_plays(
        position, "41", evaluator, plays=plays, seed=4, trials=TRIALS, first=72, **how
    )
    worths, chances = {}, {}
    for play in plays:
        after = asked(play.after, evaluator, 4, how)
        after.stakes = after.stakes.seen_by_other()
        after.may_double_first = True
        games = [slow_rollout.other_side(after.stakes, six) for six in floats(after)]
        columns = [[Fraction(x) for x in column] for column in zip(*games, strict=True)]
        worths[str(play)], chances[str(play)] = columns[0], columns[1:]
    assert {str(entry.play) for entry in found} == {*worths}
    top = max(worths.values(), key=mean)
    assert mean(worths[str(found.best)]) == mean(top)
    assert [entry.equity for entry in found] == sorted(
        (entry.equity for entry in found), reverse=True
    )
    for entry in found:
        own = worths[str(entry.play)]
        assert close(entry.equity, mean(own))
        assert same_error(entry.standard_error, covariance(own, own))
        assert close(entry.behind, mean(top) - mean(own))
        apart = [one - other for one, other in zip(top, own, strict=True)]
        assert same_error(entry.behind_error, covariance(apart, apart))
        assert entry.chances is not None
        for number, column in enumerate(chances[str(entry.play)]):
            assert close(entry.chances[number], mean(column))


OTHERS = {
    "five men": nardy.LONG.replace(checkers=5),
    "exact bear-offs, two of a double": nardy.LONG.replace(
        koks="no_home", bearoff_overshoot="exact", doubles_moves=2
    ),
    "fnr": nardy.rules("long-fnr2026"),
    "short": nardy.rules("short"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_rules_and_the_ends_of_ranges(name: str) -> None:
    # The last trials that there are, of the last seed: words of 64 bits wrap nowhere.
    position = nardy.Position.start(OTHERS[name])
    seed, first = 2**64 - 1, (2**64 - 1 - TRIALS) // 36 * 36
    how: dict[str, Any] = {"truncate": 6}
    found = nardy.rollout(position, strange, seed=seed, trials=TRIALS, first=first, **how)
    games = exact(asked(position, strange, seed, how), first, TRIALS)
    assert same_sums(found, games, reduced=False)
    worths = [game[0] for game in games]
    assert same_error(found.standard_error, covariance(worths, worths))


def floats(after: Asked) -> list[list[float]]:
    return [[float(part) for part in six] for six in exact(after, 72, TRIALS)]


def test_uniform_play_is_that_of_playouts() -> None:
    for game in ("long", "short"):
        start = nardy.Position.start(game)
        found = nardy.rollout(start, nardy.Uniform(game), seed=6, trials=720, first=36)
        rows = np.tile(start.row, (720, 1))
        ends = nardy.playouts(rows, rules=game, seed=6, first=36).outcomes
        assert found.equity == ends.mean(dtype=np.float64)
        assert found.chances is not None
        shares = [(ends >= n).mean() for n in (1, 2, 3)] + [(ends <= -n).mean() for n in (2, 3)]
        assert found.chances.tolist() == pytest.approx(shares, abs=1e-12)
