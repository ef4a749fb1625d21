"""The ids with everything around the board: gnubg's, XGID, FIBS; and `ln1:` of long nardy."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from types import ModuleType
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import nardy
from nardy.errors import InvalidNotation, InvalidPosition
from nardy.formats import fibs, gnuid, long_id, xgid
from nardy.formats.gnubg import decode_ids, encode_ids
from nardy.formats.situation import GameState, Offer, Resignation, Situation
from nardy.position import Position

START = "4HPwATDgc/ABMA"
START_XGID = "XGID=-b----E-C---eE---c-e----B-"
START_CELLS = Position.start("short").cells
CODECS = [gnuid, xgid, fibs]

# (match id, what it says): each made or taken by GNU Backgammon. The board does not matter.
MATCH_IDS: list[tuple[str, dict[str, Any]]] = [
    ("cAkAAAAAAAAE", {"jacoby": False}),
    ("MAEAAAAAAAAE", {"side": 0, "jacoby": False}),
    ("cAkKAAAAAAAE", {"roll": (4, 2), "jacoby": False}),
    ("MIEFAAAAAAAA", {"side": 0, "roll": (3, 1), "jacoby": True}),
    ("UQkAAAAAAAAE", {"cube_value": 2, "cube_owner": 1, "jacoby": False}),
    ("QQkAAAAAAAAE", {"cube_value": 2, "cube_owner": 0, "jacoby": False}),
    ("cAngAEAAEAAE", {"length": 7, "score": (4, 2)}),
    ("8AngAGAAEAAE", {"length": 7, "score": (6, 2), "is_crawford": True}),
    ("MAHgAGAAEAAE", {"length": 7, "score": (6, 2), "side": 0}),
    ("AQGqAAAAAAAE", {"length": 5, "roll": (4, 2), "side": 0, "cube_value": 2, "cube_owner": 0}),
    ("8IluACAACAAE", {"length": 3, "score": (2, 1), "is_crawford": True, "roll": (5, 3)}),
    ("cBHgAAAAAAAE", {"length": 7, "offer": "doubled", "to_act": 0}),
    # Offers and what comes of them, as GNU Backgammon 1.07 writes them for money with Jacoby.
    ("cBEAAAAAAAAA", {"offer": "doubled", "to_act": 0, "jacoby": True}),
    ("MBkAAAAAAAAA", {"side": 0, "offer": "doubled", "to_act": 1, "jacoby": True}),
    (
        "QRkAAAAAAAAA",
        {"offer": "beavered", "cube_value": 2, "cube_owner": 0, "to_act": 1, "jacoby": True},
    ),
    (
        "QhEAAAAAAAAA",
        {"offer": "raccooned", "cube_value": 4, "cube_owner": 0, "to_act": 0, "jacoby": True},
    ),
    ("cDkAAAAAAAAA", {"offer": "doubled", "resignation": "oin", "to_act": 1, "jacoby": True}),
    ("cEHgAAAAAAAE", {"length": 7, "resignation": "mars", "to_act": 0}),
    (
        "cEPgACAAAAAE",
        {"length": 7, "resignation": "mars", "to_act": 0, "state": "resigned", "score": (2, 0)},
    ),
    (
        "MGtgABAAKAAE",
        {"side": 0, "length": 3, "resignation": "koks", "state": "resigned", "score": (1, 5)},
    ),
    (
        "cDsAAAAACAAA",
        {"offer": "doubled", "resignation": "oin", "state": "resigned", "jacoby": True},
    ),
    ("cAQAAAAACAAA", {"state": "dropped", "score": (0, 1), "to_act": 0, "jacoby": True}),
    (
        "QQwAACAAAAAA",
        {"state": "dropped", "to_act": 1, "cube_value": 2, "cube_owner": 0, "jacoby": True},
    ),
]

# XGID and the same by GNU Backgammon, with what the latter does not hold.
PAIRS = [
    (f"{START_XGID}:1:1:1:00:0:0:0:0:10", f"{START}:UQkAAAAAAAAE"),
    (f"{START_XGID}:1:-1:1:00:0:0:0:0:10", f"{START}:QQkAAAAAAAAE"),
    (f"{START_XGID}:0:0:1:53:1:2:1:3:10", f"{START}:8IluACAACAAE"),
    (f"{START_XGID}:0:0:1:00:2:4:0:7:10", f"{START}:cAngAEAAEAAE"),
    (f"{START_XGID}:0:0:1:00:2:6:1:7:10", f"{START}:8AngAGAAEAAE"),
    (f"{START_XGID}:0:0:-1:00:2:6:0:7:8", f"{START}:MAHgAGAAEAAE"),
    ("XGID=-b----E-C---eE---c-e----AA:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABUA:cAkAAAAAAAAE"),
    ("XGID=-a-a--E-C---dE---d-e----B-:0:0:1:42:0:0:0:0:8", "4PPgASTgc/ABMA:cAkKAAAAAAAE"),
    ("XGID=---bB-DCC-B-cA---a-dabb---:0:0:1:00:0:0:0:0:8", "bD3BAQyYd2cEAA:cAkAAAAAAAAE"),
    ("XGID=-A-B--A---------------d---:0:0:1:00:0:0:0:0:10", "PAAAICMAAAAAAA:cAkAAAAAAAAE"),
    ("XGID=---D---------------a--b-a-:0:0:-1:00:0:0:0:0:8", "PAAAICMAAAAAAA:MAEAAAAAAAAE"),
    ("XGID=-E------A-------------bdb-:1:1:1:42:0:0:0:5:10", "ewMAAD4gAAAAAA:UQmqAAAAAAAE"),
    ("XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8", "ewMAAD4gAAAAAA:AQGqAAAAAAAE"),
    ("XGID=a------------------------B:0:0:1:00:0:0:0:0:10", "AAAAAQAADAAAAA:cAkAAAAAAAAE"),
]

BOARD = (
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:"
    "1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)


# --- decoders of their own: they share nothing with the package


def sides_by_hand(text: str) -> tuple[list[int], list[int]]:
    """Read 14 characters: the 25 entries of the player who waits, of the player on roll."""
    octets = base64.b64decode(text + "==")
    bits = "".join(str(octet >> bit & 1) for octet in octets for bit in range(8))
    runs = [len(run) for run in bits.split("0")]
    return runs[:25], runs[25:50]


def row_by_hand(text: str, long: bool, checkers: int = 15) -> list[int]:
    waiting, rolling = sides_by_hand(text)
    row = [0] * 32
    for point in range(1, 25):
        other = (point + 11) % 24 + 1 if long else 25 - point
        row[point] = rolling[point - 1] - waiting[other - 1]
    row[25], row[27] = rolling[24], waiting[24]
    row[0], row[26] = checkers - sum(rolling), checkers - sum(waiting)
    return row


def match_by_hand(text: str) -> dict[str, Any]:
    """Read a match id from a string of 72 bits, the first one first."""
    octets = base64.b64decode(text)
    bits = "".join(str(octet >> bit & 1) for octet in octets for bit in range(8))

    def number(first: int, last: int) -> int:
        return int(bits[first : last + 1][::-1], 2)

    dice = number(15, 17), number(18, 20)
    length = number(21, 35)
    return {
        "cube_value": 2 ** number(0, 3),
        "cube_owner": [0, 1, "bad", None][number(4, 5)],
        "side": number(6, 6),
        "is_crawford": bits[7] == "1",
        "state": ["none", "playing", "over", "resigned", "dropped"][number(8, 10)],
        "to_act": number(11, 11),
        "resignation": [None, "oin", "mars", "koks"][number(13, 14)],
        "roll": dice if dice != (0, 0) else None,
        "length": length or None,
        "score": (number(36, 50), number(51, 65)),
        "jacoby": None if length else bits[66] == "0",
    }


def board_by_hand(letters: str) -> list[int]:
    """Read 26 letters of an XGID: the bottom player > 0."""
    return ["ponmlkjihgfedcba-ABCDEFGHIJKLMNOP".index(letter) - 16 for letter in letters]


def said(situation: Situation) -> dict[str, Any]:
    return {field.name: getattr(situation, field.name) for field in fields(situation)}


# --- vectors


@pytest.mark.parametrize(("match", "values"), MATCH_IDS, ids=lambda value: str(value)[:12])
def test_known_match_ids_are_read_and_written(match: str, values: dict[str, Any]) -> None:
    text = f"PAAAICMAAAAAAA:{match}"
    situation = gnuid.read(text)
    assert gnuid.write(situation) == text
    assert {name: getattr(situation, name) for name in values} == values
    assert match_by_hand(match).items() <= said(situation).items()
    if "side" not in values:
        assert situation.side == 1


def test_an_old_match_id_is_written_as_a_new_one() -> None:
    situation = gnuid.read(f"{START}:QYkqASAAIAAA")
    assert gnuid.write(situation) == f"{START}:QYkqASAAIAAE"
    assert (situation.length, situation.score, situation.roll) == (9, (2, 4), (5, 2))
    assert (situation.cube_value, situation.cube_owner, situation.jacoby) == (2, 0, None)


def test_ids_of_no_game_yet_are_read_low_die_first_too() -> None:
    situation = gnuid.read("yOeDATDsnIMBMA:cIgVAAAAAAAA")
    assert (situation.state, situation.roll) == ("none", (5, 3))


@pytest.mark.parametrize(("by_xg", "by_gnubg"), PAIRS)
def test_xgid_and_gnubg_say_the_same(by_xg: str, by_gnubg: str) -> None:
    one, other = xgid.read(by_xg), gnuid.read(by_gnubg)
    assert (gnuid.write(one), xgid.write(one)) == (by_gnubg, by_xg)
    assert replace(one, cube_max=None, beaver=None) == other
    assert set(gnuid.lost(one)) == {"cube_max"} | ({"beaver"} if one.length is None else set())
    assert xgid.lost(other) == ()
    letters = board_by_hand(by_xg[5:31])
    assert one.seen_by(1).tolist()[1:26] == letters[1:]
    assert one.seen_by(1)[27] == -letters[0]
    assert one.row.tolist() == row_by_hand(by_gnubg[:14], long=False)


def test_the_known_board_string_is_read_and_written() -> None:
    situation = fibs.read(BOARD)
    start = Situation(START_CELLS, length=3, score=(1, 0), names=("someplayer", "You"))
    assert situation == replace(start, roll=(6, 2))
    assert fibs.write(situation) == BOARD


def test_a_board_string_is_of_both_colours_and_directions() -> None:
    words = BOARD.split(":")
    numbers = words[6:32]
    turned = [str(-int(number)) for number in numbers]
    for colour, direction, board in (
        ("1", "1", numbers[::-1]),
        ("-1", "-1", turned),
        ("-1", "1", turned[::-1]),
    ):
        places = ["0", "25"] if direction == "-1" else ["25", "0"]
        other = [*words]
        other[6:32], other[32], other[41:45] = board, colour, [colour, direction, *places]
        assert fibs.read(":".join(other)) == fibs.read(BOARD)


def test_bars_and_men_off_of_a_board_string() -> None:
    position = Position.from_points({"bar": 2, 6: 3}, {"bar": 1, 1: 4}, rules="short")
    words = fibs.write(Situation(position.cells)).split(":")
    assert words[6] == "-1" and words[31] == "2"
    assert words[45:49] == ["10", "10", "2", "1"]
    assert fibs.read(":".join(words)).cells == position.cells


LONG = [
    ("ln1:AACA/z8AAID/Pw", {24: 15}, {24: 15}),
    ("ln1:AAAG/j8AAID/Pw", {24: 15}, {24: 13, 18: 2}),
]


@pytest.mark.parametrize(("text", "own", "opponent"), LONG)
def test_known_ids_of_long_nardy(text: str, own: Any, opponent: Any) -> None:
    position = Position.from_points(own, opponent, rules="long")
    assert Position.from_id(text) == position
    assert position.id == text
    assert row_by_hand(text[4:], long=True) == position.row.tolist()


def test_the_id_after_66_comes_from_play() -> None:
    assert Position.start("long").play("24/18(2)", roll=(6, 6)).id == LONG[1][0]


def test_the_rules_say_how_many_are_off() -> None:
    text = Position.from_points({1: 2}, {3: 1}, rules="long").id
    few = nardy.LONG.replace(checkers=5)
    assert Position.from_id(text, rules=few).row[[0, 26]].tolist() == [3, 4]
    with pytest.raises(InvalidPosition, match="more than 5 checkers a side"):
        Position.from_id(LONG[0][0], rules=few)


def test_a_forbidden_block_is_refused_by_the_position_alone() -> None:
    block = {13: 9, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}
    position = Position.from_points(block, {24: 15}, rules=nardy.LONG.replace(block="free"))
    assert long_id.decode_long_id(position.id).tolist() == position.row.tolist()
    with pytest.raises(InvalidPosition, match="block of six"):
        Position.from_id(position.id)


# --- many boards


@pytest.mark.parametrize(
    "n", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)], ids=["quick", "million"]
)
@pytest.mark.parametrize("game", ["long", "short"])
def test_every_board_of_many_games_survives(game: str, n: int) -> None:
    chunk = 100_000
    for seed in range(max(n // chunk, 1)):
        rows = nardy.random_rows(min(n, chunk), rules=game, seed=seed)
        long = game == "long"
        ids = long_id.encode_long_ids(rows) if long else encode_ids(rows)
        back = long_id.decode_long_ids(ids) if long else decode_ids(ids)
        assert np.array_equal(back, rows)
        assert len({*ids}) == len(np.unique(rows, axis=0))
        for text, row in list(zip(ids, rows, strict=True))[:: chunk // 100]:
            assert row_by_hand(text.removeprefix("ln1:"), long) == row.tolist()


def short_rows() -> NDArray[np.int8]:
    """Boards of random games, and such as they seldom hold: both bars, many off."""
    made = [
        Position.from_points(own, opponent, rules="short").row
        for own, opponent in (
            ({"bar": 15}, {"bar": 15}),
            ({"bar": 1, 24: 1}, {"bar": 2, 24: 3}),
            ({"bar": 3}, {6: 2}),
            ({1: 1}, {"bar": 1}),
            ({}, {24: 12}),
            ({12: 15}, {12: 15}),
            ({}, {"bar": 1}),
        )
    ]
    return np.concatenate([np.stack(made), nardy.random_rows(60, rules="short", seed=5)])


ROWS = short_rows()


# --- any situation


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Draw fields without much thought; what no game can have is drawn again."""
    length = draw(st.none() | st.integers(1, 25))
    score = draw(st.tuples(*[st.integers(0, length or 300)] * 2))
    exponent = draw(st.integers(0, 7))
    values = {
        "cells": ROWS[draw(st.integers(0, len(ROWS) - 1))].tobytes(),
        "side": draw(st.integers(0, 1)),
        "roll": draw(st.none() | st.tuples(*[st.integers(1, 6)] * 2)),
        "cube_value": 2**exponent,
        "cube_owner": draw(st.sampled_from([None, 0, 1])) if exponent else None,
        "offer": draw(st.sampled_from([None, None, *get_args(Offer)])),
        "resignation": draw(st.sampled_from([None, None, *get_args(Resignation)])),
        "score": score,
        "length": length,
        "is_crawford": length is not None and draw(st.booleans()),
        "jacoby": draw(st.sampled_from([None, False, True])) if length is None else None,
        "beaver": draw(st.sampled_from([None, False, True])) if length is None else None,
        "cube_max": draw(st.none() | st.integers(7, 12).map(lambda e: 2**e)),
        "state": draw(st.sampled_from(["playing", *get_args(GameState)])),
        "names": draw(st.none() | st.just(("Bob", "Ann_1"))),
    }
    if values["offer"]:
        values |= {"roll": None, "is_crawford": False}
    if values["state"] == "dropped":
        values["offer"] = None
    if values["state"] not in ("playing", "none"):
        values["to_act"] = draw(st.sampled_from([None, 0, 1]))
    try:
        return Situation(**values)
    except ValueError:
        return Situation(values["cells"], side=values["side"], roll=values["roll"])


