"""Kernel and reference say the same: as sets of after-states, and play by play."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations_with_replacement
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nardy
from nardy.options import Rules
from proof import bites, compare, samples, strategies
from proof.compare import Report, check_chunk, disagreement
from proof.samples import Chunk

SEED, PAIRS = 2, 60_000


@pytest.fixture(scope="module")
def compared() -> list[tuple[Chunk, Report]]:
    chunks = list(samples.plan(SEED, PAIRS, 100))
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        return list(zip(chunks, pool.map(check_chunk, chunks, chunksize=4), strict=True))


@pytest.mark.slow
def test_kernel_and_reference_agree(compared: list[tuple[Chunk, Report]]) -> None:
    shown = [text for _, report in compared for text in report.shown]
    assert not shown, "\n\n".join(shown[:10])
    assert sum(report.disagreements for _, report in compared) == 0


@pytest.mark.slow
def test_the_comparison_is_wide(compared: list[tuple[Chunk, Report]]) -> None:
    drawn = [(chunk, report) for chunk, report in compared if not chunk.is_exhaustive]
    assert sum(report.pairs for _, report in drawn) >= PAIRS
    uniform = sum(report.uniform_play for _, report in drawn)
    assert uniform < PAIRS / 2, "half of the pairs must be such that uniform play never meets"


@pytest.mark.slow
def test_every_rule_bit(compared: list[tuple[Chunk, Report]]) -> None:
    total: Counter[str] = Counter()
    for _, report in compared:
        total += report.bites
    assert not bites.required() - total.keys()


@pytest.mark.parametrize("game", ["long", "short"])
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_any_board_at_all(game: str, data: st.DataObject) -> None:
    rules = data.draw(strategies.rule_sets(game), label="rules")
    row = data.draw(strategies.rows(rules), label="row")
    roll = np.array(data.draw(strategies.rolls, label="roll"), np.int8)
    after, _, steps = nardy.after_states(row[None], roll[None], rules=rules, steps=True)
    fault = disagreement(row, roll, after, steps, rules)
    assert fault is None, compare.describe(row, roll, rules, fault)


@pytest.mark.parametrize("overshoot", ["farthest", "any", "exact"])
def test_compulsory_bearing_off_with_up_to_three_men_about_home(overshoot: str) -> None:
    rules = nardy.LONG.replace(bearoff_mandatory=True, bearoff_overshoot=overshoot)
    men = [m for k in (1, 2, 3) for m in combinations_with_replacement(range(1, 9), k)]
    boards = [
        nardy.Position.from_points(Counter(points), {24: 15}, rules=rules).row for points in men
    ]
    rows = np.repeat(np.array(boards), 21, axis=0)
    rolls = np.tile(nardy.ROLLS, (len(boards), 1))
    after, offsets, steps = nardy.after_states(rows, rolls, rules=rules, steps=True)
    for i in range(len(rows)):
        here = slice(offsets[i], offsets[i + 1])
        fault = disagreement(rows[i], rolls[i], after[here], steps[here], rules)
        assert fault is None, compare.describe(rows[i], rolls[i], rules, fault)


# --- the comparison itself can fail ---------------------------------------------------------------


Rows = np.ndarray[tuple[int, int], np.dtype[np.int8]]


def _lose_one(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    return after[1:], steps[1:]


def _add_one(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    other = after[:1].copy()
    other[0, [1, 2]] += (1, -1)
    return np.concatenate([after, other]), np.concatenate([steps, steps[:1]])


def _list_twice(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    return np.concatenate([after, after[:1]]), np.concatenate([steps, steps[:1]])


def _swap_plays(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    return after, np.concatenate([steps[1:], steps[:1]])


def _shorten_a_play(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    shorter = steps.copy()
    shorter[0, 1] = -1
    return after, shorter


def _leave_a_gap(after: Rows, steps: Rows) -> tuple[Rows, Rows]:
    return after, np.roll(steps, 1, axis=1)


@pytest.mark.parametrize("rules", [nardy.LONG, nardy.SHORT], ids=["long", "short"])
@pytest.mark.parametrize(
    "spoil", [_lose_one, _add_one, _list_twice, _swap_plays, _shorten_a_play, _leave_a_gap]
)
def test_a_wrong_kernel_is_found_out(
    rules: Rules, spoil: Callable[[Rows, Rows], tuple[Rows, Rows]]
) -> None:
    chunk = Chunk(0, "anywhere", rules, "some boards", 20)
    rows, rolls = samples.pairs_of(chunk, nardy.after_states)
    after, offsets, steps = nardy.after_states(rows, rolls, rules=rules, steps=True)
    tried = 0
    for i in np.flatnonzero(np.diff(offsets) > 1):
        segment = slice(offsets[i], offsets[i + 1])
        right = after[segment], steps[segment]
        assert disagreement(rows[i], rolls[i], *right, rules) is None
        if (right[1][0, 1] >= 0).all():
            assert disagreement(rows[i], rolls[i], *spoil(*right), rules) is not None
            tried += 1
    assert tried > 5
