"""XGID, the id of eXtreme Gammon: a board as 26 letters and nine fields around it.

Layout
------
``XGID=`` and ten parts with colons between them::

    board      the top player's bar, points 1..24 of the bottom player, his bar:
               - empty, A..O 1 to 15 checkers of the bottom player, a..o of the top player
    cube       log2 of its value
    owner      1 bottom, 0 in the middle, -1 top
    turn       1 bottom, -1 top: the side on roll, which is also the one that has doubled
    dice       00 before the throw, two dice, D doubled, B beavered, R raccooned
    score      of the bottom player
    score      of the top player
    rules      in a match 1 for the Crawford game; for money 1 Jacoby + 2 beavers
    length     of the match, 0 for money
    cube_max   log2 of the largest cube

The bottom player is side 1. Written are all parts; in what is read any number of the last ones may
be missing, and then is not said. ``cube`` and ``owner`` are as the cube lies while a double waits.
"""

from __future__ import annotations

import re
from typing import Any, Final, get_args

from nardy.board import BAR, OPPONENT_BAR
from nardy.errors import InvalidNotation, InvalidPosition
from nardy.formats.situation import (
    PUNCTUATION,
    Offer,
    Situation,
    board_cells,
    changes,
    only_one,
    read_int,
    situation_of,
)

__all__ = ["found", "lost", "read", "write"]

_LETTERS: Final = "[-A-Pa-p]{26}"
# With the prefix anything behind it is meant to be an id; without one a field has to follow.
_FOUND: Final = re.compile(
    rf"xgid\s*[=:]\s*([^\s:]+(?::[^\s:]+)*)"
    rf"|(?<![-A-Za-z0-9])({_LETTERS}(?::[^\s:]+)+)"
    rf"|^\s*({_LETTERS})\s*$",
    re.IGNORECASE,
)
_OFFERS: Final = {kind[0].upper(): kind for kind in get_args(Offer)}
_DEFAULT_MAX: Final = 10  # what eXtreme Gammon writes: 1024
_OWNERS: Final = {1: 1, 0: None, -1: 0}
_DEFAULTS: Final = ("0", "0", "1", "00", "0", "0", "0", "0")
_NAMES: Final = (
    "cube",
    "owner",
    "turn",
    "dice",
    "score of the bottom player",
    "score of the top player",
    "rules",
    "length",
    "largest cube",
)
_MOST_CUBE: Final = 62  # log2: what no game reaches, but no number without end either


def read(text: str) -> Situation:
    """Read the XGID of a text.

    Parameters
    ----------
    text : str
        An id with or without ``XGID=``, other text around it or not.

    Returns
    -------
    Situation
        Of fields that are missing at the end the rest is not said: money, the cube at 1 in the
        middle, the bottom player on roll, no dice.

    Raises
    ------
    InvalidNotation
        No id, a bad one, values that no game can have together, or several ids that differ.
    InvalidPosition
        Letters that are no position.
    TypeError
        Not a str.

    Examples
    --------
    >>> situation = read("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:42:0:3:0:5:8")
    >>> situation.side, situation.roll, situation.cube_value, situation.cube_owner
    (0, (4, 2), 2, 0)
    >>> situation.score, situation.length, situation.cube_max
    ((3, 0), 5, 256)
    """
    if not isinstance(text, str):
        raise TypeError(f"xgid must be a str, not {text!r}")
    ids = found(text)
    if not ids:
        raise InvalidNotation(
            f"xgid must be XGID=, 26 letters for the board, and fields after colons, not {text!r}"
        )
    situations = [_situation(one) for one in ids]
    return situations[only_one(text, situations)]


def write(situation: Situation) -> str:
    """Write a situation as an XGID of all parts.

    Raises
    ------
    ValueError
        A match that is over: an XGID is of one that is played.

    Examples
    --------
    >>> write(Situation(nardy.Position.start("short").cells, roll=(5, 2)))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10'
    """
    length, (top, bottom) = situation.length or 0, situation.score
    if length and max(top, bottom) >= length:
        raise ValueError(f"an XGID holds no match that is over: {situation.score} to {length}")
    row = situation.seen_by(1).tolist()
    board = "".join(_letter(men) for men in (-row[OPPONENT_BAR], *row[1:BAR], row[BAR]))
    offered = situation.offer in ("beavered", "raccooned")
    rules = (situation.jacoby is True) + 2 * (situation.beaver is True or offered)
    if length:
        rules = int(situation.is_crawford)
    cube = situation.cube_value.bit_length() - 1
    if situation.cube_max is None:
        largest = max(_DEFAULT_MAX, cube + (situation.offer is not None))
    else:
        largest = situation.cube_max.bit_length() - 1
    dice = "".join(map(str, situation.roll or (0, 0)))
    parts = (
        board,
        cube,
        {None: 0, 0: -1, 1: 1}[situation.cube_owner],
        1 if situation.side else -1,
        situation.offer[0].upper() if situation.offer else dice,
        bottom,
        top,
        rules,
        length,
        largest,
    )
    return f"XGID={':'.join(map(str, parts))}"


