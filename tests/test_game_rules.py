"""What is around the board, rule by rule: docs/rules.md §2, §7, §8 and the options of §9."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import Cube, Game, IllegalAction, Match, Position, Result, Rules, ScriptedDice, reference
from nardy.endings import last_board, lift_last
from proof.sessions import act

GAMES = ["long", "short"]
NAMES = [nardy.LONG, nardy.SHORT]


def refused(action: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    with pytest.raises(IllegalAction) as error:
        action(*arguments, **named)
    return error.value.reason


def turned(game: Game, turns: int) -> Game:
    for _ in range(turns):
        game.roll()
        game.push(game.plays[0])
    return game


def at_double(rules: Any = "short", **options: Any) -> Game:
    """Begin a game in which side 1 is to throw the second turn."""
    return turned(Game(nardy.rules(rules), starter=0, seed=1, **options), 1)


# --- who starts, and with what (§2, §8.1) ---------------------------------------------------------


@pytest.mark.parametrize("rules", NAMES, ids=GAMES)
@pytest.mark.parametrize("opening", ["reroll", "use_rolloff"])
def test_the_higher_die_starts_and_ties_are_thrown_again(rules: Rules, opening: Any) -> None:
    game = Game(rules.replace(opening=opening))
    for tie in ("33", "66"):
        game.roll(tie)
        assert (game.phase, game.side, game.starter, game.dice) == ("roll_off", None, None, None)
    game.roll_off((2, 5))
    assert game.starter == game.side == game.to_act == 1
    assert (game.phase, game.dice) == (
        ("play", (5, 2)) if opening == "use_rolloff" else ("roll", None)
    )
    assert game.turn_number == 1


@pytest.mark.parametrize("opening", ["reroll", "use_rolloff"])
def test_a_starter_without_a_roll_off_throws_two_fresh_dice(opening: Any) -> None:
    game = Game(nardy.SHORT.replace(opening=opening), starter=1, dice=ScriptedDice("44"))
    assert refused(game.roll_off) == "starter_known"
    game.roll()
    assert game.dice == (4, 4) and game.side == 1


@pytest.mark.parametrize("opening", ["reroll", "use_rolloff"])
def test_roll_makes_the_whole_opening(opening: Any) -> None:
    with ScriptedDice("33 62 11" if opening == "reroll" else "33 62") as dice:
        game = Game(nardy.LONG.replace(opening=opening), dice=dice)
        game.roll()
    assert game.phase == "play" and game.side == 0
    assert game.dice == ((1, 1) if opening == "reroll" else (6, 2))


def test_both_sides_start_as_often() -> None:
    starters: Counter[int | None] = Counter()
    for seed in range(2000):
        game = Game("short", seed=seed)
        game.roll()
        starters[game.starter] += 1
        assert game.dice is not None and game.dice[0] != game.dice[1]
    assert abs(starters[0] - 1000) < 5 * 500**0.5


@pytest.mark.parametrize("next_starter", ["winner", "other", "roll"])
@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_who_starts_the_next_game(next_starter: Any, winner: int, first: int) -> None:
    rules = nardy.LONG.replace(next_starter=next_starter, resign=True)
    match = Match(rules, length=None, dice=ScriptedDice(["61", "16"][first : first + 1] * 2))
    match.game.roll_off()
    assert match.game.starter == first
    match.game.resign(side=1 - winner)
    match.next_game()
    wanted = {"winner": winner, "other": 1 - first, "roll": None}[next_starter]
    assert match.game.starter == wanted
    assert match.game.phase == ("roll_off" if next_starter == "roll" else "roll")


# --- automatic doubles ----------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "value"), [(0, 1), (1, 2), (2, 4), (9, 8)])
def test_ties_double_the_stake_at_most_so_often(most: int, value: int) -> None:
    game = Game(nardy.SHORT.replace(automatic_doubles=most, jacoby=True, resign=True))
    for _ in range(3):
        game.roll("55")
    game.roll("64")
    assert game.cube == Cube(value, None, False)
    game.resign("koks", side=1)
    assert game.result == Result(0, value, "koks", "resigned")


def test_a_double_after_an_automatic_one_is_of_the_stake() -> None:
    game = Game(nardy.SHORT.replace(automatic_doubles=1))
    game.roll("55")
    game.roll("64")
    game.push(game.plays[0])
    game.double()
    game.take()
    assert game.cube == Cube(4, 0, True)


def test_matches_have_no_automatic_doubles_jacoby_beavers() -> None:
    rules = nardy.SHORT.replace(automatic_doubles=3, jacoby=True, beaver=True, resign=True)
    match = Match(rules, length=9)
    match.game.roll("55")
    match.game.roll("64")
    assert match.game.cube == Cube()
    match.game.push(match.game.plays[0])
    match.game.double()
    assert refused(match.game.beaver) == "not_in_rules"
    match.game.pop()
    match.game.resign("koks")
    assert match.score == (3, 0)


# --- the cube (§8.5) ------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [1, 2, 3, 6])
def test_the_cube_from_a_turn_of_the_game_on(first: int) -> None:
    game = Game(nardy.SHORT.replace(cube_from_turn=first), starter=0, seed=3)
    for turn in range(1, 8):
        assert game.turn_number == turn
        assert ("double" in game.actions) == (turn >= first)
        turned(game, 1)


def test_a_roll_off_that_is_played_leaves_no_moment_to_double() -> None:
    rules = nardy.SHORT.replace(cube_from_turn=1)
    game = Game(rules)
    game.roll("64")
    assert game.actions == {"push"} and refused(game.double) == "thrown"
    other = Game(rules.replace(opening="reroll"))
    other.roll("64")
    assert other.actions == {"roll", "double"}


@pytest.mark.parametrize("most", [1, 2, 4, 8])
def test_the_cube_ends_at_its_last_face(most: int) -> None:
    rules = nardy.SHORT.replace(cube_max=most, beaver=True, raccoon=True)
    game = at_double(rules)
    assert ("double" in game.actions) == (most >= 2)
    if most >= 2:
        game.double()
        assert ("beaver" in game.actions) == (most >= 4)
    else:
        assert refused(game.double) == "cube_max"
    if most >= 4:
        game.beaver()
        assert ("raccoon" in game.actions) == (most >= 8)
        if most == 4:
            assert refused(game.raccoon) == "cube_max"


def test_without_a_cube_nothing_is_offered() -> None:
    game = at_double(nardy.LONG)
    assert refused(game.double) == "no_cube"
    assert "double" in at_double(nardy.LONG.replace(cube=True)).actions


@pytest.mark.parametrize(("owner", "place"), [("raccooner", 1), ("beaverer", 0)])
def test_a_raccoon_and_whose_cube_it_leaves(owner: Any, place: int) -> None:
    rules = nardy.SHORT.replace(beaver=True, raccoon=True, raccoon_owner=owner)
    game = at_double(rules)
    game.double()
    assert refused(game.raccoon) == "not_offered"
    game.beaver()
    assert game.to_act == game.side == 1
    assert refused(game.beaver) == "not_offered"
    game.raccoon()
    assert game.cube == Cube(8, place, True)
    assert game.actions == {"roll"} and refused(game.double) == "offered_already"


def test_a_raccoon_needs_its_option_and_a_beaver() -> None:
    assert refused(_beavered(nardy.SHORT.replace(beaver=True)).raccoon) == "not_in_rules"
    game = at_double(nardy.SHORT.replace(raccoon=True))
    game.double()
    assert refused(game.beaver) == "not_in_rules"


def _beavered(rules: Rules) -> Game:
    game = at_double(rules)
    game.double()
    game.beaver()
    return game


def test_the_redouble_of_a_beaverer_comes_on_his_turn() -> None:
    game = _beavered(nardy.SHORT.replace(beaver=True))
    game.take()
    turned(game, 1)
    assert game.side == 0 and "double" in game.actions
    game.double()
    game.take()
    assert game.cube == Cube(8, 1, True)


def test_a_dead_cube_may_be_offered() -> None:
    game = at_double(away=(4, 1))
    assert game.cube.is_dead(1, game.away) and not game.cube.is_dead(0, game.away)
    assert "double" in game.actions


def test_a_match_to_one_point_is_its_crawford_game() -> None:
    match = Match("short", length=1, seed=1)
    assert match.is_crawford
    turned(match.game, 1)
    assert refused(match.game.double) == "crawford"
    other = Match(nardy.SHORT.replace(crawford=False), length=1, seed=1)
    turned(other.game, 1)
    assert "double" in other.game.actions


def test_money_has_no_crawford_game() -> None:
    match = Match(nardy.SHORT.replace(resign=True), length=None, seed=1)
    for _ in range(5):
        assert not match.is_crawford
        turned(match.game, 1)
        match.game.resign()
        match.next_game()


# --- the end (§7, §8.4, §8.7) ---------------------------------------------------------------------


def test_no_one_resigns_where_the_rules_do_not_have_it() -> None:
    assert refused(at_double().resign) == "not_in_rules"


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("kind", "points"), [("oin", 1), ("mars", 2), ("koks", 3)])
def test_either_side_resigns_a_kind(side: int, kind: Any, points: int) -> None:
    game = at_double(nardy.SHORT.replace(resign=True))
    game.resign(kind, side=side)
    assert game.result == Result(1 - side, points, kind, "resigned")


def test_what_cannot_be_lost_cannot_be_resigned() -> None:
    rules = nardy.LONG.replace(resign=True)
    assert refused(at_double(rules).resign, "koks") == "not_in_rules"
    at_double(rules.replace(koks="no_home")).resign("koks")
    board = Position.from_points({1: 14}, {24: 15}, rules=rules)
    game = Game(rules, starter=0, position=board)
    assert refused(game.resign, "mars") == "no_mars"
    game.resign("mars", side=1)
    assert game.result == Result(0, 2, "mars", "resigned")
    assert refused(Game(rules).resign) == "starter_unknown"
    waiting = at_double(nardy.SHORT.replace(resign=True))
    waiting.double()
    assert refused(waiting.resign) == "answer_due"


def test_time_is_a_single_game_at_the_stake_before_an_offer() -> None:
    rules = nardy.SHORT.replace(clock="blitz", beaver=True)
    game = at_double(rules)
    assert refused(game.flag, seconds=104.9) == "time_left"
    game.flag(seconds=105)
    assert game.result == Result(0, 1, "oin", "time")
    game.pop()
    game.double()
    game.flag()
    assert game.result == Result(1, 1, "oin", "time")
    assert game.clock is not None and game.clock.out == 0
    game.pop()
    game.beaver()
    game.flag()
    assert game.result == Result(0, 2, "oin", "time")
    game.pop()
    game.take()
    game.flag()
    assert game.result == Result(0, 4, "oin", "time")


def test_seconds_run_the_clock_of_who_played() -> None:
    game = Game(nardy.LONG.replace(clock=(10, 60)), starter=1, seed=1)
    for seconds, left in [(30, (60, 40)), (5, (60, 40)), (15, (60, 35)), (69.5, (0.5, 35))]:
        game.roll()
        game.push(game.plays[0], seconds=seconds)
        assert game.clock is not None and game.clock.left == left
    game.roll()
    before = game.position
    game.push(game.plays[0], seconds=45)
    assert game.result == Result(0, 1, "oin", "time") and game.position == before
    assert refused(at_double().flag) == "not_in_rules"
    plain = turned(Game("long", starter=0, seed=1), 1)
    plain.roll()
    assert refused(plain.push, plain.plays[0], seconds=1) == "not_in_rules"
    assert refused(Game(nardy.LONG.replace(clock="slow")).flag) == "starter_unknown"


def test_a_clock_of_another_kind() -> None:
    game = Game("long", starter=0, clock=nardy.Clock.fischer(10, 2), seed=1)
    game.roll()
    game.push(game.plays[0], seconds=4)
    assert game.clock is not None and game.clock.left == (8, 10)


# --- the last roll (§7) ---------------------------------------------------------------------------


def last_turn(rules: Rules, left: dict[Any, int], starter: int = 0) -> Game:
    """Let side 0 bear off its last checker; `left` is what side 1 still has."""
    board = Position.from_points({1: 1}, left, rules=rules)
    other = Position.from_points(left, {1: 1}, rules=rules)
    game = Game(rules, starter=starter, position=board if starter == 0 else other)
    if starter == 1:
        game.roll("21")
        game.push(game.plays[0])
    game.roll("65")
    game.push(game.plays[0])
    return game


@pytest.mark.parametrize("rules", NAMES, ids=GAMES)
def test_without_a_last_roll_the_first_to_finish_wins(rules: Rules) -> None:
    game = last_turn(rules, {1: 1})
    assert game.result == Result(0, 1, "oin", "borne_off")


@pytest.mark.parametrize("rules", NAMES, ids=GAMES)
@pytest.mark.parametrize("last_roll", ["second_player", "openspiel"])
def test_the_last_roll_makes_a_draw_or_none(rules: Rules, last_roll: Any) -> None:
    rules = rules.replace(last_roll=last_roll, cube=True)
    game = last_turn(rules, {2: 1})
    assert not game.is_over and game.side == 1 and game.position.is_over
    assert refused(game.double) == "last_roll"
    game.roll("11")
    game.push("2/1/off")
    assert game.result == Result(None, 0, None, "draw")
    game.pop()
    game.pop()
    far = last_turn(rules, {6: 1})
    far.roll("21")
    assert [str(play) for play in far.plays] == ["6/3"]
    far.turn.move(6, 3)
    far.push(far.turn)
    assert far.result == Result(0, 1, "oin", "borne_off")
    assert far.position.row[[0, 3, 26]].tolist() == [rules.checkers, 0, rules.checkers - 1]


@pytest.mark.parametrize("rules", NAMES, ids=GAMES)
def test_openspiel_gives_a_last_roll_to_one_checker_only(rules: Rules) -> None:
    assert not last_turn(rules.replace(last_roll="second_player"), {1: 2}).is_over
    assert last_turn(rules.replace(last_roll="openspiel"), {1: 2}).is_over


@pytest.mark.parametrize("last_roll", ["second_player", "openspiel"])
def test_the_second_player_who_finishes_first_has_won(last_roll: Any) -> None:
    game = last_turn(nardy.SHORT.replace(last_roll=last_roll), {5: 2}, starter=1)
    assert game.result is not None and game.result.winner == 0


def test_the_score_is_that_of_the_board_after_the_last_roll() -> None:
    rules = nardy.LONG.replace(last_roll="second_player")
    game = last_turn(rules, {1: 15})
    game.roll("21")
    game.push(game.plays[0])
    assert game.result == Result(0, 1, "oin", "borne_off")  # a mars before
    far = last_turn(rules, {24: 15})
    far.roll("21")
    far.push(far.plays[0])
    assert far.result == Result(0, 2, "mars", "borne_off")


def test_after_a_draw_the_starter_is_rolled_for() -> None:
    rules = nardy.LONG.replace(last_roll="second_player")
    for next_starter, starter in (("winner", None), ("other", 1)):
        match = Match(rules.replace(next_starter=next_starter), length=3)
        match._games[0] = _drawn(match.rules)
        assert match.score == (0, 0) and match.results[0].winner is None
        match.next_game()
        assert match.game.starter == starter


def _drawn(rules: Rules) -> Game:
    game = last_turn(rules, {1: 1})
    game.roll("21")
    game.push(game.plays[0])
    assert game.result is not None and game.result.how == "draw"
    return game


LAST_RULES = [
    nardy.SHORT,
    nardy.LONG,
    nardy.LONG.replace(block="never", head="any_double"),
    nardy.LONG.replace(block="strict", block_check="turn_end", bearoff_overshoot="any"),
    nardy.LONG.replace(block="home", head="free", bearoff_mandatory=True, doubles_moves=2),
    nardy.LONG.replace(head="listed", bearoff_overshoot="exact", checkers=6),
]


@pytest.mark.parametrize("rules", LAST_RULES, ids=range(len(LAST_RULES)))
def test_the_last_roll_is_played_as_if_nobody_else_were_there(rules: Rules) -> None:
    """The board with one man put back, against the reference on the board without."""
    rng = Random(5)
    compared = 0
    for _ in range(400):
        row = np.zeros(32, np.int8)
        spread = rng.choice([6, 12, 24])
        for _ in range(rng.randint(1, rules.checkers)):
            row[rng.randint(1, spread)] += 1
        if rules.game == "short":
            row[25] = rng.choice([0, 0, 1]) if row[1:25].sum() < rules.checkers else 0
        row[0] = rules.checkers - row[1:26].sum()
        row[26] = rules.checkers
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        roll = (max(roll), min(roll))
        over = Position.from_row_unchecked(row, rules=rules)
        board = None if over.status() else last_board(over, roll)
        if board is None:
            assert row[24] > 0 or over.status() == nardy.Status.OWN_BLOCK
            continue
        found = {lift_last(play.after, rules).cells for play in board.plays(roll)}
        assert found == expected(row, roll, rules), (row.tolist(), roll)
        compared += 1
    assert compared > 350


def expected(row: Any, roll: tuple[int, int], rules: Rules) -> set[bytes]:
    board = reference.board_of(row.tolist(), rules)
    dice = reference.dice_of(roll, rules)
    layers = reference.unroll(board, dice, reference.head_cap(board, dice, rules), rules)
    ends = reference.maximal_ends(layers, rules)
    rows = (reference.handed_over(end.board, rules) for end in ends)
    return {np.array(each, np.int8).tobytes() for each in rows}


# --- drinks (§8.8) --------------------------------------------------------------------------------


@pytest.mark.parametrize(("doubles", "glasses"), [(False, 2), (True, 4)])
def test_the_hitter_drinks_a_glass_for_each_checker(doubles: bool, glasses: int) -> None:
    rules = nardy.SHORT.replace(drinkgammon=True, drink_doubles=doubles)
    board = Position.from_points({6: 13, 13: 2}, {20: 1, 21: 1, 1: 13}, rules=rules)
    game = Game(rules, starter=1, position=board)
    game.roll("11")
    game.push("6/5*/4* 13/12(2)")
    assert game.drinks == (0, glasses)
    game.roll("65")
    game.push("pass" if not game.plays[0].steps else game.plays[0])
    assert game.drinks[1] == glasses
    game.pop()
    game.pop()
    game.pop()
    assert game.drinks == (0, 0)


# --- refusals, and taking back --------------------------------------------------------------------


@pytest.mark.parametrize("rules", [nardy.LONG, nardy.SHORT, nardy.rules("short-money")])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_refused_changes_nothing_and_all_is_taken_back(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    rules = rules.replace(
        cube=True, raccoon=True, resign=True, clock=(60, 600), automatic_doubles=2,
        last_roll="second_player",
    )  # fmt: skip
    game = Game(rules, seed=seed)
    told: list[Any] = []
    game.subscribe(told.append)
    states = []
    while not game.is_over:
        states.append(game.state)
        for name in ("roll_off", "roll", "double", "take", "drop", "beaver", "raccoon", "flag"):
            if name not in game.actions:
                assert refused(getattr(game, name)) in nardy.ACTION_REASONS
        if "push" not in game.actions:
            assert refused(game.push, "24/18") in nardy.ACTION_REASONS
            assert refused(lambda: game.plays) in nardy.ACTION_REASONS
        if game.to_act is not None:
            other = 1 - game.to_act
            for name in game.actions - {"resign", "roll_off", "push"}:
                assert refused(getattr(game, name), side=other) == "not_on_turn"
        assert game.state is states[-1]
        act(game, rng)
    for name in ("roll_off", "roll", "double", "take", "resign", "flag", "play_out"):
        assert refused(getattr(game, name)) == "game_over"
    assert list(game.events) == told
    for before in reversed(states):
        event = game.state.event
        assert game.pop() is event
        assert game.state is before
        assert told[-1].event is event
    assert refused(game.pop) == "nothing_done"


def test_dice_fall_again_as_they_fell() -> None:
    for game in (Game("long", seed=4), Game("long", dice=ScriptedDice("61 33 24 55"))):
        game.roll()
        first, rolled = game.state, game.dice
        game.pop()
        game.roll()
        assert game.state == first and game.dice == rolled
        game.push(game.plays[0])
        game.roll()
        second = game.dice
        game.pop()
        game.pop()
        game.push(game.plays[-1])
        game.roll()
        assert game.dice == second


def test_dice_fall_again_in_a_game_that_is_begun_anew() -> None:
    rules = nardy.LONG.replace(resign=True)
    match = Match(rules, length=None, dice=ScriptedDice("61 33 24 55"))
    match.game.roll()
    match.game.resign()
    match.next_game()
    match.game.roll()
    assert match.game.dice == (4, 2)
    match.pop()
    match.pop()
    match.next_game()
    match.game.roll()
    assert match.game.dice == (4, 2)


def test_dice_of_outside_come_between_those_of_a_seed() -> None:
    plain, mixed = Game("long", seed=4, starter=0), Game("long", seed=4, starter=0)
    for number in range(6):
        plain.roll()
        mixed.roll("21" if number == 2 else None)
        assert (plain.dice == mixed.dice) == (number != 2)
        plain.push(plain.plays[0])
        mixed.push(mixed.plays[0])


def test_dice_that_are_missing_or_run_out() -> None:
    game = Game("short")
    assert refused(game.roll) == refused(game.roll_off) == "no_dice"
    assert refused(Game("short", starter=0).play_out) == "no_dice"
    with pytest.raises(ValueError, match="one more is wanted"):
        Game("short", dice=ScriptedDice("33")).roll()


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (ValueError, {"seed": 1, "dice": ScriptedDice("61")}),
        (TypeError, {"dice": [6, 1]}),
        (ValueError, {"seed": -1}),
        (ValueError, {"seed": 1, "number": 2**64}),
        (TypeError, {"number": 1.0}),
        (ValueError, {"starter": 2}),
        (TypeError, {"starter": True}),
        (TypeError, {"clock": "blitz"}),
        (ValueError, {"clock": nardy.Clock("allowance", 1, (0, 5)).after(0, 1)}),
        (ValueError, {"away": (0, 1)}),
        (TypeError, {"away": 3}),
        (TypeError, {"is_crawford": 1}),
        (TypeError, {"starter": 0, "position": "start"}),
        (ValueError, {"position": Position.start("long")}),
        (ValueError, {"starter": 0, "position": Position.start("short")}),
        (ValueError, {"starter": 0, "position": Position.from_points({}, {1: 1}, rules="long")}),
    ],
    ids=str,
)
def test_games_that_cannot_be(error: type[Exception], named: dict[str, Any]) -> None:
    with pytest.raises(error, match=next(iter(reversed(named)))):
        Game("long", **named)


def test_pushes_that_are_none() -> None:
    game = Game("short", starter=0)
    game.roll("31")
    before = game.state
    strange = nardy.Turn(Position.start("short"), "65")
    for error, play in [
        (TypeError, 3),
        (ValueError, strange),
        (ValueError, Position.start("short").plays("65")[0]),
        (nardy.IllegalPlay, game.turn),
        (nardy.IllegalPlay, "24/18"),
        (nardy.InvalidNotation, "e4"),
    ]:
        with pytest.raises(error):
            game.push(play)  # type: ignore[arg-type]
        assert game.state is before
    with pytest.raises(TypeError):
        game.subscribe(None)  # type: ignore[arg-type]


def test_a_match_is_taken_back_over_the_beginning_of_a_game() -> None:
    match = Match(nardy.LONG.replace(resign=True), length=3, seed=1)
    told: list[Any] = []
    match.subscribe(told.append)
    assert refused(match.next_game) == "game_running"
    turned(match.game, 1)
    match.game.resign("mars")
    first = match.game
    match.next_game()
    assert match.is_crawford and refused(first.pop) == refused(first.roll) == "sealed"
    assert type(match.pop()).__name__ == "GameStarted"
    assert match.games == (first,) and match.pop().data()["event"] == "Resigned"
    assert match.score == (0, 0)
    match.game.resign("mars")
    match.next_game()
    turned(match.game, 1)
    match.game.resign(side=first.side)
    assert match.is_over and match.winner == 1 - (first.side or 0)
    assert refused(match.next_game) == "match_over"
    assert [type(event).__name__ for event in told][-3:] == ["Resigned", "Scored", "MatchWon"]
    for length in (0, -1):
        with pytest.raises(ValueError, match="length"):
            Match("long", length=length)
    with pytest.raises(TypeError, match="length"):
        Match("long", length=2.0)  # type: ignore[arg-type]


# --- playing out ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", NAMES, ids=GAMES)
def test_played_out_games_are_those_of_the_kernel(rules: Rules) -> None:
    start = Position.start(rules).row[None].repeat(60, 0)
    wanted = nardy.playouts(start, rules=rules, seed=2**64 - 1)
    for number in range(60):
        game = Game(rules, seed=2**64 - 1, number=number, starter=1)
        game.play_out()
        assert game.result is not None
        points = game.result.points if game.result.winner == 1 else -game.result.points
        assert (points, game.turn_number) == (wanted.outcomes[number], wanted.turns[number])


def test_playing_out_goes_on_from_anywhere() -> None:
    whole = Game("short", seed=3, starter=0)
    whole.play_out()
    half = Game("short", seed=3, starter=0)
    for event in whole.history[:41]:
        if isinstance(event, nardy.events.Played):
            half.push(event.play)
        else:
            half.roll()
    half.play_out()
    assert half.history == whole.history
    opened = Game("short", seed=3)
    opened.play_out()
    assert opened.is_over
    opened.pop()
    opened.play_out()
    assert opened.is_over


def test_playing_out_ends_where_nobody_can_ever_move() -> None:
    board = Position.from_points(
        {"bar": 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2},
        {"bar": 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2},
        rules="short",
    )
    game = Game("short", seed=1, starter=0, position=board)
    with pytest.raises(ValueError, match="ever move"):
        game.play_out()


def test_a_game_shows_where_it_is() -> None:
    game = Game("long", seed=7)
    assert repr(game) == "<Game long, turn 0, roll_off>"
    game.roll()
    assert repr(game) == f"<Game long, turn 1, play, side {game.side}>"
    game.play_out()
    assert repr(game) == f"<Game long, turn {game.turn_number}, over>"
