"""Roll positions of short nardy out here and by GNU Backgammon, side by side, and time both.

    python tools/rollouts_beside_gnubg.py [--trials 1296] [--rounds 3]

Needs the program ``gnubg`` (Debian packages it). Both play full games at 0 plies, each by its own
network, without variance reduction, with stratified first rolls. Prints the table of
docs/rollouts.md: the values, and games a second of processor time, nardy's and the program's taken
in turns.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import resource
import shutil
import subprocess
import sys
import time

import nardy

PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")

HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
START = nardy.Position.start("short")


def boards() -> dict[str, nardy.Position]:
    """Name the positions: the side to roll has not doubled, and would not."""

    def board(own: dict[int | str, int], opponent: dict[int | str, int]) -> nardy.Position:
        return nardy.Position.from_points(own, opponent, rules="short")

    return {
        "the start": START,
        "after 3-1: 8/5 6/5": START.play("8/5 6/5", roll="31"),
        "after 4-2: 8/4 6/4": START.play("8/4 6/4", roll="42"),
        "after 6-5: 24/13": START.play("24/13", roll="65"),
        "after 6-2: 24/18 13/11": START.play("24/18 13/11", roll="62"),
        "race, 71 each": board(
            {6: 3, 5: 3, 4: 3, 8: 2, 3: 2, 2: 2}, {6: 3, 5: 3, 4: 3, 8: 2, 3: 2, 2: 2}
        ),
        "holding the own five-point and the bar-point": board(
            {20: 2, 13: 3, 8: 3, 6: 4, 5: 2, 3: 1}, {18: 2, 13: 4, 8: 3, 6: 4, 4: 2}
        ),
        "ace-point game": board(
            {24: 2, 6: 3, 5: 3, 4: 3, 3: 2, 2: 2}, {7: 2, 6: 3, 5: 3, 4: 3, 3: 2, 2: 2}
        ),
        "back game, 1 and 3": board(
            {24: 3, 22: 2, 13: 2, 8: 2, 6: 4, 5: 2}, {9: 2, 8: 2, 7: 2, 6: 3, 5: 3, 4: 3}
        ),
    }


def asked(position: nardy.Position, trials: int, *, cubeful: bool) -> tuple[float, float, float]:
    """Let the program roll a position out: equity, standard error, processor seconds."""
    commands = [
        *(f"set player {player} human" for player in (0, 1)),
        *(f"set automatic {what} off" for what in ("game", "roll", "move", "bearoff")),
        "set confirm new off",
        "set jacoby off",
        "set threads 1",
        "new game",
        "set turn 0",
        f"set board {position.gnubg_id}",
        f"set rollout cubeful {'on' if cubeful else 'off'}",
        "set rollout varredn off",
        "set rollout quasirandom on",
        "set rollout truncation enable off",
        "set rollout bearofftruncation exact off",
        "set rollout bearofftruncation onesided off",
        "set rollout jsd stop off",
        "set rollout limit enable off",
        "set rollout log off",
        f"set rollout trials {trials}",
        *(f"set rollout player {player} chequerplay plies 0" for player in (0, 1)),
        *(f"set rollout player {player} cubedecision plies 0" for player in (0, 1)),
        "rollout",
        "quit",
        "y",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shown = on_a_terminal("".join(f"{line}\n" for line in commands))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    name = "CF" if cubeful else "CL"
    last = shown[shown.rindex("Printing final results") :]
    equity = re.search(r"-\s*[\d. ]+CL [+-][\d.]+(?: CF [+-][\d.]+)?", last)
    assert equity is not None, last
    errors = re.search(r"\[[^\]]*\]", last)
    assert errors is not None, last
    found = [re.search(rf"{name}\s+([+-]?[\d.]+)", part[0]) for part in (equity, errors)]
    assert found[0] is not None and found[1] is not None, last
    return float(found[0][1]), float(found[1][1]), after.ru_utime - before.ru_utime


def on_a_terminal(commands: str) -> str:
    """Run the program with its output on a terminal: it shows results on nothing else."""
    assert PROGRAM is not None
    here, there = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "-t", "-q"], stdin=subprocess.PIPE, stdout=there, stderr=there, text=True
    ) as child:
        os.close(there)
        assert child.stdin is not None
        child.stdin.write(commands)
        child.stdin.close()
        said = bytearray()
        while True:
            try:
                piece = os.read(here, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            said += piece
    os.close(here)
    return said.decode(errors="replace")


def rolled(position: nardy.Position, trials: int, *, cubeful: bool) -> nardy.Rollout:
    """Roll a position out here."""
    stakes = nardy.Money(nardy.Cube()) if cubeful else nardy.Money()
    return nardy.rollout(position, seed=2026, trials=trials, stakes=stakes)


def print_values(trials: int) -> None:
    """Print the values of all positions, both ways."""
    print(f"| position, {trials:,} games | cube | nardy | gnubg | apart |")
    print("| --- | --- | --: | --: | --: |")
    for name, position in boards().items():
        for cubeful in (False, True):
            ours = rolled(position, trials, cubeful=cubeful)
            equity, error, _ = asked(position, trials, cubeful=cubeful)
            apart = ours.equity - equity
            both = (ours.standard_error**2 + error**2) ** 0.5
            print(
                f"| {name} | {'live' if cubeful else 'none'} | {ours.equity:+.3f} ± "
                f"{1.96 * ours.standard_error:.3f} | {equity:+.3f} ± {1.96 * error:.3f} | "
                f"{apart:+.3f} ± {1.96 * both:.3f} |",
                flush=True,
            )


def print_rates(trials: int, rounds: int) -> None:
    """Print games a second from the start, cubeless: best of some rounds, taken in turns."""
    rolled(START, trials, cubeful=False)
    ours, theirs = [], []
    for _ in range(rounds):
        began = time.process_time()
        rolled(START, 4 * trials, cubeful=False)
        ours.append(4 * trials / (time.process_time() - began))
        # What the program needs to start is taken off.
        begun = asked(START, 36, cubeful=False)[2]
        theirs.append((trials - 36) / (asked(START, trials, cubeful=False)[2] - begun))
    print(f"games a second of one core: nardy {max(ours):,.0f}, gnubg {max(theirs):,.0f}: ", end="")
    print(
        f"{max(ours) / max(theirs):.1f} x (in each round "
        + ", ".join(f"{one / other:.1f}" for one, other in zip(ours, theirs, strict=True))
        + ")"
    )


def main() -> int:
    """Compare values, then speed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if PROGRAM is None:
        print("gnubg is not installed: nothing to compare with", file=sys.stderr)
        return 1
    print_rates(options.trials, options.rounds)
    print_values(options.trials)
    return 0


if __name__ == "__main__":
    sys.exit(main())
