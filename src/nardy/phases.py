"""Phases: the state of a game between two actions, and which actions are possible in it.

====================  ==============================================================  ============
phase                 what comes next                                                 who acts
====================  ==============================================================  ============
``"roll_off"``        one die each; the higher starts, ties are thrown again          both
``"roll"``            the turn begins: throw, or offer a double                       ``side``
``"offered"``         a double waits: take, drop or beaver                            the other
``"beavered"``        a beaver waits: take, drop or raccoon                           ``side``
``"doubled"``         the cube has been talked over: throw                            ``side``
``"play"``            the dice lie: play them                                         ``side``
``"over"``            nothing: there is a result                                      nobody
====================  ==============================================================  ============
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from nardy.clocks import Clock
from nardy.cube import Cube, Fault, limit_fault, offer_fault
from nardy.endings import Result, Setting, last_board
from nardy.position import Position

if TYPE_CHECKING:
    from nardy.events import Event

__all__ = ["ACTIONS", "State", "board_of", "fault"]

Phase = Literal["roll_off", "roll", "offered", "beavered", "doubled", "play", "over"]

ACTIONS: Final = (
    "roll_off",
    "roll",
    "push",
    "double",
    "take",
    "drop",
    "beaver",
    "raccoon",
    "resign",
    "flag",
)
"""All that can be done in a game, under the names of the methods that do it."""


class State(NamedTuple):
    """A game at one moment: immutable, equal by value."""

    phase: Phase
    side: int | None
    """Whose turn it is; None until the roll-off is decided."""
    position: Position
    """The board, as ``side`` sees it."""
    roll: tuple[int, int] | None
    """The dice that lie, the larger first."""
    turn_number: int
    """Turns begun, those of both sides; the starter's first is 1."""
    starter: int | None
    cube: Cube
    ties: int
    """Ties of the roll-off so far."""
    throws: int
    """Throws so far, those of the roll-off too: the number of the next throw of a seed's dice."""
    clock: Clock | None
    result: Result | None
    event: Event | None
    """What led here; None at the beginning."""

    @property
    def to_act(self) -> int | None:
        """The side that acts next; None in the roll-off, where both do, and at the end."""
        if self.side is None or self.phase == "over":
            return None
        return 1 - self.side if self.phase == "offered" else self.side

    @property
    def is_last_roll(self) -> bool:
        """Whether the starter has borne off all, and the other side has its last roll."""
        # The option first: it is `none` nearly always, and this is asked thrice a turn.
        position = self.position
        return position.rules.last_roll != "none" and self.phase != "over" and position.is_over


def board_of(state: State) -> Position:
    """Return the board that the dice are played on: the state's, but for the last roll.

    There one man of the side that has finished is taken for not lifted yet, where it is in
    nobody's way, so that the rules of a turn apply.
    """
    if state.roll is None or not state.is_last_roll:
        return state.position
    board = last_board(state.position, state.roll)
    assert board is not None  # without one the throw has ended the game
    return board


def fault(state: State, action: str, setting: Setting) -> Fault | None:
    """Say why an action is not possible now, one reason and a sentence; None if it is."""
    phase, rules = state.phase, setting.rules
    if phase == "over":
        return "game_over", "the game is over"
    if action == "resign" and not rules.resign:
        return "not_in_rules", "these rules know no giving up (resign=True would)"
    if action == "flag" and state.clock is None:
        return "not_in_rules", "this game is played without a clock"
    if phase == "roll_off":
        if action in ("roll_off", "roll"):
            return None
        return "starter_unknown", "one die each has to say first who starts"
    if action == "roll_off":
        return "starter_known", f"it is known that side {state.starter} starts"
    if action == "flag":
        return None
    if phase in ("offered", "beavered"):
        return _answer_fault(state, action, setting)
    if action in ("take", "drop", "beaver", "raccoon"):
        return "not_offered", "no double waits for an answer"
    if action == "resign":
        return None
    if phase == "play":
        return None if action == "push" else ("thrown", "the dice are thrown: play them")
    if action == "push":
        return "not_thrown", "the dice of this turn have not been thrown"
    return _offer_fault(state, setting) if action == "double" else None


def _offer_fault(state: State, setting: Setting) -> Fault | None:
    """§8.5: at the start of the own turn, before throwing; once a turn."""
    if state.phase == "doubled":
        return "offered_already", "a double was offered in this turn"
    if state.is_last_roll:
        return "last_roll", "only the last roll is left"
    assert state.side is not None
    return offer_fault(
        state.cube, state.side, state.turn_number, setting.rules, is_crawford=setting.is_crawford
    )


def _answer_fault(state: State, action: str, setting: Setting) -> Fault | None:
    """§8.5: an offer is taken, dropped or beavered; a beaver taken, dropped or raccooned."""
    answer = "beaver" if state.phase == "offered" else "raccoon"
    if action in ("take", "drop"):
        return None
    if action not in ("beaver", "raccoon"):
        return "answer_due", f"a {'double' if answer == 'beaver' else 'beaver'} is to be answered"
    if action != answer:
        return "not_offered", f"no {'beaver' if action == 'raccoon' else 'double'} waits"
    if not getattr(setting.rules, action) or not setting.is_money:
        where = "" if setting.is_money else " of a match"
        return "not_in_rules", f"these rules{where} know no {action}"
    # A beaver comes upon an offer, which the cube does not show yet.
    return limit_fault(state.cube.value * (4 if action == "beaver" else 2), setting.rules)
