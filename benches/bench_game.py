"""How long the game around the board takes: a server's push, a save, a random game.

``min / calls`` is the time of one call; every bench asserts what came out.
"""

from __future__ import annotations

from typing import Any

import pytest

import nardy

# Of the first games of seed 7 that begin with their starter: turns, and points of side 0.
GAMES = 20
PLAYED = {"long": (1905, 0), "short": (2139, -12)}


@pytest.fixture(scope="module", params=["long", "short"])
def rules(request: pytest.FixtureRequest) -> nardy.Rules:
    return nardy.rules(request.param)


def played_out(rules: nardy.Rules, number: int) -> nardy.Game:
    game = nardy.Game(rules, seed=7, number=number, starter=0)
    game.play_out()
    return game


@pytest.mark.benchmark(group="game: random games, a turn")
def bench_play_out(benchmark: Any, rules: nardy.Rules) -> None:
    games = benchmark(lambda: [played_out(rules, number) for number in range(GAMES)])
    benchmark.extra_info["calls"] = sum(game.turn_number for game in games)
    results = [game.result for game in games]
    points = sum(each.points if each.winner == 0 else -each.points for each in results)
    assert (benchmark.extra_info["calls"], points) == PLAYED[rules.game]


@pytest.mark.benchmark(group="game: push(text), with history")
def bench_push(benchmark: Any, rules: nardy.Rules) -> None:
    game = played_out(rules, 0)
    turns = [event for event in game.history if isinstance(event, nardy.events.Played)]
    texts = [event.words for event in turns]
    # As many games, each before its last action: a push that is taken back again.
    ready = []
    for number in range(len(texts)):
        early = nardy.Game(rules, seed=7, number=0, starter=0)
        for text in texts[:number]:
            early.roll()
            early.push(text)
        early.roll()
        ready.append((early, texts[number]))

    def push_all() -> int:
        for each, text in ready:
            each.push(text)
        return sum(each.pop() is not None for each, _ in ready)

    benchmark.extra_info["calls"] = len(texts)
    assert benchmark(push_all) == game.turn_number
    assert ready[-1][0].phase == "play"


@pytest.mark.benchmark(group="game: from_json, a whole game")
def bench_from_json(benchmark: Any, rules: nardy.Rules) -> None:
    game = played_out(rules, 0)
    text = nardy.to_json(game)
    again = benchmark(lambda: nardy.from_json(text))
    assert again.state == game.state


@pytest.mark.benchmark(group="game: to_json, a whole game")
def bench_to_json(benchmark: Any, rules: nardy.Rules) -> None:
    game = played_out(rules, 0)
    text = nardy.to_json(game)
    assert benchmark(lambda: nardy.to_json(game)) == text
