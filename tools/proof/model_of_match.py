"""Cube, score, starter, clock and drinks once more, plainly: what a match is held against.

Written from docs/rules.md §2, §7, §8.4-§8.8 and from nothing else; it imports nothing of the
package. It knows no plays: a caller says what was rolled and which board came of it.

Vocabulary
    side      0 or 1, the same for a whole match; `other(side)` is the one across.
    row       a board of 32 numbers as the side sees it that is to roll (docs/architecture.md).
    phase     what the match waits for:
                "throw"     each side throws one die: who starts?
                "turn"      the side to act may double, and rolls
                "board"     it has rolled: a board must come of it
                "offered"   a double lies before the other side
                "beavered"  the beaver lies before the side that doubled
                "between"   the game is over, another one follows
                "end"       the match is over
    value     what the cube says; `owner` is a side, or None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Row = Sequence[int]

CLOCKS = {"blitz": (15.0, 90.0), "normal": (20.0, 150.0), "slow": (25.0, 210.0)}  # §8.7


def other(side: int) -> int:
    """Return the side across."""
    return 1 - side


class Forbidden(Exception):
    """The action is not legal now. Nothing has changed."""


class Result(NamedTuple):
    """How a game ended: who won (None: a draw), what the board was worth, points to the score."""

    winner: int | None
    how: str  # "borne_off", "dropped", "resigned", "time", "draw"
    grade: int  # oin 1, mars 2, koks 3; 0 for a draw
    points: int


# --- boards


def checkers(rules: Any) -> int:
    """§9: short nardy has fifteen."""
    return 15 if rules.game == "short" else int(rules.checkers)


def start_row(rules: Any) -> list[int]:
    """§2, §8.1: the board on which a game begins, the same for both sides."""
    row = [0] * 32
    if rules.game == "long":
        row[24], row[12] = checkers(rules), -checkers(rules)
        return row
    for point, men in {24: 2, 13: 5, 8: 3, 6: 5}.items():
        row[point], row[25 - point] = men, -men
    return row


def grade(row: Row, rules: Any) -> int:
    """§7, §8.4: what the loser, who would be the next to roll, has to pay: oin, mars or koks."""
    if row[0] > 0:
        return 1
    home = any(row[point] > 0 for point in range(1, 7))
    farthest_quarter = any(row[point] > 0 for point in range(19, 25))  # long: path 1..6
    if rules.game == "short":
        return 3 if farthest_quarter or row[25] > 0 else 2
    if rules.koks == "first_quarter":
        return 3 if farthest_quarter else 2
    if rules.koks == "no_home":
        return 2 if home else 3
    return 2


# --- a match


@dataclass
class Model:
    """A match to `length` points, or money play without end (None)."""

    rules: Any
    length: int | None = None
    score: list[int] = field(default_factory=lambda: [0, 0])
    results: list[Result] = field(default_factory=list)
    crawford: str = "to come"  # then "now" for one game, then "over"

    # The game.
    phase: str = "between"
    side: int | None = None  # who acts
    roller: int | None = None  # whose turn it is, though the other side may have to answer
    starter: int | None = None
    turn: int = 0  # turns begun in this game, passes too
    row: list[int] = field(default_factory=list)
    roll: tuple[int, int] | None = None
    last: bool = False  # §7: the starter is off, and this is the other side's last turn
    value: int = 1
    owner: int | None = None
    taken: bool = False
    offered: bool = False  # in this turn: one offer a turn
    ties: int = 0  # automatic doubles of this game
    drinks: list[int] = field(default_factory=lambda: [0, 0])
    allowance: float = 0.0
    reserve: list[float] = field(default_factory=list)
    used: float = 0.0  # seconds of this turn

    def __post_init__(self) -> None:
        self.money = self.length is None
        if self.length == 1 and self.rules.crawford:
            self.crawford = "now"  # both sides are one point away: no cube in the only game
        self.begin()

    # --- beginnings

    def begin(self) -> None:
        """Set up the next game: who starts is known, or has to be thrown for (§2)."""
        self.row, self.roll, self.last, self.turn = start_row(self.rules), None, False, 0
        self.value, self.owner, self.taken, self.ties = 1, None, False, 0
        self.drinks = [0, 0]
        if self.rules.clock is not None:
            clock = self.rules.clock
            self.allowance, reserve = CLOCKS[clock] if isinstance(clock, str) else clock
            self.reserve = [reserve, reserve]
        self.starter = self.next_starter()
        if self.starter is None:
            self.phase, self.side, self.roller = "throw", None, None
        else:
            self.next_turn(self.starter)

    def next_starter(self) -> int | None:
        """§2: the first game, and each under "roll", is thrown for; after a draw nobody has won."""
        if not self.results or self.rules.next_starter == "roll":
            return None
        if self.rules.next_starter == "other":
            return other(self.starter)  # type: ignore[arg-type]
        return self.results[-1].winner

    def throw(self, dice: tuple[int, int]) -> None:
        """Each side throws one die: the higher starts, equal ones throw again (§2, §8.1)."""
        self.need("throw")
        if dice[0] == dice[1]:
            if self.money and self.ties < self.rules.automatic_doubles:
                self.ties += 1
                self.value *= 2
            return
        self.starter = 0 if dice[0] > dice[1] else 1
        self.next_turn(self.starter)
        if self.rules.opening == "use_rolloff":
            self.phase, self.roll = "board", (max(dice), min(dice))

    def next_turn(self, side: int) -> None:
        self.phase, self.side, self.roller, self.roll = "turn", side, side, None
        self.turn, self.used, self.offered = self.turn + 1, 0.0, False

    # --- on the board

    def throw_dice(self, dice: tuple[int, int]) -> None:
        self.need("turn")
        self.phase, self.roll = "board", (max(dice), min(dice))

    def play(self, row: Row) -> None:
        """The turn is played: `row` is the board as the other side sees it."""
        self.need("board")
        assert self.roller is not None and self.roll is not None
        mover, next_side = self.roller, other(self.roller)
        if self.rules.game == "short" and self.rules.drinkgammon:
            hits = row[25] - self.row[27]  # §8.8: the hitter drinks, one a checker hit
            double = self.rules.drink_doubles and self.roll[0] == self.roll[1]
            self.drinks[mover] += hits * (2 if double else 1)
        if self.rules.clock is not None:
            self.reserve[mover] -= max(0.0, self.used - self.allowance)
        self.row = list(row)
        if self.last:
            if row[26] == checkers(self.rules):
                self.finish(None, "draw", 0)
            else:
                self.finish(next_side, "borne_off", grade(self.seen_by(mover), self.rules))
        elif row[26] < checkers(self.rules):
            self.next_turn(next_side)
        elif mover == self.starter and self.grants_last_turn(row[0]):
            self.last = True
            self.next_turn(next_side)
        else:
            self.finish(mover, "borne_off", grade(row, self.rules))

    def grants_last_turn(self, off: int) -> bool:
        """§7: the starter has finished; the other side, with `off` men off, may roll once more."""
        if self.rules.last_roll == "openspiel":
            return off == checkers(self.rules) - 1
        return bool(self.rules.last_roll == "second_player")

    def seen_by(self, mover: int) -> list[int]:
        """The board after the last turn, seen by the side that made it: only its own men are on."""
        row = [0] * 32
        row[0], row[25] = self.row[26], self.row[27]
        for point in range(1, 25):
            if self.row[point] < 0:
                long_point = point + 12 if point <= 12 else point - 12
                row[25 - point if self.rules.game == "short" else long_point] = -self.row[point]
        return row

    # --- the cube (§8.5)

    def room(self, value: int) -> bool:
        return self.rules.cube_max is None or value <= self.rules.cube_max

    def may_double(self) -> bool:
        return bool(
            self.phase == "turn"
            and self.rules.cube
            and self.crawford != "now"
            and not (self.offered or self.last)
            and self.owner in (None, self.side)
            and self.turn >= self.rules.cube_from_turn
            and self.room(2 * self.value)
        )

    def may_beaver(self) -> bool:
        allowed = self.phase == "offered" and self.money and self.rules.beaver
        return bool(allowed) and self.room(4 * self.value)

    def may_raccoon(self) -> bool:
        allowed = self.phase == "beavered" and self.money and self.rules.raccoon
        return bool(allowed) and self.room(2 * self.value)

    def double(self) -> None:
        self.need("turn")
        if not self.may_double():
            raise Forbidden("double")
        self.phase, self.side, self.offered = "offered", other(self.side), True  # type: ignore[arg-type]

    def take(self) -> None:
        """Take the double; or, of the side that doubled, accept the beaver."""
        self.need("offered", "beavered")
        if self.phase == "offered":
            self.turn_cube(2, self.side)
        self.phase, self.side = "turn", self.roller

    def drop(self) -> None:
        """Give the game up for what the cube said before the last word (C1, C2, C5)."""
        self.need("offered", "beavered")
        self.give_up("dropped")

    def give_up(self, how: str) -> None:
        """A single game is lost; while a beaver waits, for half of what it would make of it."""
        assert self.side is not None
        self.value //= 2 if self.phase == "beavered" else 1
        self.finish(other(self.side), how, 1)

    def beaver(self) -> None:
        self.need("offered")
        if not self.may_beaver():
            raise Forbidden("beaver")
        self.turn_cube(4, self.side)
        self.phase, self.side = "beavered", self.roller

    def raccoon(self) -> None:
        self.need("beavered")
        if not self.may_raccoon():
            raise Forbidden("raccoon")
        keeps = self.rules.raccoon_owner == "beaverer"
        self.turn_cube(2, self.owner if keeps else self.side)
        self.phase = "turn"

    def turn_cube(self, factor: int, owner: int | None) -> None:
        self.value, self.owner, self.taken = self.value * factor, owner, True

    # --- other ends

    def resign(self, side: int, points: int = 1) -> None:
        """§7: only where the rules allow it; for what can be lost."""
        self.need("turn", "board")
        off = self.row[0 if side == self.roller else 26]
        no_koks = self.rules.game == "long" and self.rules.koks == "none"
        if not self.rules.resign or (off and points > 1) or (no_koks and points == 3):
            raise Forbidden("resign")
        self.finish(other(side), "resigned", points)

    def flag(self) -> None:
        """The time of the side to act is up: it loses a single game, or what a drop would cost."""
        self.need("turn", "board", "offered", "beavered")
        if self.rules.clock is None:
            raise Forbidden("flag")
        assert self.side is not None
        self.reserve[self.side] = 0.0
        self.give_up("time")

    def spend(self, seconds: float) -> None:
        """§8.7: time passes for the side to act."""
        self.used += seconds
        assert self.side is not None
        if self.used >= self.allowance + self.reserve[self.side]:
            self.flag()

    # --- the score (§8.4, §8.6)

    def finish(self, winner: int | None, how: str, grade: int) -> None:
        jacoby = self.money and self.rules.jacoby and not self.taken
        points = (min(grade, 1) if jacoby else grade) * self.value
        self.results.append(Result(winner, how, grade, points))
        if winner is not None:
            self.score[winner] += points
        self.phase, self.side, self.roller, self.roll = "between", None, None, None
        if self.length is not None:
            self.phase = "end" if max(self.score) >= self.length else "between"
            # §8.5: the first game after a side has come to one point from winning, that one only.
            if self.crawford == "now":
                self.crawford = "over"
            elif self.crawford == "to come" and max(self.score) == self.length - 1:
                self.crawford = "now" if self.rules.crawford else "over"

    def next_game(self) -> None:
        self.need("between")
        self.begin()

    def need(self, *phases: str) -> None:
        if self.phase not in phases:
            raise Forbidden(f"{self.phase}, not {' or '.join(phases)}")
