"""Uniform playouts: one stream a game, each after-state equally likely, the same on every split."""

from collections import Counter, defaultdict
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import reference
from nardy.board import BAR, OPPONENT_BAR
from nardy.options import Rules
from proof import boards, invariants, samples, stream
from proof.boards import make_row
from proof.walks import Rows
from proof.widths import forms

OTHER_LONG = nardy.LONG.replace(head="any_double", block="strict", koks="first_quarter")
SETS = [nardy.LONG, OTHER_LONG, nardy.LONG.replace(checkers=6, doubles_moves=2), nardy.SHORT]
SEEDS = [0, 7, 2**64 - 1]


@pytest.fixture(params=SETS, ids=["long", "other", "six", "short"])
def rules(request: pytest.FixtureRequest) -> Rules:
    chosen: Rules = request.param
    return chosen


@pytest.fixture(params=sorted(forms()))
def kernel(request: pytest.FixtureRequest) -> Any:
    return forms()[request.param]


@cache
def some_rows(rules: Rules) -> Rows:
    """Starts, boards from the middle of games, and made ones."""
    made = ["bear_off", "off_too_soon", "finished", "last_men"]
    chunks = [samples.Chunk(0, source, rules, "playouts", 150) for source in ("random", *made)]
    parts = [samples.pairs_of(chunk, nardy.after_states)[0] for chunk in chunks]
    return np.concatenate([np.tile(boards.start(rules), (400, 1)), *parts])


def both(result: Any) -> tuple[bytes, bytes]:
    return result.outcomes.tobytes(), result.turns.tobytes()


# --- one stream a game ----------------------------------------------------------------------------


def test_results_have_the_promised_kind(rules: Rules, kernel: Any) -> None:
    rows = some_rows(rules)
    played = kernel.playouts(rows, rules=rules, seed=1)
    assert played.outcomes.dtype == np.int8 and played.outcomes.shape == (len(rows),)
    assert played.turns.dtype == np.int32 and played.turns.shape == (len(rows),)


@pytest.mark.parametrize("seed", SEEDS)
def test_threads_and_widths_change_nothing(rules: Rules, kernel: Any, seed: int) -> None:
    rows = np.tile(some_rows(rules), (4, 1))
    once = both(nardy.playouts(rows, rules=rules, seed=seed))
    for threads in (1, 2, 3):
        assert both(kernel.playouts(rows, rules=rules, seed=seed, threads=threads)) == once


@pytest.mark.parametrize("first", [0, 5, 2**63 - 300])
def test_any_chunking_gives_the_same_games(rules: Rules, kernel: Any, first: int) -> None:
    rows = some_rows(rules)
    whole = kernel.playouts(rows, rules=rules, seed=7, first=first)
    for cuts in ([1, 2, 500], [300], list(range(0, len(rows), 97))):
        parts = [
            kernel.playouts(part, rules=rules, seed=7, first=first + begin, threads=2)
            for begin, part in zip([0, *cuts], np.split(rows, cuts), strict=True)
        ]
        assert b"".join(part.outcomes.tobytes() for part in parts) == whole.outcomes.tobytes()
        assert b"".join(part.turns.tobytes() for part in parts) == whole.turns.tobytes()


def test_one_game_alone_is_the_same_game(rules: Rules) -> None:
    rows = some_rows(rules)
    whole = nardy.playouts(rows, rules=rules, seed=7)
    for i in range(len(rows)):
        alone = nardy.playouts(rows[i : i + 1], rules=rules, seed=7, first=i)
        assert (alone.outcomes[0], alone.turns[0]) == (whole.outcomes[i], whole.turns[i])


def test_seed_and_game_number_choose_the_game(rules: Rules) -> None:
    rows = np.tile(boards.start(rules), (300, 1))
    one, other = (nardy.playouts(rows, rules=rules, seed=seed) for seed in (1, 2))
    assert both(one) != both(other)
    assert len(np.unique(one.turns)) > 10, "the games of one seed differ"


