"""The end of the game and its score (docs/rules.md §7, §8.4), on both implementations."""

from typing import Any

import numpy as np
import pytest

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

# id: game, options, the loser's points in its own distances, points won
FINISHED: dict[str, tuple[str, dict[str, Any], dict[int | str, int], int]] = {
    "oin": ("long", {}, {5: 3}, 1),
    "oin, fourteen off": ("long", {}, {1: 1}, 1),
    "mars": ("long", {}, {1: 15}, 2),
    "mars, one in the first quarter": ("long", {}, {21: 1, 1: 14}, 2),
    "koks on path 4": ("long", {"koks": "first_quarter"}, {21: 1, 1: 14}, 3),
    "koks on path 1": ("long", {"koks": "first_quarter"}, {24: 1, 1: 14}, 3),
    "koks on path 6": ("long", {"koks": "first_quarter"}, {19: 1, 1: 14}, 3),
    "mars on path 7": ("long", {"koks": "first_quarter"}, {18: 1, 1: 14}, 2),
    "oin, one off and one on path 1": ("long", {"koks": "first_quarter"}, {24: 1, 1: 13}, 1),
    "koks, nobody home": ("long", {"koks": "no_home"}, {7: 15}, 3),
    "koks, nobody home, head": ("long", {"koks": "no_home"}, {24: 15}, 3),
    "mars, one home": ("long", {"koks": "no_home"}, {24: 14, 6: 1}, 2),
    "oin, one off and nobody home": ("long", {"koks": "no_home"}, {24: 14}, 1),
    "mars of five": ("long", {"checkers": 5}, {24: 5}, 2),
    "oin of five": ("long", {"checkers": 5}, {24: 4}, 1),
    "koks of five": ("long", {"checkers": 5, "koks": "first_quarter"}, {24: 1, 1: 4}, 3),
    "C9": ("short", {}, {"bar": 3, 6: 11}, 1),
    "C10": ("short", {}, {19: 1, 6: 14}, 3),
    "C10, mars": ("short", {}, {18: 1, 6: 14}, 2),
    "short koks on the bar": ("short", {}, {"bar": 1, 6: 14}, 3),
    "short koks on 24": ("short", {}, {24: 1, 6: 14}, 3),
    "short mars at home": ("short", {}, {1: 15}, 2),
    "short oin": ("short", {}, {1: 1}, 1),
    "short oin, one off and one on 24": ("short", {}, {24: 1, 6: 13}, 1),
}


@pytest.mark.parametrize("name", FINISHED)
def test_score_of_a_finished_board(
    name: str, implementation: Any, make_row: Any, make_rules: Any
) -> None:
    game, options, loser, won = FINISHED[name]
    rules = make_rules(game, **options)
    lost = make_row(loser, {}, game, rules.checkers)
    rows = np.array([lost, make_row({}, loser, game, rules.checkers)], np.int8)
    outcomes = implementation.module.outcomes(rows, rules=rules)
    assert outcomes.dtype == np.int8
    assert outcomes.tolist() == [-won, won]


@pytest.mark.parametrize("name", FINISHED)
def test_no_turn_follows_the_end(
    name: str, implementation: Any, make_row: Any, make_rules: Any
) -> None:
    game, options, loser, _ = FINISHED[name]
    rules = make_rules(game, **options)
    for row in (
        make_row(loser, {}, game, rules.checkers),
        make_row({}, loser, game, rules.checkers),
    ):
        rows = np.array([row] * len(ROLLS), np.int8)
        after, offsets = implementation.module.after_states(
            rows, np.array(ROLLS, np.int8), rules=rules
        )
        assert after.shape == (0, 32)
        assert offsets.tolist() == [0] * (len(ROLLS) + 1)
        assert implementation.perft(row, 1, rules) == 0
        assert implementation.perft(row, 0, rules) == 1


@pytest.mark.parametrize(
    ("game", "own", "opponent"),
    [
        ("long", {24: 15}, {24: 15}),
        ("long", {1: 1}, {1: 1}),
        ("short", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
        ("short", {"bar": 1}, {"bar": 1}),
    ],
)
def test_a_running_game_has_no_score(
    game: str,
    own: dict[int | str, int],
    opponent: dict[int | str, int],
    implementation: Any,
    make_row: Any,
    make_rules: Any,
) -> None:
    rules = make_rules(game)
    rows = np.array([make_row(own, opponent, game, 15)], np.int8)
    assert implementation.module.outcomes(rows, rules=rules).tolist() == [0]
    assert implementation.module.counts(
        np.repeat(rows, len(ROLLS), axis=0), np.array(ROLLS, np.int8), rules=rules
    ).all()
