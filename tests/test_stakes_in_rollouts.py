"""Stakes as arguments: what is refused, and what rollouts make of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy.cube import Cube
from nardy.stakes import MatchPlay, Money, Stakes

USUAL = nardy.MatchEquity(9)
START = nardy.Position.start("short")


# --- what is refused


@pytest.mark.parametrize(
    ("kind", "given", "error", "message"),
    [
        (Money, (1,), TypeError, "cube must be a nardy.Cube or None, not 1"),
        (Money, (Cube(), "x"), TypeError, "efficiency must be a number 0..1, not 'x'"),
        (Money, (Cube(), True), TypeError, "efficiency must be a number 0..1, not True"),
        (Money, (Cube(), None), TypeError, "efficiency must be a number 0..1, not None"),
        (Money, (Cube(), 1.5), ValueError, "efficiency must be a number 0..1, not 1.5"),
        (Money, (Cube(), math.nan), ValueError, "efficiency must be a number 0..1, not nan"),
        (Money, (Cube(2**29),), ValueError, "cube must show at most 268435456, not 536870912"),
        (Money, (Cube(2**63),), ValueError, f"cube must show at most 268435456, not {2**63}"),
        (MatchPlay, (7, 1, 1), TypeError, "equity must be a nardy.MatchEquity, not 7"),
        (MatchPlay, (USUAL, 0, 1), ValueError, "own must be an int 1..9, not 0"),
        (MatchPlay, (USUAL, 1, 10), ValueError, "other must be an int 1..9, not 10"),
        (MatchPlay, (USUAL, 1.0, 1), TypeError, "own must be an int 1..9, not 1.0"),
        (MatchPlay, (USUAL, 1, "2"), TypeError, "other must be an int 1..9, not '2'"),
        (MatchPlay, (USUAL, 2, 2, 2), TypeError, "cube must be a nardy.Cube or None, not 2"),
        (
            MatchPlay,
            (USUAL, 2, 2, None, 1),
            TypeError,
            "crawford_done must be True or False, not 1",
        ),
        (
            MatchPlay,
            (USUAL, 2, 2, None, False, "x"),
            TypeError,
            "efficiency must be a number 0..1, not 'x'",
        ),
        (
            MatchPlay,
            (USUAL, 2, 2, None, False, -0.1),
            ValueError,
            "efficiency must be a number 0..1, not -0.1",
        ),
    ],
)
def test_no_such_stakes(
    kind: Callable[..., Stakes], given: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        kind(*given)
    assert str(caught.value) == message


def points_alone(rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """An evaluator that says equities, and no chances."""
    return np.zeros(len(rows), np.float32)


@pytest.mark.parametrize("play", [Money(Cube()), MatchPlay(USUAL, 2, 3)], ids=str)
def test_equities_alone_are_not_enough(play: Stakes) -> None:
    for ask in (
        lambda: nardy.rollout(START, points_alone, seed=1, trials=36, stakes=play),
        lambda: nardy.rollout_plays(START, "31", points_alone, seed=1, trials=36, stakes=play),
    ):
        with pytest.raises(ValueError, match="evaluator") as caught:
            ask()
        assert str(caught.value) == (
            "evaluator: equities (m,) are not enough with a cube, or for a match: chances (m, 5) "
            "are wanted"
        )


def test_equities_are_enough_for_points_without_a_cube() -> None:
    found = nardy.rollout(START, points_alone, seed=1, trials=36, truncate=1, stakes=Money())
    assert found.equity == 0


@pytest.mark.parametrize("play", [Cube(), "money", 7], ids=str)
def test_what_are_no_stakes(play: Any) -> None:
    with pytest.raises(TypeError, match=r"stakes must be nardy\.Money or nardy\.MatchPlay, not "):
        nardy.rollout(START, seed=1, trials=36, stakes=play)


# --- in rollouts


class Changeable:
    """An evaluator that finds a double right, and a take, before each roll."""

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        chances = np.zeros((len(rows), 5), np.float32)
        chances[:, 0] = 0.7
        return chances


def test_a_cube_does_not_grow_without_end() -> None:
    top = Money(Cube(2**28, 0, is_turned=True), 0.0)
    found = nardy.rollout(START, seed=1, trials=36, truncate=1, stakes=top)
    assert 2**20 < abs(found.equity) < 2**29
    play = Money(Cube(), 0.0)
    found = nardy.rollout(START, Changeable(), seed=1, trials=36, truncate=30, stakes=play)
    assert abs(found.equity) == pytest.approx(0.4 * 2**28, rel=1e-6)


def test_at_double_match_point_the_chance_to_win_is_all() -> None:
    class Winner:
        """Looks at the chance to win alone, for points and for a match."""

        def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
            said = nardy.network("short")(rows).copy()
            said[:, 1:] = 0
            return said

    plain = nardy.rollout(START, Winner(), seed=3, trials=216)
    assert plain.chances is not None
    for cube in (None, Cube(), Cube(8, 1, is_turned=True)):
        last = MatchPlay(USUAL, 1, 1, cube)
        found = nardy.rollout(START, Winner(), seed=3, trials=216, stakes=last)
        assert found.equity == plain.chances[0]
        assert found.chances is not None and found.chances.tolist() == plain.chances.tolist()
    # And so with the network's own plays: the equity is the chance to win that is counted.
    found = nardy.rollout(START, seed=3, trials=216, stakes=MatchPlay(USUAL, 1, 1))
    assert found.chances is not None and found.equity == found.chances[0]


def test_plays_see_the_stakes_from_the_side_that_rolls() -> None:
    ahead = MatchPlay(USUAL, 2, 9, Cube())
    behind = MatchPlay(USUAL, 9, 2, Cube())
    for play, low, high in ((ahead, 0.7, 1.0), (behind, 0.0, 0.3)):
        best, *_ = nardy.rollout_plays(START, "31", seed=1, trials=36, stakes=play, truncate=3)
        assert low < best.equity < high


@pytest.mark.parametrize(
    ("play", "least", "most"),
    [
        (Money(Cube(2, 0, is_turned=True)), 0.1, 1.0),
        (Money(Cube(2, 1, is_turned=True)), -1.0, -0.1),
    ],
)
def test_it_is_good_to_own_the_cube(play: Money, least: float, most: float) -> None:
    found = nardy.rollout(START, seed=5, trials=1296, truncate=4, stakes=play)
    assert least < found.equity < most
