"""What happens in a game, in words for people at a terminal, and the picture they look at.

The sides are X (side 0) and O (side 1). A board is shown as the side to act sees it, in its own
numbering; the letters stay with the sides.
"""

from __future__ import annotations

from typing import Final

from nardy.clocks import Clock
from nardy.endings import Result
from nardy.events import (
    Beavered,
    Drank,
    Dropped,
    Event,
    Flagged,
    GameStarted,
    MatchWon,
    Offered,
    Played,
    Raccooned,
    Resigned,
    Rolled,
    RolledOff,
    Scored,
    Taken,
)
from nardy.matches import Match

__all__ = ["NAMES", "board_text", "header", "in_letters", "told"]

NAMES: Final = ("X", "O")

_SWAPPED: Final = str.maketrans("XO", "OX")


def board_text(picture: str, side: int) -> str:
    """Give the checkers of a drawing, seen by ``side``, the letters of the sides.

    Examples
    --------
    >>> board_text("off: X 3, O 0", side=1)
    'off: O 3, X 0'
    """
    return picture.translate(_SWAPPED) if side else picture


def in_letters(sentence: str) -> str:
    """Name the sides in a sentence of the library as they are named here.

    Examples
    --------
    >>> in_letters("double: the cube is side 0's")
    "double: the cube is X's"
    """
    for side, letter in enumerate(NAMES):
        sentence = sentence.replace(f"side {side}", letter)
    return sentence


def header(match: Match, seed: int) -> str:
    """Write what stands above the board: game, score, cube, clock.

    Examples
    --------
    >>> print(header(nardy.Match(nardy.SHORT.replace(clock="blitz"), length=5, seed=7), seed=7))
    short nardy to 5 points, game 1, X 0, O 0, seed 7
    cube 1 in the middle
    clock: X 15 s + 1:30, O 15 s + 1:30
    """
    game, (one, other) = match.game, match.score
    length = "for money" if match.length is None else f"to {match.length} points"
    lines = [
        f"{match.rules.game} nardy {length}, game {len(match.games)}, X {one}, O {other}, "
        f"seed {seed}"
    ]
    if match.rules.cube:
        cube = game.cube
        where = "in the middle" if cube.owner is None else f"owned by {NAMES[cube.owner]}"
        lines.append("Crawford game: no cube" if game.is_crawford else f"cube {cube.value} {where}")
    if game.clock is not None:
        left = (f"{NAMES[side]} {_time(game.clock, side)}" for side in (0, 1))
        lines.append(f"clock: {', '.join(left)}")
    return "\n".join(lines)


def _time(clock: Clock, side: int) -> str:
    minutes, seconds = divmod(int(clock.left[side]), 60)
    a_turn = f"{clock.a_turn:g} s + " if clock.kind == "allowance" else ""
    return f"{a_turn}{minutes}:{seconds:02}"


def told(event: Event, *, numbering: str = "distance") -> str:
    """Say an event in one line.

    Parameters
    ----------
    event : Event
    numbering : "distance" or "path"
        Of the points in a play.

    Examples
    --------
    >>> game = nardy.Game("short", starter=0)
    >>> game.roll("31"); game.push("8/5 6/5"); game.double(); game.drop()
    >>> for event in game.events:
    ...     print(told(event))
    X rolls 3-1
    X plays 8/5 6/5
    O doubles to 2
    X drops
    O wins 1 point
    """
    match event:
        case RolledOff(dice=(one, other), starter=None):
            return f"one die each: X {one}, O {other}: a tie"
        case RolledOff(dice=(one, other), starter=int(side)):
            return f"one die each: X {one}, O {other}: {NAMES[side]} starts"
        case Rolled(side=side, roll=(large, small)):
            return f"{NAMES[side]} rolls {large}-{small}"
        case Played(side=side):
            words = event.play.text(numbering=numbering)
            return f"{NAMES[side]} {'passes' if words == 'pass' else f'plays {words}'}"
        case Offered(side=side, value=value):
            return f"{NAMES[side]} doubles to {value}"
        case Taken(side=side, value=value):
            return f"{NAMES[side]} takes at {value}"
        case Dropped(side=side):
            return f"{NAMES[side]} drops"
        case Beavered(side=side, value=value):
            return f"{NAMES[side]} beavers to {value}"
        case Raccooned(side=side, value=value):
            return f"{NAMES[side]} raccoons to {value}"
        case Resigned(side=side, kind=kind):
            return f"{NAMES[side]} gives up: {kind}"
        case Flagged(side=side):
            return f"the time of {NAMES[side]} is up"
        case Drank(side=side, glasses=glasses):
            return f"{NAMES[side]} drinks {_counted(glasses, 'glass', 'glasses')}"
        case Scored(result=Result(winner=None)):
            return "a draw"
        case Scored(result=Result(winner=int(side), points=points, kind=kind)):
            size = "" if kind == "oin" else f", {kind}"
            return f"{NAMES[side]} wins {_counted(points, 'point', 'points')}{size}"
        case GameStarted(number=number, is_crawford=is_crawford):
            return f"game {number + 1}{', the Crawford game' if is_crawford else ''}"
        case MatchWon(winner=side, score=score):
            return f"{NAMES[side]} wins the match, {max(score)} to {min(score)}"
    raise TypeError(f"event must be one that games tell, not {event!r}")


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
