"""Plays and Play: a lazy sequence, distinct by after-state, in words."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import IllegalPlay, InvalidNotation, Play, Plays, Position

START = Position.start("short")
LONG_START = Position.start("long")

# S12 of docs/rules.md §11: two plays that leave the own side alike and hit differently.
HITS = Position.from_points({"bar": 1, 6: 2, 1: 12}, {4: 1, 1: 1}, rules="short")


def test_plays_are_the_after_states_of_the_kernel() -> None:
    plays = START.plays((3, 1))
    rows, _ = nardy.after_states(START.row[None], np.array([[1, 3]], np.int8), rules="short")
    assert np.array_equal(plays.rows, rows)
    assert [play.after for play in plays] == [Position.from_row(r, rules="short") for r in rows]
    assert len(plays) == len({*plays}) == 16


@pytest.mark.parametrize("roll", [(6, 5), (5, 6), [5, 6], "65", "5-6", np.array([5, 6], np.int8)])
def test_a_roll_comes_in_any_form_and_order(roll: Any) -> None:
    assert LONG_START.plays(roll).roll == (6, 5)
    assert LONG_START.play("24/13", roll=roll) == LONG_START.plays((6, 5))[0].after


@pytest.mark.parametrize(
    "roll", [(6, 7), (0, 1), (6,), (6, 5, 4), (6.0, 5), (True, 5), None, 65, b"65"]
)
def test_a_roll_that_is_none_is_refused(roll: Any) -> None:
    for call in (LONG_START.plays, lambda it: LONG_START.play("24/13", roll=it)):
        with pytest.raises((ValueError, TypeError), match="roll"):
            call(roll)


def test_plays_are_a_sequence() -> None:
    plays = START.plays("31")
    assert plays[0] == plays[-16]
    assert plays[2:5] == (plays[2], plays[3], plays[4])
    assert next(reversed(plays)) == plays[15]
    assert plays.index(plays[7]) == 7
    assert plays.index("6/5 8/5") == plays.index(plays.find("8/5 6/5"))
    with pytest.raises(IndexError, match=r"plays\[16\]: there are 16 plays"):
        plays[16]
    wrong: Any
    for wrong in ("8/5 6/5", 1.0, None, np.array([1, 2])):
        with pytest.raises(TypeError, match=r"plays\[...\] must be an int or a slice"):
            plays[wrong]
    with pytest.raises(ValueError, match="is none of"):
        plays.index(HITS.plays("31")[0])


def test_the_play_that_leads_to_a_board() -> None:
    plays = START.plays("31")
    for play in plays:
        assert plays.leading_to(play.after) == play == plays.leading_to(play.after.row)
    with pytest.raises(ValueError, match="no play of 3-1 leads to"):
        plays.leading_to(START)
    assert plays.leading_to(plays[3].after.row.tolist()) == plays[3]
    with pytest.raises(ValueError, match=r"as the mover sees it; flip\(\) it"):
        plays.leading_to(plays[3].after.flip())
    wrong: Any
    for wrong in ("8/5 6/5", plays[3], None, START.row.astype(float)):
        with pytest.raises(TypeError, match="row must be"):
            plays.leading_to(wrong)
    with pytest.raises(ValueError, match="row must be"):
        plays.leading_to(plays.rows)


def test_plays_are_made_by_positions() -> None:
    wrong: Any = START.row
    with pytest.raises(TypeError, match="position must be a Position"):
        Plays(wrong, "31")
    with pytest.raises(TypeError, match="plays must be Plays"):
        Play(wrong, 0)


def test_count_agrees_with_membership() -> None:
    plays = START.plays("31")
    assert [plays.count(it) for it in ("8/5 6/5", "8/5", plays[0], 3)] == [1, 0, 1, 0]


def test_rows_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        START.plays("31").rows[0, 0] = 1


def test_membership_takes_words_and_plays() -> None:
    plays = START.plays("31")
    assert "8/5 6/5" in plays and "6/5, 8/5" in plays and plays[3] in plays
    assert "8/5" not in plays and "nonsense" not in plays and 3 not in plays
    assert START.plays("32")[0] not in plays
    assert HITS.plays("31")[0] not in plays


def test_plays_differ_where_the_hits_do() -> None:
    # 25 - 4 = 21 and 25 - 1 = 24 are the blots, in the mover's numbering.
    plays = HITS.plays((4, 3))
    assert len(plays) == 4
    hit, quiet = plays.find("bar/21*/18"), plays.find("bar/18")
    assert hit != quiet and hit.hits == (21,) and quiet.hits == ()
    assert str(hit) == "bar/21*/18" and str(quiet) == "bar/18"
    assert (hit.after.row[25], quiet.after.row[25]) == (1, 0)


def test_a_play_says_what_it_is() -> None:
    play = LONG_START.plays((6, 6))[0]
    assert (play.position, play.roll) == (LONG_START, (6, 6))
    assert play.steps == ((24, 18), (24, 18))
    assert (play.dice_used, play.hits, play.head_moves) == ((6, 6), (), 2)
    assert (str(play), play.text(numbering="path")) == ("24/18(2)", "1/7(2)")
    assert repr(play) == "<Play 6-6: 24/18(2)>" and f"{play:>9}|" == " 24/18(2)|"
    assert play.board().splitlines()[1:] == str(play.after.flip()).splitlines()[2:]
    assert START.plays("65").find("24/13").head_moves == 0  # short nardy has no head


@pytest.mark.parametrize(
    ("own", "roll", "text", "dice"),
    [
        ({6: 1, 1: 1}, (6, 1), "6/off 1/off", (6, 1)),
        ({3: 1, 2: 1}, (6, 5), "3/off 2/off", (6, 5)),  # whichever die: the larger first
        ({3: 1}, (3, 1), "3/off", (1, 3)),  # the listed play is a longest one
        ({2: 1}, (6, 5), "2/off", (6,)),
    ],
)
def test_dice_used_of_bearing_off(
    own: dict[int, int], roll: tuple[int, int], text: str, dice: tuple[int, ...]
) -> None:
    play = Position.from_points(own, {13: 5}, rules="short").plays(roll).find(text)
    assert sorted(play.dice_used) == sorted(dice)
    assert len(play.dice_used) == len(play.steps)


def test_a_pass_and_a_finished_game() -> None:
    dance = Position.from_points({"bar": 2, 6: 13}, {5: 2, 13: 13}, rules="short")
    (only,) = dance.plays("55")
    assert (str(only), only.steps, only.dice_used) == ("pass", (), ())
    assert dance.play("PASS", "55") == only.after == dance.flip()
    over = Position.from_points({}, {24: 15}, rules="long")
    assert len(over.plays("65")) == 0 and "pass" not in over.plays("65")
    assert repr(over.plays("65")) == "<Plays 6-5, 0: the game is over>"
    with pytest.raises(IllegalPlay) as caught:
        over.play("24/18", "65")
    assert caught.value.reason == "game_over"


def test_plays_are_values() -> None:
    plays = START.plays("31")
    again = pickle.loads(pickle.dumps(plays))
    assert isinstance(again, Plays) and again == plays and hash(again) == hash(plays)
    assert [*again] == [*plays] and plays != START.plays("32")
    for play in plays:
        for twin in (pickle.loads(pickle.dumps(play)), copy.copy(play), copy.deepcopy(play)):
            assert isinstance(twin, Play) and twin == play and hash(twin) == hash(play)
    assert plays[0] != plays[1] and plays[0] != "24/23 24/21"


def test_a_play_is_played_by_its_position_alone() -> None:
    plays = START.plays("31")
    assert START.play(plays[2], "13") == plays[2].after
    with pytest.raises(ValueError, match="play must be one of this position and roll"):
        START.play(plays[2], "32")


@pytest.mark.parametrize("numbering", ["paths", "", None, 1])
def test_an_unknown_numbering_is_named(numbering: Any) -> None:
    play = LONG_START.plays("65")[0]
    for call in (
        lambda: play.text(numbering=numbering),
        lambda: LONG_START.text(numbering=numbering),
        lambda: LONG_START.play("24/13", "65", numbering=numbering),
    ):
        with pytest.raises(ValueError, match="numbering must be 'distance' or 'path'"):
            call()


def test_short_nardy_counts_distances_only() -> None:
    for call in (
        lambda: START.text(numbering="path"),
        lambda: START.play("24/13", "65", numbering="path"),
        lambda: START.plays("65")[0].text(numbering="path"),
    ):
        with pytest.raises(ValueError, match="short nardy counts distances only"):
            call()


def test_the_board_in_path_numbers() -> None:
    lines = LONG_START.text(numbering="path").splitlines()
    assert lines[1].split() == [*"12 11 10 9 8 7 6 5 4 3 2 1".split()]
    assert lines[-2].split() == [str(n) for n in range(13, 25)]


@pytest.mark.parametrize("text", [None, 3, b"24/13", ["24/13"]])
def test_words_are_a_str(text: Any) -> None:
    with pytest.raises(TypeError, match="play must be a text"):
        LONG_START.play(text, "65")


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "24", "24/", "/18", "24//18", "24-18", "x/18", "24/18/", "24/24", "off/24"),
        *("24/bar", "27/20", "24/18(0)", "24/18(", "24/18(2", "24/18**", "*24/18", "٢٤/18"),
        *("pass pass", "(2)", "24/18 " * 40, "24/18 pass", "24/18/25", "-1/5"),
    ],
)
def test_a_text_that_is_no_play_is_no_notation(text: str) -> None:
    with pytest.raises(InvalidNotation, match=r"^play"):
        LONG_START.play(text, "65")
    assert text not in LONG_START.plays("65")


def test_a_star_must_be_true() -> None:
    assert HITS.play("bar/21/18", "43") == HITS.play("bar/21*/18", "43")
    with pytest.raises(InvalidNotation, match=r"nothing is hit there, so no \* belongs there"):
        HITS.play("bar/18*", "43")


def test_counts_of_a_position() -> None:
    assert (
        START.counts.tolist() == nardy.counts_all_rolls(START.row[None], rules="short")[0].tolist()
    )
    assert START.counts.shape == (21,) and LONG_START.counts.sum() == 22
