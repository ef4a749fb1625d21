"""The position id of GNU Backgammon, both ways, strictly (short nardy only).

Layout
------
80 bits in 10 bytes, the first bit lowest in the first byte, written as 14 characters of base64
without padding::

    block of the player not on roll | block of the player on roll | 0 up to bit 80

A block has 25 entries, the player's own points 1..24 and then his bar; an entry is as many 1 bits
as checkers and one 0 bit. Checkers borne off are not written: they are what lacks to 15.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.board import BAR, COLUMNS, OFF, OPPONENT_BAR, OPPONENT_OFF
from nardy.errors import InvalidNotation, InvalidPosition
from nardy.nardy_core import flip
from nardy.options import SHORT

__all__ = ["decode_id", "decode_ids", "encode_id", "encode_ids"]

_LENGTH: Final = 14
_BITS: Final = 80
_ENTRIES: Final = 25  # of a block
_CHECKERS: Final = 15  # of a side

_ALPHABET: Final = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
)
_NOT_IN_ALPHABET: Final = 64
# Value of each character by its code point; the last entry stands for all beyond ASCII.
_VALUES: Final = np.full(129, _NOT_IN_ALPHABET, dtype=np.uint8)
_VALUES[_ALPHABET] = np.arange(64)


def decode_ids(ids: Sequence[str] | NDArray[np.str_]) -> NDArray[np.int8]:
    """Read position ids as rows.

    Parameters
    ----------
    ids : sequence of n str
        Ids of 14 characters each, without a match id.

    Returns
    -------
    ndarray of int8, shape (n, 32)
        The boards as the player on roll sees them (layout: docs/architecture.md).

    Raises
    ------
    InvalidNotation
        Wrong length or alphabet, or bits set where the padding is.
    InvalidPosition
        More than 15 checkers a side, both sides on one point, or both all off.
    TypeError
        Not a sequence of str.

    Each error names the first bad id by its place.

    Examples
    --------
    >>> decode_ids(["4HPwATDgc/ABMA"])[0, [24, 13, 8, 6, 1]]
    array([ 2,  5,  3,  5, -2], dtype=int8)
    """
    if isinstance(ids, str) or not isinstance(ids, Sequence | np.ndarray):
        raise TypeError(f"ids must be a sequence of str, not {ids!r}")
    return _decode(ids, lambda place: f"ids[{place}] {ids[place]!r}")


def decode_id(text: str) -> NDArray[np.int8]:
    """Read one position id as a row (32,); the same as :func:`decode_ids` for a single id."""
    row: NDArray[np.int8] = _decode([text], lambda _: f"gnubg id {text!r}")[0]
    return row


def encode_ids(rows: NDArray[np.int8]) -> list[str]:
    """Write rows as position ids.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        Boards of short nardy as the player on roll sees them. Not modified.

    Returns
    -------
    list of n str

    Raises
    ------
    TypeError, ValueError
        As for every function on rows; the first bad row is named.

    Examples
    --------
    >>> encode_ids(decode_ids(["mxmAQ4PbAQAAAA"]))
    ['mxmAQ4PbAQAAAA']
    """
    opponent = flip(rows, rules=SHORT)  # which also refuses what is no board of short nardy
    blocks = [np.maximum(side[:, 1 : BAR + 1], 0) for side in (opponent, rows)]
    counts = np.concatenate(blocks, axis=1).astype(np.int64)
    # The 0 bit of an entry follows all checkers and all 0 bits before it.
    ends = counts.cumsum(axis=1) + np.arange(2 * _ENTRIES)
    bits = np.arange(_BITS) < ends[:, -1:]
    np.put_along_axis(bits, ends, False, axis=1)
    in_bytes = np.packbits(bits, axis=1, bitorder="little")
    sextets = np.zeros((len(rows), _LENGTH * 6), dtype=np.uint8)
    sextets[:, :_BITS] = np.unpackbits(in_bytes, axis=1)
    values = sextets.reshape(-1, _LENGTH, 6) @ np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    return [text.decode("ascii") for text in _ALPHABET[values].view(f"S{_LENGTH}").ravel().tolist()]


def encode_id(row: NDArray[np.int8]) -> str:
    """Write one row (32,) as a position id."""
    return encode_ids(row[np.newaxis])[0]


def _decode(ids: Sequence[str] | NDArray[np.str_], name: Callable[[int], str]) -> NDArray[np.int8]:
    """Read ids; ``name(place)`` is how an error calls the bad one."""
    for place, text in enumerate(ids):
        if not isinstance(text, str):
            raise TypeError(f"{name(place)}: must be a str")
    whole = np.array([len(text) == _LENGTH for text in ids], dtype=np.bool_)
    texts = [text if good else "A" * _LENGTH for text, good in zip(ids, whole, strict=True)]
    codes = np.array(texts, dtype=f"U{_LENGTH}").view(np.uint32).reshape(-1, _LENGTH)
    values = _VALUES[np.minimum(codes, 128)]
    sextets = np.unpackbits(values[:, :, np.newaxis], axis=2)[:, :, 2:].reshape(-1, _LENGTH * 6)
    in_bytes = np.packbits(sextets[:, :_BITS], axis=1)
    bits = np.unpackbits(in_bytes, axis=1, bitorder="little").view(np.bool_)
    # A 1 bit belongs to the entry that the next 0 bit ends: as many 0 bits stand before it.
    entry = (~bits).cumsum(axis=1)
    counted = bits & (entry < 2 * _ENTRIES)
    place_of_entry = np.arange(len(ids))[:, np.newaxis] * 2 * _ENTRIES + entry
    men = np.bincount(place_of_entry[counted], minlength=len(ids) * 2 * _ENTRIES)
    opponent, own = np.moveaxis(men.reshape(-1, 2, _ENTRIES).astype(np.int8), 1, 0)
    off, opponent_off = (_CHECKERS - side.sum(axis=1) for side in (own, opponent))
    # The opponent's points in the numbering of the player on roll; his bar stays what it is.
    facing = opponent[:, 23::-1]

    letters = "characters other than A-Z a-z 0-9 + /"
    many = f"more than {_CHECKERS} checkers a side"
    _refuse_first(
        name,
        (~whole, InvalidNotation, f"must have {_LENGTH} characters"),
        ((values == _NOT_IN_ALPHABET).any(axis=1), InvalidNotation, letters),
        ((off < 0) | (opponent_off < 0), InvalidPosition, many),
        ((bits & ~counted).any(axis=1), InvalidNotation, "bits are set behind the last entry"),
        (sextets[:, _BITS:].any(axis=1), InvalidNotation, "bits are set behind the last byte"),
        (((own[:, :24] > 0) & (facing > 0)).any(axis=1), InvalidPosition, "a point of both sides"),
        ((off == 15) & (opponent_off == 15), InvalidPosition, "all checkers of both sides are off"),
    )
    rows = np.zeros((len(ids), COLUMNS), dtype=np.int8)
    rows[:, 1:BAR] = own[:, :24] - facing
    rows[:, OFF], rows[:, BAR] = off, own[:, 24]
    rows[:, OPPONENT_OFF], rows[:, OPPONENT_BAR] = opponent_off, opponent[:, 24]
    return rows


def _refuse_first(name: Callable[[int], str], *faults: tuple[Any, type[ValueError], str]) -> None:
    """Raise for the first id that has a fault; of several of one id, for the first listed."""
    found = [(int(bad.argmax()), error, what) for bad, error, what in faults if bad.any()]
    if found:
        place, error, what = min(found, key=lambda fault: fault[0])
        raise error(f"{name(place)}: {what}")
