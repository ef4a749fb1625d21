"""Record: the states of a game one upon the other: what is so, what has happened, taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nardy.clocks import Clock
from nardy.cube import SIDES, Cube
from nardy.endings import Result, Setting
from nardy.errors import IllegalAction
from nardy.events import Drank, Event, Played, Scored, TakenBack
from nardy.options import Rules
from nardy.phases import State
from nardy.position import Position

__all__ = ["Listener", "Record"]

Listener = Callable[[Event], object]
"""Who is told of each event."""


class Record:
    """What :class:`nardy.Game` is before it can do anything: its states, and who is told.

    A state is never changed: an action puts one on top, and :meth:`pop` takes it off.
    """

    __slots__ = ("_is_sealed", "_listeners", "_setting", "_states")

    def __init__(self, setting: Setting, state: State) -> None:
        self._setting = setting
        self._states = [state]
        self._listeners: list[Listener] = []
        self._is_sealed = False

    # --- what is so

    @property
    def rules(self) -> Rules:
        """The game and its options."""
        return self._setting.rules

    @property
    def away(self) -> tuple[int, int] | None:
        """Points that each side still needs in the match; None outside matches."""
        return self._setting.away

    @property
    def is_crawford(self) -> bool:
        """Whether it is the Crawford game of its match."""
        return self._setting.is_crawford

    @property
    def state(self) -> State:
        """All that can change, as an immutable value: equal ones are the same moment."""
        return self._states[-1]

    @property
    def phase(self) -> str:
        """Which of the phases of ``nardy.phases`` the game is in."""
        return self._states[-1].phase

    @property
    def side(self) -> int | None:
        """Whose turn it is; None until the roll-off is decided."""
        return self._states[-1].side

    @property
    def to_act(self) -> int | None:
        """The side that acts next: other than `side` when a double waits for its answer.

        None in the roll-off and at the end.
        """
        return self._states[-1].to_act

    @property
    def starter(self) -> int | None:
        """The side that started; None until the roll-off is decided."""
        return self._states[-1].starter

    @property
    def turn_number(self) -> int:
        """Turns begun, those of both sides: the starter's first is 1."""
        return self._states[-1].turn_number

    @property
    def position(self) -> Position:
        """The board, as the side whose turn it is sees it."""
        return self._states[-1].position

    @property
    def dice(self) -> tuple[int, int] | None:
        """The dice that lie, the larger first; None where none do."""
        return self._states[-1].roll

    @property
    def cube(self) -> Cube:
        """The doubling cube. Without a cube in the rules it shows what the game is worth."""
        return self._states[-1].cube

    @property
    def clock(self) -> Clock | None:
        """The clock, None without one."""
        return self._states[-1].clock

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        return self._states[-1].result

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._states[-1].result is not None

    # --- what has happened

    @property
    def history(self) -> tuple[Event, ...]:
        """The event of each action so far, oldest first: what :meth:`pop` takes back."""
        return tuple(state.event for state in self._states if state.event is not None)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, oldest first: of the actions and of what followed from them."""
        return tuple(event for state in self._states[1:] for event in self._told(state))

    @property
    def drinks(self) -> tuple[int, int]:
        """Glasses that each side has drunk (drinkgammon, docs/rules.md §8.8)."""
        drunk = [event for event in self.events if isinstance(event, Drank)]
        one, other = (sum(each.glasses for each in drunk if each.side == side) for side in SIDES)
        return one, other

    def subscribe(self, listener: Listener) -> None:
        """Have a function called with each event from now on, after it has happened.

        What is taken back is a :class:`~nardy.events.TakenBack`. An error of the listener is the
        caller's of the action, which has happened nonetheless.

        Examples
        --------
        >>> game = nardy.Game("short")
        >>> game.subscribe(print)
        >>> game.roll((2, 5))
        RolledOff(dice=(2, 5))
        """
        if not callable(listener):
            raise TypeError(f"listener must be callable, not {listener!r}")
        self._listeners.append(listener)

    def pop(self) -> Event:
        """Take the last action back, whatever it was, and return its event.

        The game's own dice fall again as they fell.

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31")
        >>> game.pop()
        Rolled(side=0, roll=(3, 1))
        >>> game.pop()
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalAction: pop: nothing has been done in this game
        """
        event = self._states[-1].event
        if self._is_sealed:
            raise IllegalAction("pop: a later game has begun in the match", reason="sealed")
        if event is None:
            raise IllegalAction("pop: nothing has been done in this game", reason="nothing_done")
        self._states.pop()
        for listener in self._listeners:
            listener(TakenBack(event))
        return event

    # --- inside

    def _append(self, state: State) -> None:
        self._states.append(state)
        if self._listeners:
            for event in self._told(state):
                for listener in self._listeners:
                    listener(event)

    def _told(self, state: State) -> Iterator[Event]:
        """Yield the event of a state and what followed from it."""
        event = state.event
        assert event is not None
        yield event
        if self.rules.drinkgammon and isinstance(event, Played):
            glasses = len(event.play.hits)
            if self.rules.drink_doubles and event.roll[0] == event.roll[1]:
                glasses *= 2
            if glasses:
                yield Drank(event.side, glasses)
        if state.result is not None:
            yield Scored(state.result)
