"""Whole games under a set of rules: what must hold at every turn, and how games end."""

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

import nardy
from nardy.options import Rules
from proof import invariants
from proof.boards import start
from proof.walks import Rows, play

Counts = npt.NDArray[Any]  # turns or points, one a game

MOST_TURNS = 10_000
"""No uniform game has been seen to need nearly as many."""

MOST_ERRORS = 5.0
"""Standard errors by which two samples of the same games may differ."""


@dataclass
class Games:
    """What came of some games; two reports of the same rules add up."""

    games: int = 0
    turns: int = 0
    turns_squared: int = 0
    longest: int = 0
    outcomes: dict[int, int] = field(default_factory=dict)
    """Points of the starter -> games."""

    def __add__(self, other: "Games") -> "Games":
        return Games(
            self.games + other.games,
            self.turns + other.turns,
            self.turns_squared + other.turns_squared,
            max(self.longest, other.longest),
            dict(Counter(self.outcomes) + Counter(other.outcomes)),
        )

    @property
    def mean_turns(self) -> float:
        """Mean length of a game in turns, passes counted."""
        return self.turns / self.games

    @property
    def variance(self) -> float:
        """Variance of the length of a game."""
        return self.turns_squared / self.games - self.mean_turns**2


def tally(turns: Counts, points: Counts) -> Games:
    """Sum up the lengths of games and the points of their starters."""
    wide = turns.astype(np.int64)
    values, counts = np.unique(points, return_counts=True)
    return Games(
        len(wide),
        int(wide.sum()),
        int((wide**2).sum()),
        int(wide.max()),
        dict(zip(values.tolist(), counts.tolist(), strict=True)),
    )


def walk(rules: Rules, games: int, seed: list[int]) -> Games:
    """Play uniform games turn by turn through the batch functions and check each board.

    Raises
    ------
    AssertionError
        Something does not hold, with the rules and the board.
    """
    rng = np.random.default_rng(seed)
    lengths, points = np.zeros(games, np.int64), np.zeros(games, np.int64)
    turns = play(nardy.after_states, rules, "random", games, rng, MOST_TURNS)
    for number, turn in enumerate(turns):
        check_boards(turn.chosen, rules)
        now = nardy.outcomes(turn.chosen, rules=rules)
        over = now != 0
        lengths[turn.games[over]] = number + 1
        # The board is seen by the next side to roll: the second player after an even turn number.
        points[turn.games[over]] = now[over] * (-1 if number % 2 == 0 else 1)
    assert points.all(), f"a game did not end within {MOST_TURNS} turns under {rules!r}"
    return tally(lengths, points)


def check_boards(rows: Rows, rules: Rules) -> None:
    """Hold boards that a turn has left, as the next side sees them, to what must always be so."""
    seen = invariants.flipped(rows, rules)
    _all_hold(invariants.valid(rows, rules), "checkers a side, places", rows, rules)
    for side in (rows, seen):
        _all_hold(~invariants.forbidden(side, rules), "no forbidden block", rows, rules)
    _all_hold((nardy.flip(rows, rules=rules) == seen).all(axis=1), "flip", rows, rules)
    points = nardy.outcomes(rows, rules=rules)
    _all_hold(points == invariants.outcomes(rows, rules), "outcome", rows, rules)
    _all_hold(nardy.outcomes(seen, rules=rules) == -points, "zero sum", rows, rules)
    _all_hold(points <= 0, "only who has just moved can have won", rows, rules)


def _all_hold(flags: npt.NDArray[np.bool_], what: str, rows: Rows, rules: Rules) -> None:
    if not flags.all():
        first = int(np.argmin(flags))
        raise AssertionError(f"{what}: {rows[first].tolist()} under {rules!r}")


def playouts(rules: Rules, games: int, seed: int, first: int = 0, threads: int = 1) -> Games:
    """Play uniform games inside the kernel.

    Raises
    ------
    AssertionError
        A game has no end, an impossible length, or points that the rules do not know.
    """
    rows = np.tile(start(rules), (games, 1))
    result = nardy.playouts(rows, rules=rules, seed=seed, first=first, threads=threads)
    worth = {1, 2} if rules.game == "long" and rules.koks == "none" else {1, 2, 3}
    assert set(np.abs(result.outcomes).tolist()) <= worth, f"points of {rules!r}"
    assert result.turns.min() >= 1, f"turns of {rules!r}"
    assert result.turns.max() <= MOST_TURNS, f"turns of {rules!r}"
    # Who has just moved has won: the starter moves at turns 1, 3, 5 ...
    starter_moved_last = result.turns % 2 == 1
    assert np.array_equal(result.outcomes > 0, starter_moved_last), f"winners of {rules!r}"
    return tally(result.turns, result.outcomes)


def differ(one: Games, other: Games) -> str | None:
    """Say in what two samples of games differ by more than chance, or None."""
    gap = abs(one.mean_turns - other.mean_turns)
    error = sqrt(one.variance / one.games + other.variance / other.games)
    if gap > MOST_ERRORS * error:
        return f"mean turns {one.mean_turns:.3f} and {other.mean_turns:.3f}"
    for points in one.outcomes | other.outcomes:
        a, b = one.outcomes.get(points, 0), other.outcomes.get(points, 0)
        share = (a + b) / (one.games + other.games)
        error = sqrt(share * (1 - share) * (1 / one.games + 1 / other.games))
        if abs(a / one.games - b / other.games) > MOST_ERRORS * error:
            return f"{points:+d} in {a} of {one.games} and {b} of {other.games} games"
    return None
