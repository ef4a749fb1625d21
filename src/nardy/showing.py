"""The command ``nardy show``: what an id says, and the same in every other id."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Final, NamedTuple

from nardy.arguments import POSITION, add_common, add_numbering, id_kind, position_of
from nardy.dice import as_roll
from nardy.formats import fibs, gnuid, xgid
from nardy.formats.situation import Situation
from nardy.position import Position
from nardy.rulings import described, print_json, print_plays

__all__ = ["add_show"]


class _Codec(NamedTuple):
    read: Callable[[str], Situation]
    write: Callable[[Situation], str]
    lost: Callable[[Situation], tuple[str, ...]]


_CODECS: Final = {
    "gnubg": _Codec(gnuid.read, gnuid.write, gnuid.lost),
    "xgid": _Codec(xgid.read, xgid.write, xgid.lost),
    "fibs": _Codec(fibs.read, fibs.write, fibs.lost),
}

# Each id that a position can be written in, and what writing it so loses.
Ids = dict[str, tuple[str, tuple[str, ...]]]


def add_show(commands: Any) -> None:
    """Add ``show`` to the commands of a parser."""
    shown = commands.add_parser(
        "show",
        usage="%(prog)s ID [ROLL] [options]",
        help="what an id says: board, score, cube, dice, and all other ids of it",
        description="Print the board of an id as the side on roll sees it, with what the id says "
        "of score, cube and dice, the same in every other id, and the legal plays of a roll. Of "
        "an id in other text the text is left out. Exit code: 1 if a line of - cannot be read.",
    )
    shown.add_argument("id", metavar="ID", help=f"{POSITION}; - reads one from each line of input")
    shown.add_argument(
        "roll", metavar="ROLL", nargs="?", help="two dice such as 65, if not the id's"
    )
    add_numbering(shown, "in OWN/OPPONENT points too")
    add_common(shown)
    shown.set_defaults(run=show)


def show(arguments: argparse.Namespace) -> int:
    """Print what one id says, or each line of the input."""
    if arguments.roll is not None:
        arguments.roll = as_roll(arguments.roll)
    if arguments.id != "-":
        _print(arguments, *_read(arguments, arguments.id))
        return 0
    if sys.stdin is None:
        raise ValueError("-: standard input is closed")
    code, is_first = 0, True
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            position, situation = _read(arguments, line.strip())
        except ValueError as error:
            print(f"nardy: line {number}: {error}", file=sys.stderr)
            code = 1
            continue
        if not is_first and not arguments.json:
            print()
        _print(arguments, position, situation)
        is_first = False
    return code


def _read(arguments: argparse.Namespace, text: str) -> tuple[Position, Situation | None]:
    """Read an id; what stands around the board is None for long nardy, which has no id of that."""
    arguments.position = text
    position, kind = position_of(arguments), id_kind(text)
    if position.rules.game == "long":
        return position, None
    return position, Situation(position.cells) if kind is None else _CODECS[kind].read(text)


def _print(arguments: argparse.Namespace, position: Position, situation: Situation | None) -> None:
    numbering = arguments.numbering
    ids = _ids(position, situation)
    roll = arguments.roll or (situation.roll if situation else None)
    if arguments.json:
        plays = roll and [described(play, numbering) for play in position.plays(roll)]
        print_json(
            position,
            numbering=numbering,
            pips=position.pips,
            situation=situation and _fields(situation),
            ids={name: written for name, (written, _) in ids.items()},
            lost={name: without for name, (_, without) in ids.items()},
            roll=roll,
            after_states=plays,
        )
        return
    print(position.text(numbering=numbering))
    if situation:
        print("\n".join(_around(situation)))
    for name, (written, without) in ids.items():
        print(f"{name:<5} {written}")
        if without:
            print(f"      without {', '.join(without)}")
    if position.is_over:
        print("the game is over: there is nothing to play")
    elif roll is not None:
        print_plays(position, roll, numbering)


def _ids(position: Position, situation: Situation | None) -> Ids:
    if situation is None:
        return {"long": (position.id, ())}
    ids: Ids = {}
    for name, codec in _CODECS.items():
        try:
            ids[name] = codec.write(situation), codec.lost(situation)
        except ValueError:  # a format that has no place for this at all, as XGID for a match won
            continue
    return ids


def _fields(situation: Situation) -> dict[str, Any]:
    return {field.name: getattr(situation, field.name) for field in fields(situation)[1:]}


def _around(it: Situation) -> Iterator[str]:
    """Say in words what is around the board; X is the side on roll, as on the board."""
    names = ("O", "X") if it.side else ("X", "O")
    if it.names:
        yield f"X is {it.names[it.side]}, O is {it.names[1 - it.side]}"
    score = f"score X {it.score[it.side]}, O {it.score[1 - it.side]}"
    if it.length is None:
        also = [name for name, played in (("Jacoby", it.jacoby), ("beavers", it.beaver)) if played]
        yield ", ".join([f"{score}, for money", *also])
    else:
        yield f"{score}, to {it.length}{', Crawford game' if it.is_crawford else ''}"
    where = "in the middle" if it.cube_owner is None else f"owned by {names[it.cube_owner]}"
    most = "" if it.cube_max is None else f", {it.cube_max} at most"
    yield f"cube {it.cube_value} {where}{most}"
    to_act = names[it.to_act or 0]
    if it.offer:
        yield f"{it.offer} to {2 * it.cube_value}"
    if it.resignation:
        yield f"a resignation ({it.resignation}) is offered"
    if it.offer or it.resignation:
        yield f"{to_act} answers"
    if it.state != "playing":
        yield f"game: {it.state}"
    if it.roll:
        yield f"dice {it.roll[0]}-{it.roll[1]}"
