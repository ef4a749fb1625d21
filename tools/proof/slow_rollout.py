"""A slow rollout: one game at a time, one position at a time, as docs/decisions/0021 has it.

What ``nardy.rollout`` is held against. It shares with it the evaluator, the stakes' model and the
throws of one game (``SeededDice``), and nothing of how games are played side by side: positions are
``Position`` objects, after-states come from ``Position.plays``, sums are fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import nardy
from nardy.stakes import Stakes

Six = list[float]
"""Worth and five chances of a game, as one side sees them."""

PARTS = 2**32
ALL_THROWS = [(one, other) for one in range(1, 7) for other in range(1, 7)]


@dataclass
class Asked:
    """A question: a board, and how it is played out."""

    position: nardy.Position
    evaluator: Any
    seed: int
    stakes: Stakes
    truncate: int | None = None
    reduced: bool = False
    tables: Any = None
    may_double_first: bool = False


def chances_of(points: int) -> list[float]:
    """Return win, win mars, win koks, lose mars, lose koks of a finished game."""
    return [float(points >= n) for n in (1, 2, 3)] + [float(points <= -n) for n in (2, 3)]


def other_side(stakes: Stakes, six: Six) -> Six:
    """See six numbers from the other side."""
    worth, win, mars, koks, lost_mars, lost_koks = six
    turned = float(stakes.flipped(np.array([worth]))[0])
    return [turned, 1 - win, lost_mars, lost_koks, mars, koks]


@dataclass
class Table:
    """The cube on the table: its stake, which side owns it (0, 1 or None), and who is to roll."""

    stake: int
    owner: int | None
    side: int

    def arrays(self) -> tuple[Any, Any, Any]:
        """Return it as the stakes take it: one number each."""
        owner = 0 if self.owner is None else (1 if self.owner == self.side else -1)
        return (
            np.array([self.stake]),
            np.array([owner], np.int8),
            np.array([self.side], np.int8),
        )

    def next(self) -> Table:
        """Return it for the other side's turn."""
        return Table(self.stake, self.owner, 1 - self.side)


def valued(asked: Asked, position: nardy.Position, table: Table, evaluator: Any = None) -> Six:
    """Return what the side to roll has: of a finished game its outcome, else as estimated."""
    rules = position.rules
    if position.outcome is not None:
        points = position.outcome
        worth = asked.stakes.settled(np.array([points], np.int8), *table.arrays(), rules)
        return [float(worth[0]), *chances_of(points)]
    said = (evaluator or asked.evaluator)(position.row[None])
    worth = asked.stakes.worth(said, *table.arrays(), rules)
    chances = said[0].tolist() if said.ndim == 2 else [0.0] * 5
    return [float(worth[0]), *chances]


def best(asked: Asked, position: nardy.Position, roll: Any, table: Table) -> Any:
    """Return the best after-state of a roll, and its six numbers for the side that has moved."""
    found = None
    for play in position.plays(roll):
        six = other_side(asked.stakes, valued(asked, play.after, table.next()))
        if found is None or six[0] > found[1][0]:
            found = play.after, six
    assert found is not None
    return found


def trial(asked: Asked, number: int) -> Six:
    """Play one game; its six numbers as side 0 sees them."""
    position, stakes, rules = asked.position, asked.stakes, asked.position.rules
    stake, whose = stakes.start
    table = Table(stake, {0: None, 1: 0, -1: 1}[whose], 0)
    dice = nardy.SeededDice(asked.seed, number)
    luck = [0.0] * 6
    turn = 0
    while True:
        end = None
        if position.is_over or turn == asked.truncate:
            end = valued(asked, position, table)
        elif asked.tables is not None and asked.tables.holds(position.row[None])[0]:
            end = valued(asked, position, table, asked.tables)
        elif stakes.cube is not None and (turn or asked.may_double_first):
            said = asked.evaluator(position.row[None])
            doubles, takes = stakes.offers(said, *table.arrays(), rules)
            if doubles[0] and not takes[0]:
                end = [float(stakes.passed(*table.arrays())[0]), *said[0].tolist()]
            elif doubles[0]:
                table = Table(2 * table.stake, 1 - table.side, table.side)
        if end is not None:
            if table.side == 1:
                end = other_side(stakes, end)
            return [got - lucky for got, lucky in zip(end, luck, strict=True)]
        throw = ALL_THROWS[number % 36] if turn == 0 else dice.at(turn)
        after, six = best(asked, position, throw, table)
        if asked.reduced:
            every = [best(asked, position, pair, table)[1] for pair in ALL_THROWS]
            mean = [sum(column) / 36 for column in zip(*every, strict=True)]
            got = [one - other for one, other in zip(six, mean, strict=True)]
            if asked.evaluator(position.row[None]).ndim == 1:
                got[1:] = [0.0] * 5  # of chances no luck is known where the evaluator gives none
            if table.side == 1:
                got = [-got[0], -got[1], *got[4:], *got[2:4]]
            luck = [one + other for one, other in zip(luck, got, strict=True)]
        position, table, turn = after, table.next(), turn + 1


def exact(asked: Asked, first: int, trials: int) -> list[list[Fraction]]:
    """Return the six numbers of each trial, rounded to parts as they are kept."""
    return [
        [Fraction(round(number * PARTS), PARTS) for number in trial(asked, i)]
        for i in range(first, first + trials)
    ]


def mean(values: list[Fraction]) -> Fraction:
    """Return the plain mean."""
    return sum(values, Fraction(0)) / len(values)


def covariance(one: list[Fraction], other: list[Fraction]) -> Fraction:
    """Return the covariance of the means of two stratified samples of the same 36 strata.

    Within each stratum the usual unbiased estimate, put together by its degrees of freedom.
    """
    n = len(one)
    within = Fraction(0)
    for stratum in range(36):
        xs, ys = one[stratum::36], other[stratum::36]
        middle_x, middle_y = mean(xs), mean(ys)
        within += sum(
            ((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)), Fraction(0)
        )
    return within / (n - 36) / n
