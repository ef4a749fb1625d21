"""Turn by hand: what a server shows, and what it may not get wrong."""

from __future__ import annotations

from typing import Any

import pytest

from nardy import HALF_MOVES, IllegalPlay, Position, Turn, rules

START = Position.start("short")
LONG_START = Position.start("long")


def test_a_turn_from_start_to_commit() -> None:
    turn = Turn(START, roll=(5, 2))
    assert turn.sources() == [24, 13, 8, 6]
    assert turn.targets(13) == [11, 8] and turn.targets(13, combined=True) == [11, 8, 6]
    assert not turn.is_complete and not turn.steps and str(turn) == ""
    turn.move(13, 8)
    assert turn.steps == ((13, 8),) and turn.row[8] == 4
    assert turn.targets(8) == [6] and turn.targets(13) == [11]
    turn.move(24, 22)
    assert turn.is_complete and turn.sources() == [] and turn.targets(6) == []
    assert turn.commit() == START.play("24/22 13/8", "52")
    assert turn.play == START.plays("52").find("13/8 24/22")


def test_a_combined_move_is_several_half_moves_to_undo() -> None:
    turn = Turn(START, roll="52")
    turn.move(13, 6)
    assert turn.steps in (((13, 8), (8, 6)), ((13, 11), (11, 6)))
    half = turn.undo()
    assert half[1] == 6 and turn.row[half[0]] == START.row[half[0]] + 1
    assert turn.undo()[0] == 13
    assert turn.row.tolist() == START.row.tolist()
    with pytest.raises(ValueError, match="nothing has been moved"):
        turn.undo()


def test_a_combined_move_hits_only_where_it_must() -> None:
    # A blot on 8 (O 17): 10/7 may go by 9, which is free.
    quiet = Position.from_points({10: 1, 1: 14}, {17: 1, 14: 14}, rules="short")
    turn = Turn(quiet, roll=(2, 1))
    turn.move(10, 7)
    assert turn.steps == ((10, 9), (9, 7))
    # Blots on 8 and 9: either way hits, so the word must come from the player (S14).
    torn = Position.from_points({10: 1, 1: 14}, {17: 1, 16: 1, 14: 13}, rules="short")
    turn = Turn(torn, roll=(2, 1))
    with pytest.raises(IllegalPlay, match=r"10/8\*/7' or '10/9\*/7") as caught:
        turn.move(10, 7)
    assert caught.value.reason == "ambiguous" and turn.steps == ()
    turn.move(10, 8)
    assert turn.row[27] == 1


def test_what_leads_to_a_shorter_play_is_not_offered() -> None:
    # S02 of docs/rules.md §11: 8/6 is open, and then there is no 6.
    own, opponent = {24: 1, 8: 1, 6: 13}, {21: 2, 9: 2, 7: 3, 6: 4, 5: 4}
    turn = Turn(Position.from_points(own, opponent, rules="short"), roll=(6, 2))
    assert {(at, to) for at in turn.sources() for to in turn.targets(at)} == {(24, 22), (8, 2)}
    with pytest.raises(IllegalPlay, match="the 6 must be played too: 24/22 8/2") as caught:
        turn.move(8, 6)
    assert caught.value.reason == "both_dice" and turn.steps == ()


def test_the_larger_die_alone() -> None:
    # S03: either die can be played, not both.
    position = Position.from_points({13: 1, 1: 14}, {23: 2, 6: 13}, rules="short")
    turn = Turn(position, roll=(6, 5))
    assert turn.sources() == [13] and turn.targets(13) == [7]
    with pytest.raises(IllegalPlay, match="it has to be the 6: 13/7") as caught:
        turn.move(13, 8)
    assert caught.value.reason == "larger_die"


def test_forced() -> None:
    assert Turn(LONG_START, roll=(6, 6)).forced() == ((24, 18), (24, 18))
    assert Turn(START, roll=(6, 5)).forced() == ()
    turn = Turn(START, roll=(6, 5))
    turn.move(24, 18)
    turn.move(18, 13)
    assert turn.forced() == ()
    dance = Position.from_points({"bar": 2, 6: 13}, {5: 2, 13: 13}, rules="short")
    assert Turn(dance, roll="55").forced() == ()


