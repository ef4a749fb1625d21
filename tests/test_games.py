"""Whole random games under every preset: what holds at every turn, and how they end."""

import numpy as np
import pytest

import nardy
from nardy import reference
from nardy.options import Rules
from proof import games, invariants, walks
from proof.boards import HEAD, start

GAMES = 10_000
SEED = 4


@pytest.mark.slow
@pytest.mark.parametrize("preset", nardy.PRESETS)
def test_random_games_keep_every_invariant_and_end(preset: str) -> None:
    rules = nardy.rules(preset)
    # Every board of every turn is checked; a game without an end within 10,000 turns is an error.
    walked = games.walk(rules, GAMES, [SEED])
    played = games.playouts(rules, GAMES, SEED, threads=2)
    assert walked.games == played.games == GAMES
    assert max(walked.longest, played.longest) <= games.MOST_TURNS
    assert games.differ(walked, played) is None


@pytest.mark.parametrize(
    "rules",
    [
        nardy.LONG.replace(block="strict", head="free"),
        nardy.LONG.replace(block="never", block_check="turn_end", head="any_double"),
        nardy.LONG.replace(checkers=5, doubles_moves=2, bearoff_overshoot="exact", koks="no_home"),
        nardy.LONG.replace(block="home", bearoff_mandatory=True, koks="first_quarter"),
    ],
    ids=repr,
)
def test_random_games_end_under_other_options(rules: Rules) -> None:
    walked = games.walk(rules, 500, [SEED])
    assert games.differ(walked, games.playouts(rules, 500, SEED)) is None


@pytest.mark.parametrize("block", ["ahead", "home", "never", "strict"])
@pytest.mark.parametrize("manner", ["starter_builds", "both_build"])
def test_no_turn_leaves_a_forbidden_block(block: str, manner: str) -> None:
    for check in ("step", "turn_end"):
        rules = nardy.LONG.replace(block=block, block_check=check)
        rng = np.random.default_rng(SEED)
        blocks = 0
        for number, turn in enumerate(walks.play(nardy.after_states, rules, manner, 150, rng, 300)):
            seen = invariants.flipped(turn.chosen, rules)
            assert not invariants.forbidden(turn.chosen, rules).any()
            assert not invariants.forbidden(seen, rules).any()
            strict = rules.replace(block="strict")
            blocks += int(invariants.forbidden(turn.chosen, strict).sum())
            for i in range(number % 7, len(seen), 40):
                assert not reference.is_forbidden(turn.chosen[i], rules=rules)
                assert not reference.is_forbidden(seen[i], rules=rules)
        if block in ("ahead", "home"):
            assert blocks > 0, "nobody ever built a block that is allowed"


def test_a_forbidden_block_is_seen_as_by_the_reference() -> None:
    builders = np.random.default_rng(SEED)
    free = nardy.LONG.replace(block="free")
    boards = np.concatenate(
        [
            turn.chosen
            for turn in walks.play(nardy.after_states, free, "starter_builds", 60, builders, 300)
        ]
    )
    for block in ("ahead", "home", "never", "strict", "free"):
        rules = nardy.LONG.replace(block=block)
        flags = invariants.forbidden(boards, rules)
        sample = np.concatenate([np.flatnonzero(flags)[:300], np.flatnonzero(~flags)[:300]])
        seen = invariants.flipped(boards[sample], rules)
        law = [reference.is_forbidden(row, rules=rules) for row in seen]
        assert law == flags[sample].tolist()
        assert flags.any() == (block != "free")


def test_no_man_returns_to_the_head() -> None:
    rng = np.random.default_rng(SEED)
    for turn in walks.play(nardy.after_states, nardy.LONG, "random", 500, rng, 300):
        left = invariants.flipped(turn.chosen, nardy.LONG)
        assert (left[:, HEAD] <= turn.rows[:, HEAD]).all()


def test_whoever_begins_can_always_move() -> None:
    # Lemma of rules 4: the starter's first turn is never a pass, under any head value.
    rows = np.repeat(start(nardy.LONG)[None], 21, axis=0)
    for head in ("blocked", "named", "listed", "none", "any_double", "any_double_first", "free"):
        after, offsets = nardy.after_states(rows, nardy.ROLLS, rules=nardy.LONG.replace(head=head))
        assert not (after[offsets[:-1]] == nardy.flip(rows, rules=nardy.LONG)).all(axis=1).any()
