"""What GNU Backgammon itself makes of our ids: skipped, saying so, where the program is absent."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import nardy
from nardy.formats import gnuid, xgid
from nardy.formats.situation import Situation

# Debian installs games beside the path of most users.
PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="gnubg is not installed: its ids untried")

SETTINGS = [
    *(f"set player {player} human" for player in (0, 1)),
    *(f"set automatic {what} off" for what in ("game", "roll", "move", "bearoff")),
    "set confirm new off",
]


def drawn(n: int, seed: int) -> list[Situation]:
    """Draw situations that the program can be set to: it takes no offer and no resignation."""
    chance = np.random.default_rng(seed)
    rows = nardy.random_rows(2 * n, rules="short", seed=seed)
    # A board that is over is no position to set up.
    rows = rows[nardy.outcomes(rows, rules="short") == 0][:n]
    situations = []
    for row in rows:
        length = int(chance.integers(2, 26)) if chance.integers(3) else None
        score = tuple(int(points) for points in chance.integers(0, length or 50, size=2))
        is_crawford = length is not None and length - 1 in score and bool(chance.integers(2))
        exponent = 0 if is_crawford else int(chance.integers(0, 5))
        roll = tuple(int(die) for die in chance.integers(1, 7, size=2))
        situations.append(
            Situation(
                row.tobytes(),
                side=int(chance.integers(2)),
                roll=(roll[0], roll[1]) if chance.integers(2) else None,
                cube_value=2**exponent,
                cube_owner=int(chance.integers(2)) if exponent else None,
                score=(score[0], score[1]),
                length=length,
                is_crawford=is_crawford,
                jacoby=bool(chance.integers(2)) if length is None else None,
                beaver=bool(chance.integers(2)) if length is None else None,
            )
        )
    return situations


def answers(commands: Sequence[str], home: Path) -> list[list[str]]:
    """Return the ids that the program prints at each command, as POSITION:MATCH."""
    assert PROGRAM is not None
    # What this prints stands between the answers: nothing else prints it.
    marked = [word for command in commands for word in ("show clockwise", command)]
    run = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input="\n".join([*SETTINGS, *marked, ""]),
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HOME": str(home), "LC_ALL": "C"},
    )
    parts = re.split(r"Player 1 moves (?:anti|counter)?-?clockwise", run.stdout)[1:]
    assert len(parts) == len(commands), run.stdout[-500:] + run.stderr[-500:]
    ids = r"Position ID: (\S{14})\s+Match ID\s+: (\S{12})"
    return [[":".join(pair) for pair in re.findall(ids, part)] for part in parts]


def test_gnubg_prints_the_ids_that_it_was_given(tmp_path: Path) -> None:
    ids = [gnuid.write(situation) for situation in drawn(150, seed=11)]
    printed = answers([f"set gnubgid {text}" for text in ids], tmp_path)
    assert [text for text, said in zip(ids, printed, strict=True) if text not in said] == []


def test_gnubg_reads_our_xgids_as_our_ids(tmp_path: Path) -> None:
    situations = drawn(150, seed=12)
    printed = answers([f"set xgid {xgid.write(one)}" for one in situations], tmp_path)
    wrong = [
        (xgid.write(one), gnuid.write(one), said)
        for one, said in zip(situations, printed, strict=True)
        if gnuid.write(one) not in said
    ]
    assert wrong == []


def test_gnubg_steps_back_from_a_double_to_the_side_of_the_turn(tmp_path: Path) -> None:
    for side in (0, 1):
        cells = nardy.Position.from_gnubg_id("PAAAICMAAAAAAA").cells
        offered = xgid.write(Situation(cells, side=side, offer="doubled", jacoby=False))
        (said,) = answers([f"set xgid {offered}"], tmp_path)
        assert gnuid.write(Situation(cells, side=side, jacoby=False)) in said