def test_a_pass_is_complete_at_once() -> None:
    dance = Position.from_points({"bar": 2, 6: 13}, {5: 2, 13: 13}, rules="short")
    turn = Turn(dance, roll="55")
    assert turn.is_complete and turn.sources() == []
    assert turn.commit() == dance.flip() and str(turn.play) == "pass"
    with pytest.raises(IllegalPlay) as caught:
        turn.move(25, 20)
    assert caught.value.reason == "must_pass"


def test_a_finished_game_has_no_turn() -> None:
    turn = Turn(Position.from_points({}, {24: 15}, rules="long"), roll="65")
    assert not turn.is_complete and turn.sources() == [] and turn.forced() == ()
    for call in (turn.commit, lambda: turn.move(24, 18)):
        with pytest.raises(IllegalPlay) as caught:
            call()
        assert caught.value.reason == "game_over"


def test_an_incomplete_turn_is_not_committed() -> None:
    turn = Turn(START, roll="65")
    turn.move(24, 18)
    with pytest.raises(IllegalPlay, match="24/18: the 5 is still to be played") as caught:
        turn.commit()
    assert caught.value.reason == "incomplete" and turn.steps == ((24, 18),)
    with pytest.raises(IllegalPlay, match="nothing moved: the 6 and the 5 are still to be played"):
        Turn(START, roll="65").commit()


def test_an_incomplete_turn_is_not_read_as_a_longer_way() -> None:
    # The 6 takes the 5 off; as words, "5/off" means 5/2/off too, which is another turn.
    own, opponent = {5: 1, 2: 4, 1: 10}, {15: 1, 7: 3, 5: 1, 2: 3, 1: 7}
    turn = Turn(Position.from_points(own, opponent, rules="long"), roll="63")
    turn.move(5, 0)
    assert not turn.is_complete and turn.dice_left == (3,) and turn.forced() == ((2, 0),)
    for call in (turn.commit, lambda: turn.play):
        with pytest.raises(IllegalPlay, match="5/off: the 3 is still to be played") as caught:
            call()
        assert caught.value.reason == "incomplete"
    turn.move(2, 0)
    assert turn.play.after == turn.commit() and str(turn.play) == "5/off 2/off"


def test_the_dice_that_are_left() -> None:
    turn = Turn(START, roll="22")
    left = [turn.dice_left]
    turn.move(6, 4)
    left.append(turn.dice_left)
    assert left == [(2, 2, 2, 2), (2, 2, 2)]
    assert Turn(START, roll="65").dice_left == (6, 5)


@pytest.mark.parametrize(
    ("roll", "moves", "refused", "sentence"),
    [
        ("21", [(6, 5)], (8, 5), "8/5: it needs both dice, and the 1 is already used"),
        ("33", [(24, 21), (21, 18)], (13, 4), "13/4: it needs three 3s, and two are left"),
        ("33", [(24, 21), (21, 18), (13, 10)], (13, 7), "13/7: it needs two 3s, and one is left"),
        ("65", [(24, 18), (18, 13)], (24, 13), "24/13: both dice are already used"),
        ("65", [(24, 18)], (13, 7), "13/7: the 6 is already used"),
    ],
)
def test_dice_that_are_used(
    roll: str, moves: list[tuple[int, int]], refused: tuple[int, int], sentence: str
) -> None:
    turn = Turn(START, roll=roll)
    for step in moves:
        turn.move(*step)
    with pytest.raises(IllegalPlay, match=sentence) as caught:
        turn.move(*refused)
    assert caught.value.reason == "die_used"


def test_long_nardy_has_no_bar() -> None:
    with pytest.raises(IllegalPlay, match="long nardy has no bar"):
        Turn(LONG_START, roll="65").move(25, 19)
    with pytest.raises(IllegalPlay, match="long nardy has no bar"):
        LONG_START.play("0/6", "65", numbering="path")


def test_overshoot_says_the_rule_that_is_played() -> None:
    position = Position.from_points({6: 1, 2: 2}, {24: 15}, rules="long-by")
    with pytest.raises(IllegalPlay, match="unless it exceeds the distance of every checker"):
        position.play("2/off 6/5", "51")


