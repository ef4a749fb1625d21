"""What a careless or malicious client sends to a server: texts, pickles, values, late actions."""

from __future__ import annotations

import json
import math
import pickle
import time
from random import Random
from typing import Any

import pytest

import nardy
from proof.mangle import mangled

RULES = {
    "money": nardy.SHORT.replace(
        beaver=True, raccoon=True, jacoby=True, resign=True, clock="blitz", drinkgammon=True,
        automatic_doubles=2, opening="reroll",
    ),
    "long": nardy.LONG.replace(
        cube=True, resign=True, checkers=5, last_roll="second_player", clock=(5.0, 10.0)
    ),
    "plain": nardy.LONG,
}  # fmt: skip


def go_on(game: nardy.Game, rng: Random) -> None:
    """Do one random thing that is possible."""
    name = rng.choice(sorted(game.actions - {"flag", "resign"}))
    match name:
        case "roll" | "roll_off":
            getattr(game, name)((rng.randint(1, 6), rng.randint(1, 6)))
        case "push":
            game.push(
                rng.choice(game.plays), seconds=rng.choice((None, 2.5)) if game.clock else None
            )
        case _:
            getattr(game, name)()


def played(rules: nardy.Rules, rng: Random, actions: int) -> nardy.Match:
    """Play a match that is somewhere in its middle, maybe in the middle of a turn."""
    match = nardy.Match(rules, length=rng.choice((None, 3)), seed=rng.choice((None, 5)))
    for _ in range(actions):
        if match.game.is_over:
            if match.is_over:
                break
            match.next_game()
        go_on(match.game, rng)
        if match.game.phase == "play" and rng.random() < 0.3:
            for source in match.game.turn.sources()[:1]:
                match.game.turn.move(source, match.game.turn.targets(source)[0])
    return match


def samples() -> list[str]:
    """Texts of matches, games and turns, short and long ones."""
    texts = []
    for number, rules in enumerate(RULES.values()):
        for actions in (0, 3, 12, 40):
            match = played(rules, Random(10 * number + actions), actions)
            texts += [nardy.to_json(match), nardy.to_json(match.game)]
            if match.game.phase == "play":
                texts.append(nardy.to_json(match.game.turn))
    return texts


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values say the same: 1 and 1.0 do, 1 and True do not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def is_sound(thing: Any, rng: Random) -> None:
    """A state that was accepted: written and read alike, and it can be played on."""
    text = nardy.to_json(thing)
    assert nardy.to_json(nardy.from_json(text)) == text
    if isinstance(thing, nardy.Turn):
        thing.sources(), thing.forced(), str(thing)
        return
    assert pickle.loads(pickle.dumps(thing)) is not thing
    game = thing.game if isinstance(thing, nardy.Match) else thing
    json.dumps([event.data() for event in game.events])
    if game.clock is not None:
        assert all(math.isfinite(left) and left >= 0 for left in game.clock.left)
    assert game.cube.value & (game.cube.value - 1) == 0
    for _ in range(4):
        if game.actions - {"flag", "resign"}:
            go_on(game, rng)
    while game.history:
        game.pop()


def mutations(seed: int, count: int) -> tuple[int, list[str]]:
    """Read mutated texts: how many were accepted, and those that said something else before."""
    rng, texts, accepted = Random(seed), samples(), 0
    misread, longest, worst = [], 0.0, 0
    for _ in range(count):
        text = mangled(rng.choice(texts), rng)
        started = time.thread_time()
        try:
            thing = nardy.from_json(text)
        except nardy.InvalidState as error:
            worst = max(worst, len(str(error)))
            continue
        finally:
            longest = max(longest, time.thread_time() - started)
        accepted += 1
        is_sound(nardy.from_json(text), rng)
        if not said_the_same(text, nardy.to_json(thing)):
            misread.append(text)
    assert longest < 2 and worst < 2_000, "seconds to read one, characters to refuse it"
    return accepted, misread


def said_the_same(text: str, written: str) -> bool:
    """Whether a text said what was made of it, but for the wording of plays, rolls and options."""
    one, other = json.loads(text), json.loads(written)
    # A null stands for what the rules say.
    reworded = {"log", "steps", "games", "rules", "roll", *(k for k in one if one[k] is None)}
    return one.keys() == other.keys() and all(
        same(one[key], other[key]) for key in one.keys() - reworded
    )


def test_mutated_texts_are_refused_or_another_state() -> None:
    accepted, misread = mutations(1, 3_000)
    assert accepted > 50 and misread == []


@pytest.mark.slow
@pytest.mark.proof
def test_a_hundred_thousand_mutated_texts() -> None:
    accepted, misread = mutations(2, 100_000)
    assert accepted > 1_000 and misread == []


