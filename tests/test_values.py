"""Evaluators: their contract and its check, the simple players, tables and random games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy import check_evaluator, reference

Rows = NDArray[np.int8]
GAMES = ["long", "short"]
LONG = nardy.LONG
check: Any = check_evaluator  # called with what it refuses


def chances(rows: Rows, *five: float) -> NDArray[np.float32]:
    return np.tile(np.array(five, np.float32), (len(rows), 1))


def at(row: int, column: int, value: float) -> Callable[[Rows], NDArray[np.float32]]:
    """An evaluator that is right but for one number of one row."""

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        values = chances(rows, 0.5, 0.25, 0.125, 0.25, 0.125)
        if len(values) > row:
            values[row, column] = value
        return values

    return evaluator


# --- equities


def test_equity_is_what_the_points_come_to() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((100, 5))
    for dtype in (np.float32, np.float64):
        given = values.astype(dtype)
        wanted = [
            2 * w - 1 + wm + wk - lm - lk for w, wm, wk, lm, lk in given.astype(float).tolist()
        ]
        found = nardy.equities(given)
        assert found.dtype == dtype
        assert found.tolist() == np.array(wanted).astype(dtype).tolist()
    assert nardy.equities(np.zeros((0, 5), np.float32)).shape == (0,)


def test_equity_passes_through() -> None:
    given = np.array([0.5, -3], np.float32)
    assert nardy.equities(given) is given


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([0.5], TypeError),
        (np.zeros(3, np.int64), TypeError),
        (np.zeros((3, 4), np.float32), ValueError),
        (np.zeros((3, 5, 1), np.float32), ValueError),
        (np.float32(1), TypeError),
    ],
)
def test_equity_of_something_else_is_refused(values: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="values must be an array of float32"):
        nardy.equities(values)


# --- the check


@pytest.mark.parametrize("game", GAMES)
def test_a_good_evaluator_passes(game: str) -> None:
    good = at(0, 0, 0.5)
    found = check_evaluator(good, game)
    assert found == ("chances", np.dtype("f4"), 256, True, True, 0.0)
    assert check_evaluator(nardy.Pips(game)).kind == "equity"
    some = nardy.random_rows(5, rules=game, seed=1)
    assert check_evaluator(good, game, some).rows == 5


def test_finished_games_are_not_asked_about() -> None:
    over = nardy.Position.from_points({}, {24: 12}, rules=LONG).row
    rows = np.stack([over, nardy.Position.start(LONG).row])
    seen: list[int] = []

    def evaluator(given: Rows) -> NDArray[np.float32]:
        seen.append(int((given[:, 0] == 15).sum()))
        return np.zeros(len(given), np.float32)

    assert check_evaluator(evaluator, LONG, rows).rows == 1
    assert set(seen) == {0}
    with pytest.raises(ValueError, match="rows must hold a board whose game is not over"):
        check_evaluator(evaluator, LONG, rows[:1])


@pytest.mark.parametrize(
    ("evaluator", "error", "words"),
    [
        (None, TypeError, "evaluator must be a callable"),
        (lambda rows: [0.0] * len(rows), TypeError, r"shape \(256, 5\) or \(256,\), not list"),
        (lambda rows: np.zeros(len(rows), np.int64), TypeError, "not of int64"),
        (lambda rows: np.zeros(len(rows), np.float16), TypeError, "not of float16"),
        (lambda rows: np.zeros((len(rows), 4), np.float32), ValueError, r"not \(256, 4\)"),
        (lambda rows: np.zeros((len(rows), 1), np.float32), ValueError, r"not \(256, 1\)"),
        (lambda rows: np.zeros(len(rows) + 1, np.float32), ValueError, r"not \(257,\)"),
        (lambda rows: np.float32(0), TypeError, "not float32"),
        (at(3, 0, np.nan), ValueError, r"row 3 has \[nan, .*, where finite numbers"),
        (at(3, 4, np.inf), ValueError, "row 3 has .*, where finite numbers"),
        (at(7, 0, 1.5), ValueError, r"row 7 has win 1\.5 of .*, where chances of 0\.\.1"),
        (at(7, 4, -0.5), ValueError, r"row 7 has lose koks -0\.5 of .*, where chances"),
        (at(2, 1, 0.75), ValueError, r"row 2 has win mars 0\.75 of .*, where at most win is"),
        (at(2, 2, 0.5), ValueError, r"row 2 has win koks 0\.5 of .*, where at most win mars"),
        (at(2, 4, 0.5), ValueError, r"row 2 has lose koks 0\.5 of .*, where at most lose mars"),
        (at(2, 3, 0.75), ValueError, r"row 2 has lose mars 0\.75 of .*, where at most 1 - win"),
        (lambda rows: np.full(len(rows), -4.0), ValueError, r"row 0 has -4\.0, .* of -3\.\.3"),
    ],
)
def test_a_fault_is_named(evaluator: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        check(evaluator, "long")


def test_changed_rows_are_seen() -> None:
    def evaluator(rows: Rows) -> NDArray[np.float32]:
        rows[4:, 31] = 1
        return np.zeros(len(rows), np.float32)

    with pytest.raises(ValueError, match=r"changed row 4 from .*must not modify"):
        check_evaluator(evaluator, "short")


def test_a_result_that_later_calls_change_is_seen() -> None:
    room = np.zeros(4096, np.float32)

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        room[: len(rows)] = nardy.Pips("long")(rows)
        return room[: len(rows)]

    with pytest.raises(ValueError, match="must return a new array"):
        check_evaluator(evaluator, "long")


def test_a_change_of_kind_is_seen() -> None:
    def evaluator(rows: Rows) -> NDArray[np.float32]:
        values = chances(rows, 0.5, 0, 0, 0, 0)
        return values if len(rows) > 1 else values[:, 0]

    with pytest.raises(ValueError, match=r"\(256, 5\) for 256 rows, but \(1,\) for 1"):
        check_evaluator(evaluator, "long")


@pytest.mark.parametrize("case", ["alone", "halves", "shuffled", "padded"])
def test_values_that_depend_on_the_batch_are_reported(case: str) -> None:
    first = check_rows = nardy.random_rows(8 * 256, rules="long", seed=0)[::8]

    def evaluator(rows: Rows) -> NDArray[np.float32]:
        values = nardy.Pips("long")(rows)
        same = len(rows) == len(first) and bool((rows == first).all())
        wrong = {
            "alone": len(rows) == 1,
            "halves": len(rows) in (128, 127),
            "shuffled": len(rows) == len(first) and not same,
            "padded": len(rows) > len(first),
        }
        return values + np.float32(0.25 * wrong[case])

    found = check_evaluator(evaluator, "long", np.ascontiguousarray(check_rows))
    assert found.is_repeatable and not found.is_batch_independent
    assert found.largest_difference == pytest.approx(0.25)


def test_values_that_change_from_call_to_call_are_reported() -> None:
    rng = np.random.default_rng(1)
    found = check_evaluator(lambda rows: rng.random(len(rows), np.float32), "long")
    assert not found.is_repeatable and not found.is_batch_independent


def test_rules_are_the_evaluators_or_given() -> None:
    with pytest.raises(ValueError, match=r"rules must be given: .* has no rules of its own"):
        check_evaluator(at(0, 0, 0.5))
    with pytest.raises(TypeError, match="rows: wanted a C-contiguous NumPy array of int8"):
        check(nardy.Pips("long"), rows=[1])


# --- simple players


def own(row: list[int], game: str) -> tuple[dict[int, int], dict[int, int]]:
    """Each side's men by pips to go, the bar too."""
    ours = {p: men for p, men in enumerate(row[:26]) if p and men > 0}
    across = {p: 25 - p if game == "short" else (p + 11) % 24 + 1 for p in range(1, 25)}
    theirs = {across[p]: -row[p] for p in range(1, 25) if row[p] < 0} | {25: row[27]}
    return ours, {p: men for p, men in theirs.items() if men}