def expected(codec: ModuleType, it: Situation) -> Situation:
    """What is left of a situation after writing and reading, from docs/ids.md."""
    money = it.length is None
    if codec is gnuid:
        # Money play always says whether Jacoby is in use.
        jacoby = bool(it.jacoby) if money else None
        return replace(it, beaver=None, cube_max=None, names=None, jacoby=jacoby)
    if codec is xgid:
        beavered = it.offer in ("beavered", "raccooned")
        largest = max(it.cube_value * (2 if it.offer else 1), 1024)
        return replace(
            it,
            resignation=None,
            state="playing",
            to_act=None,
            names=None,
            jacoby=bool(it.jacoby) if money else None,
            beaver=bool(it.beaver) or beavered if money else None,
            cube_max=it.cube_max or largest,
        )
    is_over = it.state in ("over", "resigned", "dropped")
    side = 1 if is_over else it.side
    return Situation(
        it.seen_by(side).tobytes(),
        side=side,
        roll=None if is_over else it.roll,
        cube_value=it.cube_value,
        cube_owner=it.cube_owner,
        offer="doubled" if it.offer == "doubled" and (it.side, is_over) == (0, False) else None,
        score=it.score,
        length=it.length,
        is_crawford=it.is_crawford and it.length != 1,
        state="over" if is_over else "playing",
        names=it.names or ("Opponent", "You"),
    )


