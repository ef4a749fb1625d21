"""Records: matches that were played, as :func:`nardy.read` gives them.

A :class:`MatchRecord` has games, a :class:`GameRecord` has nodes: one for each thing that a side
did, in their order, with the board it was done on and what the rules say of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from nardy.cube import Cube
from nardy.endings import Result
from nardy.formats.entries import FileFault, tag_of
from nardy.options import Rules
from nardy.plays import Play, Plays
from nardy.position import Position

__all__ = ["GameRecord", "MatchRecord", "Node"]


@dataclass(frozen=True, slots=True)
class Node:
    """One thing that a side did in a recorded game: frozen, equal by what was done.

    Two nodes are equal if the same was done on the same board, however it was worded and wherever
    it was written.

    Examples
    --------
    >>> match = nardy.Match("short", length=1)
    >>> match.game.roll("31"); match.game.push("6/5 8/5"); match.game.roll("42")
    >>> for node in nardy.record_of(match).games[0].nodes:
    ...     print(node.side, node.action, node.roll, node.play, node.is_legal)
    0 play (3, 1) 8/5 6/5 True
    1 roll (4, 2) None None
    """

    side: int
    """Who did it: 0 or 1, player 1 or player 2."""
    action: Literal["play", "roll", "double", "take", "drop", "beaver", "raccoon", "resign"]
    """``"roll"``: dice that were thrown and not played, for the game ended then."""
    position: Position | None
    """The board before, as `side` sees it; None where an illegal play has left it unknown."""
    roll: tuple[int, int] | None
    """Of a play and of a roll: the larger die first."""
    after: Position | None
    """Of a play: the board after, as the other side sees it. Of an illegal one: as if it counted,
    for people played on from there; None if it cannot be made at all."""
    is_legal: bool | None
    """None where nothing can be said: the board is unknown, the dice were not played."""
    reason: str | None
    """Why not: of ``nardy.REASONS`` or ``nardy.ACTION_REASONS``; None too if the words cannot be
    read."""
    cube: Cube
    """The cube before."""
    score: tuple[int, int]
    """Of the match, before the game."""
    value: int | None = None
    """Of a double, beaver or raccoon: what the cube goes to. Of a game given up: 1, 2 or 3 times
    the cube."""
    words: str | None = field(default=None, compare=False)
    """Of a play: as it is written."""
    message: str | None = field(default=None, compare=False)
    """The reason as a sentence."""
    line: int = field(default=0, compare=False)
    """Where it stands, both from 1; 0 if it has no place in a text."""
    column: int = field(default=0, compare=False)

    @property
    def play(self) -> Play | None:
        """The play, one of ``position.plays(roll)``; None if it is illegal, or none was made."""
        if not self.is_legal or self.after is None or self.position is None or self.roll is None:
            return None
        return Plays(self.position, self.roll).leading_to(self.after)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a record: frozen, equal by what was done in it.

    Examples
    --------
    >>> match = nardy.Match("short", length=3)
    >>> match.game.roll("31"); match.game.push("6/5 8/5"); match.game.double(); match.game.drop()
    >>> game = nardy.record_of(match).games[0]
    >>> game.result
    Result(winner=1, points=1, kind='oin', how='dropped')
    >>> [node.action for node in game.nodes], game.nodes[1].cube.value
    (['play', 'double', 'drop'], 1)
    """

    number: int
    """As the file has it, from 1."""
    score: tuple[int, int]
    """Of the match, before the game: as the file has it, else counted."""
    is_crawford: bool
    start: Position
    """The board that it begins on, as who moves first sees it."""
    nodes: tuple[Node, ...]
    result: Result | None
    """By the play and the cube; of a game that was given up, by the points declared. None if it
    was not finished."""
    declared: tuple[int | None, int] | None = None
    """Winner and points as the file has them, kept though they contradict the play; (None, 0) for
    a draw, None if it has none."""
    first_cube: int = 1
    """What the cube stood at: more than 1 after automatic doubles."""
    line: int = field(default=0, compare=False)

    @property
    def score_after(self) -> tuple[int, int]:
        """Of the match, after the game; without a result, or after a draw, as before."""
        one, other = self.score
        if self.result is None or self.result.winner is None:
            return one, other
        points = self.result.points
        return (one, other + points) if self.result.winner else (one + points, other)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that was played, or a session for money: frozen, equal by what was done in it.

    Made by :func:`nardy.read` from a file, by :func:`nardy.record_of` from a match played here.

    Examples
    --------
    >>> match = nardy.Match("long", length=5, seed=1)
    >>> match.game.play_out()
    >>> record = nardy.record_of(match, players=("Anna", "Boris"))
    >>> record.length, record.players, len(record.games), record.score == match.score
    (5, ('Anna', 'Boris'), 1, True)
    """

    rules: Rules
    length: int | None
    """Points to reach; None for money."""
    players: tuple[str, str]
    games: tuple[GameRecord, ...]
    tags: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """The header of a file: names and values, known or not, in its order."""
    comments: tuple[str, ...] = field(default=(), compare=False)
    """Other lines of the header."""
    faults: tuple[FileFault, ...] = field(default=(), compare=False)
    """What of the file could not be read, and what in it contradicts the rest of it. An illegal
    play is no fault of a file: its node says so."""
    unlisted_faults: int = field(default=0, compare=False)
    """Faults beyond the first 1,000."""

    @property
    def score(self) -> tuple[int, int]:
        """The points of player 1 and of player 2, after the last game that has a result."""
        return self.games[-1].score_after if self.games else (0, 0)

    def tag(self, name: str) -> str | None:
        """Return the value of a tag of the header, whatever its case; None if there is none.

        Examples
        --------
        >>> match = nardy.Match("long", length=5)
        >>> nardy.record_of(match, tags=(("Event", "Open"),)).tag("event")
        'Open'
        """
        return tag_of(self.tags, name)
