"""A slow reader of .mat text: what the reader of the package is held against.

Written from the facts about the format alone and apart from the package: lines and cells by regular
expressions, every game replayed from its start by ``nardy.reference``, and what a written play
means found by trying every order and every route of its half-moves. It knows the usual starts only,
and no last roll.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from nardy import reference
from nardy.options import LONG, SHORT, Rules

Row = tuple[int, ...]
"""A board as 32 numbers."""
Hop = tuple[int, int]
"""From one named point to the next one of the same checker: 25 is the bar, 0 is off."""
Kind = Literal["play", "double", "take", "drop", "beaver", "raccoon"]

NOT_PLAYED = {"", "??", "???", "????", "concedes", "resigns"}
"""What stands in place of a play that was not made; nothing at all can be a pass too."""
PASSES = {"cannot move", "no move", "pass"}

_KINDS: dict[str, Kind] = {
    "doubles": "double",
    "takes": "take",
    "drops": "drop",
    "beavers": "beaver",
    "raccoons": "raccoon",
}
_START = {
    "short": (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2),
    "long": (0, *(0,) * 11, -15, *(0,) * 11, 15),
}
_HEADER = re.compile(r"^\s*;\s*\[\s*(.*?)\s*\"(.*)\"\s*\]")
_LENGTH = re.compile(r"^\s*(\d+)\s+point\s+match\s*$", re.IGNORECASE)
_GAME = re.compile(r"^\s*game\s+(\d+)\s*$", re.IGNORECASE)
_SCORE = re.compile(r"^\s*(\S.*?)\s*:\s*(\d+)\s+(\S.*?)\s*:\s*(\d+)\s*$")
_NUMBER = re.compile(r"^\s*\d+\)")
_CELL = re.compile(
    r"(?<!\S)(?:[1-6][1-6]:|(?:doubles|takes|drops|beavers|raccoons|wins|losses|draw)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"((?:bar|\d+)\*?(?:/(?:bar|off|\d+)\*?)+)(?:\((\d)\))?", re.IGNORECASE)


@dataclass(frozen=True)
class Move:
    """One thing that a side did, with the boards before and after a play."""

    side: int
    kind: Kind
    line: int
    roll: tuple[int, int] | None = None
    """In the order written."""
    words: str | None = None
    """As written, "" of a pass that is not; None of a roll that was not played."""
    value: int | None = None
    """What the cube is said to go to."""
    before: Row | None = None
    """Of a play: as its side sees it."""
    after: Row | None = None
    """Of a play: as the other side sees it; None if it was not made."""


@dataclass
class SlowGame:
    """One game as it was written, replayed as far as that goes."""

    number: int
    score: tuple[int, int]
    moves: list[Move] = field(default_factory=list)
    declared: tuple[int | None, int] | None = None
    """Winner and points as written; (None, 0) of a draw."""
    result: tuple[int, int] | None = None
    """Winner and points by the play and the cube; None if they do not say it (giving up)."""
    fault: str | None = None
    """Why the replay stopped before the end."""

    @property
    def plays(self) -> list[Move]:
        """The rolls, played or not."""
        return [move for move in self.moves if move.kind == "play"]

    @property
    def cube_actions(self) -> list[Move]:
        """All else."""
        return [move for move in self.moves if move.kind != "play"]


@dataclass
class SlowMatch:
    """A match as it was written: 0 points for money."""

    tags: dict[str, str] = field(default_factory=dict)
    length: int = 0
    players: tuple[str, str] = ("", "")
    games: list[SlowGame] = field(default_factory=list)


@dataclass(frozen=True)
class _Cell:
    side: int
    text: str
    line: int


# --- what a play can mean -------------------------------------------------------------------------


def hops_of(words: str) -> tuple[list[Hop], set[int]]:
    """Read the words of a play: its hops, and the points said to be hit.

    Raises
    ------
    ValueError
        Something else stands there.
    """
    hops, stars = [], set()
    for word in words.split():
        match = _WORD.fullmatch(word)
        if match is None:
            raise ValueError(f"no half-moves: {word!r}")
        names = match[1].lower().replace("bar", "25").replace("off", "0").split("/")
        points = [int(name.rstrip("*")) for name in names]
        stars |= {point for point, name in zip(points, names, strict=True) if name.endswith("*")}
        hops += list(pairwise(points)) * int(match[2] or 1)
    return hops, stars


def meanings(row: Row, roll: tuple[int, int], words: str, rules: Rules) -> set[Row]:
    """Find all boards, as the other side sees them, that a written play can lead to.

    Every order and route is tried. Where some hit nothing on a landing that is not named, only
    these count. There is none if the play is illegal, or if a hit is said where no blot stands.
    """
    start = reference.board_of(row, rules)
    dice = reference.dice_of(roll, rules)
    _, ends = reference.turn(start, roll, rules)
    if words.lower() in PASSES | NOT_PLAYED:
        must_pass = reference.State(start, dice) in ends
        return {reference.handed_over(start, rules)} if must_pass else set()
    hops, stars = hops_of(words)
    blots = {p for p in range(1, 25) if rules.game == "short" and row[p] == -1}
    if not stars <= blots or not hops:
        return set()
    cap = reference.head_cap(start, dice, rules)
    over = {end.board for end in ends if reference.is_over(end.board, rules)}
    found: dict[bool, set[Row]] = {False: set(), True: set()}
    seen = set()

    def go(state: reference.State, left: tuple[Hop, ...], has_hit: bool) -> None:
        if (state, left, has_hit) in seen:
            return
        seen.add((state, left, has_hit))
        if not left and (state in ends or state.board in over):
            found[has_hit].add(reference.handed_over(state.board, rules))
        for source, target in {*left}:
            for die in {*state.dice}:
                landing = max(source - die, 0)
                if landing < target:
                    continue
                if reference.half_move_fault(start, state.board, source, die, cap, rules):
                    continue
                board = reference.moved(state.board, source, die, rules)
                rest = list(left)
                rest.remove((source, target))
                if landing > target:
                    rest.append((landing, target))
                hits = landing > target and board.opponent != state.board.opponent
                after = reference.State(board, reference.without(state.dice, die))
                go(after, tuple(sorted(rest)), has_hit or hits)

    if all(1 <= source <= 25 for source, _ in hops):
        go(reference.State(start, dice), tuple(sorted(hops)), False)
    return found[False] or found[True]


# --- lines and cells ------------------------------------------------------------------------------


def _cells(text: str, line: int, column: int) -> Iterator[_Cell]:
    """Split a line: two cells are those of both sides, one lies nearer to its side's column."""
    prefix = _NUMBER.match(text)
    body = " " * prefix.end() + text[prefix.end() :] if prefix else text
    starts = [match.start() for match in _CELL.finditer(body)]
    if len(starts) > 2:
        raise ValueError(f"line {line}: more than two cells")
    for place, (begin, end) in enumerate(pairwise([*starts, len(body)])):
        side = place if len(starts) == 2 else int(2 * begin > column)
        yield _Cell(side, body[begin:end].strip(), line)


