"""Kernel against reference, pair by pair: the proof that both say what the law says."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

import nardy
from nardy import reference
from nardy.options import Rules
from proof import bites, invariants, ways
from proof.replay import replay
from proof.samples import Chunk, pairs_of
from proof.walks import Rows

SHOWN = 5
"""How many disagreements of a chunk are kept in full."""


@dataclass
class Report:
    """What came of one chunk."""

    pairs: int
    after_states: int
    uniform_play: int
    """Pairs that came from uniform random play."""
    disagreements: int
    shown: list[str] = field(default_factory=list)
    bites: Counter[str] = field(default_factory=Counter)


def check_chunk(chunk: Chunk) -> Report:
    """Compare all pairs of a chunk and count the rules that bit."""
    rules = chunk.rules
    rows, rolls = pairs_of(chunk, nardy.after_states)
    after, offsets, steps = nardy.after_states(rows, rolls, rules=rules, steps=True)
    answer = rows, rolls, after, offsets, steps
    found = list(_disagreements(*answer, rules))
    found += _scores_differ(rows, after, rules)
    found += [f"{way} differ under {rules!r}" for way in ways.differ(*answer, rules)]
    return Report(
        pairs=len(rows),
        after_states=len(after),
        uniform_play=len(rows) if chunk.is_uniform_play else 0,
        disagreements=len(found),
        shown=[f"chunk {chunk.number} ({chunk.source}): {text}" for text in islice(found, SHOWN)],
        bites=bites.count(*answer, rules),
    )


def disagreement(row: Rows, roll: Rows, after: Rows, steps: Rows, rules: Rules) -> str | None:
    """Say how the kernel's answer for one pair differs from the law, or None if it is right."""
    layers, ends = reference.turn(reference.board_of(row.tolist(), rules), roll.tolist(), rules)
    law: dict[tuple[int, ...], list[reference.State]] = {}
    for end in ends:
        law.setdefault(reference.handed_over(end.board, rules), []).append(end)
    listed = [tuple(board) for board in after.tolist()]
    if len(set(listed)) != len(listed):
        return "an after-state is listed twice"
    missing, extra = law.keys() - set(listed), set(listed) - law.keys()
    if missing or extra:
        boards = [f"missing {list(board)}" for board in islice(sorted(missing), 3)]
        boards += [f"too much {list(board)}" for board in islice(sorted(extra), 3)]
        return f"{len(missing)} missing, {len(extra)} too many: " + "; ".join(boards)
    for board, play in zip(listed, map(_as_play, steps.tolist()), strict=True):
        if not any(_is_way(layers, end, play) for end in law[board]):
            plays = reference.plays(row.tolist(), roll.tolist(), rules=rules)[board]
            return f"the play {play} of {list(board)} is none of the law's {plays[:5]}"
        if replay(row.tolist(), roll.tolist(), play, rules) != board:
            return f"the play {play} does not lead to {list(board)}"
    return None


def _is_way(layers: list[reference.Layer], state: reference.State, play: reference.Play) -> bool:
    """Whether the play is one of the law's ways to the state, found from its last half-move back.

    The same as asking whether `reference.plays` lists it, without listing the thousands of orders
    that a double can have.
    """
    if not play:
        return state in layers[0]
    return len(play) < len(layers) and any(
        step == play[-1] and _is_way(layers, before, play[:-1])
        for before, step in layers[len(play)].get(state, [])
    )


def _as_play(steps: list[list[int]]) -> tuple[tuple[int, int], ...]:
    """Leave out the unused places of a play, which must all stand behind the half-moves."""
    play = tuple((source, target) for source, target in steps if (source, target) != (-1, -1))
    if any(place != [-1, -1] for place in steps[len(play) :]):
        return ((-1, -1), *play)
    return play


def _disagreements(
    rows: Rows, rolls: Rows, after: Rows, offsets: Any, steps: Rows, rules: Rules
) -> Iterator[str]:
    for i, (row, roll) in enumerate(zip(rows, rolls, strict=True)):
        segment = slice(offsets[i], offsets[i + 1])
        try:
            fault = disagreement(row, roll, after[segment], steps[segment], rules)
        except AssertionError as error:
            fault = f"a play cannot be replayed: {error}"
        if fault:
            yield describe(row, roll, rules, fault)


def _scores_differ(rows: Rows, after: Rows, rules: Rules) -> Iterable[str]:
    """Compare the points of finished boards, among the rows and among their after-states."""
    boards = np.concatenate([rows, after])
    kernel = nardy.outcomes(boards, rules=rules)
    law = invariants.outcomes(boards, rules)
    wrong = np.flatnonzero(kernel != law)
    return [
        describe(boards[i], np.array([1, 1], np.int8), rules, f"scored {kernel[i]}, not {law[i]}")
        for i in wrong
    ]


def describe(row: Rows, roll: Rows, rules: Rules, fault: str) -> str:
    """Tell a disagreement in full: what is wrong, the board, and how to replay it alone."""
    board = nardy.Position.from_row_unchecked(row, rules=rules)
    cells = ",".join(map(str, row.tolist()))
    first, second = roll.tolist()
    return (
        f"{fault}\n{board}\n  roll {first}-{second}, {rules!r}\n"
        f'  python tools/certify.py --row="{cells}" --roll={first},{second} --rules="{rules!r}"'
    )
