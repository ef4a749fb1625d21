"""Matches as JSON, one a line: what ``.mat`` text says, and what it cannot.

    {"format": "nardy-record", "version": 1, "rules": {"game": "long", "options": {}}, "length": 5,
     "players": ["Anna", "Boris"], "tags": [["Event", "Open"]], "comments": [],
     "games": [{"number": 1, "score": [0, 0], "crawford": false, "row": null, "cube": 1,
                "entries": [[0, "65", "24/13"], [1, "double", 2], [0, "drop"]],
                "declared": [1, 1]}]}

An entry is a side, and dice with the words of the play (null: not played), or what was said; the
last number of ``["double", 4]`` is the cube, of ``["resign", 2]`` what was given up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any, Final

from nardy.dice import as_throw
from nardy.errors import InvalidNotation
from nardy.formats.entries import LARGEST_CUBE, MOST_ENTRIES, RECORDED, Entry, RawGame, RawMatch
from nardy.formats.lines import TextLine, lines_of
from nardy.options import SHORT, Rules

__all__ = ["FORMAT", "VERSION", "loaded", "match_of_data", "read_json_lines", "record_line"]

FORMAT: Final = "nardy-record"
VERSION: Final = 1
LONGEST: Final = 1 << 24
"""Characters of one match that are read: some ten times what its largest number of entries is."""

_HIGHEST: Final = 10**9  # of points, scores and numbers


def record_line(raw: RawMatch) -> str:
    """Write a match as one line of JSON, without its end.

    Examples
    --------
    >>> print(record_line(RawMatch(length=3, rules=nardy.LONG)))  # doctest: +ELLIPSIS
    {"format": "nardy-record", "version": 1, "rules": {"game": "long", "options": {}}, ...}
    """
    rules = raw.rules or SHORT
    games = [
        {
            "number": game.number,
            "score": game.score and [*game.score],
            "crawford": game.is_crawford,
            "row": None if game.row is None else [*game.row],
            "cube": game.first_cube,
            "entries": [_entry_data(entry) for entry in game.entries],
            "declared": game.declared and [*game.declared],
        }
        for game in raw.games
    ]
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "rules": {"game": rules.game, "options": rules.options()},
            "length": raw.length,
            "players": [*raw.players],
            "tags": [[*tag] for tag in raw.tags],
            "comments": raw.comments,
            "games": games,
        }
    )


def _entry_data(entry: Entry) -> list[Any]:
    if entry.dice is not None:
        one, other = entry.dice
        return [entry.side, f"{one}{other}", entry.words]
    said: list[Any] = [entry.side, entry.action]
    return said if entry.value is None else [*said, entry.value]


def read_json_lines(stream: IO[Any]) -> Iterator[tuple[TextLine, str]]:
    """Yield the texts of a stream that each should hold a match: its lines.

    One that is printed over several lines, from ``{`` to ``}`` at the margin, is given as one.
    """
    lines = lines_of(stream, LONGEST)
    for line in lines:
        if line.text.rstrip() != "{":
            if line.text and not line.text.isspace():
                yield line, line.text
            continue
        pieces, size = [line.text], 0
        for following in lines:
            pieces.append(following.text)
            size += len(following.text)
            if following.text.rstrip() == "}" or size > LONGEST:
                break
        yield line, "\n".join(pieces)


def loaded(text: str) -> dict[str, Any]:
    """Return the JSON object that a text holds.

    Raises
    ------
    InvalidNotation
        It is none.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidNotation(f"is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise InvalidNotation("must be an object of JSON")
    return data


def match_of_data(data: dict[str, Any], line: int) -> RawMatch:
    """Return the match of a JSON object.

    Raises
    ------
    InvalidNotation
        Something in it is missing, of the wrong kind, or cannot be.
    """
    try:
        return _match(data, line)
    except InvalidNotation:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise InvalidNotation(str(error)) from None


def _match(data: dict[str, Any], line: int) -> RawMatch:
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        form, version = data.get("format"), data.get("version")
        raise InvalidNotation(
            f"format must be {FORMAT!r} of version {VERSION}, not {form!r} of {version!r}"
        )
    rules, length = _one(data, "rules", dict), _one(data, "length", int, type(None))
    chosen = Rules(_one(rules, "game", str), **_one(rules, "options", dict))
    if length is not None and not 1 <= length <= _HIGHEST:
        raise InvalidNotation(f"length must be null or 1..{_HIGHEST:,}, not {length!r}")
    one, other = (_text("players", each) for each in _list(data, "players", 2))
    match = RawMatch(length=length, rules=chosen, players=(one, other), line=line)
    for tag in _list(data, "tags"):
        name, value = (_text("tags", each) for each in _pair("tags", tag))
        match.tags.append((name, value))
    match.comments = [_text("comments", each) for each in _list(data, "comments")]
    size = 0
    for game in _list(data, "games"):
        match.games.append(_game(game, line))
        size += 1 + len(match.games[-1].entries)
        if size > MOST_ENTRIES:
            raise InvalidNotation(f"games: more than {MOST_ENTRIES:,} entries")
    return match


def _game(data: Any, line: int) -> RawGame:
    if not isinstance(data, dict):
        raise InvalidNotation(f"games: each must be an object, not {data!r}")
    score, declared = data.get("score"), data.get("declared")
    row, cube = _one(data, "row", list, type(None)), _one(data, "cube", int)
    if not 1 <= cube <= LARGEST_CUBE or cube & (cube - 1):
        raise InvalidNotation(f"cube must be a power of two, not {cube!r}")
    game = RawGame(_number("number", _one(data, "number", int)), line=line, first_cube=cube)
    if score is not None:
        one, other = (_number("score", each) for each in _pair("score", score))
        game.score = one, other
    if declared is not None:
        winner, points = _pair("declared", declared)
        if winner not in (None, 0, 1) or isinstance(winner, bool):
            raise InvalidNotation(f"declared: the winner must be 0, 1 or null, not {winner!r}")
        game.declared = winner, _number("declared", points)
    game.is_crawford = _one(data, "crawford", bool, type(None))
    game.row = row
    game.entries = [_entry(entry, line) for entry in _list(data, "entries")]
    return game


def _entry(entry: Any, line: int) -> Entry:
    if not isinstance(entry, list) or not 2 <= len(entry) <= 3 or entry[0] not in (0, 1):
        raise InvalidNotation(f"entries: each must be a side, a word and more, not {entry!r}")
    side, said = int(entry[0]), entry[1]
    rest = entry[2] if len(entry) == 3 else None
    if said in RECORDED and said != "play":
        value = None
        if rest is not None:
            value = _number("entries", rest)
            if said == "resign" and value not in (1, 2, 3):
                raise InvalidNotation(f"entries: a game is given up as 1, 2 or 3, not {rest!r}")
        return Entry(side, said, None, None, value, line, 1)
    if not isinstance(said, str):
        raise InvalidNotation(f"entries: dice or a word must follow the side, not {said!r}")
    words = None if rest is None else _text("entries", rest)
    return Entry(side, "play", as_throw(said), words, None, line, 1)


# --- kinds ----------------------------------------------------------------------------------------


def _one(data: dict[str, Any], name: str, *kinds: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
        raise InvalidNotation(f"{name} must be {wanted}, not {value!r}")
    return value


def _list(data: dict[str, Any], name: str, size: int | None = None) -> list[Any]:
    found: list[Any] = _one(data, name, list)
    if size is not None and len(found) != size:
        raise InvalidNotation(f"{name} must have {size} values, not {found!r}")
    return found


def _pair(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidNotation(f"{name} must be a pair, not {value!r}")
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise InvalidNotation(f"{name}: wanted printable text of one line, not {value!r}")
    return value


def _number(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _HIGHEST:
        raise InvalidNotation(f"{name}: wanted an int 0..{_HIGHEST:,}, not {value!r}")
    return value
