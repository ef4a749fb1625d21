"""Situation: a board of short nardy and everything around it that an id can hold.

The ids of GNU Backgammon, XGID and the board string of FIBS hold different parts of it. Each of
their modules has ``read(text)``, ``write(situation)`` and ``lost(situation)``: the names of the
fields that do not survive writing.

Vocabulary
----------
side
    0 or 1. Side 1 is gnubg's player 1, the bottom player of an XGID and "you" of FIBS.
to act
    The side that decides next: the side on roll, but for an offer or a resignation to be answered.
offer
    A cube that is offered at twice the value that lies: ``"doubled"`` by the side on roll to the
    other; ``"beavered"``, back by the taker, who owns the cube by then; ``"raccooned"``, once more
    by the side on roll, the cube being the beaverer's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nardy.board import COLUMNS, refuse, status_of_row
from nardy.errors import InvalidNotation, InvalidPosition, as_int
from nardy.nardy_core import flip
from nardy.options import SHORT

__all__ = [
    "CHECKERS",
    "PUNCTUATION",
    "Situation",
    "board_cells",
    "changes",
    "only_one",
    "read_int",
    "situation_of",
]

CHECKERS: Final = SHORT.checkers
"""Of a side in short nardy."""

PUNCTUATION: Final = ".,;!?)]}>\"'`"
"""What may stand behind an id in other text and is no part of it."""

Offer = Literal["doubled", "beavered", "raccooned"]
Resignation = Literal["oin", "mars", "koks"]
GameState = Literal["none", "playing", "over", "resigned", "dropped"]


@dataclass(frozen=True, slots=True)
class Situation:
    """A board of short nardy with what is around it: frozen, equal by value, checked when made.

    What an id does not say is None where that can be told from a value, else the default.

    Parameters
    ----------
    cells : bytes
        The row (32 int8) as the side on roll sees it; :attr:`row` is the same as an array.
    side : int
        The side on roll, or whose turn it is though a double waits for its answer.
    roll : tuple of two ints or None
        The dice that lie, the larger first.
    cube_value, cube_owner : int, int or None
        The cube as it lies; None while it is in the middle.
    offer : str or None
        ``"doubled"``, ``"beavered"`` or ``"raccooned"``: twice ``cube_value`` waits for an answer.
    resignation : str or None
        ``"oin"``, ``"mars"`` or ``"koks"``, offered by the side that is not to act.
    to_act : int
        Follows from the fields above while the game is played, and may be left out (None).
    score : tuple of two ints
        Of side 0 and of side 1.
    length : int or None
        Of the match; None for money.
    is_crawford : bool
    jacoby, beaver : bool or None
        Whether they are played, for money; None if that is not said, and in every match.
    cube_max : int or None
        The largest value of the cube, 1 for play without one; None if that is not said.
    state : str
        ``"none"`` (no game yet), ``"playing"``, ``"over"``, ``"resigned"`` or ``"dropped"``.
    names : tuple of two str or None
        Of side 0 and of side 1.

    Raises
    ------
    InvalidPosition
        The checkers do not make a position.
    ValueError
        Values that no game can have together; the message says which rule is broken.
    TypeError
        A value of the wrong kind.

    Examples
    --------
    >>> start = nardy.Position.start("short")
    >>> situation = Situation(start.cells, side=0, offer="doubled", length=7, score=(2, 4))
    >>> situation.to_act
    1
    >>> Situation(start.cells, cube_owner=1)
    Traceback (most recent call last):
        ...
    ValueError: cube_owner must be None while the cube is at 1, not 1
    """

    cells: bytes
    side: int = 1
    roll: tuple[int, int] | None = None
    cube_value: int = 1
    cube_owner: int | None = None
    offer: Offer | None = None
    resignation: Resignation | None = None
    to_act: int | None = None
    score: tuple[int, int] = (0, 0)
    length: int | None = None
    is_crawford: bool = False
    jacoby: bool | None = None
    beaver: bool | None = None
    cube_max: int | None = None
    state: GameState = "playing"
    names: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        _check_board(self.cells)
        _check_values(self)
        # A frozen dataclass is filled by way of object.__setattr__.
        put = partial(object.__setattr__, self)
        if self.roll is not None:
            put("roll", (max(self.roll), min(self.roll)))
        if self.to_act is None:
            put("to_act", _to_act(self))
        _check_cube(self)
        _check_offer(self)
        _check_match(self)

    @property
    def row(self) -> NDArray[np.int8]:
        """The board as the side on roll sees it: int8 (32,), read-only."""
        return np.frombuffer(self.cells, dtype=np.int8)

    def seen_by(self, side: int) -> NDArray[np.int8]:
        """Return the board as a side sees it.

        Examples
        --------
        >>> board = nardy.Position.from_points({6: 2}, {1: 3}, rules="short")
        >>> Situation(board.cells, side=1).seen_by(0)[[1, 19]]
        array([ 3, -2], dtype=int8)
        """
        row = self.row
        if side == self.side:
            return row
        return np.asarray(flip(row[np.newaxis], rules=SHORT)[0], dtype=np.int8)


def board_cells(points: Sequence[int], bars: tuple[int, int], side: int) -> bytes:
    """Return the cells of a board that is written as side 1 sees it, seen by the side on roll.

    Parameters
    ----------
    points : sequence of 24 ints
        Points 1..24 of side 1: its checkers > 0, those of side 0 < 0.
    bars : tuple of two ints
        Checkers on the bar, of side 0 and of side 1.
    side : int

    Raises
    ------
    InvalidPosition
        More than 15 checkers a side, or both sides all off.

    Examples
    --------
    >>> list(board_cells([2] + [0] * 22 + [-3], (0, 1), side=0)[:2])
    [12, 3]
    """
    counts = [bars[0] - sum(men for men in points if men < 0)]
    counts.append(bars[1] + sum(men for men in points if men > 0))
    for who, men in enumerate(counts):
        if men > CHECKERS:
            raise InvalidPosition(f"side {who} has {men} checkers, more than {CHECKERS}")
    off, other_off = CHECKERS - counts[1], CHECKERS - counts[0]
    row = np.array([[off, *points, bars[1], other_off, bars[0], 0, 0, 0, 0]], dtype=np.int8)
    if other_off == off == CHECKERS:
        raise InvalidPosition("all checkers of both sides are off")
    return row.tobytes() if side else flip(row, rules=SHORT).tobytes()


def situation_of(name: str, **found: Any) -> Situation:
    """Return the situation of these fields; an error says which id had them.

    Examples
    --------
    >>> situation_of("xgid 'X'", cells=nardy.Position.start("short").cells, cube_value=3)
    Traceback (most recent call last):
        ...
    nardy.errors.InvalidNotation: xgid 'X': cube_value must be a power of two, not 3
    """
    try:
        return Situation(**found)
    except InvalidPosition as error:
        raise InvalidPosition(f"{name}: {error}") from None
    except ValueError as error:
        raise InvalidNotation(f"{name}: {error}") from None


def changes(before: Situation, after: Situation) -> tuple[str, ...]:
    """Return the names of what was said before and is not so afterwards.

    Of ``to_act`` only if it does not follow from other fields.

    Examples
    --------
    >>> start = nardy.Position.start("short").cells
    >>> changes(Situation(start, beaver=True), Situation(start, jacoby=False))
    ('beaver',)
    """
    same_board = np.array_equal(before.seen_by(1), after.seen_by(1))
    changed = [] if same_board else ["cells"]
    for name in (field.name for field in fields(Situation)[1:]):
        was = getattr(before, name)
        follows = name == "to_act" and was == _to_act(before)
        if was is not None and was != getattr(after, name) and not follows:
            changed.append(name)
    return tuple(changed)


def read_int(name: str, what: str, text: str) -> int:
    """Read a field that is a number of at most nine digits; the error names it and its id.

    Examples
    --------
    >>> read_int("xgid 'X'", "cube", "-3")
    -3
    """
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise InvalidNotation(f"{name}: {what} must be a number, not {text!r}")
    return int(text)


def only_one(text: str, found: Sequence[object]) -> int:
    """Return the place of what a text says; InvalidNotation if it says several different things.

    Examples
    --------
    >>> only_one("twice the same", [5, 5])
    0
    """
    if any(other != found[0] for other in found[1:]):
        raise InvalidNotation(f"{len(found)} ids that differ stand in {text!r}: give one")
    return 0


# --- checks: each raises an error that says which rule is broken


def _check_board(cells: Any) -> None:
    if not isinstance(cells, bytes):
        raise TypeError(f"cells must be {COLUMNS} bytes, not {cells!r}")
    if len(cells) != COLUMNS:
        raise ValueError(f"cells must be {COLUMNS} bytes, not {len(cells)}")
    row = np.frombuffer(cells, dtype=np.int8).tolist()
    status = status_of_row(row, SHORT)
    if status:
        raise refuse(status, SHORT, f"row {row}")


def _check_values(it: Situation) -> None:
    """Check each field for itself."""
    _one_of("side", it.side, 0, 1)
    _one_of("cube_owner", it.cube_owner, None, 0, 1)
    _one_of("to_act", it.to_act, None, 0, 1)
    for name, choices in (("offer", Offer), ("resignation", Resignation)):
        _one_of(name, getattr(it, name), None, *get_args(choices))
    _one_of("state", it.state, *get_args(GameState))
    _one_of("is_crawford", it.is_crawford, False, True)
    for name in ("jacoby", "beaver"):
        _one_of(name, getattr(it, name), None, False, True)
    for name in ("cube_value", "cube_max"):
        value = getattr(it, name)
        wanted = "a power of two"
        if value is None and name == "cube_max":
            continue
        if as_int(name, value, wanted) < 1 or value & (value - 1):
            raise ValueError(f"{name} must be {wanted}, not {value!r}")
    if it.length is not None and as_int("length", it.length, "None or an int >= 1") < 1:
        raise ValueError(f"length must be None or an int >= 1, not {it.length!r}")
    _two("score", it.score)
    for points in it.score:
        if as_int("score: each", points, "an int >= 0") < 0:
            raise ValueError(f"score must be two ints >= 0, not {it.score!r}")
    if it.roll is not None:
        _two("roll", it.roll)
        for die in it.roll:
            if not 1 <= as_int("roll: each die", die, "an int 1..6") <= 6:
                raise ValueError(f"roll must be two dice 1..6, not {it.roll!r}")
    if it.names is not None:
        _two("names", it.names)
        if not all(isinstance(name, str) for name in it.names):
            raise TypeError(f"names must be two str, not {it.names!r}")


def _one_of(name: str, value: object, *allowed: object) -> None:
    # By kind too: 1 is equal to True.
    if any(type(value) is type(choice) and value == choice for choice in allowed):
        return
    kinds = {type(choice) for choice in allowed}
    error: type[Exception] = ValueError if type(value) in kinds else TypeError
    shown = ", ".join(repr(choice) for choice in allowed)
    raise error(f"{name} must be one of {shown}, not {value!r}")


def _two(name: str, value: object) -> None:
    if not isinstance(value, tuple):
        raise TypeError(f"{name} must be a tuple of two, not {value!r}")
    if len(value) != 2:
        raise ValueError(f"{name} must be a tuple of two, not {value!r}")


def _to_act(it: Situation) -> int:
    """Who decides: an offer asks the other side, a beaver the first again; so do resignations."""
    asked = it.offer in ("doubled", "raccooned") or it.state == "dropped"
    return it.side ^ int(asked) ^ int(it.resignation is not None)


def _check_cube(it: Situation) -> None:
    if it.cube_value == 1 and it.cube_owner is not None:
        raise ValueError(f"cube_owner must be None while the cube is at 1, not {it.cube_owner}")
    if it.cube_max is not None and it.cube_value > it.cube_max:
        raise ValueError(f"cube_value must be at most cube_max {it.cube_max}, not {it.cube_value}")


def _check_offer(it: Situation) -> None:
    """Look at what waits for an answer, and from whom. Ids of games that are over keep any side."""
    if (it.state == "playing" or it.offer is not None) and it.to_act != _to_act(it):
        raise ValueError(f"to_act must be side {_to_act(it)}: the offers say so, not {it.to_act}")
    if it.offer is None:
        return
    if it.state == "dropped":
        raise ValueError(f"offer must be None once a double is dropped, not {it.offer!r}")
    if it.roll is not None:
        raise ValueError(f"offer must be None once dice lie, not {it.offer!r} with {it.roll}")
    if it.is_crawford:
        raise ValueError(f"offer must be None in the Crawford game, not {it.offer!r}")
    if it.cube_max is not None and 2 * it.cube_value > it.cube_max:
        raise ValueError(f"offer must be None: the cube goes no higher than {it.cube_max}")
    if it.offer == "doubled":
        if it.cube_owner == 1 - it.side:
            raise ValueError(f"offer must be None: the cube is side {it.cube_owner}'s")
        return
    least = 2 if it.offer == "beavered" else 4
    if it.cube_owner != 1 - it.side or it.cube_value < least:
        raise ValueError(
            f"offer {it.offer!r} must be of a cube of {least} or more that side {1 - it.side} has "
            f"taken, not of {it.cube_value} (owner {it.cube_owner})"
        )
    if it.length is not None or it.beaver is False:
        raise ValueError(f"offer must not be {it.offer!r}: beavers are not played")


def _check_match(it: Situation) -> None:
    if it.length is None:
        if it.is_crawford:
            raise ValueError("is_crawford must be False for money: it is a rule of matches")
        return
    for name in ("jacoby", "beaver"):
        if getattr(it, name) is not None:
            raise ValueError(f"{name} must be None in a match: it is a rule of money play")
    if min(it.score) >= it.length:
        raise ValueError(f"score must not be {it.score}: both sides have won to {it.length}")
    is_won = max(it.score) >= it.length
    if is_won and it.state in ("none", "playing"):
        raise ValueError(f"score must be below {it.length} until the match is over, not {it.score}")
    if it.is_crawford:
        # Whoever needed one point still does after the game, or has it, or has lost the match.
        if not is_won and it.length - 1 not in it.score:
            raise ValueError(
                f"is_crawford must be False: nobody needs one point at {it.score} to {it.length}"
            )
        if it.cube_value > 1:
            raise ValueError(f"cube_value must be 1 in the Crawford game, not {it.cube_value}")
