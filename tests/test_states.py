"""JSON of turns, games and matches: back exactly, at any moment; damaged, refused with a word."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import nardy
from nardy import Game, InvalidState, Match, Turn
from proof.sessions import act, session

ALL = {"cube": True, "beaver": True, "raccoon": True, "resign": True, "automatic_doubles": 2}
RULES = [
    nardy.LONG,
    nardy.rules("long-fnr2026"),
    nardy.SHORT,
    nardy.SHORT.replace(**ALL, drinkgammon=True, last_roll="second_player"),
    nardy.LONG.replace(**ALL, clock=(20, 200), head="named", head_doubles={4, 6}, koks="no_home"),
]


def same_game(one: Game, other: Game) -> bool:
    """Whether two games were played alike, state by state."""
    return one._states == other._states and one._setting == other._setting


def again(thing: Any) -> Any:
    """Write and read, and see that it writes the same again."""
    text = nardy.to_json(thing)
    found = nardy.from_json(text)
    assert type(found) is type(thing) and nardy.to_json(found) == text
    return found


def in_the_middle(game: Game, rng: Random) -> None:
    """Begin the turn, checker by checker."""
    for _ in range(rng.randint(0, 4)):
        sources = game.turn.sources()
        if sources:
            origin = rng.choice(sources)
            game.turn.move(origin, rng.choice(game.turn.targets(origin)))


def round_trips(rules: nardy.Rules, seed: int, every: int) -> int:
    """Play a game and look at each of its moments, or at some; return at how many."""
    rng, looked = Random(seed), 0
    away = rng.choice([None, (1, 4), (3, 3)])
    game = Game(rules, seed=seed, number=seed % 3, away=away, is_crawford=away == (1, 4))
    while not game.is_over:
        act(game, rng)
        if rng.randrange(every) == 0:
            assert same_game(again(game), game)
            looked += 1
            if game.phase == "play" and rng.random() < 0.3:
                in_the_middle(game, rng)
                found = again(game)
                assert same_game(found, game)
                assert found.turn.steps == game.turn.steps
                assert (found.turn.row == game.turn.row).all()
                assert found.turn.sources() == game.turn.sources()
    assert same_game(again(game), game)
    return looked


@pytest.mark.parametrize("number", range(len(RULES)))
def test_games_come_back_at_moments_of_them(number: int) -> None:
    looked = sum(round_trips(RULES[number], seed, every=15) for seed in range(4))
    assert looked > 5


@pytest.mark.slow
@pytest.mark.proof
def test_games_come_back_at_every_moment_of_a_thousand() -> None:
    looked = sum(round_trips(RULES[seed % len(RULES)], seed, every=1) for seed in range(1000))
    assert looked > 50_000


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
@pytest.mark.parametrize("length", [None, 1, 5])
def test_matches_come_back_and_go_on_alike(rules: nardy.Rules, length: int | None) -> None:
    rng = Random(7)
    match = Match(rules, length=length, seed=3)
    for number, _ in enumerate(session(match, rng, games=4, ending=0.02)):
        if number % 40 == 0:
            found = again(match)
            assert found.score == match.score and found.is_crawford == match.is_crawford
    found = again(match)
    assert all(same_game(a, b) for a, b in zip(found.games, match.games, strict=True))
    for _ in range(10):
        found.pop()
        match.pop()
        assert nardy.to_json(found) == nardy.to_json(match)
    if match.game.phase in ("roll", "play", "doubled"):
        found.game.play_out()
        match.game.play_out()
        assert same_game(found.game, match.game)


def test_turns_come_back_in_the_middle() -> None:
    rng = Random(2)
    for rules in RULES:
        for row in nardy.random_rows(60, rules=rules, seed=9):
            position = nardy.Position.from_row(row, rules=rules)
            if position.is_over:
                continue
            numbering = "path" if rules.game == "long" and rng.random() < 0.5 else "distance"
            turn = Turn(position, (rng.randint(1, 6), rng.randint(1, 6)), numbering=numbering)
            while turn.sources() and rng.random() < 0.8:
                origin = rng.choice(turn.sources())
                turn.move(origin, rng.choice(turn.targets(origin)))
            found = again(turn)
            assert (found.steps, found.dice_left, str(found)) == (
                turn.steps,
                turn.dice_left,
                str(turn),
            )


def test_a_game_from_a_board_with_a_clock_of_its_own() -> None:
    board = nardy.Position.from_points({6: 3}, {6: 4}, rules="short")
    clock = nardy.Clock.bronstein(60, 5)
    game = Game("short", starter=1, position=board, clock=clock)
    game.roll("11")
    found = again(game)
    assert same_game(found, game) and found.clock == clock
    found.flag(seconds=66)
    assert again(found).result.how == "time"


def test_the_form_of_version_1_stays_readable() -> None:
    text = (
        '{"format": "nardy-match", "version": 1, "rules": {"game": "short", "options": '
        '{"beaver": true, "resign": true, "clock": "blitz"}}, "length": null, "seed": null, '
        '"clock": null, "games": [{"log": ["33", "25", ["24/22 13/8", 7.5], "double", "beaver", '
        '"drop"], "steps": []}, {"log": ["44", "24/16(2)", "double", "take", "61", '
        '["resign", 1, "mars"]], "steps": []}, {"log": ["31"], "steps": [[8, 5]]}]}'
    )
    match = nardy.from_json(text)
    assert isinstance(match, Match) and nardy.to_json(match) == text
    assert match.score == (4, 2)
    assert str(match.game.turn) == "8/5"


def test_dice_go_on_from_what_is_given() -> None:
    text = nardy.to_json(Game("short", starter=0))
    game = nardy.from_json(text, dice=nardy.ScriptedDice("61"))
    assert isinstance(game, Game)
    game.roll()
    assert game.dice == (6, 1)


# --- damaged texts --------------------------------------------------------------------------------


def texts() -> Iterator[str]:
    for number, rules in enumerate(RULES):
        rng = Random(number)
        match = Match(rules, length=5, seed=number)
        for _ in session(match, rng, games=3, ending=0.1):
            pass
        yield nardy.to_json(match)
        game = Game(rules, seed=number)
        for _ in range(9):
            act(game, rng, ending=0)
        if game.phase == "play":
            in_the_middle(game, rng)
        yield nardy.to_json(game)
        turn = Turn(nardy.Position.start(rules), "31")
        turn.move(24, 21)
        yield nardy.to_json(turn)


STRANGE: list[Any] = [
    None, True, False, 0, 1, 2, -1, 7, 2**64, 10**400, 0.5, 1e308, "", "long", "short", "66",
    "double", "take", "pass", "24/18", [], [0], [1, 2], [[24, 23]], ["flag", 0], {},
    ["resign", 1, "koks"], {"game": "long"}, {"a": {}},
]  # fmt: skip


def leaves(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place in a JSON value: what holds it, and its key there."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in [*pairs]:
        yield data, key
        if isinstance(value, dict | list):
            yield from leaves(value)


def damaged(text: str, rng: Random) -> str:
    """Change a text in one or two places: of its letters, or of its values."""
    for _ in range(rng.randint(1, 2)):
        if rng.random() < 0.4:
            at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            new = rng.choice(["", text[at:end], rng.choice('0123456789{}[]",:/-.truenul')])
            end = rng.choice([end, at, at + 1])
            text = text[:at] + new + text[end:]
            continue
        try:
            data = json.loads(text)
            places = [*leaves(data)]
        except (ValueError, TypeError, AttributeError):
            continue
        if not places:
            continue
        holder, key = rng.choice(places)
        what = rng.randrange(4)
        if what == 0:
            del holder[key]
        elif what == 1 and isinstance(holder, list):
            holder.insert(key, rng.choice([*STRANGE, holder[key]]))
        elif what == 2 and isinstance(holder, list):
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        else:
            holder[key] = rng.choice(STRANGE)
        text = json.dumps(data)
    return text


def look_at_damaged(n: int, seed: int) -> tuple[int, int]:
    """Read damaged texts; return how many were refused and how many were another valid state."""
    rng, sound = Random(seed), [*texts()]
    refused = valid = 0
    for _ in range(n):
        text = damaged(rng.choice(sound), rng)
        try:
            found = nardy.from_json(text)
        except InvalidState:
            refused += 1
        else:
            written = nardy.to_json(found)
            assert nardy.to_json(nardy.from_json(written)) == written
            valid += 1
    return refused, valid


def test_damaged_texts_are_refused_or_valid() -> None:
    refused, valid = look_at_damaged(1500, seed=1)
    assert refused > 500 and valid > 30


@pytest.mark.slow
@pytest.mark.proof
def test_a_hundred_thousand_damaged_texts() -> None:
    refused, valid = look_at_damaged(100_000, seed=2)
    assert refused > 50_000 and valid > 2000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "text must be JSON"),
        ("[" * 100_000, "text must be JSON"),
        ("[]", "format must be one of nardy-turn, nardy-game, nardy-match, not None"),
        ('{"format": ["nardy-game"]}', "format must be"),
        ('{"format": "nardy-game"}', "version None of nardy-game is not read"),
        ('{"format": "nardy-game", "version": 2}', "version 2 of nardy-game is not read"),
        ('{"format": "nardy-game", "version": true}', "version True"),
        ('{"format": "nardy-game", "version": 1.0}', "version 1.0"),
        ('{"format": "nardy-game", "version": 1}', "missing"),
        ('{"format": "nardy-game", "version": 1, "seed": NaN}', "NaN is no number"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_state_is_refused_with_a_word(text: str, words: str) -> None:
    with pytest.raises(InvalidState, match=words):
        nardy.from_json(text)


def test_fields_that_are_missing_are_told_from_those_not_known() -> None:
    text = '{"format": "nardy-turn", "version": 1, "row": [], "roll": [], "rules": {}, "x": 1}'
    with pytest.raises(InvalidState) as caught:
        nardy.from_json(text)
    assert str(caught.value) == "numbering, steps: missing; x: not known"


def test_unknown_fields_are_refused() -> None:
    data = json.loads(nardy.to_json(Game("long", starter=0)))
    with pytest.raises(InvalidState, match="colour: not known"):
        nardy.from_json(json.dumps(data | {"colour": "white"}))
    with pytest.raises(TypeError):
        nardy.from_json(b"{}")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        nardy.to_json(nardy.LONG)  # type: ignore[arg-type]
