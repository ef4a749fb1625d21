"""The model that matches are held against, held itself against the worked examples of the law."""

from collections.abc import Callable
from typing import Any

import pytest

import nardy
from proof.model_of_match import Forbidden, Model, Result, grade, start_row

LONG, SHORT = nardy.LONG, nardy.SHORT


def begun(rules: Any, length: int | None = None, turn: int = 2) -> Model:
    """A match before the roll of a turn of side 0, who started."""
    model = Model(rules, length)
    model.throw((5, 3))
    while model.turn < turn or model.side != 0 or model.phase != "turn":
        pass_turn(model)
    return model


def pass_turn(model: Model) -> None:
    if model.phase == "turn":
        model.throw_dice((2, 1))
    model.play(handed_over(model.row, model.rules))


def handed_over(row: list[int], rules: Any) -> list[int]:
    return [*map(int, nardy.Position.from_row(row, rules=rules).flip().row)]


def lost_row(rules: Any, **men: int) -> list[int]:
    """The board that a loser with these men looks at: p6=1, bar=3; the rest is off."""
    points: dict[int | str, int] = {"bar" if k == "bar" else int(k[1:]): n for k, n in men.items()}
    return [*map(int, nardy.Position.from_points(points, {}, rules=rules).row)]


def bear_off(model: Model, loser: list[int]) -> None:
    """The side to act wins on this board."""
    model.throw_dice((6, 5))
    model.play(loser)


KOKS = {"p24": 1, "p6": 14}  # in short nardy


# --- C1 .. C11


def test_c1_a_drop_costs_the_old_stake() -> None:
    model = begun(SHORT)
    model.double()
    model.drop()
    assert model.results == [Result(0, "dropped", 1, 1)] and model.score == [1, 0]


def test_c2_a_redouble_is_dropped_for_the_cube_as_it_lies() -> None:
    model = begun(SHORT)
    model.double()
    model.take()
    assert (model.value, model.owner) == (2, 1)
    pass_turn(model)
    model.double()
    model.drop()
    assert model.score == [0, 2]


@pytest.mark.parametrize(("men", "points"), [({"p6": 15}, 4), (KOKS, 6), ({"p6": 14}, 2)])
def test_c3_mars_and_koks_times_the_cube(men: dict[str, int], points: int) -> None:
    model = begun(SHORT)
    model.double()
    model.take()
    bear_off(model, lost_row(SHORT, **men))
    assert model.score == [points, 0]


@pytest.mark.parametrize(("takes", "points"), [(False, 1), (True, 6)])
def test_c4_jacoby(takes: bool, points: int) -> None:
    model = begun(SHORT.replace(jacoby=True))
    if takes:
        model.double()
        model.take()
    bear_off(model, lost_row(SHORT, **KOKS))
    assert model.score == [points, 0]


def test_c4_jacoby_is_not_for_matches() -> None:
    model = begun(SHORT.replace(jacoby=True), 7)
    bear_off(model, lost_row(SHORT, **KOKS))
    assert model.score == [3, 0]


def test_c5_a_beaver() -> None:
    model = begun(SHORT.replace(beaver=True))
    model.double()
    model.beaver()
    assert model.side == 0
    model.take()
    assert (model.value, model.owner, model.side) == (4, 1, 0)


def test_c5_a_beaver_refused() -> None:
    model = begun(SHORT.replace(beaver=True))
    model.double()
    model.beaver()
    model.drop()
    assert model.score == [0, 2]


@pytest.mark.parametrize(("owner", "side"), [("raccooner", 0), ("beaverer", 1)])
def test_a_raccoon(owner: str, side: int) -> None:
    model = begun(SHORT.replace(beaver=True, raccoon=True, raccoon_owner=owner))
    model.double()
    model.beaver()
    model.raccoon()
    assert (model.value, model.owner, model.side) == (8, side, 0)


def score(model: Model, winner: int, **men: int) -> None:
    """Play the next game: `winner` bears off against these men."""
    if model.phase == "between":
        model.next_game()
    if model.phase == "throw":
        model.throw((5, 3))
    while model.side != winner or model.phase != "turn":
        pass_turn(model)
    bear_off(model, lost_row(model.rules, **men))


