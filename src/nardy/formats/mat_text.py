"""Matches written as ``.mat`` text: one dialect, the one that most programs read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nardy.formats.entries import Entry, RawGame, RawMatch
from nardy.formats.tags import rules_of_tags, variation_of, write_rules
from nardy.options import SHORT

__all__ = ["mat_lines"]

_LONGEST: Final = 1000  # of a name, a tag, a play: lines are read up to 4,096
_WIDTH: Final = 34  # of a cell: the longest plays of doubles fit
_TALK: Final = {"take": "Takes", "drop": "Drops", "beaver": "Beavers", "raccoon": "Raccoons"}


def mat_lines(raw: RawMatch) -> Iterator[str]:
    """Yield a match line by line, each with its end.

    Raises
    ------
    ValueError
        Something that this text cannot say: a game that begins on another board than the rules',
        a cube doubled by ties of the roll-off, a name or a tag of several lines.

    Examples
    --------
    >>> raw = RawMatch(length=3, players=("Anna", "Boris"), rules=nardy.LONG)
    >>> raw.games.append(RawGame(1, (0, 0), [Entry(1, "play", (6, 5), "24/13")]))
    >>> print("".join(mat_lines(raw)).rstrip())
    ; [Player 1 "Anna"]
    ; [Player 2 "Boris"]
    ; [Variation "LongNardy"]
    ; [Rules "long"]
    <BLANKLINE>
     3 point match
    <BLANKLINE>
     Game 1
     Anna : 0                              Boris : 0
      1)                                   65: 24/13
    """
    for name, value in _header(raw):
        yield f'; [{_whole(name)} "{_whole(value)}"]\n'
    for comment in raw.comments:
        yield f"; {_whole(comment)}\n"
    yield f"\n {raw.length or 0} point match\n\n"
    for game in raw.games:
        yield from _game(raw, game)


def _header(raw: RawMatch) -> list[tuple[str, str]]:
    """Return the tags, and those that a reader needs besides: who plays, and what."""
    tags, rules = [*raw.tags], raw.rules or SHORT
    for number, player in enumerate(raw.players, start=1):
        if raw.tag(f"player {number}") != player:
            tags = _without(tags, f"player {number}")
            tags.append((f"Player {number}", player))
    if raw.tag("variation") is None:
        tags.append(("Variation", variation_of(rules)))
    # Whatever other tags say, the rules that this library reads are those of the match.
    if rules.game == "long" or rules_of_tags(tags)[0] != rules:
        tags = _without(tags, "rules")
        tags.append(("Rules", write_rules(rules)))
    return tags


def _without(tags: list[tuple[str, str]], name: str) -> list[tuple[str, str]]:
    return [(each, value) for each, value in tags if each.lower() != name]


def _game(raw: RawMatch, game: RawGame) -> Iterator[str]:
    if game.row is not None or game.first_cube != 1:
        what = (
            "on a board of its own" if game.row is not None else f"at a cube of {game.first_cube}"
        )
        raise ValueError(
            f"game {game.number} begins {what}, which .mat text cannot say: write JSON"
        )
    one, other = (_whole(player) for player in raw.players)
    s, t = game.score or (0, 0)
    yield f" Game {game.number}\n"
    first = f" {one} : {s}".ljust(_WIDTH + 5)
    yield f"{first}{other} : {t}\n" if first[-1] == " " else f"{first}  {other} : {t}\n"
    column = max(len(first), _WIDTH + 5)
    cells: list[str] = []
    for entry in game.entries:
        if entry.action == "resign":
            continue  # the points say it
        if len(cells) % 2 != entry.side:
            cells.append("")
        cells.append(_cell(entry))
    if len(cells) % 2:
        cells.append("")
    for number, (left, right) in enumerate(zip(cells[::2], cells[1::2], strict=True), start=1):
        yield f"{f'{number:3d}) {left}'.ljust(column - 2)}  {right}".rstrip() + "\n"
    if game.declared is not None:
        winner, points = game.declared
        said = "Draw" if winner is None else f"Wins {points} point{'s' if points != 1 else ''}"
        yield f"{' ' * (column if winner else 6)}{said}{_end(raw, game)}\n"
    yield "\n\n"


def _end(raw: RawMatch, game: RawGame) -> str:
    """Say that the match is won with this game, if it is."""
    winner, points = game.declared or (None, 0)
    if raw.length is None or winner is None:
        return ""
    return " and the match" if (game.score or (0, 0))[winner] + points >= raw.length else ""


def _cell(entry: Entry) -> str:
    if entry.action == "double":
        return f" Doubles => {entry.value}" if entry.value else " Doubles"
    if entry.action != "play":
        return f" {_TALK[entry.action]}"
    assert entry.dice is not None
    one, other = sorted(entry.dice, reverse=True)
    words = "????" if entry.words is None else _whole(entry.words)
    return f"{one}{other}: {'Cannot Move' if words == 'pass' else words}".rstrip()


def _whole(text: str) -> str:
    if len(text) > _LONGEST:
        what = f"at most {_LONGEST:,} characters to stand in .mat text"
        raise ValueError(f"{text[:40]!r}... must have {what}, not {len(text):,}")
    if not text.isprintable():
        raise ValueError(f"{text!r} must be printable and of one line to stand in .mat text")
    return text
