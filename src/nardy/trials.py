"""Trials: the games of a rollout, played side by side by one evaluator for both sides.

Vocabulary
----------
subject
    A board whose worth is asked. A trial plays one game from each subject, on the same dice, so
    that what the dice do for all of them alike does not count when they are compared.
trial i
    Its dice are those of game i of the seed (``nardy.chance``), but that the first throw is number
    ``i % 36``: any 36 trials that follow each other begin with every throw once.
side 0
    The side to roll on the subjects. All games stand at the same turn, so one side rolls in all.
luck
    What the best after-state of a roll is worth, less the mean of that over all rolls: by the
    evaluator. It is 0 in the mean, whatever the evaluator says, so what is left when a game's
    luck is taken from its result has the same mean, and varies much less.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.board import OFF, OPPONENT_OFF
from nardy.chance import THROWS, Chances
from nardy.dice import ROLLS
from nardy.exact import Tables
from nardy.nardy_core import (
    after_states,
    after_states_all_rolls,
    flip,
    mean_over_rolls,
    outcomes,
    playouts,
    segment_argmax,
)
from nardy.options import Rules
from nardy.players import Uniform
from nardy.plays import never_moves
from nardy.stakes import Stakes
from nardy.values import CHANCES, Evaluator, asked, turned

__all__ = ["NUMBERS", "SET", "UNIT", "Job"]

SET: Final = len(THROWS)
"""Trials that together begin with every throw once: 36."""

UNIT: Final = 2**32
"""A value is kept as a whole number of these parts of a point: sums are exact in any order."""

NUMBERS: Final = 1 + len(CHANCES)
"""Numbers of a game: what it was worth at the stakes, and the five chances, to side 0."""

# Games worked on at once: some 20,000 after-states, a megabyte or less.
_AT_ONCE: Final = 1024
_ALL_ROLLS_AT_ONCE: Final = 64
_MOST_OFF: Final = 4  # men that one roll can bear off
# So often it is asked whether anybody can ever move again.
_TURNS_TO_LOOK: Final = 512
_LARGEST: Final = 2.0**30  # of a value in points: cubes never come there

# Chances by outcome: -3..3, none for 0.
_CHANCES_OF: Final = np.array(
    [[0, 0, 0, 1, 1], [0, 0, 0, 1, 0], [0] * 5, [0] * 5, [1, 0, 0, 0, 0], [1, 1, 0, 0, 0],
     [1, 1, 1, 0, 0]], np.float64
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be rolled out: all that a trial depends on but its number.

    A job can be pickled if its evaluator can; :meth:`play` is the same wherever it is called.
    """

    rows: NDArray[np.int8]
    """int8 (k, 32): the subjects, as side 0 sees them, which rolls."""
    rules: Rules
    evaluator: Evaluator
    seed: int
    stakes: Stakes
    truncate: int | None
    """Turns after which a game is valued by the evaluator; None: never."""
    variance_reduction: bool
    tables: Tables | None
    """Where these hold a board, the game ends with what they say."""
    may_double_first: bool
    """Whether side 0 may offer a double before its first roll."""

    def play(
        self, first: int, last: int, stopped: Callable[[], bool] | None = None
    ) -> NDArray[np.int64]:
        """Play trials `first` .. `last` - 1: int64 (trials, k, 6), in parts of ``1 / UNIT``.

        Raises
        ------
        TypeError, ValueError
            Of an evaluator that breaks its contract; of a board from which nobody can ever move.
        InterruptedError
            `stopped` returned True: it is asked at every turn.
        """
        if isinstance(self.evaluator, Uniform):
            values = self._uniform(first, last)
        else:
            games = _Games(self, first, last)
            while len(games.running):
                if stopped is not None and stopped():
                    raise InterruptedError("the rollout was interrupted")
                games.play_turn()
            values = games.values
        if not (np.abs(values) <= _LARGEST).all():  # NaN neither
            raise ValueError(
                f"evaluator: by its values a game came to more than {_LARGEST:,.0f} points"
            )
        kept: NDArray[np.int64] = np.rint(values * UNIT).astype(np.int64)
        return kept.reshape(last - first, len(self.rows), NUMBERS)

    def _uniform(self, first: int, last: int) -> NDArray[np.float64]:
        """Play at random: the games of ``nardy.playouts``, on their own dice from the start."""
        n, k = last - first, len(self.rows)
        values = np.empty((n, k, NUMBERS))
        for subject, row in enumerate(self.rows):
            ends = playouts(
                np.tile(row, (n, 1)), rules=self.rules, seed=self.seed, first=first
            ).outcomes
            values[:, subject, 0] = self.stakes.settled(ends, *_cubes(self.stakes, n), self.rules)
            values[:, subject, 1:] = _CHANCES_OF[ends.astype(np.int64) + 3]
        return values


