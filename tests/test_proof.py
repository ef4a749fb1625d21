"""The instruments of the proofs: they agree with the reference, and they can fail."""

from random import Random
from typing import Any

import numpy as np
import pytest

import fuzz_rows
import nardy
from nardy import nardy_core, reference
from nardy.options import Rules
from proof import bites, invariants, option_sets, samples
from proof.boards import CONSTRUCTIONS, start
from proof.replay import replay

GAMES = ("long", "short")


@pytest.mark.parametrize("game", GAMES)
def test_boards_scores_and_flips_are_judged_as_by_the_reference(game: str) -> None:
    rng = Random(8)
    judged = set()
    for _ in range(60):
        rules = option_sets.draw(rng, game)
        rows, _ = fuzz_rows.altered(rng, rules, 20)
        good = invariants.valid(rows, rules)
        assert good.tolist() == [reference.check(row.tolist(), rules=rules) is None for row in rows]
        judged |= set(good.tolist())
        rows, _ = fuzz_rows.unreachable(rng, rules, 20)
        assert invariants.valid(rows, rules).all()
        assert np.array_equal(
            invariants.outcomes(rows, rules), reference.outcomes(rows, rules=rules)
        )
        assert np.array_equal(invariants.flipped(rows, rules), reference.flip(rows, rules=rules))
    assert judged == {True, False}


@pytest.mark.parametrize(
    ("game", "construct"), [(game, way) for game in GAMES for way in CONSTRUCTIONS[game]]
)
def test_every_construction_makes_boards_and_not_always_the_same(game: str, construct: Any) -> None:
    rng = Random(9)
    for _ in range(40):
        rules = option_sets.draw(rng, game)
        rows = np.array([construct(rng, rules) for _ in range(10)])
        assert invariants.valid(rows, rules).all()
        assert len(np.unique(rows, axis=0)) > 1


def test_the_start_is_the_packages() -> None:
    for rules in (nardy.LONG, nardy.LONG.replace(checkers=6), nardy.SHORT):
        assert np.array_equal(start(rules), nardy.Position.start(rules).row)


def test_the_starter_can_leave_43_boards() -> None:
    # Rules 4: over all `head` values; the start itself stands beside them, for the starter's turn.
    assert len(samples.starter_boards(15, (4,))) == 1 + 43
    assert len(samples.starter_boards(15)) > 1 + 43


def test_a_chunk_is_made_anew_from_its_numbers() -> None:
    for chunk in list(samples.plan(3, 3000, 100))[-30:]:
        one, other = (samples.pairs_of(chunk, nardy.after_states) for _ in range(2))
        assert all(map(np.array_equal, one, other))
        assert len(one[0]) == len(one[1]) <= chunk.pairs


@pytest.mark.parametrize(
    ("play", "fault"),
    [
        ([(24, 18), (18, 13)], None),
        ([(24, 18), (13, 8)], "nobody"),
        ([(24, 19), (24, 19)], "no die"),
        ([(24, 12)], "no die"),
        ([(24, 13)], "no die"),
        ([(24, 0)], "too soon"),
        ([(0, -6)], "no man"),
        ([(24, 18), (24, 19)], None),
    ],
)
def test_a_play_that_cannot_be_made_is_objected_to(
    play: list[tuple[int, int]], fault: str | None
) -> None:
    row = start(nardy.LONG).tolist()
    if fault is None:
        seen = np.array([replay(row, (6, 5), play, nardy.LONG)], np.int8)
        assert invariants.valid(seen, nardy.LONG).all()
    else:
        with pytest.raises(AssertionError, match=fault):
            replay(row, (6, 5), play, nardy.LONG)


def test_a_closed_point_and_a_waiting_man_are_objected_to() -> None:
    row = start(nardy.SHORT).tolist()
    with pytest.raises(AssertionError, match="closed"):
        replay(row, (5, 5), [(24, 19)], nardy.SHORT)
    row[24], row[25] = 1, 1
    with pytest.raises(AssertionError, match="bar"):
        replay(row, (5, 3), [(13, 8)], nardy.SHORT)


def test_a_rule_that_does_nothing_does_not_bite() -> None:
    rows = np.tile(start(nardy.LONG), (21, 1))
    after, offsets, steps = nardy.after_states(rows, nardy.ROLLS, rules=nardy.LONG, steps=True)
    found = bites.count(rows, nardy.ROLLS, after, offsets, steps, nardy.LONG)
    assert found["head any_double_first or blocked"] > 0
    assert found["first turn of the starter"] == 21
    assert not any(name.startswith(("block ", "bearoff", "koks")) for name in found)
    # A count that nobody asks for would be a misspelt one.
    assert set(found) <= bites.required()


# --- odd rows -----------------------------------------------------------------------------


def test_odd_rows_are_refused_or_answered() -> None:
    assert fuzz_rows.main(["--rows", "3000", "--seed", "3"]) == 0


class Spoilt:
    """The kernel with one function exchanged."""

    def __init__(self, **functions: Any) -> None:
        self.functions = functions

    def __getattr__(self, name: str) -> Any:
        return self.functions.get(name) or getattr(nardy_core, name)


def flip_anything(rows: Any, *, rules: Rules) -> Any:
    return invariants.flipped(rows, rules)


def count_one_more(rows: Any, rolls: Any, *, rules: Rules) -> Any:
    return nardy_core.counts(rows, rolls, rules=rules) + 1


def name_no_row(rows: Any, *, rules: Rules) -> Any:
    try:
        return nardy_core.outcomes(rows, rules=rules)
    except ValueError as error:
        raise nardy.InvalidPosition("rows: a bad board") from error


@pytest.mark.parametrize(
    ("functions", "fault"),
    [
        ({"flip": flip_anything}, "accepted"),
        ({"counts": count_one_more}, "counts differ"),
        ({"outcomes": name_no_row}, "no row is named"),
    ],
)
def test_a_kernel_that_answers_wrongly_is_found_out(functions: dict[str, Any], fault: str) -> None:
    rng = Random(4)
    rows, rolls = fuzz_rows.altered(rng, nardy.SHORT, 300)
    fuzz_rows.check_batch(Spoilt(), rows, rolls, nardy.SHORT, rng)
    with pytest.raises(RuntimeError, match=fault):
        fuzz_rows.check_batch(Spoilt(**functions), rows, rolls, nardy.SHORT, rng)
