"""Rollouts by the shipped networks, on one thread and two, plain and reduced, and at random."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import nardy

TRIALS = 4_320
REDUCED = 216
RANDOM = 36 * 1_200


@pytest.fixture(scope="module", params=["long", "short"])
def start(request: pytest.FixtureRequest) -> nardy.Position:
    return nardy.Position.start(request.param)


class Clocked:
    """An evaluator that keeps the processor time that it takes."""

    def __init__(self, evaluator: Any) -> None:
        self.evaluator, self.rules, self.seconds = evaluator, evaluator.rules, 0.0

    def __call__(self, rows: Any) -> Any:
        began = time.thread_time()
        values = self.evaluator(rows)
        self.seconds += time.thread_time() - began
        return values


@pytest.mark.benchmark(group="rollout: 0 plies, cubeless, to the end")
@pytest.mark.parametrize("threads", [1, 2])
def bench_rollout(benchmark: Any, start: nardy.Position, threads: int) -> None:
    result = benchmark.pedantic(
        lambda: nardy.rollout(start, seed=1, trials=2 * TRIALS, threads=threads),
        rounds=3,
        warmup_rounds=1,
    )
    benchmark.extra_info["games"] = 2 * TRIALS
    assert result.trials == 2 * TRIALS and result.sums.ranges == ((0, 2 * TRIALS),)


@pytest.mark.benchmark(group="rollout: the share of the evaluator")
def bench_outside(benchmark: Any, start: nardy.Position) -> None:
    clocked = Clocked(nardy.network(start.rules))
    began = time.thread_time()
    result = benchmark.pedantic(
        lambda: nardy.rollout(start, clocked, seed=1, trials=TRIALS), rounds=3
    )
    taken = time.thread_time() - began
    benchmark.extra_info["outside"] = round(1 - clocked.seconds / taken, 3)
    assert result.trials == TRIALS


@pytest.mark.benchmark(group="rollout: variance reduction")
def bench_reduced(benchmark: Any, start: nardy.Position) -> None:
    result = benchmark.pedantic(
        lambda: nardy.rollout(start, seed=1, trials=REDUCED, variance_reduction=True), rounds=3
    )
    plain = nardy.rollout(start, seed=1, trials=REDUCED)
    benchmark.extra_info["games"] = REDUCED
    benchmark.extra_info["error"] = round(plain.standard_error / result.standard_error, 2)
    assert result.trials == REDUCED and result.standard_error < plain.standard_error


@pytest.mark.benchmark(group="rollout: at random, beside the bare playouts")
@pytest.mark.parametrize("what", ["rollout", "playouts"])
def bench_random(benchmark: Any, start: nardy.Position, what: str) -> None:
    rows = np.tile(start.row, (RANDOM, 1))
    if what == "playouts":
        games = benchmark(nardy.playouts, rows, rules=start.rules, seed=1)
        assert len(games.outcomes) == RANDOM
    else:
        result = benchmark(nardy.rollout, start, nardy.Uniform(start.rules), seed=1, trials=RANDOM)
        games = nardy.playouts(rows, rules=start.rules, seed=1)
        assert result.sums.strata[:, 0, 0].sum() == int(games.outcomes.sum()) << 32
    benchmark.extra_info["games"] = RANDOM
