"""The tables of bear-offs: their index, values that can be checked by hand, rows that have none."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy import bearoff, nardy_core
from nardy.bearoff import OneSided, TwoSided, placement_count, placement_index, placements
from proof.widths import forms

Rows = NDArray[np.int8]
index: Any = placement_index  # called with what they refuse
count: Any = placement_count
EXACT = nardy.LONG.replace(bearoff_overshoot="exact")
STRICT = nardy.LONG.replace(block="strict")
VARIANTS = {
    "any": nardy.LONG.replace(bearoff_overshoot="any"),
    "exact": EXACT,
    "mandatory": nardy.LONG.replace(bearoff_mandatory=True),
    "two moves": nardy.LONG.replace(doubles_moves=2),
    "strict": STRICT,
    "strict at the end": STRICT.replace(block_check="turn_end"),
    "all": EXACT.replace(bearoff_mandatory=True, doubles_moves=2, block="strict"),
}


def one_row(own: dict[Any, int], opponent: dict[Any, int], rules: Any = "long") -> Rows:
    return nardy.Position.from_points(own, opponent, rules=rules).row[np.newaxis]


def number(men: dict[int, int], points: int = 6) -> int:
    return int(
        placement_index(np.array([[men.get(p, 0) for p in range(1, points + 1)]], np.int8))[0]
    )


@pytest.fixture(scope="module")
def full() -> OneSided:
    return OneSided.build(6, 15)


@pytest.fixture(scope="module")
def pairs() -> TwoSided:
    return TwoSided.build(6, 6)


# --- the index


@pytest.mark.parametrize("points", [*range(1, 9)])
def test_the_index_is_perfect(points: int) -> None:
    count = placement_count(points, 15)
    men = placements(np.arange(count), points=points)
    assert count == comb(points + 15, points)
    assert np.array_equal(placement_index(men), np.arange(count))
    assert men.min() == 0 and men.sum(axis=1).max() == 15
    assert (np.diff(men.sum(axis=1)) >= 0).all(), "fewer checkers come first"


def test_the_index_is_the_closed_formula() -> None:
    men = [2, 0, 1, 3, 0, 1]
    beyond = [sum(men[p - 1 :]) for p in range(1, 7)]
    assert number(dict(enumerate(men, start=1))) == sum(
        comb(b + 6 - p, 6 - p + 1) for p, b in enumerate(beyond, start=1)
    )


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: index(np.zeros((1, 6))), TypeError, "men: wanted an array of int8"),
        (lambda: index(None), TypeError, "NoneType"),
        (lambda: placement_index(np.zeros((1, 11), np.int8)), ValueError, r"got shape \(1, 11\)"),
        (lambda: placement_index(np.array([[0], [16]], np.int8)), ValueError, "row 1 is"),
        (lambda: placement_index(np.array([[1, -1]], np.int8)), ValueError, "row 0 is"),
        (lambda: placements(np.array([54264]), points=6), ValueError, "row 0 is 54264"),
        (lambda: placements(np.array([1, -1]), points=6), ValueError, "row 1 is -1"),
        (lambda: placements(np.array([1.0]), points=6), TypeError, "numbers: wanted"),
        (lambda: placements(np.array([[1]]), points=6), ValueError, r"got \(1, 1\)"),
        (lambda: placements(np.array([1]), points=11), ValueError, "points must be an int 1..10"),
        (lambda: placement_count(6, 16), ValueError, "checkers must be an int 1..15"),
        (lambda: count(6, 15.0), TypeError, "checkers must be an int"),
    ],
)
def test_what_is_no_placement_is_refused(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize("game", ["long", "short"])
def test_rows_are_numbered_as_placements(game: str) -> None:
    rng = np.random.default_rng(5)
    table = OneSided.build(7, 4, nardy.LONG.replace(checkers=5) if game == "long" else "short")
    total = table.rules.checkers
    for index in rng.integers(0, placement_count(7, 4), 200):
        men = placements(np.array([index]), points=7)[0]
        own = {p: int(m) for p, m in enumerate(men, start=1) if m}
        row = one_row(own, {1: total}, table.rules)
        assert table.mean(row)[0] == table.data[index, 0]
        if own:
            assert table.mean(nardy.flip(one_row({2: 1}, own, table.rules), rules=table.rules))[
                0
            ] == pytest.approx(table.data[index, 0], abs=0)


# --- one side


def test_fixed_values(full: OneSided) -> None:
    rows = np.concatenate([one_row(own, {1: 15}) for own in ({1: 15}, {6: 15}, {6: 1}, {})])[:3]
    assert full.mean(rows).round(6).tolist() == [6.979592, 12.266187, 1.25]
    assert full.effective_pips(rows)[2] == pytest.approx(1.25 * 49 / 6)
    assert full.distribution(rows)[2, :4].tolist() == [0, 0.75, 0.25, 0]
    assert full.variance(rows)[2] == pytest.approx(0.75 * 0.25)


def test_who_has_finished_needs_no_roll(full: OneSided) -> None:
    row = one_row({}, {6: 15})
    assert full.mean(row)[0] == full.first_mean(row)[0] == full.variance(row)[0] == 0
    assert full.distribution(row)[0, 0] == full.first_distribution(row)[0, 0] == 1


def test_both_games_have_one_table(full: OneSided) -> None:
    assert np.array_equal(OneSided.build(6, 15, nardy.SHORT).data, full.data)


def test_a_table_of_fewer_checkers_is_the_beginning(full: OneSided) -> None:
    small = OneSided.build(6, 6)
    for one, other in ((small.mean, full.mean), (small.first_mean, full.first_mean)):
        rows = np.concatenate([one_row({6: n, 2: 6 - n}, {1: 15}) for n in range(7)])
        assert np.array_equal(one(rows), other(rows))
    assert np.array_equal(small.data[:, :6], full.data[: len(small.data), :6])


def test_the_first_checker_off(full: OneSided) -> None:
    rows = np.concatenate([one_row({p: 15}, {1: 15}) for p in (1, 6)])
    # From the aces at once; from the sixes with six pips for one checker.
    assert full.first_mean(rows)[0] == 1
    at_once = 11 + 2 + 2 + 1 + 1  # any 6; 5-1; 4-2; 3-3; 2-2
    assert full.first_distribution(rows)[1, 1] == pytest.approx(at_once / 36)
    assert (full.first_mean(rows) <= full.mean(rows)).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_distributions_belong_to_their_means(name: str) -> None:
    table = OneSided.build(7, 6, VARIANTS[name])
    stored = ~np.isnan(table.data[:, 0])
    for at, first, width in ((0, 6, table.width), (3, 6 + table.width, table.first_width)):
        chances = table.data[stored, first : first + width]
        mean, variance, tail = table.data[stored, at : at + 3].T
        rolls = np.arange(width)
        assert (chances >= 0).all() and (tail >= 0).all() and tail.max() < 1e-12
        assert np.allclose(chances.sum(axis=1) + tail, 1, rtol=0, atol=1e-13)
        assert np.allclose(chances @ rolls, mean, rtol=0, atol=1e-9 if tail.any() else 1e-12)
        second = chances @ rolls**2 - mean**2
        assert np.allclose(second, variance, rtol=0, atol=1e-7 if tail.any() else 1e-11)


def test_one_checker_that_must_go_exactly() -> None:
    table = OneSided.build(2, 1, EXACT)
    # On the ace: an ace on either die. On the deuce: a 2, or 1-1; else a 1 brings it to the ace.
    assert table.data[number({1: 1}, 2), 0] == pytest.approx(36 / 11)
    mean = (36 + 2 * 4 * 36 / 11) / (36 - 16)
    assert table.data[number({2: 1}, 2), 0] == pytest.approx(mean)


def test_six_in_a_row_are_neither_stored_nor_entered() -> None:
    table = OneSided.build(7, 7, STRICT)
    free = OneSided.build(7, 7)
    men = placements(np.arange(len(table.data)), points=7)
    six = (men[:, :6] > 0).all(axis=1) | (men[:, 1:] > 0).all(axis=1)
    assert np.array_equal(np.isnan(table.data[:, 0]), six)
    assert (table.data[~six, 0] >= free.data[~six, 0] - 1e-12).all()
    assert (table.data[~six, 0] > free.data[~six, 0] + 1e-6).any()


def test_variants_differ() -> None:
    tables = {name: OneSided.build(6, 7, rules).data[:, 0] for name, rules in VARIANTS.items()}
    tables["default"] = OneSided.build(6, 7).data[:, 0]
    names = [*tables]
    for i, one in enumerate(names):
        for other in names[:i]:
            assert not np.array_equal(tables[one], tables[other], equal_nan=True), (one, other)


@pytest.mark.parametrize("kind", [OneSided, TwoSided])
@pytest.mark.parametrize("rules", [nardy.LONG, STRICT], ids=str)
def test_threads_change_nothing(kind: Any, rules: Any) -> None:
    one, two = (kind.build(7, 5, rules, threads=n).data for n in (1, 2))
    assert np.array_equal(one, two, equal_nan=True)


def rows_of(men: Rows, rules: Any) -> Rows:
    """Boards with these placements of the side to roll, the other with one checker on its 1."""
    rows = np.zeros((len(men), 32), np.int8)
    rows[:, 1 : men.shape[1] + 1] = men
    rows[:, 0] = rules.checkers - men.sum(axis=1)
    rows[:, 13 if rules.game == "long" else 24] = -1
    rows[:, 26] = rules.checkers - 1
    return rows


@pytest.mark.parametrize("points", [3, 6, 8, 10])
@pytest.mark.parametrize("name", [*VARIANTS, "long", "short"])
def test_after_states_are_those_of_the_generator(name: str, points: int) -> None:
    rules = VARIANTS.get(name) or nardy.rules(name)
    checkers = 9 if points == 6 else 7
    afters, starts = nardy_core.list_after_states(rules=rules, points=points, checkers=checkers)
    rng = np.random.default_rng(points)
    numbers = rng.integers(1, placement_count(points, checkers), 200)
    men = placements(numbers, points=points)
    stored = starts[21 * numbers] < starts[21 * numbers + 1]
    rows, offsets = nardy.after_states_all_rolls(rows_of(men[stored], rules), rules=rules)
    columns = [p + 12 if rules.game == "long" else 25 - p for p in range(1, points + 1)]
    after = placement_index(np.maximum(-rows[:, columns], 0).astype(np.int8))
    for place, index in enumerate(numbers[stored]):
        for roll in range(21):
            ours = afters[starts[21 * index + roll] : starts[21 * index + roll + 1]]
            theirs = after[offsets[21 * place + roll] : offsets[21 * place + roll + 1]]
            assert ours.tolist() == sorted(theirs.tolist()), (men[stored][place], roll)


@pytest.mark.parametrize("name", [*VARIANTS, "long"])
def test_one_side_is_the_plain_recursion(name: str) -> None:
    """Roll by roll over the after-states, ties to the lowest number, as docs/bearoff.md says."""
    rules = VARIANTS.get(name, nardy.LONG)
    size: Any = {"points": 7, "checkers": 4 if "strict" not in name else 7}
    table = OneSided.build(**size, rules=rules)
    afters, starts = nardy_core.list_after_states(rules=rules, **size)
    men = placements(np.arange(len(table.data)), points=7).sum(axis=1)
    for at, first in ((0, 6), (3, 6 + table.width)):
        width = table.width if at == 0 else table.first_width
        mean, chances = table.data[:, at], table.data[:, first : first + width]
        for i in range(1, len(table.data), 1 if len(table.data) < 400 else 9):
            if np.isnan(mean[i]):
                continue
            expected, mix, passes = 36.0, np.zeros(width), 0
            for roll, weight in enumerate(nardy.ROLL_WEIGHTS):
                after = afters[starts[21 * i + roll] : starts[21 * i + roll + 1]].astype(int)
                if after.tolist() == [i]:
                    passes += weight
                    continue
                if at == 3:  # a checker that is off ends it
                    after = np.where(men[after] < men[i], 0, after)
                best = after[np.round(mean[after] * 2**34).argmin()]
                best = min(after[np.round(mean[after] * 2**34) == np.round(mean[best] * 2**34)])
                expected += weight * mean[best]
                mix[1:] += weight * chances[best, :-1]
            assert mean[i] == pytest.approx(expected / (36 - passes), abs=1e-12)
            for k in range(1, width):
                mix[k] = (mix[k] + passes * mix[k - 1]) / 36
            assert np.allclose(mix, chances[i], rtol=0, atol=1e-14)


@pytest.mark.parametrize("game", ["long", "short"])
def test_games_of_the_best_play_last_as_long(game: str) -> None:
    """Dice thrown, boards by the generator, the best by the table: within 4 standard errors."""
    table, rng, n = OneSided.build(6, 15, game), np.random.default_rng(17), 20_000
    rows = np.repeat(one_row({6: 7, 5: 5, 3: 3}, {1: 15}, game), n, axis=0)
    expected, variance = table.mean(rows)[0], table.variance(rows)[0]
    rolls = np.zeros(n)
    running = np.arange(n)
    while len(running):
        dice = rng.integers(1, 7, (len(rows), 2), dtype=np.int8)
        after, offsets = nardy.after_states(rows, dice, rules=game)
        after = nardy.flip(after, rules=game)
        means = table.mean(after)
        least = np.repeat(np.minimum.reduceat(means, offsets[:-1]), np.diff(offsets))
        best = np.flatnonzero(means == least)
        rows = after[best[np.searchsorted(best, offsets[:-1])]]
        rolls[running] += 1
        going = rows[:, 0] < 15
        rows, running = rows[going], running[going]
    assert abs(rolls.mean() - expected) < 4 * np.sqrt(variance / n)


def test_threads_that_share_a_large_table_change_nothing(full: OneSided) -> None:
    one, two = (OneSided.build(7, 15, threads=n).data for n in (1, 2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("rules", [nardy.LONG, VARIANTS["all"]], ids=str)
def test_all_widths_give_the_same_bytes(rules: Any) -> None:
    kernels = list(forms().values())
    size = {"points": 6, "checkers": 8}
    tables = [kernel.solve_one_sided(rules=rules, **size)[0] for kernel in kernels]
    assert len({table.tobytes() for table in tables}) == 1
    tables = [kernel.solve_two_sided(rules="short", points=6, checkers=4) for kernel in kernels]
    assert len({table.tobytes() for table in tables}) == 1


# --- two sides


def plain_pairs(size: Any, rules: Any) -> dict[str, NDArray[np.float64]]:
    """The recursion of docs/bearoff.md, pair by pair."""
    afters, starts = nardy_core.list_after_states(rules=rules, **size)
    men = placements(np.arange((len(starts) - 1) // 21), points=size["points"])
    pips = men @ np.arange(1, size["points"] + 1)
    lost = np.where(men.sum(axis=1) == rules.checkers, 2.0, 1.0)
    n = len(men)
    names = "cubeless", "centred", "own", "opponent"
    value = {name: np.full((n, n), np.nan) for name in names}
    for table in value.values():
        table[0, 1:], table[1:, 0] = lost[1:], -lost[1:]
    whose = {"cubeless": "cubeless", "centred": "centred", "own": "opponent", "opponent": "own"}

    def roll(name: str, i: int, j: int) -> float:
        best = [
            -value[whose[name]][j, afters[starts[21 * i + r] : starts[21 * i + r + 1]]].min()
            for r in range(21)
        ]
        return float(nardy.ROLL_WEIGHTS @ best) / 36

    pairs = [(i, j) for i in range(1, n) for j in range(1, n)]
    for i, j in sorted(pairs, key=lambda pair: pips[pair[0]] + pips[pair[1]]):
        value["cubeless"][i, j] = roll("cubeless", i, j)
        value["opponent"][i, j] = roll("opponent", i, j)
        double = min(1, 2 * value["opponent"][i, j])
        value["centred"][i, j] = max(roll("centred", i, j), double)
        value["own"][i, j] = max(roll("own", i, j), double)
    return value


@pytest.mark.parametrize(
    ("size", "rules"),
    [
        ({"points": 6, "checkers": 2}, nardy.SHORT),
        ({"points": 3, "checkers": 5}, nardy.LONG.replace(checkers=5)),
        ({"points": 4, "checkers": 3}, VARIANTS["mandatory"].replace(bearoff_overshoot="any")),
        ({"points": 8, "checkers": 2}, nardy.LONG.replace(doubles_moves=2)),
    ],
    ids=str,
)
def test_two_sides_are_the_plain_recursion(size: Any, rules: Any) -> None:
    expected = plain_pairs(size, rules)
    data = TwoSided.build(**size, rules=rules).data
    for k, name in enumerate(bearoff.EQUITIES):
        assert np.allclose(data[..., k], expected[name], rtol=0, atol=1e-14, equal_nan=True), name


def test_pairs_that_can_be_checked_by_hand(pairs: TwoSided) -> None:
    # One on the 6-point each: 27/36 to win at once, else the other does with 27/36.
    row = one_row({6: 1}, {6: 1})
    win = 27 / 36 + 9 / 36 * 9 / 36
    assert pairs.win(row)[0] == pytest.approx(win)
    cubeless, centred, own, theirs = pairs.equities(row)[0]
    assert cubeless == pytest.approx(2 * win - 1)
    assert centred == own == 1, "a double that is dropped"
    # Not our cube: we win with 27 of 36, else the other doubles us out.
    assert theirs == pytest.approx(27 / 36 - 9 / 36)


def test_an_ace_is_won_at_once(pairs: TwoSided) -> None:
    row = one_row({1: 2}, {6: 6})
    assert pairs.win(row)[0] == 1
    assert pairs.equities(row)[0].tolist() == [1, 1, 1, 1]


def test_what_is_over_has_its_result(pairs: TwoSided) -> None:
    rows = np.concatenate([one_row({}, {6: 6}), one_row({6: 6}, {})])
    assert pairs.win(rows).tolist() == [1, 0]
    assert pairs.equities(rows)[:, 0].tolist() == [1, -1]


def test_equities_are_in_their_order(pairs: TwoSided) -> None:
    cubeless, centred, own, theirs = (pairs.data[1:, 1:, k] for k in range(4))
    assert (own >= centred - 1e-12).all() and (centred >= theirs - 1e-12).all()
    assert (own >= cubeless - 1e-12).all() and (cubeless >= theirs - 1e-12).all()
    assert np.abs(pairs.data[1:, 1:]).max() <= 1


def test_a_race_outcome_is_as_near_as_the_docs_say(pairs: TwoSided) -> None:
    one = OneSided.build(6, 6)
    chances = one.data[:, 6 : 6 + one.width]
    at_least = chances[:, ::-1].cumsum(axis=1)[:, ::-1]
    error = (chances @ at_least.T - (1 + pairs.data[:, :, 0]) / 2)[1:, 1:]
    assert round(np.abs(error).max(), 5) == 0.01394
    assert round(np.abs(error).mean(), 5) == 0.00088
    worst = one_row({3: 2, 4: 2, 5: 2}, {1: 3, 2: 2, 3: 1})
    assert abs(one.race_outcome(worst)[0, 0] - pairs.win(worst)[0]) == np.abs(error).max()


@pytest.mark.parametrize("game", ["long", "short"])
def test_games_of_both_sides_best_play_are_won_as_often(game: str) -> None:
    """Dice thrown, boards by the generator, both play by the table: within 4 standard errors."""
    table, rng, n = TwoSided.build(6, 6, game), np.random.default_rng(23), 20_000
    rows = np.repeat(one_row({6: 3, 4: 2, 2: 1}, {5: 2, 4: 2, 3: 2}, game), n, axis=0)
    expected = table.win(rows[:1])[0]
    won, first_moves = 0, True
    while len(rows):
        dice = rng.integers(1, 7, (len(rows), 2), dtype=np.int8)
        after, offsets = nardy.after_states(rows, dice, rules=game)
        rows = after[nardy.segment_argmax(-table.win(after), offsets)]
        over = rows[:, 26] == 15
        won += int(over.sum()) if first_moves else 0
        rows, first_moves = rows[~over], not first_moves
    assert 0.3 < expected < 0.7
    assert abs(won / n - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


def test_mars() -> None:
    rules = nardy.LONG.replace(checkers=5)
    pairs, table = TwoSided.build(6, 5, rules), OneSided.build(6, 5, rules)
    row = one_row({1: 2}, {6: 5}, rules)
    assert pairs.has_mars
    assert pairs.chances(row)[0].tolist() == [1, 1, 0, 0, 0]
    assert pairs.equities(row)[0].tolist() == [2, 2, 2, 2]
    assert pairs.equities(nardy.flip(row, rules=rules))[0, 0] < 0
    row = one_row({6: 5}, {6: 5}, rules)
    win, win_mars, _, lose_mars, _ = pairs.chances(row)[0]
    assert pairs.equities(row)[0, 0] == pytest.approx(2 * win - 1 + win_mars - lose_mars)
    assert np.abs(table.race_outcome(row)[0] - pairs.chances(row)[0]).max() < 0.002
    assert not TwoSided.build(6, 4, rules).has_mars


def test_a_koks_needs_nobody_home() -> None:
    rules = nardy.LONG.replace(checkers=5, koks="no_home")
    pairs = TwoSided.build(7, 5, rules)
    lost = one_row({7: 5}, {}, rules)
    assert pairs.equities(lost)[0].tolist() == [-3, -3, -3, -3]
    with pytest.raises(ValueError, match="koks='no_home' needs a table of six points"):
        pairs.chances(lost)
    with pytest.raises(ValueError, match="koks='no_home' needs a table of six points"):
        OneSided.build(7, 5, rules).race_outcome(lost)


def test_rules_that_pass_have_no_pairs() -> None:
    with pytest.raises(ValueError, match="under which every roll can be played"):
        TwoSided.build(6, 3, EXACT)


# --- what is not in a table


@pytest.mark.parametrize(
    ("own", "opponent", "rules"),
    [
        ({7: 1}, {1: 1}, nardy.LONG),
        ({6: 15}, {13: 1}, nardy.LONG),
        ({24: 15}, {24: 15}, nardy.LONG),
        ({"bar": 1}, {1: 1}, nardy.SHORT),
        ({6: 2}, {20: 1}, nardy.SHORT),
        ({1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, {1: 1}, STRICT),
        ({6: 15}, {7: 15}, nardy.LONG.replace(block="home")),
    ],
    ids=str,
)
def test_other_rows_are_refused(own: Any, opponent: Any, rules: Any, make_row: Any) -> None:
    table = OneSided.build(6, None, rules)
    row = make_row({6: 1}, {1: 1}, rules.game, 15)
    bad = make_row(own, opponent, rules.game, 15)
    rows = np.array([row, bad], np.int8)
    assert table.covers(rows).tolist() == [True, False]
    for look in (table.mean, table.distribution, table.first_mean, table.race_outcome):
        with pytest.raises(
            ValueError, match="rows: row 1 is not in this table, which holds a race"
        ):
            look(rows)


def test_too_many_checkers_are_refused(pairs: TwoSided) -> None:
    rows = np.concatenate([one_row({6: 6}, {6: 6}), one_row({1: 6}, {1: 7})])
    assert pairs.covers(rows).tolist() == [True, False]
    for look in (pairs.win, pairs.equities, pairs.chances):
        with pytest.raises(ValueError, match=r"row 1 is not in this table, .* at most 6 checkers"):
            look(rows)


def test_a_row_that_is_no_board_is_refused(full: OneSided, pairs: TwoSided) -> None:
    rows = np.concatenate([one_row({6: 1}, {1: 1}), np.ones((1, 32), np.int8)])
    for look in (full.mean, full.covers, pairs.win, pairs.covers):
        with pytest.raises(nardy.InvalidPosition, match="rows: row 1"):
            look(rows)


@pytest.mark.parametrize(
    "rules", [nardy.LONG, nardy.SHORT, STRICT, nardy.LONG.replace(block="home")], ids=str
)
def test_no_row_gets_a_value_that_is_not_its_own(rules: Any, full: OneSided) -> None:
    """Random rows, most of them no race: what is covered has the value of its placement."""
    table = OneSided.build(6, 15, rules)
    games = nardy.random_rows(250_000, rules=rules, seed=11)
    rows = games[(games[:, 0] > 0) | (games[:, 26] > 0)] if rules.game == "long" else games
    covered = table.covers(rows)
    home = (rows[:, 7:26] <= 0).all(axis=1)
    assert not covered[~home].any()
    men = np.maximum(rows[covered, 1:7], 0)
    means = table.data[placement_index(men), 0]
    assert covered.any() and np.array_equal(table.mean(rows[covered]), means)
    assert not np.isnan(means).any()
    assert nardy.is_race(rows, rules=rules)[covered].all()


def test_a_million_odd_rows_get_no_value() -> None:
    """Rows changed at random: invalid ones are refused, the others covered or not, never wrong."""
    rng = np.random.default_rng(1)
    table = OneSided.build(6, 15, "short")
    base = nardy.random_rows(1_000_000, rules="short", seed=5)
    rows = base.copy()
    for _ in range(3):
        one, other = rng.integers(0, 28, (2, len(rows)))
        at = np.arange(len(rows))
        rows[at, one] += 1
        rows[at, other] -= 1
    own, other = np.maximum(rows[:, 1:25], 0), np.minimum(rows[:, 1:25], 0)
    valid = (
        (rows[:, [0, 25, 26, 27]] >= 0).all(axis=1)
        & (own.sum(axis=1) + rows[:, 0] + rows[:, 25] == 15)
        & (rows[:, 26] + rows[:, 27] - other.sum(axis=1) == 15)
        & ~((rows[:, 0] == 15) & (rows[:, 26] == 15))
    )
    assert 0.02 < valid.mean() < 0.98
    for row in rows[~valid][:2000]:
        with pytest.raises(nardy.InvalidPosition, match="rows: row 0"):
            table.covers(row[np.newaxis])
    rows = np.ascontiguousarray(rows[valid])
    covered = table.covers(rows)
    home = (own[valid][:, 6:] == 0).all(axis=1) & (rows[:, 25] == 0)
    passed = (rows[:, 27] == 0) & (other[valid][:, :6] == 0).all(axis=1)
    assert covered[home & passed].all() and not covered[~home].any()
    means = table.data[placement_index(np.maximum(rows[covered, 1:7], 0)), 0]
    assert covered.sum() > 1000 and np.array_equal(table.mean(rows[covered]), means)
    assert (nardy.is_race(rows, rules="short") | ~covered).all()


def random_ends(n: int, game: str, seed: int) -> Rows:
    """Rows of up to 8 checkers a side on the last 7 points: about the edges of small tables."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, placement_count(7, 8), (2, n))
    own, opponent = (placements(side, points=7) for side in numbers)
    rows = np.zeros((n, 32), np.int8)
    rows[:, 1:8] = own
    rows[:, [p + 12 if game == "long" else 25 - p for p in range(1, 8)]] = -opponent
    rows[:, 0], rows[:, 26] = 15 - own.sum(axis=1), 15 - opponent.sum(axis=1)
    return rows[(rows[:, [0, 26]] < 15).any(axis=1)]


