"""What the reference says beyond lists of boards: why a board, a half-move or a play is refused."""

from typing import Any

import numpy as np
import pytest

from nardy import reference

HEAD = {24: 15}


@pytest.mark.parametrize(
    ("game", "changes", "reason"),
    [
        ("long", {}, None),
        ("short", {}, None),
        ("long", {28: 1}, "columns 28..31"),
        ("long", {31: -1}, "columns 28..31"),
        ("long", {24: 14}, "the own side has 14"),
        ("long", {24: 16}, "the own side has 16"),
        ("long", {12: -14}, "the opponent has 14"),
        ("long", {24: 14, 25: 1}, "no bar"),
        ("long", {12: -14, 27: 1}, "no bar"),
        ("long", {24: 16, 0: -1}, "negative"),
        ("short", {24: 3, 25: -1}, "negative"),
        ("long", {24: 0, 0: 15, 12: 0, 26: 15}, "both sides"),
        ("long", {24: 0, 0: 15}, None),
        ("short", {24: 1, 25: 1}, None),
        ("short", {24: 0, 6: 7, 1: -2, 19: -5}, None),
    ],
)
def test_check_names_what_is_wrong(
    game: str, changes: dict[int, int], reason: str | None, make_row: Any, make_rules: Any
) -> None:
    side = HEAD if game == "long" else {24: 2, 13: 5, 8: 3, 6: 5}
    row = make_row(side, side, game, 15)
    for column, value in changes.items():
        row[column] = value
    rules = make_rules(game)
    said = reference.check(row, rules=rules)
    if reason is None:
        assert said is None
        assert reference.flip(np.array([row], np.int8), rules=rules).shape == (1, 32)
    else:
        assert said is not None
        assert reason in said
        with pytest.raises(ValueError, match="row: "):
            reference.plays(row, (2, 1), rules=rules)


def test_flip_shows_the_other_side(make_row: Any, make_rules: Any) -> None:
    long = make_row({24: 13, 3: 1}, {24: 10, 11: 4}, "long", 15)
    assert reference.flip(np.array([long], np.int8), rules=make_rules("long")).tolist() == [
        make_row({24: 10, 11: 4}, {24: 13, 3: 1}, "long", 15)
    ]
    short = make_row({"bar": 2, 6: 10, 1: 1}, {"bar": 1, 20: 3}, "short", 15)
    assert reference.flip(np.array([short], np.int8), rules=make_rules("short")).tolist() == [
        make_row({"bar": 1, 20: 3}, {"bar": 2, 6: 10, 1: 1}, "short", 15)
    ]


def test_plays_lists_every_order(make_row: Any, make_rules: Any) -> None:
    row = make_row({1: 2, 2: 1}, {13: 5}, "short", 15)
    found = reference.plays(row, (2, 1), rules=make_rules("short"))
    one_left = make_row({13: 5}, {1: 1}, "short", 15)
    assert found[tuple(one_left)] == [((1, 0), (2, 0)), ((2, 0), (1, 0))]


def test_pass_is_the_board_handed_over(make_row: Any, make_rules: Any) -> None:
    own, opponent = {13: 15}, {24: 5, 23: 5, 21: 5}
    found = reference.plays(make_row(own, opponent, "long", 15), (4, 2), rules=make_rules("long"))
    assert found == {tuple(make_row(opponent, own, "long", 15)): [()]}


def test_is_forbidden_looks_at_the_side_to_roll(make_row: Any, make_rules: Any) -> None:
    block = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
    row = make_row(block, HEAD, "long", 15)
    for name, forbidden in [("ahead", True), ("free", False)]:
        assert reference.is_forbidden(row, rules=make_rules("long", block=name)) is forbidden
    flipped = make_row(HEAD, block, "long", 15)
    assert not reference.is_forbidden(flipped, rules=make_rules("long"))


