"""Why a play is refused, in a sentence that a player understands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from nardy.board import BAR, HEAD, OFF
from nardy.errors import IllegalPlay, InvalidNotation
from nardy.nardy_core import after_states, look
from nardy.options import Rules
from nardy.wording import Hop, Line, Numbering, hits_of, point_text, steps_of, words_of

__all__ = ["Refused", "refusal"]

Refused: TypeAlias = tuple[str, Line, tuple[int, int, int], int, tuple[Line, ...]]
"""A verdict of `nardy_core.judge`."""

_BLOCK: Final = {
    "ahead": "with no opposing checker past it",
    "home": "before an opposing checker has come home",
    "never": "with an opposing checker behind it",
    "strict": "which is never allowed",
}

_COUNT: Final = {1: "one", 2: "two", 3: "three", 4: "four"}


def refusal(
    row: Sequence[int],
    roll: tuple[int, int],
    rules: Rules,
    text: str,
    hops: Sequence[Hop],
    refused: Refused,
    numbering: Numbering = "distance",
) -> IllegalPlay | InvalidNotation:
    """Return the error for a play that `nardy_core.judge` has refused.

    Parameters
    ----------
    row : sequence of 32 ints
        The board at the start of the turn, as the mover sees it.
    roll : (int, int)
        The larger die first.
    rules : Rules
    text : str
        The play in words.
    hops : sequence of (int, int, bool)
        The same as read.
    refused : tuple
        What `judge` returned.
    numbering : "distance" or "path"

    Returns
    -------
    IllegalPlay
        With the reason and a sentence; InvalidNotation for a ``*`` where nothing is hit.
    """
    reason, before, half_move, longest, lines = refused
    about = _About(row, roll, rules, numbering)
    if reason == "":
        nothing = "in long nardy nothing is hit" if rules.game == "long" else "nothing is hit there"
        return InvalidNotation(f"play {text!r}: {nothing}, so no * belongs there")
    candidates = tuple(map(about.route, lines))
    if reason == "ambiguous":
        meant = " or ".join(map(repr, candidates))
        sentence = f"this may be {meant}: say which point it goes by"
    elif reason == "game_over":
        sentence = "the game is over"
    elif not longest:
        why = "" if reason == "not_rolled" else f" ({about.half_move_fault(refused, hops, '')})"
        reason = "must_pass"
        sentence = f"nothing can be played with {roll[0]}-{roll[1]}, so the turn passes{why}"
    elif any(half_move):
        sentence = about.half_move_fault(refused, hops, text)
    else:
        sentence = about.whole_fault(reason, before, longest)
    return IllegalPlay(f"{text}: {sentence}", reason=reason, candidates=candidates)


class _About:
    """A turn, to speak of."""

    def __init__(
        self, row: Sequence[int], roll: tuple[int, int], rules: Rules, numbering: Numbering
    ) -> None:
        self.row = row
        self.roll = roll
        self.rules = rules
        self.numbering = numbering

    def words(self, steps: Sequence[tuple[int, int]]) -> str:
        return words_of(self.row, steps, self.numbering)

    def route(self, line: Line) -> str:
        """Write a line with every point that it goes by."""
        steps = steps_of(line)
        words, at = "", -1
        for (origin, target), hit in zip(steps, hits_of(self.row, steps), strict=True):
            if origin != at:
                words += f" {self.point(origin)}"
            words += f"/{self.point(target)}{'*' if hit else ''}"
            at = target
        return words.strip()

    def point(self, point: int) -> str:
        return point_text(point, self.numbering)

    # --- one half-move

    def half_move_fault(self, refused: Refused, hops: Sequence[Hop], text: str) -> str:
        """Say what is wrong with the half-move at fault, and name it unless `text` does."""
        reason, before, (origin, target, die), _, _ = refused
        if reason == "overshoot" and all(origin != at for at, _, _ in hops):
            # The last part of a longer way: the player means the way.
            origin = next(at for at, to, _ in hops if to == OFF and at > origin)
        move = f"{self.point(origin)}/{self.point(target)}"
        named = "" if move == text.lower() else f"{move}: "
        return named + self.fault(reason, before, origin, target, die)

    def fault(self, reason: str, before: Line, origin: int, target: int, die: int) -> str:
        large, small = self.roll
        if origin == BAR and self.rules.game == "long":
            return "long nardy has no bar: points are 1..24, and off"
        match reason:
            case "not_rolled" if target > origin:
                return self.backwards()
            case "not_rolled":
                return f"no die of {large}-{small} makes it"
            case "die_used":
                return self.die_used(before, origin - target)
            case "not_your_checker":
                return (
                    f"you have no checker on {'the bar' if origin == BAR else self.point(origin)}"
                )
            case "bar_first":
                entered = any(at == BAR for at, _ in before)
                return f"your {'other ' if entered else ''}checker on the bar has to enter first"
            case "point_closed":
                return f"{self.point(target)} is closed: {self.holders(target)}"
            case "not_all_home":
                return "no checker is borne off before all are home"
            case "overshoot":
                return self.overshoot(die)
            case "must_bear_off":
                return f"the {die} can bear a checker off, so it has to"
            case "head_rule":
                gone = sum(at == HEAD for at, _ in before)
                many = "only one checker" if gone == 1 else f"no more than {gone} checkers"
                return f"{many} may leave the head with {large}-{small} in this turn"
            case "block":
                return f"it makes {self.block()}"
            case _:
                raise AssertionError(reason)

    def die_used(self, before: Line, distance: int) -> str:
        large, small = self.roll
        if large == small:
            left = self.rules.doubles_moves - len(before)
            if not left:
                return f"the {large}s are already used"
            need = _COUNT[-(-distance // large)]
            verb = "is" if left == 1 else "are"
            return f"it needs {need} {large}s, and {_COUNT[left]} {verb} left"
        if distance in self.roll:
            return f"the {distance} is already used"
        if len(before) == 1:
            return f"it needs both dice, and the {before[0][1]} is already used"
        return "both dice are already used"

    def backwards(self) -> str:
        if self.numbering == "path":
            return "by path, checkers move from lower to higher points"
        hint = " (unless by path, from the head on)" if self.rules.game == "long" else ""
        return f"checkers move from higher to lower points{hint}"

    def holders(self, point: int) -> str:
        men = -self.row[point]
        standing = "an opposing checker stands" if men == 1 else f"{men} opposing checkers stand"
        return f"{standing} there"

    def overshoot(self, die: int) -> str:
        if self.rules.bearoff_overshoot == "exact":
            return f"the {die} is too large: only the exact number bears off"
        if self.rules.bearoff_overshoot == "any":
            return f"the {die} is too large, unless it exceeds the distance of every checker"
        return f"the {die} is too large: it bears off from there only if no checker is farther"

    def block(self) -> str:
        return f"a block of six points in a row, {_BLOCK[self.rules.block]}"

    # --- the play as a whole

    def whole_fault(self, reason: str, made: Line, longest: int) -> str:
        large, small = self.roll
        match reason:
            case "block":
                return f"the turn ends on {self.block()}"
            case "incomplete":
                return self.incomplete(made)
            case "larger_die":
                return f"only one die can be played, and it has to be the {large}: {self.example()}"
            case "both_dice" if large == small:
                return f"{_COUNT[longest]} {large}s can and must be played: {self.example()}"
            case "both_dice":
                other = small if made[0][1] == large else large
                return f"the {other} must be played too: {self.example()} uses both dice"
            case _:
                raise AssertionError(reason)

    def incomplete(self, made: Line) -> str:
        """Name the dice that are left, and a play that goes on so."""
        cells = np.array(self.row, np.int8).tobytes()
        line, complete = made, False
        while not complete:
            moves, complete, _, _ = look(cells, self.roll, self.rules, line)
            line += moves[-1:]
        left = [die for _, die in line[len(made) :]]
        if self.roll[0] == self.roll[1]:
            more = f"{_COUNT[len(left)]} {left[0]}{'s are' if len(left) > 1 else ' is'}"
        elif len(left) == 1:
            more = f"the {left[0]} is"
        else:
            more = f"the {max(left)} and the {min(left)} are"
        return f"{more} still to be played, as in {self.words(steps_of(line))}"

    def example(self) -> str:
        """Write a legal play."""
        rows, rolls = np.array([self.row], np.int8), np.array([self.roll], np.int8)
        _, _, steps = after_states(rows, rolls, rules=self.rules, steps=True)
        return self.words([(a, b) for a, b in steps[0].tolist() if a >= 0])