def names_of_loss(before: Situation, after: Situation) -> set[str]:
    """Names of what was said and is not so any more; who is to act follows from the rest."""
    was, now = said(before), said(after)
    changed = {name for name in was if was[name] is not None and was[name] != now[name]}
    if np.array_equal(before.seen_by(1), after.seen_by(1)):
        changed -= {"cells"}
    follows = replace(before, to_act=None).to_act == before.to_act
    return changed - ({"to_act"} if follows else set())


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.__name__)
@given(it=situations())
def test_what_is_written_is_read_back_but_for_what_is_lost(
    codec: ModuleType, it: Situation
) -> None:
    over = it.length is not None and max(it.score) >= it.length
    if codec is xgid and over:
        with pytest.raises(ValueError, match="no match that is over"):
            xgid.write(it)
        return
    left = expected(codec, it)
    text = codec.write(it)
    assert codec.read(text) == left
    assert codec.read(f"Look at {text}, and say.") == left
    assert set(codec.lost(it)) == names_of_loss(it, left)
    # Once through a format, nothing more is lost by it.
    assert codec.write(left) == text and codec.lost(left) == ()


GOOD = [
    f"{START}:cAngAEAAEAAE",
    f"{START_XGID}:1:-1:1:53:1:2:0:7:10",
    BOARD,
    "ln1:AACA/z8AAID/Pw",
]