# The board before, the roll, the play (distances, 25 the bar, 0 off), options, the reason.
LONG_BLOCK = ({11: 1, 5: 3, 4: 3, 3: 3, 2: 3, 1: 2}, {24: 14, 19: 1})  # L40
FAULTS: dict[str, tuple[str, Any, Any, tuple[int, int], Any, dict[str, Any], str | None]] = {
    "legal": ("long", HEAD, HEAD, (6, 5), ((24, 18), (18, 13)), {}, None),
    "not_your_checker": ("long", HEAD, HEAD, (6, 5), ((23, 18),), {}, "not_your_checker"),
    "point_closed": ("long", HEAD, HEAD, (6, 6), ((24, 18), (18, 12)), {}, "point_closed"),
    "not_rolled": ("long", HEAD, HEAD, (6, 5), ((24, 20),), {}, "not_rolled"),
    "die_used": ("long", HEAD, HEAD, (6, 5), ((24, 18), (18, 12)), {}, "die_used"),
    "head_rule": ("long", HEAD, HEAD, (6, 5), ((24, 18), (24, 19)), {}, "head_rule"),
    "incomplete": ("long", HEAD, HEAD, (6, 5), ((24, 18),), {}, "incomplete"),
    "nothing": ("long", HEAD, HEAD, (6, 5), (), {}, "incomplete"),
    "bar_first": ("short", {25: 1, 6: 14}, HEAD, (2, 1), ((6, 4),), {}, "bar_first"),
    "block": ("long", *LONG_BLOCK, (5, 4), ((11, 6),), {}, "block"),
    "block at turn end": (
        "long",
        *LONG_BLOCK,
        (5, 4),
        ((11, 6), (5, 1)),
        {"block_check": "turn_end"},
        "block",
    ),
    "passing the block": (
        "long",
        *LONG_BLOCK,
        (5, 4),
        ((11, 6), (6, 2)),
        {"block_check": "turn_end"},
        None,
    ),
    "not_all_home": ("long", {7: 1, 1: 14}, HEAD, (6, 5), ((1, 0),), {}, "not_all_home"),
    "overshoot": ("long", {6: 1, 5: 14}, HEAD, (6, 6), ((5, 0),), {}, "overshoot"),
    "must_bear_off": (
        "long",
        {4: 1, 2: 1},
        HEAD,
        (2, 1),
        ((4, 2),),
        {"bearoff_mandatory": True},
        "must_bear_off",
    ),
    "both_dice": ("long", {6: 1, 1: 1}, {24: 14, 15: 1}, (3, 1), ((1, 0),), {}, "both_dice"),
    "larger_die": ("long", {19: 1, 1: 14}, {24: 14, 21: 1}, (6, 4), ((19, 15),), {}, "larger_die"),
    "game_over": ("long", {}, HEAD, (6, 5), ((24, 18),), {}, "game_over"),
    "won with one die": ("long", {3: 1}, HEAD, (3, 1), ((3, 0),), {}, None),
    "won with both": ("long", {3: 1}, HEAD, (3, 1), ((3, 2), (2, 0)), {}, None),
    "either die bears it off": ("short", {3: 1, 2: 1}, HEAD, (6, 3), ((3, 0), (2, 0)), {}, None),
    # Rules 3.5: the longest play is 4/2*/off, so the 4 alone ends on another board.
    "won too soon": ("short", {4: 1}, {23: 1, 6: 14}, (4, 2), ((4, 0),), {}, "both_dice"),
    "won with a hit": ("short", {4: 1}, {23: 1, 6: 14}, (4, 2), ((4, 2), (2, 0)), {}, None),
    "won beside a blot": ("short", {4: 1}, {22: 1, 6: 14}, (4, 2), ((4, 0),), {}, None),
    "pass": ("long", {13: 15}, {24: 5, 23: 5, 21: 5}, (4, 2), (), {}, None),
    # Rules 3.6: whatever else is wrong with the half-move.
    "closed": ("long", {13: 15}, {24: 5, 23: 5, 21: 5}, (4, 2), ((13, 9),), {}, "must_pass"),
    "nobody there": ("long", {13: 15}, {24: 5, 23: 5, 21: 5}, (4, 2), ((9, 5),), {}, "must_pass"),
    "no such die": ("long", {13: 15}, {24: 5, 23: 5, 21: 5}, (4, 2), ((13, 8),), {}, "must_pass"),
    "nothing ends well": (
        "long",
        {13: 1, 6: 2, 5: 3, 4: 3, 3: 3, 2: 3},
        HEAD,
        (6, 6),
        ((13, 7), (7, 1)),
        {"doubles_moves": 2, "block_check": "turn_end"},
        "must_pass",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_reason_of_an_illegal_play(name: str, make_row: Any, make_rules: Any) -> None:
    game, own, opponent, roll, play, options, reason = FAULTS[name]
    row = make_row(own, opponent, game, 15)
    assert reference.play_fault(row, roll, play, rules=make_rules(game, **options)) == reason


def test_half_moves_says_what_each_point_can_do(make_row: Any, make_rules: Any) -> None:
    rules = make_rules("long")
    row = make_row({24: 14, 18: 1}, {24: 14, 22: 1}, "long", 15)
    assert reference.half_moves(row, 6, rules=rules) == {18: "point_closed", 24: None}
    start = make_row(HEAD, {24: 14, 22: 1}, "long", 15)
    assert reference.half_moves(row, 5, rules=rules, start=start) == {18: None, 24: "head_rule"}
    assert reference.half_moves(row, 5, rules=rules, start=start, cap=2)[24] is None


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (-1, 2)])
def test_a_roll_is_two_dice(roll: tuple[int, int], make_row: Any, make_rules: Any) -> None:
    with pytest.raises(ValueError, match="roll"):
        reference.plays(make_row(HEAD, HEAD, "long", 15), roll, rules=make_rules("long"))
