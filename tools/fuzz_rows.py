"""Odd rows through every kernel function: each is refused with the named error or answered sanely.

    python tools/fuzz_rows.py --rows 1000000 --seed 1

Half of `--rows` are random bytes, half are valid boards with one to three columns, dice or options
altered; as many again are valid boards that no game reaches. Meant for a build with sanitizers
(`make sanitize`): nothing may crash, and whatever is accepted must be a board by the rules, and the
answers boards too.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from nardy import InvalidPosition
from nardy.bearoff import placement_index
from nardy.options import Rules
from proof import invariants, option_sets
from proof.boards import CONSTRUCTIONS
from proof.walks import Rows
from proof.widths import forms

BATCH = 1000
LIKELY = (-128, -16, -15, -2, -1, 0, 1, 2, 6, 14, 15, 16, 24, 25, 126, 127)
"""Numbers that lie at some edge."""

_WEIGHTS = np.random.default_rng(1)
NETWORK = {
    "table": _WEIGHTS.normal(0, 1, (808, 32)).astype(np.float32),
    "bias": _WEIGHTS.normal(0, 1, 32).astype(np.float32),
    "second": _WEIGHTS.normal(0, 1, (33, 8)).astype(np.float32),
}
"""Weights of no meaning."""

Kind = Callable[[Random, Rules, int], tuple[Rows, Rows]]


# --- the rows -------------------------------------------------------------------------------------


def random_bytes(rng: Random, rules: Rules, count: int) -> tuple[Rows, Rows]:
    """Draw any bytes at all, some rows with small numbers only, some dice with any byte."""
    rows = np.frombuffer(rng.randbytes(32 * count), np.int8).reshape(count, 32).copy()
    small = np.array([rng.random() < 0.5 for _ in range(count)])
    rows[small] %= 4
    rows[small, 28:] = 0
    rolls = np.frombuffer(rng.randbytes(2 * count), np.int8).reshape(count, 2).copy()
    rolls[::2] = rolls[::2] % 6 + 1
    return rows, rolls


def altered(rng: Random, rules: Rules, count: int) -> tuple[Rows, Rows]:
    """Change one to three columns or dice of valid boards, mostly by little."""
    rows, rolls = unreachable(rng, rules, count)
    for row, roll in zip(rows, rolls, strict=True):
        if rng.random() < 0.2:  # a man goes elsewhere, so that the counts still add up
            row[rng.randrange(28)] += 1
            row[rng.randrange(28)] -= 1
            continue
        for _ in range(rng.randint(1, 3)):
            column = rng.randrange(34)
            cells, at = (row, column) if column < 32 else (roll, column - 32)
            cells[at] = rng.choice(LIKELY) if rng.random() < 0.6 else _near(int(cells[at]), rng)
    return rows, rolls


def _near(value: int, rng: Random) -> int:
    return max(-128, min(127, value + rng.choice((-1, 1))))


def unreachable(rng: Random, rules: Rules, count: int) -> tuple[Rows, Rows]:
    """Draw valid boards of every construction, and valid dice."""
    ways = CONSTRUCTIONS[rules.game]
    rows = np.array([rng.choice(ways)(rng, rules) for _ in range(count)])
    rolls = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(count)]
    return rows, np.array(rolls, np.int8)


def other_rules(rng: Random, rules: Rules) -> Rules:
    """Take sometimes other rules than those for which the boards were made."""
    if rng.random() < 0.8:
        return rules
    return option_sets.draw(rng, rng.choice(("long", "short")))


# --- the checks -----------------------------------------------------------------------------------


def expect(holds: Any, what: str, *shown: object) -> None:
    """Stop with what went wrong; an assertion would be lost under -O."""
    if not holds:
        raise RuntimeError(": ".join([what, *map(repr, shown)]))


def check_batch(kernel: Any, rows: Rows, rolls: Rows, rules: Rules, rng: Random) -> Counter[str]:
    """Put all rows through all functions: the bad ones alone, the good ones together."""
    good_row = invariants.valid(rows, rules)
    good_roll = ((rolls >= 1) & (rolls <= 6)).all(axis=1)
    refuse_batch(kernel, rows, rolls, good_row, good_roll, rules)
    for i in np.flatnonzero(~(good_row & good_roll)):
        refuse_alone(kernel, rows[i : i + 1], rolls[i : i + 1], bool(good_row[i]), rules)
    good = good_row & good_roll
    answer(kernel, rows[good], rolls[good], rules, rng)
    return Counter({"accepted": int(good.sum()), "refused": int((~good).sum())})


def refuse_batch(
    kernel: Any, rows: Rows, rolls: Rows, good_row: Any, good_roll: Any, rules: Rules
) -> None:
    """Expect a batch with some bad rows to be refused, and the first to be named."""
    before = rows.tobytes(), rolls.tobytes()
    if not good_row.all():
        first = int(np.argmin(good_row))
        calls: Sequence[Callable[[], Any]] = (
            lambda: kernel.flip(rows, rules=rules),
            lambda: kernel.outcomes(rows, rules=rules),
            lambda: kernel.is_race(rows, rules=rules),
            lambda: kernel.find_in_table(rows, rules=rules, points=10, checkers=15),
            lambda: kernel.counts_all_rolls(rows, rules=rules),
            lambda: kernel.after_states_all_rolls(rows, rules=rules, threads=2),
            lambda: kernel.playouts(rows, rules=rules, seed=1),
            lambda: kernel.features(rows, "counts", rules=rules, threads=2),
            lambda: kernel.network_values(rows, rules=rules, **NETWORK),
        )
        for call in calls:
            named(call, InvalidPosition, "rows", first)
    both = good_row & good_roll
    if not both.all():
        first = int(np.argmin(both))
        error, name = (InvalidPosition, "rows") if not good_row[first] else (ValueError, "rolls")
        named(lambda: kernel.after_states(rows, rolls, rules=rules), error, name, None)
        named(lambda: kernel.counts(rows, rolls, rules=rules), error, name, None)
    expect((rows.tobytes(), rolls.tobytes()) == before, "inputs were changed")


def named(call: Callable[[], Any], error: type[Exception], argument: str, row: int | None) -> None:
    """Expect a call to fail with this error, which names argument and row."""
    try:
        call()
    except ValueError as caught:
        text = str(caught)
        number = re.search(r"row (\d+)", text)
        expect(number is not None, "no row is named", text)
        if row is not None:
            expect(isinstance(caught, error) and argument in text, "another error", text)
            expect(number is not None and int(number[1]) == row, "another row", text, row)
    else:
        expect(False, "accepted", argument, row)


def refuse_alone(kernel: Any, row: Rows, roll: Rows, good_row: bool, rules: Rules) -> None:
    """Expect one bad row or roll to be refused where nothing hides it."""
    error, name = (ValueError, "rolls") if good_row else (InvalidPosition, "rows")
    room = np.empty((8, 32), np.int8)
    named(lambda: kernel.after_states(row, roll, rules=rules, steps=True), error, name, 0)
    named(lambda: kernel.after_states(row, roll, rules=rules, out=room), error, name, 0)
    named(lambda: kernel.counts(row, roll, rules=rules), error, name, 0)
    if not good_row:
        named(lambda: kernel.flip(row, rules=rules), error, name, 0)
        named(lambda: kernel.outcomes(row, rules=rules), error, name, 0)
        named(lambda: kernel.is_race(row, rules=rules), error, name, 0)
        named(lambda: kernel.counts_all_rolls(row, rules=rules), error, name, 0)
        named(lambda: kernel.playouts(row, rules=rules, seed=1), error, name, 0)
        named(lambda: kernel.features(row, "tesauro", rules=rules), error, name, 0)
        named(lambda: kernel.network_values(row, rules=rules, **NETWORK), error, name, 0)
        named(lambda: kernel.perft(row[0], 2, rules=rules), error, "row", 0)


def answer(kernel: Any, rows: Rows, rolls: Rows, rules: Rules, rng: Random) -> None:
    """Expect what is accepted to be answered with boards, by all functions alike."""
    over = (rows[:, [0, 26]] == rules.checkers).any(axis=1)
    after, offsets, steps = kernel.after_states(rows, rolls, rules=rules, steps=True)
    counts = np.diff(offsets)
    expect(invariants.valid(after, rules).all(), "an after-state is no board")
    expect(((counts == 0) == over).all(), "only finished boards have no after-state")
    expect(len(steps) == len(after) == offsets[-1], "lengths")
    expect(((steps >= -1) & (steps <= 25)).all(), "steps")
    out = np.empty((len(after) + rng.choice((0, 0, 1, 9)), 32), np.int8)
    used, same = kernel.after_states(
        rows, rolls, rules=rules, out=out, threads=rng.choice((1, 1, 2, 3))
    )
    expect(np.array_equal(used, after) and np.array_equal(same, offsets), "out= differs")
    if len(after) > 1:
        room = out[: rng.randrange(len(after))]
        try:
            kernel.after_states(rows, rolls, rules=rules, out=room)
        except ValueError as caught:
            expect(str(len(after)) in str(caught), "rows needed", str(caught))
        else:
            expect(False, "too small an out= was accepted")
    expect(np.array_equal(kernel.counts(rows, rolls, rules=rules), counts), "counts differ")
    some = rows[: rng.randint(0, 60)]
    every, bounds = kernel.after_states_all_rolls(some, rules=rules)
    each = kernel.counts_all_rolls(some, rules=rules)
    expect(np.array_equal(np.diff(bounds), each.reshape(-1)), "counts of all rolls differ")
    expect(invariants.valid(every, rules).all(), "an after-state of all rolls is no board")
    seen = kernel.flip(rows, rules=rules)
    expect(np.array_equal(seen, invariants.flipped(rows, rules)), "flip differs")
    points = kernel.outcomes(rows, rules=rules)
    expect(np.array_equal(points, invariants.outcomes(rows, rules)), "outcomes differ")
    races(kernel, rows, seen, rules, rng)
    values(kernel, rows, points, rules, rng)
    played = kernel.playouts(some, rules=rules, seed=rng.getrandbits(64), first=rng.getrandbits(64))
    expect((np.abs(played.outcomes) <= 3).all() and (played.turns >= 0).all(), "playouts")
    for row in some[:2]:
        leaves = int(kernel.counts_all_rolls(row[None], rules=rules).sum())
        expect(kernel.perft(row, 1, rules=rules) == leaves, "perft differs")
    walk(kernel, rows, rolls, rules, rng, [{*map(bytes, after[a:b])} for a, b in pairwise(offsets)])


def races(kernel: Any, rows: Rows, seen: Rows, rules: Rules, rng: Random) -> None:
    """Expect both sides to see the same race and placements, and each to be that of the row."""
    size = {"points": rng.randint(1, 10), "checkers": rng.randint(1, 15)}
    race = kernel.is_race(rows, rules=rules)
    own, theirs = kernel.find_in_table(rows, rules=rules, **size)
    turned, ours = kernel.find_in_table(seen, rules=rules, **size)
    expect(np.array_equal(kernel.is_race(seen, rules=rules), race), "a race for one side alone")
    expect(np.array_equal(own, ours) and np.array_equal(theirs, turned), "sides differ")
    held = np.flatnonzero(own >= 0)
    men = np.maximum(rows[held, 1 : size["points"] + 1], 0)
    expect(race[held].all(), "a placement of no race")
    expect((men.sum(axis=1) + rows[held, 0] == rules.checkers).all(), "a placement lacks checkers")
    expect(np.array_equal(placement_index(men), own[held]), "another placement")


def values(kernel: Any, rows: Rows, points: Any, rules: Rules, rng: Random) -> None:
    """Expect chances to be chances, those of a finished game its outcome, and inputs numbers."""
    chances = kernel.network_values(rows, rules=rules, threads=rng.choice((1, 2)), **NETWORK)
    expect(((chances >= 0) & (chances <= 1)).all(), "no chances")
    over = points != 0
    worth = 2 * chances[:, 0] - 1 + chances[:, 1:3].sum(axis=1) - chances[:, 3:].sum(axis=1)
    expect(np.array_equal(worth[over], points[over]), "a finished game has another outcome")
    counts = kernel.features(rows, "counts", rules=rules, dtype=np.uint8)
    expect((counts.reshape(-1, 2, 26).sum(axis=2) == rules.checkers).all(), "counts")
    for kind in ("tesauro", "long") if rules.game == "long" else ("tesauro",):
        inputs = kernel.features(rows, kind, rules=rules)
        expect(((inputs >= 0) & (inputs <= 15)).all(), "inputs")


def walk(
    kernel: Any, rows: Rows, rolls: Rows, rules: Rules, rng: Random, ends: list[set[bytes]]
) -> None:
    """Expect random half-moves to end the turn on an after-state, and random words to mean one."""
    played = np.full((len(rows), 4), -1, np.int16)
    for step in range(5):
        masks, now = kernel.half_moves(rows, rolls, rules=rules, played=played)
        going = np.flatnonzero(masks[:, :150].any(axis=1))
        for i in going:
            played[i, step] = rng.choice(np.flatnonzero(masks[i]).tolist())
    expect(not len(going), "a turn does not end")
    for row, roll, end, last, complete in zip(
        rows, rolls.tolist(), ends, kernel.flip(now, rules=rules), masks[:, 150], strict=True
    ):
        expect(complete == bool(end), "a turn is not complete")
        expect(not end or bytes(last) in end, "half-moves end elsewhere", row.tolist(), roll)
        hops = tuple(
            (rng.randint(1, 25), rng.randint(0, 24), rng.random() < 0.1)
            for _ in range(rng.randint(0, 6))
        )
        refused, _, read = kernel.judge(bytes(row), tuple(roll), rules, (), hops, False)
        expect(refused is not None or read in end, "words mean another board", row.tolist(), hops)


# --- the command ----------------------------------------------------------------------------------


def main(words: list[str] | None = None) -> int:
    """Read the words of the command line and put that many rows through."""
    parser = argparse.ArgumentParser(description="Put odd rows through every kernel function.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    kinds: Sequence[tuple[Kind, int]] = (
        (random_bytes, options.rows // 2),
        (altered, options.rows - options.rows // 2),
        (unreachable, options.rows),
    )
    kernels = forms()
    print(f"seed {options.seed}, widths {', '.join(kernels)}", flush=True)
    began = time.monotonic()
    for kind, total in kinds:
        tally: Counter[str] = Counter()
        for number, first in enumerate(range(0, total, BATCH)):
            place = f"{options.seed}:{kind.__name__}:{number}"
            rng = Random(place)
            rules = option_sets.draw(rng, rng.choice(("long", "short")))
            rows, rolls = kind(rng, rules, min(BATCH, total - first))
            width = rng.choice(sorted(kernels))
            rules = rules if kind is unreachable else other_rules(rng, rules)
            try:
                tally += check_batch(kernels[width], rows, rolls, rules, rng)
            except Exception as error:
                print(f"at {place}, {width}, {rules!r}: {error}", file=sys.stderr)
                raise
        print(f"{kind.__name__}: {total:,} rows: {dict(tally)}", flush=True)
    print(f"{2 * options.rows:,} rows, no fault, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