HOSTILE = {
    "deep lists": "[" * 1_000_000,
    "deep objects": '{"a":' * 1_000_000,
    "long number": '{"format": "nardy-game", "version": ' + "9" * 100_000 + "}",
    "not finite": '{"format": "nardy-game", "version": NaN}',
    "twice": '{"format": "nardy-game", "format": "nardy-match", "version": 1}',
    "lone surrogate": '{"format": "\\ud800", "version": 1}',
    "list for a name": '{"format": ["nardy-game"], "version": 1}',
    "object for a name": '{"format": {}, "version": 1}',
    "true for one": '{"format": "nardy-game", "version": true}',
    "huge text": '{"format": "' + "x" * 1_000_000 + '"}',
    "zero byte": "\x00",
    "byte order mark": "\ufeff{}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_refused_shortly(name: str) -> None:
    started = time.thread_time()
    with pytest.raises(nardy.InvalidState) as caught:
        nardy.from_json(HOSTILE[name])
    assert time.thread_time() - started < 2
    assert len(str(caught.value)) < 2_000


@pytest.mark.parametrize("value", [None, 5, b"{}", bytearray(b"{}"), {}, ["{}"], nardy.LONG])
def test_what_is_no_text_is_no_state(value: Any) -> None:
    with pytest.raises(TypeError):
        nardy.from_json(value)


@pytest.mark.parametrize(
    "value", [None, 5, "x", nardy.LONG, nardy.Position.start("long"), object()]
)
def test_what_is_no_state_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError):
        nardy.to_json(value)


def test_a_key_that_is_written_twice_is_refused() -> None:
    text = nardy.to_json(nardy.Match("long", length=3))
    with pytest.raises(nardy.InvalidState):
        nardy.from_json(text.replace('"length": 3', '"length": 5, "length": 3'))


# --- values


@pytest.mark.parametrize("length", [0, -1, 1.0, "3", True, [], float("nan")])
def test_lengths_of_matches(length: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="length"):
        nardy.Match("short", length=length)


def test_a_match_may_be_of_any_length() -> None:
    match = nardy.Match("short", length=10**30, seed=1)
    match.game.roll()
    again = nardy.from_json(nardy.to_json(match))
    assert isinstance(again, nardy.Match) and again.length == 10**30


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, b"1", 10**400])
def test_seeds(seed: Any) -> None:
    for make in (
        lambda: nardy.Match("short", length=1, seed=seed),
        lambda: nardy.Game("short", seed=seed),
        lambda: nardy.Game("short", seed=1, number=seed),
    ):
        with pytest.raises((TypeError, ValueError)):
            make()


