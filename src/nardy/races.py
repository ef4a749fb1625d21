"""The command ``nardy bearoff``: tables built, and what they say of a position."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from nardy.arguments import (
    POSITION,
    add_common,
    add_numbering,
    add_position,
    add_threads,
    int_from,
    position_of,
    rules_of,
)
from nardy.bearoff.onesided import OneSided, one_sided
from nardy.bearoff.placements import placement_count
from nardy.bearoff.twosided import TwoSided, two_sided
from nardy.bearoff.variants import in_words, table_size
from nardy.draw.bars import svg_bars, text_bars
from nardy.outfile import replaced
from nardy.position import Position
from nardy.progress import progress
from nardy.rulings import print_json

__all__ = ["add_bearoff"]


def add_bearoff(commands: Any) -> None:
    """Add ``bearoff`` to the commands of a parser."""
    bearoff = commands.add_parser(
        "bearoff",
        help="exact tables of the end of the game: build one, show what it says",
    )
    verbs = bearoff.add_subparsers(metavar="build|show", required=True)

    built = verbs.add_parser(
        "build",
        help="build a table, or check the one that is there",
        description="Build a table and say where it is, or check the one that is there. It says "
        "what memory it needs before it begins.",
    )
    kinds = ("one-sided", "two-sided")
    built.add_argument("kind", choices=kinds, metavar="|".join(kinds))
    _add_size(built)
    built.add_argument(
        "--limit", type=int_from(0), default=4096, metavar="MB", help="memory (default: 4096)"
    )
    built.add_argument("--rebuild", action="store_true", help="though it is there")
    add_common(built)
    add_threads(built)
    built.set_defaults(run=build)

    shown = verbs.add_parser(
        "show",
        usage="%(prog)s [POSITION] [options]",
        help="what the tables say of a race",
        description="Print how many rolls the side to roll needs, as numbers and as bars, and the "
        f"chances of the race. POSITION is {POSITION}.",
    )
    shown.add_argument("position", nargs="?", help="before the options")
    _add_size(shown)
    shown.add_argument("--svg", metavar="FILE", help="write the bars as a picture too")
    add_position(shown)
    add_numbering(shown)
    add_common(shown)
    shown.set_defaults(run=show)


def _add_size(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--points", type=int_from(1, 10), default=6, help="that the table covers (default: 6)"
    )
    parser.add_argument(
        "--checkers",
        type=int_from(1, 15),
        help="on the board at most (default: all; two-sided: 6)",
    )
    parser.add_argument("--path", metavar="FOLDER", help="of the tables (default: the cache)")


def build(arguments: argparse.Namespace) -> int:
    """Build a table, or open the one that is there."""
    rules = rules_of(arguments, "long")
    kind, checkers = arguments.kind, arguments.checkers
    if checkers is None and kind == "two-sided":
        checkers = min(6, rules.checkers)
    file, memory = table_size(kind, points=arguments.points, checkers=checkers, rules=rules)
    print(f"{in_words(file)}; to build it takes {in_words(memory)}", file=sys.stderr)
    n = placement_count(arguments.points, checkers or rules.checkers)
    opened: Any = one_sided if kind == "one-sided" else two_sided
    # Each placement is worked on twice: its policy, then its distributions.
    steps, unit = (2 * n, "placement") if kind == "one-sided" else (n * n, "pair")
    with progress(steps, unit) as say:
        table: OneSided | TwoSided = opened(
            arguments.points,
            checkers,
            rules,
            threads=arguments.threads,
            path=arguments.path,
            limit=arguments.limit * 10**6,
            progress=lambda done, _: say(done),
            rebuild=arguments.rebuild,
        )
    if arguments.json:
        print(json.dumps({"file": str(table.file), "shape": list(table.data.shape)}))
    else:
        print(f"{table.file}: {' x '.join(map(str, table.data.shape))} numbers")
    return 0


def show(arguments: argparse.Namespace) -> int:
    """Print what the tables say of one position."""
    position = position_of(arguments)
    table = one_sided(arguments.points, arguments.checkers, position.rules, path=arguments.path)
    row = position.row[None]
    if not table.covers(row)[0]:
        raise ValueError(f"position {table.missing(row[0])}")
    chances = table.distribution(row)[0].tolist()
    numbers = {
        "mean": float(table.mean(row)[0]),
        "standard_deviation": float(table.variance(row)[0]) ** 0.5,
        "effective_pips": float(table.effective_pips(row)[0]),
        "first_mean": float(table.first_mean(row)[0]),
    }
    if arguments.svg is not None:
        picture = svg_bars(chances, title=_title(position, numbers["mean"]), what="rolls")
        with replaced(arguments.svg) as file:
            file.write(picture)
    race = _race(table, position)
    if arguments.json:
        return print_json(position, **numbers, distribution=chances, race=race)
    print(position)
    print()
    print(
        f"rolls          {numbers['mean']:.4f}, standard deviation "
        f"{numbers['standard_deviation']:.4f}"
    )
    print(f"effective pips {numbers['effective_pips']:.2f} of {position.pips[0]}")
    print(f"first one off  {numbers['first_mean']:.4f}")
    for name, value in (race or {}).items():
        print(f"{name:<14} {value:.4%}")
    print()
    print(text_bars(chances, what="rolls"))
    return 0


def _title(position: Position, mean: float) -> str:
    return f"{position.pips[0]} pips, {mean:.3f} rolls"


def _race(table: OneSided, position: Position) -> dict[str, float] | None:
    """Return the chances of the race, each side for itself; None if the other is not covered."""
    if not table.covers(position.flip().row[None])[0]:
        return None
    win, win_mars, _, lose_mars, _ = table.race_outcome(position.row[None])[0].tolist()
    return {"win": win, "win mars": win_mars, "lose mars": lose_mars}