def test_a_finished_row_is_scored_at_once(rules: Rules, kernel: Any) -> None:
    rows = some_rows(rules)
    played = kernel.playouts(rows, rules=rules, seed=7)
    points = invariants.outcomes(rows, rules)
    over = points != 0
    assert over.any() and not over.all()
    assert np.array_equal(played.outcomes[over], points[over])
    assert not played.turns[over].any()
    assert played.turns[~over].min() >= 1


# --- the documented mapping from words to plays, in plain Python ----------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_games_are_those_of_the_documented_words(rules: Rules, kernel: Any, seed: int) -> None:
    rows = some_rows(rules)[::9].copy()
    first = 2**40
    played = kernel.playouts(rows, rules=rules, seed=seed, first=first)
    for i, row in enumerate(rows):
        points, turns, _ = stream.play_out(row, rules, seed, first + i)
        assert (points, turns) == (played.outcomes[i], played.turns[i])


def test_a_game_in_which_nobody_can_ever_move_ends_without_points(kernel: Any) -> None:
    game_rules, rng = nardy.SHORT, Random(3)
    made = [boards.closed_bars(rng, game_rules) for _ in range(400)]
    rows = np.array([row for row in made if row[BAR] and row[OPPONENT_BAR]])
    played = kernel.playouts(rows, rules=game_rules, seed=7, threads=2)
    assert len(rows) > 100 and not played.outcomes.any()
    for i, row in enumerate(rows[:20]):
        assert stream.play_out(row, game_rules, 7, i)[:2] == (0, played.turns[i])


def test_long_waiting_is_no_end(kernel: Any) -> None:
    # Each side enters by one number alone, so passes come in dozens, but never for ever.
    own = {BAR: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 6}
    opponent = {OPPONENT_BAR: 1, 20: 6, 21: 2, 22: 2, 23: 2, 24: 2}
    rows = np.tile(make_row(own, opponent, nardy.SHORT), (20_000, 1))
    assert kernel.playouts(rows, rules=nardy.SHORT, seed=7, threads=2).outcomes.all()


# Found by search: a word in a thousand million is rejected for the dice, few more for a choice.
REJECTED_DICE = [275443753, 2033960158, 1488163065, 1517191748]  # seed 11, at turns 0, 1, 2, 3
REJECTED_CHOICE = [1754620548, 2089830580, 2226194904]  # seed 11, at turn 0 of short nardy


@pytest.mark.parametrize(
    ("games", "game_rules"),
    [
        (REJECTED_DICE, nardy.LONG),
        (REJECTED_DICE, nardy.SHORT),
        (REJECTED_CHOICE, nardy.SHORT),
    ],
    ids=["dice in long", "dice in short", "choice"],
)
def test_a_rejected_word_is_replaced_as_documented(
    games: list[int], game_rules: Rules, kernel: Any
) -> None:
    row = boards.start(game_rules)
    for game in games:
        points, turns, rejected = stream.play_out(row, game_rules, 11, game)
        assert rejected == 1
        played = kernel.playouts(row[None], rules=game_rules, seed=11, first=game)
        assert (played.outcomes[0], played.turns[0]) == (points, turns)


# --- each after-state is equally likely -----------------------------------------------------------

LATE = 99
ENDINGS = {
    "long race": (nardy.LONG, {6: 1, 4: 1, 2: 1}, {15: 1, 18: 1}, 20),
    "long race, any overshoot": (
        nardy.LONG.replace(bearoff_overshoot="any", doubles_moves=2),
        {5: 1, 3: 2},
        {14: 1, 17: 1},
        20,
    ),
    "long, coming home": (nardy.LONG, {7: 1, 3: 1, 2: 1}, {13: 2, 14: 1}, 20),
    "short race": (nardy.SHORT, {6: 1, 3: 1, 2: 1}, {19: 1, 22: 1}, 20),
    "short, hits": (nardy.SHORT, {6: 1, 2: 1}, {24: 1, 1: 1}, 4),
    "short, a man on the bar": (nardy.SHORT, {BAR: 1}, {24: 1, 23: 1, 22: 1}, 4),
}
"""Name -> rules, own men, the opponent's by column, turns after which a game counts as late."""


