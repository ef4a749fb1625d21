"""The 21 rolls: their order, their weights, how a roll is written; dice that fall as written."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import nardy
from nardy.dice import ROLL_WEIGHTS, ROLLS, ScriptedDice, as_roll, opening_weights, roll_index
from nardy.errors import InvalidNotation


def test_rolls_stand_in_the_documented_order() -> None:
    assert ROLLS.dtype == np.int8 and ROLLS.shape == (21, 2)
    assert ROLLS.tolist()[:5] == [[1, 1], [2, 1], [2, 2], [3, 1], [3, 2]]
    assert ROLLS.tolist() == sorted(ROLLS.tolist()) and ROLLS.tolist()[-1] == [6, 6]
    assert len({tuple(roll) for roll in ROLLS.tolist()}) == 21


def test_weights_count_the_throws_of_two_dice() -> None:
    throws = [as_roll(pair) for pair in product(range(1, 7), repeat=2)]
    counted = [throws.count((large, small)) for large, small in ROLLS.tolist()]
    assert ROLL_WEIGHTS.dtype == np.int64 and ROLL_WEIGHTS.tolist() == counted
    assert ROLL_WEIGHTS.sum() == 36


@pytest.mark.parametrize("table", [ROLLS, ROLL_WEIGHTS])
def test_tables_are_read_only(table: Any) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1


def test_roll_index_finds_every_roll_in_either_order() -> None:
    for place, (large, small) in enumerate(ROLLS.tolist()):
        assert roll_index((large, small)) == roll_index((small, large)) == place
        assert roll_index(ROLLS[place]) == roll_index(f"{small}{large}") == place


@pytest.mark.parametrize("text", ["65", "56", "6-5", "6 5", " 5,6 ", "6:5"])
def test_a_roll_may_be_written(text: str) -> None:
    assert as_roll(text) == (6, 5)


@pytest.mark.parametrize("text", ["", "6", "665", "70", "06", "6--5", "six", "6/5", "٦٥"])
def test_other_texts_are_invalid_notation(text: str) -> None:
    with pytest.raises(InvalidNotation, match="roll must be two dice"):
        as_roll(text)


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (1,), (1, 2, 3), (), (-1, 6)])
def test_wrong_dice_are_a_value_error(roll: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="roll must be two dice"):
        as_roll(roll)


@pytest.mark.parametrize("roll", [None, 65, 6.5, (6.0, 5.0), (True, 6), ("6", "5"), b"65", {5, 6}])
def test_wrong_kinds_are_a_type_error(roll: Any) -> None:
    with pytest.raises(TypeError, match="roll"):
        as_roll(roll)


# --- the first roll of a game ---------------------------------------------------------------------


def test_opening_weights_count_what_a_roll_off_leaves() -> None:
    throws = [as_roll(pair) for pair in product(range(1, 7), repeat=2) if pair[0] != pair[1]]
    counted = [throws.count((large, small)) for large, small in ROLLS.tolist()]
    for rules in ("short", nardy.LONG.replace(opening="use_rolloff"), "long-fnr2026"):
        weights = opening_weights(rules)
        assert weights.dtype == np.int64 and weights.tolist() == counted
        assert np.count_nonzero(weights) == 15 and weights.sum() == 30


@pytest.mark.parametrize("rules", ["long", nardy.SHORT.replace(opening="reroll")])
def test_a_fresh_throw_opens_with_any_roll(rules: Any) -> None:
    assert opening_weights(rules).tolist() == ROLL_WEIGHTS.tolist()


@pytest.mark.parametrize("rules", ["short", "long"])
def test_opening_weights_are_read_only(rules: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        opening_weights(rules)[0] = 1


def test_opening_weights_take_rules_alone() -> None:
    with pytest.raises(ValueError, match="long-fnr2026"):
        opening_weights("tavla")
    with pytest.raises(TypeError):
        opening_weights(None)  # type: ignore[arg-type]


# --- dice that fall as written --------------------------------------------------------------------


@pytest.mark.parametrize(
    "rolls",
    ["65 31 44", " 5-6\n1:3  4,4", ["65", (1, 3), [4, 4]], np.array([[6, 5], [3, 1], [4, 4]])],
    ids=["text", "other text", "mixed", "array"],
)
def test_scripted_dice_fall_in_order(rolls: Any) -> None:
    with ScriptedDice(rolls) as dice:
        assert dice.left == ((6, 5), (3, 1), (4, 4))
        assert [dice.roll() for _ in range(3)] == [(6, 5), (3, 1), (4, 4)]
        assert not dice.left
    again = ScriptedDice(repr(dice).removeprefix("ScriptedDice('").removesuffix("')"))
    assert again.left == ((6, 5), (3, 1), (4, 4))


def test_a_throw_keeps_the_order_that_was_written() -> None:
    dice = ScriptedDice("25 52")
    assert repr(dice) == "ScriptedDice('25 52')"
    assert (dice.throw(), dice.roll()) == ((2, 5), (5, 2))


def test_scripted_dice_left_over_are_an_error() -> None:
    words = "wanted all 3 rolls thrown; left over: 3-1 4-4"
    with pytest.raises(ValueError, match=words), ScriptedDice("65 31 44") as dice:
        dice.roll()


def test_scripted_dice_that_are_all_thrown_are_an_error() -> None:
    with ScriptedDice("65") as dice:
        dice.roll()
        with pytest.raises(ValueError, match="all 1 rolls are thrown"):
            dice.roll()


def test_an_error_in_the_block_is_not_hidden_by_dice_left_over() -> None:
    with pytest.raises(KeyError, match="the block's own"), ScriptedDice("65"):
        raise KeyError("the block's own")


def test_no_dice_at_all_may_be_written() -> None:
    with ScriptedDice("") as dice:
        assert dice.left == ()


@pytest.mark.parametrize(
    ("rolls", "error", "words"),
    [
        ("65 7-1", InvalidNotation, "rolls: number 1: .*'7-1'"),
        ("6 5", InvalidNotation, "rolls: number 0: .*'6'"),
        ([(6, 5), (0, 1)], ValueError, "rolls: number 1: .*1..6"),
        ([(6, 5), None], TypeError, "rolls: number 1"),
        ((6, 5), TypeError, "rolls: number 0"),
        (65, TypeError, "rolls must be rolls"),
        (None, TypeError, "rolls must be rolls"),
    ],
)
def test_scripted_dice_say_which_roll_is_none(rolls: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        ScriptedDice(rolls)
