"""The command ``nardy``: its arguments, perft, playouts and the check of real decisions.

Results go to standard output, progress and errors to standard error. Exit codes: 0 done, 1 a play
is refused or a table holds an illegal or unreadable decision, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from nardy.advising import add_best
from nardy.arguments import (
    POSITION,
    Parser,
    add_common,
    add_numbering,
    add_position,
    add_rules,
    add_threads,
    int_from,
    position_of,
    rules_of,
)
from nardy.decisions import Decisions, read_decisions
from nardy.nardy_core import build_info, perft, playouts
from nardy.options import PRESETS
from nardy.playing import play
from nardy.position import Position
from nardy.progress import INTERRUPTED, progress
from nardy.races import add_bearoff
from nardy.reviewing import add_convert, add_replay
from nardy.rolling import add_rollout
from nardy.rulings import explain, moves, print_json
from nardy.showing import add_show
from nardy.tally import Tally

__all__ = ["main"]

_PIPE_CLOSED: Final = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the given arguments (those of the process by default).

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> main(["perft", "2"])
    depth 1: 22
    depth 2: 489
    0
    """
    try:
        if sys.stdout is None:
            raise ValueError("standard output is closed")
        arguments = _parser().parse_args(argv)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    except BrokenPipeError:
        # The reader has seen enough; without this Python complains once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        print("nardy: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, TypeError, OSError, MemoryError) as error:
        what = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, OSError) and error.filename is not None:
            what = f"{error.filename}: {error.strerror}"
        print(f"nardy: error: {what}", file=sys.stderr)
        return 2
    return code


# --- commands


def _perft(arguments: argparse.Namespace) -> int:
    """Print the number of paths of (roll, after-state), depth by depth."""
    position = position_of(arguments)
    found = []
    for depth in range(1, arguments.depth + 1):
        found.append(perft(position, depth, threads=arguments.threads))
        if not arguments.json:
            print(f"depth {depth}: {found[-1]:,}", flush=True)
    return print_json(position, perft=found) if arguments.json else 0


def _playouts(arguments: argparse.Namespace) -> int:
    """Play uniformly random games and print what they add up to."""
    position, tally = position_of(arguments), Tally()
    started = time.perf_counter()
    interrupted = not _play(position, arguments, tally)
    seconds = time.perf_counter() - started
    if arguments.json:
        measured: dict[str, Any] = {"games": tally.games, "interrupted": interrupted}
        if tally.games:
            measured |= {
                "chances": {name: value._asdict() for name, value in tally.chances().items()},
                "equity": tally.equity,
                "standard_error": tally.standard_error,
                "turns_a_game": tally.turns_a_game,
            }
        print_json(
            position,
            seed=arguments.seed,
            first=arguments.first,
            **measured,
            seconds=seconds,
        )
    else:
        what = "interrupted after" if interrupted else "played"
        print(f"{what} {tally.games:,} games, seed {arguments.seed}, first {arguments.first}")
        if tally.games:
            _print_tally(tally)
        print(f"rate       {tally.games / seconds:,.0f} games a second")
    return INTERRUPTED if interrupted else 0


def _print_tally(tally: Tally) -> None:
    for name, (share, low, high) in tally.chances().items():
        print(f"{name:<10} {share:8.3%}   95 % within {low:.3%} .. {high:.3%}")
    print(f"equity     {tally.equity:+.4f}   standard error {tally.standard_error:.4f}")
    print(f"turns      {tally.turns_a_game:.1f} a game")


def _play(position: Position, arguments: argparse.Namespace, tally: Tally) -> bool:
    """Fill the tally game by game; False if the user stopped it."""
    # Chunks of a tenth of a second or so: an interruption loses no more than that. The games are
    # the same however they are divided.
    chunk = 256
    try:
        with progress(arguments.games, "game") as show:
            while tally.games < arguments.games:
                size = min(chunk, arguments.games - tally.games)
                started = time.perf_counter()
                played = playouts(
                    np.repeat(position.row[np.newaxis], size, axis=0),
                    rules=position.rules,
                    seed=arguments.seed,
                    first=arguments.first + tally.games,
                    threads=arguments.threads,
                )
                tally.add(played.outcomes, played.turns)
                show(tally.games)
                if time.perf_counter() - started < 0.1:
                    chunk *= 2
    except KeyboardInterrupt:
        return False
    return True


def _check(arguments: argparse.Namespace) -> int:
    """Say which decisions of a table are illegal."""
    rules = rules_of(arguments, "short")
    decisions = read_decisions(_lines(arguments.file))
    legal = decisions.legal(rules, threads=arguments.threads)
    illegal = [
        (number, text)
        for number, text, good in zip(decisions.numbers, decisions.texts, legal, strict=True)
        if not good
    ]
    if arguments.json:
        print(json.dumps(_findings(decisions, illegal)))
    else:
        found = [(number, f"illegal: {text}") for number, text in illegal]
        found += [(number, f"unreadable: {why}") for number, why in decisions.unreadable]
        for number, what in sorted(found):
            print(f"line {number}: {what}")
        counts = f"{len(illegal):,} illegal, {len(decisions.unreadable):,} unreadable"
        print(f"{len(decisions.numbers):,} decisions read: {counts}")
    return 1 if illegal or decisions.unreadable else 0