@pytest.mark.parametrize(
    "named",
    [
        {"starter": 2},
        {"starter": True},
        {"starter": "0"},
        {"position": "start"},
        {"position": nardy.Position.start("long")},
        {"position": nardy.Position.from_points({}, {6: 1}, rules="short")},
        {"clock": "blitz"},
        {"clock": (1, 2)},
        {"away": (0, 1)},
        {"away": (1,)},
        {"away": 3},
        {"away": (1.5, 2)},
        {"away": (True, 2)},
        {"is_crawford": 1},
        {"dice": 5},
        {"dice": nardy.ScriptedDice("65"), "seed": 1},
    ],
)
def test_games_that_cannot_begin(named: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        nardy.Game("short", **named)


class Loaded:
    """Dice of someone else's making."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def throw(self) -> Any:
        return self.value


@pytest.mark.parametrize("value", [None, (0, 7), (1,), "x", 5, (1.5, 2), ((1, 2), 3), (10**40, 1)])
def test_dice_that_are_none(value: Any) -> None:
    game = nardy.Game("short", dice=Loaded(value), starter=0)
    with pytest.raises((TypeError, ValueError)):
        game.roll()
    assert game.phase == "roll" and game.history == ()


@pytest.mark.parametrize("number", [-1, 2**64, 10**5_000], ids=["below", "above", "huge"])
@pytest.mark.parametrize("seed", [None, 1])
def test_a_number_that_no_game_has(number: int, seed: int | None) -> None:
    with pytest.raises(ValueError, match="number must be an int 0 "):
        nardy.Game("short", seed=seed, number=number)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("cube_max", lambda huge: nardy.SHORT.replace(cube_max=huge)),
        ("cube_from_turn", lambda huge: nardy.SHORT.replace(cube_from_turn=huge)),
        ("length", lambda huge: nardy.Match("short", length=huge)),
        ("away", lambda huge: nardy.Game("short", away=(huge, 1))),
        ("each die", lambda huge: nardy.Game("short").roll((huge, 1))),
        ("side", lambda huge: nardy.Clock.of("blitz").after(huge, 1)),
    ],
)
def test_an_int_too_long_to_be_written_is_named(name: str, call: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}.* not one of 20001 bits"):
        call(2**20_000)


def test_a_roll_off_that_ties_for_ever() -> None:
    game = nardy.Game("short", dice=Loaded((3, 3)))
    with pytest.raises(ValueError, match="dice: 1000 ties in a row"):
        game.roll()
    # What was thrown stays thrown, as where a script ends in the roll-off.
    assert game.phase == "roll_off" and len(game.history) == 1_000
    game.roll((5, 2))
    assert (game.starter, game.dice) == (0, (5, 2))


def test_many_ties_are_no_error() -> None:
    with nardy.ScriptedDice("33 " * 999 + "25") as dice:
        game = nardy.Game("short", dice=dice)
        game.roll()
    assert game.starter == 1


def test_a_cube_may_grow_far() -> None:
    game = nardy.Game(nardy.SHORT.replace(automatic_doubles=1_000), seed=1)
    for _ in range(1_500):
        game.roll_off((1, 1))
    assert game.cube.value == 2**1_000
    again = nardy.from_json(nardy.to_json(game))
    assert isinstance(again, nardy.Game) and again.state == game.state
    assert repr(game) and repr(game.state) and [event.data() for event in game.events]


# --- after the end, and across games


def ended() -> nardy.Match:
    match = nardy.Match(RULES["money"], length=1, seed=3)
    match.game.roll()
    match.game.resign()
    return match


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("roll", ()), ("roll", ((1, 2),)), ("roll_off", ((1, 2),)), ("push", ("24/18",)),
        ("double", ()), ("take", ()), ("drop", ()), ("beaver", ()), ("raccoon", ()),
        ("resign", ()), ("flag", ()),
    ],
)  # fmt: skip
def test_nothing_can_be_done_after_the_end(name: str, args: tuple[Any, ...]) -> None:
    match = ended()
    text = nardy.to_json(match)
    with pytest.raises(nardy.IllegalAction) as caught:
        getattr(match.game, name)(*args)
    assert caught.value.reason == "game_over" and nardy.to_json(match) == text
    assert match.game.actions == frozenset()


def test_no_game_follows_the_end() -> None:
    match = ended()
    with pytest.raises(nardy.IllegalAction) as caught:
        match.next_game()
    assert caught.value.reason == "match_over" and len(match.games) == 1


def test_an_earlier_game_is_sealed() -> None:
    match = nardy.Match(nardy.SHORT.replace(resign=True), length=3, seed=3)
    match.game.roll()
    match.game.resign()
    first = match.game
    match.next_game()
    score = match.score
    with pytest.raises(nardy.IllegalAction) as caught:
        first.pop()
    assert caught.value.reason == "sealed" and match.score == score


def test_a_turn_of_another_game_is_not_played() -> None:
    one, other = (nardy.Game("short", starter=0) for _ in range(2))
    one.roll((3, 1))
    other.roll((6, 5))
    turn = other.turn
    turn.move(24, 18)
    turn.move(18, 13)
    for play in (turn, other.plays[0]):
        with pytest.raises(ValueError):
            one.push(play)
    assert len(one.history) == 1


def test_an_old_turn_is_not_played_again() -> None:
    game = nardy.Game("short", starter=0)
    game.roll((6, 5))
    turn = game.turn
    turn.move(24, 18)
    turn.move(18, 13)
    game.push(turn)
    game.roll((6, 5))
    game.push("24/13")
    game.roll((4, 3))
    with pytest.raises(ValueError):
        game.push(turn)
    assert len(game.history) == 5


# --- pickles


def test_pickles_go_through_the_same_checks() -> None:
    for rules in RULES.values():
        match = played(rules, Random(4), 30)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            for thing in (match, match.game):
                again = pickle.loads(pickle.dumps(thing, protocol))
                assert type(again) is type(thing)
                assert nardy.to_json(again) == nardy.to_json(thing)
        again = pickle.loads(pickle.dumps(match))
        assert again.game.events == match.game.events and again.score == match.score


def test_damaged_pickles_of_a_state_do_no_harm() -> None:
    data = pickle.dumps(played(RULES["money"], Random(4), 12))
    place = data.find(b"nardy-match")
    if place >= 0:
        with pytest.raises(nardy.InvalidState):
            pickle.loads(data.replace(b"nardy-match", b"nardy-catch"))


def test_errors_are_pickled() -> None:
    with pytest.raises(nardy.IllegalAction) as caught:
        nardy.Game("short").take()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason) == (str(caught.value), caught.value.reason)


# --- listeners


def test_a_listener_that_fails_does_not_undo_what_happened() -> None:
    def fails(event: object) -> None:
        raise RuntimeError("broken pipe")

    game = nardy.Game("short", starter=0)
    game.subscribe(fails)
    with pytest.raises(RuntimeError):
        game.roll((6, 5))
    assert game.phase == "play"


@pytest.mark.parametrize("listener", [None, 5, "print"])
def test_what_cannot_listen(listener: Any) -> None:
    for thing in (nardy.Game("short"), nardy.Match("short", length=1)):
        with pytest.raises(TypeError):
            thing.subscribe(listener)
