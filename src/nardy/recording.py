"""Recording: a match that is played here as a record, and a record as a file says it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import cast

from nardy.endings import KINDS
from nardy.errors import InvalidNotation
from nardy.events import (
    SAID,
    Beavered,
    Dropped,
    Offered,
    Played,
    Raccooned,
    Resigned,
    Rolled,
    RolledOff,
    Taken,
)
from nardy.formats.entries import Action, Entry, RawGame, RawMatch
from nardy.games import Game
from nardy.matches import Match
from nardy.position import Position
from nardy.replaying import replayed, usual_start
from nardy.replays import MatchRecord, Node

__all__ = ["raw_of", "record_of"]


def record_of(
    match: Match,
    *,
    players: tuple[str, str] = ("player 1", "player 2"),
    tags: Iterable[tuple[str, str]] = (),
) -> MatchRecord:
    """Return the record of a match, so far as it has been played.

    Parameters
    ----------
    match : Match
    players : tuple of two str
        The names of side 0 and of side 1.
    tags : iterable of (str, str)
        For the header of a file.

    Notes
    -----
    A record knows of no clock: a game lost on time is in it as one that was given up. Dice of a
    roll-off that are not played are not in it, nor half-moves of a turn that is not complete.

    Examples
    --------
    >>> match = nardy.Match("long", length=5, seed=1)
    >>> match.game.play_out()
    >>> record = nardy.record_of(match, players=("Anna", "Boris"), tags=[("Event", "Open")])
    >>> record.players, record.tag("event"), record.score == match.score
    (('Anna', 'Boris'), 'Open', True)
    """
    if not isinstance(match, Match):
        raise TypeError(f"match must be a Match, not {match!r}")
    raw = RawMatch(length=match.length, rules=match.rules)
    raw.players = _two_names(players)
    raw.tags = [(_line("tags", name), _line("tags", value)) for name, value in tags]
    raw.games = [_raw_game(number, game) for number, game in enumerate(match.games, start=1)]
    return replayed(raw)


def _two_names(players: object) -> tuple[str, str]:
    if not isinstance(players, tuple | list) or len(players) != 2:
        raise TypeError(f"players must be two names, not {players!r}")
    return _line("players", players[0]), _line("players", players[1])


def _line(name: str, text: object) -> str:
    """Take a text that fits a line of a file."""
    if not isinstance(text, str):
        raise TypeError(f"{name}: each must be a str, not {text!r}")
    if not text.isprintable():
        raise ValueError(f"{name}: must be printable and of one line, not {text!r}")
    return text


def _raw_game(number: int, game: Game) -> RawGame:
    start = game._states[0]
    usual = start.position == Position.start(game.rules)
    raw = RawGame(
        number,
        is_crawford=game.is_crawford,
        row=None if usual else start.position.row.tolist(),
    )
    rolled: tuple[int, tuple[int, int]] | None = None
    for state in game._states[1:]:
        event = state.event
        if isinstance(event, RolledOff):
            raw.first_cube = state.cube.value
            if state.roll is not None:
                assert state.side is not None
                rolled = state.side, state.roll
        elif isinstance(event, Rolled):
            rolled = event.side, event.roll
        elif isinstance(event, Played):
            raw.entries.append(Entry(event.side, "play", event.roll, event.words))
            rolled = None
        elif isinstance(event, Offered | Taken | Dropped | Beavered | Raccooned):
            value = event.value if isinstance(event, Offered) else None
            action = cast(Action, SAID[type(event)])
            raw.entries.append(Entry(event.side, action, value=value))
        elif isinstance(event, Resigned):
            value = KINDS.index(event.kind) + 1
            raw.entries += _thrown(rolled)
            raw.entries.append(Entry(event.side, "resign", value=value))
            rolled = None
    raw.entries += _thrown(rolled)
    if game.result is not None:
        raw.declared = game.result.winner, game.result.points
    return raw


def _thrown(rolled: tuple[int, tuple[int, int]] | None) -> list[Entry]:
    """Return dice that were thrown and not played as an entry."""
    return [] if rolled is None else [Entry(rolled[0], "play", rolled[1], None)]


def raw_of(record: MatchRecord) -> RawMatch:
    """Return a record as a file says it: legal plays canonically, others as they are written."""
    raw = RawMatch([*record.tags], [*record.comments], record.length, record.players, record.rules)
    # Of a variation that is not played here no board is known, and this one stands for it.
    usual = Position.start(record.rules)
    with suppress(InvalidNotation):
        usual = usual_start(record.rules, record.tag("variation"))
    for game in record.games:
        row = None if game.start == usual else game.start.row.tolist()
        entries = [_entry(node) for node in game.nodes]
        raw.games.append(
            RawGame(
                game.number, game.score, entries, game.declared, game.is_crawford, row,
                game.first_cube,
            )
        )  # fmt: skip
    return raw


def _entry(node: Node) -> Entry:
    if node.action == "roll":
        return Entry(node.side, "play", node.roll, None)
    words = node.words
    if node.action == "play" and (play := node.play) is not None:
        words = str(play)
    return Entry(node.side, node.action, node.roll, words, node.value)
