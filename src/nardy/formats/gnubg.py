"""The position id of GNU Backgammon, both ways, strictly (short nardy only).

The layout is that of :mod:`nardy.formats.blocks`. The match id that often stands behind it, and ids
within other text, are read by :mod:`nardy.formats.gnuid`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from nardy.formats.blocks import BLOCKS_LENGTH, decode_blocks, encode_blocks
from nardy.options import SHORT

__all__ = ["decode_id", "decode_ids", "encode_id", "encode_ids"]


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
    return encode_blocks(rows, SHORT)


def encode_id(row: NDArray[np.int8]) -> str:
    """Write one row (32,) as a position id."""
    return encode_ids(row[np.newaxis])[0]


def _decode(ids: Sequence[str] | NDArray[np.str_], name: Callable[[int], str]) -> NDArray[np.int8]:
    """Read ids; ``name(place)`` is how an error calls the bad one."""
    for place, text in enumerate(ids):
        if not isinstance(text, str):
            raise TypeError(f"{name(place)}: must be a str")
    return decode_blocks([*ids], SHORT, name, f"must have {BLOCKS_LENGTH} characters")
