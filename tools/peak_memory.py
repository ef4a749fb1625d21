"""Show what a call with ten million pairs needs beside its input and its result.

    python tools/peak_memory.py [long|short] [threads]

A batch needs its result and room that grows with the threads only (docs/architecture.md).
"""

import resource
import sys
import time

import numpy as np

import nardy

PAIRS = 10_000_000
GAME_ROWS = 100_000  # distinct rows; they are repeated


def peak() -> float:
    """Return the most memory that the process has held, in MB (Linux counts in kB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(game: str = "long", threads: str = "1") -> None:
    """Print the size of the result and the peak."""
    rows = np.tile(nardy.random_rows(GAME_ROWS, rules=game, seed=7), (PAIRS // GAME_ROWS, 1))
    rolls = np.random.default_rng(1).integers(1, 7, (PAIRS, 2), dtype=np.int8)
    before = peak()
    start = time.perf_counter()
    after, offsets = nardy.after_states(rows, rolls, rules=game, threads=int(threads))
    seconds = time.perf_counter() - start
    result = (after.nbytes + offsets.nbytes) / 2**20
    print(
        f"{game}, {threads} thread(s): {PAIRS:,} pairs, {len(after):,} after-states in"
        f" {seconds:.1f} s: result {result:,.0f} MB, peak {peak() - before:,.0f} MB above the input"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
