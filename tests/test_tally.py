"""Chances with their intervals, against figures computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy.tally import Tally, wilson


@pytest.mark.parametrize(
    ("hits", "games", "low", "high"),
    # Wilson (1927) with z = 1.95996: the quadratic |p - share| = z sqrt(p (1 - p) / n), solved
    [(5, 10, 0.236593, 0.763407), (1, 10, 0.017876, 0.404150), (500, 1000, 0.469070, 0.530930)],
)
def test_wilson_intervals(hits: int, games: int, low: float, high: float) -> None:
    chance = wilson(hits, games)
    assert chance == pytest.approx((hits / games, low, high), abs=1e-6)


@given(st.integers(1, 10**9), st.data())
def test_wilson_bounds_solve_their_equation(games: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, games))
    share, low, high = wilson(hits, games)
    assert 0 <= low <= share <= high <= 1
    for bound in {low, high} - {0.0, 1.0}:
        distance = 1.959963984540054 * math.sqrt(bound * (1 - bound) / games)
        assert abs(bound - share) == pytest.approx(distance, rel=1e-4, abs=1e-9)
    assert wilson(games - hits, games).low == pytest.approx(1 - high)


def test_a_tally_counts_koks_as_mars_and_mars_as_win() -> None:
    tally = Tally()
    outcomes = [1] * 4 + [2] * 3 + [3] + [-1] * 5 + [-2] * 4 + [-3] * 3
    turns = np.arange(20, dtype=np.int32)
    tally.add(np.array(outcomes[:9], np.int8), turns[:9])
    tally.add(np.array(outcomes[9:], np.int8), turns[9:])
    assert tally.games == 20
    shares = {name: round(chance.share * 20) for name, chance in tally.chances().items()}
    assert shares == {"win": 8, "win mars": 4, "win koks": 1, "lose mars": 7, "lose koks": 3}
    assert tally.equity == pytest.approx(np.mean(outcomes))
    assert tally.standard_error == pytest.approx(np.std(outcomes) / math.sqrt(20))
    assert tally.turns_a_game == 9.5


def test_games_that_all_end_alike_have_no_error() -> None:
    tally = Tally()
    tally.add(np.full(7, -2, np.int8), np.full(7, 2**31 - 1, np.int32))
    assert (tally.equity, tally.standard_error, tally.turns_a_game) == (-2.0, 0.0, 2**31 - 1)