@given(
    text=st.sampled_from(GOOD),
    places=st.lists(st.integers(0, 200), max_size=4),
    put=st.lists(st.sampled_from([*":-0129AEaepZ/+=DB ", "xgid", "\ud800", "\N{DIGIT TWO}"])),
)
def test_a_damaged_id_is_read_as_something_or_refused(
    text: str, places: list[int], put: list[str]
) -> None:
    for place, what in zip(places, [*put, *"::::"], strict=False):
        text = text[: place % len(text)] + what + text[place % len(text) + 1 :]
    for codec in CODECS:
        try:
            situation = codec.read(text)
        except ValueError:
            continue
        left = codec.read(codec.write(situation))
        assert replace(left, beaver=situation.beaver, cube_max=situation.cube_max) == replace(
            situation, jacoby=left.jacoby
        )
    with suppress(ValueError):
        position = Position.from_id(text)
        assert Position.from_id(position.id) == position


@given(it=situations())
def test_the_match_id_is_what_a_decoder_by_hand_reads(it: Situation) -> None:
    position, match = gnuid.write(it).split(":")
    assert row_by_hand(position, long=False) == it.row.tolist()
    by_hand = match_by_hand(match)
    if it.length is None and it.jacoby is None:
        del by_hand["jacoby"]
    assert by_hand.items() <= said(it).items()