@cache
def law(row: tuple[int, ...], rules: Rules, turns: int) -> dict[tuple[int, int], float]:
    """Chances of (points of the side to roll, turns), by the reference alone."""
    array = np.array([row], np.int8)
    points = int(reference.outcomes(array, rules=rules)[0])
    if points:
        return {(points, 0): 1.0}
    if turns == 0:
        return {(0, LATE): 1.0}
    chances: dict[tuple[int, int], float] = defaultdict(float)
    for roll, weight in zip(nardy.ROLLS, nardy.ROLL_WEIGHTS.tolist(), strict=True):
        after, _ = reference.after_states(array, roll[None], rules=rules)
        each = weight / 36 / len(after)
        for board in after.tolist():
            for (result, more), chance in law(tuple(board), rules, turns - 1).items():
                chances[-result, min(more + 1, LATE)] += each * chance
    return dict(chances)


def standard_deviations(chi_square: float, freedom: int) -> float:
    """How far a chi-square lies from its mean (Wilson and Hilferty)."""
    wide = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - wide)) / sqrt(wide))


@pytest.mark.parametrize("name", ENDINGS)
def test_each_after_state_is_equally_likely(name: str) -> None:
    game_rules, own, opponent, turns = ENDINGS[name]
    row = make_row(own, opponent, game_rules)
    wanted = law(tuple(row.tolist()), game_rules, turns)
    assert abs(sum(wanted.values()) - 1) < 1e-9
    games = 400_000
    played = nardy.playouts(np.tile(row, (games, 1)), rules=game_rules, seed=5, threads=2)
    late = played.turns > turns
    results = zip(
        np.where(late, 0, played.outcomes).tolist(),
        np.where(late, LATE, played.turns).tolist(),
        strict=True,
    )
    seen = Counter(results)
    assert seen.keys() <= wanted.keys()
    cells = [(seen[cell], chance * games) for cell, chance in wanted.items()]
    rare = [(found, mean) for found, mean in cells if mean < 10]
    common = [(found, mean) for found, mean in cells if mean >= 10]
    if rare:
        common.append((sum(found for found, _ in rare), sum(mean for _, mean in rare)))
    assert len(common) > 2
    chi_square = sum((found - mean) ** 2 / mean for found, mean in common)
    assert abs(standard_deviations(chi_square, len(common) - 1)) < 4


def test_dice_are_fair_and_the_roll_is_independent_of_the_choice() -> None:
    # The mapping above is what the kernel plays; here it is held to be fair by itself.
    rolls, picks = Counter[object](), Counter[object]()
    words = [word for game in range(5000) for word in stream.block(9, game, 0)]
    for word in words:
        pair, pick = stream.choice(word >> 32, 36), stream.choice(word & (2**32 - 1), 7)
        assert pair is not None and pick is not None
        rolls[pair] += 1
        picks[pair % 6, pick] += 1
    for tally, cells in ((rolls, 36), (picks, 42)):
        mean = len(words) / cells
        chi_square = sum((found - mean) ** 2 / mean for found in tally.values())
        assert len(tally) == cells and abs(standard_deviations(chi_square, cells - 1)) < 4


def test_all_words_of_a_choice_are_accepted_equally_often() -> None:
    # A small twin of the 32-bit mapping: with 8 bits every count can be listed.
    for among in range(1, 60):
        accepted = Counter(
            bits * among >> 8 for bits in range(256) if bits * among % 256 >= 256 % among
        )
        assert set(accepted.values()) == {256 // among} and len(accepted) == among
