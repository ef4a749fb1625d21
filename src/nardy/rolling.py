"""The command ``nardy rollout``: what a position or the plays of a roll are worth, played out."""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.advising import EVALUATORS, IN_POINTS, add_games
from nardy.arguments import (
    POSITION,
    add_common,
    add_numbering,
    add_position,
    add_threads,
    int_from,
    position_of,
    typed,
)
from nardy.cube import Cube
from nardy.dice import as_roll
from nardy.equity import MatchEquity
from nardy.exact import Tables
from nardy.options import Rules
from nardy.players import Uniform
from nardy.progress import INTERRUPTED, progress
from nardy.rolled import PlaysRollout, RolledPlay, Rollout, RolloutInterrupted
from nardy.rollouts import rollout, rollout_plays
from nardy.rulings import described, position_and_roll, print_json
from nardy.search import Search
from nardy.stakes import MatchPlay, Money, Stakes
from nardy.tally import quantile
from nardy.values import CHANCES, Evaluator

__all__ = ["add_rollout"]

_PLAYERS: Final[dict[str, Callable[[Rules, argparse.Namespace], Evaluator]]] = EVALUATORS | {
    "uniform": lambda rules, _: Uniform(rules)
}
_OF_PLAYS: Final = ("candidates", "clear")
_LEVEL: Final = 0.95
# A best play that leads by as many standard errors is one beyond the chance of 1 in 20.
_CLEAR: Final = 2.0
_SHOWN: Final = [CHANCES.index(name) for name in ("win", "win mars", "lose mars")]


