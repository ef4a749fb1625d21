"""Play and Plays: what a roll can be played to, in words and as positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from nardy.board import COLUMNS, HEAD
from nardy.dice import as_roll
from nardy.draw.text import text_board
from nardy.errors import IllegalPlay, InvalidNotation, as_int
from nardy.nardy_core import after_states, after_states_all_rolls, flip, judge
from nardy.options import Rules
from nardy.referee import refusal
from nardy.wording import checked_numbering, hits_of, read_hops, words_of

if TYPE_CHECKING:
    from nardy.position import Position

__all__ = ["ROLL_ROWS", "Play", "Plays", "Roll", "after_play", "never_moves"]

Roll = Sequence[int] | NDArray[Any] | str
"""Two dice 1..6 in either order, or a text such as "65"."""

ROLL_ROWS: Final = {
    (large, small): np.array([[large, small]], np.int8)
    for large in range(1, 7)
    for small in range(1, large + 1)
}
"""Each roll, the larger die first, as the kernel takes it: int8 (1, 2)."""


def never_moves(row: NDArray[np.int8], rules: Rules) -> bool:
    """Tell whether the side to roll on a board (32,) can play no roll at all.

    Examples
    --------
    >>> never_moves(nardy.Position.start("long").row, nardy.LONG)
    False
    """
    after, _ = after_states_all_rolls(row.reshape(1, COLUMNS), rules=rules)
    return bool((after == flip(row.reshape(1, COLUMNS), rules=rules)).all())


class Plays(Sequence["Play"]):
    """All plays of a position with a roll, one for each board that the turn can end on.

    A sequence that is lazy: the boards are found at once, a :class:`Play` is made when it is asked
    for. Made by :meth:`Position.plays`. A roll that cannot be played has one play, the pass; a
    position whose game is over has none. Two are equal if position and roll are.

    Examples
    --------
    >>> plays = nardy.Position.start("short").plays((3, 1))
    >>> len(plays), str(plays.find("6/5 8/5"))
    (16, '8/5 6/5')
    >>> "8/4" in plays, "8/5" in plays
    (True, False)
    >>> plays.rows.shape
    (16, 32)
    """

    __slots__ = ("_position", "_roll", "_rows", "_steps")

    def __init__(self, position: Position, roll: Roll) -> None:
        if not hasattr(position, "cells"):
            raise TypeError(f"position must be a Position, not {position!r}")
        self._position = position
        self._roll = as_roll(roll)
        self._rows, _, self._steps = after_states(
            position.row.reshape(1, COLUMNS),
            ROLL_ROWS[self._roll],
            rules=position.rules,
            steps=True,
        )
        self._rows.flags.writeable = False

    @property
    def position(self) -> Position:
        """The position at the start of the turn."""
        return self._position

    @property
    def roll(self) -> tuple[int, int]:
        """The dice, the larger first."""
        return self._roll

    @property
    def rows(self) -> NDArray[np.int8]:
        """The boards after the turn as the other side sees them: int8 (m, 32), read-only."""
        return self._rows

    def find(self, text: str, *, numbering: str = "distance") -> Play:
        """Return the play that a text means.

        Parameters
        ----------
        text : str
            Hops in any order and case, divided by blanks, commas or semicolons, such as
            ``"24/18 13/8*"``, ``"bar/20"`` (25 is the bar), ``"6/off(2)"`` (0 is off); runs of one
            checker merged or not; ``"pass"``. A ``*`` may be missing; one where nothing is hit is
            refused. A merged run hits nothing on the way if there is such a way.
        numbering : "distance" or "path"
            "path", long nardy only: 1 is the head, 24 the last point, 25 off.

        Raises
        ------
        IllegalPlay
            With the reason, one of ``nardy.REASONS``, and a sentence.
        InvalidNotation
            A text that is no play.

        Examples
        --------
        >>> plays = nardy.Position.start("long").plays("65")
        >>> plays.find("24/18/13") == plays.find("1/12", numbering="path") == plays[0]
        True
        >>> plays.find("24/18")
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalPlay: 24/18: the 5 is still to be played, as in 24/13
        """
        return Play(self, self._place(after_play(self.position, self.roll, text, numbering)))

    def leading_to(self, after: Position | Sequence[int] | NDArray[Any]) -> Play:
        """Return the play that leads to a board: what was played, when boards are what is kept.

        Parameters
        ----------
        after : Position, or a row of 32 ints
            The board after the turn, as the other side sees it.

        Raises
        ------
        ValueError
            No play leads there, or not 32 columns.
        TypeError
            Neither a Position nor a row.

        Examples
        --------
        >>> start = nardy.Position.start("short")
        >>> after = start.play("8/5 6/5", "31")
        >>> str(start.plays("31").leading_to(after))
        '8/5 6/5'
        """
        start = self.position
        # The class by way of an object: this file stands before position.py.
        board: Position = (
            after
            if isinstance(after, type(start))
            else start.from_row_unchecked(after, rules=start.rules)  # type: ignore[arg-type]
        )
        place = self._place(board.cells)
        if place < 0:
            large, small = self.roll
            hint = ""
            if not board.status() and self._place(board.flip().cells) >= 0:
                hint = ": it is the board as the mover sees it; flip() it"
            raise ValueError(f"after: no play of {large}-{small} leads to {after!r}{hint}")
        return Play(self, place)

    def _place(self, cells: bytes) -> int:
        """Find the number of a board; -1 if it is none of these."""
        boards = self._rows.tobytes()
        at = boards.find(cells)
        while at % COLUMNS and at >= 0:
            at = boards.find(cells, at + 1)
        return at // COLUMNS  # -1 stays -1

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the number of a play; a text will do.

        Raises
        ------
        ValueError
            It is none of these; of a text as :meth:`find`.

        Examples
        --------
        >>> nardy.Position.start("long").plays("33").index("24/18(2)")
        1
        """
        play = self.find(value) if isinstance(value, str) else value
        places = range(len(self))[start:stop]
        if not isinstance(play, Play) or play not in self or play._index not in places:
            raise ValueError(f"{value!r} is none of {self!r}")
        return play._index

    def __len__(self) -> int:
        return len(self._rows)

    def count(self, value: Any) -> int:
        """Return 1 for one of these plays, or its words, else 0.

        Examples
        --------
        >>> nardy.Position.start("long").plays("33").count("24/18(2)")
        1
        """
        return int(value in self)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...
    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        if isinstance(index, slice):
            return tuple(Play(self, i) for i in range(len(self))[index])
        number = as_int("plays[...]", index, "an int or a slice; find() takes words")
        if not -len(self) <= number < len(self):
            raise IndexError(f"plays[{number}]: there are {len(self)} plays")
        return Play(self, number % len(self))

    def __contains__(self, play: object) -> bool:
        """Tell whether a Play, or a text, is one of these."""
        if isinstance(play, Play):
            return play.roll == self.roll and play.position == self.position
        if not isinstance(play, str):
            return False
        try:
            after_play(self.position, self.roll, play)
        except (IllegalPlay, InvalidNotation):
            return False
        return True

    def __repr__(self) -> str:
        large, small = self.roll
        listed = ", ".join(map(str, self[:4])) + (", ..." if len(self) > 4 else "")
        return f"<Plays {large}-{small}, {len(self)}: {listed or 'the game is over'}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plays):
            return NotImplemented
        return self.roll == other.roll and self.position == other.position

    def __hash__(self) -> int:
        return hash((self.position, self.roll))

    def __reduce__(self) -> tuple[Any, ...]:
        return Plays, (self.position, self.roll)


