"""All ways to ask the kernel the same: in each width, with plays or not, counted, for all rolls."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import nardy
from nardy.options import Rules
from proof.stream import play_out
from proof.walks import Offsets, Rows
from proof.widths import forms

SEED = 7
GAMES_REPLAYED = 2
EVERY = 10
"""Of so many rows one is asked about with all 21 rolls, and played out."""


def differ(
    rows: Rows, rolls: Rows, after: Rows, offsets: Offsets, steps: Rows, rules: Rules
) -> Iterator[str]:
    """Say which ways of asking differ from after-states with their plays, in the width in use."""
    some = np.ascontiguousarray(rows[::EVERY])
    pairs = np.repeat(some, 21, axis=0), np.tile(nardy.ROLLS, (len(some), 1))
    each = nardy.after_states(*pairs, rules=rules, steps=True)
    lengths = np.diff(each[1])
    played = nardy.playouts(some, rules=rules, seed=SEED)
    for width, kernel in forms().items():
        answers = {
            "plays": (
                kernel.after_states(rows, rolls, rules=rules, steps=True),
                (after, offsets, steps),
            ),
            "after_states": (kernel.after_states(rows, rolls, rules=rules), (after, offsets)),
            "counts": ((kernel.counts(rows, rolls, rules=rules),), (np.diff(offsets),)),
            "all rolls": (kernel.after_states_all_rolls(some, rules=rules), each[:2]),
            "plays of all rolls": (
                kernel.after_states_all_rolls(some, rules=rules, steps=True),
                each,
            ),
            "counts of all rolls": (
                (kernel.counts_all_rolls(some, rules=rules).reshape(-1),),
                (lengths,),
            ),
            "playouts": (kernel.playouts(some, rules=rules, seed=SEED), played),
        }
        for name, (found, wanted) in answers.items():
            if not _same(found, wanted):
                yield f"{name} under width {width}"
        if int(kernel.perft(rows[0], 1, rules=rules)) != int(lengths[:21].sum()):
            yield f"perft under width {width}"
    for i, row in enumerate(some[:GAMES_REPLAYED]):
        points, turns, _ = play_out(row, rules, SEED, i)
        if (points, turns) != (played.outcomes[i], played.turns[i]):
            yield f"playout of row {EVERY * i}"


def _same(found: tuple[Any, ...], wanted: tuple[Any, ...]) -> bool:
    return len(found) == len(wanted) and all(map(np.array_equal, found, wanted))
