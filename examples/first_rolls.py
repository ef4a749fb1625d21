"""The 21 first rolls of long nardy: the plays, the replies they leave, the wins they bring.

Run it with ``python examples/first_rolls.py [games]``: random games from each board, or 10,000.
Replies are the after-states that the other side has, averaged over its rolls by their chances.
Wins are those of the first player when both sides play at random from there on: that tells how the
rolls compare, not how well a good player does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

import nardy
from nardy.dice import ROLL_WEIGHTS, ROLLS
from nardy.tally import wilson

SEED = 2026


def first_plays() -> Iterator[nardy.Play]:
    """Give every play of every first roll."""
    start = nardy.Position.start(nardy.LONG)
    for roll in ROLLS.tolist():
        yield from start.plays(roll)


def main(games: int) -> None:
    """Print the table, one play a line."""
    print(f"{'roll':<6}{'play':<22}{'replies':>8}{'wins':>9}   95 % within")
    total = 0
    for number, play in enumerate(first_plays()):
        after = play.after
        replies = float(after.counts @ ROLL_WEIGHTS) / 36
        rows = np.repeat(after.row[np.newaxis], games, axis=0)
        # Game numbers are not used twice: the samples of two plays have no dice in common.
        played = nardy.playouts(rows, rules=nardy.LONG, seed=SEED, first=number * games, threads=2)
        # Outcomes are those of the side to roll in the rows: the second player.
        wins = wilson(int((played.outcomes < 0).sum()), games)
        large, small = play.roll
        print(
            f"{f'{large}-{small}':<6}{play!s:<22}{replies:8.2f}{wins.share:9.1%}"
            f"   {wins.low:.1%} .. {wins.high:.1%}"
        )
        total += 1
    print(f"\n{total} after-states of 21 rolls; {games:,} random games from each, seed {SEED}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
