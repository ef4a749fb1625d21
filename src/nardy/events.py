"""Events: all that happens in a game and in a match, as values that a server can pass on.

Each action of a :class:`~nardy.Game` is one event; what follows from it by the rules (a glass
drunk, the game scored) comes after it as events of their own. ``game.events`` has all so far, and
``game.subscribe`` hands over each as it happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final

from nardy.endings import Kind, Result
from nardy.plays import Play, Plays
from nardy.position import Position

__all__ = [
    "SAID",
    "Beavered",
    "Drank",
    "Dropped",
    "Event",
    "Flagged",
    "GameStarted",
    "MatchWon",
    "Offered",
    "Played",
    "Raccooned",
    "Resigned",
    "Rolled",
    "RolledOff",
    "Scored",
    "Taken",
    "TakenBack",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: frozen, equal by value.

    Examples
    --------
    >>> game = nardy.Game("short", starter=0)
    >>> game.roll((3, 1)); game.push("8/5 6/5")
    >>> for event in game.events:
    ...     print(event.data())
    {'event': 'Rolled', 'side': 0, 'roll': [3, 1]}
    {'event': 'Played', 'side': 0, 'roll': [3, 1], 'play': '8/5 6/5'}
    """

    def data(self) -> dict[str, Any]:
        """Return the event as JSON can hold it: its name under ``"event"``, and its fields."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {"event": type(self).__name__, **{name: _plain(value) for name, value in values}}


# --- before and in a turn -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RolledOff(Event):
    """One die each, side 0's first; the higher starts. A tie is thrown again."""

    dice: tuple[int, int]

    @property
    def starter(self) -> int | None:
        """The side that starts; None of a tie."""
        one, other = self.dice
        return None if one == other else int(other > one)


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """A side threw its dice, the larger first here."""

    side: int
    roll: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Played(Event):
    """A side played its roll, or passed.

    ``position`` and ``after`` are the boards before (seen by the side) and after (seen by the
    other); ``seconds`` is what the turn took, None if nobody said.
    """

    side: int
    roll: tuple[int, int]
    position: Position
    after: Position
    seconds: float | None = None
    _words: str | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def words(self) -> str:
        """The play in words; kept, for a server writes them at each save."""
        if self._words is None:
            object.__setattr__(self, "_words", str(self.play))
        assert self._words is not None
        return self._words

    @property
    def play(self) -> Play:
        """The play, one of ``position.plays(roll)``."""
        return Plays(self.position, self.roll).leading_to(self.after)

    def data(self) -> dict[str, Any]:
        """Return the event as JSON can hold it; the boards are left to the words of the play."""
        timed = {} if self.seconds is None else {"seconds": self.seconds}
        roll = list(self.roll)
        return {"event": "Played", "side": self.side, "roll": roll, "play": self.words, **timed}


# --- the cube -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offered(Event):
    """A side offered to double the cube to ``value``."""

    side: int
    value: int


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """A side took a double, or accepted a beaver; the cube stands at ``value``."""

    side: int
    value: int


@dataclass(frozen=True, slots=True)
class Dropped(Event):
    """A side gave the game up rather than play it for the doubled stake."""

    side: int


@dataclass(frozen=True, slots=True)
class Beavered(Event):
    """A side took a double and doubled again at once, to ``value``."""

    side: int
    value: int


@dataclass(frozen=True, slots=True)
class Raccooned(Event):
    """A side doubled a beaver again at once, to ``value``."""

    side: int
    value: int


SAID: Final[Mapping[type[Event], str]] = MappingProxyType(
    {
        Offered: "double",
        Taken: "take",
        Dropped: "drop",
        Beavered: "beaver",
        Raccooned: "raccoon",
    }
)
"""The word for each event of the cube: the name of the method that does it."""


# --- the end --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A side gave up a game of this kind."""

    side: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Flagged(Event):
    """The time of a side was up: ``seconds`` is what its turn had taken, None if nobody said."""

    side: int
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The game is over."""

    result: Result


@dataclass(frozen=True, slots=True)
class Drank(Event):
    """A side drank glasses for checkers it hit (drinkgammon, docs/rules.md §8.8)."""

    side: int
    glasses: int


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """An event was taken back, with all that followed from it. Told to subscribers alone."""

    event: Event


# --- the match ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """A game of a match began, at a score; ``starter`` is None until the roll-off."""

    number: int
    score: tuple[int, int]
    starter: int | None
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class MatchWon(Event):
    """A side reached the length of the match."""

    winner: int
    score: tuple[int, int]


def _plain(value: Any) -> Any:
    if isinstance(value, Event):
        return value.data()
    if isinstance(value, Result):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    return list(value) if isinstance(value, tuple) else value