def plain(name: str, men: dict[int, int], game: str) -> int:
    if name == "Pips":
        return -sum(p * n for p, n in men.items())
    if name == "Spread":
        return sum(n >= (1 if game == "long" else 2) for p, n in men.items() if p < 25)
    return -sum(n for p, n in men.items() if p >= 24)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("name", "unit"), [("Pips", 375), ("Spread", 24), ("Runner", 15)])
def test_players_against_plain_python(name: str, unit: int, game: str) -> None:
    rows = nardy.random_rows(2000, rules=game, seed=4)
    player = getattr(nardy, name)(game)
    values = player(rows)
    assert values.dtype == np.float32 and np.abs(values).max() < 1
    for row, value in zip(rows.tolist(), values.tolist(), strict=True):
        ours, theirs = own(row, game)
        lead = plain(name, ours, game) - plain(name, theirs, game)
        assert value == pytest.approx(lead / unit, abs=1e-6)
    # Minus as much for the other side: the least for it is the most for oneself.
    assert (player(nardy.flip(rows, rules=game)) == -values).all()


@pytest.mark.parametrize("name", ["Pips", "Spread", "Runner", "Uniform"])
def test_players_refuse_what_is_no_batch(name: str) -> None:
    player: Any = getattr(nardy, name)("long")
    with pytest.raises(TypeError, match="rows must be an array of int8"):
        player(np.zeros((3, 32)))
    with pytest.raises(ValueError, match=r"shape \(m, 32\), not \(32,\)"):
        player(nardy.Position.start("long").row)
    assert check_evaluator(player).is_batch_independent


# --- tables


def board(own: dict[Any, int], opponent: dict[Any, int], rules: Any = "long") -> Rows:
    return nardy.Position.from_points(own, opponent, rules=rules).row


