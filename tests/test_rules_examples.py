"""The worked examples of docs/rules.md §10 and §11, and our own, on both implementations."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"
FILES = ["rules_examples.json", "rules_examples_own.json"]
EXAMPLES = [e for name in FILES for e in json.loads((DATA / name).read_text(encoding="utf-8"))]


def points_of(text: str, game: str) -> dict[int | str, int]:
    """Read "1:14 7:1 off:0": path points of the side (long) or its own points (short)."""
    points: dict[int | str, int] = {}
    for name, count in re.findall(r"(\w+):(\d+)", text):
        if name == "bar":
            points["bar"] = int(count)
        elif name != "off":
            points[25 - int(name) if game == "long" else int(name)] = int(count)
    return points


def handed_over(
    final: str, example: dict[str, Any], make_row: Any, checkers: int
) -> tuple[int, ...]:
    """Read a final position of an example as the row that the other side gets."""
    mover, _, other = final.removeprefix("X ").partition(" | O ")
    game = example["game"]
    mover_points = points_of(mover, game)
    other_points = points_of(other or example["O"], game)
    off = re.search(r"off:(\d+)", mover)
    assert off is None or int(off[1]) + sum(mover_points.values()) == checkers, final
    return tuple(make_row(other_points, mover_points, game, checkers))


@pytest.mark.parametrize("example", EXAMPLES, ids=[e["id"] for e in EXAMPLES])
def test_example(
    example: dict[str, Any], implementation: Any, make_row: Any, make_rules: Any
) -> None:
    game = example["game"]
    rules = make_rules(game, **example.get("options", {}))
    checkers = rules.checkers
    row = make_row(points_of(example["X"], game), points_of(example["O"], game), game, checkers)
    found = implementation.half_moves(row, example["roll"], rules)
    assert set(found.values()) == {example["half_moves"]}
    assert len(found) == example["n_finals"]
    if example["finals"] is not None:
        wanted = {handed_over(f, example, make_row, checkers) for f in example["finals"]}
        assert found.keys() == wanted
    for final in example.get("must_contain", []):
        assert handed_over(final, example, make_row, checkers) in found
    for final in example.get("must_not_contain", []):
        assert handed_over(final, example, make_row, checkers) not in found


def test_no_example_is_lost_or_doubled() -> None:
    names = [e["id"] for e in EXAMPLES]
    assert len(names) == len(set(names))
    assert sum(not name.startswith("Own") for name in names) == 111
