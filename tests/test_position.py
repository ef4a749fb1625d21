"""Position as a value: how it is made, what is refused, what it says of itself."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nardy.reference
from nardy.board import Status, opponent_point
from nardy.draw.text import text_board
from nardy.errors import InvalidPosition
from nardy.options import LONG, PRESETS, SHORT, Rules
from nardy.position import Position

START = [0] * 12 + [-15] + [0] * 11 + [15] + [0] * 7
BLOCKS = ("ahead", "home", "never", "strict", "free")

some_rules = st.one_of(
    st.sampled_from([SHORT, PRESETS["short-money"]]),
    st.builds(
        LONG.replace,
        checkers=st.integers(5, 15),
        block=st.sampled_from(BLOCKS),
        koks=st.sampled_from(["none", "first_quarter", "no_home"]),
    ),
)


@st.composite
def boards(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = some_rules) -> Position:
    """Draw a board whose checkers add up: runs of points, so that blocks of six are common."""
    chosen = draw(rules)
    row, left = [0] * 32, [chosen.checkers] * 2
    run = st.tuples(st.sampled_from([0, 1]), st.integers(1, 25), st.integers(1, 7))
    for side, first, length in draw(st.lists(run, max_size=12)):
        sign = (1, -1)[side]
        for place in range(first, first + length):
            point = (place - 1) % 24 + 1
            if left[side] and first == 25 and chosen.game == "short":
                row[(25, 27)[side]] += 1
                left[side] -= 1
            elif left[side] and row[point] * sign >= 0:
                row[point] += sign
                left[side] -= 1
    row[0], row[26] = left
    assume(not row[0] == row[26] == chosen.checkers)
    return Position.from_row_unchecked(row, rules=chosen)


valid_boards = boards().filter(lambda position: position.status() == Status.VALID)


def evaluated(text: str) -> object:
    return eval(text, {"Position": Position, "Rules": Rules})


# --- making


def test_the_start_of_long_nardy_is_all_on_the_head() -> None:
    assert Position.start(LONG).row.tolist() == START
    five = Position.start(LONG.replace(checkers=5))
    assert (five.row[24], five.row[12], five.pips) == (5, -5, (120, 120))
    assert Position.start("long-ua").rules == PRESETS["long-ua"]


def test_the_start_of_short_nardy_has_167_pips() -> None:
    position = Position.start(SHORT)
    assert position.pips == (167, 167)
    assert position == Position.from_points(
        own={24: 2, 13: 5, 8: 3, 6: 5}, opponent={24: 2, 13: 5, 8: 3, 6: 5}, rules=SHORT
    )


@pytest.mark.parametrize(
    "row",
    [START, tuple(START), np.array(START), np.array(START, np.int8), [np.int64(n) for n in START]],
)
def test_a_row_is_any_sequence_of_ints(row: Any) -> None:
    assert Position.from_row(row, rules=LONG) == Position.start(LONG)


@pytest.mark.parametrize(
    "row",
    [
        None,
        3,
        "0" * 32,
        bytes(32),
        {0: 15},
        set(START),
        iter(START),
        [float(n) for n in START],
        [*START[:31], False],
        [*START[:31], "0"],
        [*START[:31], None],
        np.array(START, float),
        np.array(START, bool),
        np.full(32, float("nan")),
    ],
)
def test_a_row_of_another_kind_is_a_type_error(row: Any) -> None:
    for make in (Position.from_row, Position.from_row_unchecked):
        with pytest.raises(TypeError, match="row"):
            make(row, rules=LONG)


@pytest.mark.parametrize("row", [[], START[:31], [*START, 0], np.array([START]), np.zeros((), int)])
def test_a_row_of_another_shape_is_a_value_error(row: Any) -> None:
    with pytest.raises(ValueError, match="row must be a sequence of 32 ints"):
        Position.from_row(row, rules=LONG)


@pytest.mark.parametrize("cell", [128, -129, 300, 10**30])
def test_a_column_that_does_not_fit_is_refused_and_not_wrapped(cell: int) -> None:
    with pytest.raises(InvalidPosition, match=f"column 3 must fit int8, not {cell}"):
        Position.from_row([*START[:3], cell, *START[4:]], rules=LONG)


def test_rules_are_taken_by_name_and_checked() -> None:
    assert Position.from_row(START, rules="long-az").rules == PRESETS["long-az"]
    with pytest.raises(ValueError, match="'long', 'long-fnr2026'"):
        Position.from_row(START, rules="narde")
    with pytest.raises(TypeError, match="rules"):
        Position.from_row(START, rules=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Position\.start, from_row, from_points"):
        Position()


def test_points_of_each_side_are_in_its_own_numbering() -> None:
    long = Position.from_points({24: 14, 4: 1}, {24: 13, 1: 1}, rules=LONG)
    expected = {24: 14, 4: 1, 12: -13, 13: -1, 26: 1}
    assert {column: men for column, men in enumerate(long.row.tolist()) if men} == expected
    short = Position.from_points({24: 2, "bar": 1}, {24: 2, 25: 3}, rules=SHORT)
    expected = {0: 12, 24: 2, 25: 1, 1: -2, 27: 3, 26: 10}
    assert {column: men for column, men in enumerate(short.row.tolist()) if men} == expected


def test_points_without_checkers_may_be_named() -> None:
    assert (
        Position.from_points({24: 15, 7: 0, "bar": 0}, {24: 15}, rules=LONG).row.tolist() == START
    )


@pytest.mark.parametrize(
    ("own", "error", "what"),
    [
        ({0: 1}, ValueError, "own: each point must be 1..24, 25 or 'bar', not 0"),
        ({26: 1}, ValueError, "own: each point must be 1..24, 25 or 'bar', not 26"),
        ({24: -1}, ValueError, "own: checkers on 24 must be an int >= 0, not -1"),
        ({25: 1, "bar": 1}, ValueError, "own must name the bar once"),
        ({"off": 3}, TypeError, "own: each point must be 1..24, 25 or 'bar', not 'off'"),
        ({6.0: 1}, TypeError, "own: each point"),
        ({6: 1.0}, TypeError, "own: checkers on 6 must be an int >= 0, not 1.0"),
        ({6: True}, TypeError, "own: checkers on 6"),
        ([(24, 15)], TypeError, "own must be a mapping"),
        (None, TypeError, "own must be a mapping"),
    ],
)
def test_bad_points_are_refused(own: Any, error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=re.escape(what)):
        Position.from_points(own, {24: 1}, rules=SHORT)
    with pytest.raises(error, match=re.escape(what.replace("own", "opponent"))):
        Position.from_points({24: 1}, own, rules=SHORT)


# --- what is refused


def row_with(**cells: int) -> list[int]:
    row = [*START]
    for column, men in cells.items():
        row[int(column[1:])] = men
    return row


@pytest.mark.parametrize(
    ("row", "rules", "defects", "said"),
    [
        (row_with(c24=14), LONG, Status.OWN_CHECKERS, "own checkers do not add up to 15"),
        (row_with(c24=16), LONG, Status.OWN_CHECKERS, "own checkers do not add up to 15"),
        (row_with(c12=-14), LONG, Status.OPPONENT_CHECKERS, "the opponent's checkers do not add"),
        (
            START,
            LONG.replace(checkers=7),
            Status.OWN_CHECKERS | Status.OPPONENT_CHECKERS,
            "own checkers do not add up to 7; the opponent's checkers do not add up to 7",
        ),
        (row_with(c0=-1, c3=1), LONG, Status.NEGATIVE_COUNT, "fewer than 0 checkers"),
        (row_with(c27=-1, c26=1), SHORT, Status.NEGATIVE_COUNT, "fewer than 0 checkers"),
        (row_with(c24=14, c25=1), LONG, Status.BAR_IN_LONG, "checkers on the bar in long nardy"),
        (row_with(c12=-14, c27=1), LONG, Status.BAR_IN_LONG, "checkers on the bar in long nardy"),
        ([15, *[0] * 25, 15, *[0] * 5], SHORT, Status.BOTH_OFF, "both sides have borne off"),
        (row_with(c28=1), LONG, Status.RESERVED_COLUMNS, "columns 28..31 are not 0"),
        (row_with(c31=-5), SHORT, Status.RESERVED_COLUMNS, "columns 28..31 are not 0"),
        (
            row_with(c24=14, c25=2, c26=-1, c29=1),
            LONG,
            Status.OWN_CHECKERS
            | Status.OPPONENT_CHECKERS
            | Status.NEGATIVE_COUNT
            | Status.BAR_IN_LONG
            | Status.RESERVED_COLUMNS,
            "columns 28..31 are not 0",
        ),
    ],
)
def test_every_defect_is_a_flag_and_is_named(
    row: list[int], rules: Rules, defects: Status, said: str
) -> None:
    assert Position.from_row_unchecked(row, rules=rules).status() == defects
    with pytest.raises(InvalidPosition, match=re.escape(said)) as error:
        Position.from_row(row, rules=rules)
    assert str(error.value).count(";") == len([*defects]) - 1
    assert str(row) in str(error.value)


def test_more_checkers_than_there_are_do_not_come_back_from_off() -> None:
    with pytest.raises(InvalidPosition, match=r"own checkers do not add up to 15: own=\{24: 16\}"):
        Position.from_points({24: 16}, {24: 15}, rules=LONG)


@pytest.mark.parametrize(("rules", "other"), [(LONG, 12), (SHORT, 1)])
def test_a_point_of_both_sides_is_refused_in_the_geometry_of_the_game(
    rules: Rules, other: int
) -> None:
    with pytest.raises(InvalidPosition, match=r"both sides stand on one point: own=\{24: 2, 3: 1"):
        Position.from_points({24: 2, 3: 1}, {other: 2}, rules=rules)
    assert Position.from_points({24: 2}, {other + 1: 2}, rules=rules).status() == Status.VALID


def test_accepted_though_no_game_reaches_it() -> None:
    off_early = Position.from_points({24: 10}, {24: 3, 1: 3}, rules=LONG)
    closed_out = {25: 2, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
    both_barred = Position.from_points(closed_out, closed_out, rules=SHORT)
    assert off_early.status() == both_barred.status() == Status.VALID


PRIME = {11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 6: 5}  # O sees it on 23..18


@pytest.mark.parametrize(
    ("own", "opponent", "forbidden"),
    [
        # rules §5, with O's nearest checker behind the six, on its far edge, past it, home, off
        (PRIME, {24: 15}, {"ahead", "home", "never", "strict"}),
        (PRIME, {24: 14, 17: 1}, {"home", "never", "strict"}),
        (PRIME, {24: 14, 6: 1}, {"never", "strict"}),
        (PRIME, {24: 14}, {"never", "strict"}),
        (PRIME, {17: 15}, {"home", "strict"}),
        (PRIME, {1: 15}, {"strict"}),
        # own 24|1 is a joint (O 12|13), own 12|13 is none (O 24|1)
        ({3: 2, 2: 2, 1: 2, 24: 5, 23: 2, 22: 2}, {24: 15}, {"ahead", "home", "never", "strict"}),
        ({15: 2, 14: 2, 13: 2, 12: 5, 11: 2, 10: 2}, {16: 15}, set()),
        # the front one of two blocks has nobody past it
        (
            {**dict.fromkeys(range(24, 18, -1), 1), **dict.fromkeys(range(6, 0, -1), 1)},
            {24: 14, 23: 1},
            {"ahead", "home", "never", "strict"},
        ),
        # ... with O between the two
        (
            {24: 4, **dict.fromkeys([18, 17, 16, 15, 14, 13, 23, 22, 21, 2, 1], 1)},
            {8: 15},
            {"ahead", "home", "never", "strict"},
        ),
        # the first and the last six points of O's way
        (dict.fromkeys(range(12, 6, -1), 2) | {7: 5}, {18: 15}, {"home", "strict"}),
        (
            dict.fromkeys(range(18, 12, -1), 2) | {13: 5},
            {24: 15},
            {"ahead", "home", "never", "strict"},
        ),
        # five are never a block
        ({11: 3, 10: 3, 9: 3, 8: 3, 7: 3}, {24: 15}, set()),
    ],
)
def test_a_forbidden_block_of_either_side_is_refused(
    own: dict[int, int], opponent: dict[int, int], forbidden: set[str]
) -> None:
    for block in BLOCKS:
        rules = LONG.replace(block=block)
        for sides, flag, who in (
            ((own, opponent), Status.OWN_BLOCK, "the side to move"),
            ((opponent, own), Status.OPPONENT_BLOCK, "the opponent"),
        ):
            if block not in forbidden:
                position = Position.from_points(*sides, rules=rules)
                assert position.status() == Status.VALID
                continue
            said = f"{who} holds a forbidden block of six (block='{block}')"
            with pytest.raises(InvalidPosition, match=re.escape(said)):
                Position.from_points(*sides, rules=rules)
            row = Position.from_points(*sides, rules=LONG.replace(block="free")).row
            assert Position.from_row_unchecked(row, rules=rules).status() == flag


@given(boards())
def test_blocks_are_judged_as_the_reference_judges_them(position: Position) -> None:
    status = position.status()
    assert status & ~(Status.OWN_BLOCK | Status.OPPONENT_BLOCK) == Status.VALID
    for flag, seen in ((Status.OWN_BLOCK, position), (Status.OPPONENT_BLOCK, position.flip())):
        forbidden = nardy.reference.is_forbidden(seen.row, rules=position.rules)
        assert (flag in status) is forbidden


# --- what it says of itself


@given(valid_boards)
def test_flip_shows_the_board_from_the_other_side(position: Position) -> None:
    other = position.flip()
    assert other.flip() == position
    assert other.pips == position.pips[::-1]
    assert other.status() == Status.VALID
    game = position.rules.game
    for point in range(1, 25):
        assert other.row[opponent_point(game, point)] == -position.row[point]
    assert other.row[[0, 25, 26, 27]].tolist() == position.row[[26, 27, 0, 25]].tolist()


@given(valid_boards)
def test_the_game_is_over_exactly_if_it_has_an_outcome(position: Position) -> None:
    assert position.is_over is (position.rules.checkers in position.row[[0, 26]])
    assert position.is_over is (position.outcome is not None)
    flipped = position.flip().outcome
    assert position.outcome == (None if flipped is None else -flipped)
    expected = int(nardy.reference.outcomes(position.row[None], rules=position.rules)[0])
    assert (position.outcome or 0) == expected


def test_pips_count_the_bar_as_25() -> None:
    assert Position.from_points({"bar": 2, 3: 1}, {24: 1}, rules=SHORT).pips == (53, 24)


def test_the_outcome_is_for_the_side_to_move() -> None:
    lost = Position.from_points({24: 12, 1: 3}, {}, rules=LONG)
    assert (lost.outcome, lost.flip().outcome, lost.is_over) == (-2, 2, True)
    koks = Position.from_points({24: 12, 1: 3}, {}, rules=LONG.replace(koks="first_quarter"))
    assert koks.outcome == -3
    assert Position.start(SHORT).outcome is None


@given(valid_boards)
def test_a_position_survives_repr_pickle_and_copy(position: Position) -> None:
    copies = [
        evaluated(repr(position)),
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
        Position.from_row(position.row, rules=position.rules),
    ]
    for other in copies:
        assert isinstance(other, Position)
        assert other == position and hash(other) == hash(position)
        assert other.rules == position.rules


def test_an_unchecked_position_has_an_evaluable_repr_too() -> None:
    bad = Position.from_row_unchecked(row_with(c24=14, c29=3), rules=LONG)
    assert evaluated(repr(bad)) == pickle.loads(pickle.dumps(bad)) == bad


@given(boards(), boards())
def test_equality_and_order_go_by_rules_and_row(one: Position, two: Position) -> None:
    keys = [(position.rules, position.row.tolist()) for position in (one, two)]
    assert (one == two) is (keys[0] == keys[1])
    assert (one < two) is (keys[0] < keys[1])
    assert (one < two) + (one > two) + (one == two) == 1
    assert one != keys[0]


def test_rows_order_as_numbers_and_not_as_bytes() -> None:
    zero = Position.from_points({24: 14, 13: 1}, {24: 14, 11: 1}, rules=LONG)
    minus_one = zero.flip()
    assert (zero.row[1], minus_one.row[1]) == (0, -1)
    assert minus_one < zero


def test_a_position_does_not_change() -> None:
    row = np.array(START, np.int8)
    position = Position.from_row(row, rules=LONG)
    row[24] = 3
    assert position == Position.start(LONG)
    with pytest.raises(ValueError, match="read-only"):
        position.row[24] = 3
    with pytest.raises(ValueError, match="WRITEABLE"):
        position.row.flags.writeable = True
    with pytest.raises(FrozenInstanceError):
        position.rules = SHORT  # type: ignore[misc]


# --- the picture


def read_picture(text: str) -> dict[str, dict[Any, int]]:
    """Read a text board back: checkers of each side by X's points, "bar" and "off"."""
    lines = text.split("\n")
    found: dict[str, dict[Any, int]] = {"X": {}, "O": {}}
    upper, lower = (i for i, line in enumerate(lines) if line.startswith("+"))
    for edge, step in ((upper, 1), (lower, -1)):
        for column in [*range(1, 19, 3), 20, *range(24, 42, 3)]:
            cells = [lines[edge + step * i][column : column + 2].strip() for i in range(6)]
            stack = [cell for cell in cells[1:] if cell]
            if stack:
                number = lines[edge - step][column : column + 2]
                point = "bar" if column == 20 else int(number)
                found[stack[0]][point] = int(stack[-1]) if stack[-1].isdigit() else len(stack)
    off = re.search(r"off: X (\d+), O (\d+)", lines[-1])
    assert off
    found["X"]["off"], found["O"]["off"] = map(int, off.groups())
    return found


