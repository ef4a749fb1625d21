"""What the words of a command line mean: rules, positions, numbers."""

from __future__ import annotations

import argparse
import ast
import os
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, get_args

from nardy import options
from nardy.errors import InvalidNotation
from nardy.options import PRESETS, Rules
from nardy.position import Position
from nardy.wording import Numbering, checked_numbering

__all__ = [
    "POSITION",
    "Parser",
    "add_common",
    "add_numbering",
    "add_position",
    "add_rules",
    "add_threads",
    "int_from",
    "position_of",
    "rules_of",
    "typed",
]

POSITION: Final = "start, a gnubg id, or OWN/OPPONENT points such as '24:14 18:1 / 24:15'"
"""How a position is written as one word."""

_ID: Final = re.compile(r"[A-Za-z0-9+/]{14}(:.*)?")  # no points: those have a colon at once

# Words such as 24:14 of the side to move and of the other one; None if they are not named.
Sides = tuple[list[str] | None, list[str] | None]


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are ValueErrors, to be printed where all errors are."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print with its usage."""
        raise ValueError(f"{message} (see {self.prog} --help)")


def add_common(parser: argparse.ArgumentParser, presets: Iterable[str] = PRESETS) -> None:
    """Add what every command takes that finds something out: the rules, and --json."""
    add_rules(parser, presets)
    parser.add_argument("--json", action="store_true", help="write one line of JSON")


def add_rules(parser: argparse.ArgumentParser, presets: Iterable[str] = PRESETS) -> None:
    """Add the choice of the rules."""
    names = [*presets]
    parser.add_argument(
        "--rules",
        metavar="PRESET",
        choices=names,
        help=f"{', '.join(names)} (default: {names[0]}; short for a gnubg id)",
    )
    parser.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="an option of the rules, such as head=named or head_doubles=4,6; may be repeated",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe a position."""
    places = parser.add_argument_group("position", "the start of a game if none is given")
    places.add_argument("--gnubg", metavar="ID", help="a GNU Backgammon position id")
    for side, whose in (("own", "the side to move"), ("opponent", "the other side")):
        places.add_argument(
            f"--{side}",
            metavar="POINT:MEN",
            nargs="*",
            help=f"checkers of {whose} in its own numbering, such as 24:14 18:1 or "
            "bar:1; the rest is borne off",
        )


def add_numbering(
    parser: argparse.ArgumentParser, where: str = "in POSITION, --own and --opponent too"
) -> None:
    """Add the choice of how points are counted, in what is read and in what is written."""
    parser.add_argument(
        "--numbering",
        choices=get_args(Numbering),
        default="distance",
        help="points as pips to go, 24 the head of long nardy (distance, the default), or as the "
        f"way from it, 1 the head (path, long nardy); {where}",
    )


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
    chosen: dict[str, Any] = {}
    for setting in arguments.set:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ValueError(f"--set must be OPTION=VALUE, not {setting!r}")
        if name == "game":
            raise ValueError("--set: the game is no option: choose it with --rules")
        value = _value(text)
        # A set of one is written without a comma: head_doubles=4.
        chosen[name] = [value] if name == "head_doubles" and isinstance(value, int) else value
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
    """Return the position that the arguments describe: a text, an id, points, or the start."""
    given = vars(arguments)  # no command takes every way to describe one
    text, gnubg = given.get("position"), given.get("gnubg")
    sides: Sides = given.get("own"), given.get("opponent")
    by_points, label = sides != (None, None), "--"
    if text is not None:
        if gnubg is not None or by_points:
            raise ValueError(f"{text!r} is a position: leave out --gnubg, --own and --opponent")
        gnubg, sides = _written(text)
        by_points, label = sides != (None, None), ""
    elif gnubg is not None and by_points:
        raise ValueError("--gnubg describes both sides: leave out --own and --opponent")
    elif by_points and None in sides:
        raise ValueError("--own and --opponent belong together: name the checkers of both sides")
    rules = rules_of(arguments, "long" if gnubg is None else "short")
    numbering = checked_numbering(given.get("numbering", "distance"), rules.game)
    if gnubg is not None:
        return Position.from_gnubg_id(_without_match(gnubg), rules=rules)
    if not by_points:
        return Position.start(rules)
    own, opponent = (
        _points(label + side, words or (), numbering)
        for side, words in zip(("own", "opponent"), sides, strict=True)
    )
    return Position.from_points(own, opponent, rules=rules)


def _written(text: str) -> tuple[str | None, Sides]:
    """Read a position text as a gnubg id or as the points of both sides; neither is the start."""
    text = text.strip()
    if text.lower() == "start":
        return None, (None, None)
    if _ID.fullmatch(text):
        return text, (None, None)
    own, slash, opponent = text.partition("/")
    if not slash or ":" not in text or "/" in opponent:
        raise InvalidNotation(f"position must be {POSITION}, not {text!r}")
    return None, ([own], [opponent])


def _without_match(text: str) -> str:
    """Refuse the id of a match beside that of a position: the score and the cube would be lost."""
    position, colon, _ = text.partition(":")
    if colon:
        raise InvalidNotation(
            f"gnubg id {text!r} holds a position and a match: leave out the colon and what follows"
        )
    return position


def _points(label: str, words: Iterable[str], numbering: Numbering) -> dict[int | str, int]:
    """Read words such as 24:14 or bar:1, divided by blanks or commas, as distances."""
    points: dict[int | str, int] = {}
    for word in ",".join(words).replace(" ", ",").split(","):
        if not word:
            continue
        point, _, men = word.partition(":")
        try:
            place = "bar" if point.lower() == "bar" else int(point)
            count = int(men)
        except ValueError:
            hint = " (a position, roll or depth stands before it)" if label[0] == "-" else ""
            raise ValueError(f"{label}: must be POINT:MEN, not {word!r}{hint}") from None
        if isinstance(place, int) and numbering == "path":
            if not 1 <= place <= 24:
                raise ValueError(f"{label}: each point of a path must be 1..24, not {place}")
            place = 25 - place
        if place in points:
            raise ValueError(f"{label}: names {point} twice")
        points[place] = count
    return points
