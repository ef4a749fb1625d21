"""The long opening, a million random games from it, the check of real decisions, and a rollout.

Run it with ``make demo``, or ``python examples/demo.py [games [trials]]``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nardy
from nardy.cli import main

CORPUS = Path(
    os.environ.get("NARDY_CORPUS", Path(__file__).resolve().parents[2] / "shared" / "corpus")
)


def show_opening() -> None:
    """Print the start of long nardy and what each of the 21 first rolls leads to."""
    start = nardy.Position.start(nardy.LONG)
    print(f"{start}\n\nThe first roll, and where it leaves the checkers of X:\n")
    rows, offsets = nardy.after_states_all_rolls(start.row[None], rules=nardy.LONG)
    for roll, (large, small) in enumerate(nardy.ROLLS.tolist()):
        for row in nardy.flip(rows[offsets[roll] : offsets[roll + 1]], rules=nardy.LONG):
            held = [f"{point}:{row[point]}" for point in range(24, 0, -1) if row[point] > 0]
            print(f"  {large}-{small}   {' '.join(held)}")


def run(*words: str) -> int:
    """Show a command and run it."""
    print(f"\n$ nardy {' '.join(words)}", flush=True)
    return main(words)


def demo(games: str = "1000000", trials: str = "7200") -> int:
    """Run the whole demonstration; the exit code is the first that is not 0."""
    show_opening()
    code = run("playouts", "--games", games, "--seed", "2026")
    table = CORPUS / "decisions_short.tsv"
    if table.exists():
        code = code or run("check", str(table))
    else:
        print(f"\nNo real games at {CORPUS} (NARDY_CORPUS names another place): nothing to check.")
    # The one first roll of long nardy that can be played in two ways: which is better?
    return code or run("rollout", "33", "--trials", trials, "--seed", "2026")


if __name__ == "__main__":
    sys.exit(demo(*sys.argv[1:]))
