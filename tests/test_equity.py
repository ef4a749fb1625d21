"""The match equity table: against slow recursions, by hand, in its shape, beside published ones."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from nardy.equity import MatchEquity
from nardy.options import LONG, SHORT, rules

PUBLISHED: Any = json.loads(
    (Path(__file__).parent / "data" / "match_equities.json").read_text(encoding="utf-8")
)

MODELS: list[dict[str, Any]] = [
    {},
    {"efficiency": 1.0},
    {"efficiency": 0.0},
    {"mars": 0.0, "efficiency": 1.0},
    {"mars": 0.6, "koks": 0.3, "efficiency": 0.8},
    {"mars": 1.0, "koks": 0.0},
    {"rules": SHORT.replace(crawford=False)},
    {"rules": SHORT.replace(cube=False)},
    {"rules": SHORT.replace(cube_max=2), "efficiency": 0.9},
    {"rules": rules("long-fnr2026"), "mars": 0.4},
]


# --- the model once more: the chances of A as functions of p, their crossings found by halving


class Slow:
    """The model of `nardy.equity` without a line drawn or a side mirrored."""

    def __init__(self, table: MatchEquity) -> None:
        self.mars, self.koks, self.x = table.mars, table.koks, table.efficiency
        self.crawford, limit = table.rules.crawford, table.rules.cube_max
        self.top = (limit or math.inf) if table.rules.cube else 1
        self.match = cache(self._match)
        self.point = cache(self._point)

    def _match(self, a: int, b: int, done: bool) -> float:
        """Chance of A, who needs a, against B, who needs b; `done`: the Crawford game was."""
        if a <= 0 or b <= 0:
            return 1.0 if a <= 0 else 0.0
        if self.crawford and not done and 1 in (a, b):
            return self.dead(a, b, 1, 0.5, True)
        done = done or not self.crawford or 1 in (a, b)
        if self.top == 1:
            return self.dead(a, b, 1, 0.5, done)
        left = [(0.0, self.dead(a, b, 1, 0.0, done))]
        right = [(1.0, self.dead(a, b, 1, 1.0, done))]
        if b > 1:
            left.append((self.point(a, b, 1, "B", done), self.match(a, b - 1, done)))
        if a > 1:
            right.append((self.point(a, b, 1, "A", done), self.match(a - 1, b, done)))
        live = max(min(self.between(u, v) for u in left) for v in right)
        x = 1.0 if 1 in (a, b) else self.x
        return x * live + (1 - x) * self.dead(a, b, 1, 0.5, done)

    @staticmethod
    def between(u: tuple[float, float], v: tuple[float, float]) -> float:
        return float(np.interp(0.5, [u[0], v[0]], [u[1], v[1]]))

    def dead(self, a: int, b: int, cube: int, p: float, done: bool) -> float:
        shares = {1: 1 - self.mars, 2: self.mars - self.koks, 3: self.koks}
        won = sum(s * self.match(a - n * cube, b, done) for n, s in shares.items())
        lost = sum(s * self.match(a, b - n * cube, done) for n, s in shares.items())
        return p * won + (1 - p) * lost

    def _point(self, a: int, b: int, cube: int, owner: str, done: bool) -> float:
        """Where the side without the cube takes or drops alike."""
        if owner == "A":
            other, cash = "B", self.match(a - cube, b, done)
        else:
            other, cash = "A", self.match(a, b - cube, done)
        low, high = 0.0, 1.0
        for _ in range(60):
            p = (low + high) / 2
            if self.held(a, b, 2 * cube, other, p, done) < cash:
                low = p
            else:
                high = p
        return (low + high) / 2

    def held(self, a: int, b: int, cube: int, owner: str, p: float, done: bool) -> float:
        """Chance of A at p while one side holds the cube."""
        dead = self.dead(a, b, cube, p, done)
        if cube >= (a if owner == "A" else b) or 2 * cube > self.top:
            return dead
        point = self.point(a, b, cube, owner, done)
        if owner == "A":
            cash, end = self.match(a - cube, b, done), self.dead(a, b, cube, 0.0, done)
            live = max(dead, cash if p >= point else end + (cash - end) * p / point)
            x = 1.0 if cube >= b else self.x
        else:
            cash, end = self.match(a, b - cube, done), self.dead(a, b, cube, 1.0, done)
            live = min(dead, cash if p <= point else end + (cash - end) * (1 - p) / (1 - point))
            x = 1.0 if cube >= a else self.x
        return x * live + (1 - x) * dead


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_against_the_slow_recursion(model: dict[str, Any]) -> None:
    table = MatchEquity(9, **model)
    slow = Slow(table)
    for a in range(1, 10):
        assert table.post_crawford[a] == pytest.approx(slow.match(1, a, True), abs=1e-9)
        for b in range(1, 10):
            assert table.table[a, b] == pytest.approx(slow.match(a, b, False), abs=1e-9), (a, b)


@settings(max_examples=30, deadline=None)
@given(
    mars=st.floats(0, 1),
    part=st.floats(0, 1),
    efficiency=st.floats(0, 1),
    crawford=st.booleans(),
    cube_max=st.sampled_from([None, 2, 4]),
)
def test_any_model_against_the_slow_recursion(
    mars: float, part: float, efficiency: float, crawford: bool, cube_max: int | None
) -> None:
    chosen = SHORT.replace(crawford=crawford, cube_max=cube_max)
    table = MatchEquity(5, rules=chosen, mars=mars, koks=mars * part, efficiency=efficiency)
    slow = Slow(table)
    wanted = [[slow.match(a, b, False) for b in range(1, 6)] for a in range(1, 6)]
    assert table.table[1:, 1:] == pytest.approx(np.array(wanted), abs=1e-9)


# --- the live cube as what it stands for: a walk in small steps, doubled when it is best


def settled(step: Callable[[NDArray[Any]], NDArray[Any]], first: NDArray[Any]) -> NDArray[Any]:
    """Repeat a step until nothing moves."""
    value = first
    for _ in range(100_000):
        new = step(value)
        if np.abs(new - value).max() < 1e-10:
            return new
        value = new
    raise AssertionError("the walk did not settle")


def walk(after: Callable[[int, int], float], a: int, b: int, shares: Sequence[float]) -> float:
    """Chance of A from p = 1/2, in steps of 1/40; both double and answer as is best for them."""
    places = np.linspace(0.0, 1.0, 41)

    def line(cube: int) -> NDArray[Any]:
        won = sum(s * after(a - n * cube, b) for n, s in enumerate(shares, 1))
        lost = sum(s * after(a, b - n * cube) for n, s in enumerate(shares, 1))
        return np.asarray(lost + (won - lost) * places)

    def inner(value: NDArray[Any], doubled: Callable[[NDArray[Any]], NDArray[Any]]) -> NDArray[Any]:
        new = value.copy()
        new[1:-1] = doubled((value[:-2] + value[2:]) / 2)
        return new

    def held(cube: int, owner: str) -> NDArray[Any]:
        first = line(cube)
        if owner == "A" and cube < a:
            cash, taken = after(a - cube, b), held(2 * cube, "B")[1:-1]
            return settled(
                lambda v: inner(v, lambda mean: np.maximum(mean, np.minimum(cash, taken))), first
            )
        if owner == "B" and cube < b:
            cash, taken = after(a, b - cube), held(2 * cube, "A")[1:-1]
            return settled(
                lambda v: inner(v, lambda mean: np.minimum(mean, np.maximum(cash, taken))), first
            )
        return first

    upper = np.minimum(after(a - 1, b), held(2, "B"))[1:-1]
    lower = np.maximum(after(a, b - 1), held(2, "A"))[1:-1]
    middle = settled(
        lambda v: inner(v, lambda mean: np.minimum(np.maximum(mean, upper), lower)), line(1)
    )
    return float(middle[20])


@pytest.mark.parametrize("mars", [0.0, 0.26])
def test_the_live_cube_is_that_of_a_walk_in_small_steps(mars: float) -> None:
    table = MatchEquity(5, mars=mars, efficiency=1.0)

    def after(a: int, b: int) -> float:
        return float(table.table[max(a, 0), max(b, 0)])

    shares = [1 - mars, mars - table.koks, table.koks]
    for a in range(2, 6):
        for b in range(a + 1, 6):
            found = walk(after, a, b, shares)
            # A step of 1/40 jumps over a point by so much at most.
            assert table.chance(a, b) == pytest.approx(found, abs=0.008), (a, b)


# --- by hand


def test_without_cube_or_mars_it_is_a_race_of_single_points() -> None:
    table = MatchEquity(25, rules=LONG, mars=0.0)
    for a in range(1, 26):
        for b in range(1, 26):
            n = a + b - 1  # after so many games somebody has won, and A has if a or more are his
            chance = sum(math.comb(n, k) for k in range(a, n + 1)) / 2**n
            assert table.table[a, b] == pytest.approx(chance, abs=1e-12)


def test_the_crawford_game_by_hand() -> None:
    table = MatchEquity(5, mars=0.3, koks=0.1)
    assert table.chance(1, 1) == 0.5
    # 2 away: a single win makes it 1 to 1, mars wins the match.
    assert table.chance(2, 1) == pytest.approx(0.5 * (0.7 * 0.5 + 0.3))
    # 3 away: then 2 away (where the cube makes it one game), then 1 away, then koks.
    assert table.chance(3, 1) == pytest.approx(0.5 * (0.7 * 0.5 + 0.2 * 0.5 + 0.1))


def test_after_the_crawford_game_by_hand() -> None:
    table = MatchEquity(5, mars=0.3, koks=0.1)
    # He who trails doubles at once, and 2 points are at stake.
    assert table.chance(2, 1, crawford_done=True) == pytest.approx(0.5)
    assert table.chance(3, 1, crawford_done=True) == pytest.approx(0.5 * (0.7 * 0.5 + 0.3))
    # With an even number a point given by dropping costs nothing.
    assert table.chance(4, 1, crawford_done=True) == table.chance(3, 1, crawford_done=True)
    assert table.chance(5, 1, crawford_done=True) == pytest.approx(
        0.5 * (0.7 * table.chance(3, 1, crawford_done=True) + 0.2 * 0.5 + 0.1)
    )


def test_two_away_both_is_one_game() -> None:
    for efficiency in (0.0, 0.5, 1.0):
        assert MatchEquity(2, efficiency=efficiency).chance(2, 2) == 0.5


# --- in its shape


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_shape(model: dict[str, Any]) -> None:
    table = MatchEquity(25, **model)
    chances = table.table[1:, 1:]
    assert chances + chances.T == pytest.approx(np.ones((25, 25)), abs=1e-12)
    assert np.diag(chances) == pytest.approx(np.full(25, 0.5), abs=1e-12)
    assert (np.diff(table.post_crawford) >= -1e-12).all()
    assert ((chances > 0) & (chances < 1)).all()
    assert (table.table[0, 1:] == 1).all() and (table.table[1:, 0] == 0).all()
    # The Crawford rule protects the side that leads.
    assert (table.table[1, 1:] >= table.post_crawford[1:] - 1e-12).all()


@pytest.mark.parametrize(
    ("mars", "efficiency"),
    [(m, x) for m in (0.0, 0.1, 0.26, 0.4) for x in (0.0, 0.3, 0.68, 1.0)]
    + [(m, 1.0) for m in (0.6, 0.8, 1.0)],
)
def test_the_farther_the_other_side_the_better(mars: float, efficiency: float) -> None:
    chances = MatchEquity(25, mars=mars, koks=0.0, efficiency=efficiency).table[1:, 1:]
    # Where no win or every win is mars, an odd point may help nobody.
    least = 0.0 if 0 < mars < 1 else -1e-12
    assert (np.diff(chances, axis=1) > least).all()
    assert (np.diff(chances, axis=0) < -least).all()


def test_both_sides_are_solved_alike() -> None:
    # Only one half of a table is computed; the other, played as a game, must come out the same.
    from nardy.live_cube import MatchGame, wins_of

    for model in MODELS:
        table = MatchEquity(8, **model)
        wins = wins_of(table.mars, table.koks)
        for a in range(2, 9):
            for b in range(2, a + 1):
                game = MatchGame(table.table, a, b, wins, wins, table.efficiency, table._cube_max())
                assert game.start() == pytest.approx(table.chance(a, b), abs=1e-12)


def test_a_shorter_match_is_a_corner_of_a_longer_one() -> None:
    short, long = MatchEquity(7), MatchEquity(25)
    assert np.array_equal(short.table, long.table[:8, :8], equal_nan=True)
    assert np.array_equal(short.post_crawford, long.post_crawford[:8])


def test_options_change_what_they_should_and_nothing_else() -> None:
    usual = MatchEquity(9)
    no_crawford = MatchEquity(9, rules=SHORT.replace(crawford=False))
    assert np.array_equal(no_crawford.post_crawford, usual.post_crawford)
    assert np.array_equal(no_crawford.table[1, 1:], usual.post_crawford[1:])
    no_cube = MatchEquity(9, rules=SHORT.replace(cube=False))
    assert np.array_equal(
        no_cube.table, MatchEquity(9, rules=SHORT.replace(cube_max=1)).table, equal_nan=True
    )
    assert np.array_equal(
        usual.table, MatchEquity(9, rules=SHORT.replace(cube_max=16)).table, equal_nan=True
    )
    others: dict[str, Any] = {"beaver": True, "jacoby": True, "resign": True, "clock": "slow"}
    for option, value in others.items():
        other = MatchEquity(9, rules=SHORT.replace(**{option: value}))
        assert np.array_equal(other.table, usual.table, equal_nan=True), option


# --- beside published tables


def test_close_to_woolseys_table() -> None:
    published = np.array(PUBLISHED["woolsey"]["percent"]) / 100
    apart = MatchEquity(15).table[1:, 1:] - published
    assert np.abs(apart).max() < 0.016
    assert np.sqrt(np.mean(apart**2)) < 0.006
    # The cube is what makes it so: without one the table is farther off by far.
    dead = MatchEquity(15, rules=SHORT.replace(cube=False)).table[1:, 1:] - published
    assert np.sqrt(np.mean(dead**2)) > 0.03


def test_close_to_a_published_row_after_the_crawford_game() -> None:
    published = np.array(PUBLISHED["post_crawford"]["per_mille"]) / 1000
    apart = MatchEquity(14).post_crawford[1:] - published
    # A free drop is worth a little at the table, and nothing in the model.
    assert np.abs(apart).max() < 0.026


# --- take points


def test_far_from_the_end_as_for_money() -> None:
    table = MatchEquity(100, mars=0)
    assert table.take_point(100, 100, efficiency=0) == pytest.approx(0.25, abs=0.002)
    assert table.take_point(100, 100, efficiency=1) == pytest.approx(0.2, abs=0.002)


def test_take_points_by_hand() -> None:
    table = MatchEquity(5, mars=0.3, koks=0.1)
    chance = table.chance
    # 2 away both: nobody can use the cube at 2, so the next game decides or it is 1 to 2.
    assert table.take_point(2, 2) == pytest.approx(chance(2, 1))
    # The doubling side would win the match at 2 and takes nothing by mars; the answering one may
    # redouble at no cost. 4 away, 2 away: to 4 with the last game of the match.
    assert table.take_point(4, 2, efficiency=0) == pytest.approx(chance(4, 1))
    # 3 away both, dead: won 2 (or the match by mars), lost as much.
    won, lost = 0.7 * chance(1, 3) + 0.3, 0.7 * chance(3, 1)
    dead = (chance(3, 2) - lost) / (won - lost)
    assert table.take_point(3, 3, wins=(0.3, 0.1), losses=(0.3, 0.1), efficiency=0) == (
        pytest.approx(dead)
    )
    assert table.take_point(3, 3, efficiency=1) < table.take_point(3, 3) < dead


def test_the_slow_recursion_has_the_same_take_points() -> None:
    table = MatchEquity(9, mars=0.3, efficiency=0.7)
    slow = Slow(table)
    for own in range(2, 10):
        for other in range(2, 10):
            for cube in (1, 2, 4, 8):
                found = table.take_point(own, other, cube=cube)
                if cube < other:
                    wanted = slow.point(own, other, cube, "B", False)
                    assert found == pytest.approx(wanted, abs=1e-9)
                else:
                    assert found == 0  # dropping loses the match


def test_after_the_crawford_game_dropping_saves_the_leader_little() -> None:
    table = MatchEquity(5)
    # 1 away against 2 away the game is worth the match either way.
    assert table.take_point(1, 2, crawford_done=True) == pytest.approx(0.5)
    assert table.take_point(1, 4, crawford_done=True) == pytest.approx(0.5)
    assert table.take_point(1, 3, crawford_done=True) < 0.25
    assert table.take_point(3, 1, crawford_done=True) == 0


@pytest.mark.filterwarnings("error")
def test_where_a_game_changes_nothing_taking_costs_nothing() -> None:
    # Every win of a later game is koks and wins the match: until then all scores are even.
    table = MatchEquity(3, mars=1.0, koks=1.0)
    assert table.chance(1, 3, crawford_done=True) == table.chance(3, 1, crawford_done=True) == 0.5
    assert table.take_point(3, 3, wins=(0, 0), losses=(0, 0)) == 0


def test_mars_moves_a_take_point() -> None:
    table = MatchEquity(15)
    usual = table.take_point(9, 9)
    assert table.take_point(9, 9, losses=(0.5, 0)) > usual > table.take_point(9, 9, losses=(0, 0))
    assert table.take_point(9, 9, wins=(0.5, 0)) < usual < table.take_point(9, 9, wins=(0, 0))


def test_take_points_fall_with_efficiency() -> None:
    table = MatchEquity(11)
    for own in range(3, 12):
        points = [table.take_point(own, 9, efficiency=x / 4) for x in range(5)]
        assert points == sorted(points, reverse=True)


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((0,), {}, ValueError, "length must be an int 1..100, not 0"),
        ((101,), {}, ValueError, "length must be an int 1..100, not 101"),
        ((7.0,), {}, TypeError, "length must be an int 1..100, not 7.0"),
        ((7,), {"rules": "chess"}, ValueError, "chess"),
        ((7,), {"rules": "long"}, TypeError, "mars must be given for long nardy"),
        ((7,), {"mars": 1.5}, ValueError, "mars must be a number 0..1, not 1.5"),
        ((7,), {"mars": math.nan}, ValueError, "mars must be a number 0..1, not nan"),
        ((7,), {"mars": "few"}, TypeError, "mars must be a number 0..1, not 'few'"),
        ((7,), {"mars": True}, TypeError, "mars must be a number"),
        ((7,), {"mars": 0.2, "koks": 0.3}, ValueError, "koks must be a number 0..0.2, not 0.3"),
        ((7,), {"efficiency": -0.1}, ValueError, "efficiency must be a number 0..1, not -0.1"),
    ],
)
def test_no_such_table(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MatchEquity(*arguments, **options)


@pytest.mark.parametrize(
    ("score", "error", "message"),
    [
        ((6, 1), ValueError, r"own must be an int 0\.\.5, not 6"),
        ((1, -1), ValueError, r"other must be an int 0\.\.5, not -1"),
        ((1.0, 1), TypeError, "own must be an int"),
        ((0, 0), ValueError, "only one side can have won"),
    ],
)
def test_no_such_score(score: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MatchEquity(5).chance(*score)


@pytest.mark.parametrize(
    ("chosen", "score", "options", "error", "message"),
    [
        (SHORT, (0, 3), {}, ValueError, r"own must be an int 1\.\.5, not 0"),
        (SHORT, (3, 3), {"cube": 3}, ValueError, "cube must be a power of two"),
        (SHORT, (3, 3), {"cube": 1.0}, TypeError, "cube must be a power of two"),
        (SHORT, (1, 3), {}, ValueError, "the Crawford game has no cube"),
        (SHORT, (1, 3), {"crawford_done": 1}, TypeError, "crawford_done must be True or False"),
        (SHORT, (3, 3), {"efficiency": 2}, ValueError, r"efficiency must be a number 0\.\.1"),
        (SHORT, (3, 3), {"wins": 0.3}, TypeError, r"wins must be \(share of mars or koks, share"),
        (SHORT, (3, 3), {"wins": (0.3,)}, ValueError, "wins must be"),
        (SHORT, (3, 3), {"losses": (0.3, 0.4)}, ValueError, r"losses: koks must be a number 0\.\."),
        (SHORT.replace(cube=False), (3, 3), {}, ValueError, "without a cube"),
        (SHORT.replace(cube_max=2), (5, 5), {"cube": 2}, ValueError, "below the rules' cube_max"),
    ],
)
def test_no_such_double(
    chosen: Any, score: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MatchEquity(5, rules=chosen).take_point(*score, **options)


def test_the_crawford_game_is_over_or_not() -> None:
    with pytest.raises(TypeError, match="crawford_done must be True or False, not 'no'"):
        MatchEquity(5).chance(1, 3, crawford_done="no")  # type: ignore[arg-type]


def test_tables_cannot_be_written() -> None:
    table = MatchEquity(3)
    for array in (table.table, table.post_crawford):
        with pytest.raises(ValueError, match="read-only"):
            array[1] = 0


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_equal_are_those_made_of_the_same(model: dict[str, Any]) -> None:
    table = MatchEquity(5, **model)
    again = pickle.loads(pickle.dumps(table))
    assert again == table and hash(again) == hash(table)
    assert again.table.tobytes() == table.table.tobytes()
    for array in (again.table, again.post_crawford, again.following(1, 3)):
        assert not array.flags.writeable
    changes = [{"mars": 0.5}, {"mars": 0.5, "koks": 0.2}, {"efficiency": 0.3}]
    different = [
        table,
        MatchEquity(6, **model),
        *(MatchEquity(5, **model | change) for change in changes),
        MatchEquity(5, **model | {"rules": table.rules.replace(resign=True), "mars": table.mars}),
        "a table",
    ]
    for place, one in enumerate(different):
        assert all(one != other for other in different[:place])