@pytest.mark.parametrize("row", ROWS[:20], ids=lambda row: "")
def test_positions_are_written_as_xgid_and_read_back(row: NDArray[np.int8]) -> None:
    position = Position.from_row(row, rules="short")
    assert Position.from_xgid(position.xgid) == position
    assert position.xgid.endswith(":0:0:1:00:0:0:0:0:10")
    assert Position.from_gnubg_id(gnuid.write(Situation(position.cells))) == position


# --- other text, and less text


FOUND = [
    (gnuid, f"{START}:cAngAEAAEAAE"),
    (gnuid, f"GNUID={START}:cAngAEAAEAAE"),
    (gnuid, f"gnubgid: {START}:cAngAEAAEAAE."),
    (gnuid, f"Position ID: {START} Match ID: cAngAEAAEAAE"),
    (gnuid, f" GNU Backgammon  Position ID: {START}\n                 Match ID   : cAngAEAAEAAE\n"),
    (gnuid, f"Match ID: cAngAEAAEAAE, Position ID: {START}"),
    (gnuid, f"Take Transportation home: {START}:cAngAEAAEAAE"),
    (gnuid, f"{START}:cAngAEAAEAAE and once more {START}:cAngAEAAEAAE"),
    (xgid, f"{START_XGID}:0:0:1:00:2:4:0:7:10"),
    (xgid, f"XGID={START_XGID[5:]}:0:0:1:00:2:4:0:7:10\nX:Ann   O:Bob\n"),
    (xgid, f"the position ({START_XGID}:0:0:1:00:2:4:0:7:10) is drawn"),
    (xgid, f"{START_XGID[5:]}:0:0:1:00:2:4:0:7:10"),
    (xgid, f"xgid = {START_XGID[5:]}:0:0:1:00:2:4:0:7:10."),
    (xgid, f"{START_XGID}:0:0:1:00:2:4:0:7"),
]


@pytest.mark.parametrize(("codec", "text"), FOUND)
def test_an_id_is_found_in_other_text(codec: ModuleType, text: str) -> None:
    wanted = Situation(START_CELLS, length=7, score=(4, 2))
    assert replace(codec.read(text), cube_max=None) == wanted
    position = Position.from_gnubg_id if codec is gnuid else Position.from_xgid
    assert position(text) == Position.start("short")


def test_a_board_string_is_found_in_other_text() -> None:
    assert fibs.read(f"FIBS says ({BOARD}), I say: no board:") == fibs.read(BOARD)


@pytest.mark.parametrize(
    "text", ["ln1:AACA/z8AAID/Pw", "LN1:AACA/z8AAID/Pw", "It begins so: ln1:AACA/z8AAID/Pw."]
)
def test_an_id_of_long_nardy_is_found_in_other_text(text: str) -> None:
    assert Position.from_id(text) == Position.start("long")


def test_a_position_without_a_match_is_money_with_nothing_said() -> None:
    assert gnuid.read(START) == Situation(START_CELLS)


def test_fields_that_are_missing_in_an_xgid_are_not_said() -> None:
    assert xgid.read(START_XGID) == xgid.read(f"{START_XGID}:0:0:1:00") == Situation(START_CELLS)
    assert xgid.read(f"{START_XGID}:1:-1:-1:53") == Situation(
        START_CELLS, side=0, cube_value=2, cube_owner=0, roll=(5, 3)
    )
    assert xgid.read(f"{START_XGID}:0:0:1:35:1:2:3") == Situation(
        START_CELLS, roll=(5, 3), score=(2, 1), jacoby=True, beaver=True
    )


def test_who_doubles_has_the_turn_of_an_xgid() -> None:
    """GNU Backgammon 1.07 steps back to the offer, and then the side of the turn is on roll."""
    for turn, side in ((1, 1), (-1, 0)):
        situation = xgid.read(f"{START_XGID}:0:0:{turn}:D:0:0:0:7:10")
        assert (situation.side, situation.offer, situation.to_act) == (side, "doubled", 1 - side)


# --- refused


def with_field(place: int, value: object) -> str:
    words = BOARD.split(":")
    words[place] = str(value)
    return ":".join(words)


def match_id(**values: int) -> str:
    """Write a match id for money, player 1 on roll, from the bits that differ."""
    layout = {
        "cube": 0, "owner": 4, "side": 6, "crawford": 7, "state": 8, "to_act": 11, "doubled": 12,
        "resignation": 13, "large": 15, "small": 18, "length": 21, "score_0": 36, "score_1": 51,
        "rest": 67,
    }  # fmt: skip
    bits = {"owner": 3, "side": 1, "state": 1, "to_act": 1} | values
    number = sum(value << layout[name] for name, value in bits.items())
    return f"{START}:{base64.b64encode(number.to_bytes(9, 'little')).decode()}"