def lost(situation: Situation) -> tuple[str, ...]:
    """Return the fields that :func:`write` cannot keep.

    Examples
    --------
    >>> lost(Situation(nardy.Position.start("short").cells, state="over", names=("Bob", "Ann")))
    ('state', 'names')
    """
    return changes(situation, read(write(situation)))


def found(text: str) -> list[str]:
    r"""Return what stands in a text and looks like an XGID, good or not, without the prefix.

    Examples
    --------
    >>> found("see xgid=-b----E-C---eE---c-e----B-:0:0:1:52.")
    ['-b----E-C---eE---c-e----B-:0:0:1:52']
    >>> found("--------------------------")
    ['--------------------------']
    >>> found("above\n--------------------------\nbelow")
    []
    """
    return [(m[1] or m[2] or m[3]).rstrip(PUNCTUATION) for m in _FOUND.finditer(text)]


def _letter(men: int) -> str:
    if not men:
        return "-"
    return chr(ord("A" if men > 0 else "a") + abs(men) - 1)


def _men(letter: str) -> int:
    if letter == "-":
        return 0
    return ord(letter) - ord("A") + 1 if letter.isupper() else ord("a") - ord(letter) - 1


def _situation(text: str) -> Situation:
    name = f"xgid {text!r}"
    board, *fields = text.split(":")
    if not re.fullmatch(_LETTERS, board):
        raise InvalidNotation(f"{name}: the board must be 26 of - A..P a..p, not {board!r}")
    if len(fields) > len(_NAMES):
        raise InvalidNotation(f"{name}: at most {len(_NAMES)} fields follow the board")
    values = [*fields, *_DEFAULTS[len(fields) :]]
    cube, owner, turn, top, bottom = (read_int(name, _NAMES[i], values[i]) for i in (0, 1, 2, 5, 4))
    rules, length = (read_int(name, _NAMES[i], values[i]) for i in (6, 7))
    if owner not in _OWNERS:
        raise InvalidNotation(f"{name}: owner must be 1, 0 or -1, not {owner}")
    if turn not in (1, -1):
        raise InvalidNotation(f"{name}: turn must be 1 or -1, not {turn}")
    if not 0 <= rules <= (1 if length else 3):
        raise InvalidNotation(
            f"{name}: rules must be 0 or 1 in a match and 0..3 for money, not {rules}"
        )
    are_said = not length and len(fields) > 6
    said: dict[str, Any] = {
        "side": int(turn == 1),
        "cube_value": _power(name, 0, cube, _MOST_CUBE),
        "cube_owner": _OWNERS[owner],
        "score": (top, bottom),
        "length": length or None,
        "is_crawford": bool(length and rules),
        "jacoby": bool(rules & 1) if are_said else None,
        "beaver": bool(rules & 2) if are_said else None,
    }
    if len(fields) > 8:
        # One more than of the cube: so much may be offered.
        said["cube_max"] = _power(name, 8, read_int(name, _NAMES[8], fields[8]), _MOST_CUBE + 1)
    said |= _dice(name, values[3])
    return situation_of(name, cells=_cells(name, board, said["side"]), **said)


def _cells(name: str, board: str, side: int) -> bytes:
    top_bar, *points, bottom_bar = map(_men, board)
    if top_bar > 0 or bottom_bar < 0:
        raise InvalidPosition(
            f"{name}: the first letter is the bar of the top player (a..p), the last one that of "
            "the bottom player (A..P)"
        )
    try:
        return board_cells(points, (-top_bar, bottom_bar), side)
    except InvalidPosition as error:
        raise InvalidPosition(f"{name}: {error}") from None


def _dice(name: str, text: str) -> dict[str, Any]:
    if text.upper() in _OFFERS:
        return {"offer": _OFFERS[text.upper()]}
    if not re.fullmatch("00|[1-6]{2}", text):
        raise InvalidNotation(f"{name}: dice must be 00, two of 1..6, D, B or R, not {text!r}")
    return {"roll": None if text == "00" else (int(text[0]), int(text[1]))}


def _power(name: str, place: int, exponent: int, most: int) -> int:
    if not 0 <= exponent <= most:
        raise InvalidNotation(
            f"{name}: {_NAMES[place]} must be a power of two, as 0..{most}, not {exponent}"
        )
    return 1 << exponent
