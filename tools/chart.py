"""Draw what a second gives, as bars on a logarithmic axis."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from peers.rates import measured, per_second, pooled, show
from peers.words import DELIVERS, STORES

OURS, PEER, MACHINE = "#1b6ca8", "#9a9a9a", "#d9d9d9"


def bars(peers: dict[str, Any]) -> list[tuple[str, float, str]]:
    """List labels, things delivered a second and colours, the fastest last."""
    listed = []
    for name, found in measured(peers):
        for mode, noted in found["modes"].items():
            label = f"{name}: {DELIVERS[name, mode]}"
            listed.append((label, per_second(noted, "delivered"), PEER))
    for mode, noted in pooled(peers).items():
        who, colour = ("the machine", MACHINE) if mode in STORES else ("nardy", OURS)
        label = f"{who}: {DELIVERS['nardy', mode]}"
        listed.append((label, per_second(noted, "delivered"), colour))
    return sorted(listed, key=lambda bar: bar[1])


def canvas(width: float, height: float) -> tuple[Any, Any]:
    """Return a figure of so many inches and its axes, with text that stays text."""
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "nardy", "font.size": 9})
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, path: Path) -> None:
    """Write a figure; the same figure gives the same file."""
    figure.savefig(path, format="svg", metadata={"Date": None})


def run(draw_it: Callable[[Path], None], page: Path, about: str | None) -> None:
    """Write a chart where its page shows it, or where the command says."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--out", type=Path, default=page)
    draw_it(parser.parse_args().out)


def draw(peers: dict[str, Any], path: Path) -> None:
    """Write the chart of what a second gives."""
    listed = bars(peers)
    figure, axes = canvas(10, 0.6 + 0.32 * len(listed))
    rates = [rate for _, rate, _ in listed]
    drawn = axes.barh(
        [bar[0].replace("`", "") for bar in listed], rates, color=[bar[2] for bar in listed]
    )
    axes.bar_label(drawn, labels=[show(rate) for rate in rates], padding=3)
    axes.set_xscale("log")
    axes.set_xlim(min(rates) / 5, max(rates) * 5)
    axes.set_xlabel("delivered a second on one core (short nardy, the same pairs)")
    save(figure, path)
