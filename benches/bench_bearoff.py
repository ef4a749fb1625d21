"""How fast bear-offs are solved and looked up. Each bench asserts exact values of what it made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy.bearoff import OneSided, TwoSided, placement_count, placements

ROWS = 1 << 20

# What the tables add up to, and what the rows below must give.
MEANS = 394310.933338
EQUITIES = [483265.8984, 644554.7978, 601289.736, 522798.0396]
MEAN_ROWS = 7619260.9793
WIN_ROWS = 672996.8492
RACES = {"long": 116_280, "short": 136_792}

both_games = pytest.mark.parametrize("game", ["long", "short"])


def races(game: str, checkers: int) -> NDArray[np.int8]:
    """Rows with random placements of both sides at home: met in no order that a cache knows."""
    rng = np.random.default_rng(1)
    numbers = rng.integers(1, placement_count(6, checkers), (2, ROWS))
    own, opponent = (placements(side, points=6) for side in numbers)
    rows = np.zeros((ROWS, 32), np.int8)
    rows[:, 1:7] = own
    columns = [p + 12 if game == "long" else 25 - p for p in range(1, 7)]
    rows[:, columns] = -opponent
    rows[:, 0], rows[:, 26] = 15 - own.sum(axis=1), 15 - opponent.sum(axis=1)
    return rows


@pytest.mark.benchmark(group="one-sided 6 x 15, both distributions")
@pytest.mark.parametrize("threads", [1, 2])
def bench_one_sided(benchmark: Any, threads: int) -> None:
    table = benchmark(OneSided.build, 6, 15, threads=threads)
    assert table.data[38760, 0].round(6) == 6.979592
    assert table.data[:, 0].sum().round(6) == MEANS
    benchmark.extra_info["placements"] = len(table.data)


@pytest.mark.benchmark(group="two-sided 6 x 6, four equities")
@pytest.mark.parametrize("threads", [1, 2])
def bench_two_sided(benchmark: Any, threads: int) -> None:
    pairs = benchmark(TwoSided.build, 6, 6, threads=threads)
    assert np.abs(pairs.data[1:, 1:]).sum(axis=(0, 1)).round(4).tolist() == EQUITIES
    benchmark.extra_info["pairs"] = len(pairs.data) ** 2


@pytest.mark.benchmark(group="means looked up")
@both_games
def bench_mean(benchmark: Any, game: str) -> None:
    table = OneSided.build(6, 15, game)
    assert benchmark(table.mean, races(game, 15)).sum().round(4) == MEAN_ROWS
    benchmark.extra_info["rows"] = ROWS


@pytest.mark.benchmark(group="chances to win looked up, two-sided")
@both_games
def bench_win(benchmark: Any, game: str) -> None:
    pairs = TwoSided.build(6, 6, game)
    assert benchmark(pairs.win, races(game, 6)).sum().round(4) == WIN_ROWS
    benchmark.extra_info["rows"] = ROWS


@pytest.mark.benchmark(group="which rows are races")
@both_games
def bench_is_race(benchmark: Any, game: str) -> None:
    rows = nardy.random_rows(ROWS, rules=game, seed=7)
    assert benchmark(nardy.is_race, rows, rules=game).sum() == RACES[game]
    benchmark.extra_info["rows"] = ROWS