def test_a_turn_in_path_numbers() -> None:
    turn = Turn(LONG_START, roll="65", numbering="path")
    turn.move(24, 18)
    assert str(turn) == "1/7"
    with pytest.raises(IllegalPlay, match="1/6: only one checker may leave the head with 6-5"):
        turn.move(24, 19)
    with pytest.raises(ValueError, match="numbering"):
        Turn(START, roll="65", numbering="path")


def test_either_die_bears_the_same_checker_off() -> None:
    # overshoot "any": the 6 exceeds all distances and may take the 3; the 3 takes it exactly. What
    # the other die can do is open until it is played.
    position = Position.from_points(
        {5: 1, 3: 1, 1: 1}, {24: 15}, rules=rules("long").replace(bearoff_overshoot="any")
    )
    turn = Turn(position, roll=(6, 3))
    turn.move(3, 0)
    assert turn.targets(5) == [2, 0] and turn.targets(1) == [0]
    turn.move(5, 2)
    assert turn.is_complete and str(turn.play) in ("5/2 3/off", "3/off 5/2")
    turn.undo()
    turn.move(5, 0)
    assert turn.commit() == position.play("5/off 3/off", "63")


@pytest.mark.parametrize("numbering", ["distance", "path"])
def test_the_words_of_a_pass_are_those_of_its_play(numbering: str) -> None:
    stuck = Position.from_points({13: 15}, {24: 5, 23: 5, 21: 5}, rules="long")
    turn = Turn(stuck, roll=(4, 2), numbering=numbering)
    assert str(turn) == "pass" and repr(turn) == "<Turn 4-2: pass>"
    assert stuck.play(str(turn), "42", numbering=numbering) == turn.commit()
    over = Turn(Position.from_points({}, {24: 15}, rules="long"), roll=(4, 2))
    assert str(over) == ""  # no turn at all, so no pass either


def test_the_last_checker_by_one_die() -> None:
    alone = Position.from_points({3: 1}, {24: 15}, rules="long")
    turn = Turn(alone, roll=(3, 1))
    assert turn.targets(3) == [2, 0]
    turn.move(3, 0)
    assert turn.is_complete and turn.commit().outcome == -2
    # A blot on the way of the longer play, which makes another board: then only that one.
    blot = Position.from_points({4: 1}, {23: 1, 6: 14}, rules="short")
    turn = Turn(blot, roll=(4, 2))
    assert turn.targets(4) == [2] and turn.targets(4, combined=True) == [2, 0]
    turn.move(4, 0)
    assert turn.steps == ((4, 2), (2, 0)) and str(turn) == "4/2*/off"


@pytest.mark.parametrize(
    ("origin", "target"), [(0, 3), (26, 20), (13, 25), (13, -1), (-1, 3), (2**70, 1)]
)
def test_points_that_do_not_exist(origin: int, target: int) -> None:
    turn = Turn(START, roll="65")
    with pytest.raises(ValueError, match=r"(origin|target) must be an int") as caught:
        turn.move(origin, target)
    assert not isinstance(caught.value, IllegalPlay) and turn.steps == ()
    with pytest.raises(ValueError, match=r"point must be an int 1\.\.25"):
        turn.targets(26)


@pytest.mark.parametrize(("origin", "target"), [(13, 13), (13, 20), (13, 9)])
def test_what_no_die_makes(origin: int, target: int) -> None:
    turn = Turn(START, roll="65")
    with pytest.raises(IllegalPlay) as caught:
        turn.move(origin, target)
    assert caught.value.reason == "not_rolled" and turn.steps == ()


@pytest.mark.parametrize("wrong", [None, "13", 13.0, True])
def test_points_are_ints(wrong: Any) -> None:
    turn = Turn(START, roll="65")
    for call in (
        lambda: turn.move(wrong, 7),
        lambda: turn.move(13, wrong),
        lambda: turn.targets(wrong),
    ):
        with pytest.raises(TypeError, match="must be an int"):
            call()


def test_a_turn_needs_a_position() -> None:
    with pytest.raises(TypeError, match="position must be a Position"):
        Turn(START.row, roll="65")  # type: ignore[arg-type]


def test_half_moves_are_listed_by_their_number() -> None:
    assert HALF_MOVES.shape == (150, 2)
    for number, (origin, die) in enumerate(HALF_MOVES.tolist()):
        assert number == 25 * (die - 1) + origin - 1
    with pytest.raises(ValueError, match="read-only"):
        HALF_MOVES[0, 0] = 1