REFUSED: list[tuple[ModuleType, str, type[ValueError], str]] = [
    (gnuid, "", InvalidNotation, "must have 14 characters"),
    (gnuid, f"{START}:cAkAAAAAAAA", InvalidNotation, "must have 12 characters"),
    (gnuid, f"{START}:cAkAAAAAAAAE=", InvalidNotation, "must have 12 characters"),
    (gnuid, f"GNUID={START[1:]}:cAkAAAAAAAAE", InvalidNotation, "must have 14 characters"),
    (gnuid, f"{START}:cAkAAAAAAAAE or {START}:MAEAAAAAAAAE", InvalidNotation, "2 ids that differ"),
    (gnuid, f"{START} Match ID: cAkAAAAAAAAE Match ID: MAEAAAAAAAAE", InvalidNotation, "differ"),
    (gnuid, "//////////////:cAkAAAAAAAAE", InvalidPosition, "more than 15"),
    (gnuid, match_id(owner=2), InvalidNotation, "owner of the cube must be 0, 1 or 3"),
    (gnuid, match_id(owner=1), InvalidNotation, "cube_owner must be None while the cube is at 1"),
    (gnuid, match_id(state=5), InvalidNotation, "game state must be 0..4"),
    (gnuid, match_id(rest=16), InvalidNotation, "bits are set behind the last field"),
    (gnuid, match_id(large=5), InvalidNotation, "one die is thrown and one is not"),
    (gnuid, match_id(large=7, small=1), InvalidNotation, "two dice 1..6"),
    (gnuid, match_id(to_act=0), InvalidNotation, "to_act must be side 1"),
    (gnuid, match_id(crawford=1), InvalidNotation, "a rule of matches"),
    (gnuid, match_id(crawford=1, length=7, score_0=5), InvalidNotation, "nobody needs one point"),
    (gnuid, match_id(length=7, score_1=7), InvalidNotation, "score must be below 7"),
    (gnuid, match_id(length=7, score_0=9, score_1=7, state=2), InvalidNotation, "both sides have"),
    (gnuid, match_id(doubled=1, to_act=0, large=2, small=1), InvalidNotation, "once dice lie"),
    (gnuid, match_id(doubled=1, to_act=0, cube=1, owner=0), InvalidNotation, "the cube is side 0"),
    (gnuid, match_id(doubled=1, to_act=0, state=4), InvalidNotation, "once a double is dropped"),
    (gnuid, match_id(doubled=1), InvalidNotation, "must be of a cube of 2 or more"),
    (
        gnuid,
        match_id(doubled=1, cube=1, owner=0, length=5),
        InvalidNotation,
        "beavers are not played",
    ),
    (
        gnuid,
        match_id(doubled=1, to_act=0, crawford=1, length=1),
        InvalidNotation,
        "in the Crawford game",
    ),
    (
        gnuid,
        match_id(crawford=1, length=2, score_0=1, cube=1, owner=0),
        InvalidNotation,
        "cube_value must be 1 in the Crawford game",
    ),
    (xgid, "", InvalidNotation, "xgid must be XGID=, 26 letters"),
    (xgid, START, InvalidNotation, "xgid must be XGID=, 26 letters"),
    (xgid, f"XGID={START}", InvalidNotation, "the board must be 26 of"),
    (xgid, f"{START_XGID}-:0:0:1:00", InvalidNotation, "the board must be 26 of"),
    (xgid, f"{START_XGID.replace('B', 'C')}:0:0:1:00", InvalidPosition, "side 1 has 16 checkers"),
    (xgid, f"{START_XGID.replace('b', 'p')}:0:0:1:00", InvalidPosition, "side 0 has 29 checkers"),
    (xgid, f"XGID=A{'-' * 24}A:0:0:1:00", InvalidPosition, "the bar of the top player"),
    (xgid, f"XGID=a{'-' * 24}a:0:0:1:00", InvalidPosition, "the bar of the top player"),
    (xgid, f"XGID={'-' * 26}:0:0:1:00", InvalidPosition, "all checkers of both sides are off"),
    (xgid, f"{START_XGID}:x:0:1:00", InvalidNotation, "cube must be a number, not 'x'"),
    (xgid, f"{START_XGID}:-1:0:1:00", InvalidNotation, "cube must be a power of two"),
    (xgid, f"{START_XGID}:63:0:1:00", InvalidNotation, "cube must be a power of two"),
    (xgid, f"{START_XGID}:0:2:1:00", InvalidNotation, "owner must be 1, 0 or -1"),
    (xgid, f"{START_XGID}:0:1:1:00", InvalidNotation, "while the cube is at 1"),
    (xgid, f"{START_XGID}:0:0:0:00", InvalidNotation, "turn must be 1 or -1"),
    (xgid, f"{START_XGID}:0:0:1:60", InvalidNotation, "dice must be 00, two of 1..6, D, B or R"),
    (xgid, f"{START_XGID}:0:0:1:67", InvalidNotation, "dice must be 00, two of 1..6, D, B or R"),
    (xgid, f"{START_XGID}:0:0:1:6", InvalidNotation, "dice must be 00, two of 1..6, D, B or R"),
    (xgid, f"{START_XGID}:1:-1:1:D", InvalidNotation, "the cube is side 0's"),
    (xgid, f"{START_XGID}:0:0:1:B", InvalidNotation, "must be of a cube of 2 or more"),
    (xgid, f"{START_XGID}:1:-1:1:B:0:0:1", InvalidNotation, "beavers are not played"),
    (xgid, f"{START_XGID}:0:0:1:00:-1:0", InvalidNotation, "score must be two ints >= 0"),
    (xgid, f"{START_XGID}:0:0:1:00:0:0:4:0", InvalidNotation, "0..3 for money, not 4"),
    (xgid, f"{START_XGID}:0:0:1:00:0:0:2:7", InvalidNotation, "0 or 1 in a match"),
    (xgid, f"{START_XGID}:0:0:1:00:0:0:1:7", InvalidNotation, "nobody needs one point"),
    (xgid, f"{START_XGID}:0:0:1:00:7:0:0:7", InvalidNotation, "score must be below 7"),
    (xgid, f"{START_XGID}:2:0:1:00:0:0:0:0:1", InvalidNotation, "at most cube_max 2, not 4"),
    (xgid, f"{START_XGID}:0:0:1:D:0:0:0:0:0", InvalidNotation, "the cube goes no higher than 1"),
    (xgid, f"{START_XGID}:0:0:1:00:0:0:0:0:10:1", InvalidNotation, "at most 9 fields"),
    (xgid, f"{START_XGID}:0:0:1:00 {START_XGID}:0:0:-1:00", InvalidNotation, "2 ids that differ"),
    (fibs, "", InvalidNotation, "must be board: and 52 fields"),
    (fibs, BOARD.rpartition(":")[0], InvalidNotation, "must have 53 fields, not 52"),
    (fibs, f"{BOARD}:0", InvalidNotation, "must have 53 fields, not 54"),
    (fibs, f"{BOARD} {with_field(4, 1)}", InvalidNotation, "2 ids that differ"),
    (fibs, with_field(7, "x"), InvalidNotation, "field 7 must be a number"),
    (fibs, with_field(8, 1), InvalidPosition, "side 1 has 16 checkers"),
    (fibs, with_field(7, -1), InvalidPosition, "off (fields 45, 46) must be [0, 1]"),
    (fibs, with_field(45, 1), InvalidPosition, "off (fields 45, 46) must be [0, 0]"),
    (fibs, with_field(47, 1), InvalidPosition, "on the bar (fields 47, 48) must be [0, 0]"),
    (fibs, with_field(6, 1), InvalidPosition, "a bar holds checkers of the other side"),
    (fibs, with_field(32, 2), InvalidNotation, "field 32 must be one of -1, 0, 1"),
    (fibs, with_field(33, 0), InvalidNotation, "one die is thrown and one is not"),
    (fibs, with_field(33, 7), InvalidNotation, "two dice 1..6"),
    (fibs, with_field(37, 3), InvalidNotation, "cube_value must be a power of two"),
    (fibs, with_field(37, 0), InvalidNotation, "the cube must be a power of two"),
    (fibs, with_field(38, 2), InvalidNotation, "fields 38, 39 must be 0 or 1"),
    (fibs, with_field(41, 0), InvalidNotation, "field 41 must be one of -1, 1"),
    (fibs, with_field(42, 1), InvalidNotation, "must fit the direction 1"),
    (fibs, with_field(4, 3), InvalidNotation, "score must be below 3"),
    (fibs, with_field(3, -1), InvalidNotation, "length must be None or an int >= 1"),
]