def test_c6_the_crawford_game_and_after() -> None:
    model = begun(SHORT, 5)
    score(model, 0, **KOKS)
    score(model, 1, p6=15)
    score(model, 0, p6=14)
    assert model.score == [4, 2]
    model.next_game()
    pass_turn(model)
    pass_turn(model)
    with pytest.raises(Forbidden):
        model.double()
    score(model, 1, p6=14)
    assert model.score == [4, 3]
    model.next_game()
    assert model.starter == 1
    pass_turn(model)
    model.double()
    model.take()
    pass_turn(model)
    pass_turn(model)
    pass_turn(model)
    model.double()
    model.drop()
    assert model.score == [4, 5] and model.phase == "end"


def test_c7_a_drop_in_a_match_to_two() -> None:
    model = begun(SHORT, 2)
    model.double()
    model.drop()
    assert model.score == [1, 0] and model.phase == "between"


def test_c8_mars_on_two_in_a_match_to_five() -> None:
    model = begun(SHORT, 5)
    model.double()
    model.take()
    bear_off(model, lost_row(SHORT, p6=15))
    assert model.score == [4, 0] and model.phase == "between"


def test_c9_one_off_and_three_on_the_bar_is_one() -> None:
    assert grade(lost_row(SHORT, p6=11, bar=3), SHORT) == 1


def test_c10_the_winners_home_begins_at_its_six_point() -> None:
    assert grade(lost_row(SHORT, p19=1, p6=14), SHORT) == 3
    assert grade(lost_row(SHORT, p18=1, p6=14), SHORT) == 2


def test_c11_the_owner_is_the_other_side() -> None:
    model = begun(SHORT)
    model.double()
    model.take()
    pass_turn(model)
    pass_turn(model)
    with pytest.raises(Forbidden):
        model.double()


def test_c11_after_throwing() -> None:
    model = begun(SHORT)
    model.throw_dice((2, 1))
    with pytest.raises(Forbidden):
        model.double()


def test_c11_on_the_first_turn_of_the_game() -> None:
    model = Model(SHORT.replace(opening="reroll"))
    model.throw((5, 3))
    with pytest.raises(Forbidden):
        model.double()
    pass_turn(model)
    model.double()
    assert model.phase == "offered"


# --- starts


@pytest.mark.parametrize(("value", "side"), [("winner", 1), ("other", 1), ("roll", None)])
def test_who_starts_the_next_game(value: str, side: int | None) -> None:
    model = begun(SHORT.replace(next_starter=value))
    score(model, 1, p6=14)
    model.next_game()
    assert model.starter == side
    assert model.phase == ("throw" if side is None else "turn")


def test_the_other_starts_though_it_lost() -> None:
    model = begun(SHORT.replace(next_starter="other"))
    score(model, 0, p6=14)
    model.next_game()
    assert model.starter == 1


@pytest.mark.parametrize(("opening", "roll"), [("use_rolloff", (5, 3)), ("reroll", None)])
def test_the_dice_of_the_roll_off(opening: str, roll: tuple[int, int] | None) -> None:
    model = Model(LONG.replace(opening=opening))
    model.throw((3, 5))
    assert (model.starter, model.roll) == (1, roll)


@pytest.mark.parametrize(("most", "length", "value"), [(0, None, 1), (2, None, 4), (2, 7, 1)])
def test_automatic_doubles(most: int, length: int | None, value: int) -> None:
    model = Model(SHORT.replace(automatic_doubles=most, jacoby=True), length)
    for die in (1, 2, 3):
        model.throw((die, die))
    model.throw((3, 5))
    assert (model.value, model.owner, model.taken) == (value, None, False)


# --- last turns


@pytest.mark.parametrize("game", [LONG, SHORT])
def test_the_second_player_draws(game: Any) -> None:
    model = begun(game.replace(last_roll="second_player"))
    bear_off(model, lost_row(game, p1=1))
    assert model.last and model.side == 1
    both_off = [0] * 32
    both_off[0] = both_off[26] = 15
    bear_off(model, both_off)
    assert model.results == [Result(None, "draw", 0, 0)] and model.score == [0, 0]