@pytest.mark.parametrize("rules", [nardy.LONG, nardy.SHORT, STRICT], ids=str)
def test_a_million_rows_about_the_edges_of_small_tables(rules: Any) -> None:
    """Just what a table holds is covered, and has the value of its placements."""
    games = nardy.random_rows(200_000, rules=rules, seed=13)
    rows = np.concatenate([random_ends(800_000, rules.game, 3), games])
    seen = nardy.flip(rows, rules=rules)
    men, theirs = np.maximum(rows[:, 1:25], 0), np.maximum(seen[:, 1:25], 0)

    def fits(side: NDArray[np.int8], row: Rows, points: int, checkers: int) -> NDArray[np.bool_]:
        inside = (side[:, points:] == 0).all(axis=1) & (row[:, 25] == 0)
        found: NDArray[np.bool_] = inside & (side.sum(axis=1) <= checkers)
        if rules.block == "strict":
            found &= (side[:, :6] == 0).any(axis=1)
        return found

    races = nardy.is_race(rows, rules=rules)
    pairs = TwoSided.build(6, 6, rules)
    wanted = fits(men, rows, 6, 6) & fits(theirs, seen, 6, 6) & races
    assert 10_000 < wanted.sum() < 900_000 and (pairs.covers(rows) == wanted).all()
    own, other = (placement_index(np.ascontiguousarray(m[wanted, :6])) for m in (men, theirs))
    assert np.array_equal(pairs.equities(rows[wanted]), pairs.data[own, other, :4])
    table = OneSided.build(5, 7, rules)
    wanted = fits(men, rows, 5, 7) & races
    assert 10_000 < wanted.sum() < 900_000 and (table.covers(rows) == wanted).all()
    own = placement_index(np.ascontiguousarray(men[wanted, :5]))
    assert np.array_equal(table.mean(rows[wanted]), table.data[own, 0])


