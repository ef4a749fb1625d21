"""Points with a cube, beside what GNU Backgammon prints: skipped, saying so, where it is absent."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy.cube import Cube
from nardy.formats import gnuid
from nardy.formats.situation import Situation
from nardy.stakes import Money

# Debian installs games beside the path of most users.
PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="gnubg is not installed: its cube untried")

SETTINGS = [
    *(f"set player {player} human" for player in (0, 1)),
    *(f"set automatic {what} off" for what in ("game", "roll", "move", "bearoff")),
    "set confirm new off",
]
OWNERS = {0: None, 1: 1, -1: 0}
"""Side 1 rolls."""

# All that it prints is rounded to three places: five chances, whose weights add up to some 6, by
# up to 0.0005 each, and the equity; a line rises by up to a third more than with a dead cube.
ROUNDED = 0.0045


def played(n: int, seed: int) -> NDArray[np.int8]:
    """Boards before a roll, every third of games that the network plays."""
    network, dice = nardy.network("short"), np.random.default_rng(seed)
    start = nardy.Position.start("short").row[None]
    boards: list[NDArray[np.int8]] = []
    row, turn = start, 0
    while len(boards) < n:
        roll = dice.integers(1, 7, (1, 2)).astype(np.int8)
        after, _ = nardy.after_states(row, roll, rules="short")
        best = int(np.argmin(nardy.equities(network(after))))
        row, turn = after[best : best + 1], turn + 1
        if nardy.outcomes(row, rules="short")[0]:
            row = start
        elif turn % 3 == 0:
            boards.append(row[0])
    return np.array(boards)


def test_a_cube_is_worth_what_gnubg_says_of_its_own_chances(tmp_path: Path) -> None:
    assert PROGRAM is not None
    commands = [*SETTINGS]
    owners = []
    for row in played(30, seed=1):
        for owner, holder in OWNERS.items():
            value = 1 if holder is None else 2
            situation = Situation(
                row.tobytes(),
                side=1,
                cube_value=value,
                cube_owner=holder,
                jacoby=False,
                beaver=False,
            )
            commands += [f"set gnubgid {gnuid.write(situation)}", "eval"]
            owners.append(owner)
    run = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input="\n".join([*commands, ""]),
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path), "LC_ALL": "C"},
    )
    kinds = re.findall(r"^Evaluator:\s+(\w+)", run.stdout, re.M)
    lines = re.findall(r"^\s*static:\s+(.+)$", run.stdout, re.M)
    assert len(kinds) == len(lines) == len(owners), run.stdout[-500:] + run.stderr[-500:]
    # In races its efficiency depends on the pips, and of the end it has tables: not this model.
    of = [place for place, kind in enumerate(kinds) if kind in ("Contact", "Crashed")]
    assert len(of) >= 60
    printed = np.array([[float(number) for number in lines[place].split()] for place in of])
    owner_of = np.array([owners[place] for place in of], np.int8)
    stake, side = np.ones(len(of), np.int64), np.zeros(len(of), np.int8)
    said = Money(Cube()).worth(printed[:, :5], stake, owner_of, side, nardy.SHORT)
    assert abs(said - printed[:, 6]).max() < ROUNDED
    # With another efficiency it is farther away than rounding explains.
    other = Money(Cube(), 0.6).worth(printed[:, :5], stake, owner_of, side, nardy.SHORT)
    assert abs(other - printed[:, 6]).max() > 3 * ROUNDED
