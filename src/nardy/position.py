"""Position: one board with its rules, immutable, as the side to move sees it.

Vocabulary: ``own`` are the checkers of the side to move (X in pictures), ``opponent`` those of the
other side (O). Each side counts the points for itself, as the pips left to bear off from there:
home is 6..1, the head of long nardy 24, the bar of short nardy 25.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, total_ordering
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.bearoff.onesided import Bearoff, bearoff_of
from nardy.board import (
    BAR,
    COLUMNS,
    OFF,
    OPPONENT_OFF,
    Side,
    Status,
    opponent_point,
    refuse,
    row_of,
    sides_of,
    status_of_row,
    status_of_sides,
)
from nardy.dice import as_roll
from nardy.draw.text import text_board
from nardy.errors import InvalidPosition, as_int
from nardy.formats import gnuid, xgid
from nardy.formats.gnubg import encode_id
from nardy.formats.long_id import decode_long_id, encode_long_id
from nardy.formats.situation import Situation
from nardy.nardy_core import counts_all_rolls, flip, outcomes, start_row
from nardy.options import LONG, SHORT, Rules
from nardy.plays import Play, Plays, Roll, after_play
from nardy.wording import checked_numbering

__all__ = ["Position"]

# Any: a point is an int or "bar", and mypy takes no dict of ints for a mapping of both.
Points = Mapping[Any, int]


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Position:
    """A board and its rules, from the side to move: immutable, hashable, ordered by both.

    Made by :meth:`start`, :meth:`from_row`, :meth:`from_points` or from an id, all of which refuse
    what no turn can start from: :meth:`status` lists the defects. Accepted, though no game
    reaches it, is for example a board with checkers off while others are outside home.

    Attributes
    ----------
    rules : Rules
        The game and its options.
    row : ndarray of int8, shape (32,)
        The board as the side to move sees it (layout: docs/architecture.md), read-only.

    Examples
    --------
    >>> from nardy.options import LONG
    >>> position = Position.start(LONG)
    >>> position
    Position.from_points(own={24: 15}, opponent={24: 15}, rules=Rules('long'))
    >>> position.pips
    (360, 360)
    >>> position == position.flip()
    True
    """

    rules: Rules
    _cells: bytes

    def __init__(self) -> None:
        raise TypeError("a Position is made by Position.start, from_row, from_points or an id")

    # --- ways to make one

    @classmethod
    def start(cls, rules: Rules | str) -> Position:
        """Return the board on which a game under these rules begins.

        Examples
        --------
        >>> Position.start("short").gnubg_id
        '4HPwATDgc/ABMA'
        """
        rules = options.rules(rules)
        return cls.from_row_unchecked(start_row(rules=rules), rules=rules)

    @classmethod
    def from_row(cls, row: Sequence[int] | NDArray[Any], *, rules: Rules | str) -> Position:
        """Return the position of a row of 32 ints, checked.

        Parameters
        ----------
        row : sequence of 32 ints
            The board as the side to move sees it (layout: docs/architecture.md). Not kept.
        rules : Rules or str

        Raises
        ------
        InvalidPosition
            The checkers do not make a position, with every defect.
        ValueError
            Not 32 columns, or an unknown preset.
        TypeError
            Not a sequence of ints.

        Examples
        --------
        >>> Position.from_row([0] * 24 + [14] + [0] * 7, rules="long")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        nardy.errors.InvalidPosition: own checkers do not add up to 15; the opponent's ...
        """
        position = cls.from_row_unchecked(row, rules=rules)
        status = position.status()
        if status:
            raise refuse(status, position.rules, f"row {position.row.tolist()}")
        return position

    @classmethod
    def from_row_unchecked(
        cls, row: Sequence[int] | NDArray[Any], *, rules: Rules | str
    ) -> Position:
        """Return the position of a row of 32 ints of -128..127 without looking at the checkers.

        That the board is valid is the caller's duty; on one that is not, :meth:`status` and the
        pictures work, all else may raise InvalidPosition or answer nonsense.

        Examples
        --------
        >>> Position.from_row_unchecked([0] * 24 + [14] + [0] * 7, rules="long").status()
        <Status.OWN_CHECKERS|OPPONENT_CHECKERS: 3>
        """
        position = object.__new__(cls)
        object.__setattr__(position, "rules", options.rules(rules))
        object.__setattr__(position, "_cells", _cells_of(row))
        return position

    @classmethod
    def from_points(
        cls,
        own: Points,
        opponent: Points,
        *,
        rules: Rules | str,
    ) -> Position:
        """Return the position with these checkers on the points; the rest is borne off.

        Parameters
        ----------
        own, opponent : mapping of point to number of checkers
            The side to move and the other one, each in its own numbering: 1..24, and 25 or "bar"
            for the bar.
        rules : Rules or str

        Raises
        ------
        InvalidPosition
            The checkers do not make a position, with every defect.
        ValueError
            A point that does not exist, a negative number of checkers, or an unknown preset.
        TypeError
            Not a mapping of points to ints.

        Examples
        --------
        >>> Position.from_points({6: 2, "bar": 1}, {1: 3}, rules="short").pips
        (37, 3)
        """
        rules = options.rules(rules)
        sides = _side("own", own, rules), _side("opponent", opponent, rules)
        status = status_of_sides(*sides, rules)
        if status:
            other = {p: opponent_point(rules.game, p) for p in sides[0].points}
            shared = [p for p in other if other[p] in sides[1].points]
            which = "".join(f"; own {p} is the opponent's {other[p]}" for p in shared)
            raise refuse(status, rules, f"own={dict(own)!r}, opponent={dict(opponent)!r}{which}")
        return cls.from_row_unchecked(row_of(*sides, rules.game), rules=rules)

    @classmethod
    def from_gnubg_id(cls, text: str, *, rules: Rules | str = SHORT) -> Position:
        """Return the position of a GNU Backgammon position id, the player on roll to move.

        The board alone is read. Score, cube and dice of a match id behind it are read by
        ``nardy.formats.gnuid.read``.

        Parameters
        ----------
        text : str
            The id, with a match id and other text around it or not.
        rules : Rules or str
            Of short nardy.

        Raises
        ------
        InvalidNotation
            No id of 14 characters, or several that differ.
        InvalidPosition
            An id of something that is no position.
        ValueError
            Rules of long nardy, which these ids cannot write.

        Examples
        --------
        >>> Position.from_gnubg_id("PAAAICMAAAAAAA")
        Position.from_points(own={6: 1, 3: 2, 1: 1}, opponent={3: 4}, rules=Rules('short'))
        >>> Position.from_gnubg_id("GNUID=4HPwATDgc/ABMA:cAkAAAAAAAAE") == Position.start("short")
        True
        """
        rules = _short("a gnubg id", rules)
        return cls.from_row(_row(gnuid.board_of_gnuid(text)), rules=rules)

    @classmethod
    def from_xgid(cls, text: str, *, rules: Rules | str = SHORT) -> Position:
        """Return the position of an XGID, as the player on roll sees it.

        The board alone is read. Score, cube and dice are read by ``nardy.formats.xgid.read``.

        Parameters
        ----------
        text : str
            The id, other text around it or not.
        rules : Rules or str
            Of short nardy.

        Raises
        ------
        InvalidNotation
            No XGID, one whose fields cannot be, or several that differ.
        InvalidPosition
            An id of something that is no position.
        ValueError
            Rules of long nardy.

        Examples
        --------
        >>> Position.from_xgid("XGID=-A-B--A---------------d---:0:0:1:00:0:0:0:0:10")
        Position.from_points(own={6: 1, 3: 2, 1: 1}, opponent={3: 4}, rules=Rules('short'))
        """
        rules = _short("an XGID", rules)
        return cls.from_row(xgid.read(text).row, rules=rules)

    @classmethod
    def from_id(cls, text: str, *, rules: Rules | str = LONG) -> Position:
        """Return the position of long nardy that an id ``ln1:`` writes (docs/ids.md).

        Parameters
        ----------
        text : str
            The id, other text around it or not.
        rules : Rules or str
            Of long nardy: the id does not hold them. ``rules.checkers`` says how many are off.

        Raises
        ------
        InvalidNotation
            No id ``ln1:``, a bad one, or several that differ.
        InvalidPosition
            An id of something that is no position under these rules.
        ValueError
            Rules of short nardy, which has other ids.

        Examples
        --------
        >>> Position.from_id("ln1:AAAG/j8AAID/Pw")
        Position.from_points(own={24: 15}, opponent={24: 13, 18: 2}, rules=Rules('long'))
        """
        return cls.from_row(decode_long_id(text, rules=rules), rules=rules)

    # --- what it is

    @property
    def row(self) -> NDArray[np.int8]:
        """The board as the side to move sees it: int8 (32,), read-only."""
        return np.frombuffer(self._cells, dtype=np.int8)

    @property
    def cells(self) -> bytes:
        """The row as 32 bytes: a key for tables."""
        return self._cells

    def status(self) -> Status:
        """Return every defect of the position as flags: ``Status.VALID``, which is 0, for none.

        Examples
        --------
        >>> Position.start("long").status()
        <Status.VALID: 0>
        """
        return status_of_row(self.row.tolist(), self.rules)

    @property
    def pips(self) -> tuple[int, int]:
        """Pips left to bear off, (own, the opponent's)."""
        own, opponent = sides_of(self.row.tolist(), self.rules.game)
        return own.pips, opponent.pips

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return self.rules.checkers in (self._cells[OFF], self._cells[OPPONENT_OFF])

    @property
    def outcome(self) -> int | None:
        """Points that the side to move has won (lost if negative); None while the game runs.

        After a turn that ends the game the side to move is the loser. What is around the board
        (cube, Jacoby, last roll) does not enter.

        Examples
        --------
        >>> Position.from_points({}, {24: 12}, rules="long").outcome
        1
        >>> Position.from_points({}, {24: 12}, rules="long").flip().outcome
        -1
        """
        return int(outcomes(self.row[np.newaxis], rules=self.rules)[0]) or None

    @property
    def bearoff(self) -> Bearoff:
        """How many rolls the side to move needs to bear off, from the exact table of six points.

        The table is opened, or built, in the platform's cache, or in memory where that cannot be
        written. What it does not hold (a position that is no race, or checkers outside home) is a
        ValueError.

        Examples
        --------
        >>> race = Position.from_points({6: 15}, {1: 15}, rules="long")
        >>> round(race.bearoff.mean, 6)
        12.266187
        """
        return bearoff_of(self.row, self.rules)

    @property
    def gnubg_id(self) -> str:
        """The GNU Backgammon position id; a ValueError for long nardy, which has none."""
        _short("a gnubg id", self.rules)
        return encode_id(self.row)

    @property
    def xgid(self) -> str:
        """The XGID, for money, the cube at 1, before the throw of the bottom player.

        A ValueError for long nardy, which has none. All fields: ``nardy.formats.xgid.write``.

        Examples
        --------
        >>> Position.start("short").xgid
        'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
        """
        _short("an XGID", self.rules)
        return xgid.write(Situation(self._cells))

    @property
    def id(self) -> str:
        """The id ``ln1:`` of long nardy (docs/ids.md); a ValueError for short nardy.

        Examples
        --------
        >>> Position.start("long").id
        'ln1:AACA/z8AAID/Pw'
        """
        return encode_long_id(self.row, rules=self.rules)

    def flip(self) -> Position:
        """Return the same board as the other side sees it, with that side to move.

        Examples
        --------
        >>> Position.from_points({6: 2}, {1: 3}, rules="short").flip().pips
        (3, 12)
        """
        return self._successor(flip(self.row[np.newaxis], rules=self.rules).tobytes())

    def _successor(self, cells: bytes) -> Position:
        """Return the position of 32 int8 as bytes that the library has made, under these rules."""
        position = object.__new__(Position)
        object.__setattr__(position, "rules", self.rules)
        object.__setattr__(position, "_cells", cells)
        return position

    # --- what can be played

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of plays of each of the 21 rolls, in the order of ``nardy.ROLLS``: int64 (21,).

        A pass is one play; 0 everywhere if the game is over.

        Examples
        --------
        >>> int(Position.start("short").counts[1])  # 2-1
        15
        """
        return counts_all_rolls(self.row[np.newaxis], rules=self.rules).reshape(-1)

    def plays(self, roll: Roll) -> Plays:
        """Return the plays of a roll, one for each board that the turn can end on.

        Parameters
        ----------
        roll : two ints 1..6 in either order, or a text such as "65"

        Returns
        -------
        Plays
            A sequence of :class:`Play`: the pass alone if nothing can be played, none if the game
            is over.

        Examples
        --------
        >>> plays = Position.start("long").plays((3, 3))
        >>> [str(play) for play in plays]
        ['24/15 24/21', '24/18(2)']
        >>> plays[0].after.pips
        (360, 348)
        """
        return Plays(self, roll)

    def play(self, play: str | Play, roll: Roll, *, numbering: str = "distance") -> Position:
        """Return the position after a turn, the other side to move.

        Parameters
        ----------
        play : str or Play
            A text as :meth:`Plays.find` reads it, or one of the plays of this position and roll.
        roll : two ints 1..6 in either order, or a text such as "65"
        numbering : "distance" or "path"
            Of the text.

        Raises
        ------
        IllegalPlay
            With the reason, one of ``nardy.REASONS``, and a sentence.
        InvalidNotation
            A text that is no play.

        Examples
        --------
        >>> Position.start("short").play("8/5 6/5", roll=(3, 1)).gnubg_id
        'sGfwATDgc/ABMA'
        >>> Position.start("short").play("8/5", roll=(3, 1))
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalPlay: 8/5: the 1 is still to be played, as in 8/5 6/5
        """
        if isinstance(play, Play):
            if (play.position, play.roll) != (self, as_roll(roll)):
                raise ValueError(f"play must be one of this position and roll, not {play!r}")
            return play.after
        return self._successor(after_play(self, roll, play, numbering))

    # --- as a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._cells == other._cells and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules, self._cells))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.rules, self.row.tolist()) < (other.rules, other.row.tolist())

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Position.from_row_unchecked, self.row.tolist(), rules=self.rules), ()

    def __repr__(self) -> str:
        if self.status():
            return f"Position.from_row_unchecked({self.row.tolist()}, rules={self.rules!r})"
        own, opponent = (_points(side) for side in sides_of(self.row.tolist(), self.rules.game))
        return f"Position.from_points(own={own}, opponent={opponent}, rules={self.rules!r})"

    def __str__(self) -> str:
        return self.text()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def text(self, *, numbering: str = "distance") -> str:
        """Draw the board; X is the side to move, the numbers are X's.

        Parameters
        ----------
        numbering : "distance" or "path"
            "path", long nardy only: 1 is the head, 24 the last point.

        Examples
        --------
        >>> print(Position.start("long").text(numbering="path").splitlines()[1])
         12 11 10  9  8  7       6  5  4  3  2  1
        """
        shown = checked_numbering(numbering, self.rules.game)
        own, opponent = self.pips
        heading = f"{self.rules.game} nardy, X to move; pips: X {own}, O {opponent}"
        return f"{heading}\n{text_board(self.row.tolist(), shown)}"


def _short(what: str, rules: Rules | str) -> Rules:
    """Return the rules if they are of short nardy."""
    rules = options.rules(rules)
    if rules.game != "short":
        raise ValueError(f"{what} needs rules of short nardy, not {rules!r}")
    return rules


def _row(cells: bytes) -> NDArray[np.int8]:
    return np.frombuffer(cells, dtype=np.int8)


def _cells_of(row: Any) -> bytes:
    """Check the kind and shape of a row and return its 32 int8 as bytes."""
    wanted = f"a sequence of {COLUMNS} ints"
    if isinstance(row, np.ndarray):
        if row.dtype.kind not in "iu":
            raise TypeError(f"row must be {wanted}, not an array of {row.dtype}")
        if row.shape != (COLUMNS,):
            raise ValueError(f"row must be {wanted}, not an array of shape {row.shape}")
    elif isinstance(row, str | bytes | bytearray) or not isinstance(row, Sequence):
        raise TypeError(f"row must be {wanted}, not {row!r}")
    cells = [as_int("row: each column", cell, "an int") for cell in row]
    if len(cells) != COLUMNS:
        raise ValueError(f"row must be {wanted}, not of {len(cells)}")
    for column, cell in enumerate(cells):
        if not -128 <= cell <= 127:
            raise InvalidPosition(f"row: column {column} must fit int8, not {cell}")
    return np.array(cells, dtype=np.int8).tobytes()


def _side(name: str, points: Mapping[Any, Any], rules: Rules) -> Side:
    """Read the points of one side as its caller wrote them; what is missing is off."""
    if not isinstance(points, Mapping):
        raise TypeError(f"{name} must be a mapping of point to checkers, not {points!r}")
    men: dict[int, int] = {}
    for key, value in points.items():
        named_bar = isinstance(key, str) and key.lower() == "bar"
        point = BAR if named_bar else as_int(f"{name}: each point", key, "1..24, 25 or 'bar'")
        count = as_int(f"{name}: checkers on {key!r}", value, "an int >= 0")
        if not 1 <= point <= BAR:
            raise ValueError(f"{name}: each point must be 1..24, 25 or 'bar', not {key!r}")
        if count < 0:
            raise ValueError(f"{name}: checkers on {key!r} must be an int >= 0, not {value!r}")
        if point in men:
            raise ValueError(f"{name} must name the bar once, not {dict(points)!r}")
        men[point] = count
    bar = men.pop(BAR, 0)
    off = max(rules.checkers - bar - sum(men.values()), 0)
    return Side({p: men[p] for p in sorted(men, reverse=True) if men[p]}, bar, off)


def _points(side: Side) -> dict[int | str, int]:
    """Write a side as :meth:`Position.from_points` reads it."""
    on_bar: dict[int | str, int] = {"bar": side.bar} if side.bar else {}
    return on_bar | dict(side.points)
