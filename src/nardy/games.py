"""Game: one game from the roll-off to its points, with cube, clock and everything taken back."""

from __future__ import annotations

from copy import copy
from typing import Final, Protocol

from nardy import options
from nardy.clocks import Clock
from nardy.cube import as_away, as_side
from nardy.dice import SeededDice, as_throw, as_word
from nardy.endings import KINDS, Kind, Setting
from nardy.errors import IllegalAction
from nardy.options import Rules
from nardy.phases import ACTIONS, State, board_of, fault
from nardy.plays import Play, Plays, Roll
from nardy.position import Position
from nardy.records import Record
from nardy.transitions import (
    beavered,
    beginning,
    dropped,
    flagged,
    offered,
    played,
    raccooned,
    resigned,
    rolled,
    rolled_off,
    taken,
)
from nardy.turn import Turn
from nardy.uniform import uniform_states

__all__ = ["Dice", "Game"]

# In one call: dice that are given may tie for ever, fair ones do so once in 6**1000.
_TIES: Final = 1000


class Dice(Protocol):
    """Where throws come from: ``nardy.ScriptedDice``, or anything that throws two dice."""

    def throw(self) -> tuple[int, int]:
        """Throw two dice, in the order of the sides where one is thrown for each."""
        ...


class Game(Record):
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
        Which game of the seed, 0 .. 2**64 - 1.
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

    __slots__ = ("_dice", "_drawn", "_number", "_seed", "_turn")

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
        self._seed, self._number = seed, as_word("number", number)
        self._dice = dice if seed is None else SeededDice(seed, number)
        self._drawn: dict[int, tuple[int, int]] = {}
        self._turn: tuple[State, Turn] | None = None
        board = _start(rules, starter, position)
        super().__init__(
            Setting(rules, as_away(away), is_crawford), beginning(board, starter, clock)
        )

    def __copy__(self) -> Game:
        """Copy the game, of a match or not, as one that stands alone.

        What is done in one is not done in the other. Subscribers stay with the first; ``dice`` that
        were given throw for both.
        """
        twin = object.__new__(Game)
        twin._setting, twin._states = self._setting, self._states.copy()
        twin._listeners, twin._is_sealed = [], False
        twin._seed, twin._number, twin._dice = self._seed, self._number, self._dice
        twin._drawn = self._drawn.copy()
        twin._turn = self._turn and (self._turn[0], copy(self._turn[1]))
        return twin

    # --- what is so

    @property
    def seed(self) -> int | None:
        """The seed of the game's own dice; None without."""
        return self._seed

    @property
    def number(self) -> int:
        """Which game of the seed it is."""
        return self._number

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
        return board_of(self.state)

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
        self._check("push", None, "plays")
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
        state = self._check("push", None, "turn")
        if self._turn is None or self._turn[0] is not state:
            assert state.roll is not None
            self._turn = state, Turn(self.board, state.roll)
        return self._turn[1]

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
        self._append(rolled_off(state, self._thrown(dice), self._setting))

    def roll(self, dice: Roll | None = None, *, side: int | None = None) -> None:
        """Throw the dice.

        Without dice given the game throws its own, until there is a roll to play: if need be, the
        roll-off comes first. With dice given it is one throw: at the beginning, the roll-off's.

        Parameters
        ----------
        dice : two ints 1..6, or a text such as "65"; optional
        side : 0 or 1, optional

        Raises
        ------
        ValueError
            The dice that the game was given tie 1,000 times in a row; these throws stay thrown.

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
            ties = 1
            while dice is None and self.phase == "roll_off":
                if ties == _TIES:
                    raise ValueError(
                        f"dice: {ties} ties in a row in the roll-off: are they loaded?"
                    )
                self.roll_off()
                ties += 1
            if dice is not None or self.phase == "play":
                return
            state = self.state
        one, other = self._thrown(dice)
        roll = (one, other) if one >= other else (other, one)
        self._append(rolled(state, roll, self._setting))

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
        state = self._check("push", side)
        roll, board = state.roll, self.board
        assert state.side is not None and roll is not None
        if isinstance(play, str | Play):
            after = board.play(play, roll, numbering=numbering)
        elif isinstance(play, Turn):
            if (play.position, play.roll) != (board, roll):
                raise ValueError(f"play must be a turn of this board and roll, not {play!r}")
            after = play.commit()
        else:
            raise TypeError(f"play must be a str, a Play or a Turn, not {play!r}")
        if seconds is not None:
            if state.clock is None:
                message = "push: seconds are for games with a clock"
                raise IllegalAction(message, reason="not_in_rules")
            clock = state.clock.after(state.side, seconds)
            if clock.out is not None:
                self._append(flagged(state, seconds))
                return
            state = state._replace(clock=clock)
        self._append(played(state, board, after, seconds, self._setting))

    def play_out(self) -> None:
        """Play on to the end on the seed's dice, each after-state as likely, and no doubling.

        Throw by throw and play by play, as if by hand: all can be taken back. A game that begins
        with its starter is then game :attr:`number` of ``nardy.playouts`` with this seed (but for
        about one in a million, where a choice is drawn again).

        Raises
        ------
        IllegalAction
            The game has no seed, is over, or a double waits for its answer.
        ValueError
            Neither side can ever move again: only from a board that no game reaches.

        Examples
        --------
        >>> game = nardy.Game("long", seed=7, starter=0)
        >>> game.play_out()
        >>> game.turn_number, game.result
        (102, Result(winner=1, points=1, kind='oin', how='borne_off'))
        """
        state = self._check("push" if self.phase == "play" else "roll", None, "play_out")
        if not isinstance(self._dice, SeededDice):
            raise IllegalAction("play_out: this game has no seed", reason="no_dice")
        for following in uniform_states(state, self._setting, self._dice):
            self._append(following)

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
        self._append(offered(self._check("double", side)))

    def take(self, *, side: int | None = None) -> None:
        """Take the double, or accept the beaver: the game goes on (§8.5).

        Examples
        --------
        >>> game = nardy.Game("short-money", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.take()
        >>> game.cube.value, game.cube.owner
        (4, 0)
        """
        self._append(taken(self._check("take", side)))

    def drop(self, *, side: int | None = None) -> None:
        """Refuse the double, or the beaver: the game is lost at the stake before it (§8.5).

        Examples
        --------
        >>> game = nardy.Game("short", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.drop()
        >>> game.result.winner, game.result.points
        (1, 1)
        """
        self._append(dropped(self._check("drop", side)))

    def beaver(self, *, side: int | None = None) -> None:
        """Take the double and double again at once, keeping the cube (option ``beaver``).

        Examples
        --------
        >>> game = nardy.Game("short-money", starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.drop()
        >>> game.result.winner, game.result.points
        (0, 2)
        """
        self._append(beavered(self._check("beaver", side)))

    def raccoon(self, *, side: int | None = None) -> None:
        """Double a beaver again at once (option ``raccoon``); there is no answer to it.

        Examples
        --------
        >>> game = nardy.Game(nardy.SHORT.replace(beaver=True, raccoon=True), starter=0)
        >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.beaver(); game.raccoon()
        >>> game.cube.value, game.cube.owner
        (8, 1)
        """
        self._append(raccooned(self._check("raccoon", side), self._setting))

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
        self._append(resigned(state, loser, kind, self._setting))

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
        if seconds is not None and not state.clock.is_out(state.to_act, seconds):
            limit = state.clock.limit(state.to_act)
            message = f"flag: side {state.to_act} has {limit} s for its turn, not only {seconds}"
            raise IllegalAction(message, reason="time_left")
        self._append(flagged(state, seconds))

    def __repr__(self) -> str:
        state = self.state
        whose = "" if state.to_act is None else f", side {state.to_act}"
        return f"<Game {self.rules.game}, turn {state.turn_number}, {state.phase}{whose}>"

    # --- inside

    def _fault(self, action: str) -> tuple[str, str] | None:
        if self._is_sealed:
            return "sealed", "a later game has begun in the match"
        return fault(self.state, action, self._setting)

    def _check(self, action: str, side: int | None, asked: str | None = None) -> State:
        """Refuse what is not possible now, under the name it was asked by; return the state."""
        state = self.state
        if side is not None and as_side("side", side) != state.to_act is not None:
            raise IllegalAction(f"{action}: it is for side {state.to_act}", reason="not_on_turn")
        found = self._fault(action)
        if found is not None:
            reason, sentence = found
            raise IllegalAction(f"{asked or action}: {sentence}", reason=reason)
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


def _start(rules: Rules, starter: int | None, position: Position | None) -> Position:
    """Return the board to begin on, checked."""
    if position is None:
        return Position.start(rules)
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {position!r}")
    if position.rules != rules:
        raise ValueError(f"position must be one of {rules!r}, not of {position.rules!r}")
    if starter is None:
        raise ValueError("starter must be 0 or 1 where a position is given")
    if position.status() or position.is_over:
        raise ValueError(f"position must be one that a turn can start from, not {position!r}")
    return position
