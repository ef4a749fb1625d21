"""Draw docs/learning.svg: games won against simple players while the networks learned."""

from __future__ import annotations

import json
from pathlib import Path

from chart import MACHINE, OURS, PEER, canvas, run, save

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "docs" / "training"
CHART = ROOT / "docs" / "learning.svg"
COLOURS = {"pips": OURS, "spread": "#c8762b", "uniform": PEER}


def draw(path: Path) -> None:
    """Write the chart: a line for each game and player it was tried against."""
    figure, axes = canvas(8, 4.5)
    for game, style in (("long", "-"), ("short", "--")):
        text = (LOGS / f"{game}.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
        seen = [max(line["games"], 1000) for line in lines]
        for player, colour in COLOURS.items():
            if (game, player) == ("short", "spread"):
                continue  # the log's form of that player did not know that bearing off wins
            share = [100 * line[player] for line in lines]
            axes.plot(seen, share, style, color=colour, label=f"{game}, against {player}")
    axes.set_xscale("log")
    axes.axhline(50, color=MACHINE, linewidth=1)
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("games won, percent (1,000 each)")
    axes.legend(frameon=False, loc="lower right")
    save(figure, path)


if __name__ == "__main__":
    run(draw, CHART, __doc__)
