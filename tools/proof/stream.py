"""The stream of a game: from the words of Philox 4x64-10 to rolls and choices, in plain Python.

The key is (seed, game), the counter is turn // 4, and word turn % 4 serves the turn: the dice by
its upper 32 bits, the choice by its lower ones. A word that would favour some is replaced as a
whole by the words of counter 2**63 + turn.
"""

from collections.abc import Iterator
from itertools import count

import numpy as np

import nardy
from nardy import reference
from nardy.options import Rules
from proof import invariants
from proof.walks import Rows

PASSES = 64
"""After so many passes in a row a playout looks whether anybody can ever move again."""


def block(seed: int, game: int, counter: int) -> list[int]:
    """Draw four words of Philox 4x64-10; numpy counts up once before its first block."""
    before = (counter - 1) % 2**256
    key = np.array([seed, game], np.uint64)
    return [int(word) for word in np.random.Philox(key=key, counter=before).random_raw(4)]


def replacements(seed: int, game: int, turn: int) -> Iterator[int]:
    """Yield the words that stand in for a rejected one."""
    for second in count():
        yield from block(seed, game, 2**63 + turn + (second << 64))


def choice(bits: int, among: int) -> int | None:
    """Take an index below `among` from 32 bits, or None where they would favour some."""
    product = bits * among
    return None if product % 2**32 < 2**32 % among else product >> 32


def nobody_can_ever_move(row: Rows, rules: Rules) -> bool:
    """Whether either side must pass with every roll: then the game has no end and no points."""
    sides = np.concatenate([row[None], invariants.flipped(row[None], rules)])
    after, offsets = reference.after_states(
        np.repeat(sides, 21, axis=0), np.tile(nardy.ROLLS, (2, 1)), rules=rules
    )
    seen = np.repeat(sides[::-1], 21, axis=0)
    return len(after) == 42 == len(offsets) - 1 and np.array_equal(after, seen)


def play_out(row: Rows, rules: Rules, seed: int, game: int) -> tuple[int, int, int]:
    """Play one game as documented: points of the side to roll, turns, rejected words."""
    rejected = passes = 0
    for turn in count():
        points = int(invariants.outcomes(row[None], rules)[0])
        if points or (passes == PASSES and nobody_can_ever_move(row, rules)):
            return (points if turn % 2 == 0 else -points), turn, rejected
        if turn % 4 == 0:
            words = block(seed, game, turn // 4)
        spare = replacements(seed, game, turn)
        word = words[turn % 4]
        while True:
            pair = choice(word >> 32, 36)
            if pair is not None:
                roll = np.array([[pair // 6 + 1, pair % 6 + 1]], np.int8)
                after, _ = nardy.after_states(row[None], roll, rules=rules)
                index = choice(word & (2**32 - 1), len(after))
                if index is not None:
                    break
            word = next(spare)
            rejected += 1
        passed = np.array_equal(after[index], invariants.flipped(row[None], rules)[0])
        passes = passes % PASSES + 1 if passed else 0
        row = after[index]
    raise AssertionError("a game never ends")