# --- races


@pytest.mark.parametrize(
    ("own", "opponent", "rules", "race"),
    [
        ({12: 15}, {12: 15}, nardy.LONG, True),
        ({13: 15}, {12: 15}, nardy.LONG, False),
        ({12: 15}, {13: 15}, nardy.LONG, False),
        ({2: 1}, {13: 1}, nardy.LONG, False),
        ({}, {24: 15}, nardy.LONG, True),
        ({7: 15}, {7: 15}, nardy.LONG.replace(block="home"), False),
        ({7: 14, 6: 1}, {7: 15}, nardy.LONG.replace(block="home"), False),
        ({7: 14, 6: 1}, {7: 14, 1: 1}, nardy.LONG.replace(block="home"), True),
        ({7: 14}, {7: 14}, nardy.LONG.replace(block="home"), True),
        ({12: 15}, {12: 15}, STRICT, True),
        ({12: 15}, {12: 15}, nardy.SHORT, True),
        ({13: 15}, {11: 15}, nardy.SHORT, True),
        ({13: 15}, {13: 15}, nardy.SHORT, False),
        ({"bar": 1}, {1: 15}, nardy.SHORT, False),
        ({1: 15}, {"bar": 1}, nardy.SHORT, False),
        ({24: 1}, {2: 1}, nardy.SHORT, False),
    ],
    ids=str,
)
def test_races(own: Any, opponent: Any, rules: Any, race: bool) -> None:
    row = one_row(own, opponent, rules)
    assert nardy.is_race(row, rules=rules).tolist() == [race]
    assert nardy.is_race(nardy.flip(row, rules=rules), rules=rules).tolist() == [race]


