"""The ids of GNU Backgammon together: a position id, and a match id of what is around the board.

Layout of a match id
--------------------
72 bits in 9 bytes, the lowest bit first, written as 12 characters of base64::

    bits      field
    0..3      log2 of the cube
    4, 5      its owner: 0, 1, or 3 in the middle
    6         the player on roll
    7         1 in the Crawford game
    8..10     game: 0 none, 1 playing, 2 over, 3 resigned, 4 dropped
    11        the player who decides
    12        1 if a double is offered
    13, 14    resignation offered: 0 none, 1 single, 2 gammon, 3 backgammon
    15..20    two dice, the larger first, 3 bits each; 0 before the throw
    21..35    length of the match; 0 for money
    36..65    points of player 0, of player 1, 15 bits each
    66        1 if the Jacoby rule is not in use; older ids end before it
    67..71    0

The position id is of the player of bit 6, an offer or not. A beaver has the bit of a double, the
cube at the beaverer, and the player on roll to decide; a raccoon the same with the other to decide.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect
from typing import Any, Final, get_args

from nardy.errors import InvalidNotation, InvalidPosition
from nardy.formats.gnubg import decode_id, encode_id
from nardy.formats.situation import (
    GameState,
    Resignation,
    Situation,
    changes,
    only_one,
    situation_of,
)

__all__ = ["board_of_gnuid", "found", "lost", "read", "write"]

_MATCH_LENGTH: Final = 12
_STATES: Final = get_args(GameState)
_RESIGNATIONS: Final = (None, *get_args(Resignation))
_OWNERS: Final = {0: 0, 1: 1, 3: None}
# Field, first bit, number of bits.
_LAYOUT: Final = (
    ("cube", 0, 4),
    ("owner", 4, 2),
    ("side", 6, 1),
    ("crawford", 7, 1),
    ("state", 8, 3),
    ("to_act", 11, 1),
    ("doubled", 12, 1),
    ("resignation", 13, 2),
    ("large", 15, 3),
    ("small", 18, 3),
    ("length", 21, 15),
    ("score_0", 36, 15),
    ("score_1", 51, 15),
    ("no_jacoby", 66, 1),
    ("rest", 67, 5),
)

_CHARACTER: Final = "[A-Za-z0-9+/]"
_LABELLED: Final = re.compile(
    rf"(?:position\s*id|gnu(?:bg)?\s*id)\s*[:=]\s*({_CHARACTER}+=*)(?::({_CHARACTER}+=*))?", re.I
)
_BARE: Final = re.compile(
    rf"(?<!{_CHARACTER})({_CHARACTER}{{14}})(?!{_CHARACTER}|=)(?::({_CHARACTER}+=*))?"
)
_MATCH: Final = re.compile(rf"match\s*id\s*[:=]\s*({_CHARACTER}+=*)", re.I)


def read(text: str) -> Situation:
    """Read the ids of a text: a position and, if one is there, its match.

    Parameters
    ----------
    text : str
        ``POSITION``, ``POSITION:MATCH``, or the same under labels such as ``GNUID=`` and
        ``Position ID: ... Match ID: ...``; other text may stand around.

    Returns
    -------
    Situation
        Without a match id one for money with player 1 on roll, of which the rest is not said.

    Raises
    ------
    InvalidNotation
        No id, a bad one, a match that cannot be, or several ids that differ.
    InvalidPosition
        An id of something that is no position.
    TypeError
        Not a str.

    Examples
    --------
    >>> situation = read("GNUID=4HPwATDgc/ABMA:8IluACAACAAE, a Crawford game")
    >>> situation.score, situation.length, situation.is_crawford, situation.roll
    ((2, 1), 3, True, (5, 3))
    """
    pairs = _pairs(text)
    situations = [_situation(position, match) for position, match in pairs]
    return situations[only_one(text, situations)]


def board_of_gnuid(text: str) -> bytes:
    """Read the board alone: cells as the player on roll sees them; a match id is not looked at.

    Examples
    --------
    >>> list(board_of_gnuid("4HPwATDgc/ABMA:cAngAEAAEAAE")[:7])
    [0, 254, 0, 0, 0, 0, 5]
    """
    boards = [decode_id(position).tobytes() for position, _ in _pairs(text)]
    return boards[only_one(text, boards)]


def write(situation: Situation) -> str:
    """Write a situation as ``POSITION:MATCH``.

    Raises
    ------
    ValueError
        A cube beyond 2**15, or a length or score beyond 2**15 - 1: there are no bits for it.

    Examples
    --------
    >>> write(Situation(nardy.Position.start("short").cells, length=7, score=(4, 2)))
    '4HPwATDgc/ABMA:cAngAEAAEAAE'
    """
    large, small = situation.roll or (0, 0)
    values = {
        "cube": situation.cube_value.bit_length() - 1,
        "owner": 3 if situation.cube_owner is None else situation.cube_owner,
        "side": situation.side,
        "crawford": situation.is_crawford,
        "state": _STATES.index(situation.state),
        "to_act": situation.to_act,
        "doubled": situation.offer is not None,
        "resignation": _RESIGNATIONS.index(situation.resignation),
        "large": large,
        "small": small,
        "length": situation.length or 0,
        "score_0": situation.score[0],
        "score_1": situation.score[1],
        "no_jacoby": not situation.jacoby,
    }
    number = 0
    for name, first, bits in _LAYOUT:
        value = int(values.get(name) or 0)
        if value >= 1 << bits:
            raise ValueError(f"a match id has {bits} bits for {name}, too few for {value}")
        number |= value << first
    match = base64.b64encode(number.to_bytes(9, "little")).decode("ascii")
    return f"{encode_id(situation.row)}:{match}"


def lost(situation: Situation) -> tuple[str, ...]:
    """Return the fields that :func:`write` cannot keep.

    Examples
    --------
    >>> lost(Situation(nardy.Position.start("short").cells, beaver=True, cube_max=64))
    ('beaver', 'cube_max')
    """
    return changes(situation, read(write(situation)))


def found(text: str) -> list[str]:
    """Return the position ids that stand in a text, good or not.

    Examples
    --------
    >>> found("Position ID: 4HPwATDgc/ABMA"), found("4HPwATDgc/ABMA:cAkAAAAAAAAE"), found("24:15")
    (['4HPwATDgc/ABMA'], ['4HPwATDgc/ABMA'], [])
    """
    return [match[1] for match in _found(text)]


def _found(text: str) -> list[re.Match[str]]:
    # A label says what is meant to be an id. Without one, any 14 letters in a row may be a word.
    return [*_LABELLED.finditer(text)] or [
        # Behind this prefix the same characters are a board of long nardy.
        found
        for found in _BARE.finditer(text)
        if text[max(found.start() - 4, 0) : found.start()].lower() != "ln1:"
    ]


def _pairs(text: str) -> list[tuple[str, str | None]]:
    """Return the position ids of a text, each with its match id; words are left out."""
    if not isinstance(text, str):
        raise TypeError(f"gnubg id must be a str, not {text!r}")
    positions = _found(text)
    if not positions:
        decode_id(text.strip())  # says what is wrong with it
    # A match id belongs to the position before it; where there is but one, it may stand anywhere.
    matches = [[position[2]] if position[2] else [] for position in positions]
    starts = [position.start() for position in positions]
    for labelled in _MATCH.finditer(text):
        place = max(bisect(starts, labelled.start()) - 1, 0)
        if len(positions) == 1 or labelled.start() > starts[0]:
            matches[place].append(labelled[1])
    pairs = [
        (position[1], own[only_one(text, own)] if own else None)
        for position, own in zip(positions, matches, strict=True)
    ]
    if len(pairs) > 1:
        pairs = [pair for pair in pairs if _is_position(pair[0])] or pairs
    return pairs


def _is_position(text: str) -> bool:
    try:
        decode_id(text)
    except (InvalidNotation, InvalidPosition):
        return False
    return True


def _situation(position: str, match: str | None) -> Situation:
    cells = decode_id(position).tobytes()
    if match is None:
        return Situation(cells)
    return situation_of(f"match id {match!r}", cells=cells, **_match_fields(match))


def _match_fields(text: str) -> dict[str, Any]:
    name = f"match id {text!r}"
    if not re.fullmatch(rf"{_CHARACTER}{{{_MATCH_LENGTH}}}", text):
        raise InvalidNotation(f"{name}: must have {_MATCH_LENGTH} characters of A-Z a-z 0-9 + /")
    number = int.from_bytes(base64.b64decode(text), "little")
    has = {field: number >> first & (1 << bits) - 1 for field, first, bits in _LAYOUT}
    if has["owner"] not in _OWNERS:
        raise InvalidNotation(f"{name}: the owner of the cube must be 0, 1 or 3, not 2")
    if has["state"] >= len(_STATES):
        raise InvalidNotation(f"{name}: the game state must be 0..4, not {has['state']}")
    if has["rest"]:
        raise InvalidNotation(f"{name}: bits are set behind the last field")
    dice = has["large"], has["small"]
    if 0 in dice and any(dice):
        raise InvalidNotation(f"{name}: one die is thrown and one is not: {dice}")
    return {
        "side": has["side"],
        "roll": dice if any(dice) else None,
        "cube_value": 1 << has["cube"],
        "cube_owner": _OWNERS[has["owner"]],
        "offer": _offer(has) if has["doubled"] else None,
        "resignation": _RESIGNATIONS[has["resignation"]],
        "to_act": has["to_act"],
        "score": (has["score_0"], has["score_1"]),
        "length": has["length"] or None,
        "is_crawford": bool(has["crawford"]),
        # Without effect in a match, where old ids have it unset.
        "jacoby": None if has["length"] else not has["no_jacoby"],
        "state": _STATES[has["state"]],
    }


def _offer(has: dict[str, int]) -> str:
    """Tell what is offered: whose cube it is, and who decides, say so."""
    # Who is offered a double and resigns lets the other side decide.
    asked = has["to_act"] ^ int(has["resignation"] != 0)
    if asked == has["side"]:
        return "beavered"
    taken_back = has["owner"] == asked and has["cube"] >= 2 and not has["length"]
    return "raccooned" if taken_back else "doubled"
