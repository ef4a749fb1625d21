"""How fast values are chosen and averaged, beside NumPy's own loops where it has them.

The segments are those of all 21 rolls of rows of uniform random play, the values random. NumPy's
``reduceat`` cannot say what an empty segment is worth, and has no argmax: it is the measure, not a
way to do without.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nardy

ROWS = 20_000
STATES = 4_445_623  # what the seed below must give

dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: d.__name__)


@pytest.fixture(scope="module")
def offsets() -> Any:
    rows = nardy.random_rows(ROWS, rules="long", seed=7)
    counts = nardy.counts_all_rolls(rows, rules="long")
    return np.concatenate([[0], np.cumsum(counts)])


@pytest.fixture(scope="module")
def values(offsets: Any) -> Any:
    assert offsets[-1] == STATES
    return np.random.default_rng(1).normal(size=STATES)


def note(benchmark: Any, what: str, count: int) -> None:
    benchmark.extra_info[what] = count


@pytest.mark.benchmark(group="largest value of each segment")
@dtypes
def bench_segment_max(benchmark: Any, dtype: Any, values: Any, offsets: Any) -> None:
    best = benchmark(nardy.segment_max, values.astype(dtype), offsets)
    assert best.tolist() == np.maximum.reduceat(values.astype(dtype), offsets[:-1]).tolist()
    note(benchmark, "values", STATES)


@pytest.mark.benchmark(group="largest value of each segment")
@dtypes
def bench_numpy_max(benchmark: Any, dtype: Any, values: Any, offsets: Any) -> None:
    best = benchmark(np.maximum.reduceat, values.astype(dtype), offsets[:-1])
    assert len(best) == 21 * ROWS
    note(benchmark, "values", STATES)


@pytest.mark.benchmark(group="place of the largest value of each segment")
@dtypes
def bench_segment_argmax(benchmark: Any, dtype: Any, values: Any, offsets: Any) -> None:
    some = values.astype(dtype)
    places = benchmark(nardy.segment_argmax, some, offsets)
    assert some[places].tolist() == nardy.segment_max(some, offsets).tolist()
    note(benchmark, "values", STATES)


@pytest.mark.benchmark(group="mean of each segment")
@dtypes
def bench_segment_mean(benchmark: Any, dtype: Any, values: Any, offsets: Any) -> None:
    means = benchmark(nardy.segment_mean, values.astype(dtype), offsets)
    np.testing.assert_allclose(means @ np.diff(offsets), values.sum(), rtol=1e-2)
    note(benchmark, "values", STATES)


@pytest.mark.benchmark(group="mean of each segment")
@dtypes
def bench_numpy_mean(benchmark: Any, dtype: Any, values: Any, offsets: Any) -> None:
    def mean(some: Any) -> Any:
        return np.add.reduceat(some, offsets[:-1]) / np.diff(offsets)

    assert len(benchmark(mean, values.astype(dtype))) == 21 * ROWS
    note(benchmark, "values", STATES)


@pytest.mark.benchmark(group="mean over the rolls")
@dtypes
def bench_mean_over_rolls(benchmark: Any, dtype: Any, values: Any) -> None:
    some = values[: 21 * 200_000].astype(dtype)
    means = benchmark(nardy.mean_over_rolls, some)
    shares = nardy.ROLL_WEIGHTS / 36
    np.testing.assert_allclose(means, some.reshape(-1, 21) @ shares, atol=1e-6)
    note(benchmark, "values", len(some))


@pytest.mark.benchmark(group="mean over the rolls")
@dtypes
def bench_numpy_mean_over_rolls(benchmark: Any, dtype: Any, values: Any) -> None:
    some = values[: 21 * 200_000].astype(dtype).reshape(-1, 21)
    shares = (nardy.ROLL_WEIGHTS / 36).astype(dtype)
    assert len(benchmark(np.matmul, some, shares)) == 200_000
    note(benchmark, "values", some.size)
