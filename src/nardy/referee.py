"""Why a play is refused, in a sentence that a player understands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from nardy.board import BAR, OFF
from nardy.errors import IllegalPlay, InvalidNotation
from nardy.nardy_core import after_states, look
from nardy.options import Rules
from nardy.wording import Numbering, hits_of, point_text, words_of

__all__ = ["refusal"]

HalfMoves: TypeAlias = tuple[tuple[int, int], ...]
"""(origin, die) each."""

Refused: TypeAlias = tuple[str, HalfMoves, tuple[int, int, int], int, tuple[HalfMoves, ...]]
"""A verdict of `nardy_core.judge`."""

_BLOCK: Final = {
    "ahead": "with no opposing checker past it",
    "home": "before an opposing checker has come home",
    "never": "with an opposing checker behind it",
    "strict": "which is never allowed",
}
_TIMES: Final = {2: "both", 3: "three", 4: "all four"}


def refusal(
    row: Sequence[int],
    roll: tuple[int, int],
    rules: Rules,
    text: str,
    verdict: Refused,
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
    verdict : tuple
        What `judge` returned.
    numbering : "distance" or "path"

    Returns
    -------
    IllegalPlay
        With the reason and a sentence; InvalidNotation for a ``*`` where nothing is hit.
    """
    reason, before, half_move, longest, lines = verdict
    about = _About(row, roll, rules, numbering, longest)
    if reason == "":
        return InvalidNotation(f"play {text!r}: a * stands where nothing is hit")
    if reason == "ambiguous":
        meant = " or ".join(f"{about.route(line)!r}" for line in lines)
        sentence = f"this may be {meant}: say which point it goes by"
    elif reason == "game_over":
        sentence = "the game is over"
    elif not longest:
        reason = "must_pass"
        why = "" if reason == "not_rolled" else f" ({about.half_move_fault(verdict)})"
        sentence = f"nothing can be played with {roll[0]}-{roll[1]}, so the turn passes{why}"
    elif any(half_move):
        sentence = about.half_move_fault(verdict)
    else:
        sentence = about.whole_fault(reason, before)
    if not sentence.startswith(f"{text}: "):
        sentence = f"{text}: {sentence}"
    return IllegalPlay(sentence, reason=reason)


class _About:
    """A turn, to speak of."""

    def __init__(
        self,
        row: Sequence[int],
        roll: tuple[int, int],
        rules: Rules,
        numbering: Numbering,
        longest: int,
    ) -> None:
        self.row = row
        self.roll = roll
        self.rules = rules
        self.numbering = numbering
        self.longest = longest

    def words(self, steps: Sequence[tuple[int, int]]) -> str:
        return words_of(self.row, steps, self.numbering)

    def route(self, line: HalfMoves) -> str:
        """Write a line with every point that it goes by."""
        steps = _steps(line)
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

    def half_move_fault(self, verdict: Refused) -> str:
        reason, _, (origin, target, die), _, _ = verdict
        at, to = self.point(origin), self.point(target)
        move = f"{at}/{to}"
        match reason:
            case "not_rolled":
                if target > origin:
                    return f"{move} goes backwards"
                return f"no die of {self.roll[0]}-{self.roll[1]} makes {move}"
            case "die_used":
                return f"no die is left for {move}"
            case "not_your_checker":
                return f"you have no checker on {'the bar' if origin == BAR else at}"
            case "bar_first":
                return f"your checker on the bar has to enter before {move}"
            case "point_closed":
                return f"{to} is closed: {self.holders(target)}"
            case "not_all_home":
                return f"{move}: no checker is borne off before all are home"
            case "overshoot":
                return f"{move} with the {die}: {self.overshoot(origin)}"
            case "must_bear_off":
                return f"the {die} can bear a checker off, so it has to: not {move}"
            case "head_rule":
                return f"{move}: no further checker may leave the head in this turn"
            case "block":
                return f"{move} makes {self.block()}"
            case _:
                raise AssertionError(reason)

    def holders(self, point: int) -> str:
        men = -self.row[point]
        standing = "an opposing checker stands" if men == 1 else f"{men} opposing checkers stand"
        return f"{standing} there"

    def overshoot(self, origin: int) -> str:
        if self.rules.game == "long" and self.rules.bearoff_overshoot == "exact":
            return "only the exact number bears a checker off"
        return f"a larger number bears off from {self.point(origin)} only if no checker is farther"

    def block(self) -> str:
        return f"a block of six points in a row, {_BLOCK[self.rules.block]}"

    # --- the play as a whole

    def whole_fault(self, reason: str, made: HalfMoves) -> str:
        large, small = self.roll
        match reason:
            case "block":
                return f"the turn ends on {self.block()}"
            case "incomplete":
                return self.incomplete(made)
            case "larger_die":
                return f"only one die can be played, and it has to be the {large}: {self.example()}"
            case "both_dice" if large == small:
                times = _TIMES[self.longest] if self.longest < 4 else "all four"
                return f"{times} {large}s can be played, so they must be: {self.example()} does it"
            case "both_dice":
                other = small if made[0][1] == large else large
                return f"the {other} must be played too: {self.example()} uses both dice"
            case _:
                raise AssertionError(reason)

    def incomplete(self, made: HalfMoves) -> str:
        """Name the half-move that goes on."""
        cells = np.array(self.row, np.int8).tobytes()
        line, complete = made, False
        while not complete:
            moves, complete, _ = look(cells, self.roll, self.rules, line)
            line += moves[-1:]
        missing = line[len(made) :]
        more = f"the {missing[0][1]} is" if len(missing) == 1 else f"{len(missing)} half-moves are"
        return f"{more} still to be played, as in {self.words(_steps(line))}"

    def example(self) -> str:
        """Write a legal play."""
        _, _, steps = after_states(self._rows(), self._rolls(), rules=self.rules, steps=True)
        return self.words([(a, b) for a, b in steps[0].tolist() if a >= 0])

    def _rows(self) -> np.ndarray:
        return np.array([self.row], np.int8)

    def _rolls(self) -> np.ndarray:
        return np.array([self.roll], np.int8)


def _steps(line: HalfMoves) -> list[tuple[int, int]]:
    return [(origin, max(origin - die, OFF)) for origin, die in line]
