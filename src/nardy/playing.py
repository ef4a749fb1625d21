"""The command ``nardy play``: two people, or one against chance, play a match at one terminal."""

from __future__ import annotations

import argparse
import random
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from nardy.arguments import rules_of
from nardy.draw.text import text_board
from nardy.endings import KINDS
from nardy.errors import IllegalAction, IllegalPlay, InvalidNotation
from nardy.events import SAID, Event
from nardy.games import Game
from nardy.matches import Match
from nardy.telling import NAMES, board_text, header, in_letters, told
from nardy.turn import Turn
from nardy.wording import Numbering, checked_numbering, read_hops

__all__ = ["play"]

_SAID: Final = {"roll", *SAID.values(), "resign"}
"""What people say in a game, under the names of its methods; each has its moment."""

# What a line of a person can ask for, and what it does with the words after the first.
Commands = dict[str, Callable[[list[str]], None]]


class _Left(Exception):
    """Somebody has left the table."""


class _TimeUp(Exception):
    """The time of the side that is asked ran out."""


def play(arguments: argparse.Namespace) -> int:
    """Play a match, to its end or until somebody leaves."""
    rules = rules_of(arguments, "long")
    numbering = checked_numbering(arguments.numbering, rules.game)
    # 53 bits: a seed that every reader of numbers can hold.
    seed = secrets.randbits(53) if arguments.seed is None else arguments.seed
    match = Match(rules, length=arguments.length, seed=seed)
    chance = {"x": 0, "o": 1}.get(arguments.random)
    _Table(match, seed, numbering, chance).run()
    return 0


