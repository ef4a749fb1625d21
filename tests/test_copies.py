"""Copies: what is done in a turn, a game or a match is not done in a copy of it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from random import Random
from typing import TypeVar

import pytest

import nardy
from nardy import Game, Match, Turn
from nardy.events import Event
from proof.sessions import session

Thing = TypeVar("Thing", Turn, Game, Match)


def unpickled(thing: Thing) -> Thing:
    found: Thing = pickle.loads(pickle.dumps(thing))
    return found


each_way = pytest.mark.parametrize("twin_of", [copy, deepcopy, unpickled])


@each_way
@pytest.mark.parametrize("game", ["long", "short"])
def test_a_turn(game: str, twin_of: Callable[[Turn], Turn]) -> None:
    turn = Turn(nardy.Position.start(game), roll=(6, 5))
    turn.move(24, 18)
    twin = twin_of(turn)
    assert (twin.steps, twin.roll, twin.numbering) == (turn.steps, turn.roll, turn.numbering)
    twin.move(18, 13)
    assert turn.steps == ((24, 18),) and twin.is_complete and not turn.is_complete
    turn.undo()
    assert twin.steps == ((24, 18), (18, 13))


@each_way
def test_a_game(twin_of: Callable[[Game], Game]) -> None:
    game = Game("short", seed=3)
    game.roll()
    game.turn.move(*game.plays[0].steps[0])
    before = nardy.to_json(game)
    twin = twin_of(game)
    assert nardy.to_json(twin) == before and twin.state == game.state
    twin.turn.undo()
    twin.push(twin.plays[-1])
    twin.roll()
    assert nardy.to_json(game) == before and len(game.history) == 1
    game.pop()
    assert len(twin.history) == 3
    twin.pop()
    assert twin.phase == "roll"


@each_way
def test_a_match(twin_of: Callable[[Match], Match]) -> None:
    match = Match(nardy.SHORT.replace(resign=True), length=5, seed=3)
    for _ in session(match, Random(1), games=3, ending=0.2):
        before = nardy.to_json(match)
        twin = twin_of(match)
        assert nardy.to_json(twin) == before and twin.score == match.score
        twin.pop()
        for _ in twin.games[:-1]:
            with pytest.raises(nardy.IllegalAction, match="a later game has begun"):
                twin.games[0].pop()
        assert nardy.to_json(match) == before != nardy.to_json(twin)
    assert len(match.games) == 3


def test_given_dice_fall_again_in_a_copy_as_they_fell() -> None:
    match = Match("short", length=3, dice=nardy.ScriptedDice("52 31 65 66"))
    match.game.roll()
    match.game.push(match.game.plays[0])
    match.game.roll()
    twin = copy(match)
    for _ in range(3):
        twin.game.pop()
    twin.game.roll()
    assert twin.game.dice == (5, 2) and match.game.dice == (3, 1)


def test_subscribers_stay_with_the_first() -> None:
    heard: list[Event] = []
    game, match = Game("short", seed=3), Match("short", length=3, seed=3)
    for thing, game_of in ((game, copy(game)), (match, copy(match).game)):
        thing.subscribe(heard.append)
        game_of.roll()
    later = copy(match)
    later.game.roll()
    assert heard == []
    own: list[Event] = []
    later.subscribe(own.append)
    later.game.push(later.game.plays[0])
    assert len(own) == 1 and heard == []


def test_the_copy_of_an_earlier_game_stands_alone() -> None:
    match = Match(nardy.LONG.replace(resign=True), length=3, seed=1)
    match.game.roll()
    match.game.resign()
    match.next_game()
    twin = copy(match.games[0])
    twin.pop()
    twin.play_out()
    assert twin.result is not None and twin.result.how == "borne_off"
    assert match.score == (match.results[0].winner == 0, match.results[0].winner == 1)


def test_what_is_asked_for_is_what_is_refused() -> None:
    game = Game("short", starter=0)
    for name in ("plays", "turn"):
        with pytest.raises(nardy.IllegalAction, match=f"^{name}: the dice of this turn have not"):
            getattr(game, name)
    game.roll("31")
    game.push("8/5 6/5")
    game.double()
    game.drop()
    with pytest.raises(nardy.IllegalAction, match=r"^play_out: "):
        game.play_out()
