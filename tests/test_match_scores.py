"""The score of a match is the sum of its games: by the hundred thousand."""

from collections import Counter
from random import Random

import pytest

import nardy

HASTY = {
    "cube_from_turn": 1,
    "cube": True,
    "beaver": True,
    "raccoon": True,
    "resign": True,
    "automatic_doubles": 2,
}
RULES = [
    nardy.SHORT.replace(**HASTY, jacoby=True),
    nardy.SHORT.replace(**HASTY, next_starter="other", clock="blitz", crawford=False),
    nardy.LONG.replace(**HASTY, next_starter="roll", checkers=5, koks="first_quarter"),
    nardy.LONG.replace(**HASTY, checkers=5, last_roll="second_player", cube_max=4),
]
LENGTHS = (None, 1, 2, 3, 5)
GAMES = 2  # of a match for money


def act(game: nardy.Game, rng: Random) -> None:
    """Do something that is possible; hasty people double, drop and resign a lot."""
    possible = game.actions
    if "push" in possible:
        if "resign" in possible and rng.random() < 0.2:
            game.resign(side=rng.randrange(2))
        else:
            game.push(rng.choice(game.plays))
    elif "roll" in possible:
        game.double() if "double" in possible and rng.random() < 0.5 else game.roll()
    else:
        getattr(game, rng.choice(sorted(possible - {"flag"})))()


def play(rules: nardy.Rules, length: int | None, seed: int) -> nardy.Match:
    rng = Random(seed)
    match = nardy.Match(rules, length=length, seed=seed)
    while True:
        while not match.game.is_over:
            act(match.game, rng)
        if match.is_over or (length is None and len(match.games) == GAMES):
            return match
        match.next_game()


def check(match: nardy.Match, length: int | None) -> None:
    won = [0, 0]
    for number, result in enumerate(match.results):
        assert length is None or max(won) < length, "the match was over before"
        if result.winner is None:
            assert result.points == 0 and result.how == "draw"
        else:
            assert result.points >= 1
            won[result.winner] += result.points
        assert (result.how == "time") <= (match.rules.clock is not None)
        assert match.games[number].result == result
    assert list(match.score) == won and sum(match.score) == sum(r.points for r in match.results)
    assert match.is_over == (length is not None and max(won) >= length)
    assert match.winner == (won.index(max(won)) if match.is_over else None)
    crawford = [game.is_crawford for game in match.games]
    wanted = length is not None and match.rules.crawford
    assert sum(crawford) <= 1 and any(crawford) <= wanted


def play_many(matches: int) -> Counter[str]:
    ends: Counter[str] = Counter()
    for seed in range(matches):
        length = LENGTHS[seed % len(LENGTHS)]
        match = play(RULES[seed % len(RULES)], length, seed)
        check(match, length)
        ends.update(result.how for result in match.results)
    return ends


def test_the_score_is_the_sum_of_the_games() -> None:
    assert {"dropped", "resigned"} <= play_many(300).keys()


@pytest.mark.slow
@pytest.mark.proof
def test_the_score_of_a_hundred_thousand_matches() -> None:
    ends = play_many(100_000)
    assert {"dropped", "resigned", "borne_off"} <= ends.keys() and ends.total() > 100_000
