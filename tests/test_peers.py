"""The benches beside other engines: their boards read both ways, sets compared, the page."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bench_peers
import benchmarks
import nardy
from bench_peers import make_endings, make_pairs
from nardy.formats.gnubg import decode_id
from peers.boards import after_steps, from_bgsage, handed_over, row_of, sides_of, to_bgsage
from peers.compare import compare, kind, read_sets
from peers.engines import Pair

OPENING = nardy.Position.start(nardy.SHORT).row
# Men on the bar and off on both sides, nothing symmetric.
MIXED = decode_id("mxmAQ4PbAQAAAA")


def test_sides_of_the_opening_are_its_points() -> None:
    wanted = [0] * 25
    wanted[24 - 1], wanted[13 - 1], wanted[8 - 1], wanted[6 - 1] = 2, 5, 3, 5
    assert sides_of(OPENING.tobytes()) == (wanted, wanted)


def test_rows_of_random_games_come_back_from_sides_and_from_26_cells() -> None:
    for row in [MIXED, *nardy.random_rows(500, rules=nardy.SHORT, seed=5)]:
        raw = row.tobytes()
        assert row_of(*sides_of(raw)) == raw
        assert row_of(*from_bgsage(to_bgsage(raw))) == raw


def test_the_other_side_sees_what_flip_says() -> None:
    rows = nardy.random_rows(500, rules=nardy.SHORT, seed=6)
    for row, flipped in zip(rows, nardy.flip(rows, rules=nardy.SHORT), strict=True):
        assert handed_over(row.tobytes()) == flipped.tobytes()


def test_half_moves_lead_to_the_after_states_that_list_them() -> None:
    rows = nardy.random_rows(500, rules=nardy.SHORT, seed=7)
    rolls = np.random.default_rng(7).integers(1, 7, (500, 2), dtype=np.int8)
    after, offsets, steps = nardy.after_states(rows, rolls, rules=nardy.SHORT, steps=True)
    of = np.repeat(np.arange(500), np.diff(offsets))
    for place, board, moves in zip(of, after, steps.tolist(), strict=True):
        played = [(source, target) for source, target in moves if source >= 0]
        assert after_steps(rows[place].tobytes(), played) == board.tobytes()


def test_pairs_say_with_which_roll_the_game_went_on() -> None:
    raw = make_pairs(1200)
    pairs = [Pair.read(raw[at : at + 36]) for at in range(0, len(raw), 36)]
    assert len(pairs) == 1200
    ends = 0
    for pair, following in pairwise(pairs):
        if pair.onward == (0, 0):
            assert following.row == OPENING.tobytes()
            ends += 1
        else:
            row = np.frombuffer(pair.row, np.int8)
            position = nardy.Position.from_row(row, rules=nardy.SHORT)
            boards = {after.tobytes() for after in position.plays(pair.onward).rows}
            assert following.row in boards
    assert ends > 5


def test_a_peer_that_cannot_be_installed_is_skipped_with_a_word(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(subprocess, "run", fail)
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    found = bench_peers.measure("gnubg-nn", 1, tmp_path / "pairs", tmp_path / "endings")
    assert found["skipped"].startswith("pip has no gnubg-nn for Python 3.")
    assert bench_peers.word(found) == f"skipped: {found['skipped']}"


def test_endings_are_boards_that_the_kernel_takes() -> None:
    cells = np.frombuffer(make_endings(), np.int8).reshape(-1, 36)
    rows, rolls = cells[:, :32].copy(), cells[:, 32:34].copy()
    assert len(rows) == 6930 and len(np.unique(cells, axis=0)) == 6930
    assert (nardy.counts(rows, rolls, rules=nardy.SHORT) >= 1).all()


A, B, WON = (bytes(26) + bytes([off]) + bytes(5) for off in (1, 2, 15))


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        ([B, A], ""),
        ([A, B, A], "an after-state twice"),
        ([A, B, WON], "a win with one die beside plays of both"),
        ([A, B, bytes(32)], "more than the rules allow"),
        ([A], "fewer than the rules allow"),
        ([A, WON], "other after-states"),
    ],
)
def test_the_way_in_which_a_list_differs_is_named(theirs: list[bytes], named: str) -> None:
    assert kind([A, B], theirs) == named


def test_comparing_counts_what_differs_and_leaves_out_what_a_peer_cannot_tell() -> None:
    pair = Pair(OPENING.tobytes(), (2, 1), (0, 0))
    found = compare([pair] * 4, [[A, B]] * 4, [[A, B], [], [A], [B]])
    assert (found["pairs"], found["same"]) == (3, 1)
    assert found["kinds"] == {"fewer than the rules allow": 2}
    assert found["first"][0]["row"] == OPENING.tolist()
    assert found["first"][0]["missing"] == [np.frombuffer(B, np.int8).tolist()]


def test_sets_are_read_as_they_are_written() -> None:
    written = (2).to_bytes(4, "little") + A + B + (0).to_bytes(4, "little")
    assert read_sets(written) == [[A, B], []]


def bench(name: str, work: int, best: float, usual: float) -> dict[str, Any]:
    return {
        "name": f"bench_{name}",
        "extra_info": {"after-states": work},
        "stats": {"min": best, "median": usual},
    }


def test_the_table_of_the_kernel_holds_rates_ratios_and_what_is_missing() -> None:
    report = {
        "benchmarks": [
            bench("after_states_reused[long]", 1_000_000, 0.005, 0.008),
            bench("after_states_fresh[long]", 1_000_000, 0.01, 0.016),
            bench("options[block-home][long]", 1_000_000, 0.01, 0.01),
        ]
    }
    rates = benchmarks.kernel_rates(report)
    assert rates["after_states_reused[long]"] == {"best": 200e6, "median": 125e6}
    text = benchmarks.kernel_table({"default": rates, "baseline": {}})
    assert "| `out=` reused | long | 250 M | 200 M | 125 M | 0.80 |" in text.replace(
        "distinct after-states/s, natural dice, ", ""
    )
    assert "| fresh output to reused, above | long | 0.55 | 0.5 | 0.5 | 0.91 |" in text
    assert "| one position a call, pairs/s | short | 1.2 M | - | - | - |" in text


def test_the_table_of_peers_gives_medians_best_rounds_and_how_many_times_ours() -> None:
    def mode(*seconds: float) -> dict[str, Any]:
        return {"seconds": list(seconds), "pairs": 1000, "delivered": 20_000}

    ours = {"copy": mode(0.0005), "batch": mode(0.001, 0.001), "single": mode(0.002)}
    theirs = {"boards": mode(0.01, 0.02, 0.04)}
    check: dict[str, Any] = {
        "pairs": 1000,
        "same": 999,
        "kinds": {"an after-state twice": 1},
        "first": [],
    }
    found = {
        "version": "2",
        "note": "",
        "modes": theirs,
        "nardy": ours,
        "checks": {"endings": check},
    }
    peers = {"bgsage": found, "gnubg": {"skipped": "pip has no gnubg"}}
    line = "| bgsage 2: lists of 26 numbers | 50,000 (100,000) | 1 M | 20 x | 10 x |"
    assert line in benchmarks.peers_table(peers)
    assert "| 1 M (1 M) | 20 M | 0.5 |" in benchmarks.nardy_table(peers)
    text = benchmarks.checks(peers)
    assert "* **bgsage**: endings: 999 of 1,000 are ours.\n" in text
    assert "1 pairs: an after-state twice. Two plays" in text
    assert "* **gnubg**: skipped, pip has no gnubg." in text
