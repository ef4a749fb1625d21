"""Games played in lock step, turn by turn, by a chosen manner of play.

Uniform play hardly ever meets a block, a wide choice or men on both bars; the other manners do.
Whoever generates the after-states is a parameter: kernel or reference.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nardy.board import BAR, opponent_point
from nardy.options import Rules
from proof.boards import start

Rows = npt.NDArray[np.int8]
Offsets = npt.NDArray[np.int64]
Scores = npt.NDArray[Any]  # numbers, one an after-state
Score = Callable[[Rows, Rules], Scores]
"""Values after-states (rows as the *next* side sees them) for the side that has just moved."""


class AfterStates(Protocol):
    """What kernel and reference have in common."""

    def __call__(self, rows: Rows, rolls: Rows, /, *, rules: Rules) -> tuple[Rows, Offsets]:
        """Return all after-states and where those of each row begin."""


@dataclass(frozen=True)
class Turn:
    """One turn of all games that are still running."""

    games: npt.NDArray[np.intp]
    """Which games they are."""
    rows: Rows
    rolls: Rows
    after: Rows
    offsets: Offsets
    chosen: Rows
    """The after-state that was played, as the next side sees it."""


def longest_run(occupied: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Length of the longest run of True along the columns."""
    run = np.zeros(len(occupied), np.int64)
    best = run.copy()
    for column in occupied.T:
        run = (run + 1) * column
        np.maximum(best, run, out=best)
    return best


def indifferent(rows: Rows, rules: Rules) -> Scores:
    """Every after-state is as good as another."""
    return np.zeros(len(rows))


def runs(rows: Rows, rules: Rules) -> Scores:
    """Prefer the longest run on the opponent's way, then the most points held (rule 5)."""
    held = rows[:, 1:25] < 0
    scores: Scores = 3 * longest_run(held) + held.sum(axis=1)
    return scores


def most_points(rows: Rows, rules: Rules) -> Scores:
    """Prefer the most points held: wide choices later on."""
    scores: Scores = (rows[:, 1:25] < 0).sum(axis=1)
    return scores


def hold_back(rows: Rows, rules: Rules) -> Scores:
    """Prefer the most men left in the first quarter, so that nobody is past a block."""
    back = [column for column in range(1, 25) if opponent_point(rules.game, column) > 18]
    scores: Scores = -np.minimum(rows[:, back], 0).sum(axis=1)
    return scores


def safe_points(rows: Rows, rules: Rules) -> Scores:
    """Prefer points made, few blots, hits when there are any."""
    board = rows[:, 1:25]
    made, alone = (board < -1).sum(axis=1), (board == -1).sum(axis=1)
    scores: Scores = 2 * made - alone + rows[:, BAR]
    return scores


def hits(rows: Rows, rules: Rules) -> Scores:
    """Prefer as many opposing men on the bar as can be."""
    return rows[:, BAR]


MANNERS: Mapping[str, Mapping[str, tuple[Score, Score]]] = {
    "long": {
        "random": (indifferent, indifferent),
        "starter_builds": (runs, hold_back),
        "second_builds": (hold_back, runs),
        "both_build": (runs, runs),
        "wide": (most_points, most_points),
    },
    "short": {
        "random": (indifferent, indifferent),
        "points": (safe_points, safe_points),
        "hits": (hits, hits),
        "points_and_hits": (safe_points, hits),
        "prime": (runs, hold_back),
    },
}
"""Game -> name -> how the starter and the second player choose."""


def choose(
    after: Rows, offsets: Offsets, score: Score, rules: Rules, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Pick the best after-state of each segment, any of them if several are; index of its row."""
    first, counts = offsets[:-1], np.diff(offsets)
    if score is indifferent:
        return first + (rng.random(len(first)) * counts).astype(np.int64)
    values = score(after, rules) + 0.5 * rng.random(len(after))
    best = np.repeat(np.maximum.reduceat(values, first), counts)
    where = np.flatnonzero(values == best)
    return where[np.searchsorted(where, first)]


def play(
    after_states: AfterStates,
    rules: Rules,
    manner: str,
    games: int,
    rng: np.random.Generator,
    turns: int,
) -> Iterator[Turn]:
    """Play games from the start and yield each turn of those still running, `turns` at most.

    Raises
    ------
    AssertionError
        A running game has no after-state.
    """
    rows = np.tile(start(rules), (games, 1))
    running = np.arange(games)
    for turn in range(turns):
        rolls = rng.integers(1, 7, (len(rows), 2), dtype=np.int8)
        after, offsets = after_states(rows, rolls, rules=rules)
        assert (np.diff(offsets) > 0).all(), "a running game has no after-state"
        chosen = after[choose(after, offsets, MANNERS[rules.game][manner][turn % 2], rules, rng)]
        yield Turn(running, rows, rolls, after, offsets, chosen)
        goes_on = (chosen[:, 0] < rules.checkers) & (chosen[:, 26] < rules.checkers)
        rows, running = chosen[goes_on], running[goes_on]
        if not len(rows):
            return
