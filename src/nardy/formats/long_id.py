"""The public id of a position of long nardy, ``ln1:`` and 14 characters (docs/ids.md).

The characters are those of :mod:`nardy.formats.blocks`, each side in its own numbering with the
head on 24; the bars are always empty. The rules are the reader's: the id holds a board only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.formats.blocks import BLOCKS_LENGTH, decode_blocks, encode_blocks
from nardy.formats.situation import only_one
from nardy.options import LONG, Rules

__all__ = [
    "LONG_PREFIX",
    "decode_long_id",
    "decode_long_ids",
    "encode_long_id",
    "encode_long_ids",
    "find_long_ids",
]

LONG_PREFIX: Final = "ln1:"
"""What an id begins with: without it the characters would be those of a board of short nardy."""

_FOUND: Final = re.compile(r"(?<![A-Za-z0-9+/])ln1:[A-Za-z0-9+/=]*", re.IGNORECASE)


def decode_long_ids(
    ids: Sequence[str] | NDArray[np.str_], *, rules: Rules | str = LONG
) -> NDArray[np.int8]:
    """Read ids of long nardy as rows.

    Parameters
    ----------
    ids : sequence of n str
        Each ``ln1:`` and 14 characters, and nothing around them.
    rules : Rules or str
        Of long nardy; ``rules.checkers`` says how many are off.

    Returns
    -------
    ndarray of int8, shape (n, 32)
        The boards as the side on roll sees them (layout: docs/architecture.md). Blocks of six are
        not looked at, as in every function on rows.

    Raises
    ------
    InvalidNotation
        No ``ln1:``, wrong length or alphabet, or bits set where the padding is.
    InvalidPosition
        Too many checkers, both sides on one point, checkers on a bar, or both sides all off.
    ValueError
        Rules of short nardy.
    TypeError
        Not a sequence of str.

    Each error names the first bad id by its place.

    Examples
    --------
    >>> decode_long_ids(["ln1:AAAG/j8AAID/Pw"])[0, [24, 12, 6]]
    array([ 15, -13,  -2], dtype=int8)
    """
    if isinstance(ids, str) or not isinstance(ids, Sequence | np.ndarray):
        raise TypeError(f"ids must be a sequence of str, not {ids!r}")
    return _decode(ids, rules, lambda place: f"ids[{place}] {ids[place]!r}")


def decode_long_id(text: str, *, rules: Rules | str = LONG) -> NDArray[np.int8]:
    """Read one id of long nardy, other text around it or not, as a row (32,).

    Examples
    --------
    >>> decode_long_id("The start is ln1:AACA/z8AAID/Pw.")[[24, 12]]
    array([ 15, -15], dtype=int8)
    """
    if not isinstance(text, str):
        raise TypeError(f"id must be a str, not {text!r}")
    found = find_long_ids(text) or [text.strip()]
    rows = [_decode([one], rules, partial(_named, one))[0] for one in found]
    row: NDArray[np.int8] = rows[only_one(text, [row.tobytes() for row in rows])]
    return row


def encode_long_ids(rows: NDArray[np.int8], *, rules: Rules | str = LONG) -> list[str]:
    """Write rows of long nardy as ids.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        Boards as the side on roll sees them. Not modified.
    rules : Rules or str
        Of long nardy.

    Returns
    -------
    list of n str

    Raises
    ------
    TypeError, ValueError
        As for every function on rows; the first bad row is named.

    Examples
    --------
    >>> encode_long_ids(nardy.Position.start("long").row[np.newaxis])
    ['ln1:AACA/z8AAID/Pw']
    """
    return [LONG_PREFIX + text for text in encode_blocks(rows, _long(rules))]


def encode_long_id(row: NDArray[np.int8], *, rules: Rules | str = LONG) -> str:
    """Write one row (32,) as an id of long nardy."""
    return encode_long_ids(row[np.newaxis], rules=rules)[0]


def find_long_ids(text: str) -> list[str]:
    """Return what stands in a text and begins as an id of long nardy, good or not.

    Examples
    --------
    >>> find_long_ids("LN1:AACA/z8AAID/Pw, then ln1:xyz")
    ['LN1:AACA/z8AAID/Pw', 'ln1:xyz']
    """
    return _FOUND.findall(text)


def _named(text: str, _: int) -> str:
    return f"id {text!r}"


def _long(rules: Rules | str) -> Rules:
    rules = options.rules(rules)
    if rules.game != "long":
        raise ValueError(f"an id {LONG_PREFIX} needs rules of long nardy, not {rules!r}")
    return rules


def _decode(
    ids: Sequence[str] | NDArray[np.str_], rules: Rules | str, name: Callable[[int], str]
) -> NDArray[np.int8]:
    """Read ids; ``name(place)`` is how an error calls the bad one."""
    rules = _long(rules)
    wanted = f"must be {LONG_PREFIX} and {BLOCKS_LENGTH} characters"
    for place, text in enumerate(ids):
        if not isinstance(text, str):
            raise TypeError(f"{name(place)}: must be a str")
    # Without its prefix an id is as bad as an empty one, at its place among the others.
    bare = [text[4:] if text[:4].lower() == LONG_PREFIX else "" for text in ids]
    return decode_blocks(bare, rules, name, wanted)
