"""How the shipped networks do against the simple players, and one ply of lookahead against none.

    python tools/strength.py [--games 10000] [--deep 1000]

Prints one line a duel: of docs/evaluate.md, then of docs/networks.md. Every duel is the same again
for its seed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import nardy


def line(game: str, one: str, other: str, found: nardy.Duel, seconds: float) -> str:
    """Return a row of the table."""
    wins, points, error = found.wins, found.points, found.standard_error
    return (
        f"| {game} | {one} | {other} | {found.games:,} | {wins.share:.2%} | "
        f"{wins.low:.2%} .. {wins.high:.2%} | {points:+.3f} ± {1.96 * error:.3f} | "
        f"{found.games / seconds:,.0f} |"
    )


def main() -> None:
    """Play all duels."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--deep", type=int, default=1000, help="games of lookahead")
    options = parser.parse_args()
    simple: dict[str, Any] = {"pips": nardy.Pips, "spread": nardy.Spread, "runner": nardy.Runner}
    for game in ("long", "short"):
        uniform = nardy.Bot(nardy.Uniform(game))
        others = {name: nardy.Bot(player(game)) for name, player in simple.items()}
        for name, bot in others.items():
            began = time.perf_counter()
            found = nardy.duel(bot, uniform, games=options.games, seed=1)
            print(line(game, name, "uniform", found, time.perf_counter() - began), flush=True)
        network = nardy.network(game)
        bot = nardy.Bot(network, plies=0)
        for name, other in {"uniform": uniform, **others}.items():
            began = time.perf_counter()
            found = nardy.duel(bot, other, games=options.games, seed=2026)
            seconds = time.perf_counter() - began
            print(line(game, "network", name, found, seconds), flush=True)
        began = time.perf_counter()
        found = nardy.duel(nardy.Bot(network, plies=1), bot, games=options.deep, seed=2027)
        seconds = time.perf_counter() - began
        print(line(game, "network, 1 ply", "network, 0 plies", found, seconds), flush=True)


if __name__ == "__main__":
    main()
