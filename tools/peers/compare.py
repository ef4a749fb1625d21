"""Are a peer's after-states ours? What differs is counted, and the first few are shown."""

from __future__ import annotations

from collections import Counter
from typing import TypedDict

from peers.boards import CHECKERS, sides_of
from peers.engines import Pair

SHOWN = 3


class Difference(TypedDict):
    """One pair, in words; rows as lists of 32 numbers."""

    kind: str
    row: list[int]
    roll: list[int]
    missing: list[list[int]]
    extra: list[list[int]]


class Check(TypedDict):
    """How many pairs were compared, how many differ in which way, and the first few."""

    pairs: int
    same: int
    kinds: dict[str, int]
    first: list[Difference]


def read_sets(raw: bytes) -> list[list[bytes]]:
    """Read what a worker wrote: for each pair a count (4 bytes) and so many rows."""
    sets, at = [], 0
    while at < len(raw):
        end = at + 4 + 32 * int.from_bytes(raw[at : at + 4], "little")
        sets.append([raw[row : row + 32] for row in range(at + 4, end, 32)])
        at = end
    return sets


def kind(ours: list[bytes], theirs: list[bytes]) -> str:
    """Name the way in which a peer's list differs; "" if it is ours.

    The last word on a win: with one man left, one die may take it off where both could be played.
    """
    missing, extra = set(ours) - set(theirs), set(theirs) - set(ours)
    if not missing and not extra:
        return "" if len(theirs) == len(set(theirs)) else "an after-state twice"
    if not missing and all(won(row) for row in extra):
        return "a win with one die beside plays of both"
    if not missing:
        return "more than the rules allow"
    return "fewer than the rules allow" if not extra else "other after-states"


def won(after: bytes) -> bool:
    """Whether the side that just played has all its men off."""
    return after[26] == CHECKERS and not any(sides_of(after)[1])


def compare(pairs: list[Pair], ours: list[list[bytes]], theirs: list[list[bytes]]) -> Check:
    """Compare pair by pair; an empty list of theirs means that the peer cannot tell."""
    counted: Counter[str] = Counter()
    first: list[Difference] = []
    for pair, own, other in zip(pairs, ours, theirs, strict=True):
        if not other:
            continue
        name = kind(own, other)
        counted[name] += 1
        if name and counted[name] <= SHOWN:
            first.append(
                {
                    "kind": name,
                    "row": cells(pair.row),
                    "roll": list(pair.roll),
                    "missing": [cells(row) for row in sorted(set(own) - set(other))[:SHOWN]],
                    "extra": [cells(row) for row in sorted(set(other) - set(own))[:SHOWN]],
                }
            )
    same = counted.pop("", 0)
    return {"pairs": same + counted.total(), "same": same, "kinds": dict(counted), "first": first}


def cells(row: bytes) -> list[int]:
    """Show a row as numbers."""
    return [cell - 256 if cell > 127 else cell for cell in row]
