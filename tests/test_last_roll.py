"""The last roll (rules 7) on any board: its plays against the reference, without a stand-in."""

from random import Random
from typing import Any

import pytest

import nardy
from nardy import reference
from proof.model_of_match import checkers, grade
from proof.option_sets import LONG_VALUES

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def second(rng: Random, rules: nardy.Rules) -> dict[int | str, int]:
    """The men of the side that has the last roll, in its distances: in runs, at home, anywhere."""
    men: dict[int | str, int] = {}
    free = [p for p in range(1, 25) if p != (24 if rules.game == "short" else 13)]
    lowest = rng.choice((1, 1, 4, 12))
    near = [p for p in free if lowest <= p < lowest + rng.choice((5, 8, 12))]
    points = rng.choice((free, near, free if rng.random() < 0.3 else near))
    on = rng.choice((1, 2, 3, 5, checkers(rules), checkers(rules)))
    for _ in range(min(on, checkers(rules))):
        point: int | str = rng.choice(points)
        if rules.game == "short" and rng.random() < 0.05:
            point = "bar"
        men[point] = men.get(point, 0) + 1
    return men


def rules_of(rng: Random, game: str) -> nardy.Rules:
    if game == "short":
        return nardy.SHORT.replace(last_roll="second_player", cube=False)
    names = ("head", "block", "block_check", "bearoff_overshoot", "bearoff_mandatory", "koks")
    options = {name: rng.choice(LONG_VALUES[name]) for name in names}
    return nardy.LONG.replace(last_roll="second_player", **options)


def boards_of(row: list[int], roll: tuple[int, int], rules: Any) -> dict[tuple[int, ...], int]:
    """All that the last roll can lead to, seen by the side that made it, and its half-moves."""
    board = reference.board_of(row, rules)
    dice = reference.dice_of(roll, rules)
    layers = reference.unroll(board, dice, reference.head_cap(board, dice, rules), rules)
    ends = reference.maximal_ends(layers, rules)
    return {tuple(reference.row_of(end.board, rules)): len(dice) - len(end.dice) for end in ends}


def own_men(row: Any) -> tuple[int, ...]:
    return tuple(max(int(n), 0) for n in row[:26])


@pytest.mark.parametrize("game", ["long", "short"])
def test_the_plays_of_the_last_roll(game: str) -> None:
    rng, done, draws = Random(8), 0, 0
    while done < 150:
        rules = rules_of(rng, game)
        try:
            position = nardy.Position.from_points({1: 1}, second(rng, rules), rules=rules)
        except nardy.InvalidPosition:
            continue  # a forbidden block to begin with
        played = nardy.Game(rules, starter=0, position=position)
        played.roll((1, 2))
        played.push(played.plays[0])
        assert played.phase == "roll" and played.side == 1
        row = [int(n) for n in played.position.row]
        done += 1
        roll = rng.choice(ROLLS)
        wanted = boards_of(row, roll, rules)
        played.roll(roll)
        if played.is_over:
            # No point for the stand-in: nobody finishes, and whatever is played scores the same.
            lost = {grade(list(own_men(end)), rules) for end in wanted}
            assert played.result is not None and lost == {played.result.points}
            continue
        found = [own_men(play.after.flip().row) for play in played.plays]
        assert len(found) == len(set(found))
        assert set(found) == {own_men(end) for end in wanted}
        played.push(rng.choice(played.plays))
        result = played.result
        assert result is not None
        if result.winner is None:
            draws += 1
            assert any(end[0] == checkers(rules) for end in wanted)
        else:
            assert result.winner == 0
            assert result.points in {grade(list(own_men(end)), rules) for end in wanted}
    assert draws > 3
