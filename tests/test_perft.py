"""The numbers of docs/rules.md §12, read from perft/*.perft, on both implementations."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PERFT = Path(__file__).parent / "perft"
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@dataclass
class Entry:
    id: str
    own: dict[int | str, int] = field(default_factory=dict)
    opponent: dict[int | str, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    rolls: dict[tuple[int, int], int] = field(default_factory=dict)
    nodes: dict[int, int] = field(default_factory=dict)


def points_of(text: str) -> dict[int | str, int]:
    pairs = (item.split(":") for item in text.split())
    return {point if point == "bar" else int(point): int(count) for point, count in pairs}


def value_of(name: str, text: str) -> Any:
    if name == "head_doubles":
        return frozenset(map(int, text.split(",")))
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.isdecimal() else text


def read(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "" | "#":
                pass
            case "id":
                entries.append(Entry(rest))
            case "own":
                entries[-1].own = points_of(rest)
            case "opponent":
                entries[-1].opponent = points_of(rest)
            case "rules":
                pairs = (item.split("=") for item in rest.split())
                entries[-1].options = {name: value_of(name, value) for name, value in pairs}
            case "roll":
                dice, count = rest.split()
                high, low = map(int, dice.split("-"))
                entries[-1].rolls[high, low] = int(count)
            case "perft":
                depth, nodes = map(int, rest.split())
                entries[-1].nodes[depth] = nodes
            case _:
                raise ValueError(f"{path.name}: {line!r}")
    return entries


ENTRIES = [entry for path in sorted(PERFT.glob("*.perft")) for entry in read(path)]


def per_roll(implementation: Any, row: list[int], depth: int, rules: Any) -> str:
    """Say how many of the nodes lie below each roll: the first thing to look at in a failure."""
    lines = []
    for roll in ROLLS:
        after = implementation.half_moves(row, roll, rules)
        nodes = sum(implementation.perft(list(a), depth - 1, rules) for a in after)
        lines.append(f"{roll[0]}-{roll[1]}: {len(after)} after-states, {nodes} nodes")
    return "\n".join(lines)


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_perft(entry: Entry, implementation: Any, make_row: Any, make_rules: Any) -> None:
    rules = make_rules(**entry.options)
    row = make_row(entry.own, entry.opponent, rules.game, rules.checkers)
    depths = [d for d, nodes in entry.nodes.items() if nodes <= implementation.perft_nodes]
    assert depths
    for depth in depths:
        nodes = implementation.perft(row, depth, rules)
        assert nodes == entry.nodes[depth], per_roll(implementation, row, depth, rules)


COUNTED = [entry for entry in ENTRIES if entry.rolls]


@pytest.mark.parametrize("entry", COUNTED, ids=[entry.id for entry in COUNTED])
def test_after_states_of_each_roll(
    entry: Entry, implementation: Any, make_row: Any, make_rules: Any
) -> None:
    rules = make_rules(**entry.options)
    row = make_row(entry.own, entry.opponent, rules.game, rules.checkers)
    assert list(entry.rolls) == ROLLS
    found = {roll: len(implementation.half_moves(row, roll, rules)) for roll in ROLLS}
    assert found == entry.rolls
    assert sum(found.values()) == entry.nodes[1]
