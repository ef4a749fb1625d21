"""The slow recursion that bear-off tables are held against, held against what is known itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import nardy
from nardy import reference
from proof.bearoff import (
    CHANCES,
    Chances,
    Equities,
    OneSided,
    Placement,
    TwoSided,
    options_of,
    placements,
    plays,
    row_of,
)

SHORT, LONG = nardy.SHORT, nardy.LONG
EXACT = LONG.replace(bearoff_overshoot="exact")
FIVE = LONG.replace(checkers=5)


def variants() -> Iterator[nardy.Rules]:
    yield SHORT
    for overshoot, mandatory, doubles in product(
        ("farthest", "any", "exact"), (False, True), (4, 2)
    ):
        yield LONG.replace(
            bearoff_overshoot=overshoot, bearoff_mandatory=mandatory, doubles_moves=doubles
        )
    yield LONG.replace(block="strict")
    yield LONG.replace(block="strict", block_check="turn_end", bearoff_mandatory=True)


def men(*points: int, of: int = 6) -> Placement:
    """One checker on each of the points named, in a table of so many points."""
    return tuple(points.count(point) for point in range(1, of + 1))


def fractions(*numbers: Fraction | int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


# --- plays ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*variants()], ids=str)
def test_plays_are_those_of_the_reference(rules: nardy.Rules) -> None:
    # Tables that reach beyond home too, and seven men or more so that `strict` bites.
    of_all = [*placements(6, 3), *placements(8, 2)]
    crowded = [p for p in placements(8, 8) if sum(map(bool, p)) >= 6]
    chosen = Random(1).sample(of_all, 60) + Random(2).sample(crowded, 12)
    for placement in chosen:
        row = row_of(placement, men(1), rules)
        if reference.is_forbidden(row, rules=rules) or not any(placement):
            continue
        for roll in CHANCES:
            found = {
                tuple(max(x, 0) for x in reference.row_of(board, rules)[1 : len(placement) + 1])
                for board in own_boards(row, roll, rules)
            }
            assert plays(placement, roll, options_of(rules)) == found, (placement, roll)


def own_boards(row: Any, roll: tuple[int, int], rules: Any) -> Iterator[reference.Board]:
    """The boards that a roll can leave, as the mover sees them."""
    for after in reference.plays(row, roll, rules=rules):
        opponent, own = reference.board_of(after, rules)
        yield reference.Board(own, opponent)


def test_placements_are_as_many_as_the_closed_formula_says() -> None:
    assert len({*placements(6, 4)}) == len([*placements(6, 4)]) == 210  # 10 over 4


# --- one side -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [LONG, SHORT], ids=str)
def test_known_means(rules: nardy.Rules) -> None:
    table = OneSided(rules)
    assert table.mean(men(6)) == Fraction(5, 4)
    assert table.mean(men(1)) == table.mean(men(1, 1)) == table.mean(men(3)) == 1
    assert table.mean(men(*[1] * 15)) == pytest.approx(6.979592, abs=5e-7)
    assert table.mean(men()) == 0


def test_hand_made_distributions() -> None:
    table = OneSided(LONG)
    assert table.distribution(men(6), 3) == fractions(0, Fraction(27, 36), Fraction(9, 36), 0)
    assert table.distribution(men(1, 1, 1), 2) == fractions(0, Fraction(6, 36), Fraction(30, 36))
    # 6 and 1 in one roll: the eleven with a 6, and 2-2, 3-3, 4-4, 5-5.
    assert table.distribution(men(6, 1), 1)[1] == Fraction(15, 36)
    assert OneSided(LONG.replace(doubles_moves=2)).distribution(men(6, 1), 1)[1] == Fraction(11, 36)


def test_exact_overshoot_waits_for_the_number() -> None:
    table = OneSided(EXACT)
    assert table.mean(men(1)) == Fraction(36, 11)
    wait = Fraction(25, 36)
    hits = fractions(0, 1 - wait, wait * (1 - wait), wait**2 * (1 - wait))
    assert table.distribution(men(1), 3) == hits


def test_overshoot_any_is_no_slower() -> None:
    farthest, free = OneSided(LONG), OneSided(LONG.replace(bearoff_overshoot="any"))
    assert all(free.mean(p) <= farthest.mean(p) for p in placements(6, 3))
    # A 6 with the 2 and the 4: the 2 goes off and the 4 with the other die, or the other way.
    assert free.mean(men(2, 4)) <= farthest.mean(men(2, 4))


def test_a_must_to_bear_off_is_no_faster() -> None:
    free, forced = OneSided(LONG), OneSided(LONG.replace(bearoff_mandatory=True))
    assert all(forced.mean(p) >= free.mean(p) for p in placements(6, 3))
    rolls = [(p, roll) for p in placements(6, 3) for roll in CHANCES]
    assert all(plays(p, r, forced.options) <= plays(p, r, free.options) for p, r in rolls)
    assert any(plays(p, r, forced.options) < plays(p, r, free.options) for p, r in rolls)


@pytest.mark.parametrize("rules", [*variants()], ids=str)
@pytest.mark.parametrize("first", [False, True], ids=["last", "first"])
def test_a_distribution_has_its_mean(rules: nardy.Rules, first: bool) -> None:
    rules = rules.replace(checkers=5) if rules.game == "long" else rules
    table = OneSided(rules)
    loops = rules.game == "long" and rules.bearoff_overshoot == "exact"
    for placement in [men(1, 2, 3, of=3), men(3, 3, 3, 3, 3, of=3), men(2, 2, 1, 1, 1, of=3)]:
        chances = table.distribution(placement, 80 if loops else 12, first)
        assert sum(chances) == (1 if not loops else pytest.approx(1, abs=1e-9))
        mean = sum(n * chance for n, chance in enumerate(chances))
        expected = table.mean(placement, first)
        assert mean == (expected if not loops else pytest.approx(expected, abs=1e-6))


def test_the_first_checker_goes_off_by_itself() -> None:
    table = OneSided(FIVE)
    assert table.mean(men(1, 1, 1, 1), True) == 0, "one is off"
    assert table.mean(men(*[1] * 5), True) == 1
    outside = men(7, 1, 1, 1, 1, of=7)
    # Every roll brings the 7 home and bears one off, but 3-2 and 4-2: they leave it behind the 2.
    assert table.distribution(outside, 1, True)[1] == Fraction(32, 36)
    far = men(8, 8, 8, 8, 8, of=8)
    assert table.mean(far, True) > 2 and table.mean(far, True) < table.mean(far)


@pytest.mark.parametrize("rules", [*variants()], ids=str)
def test_ties_do_not_change_a_distribution(rules: nardy.Rules) -> None:
    """Nothing says that they must not; but in small tables equal means are equal chances."""
    rules = rules.replace(checkers=5) if rules.game == "long" else rules
    one, other = OneSided(rules), OneSided(rules, choose=lambda placement, roll, tied: max(tied))
    tables = [*placements(6, 3), *placements(3, 5)]
    for placement, first in product(tables, (False, True)):
        assert one.distribution(placement, 8, first) == other.distribution(placement, 8, first)
    ties = [(p, roll) for p in tables if any(p) for roll in CHANCES if len(one.best(p, roll)) > 1]
    # Under `exact` no two ways are equal: each number is waited for.
    assert bool(ties) == (rules.bearoff_overshoot != "exact")


# --- two sides ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [LONG, SHORT], ids=str)
def test_hand_made_pairs(rules: nardy.Rules) -> None:
    table = TwoSided(rules)
    # Off at once, and doubled it is dropped.
    assert table.win(men(1), men(1)) == 1
    assert table.equities(men(1), men(1)) == Equities(*fractions(1, 1, 1, 1))
    # 27 of 36 win, the others lose: a drop and a take cost him the same.
    assert table.win(men(6), men(1)) == Fraction(27, 36)
    half = Fraction(1, 2)
    assert table.equities(men(6), men(1)) == Equities(half, Fraction(1), Fraction(1), half)
    # 15 of 36: behind, and never doubled.
    behind = Fraction(-6, 36)
    assert table.equities(men(6, 1), men(1)) == Equities(behind, behind, behind, behind)
    # 19 of 36: the last roll of the game, so any advantage doubles, and it is taken.
    ahead = Fraction(2, 36)
    assert table.equities(men(5, 2), men(1)) == Equities(ahead, 2 * ahead, 2 * ahead, ahead)
    # He comes to roll in 9 of 36 and wins then 27 of 36.
    assert table.win(men(6), men(6)) == 1 - Fraction(9, 36) * Fraction(27, 36)


def test_the_cube_of_a_pair_of_two_rolls_by_hand() -> None:
    """Both on the 6-point. A miss leaves one roll to the other side, and to us the last one."""
    table = TwoSided(LONG)
    hit, miss = Fraction(27, 36), Fraction(9, 36)
    # After a miss we stand on 3 or nearer and are off with any roll, if we come to roll again.
    cubeless = hit - miss * (2 * hit - 1)
    assert table.equities(men(6), men(6)).cubeless == cubeless
    # He has the cube at hand: he doubles after a miss, and we may as well drop (he is at 27/36).
    assert table.equities(men(6), men(6)).centred == max(hit - miss, min(1, 2 * (hit - miss)))
    # Cube with him: 27 win, after a miss he redoubles us out. With us: he plays at one.
    assert table.equities(men(6), men(6)).opponents == hit - miss
    assert table.equities(men(6), men(6)).own == max(cubeless, min(1, 2 * (hit - miss)))


def test_a_cube_at_hand_is_worth_something() -> None:
    table = TwoSided(SHORT)
    pairs = [pair for pair in product(placements(4, 2), repeat=2) if all(map(any, pair))]
    for own, opponent in pairs:
        value = table.equities(own, opponent)
        assert value.centred is not None and value.own is not None and value.opponents is not None
        assert value.own >= value.centred >= value.opponents
        assert value.own >= value.cubeless >= value.opponents
        assert value.cubeless == 2 * table.win(own, opponent) - 1, "no mars: fifteen minus a few"
        assert table.chances(own, opponent) == Chances(
            table.win(own, opponent), Fraction(0), Fraction(0)
        )


def test_mars_pays_twice_and_a_sure_one_is_too_good_to_double() -> None:
    table = TwoSided(FIVE)
    last, all_five = men(1), men(*[1] * 5)
    assert table.equities(last, all_five) == Equities(*fractions(2, 2, 2, 2))
    assert table.chances(last, all_five) == Chances(Fraction(1), Fraction(1), Fraction(0))
    # The other way round he bears two off in time: an oin, and he drops nothing.
    assert table.equities(all_five, last).cubeless == -1
    assert table.chances(all_five, last) == Chances(Fraction(0), Fraction(0), Fraction(0))
    # A far stack cannot get one off in time but by a double.
    far, near = men(*[8] * 5, of=8), men(1, of=8)
    assert table.chances(far, near) == Chances(Fraction(0), Fraction(0), Fraction(1))
    assert TwoSided(FIVE.replace(koks="no_home")).equities(near, far).cubeless == 3


def test_exact_overshoot_comes_round_again() -> None:
    table = TwoSided(EXACT)
    assert table.win(men(1), men(1)) == Fraction(36, 61)  # w = 11/36 + 25/36 (1 - w)
    value = table.equities(men(1), men(1))
    assert value.cubeless == 2 * Fraction(36, 61) - 1
    assert value.centred is value.own is value.opponents is None
    assert table.chances(men(1), men(1)).win == Fraction(36, 61)
    # The equations of different sides: w = a + p (1 - v), v = b + q (1 - w).
    for own, opponent in product(placements(3, 2), repeat=2):
        if any(own) and any(opponent):
            assert 0 < table.win(own, opponent) < 1
            assert table.equities(own, opponent).cubeless == 2 * table.win(own, opponent) - 1