@pytest.mark.parametrize("game", GAMES)
def test_tables_say_what_they_hold_and_leave_the_rest(game: str) -> None:
    few, many = ({6: 2, 1: 3}, {4: 4}), ({6: 9, 5: 6}, {5: 15})
    rows = np.stack([board(*few, game), nardy.Position.start(game).row, board(*many, game)])
    tables = nardy.Tables(game, lambda rows: chances(rows, 0.625, 0.25, 0.125, 0.25, 0.125))
    assert tables.holds(rows).tolist() == [True, False, True]
    values = tables(rows)
    pairs = nardy.bearoff.two_sided(rules=game)
    table = nardy.bearoff.one_sided(rules=game)
    assert values[0].tolist() == [np.float32(pairs.win(rows[:1])[0]), 0, 0, 0, 0]
    assert values[1].tolist() == [0.625, 0.25, 0.125, 0.25, 0.125]
    assert values[2].tolist() == table.race_outcome(rows[2:])[0].astype(np.float32).tolist()
    assert values[2, 3] > 0  # a mars is possible
    assert check_evaluator(tables).is_batch_independent
    # An equity where the evaluator says equities.
    worth = nardy.Tables(game, nardy.Pips(game))(rows)
    assert worth.tolist() == pytest.approx(
        [*nardy.equities(values)[[0]], 0, *nardy.equities(values)[[2]]]
    )


def test_tables_without_an_evaluator_refuse_other_boards() -> None:
    rows = np.stack([board({1: 1}, {1: 1}), nardy.Position.start(LONG).row])
    tables = nardy.Tables(LONG)
    assert tables(rows[:1]).tolist() == [[1, 0, 0, 0, 0]]
    with pytest.raises(ValueError, match="row 1 is in no table"):
        tables(rows)
    with pytest.raises(TypeError, match="evaluator must be a callable or None, not 3"):
        nardy.Tables(LONG, 3)  # type: ignore[arg-type]


def test_tables_of_few_checkers_know_mars() -> None:
    rules = LONG.replace(checkers=5)
    tables = nardy.Tables(rules)
    rows = board({1: 2}, {1: 5}, rules)[np.newaxis]
    assert tables(rows).tolist() == [[1, 1, 0, 0, 0]]


def test_tables_where_rolls_may_be_passed() -> None:
    rules = LONG.replace(bearoff_overshoot="exact")
    tables = nardy.Tables(rules)
    assert tables.pairs is None
    rows = board({1: 1}, {1: 1}, rules)[np.newaxis]
    # Each side needs an ace: 11 of 36; the first to roll wins with p / (1 - q q).
    assert tables(rows)[0, 0] == pytest.approx(11 / 36 / (1 - (25 / 36) ** 2))


# --- random games


@pytest.mark.parametrize("game", GAMES)
def test_random_games_are_those_of_playouts(game: str) -> None:
    rows = nardy.random_rows(40, rules=game, seed=2)[::5]
    rows = np.ascontiguousarray(rows)
    found = nardy.RandomGames(game, games=50, seed=9)(rows)
    for row, values in zip(rows, found, strict=True):
        ends = nardy.playouts(np.tile(row, (50, 1)), rules=game, seed=9).outcomes
        counts = [(ends >= least).sum() for least in (1, 2, 3)]
        counts += [(ends <= -least).sum() for least in (2, 3)]
        assert values.tolist() == [np.float32(count / 50) for count in counts]


@pytest.mark.parametrize("game", GAMES)
def test_random_games_do_not_depend_on_the_batch(game: str) -> None:
    assert check_evaluator(nardy.RandomGames(game, games=3)).is_batch_independent


@pytest.mark.parametrize(("games", "error"), [(0, ValueError), (2.0, TypeError)])
def test_a_number_of_games_is_wanted(games: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"games must be an int 1\.\.1048576"):
        nardy.RandomGames("long", games=games)


def test_the_reference_knows_the_same_ends() -> None:
    # What a search takes instead of an evaluator's word.
    rows = np.stack([board({}, {24: 15}), board({24: 15}, {}), board({}, {1: 3})])
    assert nardy.outcomes(rows, rules=LONG).tolist() == [2, -2, 1]
    assert reference.outcomes(rows, rules=LONG).tolist() == [2, -2, 1]


def test_an_evaluator_of_the_other_game_is_refused() -> None:
    for make in (nardy.Bot, nardy.Search):
        with pytest.raises(ValueError, match="evaluator is for long nardy"):
            make(nardy.Pips("long"), "short")
    with pytest.raises(ValueError, match="evaluator is for long nardy"):
        nardy.Tables("short", nardy.network("long"))
    with pytest.raises(ValueError, match="evaluator is for long nardy"):
        nardy.check_evaluator(nardy.Pips("long"), "short")


@pytest.mark.parametrize(
    "said",
    [
        np.zeros(1, np.float32),
        np.zeros((1, 5), np.float32),
        np.full(3, np.nan, np.float32),
        np.zeros(3, np.int64),
        np.zeros((3, 6), np.float32),
        [0.0, 0.0, 0.0],
    ],
    ids=["one", "a line", "nan", "ints", "six", "a list"],
)
def test_tables_hold_their_evaluator_to_its_contract(said: object) -> None:
    rows = nardy.random_rows(3, rules="long", seed=1)
    with pytest.raises((ValueError, TypeError), match="evaluator"):
        nardy.Tables("long", lambda _: said)(rows)  # type: ignore[arg-type,return-value]
