"""Turns, games and matches as JSON, and back: a server restarts from it in the middle of a turn.

A game is written as what happened in it, in words: dice, plays, what was said. Reading does it all
again under the rules, so what comes out is a game that can be played, with all of it to take back;
a text that was changed is either another legal game or an ``InvalidState``.

``"version"`` counts the changes of each format that an older library could misread; unknown fields
are refused for the same reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from nardy.clocks import Clock
from nardy.errors import InvalidState
from nardy.events import (
    SAID,
    Event,
    Flagged,
    Played,
    Resigned,
    Rolled,
    RolledOff,
)
from nardy.games import Game
from nardy.matches import Match
from nardy.options import Rules
from nardy.position import Position
from nardy.turn import Turn

__all__ = ["from_json", "to_json"]

VERSION: Final = 1


def to_json(thing: Turn | Game | Match) -> str:
    """Write a turn, a game or a match as one line of JSON.

    Returns
    -------
    str
        ASCII, the same for the same state. Its ``"log"`` holds what happened: ``"65"`` a throw
        (of a roll-off: side 0's die first), ``"24/18 13/8"`` a play, ``"double"``, ``"take"``,
        ``"drop"``, ``"beaver"``, ``"raccoon"``; with numbers ``["24/13", 12.5]`` a play and its
        seconds, ``["resign", 0, "mars"]``, ``["flag", 1]``, ``["flag", 1, 105.0]`` with seconds.

    Notes
    -----
    Dice other than a seed's, and subscribers, are not written: give them anew.

    Examples
    --------
    >>> game = nardy.Game("long", starter=0)
    >>> game.roll("65")
    >>> nardy.to_json(game)  # doctest: +ELLIPSIS
    '{"format": "nardy-game", "version": 1, "rules": {"game": "long", "options": {}}, ...}'
    """
    for kind, (name, write, _) in _FORMATS.items():
        if isinstance(thing, kind):
            return json.dumps({"format": name, "version": VERSION, **write(thing)})
    raise TypeError(f"thing must be a Turn, a Game or a Match, not {thing!r}")


def from_json(text: str, *, dice: Any = None) -> Turn | Game | Match:
    """Read what :func:`to_json` wrote.

    Parameters
    ----------
    text : str
    dice : object with a method throw(), optional
        Where further throws of a game or match come from, if it has no seed.

    Raises
    ------
    InvalidState
        No such JSON, a version that is not read, or something in it that cannot be.

    Examples
    --------
    >>> game = nardy.Game("long", starter=0)
    >>> game.roll("65")
    >>> game.turn.move(24, 18)
    >>> again = nardy.from_json(nardy.to_json(game))
    >>> again.state == game.state, str(again.turn)
    (True, '24/18')
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    try:
        return _read(text, dice)
    # OverflowError: an int of the text that no int64 holds.
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidState(_short(str(error))) from None


def _read(text: str, dice: Any) -> Turn | Game | Match:
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise InvalidState(f"text must be JSON: {error}") from None
    known = {name: read for name, _, read in _FORMATS.values()}
    form = data.get("format") if isinstance(data, dict) else None
    if not isinstance(form, str) or form not in known:
        raise InvalidState(f"format must be one of {', '.join(known)}, not {form!r}")
    version = data.get("version")
    if version != VERSION or not isinstance(version, int) or isinstance(version, bool):
        raise InvalidState(
            f"version {version!r} of {form} is not read; this library reads {VERSION}"
        )
    fields = {name: value for name, value in data.items() if name not in ("format", "version")}
    found: Turn | Game | Match = known[form](fields, dice)
    return found


def _short(message: str) -> str:
    """Cut a message that quotes a long text: it goes into someone's log."""
    return message if len(message) <= 500 else f"{message[:400]} ... {message[-80:]}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; of two fields of one name another reader may take the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is written twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number here")