@pytest.mark.parametrize(("codec", "text", "error", "what"), REFUSED)
def test_what_cannot_be_is_refused_with_the_rule(
    codec: ModuleType, text: str, error: type[ValueError], what: str
) -> None:
    with pytest.raises(error) as refusal:
        codec.read(text)
    assert what in str(refusal.value)


def test_nobody_may_double_a_cube_that_somebody_owns() -> None:
    words = BOARD.split(":")
    words[37:40] = ["2", "0", "0"]
    with pytest.raises(InvalidNotation, match="whose the cube of 2 is, is not said"):
        fibs.read(":".join(words))


LONG_REFUSED: list[tuple[str, type[ValueError], str]] = [
    ("AACA/z8AAID/Pw", InvalidNotation, "must be ln1: and 14 characters"),
    ("ln2:AACA/z8AAID/Pw", InvalidNotation, "must be ln1: and 14 characters"),
    ("ln1:AACA/z8AAID/P", InvalidNotation, "must be ln1: and 14 characters"),
    ("ln1:AACA/z8AAID/Pw==", InvalidNotation, "must be ln1: and 14 characters"),
    ("ln1:AACA/z8AAID/Px", InvalidNotation, "bits are set behind the last byte"),
    # One of the side on roll on its 24, one of the other on its 12: the same place.
    ("ln1:AAgAAAAAAgAAAA", InvalidPosition, "a point of both sides"),
    ("ln1:AAAAAQAADAAAAA", InvalidPosition, "checkers on the bar in long nardy"),
    ("ln1:AAAAAAAAAAAAAA", InvalidPosition, "all checkers of both sides are off"),
    ("ln1://////////////", InvalidPosition, "more than 15"),
]


