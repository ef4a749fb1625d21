"""How a game ends: its result and points, and the last roll of the other side.

Vocabulary
----------
kind
    How large a win is: ``"oin"`` 1, ``"mars"`` 2, ``"koks"`` 3 (docs/rules.md §7, §8.4).
stake
    What the cube stands at; the points of a game are the kind times the stake.
last roll
    Under ``last_roll`` the second player throws once more after the starter has borne off all
    (docs/rules.md §7). The board rules take no turn on a board that is over, so for this one
    the last checker of the starter is taken for not lifted yet: see :func:`last_board`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from nardy.board import BAR, HEAD, OFF, OPPONENT_BAR, OPPONENT_OFF
from nardy.cube import Cube
from nardy.options import Rules
from nardy.position import Position

__all__ = [
    "KINDS",
    "Result",
    "Setting",
    "is_draw",
    "is_last_roll_due",
    "last_board",
    "lift_last",
    "points_of",
]

Kind = Literal["oin", "mars", "koks"]
How = Literal["borne_off", "dropped", "resigned", "time", "draw"]

KINDS: Final[tuple[Kind, ...]] = ("oin", "mars", "koks")
"""The kinds of a win; a kind at place i is worth i + 1 points, times the cube."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: frozen, equal by value.

    Parameters
    ----------
    winner : int or None
        Side 0 or 1; None of a draw, which only ``last_roll`` knows.
    points : int
        What the winner gets: the cube and Jacoby are counted in. 0 of a draw.
    kind : str or None
        ``"oin"``, ``"mars"`` or ``"koks"``: what stood on the board, or was given up. A game ended
        by a drop or by time is an oin; None of a draw.
    how : str
        ``"borne_off"``, ``"dropped"``, ``"resigned"``, ``"time"`` or ``"draw"``.

    Examples
    --------
    >>> game = nardy.Game("short", starter=0, seed=1)
    >>> game.roll(); game.push(game.plays[0]); game.double(); game.drop()
    >>> game.result
    Result(winner=1, points=1, kind='oin', how='dropped')
    """

    winner: int | None
    points: int
    kind: Kind | None
    how: How


class Setting(NamedTuple):
    """What a game stands in and keeps from its beginning to its end."""

    rules: Rules
    away: tuple[int, int] | None = None
    """In a match: points that each side still needs. None: a single game, or one for money."""
    is_crawford: bool = False

    @property
    def is_money(self) -> bool:
        """Whether the rules of single games hold: Jacoby, beavers, automatic doubles (§8.6)."""
        return self.away is None


DRAW: Final = Result(None, 0, None, "draw")


def points_of(kind: Kind, cube: Cube, setting: Setting) -> int:
    """Return what a win of this kind is worth (§7, §8.4, §8.5 Jacoby).

    Examples
    --------
    >>> from nardy.cube import Cube
    >>> jacoby = Setting(nardy.SHORT.replace(jacoby=True))
    >>> points_of("koks", Cube(), jacoby), points_of("koks", Cube().taken(by=0), jacoby)
    (1, 6)
    """
    if setting.rules.jacoby and setting.is_money and not cube.is_turned:
        return cube.value
    return cube.value * (KINDS.index(kind) + 1)


# --- the last roll --------------------------------------------------------------------------------


def is_last_roll_due(after: Position, *, starter_finished: bool) -> bool:
    """Tell whether the side to move may throw once more, all men of the other being off (§7)."""
    rules = after.rules
    if rules.last_roll == "none" or not starter_finished:
        return False
    return rules.last_roll == "second_player" or after.cells[OFF] == rules.checkers - 1


def last_board(over: Position, roll: tuple[int, int]) -> Position | None:
    """Return the board on which the last roll is played: the other side's last man not lifted yet.

    It stands where it changes nothing: in short nardy on the bar, in long nardy on a point that
    this roll cannot land on. None if there is no such point: that takes a checker on the head and
    others all over the board, from where nobody finishes.

    Only an option that counts men still behind a block could see it there (``block="never"``): with
    nobody left to lock in, such a block is free.
    """
    row, rules = over.row.copy(), over.rules
    row[OPPONENT_OFF] -= 1
    if rules.game == "short":
        row[OPPONENT_BAR] = 1
        return Position.from_row_unchecked(row, rules=rules)
    large, small = roll
    moves = rules.doubles_moves if large == small else 2
    sums = (
        {large * n for n in range(1, moves + 1)}
        if large == small
        else {large, small, large + small}
    )
    own = [point for point in range(1, HEAD + 1) if row[point] > 0]
    landings = {point - pips for point in own for pips in sums}
    free = [p for p in range(HEAD, 0, -1) if p not in landings and not row[p]]
    if not free:
        return None
    row[free[0]] = -1
    if rules.block != "strict":
        rules = rules.replace(block="free")
    return Position.from_row_unchecked(row, rules=rules)


def lift_last(after: Position, rules: Rules) -> Position:
    """Take the man of :func:`last_board` off the board after the last play, seen by its owner.

    After a draw all men of both sides are off: a board that no turn starts from, as any that is
    over.
    """
    row = after.row.copy()
    row[BAR] = 0
    for point in range(1, HEAD + 1):
        row[point] = min(row[point], 0)
    row[OFF] = rules.checkers
    return Position.from_row_unchecked(row, rules=rules)


def is_draw(position: Position) -> bool:
    """Tell whether both sides have borne off all their checkers.

    Examples
    --------
    >>> is_draw(nardy.Position.start("long"))
    False
    """
    cells = position.cells
    return cells[OFF] == cells[OPPONENT_OFF] == position.rules.checkers