def _take(fields: dict[str, Any], **wanted: type | tuple[type, ...]) -> list[Any]:
    """Return the values of the fields wanted, of the kinds wanted; any other is refused."""
    missing, strange = wanted.keys() - fields.keys(), fields.keys() - wanted.keys()
    found = [(missing, "missing"), (strange, "not known")]
    if missing or strange:
        said = (f"{', '.join(sorted(names))}: {word}" for names, word in found if names)
        raise InvalidState("; ".join(said))
    for name, kinds in wanted.items():
        value = fields[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            raise InvalidState(f"{name}: {value!r} is of the wrong kind")
    return [fields[name] for name in wanted]


# --- rules and turns ------------------------------------------------------------------------------


def _rules_data(rules: Rules) -> dict[str, Any]:
    return {"game": rules.game, "options": rules.options()}


def _rules_from(data: dict[str, Any]) -> Rules:
    game, chosen = _take(data, game=str, options=dict)
    return Rules(game, **chosen)


def _turn_data(turn: Turn) -> dict[str, Any]:
    return {
        "rules": _rules_data(turn.position.rules),
        "row": turn.position.row.tolist(),
        "roll": list(turn.roll),
        "numbering": turn.numbering,
        "steps": [list(step) for step in turn.steps],
    }


def _turn_from(fields: dict[str, Any], dice: Any) -> Turn:
    kinds = {"rules": dict, "row": list, "roll": list, "numbering": str, "steps": list}
    rules, row, roll, numbering, steps = _take(fields, **kinds)
    if dice is not None:
        raise TypeError("dice: a turn takes none")
    position = Position.from_row(row, rules=_rules_from(rules))
    turn = Turn(position, roll, numbering=numbering)
    _move(turn, steps)
    return turn


def _move(turn: Turn, steps: list[Any]) -> None:
    for step in steps:
        if not isinstance(step, list) or len(step) != 2:
            raise InvalidState(f"steps: each must be from and to, not {step!r}")
        try:
            turn.move(*step)
        except (ValueError, TypeError) as error:
            raise InvalidState(f"steps: {error}") from error
    if turn.steps != tuple(map(tuple, steps)):
        raise InvalidState("steps: each must be one half-move")


# --- games ----------------------------------------------------------------------------------------


def _game_data(game: Game) -> dict[str, Any]:
    start = game._states[0]
    position = start.position
    is_usual = position == Position.start(game.rules)
    return {
        "rules": _rules_data(game.rules),
        "seed": game.seed,
        "number": game.number,
        "starter": start.starter,
        "row": None if is_usual else position.row.tolist(),
        "clock": _clock_data(start.clock),
        "away": None if game.away is None else list(game.away),
        "is_crawford": game.is_crawford,
        **_log_data(game),
    }


def _log_data(game: Game) -> dict[str, Any]:
    state, turn = game._turn or (None, None)
    steps = [list(step) for step in turn.steps] if turn and state is game.state else []
    return {"log": [_entry(event) for event in game.history], "steps": steps}


def _game_from(fields: dict[str, Any], dice: Any) -> Game:
    none = type(None)
    rules, seed, number, starter, row, clock, away, is_crawford, log, steps = _take(
        fields,
        rules=dict,
        seed=(int, none),
        number=int,
        starter=(int, none),
        row=(list, none),
        clock=(dict, none),
        away=(list, none),
        is_crawford=bool,
        log=list,
        steps=list,
    )
    chosen = _rules_from(rules)
    game = Game(
        chosen,
        seed=seed,
        number=number,
        dice=dice,
        starter=starter,
        position=None if row is None else Position.from_row(row, rules=chosen),
        clock=_clock_from(clock),
        away=away,
        is_crawford=is_crawford,
    )
    _replay(game, log, steps)
    return game


def _clock_data(clock: Clock | None) -> dict[str, Any] | None:
    if clock is None:
        return None
    return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(clock).items()}


def _clock_from(data: dict[str, Any] | None) -> Clock | None:
    if data is None:
        return None
    kind, a_turn, left, out = _take(
        data, kind=str, a_turn=(int, float), left=list, out=(int, type(None))
    )
    return Clock(kind, a_turn, left, out)


def _entry(event: Event) -> Any:
    """Write what was done as an entry of the log."""
    if isinstance(event, Rolled | RolledOff):
        one, other = event.roll if isinstance(event, Rolled) else event.dice
        return f"{one}{other}"
    if isinstance(event, Played):
        return event.words if event.seconds is None else [event.words, event.seconds]
    if isinstance(event, Resigned):
        return ["resign", event.side, event.kind]
    if isinstance(event, Flagged):
        timed = [] if event.seconds is None else [event.seconds]
        return ["flag", event.side, *timed]
    return SAID[type(event)]


def _replay(game: Game, log: list[Any], steps: list[Any]) -> None:
    """Do again what was done."""
    for number, entry in enumerate(log):
        try:
            _do(game, entry)
        except (ValueError, TypeError) as error:
            raise InvalidState(f"log: number {number}, {entry!r}: {error}") from error
    if steps:
        _move(game.turn, steps)


def _do(game: Game, entry: Any) -> None:
    match entry:
        case "double" | "take" | "drop" | "beaver" | "raccoon":
            getattr(game, entry)()
        case str() if game.phase == "play":
            game.push(entry)
        case str():
            game.roll(entry)
        case ["resign", side, kind]:
            game.resign(kind, side=side)
        case ["flag", side]:
            game.flag(side=side)
        case ["flag", side, seconds]:
            game.flag(side=side, seconds=seconds)
        case [str() as words, seconds]:
            game.push(words, seconds=seconds)
        case _:
            raise InvalidState("no entry of a log")


# --- matches --------------------------------------------------------------------------------------


def _match_data(match: Match) -> dict[str, Any]:
    return {
        "rules": _rules_data(match.rules),
        "length": match.length,
        "seed": match.seed,
        "clock": _clock_data(match.clock),
        "games": [_log_data(game) for game in match.games],
    }


def _match_from(fields: dict[str, Any], dice: Any) -> Match:
    none = type(None)
    rules, length, seed, clock, games = _take(
        fields, rules=dict, length=(int, none), seed=(int, none), clock=(dict, none), games=list
    )
    found = Match(_rules_from(rules), length=length, seed=seed, dice=dice, clock=_clock_from(clock))
    if not games:
        raise InvalidState("games: wanted at least one")
    for number, game in enumerate(games):
        if not isinstance(game, dict):
            raise InvalidState(f"games: number {number} must be a game, not {game!r}")
        try:
            log, steps = _take(game, log=list, steps=list)
            if number:
                found.next_game()
            _replay(found.game, log, steps)
        except ValueError as error:
            raise InvalidState(f"games: number {number}: {error}") from error
    return found


_FORMATS: Final[dict[type, tuple[str, Callable[..., dict[str, Any]], Callable[..., Any]]]] = {
    Turn: ("nardy-turn", _turn_data, _turn_from),
    Game: ("nardy-game", _game_data, _game_from),
    Match: ("nardy-match", _match_data, _match_from),
}
