"""Game: one game from the roll-off to its points, with cube, clock and everything taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from nardy import options
from nardy.clocks import Clock
from nardy.cube import SIDES, Cube, as_side
from nardy.dice import SeededDice, as_throw
from nardy.endings import (
    DRAW,
    KINDS,
    How,
    Kind,
    Result,
    is_draw,
    is_last_roll_due,
    last_board,
    lift_last,
    points_of,
)
from nardy.errors import IllegalAction, as_int
from nardy.events import (
    Beavered,
    Drank,
    Dropped,
    Event,
    Flagged,
    Offered,
    Played,
    Raccooned,
    Resigned,
    Rolled,
    RolledOff,
    Scored,
    Taken,
    TakenBack,
)
from nardy.options import Rules
from nardy.phases import ACTIONS, Setting, State, fault
from nardy.plays import Play, Plays, Roll
from nardy.position import Position
from nardy.turn import Turn

__all__ = ["Game"]

Listener = Callable[[Event], object]


class Dice(Protocol):
    """Where throws come from: ``nardy.ScriptedDice``, or anything that throws two dice."""

    def throw(self) -> tuple[int, int]:
        """Throw two dice, in the order of the sides where one is thrown for each."""
        ...


class Game:
    """A game that is being played: mutable, and every action can be taken back.

    The sides are 0 and 1. What is not possible now is an ``IllegalAction`` with a reason of
    ``nardy.ACTION_REASONS``, an illegal play an ``IllegalPlay``; nothing is changed then. Actions
    are those of the side that is to act; with ``side=`` they are refused to the other one.

    Parameters
    ----------
    rules : Rules or str
    seed : int, optional
        0 .. 2**64 - 1. The game's own dice: throw k is a function of seed, number and k alone.
    number : int
        Which game of the seed.
    dice : object with a method throw(), optional
        Where throws come from instead, such as ``nardy.ScriptedDice``. Without either the dice of
        every throw have to be given.
    starter : 0, 1 or None
        None: a roll-off decides. A starter who is given throws two fresh dice.
    position : Position, optional
        A board to begin on, as the starter sees it.
    clock : Clock, optional
        Another one than the rules name.
    away : tuple of two ints, optional
        In a match, the points that each side still needs. Jacoby, beavers and automatic doubles are
        for games without (docs/rules.md §8.6).
    is_crawford : bool
        Whether it is the Crawford game of its match.

    Examples
    --------
    >>> game = nardy.Game(nardy.LONG, seed=2026)
    >>> game.roll()
    >>> game.side, game.dice
    (0, (2, 2))
    >>> game.push("24/16")
    >>> game.pop()  # doctest: +ELLIPSIS
    Played(side=0, roll=(2, 2), ...)
    >>> game.phase, sorted(game.actions)
    ('play', ['push'])
    """

    __slots__ = (
        "_dice",
        "_drawn",
        "_is_sealed",
        "_listeners",
        "_number",
        "_seed",
        "_setting",
        "_states",
        "_turn",
    )

    def __init__(
        self,
        rules: Rules | str,
        *,
        seed: int | None = None,
        number: int = 0,
        dice: Dice | None = None,
        starter: int | None = None,
        position: Position | None = None,
        clock: Clock | None = None,
        away: tuple[int, int] | None = None,
        is_crawford: bool = False,
    ) -> None:
        rules = options.rules(rules)
        if seed is not None and dice is not None:
            raise ValueError("dice: a game has a seed or dice, not both")
        if dice is not None and not callable(getattr(dice, "throw", None)):
            raise TypeError(f"dice must have a method throw(), not be {dice!r}")
        if clock is not None and not isinstance(clock, Clock):
            raise TypeError(f"clock must be a Clock, not {clock!r}")
        if clock is not None and clock.out is not None:
            raise ValueError(f"clock must be running, not {clock!r}")
        if starter is not None:
            starter = as_side("starter", starter)
        if clock is None and rules.clock is not None:
            clock = Clock.of(rules.clock)
        if not isinstance(is_crawford, bool):
            raise TypeError(f"is_crawford must be True or False, not {is_crawford!r}")
        self._seed, self._number = seed, as_int("number", number, "an int 0 .. 2**64 - 1")
        self._dice = dice if seed is None else SeededDice(seed, number)
        self._drawn: dict[int, tuple[int, int]] = {}
        self._setting = Setting(rules, _away(away), is_crawford)
        self._states = [_beginning(rules, starter, position, clock)]
        self._turn: Turn | None = None
        self._listeners: list[Listener] = []
        self._is_sealed = False

    # --- what is so

    @property
    def rules(self) -> Rules:
        """The game and its options."""
        return self._setting.rules

    @property
    def seed(self) -> int | None:
        """The seed of the game's own dice; None without."""
        return self._seed

    @property
    def number(self) -> int:
        """Which game of the seed it is."""
        return self._number

    @property
    def state(self) -> State:
        """All that can change, as an immutable value: two that are equal are the same moment."""
        return self._states[-1]

    @property
    def phase(self) -> str:
        """Which of the phases of ``nardy.phases`` the game is in."""
        return self.state.phase

    @property
    def side(self) -> int | None:
        """Whose turn it is; None until the roll-off is decided."""
        return self.state.side

    @property
    def to_act(self) -> int | None:
        """The side that acts next: other than `side` when a double waits for its answer.

        None in the roll-off and at the end.
        """
        return self.state.to_act

    @property
    def starter(self) -> int | None:
        """The side that started; None until the roll-off is decided."""
        return self.state.starter

    @property
    def turn_number(self) -> int:
        """Turns begun, those of both sides: the starter's first is 1."""
        return self.state.turn_number

    @property
    def position(self) -> Position:
        """The board, as the side whose turn it is sees it."""
        return self.state.position

    @property
    def dice(self) -> tuple[int, int] | None:
        """The dice that lie, the larger first; None where none do."""
        return self.state.roll

    @property
    def cube(self) -> Cube:
        """The doubling cube. Without a cube in the rules it shows what the game is worth."""
        return self.state.cube

    @property
    def clock(self) -> Clock | None:
        """The clock, None without one."""
        return self.state.clock

    @property
    def away(self) -> tuple[int, int] | None:
        """Points that each side still needs in the match; None outside matches."""
        return self._setting.away

    @property
    def is_crawford(self) -> bool:
        """Whether it is the Crawford game of its match."""
        return self._setting.is_crawford

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it runs."""
        return self.state.result

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None

    @property
    def actions(self) -> frozenset[str]:
        """Names of the methods that can be called now, by the side to act.

        Examples
        --------
        >>> sorted(nardy.Game("short", starter=0).actions)
        ['roll']
        """
        return frozenset(name for name in ACTIONS if self._fault(name) is None)

    @property
    def board(self) -> Position:
        """The board that the dice are played on: `position`, but for the last roll.

        There one checker of the side that has finished is taken for not lifted yet, where it
        is in no one's way, so that the rules of a turn apply (``nardy.endings``).
        """
        state = self.state
        if state.roll is None or not state.is_last_roll:
            return state.position
        board = last_board(state.position, state.roll)
        assert board is not None  # roll() would have ended the game
        return board

    @property
    def plays(self) -> Plays:
        """The plays of the dice that lie.

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31")
        >>> len(game.plays)
        16
        """
        self._check("push", None)
        assert self.state.roll is not None
        return self.board.plays(self.state.roll)

    @property
    def turn(self) -> Turn:
        """The turn that is being played, to be moved checker by checker and then pushed.

        The same object until the turn ends.

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31")
        >>> game.turn.move(8, 5)
        >>> game.turn.move(6, 5)
        >>> game.push(game.turn)
        >>> game.side, game.phase
        (1, 'roll')
        """
        if self._turn is None:
            self._check("push", None)
            assert self.state.roll is not None
            self._turn = Turn(self.board, self.state.roll)
        return self._turn

    # --- what happened

    @property
    def history(self) -> tuple[Event, ...]:
        """The event of each action so far, oldest first: what :meth:`pop` takes back."""
        return tuple(state.event for state in self._states[1:] if state.event is not None)

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

    # --- dice and plays

    def roll_off(self, dice: Roll | None = None) -> None:
        """Throw one die for each side: the higher starts, a tie is thrown again (§2, §8.1).

        Under ``opening="use_rolloff"`` these two are the starter's first roll.

        Parameters
        ----------
        dice : two ints 1..6, or a text such as "25"; optional
            Side 0's die first. Without: a throw of the game's own dice.

        Examples
        --------
        >>> game = nardy.Game("short")
        >>> game.roll_off("33"); game.roll_off("25")
        >>> game.starter, game.dice
        (1, (5, 2))
        """
        state = self._check("roll_off", None)
        one, other = self._thrown(dice)
        event, throws = RolledOff((one, other)), state.throws + 1
        if event.starter is None:
            cube, rules = state.cube, self.rules
            if self._setting.is_money and state.ties < rules.automatic_doubles:
                cube = cube.doubled_by_a_tie()
            ties = state.ties + 1
            self._append(state._replace(cube=cube, ties=ties, throws=throws, event=event))
            return
        uses = self.rules.opening == "use_rolloff"
        self._append(
            state._replace(
                phase="play" if uses else "roll",
                side=event.starter,
                starter=event.starter,
                roll=(max(one, other), min(one, other)) if uses else None,
                turn_number=1,
                throws=throws,
                event=event,
            )
        )

    def roll(self, dice: Roll | None = None, *, side: int | None = None) -> None:
        """Throw the dice.

        Without dice given the game throws its own, until there is a roll to play: if need be, the
        roll-off comes first. With dice given it is one throw: at the beginning, the roll-off's.

        Parameters
        ----------
        dice : two ints 1..6, or a text such as "65"; optional
        side : 0 or 1, optional

        Examples
        --------
        >>> game = nardy.Game("long", seed=4)
        >>> game.roll()
        >>> [type(event).__name__ for event in game.history]
        ['RolledOff', 'Rolled']
        """
        state = self._check("roll", side)
        if state.phase == "roll_off":
            self.roll_off(dice)
            while dice is None and self.phase == "roll_off":
                self.roll_off()
            if dice is not None or self.phase == "play":
                return
            state = self.state
        one, other = self._thrown(dice)
        roll = (one, other) if one >= other else (other, one)
        _, mover, position, _, turn_number, starter, cube, ties, throws, clock, _, _ = state
        assert mover is not None
        event = Rolled(mover, roll)
        thrown = State(
            "play", mover, position, roll, turn_number, starter, cube, ties, throws + 1, clock,
            None, event,
        )  # fmt: skip
        if thrown.is_last_roll and last_board(position, roll) is None:
            thrown = self._ended(thrown, self._on_board(position, 1 - mover), event)
        self._append(thrown)

    def push(
        self,
        play: str | Play | Turn,
        *,
        seconds: float | None = None,
        side: int | None = None,
        numbering: str = "distance",
    ) -> None:
        """Play the roll.

        Parameters
        ----------
        play : str, Play or Turn
            A text as ``Plays.find`` reads it, ``"pass"`` too; one of :attr:`plays`; or
            :attr:`turn`, complete.
        seconds : float, optional
            What the turn took, in games with a clock. If its time was up, the play is not made
            and the game is lost.
        side : 0 or 1, optional
        numbering : "distance" or "path"
            Of the text.

        Raises
        ------
        IllegalPlay, InvalidNotation
            As ``Position.play``; of a turn as ``Turn.commit``.

        Examples
        --------
        >>> game = nardy.Game("long", starter=0)
        >>> game.roll("65")
        >>> game.push("1/12", numbering="path")
        >>> game.position.pips
        (360, 349)
        """
        state = self.state
        if state.phase != "play" or side is not None or self._is_sealed:
            self._check("push", side)
        mover, roll, board = state.side, state.roll, self.board
        assert mover is not None and roll is not None
        if isinstance(play, str | Play):
            after = board.play(play, roll, numbering=numbering)
        elif isinstance(play, Turn):
            if (play.position, play.roll) != (board, roll):
                raise ValueError(f"play must be a turn of this board and roll, not {play!r}")
            after = play.commit()
        else:
            raise TypeError(f"play must be a str, a Play or a Turn, not {play!r}")
        if seconds is not None:
            clock = self._clock_after(state, seconds)
            if clock.is_out(mover):
                self._out_of_time(state, clock, seconds)
                return
            state = state._replace(clock=clock)
        self._append(self._played(state, Played(mover, roll, board, after, seconds)))

    # --- the cube

    def double(self, *, side: int | None = None) -> None:
        """Offer to double the cube, before throwing (§8.5).

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.take()
        >>> game.cube, game.phase
        (Cube(value=2, owner=0, is_turned=True), 'doubled')
        """
        state = self._check("double", side)
        assert state.side is not None
        event = Offered(state.side, 2 * state.cube.value)
        self._append(state._replace(phase="offered", event=event))

    def take(self, *, side: int | None = None) -> None:
        """Take the double, or accept the beaver: the game goes on (§8.5).

        Examples
        --------
        >>> game = nardy.Game("short-money", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.take()
        >>> game.cube.value, game.cube.owner
        (4, 0)
        """
        state = self._check("take", side)
        taker = state.to_act
        assert taker is not None
        cube = state.cube.taken(by=taker) if state.phase == "offered" else state.cube
        event = Taken(taker, cube.value)
        self._append(state._replace(phase="doubled", cube=cube, event=event))

    def drop(self, *, side: int | None = None) -> None:
        """Refuse the double, or the beaver: the game is lost at the stake before it (§8.5).

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.drop()
        >>> game.result.winner, game.result.points
        (1, 1)
        """
        state = self._check("drop", side)
        assert state.to_act is not None
        self._append(self._given_up(state, state.to_act, "dropped", Dropped(state.to_act)))

    def beaver(self, *, side: int | None = None) -> None:
        """Take the double and double again at once, keeping the cube (option ``beaver``).

        Examples
        --------
        >>> game = nardy.Game("short-money", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.drop()
        >>> game.result.winner, game.result.points
        (0, 2)
        """
        state = self._check("beaver", side)
        taker = state.to_act
        assert taker is not None
        cube = state.cube.beavered(by=taker)
        event = Beavered(taker, cube.value)
        self._append(state._replace(phase="beavered", cube=cube, event=event))

    def raccoon(self, *, side: int | None = None) -> None:
        """Double a beaver again at once (option ``raccoon``); there is no answer to it.

        Examples
        --------
        >>> game = nardy.Game(nardy.SHORT.replace(beaver=True, raccoon=True), starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.raccoon()
        >>> game.cube.value, game.cube.owner
        (8, 1)
        """
        state = self._check("raccoon", side)
        mover = state.side
        assert mover is not None
        owner = mover if self.rules.raccoon_owner == "raccooner" else 1 - mover
        cube = state.cube.raccooned(owner)
        event = Raccooned(mover, cube.value)
        self._append(state._replace(phase="doubled", cube=cube, event=event))

    # --- other ends

    def resign(self, kind: Kind = "oin", *, side: int | None = None) -> None:
        """Give the game up as an oin, a mars or a koks (option ``resign``).

        That the other side agrees to the kind is for the caller to have asked. Either side may
        give up, on its turn or not; not while a double waits for its answer.

        Parameters
        ----------
        kind : "oin", "mars" or "koks"
        side : 0 or 1, optional
            Without: the side whose turn it is.

        Examples
        --------
        >>> game = nardy.Game(nardy.LONG.replace(resign=True), starter=0)
        >>> game.resign("mars")
        >>> game.result
        Result(winner=1, points=2, kind='mars', how='resigned')
        """
        state = self._check("resign", None)
        loser = state.side if side is None else as_side("side", side)
        assert loser is not None
        if not isinstance(kind, str) or kind not in KINDS:
            error = ValueError if isinstance(kind, str) else TypeError
            raise error(f"kind must be one of {', '.join(map(repr, KINDS))}, not {kind!r}")
        rules = self.rules
        if kind == "koks" and rules.game == "long" and rules.koks == "none":
            raise IllegalAction("resign: these rules know no koks", reason="not_in_rules")
        mine = state.position if loser == state.side else state.position.flip()
        if kind != "oin" and mine.cells[0]:
            message = f"resign: side {loser} has borne off a checker, which is no {kind}"
            raise IllegalAction(message, reason="no_mars")
        points = points_of(kind, state.cube, rules, is_money=self._setting.is_money)
        result = Result(1 - loser, points, kind, "resigned")
        self._append(self._ended(state, result, Resigned(loser, kind)))

    def flag(self, *, side: int | None = None, seconds: float | None = None) -> None:
        """Say that the time of the side to act is up: it loses a single game (§8.7).

        While a double waits for its answer, it loses what a drop would cost.

        Parameters
        ----------
        side : 0 or 1, optional
        seconds : float, optional
            What its turn has taken so far. Without, it is the caller's word.

        Examples
        --------
        >>> game = nardy.Game(nardy.SHORT.replace(clock="blitz"), starter=0)
        >>> game.flag()
        >>> game.result.how, game.clock.left
        ('time', (0.0, 90.0))
        """
        state = self._check("flag", side)
        assert state.clock is not None and state.to_act is not None
        limit = state.clock.limit(state.to_act)
        if seconds is not None and not state.clock.is_out(state.to_act, seconds):
            message = f"flag: side {state.to_act} has {limit} s for its turn, and took {seconds}"
            raise IllegalAction(message, reason="time_left")
        self._out_of_time(state, state.clock.after(state.to_act, limit), seconds)

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
        if self._is_sealed:
            raise IllegalAction("pop: a later game has begun in the match", reason="sealed")
        if len(self._states) == 1:
            raise IllegalAction("pop: nothing has been done in this game", reason="nothing_done")
        self._turn = None
        event = self._states.pop().event
        assert event is not None
        for listener in self._listeners:
            listener(TakenBack(event))
        return event

    def __repr__(self) -> str:
        state = self.state
        now = "over" if state.result else f"side {state.to_act}" if state.side is not None else ""
        return f"<Game {self.rules.game}, turn {state.turn_number}, {state.phase} {now}>".strip()

    # --- inside

    def _fault(self, action: str) -> tuple[str, str] | None:
        if self._is_sealed:
            return "sealed", "a later game has begun in the match"
        return fault(self.state, action, self._setting)

    def _check(self, action: str, side: int | None) -> State:
        """Refuse what is not possible now; return the state."""
        state = self.state
        if side is not None and as_side("side", side) != state.to_act is not None:
            raise IllegalAction(f"{action}: it is for side {state.to_act}", reason="not_on_turn")
        found = self._fault(action)
        if found is not None:
            reason, sentence = found
            raise IllegalAction(f"{action}: {sentence}", reason=reason)
        return state

    def _thrown(self, dice: Roll | None) -> tuple[int, int]:
        """Return the dice given, else those of the game's next throw, in their order."""
        if dice is not None:
            return as_throw(dice)
        source, throw = self._dice, self.state.throws
        if isinstance(source, SeededDice):
            return source.at(throw)
        if source is None:
            raise IllegalAction("roll: give the dice; this game has no seed", reason="no_dice")
        if throw not in self._drawn:
            self._drawn[throw] = as_throw(source.throw())
        return self._drawn[throw]

    def _append(self, state: State) -> None:
        self._turn = None
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

    def _played(self, state: State, event: Played) -> State:
        """Return the state after a play."""
        _, mover, _, _, turn_number, starter, cube, ties, throws, clock, _, _ = state
        assert mover is not None
        after, other = event.after, 1 - mover
        if state.is_last_roll:
            after = lift_last(after, self.rules)
            result = DRAW if is_draw(after) else self._on_board(after, other)
            return self._ended(state._replace(position=after, side=other), result, event)
        if after.is_over and not is_last_roll_due(after, starter_finished=mover == starter):
            result = self._on_board(after, mover)
            return self._ended(state._replace(position=after, side=other), result, event)
        return State(
            "roll", other, after, None, turn_number + 1, starter, cube, ties, throws, clock,
            None, event,
        )  # fmt: skip

    def _on_board(self, over: Position, winner: int) -> Result:
        """Return the result of a board on which one side has borne off all."""
        outcome = over.outcome
        assert outcome is not None
        kind = KINDS[abs(outcome) - 1]
        points = points_of(kind, self.cube, self.rules, is_money=self._setting.is_money)
        return Result(winner, points, kind, "borne_off")

    def _given_up(self, state: State, loser: int, how: How, event: Event) -> State:
        """Return the state after a single game is lost at the stake before any offer."""
        stake = state.cube.value // (2 if state.phase == "beavered" else 1)
        return self._ended(state, Result(1 - loser, stake, "oin", how), event)

    def _ended(self, state: State, result: Result, event: Event) -> State:
        return state._replace(phase="over", roll=None, result=result, event=event)

    def _clock_after(self, state: State, seconds: float) -> Clock:
        if state.clock is None:
            message = "push: seconds are for games with a clock"
            raise IllegalAction(message, reason="not_in_rules")
        assert state.side is not None
        return state.clock.after(state.side, seconds)

    def _out_of_time(self, state: State, clock: Clock, seconds: float | None) -> None:
        loser = state.to_act
        assert loser is not None
        event = Flagged(loser, seconds)
        self._append(self._given_up(state._replace(clock=clock), loser, "time", event))


def _beginning(
    rules: Rules, starter: int | None, position: Position | None, clock: Clock | None
) -> State:
    """Return the state before anything has happened."""
    if position is None:
        position = Position.start(rules)
    elif not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {position!r}")
    elif position.rules != rules:
        raise ValueError(f"position must be one of {rules!r}, not of {position.rules!r}")
    elif starter is None:
        raise ValueError("starter must be 0 or 1 where a position is given")
    elif position.status() or position.is_over:
        raise ValueError(f"position must be one that a turn can start from, not {position!r}")
    phase, turn = ("roll_off", 0) if starter is None else ("roll", 1)
    return State(phase, starter, position, None, turn, starter, Cube(), 0, 0, clock, None, None)  # type: ignore[arg-type]


def _away(away: tuple[int, int] | None) -> tuple[int, int] | None:
    """Check the points that each side needs."""
    if away is None:
        return None
    wanted = "the points that each side needs, two ints >= 1"
    if not isinstance(away, tuple | list) or len(away) != 2:
        raise TypeError(f"away must be {wanted}, not {away!r}")
    one, other = (as_int("away: each", points, "an int >= 1") for points in away)
    if min(one, other) < 1:
        raise ValueError(f"away must be {wanted}, not {away!r}")
    return one, other
