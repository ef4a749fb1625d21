"""How often each rule bit: a comparison in which it never changes anything proves nothing about it.

For every option that shapes a play, the after-states under the chosen value are compared with those
under each other value: a certificate needs each two values of each option told apart at least once.
The rules that are no option are counted where they took something away or forced something.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

import nardy
from nardy import reference
from nardy.board import BAR, OFF, OPPONENT_BAR
from nardy.options import Rules
from proof import option_sets
from proof.invariants import flipped, forbidden
from proof.walks import Offsets, Rows

Hashes = npt.NDArray[np.uint64]

COMPARED = ("head", "head_side", "block", "bearoff_overshoot", "bearoff_mandatory", "doubles_moves")
SAMPLED = 4
"""Of so many pairs one is asked whether both dice or the larger die were forced."""

WORDS = (
    "both dice forced", "larger die", "pass", "overshoot", "bear-off", "win", "mars", "koks",
    "finished", "starts forbidden", "first turn of the starter", "first turn of the second player",
    "must enter", "cannot enter", "hit", "two hits", "both on the bar", "nobody can ever move",
    "last man moves inside", "hits differ alone",
)  # fmt: skip
"""What is counted besides the options."""


def required() -> set[str]:
    """Every count that must not be 0."""
    names = set(WORDS)
    values = option_sets.LONG_VALUES
    for option in COMPARED:
        for pair in combinations(values[option], 2):
            for check in values["block_check"] if option == "block" else [""]:
                names.add(_told_apart(option, *pair, check))
    names |= {_told_apart("koks", *pair) for pair in combinations(values["koks"], 2)}
    names |= {f"block_check under {block}" for block in values["block"] if block != "free"}
    names |= {f"head_doubles under {head}" for head in ("named", "listed")}
    names |= {f"checkers {men}" for men in values["checkers"]}
    return names


def _told_apart(option: str, one: object, other: object, check: str = "") -> str:
    first, second = sorted((str(one), str(other)))
    return f"{option} {first} or {second}" + (f", {check}" if check else "")


def count(
    rows: Rows, rolls: Rows, after: Rows, offsets: Offsets, steps: Rows, rules: Rules
) -> Counter[str]:
    """Count the bites among some pairs and the kernel's answer to them."""
    found = Counter(dict(_turns(rows, after, offsets, rules)))
    found.update(dict(_half_moves(rows, rolls, offsets, steps, rules)))
    found.update(dict(_forced(rows[::SAMPLED], rolls[::SAMPLED], rules)))
    if rules.game == "long":
        found[f"checkers {rules.checkers}"] += len(rows)
        found.update(dict(_options(rows, rolls, after, offsets, rules)))
    else:
        found.update(dict(_short(rows, rolls, after, offsets)))
    return +found


def segment_hashes(after: Rows, offsets: Offsets) -> Hashes:
    """Give the set of after-states of each pair a number, whatever their order."""
    words = np.ascontiguousarray(after).view(np.uint64)
    mixed = np.zeros(len(after), np.uint64)
    for word in words.T:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    hashes: Hashes = sums[offsets[1:]] - sums[offsets[:-1]]
    return hashes


def _options(
    rows: Rows, rolls: Rows, after: Rows, offsets: Offsets, rules: Rules
) -> Iterator[tuple[str, int]]:
    """Compare with what every other value of every option would have given."""
    chosen = segment_hashes(after, offsets)

    def differ(**options: object) -> int:
        changed = nardy.after_states(rows, rolls, rules=rules.replace(**options))
        return int((segment_hashes(*changed) != chosen).sum())

    for option in COMPARED:
        value = getattr(rules, option)
        check = rules.block_check if option == "block" else ""
        for other in option_sets.LONG_VALUES[option]:
            if other != value:
                yield _told_apart(option, value, other, check), differ(**{option: other})
    other_check = "step" if rules.block_check == "turn_end" else "turn_end"
    yield f"block_check under {rules.block}", differ(block_check=other_check)
    if rules.head in ("named", "listed"):
        others = frozenset({3, 4, 6}) if rules.head_doubles != {3, 4, 6} else frozenset({4, 6})
        yield f"head_doubles under {rules.head}", differ(head_doubles=others)
    boards = np.concatenate([rows, after])
    points = nardy.outcomes(boards, rules=rules)
    for other in option_sets.LONG_VALUES["koks"]:
        if other != rules.koks:
            changed = nardy.outcomes(boards, rules=rules.replace(koks=other))
            yield _told_apart("koks", rules.koks, other), int((changed != points).sum())


