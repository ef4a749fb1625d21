"""The command ``nardy best``: the plays of a roll, ranked by what they are worth."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final

from nardy.arguments import (
    POSITION,
    add_common,
    add_numbering,
    add_position,
    int_from,
    position_of,
)
from nardy.bots import Bot
from nardy.exact import MOST_GAMES, RandomGames, Tables
from nardy.networks import network
from nardy.options import Rules
from nardy.players import Pips, Runner, Spread
from nardy.rulings import described, position_and_roll, print_json
from nardy.search import MOST_PLIES
from nardy.values import Evaluator

__all__ = ["EVALUATORS", "IN_POINTS", "add_best", "add_games"]


def _playouts(rules: Rules, arguments: argparse.Namespace) -> Evaluator:
    return RandomGames(rules, games=arguments.games, seed=arguments.seed)


EVALUATORS: Final[dict[str, Callable[[Rules, argparse.Namespace], Evaluator]]] = {
    "network": lambda rules, _: network(rules),
    "playouts": _playouts,
    "pips": lambda rules, _: Pips(rules),
    "spread": lambda rules, _: Spread(rules),
    "runner": lambda rules, _: Runner(rules),
}
"""What --evaluator can name, the default first."""

IN_POINTS: Final = ("network", "playouts")
"""Those that speak in chances; the others have a scale of their own."""


def add_best(commands: Any) -> None:
    """Add the command to those of ``nardy``."""
    ranked = commands.add_parser(
        "best",
        usage="%(prog)s [POSITION] ROLL [options]",
        help="the plays of a roll, the best first",
        description="Rank the plays of a roll by what they are worth to the side that plays, in "
        f"points of a game without a cube. POSITION is {POSITION}; ROLL is two dice such as 65. "
        "With --json, rows are as the other side sees them.",
    )
    ranked.add_argument("words", metavar="POSITION ROLL", nargs="+", help="before the options")
    names = [*EVALUATORS]
    ranked.add_argument(
        "--evaluator",
        choices=names,
        default=names[0],
        help="network, or playouts (uniformly random games), with exact tables of the end; pips, "
        f"spread, runner: simple players with a scale of their own (default: {names[0]})",
    )
    ranked.add_argument(
        "--plies",
        type=int_from(0, MOST_PLIES),
        default=0,
        help="rolls to look ahead; what looks bad at once is left out (default: 0)",
    )
    add_games(ranked, 1296, "; with --plies fewer will do")
    ranked.add_argument("--seed", type=int_from(0, 2**64 - 1), default=0, help="of playouts")
    add_position(ranked)
    add_numbering(ranked)
    add_common(ranked)
    ranked.set_defaults(run=best)


def add_games(parser: argparse.ArgumentParser, default: int, advice: str = "") -> None:
    """Add the number of games of --evaluator playouts."""
    parser.add_argument(
        "--games",
        type=int_from(1, MOST_GAMES),
        default=default,
        help=f"of playouts, from each board (default: {default}{advice})",
    )


def best(arguments: argparse.Namespace) -> int:
    """Print the plays of a roll, the best first."""
    arguments.position, roll = position_and_roll("best", arguments.words)
    if roll is None:
        raise ValueError(
            f"best takes a position and a roll: after {arguments.position!r} no roll stands"
        )
    position, numbering = position_of(arguments), arguments.numbering
    evaluator = EVALUATORS[arguments.evaluator](position.rules, arguments)
    if arguments.evaluator in IN_POINTS:  # a scale of its own cannot be compared with the tables'
        evaluator = Tables(position.rules, evaluator)
    plays = Bot(evaluator, position.rules, plies=arguments.plies).rank(position, roll)
    if arguments.json:
        listed = [
            described(play, numbering) | {"equity": equity, "plies": plies}
            for play, equity, plies in plays
        ]
        return print_json(
            position,
            numbering=numbering,
            roll=[*roll],
            evaluator=arguments.evaluator,
            plies=arguments.plies,
            plays=listed,
        )
    print(position.text(numbering=numbering))
    large, small = roll
    print(f"\nroll {large}-{small} by {arguments.evaluator}, {arguments.plies}-ply")
    top = plays[0].equity
    for place, (play, equity, plies) in enumerate(plays, start=1):
        # Only what was looked at equally deeply can be compared.
        deep = plies == plays[0].plies
        lost = f"{equity - top:+.4f}" if deep and place > 1 else ""
        words = play.text(numbering=numbering) + ("" if deep else f"  ({plies}-ply)")
        print(f"{place:>4}  {equity:+.4f}  {lost:>7}  {words}")
    return 0
