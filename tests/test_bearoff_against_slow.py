"""Bear-off tables against the slow recursion of `proof.bearoff`, over all placements.

`nardy.bearoff` is asked for what its users ask for; how it answers is read in one place, below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import bearoff
from proof import makebearoff
from proof.bearoff import (
    OneSided,
    Placement,
    Roll,
    TwoSided,
    options_of,
    placements,
    row_of,
    six_in_a_row,
)

TOLERANCE = 1e-12
LONG, SHORT = nardy.LONG, nardy.SHORT
ONE_AWAY: Placement = (1,)  # an opponent who is in nobody's way


# --- how the tables answer ------------------------------------------------------------------------


def rows_of(pairs: Sequence[tuple[Placement, Placement]], rules: Any) -> Any:
    return np.array([row_of(*pair, rules) for pair in pairs], np.int8).reshape(-1, 32)


def chances_of(table: Any, rows: Any) -> Any:
    """Chances of 0, 1, 2 ... rolls, a column each."""
    return np.asarray(table.distribution(rows), np.float64)


# --- variants -------------------------------------------------------------------------------------


def variants() -> Iterator[nardy.Rules]:
    yield SHORT
    for overshoot, mandatory, doubles in product(
        ("farthest", "any", "exact"), (False, True), (4, 2)
    ):
        yield LONG.replace(
            bearoff_overshoot=overshoot, bearoff_mandatory=mandatory, doubles_moves=doubles
        )


def loops(rules: nardy.Rules) -> bool:
    """Whether a side can have to pass for ever, so that distributions have no last column."""
    return options_of(rules).overshoot == "exact"


def covered(points: int, checkers: int, rules: nardy.Rules) -> list[Placement]:
    """All placements of a table but the empty one."""
    strict = options_of(rules).strict
    return [
        placement
        for placement in placements(points, checkers)
        if any(placement) and not (strict and six_in_a_row(placement))
    ]


def first_listed(rules: nardy.Rules) -> Any:
    """Choose among equals as `nardy.after_states` lists them."""

    def choose(placement: Placement, roll: Roll, tied: Any) -> Placement:
        row, dice = rows_of([(placement, ONE_AWAY)], rules), np.array([roll], np.int8)
        after, _ = nardy.after_states(row, dice, rules=rules)
        for board in nardy.flip(after, rules=rules).tolist():
            own = tuple(max(men, 0) for men in board[1 : len(placement) + 1])
            if own in tied:
                return own
        raise AssertionError("none of these is listed")

    return choose


# --- one side -------------------------------------------------------------------------------------


def check_one_side(points: int, checkers: int, rules: nardy.Rules) -> None:
    table = bearoff.one_sided(points=points, checkers=checkers, rules=rules)
    slow = OneSided(rules, first_listed(rules))
    listed = covered(points, checkers, rules)
    rows = rows_of([(placement, ONE_AWAY) for placement in listed], rules)
    means, chances = table.mean(rows), chances_of(table, rows)
    expected = np.array([slow.mean(placement) for placement in listed], float)
    np.testing.assert_allclose(means, expected, rtol=0, atol=TOLERANCE)
    # A tail below 1e-12 may be cut: after n rolls it is worth as many in the mean.
    slack = 1e-12 if loops(rules) else TOLERANCE
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=0, atol=2 * slack)
    mean = chances @ np.arange(chances.shape[1])
    np.testing.assert_allclose(mean, expected, rtol=0, atol=slack * 2 * chances.shape[1])
    many = 8 if loops(rules) else chances.shape[1] - 1
    for placement, found in zip(listed, chances, strict=True):
        wanted = np.array(slow.distribution(placement, many), float)
        np.testing.assert_allclose(found[: many + 1], wanted, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("rules", [*variants()], ids=str)
@pytest.mark.parametrize(("points", "checkers"), [(3, 4), (6, 2)])
def test_one_side_over_all_placements(points: int, checkers: int, rules: nardy.Rules) -> None:
    check_one_side(points, checkers, rules)


@pytest.mark.parametrize(
    "rules", [SHORT, LONG.replace(bearoff_overshoot="any", bearoff_mandatory=True)], ids=str
)
@pytest.mark.parametrize(("points", "checkers"), [(8, 2), (10, 1), (6, 4), (1, 15)])
def test_one_side_of_larger_tables(points: int, checkers: int, rules: nardy.Rules) -> None:
    check_one_side(points, checkers, rules)


@pytest.mark.parametrize("check", ["step", "turn_end"])
@pytest.mark.parametrize("size", [6, pytest.param(7, marks=pytest.mark.slow)])
def test_one_side_where_six_in_a_row_are_forbidden(check: str, size: int) -> None:
    rules = LONG.replace(block="strict", block_check=check)
    table = bearoff.one_sided(points=size, checkers=size, rules=rules)
    slow = OneSided(rules)
    listed = covered(size, size, rules)
    rows = rows_of([(placement, ONE_AWAY) for placement in listed], rules)
    expected = np.array([slow.mean(placement) for placement in listed], float)
    np.testing.assert_allclose(table.mean(rows), expected, rtol=0, atol=TOLERANCE)
    free = bearoff.one_sided(points=size, checkers=size, rules=LONG)
    assert (table.mean(rows) > free.mean(rows) + 1e-4).any(), "the ban is felt"


def test_fixed_means() -> None:
    for rules in (LONG, SHORT):
        table = bearoff.one_sided(points=6, checkers=15, rules=rules)
        stacks = [(15,), (0, 0, 0, 0, 0, 15), (0, 0, 0, 0, 0, 1)]
        means = table.mean(rows_of([(stack, ONE_AWAY) for stack in stacks], rules))
        assert means == pytest.approx([6.979592, 12.266187, 1.25], abs=5e-7)


# --- two sides ------------------------------------------------------------------------------------


@pytest.mark.parametrize("overshoot", ["farthest", "any", "exact"])
@pytest.mark.parametrize(("points", "checkers"), [(3, 5), (6, 5)])
def test_first_checker_off(points: int, checkers: int, overshoot: str) -> None:
    """What decides a mars: a side with all its checkers on the board, playing to bear one off."""
    rules = LONG.replace(checkers=checkers, bearoff_overshoot=overshoot)
    table = bearoff.one_sided(points=points, checkers=checkers, rules=rules)
    slow = OneSided(rules, first_listed(rules))
    listed = [p for p in covered(points, checkers, rules) if sum(p) == checkers]
    rows = rows_of([(placement, ONE_AWAY) for placement in listed], rules)
    expected = np.array([slow.mean(placement, True) for placement in listed], float)
    np.testing.assert_allclose(table.first_mean(rows), expected, rtol=0, atol=TOLERANCE)
    chances = table.first_distribution(rows)
    many = min(8, chances.shape[1] - 1)
    for placement, found in zip(listed, chances, strict=True):
        wanted = np.array(slow.distribution(placement, many, True), float)
        np.testing.assert_allclose(found[: many + 1], wanted, rtol=0, atol=TOLERANCE)


def check_two_sides(points: int, checkers: int, rules: nardy.Rules) -> None:
    if loops(rules):  # with a cube there is no one value then: `TwoSided` says why
        with pytest.raises(ValueError, match="every roll can be played"):
            bearoff.two_sided(points=points, checkers=checkers, rules=rules)
        return
    table = bearoff.two_sided(points=points, checkers=checkers, rules=rules)
    slow = TwoSided(rules)
    listed = covered(points, checkers, rules)
    pairs = [*product(listed, listed)]
    rows = rows_of(pairs, rules)
    if checkers < options_of(rules).checkers:  # else mars and win may ask for different plays
        expected = np.array([slow.win(*pair) for pair in pairs], float)
        np.testing.assert_allclose(table.win(rows), expected, rtol=0, atol=TOLERANCE)
    equities = np.array([slow.equities(*pair) for pair in pairs], float)
    np.testing.assert_allclose(table.equities(rows), equities, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("rules", [*variants()], ids=str)
def test_two_sides_over_all_pairs(rules: nardy.Rules) -> None:
    check_two_sides(3, 2, rules)


@pytest.mark.parametrize("rules", [SHORT, LONG.replace(bearoff_overshoot="any")], ids=str)
@pytest.mark.parametrize(("points", "checkers"), [(6, 2), (2, 4), (1, 8)])
def test_two_sides_of_larger_tables(points: int, checkers: int, rules: nardy.Rules) -> None:
    check_two_sides(points, checkers, rules)


@pytest.mark.parametrize("overshoot", ["farthest", "any"])
def test_two_sides_where_a_mars_is_possible(overshoot: str) -> None:
    rules = LONG.replace(checkers=5, bearoff_overshoot=overshoot)
    check_two_sides(2, 5, rules)
    table, slow = bearoff.two_sided(points=2, checkers=5, rules=rules), TwoSided(rules)
    listed = covered(2, 5, rules)
    pairs = [*product(listed, listed)]
    found = table.chances(rows_of(pairs, rules))[:, [0, 1, 3]]
    expected = np.array([slow.chances(*pair) for pair in pairs], float)
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)


# --- beside GNU Backgammon ------------------------------------------------------------------------

needs_makebearoff = pytest.mark.skipif(
    makebearoff.program() is None, reason="makebearoff (Debian: package gnubg) is not installed"
)


@needs_makebearoff
def test_one_side_of_fifteen_beside_makebearoff(tmp_path: Path) -> None:
    """Its numbers are rounded to 1/65535, and made of rounded ones: so is its choice of plays."""
    theirs = makebearoff.one_sided(tmp_path, 6)
    table = bearoff.one_sided(points=6, checkers=15, rules=SHORT)
    rows = rows_of([(p, ONE_AWAY) for p in theirs.placements[1:]], SHORT)
    chances, last = chances_of(table, rows), theirs.last[1:]
    columns = min(chances.shape[1], last.shape[1])
    assert not last[:, columns:].any()
    mean = last @ np.arange(last.shape[1])
    np.testing.assert_allclose(table.mean(rows), mean, rtol=0, atol=1e-3)
    # A few placements, where two plays are as good but for its rounding, have other chances.
    other = (abs(chances[:, :columns] - last[:, :columns]) > 5e-4).any(axis=1)
    assert other.mean() < 5e-4
    np.testing.assert_allclose(table.mean(rows)[other], mean[other], rtol=0, atol=2e-4)


@needs_makebearoff
def test_two_sides_beside_makebearoff(tmp_path: Path) -> None:
    """Cubeless, and with the opponent's cube: the others it stores without a double this time."""
    listed, theirs = makebearoff.two_sided(tmp_path, 6, 3)
    table = bearoff.two_sided(points=6, checkers=3, rules=SHORT)
    rows = rows_of([*product(listed[1:], listed[1:])], SHORT)
    found = table.equities(rows).reshape(*theirs[1:, 1:].shape)
    cubeless, mine, centred, his = np.moveaxis(theirs[1:, 1:], -1, 0)
    doubled = np.minimum(2 * his, 1)
    expected = [cubeless, np.maximum(centred, doubled), np.maximum(mine, doubled), his]
    np.testing.assert_allclose(found, np.stack(expected, axis=-1), rtol=0, atol=3e-4)
