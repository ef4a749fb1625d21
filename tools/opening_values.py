"""What the start of long nardy and its first rolls are worth, and what options change: by rollouts.

    python tools/opening_values.py [--trials 46656] [--threads 2]

Writes docs/first_rolls.md and its chart. What is done is kept in build/first_rolls and not done
again; the figures are the same on every machine of one kind.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import nardy
from chart import OURS, PEER, canvas, save
from nardy.progress import progress

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "first_rolls"
PAGE = ROOT / "docs" / "first_rolls.md"
CHART = ROOT / "docs" / "first_rolls.svg"
SEED = 2026

VARIANTS: dict[str, dict[str, Any]] = {
    "head": {
        name: {"head": name}
        for name in (
            "blocked_double", "named", "listed", "any_double_first", "any_double", "none", "free",
        )
    },
    "block": {name: {"block": name} for name in ("home", "never", "strict", "free")},
    "others": {
        "head_side second": {"head_side": "second"},
        "doubles_moves 2": {"doubles_moves": 2},
        "bearoff_overshoot any": {"bearoff_overshoot": "any"},
    },
}  # fmt: skip

HEAD = """# The first rolls of long nardy

Written by `make first-rolls`; do not edit. What the start is worth to the side that rolls first,
and what each first roll is worth to it, in points of a game without a cube (oin 1, mars 2):
{trials:,} games from each board, played to the end at 0 plies by the [network](networks.md) that
the library brings (identity `{identity}`), seed {seed}, intervals of 95 %. We know of no such table
in print, so there is nothing to hold it against. Stronger players will move the figures by more
than the intervals, which say only how well the games of *this* player are known.

![value of each first roll](first_rolls.svg)

The start, before the first roll: **{start}** points; the side that begins wins {win:.2%},
{mars:.2%} by mars, and loses {lost:.2%} by mars.

{rolls}
## What the options change

The same for other rules. The network has learned by the default rules, and plays the others by what
it learned there. The games of two rules share their dice, but their intervals are put together here
as if they were apart: those of the differences are rather too wide.

{options}"""


def kept(name: str) -> Path:
    """Return the file that keeps a rollout."""
    KEPT.mkdir(parents=True, exist_ok=True)
    return KEPT / f"{name.replace(' ', '_')}.json"


def value(rules: nardy.Rules, name: str, how: dict[str, Any]) -> nardy.Rollout:
    """Roll the start out; every first roll falls equally often, as the rules have it."""
    start = nardy.Position.start(rules)
    return nardy.rollout(start, seed=SEED, checkpoint=kept(name), **how)


def row(*cells: str) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cells) + " |\n"


def interval(equity: float, error: float) -> str:
    """Show a value with its 95 % interval."""
    return f"{equity:+.4f} ± {1.96 * error:.4f}"


def rolls(rules: nardy.Rules, how: dict[str, Any]) -> list[nardy.PlaysRollout]:
    """Roll the plays of each first roll out."""
    start = nardy.Position.start(rules)
    found = []
    with progress(len(nardy.ROLLS), "roll") as show:
        for number, (large, small) in enumerate(nardy.ROLLS.tolist(), start=1):
            found.append(
                nardy.rollout_plays(
                    start, (large, small), seed=SEED, checkpoint=kept(f"{large}{small}"), **how
                )
            )
            show(number)
    return found


def table_of_rolls(found: list[nardy.PlaysRollout]) -> str:
    """Return the table of all first rolls and plays, the best roll first."""
    text = row("roll", "play", "worth", "win", "win mars", "lose mars") + row(*["---"] * 6)
    for plays in sorted(found, key=lambda plays: -plays[0].equity):
        for entry in plays:
            assert entry.chances is not None
            win, mars, _, lost, _ = entry.chances.tolist()
            text += row(
                "-".join(map(str, plays.roll)),
                str(entry.play),
                interval(entry.equity, entry.standard_error),
                *(f"{chance:.2%}" for chance in (win, mars, lost)),
            )
    return text


def table_of_options(base: nardy.Rollout, how: dict[str, Any]) -> str:
    """Return the table of other rules."""
    text = row(
        "option", "value", "worth of the start", "more than by default", "win", "mars a game"
    )
    text += row(*["---"] * 6)
    text += row("(all)", "default", *worth(base, base))
    for option, variants in VARIANTS.items():
        for name, changes in variants.items():
            rules = nardy.LONG.replace(**changes)
            text += row(option, name, *worth(value(rules, f"{option} {name}", how), base))
    return text


def worth(found: nardy.Rollout, base: nardy.Rollout) -> list[str]:
    """Return the cells of a variant."""
    assert found.chances is not None
    win, mars, _, lost, _ = found.chances.tolist()
    both = (found.standard_error**2 + base.standard_error**2) ** 0.5
    apart = "" if found is base else interval(found.equity - base.equity, both)
    return [interval(found.equity, found.standard_error), apart, f"{win:.2%}", f"{mars + lost:.2%}"]


def draw(found: list[nardy.PlaysRollout], base: nardy.Rollout) -> None:
    """Draw the worth of each roll's best play with its interval."""
    ranked = sorted(found, key=lambda plays: plays[0].equity)
    figure, axes = canvas(7, 5.5)
    places = range(len(ranked))
    axes.errorbar(
        [plays[0].equity for plays in ranked],
        places,
        xerr=[1.96 * plays[0].standard_error for plays in ranked],
        fmt="o", color=OURS, markersize=4, capsize=3,
    )  # fmt: skip
    axes.set_yticks(places, ["-".join(map(str, plays.roll)) for plays in ranked])
    axes.axvline(base.equity, color=PEER, linewidth=1)
    axes.annotate("the start, before the roll", (base.equity, 0), xytext=(5, 0),
                  textcoords="offset points", color=PEER, va="center")  # fmt: skip
    axes.set_xlabel("points to the side that rolls, 95 % intervals")
    save(figure, CHART)


def main() -> None:
    """Work all out, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--trials", type=int, default=46_656)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    how = {"trials": options.trials, "threads": options.threads}
    base = value(nardy.LONG, "default", how)
    found = rolls(nardy.LONG, how)
    draw(found, base)
    assert base.chances is not None
    win, mars, _, lost, _ = base.chances.tolist()
    text = HEAD.format(
        trials=options.trials,
        identity=nardy.network("long").identity,
        seed=SEED,
        start=interval(base.equity, base.standard_error),
        win=win,
        mars=mars,
        lost=lost,
        rolls=table_of_rolls(found),
        options=table_of_options(base, how),
    )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
