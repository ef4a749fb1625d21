"""`half_moves`: what a turn allows next, against all plays that the reference lists."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import nardy
import wordings
from nardy import reference
from nardy.options import Rules

END_OF_TURN = 150
Action = int


def action(source: int, die: int) -> Action:
    return 25 * (die - 1) + source - 1


class Tree:
    """All legal half-moves of a turn, die by die: from which state which action leads where."""

    def __init__(self, row: Sequence[int], roll: Sequence[int], rules: Rules) -> None:
        board = reference.board_of(row, rules)
        layers, self.ends = reference.turn(board, roll, rules)
        self.start = reference.State(board, reference.dice_of(roll, rules))
        self.next: dict[reference.State, dict[Action, reference.State]] = {}
        boards = {end.board for end in self.ends}
        # Rules 3.5: a win with fewer dice, or with the smaller one, on the same board.
        won = {
            s for layer in layers for s in layer if s.board in boards and not any(s.board.own[1:])
        }
        alive = {*self.ends, *won}
        for layer in layers[:0:-1]:
            for state in alive.intersection(layer):
                for before, (source, target) in layer[state]:
                    for die in {*before.dice}:
                        fits = reference.without(before.dice, die) == state.dice
                        if fits and max(source - die, 0) == target:
                            self.next.setdefault(before, {})[action(source, die)] = state
                            alive.add(before)

    def actions(self, state: reference.State) -> set[Action]:
        """What the mask holds; the end of the turn once no play goes on."""
        if not self.ends:
            return set()
        return {*self.next.get(state, {})} or {END_OF_TURN}


def walk(rng: Random, tree: Tree) -> tuple[list[Action], reference.State]:
    """Play some half-moves on the way to a legal play."""
    state, played = tree.start, []
    while state in tree.next and rng.random() < 0.75:
        chosen = rng.choice(sorted(tree.next[state]))
        played.append(chosen)
        state = tree.next[state][chosen]
    return played, state


def padded(played: Sequence[Action]) -> list[int]:
    return [*played, *[-1] * (4 - len(played))]


def ask(row: Any, roll: Any, rules: Rules, played: Sequence[Action] | None) -> tuple[set[int], Any]:
    masks, rows = nardy.half_moves(
        np.array([row], np.int8),
        np.array([roll], np.int8),
        rules=rules,
        played=None if played is None else np.array([padded(played)], np.int16),
    )
    assert masks.dtype == bool and masks.shape == (1, 151)
    assert rows.dtype == np.int8 and rows.shape == (1, 32)
    return {*np.flatnonzero(masks[0]).tolist()}, tuple(rows[0].tolist())


def test_the_ids_are_listed() -> None:
    assert nardy.HALF_MOVES.shape == (150, 2) and nardy.HALF_MOVES.dtype == np.int8
    for number, (source, die) in enumerate(nardy.HALF_MOVES.tolist()):
        assert number == action(source, die)
        assert 1 <= source <= 25 and 1 <= die <= 6
    with pytest.raises(ValueError):
        nardy.HALF_MOVES[0, 0] = 1


@pytest.mark.parametrize("game", wordings.GAMES)
def test_masks_hold_what_some_legal_play_goes_on_with(game: str) -> None:
    rng = Random(5)
    for number in range(150):
        row, roll, rules = wordings.draw_position(game, 21, number)
        tree = Tree(row, roll, rules)
        assert ask(row, roll, rules, None) == (tree.actions(tree.start), tuple(row))
        for _ in range(6):
            played, state = walk(rng, tree)
            mask, seen = ask(row, roll, rules, played)
            assert mask == tree.actions(state), (row, roll, rules, played)
            assert seen == reference.row_of(state.board, rules), (row, roll, rules, played)


@pytest.mark.parametrize("game", wordings.GAMES)
def test_the_tree_lists_the_plays_of_the_reference(game: str) -> None:
    for number in range(30):
        row, roll, rules = wordings.draw_position(game, 22, number)
        tree = Tree(row, roll, rules)

        def plays_from(state: reference.State, tree: Tree = tree) -> set[reference.Play]:
            if state not in tree.next:
                return {()}
            return {
                ((act % 25 + 1, max(act % 25 + 1 - act // 25 - 1, 0)), *rest)
                for act, after in tree.next[state].items()
                for rest in plays_from(after)
            }

        listed = reference.plays(row, roll, rules=rules)
        if listed:
            whole = {way for ways in listed.values() for way in ways}
            more = plays_from(tree.start) - whole
            assert plays_from(tree.start) >= whole
            assert all(reference.play_fault(row, roll, way, rules=rules) is None for way in more)


def test_rows_are_independent() -> None:
    rules, rng = (
        nardy.LONG.replace(block="strict", block_check="turn_end", head="any_double"),
        Random(3),
    )
    rows = nardy.random_rows(60, rules=rules, seed=4)
    rolls = np.array([[rng.randint(1, 6), rng.randint(1, 6)] for _ in rows], np.int8)
    played = []
    for row, roll in zip(rows.tolist(), rolls.tolist(), strict=True):
        played.append(padded(walk(rng, Tree(row, roll, rules))[0]))
    masks, now = nardy.half_moves(rows, rolls, rules=rules, played=np.array(played, np.int16))
    for i, row in enumerate(rows):
        single, seen = nardy.half_moves(
            row[None],
            rolls[i : i + 1, ::-1].copy(),
            rules=rules,
            played=np.array(played[i : i + 1], np.int16),
        )
        assert np.array_equal(masks[i], single[0]) and np.array_equal(now[i], seen[0])
    none = nardy.half_moves(rows[:0], rolls[:0], rules=rules)
    assert none[0].shape == (0, 151) and none[1].shape == (0, 32)


# --- what is refused


def start(rules: Rules, n: int = 3) -> tuple[Any, Any]:
    return np.repeat(nardy.Position.start(rules).row[None], n, axis=0), np.array(
        [[6, 5]] * n, np.int8
    )


@pytest.mark.parametrize(
    ("prefix", "why"),
    [
        ([action(24, 4)], "not rolled"),
        ([action(23, 6)], "nobody there"),
        ([action(24, 6), action(24, 5)], "head"),
        ([action(24, 6), action(18, 6)], "die used"),
        ([action(24, 6), action(18, 5), action(13, 6)], "the turn is over"),
        ([150], "no half-move"),
        ([-2], "no half-move"),
        ([151], "no half-move"),
    ],
)
def test_an_illegal_prefix_names_its_row(prefix: list[int], why: str) -> None:
    rows, rolls = start(nardy.LONG)
    played = np.full((3, 4), -1, np.int16)
    played[0, :2] = action(24, 6), action(18, 5)
    played[1, : len(prefix)] = prefix
    with pytest.raises(ValueError, match=r"\b1\b"):
        nardy.half_moves(rows, rolls, rules=nardy.LONG, played=played)


def test_a_dead_end_is_an_illegal_prefix() -> None:
    # The hand-made case "both dice: the right checker": 22/18 leaves no 6.
    position = nardy.Position.from_points({22: 1, 18: 1, 1: 13}, {24: 14, 4: 1}, rules="long")
    rolls = np.array([[6, 4]], np.int8)
    masks, _ = nardy.half_moves(position.row[None], rolls, rules=nardy.LONG)
    assert np.flatnonzero(masks[0]).tolist() == [action(18, 4)]
    with pytest.raises(ValueError, match="row 0"):
        nardy.half_moves(
            position.row[None],
            rolls,
            rules=nardy.LONG,
            played=np.array([[action(22, 4), -1, -1, -1]], np.int16),
        )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows", np.zeros((3, 32), np.int16)),
        ("rows", [[0] * 32]),
        ("rolls", np.full((3, 2), 1, np.int64)),
        ("rolls", None),
        ("played", np.full((3, 4), -1, np.int8)),
        ("played", np.full((3, 4), -1, np.int64)),
        ("played", [[-1] * 4] * 3),
    ],
)
def test_a_wrong_kind_is_a_type_error(name: str, value: Any) -> None:
    rows, rolls = start(nardy.LONG)
    given = {"rows": rows, "rolls": rolls, "played": np.full((3, 4), -1, np.int16)} | {name: value}
    with pytest.raises(TypeError, match=name):
        nardy.half_moves(given["rows"], given["rolls"], rules=nardy.LONG, played=given["played"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows", np.zeros((3, 31), np.int8)),
        ("rows", np.zeros(32, np.int8)),
        ("rolls", np.full((2, 2), 1, np.int8)),
        ("rolls", np.full((3, 2), 7, np.int8)),
        ("played", np.full((2, 4), -1, np.int16)),
        ("played", np.full((3, 3), -1, np.int16)),
        ("played", np.full((3, 4), -1, np.int16).T.copy().T),
    ],
)
def test_a_wrong_value_is_a_value_error(name: str, value: Any) -> None:
    rows, rolls = start(nardy.LONG)
    given = {"rows": rows, "rolls": rolls, "played": np.full((3, 4), -1, np.int16)} | {name: value}
    with pytest.raises(ValueError, match=name):
        nardy.half_moves(given["rows"], given["rolls"], rules=nardy.LONG, played=given["played"])


def test_a_bad_row_is_named() -> None:
    rows, rolls = start(nardy.LONG)
    rows[2, 24] = 14
    with pytest.raises(nardy.InvalidPosition, match="row 2"):
        nardy.half_moves(rows, rolls, rules=nardy.LONG)
