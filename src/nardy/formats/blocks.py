"""The 80 bits that the position ids of both games share: 14 characters a board.

Layout
------
80 bits in 10 bytes, the first bit lowest in the first byte, written as 14 characters of base64
(``A-Z a-z 0-9 + /``) without padding::

    block of the player not on roll | block of the player on roll | 0 up to bit 80

A block has 25 entries, the player's own points 1..24 and then his bar; an entry is as many 1 bits
as checkers and one 0 bit. Checkers borne off are not written: they are what lacks to all of a side.
The game decides which points of the two blocks are one place, and whether there is a bar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.board import BAR, COLUMNS, HEAD, OFF, OPPONENT_BAR, OPPONENT_OFF, opponent_point
from nardy.errors import InvalidNotation, InvalidPosition
from nardy.nardy_core import flip
from nardy.options import Rules

__all__ = ["BLOCKS_LENGTH", "decode_blocks", "encode_blocks"]

BLOCKS_LENGTH: Final = 14
"""Characters of a board."""

_BITS: Final = 80
_ENTRIES: Final = 25  # of a block

_ALPHABET: Final = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
)
_NOT_IN_ALPHABET: Final = 64
# Value of each character by its code point; the last entry stands for all beyond ASCII.
_VALUES: Final = np.full(129, _NOT_IN_ALPHABET, dtype=np.uint8)
_VALUES[_ALPHABET] = np.arange(64)


def encode_blocks(rows: NDArray[np.int8], rules: Rules) -> list[str]:
    """Write rows (n, 32) as n texts of 14 characters; the first bad row is named.

    Examples
    --------
    >>> encode_blocks(nardy.Position.start("long").row[np.newaxis], nardy.LONG)
    ['AACA/z8AAID/Pw']
    """
    opponent = flip(rows, rules=rules)  # which also refuses what is no board of the game
    blocks = [np.maximum(side[:, 1 : BAR + 1], 0) for side in (opponent, rows)]
    counts = np.concatenate(blocks, axis=1).astype(np.int64)
    # The 0 bit of an entry follows all checkers and all 0 bits before it.
    ends = counts.cumsum(axis=1) + np.arange(2 * _ENTRIES)
    bits = np.arange(_BITS) < ends[:, -1:]
    np.put_along_axis(bits, ends, False, axis=1)
    in_bytes = np.packbits(bits, axis=1, bitorder="little")
    sextets = np.zeros((len(rows), BLOCKS_LENGTH * 6), dtype=np.uint8)
    sextets[:, :_BITS] = np.unpackbits(in_bytes, axis=1)
    values = sextets.reshape(-1, BLOCKS_LENGTH, 6) @ np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    texts = _ALPHABET[values].view(f"S{BLOCKS_LENGTH}").ravel().tolist()
    return [text.decode("ascii") for text in texts]


def decode_blocks(
    texts: Sequence[str], rules: Rules, name: Callable[[int], str], wanted: str
) -> NDArray[np.int8]:
    """Read texts of 14 characters as rows (n, 32), as the players on roll see them.

    Parameters
    ----------
    texts : sequence of n str
    rules : Rules
        The game, and how many checkers a side has.
    name : callable
        ``name(place)`` is how an error calls the bad one.
    wanted : str
        What an error says of a text of another length.

    Raises
    ------
    InvalidNotation
        Wrong length or alphabet, or bits set where the padding is.
    InvalidPosition
        Too many checkers, both sides on one point, both all off, or a bar in long nardy. Whether a
        block of six is forbidden is not looked at: no function on rows does.

    Examples
    --------
    >>> decode_blocks(["AACA/z8AAID/Pw"], nardy.LONG, "id {}".format, "")[0, [24, 12]]
    array([ 15, -15], dtype=int8)
    """
    n, checkers, game = len(texts), rules.checkers, rules.game
    whole = np.array([len(text) == BLOCKS_LENGTH for text in texts], dtype=np.bool_)
    filled = [
        text if good else "A" * BLOCKS_LENGTH for text, good in zip(texts, whole, strict=True)
    ]
    codes = np.array(filled, dtype=f"U{BLOCKS_LENGTH}").view(np.uint32).reshape(-1, BLOCKS_LENGTH)
    values = _VALUES[np.minimum(codes, 128)]
    sextets = np.unpackbits(values[:, :, np.newaxis], axis=2)[:, :, 2:]
    sextets = sextets.reshape(-1, BLOCKS_LENGTH * 6)
    in_bytes = np.packbits(sextets[:, :_BITS], axis=1)
    bits = np.unpackbits(in_bytes, axis=1, bitorder="little").view(np.bool_)
    # A 1 bit belongs to the entry that the next 0 bit ends: as many 0 bits stand before it.
    entry = (~bits).cumsum(axis=1)
    counted = bits & (entry < 2 * _ENTRIES)
    place_of_entry = np.arange(n)[:, np.newaxis] * 2 * _ENTRIES + entry
    men = np.bincount(place_of_entry[counted], minlength=n * 2 * _ENTRIES)
    opponent, own = np.moveaxis(men.reshape(-1, 2, _ENTRIES).astype(np.int8), 1, 0)
    off, opponent_off = (checkers - side.sum(axis=1) for side in (own, opponent))
    # The opponent's points in the numbering of the player on roll; his bar stays what it is.
    facing = opponent[:, [opponent_point(game, point) - 1 for point in range(1, HEAD + 1)]]
    on_bar = (own[:, -1] > 0) | (opponent[:, -1] > 0)

    letters = "characters other than A-Z a-z 0-9 + /"
    many = f"more than {checkers} checkers a side"
    _refuse_first(
        name,
        (~whole, InvalidNotation, wanted),
        ((values == _NOT_IN_ALPHABET).any(axis=1), InvalidNotation, letters),
        ((off < 0) | (opponent_off < 0), InvalidPosition, many),
        ((bits & ~counted).any(axis=1), InvalidNotation, "bits are set behind the last entry"),
        (sextets[:, _BITS:].any(axis=1), InvalidNotation, "bits are set behind the last byte"),
        (
            ((own[:, :HEAD] > 0) & (facing > 0)).any(axis=1),
            InvalidPosition,
            "a point of both sides",
        ),
        (on_bar & (game == "long"), InvalidPosition, "checkers on the bar in long nardy"),
        (
            (off == checkers) & (opponent_off == checkers),
            InvalidPosition,
            "all checkers of both sides are off",
        ),
    )
    rows = np.zeros((n, COLUMNS), dtype=np.int8)
    rows[:, 1:BAR] = own[:, :HEAD] - facing
    rows[:, OFF], rows[:, BAR] = off, own[:, -1]
    rows[:, OPPONENT_OFF], rows[:, OPPONENT_BAR] = opponent_off, opponent[:, -1]
    return rows


def _refuse_first(name: Callable[[int], str], *faults: tuple[Any, type[ValueError], str]) -> None:
    """Raise for the first text that has a fault; for several of one text, for the first listed."""
    found = [(int(bad.argmax()), error, what) for bad, error, what in faults if bad.any()]
    if found:
        place, error, what = min(found, key=lambda fault: fault[0])
        raise error(f"{name(place)}: {what}")
