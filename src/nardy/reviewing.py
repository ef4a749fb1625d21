"""The commands ``nardy replay`` and ``nardy convert``: files of matches."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import IO, Any, Final

from nardy.arguments import add_rules, rules_of
from nardy.errors import InvalidNotation
from nardy.files import FORMS, SUFFIXES, form_of, read, write
from nardy.options import Rules
from nardy.progress import progress
from nardy.replays import GameRecord, MatchRecord, Node

__all__ = ["add_convert", "add_replay"]

_FILES: Final = "a file of matches (.mat text of any dialect, gnubg's .sgf, JSON), or - for input"


def add_replay(commands: Any) -> None:
    """Add ``replay`` to the commands of a parser."""
    parser = commands.add_parser(
        "replay",
        help="play the matches of files through: results, illegal plays and why",
        description="Print a line for each game, below it each illegal play and why it is one, "
        "what could not be read, and totals. Exit code: 1 if a play is illegal, or anything could "
        "not be read.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=_FILES)
    add_rules(parser)
    parser.add_argument(
        "--json", action="store_true", help="write one line of JSON a match, and one of totals"
    )
    parser.set_defaults(run=replay)


def add_convert(commands: Any) -> None:
    """Add ``convert`` to the commands of a parser."""
    parser = commands.add_parser(
        "convert",
        help="write the matches of a file as another one",
        description="Write the matches of a file as .mat text or JSON. What could not be read, "
        "and so is not written, is said. Exit code: 1 if there is such a thing.",
    )
    parser.add_argument("source", metavar="IN", help=_FILES)
    parser.add_argument(
        "target", metavar="OUT", help="a file .mat, .txt, .json or .jsonl, or - for output"
    )
    parser.add_argument("--to", choices=FORMS, help="whatever OUT is called (of -: mat)")
    add_rules(parser)
    parser.set_defaults(run=convert)


@dataclass
class _Totals:
    matches: int = 0
    games: int = 0
    plays: int = 0
    illegal: int = 0
    unreadable: int = 0
    contradictions: int = 0

    def add(self, match: MatchRecord) -> None:
        nodes = [node for game in match.games for node in game.nodes]
        self.matches += 1
        self.games += len(match.games)
        self.plays += sum(node.action == "play" for node in nodes)
        self.illegal += sum(node.is_legal is False and node.reason is not None for node in nodes)
        self.unreadable += sum(node.is_legal is False and node.reason is None for node in nodes)
        self.unreadable += sum(each.kind == "unreadable" for each in match.faults)
        self.contradictions += sum(each.kind == "contradiction" for each in match.faults)

    def __str__(self) -> str:
        return (
            f"{_many(self.matches, 'match', 'es')}, {_many(self.games, 'game')}, "
            f"{_many(self.plays, 'play')}: "
            f"{self.illegal:,} illegal, {self.unreadable:,} unreadable, "
            f"{self.contradictions:,} contradictions"
        )


def _many(count: int, what: str, ending: str = "s") -> str:
    return f"{count:,} {what}{'' if count == 1 else ending}"


def replay(arguments: argparse.Namespace) -> int:
    """Play the matches of files through and print what is found."""
    totals = _Totals()
    for name, match in _matches(arguments.files, _rules(arguments)):
        totals.add(match)
        if arguments.json:
            print(json.dumps({"file": name, **_described(match)}))
        else:
            _tell(name, match)
    if arguments.json:
        print(json.dumps({"totals": vars(totals)}))
    else:
        print(totals)
    return 1 if totals.illegal or totals.unreadable else 0


def convert(arguments: argparse.Namespace) -> int:
    """Write the matches of a file as another one."""
    totals = _Totals()

    def given() -> Iterator[MatchRecord]:
        written = 0
        for name, match in _matches([arguments.source], _rules(arguments)):
            totals.add(match)
            for fault in match.faults:
                print(f"{name}: {fault}", file=sys.stderr)
            if match.games or match.tags:  # else it is a file of something else
                written += 1
                yield match
        if not written:
            # Raised here, before the target is put in place: what stood there stays.
            raise ValueError(f"{arguments.source}: holds no match, so nothing is written")

    is_output = arguments.target == "-"
    form = arguments.to or ("mat" if is_output else None)
    try:
        form_of(arguments.target, form)  # a wrong name is said before anything is read
    except ValueError:
        known = ", ".join(SUFFIXES)
        raise ValueError(
            f"OUT must end with one of {known}, or --to say the form: {arguments.target!r}"
        ) from None
    write(given(), sys.stdout if is_output else arguments.target, form=form)
    print(totals, file=sys.stderr)
    return 1 if totals.unreadable else 0


def _rules(arguments: argparse.Namespace) -> Rules | None:
    """Return the rules asked for; None leaves them to the file."""
    asked = arguments.rules is not None or arguments.set
    return rules_of(arguments, "short") if asked else None


def _matches(files: list[str], rules: Rules | None) -> Iterator[tuple[str, MatchRecord]]:
    """Yield the matches of all files, each with the name of its file, and show how far it is."""
    sizes = [os.path.getsize(file) if os.path.isfile(file) else 0 for file in files]
    with progress(sum(sizes), "byte") as show:
        done = 0
        for file, size in zip(files, sizes, strict=True):
            if file == "-" and sys.stdin is None:
                raise ValueError("-: standard input is closed")
            with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as stream:
                found = False
                try:
                    for match in read(stream, rules=rules):
                        found = True
                        yield file, match
                        show(done + _at(stream))
                except InvalidNotation as error:
                    raise InvalidNotation(f"{file}: {error}") from None
                if not found:
                    raise InvalidNotation(f"{file}: is empty")
            done += size


def _at(stream: IO[bytes]) -> int:
    return stream.tell() if stream.seekable() else 0


# --- in words -------------------------------------------------------------------------------------


def _tell(name: str, match: MatchRecord) -> None:
    one, other = match.players
    length = "for money" if match.length is None else f"to {match.length}"
    print(f"{name}: {one} - {other}, {match.rules.game} nardy {length}")
    for game in match.games:
        score = f"{game.score[0]}-{game.score[1]}"
        crawford = ", Crawford" if game.is_crawford else ""
        plays = _many(sum(node.action == "play" for node in game.nodes), "play")
        print(f"  game {game.number}, {score}{crawford}: {plays}, {_ending(match, game)}")
        for node in game.nodes:
            if node.is_legal is False:
                print(f"    {_place(node)}{_kind(node)}: {_about(match, node)}")
    for fault in match.faults:
        print(f"  {fault.kind}: {fault}")
    if match.unlisted_faults:
        print(f"  and {match.unlisted_faults:,} more of these")


def _ending(match: MatchRecord, game: GameRecord) -> str:
    result = game.result
    if result is None:
        return "not finished"
    if result.winner is None:
        return "a draw"
    how = result.how.replace("_", " ")
    kind = "" if result.kind == "oin" else f"{result.kind}, "
    return f"{match.players[result.winner]} wins {_many(result.points, 'point')} ({kind}{how})"


def _place(node: Node) -> str:
    return f"line {node.line}, column {node.column}: " if node.line else ""


def _kind(node: Node) -> str:
    return "unreadable" if node.reason is None else f"illegal ({node.reason})"


def _about(match: MatchRecord, node: Node) -> str:
    if node.roll is None:
        return f"{match.players[node.side]}, {node.action}: {node.message}"
    return f"{match.players[node.side]}, {node.roll[0]}-{node.roll[1]}: {node.message}"


def _described(match: MatchRecord) -> dict[str, Any]:
    """Write a match for JSON."""
    return {
        "players": [*match.players],
        "length": match.length,
        "game": match.rules.game,
        "options": match.rules.options(),
        "score": [*match.score],
        "games": [
            {
                "number": game.number,
                "score": [*game.score],
                "crawford": game.is_crawford,
                "plays": sum(node.action == "play" for node in game.nodes),
                "result": game.result and asdict(game.result),
                "declared": game.declared and [*game.declared],
                "refused": [_refused(node) for node in game.nodes if node.is_legal is False],
            }
            for game in match.games
        ],
        "faults": [asdict(fault) for fault in match.faults],
        "unlisted_faults": match.unlisted_faults,
    }


def _refused(node: Node) -> dict[str, Any]:
    return {
        "line": node.line,
        "column": node.column,
        "side": node.side,
        "action": node.action,
        "roll": node.roll and [*node.roll],
        "words": node.words,
        "reason": node.reason,
        "message": node.message,
    }