class Play:
    """One way to play a roll, told from others by the board that it leads to.

    Two plays are equal if position, roll and the board after are. Immutable; made by
    :class:`Plays`.

    Examples
    --------
    >>> play = nardy.Position.start("long").plays((6, 5))[0]
    >>> str(play), play.text(numbering="path")
    ('24/13', '1/12')
    >>> play.steps, play.dice_used, play.head_moves
    (((24, 18), (18, 13)), (6, 5), 1)
    >>> play.after.pips
    (360, 349)
    """

    __slots__ = ("_index", "_plays")

    def __init__(self, plays: Plays, index: int) -> None:
        if not isinstance(plays, Plays):
            raise TypeError(f"plays must be Plays, not {plays!r}")
        self._plays = plays
        self._index = index

    @property
    def position(self) -> Position:
        """The position at the start of the turn."""
        return self._plays.position

    @property
    def roll(self) -> tuple[int, int]:
        """The dice, the larger first."""
        return self._plays.roll

    @property
    def after(self) -> Position:
        """The position after the turn, the other side to move."""
        return self.position._successor(self._cells())

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Half-moves (from, to) in the order played: 25 is the bar, 0 off; () for a pass."""
        steps = self._plays._steps[self._index].tolist()
        return tuple((origin, target) for origin, target in steps if origin >= 0)

    @property
    def dice_used(self) -> tuple[int, ...]:
        """The die of each half-move."""
        hops = tuple((*step, False) for step in self.steps)
        position = self.position
        _, half_moves, _ = judge(position.cells, self.roll, position.rules, (), hops, False)
        return tuple(die for _, die in half_moves)

    @property
    def hits(self) -> tuple[int, ...]:
        """Points, in the mover's distances, on which a checker is hit, in the order hit.

        Examples
        --------
        >>> near = nardy.Position.from_points({24: 2, 6: 13}, {5: 1, 6: 14}, rules="short")
        >>> near.plays((4, 1)).find("24/23 24/20").hits
        (20,)
        """
        steps = self.steps
        hits = hits_of(self.position.row.tolist(), steps)
        return tuple(target for (_, target), hit in zip(steps, hits, strict=True) if hit)

    @property
    def head_moves(self) -> int:
        """Checkers that leave the head (long nardy; 0 in short nardy)."""
        if self.position.rules.game == "short":
            return 0
        return sum(origin == HEAD for origin, _ in self.steps)

    def text(self, *, numbering: str = "distance") -> str:
        """Write the play canonically.

        The highest origin comes first; runs of one checker are merged where nothing is hit on the
        way; equal ones are counted, ``*`` marks hits, ``pass`` is none.

        Parameters
        ----------
        numbering : "distance" or "path"
            "path", long nardy only: 1 is the head, 24 the last point.

        Examples
        --------
        >>> nardy.Position.start("long").plays("66")[0].text(numbering="path")
        '1/7(2)'
        """
        position, steps = self.position, self.steps
        shown = checked_numbering(numbering, position.rules.game)
        row = position.row.tolist()
        # The farthest half-move first, so that every run is seen; but where such words would not
        # be legal (a block of six on the way), as played.
        far_first = tuple(sorted(steps, reverse=True))
        words = words_of(row, far_first, shown)
        if far_first != steps:
            hops = tuple(read_hops(words, shown))
            if (
                judge(position.cells, self.roll, position.rules, (), hops, False)[2]
                != self._cells()
            ):
                return words_of(row, steps, shown)
        return words

    def board(self, *, numbering: str = "distance") -> str:
        """Draw the board after the turn as the mover, X, sees it.

        Parameters
        ----------
        numbering : "distance" or "path"

        Examples
        --------
        >>> print(nardy.Position.start("long").plays("65")[0].board().splitlines()[-1])
        off: X 0, O 0
        """
        shown = checked_numbering(numbering, self.position.rules.game)
        return text_board(self.after.flip().row.tolist(), shown)

    def __str__(self) -> str:
        return self.text()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        large, small = self.roll
        return f"<Play {large}-{small}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        # As text: what comes out of a pickle is checked, whatever the order of plays is then.
        return _play, (self.position, self.roll, str(self))

    def _cells(self) -> bytes:
        return bytes(self._plays.rows[self._index])

    def _key(self) -> tuple[Position, tuple[int, int], bytes]:
        return self.position, self.roll, self._cells()


def _play(position: Position, roll: tuple[int, int], text: str) -> Play:
    return Plays(position, roll).find(text)


def after_play(position: Position, roll: Roll, text: str, numbering: str = "distance") -> bytes:
    """Return the cells of the board after a play in words, as the other side sees it.

    Raises
    ------
    IllegalPlay, InvalidNotation
        As :meth:`Plays.find`.
    """
    dice = as_roll(roll)
    shown = checked_numbering(numbering, position.rules.game)
    hops = tuple(read_hops(text, shown))
    refused, _, after = judge(position.cells, dice, position.rules, (), hops, False)
    if refused is not None:
        raise refusal(position.row.tolist(), dice, position.rules, text, hops, refused, shown)
    return after
