"""The 21 rolls: their order, their weights and how a roll is written."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from nardy.dice import ROLL_WEIGHTS, ROLLS, as_roll, roll_index
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
