"""What the words of a command line mean: rules, positions, numbers."""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, get_args

from nardy import options
from nardy.errors import InvalidNotation
from nardy.formats import fibs, gnuid, long_id, xgid
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
    "id_kind",
    "int_from",
    "position_of",
    "rules_of",
    "typed",
]

POSITION: Final = (
    "start, an id (gnubg, XGID, FIBS board or ln1:, of which the board is taken), or OWN/OPPONENT "
    "points such as '24:14 18:1 / 24:15'"
)
"""How a position is written as one word."""

# Words such as 24:14 of the side to move and of the other one; None if they are not named.
Sides = tuple[list[str] | None, list[str] | None]


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are ValueErrors, to be printed where all errors are."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print with its usage."""
        raise ValueError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse, and let the command that was given what it does not know complain of it itself."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown


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
        help=f"{', '.join(names)} (default: {names[0]}; short for an id of it)",
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
    text, written_id = given.get("position"), given.get("gnubg")
    sides: Sides = given.get("own"), given.get("opponent")
    kind = None if written_id is None else "gnubg"
    by_points, label = sides != (None, None), "--"
    if text is not None:
        if kind is not None or by_points:
            raise ValueError(f"{text!r} is a position: leave out --gnubg, --own and --opponent")
        kind, written_id = id_kind(text), text
        if kind is None:
            sides = _written(text)
        by_points, label = sides != (None, None), ""
    elif kind is not None and by_points:
        raise ValueError("--gnubg describes both sides: leave out --own and --opponent")
    elif by_points and None in sides:
        raise ValueError("--own and --opponent belong together: name the checkers of both sides")
    rules = rules_of(arguments, "long" if kind in (None, "long") else "short")
    numbering = checked_numbering(given.get("numbering", "distance"), rules.game)
    if kind is not None and written_id is not None:
        return _of_id(kind, written_id, rules)
    if not by_points:
        return Position.start(rules)
    own, opponent = (
        _points(label + side, words or (), numbering)
        for side, words in zip(("own", "opponent"), sides, strict=True)
    )
    return Position.from_points(own, opponent, rules=rules)


def id_kind(text: str) -> str | None:
    """Return which id stands in a text: ``"long"``, ``"xgid"``, ``"fibs"``, ``"gnubg"`` or None.

    Examples
    --------
    >>> id_kind("ln1:AACA/z8AAID/Pw"), id_kind("4HPwATDgc/ABMA"), id_kind("24:15/24:15")
    ('long', 'gnubg', None)
    """
    seen = {
        "long": long_id.find_long_ids(text),
        "xgid": xgid.found(text),
        "fibs": fibs.found(text),
    }
    kinds = [kind for kind, ids in seen.items() if ids]
    if len(kinds) > 1:
        raise InvalidNotation(f"ids of several kinds ({', '.join(kinds)}) stand in {text!r}")
    # Last: 14 letters in a row may be a part of the others.
    return kinds[0] if kinds else "gnubg" if gnuid.found(text) else None


def _of_id(kind: str, text: str, rules: Rules) -> Position:
    if kind == "long":
        return Position.from_id(text, rules=rules)
    if kind == "gnubg":
        return Position.from_gnubg_id(text, rules=rules)
    if kind == "xgid":
        return Position.from_xgid(text, rules=rules)
    if rules.game != "short":
        raise ValueError(f"a FIBS board needs rules of short nardy, not {rules!r}")
    return Position.from_row(fibs.read(text).row, rules=rules)


def _written(text: str) -> Sides:
    """Read a position text as the points of both sides; none of them is the start."""
    text = text.strip()
    if text.lower() == "start":
        return None, None
    own, slash, opponent = text.partition("/")
    if not slash or ":" not in text or "/" in opponent:
        raise InvalidNotation(f"position must be {POSITION}, not {text!r}")
    return [own], [opponent]


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