class _Table:
    """A match at one terminal."""

    def __init__(self, match: Match, seed: int, numbering: Numbering, chance: int | None) -> None:
        self.match, self.seed, self.numbering = match, seed, numbering
        self.chance, self.choices = chance, random.Random(seed)
        self.notes: list[str] = []
        """What has happened since the last question."""
        self.turn: Turn | None = None
        self.spent, self.spent_in = [0.0, 0.0], (0, 0)
        """Seconds that each side was asked in a turn, and which turn of which game that is."""
        match.subscribe(self.heard)

    @property
    def game(self) -> Game:
        return self.match.game

    def heard(self, event: Event) -> None:
        self.notes.append(told(event, numbering=self.numbering))

    def run(self) -> None:
        try:
            while not self.match.is_over:
                self.step()
        except (_Left, EOFError):
            self.notes.append("left the table")
        self.show()

    def step(self) -> None:
        """Have the side to act do one thing."""
        game, side = self.game, self.game.to_act
        if (len(self.match.games), game.turn_number) != self.spent_in:
            self.spent, self.spent_in = [0.0, 0.0], (len(self.match.games), game.turn_number)
        if game.phase != "play":
            self.turn = None
        elif self.turn is None:
            self.turn = Turn(game.board, game.dice or "", numbering=self.numbering)
        if side is not None and side == self.chance:
            self.by_chance()
            return
        commands = self.commands()
        self.show()
        try:
            self.obey(self.ask(side, self.question(commands)), commands)
        except _TimeUp:
            assert side is not None
            game.flag(seconds=self.spent[side])
        except ValueError as error:  # what is refused, and what cannot be read
            self.notes.append(in_letters(str(error)))

    def by_chance(self) -> None:
        """Act as chance does: every play is as likely, every double is taken and none offered."""
        game = self.game
        if game.phase == "play":
            game.push(self.choices.choice(game.plays))
        elif game.phase in ("offered", "beavered"):
            game.take()
        else:
            game.roll()

    # --- what can be said

    def commands(self) -> Commands:
        """Return what can be asked for now; the first is what an empty line does."""
        game = self.game
        found: Commands = {}
        if game.phase == "over":
            found["next"] = lambda _: self.match.next_game()
        elif game.phase == "play":
            found["done"] = lambda _: self.done()
            found["plays"] = lambda _: self.list_plays()
            if self.turn is not None and self.turn.steps:
                found["undo"] = lambda _: self.undo()
        else:
            simple: dict[str, Callable[[], None]] = {
                # One throw at a time: `Game.roll` would go from the roll-off to the first roll.
                "roll": game.roll_off if game.phase == "roll_off" else game.roll,
                "double": game.double,
                "take": game.take,
                "drop": game.drop,
                "beaver": game.beaver,
                "raccoon": game.raccoon,
            }
            for name, act in simple.items():
                if name in game.actions:
                    found[name] = lambda _, act=act: act()  # type: ignore[misc]
        if "resign" in game.actions:
            found["resign"] = self.resign
        found["help"] = lambda _: self.help(found)
        found["quit"] = self.leave
        return found

    def question(self, commands: Commands) -> str:
        """Return what stands before the cursor: who is asked, and for what."""
        game, side = self.game, self.game.to_act
        who = "" if side is None else f"{NAMES[side]} "
        if self.turn is not None and game.dice is not None:
            large, small = game.dice
            return f"{who}{large}-{small} [a play, {', '.join(commands)}]: "
        return f"{who}[{', '.join(commands)}]: "

    def obey(self, line: str, commands: Commands) -> None:
        """Do what a line asks for: a command, its beginning, or a play."""
        words = line.lower().split()
        if not words:
            next(iter(commands.values()))([])
            return
        meant = [name for name in commands if name.startswith(words[0])]
        if words[0] in commands:
            meant = [words[0]]
        if len(meant) > 1:
            raise ValueError(f"{words[0]!r} may be {' or '.join(meant)}")
        if meant:
            commands[meant[0]](words[1:])
        elif words[0] in _SAID:
            try:
                getattr(self.game, words[0])()  # which says why it cannot be done now
            except IllegalAction as error:
                raise ValueError(f"{error}; try {', '.join(commands)}") from None
        elif self.turn is not None:
            self.move(line)
        else:
            raise ValueError(f"{words[0]!r} cannot be done now; try {', '.join(commands)}")

    def help(self, commands: Commands) -> None:
        """Say what can be typed."""
        if self.turn is not None:
            self.notes += [
                "a play: 24/18 13/8, bar/20, 6/off, 8/5(2), all at once or checker by checker;",
                "or the number of one that `plays` lists. Then `done` ends the turn.",
            ]
        self.notes.append(
            f"{', '.join(commands)}: beginnings will do; Enter: {next(iter(commands))}"
        )

    def leave(self, _: list[str]) -> None:
        raise _Left

    def resign(self, words: list[str]) -> None:
        """Give the game up, if the other side accepts that it was no more."""
        game, kind = self.game, words[0] if words else "oin"
        if len(words) > 1 or kind not in KINDS:
            raise ValueError(f"resign: say {', '.join(KINDS)}, not {' '.join(words)!r}")
        side = game.to_act
        assert side is not None
        if 1 - side != self.chance:
            answer = self.ask(
                None, f"{NAMES[1 - side]}: {NAMES[side]} gives up, {kind}: yes or no? "
            )
            if not answer.strip().lower().startswith("y"):
                self.notes.append(f"{NAMES[1 - side]} plays on")
                return
        game.resign(kind, side=side)

    # --- a turn

    def move(self, text: str) -> None:
        """Move checkers: a whole play, the number of a listed one, or a part of one."""
        turn, plays = self.turn, self.game.plays
        assert turn is not None
        steps: list[tuple[int, int]]
        if text.strip().isdecimal():
            number = int(text)
            if turn.steps or not 1 <= number <= len(plays):
                here = "undo what is moved" if turn.steps else f"there are {len(plays)} plays"
                raise ValueError(f"play number {number}: {here}")
            steps = [*plays[number - 1].steps]
        else:
            steps = [hop[:2] for hop in read_hops(text, self.numbering)]
            if not turn.steps:
                try:
                    steps = [*plays.find(text, numbering=self.numbering).steps]
                except IllegalPlay as error:
                    if error.reason != "incomplete":
                        raise
        before = len(turn.steps)
        try:
            for origin, target in steps:
                turn.move(origin, target)
        except (IllegalPlay, InvalidNotation):
            while len(turn.steps) > before:
                turn.undo()
            raise

    def list_plays(self) -> None:
        plays = self.game.plays
        self.notes += [
            f"{number}. {each.text(numbering=self.numbering)}"
            for number, each in enumerate(plays, 1)
        ]

    def undo(self) -> None:
        assert self.turn is not None
        self.turn.undo()

    def done(self) -> None:
        """End the turn; one that can go but one way is played so."""
        turn, game = self.turn, self.game
        assert turn is not None and game.side is not None
        for origin, target in turn.forced():
            turn.move(origin, target)
        game.push(turn, seconds=None if game.clock is None else self.spent[game.side])

    # --- the terminal

    def show(self) -> None:
        """Draw the board anew, and below it what has happened."""
        game = self.game
        side, turn = game.side or 0, self.turn if game.phase == "play" else None
        if turn is not None:
            row = turn.row
        elif game.phase == "offered":
            side, row = 1 - side, game.position.flip().row
        else:
            row = game.position.row
        if sys.stdout.isatty():
            print("\x1b[H\x1b[2J", end="")
        print(header(self.match, self.seed))
        print(board_text(text_board(row.tolist(), self.numbering), side))
        print(*self.notes, sep="\n", end="\n" if self.notes else "")
        self.notes.clear()
        if turn is not None and turn.steps:
            print(f"moved: {turn}")
        elif turn is not None and turn.is_complete:
            print("no checker can move")
        elif turn is not None and turn.forced():
            print("there is but one play")

    def ask(self, side: int | None, question: str) -> str:
        """Ask for a line; the clock of ``side`` runs meanwhile."""
        clock = self.game.clock
        if side is None or clock is None:
            return _line(question)
        started = time.monotonic()
        try:
            with _alarm(clock.limit(side) - self.spent[side]):
                line = _line(question)
        except _TimeUp:
            self.spent[side] = clock.limit(side)
            print()
            raise
        self.spent[side] += time.monotonic() - started
        if clock.is_out(side, self.spent[side]):
            raise _TimeUp
        return line


def _line(question: str) -> str:
    """Read a line; one that nobody typed here is shown, so that what is printed can be read."""
    line = input(question)
    if not sys.stdin.isatty():
        print(line)
    return line


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise _TimeUp after so many seconds, where the system can; else the caller looks himself."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(*_: object) -> None:
        raise _TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