@pytest.mark.parametrize(("text", "error", "what"), LONG_REFUSED)
def test_a_bad_id_of_long_nardy_is_refused(text: str, error: type[ValueError], what: str) -> None:
    with pytest.raises(error, match=f"id .*: {what}"):
        Position.from_id(text)
    with pytest.raises(error, match=rf"ids\[1\] .*: {what}"):
        long_id.decode_long_ids([LONG[0][0], text, ""])


def test_several_ids_of_long_nardy_are_ambiguous() -> None:
    with pytest.raises(InvalidNotation, match="2 ids that differ"):
        Position.from_id(f"{LONG[0][0]} {LONG[1][0]}")
    assert Position.from_id(f"{LONG[0][0]} {LONG[0][0]}") == Position.start("long")


@pytest.mark.parametrize("bad", [None, 3, b"x", ["x"]])
def test_a_wrong_kind_is_a_type_error(bad: Any) -> None:
    readers: list[Any] = [codec.read for codec in CODECS]
    for read in (*readers, Position.from_gnubg_id, Position.from_xgid, Position.from_id):
        with pytest.raises(TypeError):
            read(bad)
    for batch in ([bad], [LONG[0][0], bad]):
        with pytest.raises(TypeError):
            long_id.decode_long_ids(batch)


def test_each_id_is_of_one_game() -> None:
    long, short = Position.start("long"), Position.start("short")
    for what, read in (
        ("short", lambda: Position.from_xgid(short.xgid, rules="long")),
        ("long", lambda: Position.from_id(long.id, rules="short")),
        ("short", lambda: long.xgid),
        ("long", lambda: short.id),
        ("long", lambda: long_id.decode_long_ids([], rules="short")),
    ):
        with pytest.raises(ValueError, match=f"rules of {what} nardy"):
            read()


@pytest.mark.parametrize(
    ("codec", "values", "what"),
    [
        (gnuid, {"cube_value": 2**16}, "4 bits for cube"),
        (gnuid, {"score": (0, 2**15)}, "15 bits for score_1"),
        (gnuid, {"length": 2**15}, "15 bits for length"),
        (xgid, {"length": 3, "score": (3, 1), "state": "over"}, "no match that is over"),
        (fibs, {"length": 9999}, "no match to 9999"),
        (fibs, {"names": ("a b", "c")}, "no name with blanks"),
        (fibs, {"names": ("a", "")}, "no name with blanks"),
    ],
)
def test_what_a_format_has_no_place_for_is_not_written(
    codec: ModuleType, values: Mapping[str, Any], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        codec.write(Situation(START_CELLS, **values))


@pytest.mark.parametrize(
    ("values", "error", "what"),
    [
        ({"cells": [0] * 32}, TypeError, "cells must be 32 bytes"),
        ({"cells": b"x"}, ValueError, "cells must be 32 bytes, not 1"),
        ({"cells": bytes(32)}, InvalidPosition, "do not add up to 15"),
        ({"side": 2}, ValueError, "side must be one of 0, 1"),
        ({"side": True}, TypeError, "side must be one of 0, 1"),
        ({"offer": "double"}, ValueError, "offer must be one of None, 'doubled'"),
        ({"is_crawford": 1}, TypeError, "is_crawford must be one of False, True"),
        ({"cube_value": 2.0}, TypeError, "cube_value must be a power of two"),
        ({"cube_max": 0}, ValueError, "cube_max must be a power of two"),
        ({"roll": [3, 1]}, TypeError, "roll must be a tuple of two"),
        ({"roll": (3, 1, 1)}, ValueError, "roll must be a tuple of two"),
        ({"score": (0, -1)}, ValueError, "score must be two ints >= 0"),
        ({"names": (1, 2)}, TypeError, "names must be two str"),
        ({"jacoby": True, "length": 3}, ValueError, "a rule of money play"),
        ({"length": 0}, ValueError, "length must be None or an int >= 1"),
    ],
)
def test_a_situation_is_checked(
    values: Mapping[str, Any], error: type[Exception], what: str
) -> None:
    with pytest.raises(error, match=what):
        Situation(**{"cells": START_CELLS, **values})


def test_a_situation_is_a_value() -> None:
    one, other = (Situation(START_CELLS, roll=roll) for roll in ((1, 3), (3, 1)))
    assert one == other and hash(one) == hash(other)
    assert not one.row.flags.writeable


def test_an_id_of_long_nardy_is_none_of_gnubg() -> None:
    with pytest.raises(nardy.InvalidNotation):
        nardy.Position.from_gnubg_id("ln1:AACA/z8AAID/Pw")