def test_the_second_player_does_not_finish() -> None:
    model = begun(LONG.replace(last_roll="second_player"))
    bear_off(model, lost_row(LONG, p24=15))
    stays = [0] * 32  # seen by the starter, who is off: the head of the other side
    stays[0], stays[12] = 15, -15
    bear_off(model, stays)
    assert model.results == [Result(0, "borne_off", 2, 2)]


def test_no_last_turn_for_the_starter() -> None:
    model = begun(LONG.replace(last_roll="second_player"))
    pass_turn(model)
    bear_off(model, lost_row(LONG, p1=1))
    assert model.results == [Result(1, "borne_off", 1, 1)]


@pytest.mark.parametrize(("men", "granted"), [(1, True), (2, False)])
def test_a_last_turn_with_one_man_left(men: int, granted: bool) -> None:
    model = begun(LONG.replace(last_roll="openspiel"))
    bear_off(model, lost_row(LONG, p1=men))
    assert model.last == granted and (model.phase == "turn") == granted


# --- clock and drinks


def test_blitz_as_the_law_counts_it() -> None:
    model = begun(SHORT.replace(clock="blitz"))
    assert model.reserve == [90.0, 90.0]
    for seconds, left in ((20.0, 85.0), (10.0, 85.0)):
        model.spend(seconds)
        pass_turn(model)
        assert model.reserve == [left, 90.0]
        pass_turn(model)
    model.spend(100.0)
    assert model.results == [Result(1, "time", 1, 1)]


@pytest.mark.parametrize(("name", "times"), [("normal", (20.0, 150.0)), ("slow", (25.0, 210.0))])
def test_the_named_clocks(name: str, times: tuple[float, float]) -> None:
    model = begun(SHORT.replace(clock=name))
    model.spend(sum(times) - 0.25)
    assert model.phase == "turn"
    model.spend(0.25)
    assert model.score == [0, 1]


def test_time_costs_the_cube_and_no_mars() -> None:
    model = begun(SHORT.replace(clock=(10, 0)))
    model.double()
    model.take()
    model.spend(10.0)
    assert model.results == [Result(1, "time", 1, 2)]


@pytest.mark.parametrize(("options", "drunk"), [({}, 2), ({"drink_doubles": True}, 4)])
def test_drinks(options: dict[str, bool], drunk: int) -> None:
    model = begun(SHORT.replace(drinkgammon=True, **options))
    model.throw_dice((2, 2))
    row = handed_over(model.row, SHORT)
    row[25], row[24] = 2, 0
    model.play(row)
    assert model.drinks == [drunk, 0]


def test_no_giving_up_unless_the_rules_allow_it() -> None:
    with pytest.raises(Forbidden):
        begun(SHORT).resign(0)
    model = begun(SHORT.replace(resign=True))
    model.resign(0, 3)
    assert model.results == [Result(1, "resigned", 3, 3)]


@pytest.mark.parametrize("rules", [LONG, SHORT, LONG.replace(checkers=5)])
def test_the_start(rules: Any) -> None:
    assert start_row(rules) == nardy.Position.start(rules).row.tolist()


ACTIONS: list[Callable[[Model], None]] = [
    Model.double,
    Model.take,
    Model.drop,
    Model.beaver,
    Model.raccoon,
    Model.next_game,
    lambda model: model.throw((3, 1)),
    lambda model: model.throw_dice((3, 1)),
    lambda model: model.play(model.row),
    lambda model: model.resign(0),
]


@pytest.mark.parametrize("action", ACTIONS)
def test_nothing_can_be_done_after_the_end(action: Callable[[Model], None]) -> None:
    model = begun(SHORT.replace(resign=True, beaver=True, raccoon=True), 1)
    model.resign(0)
    assert model.phase == "end"
    with pytest.raises(Forbidden):
        action(model)
    assert model.score == [0, 1]
