"""Match: games one after the other, to a number of points or for money."""

from __future__ import annotations

from copy import copy

from nardy import options
from nardy.clocks import Clock
from nardy.endings import Result
from nardy.errors import IllegalAction, as_int
from nardy.events import Event, GameStarted, MatchWon, Scored, TakenBack
from nardy.games import Dice, Game
from nardy.options import Rules
from nardy.records import Listener

__all__ = ["Match"]


class Match:
    """A match to a number of points, or games for money without an end.

    :attr:`game` is played; when it is over, :meth:`next_game` begins the following one, and the
    rules say who starts it. The score is the sum of the results.

    Parameters
    ----------
    rules : Rules or str
    length : int or None
        Points to reach, >= 1; None plays for money: Jacoby, beavers and automatic doubles have
        effect there, Crawford in matches (docs/rules.md §8.6).
    seed : int, optional
        0 .. 2**64 - 1. Game i of the match is number i of the seed.
    dice : object with a method throw(), optional
        Where throws come from instead. Without either the dice of every throw have to be given.
    clock : Clock, optional
        Of each game, if it is another than the rules name.

    Examples
    --------
    >>> match = nardy.Match(nardy.SHORT, length=7, seed=1)
    >>> match.game.roll(); match.game.push(match.game.plays[0])
    >>> match.game.double(); match.game.drop()
    >>> match.score, match.is_over, match.is_crawford
    ((1, 0), False, False)
    >>> match.next_game()
    >>> len(match.games), match.game.starter
    (2, 0)
    """

    __slots__ = ("_clock", "_dice", "_drawn", "_games", "_length", "_listeners", "_rules", "_seed")

    def __init__(
        self,
        rules: Rules | str,
        *,
        length: int | None,
        seed: int | None = None,
        dice: Dice | None = None,
        clock: Clock | None = None,
    ) -> None:
        if length is not None and as_int("length", length, "None or an int >= 1") < 1:
            raise ValueError(f"length must be None or an int >= 1, not {length!r}")
        self._rules, self._length = options.rules(rules), length
        self._seed, self._dice, self._clock = seed, dice, clock
        self._listeners: list[Listener] = []
        self._games: list[Game] = []
        # What `dice` threw in each game: a game that is begun anew throws it again.
        self._drawn: dict[int, dict[int, tuple[int, int]]] = {}
        self._begin(starter=None)

    def __copy__(self) -> Match:
        """Copy the match with all its games; subscribers stay with the first."""
        twin = object.__new__(Match)
        twin._rules, twin._length = self._rules, self._length
        twin._seed, twin._dice, twin._clock = self._seed, self._dice, self._clock
        twin._listeners = []
        twin._drawn = {number: drawn.copy() for number, drawn in self._drawn.items()}
        twin._games = [copy(game) for game in self._games]
        for number, (game, first) in enumerate(zip(twin._games, self._games, strict=True)):
            game._is_sealed, game._drawn = first._is_sealed, twin._drawn[number]
            game.subscribe(twin._heard)
        return twin

    # --- what is so

    @property
    def rules(self) -> Rules:
        """The game and its options."""
        return self._rules

    @property
    def seed(self) -> int | None:
        """The seed of the games' own dice; None without."""
        return self._seed

    @property
    def clock(self) -> Clock | None:
        """The clock that each game starts with, if it is another than the rules name."""
        return self._clock

    @property
    def length(self) -> int | None:
        """Points to reach; None for money."""
        return self._length

    @property
    def game(self) -> Game:
        """The game that is played, or the last one."""
        return self._games[-1]

    @property
    def games(self) -> tuple[Game, ...]:
        """All games so far, the one that is played included."""
        return tuple(self._games)

    @property
    def results(self) -> tuple[Result, ...]:
        """The results of the games that are over."""
        return tuple(game.result for game in self._games if game.result is not None)

    @property
    def score(self) -> tuple[int, int]:
        """The points of side 0 and of side 1."""
        return _score(self._games)

    @property
    def is_crawford(self) -> bool:
        """Whether :attr:`game` is the Crawford game: the first after a side needs but one point."""
        return self.game.is_crawford

    @property
    def winner(self) -> int | None:
        """The side that has reached the length; None while nobody has."""
        if self._length is None:
            return None
        one, other = self.score
        return None if max(one, other) < self._length else int(other > one)

    @property
    def is_over(self) -> bool:
        """Whether a side has reached the length."""
        return self.winner is not None

    # --- what is done

    def next_game(self) -> None:
        """Begin the next game; the starter is who ``next_starter`` says (§2).

        ``"winner"`` of the game before, ``"other"`` than the one that started it, or None for a
        roll-off: with ``"roll"``, and with ``"winner"`` after a draw.

        Raises
        ------
        IllegalAction
            The game before is still running, or the match is over.

        Examples
        --------
        >>> match = nardy.Match(nardy.SHORT, length=3)
        >>> match.next_game()
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalAction: next_game: the game before is still running
        """
        last = self.game
        if last.result is None:
            message = "next_game: the game before is still running"
            raise IllegalAction(message, reason="game_running")
        if self.is_over:
            message = f"next_game: side {self.winner} has won the match"
            raise IllegalAction(message, reason="match_over")
        starter = None
        if self.rules.next_starter == "winner":
            starter = last.result.winner
        elif self.rules.next_starter == "other":
            assert last.starter is not None
            starter = 1 - last.starter
        last._is_sealed = True
        self._begin(starter)

    def pop(self) -> Event:
        """Take the last action back, whatever it was, and return its event.

        Where nothing has been done in a later game, it is its beginning.

        Examples
        --------
        >>> match = nardy.Match(nardy.LONG.replace(resign=True), length=3)
        >>> match.game.roll("65"); match.game.resign("mars"); match.next_game()
        >>> match.pop()
        GameStarted(number=1, score=(0, 2), starter=1, is_crawford=True)
        >>> match.pop()
        Resigned(side=0, kind='mars')
        >>> match.score
        (0, 0)
        """
        if len(self._games) == 1 or len(self.game._states) > 1:
            return self.game.pop()
        event = self._started()
        self._games.pop()
        self.game._is_sealed = False
        self._tell(TakenBack(event))
        return event

    def subscribe(self, listener: Listener) -> None:
        """Have a function called with each event of the match and of its games from now on.

        Examples
        --------
        >>> match = nardy.Match("short", length=1)
        >>> match.subscribe(print)
        >>> match.game.roll((2, 5))
        RolledOff(dice=(2, 5))
        """
        if not callable(listener):
            raise TypeError(f"listener must be callable, not {listener!r}")
        self._listeners.append(listener)

    def __repr__(self) -> str:
        length = "for money" if self.length is None else f"to {self.length}"
        one, other = self.score
        return f"<Match {self.rules.game} {length}, {one}-{other}, game {len(self._games)}>"

    # --- inside

    def _begin(self, starter: int | None) -> None:
        score, length = self.score, self._length
        away = None if length is None else (length - score[0], length - score[1])
        game = Game(
            self._rules,
            seed=self._seed,
            number=len(self._games),
            dice=self._dice,
            starter=starter,
            clock=self._clock,
            away=away,
            is_crawford=self._is_crawford_due(away),
        )
        game._drawn = self._drawn.setdefault(len(self._games), {})
        self._games.append(game)
        game.subscribe(self._heard)
        if len(self._games) > 1:
            self._tell(self._started())

    def _is_crawford_due(self, away: tuple[int, int] | None) -> bool:
        """Tell whether the next game is the first in which a side needs but one point (§8.5)."""
        had_it = any(game.is_crawford for game in self._games)
        return self._rules.crawford and away is not None and 1 in away and not had_it

    def _started(self) -> GameStarted:
        """Return the event of the beginning of the game that is played."""
        game = self.game
        starter = game._states[0].starter
        return GameStarted(
            len(self._games) - 1, _score(self._games[:-1]), starter, game.is_crawford
        )

    def _heard(self, event: Event) -> None:
        """Hand on an event of a game, and that the match is won with it."""
        self._tell(event)
        winner = self.winner if isinstance(event, Scored) else None
        if winner is not None:
            self._tell(MatchWon(winner, self.score))

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)


def _score(games: list[Game]) -> tuple[int, int]:
    results = [game.result for game in games if game.result is not None]
    one, other = (sum(each.points for each in results if each.winner == side) for side in (0, 1))
    return one, other
