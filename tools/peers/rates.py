"""From the seconds of rounds to rates: what the page and the chart share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

Pick = Callable[[Sequence[float]], float]


def per_second(noted: dict[str, Any], what: str, pick: Pick = median) -> float:
    """Rate of a mode by the median of its rounds, or by the best one (``pick=min``)."""
    return float(noted[what] / pick(noted["seconds"]))


def measured(peers: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Leave out what was skipped."""
    return ((name, found) for name, found in peers.items() if "skipped" not in found)


def pooled(peers: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Our own modes with the rounds beside all peers together: the pairs are the same."""
    modes: dict[str, dict[str, Any]] = {}
    for _, found in measured(peers):
        for mode, noted in found["nardy"].items():
            seconds = modes[mode]["seconds"] if mode in modes else []
            modes[mode] = {**noted, "seconds": seconds + noted["seconds"]}
    return modes


def show(number: float | None) -> str:
    """Three digits, in millions from there on."""
    if number is None:
        return "-"
    if number >= 1e6:
        return f"{number / 1e6:,.0f} M" if number >= 1e9 else f"{number / 1e6:.3g} M"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
