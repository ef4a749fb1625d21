"""How fast the kernel is, from Python, on rows of uniform random play, visited once a round.

Every bench asserts the exact count that it produced: a fast wrong answer fails. ``extra_info``
holds the work of one round, so that ``count / min`` is the rate; compare minima, in one run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy

ROWS = 1 << 17
GAMES = 2000

# What the seeds below must give: (long, short).
STATES = {"long": 1_345_490, "short": 2_460_323}
ALL_STATES = {"long": 4_445_623, "short": 9_237_643}
LEAVES = {"long": 47_291_742, "short": 231_969_979}
LEAVES_OF_TEN = {"long": 102_970_976, "short": 1_552_307_019}
TURNS = {"long": 191_301, "short": 193_659}

both_games = pytest.mark.parametrize("game", ["long", "short"])


@pytest.fixture(scope="module")
def rows() -> dict[str, NDArray[np.int8]]:
    return {game: nardy.random_rows(ROWS, rules=game, seed=7) for game in ("long", "short")}


@pytest.fixture(scope="module")
def rolls() -> NDArray[np.int8]:
    """One roll a row, as dice fall."""
    return np.random.default_rng(1).integers(1, 7, (ROWS, 2), dtype=np.int8)


def note(benchmark: Any, what: str, count: int) -> None:
    benchmark.extra_info[what] = count


@pytest.mark.benchmark(group="after-states, natural dice, out= reused")
@both_games
def bench_after_states_reused(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    out = np.empty((STATES[game] + 4096, 32), np.int8)
    after, _ = benchmark(nardy.after_states, rows[game], rolls, rules=game, out=out)
    assert len(after) == STATES[game]
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="as many rows copied: what the machine can store")
@both_games
def bench_store(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    after, _ = nardy.after_states(rows[game], rolls, rules=game)
    out = np.empty((STATES[game] + 4096, 32), np.int8)[: len(after)]
    benchmark(np.copyto, out, after)
    assert len(out) == STATES[game] and (out[-1] == after[-1]).all()
    note(benchmark, "rows", len(after))


@pytest.mark.benchmark(group="after-states, natural dice, fresh output")
@both_games
def bench_after_states_fresh(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    after, _ = benchmark(nardy.after_states, rows[game], rolls, rules=game)
    assert len(after) == STATES[game]
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="after-states, natural dice, fresh output of up to 16 MB")
@both_games
def bench_after_states_fresh_small(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    some, dice = rows[game][:25000], rolls[:25000]
    expected = int(nardy.counts(some, dice, rules=game).sum())
    after, _ = benchmark(nardy.after_states, some, dice, rules=game)
    assert len(after) == expected
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="after-states, natural dice, out= reused, of up to 16 MB")
@both_games
def bench_after_states_reused_small(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    some, dice = rows[game][:25000], rolls[:25000]
    expected = int(nardy.counts(some, dice, rules=game).sum())
    out = np.empty((expected + 4096, 32), np.int8)
    after, _ = benchmark(nardy.after_states, some, dice, rules=game, out=out)
    assert len(after) == expected
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="after-states, natural dice, out= reused, two threads")
@both_games
def bench_after_states_two_threads(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    out = np.empty((STATES[game] + 4096, 32), np.int8)
    after, _ = benchmark(nardy.after_states, rows[game], rolls, rules=game, out=out, threads=2)
    assert len(after) == STATES[game]
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="after-states, all 21 rolls, out= reused")
@both_games
def bench_all_rolls(benchmark: Any, game: str, rows: Any) -> None:
    some = rows[game][:20000]
    out = np.empty((ALL_STATES[game] + 32768, 32), np.int8)
    after, _ = benchmark(nardy.after_states_all_rolls, some, rules=game, out=out)
    assert len(after) == ALL_STATES[game]
    note(benchmark, "after-states", len(after))


@pytest.mark.benchmark(group="counts of all 21 rolls")
@both_games
def bench_counts(benchmark: Any, game: str, rows: Any) -> None:
    counts = benchmark(nardy.counts_all_rolls, rows[game][:20000], rules=game)
    assert counts.sum() == ALL_STATES[game]
    note(benchmark, "pairs", counts.size)


@pytest.mark.benchmark(group="perft(2) of 1,000 positions")
@both_games
def bench_perft(benchmark: Any, game: str, rows: Any) -> None:
    def leaves() -> int:
        return sum(nardy.perft(row, 2, rules=game) for row in rows[game][:1000])

    assert benchmark(leaves) == LEAVES[game]
    note(benchmark, "leaves", LEAVES[game])


def leaves_of_ten(game: str, rows: Any, threads: int) -> int:
    # perft shares the boards after the first turn: less than three turns are one thread's work.
    ten = rows[game][:1000:100]
    return sum(nardy.perft(row, 3, rules=game, threads=threads) for row in ten)


@pytest.mark.benchmark(group="perft(3) of ten positions")
@both_games
def bench_perft_three(benchmark: Any, game: str, rows: Any) -> None:
    assert benchmark(leaves_of_ten, game, rows, 1) == LEAVES_OF_TEN[game]
    note(benchmark, "leaves", LEAVES_OF_TEN[game])


@pytest.mark.benchmark(group="perft(3) of ten positions, two threads")
@both_games
def bench_perft_three_two_threads(benchmark: Any, game: str, rows: Any) -> None:
    assert benchmark(leaves_of_ten, game, rows, 2) == LEAVES_OF_TEN[game]
    note(benchmark, "leaves", LEAVES_OF_TEN[game])


@pytest.mark.benchmark(group="uniform random playouts")
@both_games
def bench_playouts(benchmark: Any, game: str) -> None:
    starts = np.repeat(nardy.Position.start(game).row[np.newaxis], GAMES, axis=0)
    games = benchmark(nardy.playouts, starts, rules=game, seed=3)
    assert games.turns.sum() == TURNS[game]
    note(benchmark, "games", GAMES)


@pytest.mark.benchmark(group="counts of all 21 rolls, two threads")
@both_games
def bench_counts_two_threads(benchmark: Any, game: str, rows: Any) -> None:
    counts = benchmark(nardy.counts_all_rolls, rows[game][:20000], rules=game, threads=2)
    assert counts.sum() == ALL_STATES[game]
    note(benchmark, "pairs", counts.size)


@pytest.mark.benchmark(group="uniform random playouts, two threads")
@both_games
def bench_playouts_two_threads(benchmark: Any, game: str) -> None:
    starts = np.repeat(nardy.Position.start(game).row[np.newaxis], GAMES, axis=0)
    games = benchmark(nardy.playouts, starts, rules=game, seed=3, threads=2)
    assert games.turns.sum() == TURNS[game]
    note(benchmark, "games", GAMES)


@pytest.mark.benchmark(group="one position a call")
@both_games
def bench_one_pair(benchmark: Any, game: str, rows: Any, rolls: Any) -> None:
    pairs = [(rows[game][i : i + 1], rolls[i : i + 1]) for i in range(10000)]

    def calls() -> int:
        after_states = nardy.after_states
        return sum(len(after_states(row, roll, rules=game)[0]) for row, roll in pairs)

    expected = int(nardy.counts(rows[game][:10000], rolls[:10000], rules=game).sum())
    assert benchmark(calls) == expected
    note(benchmark, "pairs", len(pairs))


@pytest.mark.benchmark(group="after-states under other options")
@pytest.mark.parametrize(
    "options",
    [
        {"block_check": "turn_end"},
        {"block": "home"},
        {"head": "any_double"},
        {"bearoff_mandatory": True},
        {"bearoff_overshoot": "any"},
    ],
    ids=lambda options: "-".join(map(str, *options.items())),
)
def bench_options(benchmark: Any, options: dict[str, Any], rows: Any, rolls: Any) -> None:
    rules = nardy.LONG.replace(**options)
    expected = int(nardy.counts(rows["long"], rolls, rules=rules).sum())
    out = np.empty((expected + 4096, 32), np.int8)
    after, _ = benchmark(nardy.after_states, rows["long"], rolls, rules=rules, out=out)
    assert len(after) == expected
    note(benchmark, "after-states", len(after))
