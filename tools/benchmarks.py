"""Make docs/benchmarks.md and its chart from what was measured.

    python tools/benchmarks.py [--kernel FILE] [--baseline FILE] [--peers FILE]

The first two are reports of pytest-benchmark on benches/bench_kernel.py, in the default and in the
plain width; the third one is of tools/bench_peers.py. What is not given stays as it was measured
last: docs/benchmarks.json keeps it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from machine import ROOT, about
from peers.rates import measured, per_second, pooled, show
from peers.words import DELIVERS, EXPLAINED

KEPT = ROOT / "docs" / "benchmarks.json"
PAGE = ROOT / "docs" / "benchmarks.md"
CHART = ROOT / "docs" / "benchmarks.svg"
GAMES = ("long", "short")

Rates = dict[str, dict[str, float]]  # of a bench: {"best": work per second, "median": the same}


class Figure(NamedTuple):
    """One figure of merit: a rate, or the ratio of it to another one."""

    label: str
    bench: str
    wanted: tuple[float | None, float | None]
    to: str = ""  # the bench it is divided by
    plain: bool = False  # the bench in the plain width


REUSED, SMALL = "after_states_reused", "after_states_reused_small"
FIGURES = (
    Figure("distinct after-states/s, natural dice, `out=` reused", REUSED, (250e6, 240e6)),
    Figure("the same, all 21 rolls of each position", "all_rolls", (300e6, 270e6)),
    Figure("counting all 21 rolls, pairs/s", "counts", (45e6, 22e6)),
    Figure("perft(2) of 1,000 positions, leaves/s", "perft", (800e6, 500e6)),
    Figure("uniform random playouts, games/s", "playouts", (0.36e6, 0.26e6)),
    Figure("one position a call, pairs/s", "one_pair", (1.2e6, 1.2e6)),
    Figure("fresh output to reused, up to 16 MB", "after_states_fresh_small", (0.8, 0.8), SMALL),
    Figure("fresh output to reused, above", "after_states_fresh", (0.55, 0.55), REUSED),
    Figure("two threads to one: after-states", "after_states_two_threads", (1.6, 1.6), REUSED),
    Figure("two threads to one: counts", "counts_two_threads", (1.95, 1.95), "counts"),
    Figure("two threads to one: perft(3)", "perft_three_two_threads", (1.95, 1.95), "perft_three"),
    Figure("two threads to one: playouts", "playouts_two_threads", (1.95, 1.95), "playouts"),
    Figure("plain width to the widest: after-states", REUSED, (0.55, 0.55), REUSED, True),
    Figure("plain width to the widest: playouts", "playouts", (0.55, 0.55), "playouts", True),
    Figure("after-states to a copy of as many rows", REUSED, (None, None), "store"),
)
OPTIONS_WANTED = 0.7


def kernel_rates(report: dict[str, Any]) -> Rates:
    """Read a report of pytest-benchmark: work per second of each bench that notes its work."""
    rates: Rates = {}
    for bench in report["benchmarks"]:
        work = sum(bench["extra_info"].values())
        if work:
            name = bench["name"].removeprefix("bench_")
            stats = bench["stats"]
            rates[name] = {"best": work / stats["min"], "median": work / stats["median"]}
    return rates


def value(figure: Figure, game: str, kernel: dict[str, Any], which: str) -> float | None:
    """Work out a figure by the best or the median round; None where a bench is missing."""
    width = "baseline" if figure.plain else "default"
    rate: float | None = kernel[width].get(f"{figure.bench}[{game}]", {}).get(which)
    if rate is None or not figure.to:
        return rate
    other: float | None = kernel["default"].get(f"{figure.to}[{game}]", {}).get(which)
    return None if other is None else rate / other


def table(head: list[str], lines: list[list[str]]) -> str:
    """Write a table of Markdown, its first column to the left."""
    rows = [head, ["---", *["--:"] * (len(head) - 1)], *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def kernel_table(kernel: dict[str, Any]) -> str:
    """Every figure of merit: wanted, reached, and how much of it that is."""
    lines = []
    for figure in FIGURES:
        for game, wanted in zip(GAMES, figure.wanted, strict=True):
            best, usual = (value(figure, game, kernel, which) for which in ("best", "median"))
            part = "-" if best is None or wanted is None else f"{best / wanted:.2f}"
            lines.append([figure.label, game, show(wanted), show(best), show(usual), part])
    plain = kernel["default"].get(f"{REUSED}[long]")
    for name, rate in kernel["default"].items():
        if name.startswith("options[") and plain:
            label = f"option `{name[8:-1]}` to the default"
            best, usual = (rate[which] / plain[which] for which in ("best", "median"))
            of_wanted = f"{best / OPTIONS_WANTED:.2f}"
            lines.append([label, "long", show(OPTIONS_WANTED), show(best), show(usual), of_wanted])
    return table(["figure", "game", "wanted", "reached", "median", "of wanted"], lines)


def peers_table(peers: dict[str, Any]) -> str:
    """Each thing that a peer delivers, beside ours from the same run."""
    lines = []
    for name, found in measured(peers):
        ours = {mode: per_second(noted, "pairs") for mode, noted in found["nardy"].items()}
        for mode, noted in found["modes"].items():
            rate = per_second(noted, "pairs")
            lines.append(
                [
                    f"{name} {found['version']}: {DELIVERS[name, mode]}",
                    f"{show(rate)} ({show(per_second(noted, 'pairs', min))})",
                    show(per_second(noted, "delivered")),
                    f"{show(ours['batch'] / rate)} x",
                    f"{show(ours['single'] / rate)} x",
                ]
            )
    head = ["engine and what it delivers", "pairs/s (best)", "delivered/s"]
    return table([*head, "nardy's batch", "nardy, one a call"], lines)


def nardy_table(peers: dict[str, Any]) -> str:
    """Our own modes and the store loops, of the rounds beside all peers."""
    modes = pooled(peers)
    lines = []
    for mode, noted in modes.items():
        rate = per_second(noted, "delivered")
        lines.append(
            [
                DELIVERS["nardy", mode],
                f"{show(per_second(noted, 'pairs'))} ({show(per_second(noted, 'pairs', min))})",
                show(rate),
                show(rate / per_second(modes["copy"], "delivered")),
            ]
        )
    return table(["nardy and the machine", "pairs/s (best)", "delivered/s", "to the copy"], lines)


def checks(peers: dict[str, Any]) -> str:
    """What the comparison of the sets found, with the first few differences."""
    lines = []
    for name, found in peers.items():
        if "skipped" in found:
            lines.append(f"* **{name}**: skipped, {found['skipped']}.")
            continue
        told = [f"{which}: {say(check)}" for which, check in found["checks"].items()]
        lines.append(f"* **{name}**: {'; '.join(told)}. {found['note']}".rstrip())
        for check in found["checks"].values():
            lines += differences(check)
    return "\n".join(lines)


def say(check: dict[str, Any]) -> str:
    """How many sets are ours."""
    if not check["pairs"]:
        return "it cannot be set on these, or not be read"
    return f"{check['same']:,} of {check['pairs']:,} are ours"


def differences(check: dict[str, Any]) -> list[str]:
    """Each kind with its reason, and the first few pairs."""
    lines = []
    for kind, count in check["kinds"].items():
        lines.append(f"  * {count} pairs: {kind}. {EXPLAINED.get(kind, 'Not explained.')}")
        for shown in check["first"]:
            if shown["kind"] == kind:
                roll = "-".join(map(str, shown["roll"]))
                lines.append(f"    * roll {roll}, row `{shown['row']}`:")
                lines[-1] += f" missing `{shown['missing']}`, more `{shown['extra']}`"
    return lines


def where(about_it: dict[str, str]) -> str:
    """Machine, date, commit and versions in a line."""
    return (
        f"{about_it['processor']}, {about_it['system']}, one core; {about_it['date']}, commit "
        f"`{about_it['commit']}`, nardy {about_it['nardy']} (width {about_it['width']}, "
        f"{about_it['compiler']}), Python {about_it['python']}."
    )


def page(kept: dict[str, Any]) -> str:
    """Write the whole page from all that was kept."""
    parts = [
        "# Benchmarks",
        "Written by `make benchmarks` (or `make bench-peers` for the second part alone) from "
        "`benchmarks.json`; do not edit. A shared machine is noisy: compare ratios, and the best "
        "round with the best round.",
    ]
    if kernel := kept.get("kernel"):
        parts += [
            "## The kernel, from Python",
            where(kernel["about"]),
            "Rows of uniform random play, each visited once a round; *reached* is the best round. "
            "One core, but two for two threads.",
            kernel_table(kernel),
        ]
    if peers := kept.get("peers"):
        parts += [
            "## Beside other engines, short nardy",
            "![after-states a second, logarithmic](benchmarks.svg)",
            where(peers["about"]),
            f"The same {peers['pairs']:,} pairs of board and roll from uniform random games for "
            f"all, {peers['rounds']} rounds, nardy and the peer taking turns; each in a process of "
            "its own, by the thread's own time, medians (in brackets: the best round). *nardy's "
            "batch* and *nardy, one a call* say how many times as many pairs nardy did in the same "
            "run. What is delivered differs, and is named.",
            peers_table(peers["peers"]),
            nardy_table(peers["peers"]),
            "### Are their after-states ours?",
            "*Random play* are the pairs that were measured; *endings* are the last one to three "
            "men at home with a blot of the other side among them, all rolls.",
            checks(peers["peers"]),
            "No engine that pip can install plays long nardy.",
        ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Put the new parts in place and write all files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("kernel", "baseline", "peers"):
        parser.add_argument(f"--{name}", type=Path)
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if given.kernel:
        kept["kernel"] = {"about": about(), "default": {}, "baseline": {}}
        for width, file in (("default", given.kernel), ("baseline", given.baseline)):
            if file:
                report = json.loads(file.read_text(encoding="utf-8"))
                kept["kernel"][width] = kernel_rates(report)
    if given.peers:
        kept["peers"] = json.loads(given.peers.read_text(encoding="utf-8"))
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")
    if kept.get("peers"):
        from chart import draw

        draw(kept["peers"]["peers"], CHART)


if __name__ == "__main__":
    main()