@pytest.mark.parametrize("game", ["long", "short"])
def test_a_race_stays_one(game: str) -> None:
    rows = nardy.random_rows(20_000, rules=game, seed=3)
    races = rows[nardy.is_race(rows, rules=game)]
    after, _ = nardy.after_states_all_rolls(races[:500], rules=game)
    assert nardy.is_race(after, rules=game).all()


# --- what is asked for


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: OneSided.build(11), ValueError, "points must be an int 1..10, not 11"),
        (lambda: OneSided.build(6.0), TypeError, "points must be an int 1..10"),  # type: ignore[arg-type]
        (lambda: OneSided.build(6, 0), ValueError, "checkers must be an int 1..15, not 0"),
        (
            lambda: OneSided.build(6, 15, nardy.LONG.replace(checkers=10)),
            ValueError,
            "checkers must be an int 1..10 under these rules, not 15",
        ),
        (
            lambda: OneSided.build(10, 15, limit=10**9),
            ValueError,
            "limit: the one-sided table of 10",
        ),
        (lambda: TwoSided.build(6, 10, limit=10**9), ValueError, "would take 2.1 GB"),
        (lambda: TwoSided.build(6, 6, threads=0), ValueError, "threads"),
        (lambda: bearoff.one_sided(path=3), TypeError, "path must be a str or a path, not 3"),  # type: ignore[arg-type]
        (lambda: OneSided.build(6, 6, "tall"), ValueError, "rules must be Rules or one of"),
        (lambda: bearoff.table_size("no-sided"), ValueError, "kind must be one of"),
    ],
)
def test_what_cannot_be_built_is_refused(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    OneSided.build(6, 8, threads=2, progress=lambda *done: heard.append(done))
    assert heard[-1] == (2 * placement_count(6, 8),) * 2 and heard == sorted(heard)
    heard.clear()
    TwoSided.build(6, 3, progress=lambda *done: heard.append(done))
    assert heard == sorted(heard) and heard[-1][0] <= heard[-1][1] == placement_count(6, 3) ** 2


@pytest.mark.parametrize("kind", [OneSided, TwoSided])
def test_the_size_is_said_before(kind: Any) -> None:
    for points, checkers in ((6, 6), (7, 6), (6, 5)):
        file, memory = bearoff.table_size(kind.kind, points=points, checkers=checkers)
        built = kind.build(points, checkers).data.nbytes
        assert file < memory and abs(file - built) <= 0.3 * built
