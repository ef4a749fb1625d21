"""Draw what a second gives, as bars on a logarithmic axis."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from peers.words import DELIVERS

OURS, PEER, MACHINE = "#1b6ca8", "#9a9a9a", "#d9d9d9"


def bars(peers: dict[str, Any]) -> list[tuple[str, float, str]]:
    """List labels, things delivered a second and colours, the fastest last."""
    listed = []
    shown = {name: found for name, found in peers.items() if "skipped" not in found}
    runs: dict[str, list[float]] = {}
    for name, found in shown.items():
        for mode, noted in found["nardy"].items():
            runs.setdefault(mode, []).append(noted["delivered"] / median(noted["seconds"]))
        for mode, noted in found["modes"].items():
            rate = noted["delivered"] / median(noted["seconds"])
            listed.append((f"{name}: {DELIVERS[name, mode]}", rate, PEER))
    for mode, rates in runs.items():
        machine = mode in ("fill", "copy")
        label = f"{'the machine' if machine else 'nardy'}: {DELIVERS['nardy', mode]}"
        listed.append((label, median(rates), MACHINE if machine else OURS))
    return sorted(listed, key=lambda bar: bar[1])


def draw(peers: dict[str, Any], path: Path) -> None:
    """Write the chart; the same figures give the same file."""
    listed = bars(peers)
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "nardy", "font.size": 9})
    figure = Figure(figsize=(10, 0.6 + 0.32 * len(listed)), layout="constrained")
    axes = figure.add_subplot()
    rates = [rate for _, rate, _ in listed]
    drawn = axes.barh([bar[0] for bar in listed], rates, color=[bar[2] for bar in listed])
    axes.bar_label(drawn, labels=[f"{rate / 1e6:,.3g} M" for rate in rates], padding=3)
    axes.set_xscale("log")
    axes.set_xlim(right=5 * max(rates))
    axes.set_xlabel("delivered a second on one core (short nardy, the same pairs)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, format="svg", metadata={"Date": None})
