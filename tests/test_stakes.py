"""Stakes: points and matches with a live cube, against the formulas once more, one game at a time.

The plain models here are written from docs/match_equity.md and Janowski's paper (Take-Points in
Money Games, 1993); of nardy they ask only what a score is worth once a game is over.
"""

from __future__ import annotations

import math
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy.cube import Cube
from nardy.options import SHORT, Rules
from nardy.stakes import MatchPlay, Money, Stakes

JACOBY = SHORT.replace(jacoby=True)
USUAL = nardy.MatchEquity(9)
OTHER_SIDE = [0, 3, 4, 1, 2]


def line(p: float, *points: tuple[float, float]) -> float:
    """Return the height at p of the straight lines through points."""
    return float(np.interp(p, [x for x, _ in points], [y for _, y in points]))


def shares(values: NDArray[Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return how wins and losses divide into single ones, mars and koks."""
    p, mars, koks, lost_mars, lost_koks = map(float, values)
    return (
        ((p - mars) / p, (mars - koks) / p, koks / p),
        ((1 - p - lost_mars) / (1 - p), (lost_mars - lost_koks) / (1 - p), lost_koks / (1 - p)),
    )


def money(values: NDArray[Any], stake: int, owner: int, x: float, stakes: Money, r: Rules) -> float:
    """Return the worth of a running game for points, to the side to roll."""
    p = float(values[0])
    wins, losses = shares(values)
    won, lost = (part[0] + 2 * part[1] + 3 * part[2] for part in (wins, losses))
    take, cash = (lost - 0.5) / (won + lost + 0.5), (lost + 1) / (won + lost + 0.5)
    if stakes.cube is not None and not stakes.cube.is_turned and owner == 0 and r.jacoby:
        won = lost = 1.0
    dead = p * (won + lost) - lost
    if stakes.cube is None or not r.cube or 2 * stake > (r.cube_max or math.inf):
        return stake * dead
    live = {
        1: line(p, (0, -lost), (cash, 1), (1, won)),
        -1: line(p, (0, -lost), (take, -1), (1, won)),
        0: line(p, (0, -lost), (take, -1), (cash, 1), (1, won)),
    }[owner]
    return stake * (x * live + (1 - x) * dead)


class Match:
    """A game of a match as side 0 sees it; points of the cube are found by halving."""

    def __init__(self, values: NDArray[Any], play: MatchPlay, rules: Rules, x: float) -> None:
        self.wins, self.losses = shares(values)
        self.need = (play.own, play.other)
        self.equity, self.x = play.equity, x
        near = 1 in self.need
        is_crawford = near and rules.crawford and not play.crawford_done
        self.top = (rules.cube_max or math.inf) if rules.cube and play.cube is not None else 0
        self.top = 0 if is_crawford else self.top
        self.near = near
        self.point = cache(self._point)

    def after(self, own: int, other: int) -> float:
        """Return what side 0 has once it has won `own` points, or the other one `other`."""
        a, b = self.need[0] - own, self.need[1] - other
        return self.equity.chance(max(a, 0), max(b, 0), crawford_done=self.near)

    def dead(self, p: float, cube: int) -> float:
        won = sum(s * self.after(n * cube, 0) for n, s in zip((1, 2, 3), self.wins, strict=True))
        lost = sum(s * self.after(0, n * cube) for n, s in zip((1, 2, 3), self.losses, strict=True))
        return p * won + (1 - p) * lost

    def can_use(self, side: int, cube: int) -> bool:
        return cube < self.need[side] and 2 * cube <= self.top

    def cashed(self, side: int, cube: int) -> float:
        return self.after(cube, 0) if side == 0 else self.after(0, cube)

    def _point(self, side: int, cube: int) -> float:
        """Return the chance of side 0 at which the other one takes a double or drops it alike."""
        low, high = 0.0, 1.0
        for _ in range(60):
            p = (low + high) / 2
            if self.worth(p, 2 * cube, 1 - side) < self.cashed(side, cube):
                low = p
            else:
                high = p
        return (low + high) / 2

    def worth(self, p: float, cube: int, owner: int | None, *, waits: bool = False) -> float:
        """Return the chance of side 0 to win the match; owner: a side, or None."""
        users = [s for s in (0, 1) if owner in (None, s) and self.can_use(s, cube)]
        if not users:
            return self.dead(p, cube)
        ends = [(0.0, self.dead(0, cube))], [(1.0, self.dead(1, cube))]
        lefts, rights = [*ends[0]], [*ends[1]]
        for side in users:
            (rights, lefts)[side].append((self.point(side, cube), self.cashed(side, cube)))
        live = max(
            min(line(p, *ends[0], left, right, *ends[1]) for left in lefts) for right in rights
        )
        is_free = any(cube >= self.need[1 - side] for side in users)
        x = 1.0 if is_free and not waits else self.x
        return x * live + (1 - x) * self.dead(p, cube)


# --- boards by their chances


def drawn(n: int, seed: int) -> NDArray[np.float64]:
    """Draw chances (n, 5): of each a share, so that no order of them is left out."""
    chance = np.random.default_rng(seed)
    p = chance.uniform(0.001, 0.999, n)
    mars, lost_mars = p * chance.random(n), (1 - p) * chance.random(n)
    koks, lost_koks = mars * chance.random(n), lost_mars * chance.random(n)
    return np.stack([p, mars, koks, lost_mars, lost_koks], axis=1)


def usual(p: Any, mars: float = 0.0, koks: float = 0.0) -> NDArray[np.float64]:
    """Chances to win `p`, of which as large shares are mars and koks for both sides."""
    p = np.atleast_1d(np.asarray(p, float))
    return np.stack([p, mars * p, koks * p, mars * (1 - p), koks * (1 - p)], axis=1)


def flipped(values: NDArray[Any]) -> NDArray[Any]:
    other: NDArray[Any] = values[:, OTHER_SIDE].copy()
    other[:, 0] = 1 - values[:, 0]
    return other


def states(n: int, cube: Any = 1, owner: Any = 0, side: Any = 0) -> tuple[Any, Any, Any]:
    return (
        np.broadcast_to(np.asarray(cube, np.int64), n).copy(),
        np.broadcast_to(np.asarray(owner, np.int8), n).copy(),
        np.broadcast_to(np.asarray(side, np.int8), n).copy(),
    )


def worth(stakes: Stakes, values: Any, *state: int, rules: Rules = SHORT) -> NDArray[np.float64]:
    return stakes.worth(values, *states(len(values), *state), rules)


def offers(stakes: Stakes, values: Any, *state: int, rules: Rules = SHORT) -> tuple[Any, Any]:
    return stakes.offers(values, *states(len(values), *state), rules)


# --- against the plain models


@pytest.mark.parametrize("rules", [SHORT, JACOBY, SHORT.replace(cube=False)], ids=str)
@pytest.mark.parametrize("cube", [None, Cube(), Cube(2, owner=1, is_turned=True)], ids=str)
@pytest.mark.parametrize("x", [0.0, 0.68, 1.0])
def test_money_by_formulas(rules: Rules, cube: Cube | None, x: float) -> None:
    stakes = Money(cube, x)
    chance, values = np.random.default_rng(1), drawn(150, seed=2)
    rules = rules.replace(cube_max=4)
    cubes, owners, sides = states(
        150,
        2 ** chance.integers(0, 4, 150),
        chance.integers(-1, 2, 150),
        chance.integers(0, 2, 150),
    )
    if cube is None:
        cubes[:] = 1
    said = stakes.worth(values, cubes, owners, sides, rules)
    offered, taken = stakes.offers(values, cubes, owners, sides, rules)
    for row, stake, owner, it, doubles, takes in zip(
        values, cubes.tolist(), owners.tolist(), said, offered, taken, strict=True
    ):
        assert it == pytest.approx(money(row, stake, owner, x, stakes, rules), abs=1e-12)
        may = cube is not None and rules.cube and owner >= 0 and 2 * stake <= 4
        after = money(row, 2 * stake, -1, x, stakes, rules)
        assert takes == (may and after <= stake)
        assert doubles == (may and min(after, stake) > it)
    assert stakes.passed(cubes, owners, sides).tolist() == cubes.tolist()


def test_games_for_points_that_are_over() -> None:
    points = np.array([1, 2, 3, -1, -2, -3], np.int8)
    for stakes in (Money(), Money(Cube())):
        assert stakes.settled(points, *states(6, 4, 1, 1), SHORT).tolist() == (4 * points).tolist()
    counted = np.sign(points).tolist()
    assert Money(Cube()).settled(points, *states(6), JACOBY).tolist() == counted
    # Jacoby has no say without a cube, nor once it was turned.
    turned = Money(Cube(2, owner=0, is_turned=True))
    assert Money().settled(points, *states(6), JACOBY).tolist() == points.tolist()
    assert turned.settled(points, *states(6, 2, 1), JACOBY).tolist() == (2 * points).tolist()
    assert (
        Money(Cube()).settled(points, *states(6, 2, -1), JACOBY).tolist() == (2 * points).tolist()
    )


MATCH_RULES = [SHORT, SHORT.replace(crawford=False), SHORT.replace(cube_max=2)]


@pytest.mark.parametrize("rules", MATCH_RULES, ids=str)
@pytest.mark.parametrize("x", [0.0, 0.68, 1.0])
@pytest.mark.parametrize("done", [False, True])
def test_matches_by_the_plain_model(rules: Rules, x: float, done: bool) -> None:
    equity = nardy.MatchEquity(9, rules=rules)
    chance, values = np.random.default_rng(3), drawn(16, seed=4)
    scores = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (2, 4), (3, 2), (5, 3), (7, 9), (9, 4)]
    for own, other in scores:
        stakes = MatchPlay(equity, own, other, Cube(), done, x)
        cubes, owners, sides = states(
            16,
            2 ** chance.integers(0, 4, 16),
            chance.integers(-1, 2, 16),
            chance.integers(0, 2, 16),
        )
        said = stakes.worth(values, cubes, owners, sides, rules)
        offered, taken = stakes.offers(values, cubes, owners, sides, rules)
        passed = stakes.passed(cubes, owners, sides)
        for at, (row, cube, owner, side) in enumerate(
            zip(values, cubes.tolist(), owners.tolist(), sides.tolist(), strict=True)
        ):
            p = float(row[0])
            # A match of what side `side` needs, seen by it.
            seen = stakes if side == 0 else stakes.seen_by_other()
            model = Match(row, seen, rules, x)
            whose = {0: None, 1: 0, -1: 1}[owner]
            assert said[at] == pytest.approx(model.worth(p, cube, whose), abs=1e-9)
            assert passed[at] == model.cashed(0, cube)
            if owner < 0 or not model.can_use(0, cube):
                assert not offered[at] and not taken[at]
                continue
            after, kept = model.worth(p, 2 * cube, 1), model.worth(p, cube, whose, waits=True)
            if abs(after - passed[at]) > 1e-9:
                assert taken[at] == (after < passed[at])
            gain = min(after, passed[at]) - kept
            if abs(gain) > 1e-9:
                assert offered[at] == (gain > 0)


def test_games_of_a_match_that_are_over() -> None:
    play = MatchPlay(USUAL, 5, 3, Cube())
    points = np.array([1, 2, 3, -1, -2, -3], np.int8)
    chance = USUAL.chance
    single = [chance(*score) for score in ((4, 3), (3, 3), (2, 3), (5, 2), (5, 1), (5, 0))]
    assert play.settled(points, *states(6), SHORT).tolist() == single
    assert play.settled(points, *states(6), JACOBY).tolist() == single
    # The other side, the cube on 2: it needs 3, side 0 needs 5.
    double = [chance(*score) for score in ((1, 5), (0, 5), (0, 5), (3, 3), (3, 1), (3, 0))]
    assert play.settled(points, *states(6, 2, 1, 1), SHORT).tolist() == double
    # Where a side needs 1 point, the Crawford game is this one, or over.
    for done in (False, True):
        last = MatchPlay(USUAL, 1, 4, Cube(), done)
        after = [1.0] * 3 + [chance(1, j, crawford_done=True) for j in (3, 2, 1)]
        assert last.settled(points, *states(6), SHORT).tolist() == after


# --- facts that are known


@pytest.mark.parametrize(("x", "percent"), [(0.0, 25.0), (1.0, 20.0)])
def test_take_points_of_money(x: float, percent: float) -> None:
    p = np.linspace(0.7, 0.9, 2001)
    _, takes = offers(Money(Cube(), x), usual(p), 1, 0)
    (place,) = np.flatnonzero(np.diff(takes))
    assert takes[0] and 100 * (1 - p[place]) == pytest.approx(percent, abs=0.011)


def test_with_a_dead_cube_whoever_is_ahead_doubles() -> None:
    doubles, _ = offers(Money(Cube(), 0.0), usual([0.01, 0.49, 0.51, 0.75, 0.99]), 1, 0)
    assert doubles.tolist() == [False, False, True, True, True]


def test_waiting_with_a_live_cube_costs_nothing() -> None:
    p = np.linspace(0.01, 0.99, 99)
    doubles, _ = offers(Money(Cube(), 1.0), usual(p), 1, 0)
    assert not doubles[abs(p - 0.8) > 1e-6].any()


@pytest.mark.parametrize("done", [False, True])
def test_at_the_start_a_match_is_worth_what_its_table_says(done: bool) -> None:
    even = usual(0.5, USUAL.mars, USUAL.koks)
    for own in range(1, 10):
        for other in range(1, 10):
            for side, score in enumerate([(own, other), (other, own)]):
                (said,) = worth(MatchPlay(USUAL, own, other, Cube(), done), even, 1, 0, side)
                told = USUAL.chance(*score, crawford_done=done)
                assert said == pytest.approx(told, abs=1e-12)


@pytest.mark.parametrize("x", [0.0, 0.68, 1.0])
def test_a_take_is_one_beyond_the_take_point(x: float) -> None:
    mars, koks = 0.3, 0.02
    for own, other, done in [
        (1, 2, True),
        (1, 3, True),
        (2, 4, False),
        (4, 2, False),
        (9, 7, False),
    ]:
        for cube in (1, 2):
            point = USUAL.take_point(
                own,
                other,
                cube=cube,
                crawford_done=done,
                efficiency=x,
                wins=(mars, koks),
                losses=(mars, koks),
            )
            near = usual([1 - point - 1e-9, 1 - point + 1e-9], mars, koks)
            play = MatchPlay(USUAL, other, own, Cube(), done, x)
            _, takes = offers(play, near, cube, 1)
            assert takes.tolist() == ([True, False] if cube < other else [False, False])


EVERY = np.linspace(0.05, 0.95, 91)


def test_at_two_away_both_a_double_costs_nothing_later_on() -> None:
    play = MatchPlay(USUAL, 2, 2, Cube())
    # After the double the game decides the match, by any win.
    assert worth(play, usual(EVERY, 0.3, 0.1), 2, -1) == pytest.approx(EVERY, abs=1e-12)
    take = USUAL.take_point(2, 2)
    doubles, takes = offers(play, usual(EVERY, 0.26, 0.01), 1, 0)
    assert takes.tolist() == (take <= 1 - EVERY).tolist()
    # It gives the cube to a side that has no use of it: from even on it is right.
    assert doubles[(EVERY > 0.5) & takes].all() and not doubles[EVERY < 0.3].any()


@pytest.mark.parametrize(
    ("play", "rules"),
    [
        (MatchPlay(USUAL, 1, 1, Cube()), SHORT),
        (MatchPlay(USUAL, 1, 1, Cube(), crawford_done=True), SHORT),
        (MatchPlay(USUAL, 3, 1, Cube()), SHORT),
        (MatchPlay(USUAL, 1, 3, Cube(), crawford_done=True), SHORT),
        (MatchPlay(USUAL, 3, 4), SHORT),
        (MatchPlay(USUAL, 3, 4, Cube()), SHORT.replace(cube=False)),
        (MatchPlay(USUAL, 3, 4, Cube()), SHORT.replace(cube_max=1)),
        (Money(), SHORT),
        (Money(Cube()), SHORT.replace(cube=False)),
        (Money(Cube()), SHORT.replace(cube_max=1)),
    ],
    ids=str,
)
def test_nobody_doubles(play: Stakes, rules: Rules) -> None:
    values = np.concatenate([drawn(200, seed=5), usual([0.0, 1.0])])
    doubles, takes = offers(play, values, 1, 0, rules=rules)
    assert not doubles.any() and not takes.any()


def test_a_double_is_the_owners() -> None:
    for play in (Money(Cube(2, 1)), MatchPlay(USUAL, 9, 9, Cube(2, 1))):
        values = usual(EVERY)
        assert offers(play, values, 2, 1)[0].any()
        assert not offers(play, values, 2, -1)[0].any()


@pytest.mark.parametrize("side", [0, 1])
def test_after_the_crawford_game_the_trailer_doubles_at_once(side: int) -> None:
    for own in range(2, 10):
        play = MatchPlay(USUAL, own, 1, Cube(), crawford_done=True)
        play = play if side == 0 else play.seen_by_other()
        doubles, takes = offers(play, usual(EVERY, 0.26, 0.01), 1, 0, side)
        # Needing 3 or more a drop or a take is better than to wait; at 2 so is a take.
        assert doubles[takes].all()
        if own == 3:
            assert doubles.all()


@pytest.mark.parametrize("own", range(2, 10))
def test_before_a_free_double_it_is_worth_what_it_is_doubled(own: int) -> None:
    play = MatchPlay(USUAL, own, 1, Cube(), crawford_done=True)
    values = usual([0.2, 0.4], 0.26, 0.01)
    assert offers(play, values, 1, 0)[0].all()
    assert worth(play, values, 1, 0) == pytest.approx(worth(play, values, 2, -1), abs=1e-12)


def test_jacoby() -> None:
    play, values = Money(Cube(), 0.0), drawn(100, seed=6)
    p, points = (
        values[:, 0],
        values[:, :3].sum(axis=1) - values[:, 3:].sum(axis=1) + values[:, 0] - 1,
    )
    assert worth(play, values, 1, 0, rules=JACOBY) == pytest.approx(2 * p - 1, abs=1e-12)
    for state in ((2, 1), (2, -1)):
        assert worth(play, values, *state, rules=JACOBY) == pytest.approx(2 * points, abs=1e-12)
    turned = Money(Cube(2, 1, is_turned=True), 0.0)
    assert worth(turned, values, 2, 1, rules=JACOBY) == pytest.approx(2 * points, abs=1e-12)
    assert worth(Money(), values, rules=JACOBY) == pytest.approx(points, abs=1e-12)
    # A double makes mars count: who wins much of them doubles where else he plays on for them.
    many = usual(0.9, mars=0.6)
    assert offers(Money(Cube()), many, 1, 0, rules=JACOBY)[0].all()
    assert not offers(Money(Cube()), many, 1, 0)[0].any()


@pytest.mark.parametrize("play", [Money(Cube()), MatchPlay(nardy.MatchEquity(25), 25, 25, Cube())])
def test_the_largest_cube_is_dead(play: Stakes) -> None:
    values = drawn(50, seed=7)
    limited, dead = SHORT.replace(cube_max=4), SHORT.replace(cube_max=1)
    for owner in (-1, 0, 1):
        at_the_top = worth(play, values, 4, owner, rules=limited)
        assert at_the_top.tolist() == worth(play, values, 4, owner, rules=dead).tolist()
        assert not offers(play, values, 4, owner, rules=limited)[0].any()
        # One double below it the cube is alive, in a model of points as if there were no end.
        below = worth(play, values, 2, owner, rules=limited) == worth(play, values, 2, owner)
        assert below.all() if isinstance(play, Money) else not below.all()


# --- what holds of all stakes

PLAYS: list[Stakes] = [
    Money(),
    Money(Cube()),
    Money(Cube(2, 1, is_turned=True), 1.0),
    MatchPlay(USUAL, 1, 1),
    MatchPlay(USUAL, 3, 1, Cube(), crawford_done=True),
    MatchPlay(USUAL, 1, 5, Cube()),
    MatchPlay(USUAL, 2, 2, Cube()),
    MatchPlay(USUAL, 9, 4, Cube(2, 0), efficiency=0.3),
    MatchPlay(nardy.MatchEquity(5, rules="long", mars=0.9, koks=0.5), 5, 3, Cube()),
]
STATES = [(c, o, s) for c in (1, 2, 8) for o in (-1, 0, 1) for s in (0, 1)]


@pytest.mark.parametrize("play", PLAYS, ids=str)
@pytest.mark.parametrize("rules", [SHORT, JACOBY], ids=str)
def test_both_sides_have_all_together(play: Stakes, rules: Rules) -> None:
    values = drawn(200, seed=8)
    points = np.array([1, 2, 3, -1, -2, -3], np.int8)
    for cube, owner, side in STATES:
        here = worth(play, values, cube, owner, side, rules=rules)
        there = worth(play, flipped(values), cube, -owner, 1 - side, rules=rules)
        assert play.flipped(there) == pytest.approx(here, abs=1e-9)
        other = play.seen_by_other()
        exchanged = worth(other, values, cube, owner, 1 - side, rules=rules)
        assert exchanged.tolist() == here.tolist()
        over = play.settled(points, *states(6, cube, owner, side), rules)
        lost = play.settled(-points, *states(6, cube, -owner, 1 - side), rules)
        assert play.flipped(lost) == pytest.approx(over, abs=1e-12)
    assert play.seen_by_other().seen_by_other() == play


@pytest.mark.parametrize("play", PLAYS, ids=str)
def test_a_game_has_the_same_worth_in_any_batch(play: Stakes) -> None:
    chance, values = np.random.default_rng(9), drawn(301, seed=10)
    state = states(
        301,
        1 if play.cube is None else 2 ** chance.integers(0, 5, 301),
        chance.integers(-1, 2, 301),
        chance.integers(0, 2, 301),
    )
    whole = play.worth(values, *state, SHORT), *play.offers(values, *state, SHORT)
    for size in (1, 7, 128):
        for at in range(0, 301, size):
            part = slice(at, at + size)
            c, o, w = (array[part] for array in state)
            assert play.worth(values[part], c, o, w, SHORT).tobytes() == whole[0][part].tobytes()
            for said, told in zip(
                play.offers(values[part], c, o, w, SHORT), whole[1:], strict=True
            ):
                assert said.tobytes() == told[part].tobytes()
    assert play.worth(values[:0], *states(0), SHORT).shape == (0,)
    assert [len(part) for part in play.offers(values[:0], *states(0), SHORT)] == [0, 0]


@pytest.mark.parametrize("play", PLAYS, ids=str)
@pytest.mark.parametrize(("mars", "koks"), [(0.0, 0.0), (0.26, 0.01), (0.7, 0.3)])
def test_a_better_chance_is_never_worth_less(play: Stakes, mars: float, koks: float) -> None:
    values = usual(np.linspace(0, 1, 2001), mars, koks)
    for state in STATES:
        for rules in (SHORT, JACOBY):
            said = worth(play, values, *state, rules=rules)
            assert (np.diff(said) >= -1e-12).all()


ODD = np.array(
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1],
        [1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1e-310, 1e-310, 0, 1, 0],
        [1e-310, 1, 1, 0, 0],
        [1, 0.5, 0, 1e-310, 1e-310],
        [1 - 1e-16, 0, 0, 1e-16, 1e-17],
        [-1e-6, -1e-6, -1e-6, 0.3, 0.1],
        [1 + 1e-6, 0.3, 0.1, 1e-6, 1e-6],
        [0.5, 0.6, 0.7, 0.6, 0.7],
        [0.5, -0.1, -0.1, -0.1, -0.1],
    ]
)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("play", PLAYS, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_chances_that_are_about_right(play: Stakes, dtype: Any) -> None:
    values = ODD.astype(dtype)
    with np.errstate(all="raise", under="ignore"):
        for cube, owner, side in STATES:
            most = 3 * cube if isinstance(play, Money) else 1
            least = -most if isinstance(play, Money) else 0
            for rules in (SHORT, JACOBY):
                said = worth(play, values, cube, owner, side, rules=rules)
                assert said.dtype == np.float64 and np.isfinite(said).all()
                if play.needs_chances:  # equities are taken as they are
                    assert (said >= least - 1e-9).all() and (said <= most + 1e-9).all()
                offers(play, values, cube, owner, side, rules=rules)


@pytest.mark.parametrize("play", PLAYS, ids=str)
def test_a_game_as_good_as_over_is_worth_what_one_that_is(play: Stakes) -> None:
    sure = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0]], float)
    for state in STATES:
        if play.cube is None and state[0] > 1:
            continue
        for values, sign in ((sure, 1), (flipped(sure), -1)):
            ended = play.settled(sign * np.array([1, 2, 3], np.int8), *states(3, *state), SHORT)
            assert worth(play, values, *state) == pytest.approx(ended, abs=1e-9)


@pytest.mark.parametrize("play", PLAYS, ids=str)
def test_stakes_are_values(play: Stakes) -> None:
    again = pickle.loads(pickle.dumps(play))
    assert again == play and hash(again) == hash(play) and repr(again) == repr(play)
    names = {name: getattr(nardy, name) for name in ("MatchEquity", "MatchPlay", "Money")}
    names |= {"Cube": Cube, "Rules": lambda game, **more: nardy.rules(game).replace(**more)}
    assert eval(repr(play), names) == play  # it tells all that a rollout depends on
    assert [other for other in PLAYS if other == play] == [play]
    assert len({repr(other) for other in PLAYS}) == len(PLAYS)


def test_what_is_at_stake_at_the_start() -> None:
    assert (Money().start, Money(Cube()).start) == ((1, 0), (1, 0))
    assert Money(Cube(2, 0)).start == (2, 1)
    assert MatchPlay(USUAL, 5, 3, Cube(4, 1)).start == (4, -1)
    assert (Money().needs_chances, Money(Cube()).needs_chances) == (False, True)
    assert MatchPlay(USUAL, 5, 3).needs_chances


@pytest.mark.filterwarnings("error")
def test_where_a_point_more_is_worse_all_is_finite_still() -> None:
    """A table that no game has: a double there may be dropped even by a side that cannot lose."""
    rules = SHORT.replace(crawford=False)
    equity = nardy.MatchEquity(10, rules=rules, mars=0.93, koks=0.92, efficiency=0.3)
    values = np.array([[0.0345184, 0.02851912, 0.02140663, 0.00865289, 0.0052312]])
    for x in (0.0, 0.3, 1.0):
        said = worth(MatchPlay(equity, 6, 5, Cube(), efficiency=x), values, 1, 0, rules=rules)
        assert ((said >= 0) & (said <= 1)).all()
