"""Values of many boards: the best and the mean of each segment, the mean over the 21 rolls."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as some_numpy

import nardy
from nardy import nardy_core

KERNEL: Any = nardy_core  # without its types: many calls here are wrong on purpose
DTYPES = [np.float32, np.float64]
SEGMENTS: dict[str, Callable[..., Any]] = {
    "segment_max": nardy.segment_max,
    "segment_argmax": nardy.segment_argmax,
    "segment_mean": nardy.segment_mean,
}
VALUES = np.array([0.5, -1.0, 0.5, 2.0, 2.0])
OFFSETS = np.array([0, 2, 2, 5])

each_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
each_segment_function = pytest.mark.parametrize("function", SEGMENTS.values(), ids=list(SEGMENTS))


# --- the plain oracle -----------------------------------------------------------------------------


def plain_argmax(values: list[float], first: int, last: int) -> int:
    best = -1
    for place in range(first, last):
        if math.isnan(values[place]):
            return place
        if best < 0 or values[place] > values[best]:
            best = place
    return best


def plain_mean(values: list[float], first: int, last: int) -> float:
    total = 0.0
    for value in values[first:last]:
        total += value
    return total / (last - first) if last > first else math.nan


def plain_mean_over_rolls(values: list[float], weights: list[int]) -> float:
    total = 0.0
    for value, weight in zip(values, weights, strict=True):
        if weight:
            total += weight * value
    return total / sum(weights)


@st.composite
def batches(draw: st.DrawFn) -> tuple[Any, Any]:
    """Values with plenty of equal ones, inf and NaN, and segments, some of them empty."""
    dtype = draw(st.sampled_from(DTYPES))
    few = st.sampled_from([0.0, -0.0, 1.5, 1e30, math.inf, -math.inf, math.nan])
    width: Literal[32, 64] = 32 if dtype is np.float32 else 64
    kind = draw(st.sampled_from([few, st.floats(-1, 1, width=width), st.floats(width=width)]))
    lengths = draw(st.lists(st.one_of(st.just(0), st.integers(0, 20)), max_size=12))
    values = draw(st.lists(kind, min_size=sum(lengths), max_size=sum(lengths)))
    return np.array(values, dtype), np.cumsum([0, *lengths], dtype=np.int64)


@given(batches())
def test_segments_equal_plain_python(batch: tuple[Any, Any]) -> None:
    values, offsets = batch
    listed = [float(value) for value in values]
    pairs = list(pairwise(offsets.tolist()))
    places = [plain_argmax(listed, *pair) for pair in pairs]
    best = [listed[place] if place >= 0 else -math.inf for place in places]
    with np.errstate(over="ignore"):  # a sum of large doubles, as a float32
        means = np.array([plain_mean(listed, *pair) for pair in pairs]).astype(values.dtype)
    found = nardy.segment_argmax(values, offsets)
    assert found.dtype == np.int64 and found.tolist() == places
    largest = nardy.segment_max(values, offsets)
    assert largest.dtype == values.dtype
    np.testing.assert_array_equal(largest, np.array(best, values.dtype))
    mean = nardy.segment_mean(values, offsets)
    assert mean.dtype == values.dtype
    np.testing.assert_array_equal(mean, means)


@given(batches())
def test_segments_equal_numpy_one_by_one(batch: tuple[Any, Any]) -> None:
    values, offsets = batch
    best = nardy.segment_max(values, offsets)
    places = nardy.segment_argmax(values, offsets)
    for i, (first, last) in enumerate(pairwise(offsets)):
        if first == last:
            assert best[i] == -math.inf and places[i] == -1
        else:
            np.testing.assert_array_equal(best[i], values[first:last].max())
            assert places[i] - first == values[first:last].argmax()


@each_dtype
@given(data=st.data())
def test_mean_over_rolls_equals_plain_python(dtype: Any, data: st.DataObject) -> None:
    n, k = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 3))
    floats = st.floats(-100, 100, width=32 if dtype is np.float32 else 64) | st.sampled_from(
        [math.inf, -math.inf, math.nan]
    )
    values = data.draw(some_numpy.arrays(dtype, (n, 21, k), elements=floats))
    weights = data.draw(
        st.none() | st.lists(st.integers(0, 5), min_size=21, max_size=21).filter(any).map(np.array)
    )
    counted = nardy.ROLL_WEIGHTS.tolist() if weights is None else weights.tolist()
    wanted = [
        [plain_mean_over_rolls(values[i, :, c].tolist(), counted) for c in range(k)]
        for i in range(n)
    ]
    found = nardy.mean_over_rolls(values, weights=weights)
    assert found.dtype == dtype and found.shape == (n, k)
    np.testing.assert_array_equal(found, np.array(wanted, np.float64).reshape(n, k).astype(dtype))
    for c in range(k):
        column = np.ascontiguousarray(values[:, :, c])
        for shaped in (column, column.reshape(-1)):
            alone = nardy.mean_over_rolls(shaped, weights=weights)
            np.testing.assert_array_equal(alone, found[:, c])


# --- fixed cases ----------------------------------------------------------------------------------


def test_the_first_of_equals_and_what_an_empty_segment_has() -> None:
    assert nardy.segment_argmax(VALUES, OFFSETS).tolist() == [0, -1, 3]
    assert nardy.segment_max(VALUES, OFFSETS).tolist() == [0.5, -math.inf, 2.0]
    np.testing.assert_array_equal(nardy.segment_mean(VALUES, OFFSETS), [-0.25, math.nan, 1.5])


def test_a_segment_of_minus_inf_is_not_empty() -> None:
    values = np.full(3, -np.inf, np.float32)
    assert nardy.segment_argmax(values, np.array([0, 0, 3])).tolist() == [-1, 0]


@each_dtype
def test_no_segments_and_no_values(dtype: Any) -> None:
    none = np.zeros(0, dtype)
    for function in SEGMENTS.values():
        assert function(none, np.array([0])).shape == (0,)
        assert function(none, np.array([0, 0, 0])).shape == (2,)
    assert nardy.mean_over_rolls(none).shape == (0,)
    assert nardy.mean_over_rolls(np.zeros((0, 21, 5), dtype)).shape == (0, 5)
    assert nardy.mean_over_rolls(np.zeros((2, 21, 0), dtype)).shape == (2, 0)


def test_a_mean_of_float32_is_rounded_once() -> None:
    values = np.full(10_000_019, 0.1, np.float32)  # in float32 the sum would be 1 % off
    assert nardy.segment_mean(values, np.array([0, len(values)]))[0] == np.float32(0.1)


def test_a_segment_longer_than_a_chunk_is_one_segment() -> None:
    values = np.zeros(3 * (1 << 22) + 5, np.float32)
    offsets = np.array([0, 1, len(values)])
    for place in (1, 1 << 22, len(values) - 1):
        values[place] = 2
        assert nardy.segment_argmax(values, offsets).tolist() == [0, place]
        assert nardy.segment_mean(values, offsets)[1] == np.float32(2 / (len(values) - 1))
        values[place] = 0
    values[1 << 22], values[-1] = np.nan, 3
    assert nardy.segment_argmax(values, offsets).tolist() == [0, 1 << 22]


def test_a_roll_without_weight_does_not_count() -> None:
    values = np.where(nardy.opening_weights("short") > 0, 1.0, np.nan)
    assert nardy.mean_over_rolls(values, weights=nardy.opening_weights("short")).tolist() == [1.0]
    assert np.isnan(nardy.mean_over_rolls(values)).all()


def test_read_only_arrays_are_welcome_and_nothing_is_changed() -> None:
    values, offsets = VALUES.copy(), OFFSETS.copy()
    values.flags.writeable = offsets.flags.writeable = False
    for function in SEGMENTS.values():
        function(values, offsets)
    assert values.tolist() == VALUES.tolist() and offsets.tolist() == OFFSETS.tolist()


# --- lookahead of one roll ------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["long", "short"])
def test_lookahead_of_a_batch_equals_a_loop_over_plays(game: str) -> None:
    rows = nardy.random_rows(40, rules=game, seed=11)
    over = nardy.random_rows(400, rules=game, seed=3)
    last = nardy.after_states_all_rolls(over, rules=game)[0]
    rows = np.vstack([rows, last[nardy.outcomes(last, rules=game) != 0][:2]])
    weights = np.random.default_rng(5).normal(size=32)
    after, offsets = nardy.after_states_all_rolls(rows, rules=game)
    values = -(after @ weights)
    best = nardy.segment_max(values, offsets)
    places = nardy.segment_argmax(values, offsets)
    chosen = after[places[places >= 0]]
    np.testing.assert_allclose(-(chosen @ weights), best[places >= 0], rtol=1e-12)
    for i, expected in enumerate(nardy.mean_over_rolls(best)):
        total = 0.0
        for roll, weight in zip(nardy.ROLLS, nardy.ROLL_WEIGHTS, strict=True):
            position = nardy.Position.from_row(rows[i], rules=game)
            plays = position.plays(tuple(map(int, roll))) if not position.is_over else []
            total += weight * max([-(p.after.row @ weights) for p in plays], default=-math.inf)
        assert expected == pytest.approx(total / 36, abs=1e-12)
    assert nardy.mean_over_rolls(best)[-1] == -math.inf


# --- what is refused ------------------------------------------------------------------------------

WRONG_VALUES = [
    (None, TypeError, "NoneType"),
    ([0.5] * 5, TypeError, "list"),
    (np.ma.masked_array(VALUES), TypeError, "MaskedArray"),
    (VALUES.astype(np.float16), TypeError, "float16"),
    (VALUES.astype(np.longdouble), TypeError, "longdouble|float128|float96"),
    (VALUES.astype(np.int64), TypeError, "int64"),
    (VALUES.astype(np.complex128), TypeError, "complex128"),
    (VALUES.astype(object), TypeError, "object"),
    (VALUES.astype(">f8" if sys.byteorder == "little" else "<f8"), TypeError, "dtype [<>]f8"),
    (np.array(0.5), ValueError, r"\(\)"),
    (VALUES[None], ValueError, r"\(1, 5\)"),
    (np.zeros(10)[::2], ValueError, r"strides \(16,\)"),
    (VALUES[::-1], ValueError, r"strides \(-8,\)"),
    (np.broadcast_to(0.5, (2**40,)), ValueError, r"strides \(0,\)"),
    (np.frombuffer(bytes(41), np.uint8)[1:].view(np.float64), ValueError, r"strides \(8,\)"),
]
WRONG_OFFSETS = [
    (None, TypeError, "NoneType"),
    ([0, 2, 5], TypeError, "list"),
    (OFFSETS.astype(np.int32), TypeError, "int32"),
    (OFFSETS.astype(np.uint64), TypeError, "uint64"),
    (OFFSETS.astype(np.float64), TypeError, "float64"),
    (np.zeros(0, np.int64), ValueError, r"\(0,\)"),
    (np.array(5), ValueError, r"\(\)"),
    (OFFSETS[None], ValueError, r"\(1, 4\)"),
    (np.repeat(OFFSETS, 2)[::2], ValueError, r"strides \(16,\)"),
    (np.array([1, 2, 5]), ValueError, "wanted 0 first; got 1"),
    (np.array([-1, 2, 5]), ValueError, "wanted 0 first; got -1"),
    (np.array([0, 3, 2, 5]), ValueError, "got 2 after 3 at 2"),
    (np.array([0, 2**62, -(2**62), 5]), ValueError, f"got {-(2**62)} after {2**62} at 2"),
    (np.array([0, 9, 5]), ValueError, "got 5 after 9 at 2"),
    (np.array([0]), ValueError, "wanted 5 last, the number of values; got 0"),
    (np.array([0, 4]), ValueError, "wanted 5 last, the number of values; got 4"),
    (np.array([0, 6]), ValueError, "wanted 5 last, the number of values; got 6"),
    (np.array([0, 2, 2**62]), ValueError, "wanted 5 last"),
]


@each_segment_function
@pytest.mark.parametrize(("values", "error", "came"), WRONG_VALUES)
def test_wrong_values_are_refused(function: Any, values: Any, error: Any, came: str) -> None:
    with pytest.raises(error, match=rf"values: wanted .*({came})"):
        function(values, OFFSETS)


@each_segment_function
@pytest.mark.parametrize(("offsets", "error", "came"), WRONG_OFFSETS)
def test_wrong_offsets_are_refused(function: Any, offsets: Any, error: Any, came: str) -> None:
    with pytest.raises(error, match=rf"offsets: .*{came}"):
        function(VALUES, offsets)


@pytest.mark.parametrize(
    ("values", "error", "came"),
    [
        (None, TypeError, "NoneType"),
        (np.zeros(21, np.int64), TypeError, "int64"),
        (np.zeros(22), ValueError, r"\(22,\)"),
        (np.array(0.5), ValueError, r"\(\)"),
        (np.zeros((42, 5)), ValueError, r"\(42, 5\)"),
        (np.zeros((21, 2)), ValueError, r"\(21, 2\)"),
        (np.zeros((2, 20, 5)), ValueError, r"\(2, 20, 5\)"),
        (np.zeros((1, 2, 21, 1)), ValueError, r"\(1, 2, 21, 1\)"),
        (np.zeros((21, 4)).T, ValueError, "strides"),
    ],
)
def test_wrong_values_of_rolls_are_refused(values: Any, error: Any, came: str) -> None:
    with pytest.raises(error, match=f"values: wanted .*{came}"):
        KERNEL.mean_over_rolls(values)


@pytest.mark.parametrize(
    ("weights", "error", "came"),
    [
        ([1] * 21, TypeError, "list"),
        (np.ones(21), TypeError, "float64"),
        (np.ones(20, np.int64), ValueError, r"\(20,\)"),
        (np.ones((1, 21), np.int64), ValueError, r"\(1, 21\)"),
        (np.zeros(21, np.int64), ValueError, r"\[0, 0"),
        (np.array([2] * 20 + [-1]), ValueError, r"-1\]"),
    ],
)
def test_wrong_weights_are_refused(weights: Any, error: Any, came: str) -> None:
    with pytest.raises(error, match=f"weights: wanted .*{came}"):
        KERNEL.mean_over_rolls(np.zeros(21), weights=weights)


# --- beside others --------------------------------------------------------------------------------


def test_the_gil_is_released_meanwhile() -> None:
    values = np.zeros(60_000_000, np.float32)
    offsets = np.array([0, len(values)])
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = time.monotonic()
    nardy.segment_mean(values, offsets)
    after = time.monotonic()
    done.set()
    thread.join()
    assert sum(before < moment < after for moment in ticks) >= 3


CHILD = """
import os, signal, threading, time
import numpy as np
import nardy

values = np.zeros(100_000_000, np.float32)
offsets = {"one": np.array([0, len(values)]), "empty": np.zeros(40_000_001, np.int64)}[KIND]
values = values if KIND == "one" else values[:0]
sent = []

def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.02, interrupt).start()
try:
    while True:
        nardy.segment_argmax(values, offsets)
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal as POSIX does")
@pytest.mark.parametrize("kind", ["one", "empty"])
def test_ctrl_c_ends_a_call_soon(kind: str) -> None:
    for _ in range(3):  # on a busy machine one of them will be undisturbed
        child = subprocess.run(
            [sys.executable, "-c", f"KIND = {kind!r}\n{CHILD}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert child.returncode == 0, child.stderr
        if float(child.stdout) < 0.2:
            return
    raise AssertionError(f"ended {child.stdout} seconds after Ctrl-C")
