"""The cube and score table C1-C11 of docs/rules.md §11, row by row."""

from __future__ import annotations

from typing import Any

import pytest

import nardy
from nardy import Cube, Game, Match, Position, Result

ONE_MAN = {5: 1}
"""A side that bears off its last checker with 6-5, where 2-1 of the other does not hit it."""


def turned(game: Game, turns: int) -> Game:
    """Let some turns be played, by the first play of each throw."""
    for _ in range(turns):
        game.roll()
        game.push(game.plays[0])
    return game


def fresh(rules: Any = "short", **options: Any) -> Game:
    """Begin a game whose second turn is to be thrown; side 1 is to move."""
    return turned(Game(nardy.rules(rules), starter=0, seed=1, **options), 1)


def finish(loser: dict[Any, int], rules: Any = "short", cube: str = "") -> Result:
    """Let side 1 win a game from a board on which it needs one roll; by words of the cube first."""
    rules = nardy.rules(rules).replace(cube_from_turn=1)
    board = Position.from_points(loser, ONE_MAN, rules=rules)
    game = Game(rules, starter=0, position=board)
    for word in cube.split():
        getattr(game, word)()
    game.roll("21")
    game.push(game.plays[0])
    game.roll("65")
    game.push(game.plays[0])
    assert game.result is not None
    return game.result


def test_c1_a_drop_is_the_stake_before_the_offer() -> None:
    game = fresh()
    game.double()
    game.drop()
    assert game.result == Result(1, 1, "oin", "dropped")


def test_c2_a_redouble_dropped_is_the_cube() -> None:
    game = fresh()
    game.double()
    game.take()
    assert game.cube == Cube(2, 0, True)
    turned(game, 1)
    game.double()
    game.drop()
    assert game.result == Result(0, 2, "oin", "dropped")


@pytest.mark.parametrize(("loser", "points"), [({6: 15}, 4), ({24: 1, 6: 14}, 6)])
def test_c3_mars_and_koks_are_times_the_cube(loser: dict[Any, int], points: int) -> None:
    assert finish(loser, cube="double take").points == points


def test_c4_jacoby_counts_one_unless_a_double_was_taken() -> None:
    rules = nardy.SHORT.replace(jacoby=True)
    loser = {24: 1, 6: 14}
    assert finish(loser, rules) == Result(1, 1, "koks", "borne_off")
    assert finish(loser, rules, cube="double take") == Result(1, 6, "koks", "borne_off")


def test_c5_a_beaver_is_four_times_and_the_beaverers() -> None:
    game = fresh("short-money")
    game.double()
    game.beaver()
    assert game.cube == Cube(4, 0, True)
    game.drop()
    assert game.result == Result(0, 2, "oin", "dropped")
    game.pop()
    game.take()
    assert game.cube == Cube(4, 0, True) and game.phase == "doubled"


def give_up(match: Match, loser: int, kind: Any = "oin") -> None:
    if match.game.side is None:
        match.game.roll()
    match.game.resign(kind, side=loser)


def test_c6_the_crawford_game_is_one_game() -> None:
    match = Match(nardy.SHORT.replace(resign=True), length=5, seed=1)
    for loser, score in [(1, (1, 0)), (0, (1, 1)), (0, (1, 2)), (1, (2, 2)), (1, (3, 2))]:
        give_up(match, loser)
        assert match.score == score and not match.is_crawford
        match.next_game()
    give_up(match, 1)
    assert match.score == (4, 2) and not match.is_crawford
    match.next_game()
    assert match.is_crawford
    turned(match.game, 2)
    with pytest.raises(nardy.IllegalAction) as refused:
        match.game.double()
    assert refused.value.reason == "crawford"
    give_up(match, 0)
    match.next_game()
    assert match.score == (4, 3) and not match.is_crawford
    turned(match.game, 2)
    assert "double" in match.game.actions
    turned(match.game, 1)
    assert "double" in match.game.actions
    give_up(match, 0)
    assert match.score == (4, 4)
    match.next_game()
    assert not match.is_crawford


def test_c7_a_drop_in_a_match_to_two_goes_on() -> None:
    match = Match("short", length=2, seed=1)
    turned(match.game, 1)
    doubler = match.game.side
    match.game.double()
    match.game.drop()
    assert sorted(match.score) == [0, 1] and not match.is_over
    match.next_game()
    assert match.game.starter == doubler


def test_c8_a_mars_of_two_is_four_points() -> None:
    match = Match(nardy.SHORT.replace(resign=True), length=5, seed=1)
    turned(match.game, 1)
    match.game.double()
    match.game.take()
    loser = match.game.side
    match.game.resign("mars")
    assert sorted(match.score) == [0, 4] and not match.is_over
    assert loser is not None and match.score[loser] == 0


def test_c9_a_checker_off_is_no_mars() -> None:
    assert finish({"bar": 3, 6: 11}) == Result(1, 1, "oin", "borne_off")


@pytest.mark.parametrize(("point", "kind"), [(19, "koks"), (18, "mars")])
def test_c10_koks_is_in_the_winners_home(point: int, kind: str) -> None:
    # The loser plays 2-1 with the checkers at home; the winner's 6-point is his 19.
    board = Position.from_points({point: 1, 6: 14}, ONE_MAN, rules=nardy.SHORT)
    game = Game("short", starter=0, position=board)
    game.roll("21")
    game.push("6/4 6/5")
    game.roll("65")
    game.push("5/off")
    assert game.result == Result(1, {"koks": 3, "mars": 2}[kind], kind, "borne_off")  # type: ignore[arg-type]


def test_c11_when_no_double_may_be_offered() -> None:
    game = Game("short", starter=0, seed=1)
    assert why(game) == "too_early"
    turned(game, 1)
    assert "double" in game.actions
    game.roll()
    assert why(game) == "thrown"
    game.pop()
    game.double()
    assert why(game) == "answer_due"
    game.take()
    assert why(game) == "offered_already"
    turned(game, 2)
    assert why(game) == "not_owner"
    crawford = fresh(away=(1, 3), is_crawford=True)
    assert why(crawford) == "crawford"


def test_what_each_side_needs_is_two_ints() -> None:
    wrong: Any
    for wrong in (3, "33", {1: 2, 2: 3}):
        with pytest.raises(TypeError, match="away must be the points that each side needs"):
            nardy.Cube().is_dead(0, wrong)
    with pytest.raises(ValueError, match="away must be the points that each side needs"):
        nardy.Cube().is_dead(0, (3, 0))


def why(game: Game) -> str:
    before = game.state
    with pytest.raises(nardy.IllegalAction) as refused:
        game.double()
    assert game.state is before
    return refused.value.reason
