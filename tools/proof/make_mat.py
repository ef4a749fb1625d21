"""Random matches written as .mat text in the dialects of several programs, with the plain truth.

``nardy.Match`` plays; what a reader must find in the text is taken from its events. The play of a
turn is worded from its half-moves by a writer of its own, which knows what each program writes.
With `loose` it also draws what people write besides: another order, half-moves of one checker
joined, equal ones counted or not, other case, the other names of the bar and of off, hits not said,
the lower die first, other ends of lines.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal

import nardy
from nardy import SHORT, Match
from nardy.endings import Result
from nardy.events import (
    Beavered,
    Dropped,
    Event,
    Offered,
    Played,
    Raccooned,
    Rolled,
    RolledOff,
    Taken,
)
from nardy.formats.tags import write_rules
from nardy.games import Game
from nardy.options import Rules
from proof.sessions import session

Kind = Literal["play", "double", "take", "drop", "beaver", "raccoon"]
Row = tuple[int, ...]
Step = tuple[int, int]

_KINDS: Final[dict[type[Event], Kind]] = {
    Offered: "double",
    Taken: "take",
    Dropped: "drop",
    Beavered: "beaver",
    Raccooned: "raccoon",
}


# --- the truth ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """What a reader must find at one place of a game."""

    side: int
    kind: Kind
    roll: tuple[int, int] | None = None
    """The larger die first."""
    before: Row | None = None
    """Of a play: as its side sees it."""
    after: Row | None = None
    """As the other side sees it; None of a roll that was not played (at the very end)."""
    steps: tuple[Step, ...] = ()
    """Half-moves in order; none of a pass."""
    value: int | None = None
    """What the cube goes to."""


@dataclass(frozen=True)
class TrueGame:
    """One game: what a reader must find in it."""

    number: int
    score: tuple[int, int]
    is_crawford: bool
    nodes: tuple[Node, ...]
    result: Result | None
    """None of a game that was broken off."""


@dataclass(frozen=True)
class Truth:
    """One match: what a reader must find in it."""

    rules: Rules
    length: int | None
    players: tuple[str, str]
    games: tuple[TrueGame, ...]


def _node(event: Event) -> Node | None:
    if isinstance(event, Played):
        before, after = (tuple(b.row.tolist()) for b in (event.position, event.after))
        return Node(event.side, "play", event.roll, before, after, tuple(event.play.steps))
    kind = _KINDS.get(type(event))
    if kind is None:
        return None
    side: int = event.side  # type: ignore[attr-defined]
    return Node(side, kind, value=getattr(event, "value", None))


def _true_game(game: Game, number: int, score: tuple[int, int]) -> TrueGame:
    """Take the truth from the history, with a roll that was thrown and not played."""
    nodes: list[Node] = []
    thrown: tuple[int, tuple[int, int]] | None = None
    for event in game.history:
        if isinstance(event, Rolled):
            thrown = event.side, event.roll
        elif isinstance(event, RolledOff):
            used = game.rules.opening == "use_rolloff" and event.starter is not None
            thrown = (event.starter or 0, _high_first(event.dice)) if used else None
        elif isinstance(event, Played):
            thrown = None
        node = _node(event)
        nodes += [node] if node else []
    if thrown:
        nodes.append(_thrown(*thrown, game))
    return TrueGame(number, score, game.is_crawford, tuple(nodes), game.result)


def _thrown(side: int, roll: tuple[int, int], game: Game) -> Node:
    """Return a last roll that was not played; where nothing could be, it is a pass like others."""
    row, (play, *_) = game.position.row, game.position.plays(roll)
    after = None if play.steps else tuple(play.after.row.tolist())
    return Node(side, "play", roll, tuple(row.tolist()), after)


def _high_first(dice: tuple[int, int]) -> tuple[int, int]:
    return max(dice), min(dice)


def play_match(rng: Random, game: str, *, has_tags: bool) -> Truth:
    """Play a random match, or some games for money; now and then it is broken off.

    Without tags a text cannot say that it follows other rules than the usual ones.
    """
    length = rng.choice((1, 3, 5, 7, None))
    rules = SHORT.replace(cube_max=1024) if has_tags else SHORT
    if game == "long":
        rules = nardy.rules(rng.choice(("long", "long-fnr2026", "long-by", "long-ua")))
        rules = rules.replace(cube=True, koks=rng.choice(("none", "no_home")))
    if has_tags:
        rules = rules.replace(crawford=rng.random() < 0.8, jacoby=rng.random() < 0.5)
        rules = rules.replace(beaver=length is None and rng.random() < 0.7)
        rules = rules.replace(raccoon=rules.beaver and game == "long")  # no tag of others says so
    match = Match(rules.replace(resign=True), length=length, seed=rng.getrandbits(64))
    breaks_off = rng.randrange(300) if rng.random() < 0.15 else None
    for number, _ in enumerate(session(match, rng, games=rng.randint(1, 3), ending=0.002)):
        if number == breaks_off:
            break
    players = ("player1", "player2")
    games, score = list[TrueGame](), (0, 0)
    for number, played in enumerate(match.games, 1):
        games.append(_true_game(played, number, score))
        if played.result and played.result.winner is not None:
            points = played.result.points
            won = played.result.winner == 0
            score = (score[0] + points * won, score[1] + points * (not won))
    return Truth(rules, length, players, tuple(games))


# --- dialects -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dialect:
    """How one program writes."""

    bar: str
    off: str
    says_hits: bool
    joins: bool
    """Half-moves of one checker can be written as one."""
    counts: bool
    """Equal ones are written once, with their number."""
    cannot: str
    """In place of a play where there is none."""
    not_played: tuple[str, ...]
    """In place of a last play that was not made."""
    points: str
    """The word of several points."""
    column: int
    """Of the second player."""
    number: str
    """Before a line."""
    has_tags: bool = True
    says_losses: bool = False
    numbers_end: bool = False
    """The end of a game stands on a line with a number."""
    trailing: bool = False
    newline: str = "\n"
    mark: str = ""
    """Of the order of bytes."""
    dice: Literal["high", "low", "rolled"] = "high"
    is_loose: bool = False
    """Each play is written in another way."""


DIALECTS: Final[dict[str, Dialect]] = {
    "galaxy": Dialect(
        *("25", "0", False, False, False, "", ("",), "point", 33, "{:3}) "), says_losses=True
    ),
    "studio": Dialect(
        *("bar", "off", True, True, True, "Cannot Move", ("????", "")),
        *("point", 40, "  {}) "),
        numbers_end=True,
        trailing=True,
    ),
    "xg": Dialect(
        *("Bar", "Off", True, True, True, "Cannot Move", ("??", "????", "")),
        *("points", 34, "{:3}) "),
        newline="\r\n",
        mark="\ufeff",
    ),
    "plain": Dialect(
        *("25", "0", True, False, False, "", ("",), "points", 33, "{:3}) "),
        has_tags=False,
        trailing=True,
    ),
    "playok": Dialect(
        *("25", "0", True, False, False, "", ("", "???"), "points", 36, "{:3}) "), dice="rolled"
    ),
}


def loosened(dialect: Dialect, rng: Random) -> Dialect:
    """Draw other habits."""
    return replace(
        dialect,
        not_played=("", "??", "???", "????", "Concedes"),
        column=rng.randint(26, 50),
        newline=rng.choice(("\n", "\r\n")),
        mark=rng.choice(("", "\ufeff")),
        trailing=rng.random() < 0.5,
        dice=rng.choice(("high", "low", "rolled")),
        is_loose=True,
    )


def _habits(dialect: Dialect, rng: Random) -> Dialect:
    """Draw how one play is written by somebody who is not consistent."""
    return replace(
        dialect,
        bar=rng.choice(("25", "bar", "Bar", "BAR")),
        off=rng.choice(("0", "off", "Off", "OFF")),
        says_hits=rng.random() < 0.6,
        joins=rng.random() < 0.5,
        counts=rng.random() < 0.5,
        cannot=rng.choice(("", "Cannot Move", "cannot move")),
    )


# --- words ----------------------------------------------------------------------------------------


def word(node: Node, rules: Rules, dialect: Dialect, rng: Random) -> str:
    """Word a play so that it can mean nothing else."""
    if dialect.is_loose:
        dialect = _habits(dialect, rng)
    if node.after is None:
        return rng.choice(dialect.not_played)
    if not node.steps:
        return dialect.cannot
    assert node.before is not None
    blots = {p for p in range(1, 25) if rules.game == "short" and node.before[p] == -1}
    ways = [list(step) for step in node.steps]
    if dialect.is_loose:
        rng.shuffle(ways)
    if dialect.joins:
        _join(ways, blots, dialect, rng)
    texts = []
    for way in ways:
        names = []
        for at, point in enumerate(way):
            hits = at > 0 and point in blots
            blots -= {point} if hits else set()  # a second one lands there without a hit
            is_said = hits and (dialect.says_hits and (not dialect.is_loose or rng.random() < 0.8))
            name = {25: dialect.bar, 0: dialect.off}.get(point, str(point))
            names.append(name + "*" * is_said)
        texts.append("/".join(names))
    if dialect.counts:
        texts = [f"{text}({n})" if n > 1 else text for text, n in Counter(texts).items()]
    return " ".join(texts)


def _join(ways: list[list[int]], blots: set[int], dialect: Dialect, rng: Random) -> None:
    """Write some half-moves of one checker as one; where it hits on the way, all its landings."""
    for _ in range(3):
        joints = [(a, b) for a in ways for b in ways if a is not b and a[-1] == b[0]]
        if not joints or rng.random() < 0.3:
            return
        front, back = rng.choice(joints)
        named = front[-1] in blots or (dialect.is_loose and rng.random() < 0.2)
        if named and not dialect.is_loose:  # no program writes these
            return
        del ways[next(i for i, way in enumerate(ways) if way is back)]
        front[-1:] = front[-1:] * named + back[1:]


def _roll(node: Node, dialect: Dialect, rng: Random) -> str:
    assert node.roll is not None
    high, low = node.roll
    turned = dialect.dice == "low" or (dialect.dice == "rolled" and rng.random() < 0.5)
    return f"{low}{high}:" if turned else f"{high}{low}:"


_CUBE_WORDS: Final = {
    "double": " Doubles => {}",
    "take": " Takes",
    "drop": " Drops",
    "beaver": " Beavers",
    "raccoon": " Raccoons",
}


def _cell(node: Node, rules: Rules, dialect: Dialect, rng: Random) -> str:
    if node.kind != "play":
        return _CUBE_WORDS[node.kind].format(node.value)
    return f"{_roll(node, dialect, rng)} {word(node, rules, dialect, rng)}".rstrip()


# --- the text -------------------------------------------------------------------------------------


def _tags(truth: Truth, name: str) -> Iterator[str]:
    rules = truth.rules

    def said(flag: bool) -> str:
        return "On" if flag else "Off"

    yield f'; [Site "{name}"]'
    for side, player in enumerate(truth.players, 1):
        yield f'; [Player {side} "{player}"]'
        if name == "galaxy":
            yield f'; [Player {side} Elo "1500,25/300"]'
    yield '; [EventDate "2024.02.29"]'
    yield f'; [Variation "{"LongNardy" if rules.game == "long" else "Backgammon"}"]'
    if rules.game == "long":
        yield f'; [Rules "{write_rules(rules)}"]'
    yield f'; [Crawford "{said(rules.crawford)}"]'
    yield f'; [Jacoby "{said(rules.jacoby)}"]'
    yield f'; [Beaver "{said(rules.beaver)}"]'
    if rules.cube_max:
        yield f'; [CubeLimit "{rules.cube_max}"]'
    yield ""


def _rows(cells: Sequence[tuple[int, str]]) -> list[list[str | None]]:
    """Lay cells out in two columns."""
    rows: list[list[str | None]] = []
    for side, text in cells:
        if side == 0 or not rows or rows[-1][1] is not None:
            rows.append([None, None])
        rows[-1][side] = text
    return rows


def _game(
    truth: Truth, game: TrueGame, is_last: bool, dialect: Dialect, rng: Random
) -> Iterator[str]:
    left = f" {truth.players[0]} : {game.score[0]}"
    yield f" Game {game.number}"
    yield f"{left:{dialect.column}}{truth.players[1]} : {game.score[1]}"
    cells = [(node.side, _cell(node, truth.rules, dialect, rng)) for node in game.nodes]
    end = list[tuple[int, str]]()
    if game.result and game.result.winner is not None:
        points, winner = game.result.points, game.result.winner
        amount = f"{points} {'point' if points == 1 else dialect.points}"
        closing = " and the match" if is_last and truth.length else ""
        if dialect.says_losses and game.result.how != "dropped" and rng.random() < 0.5:
            cells.append((1 - winner, f" Losses {amount}"))
        end.append((winner, f" Wins {amount}{closing}"))
    if dialect.numbers_end:
        cells, end = cells + end, []
    for number, (one, other) in enumerate(_rows(cells), 1):
        line = dialect.number.format(number) + (one or "")
        if other is not None:
            line = f"{line:{dialect.column - 1}} {other}"
        yield f"{line:{dialect.column}}" if dialect.trailing else line.rstrip()
    for winner, text in end:
        yield " " * (dialect.column if winner else 5) + text
    yield ""


def write(truth: Truth, name: str, rng: Random, *, loose: bool = False) -> bytes:
    """Write a match in a dialect."""
    dialect = loosened(DIALECTS[name], rng) if loose else DIALECTS[name]
    lines = [*_tags(truth, name)] if dialect.has_tags or truth.rules.game == "long" else []
    lines += [f" {truth.length or 0} point match", ""]
    for game in truth.games:
        is_last = game is truth.games[-1] and _is_won(truth)
        lines += _game(truth, game, is_last, dialect, rng)
    return (dialect.mark + dialect.newline.join([*lines, ""])).encode()


def _is_won(truth: Truth) -> bool:
    """Whether the last game has ended the match."""
    last = truth.games[-1]
    if truth.length is None or last.result is None or last.result.winner is None:
        return False
    return last.score[last.result.winner] + last.result.points >= truth.length


def make(seed: int | str, name: str, game: str, *, loose: bool = False) -> tuple[bytes, Truth]:
    """Make one match: its text in a dialect, and what a reader must find in it."""
    rng = Random(f"mat {seed} {name} {game} {loose}")
    truth = play_match(rng, game, has_tags=DIALECTS[name].has_tags or game == "long")
    return write(truth, name, rng, loose=loose), truth