def split(text: str) -> tuple[SlowMatch, list[list[_Cell]]]:
    """Split the text of one match into its header and the cells of each game."""
    match, cells = SlowMatch(), list[list[_Cell]]()
    number, column = None, 0
    for line, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = raw.rstrip()
        if tag := _HEADER.match(content):
            match.tags[tag[1]] = tag[2]
        elif length := _LENGTH.match(content):
            match.length = int(length[1])
        elif game := _GAME.match(content):
            number = int(game[1])
        elif number is not None and (score := _SCORE.match(content)):
            match.players = score[1], score[3]
            match.games.append(SlowGame(number, (int(score[2]), int(score[4]))))
            cells.append([])
            number, column = None, score.start(3)
        elif match.games:
            cells[-1] += _cells(content, line, column)
    return match, cells


# --- the replay -----------------------------------------------------------------------------------


def _replay(game: SlowGame, cells: list[_Cell], rules: Rules, jacoby: bool) -> None:
    """Do what the cells say, until the end or a fault."""
    row: Row = _START[rules.game] + (0,) * 7
    turn, cube, offer, is_turned, is_given_up = None, 1, 2, False, False
    for cell in cells:
        word, _, rest = cell.text.partition(" ")
        value = re.search(r"\d+", rest)
        points = int(value[0]) if value else None
        name = word.lower()
        if name in ("wins", "losses"):
            game.declared = (cell.side if name == "wins" else 1 - cell.side, points or 0)
            continue
        if name == "draw":
            game.declared = (None, 0)
            continue
        if game.result is not None or is_given_up:
            game.fault = f"line {cell.line}: goes on after its end: {cell.text!r}"
            return
        if name in _KINDS:
            kind = _KINDS[name]
            game.moves.append(Move(cell.side, kind, cell.line, value=points))
            match kind:
                case "double":
                    offer = 2 * cube
                case "beaver" | "raccoon":
                    offer, cube = 2 * offer, offer
                    if kind == "raccoon":  # no answer to it
                        cube, is_turned = offer, True
                case "take":
                    cube, is_turned = offer, True
                case _:
                    game.result = (1 - cell.side, cube)
            continue
        roll = (int(word[0]), int(word[1]))
        words = cell.text[3:].strip()
        turn = cell.side if turn is None else turn
        if cell.side != turn:
            game.fault = f"line {cell.line}: not on turn: {cell.text!r}"
            return
        boards = meanings(row, roll, words, rules)
        if not boards and words.lower() in NOT_PLAYED:
            game.moves.append(Move(cell.side, "play", cell.line, roll, before=row))
            is_given_up = True
            continue
        if len(boards) != 1:
            game.moves.append(Move(cell.side, "play", cell.line, roll, words, before=row))
            game.fault = f"line {cell.line}: {len(boards)} meanings: {cell.text!r}"
            return
        (after,) = boards
        game.moves.append(Move(cell.side, "play", cell.line, roll, words, None, row, after))
        row, turn = after, 1 - turn
        board = reference.board_of(row, rules)
        if reference.is_over(board, rules):
            single = jacoby and not is_turned
            game.result = (1 - turn, cube * (1 if single else reference.points(board.own, rules)))


def read(text: str, rules: Rules | None = None) -> SlowMatch:
    """Read the text of one match.

    Parameters
    ----------
    text : str
    rules : Rules, optional
        If the tags are not to say whether it is long or short nardy, with the usual options.

    Raises
    ------
    ValueError
        Another variation, or something that is no play where one is due.
    """
    match, cells = split(text)
    if rules is None:
        variation = match.tags.get("Variation", "-").lower()
        if variation not in ("-", "", "backgammon", "longnardy"):
            raise ValueError(f"not known here: {variation!r}")
        rules = LONG if variation == "longnardy" else SHORT
    jacoby = match.length == 0 and match.tags.get("Jacoby", "Off").lower() == "on"
    for game, said in zip(match.games, cells, strict=True):
        _replay(game, said, rules, jacoby or (match.length == 0 and rules.jacoby))
    return match
