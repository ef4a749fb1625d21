"""How long the Python face takes: what a notebook or a server calls for one position at a time.

Over 2,000 positions of uniform random play, each with its own roll. ``min / calls`` is the time of
one call; every bench asserts what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import nardy

POSITIONS = 2000

# What the seeds below must give.
PLAYS = {"long": 19_006, "short": 40_908}


class Case(NamedTuple):
    """Positions with rolls, and of each the plays, one in words, and the turn just begun."""

    pairs: list[tuple[nardy.Position, tuple[int, int]]]
    plays: list[nardy.Plays]
    texts: list[str]
    turns: list[nardy.Turn]


@pytest.fixture(scope="module", params=["long", "short"])
def case(request: pytest.FixtureRequest) -> Case:
    rules = nardy.rules(request.param)
    rng = np.random.default_rng(1)
    rows = nardy.random_rows(POSITIONS, rules=rules, seed=7)
    positions = [nardy.Position.from_row(row, rules=rules) for row in rows]
    pairs = [
        (position, (int(rng.integers(1, 7)), int(rng.integers(1, 7)))) for position in positions
    ]
    plays = [position.plays(roll) for position, roll in pairs]
    texts = [str(each[int(rng.integers(len(each)))]) for each in plays]
    return Case(pairs, plays, texts, [nardy.Turn(*pair) for pair in pairs])


def timed(benchmark: Any, work: Callable[[], int]) -> int:
    benchmark.extra_info["calls"] = POSITIONS
    return int(benchmark(work))


@pytest.mark.benchmark(group="face: position.plays(roll), len")
def bench_plays(benchmark: Any, case: Case) -> None:
    total = timed(benchmark, lambda: sum(len(p.plays(roll)) for p, roll in case.pairs))
    assert total == PLAYS[case.pairs[0][0].rules.game]


@pytest.mark.benchmark(group="face: position.plays(roll)[0]")
def bench_first_play(benchmark: Any, case: Case) -> None:
    found = timed(benchmark, lambda: sum(p.plays(roll)[0] is not None for p, roll in case.pairs))
    assert found == POSITIONS


@pytest.mark.benchmark(group="face: text in plays")
def bench_text_in_plays(benchmark: Any, case: Case) -> None:
    both = list(zip(case.texts, case.plays, strict=True))
    assert timed(benchmark, lambda: sum(text in plays for text, plays in both)) == POSITIONS


@pytest.mark.benchmark(group="face: plays.find(text)")
def bench_find(benchmark: Any, case: Case) -> None:
    both = list(zip(case.texts, case.plays, strict=True))
    found = timed(benchmark, lambda: sum(plays.find(text) in plays for text, plays in both))
    assert found == POSITIONS


@pytest.mark.benchmark(group="face: Turn(position, roll)")
def bench_turn(benchmark: Any, case: Case) -> None:
    assert (
        timed(benchmark, lambda: sum(bool(nardy.Turn(*pair).roll) for pair in case.pairs))
        == POSITIONS
    )


@pytest.mark.benchmark(group="face: turn.sources and targets, combined")
def bench_targets(benchmark: Any, case: Case) -> None:
    open_turns = [(turn, turn.sources()[0]) for turn in case.turns if turn.sources()]
    expected = sum(len(turn.targets(at, combined=True)) for turn, at in open_turns)
    benchmark.extra_info["calls"] = len(open_turns)
    assert (
        benchmark(lambda: sum(len(t.targets(at, combined=True)) for t, at in open_turns))
        == expected
    )
    assert expected > len(open_turns)


@pytest.mark.benchmark(group="face: turn.move and undo")
def bench_move(benchmark: Any, case: Case) -> None:
    both = zip(case.turns, case.plays, strict=True)
    moves = [(turn, plays[0].steps[0]) for turn, plays in both if plays[0].steps]

    def back_and_forth() -> int:
        for turn, step in moves:
            turn.move(*step)
        return sum(turn.undo() == step for turn, step in moves)

    benchmark.extra_info["calls"] = len(moves)
    assert benchmark(back_and_forth) == len(moves)


@pytest.mark.benchmark(group="face: turn.forced")
def bench_forced(benchmark: Any, case: Case) -> None:
    forced = timed(benchmark, lambda: sum(bool(turn.forced()) for turn in case.turns))
    ways = zip(case.turns, case.plays, strict=True)
    assert forced == sum(len(plays) == 1 and not turn.is_complete for turn, plays in ways)


@pytest.mark.benchmark(group="face: half_moves of a batch, rows")
def bench_half_moves(benchmark: Any, case: Case) -> None:
    rows = np.array([position.row for position, _ in case.pairs])
    rolls = np.array([roll for _, roll in case.pairs], np.int8)
    rules = case.pairs[0][0].rules
    masks, _ = benchmark(nardy.half_moves, rows, rolls, rules=rules)
    benchmark.extra_info["calls"] = POSITIONS
    assert masks[:, 150].sum() == sum(turn.is_complete for turn in case.turns)
