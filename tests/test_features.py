"""Inputs for networks: the kernel against plain Python, each unit by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import nardy
from proof.walks import Rows

WIDTHS = {"counts": 52, "tesauro": 198, "long": 168}


def sides(row: list[int], game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Each side in its own numbering: points, bar and off."""

    def facing(point: int) -> int:
        return 25 - point if game == "short" else (point + 11) % 24 + 1

    own = {"on": {p: max(row[p], 0) for p in range(1, 25)}, "bar": row[25], "off": row[0]}
    other = {"on": {facing(p): max(-row[p], 0) for p in range(1, 25)}, "bar": row[27]}
    return own, other | {"off": row[26]}


def longest_run(side: Mapping[str, Any]) -> list[int]:
    """What a side holds in a row of the other side's way: the most, and of those the last."""
    held = [(p + 11) % 24 + 1 for p, men in side["on"].items() if men]
    runs = [
        [*range(first, first + length)]
        for first in range(1, 25)
        for length in range(1, 26 - first)
        if all(q in held for q in range(first, first + length))
    ]
    return max(runs, key=lambda run: (len(run), -run[0]), default=[])


def unit(name: str, row: list[int], game: str, checkers: int = 15) -> float:
    """The value of an input by its name."""
    if name.startswith("the "):
        return float(name[-1])
    who, rest = (name[4:], "own") if name.startswith("own") else (name[11:], "other")
    what, rest = who, rest
    own, other = sides(row, game)
    side, facing = (own, other) if rest == "own" else (other, own)
    place, _, said = what.partition(": ")
    if place.isdecimal() or place in ("bar", "off"):
        men = side["on"][int(place)] if place.isdecimal() else side[place]
        match said:
            case "":
                return float(men)
            case "half of those beyond 3":
                return max(men - 3, 0) / 2
            case "a quarter of those beyond 2":
                return max(men - 2, 0) / 4
            case "half of them":
                return men / 2
            case "fifteenths":
                return men / 15
            case "share of all checkers":
                return men / checkers
        least = re.fullmatch(r"(\d) or more", said)
        assert least is not None, name
        return float(men >= int(least[1]))
    run = longest_run(side)
    all_pips = 24 * checkers
    if place == "head":
        return side["on"][24] / checkers
    if place == "pips":
        return sum(p * men for p, men in side["on"].items()) / all_pips
    if place == "timing":
        outside = {p: men for p, men in side["on"].items() if (p + 11) % 24 + 1 not in run}
        return sum(p * men for p, men in outside.items()) / all_pips
    assert place == "longest run", name
    if said.endswith("behind it"):
        behind = [men for p, men in facing["on"].items() if run and p > run[-1]]
        return sum(behind) / checkers
    if said.endswith("past it, or off"):
        past = [men for p, men in facing["on"].items() if not run or p < run[0]]
        return (sum(past) + facing["off"]) / checkers
    return float(len(run) >= int(said[0]))


def boards(game: str, n: int) -> Rows:
    """Boards of uniform play, and with blocks: some checkers of these stacked in a row."""
    return nardy.random_rows(n, rules=game, seed=5)


@pytest.mark.parametrize(
    ("kind", "game"),
    [("counts", "long"), ("counts", "short"), ("tesauro", "short"), ("tesauro", "long"),
     ("long", "long")],
)  # fmt: skip
def test_each_unit_is_what_its_name_says(kind: Any, game: str) -> None:
    rows = boards(game, 150)
    names = nardy.FEATURES[kind]
    assert len(names) == len({*names}) == WIDTHS[kind]
    found = nardy.features(rows, kind, rules=game)
    assert found.shape == (150, WIDTHS[kind]) and found.dtype == np.float32
    for row, inputs in zip(rows.tolist(), found.tolist(), strict=True):
        wanted = [unit(name, row, game) for name in names]
        assert inputs == pytest.approx(wanted, abs=1e-6)
    # Each of them is something on some board; short nardy's inputs of long nardy on most.
    many = nardy.features(boards(game, 20_000), kind, rules=game)
    never = [name for name, most in zip(names, many.max(axis=0), strict=True) if most == 0]
    if game == "long":
        never = [name for name in never if "bar" not in name and "beyond 3" not in name]
    assert never == ["the other side is to roll: 0"][: kind == "tesauro"]