def _lines(path: str) -> Iterator[str]:
    """Read a text line by line; a line that is no text is an error that names it."""
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                line.encode("utf-8")  # what could not be decoded cannot be encoded
            except UnicodeEncodeError:
                raise ValueError(f"{path}, line {number}: is not UTF-8 text") from None
            yield line


def _findings(decisions: Decisions, illegal: Iterable[tuple[int, str]]) -> dict[str, Any]:
    return {
        "decisions": len(decisions.numbers),
        "illegal": [{"line": number, "text": text} for number, text in illegal],
        "unreadable": [{"line": number, "reason": why} for number, why in decisions.unreadable],
    }


# --- arguments


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="nardy",
        description="Long nardy and short nardy (backgammon), exactly.",
        epilog="Exit codes: 0 done, 1 a play is refused or a table holds an illegal or unreadable "
        "decision, 2 wrong usage, 130 interrupted, 141 nobody reads on.",
    )
    parser.add_argument("--version", action="version", version=f"nardy {build_info()['version']}")
    commands = parser.add_subparsers(metavar="command", required=True)

    listed = commands.add_parser(
        "moves",
        usage="%(prog)s [POSITION] [ROLL] [options]",
        help="the legal plays of a position, for a roll or for all 21",
        description="Print the legal plays of a roll, or of each of the 21: plays that lead to the "
        f"same board once. POSITION is {POSITION}; ROLL is two dice such as 65. With --json, rows "
        "are as the other side sees them.",
    )
    listed.add_argument("words", metavar="POSITION ROLL", nargs="*", help="before the options")
    listed.add_argument(
        "--boards", action="store_true", help="draw each board as the side that has moved sees it"
    )
    add_position(listed)
    add_numbering(listed)
    add_common(listed)
    listed.set_defaults(run=moves)

    ruled = commands.add_parser(
        "explain",
        usage="%(prog)s [POSITION] ROLL PLAY [options]",
        help="whether a play is legal, and if not, why",
        description="Print whether a play is legal, with the board after it as the side that has "
        "moved sees it, or why it is refused. Exit code: 0 legal, 1 refused.",
    )
    ruled.add_argument(
        "words",
        metavar="POSITION ROLL PLAY",
        nargs="+",
        help=f"{POSITION} (the start if left out); two dice such as 65; a play such as 24/13, or "
        "8/5 6/5, or pass",
    )
    add_numbering(ruled)
    add_common(ruled)
    ruled.set_defaults(run=explain)

    counted = commands.add_parser(
        "perft",
        usage="%(prog)s DEPTH [options]",
        help="the number of paths of (roll, after-state), depth by depth",
    )
    counted.add_argument(
        "depth", metavar="DEPTH", type=int_from(1, 100), help="turns to look ahead, 1..100"
    )
    add_position(counted)
    add_common(counted)
    add_threads(counted)
    counted.set_defaults(run=_perft)

    played = commands.add_parser("playouts", help="uniformly random games: chances, turns and rate")
    played.add_argument(
        "--games", type=int_from(1), default=100_000, help="how many to play (default: 100,000)"
    )
    played.add_argument("--seed", type=int_from(0), default=0, help="of the dice (default: 0)")
    played.add_argument(
        "--first", type=int_from(0), default=0, help="number of the first game (default: 0)"
    )
    add_position(played)
    add_common(played)
    add_threads(played)
    played.set_defaults(run=_playouts)

    seated = commands.add_parser(
        "play",
        help="a match at this terminal: two people, or one against chance",
        description="Play at this terminal: X and O take turns, each sees the board from its own "
        "side. What can be typed stands before the cursor, `help` says more.",
    )
    seated.add_argument(
        "--length", type=int_from(1), help="points of the match (default: games for money)"
    )
    seated.add_argument(
        "--random",
        choices=("x", "o"),
        help="the side that chance plays (default: people play both)",
    )
    seated.add_argument(
        "--seed",
        type=int_from(0, 2**64 - 1),
        help="of the dice, for the same ones again (default: another each time)",
    )
    add_numbering(seated, "on the board too")
    add_rules(seated)
    seated.set_defaults(run=play)

    checked = commands.add_parser(
        "check",
        help="which decisions of a table are illegal",
        description="Read decisions of short nardy, one a line: gnubg id before, roll, gnubg id "
        "after (the other player on roll), separated by blanks or tabs; a line that starts with # "
        "is a comment.",
    )
    checked.add_argument("file", help="the table")
    # The ids of the table write boards of short nardy.
    add_common(checked, [name for name, rules in PRESETS.items() if rules.game == "short"])
    add_threads(checked)
    checked.set_defaults(run=_check)

    add_best(commands)
    add_rollout(commands)
    add_replay(commands)
    add_convert(commands)
    add_bearoff(commands)
    add_show(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
