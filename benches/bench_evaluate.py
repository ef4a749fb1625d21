"""How fast boards are valued, and turned into inputs of networks.

Rows a second are ``rows / min``. The product of a dense first layer with the same inputs stands
beside it: what the table of the kernel is measured against.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nardy
from nardy.networks import input_lines

ROWS = 50_000
DENSE = 4_096


@pytest.fixture(scope="module", params=["long", "short"])
def rules(request: pytest.FixtureRequest) -> nardy.Rules:
    return nardy.rules(request.param)


@pytest.fixture(scope="module")
def rows(rules: nardy.Rules) -> Any:
    return nardy.random_rows(ROWS, rules=rules, seed=1)


@pytest.mark.benchmark(group="evaluate: rows through the shipped network")
def bench_network(benchmark: Any, rules: nardy.Rules, rows: Any) -> None:
    network = nardy.network(rules)
    values = benchmark(network, rows)
    benchmark.extra_info["rows"] = ROWS
    benchmark.extra_info["units"] = len(network.bias)
    assert values.shape == (ROWS, 5)


@pytest.mark.benchmark(group="evaluate: the same first layer as a product")
def bench_product(benchmark: Any, rules: nardy.Rules, rows: Any) -> None:
    table = nardy.network(rules).table
    inputs = np.zeros((DENSE, len(table)), np.float32)
    inputs[input_lines(rows[:DENSE])] = 1
    hidden = benchmark(lambda: inputs @ table)
    benchmark.extra_info["rows"] = DENSE
    assert hidden.shape == (DENSE, table.shape[1])


@pytest.mark.benchmark(group="evaluate: inputs")
@pytest.mark.parametrize("kind", ["counts", "tesauro", "long"])
def bench_features(benchmark: Any, rules: nardy.Rules, rows: Any, kind: Any) -> None:
    if kind == "long" and rules.game == "short":
        pytest.skip("inputs of long nardy")
    out = np.empty((ROWS, len(nardy.FEATURES[kind])), np.float32)
    found = benchmark(lambda: nardy.features(rows, kind, rules=rules, out=out))
    benchmark.extra_info["rows"] = ROWS
    assert found.shape == out.shape


@pytest.mark.benchmark(group="evaluate: a choice, with lookahead")
@pytest.mark.parametrize("plies", [0, 1, 2])
def bench_choice(benchmark: Any, rules: nardy.Rules, rows: Any, plies: int) -> None:
    bot = nardy.Bot(nardy.network(rules), plies=plies)
    boards = rows[nardy.outcomes(rows, rules=rules) == 0][:: ROWS // 8][:8]
    rolls = np.array([[2, 1], [6, 5], [4, 3], [6, 1], [3, 3], [5, 2], [6, 4], [5, 3]], np.int8)
    chosen = benchmark(
        lambda: [bot.choose_rows(boards[i : i + 1], rolls[i : i + 1]) for i in range(len(boards))]
    )
    benchmark.extra_info["choices"] = len(boards)
    assert len(chosen) == 8


@pytest.mark.benchmark(group="evaluate: games of two bots")
def bench_duel(benchmark: Any, rules: nardy.Rules) -> None:
    one, other = nardy.Bot(nardy.network(rules)), nardy.Bot(nardy.Pips(rules))
    found = benchmark.pedantic(lambda: nardy.duel(one, other, games=256, seed=1), rounds=3)
    benchmark.extra_info["games"] = 256
    assert found.games == 256 and found.wins.share > 0.9
