"""What the words of a command line mean: rules, positions, numbers."""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from nardy import options
from nardy.options import PRESETS, Rules
from nardy.position import Position

__all__ = [
    "Parser",
    "add_common",
    "add_position",
    "add_threads",
    "int_from",
    "position_of",
    "rules_of",
    "typed",
]


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are ValueErrors, to be printed where all errors are."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print with its usage."""
        raise ValueError(f"{message} (see {self.prog} --help)")


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes: the rules, and --json."""
    parser.add_argument("--rules", metavar="PRESET", choices=[*PRESETS], help=", ".join(PRESETS))
    parser.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="an option of the rules, such as head=named or head_doubles=4,6; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="write one line of JSON")


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the ways to describe a position, and what every command takes."""
    places = parser.add_argument_group("position", "the start of a game if none of these is given")
    places.add_argument("--gnubg", metavar="ID", help="a GNU Backgammon position id")
    for side, whose in (("own", "the side to move"), ("opponent", "the other side")):
        places.add_argument(
            f"--{side}",
            metavar="POINT:MEN",
            nargs="*",
            help=f"checkers of {whose} in its own numbering, such as 24:14 18:1 or "
            "bar:1; the rest is borne off",
        )
    add_common(parser)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the number of threads, by default that of the processor's cores."""
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--threads", type=int_from(1), default=cores, help=f"to share the work (default: {cores})"
    )


def typed(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Let argparse show the message of a ValueError instead of one of its own."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def int_from(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return what reads an int from ``low`` on, up to ``high`` if there is such a limit."""
    wanted = f">= {low}" if high is None else f"{low}..{high}"

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"must be an int {wanted}, not {text!r}")
        return number

    return convert


def rules_of(arguments: argparse.Namespace, default: str) -> Rules:
    """Return the rules that --rules and --set ask for."""
    chosen = {}
    for setting in arguments.set:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--set must be OPTION=VALUE, not {setting!r}")
        chosen[name.strip()] = _value(value.strip())
    return options.rules(arguments.rules or default).replace(**chosen)


def _value(text: str) -> object:
    """Read the value of an option: true, 15, 4,6 and None are values, other words stay words."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def position_of(arguments: argparse.Namespace) -> Position:
    """Return the position that the arguments describe: an id, points, or the start."""
    rules = rules_of(arguments, "long" if arguments.gnubg is None else "short")
    sides = arguments.own, arguments.opponent
    if arguments.gnubg is not None:
        if sides != (None, None):
            raise ValueError("--gnubg describes both sides: leave out --own and --opponent")
        return Position.from_gnubg_id(arguments.gnubg, rules=rules)
    if sides == (None, None):
        return Position.start(rules)
    if None in sides:
        raise ValueError("--own and --opponent belong together: name the checkers of both sides")
    return Position.from_points(
        _points("--own", arguments.own), _points("--opponent", arguments.opponent), rules=rules
    )


def _points(option: str, words: Iterable[str]) -> dict[int | str, int]:
    """Read words such as 24:14 or bar:1, divided by blanks or commas."""
    points: dict[int | str, int] = {}
    for word in ",".join(words).replace(" ", ",").split(","):
        if not word:
            continue
        point, _, men = word.partition(":")
        try:
            place = point if point == "bar" else int(point)
            count = int(men)
        except ValueError:
            raise ValueError(
                f"{option}: must be POINT:MEN, not {word!r} (a roll or depth stands before it)"
            ) from None
        if place in points:
            raise ValueError(f"{option}: names {place} twice")
        points[place] = count
    return points
