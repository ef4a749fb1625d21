"""Samples of (row, roll) pairs in chunks: each has one set of rules, one source and its own seed.

A chunk is made anew from its few numbers alone, on any process, in any order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random

import numpy as np

import nardy
from nardy import reference
from nardy.options import Rules
from proof import option_sets
from proof.boards import CONSTRUCTIONS, start
from proof.invariants import flipped, forbidden
from proof.walks import MANNERS, AfterStates, Rows, play

FIRST_TURNS = "first_turns"
ALL_FIRST_TURNS = "all_first_turns"
LONG_ENOUGH = 300
"""Turns of a game that are sampled; some manners of play would go on for ever."""


@dataclass(frozen=True)
class Chunk:
    """Some pairs of one source under one set of rules."""

    number: int
    source: str
    rules: Rules
    seed: str
    pairs: int

    @property
    def is_exhaustive(self) -> bool:
        """Whether the chunk holds every first turn under its rules; such pairs count apart."""
        return self.source == ALL_FIRST_TURNS

    @property
    def is_uniform_play(self) -> bool:
        """Whether the pairs come from uniform random play, on which many rules hardly ever bite."""
        return self.source == "random"


@lru_cache
def starter_boards(checkers: int, doubles_moves: tuple[int, ...] = (4, 2)) -> Rows:
    """List the boards before a first turn: the start, and all that the starter can leave."""
    rules = nardy.LONG.replace(checkers=checkers)
    begin = start(rules)[None]
    rows = np.repeat(begin, 21, axis=0)
    boards = {begin.tobytes()}
    for head, moves in product(option_sets.LONG_VALUES["head"], doubles_moves):
        options = rules.replace(head=head, doubles_moves=moves)
        after, _ = reference.after_states(rows, nardy.ROLLS, rules=options)
        boards |= {row.tobytes() for row in after}
    return np.array([np.frombuffer(board, np.int8) for board in sorted(boards)])


def plan(seed: int, pairs: int, each: int) -> Iterator[Chunk]:
    """Lay out every first turn of either side, then `pairs` pairs in chunks of `each`."""
    number = 0
    for rules in _first_turn_rules():
        count = 21 * len(starter_boards(rules.checkers))
        yield Chunk(number, ALL_FIRST_TURNS, rules, f"{seed}:{number}", count)
        number += 1
    for first in range(0, pairs, each):
        rng = Random(f"{seed}:{number}:plan")
        game = "long" if rng.random() < 0.7 else "short"
        rules = option_sets.draw(rng, game)
        count = min(each, pairs - first)
        yield Chunk(number, _source(rng, game), rules, f"{seed}:{number}", count)
        number += 1


def _first_turn_rules() -> Iterator[Rules]:
    """All that shapes a first turn: a block of six cannot stand there yet, nor a man at home."""
    values = option_sets.LONG_VALUES
    doubles = (frozenset({3, 4, 6}), frozenset({4, 6}))
    for head, side, faces, moves in product(values["head"], values["head_side"], doubles, (4, 2)):
        if faces == {3, 4, 6} or head in ("named", "listed"):
            yield nardy.LONG.replace(
                head=head, head_side=side, head_doubles=faces, doubles_moves=moves
            )


def _source(rng: Random, game: str) -> str:
    """Draw uniform play for a fifth, other manners of play for a quarter, else made boards."""
    kind = rng.random()
    if kind < 0.2:
        return "random"
    if kind < 0.45:
        return rng.choice([name for name in MANNERS[game] if name != "random"])
    names = [construct.__name__ for construct in CONSTRUCTIONS[game]]
    if game == "long":
        names += [FIRST_TURNS, "six_block", "joint_block", "two_blocks"]  # the hardest twice
    return rng.choice(names)


def pairs_of(chunk: Chunk, after_states: AfterStates) -> tuple[Rows, Rows]:
    """Make the rows (n, 32) and rolls (n, 2) of a chunk; games are played by `after_states`."""
    game = chunk.rules.game
    if chunk.source in (FIRST_TURNS, ALL_FIRST_TURNS):
        return _first_turns(chunk)
    if chunk.source in MANNERS[game]:
        return _from_games(chunk, after_states)
    return _constructed(chunk)


def _first_turns(chunk: Chunk) -> tuple[Rows, Rows]:
    boards = starter_boards(chunk.rules.checkers)
    rng = np.random.default_rng(list(chunk.seed.encode()))
    rows, rolls = np.repeat(boards, 21, axis=0), np.tile(nardy.ROLLS, (len(boards), 1))
    rolls = np.where(rng.random((len(rolls), 1)) < 0.5, rolls, rolls[:, ::-1])
    chosen = rng.permutation(len(rows))[: chunk.pairs]
    return rows[chosen], rolls[chosen]


def _from_games(chunk: Chunk, after_states: AfterStates) -> tuple[Rows, Rows]:
    rng = np.random.default_rng(list(chunk.seed.encode()))
    games = 2 + chunk.pairs // 40
    turns = [
        (turn.rows, turn.rolls)
        for turn in play(after_states, chunk.rules, chunk.source, games, rng, LONG_ENOUGH)
    ]
    rows, rolls = (np.concatenate(part) for part in zip(*turns, strict=True))
    chosen = rng.permutation(len(rows))[: chunk.pairs]
    return rows[chosen], _more_doubles(rolls[chosen], rng)


def _constructed(chunk: Chunk) -> tuple[Rows, Rows]:
    rng = Random(chunk.seed)
    (construct,) = (way for way in CONSTRUCTIONS[chunk.rules.game] if way.__name__ == chunk.source)
    rows = np.empty((chunk.pairs, 32), np.int8)
    for row in rows:
        row[:] = construct(rng, chunk.rules)
        while rng.random() < 0.8 and _starts_forbidden(row, chunk.rules):
            row[:] = construct(rng, chunk.rules)
    dice = np.random.default_rng(list(chunk.seed.encode()))
    rolls = dice.integers(1, 7, (chunk.pairs, 2), dtype=np.int8)
    return rows, _more_doubles(rolls, dice)


def _starts_forbidden(row: Rows, rules: Rules) -> bool:
    """Whether the side to roll already stands in a forbidden block: valid, but few will do."""
    return bool(forbidden(flipped(row[None], rules), rules)[0])


def _more_doubles(rolls: Rows, rng: np.random.Generator) -> Rows:
    """Make another eighth of the rolls doubles: most of the algorithm is about them."""
    doubled = rng.random(len(rolls)) < 0.125
    return np.where(doubled[:, None], rolls[:, :1], rolls)
