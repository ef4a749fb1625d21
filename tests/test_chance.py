"""Chance of many games side by side, held against the dice of one game."""

from __future__ import annotations

import numpy as np
import pytest

import nardy
from nardy import chance, nardy_core
from nardy.chance import Chances

LAST = 2**64 - 1


@pytest.mark.parametrize("seed", [0, 7, LAST])
@pytest.mark.parametrize(("first", "games"), [(0, 3), (2**63 - 1, 3), (LAST - 1, 2)])
@pytest.mark.parametrize("turn", [0, 1, 126, 2**33 + 3])
def test_words_are_those_of_each_game(seed: int, first: int, games: int, turn: int) -> None:
    words = nardy_core.game_words(games, 9, seed=seed, first=first, turn=turn)
    assert words.shape == (games, 9) and words.dtype == np.uint64
    for game, line in enumerate(words.tolist()):
        # NumPy counts up once before its first block.
        drawn = np.random.Philox(
            key=np.array([seed, first + game], np.uint64), counter=(turn // 4 - 1) % 2**256
        ).random_raw(12)
        assert line == drawn[turn % 4 :][:9].tolist()


def test_words_are_those_that_dice_of_a_game_come_from() -> None:
    words = nardy_core.game_words(40, 300, seed=5, first=2)
    for game in (0, 17, 39):
        dice = nardy.SeededDice(5, 2 + game)
        assert words[game].tolist() == [dice.word(turn) for turn in range(300)]


def test_no_words() -> None:
    assert nardy_core.game_words(0, 4, seed=1).shape == (0, 4)
    assert nardy_core.game_words(4, 0, seed=1).shape == (4, 0)


def test_long_games_are_drawn_in_pieces() -> None:
    words = nardy_core.game_words(2, 10_000, seed=3)
    again = np.concatenate(
        [nardy_core.game_words(2, 2_500, seed=3, turn=turn) for turn in range(0, 10_000, 2_500)],
        axis=1,
    )
    assert np.array_equal(words, again)


def test_games_throw_their_own_dice_wherever_they_stand() -> None:
    draw = np.random.default_rng(1)
    chances, stands = Chances(9, 2**63, 20), [0] * 20
    assert len(chances) == 20
    for _ in range(300):
        games = np.flatnonzero(draw.random(20) < 0.7)
        dice, words = chances.throw(games)
        for game, thrown, word in zip(games.tolist(), dice.tolist(), words.tolist(), strict=True):
            own = nardy.SeededDice(9, 2**63 + game)
            assert tuple(thrown) == own.at(stands[game]) and word == own.word(stands[game])
            stands[game] += 1


def test_rare_words_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # Once in 10**9 throws; made common, it must go the way of the dice of one game.
    monkeypatch.setattr(chance, "_UNFAIR", 2**32)
    asked = []

    def at(_: nardy.SeededDice, turn: int) -> tuple[int, int]:
        asked.append(turn)
        return 1, 6

    monkeypatch.setattr(nardy.SeededDice, "at", at)
    dice, _ = Chances(1, 0, 3).throw(np.array([0, 2]))
    assert dice.tolist() == [[1, 6], [1, 6]] and asked == [0, 0]


def test_doubles_are_passed_over() -> None:
    chances = Chances(4, 0, 100)
    chances.pass_over_doubles()
    dice, _ = chances.throw(np.arange(100))
    assert (dice[:, 0] != dice[:, 1]).all()
    for game in range(100):
        own, turn = nardy.SeededDice(4, game), 0
        while own.at(turn)[0] == own.at(turn)[1]:
            turn += 1
        assert tuple(dice[game].tolist()) == own.at(turn)


def test_throws_are_all_of_two_dice() -> None:
    assert sorted(map(tuple, chance.THROWS.tolist())) == [
        (one, other) for one in range(1, 7) for other in range(1, 7)
    ]
    assert not chance.THROWS.flags.writeable
