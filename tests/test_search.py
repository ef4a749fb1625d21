"""Search against a few lines of plain Python on the plain reference of the rules."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy import Search, reference

Rows = NDArray[np.int8]
SMALL = nardy.LONG.replace(checkers=5)
# Few plays, and an end within reach; a hit and a bar in short nardy.
BOARDS: list[tuple[Any, dict[Any, int], dict[Any, int]]] = [
    (SMALL, {7: 1, 2: 1}, {5: 1, 3: 1}),
    (SMALL, {3: 2, 1: 2}, {1: 1}),
    (SMALL, {9: 1, 8: 1}, {19: 1, 1: 1}),
    (nardy.SHORT, {6: 1, 4: 1}, {22: 1, 1: 2}),
    (nardy.SHORT, {"bar": 1, 3: 1}, {5: 2, 2: 1}),
]
WEIGHTS = np.random.default_rng(5).uniform(-0.02, 0.02, 32)


def judge(rows: Rows) -> NDArray[np.float64]:
    """Values without ties, of no meaning."""
    return np.array([sum((row * WEIGHTS).tolist()) for row in rows.astype(float)])


def judged(row: tuple[int, ...]) -> float:
    return float(judge(np.array([row], np.int8))[0])


@cache
def replies(row: tuple[int, ...], roll: tuple[int, int], rules: Any) -> list[tuple[int, ...]]:
    return [*reference.plays(row, roll, rules=rules)]


@cache
def value(row: tuple[int, ...], plies: int, width: int, rules: Any) -> float:
    """What a board is worth to the side to roll; replies by 0 plies, the best `width` looked at."""
    outcome = int(reference.outcomes(np.array([row], np.int8), rules=rules)[0])
    if outcome or plies == 0:
        return outcome or judged(row)
    total = 0.0
    for roll, weight in zip(nardy.ROLLS.tolist(), nardy.ROLL_WEIGHTS.tolist(), strict=True):
        after = replies(row, tuple(roll), rules)
        if plies > 1:
            after = sorted(after, key=lambda a: value(a, 0, width, rules))[:width]
        total += weight * max(-value(a, plies - 1, width, rules) for a in after)
    return total / 36


@pytest.mark.parametrize("number", range(len(BOARDS)))
@pytest.mark.parametrize(("plies", "width"), [(0, 1), (1, 1), (2, 1), (2, 2), (2, 99)])
def test_values_against_plain_python(number: int, plies: int, width: int) -> None:
    rules, own, opponent = BOARDS[number]
    row = nardy.Position.from_points(own, opponent, rules=rules).row
    search = Search(judge, rules, plies=plies, replies=width)
    wanted = value(tuple(row.tolist()), plies, width, rules)
    assert search(row[np.newaxis])[0] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("number", range(len(BOARDS)))
@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("candidates", [(1, 1), (2, 1), (3, 2), (99, 99)])
def test_after_states_against_plain_python(
    number: int, plies: int, candidates: tuple[int, int]
) -> None:
    rules, own, opponent = BOARDS[number]
    row = nardy.Position.from_points(own, opponent, rules=rules).row
    search = Search(judge, rules, plies=plies, candidates=candidates)
    for roll in [(2, 1), (6, 5), (3, 3)]:
        found = search.after_states(row[np.newaxis], np.array([roll], np.int8))
        wanted = {a: (-value(a, 0, 1, rules), 0) for a in replies(tuple(row.tolist()), roll, rules)}
        for ply in range(1, plies + 1):
            deepest = [a for a in wanted if wanted[a][1] == ply - 1]
            deepest.sort(key=lambda a: -wanted[a][0])
            for a in deepest[: candidates[ply - 1]]:
                wanted[a] = -value(a, ply, 1, rules), ply
        seen = {tuple(a): p for a, p in zip(found.rows.tolist(), found.plies.tolist(), strict=True)}
        assert seen.keys() == wanted.keys()
        for after, equity, ply in zip(found.rows, found.equities, found.plies, strict=True):
            assert equity == pytest.approx(-value(tuple(after), int(ply), 1, rules), abs=1e-12)
        # Boards that win at once are equal: any of them may be looked at, or left behind.
        assert sorted(zip(found.plies, found.equities.round(9), strict=True)) == sorted(
            (ply, round(equity, 9)) for equity, ply in wanted.values()
        )
        best = max(ply for _, ply in wanted.values())
        most = max(equity for equity, ply in wanted.values() if ply == best)
        assert found.equities[found.choices()[0]] == pytest.approx(most, abs=1e-12)


@pytest.mark.parametrize("game", ["long", "short"])
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_a_value_does_not_depend_on_the_batch(game: str, plies: int) -> None:
    # More than are listed at once, and boards whose game is over among them.
    n = {0: 3000, 1: 150, 2: 70}[plies]
    rows = np.ascontiguousarray(nardy.random_rows(40 * n, rules=game, seed=3)[::40])
    over = nardy.Position.from_points({}, {3: 2}, rules=game).row
    rows[::7] = over
    rows[3::7] = nardy.flip(over[np.newaxis], rules=game)
    search = Search(nardy.Spread(game), plies=plies)
    values = search(rows)
    assert (values[::7] == 1).all() and (values[3::7] == -1).all()
    assert (values[::-1] == search(np.ascontiguousarray(rows[::-1]))).all()
    some = [1, n // 2, n - 1]
    assert [float(search(rows[i : i + 1])[0]) for i in some] == values[some].tolist()
    assert nardy.check_evaluator(search, rows=rows[:20]).is_batch_independent


@pytest.mark.parametrize("plies", [0, 1])
def test_after_states_of_a_large_batch_are_those_of_each_row(plies: int) -> None:
    n = 1400  # more than go at once
    rows = np.ascontiguousarray(nardy.random_rows(10 * n, rules="long", seed=3)[::10])
    rolls = np.random.default_rng(1).integers(1, 7, (n, 2)).astype(np.int8)
    rows[5] = nardy.Position.from_points({}, {3: 2}, rules="long").row
    search = Search(nardy.Spread("long"), plies=plies, candidates=(3, 1))
    found = search.after_states(rows, rolls)
    after, offsets = nardy.after_states(rows, rolls, rules="long")
    assert (found.rows == after).all() and (found.offsets == offsets).all()
    assert found.choices()[5] == -1
    for i in [0, 5, 6, 1343, 1344, n - 1]:
        alone = search.after_states(rows[i : i + 1], rolls[i : i + 1])
        part = slice(offsets[i], offsets[i + 1])
        assert (alone.equities == found.equities[part]).all()
        assert (alone.plies == found.plies[part]).all()
    lazy = search.after_states(rows, rolls, forced=False)
    assert (lazy.choices() == found.choices()).all()
    lone = np.repeat(np.diff(offsets) == 1, np.diff(offsets))
    assert (lazy.plies[lone] == 0).all() and (lazy.plies[~lone] == found.plies[~lone]).all()


def test_nothing_to_search() -> None:
    rows, rolls = np.zeros((0, 32), np.int8), np.zeros((0, 2), np.int8)
    for plies in (0, 1, 2):
        search = Search(nardy.Pips("long"), plies=plies)
        assert search(rows).shape == (0,)
        assert len(search.after_states(rows, rolls).rows) == 0


def test_the_evaluator_is_never_asked_about_a_finished_game() -> None:
    def evaluator(rows: Rows) -> NDArray[np.float32]:
        assert len(rows) and (nardy.outcomes(rows, rules=SMALL) == 0).all()
        return np.zeros((len(rows), 5), np.float32)

    for plies in (0, 1, 2):
        row = nardy.Position.from_points({2: 2}, {1: 1}, rules=SMALL).row[np.newaxis]
        search = Search(evaluator, SMALL, plies=plies)
        found = search.after_states(row, np.array([[5, 2]], np.int8))
        assert found.equities.tolist() == [1.0]


@pytest.mark.parametrize("plies", [1, 2])
def test_two_sided_tables_are_met(plies: int) -> None:
    # Under best play a board is worth the same however far one looks.
    pairs = nardy.bearoff.two_sided(rules="long")
    tables = nardy.Tables("long")
    rows = np.stack(
        [
            nardy.Position.from_points(own, opponent, rules="long").row
            for own, opponent in [({6: 2, 3: 1}, {5: 3}), ({6: 6}, {4: 6}), ({1: 3}, {2: 2})]
        ]
    )
    found = Search(tables, plies=plies, replies=99)(rows)
    assert found == pytest.approx(pairs.equities(rows)[:, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"plies": 3}, ValueError, r"plies must be an int 0\.\.2, not 3"),
        ({"plies": 1.0}, TypeError, r"plies must be an int 0\.\.2, not 1\.0"),
        ({"candidates": 8}, TypeError, "candidates must be a pair of ints, not 8"),
        ({"candidates": (8, 0)}, ValueError, "candidates: each must be an int >= 1, not 0"),
        ({"replies": 0}, ValueError, "replies must be an int >= 1, not 0"),
        ({"rules": "long-x"}, ValueError, "rules must be Rules or one of"),
    ],
)
def test_options_are_checked(options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Search(nardy.Pips("long"), **options)


def test_what_comes_in_is_checked() -> None:
    search: Any = Search(nardy.Pips("long"))
    row = nardy.Position.start("long").row[np.newaxis]
    with pytest.raises(ValueError, match="rolls must be as many as rows, 1, not 2"):
        search.after_states(row, np.ones((2, 2), np.int8))
    with pytest.raises(TypeError, match="rows must be an array of int8"):
        search.after_states(row.tolist(), np.ones((1, 2), np.int8))
    with pytest.raises(nardy.InvalidPosition):
        search(np.zeros((1, 32), np.int8))


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_an_evaluator_that_breaks_its_contract_is_named(plies: int) -> None:
    row = nardy.Position.start("long").row[np.newaxis]
    for bad, words in [
        (lambda rows: np.full(len(rows), np.nan), "evaluator: row 0 has nan"),
        (lambda rows: np.zeros((len(rows), 3)), "evaluator must return"),
    ]:
        with pytest.raises(ValueError, match=words):
            Search(bad, "long", plies=plies).after_states(row, np.array([[2, 1]], np.int8))