@given(valid_boards)
def test_the_picture_shows_every_checker(position: Position) -> None:
    text = str(position)
    assert max(map(len, text.split("\n"))) <= 79
    own, opponent = position.pips
    game = position.rules.game
    assert text.startswith(f"{game} nardy, X to move; pips: X {own}, O {opponent}\n")
    row = position.row.tolist()
    shown: dict[str, dict[Any, int]] = {
        "X": {point: row[point] for point in range(1, 25) if row[point] > 0},
        "O": {point: -row[point] for point in range(1, 25) if row[point] < 0},
    }
    for side, off, bar in (("X", 0, 25), ("O", 26, 27)):
        shown[side] |= {"off": row[off]} | ({"bar": row[bar]} if row[bar] else {})
    assert read_picture(text) == shown


def test_the_picture_of_the_start_of_short_nardy() -> None:
    assert (
        str(Position.start(SHORT))
        == """\
short nardy, X to move; pips: X 167, O 167
 13 14 15 16 17 18      19 20 21 22 23 24
+------------------+---+------------------+
| X           O    |   | O              X |
| X           O    |   | O              X |
| X           O    |   | O                |
| X                |   | O                |
| X                |   | O                |
|                  |   |                  |
| O                |   | X                |
| O                |   | X                |
| O           X    |   | X                |
| O           X    |   | X              O |
| O           X    |   | X              O |
+------------------+---+------------------+
 12 11 10  9  8  7       6  5  4  3  2  1
off: X 0, O 0"""
    )


def test_the_picture_with_points_of_the_path_has_other_numbers_only() -> None:
    distances = text_board(START).split("\n")
    path = text_board(START, numbering="path").split("\n")
    assert text_board(START, numbering="distance").split("\n") == distances
    assert path[0] == " 12 11 10  9  8  7       6  5  4  3  2  1"
    assert path[-2] == " 13 14 15 16 17 18      19 20 21 22 23 24"
    assert path[1:-2] == distances[1:-2] and path[-1] == distances[-1]


@pytest.mark.parametrize("numbering", ["", "Path", "points", None])
def test_the_picture_knows_two_numberings(numbering: Any) -> None:
    with pytest.raises(ValueError, match=r"^numbering must be 'distance' or 'path', not "):
        text_board(START, numbering=numbering)
