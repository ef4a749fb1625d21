"""What every batch function promises, whatever the rows: on 100,000 pairs, under every width."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import nardy
from nardy.options import Rules
from proof import boards, invariants, samples, walks
from proof.walks import Offsets, Rows
from proof.widths import forms

PAIRS = 100_000
BUILDING = nardy.LONG.replace(block_check="turn_end", head="any_double", bearoff_overshoot="any")
SMALL = nardy.LONG.replace(checkers=7, doubles_moves=2, bearoff_mandatory=True, block="never")
SETS = [nardy.LONG, BUILDING, SMALL, nardy.SHORT]


class Batch(NamedTuple):
    rules: Rules
    rows: Rows
    rolls: Rows
    after: Rows
    offsets: Offsets


def _pairs(rules: Rules) -> tuple[Rows, Rows]:
    """A quarter of all pairs: half of them from made boards, the others from games."""
    made = [way.__name__ for way in boards.CONSTRUCTIONS[rules.game]]
    played = list(walks.MANNERS[rules.game])
    each = PAIRS // len(SETS) // 2
    chunks = [
        samples.Chunk(0, source, rules, f"contract {source}", each // len(sources) + 1)
        for sources in (made, played)
        for source in sources
    ]
    parts = [samples.pairs_of(chunk, nardy.after_states) for chunk in chunks]
    return np.concatenate([rows for rows, _ in parts]), np.concatenate([roll for _, roll in parts])


@pytest.fixture(scope="module")
def all_batches() -> list[Batch]:
    pairs = [(rules, *_pairs(rules)) for rules in SETS]
    assert sum(len(rows) for _, rows, _ in pairs) >= PAIRS
    return [
        Batch(rules, rows, rolls, *nardy.after_states(rows, rolls, rules=rules))
        for rules, rows, rolls in pairs
    ]


@pytest.fixture(params=range(len(SETS)), ids=["long", "building", "small", "short"])
def batch(request: pytest.FixtureRequest, all_batches: list[Batch]) -> Batch:
    chosen: int = request.param
    return all_batches[chosen]


@pytest.fixture(params=sorted(forms()))
def kernel(request: pytest.FixtureRequest) -> Any:
    return forms()[request.param]


def every(step: int, rows: Rows) -> Rows:
    """Each `step`-th row, so that every source of the batch is among them."""
    return np.ascontiguousarray(rows[::step])


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))


def test_both_widths_are_tested_where_the_processor_has_them() -> None:
    assert nardy.build_info()["width"] in forms()
    if nardy.build_info()["width"] == "v3":
        assert set(forms()) == {"baseline", "v3"}


def test_results_have_the_promised_kind(batch: Batch, kernel: Any) -> None:
    n = len(batch.rows)
    after, offsets, steps = kernel.after_states(
        batch.rows, batch.rolls, rules=batch.rules, steps=True
    )
    assert after.dtype == np.int8 and after.shape == (offsets[-1], 32)
    assert offsets.dtype == np.int64 and offsets.shape == (n + 1,) and offsets[0] == 0
    assert steps.dtype == np.int8 and steps.shape == (len(after), 4, 2)
    counts = kernel.counts(batch.rows, batch.rolls, rules=batch.rules)
    assert counts.dtype == np.int64 and counts.shape == (n,)
    each = kernel.counts_all_rolls(batch.rows[:50], rules=batch.rules)
    assert each.dtype == np.int64 and each.shape == (50, 21)
    seen, points = (f(batch.rows, rules=batch.rules) for f in (kernel.flip, kernel.outcomes))
    assert seen.dtype == points.dtype == np.int8
    assert seen.shape == (n, 32) and points.shape == (n,)
    for result in (after, offsets, steps, counts, each, seen, points):
        assert result.flags.c_contiguous and result.flags.writeable


def test_the_order_is_the_same_under_every_width(batch: Batch, kernel: Any) -> None:
    fresh = kernel.after_states(batch.rows, batch.rolls, rules=batch.rules)
    assert same(fresh, (batch.after, batch.offsets))
    with_steps = kernel.after_states(batch.rows, batch.rolls, rules=batch.rules, steps=True)
    assert same(with_steps[:2], fresh)
    in_use = nardy.after_states(batch.rows, batch.rolls, rules=batch.rules, steps=True)
    assert same(with_steps, in_use)


def test_counts_are_the_lengths(batch: Batch, kernel: Any) -> None:
    counts = kernel.counts(batch.rows, batch.rolls, rules=batch.rules)
    assert np.array_equal(counts, np.diff(batch.offsets))
    assert counts.max() > 30


def test_all_rolls_is_each_roll(batch: Batch, kernel: Any) -> None:
    rows = every(len(batch.rows) // (PAIRS // len(SETS) // 21), batch.rows)
    pairs = np.repeat(rows, 21, axis=0), np.tile(nardy.ROLLS, (len(rows), 1))
    assert len(pairs[0]) * len(SETS) >= PAIRS
    rules = batch.rules
    for steps in (False, True):
        each = kernel.after_states(*pairs, rules=rules, steps=steps)
        assert same(kernel.after_states_all_rolls(rows, rules=rules, steps=steps), each)
    counts = kernel.counts_all_rolls(rows, rules=rules)
    assert np.array_equal(counts.reshape(-1), kernel.counts(*pairs, rules=rules))
    assert np.array_equal(counts.reshape(-1), np.diff(each[1]))


def test_both_orders_of_the_dice_are_one(batch: Batch, kernel: Any) -> None:
    turned = np.ascontiguousarray(batch.rolls[:, ::-1])
    for steps in (False, True):
        one = kernel.after_states(batch.rows, batch.rolls, rules=batch.rules, steps=steps)
        assert same(kernel.after_states(batch.rows, turned, rules=batch.rules, steps=steps), one)
    counts = kernel.counts(batch.rows, turned, rules=batch.rules)
    assert np.array_equal(counts, np.diff(batch.offsets))


def test_a_row_alone_is_as_in_a_batch(batch: Batch, kernel: Any) -> None:
    rules, offsets = batch.rules, batch.offsets.tolist()
    for i in range(len(batch.rows)):
        row, roll = batch.rows[i : i + 1], batch.rolls[i : i + 1]
        after, (begin, end) = kernel.after_states(row, roll, rules=rules)
        assert (begin, end) == (0, offsets[i + 1] - offsets[i])
        assert after.tobytes() == batch.after[offsets[i] : offsets[i + 1]].tobytes()
        assert kernel.counts(row, roll, rules=rules)[0] == end


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(batch: Batch, kernel: Any, threads: int) -> None:
    rows, rolls, rules = batch.rows, batch.rolls, batch.rules
    after = kernel.after_states(rows, rolls, rules=rules, threads=threads)
    assert same(after, (batch.after, batch.offsets))
    some = every(25, rows)
    functions: list[Callable[[int], Any]] = [
        lambda n: kernel.after_states(rows, rolls, rules=rules, threads=n, steps=True),
        lambda n: kernel.after_states_all_rolls(some, rules=rules, threads=n, steps=True),
        lambda n: (kernel.counts(rows, rolls, rules=rules, threads=n),),
        lambda n: (kernel.counts_all_rolls(some, rules=rules, threads=n),),
    ]
    for function in functions:
        assert same(function(threads), function(1))


def test_more_threads_than_rows_are_no_trouble(kernel: Any) -> None:
    row, roll = boards.start(nardy.LONG)[None], np.array([[3, 3]], np.int8)
    one = kernel.after_states(row, roll, rules=nardy.LONG)
    assert same(kernel.after_states(row, roll, rules=nardy.LONG, threads=64), one)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("spare", [0, 1, 1000])
def test_out_holds_what_a_fresh_call_gives(
    batch: Batch, kernel: Any, spare: int, threads: int
) -> None:
    out = np.full((len(batch.after) + spare, 32), 77, np.int8)
    rules = batch.rules
    after, offsets = kernel.after_states(
        batch.rows, batch.rolls, rules=rules, out=out, threads=threads
    )
    assert same((after, offsets), (batch.after, batch.offsets))
    assert np.array_equal(out[: len(after)], batch.after)
    assert after.ctypes.data == out.ctypes.data and np.shares_memory(after, out)
    some = every(50, batch.rows)
    fresh = kernel.after_states_all_rolls(some, rules=rules, steps=True)
    out = np.empty((len(fresh[0]) + spare, 32), np.int8)
    used = kernel.after_states_all_rolls(some, rules=rules, steps=True, out=out, threads=threads)
    assert same(used, fresh) and used[0].ctypes.data == out.ctypes.data


def test_nothing_beyond_out_is_written(kernel: Any) -> None:
    rows, rolls = walks_of_a_short_game()
    after, _ = kernel.after_states(rows, rolls, rules=nardy.SHORT)
    whole = np.full((len(after) + 64, 32), 77, np.int8)
    kernel.after_states(rows, rolls, rules=nardy.SHORT, out=whole[32 : 32 + len(after)])
    assert (whole[:32] == 77).all() and (whole[32 + len(after) :] == 77).all()


def walks_of_a_short_game() -> tuple[Rows, Rows]:
    rng = np.random.default_rng(1)
    turns = list(walks.play(nardy.after_states, nardy.SHORT, "points", 1, rng, 100))
    return np.concatenate([t.rows for t in turns]), np.concatenate([t.rolls for t in turns])


def test_inputs_are_left_alone_and_may_be_read_only(batch: Batch, kernel: Any) -> None:
    rows, rolls = batch.rows.copy(), batch.rolls.copy()
    rows.flags.writeable = rolls.flags.writeable = False
    assert same(kernel.after_states(rows, rolls, rules=batch.rules), (batch.after, batch.offsets))
    kernel.after_states_all_rolls(rows[:100], rules=batch.rules, steps=True)
    kernel.counts(rows, rolls, rules=batch.rules)
    kernel.counts_all_rolls(rows[:100], rules=batch.rules)
    kernel.flip(rows, rules=batch.rules)
    kernel.outcomes(rows, rules=batch.rules)
    kernel.playouts(rows[:100], rules=batch.rules, seed=1)
    kernel.perft(rows[0], 1, rules=batch.rules)
    assert np.array_equal(rows, batch.rows) and np.array_equal(rolls, batch.rolls)


def test_after_states_are_boards_and_distinct(batch: Batch) -> None:
    assert invariants.valid(batch.after, batch.rules).all()
    segment = np.repeat(np.arange(len(batch.rows)), np.diff(batch.offsets))
    order = np.lexsort([*batch.after.T, segment])
    again = (batch.after[order[1:]] == batch.after[order[:-1]]).all(axis=1)
    assert not (again & (segment[order[1:]] == segment[order[:-1]])).any()


def test_a_finished_row_has_none_and_a_blocked_one_has_itself(batch: Batch) -> None:
    counts = np.diff(batch.offsets)
    over = (batch.rows[:, [0, 26]] == batch.rules.checkers).any(axis=1)
    assert over.any() and not over.all()
    assert (counts[over] == 0).all() and (counts[~over] >= 1).all()
    assert not nardy.counts_all_rolls(batch.rows[over], rules=batch.rules).any()
    _, _, steps = nardy.after_states(batch.rows, batch.rolls, rules=batch.rules, steps=True)
    passes = np.flatnonzero((steps == -1).all(axis=(1, 2)))
    of = np.searchsorted(batch.offsets, passes, side="right") - 1
    assert len(passes) and (counts[of] == 1).all()
    seen = invariants.flipped(batch.rows[of], batch.rules)
    assert np.array_equal(batch.after[passes], seen)


def test_the_plays_of_a_pair_are_equally_long(batch: Batch) -> None:
    _, offsets, steps = nardy.after_states(batch.rows, batch.rolls, rules=batch.rules, steps=True)
    used = (steps != -1).all(axis=2)
    assert np.array_equal(used, (steps != -1).any(axis=2))
    assert (used[:, :-1] >= used[:, 1:]).all(), "unused places stand behind the used ones"
    length = used.sum(axis=1)
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    assert np.array_equal(length, length[begins])
    assert steps[used].min() >= 0 and steps[used][:, 0].max() <= 25 and steps[used][:, 0].min() > 0


def test_flip_and_outcomes_are_those_of_the_rules(batch: Batch, kernel: Any) -> None:
    rules = batch.rules
    seen = kernel.flip(batch.rows, rules=rules)
    assert np.array_equal(seen, invariants.flipped(batch.rows, rules))
    assert np.array_equal(kernel.flip(seen, rules=rules), batch.rows)
    points = kernel.outcomes(batch.rows, rules=rules)
    assert np.array_equal(points, invariants.outcomes(batch.rows, rules)) and points.any()
    assert np.array_equal(kernel.outcomes(seen, rules=rules), -points)


def test_an_empty_batch_gives_empty_arrays(kernel: Any) -> None:
    rows, rolls = np.empty((0, 32), np.int8), np.empty((0, 2), np.int8)
    for rules in SETS:
        for steps in (False, True):
            after, offsets, *more = kernel.after_states(rows, rolls, rules=rules, steps=steps)
            assert after.shape == (0, 32) and offsets.tolist() == [0]
            assert [array.shape for array in more] == [(0, 4, 2)] * steps
        after, offsets = kernel.after_states_all_rolls(rows, rules=rules)
        assert after.shape == (0, 32) and offsets.tolist() == [0]
        assert kernel.counts(rows, rolls, rules=rules).shape == (0,)
        assert kernel.counts_all_rolls(rows, rules=rules).shape == (0, 21)
        assert kernel.flip(rows, rules=rules).shape == (0, 32)
        assert kernel.outcomes(rows, rules=rules).shape == (0,)
        played = kernel.playouts(rows, rules=rules, seed=1)
        assert played.outcomes.shape == played.turns.shape == (0,)
        assert kernel.random_rows(0, rules=rules, seed=1).shape == (0, 32)


def test_two_python_threads_share_the_same_arrays(batch: Batch) -> None:
    def work(_: int) -> tuple[Any, ...]:
        after, offsets = nardy.after_states(batch.rows, batch.rolls, rules=batch.rules, threads=2)
        played = nardy.playouts(batch.rows[:2000], rules=batch.rules, seed=3, threads=2)
        return after, offsets, played.outcomes, played.turns

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(work, range(6)))
    assert all(same(result, results[0]) for result in results)
    assert same(results[0][:2], (batch.after, batch.offsets))


def test_random_rows_are_boards_of_whole_games(kernel: Any) -> None:
    for rules in SETS:
        rows = kernel.random_rows(5000, rules=rules, seed=7)
        assert rows.dtype == np.int8 and rows.shape == (5000, 32)
        assert invariants.valid(rows, rules).all()
        assert not invariants.outcomes(rows, rules).any(), "no turn starts from a finished board"
        assert (rows == boards.start(rules)).all(axis=1).any()
        assert np.array_equal(rows, kernel.random_rows(5000, rules=rules, seed=7))
        assert np.array_equal(rows, nardy.random_rows(5000, rules=rules, seed=7))
        assert not np.array_equal(rows, kernel.random_rows(5000, rules=rules, seed=8))
        few = Random(1).sample(range(5000), 20)
        assert len(np.unique(rows[few], axis=0)) > 10


def first_turn(row: Any, rules: Rules, kernel: Any) -> Any:
    return kernel.after_states_all_rolls(row[None], rules=rules)[0]


def test_perft_is_the_sum_over_all_rolls(batch: Batch, kernel: Any) -> None:
    rules = batch.rules
    rows = batch.rows[:: len(batch.rows) // 40]
    for row in rows:
        first = first_turn(row, rules, kernel)
        assert kernel.perft(row, 0, rules=rules) == 1
        assert kernel.perft(row, 1, rules=rules) == len(first)
        second = int(kernel.counts_all_rolls(first, rules=rules).sum())
        for threads in (1, 2, 3):
            assert kernel.perft(row, 2, rules=rules, threads=threads) == second
    for row in rows[::10]:
        third = sum(kernel.perft(turn, 2, rules=rules) for turn in first_turn(row, rules, kernel))
        for threads in (1, 2, 3):
            assert kernel.perft(row, 3, rules=rules, threads=threads) == third


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_perft_shares_what_comes_after_several_turns(kernel: Any, threads: int) -> None:
    # One man a side: few boards after a turn, games that end on the way.
    end = nardy.Position.from_points({20: 1}, {20: 1}, rules="long")
    assert kernel.perft(end.row, 7, rules="long", threads=threads) == 96_332_460
    start = kernel.start_row(rules="long")
    assert kernel.perft(start, 4, rules="long", threads=threads) == 2_472_202
