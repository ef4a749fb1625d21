"""The position id of GNU Backgammon: docs/rules.md numbers of short nardy, both ways."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy.errors import InvalidNotation, InvalidPosition
from nardy.formats.gnubg import decode_id, decode_ids, encode_id, encode_ids
from nardy.options import LONG, PRESETS, SHORT
from nardy.position import Position

START = "24:2 13:5 8:3 6:5"
# (id, the player on roll, the other one, off: on roll / other), each checked with GNU Backgammon.
VECTORS = [
    ("4HPwATDgc/ABMA", START, START, (0, 0)),
    ("sGfwATDgc/ABMA", START, "24:2 13:5 8:2 6:4 5:2", (0, 0)),
    ("mGfwATDgc/ABMA", START, "24:2 13:5 8:2 6:4 4:2", (0, 0)),
    ("4NvgATDgc/ABMA", START, "24:2 13:4 8:2 7:2 6:5", (0, 0)),
    ("4HPwAyDgc/ABMA", START, "24:1 13:6 8:3 6:5", (0, 0)),
    ("jGfwATDgc/ABMA", START, "24:2 13:5 8:2 6:4 3:2", (0, 0)),
    ("4PPgASTgc/ABMA", START, "24:1 22:1 13:4 8:4 6:5", (0, 0)),
    ("4HPhASLgc/ABMA", START, "24:1 21:1 13:4 9:1 8:3 6:5", (0, 0)),
    ("4HPwATDgc/ABUA", "bar:1 24:1 13:5 8:3 6:5", START, (0, 0)),
    ("4OvgATDgc+QBUA", "bar:1 24:1 13:4 11:1 8:3 6:5", "24:2 13:4 8:3 7:1 6:5", (0, 0)),
    ("eM4NgANs3oGDAA", "18:1 13:3 7:3 6:4 4:2 3:2", "20:3 9:2 8:3 6:3 4:4", (0, 0)),
    ("bD3BAQyYd2cEAA", "13:1 10:2 8:3 7:3 6:4 4:2", "22:2 13:3 8:1 6:4 5:1 4:2 3:2", (0, 0)),
    ("3HsHAgD1PQ8AAA", "6:4 4:4 3:5 2:1 1:1", "12:1 6:3 5:4 4:4 3:3", (0, 0)),
    ("mxmAQ4PbAQAAAA", "3:3 2:2 1:3", "21:2 20:1 16:3 6:2 4:2 2:2 1:2", (7, 1)),
    ("PAAAICMAAAAAAA", "6:1 3:2 1:1", "3:4", (11, 11)),
    ("GQEAgAcAAAAAAA", "3:4", "6:1 3:2 1:1", (11, 11)),
    ("ewMAAD4gAAAAAA", "8:1 1:5", "3:2 2:4 1:2", (9, 7)),
    ("ADAAAQAkIAAAAA", "24:1 17:1 15:1", "23:1 13:2", (12, 12)),
    ("AAAAAQAADAAAAA", "bar:2", "bar:1", (13, 14)),
]


def points(text: str) -> dict[int | str, int]:
    pairs = (entry.split(":") for entry in text.split())
    return {point if point == "bar" else int(point): int(men) for point, men in pairs}


def written(bits: str) -> str:
    """Write 80 bits, given in order, as an id."""
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def block(*men: int) -> str:
    """Write a block of 25 entries, the first ones given."""
    return "".join("1" * n + "0" for n in (*men, *[0] * (25 - len(men))))


@st.composite
def two_blocks(draw: st.DrawFn) -> list[int]:
    """Draw the 50 entries of a valid id; a checker that finds no place stays off."""
    entries = [0] * 50
    for entry in draw(st.lists(st.integers(0, 49), min_size=1, max_size=40)):
        first = 25 * (entry // 25)
        held_by_other = entry % 25 != 24 and entries[48 - entry]
        if sum(entries[first : first + 25]) < 15 and not held_by_other:
            entries[entry] += 1
    return entries


@pytest.mark.parametrize(("text", "own", "opponent", "off"), VECTORS)
def test_known_ids_are_read_and_written(
    text: str, own: str, opponent: str, off: tuple[int, int]
) -> None:
    position = Position.from_points(points(own), points(opponent), rules=SHORT)
    assert Position.from_gnubg_id(text) == position
    assert position.gnubg_id == text
    assert (position.row[0], position.row[26]) == off


def test_the_start_of_short_nardy_is_the_best_known_id() -> None:
    assert Position.start(SHORT).gnubg_id == "4HPwATDgc/ABMA"


def test_the_second_block_is_the_player_on_roll() -> None:
    text = "PAAAICMAAAAAAA"
    assert Position.from_gnubg_id(text).flip().gnubg_id == "GQEAgAcAAAAAAA"


def test_a_batch_equals_its_single_ids() -> None:
    ids = [text for text, *_ in VECTORS]
    rows = decode_ids(ids)
    assert rows.dtype == np.int8
    assert rows.shape == (len(ids), 32)
    assert [encode_id(row) for row in rows] == encode_ids(rows) == ids
    assert all(np.array_equal(decode_id(text), row) for text, row in zip(ids, rows, strict=True))
    assert decode_ids([]).shape == (0, 32)
    assert encode_ids(decode_ids([])) == []
    assert decode_ids(np.array(ids)).tolist() == rows.tolist()


@given(st.lists(two_blocks(), min_size=1, max_size=5))
def test_every_board_survives_the_way_there_and_back(boards: list[list[int]]) -> None:
    ids = [written(block(*entries[:25]) + block(*entries[25:])) for entries in boards]
    rows = decode_ids(ids)
    assert encode_ids(rows) == ids
    for row, text, entries in zip(rows, ids, boards, strict=True):
        position = Position.from_gnubg_id(text)
        assert position.row.tolist() == row.tolist()
        sides = [{p: men for p, men in enumerate(side, 1) if men} for side in halves(entries)]
        assert position == Position.from_points(sides[1], sides[0], rules=SHORT)
        assert position.gnubg_id == text


def halves(entries: list[int]) -> tuple[list[int], list[int]]:
    return entries[:25], entries[25:]


@given(st.text("ABCIgw/+4", min_size=14, max_size=14))
def test_an_id_that_is_read_is_written_the_same(text: str) -> None:
    try:
        row = decode_id(text)
    except ValueError:
        return
    assert encode_id(row) == text
    assert Position.from_row(row, rules=SHORT).status() == 0


GOOD = "4HPwATDgc/ABMA"
REFUSED: list[tuple[str, type[ValueError], str]] = [
    ("", InvalidNotation, "must have 14 characters"),
    (GOOD[:-1], InvalidNotation, "must have 14 characters"),
    (GOOD + "==", InvalidNotation, "must have 14 characters"),
    (f"{GOOD[:7]} {GOOD[8:]}", InvalidNotation, "characters other than"),
    (GOOD.replace("/", "_"), InvalidNotation, "characters other than"),
    ("4HPwATDgc/ABM=", InvalidNotation, "characters other than"),
    ("4HPwATDgc/ABMÄ", InvalidNotation, "characters other than"),
    ("4HPwATDgc/ABM\ud800", InvalidNotation, "characters other than"),
    ("4HPwATDgc/ABM\N{CYRILLIC CAPITAL LETTER A}", InvalidNotation, "characters other than"),
    (GOOD[:-1] + "B", InvalidNotation, "behind the last byte"),
    (GOOD[:-1] + "I", InvalidNotation, "behind the last byte"),
    (written(block(15) + block(15)[:-1] + "1"), InvalidPosition, "more than 15"),
    (written(block(2) + block(3) + "01"), InvalidNotation, "behind the last entry"),
    (written(block(2) + block(3) + "1"), InvalidNotation, "behind the last entry"),
    (written(block(16) + block(1)), InvalidPosition, "more than 15"),
    (written(block(1) + block(0, 16)), InvalidPosition, "more than 15"),
    ("//////////////", InvalidPosition, "more than 15"),
    (written(block(1) + block(*[0] * 23, 1)), InvalidPosition, "a point of both sides"),
    (written(block() + block()), InvalidPosition, "all checkers of both sides are off"),
]


@pytest.mark.parametrize(("text", "error", "what"), REFUSED)
def test_a_bad_id_is_refused_with_what_was_wrong(
    text: str, error: type[ValueError], what: str
) -> None:
    for read in (decode_id, Position.from_gnubg_id):
        with pytest.raises(error, match=f"gnubg id .*: .*{what}"):
            read(text)
    with pytest.raises(error, match=rf"ids\[1\] .*: .*{what}"):
        decode_ids([GOOD, text, "", "//////////////"])


def test_one_point_for_both_sides_only_where_it_is_the_same_place() -> None:
    assert Position.from_gnubg_id(written(block(1) + block(1))).row[[1, 24]].tolist() == [1, -1]


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (decode_ids, GOOD),
        (decode_ids, None),
        (decode_ids, [GOOD, 3]),
        (decode_ids, [b"4HPwATDgc/ABMA"]),
        (decode_id, None),
        (decode_id, b"4HPwATDgc/ABMA"),
        (encode_ids, [[0] * 32]),
        (encode_ids, np.zeros((1, 32))),
    ],
)
def test_a_wrong_kind_is_a_type_error(function: Callable[[Any], object], argument: Any) -> None:
    with pytest.raises(TypeError):
        function(argument)


def test_rows_that_are_no_boards_of_short_nardy_are_not_written() -> None:
    rows = np.stack([Position.start(SHORT).row] * 2)
    rows[1, 6] = 6
    with pytest.raises(InvalidPosition, match="1"):
        encode_ids(rows)


def test_ids_are_of_short_nardy_only() -> None:
    money = Position.from_gnubg_id(GOOD, rules="short-money")
    assert money.rules == PRESETS["short-money"]
    with pytest.raises(ValueError, match="short nardy"):
        Position.from_gnubg_id(GOOD, rules=LONG)
    with pytest.raises(ValueError, match="short nardy"):
        _ = Position.start(LONG).gnubg_id