def _cubes(stakes: Stakes, n: int) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int8]]:
    """Return the stake and the owner of n games at their start, and who looks at them: side 0."""
    stake, owner = stakes.start
    return np.full(n, stake), np.full(n, owner, np.int8), np.zeros(n, np.int8)


class _Games:
    """The games of some trials, at one turn."""

    def __init__(self, job: Job, first: int, last: int) -> None:
        self.job = job
        self.first = first
        self.n, self.k = last - first, len(job.rows)
        games = self.n * self.k
        self.rows = np.tile(job.rows, (self.n, 1))
        self.cube, self.owner, _ = _cubes(job.stakes, games)
        self.turn = 0
        self.said_before = 0  # dimensions of what the evaluator returns: 0 not asked yet
        self.luck = np.zeros((games, NUMBERS))
        self.values = np.zeros((games, NUMBERS))
        self.is_running = np.ones(games, bool)
        self.running = np.arange(games)
        self.chance = Chances(job.seed, first, self.n)
        self._end_finished()

    def play_turn(self) -> None:
        """Let the side to roll play in every game that goes on."""
        job, turn = self.job, self.turn
        if job.tables is not None:
            held = self.running[job.tables.holds(self.rows[self.running])]
            if len(held):
                said = job.tables(self.rows[held])
                self._end(held, self._worth(said, held), _chances(said))
        if turn == job.truncate and len(self.running):
            said = self._asked(self.rows[self.running])
            self._end(self.running, self._worth(said, self.running), _chances(said))
        if turn or job.may_double_first:
            self._double()
        if not len(self.running):
            return
        dice = self._throw()
        size = _ALL_ROLLS_AT_ONCE if job.variance_reduction else _AT_ONCE
        for begin in range(0, len(self.running), size):
            part = slice(begin, begin + size)
            self._move(self.running[part], dice[part])
        self.owner[self.running] *= -1
        self.turn += 1
        self._end_finished()
        if self.turn % _TURNS_TO_LOOK == 0:
            self._refuse_stuck()

    def _throw(self) -> NDArray[np.int8]:
        """Throw in every game: dice (k, 2), the same in all games of a trial."""
        trials = self.running // self.k  # rising
        thrown = trials[np.diff(trials, prepend=-1) > 0]
        dice = np.empty((self.n, 2), np.int8)
        dice[thrown] = self.chance.throw(thrown)[0]
        if self.turn == 0:
            dice[thrown] = THROWS[(self.first % SET + thrown) % SET]
        return dice[trials]

    def _move(self, games: NDArray[np.int64], dice: NDArray[np.int8]) -> None:
        """Play the best after-state in each game; count the luck of the roll."""
        job, rows = self.job, self.rows[games]
        if not job.variance_reduction:
            after, offsets = after_states(rows, dice, rules=job.rules)
            worth, _ = self._valued(after, games, np.diff(offsets))
            self.rows[games] = after[segment_argmax(worth, offsets)]
            return
        after, offsets = after_states_all_rolls(rows, rules=job.rules)
        every = np.repeat(games, len(ROLLS))
        worth, said = self._valued(after, every, np.diff(offsets))
        best = segment_argmax(worth, offsets)
        fell = len(ROLLS) * np.arange(len(games)) + _places(dice)
        self.rows[games] = after[best[fell]]
        is_mine = self.turn % 2 == 0
        luck = _luck(worth[best], fell)
        self.luck[games, 0] += luck if is_mine else -luck
        if said.ndim == 1:
            return
        chances = said[best].astype(np.float64)  # as the next side sees them
        if is_mine:
            chances = turned(chances)
        for column in range(len(CHANCES)):
            luck = _luck(np.ascontiguousarray(chances[:, column]), fell)
            self.luck[games, 1 + column] += luck

    def _valued(
        self, after: NDArray[np.int8], games: NDArray[np.int64], counts: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """Value after-states, `counts` of each game: to the side that has moved, and as said."""
        # Without men to bear off with one roll no after-state has won: 5 % of the time is saved.
        near = self.rows[games, OFF] >= self.job.rules.checkers - _MOST_OFF
        said = self._said(after) if near.any() else self._asked(after)
        games = np.repeat(games, counts)
        # What the next side has of the cube is what this one has not.
        side = np.full(len(after), 1 - self.turn % 2, np.int8)
        stakes = self.job.stakes
        worth = stakes.worth(said, self.cube[games], -self.owner[games], side, self.job.rules)
        return stakes.flipped(worth), said

    def _said(self, after: NDArray[np.int8]) -> NDArray[Any]:
        """Ask the evaluator about after-states; those that have won are what they are."""
        job = self.job
        over = after[:, OPPONENT_OFF] == job.rules.checkers
        if not over.any():
            return self._asked(after)
        ends = outcomes(after[over], rules=job.rules).astype(np.int64)
        if len(ends) == len(after):
            return _CHANCES_OF[ends + 3]
        told = self._asked(after[~over])
        said = np.empty((len(after), *told.shape[1:]), told.dtype)
        said[~over] = told
        said[over] = _CHANCES_OF[ends + 3] if told.ndim == 2 else ends
        return said

    def _asked(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        """Ask the evaluator, which must go on saying chances, or equities."""
        said = asked(self.job.evaluator, rows)
        if said.ndim != (self.said_before or said.ndim):
            raise ValueError(
                f"evaluator: returned the shape {said.shape}, and another kind before: chances and "
                "equity"
            )
        self.said_before = said.ndim
        return said

    def _double(self) -> None:
        """Offer the cube in the games where the side to roll gains by it; end those dropped."""
        job, games = self.job, self.running
        games = games[self.owner[games] >= 0] if job.stakes.cube is not None else games[:0]
        if not len(games):
            return
        said = self._asked(self.rows[games])
        cube, owner, side = self.cube[games], self.owner[games], self._sides(games)
        doubles, takes = job.stakes.offers(said, cube, owner, side, job.rules)
        taken, dropped = games[doubles & takes], doubles & ~takes
        self.cube[taken] *= 2
        self.owner[taken] = -1
        if dropped.any():
            # The chances are those the board had: the game was not played to its end.
            worth = job.stakes.passed(cube[dropped], owner[dropped], side[dropped])
            self._end(games[dropped], worth, _chances(said[dropped]))

    def _worth(self, said: NDArray[Any], games: NDArray[np.int64]) -> NDArray[np.float64]:
        """Value running games to the side to roll."""
        return self.job.stakes.worth(
            said, self.cube[games], self.owner[games], self._sides(games), self.job.rules
        )

    def _sides(self, games: NDArray[np.int64]) -> NDArray[np.int8]:
        return np.full(len(games), self.turn % 2, np.int8)

    def _end_finished(self) -> None:
        """End the games that are played out."""
        men = self.job.rules.checkers
        rows = self.rows[self.running]
        over = (rows[:, OPPONENT_OFF] == men) | (rows[:, OFF] == men)
        if not over.any():
            return
        games = self.running[over]
        ends = outcomes(rows[over], rules=self.job.rules)
        worth = self.job.stakes.settled(
            ends, self.cube[games], self.owner[games], self._sides(games), self.job.rules
        )
        self._end(games, worth, _CHANCES_OF[ends.astype(np.int64) + 3])

    def _end(
        self, games: NDArray[np.int64], worth: NDArray[np.float64], chances: NDArray[Any] | None
    ) -> None:
        """End games at what they are worth to the side to roll."""
        if self.turn % 2:
            worth = self.job.stakes.flipped(worth)
            chances = None if chances is None else turned(chances.astype(np.float64))
        self.values[games, 0] = worth - self.luck[games, 0]
        if chances is not None:
            self.values[games, 1:] = chances - self.luck[games, 1:]
        self.is_running[games] = False
        self.running = np.flatnonzero(self.is_running)

    def _refuse_stuck(self) -> None:
        """Refuse a board from which neither side can ever move: no game comes there."""
        rows = self.rows[self.running]
        there = flip(rows, rules=self.job.rules)
        for row, other in zip(rows, there, strict=True):
            if all(never_moves(side, self.job.rules) for side in (row, other)):
                raise ValueError(f"neither side can ever move again: {row.tolist()}")


def _places(dice: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the places in ``ROLLS`` of throws (k, 2), as ``nardy.dice.roll_index``."""
    large, small = dice.max(axis=1).astype(np.int64), dice.min(axis=1)
    places: NDArray[np.int64] = large * (large - 1) // 2 + small - 1
    return places


def _chances(said: NDArray[Any]) -> NDArray[Any] | None:
    return said if said.ndim == 2 else None


def _luck(best: NDArray[np.float64], fell: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what the rolls that fell are worth above the mean over all 21."""
    luck: NDArray[np.float64] = best[fell] - mean_over_rolls(best)
    return luck