def all_units(rows: Rows, kind: str, game: str) -> Any:
    """All inputs of all boards, column by column; other code than `unit`, which is held to it."""
    both = (rows, nardy.flip(rows, rules=game))
    on = [np.maximum(each[:, 1:25], 0).astype(int) for each in both]
    bar, off = ([each[:, column].astype(int) for each in both] for column in (25, 0))
    found = []
    for men, bars, offs in zip(on, bar, off, strict=True):
        if kind == "counts":
            found += [*men.T, bars, offs]
        elif kind == "tesauro":
            for of in men.T:
                found += [of >= 1, of >= 2, of >= 3, np.maximum(of - 3, 0) / 2]
            found += [bars / 2, offs / 15]
    if kind == "tesauro":
        found += [np.ones(len(rows)), np.zeros(len(rows))]
    if kind == "long":
        for side in (0, 1):
            found += long_units(on[side], off[side], on[1 - side], off[1 - side])
    return np.stack(found, axis=1).astype(np.float32)


def long_units(men: Any, off: Any, theirs: Any, their_off: Any) -> list[Any]:
    found = []
    for of in men.T:
        found += [of >= 1, of >= 2, np.maximum(of - 2, 0) / 4]
    held = np.roll(men, 12, axis=1) > 0  # in the other side's numbering
    length, first = np.zeros((2, len(men)), int)
    for many in range(24, 0, -1):
        for at in range(25 - many):
            is_new = held[:, at : at + many].all(axis=1) & (length == 0)
            length[is_new], first[is_new] = many, at
    points = np.arange(24)[None]
    inside = (points >= first[:, None]) & (points < (first + length)[:, None])
    behind = (theirs * (points >= (first + length)[:, None])).sum(axis=1) * (length > 0)
    past = np.where(
        length > 0, (theirs * (points < first[:, None])).sum(axis=1), theirs.sum(axis=1)
    )
    pips = np.arange(1, 25)
    outside = men * ~np.roll(inside, -12, axis=1)
    return [
        *found,
        men[:, 23] / 15,
        off / 15,
        *(length >= least for least in range(1, 7)),
        behind / 15,
        (past + their_off) / 15,
        men @ pips / 360,
        outside @ pips / 360,
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "game"), [("counts", "short"), ("tesauro", "short"), ("long", "long")]
)
def test_a_hundred_thousand_boards(kind: Any, game: str) -> None:
    rows = boards(game, 100_000)
    found = nardy.features(rows, kind, rules=game, threads=2)
    assert np.allclose(found, all_units(rows, kind, game), atol=1e-6)


def test_octets_out_and_threads_are_the_same() -> None:
    rows = boards("short", 3000)
    floats = nardy.features(rows, "counts", rules="short")
    octets = nardy.features(rows, "counts", rules="short", dtype=np.uint8, threads=3)
    assert octets.dtype == np.uint8 and (octets == floats).all()
    out = np.empty((4000, 52), np.uint8)
    found = nardy.features(rows, "counts", rules="short", dtype=np.uint8, out=out)
    assert np.shares_memory(found, out) and (found == octets).all()


def test_fewer_checkers() -> None:
    rules = nardy.LONG.replace(checkers=5)
    rows = nardy.random_rows(50, rules=rules, seed=1)
    for row, inputs in zip(rows.tolist(), nardy.features(rows, "long", rules=rules), strict=True):
        wanted = [unit(name, row, "long", 5) for name in nardy.FEATURES["long"]]
        assert inputs.tolist() == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "options", "error", "expected"),
    [
        ("colours", {}, ValueError, "kind must be one of counts, tesauro, long"),
        ("long", {}, ValueError, "kind 'long' is for long nardy"),
        ("tesauro", {"dtype": np.uint8}, ValueError, "dtype must be float32 for 'tesauro'"),
        ("counts", {"dtype": np.float64}, ValueError, "dtype must be float32 or uint8"),
        ("counts", {"out": np.empty((1, 52), np.float32)}, ValueError, "wanted shape"),
        ("counts", {"out": np.empty((9, 51), np.float32)}, ValueError, "wanted shape"),
        ("counts", {"out": np.empty((9, 52), np.uint8)}, TypeError, "dtype uint8"),
        ("counts", {"out": np.empty((52, 9), np.float32).T}, ValueError, "strides"),
        ("counts", {"rows": np.zeros((2, 32), np.int8)}, nardy.InvalidPosition, "row 0"),
        ("counts", {"rows": [[0] * 32]}, TypeError, "rows"),
    ],
)
def test_wrong_use(kind: Any, options: dict[str, Any], error: type, expected: str) -> None:
    call = {"rows": boards("short", 5), "rules": "short", **options}
    with pytest.raises(error, match=expected):
        nardy.features(call.pop("rows"), kind, **call)


def test_a_read_only_or_overlapping_out() -> None:
    rows = boards("short", 2)
    out = np.empty((2, 52), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        nardy.features(rows, "counts", rules="short", out=out)
