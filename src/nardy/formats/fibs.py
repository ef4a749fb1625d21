"""The board string of FIBS, the First Internet Backgammon Server, and of the bots that speak it.

Layout
------
53 fields with colons between them; "you" are the player that the string is sent to::

    0        board
    1, 2     your name, his
    3        length of the match, 9999 for money
    4, 5     your points, his
    6..31    the board, 0..25: checkers of O > 0, of X < 0; 0 and 25 are the bars
    32       whose turn: 1 O, -1 X, 0 the game is over
    33..36   your dice, his
    37       the cube
    38, 39   1 if you may double, if he may
    40       1 if he has just doubled
    41       your colour: 1 O, -1 X
    42       -1 if you go from 24 to 1, 1 if from 1 to 24
    43, 44   places of your home and bar among 0..25: 0, 25 or 25, 0 as you go
    45, 46   your checkers off, his
    47, 48   your checkers on the bar, his
    49       how many checkers you can move with this throw
    50, 51   not used
    52       redoubles at once that are allowed

You are side 1. Written is a board on which you are O and go from 24 to 1. Who owns the cube is said
by who may double: nobody is the Crawford game.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from nardy.board import BAR, HEAD, OFF, OPPONENT_BAR, OPPONENT_OFF
from nardy.errors import InvalidNotation, InvalidPosition
from nardy.formats.situation import (
    CHECKERS,
    PUNCTUATION,
    Situation,
    board_cells,
    changes,
    only_one,
    read_int,
    situation_of,
)
from nardy.nardy_core import after_states
from nardy.options import SHORT

__all__ = ["found", "lost", "read", "write"]

_FIELDS: Final = 53
_FOR_MONEY: Final = 9999
# Ten fields at least: "board: ..." is a word of prose too.
_FOUND: Final = re.compile(r"\bboard(?::[^:\s]+){10,}", re.IGNORECASE)


def read(text: str) -> Situation:
    """Read the board string of a text.

    Parameters
    ----------
    text : str
        ``board:`` and 52 fields, other text around it or not.

    Returns
    -------
    Situation

    Raises
    ------
    InvalidNotation
        No board string, a bad one, values that no game can have together or that contradict one
        another, or several strings that differ.
    InvalidPosition
        Checkers that are no position.
    TypeError
        Not a str.

    Examples
    --------
    >>> situation = read(
    ...     "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:"
    ...     "6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
    ... )
    >>> situation.names, situation.score, situation.length, situation.roll
    (('someplayer', 'You'), (1, 0), 3, (6, 2))
    """
    if not isinstance(text, str):
        raise TypeError(f"board string must be a str, not {text!r}")
    boards = found(text)
    if not boards:
        raise InvalidNotation(f"board string must be board: and 52 fields, not {text!r}")
    situations = [_situation(board) for board in boards]
    return situations[only_one(text, situations)]


def write(situation: Situation) -> str:
    """Write a situation as a board string for side 1.

    Raises
    ------
    ValueError
        A match to 9999, which means play for money, or names with blanks or colons.

    Examples
    --------
    >>> write(Situation(nardy.Position.start("short").cells)).split(":")[:6]
    ['board', 'You', 'Opponent', '9999', '0', '0']
    """
    his_name, name = situation.names or ("Opponent", "You")
    if situation.length == _FOR_MONEY:
        raise ValueError(f"a board string holds no match to {_FOR_MONEY}: that is play for money")
    for one in (name, his_name):
        if not one or re.search(r"[:\s]", one):
            raise ValueError(f"a board string holds no name with blanks or colons, as {one!r}")
    row = situation.seen_by(1).tolist()
    is_over = situation.state in ("over", "resigned", "dropped")
    dice = [(0, 0), (0, 0)]  # yours, his
    if situation.roll is not None and not is_over:
        dice[1 - situation.side] = situation.roll
    # A match to one point has no Crawford game; where it is said to be one, nothing follows.
    is_crawford = situation.is_crawford and situation.length != 1
    # You may double unless the cube is his, he may unless it is yours.
    may_double = [int(situation.cube_owner != his and not is_crawford) for his in (0, 1)]
    fields = [
        "board",
        name,
        his_name,
        _FOR_MONEY if situation.length is None else situation.length,
        *reversed(situation.score),
        -row[OPPONENT_BAR],
        *row[1 : HEAD + 1],
        row[BAR],
        0 if is_over else 1 if situation.side else -1,
        *dice[0],
        *dice[1],
        situation.cube_value,
        *may_double,
        int(situation.offer == "doubled" and situation.side == 0 and not is_over),
        *(1, -1, 0, BAR),
        row[OFF],
        row[OPPONENT_OFF],
        row[BAR],
        row[OPPONENT_BAR],
        _movable(situation) if any(dice[0]) else 0,
        *(0, 0, 0),
    ]
    return ":".join(map(str, fields))


def lost(situation: Situation) -> tuple[str, ...]:
    """Return the fields that :func:`write` cannot keep.

    Examples
    --------
    >>> lost(Situation(nardy.Position.start("short").cells, jacoby=True, cube_max=64))
    ('jacoby', 'cube_max')
    """
    return changes(situation, read(write(situation)))


def found(text: str) -> list[str]:
    """Return what stands in a text and begins as a board string, good or not.

    Examples
    --------
    >>> found("board:You:He:5:1:1:0:0:0:0:0:0"), found("a board: the one I saw")
    (['board:You:He:5:1:1:0:0:0:0:0:0'], [])
    """
    return [board.rstrip(PUNCTUATION) for board in _FOUND.findall(text)]


def _movable(situation: Situation) -> int:
    """Count the half-moves of a play: field 49."""
    roll = np.array([situation.roll], dtype=np.int8)
    _, _, steps = after_states(situation.row[np.newaxis], roll, rules=SHORT, steps=True)
    return int((steps[:1, :, 0] >= 0).sum())


def _situation(text: str) -> Situation:
    name = f"board string {text!r}"
    words = text.split(":")
    if len(words) != _FIELDS:
        raise InvalidNotation(f"{name}: must have {_FIELDS} fields, not {len(words)}")
    # Behind the first word and both names all are numbers.
    numbers = [read_int(name, f"field {place}", words[place]) for place in range(3, _FIELDS)]
    n = [0, 0, 0, *numbers]
    turn, colour, direction = n[32], n[41], n[42]
    for place, allowed in ((32, (-1, 0, 1)), (41, (-1, 1)), (42, (-1, 1)), (40, (0, 1))):
        if n[place] not in allowed:
            shown = ", ".join(map(str, allowed))
            raise InvalidNotation(f"{name}: field {place} must be one of {shown}, not {n[place]}")
    if (n[43], n[44]) != ((0, BAR) if direction == -1 else (BAR, 0)):
        raise InvalidNotation(
            f"{name}: home and bar (fields 43, 44) must fit the direction {direction}, "
            f"not {n[43]} and {n[44]}"
        )
    # He has doubled: then it is his turn still, whatever the string says of it.
    doubled = bool(n[40])
    side = int(turn in (0, colour) and not doubled)
    dice = (n[33], n[34]) if side else (n[35], n[36])
    if 0 in dice and any(dice):
        raise InvalidNotation(f"{name}: one die is thrown and one is not: {dice}")
    if n[37] < 1:
        raise InvalidNotation(f"{name}: the cube must be a power of two, not {n[37]}")
    length = None if n[3] in (0, _FOR_MONEY) else n[3]
    return situation_of(
        name,
        cells=_cells(name, n, side),
        side=side,
        roll=dice if any(dice) and turn else None,
        score=(n[5], n[4]),
        length=length,
        names=(words[2], words[1]),
        offer="doubled" if doubled else None,
        state="playing" if turn else "over",
        cube_value=n[37],
        **_cube(name, n, length),
    )


def _cells(name: str, n: list[int], side: int) -> bytes:
    """Read the board, and hold the numbers of checkers off and on the bar against it."""
    colour, is_down = n[41], n[42] == -1
    board = [colour * men for men in n[6:32]]
    his_bar, *points, bar = board if is_down else reversed(board)
    try:
        if bar < 0 or his_bar > 0:
            raise InvalidPosition("a bar holds checkers of the other side")
        cells = board_cells(points, (-his_bar, bar), side)
    except InvalidPosition as error:
        raise InvalidPosition(f"{name}: {error}") from None
    off = [CHECKERS - bar - sum(men for men in points if men > 0)]
    off.append(CHECKERS + his_bar + sum(men for men in points if men < 0))
    for what, said, wanted in (
        ("off (fields 45, 46)", n[45:47], off),
        ("on the bar (fields 47, 48)", n[47:49], [bar, -his_bar]),
    ):
        if said != wanted:
            raise InvalidPosition(
                f"{name}: checkers {what} must be {wanted} as the board has it, not {said}"
            )
    return cells


def _cube(name: str, n: list[int], length: int | None) -> dict[str, Any]:
    """Tell whose cube it is from who may double."""
    may = n[38], n[39]
    if may == (0, 0):
        if n[37] > 1:
            raise InvalidNotation(
                f"{name}: nobody may double (fields 38, 39), so whose the cube of {n[37]} is, is "
                "not said"
            )
        # Nobody doubles in a match to one point either, which has no Crawford game.
        needed_one = length is not None and length > 1 and max(n[4:6]) >= length - 1
        return {"is_crawford": needed_one}
    owners = {(1, 1): None, (1, 0): 1, (0, 1): 0}
    if may not in owners:
        raise InvalidNotation(f"{name}: fields 38, 39 must be 0 or 1, not {may}")
    # With the cube at 1 in the middle a side may be kept from doubling by other rules.
    return {"cube_owner": owners[may] if n[37] > 1 else None}