def _turns(rows: Rows, after: Rows, offsets: Offsets, rules: Rules) -> Iterator[tuple[str, int]]:
    """Count what boards and results tell of themselves."""
    points = nardy.outcomes(after, rules=rules)
    for name, value in (("win", -1), ("mars", -2), ("koks", -3)):
        yield name, int((points == value).sum())
    yield "finished", int((np.diff(offsets) == 0).sum())
    yield "starts forbidden", int(forbidden(flipped(rows, rules), rules).sum())
    if rules.game == "long":
        own_full = rows[:, 24] == rules.checkers
        opponent_full = rows[:, 12] == -rules.checkers
        yield "first turn of the starter", int((own_full & opponent_full).sum())
        yield "first turn of the second player", int((own_full & ~opponent_full).sum())


def _half_moves(
    rows: Rows, rolls: Rows, offsets: Offsets, steps: Rows, rules: Rules
) -> Iterator[tuple[str, int]]:
    """Count what the plays tell: passes, bear-offs, overshoot."""
    counts = np.diff(offsets)
    source, target = steps[:, :, 0], steps[:, :, 1]
    used = source >= 0
    length = used.sum(axis=1)
    yield "pass", int((length == 0).sum())
    off = used & (target == OFF)
    yield "bear-off", int(off.any(axis=1).sum())
    dice = np.repeat(rolls, counts, axis=0)
    exact = (source == dice[:, :1]) | (source == dice[:, 1:])
    yield "overshoot", int((off & ~exact).any(axis=1).sum())
    one_left = np.repeat(rows[:, OFF] == rules.checkers - 1, counts)
    yield "last man moves inside", int((one_left & (source[:, 0] <= 6) & (target[:, 0] > 0)).sum())


def _short(rows: Rows, rolls: Rows, after: Rows, offsets: Offsets) -> Iterator[tuple[str, int]]:
    """Hits and the bar (rules 8.2)."""
    counts = np.diff(offsets)
    hits = after[:, BAR] - np.repeat(rows[:, OPPONENT_BAR], counts)
    yield "hit", int((hits > 0).sum())
    yield "two hits", int((hits > 1).sum())
    on_bar = rows[:, BAR] > 0
    yield "both on the bar", int((on_bar & (rows[:, OPPONENT_BAR] > 0)).sum())
    own, landing = rows[:, 1:25] > 0, rows[:, 1:25] > -2
    could_move, entry = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    for die in range(1, 7):
        rolled = (rolls == die).any(axis=1)
        could_move |= rolled & (own[:, die:] & landing[:, :-die]).any(axis=1)
        entry |= rolled & landing[:, 24 - die]
    yield "must enter", int((on_bar & could_move).sum())
    yield "cannot enter", int((on_bar & ~entry).sum())
    stuck = on_bar & (rows[:, OPPONENT_BAR] > 0) & ~landing[:, 18:].any(axis=1)
    yield "nobody can ever move", int((stuck & (rows[:, 1:7] > 1).all(axis=1)).sum())
    yield "hits differ alone", _hits_differ_alone(after, offsets)


def _hits_differ_alone(after: Rows, offsets: Offsets) -> int:
    """Pairs of which two after-states differ by the opponent's men alone (rules 14.15)."""
    mover = np.minimum(after, 0)
    mover[:, [26, 27]] = after[:, [26, 27]]
    begins, ends = offsets[:-1:SAMPLED].tolist(), offsets[1::SAMPLED].tolist()
    return sum(
        len(np.unique(mover[begin:end], axis=0)) < end - begin
        for begin, end in zip(begins, ends, strict=True)
    )


def _forced(rows: Rows, rolls: Rows, rules: Rules) -> Iterator[tuple[str, int]]:
    """Where maximal play takes away what could be played as well (rule 3.4)."""
    both = larger = 0
    for row, roll in zip(rows, rolls, strict=True):
        board, dice = reference.board_of(row, rules), reference.dice_of(roll, rules)
        if reference.is_over(board, rules):
            continue
        cap = reference.head_cap(board, dice, rules)
        layers = reference.unroll(board, dice, cap, rules)
        length, ends = reference.longest_ends(layers, rules)
        larger += len(reference.maximal_ends(layers, rules)) < len(ends)
        if length == 2 and dice[0] != dice[-1]:
            begins = {before for end in ends for before, _ in layers[2][end]}
            both += len(begins) < len(layers[1])
    yield "both dice forced", both
    yield "larger die", larger
