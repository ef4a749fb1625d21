"""How often the variants of the head rule and of the block of six change what is legal.

Run it with ``python examples/variants.py``. Each variant is held against the default rules on three
kinds of turns: the first one of either side (all of them), those of random games, those of games in
which both sides build blocks. A turn is changed if its set of after-states is another one.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import nardy

SEED, RANDOM_TURNS, GAMES, BUILT_TURNS = 7, 10_000, 100, 60
HEADS = "blocked_double named listed any_double_first any_double none free".split()
VARIANTS = {f"head={head}": nardy.LONG.replace(head=head) for head in HEADS}
BLOCKS = "home never strict free".split()
VARIANTS |= {f"block={block}": nardy.LONG.replace(block=block) for block in BLOCKS}
VARIANTS["block_check=turn_end"] = nardy.LONG.replace(block_check="turn_end")
START = nardy.Position.start(nardy.LONG).row[np.newaxis]
Turns = tuple[NDArray[np.int8], NDArray[np.int8]]  # rows (n, 32) and rolls (n, 2)


def first_turns() -> Turns:
    """Give the start and every board that a first roll leads to, each with all 21 rolls."""
    rows = np.concatenate([START, nardy.after_states_all_rolls(START, rules=nardy.LONG)[0]])
    return np.repeat(rows, 21, axis=0), np.tile(nardy.ROLLS, (len(rows), 1))


def building_turns(dice: np.random.Generator) -> Turns:
    """Give the turns of games in which both sides hold as much of a block of six as they can."""
    rows, seen = np.repeat(START, GAMES, axis=0), []
    for _ in range(BUILT_TURNS):
        rolls = dice.integers(1, 7, (len(rows), 2), dtype=np.int8)
        seen.append((rows, rolls))
        after, offsets = nardy.after_states(rows, rolls, rules=nardy.LONG)
        # The mover's checkers are negative for the other side, on whose way blocks lie (rules §5).
        windows = sliding_window_view(after[:, 1:25] < 0, 6, axis=1).sum(axis=2)
        held = (windows**6).sum(axis=1)  # the sixth power: one long run before many short ones
        game = np.repeat(np.arange(len(rows)), np.diff(offsets))
        best = after[np.lexsort((held, game))[offsets[1:] - 1]]
        rows = best[nardy.outcomes(best, rules=nardy.LONG) == 0]
    return np.concatenate([r for r, _ in seen]), np.concatenate([r for _, r in seen])


def legal(turns: Turns, rules: nardy.Rules) -> list[set[bytes]]:
    """Give the set of after-states of each turn."""
    after, offsets = nardy.after_states(*turns, rules=rules)
    boards = [row.tobytes() for row in after]
    return [{*boards[first:last]} for first, last in pairwise(offsets.tolist())]


if __name__ == "__main__":
    dice = np.random.default_rng(SEED)
    met = nardy.random_rows(RANDOM_TURNS, rules=nardy.LONG, seed=SEED)
    kinds = {"first": first_turns(), "random": (met, dice.integers(1, 7, (len(met), 2), np.int8))}
    kinds["building"] = building_turns(dice)
    print(f"{'turns changed by':<22}" + "".join(f"{kind:>20}" for kind in kinds))
    print(f"{'':<22}" + "".join(f"{f'of {len(rows):,}':>20}" for rows, _ in kinds.values()))
    default = {kind: legal(turns, nardy.LONG) for kind, turns in kinds.items()}
    for name, rules in VARIANTS.items():
        line = f"{name:<22}"
        for kind, turns in kinds.items():
            changed = sum(a != b for a, b in zip(legal(turns, rules), default[kind], strict=True))
            line += f"{changed:>12,}{changed / len(turns[0]):>8.2%}"
        print(line)