def add_rollout(commands: Any) -> None:
    """Add the command to those of ``nardy``."""
    rolled = commands.add_parser(
        "rollout",
        usage="%(prog)s [POSITION] [ROLL] [options]",
        help="what a position or the plays of a roll are worth, by playing it out many times",
        description="Play a position out many times, or what each play of a roll leads to, all on "
        "the same dice, and print the mean with its error. POSITION is "
        f"{POSITION}; ROLL is two dice such as 65. With --json, rows of plays are as the other "
        "side sees them. See docs/rollouts.md.",
    )
    rolled.add_argument("words", metavar="POSITION ROLL", nargs="*", help="before the options")
    rolled.add_argument(
        "--roll", type=typed(as_roll), help="the same as the word ROLL, for after the options"
    )
    rolled.add_argument(
        "--trials",
        type=int_from(1),
        default=1296,
        help="games from each board, a multiple of 36 (default: 1296)",
    )
    rolled.add_argument(
        "--seed", type=int_from(0, 2**64 - 1), default=0, help="of the dice (default: 0)"
    )
    rolled.add_argument(
        "--first",
        type=int_from(0),
        default=0,
        help="number of the first trial, a multiple of 36 (default: 0)",
    )
    names = [*_PLAYERS]
    rolled.add_argument(
        "--evaluator",
        choices=names,
        default=names[0],
        help=f"who plays both sides: {', '.join(names)} (default: {names[0]})",
    )
    rolled.add_argument(
        "--plies",
        type=int_from(0, 1),
        default=0,
        help="rolls that it looks ahead; 1 takes 200 to 400 times as long (default: 0)",
    )
    add_games(rolled, 36)
    rolled.add_argument(
        "--truncate",
        metavar="TURNS",
        type=int_from(1),
        help="cut games after so many turns of both sides; the evaluator says how they stand",
    )
    rolled.add_argument(
        "--variance-reduction",
        action="store_true",
        help="take the luck of the dice from the results, as the evaluator sees it: smaller "
        "errors of a trial, at some 20 times its cost",
    )
    rolled.add_argument(
        "--tables", action="store_true", help="end games in races that the bear-off tables hold"
    )
    _add_stakes(rolled)
    rolled.add_argument(
        "--standard-error",
        metavar="X",
        type=float,
        help="stop once it is not above X (of plays: of any play)",
    )
    rolled.add_argument(
        "--clear",
        metavar="X",
        type=float,
        help="stop once the best play leads each other by X standard errors; 3 or more is wise",
    )
    rolled.add_argument(
        "--candidates",
        metavar="N",
        type=int_from(1),
        help="only the N plays that the evaluator values most (default: all)",
    )
    rolled.add_argument(
        "--checkpoint", metavar="FILE", help="keep what is done there, and go on from it"
    )
    add_position(rolled)
    add_numbering(rolled)
    add_common(rolled)
    add_threads(rolled)
    rolled.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what games from a position, or from the plays of a roll, came to."""
    arguments.position, roll = position_and_roll("rollout", arguments.words)
    if roll is not None and arguments.roll is not None:
        raise ValueError("--roll: the roll is named already, before the options")
    roll = roll or arguments.roll
    position = position_of(arguments)
    evaluator = _evaluator(position.rules, arguments)
    given = vars(arguments)
    if roll is None:
        for name in _OF_PLAYS:
            if given[name] is not None:
                raise ValueError(f"--{name} is about plays: name a roll")
    # What a file has kept took its time earlier: the rate of this run would be wrong.
    goes_on = arguments.checkpoint is not None and os.path.exists(arguments.checkpoint)
    started = time.perf_counter()
    interrupted = False
    found: Rollout | PlaysRollout
    try:
        with progress(arguments.trials, "trial") as show:
            options: dict[str, Any] = {
                "seed": arguments.seed,
                "trials": arguments.trials,
                "first": arguments.first,
                "stakes": _stakes(position.rules, arguments),
                "truncate": arguments.truncate,
                "variance_reduction": arguments.variance_reduction,
                "tables": Tables(position.rules) if arguments.tables else None,
                "standard_error": arguments.standard_error,
                "threads": arguments.threads,
                "checkpoint": arguments.checkpoint,
                "progress": lambda done, _: show(done),
            }
            if roll is None:
                found = rollout(position, evaluator, **options)
            else:
                options |= {name: given[name] for name in _OF_PLAYS}
                found = rollout_plays(position, roll, evaluator, **options)
    except RolloutInterrupted as ended:
        interrupted, found = True, ended.result
    seconds = time.perf_counter() - started
    if arguments.json:
        _print_json(found, arguments, interrupted=interrupted, seconds=seconds)
    else:
        print(position.text(numbering=arguments.numbering))
        games = found.trials * (len(found) if isinstance(found, PlaysRollout) else 1)
        rate = "" if goes_on else f", {games / seconds:,.0f} games a second"
        print(f"\n{_done(found, arguments, interrupted)}: {seconds:.1f} s{rate}")
        if found.trials and isinstance(found, Rollout):
            _print_position(found)
        elif found.trials and isinstance(found, PlaysRollout):
            _print_plays(found, arguments)
    return INTERRUPTED if interrupted else 0


def _evaluator(rules: Rules, arguments: argparse.Namespace) -> Evaluator:
    name = arguments.evaluator
    if arguments.truncate is not None and name not in IN_POINTS:
        raise ValueError(
            f"--truncate needs an evaluator that speaks in points: {' or '.join(IN_POINTS)}, not "
            f"{name}"
        )
    if arguments.plies and name == "uniform":
        raise ValueError("--plies: uniform plays without looking, ahead or at all")
    evaluator = _PLAYERS[name](rules, arguments)
    return Search(evaluator, rules, plies=arguments.plies) if arguments.plies else evaluator


def _add_stakes(parser: argparse.ArgumentParser) -> None:
    played_for = parser.add_argument_group("stakes", "points without a cube if none is given")
    played_for.add_argument(
        "--cube",
        metavar="VALUE[:WHOSE]",
        type=typed(_cube),
        help="play with the cube: 1 in the middle, 2:own or 2:opponent once it was turned",
    )
    played_for.add_argument(
        "--score",
        metavar="OWN-OTHER",
        type=typed(_score),
        help="play for a match in which the side to move needs OWN points, the other OTHER: the "
        "chance to win it",
    )
    played_for.add_argument(
        "--crawford-done", action="store_true", help="the Crawford game of that match is over"
    )
    played_for.add_argument(
        "--mars",
        metavar="SHARE",
        type=float,
        help="of the wins that are mars, for the worth of a score (default: 0.26 in short nardy; "
        "long nardy needs it)",
    )


def _cube(text: str) -> Cube:
    """Read a cube such as 1 or 2:own."""
    value, _, whose = text.partition(":")
    owner = {"": None, "own": 0, "opponent": 1}.get(whose, -1)
    if not value.isdecimal() or owner == -1 or text.endswith(":"):
        raise ValueError(f"wanted a cube such as 1, 2:own or 4:opponent, not {text!r}")
    return Cube(int(value), owner, is_turned=owner is not None)


def _score(text: str) -> tuple[int, int]:
    """Read what both sides need, such as 5-3."""
    own, _, other = text.partition("-")
    if not (own.isdecimal() and other.isdecimal()):
        raise ValueError(f"wanted the points that each side needs, such as 5-3, not {text!r}")
    return int(own), int(other)


def _stakes(rules: Rules, arguments: argparse.Namespace) -> Stakes:
    """Return what the games are played for."""
    if arguments.score is None:
        for name, is_given in (
            ("crawford-done", arguments.crawford_done),
            ("mars", arguments.mars is not None),
        ):
            if is_given:
                raise ValueError(f"--{name} is about a match: name a --score")
        return Money(arguments.cube)
    own, other = arguments.score
    # What a score is worth does not depend on how long the match was.
    equity = MatchEquity(max(own, other), rules=rules, mars=arguments.mars)
    return MatchPlay(equity, own, other, cube=arguments.cube, crawford_done=arguments.crawford_done)


# --- what is printed


def _done(found: Rollout | PlaysRollout, arguments: argparse.Namespace, interrupted: bool) -> str:
    """Say in a line what was done."""
    what = "interrupted after" if interrupted else "played"
    trials = f"{found.trials:,} trials"
    if found.trials < arguments.trials:
        trials = f"{found.trials:,} of {arguments.trials:,} trials"
    if isinstance(found, PlaysRollout):
        large, small = found.roll
        what = f"roll {large}-{small}: {what}"
    player = f"{arguments.evaluator}, {arguments.plies}-ply"
    return f"{what} {trials} of seed {arguments.seed} by {player}"


def _print_position(found: Rollout) -> None:
    low, high = found.interval(_LEVEL)
    within = f"   95 % within {low:+.4f} .. {high:+.4f}" if math.isfinite(high) else ""
    what = "match won" if isinstance(found.stakes, MatchPlay) else "equity"
    print(f"{what:<11} {found.equity:+8.4f}{within}   {_error(found.standard_error, '.4f')}")
    if found.chances is None or found.chance_errors is None:
        return
    for name, chance, error in zip(CHANCES, found.chances, found.chance_errors, strict=True):
        print(f"{name:<11} {chance:8.2%}   {_error(error, '.2%')}")


def _error(error: float, form: str) -> str:
    return f"standard error {error:{form}}" if math.isfinite(error) else "error unknown"


def _print_plays(found: PlaysRollout, arguments: argparse.Namespace) -> None:
    wide = quantile(_LEVEL, found.sums.freedom)
    has_chances = found[0].chances is not None
    head = "".join(f"{CHANCES[column]:>11}" for column in _SHOWN) if has_chances else ""
    what = "match won" if isinstance(found.stakes, MatchPlay) else "equity"
    print(f"{what:>11} +-95 %  {'to best':>8} +-95 %{head}  play")
    for place, entry in enumerate(found):
        less = f"  {-entry.behind:+8.4f} {_half(wide * entry.behind_error)}" if place else ""
        said = entry.chances
        shares = "" if said is None else "".join(f"{said[column]:11.2%}" for column in _SHOWN)
        words = entry.play.text(numbering=arguments.numbering)
        half = _half(wide * entry.standard_error)
        print(f"{place + 1:>3} {entry.equity:+.4f} {half}{less:<17}{shares}  {words}")
    if not math.isfinite(wide):
        print(f"the errors are not known yet: {found.trials} trials have each first throw once")
    elif len(found) > 1:
        lead = found.lead()
        clear = "clearly best" if lead >= _CLEAR else "not clear which is best"
        print(f"{clear}: the first leads by {lead:.1f} standard errors of the difference")


def _half(width: float) -> str:
    """Write half the width of an interval: of 36 trials it is not known."""
    return f"{width:6.4f}" if math.isfinite(width) else "     ?"


def _print_json(
    found: Rollout | PlaysRollout,
    arguments: argparse.Namespace,
    *,
    interrupted: bool,
    seconds: float,
) -> None:
    numbering = arguments.numbering
    about: dict[str, Any] = {
        "numbering": numbering,
        "evaluator": arguments.evaluator,
        "plies": arguments.plies,
        "question": found.question,
        "trials": found.trials,
        "first": arguments.first,
        "interrupted": interrupted,
        "seconds": seconds,
    }
    if isinstance(found, PlaysRollout):
        about["roll"] = [*found.roll]
        if found.trials:
            about["lead"] = _number(found.lead())
            about["plays"] = [
                described(entry.play, numbering)
                | _described(entry, found.interval(place, _LEVEL))
                | {"behind": entry.behind, "behind_error": _number(entry.behind_error)}
                for place, entry in enumerate(found)
            ]
    elif found.trials:
        about |= _described(found, found.interval(_LEVEL))
        if found.chance_errors is not None:
            about["chance_errors"] = _by_name(found.chance_errors)
    print_json(found.position, **about)


def _described(found: Rollout | RolledPlay, interval: tuple[float, float]) -> dict[str, Any]:
    return {
        "equity": found.equity,
        "standard_error": _number(found.standard_error),
        "interval": [_number(end) for end in interval],
        "chances": None if found.chances is None else _by_name(found.chances),
    }


def _by_name(numbers: NDArray[np.float64]) -> dict[str, float | None]:
    """Name the numbers of the five chances."""
    return dict(zip(CHANCES, map(_number, numbers.tolist()), strict=True))


def _number(value: float) -> float | None:
    """Return what JSON can hold: errors that are not known, and leads without end, are null."""
    return value if math.isfinite(value) else None
