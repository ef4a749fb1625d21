"""Each option around the board changes what it should, where it should, and nothing before that.

Two matches are driven by the same random choices, one with the option changed. The first moment at
which they differ has to be one that the option speaks of; and there have to be such moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from random import Random
from typing import Any, NamedTuple

import pytest

import nardy
from nardy import Cube, Match
from nardy.phases import State
from proof.sessions import session

EVERYTHING = {
    "cube": True,
    "beaver": True,
    "raccoon": True,
    "automatic_doubles": 1,
    "resign": True,
    "clock": (20.0, 300.0),
}
SEEDS = 80


class Moment(NamedTuple):
    """What a match shows after an action, and what may be done next."""

    action: str
    state: State
    actions: frozenset[str]
    score: tuple[int, int]
    is_crawford: bool
    drinks: tuple[int, int]
    games: int


def moments(rules: nardy.Rules, length: int | None, seed: int) -> Iterator[Moment]:
    rng = Random(seed)
    match = Match(rules, length=length, seed=seed)

    def moment(action: str) -> Moment:
        game = match.game
        # The rules are in the boards; they differ by what is tested.
        board = nardy.Position.from_row_unchecked(game.position.row, rules=rules.game)
        state = game.state._replace(position=board, event=None)
        drinks = game.drinks if action == "push" and rules.game == "short" else (0, 0)
        return Moment(
            action, state, game.actions, match.score, match.is_crawford, drinks, len(match.games)
        )

    yield moment("")
    for action in session(match, rng, games=6, ending=0.02):
        yield moment(action)


def first_difference(
    one: nardy.Rules, other: nardy.Rules, length: int | None, seed: int
) -> tuple[Moment | None, Moment | None, Moment | None]:
    """Return the last moment that is equal, and the two that follow and differ; Nones if none."""
    before = None
    for a, b in zip_longest(moments(one, length, seed), moments(other, length, seed)):
        if a != b:
            return before, a, b
        before = a
    return None, None, None


def word_is_new(word: str) -> Callable[..., bool]:
    """Only what may be done differs, by this word."""
    return lambda before, a, b: (
        a.actions ^ b.actions == {word} and a._replace(actions=b.actions) == b
    )


def doubling(before: Moment | None, a: Moment, b: Moment) -> bool:
    return word_is_new("double")(before, a, b)


def roll_off_won(before: Moment | None, a: Moment, b: Moment) -> bool:
    """The roll-off was just decided, with the same starter."""
    assert before is not None
    was = before.state.phase == "roll_off" and a.action == b.action == "roll_off"
    return was and a.state.starter == b.state.starter is not None


def game_begun(before: Moment | None, a: Moment, b: Moment) -> bool:
    return a.action == b.action == "next_game" and a.score == b.score


def tied(before: Moment | None, a: Moment, b: Moment) -> bool:
    """A tie of the roll-off; only the stake differs."""
    assert before is not None
    same = a._replace(state=a.state._replace(cube=Cube())) == b._replace(
        state=b.state._replace(cube=Cube())
    )
    return a.state.phase == "roll_off" and a.state.ties == before.state.ties + 1 and same


def ended_without_a_turned_cube(before: Moment | None, a: Moment, b: Moment) -> bool:
    """Mars or koks; only the points differ."""
    one, other = a.state.result, b.state.result
    assert one is not None and other is not None
    untouched = not a.state.cube.is_turned and a.state.cube == b.state.cube
    return untouched and one.kind == other.kind != "oin" and one.winner == other.winner


def owner_only(before: Moment | None, a: Moment, b: Moment) -> bool:
    values = a.state.cube.value == b.state.cube.value
    return a.action == b.action == "raccoon" and values and a.state.cube != b.state.cube


def starter_off(before: Moment | None, a: Moment, b: Moment) -> bool:
    """The starter has borne off all: one match has ended its game, the other has not."""
    phases = {a.state.phase, b.state.phase}
    return a.action == b.action == "push" and phases == {"over", "roll"}


def crawford(before: Moment | None, a: Moment, b: Moment) -> bool:
    """The first game in which a side needs one point."""
    return game_begun(before, a, b) and {a.is_crawford, b.is_crawford} == {True, False}


def drunk(before: Moment | None, a: Moment, b: Moment) -> bool:
    return a._replace(drinks=b.drinks) == b and a.action == "push"


def timed(before: Moment | None, a: Moment, b: Moment) -> bool:
    """From the beginning: there is a clock in one of them."""
    return before is None and a.state._replace(clock=None) == b.state._replace(clock=None)


MONEY, MATCH = None, 5
CASES: list[tuple[str, str, Any, Any, int | None, Callable[..., bool]]] = [
    ("opening", "long", "reroll", "use_rolloff", MONEY, roll_off_won),
    ("opening", "short", "reroll", "use_rolloff", MATCH, roll_off_won),
    ("next_starter", "long", "winner", "other", MONEY, game_begun),
    ("next_starter", "short", "winner", "roll", MATCH, game_begun),
    ("next_starter", "short", "other", "roll", MONEY, game_begun),
    ("cube", "long", False, True, MONEY, doubling),
    ("cube", "short", False, True, MATCH, doubling),
    ("cube_from_turn", "long", 2, 1, MONEY, doubling),
    ("cube_from_turn", "short", 2, 9, MATCH, doubling),
    ("cube_max", "long", None, 1, MATCH, doubling),
    ("cube_max", "short", None, 4, MATCH, doubling),
    ("beaver", "short", False, True, MONEY, word_is_new("beaver")),
    ("beaver", "long", False, True, MONEY, word_is_new("beaver")),
    ("raccoon", "short", False, True, MONEY, word_is_new("raccoon")),
    ("raccoon_owner", "short", "raccooner", "beaverer", MONEY, owner_only),
    ("jacoby", "short", False, True, MONEY, ended_without_a_turned_cube),
    ("jacoby", "long", False, True, MONEY, ended_without_a_turned_cube),
    ("crawford", "short", True, False, MATCH, crawford),
    ("crawford", "long", True, False, MATCH, crawford),
    ("automatic_doubles", "short", 0, 1, MONEY, tied),
    ("automatic_doubles", "short", 1, 2, MONEY, tied),
    ("last_roll", "long", "none", "second_player", MONEY, starter_off),
    ("last_roll", "short", "second_player", "openspiel", MONEY, starter_off),
    ("resign", "long", False, True, MATCH, word_is_new("resign")),
    ("resign", "short", False, True, MONEY, word_is_new("resign")),
    ("clock", "short", None, "blitz", MATCH, timed),
    ("drinkgammon", "short", False, True, MONEY, drunk),
    ("drink_doubles", "short", False, True, MONEY, drunk),
]
SILENT: list[tuple[str, str, Any, Any, int | None, dict[str, Any]]] = [
    ("jacoby", "short", False, True, MATCH, {}),
    ("beaver", "short", False, True, MATCH, {}),
    ("raccoon", "short", False, True, MATCH, {}),
    ("raccoon", "short", False, True, MONEY, {"beaver": False}),
    ("raccoon_owner", "short", "raccooner", "beaverer", MONEY, {"raccoon": False}),
    ("automatic_doubles", "short", 0, 3, MATCH, {}),
    ("crawford", "short", True, False, MONEY, {}),
    ("crawford", "long", True, False, MONEY, {}),
    ("beaver", "long", False, True, MONEY, {"cube": False}),
    ("cube_from_turn", "long", 2, 1, MONEY, {"cube": False}),
    ("cube_max", "long", None, 2, MONEY, {"cube": False}),
    ("drink_doubles", "short", False, True, MONEY, {"drinkgammon": False}),
]


def both_rules(
    name: str, game: str, one: Any, other: Any, also: dict[str, Any]
) -> tuple[nardy.Rules, nardy.Rules]:
    base = nardy.rules(game).replace(**EVERYTHING)
    # What gives the option its occasions.
    if name == "drink_doubles":
        base = base.replace(drinkgammon=True)
    if name == "automatic_doubles":
        base = base.replace(next_starter="roll")
    if name == "last_roll":
        base = base.replace(resign=False, clock=None)
    base = base.replace(**also)
    return base.replace(**{name: one}), base.replace(**{name: other})


@pytest.mark.parametrize(
    ("name", "game", "one", "other", "length", "is_meant"), CASES, ids=lambda value: str(value)[:12]
)
def test_the_first_difference_is_what_the_option_says(
    name: str, game: str, one: Any, other: Any, length: int | None, is_meant: Callable[..., bool]
) -> None:
    first, second = both_rules(name, game, one, other, {})
    found = 0
    for seed in range(SEEDS):
        before, a, b = first_difference(first, second, length, seed)
        if a is not None or b is not None:
            assert a is not None and b is not None and is_meant(before, a, b), (seed, before, a, b)
            found += 1
        if found == 5:
            return
    assert found


@pytest.mark.parametrize(
    ("name", "game", "one", "other", "length", "also"), SILENT, ids=lambda value: str(value)[:12]
)
def test_an_option_without_effect_has_none(
    name: str, game: str, one: Any, other: Any, length: int | None, also: dict[str, Any]
) -> None:
    first, second = both_rules(name, game, one, other, also)
    for seed in range(8):
        assert first_difference(first, second, length, seed) == (None, None, None)


def test_every_option_around_the_board_is_tried() -> None:
    around = "opening next_starter cube cube_from_turn cube_max beaver raccoon raccoon_owner jacoby"
    around += " crawford automatic_doubles last_roll resign clock drinkgammon drink_doubles"
    assert {case[0] for case in CASES} == {*around.split()}
