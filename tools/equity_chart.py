"""Draw docs/match_equity.svg: our match equities as lines, a published table as dots."""

from __future__ import annotations

import json
from pathlib import Path

from chart import OURS, PEER, canvas, run, save
from nardy import MatchEquity

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "tests" / "data" / "match_equities.json"
CHART = ROOT / "docs" / "match_equity.svg"
NEEDS = (1, 2, 3, 4, 5, 7, 10, 15)


def draw(path: Path) -> None:
    """Write the chart: one line for each number of points that a side needs."""
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))["woolsey"]["percent"]
    table = MatchEquity(15).table
    figure, axes = canvas(8, 5)
    others = range(1, 16)
    for own in NEEDS:
        axes.plot(others, 100 * table[own, 1:], color=OURS, linewidth=1)
        axes.plot(others, published[own - 1], "o", color=PEER, markersize=3)
        at = (4, 100 * table[own, 4])  # where the lines lie apart
        axes.annotate(str(own), at, (0, 5), textcoords="offset points", color=OURS, ha="center")
    axes.plot([], [], color=OURS, linewidth=1, label="nardy, by the points that a side needs")
    axes.plot([], [], "o", color=PEER, markersize=3, label="Woolsey 1993, from played matches")
    axes.set_xticks(others)
    axes.set_xlabel("points that the other side needs")
    axes.set_ylabel("chance of winning the match, percent")
    axes.legend(frameon=False, loc="lower right")
    save(figure, path)


if __name__ == "__main__":
    run(draw, CHART, __doc__)
