"""The commands about one position: what its rolls allow, and whether a play is legal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from nardy.arguments import position_of
from nardy.dice import ROLLS, as_roll
from nardy.errors import IllegalPlay, InvalidNotation
from nardy.plays import Play
from nardy.position import Position

__all__ = ["described", "explain", "moves", "position_and_roll", "print_json", "print_plays"]


def moves(arguments: argparse.Namespace) -> int:
    """Print the legal plays of one roll or of all."""
    arguments.position, roll = position_and_roll("moves", arguments.words)
    position, numbering = position_of(arguments), arguments.numbering
    rolls = ROLLS.tolist() if roll is None else [roll]
    if arguments.json:
        listed = [
            {
                "roll": [*roll],
                "after_states": [described(play, numbering) for play in position.plays(roll)],
            }
            for roll in rolls
        ]
        return print_json(position, numbering=numbering, rolls=listed)
    print(position.text(numbering=numbering))
    if position.is_over:
        print("\nthe game is over: there is nothing to play")
        return 0
    for large, small in rolls:
        print_plays(position, (large, small), numbering, boards=arguments.boards)
    return 0


def print_plays(
    position: Position, roll: tuple[int, int], numbering: str, *, boards: bool = False
) -> None:
    """Print the plays of one roll, each with the board after it or not."""
    (large, small), plays = roll, position.plays(roll)
    print(f"\nroll {large}-{small}: {len(plays)} play{'' if len(plays) == 1 else 's'}")
    for play in plays:
        words = play.text(numbering=numbering)
        print(f"\n{words}\n{play.board(numbering=numbering)}" if boards else words)


def position_and_roll(
    command: str, words: Sequence[str]
) -> tuple[str | None, tuple[int, int] | None]:
    """Tell the words of a command apart, both optional: a lone one that reads as a roll is it."""
    if len(words) > 2:
        raise ValueError(
            f"{command} takes a position and a roll, not {len(words)} words: a position with "
            "blanks needs quotes"
        )
    if len(words) == 2:
        first, last = words
        if _is_roll(first) and not _is_roll(last):
            raise ValueError(
                f"{command} takes the position first, then the roll, not {last!r} last"
            )
        return first, as_roll(last)
    if not words:
        return None, None
    [word] = words
    if _is_roll(word):
        return None, as_roll(word)
    if word.isdigit():  # dice that cannot be: no position is a number
        as_roll(word)
    return word, None


def _is_roll(word: str) -> bool:
    try:
        as_roll(word)
    except InvalidNotation:
        return False
    return True


def explain(arguments: argparse.Namespace) -> int:
    """Print whether a play is legal and where it leads, or why it is refused."""
    arguments.position, roll, asked = _question(arguments.words)
    position, numbering = position_of(arguments), arguments.numbering
    question: dict[str, Any] = {
        "roll": [*roll],
        "asked": asked,
        "numbering": numbering,
    }
    try:
        play = position.plays(roll).find(asked, numbering=numbering)
    except IllegalPlay as refusal:
        if arguments.json:
            print_json(
                position, **question, legal=False, reason=refusal.reason, message=str(refusal)
            )
        else:
            large, small = roll
            game = f"{position.rules.game} nardy, {large}-{small}"
            print(f"refused: {refusal.reason} ({game})\n{refusal}")
        return 1
    if arguments.json:
        return print_json(position, **question, legal=True, after_state=described(play, numbering))
    words, board = play.text(numbering=numbering), play.board(numbering=numbering)
    print(f"legal: {words}\n\nthe board after it, as the mover sees it\n{board}")
    return 0


def _question(words: Sequence[str]) -> tuple[str, tuple[int, int], str]:
    """Tell the words of ``explain`` apart: position (else the start), roll and play."""
    try:
        roll = as_roll(words[0])
        position, play = "start", words[1:]
    except InvalidNotation:
        if len(words) < 2:
            raise ValueError("explain takes a position, a roll and a play") from None
        position, roll, play = words[0], as_roll(words[1]), words[2:]
    if not play:
        raise ValueError("explain takes a position, a roll and a play: the play is missing")
    return position, roll, " ".join(play)


def described(play: Play, numbering: str) -> dict[str, Any]:
    """Write a play for JSON; its after-state is a row as the other side sees it."""
    about = {
        "play": play.text(numbering=numbering),
        "row": play.after.row.tolist(),
        "steps": [[*step] for step in play.steps],
    }
    return about | ({"gnubg_id": play.after.gnubg_id} if play.after.rules.game == "short" else {})


def print_json(position: Position, **found: Any) -> int:
    """Print what was found about a position as one line of JSON."""
    rules = position.rules
    about = {
        "game": rules.game,
        "options": rules.options(),
        "rules": repr(rules),
        "row": position.row.tolist(),
    }
    print(json.dumps(about | found))
    return 0
