"""Bots and duels: choices, ties, batches, and games that a seed alone decides."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy import Bot, duel
from nardy.dice import SeededDice

Rows = NDArray[np.int8]
GAMES = ["long", "short"]


def some(game: str, n: int, seed: int = 2) -> tuple[Rows, Rows]:
    rows = np.ascontiguousarray(nardy.random_rows(20 * n, rules=game, seed=seed)[::20])
    rolls = np.random.default_rng(seed).integers(1, 7, (n, 2)).astype(np.int8)
    return rows, rolls


# --- one choice


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_the_choice_stands_first_in_the_ranking(game: str, plies: int) -> None:
    bot = Bot(nardy.Spread(game), plies=plies, candidates=(5, 3))
    rows, rolls = some(game, 12)
    for row, roll in zip(rows, rolls, strict=True):
        position = nardy.Position.from_row(row, rules=game)
        ranked, chosen = bot.rank(position, roll), bot.choose(position, roll)
        assert {play for play, *_ in ranked} == {*position.plays(roll)}
        keys = [(-plies, -equity) for _, equity, plies in ranked]
        assert keys == sorted(keys)
        best = {play for play, *key in ranked if key == [*ranked[0][1:]]}
        assert chosen in best
        assert Counter(plies for *_, plies in ranked)[plies] <= len(ranked)


def test_equity_of_a_play_is_of_the_side_that_plays() -> None:
    # One roll from the end: 2-1 takes one of two men off, and the other side needs one roll.
    position = nardy.Position.from_points({2: 1, 1: 1}, {1: 1}, rules="long")
    (won, *_) = Bot(nardy.Pips("long")).rank(position, "21")
    assert (str(won.play), won.equity) == ("2/off 1/off", 1.0)
    position = nardy.Position.from_points({6: 1, 5: 1}, {1: 1}, rules="long")
    for plies in (1, 2):
        ranked = Bot(nardy.Pips("long"), plies=plies).rank(position, "21")
        assert {equity for _, equity, deep in ranked if deep == plies} == {-1.0}


def test_ties_are_broken_by_the_seed_each_as_likely() -> None:
    position = nardy.Position.start("short")
    plays = position.plays("31")
    bots = [Bot(nardy.Uniform("short"), seed=seed) for seed in range(1600)]
    chosen = Counter(bot.choose(position, "31") for bot in bots)
    assert chosen.keys() == {*plays}
    # 16 plays, 100 of each: chi-square of 15 degrees, beyond 37.7 once in 1,000.
    assert sum((count - 100) ** 2 / 100 for count in chosen.values()) < 37.7
    assert [bot.choose(position, "31") for bot in bots[:9]] == [
        bot.choose(position, "13") for bot in bots[:9]
    ]


def test_ties_of_many_boards_are_each_as_likely() -> None:
    rows, rolls = some("long", 6000)
    after, offsets = nardy.after_states(rows, rolls, rules="long")
    running = np.diff(offsets) == 4
    rows, rolls = rows[running], rolls[running]
    after, offsets = nardy.after_states(rows, rolls, rules="long")
    chosen = Bot(nardy.Uniform("long")).choose_rows(rows, rolls)
    over = (nardy.outcomes(after, rules="long") != 0).any()
    assert not over
    same = (after.reshape(-1, 4, 32) == chosen[:, np.newaxis]).all(axis=2)
    counts = same.sum(axis=0)
    assert counts.sum() == len(rows) > 200
    assert ((counts - len(rows) / 4) ** 2 / (len(rows) / 4)).sum() < 16.3  # once in 1,000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 1])
def test_a_choice_does_not_depend_on_the_batch(game: str, plies: int) -> None:
    bot = Bot(nardy.Spread(game), plies=plies, seed=5)
    rows, rolls = some(game, 100)
    rows.flags.writeable = False
    chosen = bot.choose_rows(rows, rolls)
    back = np.ascontiguousarray(rows[::-1]), np.ascontiguousarray(rolls[::-1, ::-1])
    assert (bot.choose_rows(*back)[::-1] == chosen).all()
    for i in range(0, 100, 9):
        position = nardy.Position.from_row(rows[i], rules=game)
        assert bot.choose(position, rolls[i]).after.row.tolist() == chosen[i].tolist()
        assert (bot.choose_rows(rows[i : i + 1], rolls[i : i + 1]) == chosen[i]).all()


def test_words_choose_among_equals() -> None:
    start = np.tile(nardy.Position.start("short").row, (16, 1))
    rolls = np.full((16, 2), (3, 1), np.int8)
    words = (np.arange(16, dtype=np.uint64) << np.uint64(28)) + np.uint64(2**60)
    bot = Bot(nardy.Uniform("short"))
    after, _ = nardy.after_states(start[:1], rolls[:1], rules="short")
    assert (bot.choose_rows(start, rolls, words=words) == after).all()
    empty = np.zeros((0, 32), np.int8), np.zeros((0, 2), np.int8)
    assert bot.choose_rows(*empty).shape == (0, 32)


def test_what_a_bot_is_asked_is_checked() -> None:
    bot: Any = Bot(nardy.Pips("long"))
    start, short = nardy.Position.start("long"), nardy.Position.start("short")
    over = nardy.Position.from_points({}, {3: 2}, rules="long")
    with pytest.raises(TypeError, match="position must be a Position, not 'start'"):
        bot.choose("start", "21")
    with pytest.raises(ValueError, match=r"position has the rules .*'short'.*, but the bot plays"):
        bot.rank(short, "21")
    with pytest.raises(ValueError, match="the game is over"):
        bot.choose(over, "21")
    with pytest.raises(nardy.InvalidNotation):
        bot.choose(start, "71")
    rows = np.stack([start.row, over.row])
    rolls = np.full((2, 2), 1, np.int8)
    with pytest.raises(ValueError, match=r"rows: the game of row 1 is over \(1 points\)"):
        bot.choose_rows(rows, rolls)
    with pytest.raises(TypeError, match="words must be an array of uint64"):
        bot.choose_rows(rows[:1], rolls[:1], words=[1])
    with pytest.raises(ValueError, match=r"words must have the shape \(1,\), not \(2,\)"):
        bot.choose_rows(rows[:1], rolls[:1], words=np.zeros(2, np.uint64))
    with pytest.raises(ValueError, match="seed must be an int 0"):
        Bot(nardy.Pips("long"), seed=-1)
    with pytest.raises(ValueError, match="rules must be given"):
        Bot(lambda rows: np.zeros(len(rows)))


# --- duels


@pytest.mark.parametrize("game", GAMES)
def test_uniform_bots_play_the_games_of_playouts(game: str) -> None:
    rules = nardy.rules(game).replace(opening="reroll")
    bot = Bot(nardy.Uniform(rules))
    found = duel(bot, bot, games=1000, seed=11, first=3)
    start = np.tile(nardy.Position.start(rules).row, (1000, 1))
    games = nardy.playouts(start, rules=rules, seed=11, first=3)
    begins = np.where((3 + np.arange(1000)) % 2 == 0, 1, -1)
    # A bot sees a win at once; uniform play may pass it by for a turn or two.
    sooner = games.turns - found.turns
    assert sooner.min() == 0 and sooner.max() <= 4 and np.count_nonzero(sooner) < 10
    same = sooner == 0
    assert (found.outcomes == games.outcomes * begins)[same].all()


def test_a_game_begins_with_the_dice_of_the_roll_off() -> None:
    seen: list[Rows] = []

    class Watching(Bot):
        def choose_rows(self, rows: Rows, rolls: Rows, **more: Any) -> Rows:
            seen.append(rolls)
            return super().choose_rows(rows, rolls, **more)

    bots = [Watching(nardy.Uniform("short")) for _ in range(2)]
    duel(bots[0], bots[1], games=300, seed=4)
    opening = np.empty((300, 2), np.int8)
    opening[::2], opening[1::2] = seen[0], seen[1]
    assert (opening[:, 0] != opening[:, 1]).all()
    for game in range(300):
        dice = SeededDice(4, game)
        throws = [dice.at(throw) for throw in range(20)]
        assert tuple(opening[game]) == next(throw for throw in throws if throw[0] != throw[1])


def test_rare_words_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # One throw in a thousand million; made common, it must say what the dice of one game say.
    from nardy import chance

    monkeypatch.setattr(chance, "_UNFAIR", 2**31)
    bot = Bot(nardy.Uniform("long"))
    found = duel(bot, bot, games=4, seed=1)
    monkeypatch.undo()
    assert found.outcomes.tolist() == duel(bot, bot, games=4, seed=1).outcomes.tolist()


@pytest.mark.parametrize("plies", [0, 1])
def test_a_game_does_not_depend_on_the_others(plies: int) -> None:
    bots = Bot(nardy.Spread("long"), plies=plies), Bot(nardy.Runner("long"), seed=3)
    whole = duel(*bots, games=40, seed=8)
    parts = [duel(*bots, games=n, seed=8, first=first) for first, n in [(0, 1), (1, 26), (27, 13)]]
    assert np.concatenate([part.outcomes for part in parts]).tolist() == whole.outcomes.tolist()
    assert np.concatenate([part.turns for part in parts]).tolist() == whole.turns.tolist()
    assert duel(*bots, games=40, seed=8).outcomes.tolist() == whole.outcomes.tolist()
    assert duel(*bots, games=40, seed=9).outcomes.tolist() != whole.outcomes.tolist()


def test_more_games_than_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    from nardy import duels

    bots = Bot(nardy.Pips("long")), Bot(nardy.Uniform("long"))
    whole, told = duel(*bots, games=50, seed=8), []
    monkeypatch.setattr(duels, "_TOGETHER", 16)
    parts = duel(*bots, games=50, seed=8, progress=lambda done, total: told.append((done, total)))
    assert parts.outcomes.tolist() == whole.outcomes.tolist()
    assert told == sorted(told) and told[-1] == (50, 50)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_against_itself_is_even(game: str) -> None:
    bot = Bot(nardy.Spread(game))
    found = duel(bot, bot, games=3000, seed=6)
    low, high = found.interval(0.999)
    assert low < 0 < high
    assert found.wins.low < 0.5 < found.wins.high or abs(found.wins.share - 0.5) < 0.03


def test_simple_players_beat_the_uniform_one() -> None:
    uniform = Bot(nardy.Uniform("short"))
    assert duel(Bot(nardy.Pips("short")), uniform, games=300, seed=1).wins.low > 0.9
    assert duel(uniform, Bot(nardy.Pips("short")), games=300, seed=1).wins.high < 0.1
    spread = duel(Bot(nardy.Spread("long")), Bot(nardy.Uniform("long")), games=300, seed=1)
    assert spread.wins.low > 0.8 and spread.points > 1


def test_looking_ahead_helps() -> None:
    bots = Bot(nardy.Pips("short"), plies=1), Bot(nardy.Pips("short"))
    assert duel(*bots, games=200, seed=1).wins.low > 0.5


def test_numbers_of_a_duel() -> None:
    found = nardy.Duel(np.array([1, -2, 3, 1], np.int8), np.full(4, 90, np.int32), 0)
    assert (found.games, found.points, found.wins.share) == (4, 0.75, 0.75)
    assert found.standard_error == pytest.approx(np.std([1, -2, 3, 1], ddof=1) / 2)
    low, high = found.interval()
    assert (high - found.points, found.points - low) == pytest.approx(
        (1.959964 * found.standard_error,) * 2
    )
    alone = nardy.Duel(np.array([1], np.int8), np.array([90], np.int32), 0)
    assert alone.standard_error == float("inf") and "1 games" in str(alone)
    for level in (0, 1, 95):
        with pytest.raises(ValueError, match="level must be above 0 and below 1"):
            found.interval(level)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"other": nardy.Pips("long")}, TypeError, "other must be a Bot, not <nardy"),
        ({"other": Bot(nardy.Pips("short"))}, ValueError, "other plays by Rules.'short'.*wanted"),
        ({"rules": "long-fnr2026"}, ValueError, "bot plays by .* is wanted"),
        ({"games": 0}, ValueError, "games must be an int >= 1, not 0"),
        ({"games": 1.0}, TypeError, r"games must be an int >= 1, not 1\.0"),
        ({"seed": -1}, ValueError, "seed must be an int 0"),
        ({"first": 2**64 - 1}, ValueError, "must be an int 0"),
    ],
)
def test_what_a_duel_is_asked_is_checked(
    change: dict[str, Any], error: type[Exception], words: str
) -> None:
    bot = Bot(nardy.Pips("long"))
    asked: dict[str, Any] = {"bot": bot, "other": bot, "games": 2, "seed": 1} | change
    with pytest.raises(error, match=words):
        duel(**asked)


def test_the_last_games_of_all() -> None:
    bot = Bot(nardy.Uniform("long"))
    found = duel(bot, bot, games=2, seed=2**64 - 1, first=2**64 - 2)
    start = nardy.Position.start("long").row[np.newaxis]
    last = nardy.playouts(start, rules="long", seed=2**64 - 1, first=2**64 - 1)
    assert abs(int(last.turns[0]) - int(found.turns[1])) <= 2


@pytest.mark.skipif(os.name != "posix", reason="sends a signal as POSIX does")
@pytest.mark.parametrize("plies", [0, 2])
def test_ctrl_c_ends_a_duel(plies: int) -> None:
    seconds = []
    for _ in range(3):  # on a busy machine one of them will be undisturbed
        bots = [Bot(nardy.Spread("short"), plies=plies) for _ in range(2)]
        sent: list[float] = []

        def interrupt(sent: list[float] = sent) -> None:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Timer(0.1, interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            duel(bots[0], bots[1], games=10**6, seed=1)
        seconds.append(time.monotonic() - sent[0])
    assert min(seconds) < 0.2
