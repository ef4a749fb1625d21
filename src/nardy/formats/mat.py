"""Matches as ``.mat`` text, both games: every dialect is read, one is written.

    ; [Player 1 "..."]                          tags, kept whatever they are
     5 point match                              0: money
     Game 1
     one : 0                                other : 0
      1)                                    43: 13/10 13/9
      2) 54: 24/15*                          Doubles => 2
      3)  Drops                              Wins 1 point

A line of a game has two cells, of player 1 and of player 2. Dialects write the bar as ``25`` or
``bar``, off as ``0`` or ``off``, mark hits or do not, count equal moves as ``(2)`` or write them
out, and leave a cell empty where others say ``Cannot Move``. See docs/records.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final

from nardy.formats.entries import BEYOND, MOST_ENTRIES, Action, Entry, RawGame, RawMatch
from nardy.formats.lines import TextLine, lines_of

__all__ = ["read_mat"]

_TAG: Final = re.compile(r"\[([^\"\]]*)\"(.*)\"\s?\]")
_LENGTH: Final = re.compile(r"\s*(\d{1,9})\s+points?\s+match\b.*", re.IGNORECASE)
_MONEY: Final = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game)\b.*", re.IGNORECASE)
_GAME: Final = re.compile(r"\s*game\s+(\d{1,9})\s*", re.IGNORECASE)
_SCORE: Final = re.compile(r"\s*(.*\S)\s*:\s*(\d{1,9})\s+(\S.*?)\s*:\s*(\d{1,9})\s*")
_LONGEST_SCORE: Final = 400  # the pattern takes time as the square of the length
_NUMBER: Final = re.compile(r"\s*\d+\)")
# How a cell begins.
_CELL: Final = re.compile(
    r"(?<!\S)(?:(?P<dice>[1-6][1-6])\s?:"
    r"|(?:(?P<word>(?:re)?doubles?|takes?|accepts?|drops?|pass(?:es)?|rejects?|beavers?|raccoons?"
    r"|resigns)|(?P<result>wins|loses|losses|losts?|draws?))(?![\w/]))",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(r"\s*(\d{1,9})\s+points?", re.IGNORECASE)
_CUBE: Final = re.compile(r"\s*(?:=>|to|at)?\s*(\d{1,9})\b", re.IGNORECASE)
_RAISES: Final = ("double", "beaver", "raccoon")
_WORDS: Final[dict[str, Action]] = {
    "double": "double",
    "redouble": "double",
    "take": "take",
    "accept": "take",
    "drop": "drop",
    "pass": "drop",
    "reject": "drop",
    "beaver": "beaver",
    "raccoon": "raccoon",
    "resign": "resign",
}
_PASSES: Final = ("cannot move", "can't move", "no move", "no moves", "(no move)", "dances")
_NOT_PLAYED: Final = re.compile(r"\?+|concedes?|resigns?", re.IGNORECASE)
_FIRST_COLUMN: Final = 6
_SECOND_COLUMN: Final = 40


def read_mat(stream: IO[Any]) -> Iterator[RawMatch]:
    r"""Read matches one after the other, in bounded memory.

    Parameters
    ----------
    stream : open file, of bytes or of text

    Yields
    ------
    RawMatch
        Whatever is no line of a match is among its faults.

    Examples
    --------
    >>> import io
    >>> text = " 3 point match\n Game 1\n x : 0    o : 0\n 1) 31: 8/5 6/5   42: 8/4 6/4\n"
    >>> [match] = read_mat(io.StringIO(text))
    >>> match.length, match.players, match.games[0].entries[1].words
    (3, ('x', 'o'), '8/4 6/4')
    """
    reader = _Reader()
    for line in lines_of(stream):
        if done := reader.take(line):
            yield done
    if reader.has_anything:
        yield reader.match


class _Reader:
    """The match that is being read, and where in it the next line falls."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.match = RawMatch()
        self.has_anything = False
        self.has_length = False
        self.wants_score = False
        self.column = _SECOND_COLUMN
        self.is_squeezed = False
        self.goes_on = False  # after its result: said once a game
        self.size = 0

    @property
    def game(self) -> RawGame | None:
        return self.match.games[-1] if self.match.games else None

    def take(self, line: TextLine) -> RawMatch | None:
        """Take the next line; return the match before if a new one begins with it."""
        text = line.text
        if line.fault:
            self.has_anything = True
            self.match.report("unreadable", line.number, 1, line.fault, text.strip())
        if not text or text.isspace():
            return None
        # What a line is, the commonest kind first; below a game's number a line may be of names
        # that look like anything.
        if self.wants_score and self.score(text):
            return None
        if found := _NUMBER.match(text):
            self.cells(line, found.end())
        elif found := _GAME.fullmatch(text):
            return self.begin_game(line, int(found[1]))
        elif text.lstrip().startswith(";"):
            return self.header(line)
        elif found := _LENGTH.fullmatch(text) or _MONEY.fullmatch(text):
            return self.begin_length(line, int(found[1]) if found.re is _LENGTH else 0)
        elif self.game and _CELL.match(text.strip()):
            self.cells(line, 0)
        else:
            self.has_anything = True
            self.match.report("unreadable", line.number, 1, "no line of a match", text.strip())
        return None

    # --- what stands before the games

    def begin_match(self, line: TextLine) -> RawMatch:
        """Begin a match; return the one before."""
        before = self.match
        self.reset()
        self.match.line, self.has_anything = line.number, True
        return before

    def to_header(self, line: TextLine) -> RawMatch | None:
        """Come to a line before the games: of another match, if this one has its length."""
        self.has_anything = True
        return self.begin_match(line) if self.has_length else None

    def header(self, line: TextLine) -> RawMatch | None:
        before = self.to_header(line)
        if len(self.match.tags) + len(self.match.comments) >= MOST_ENTRIES:
            self.match.report("unreadable", line.number, 1, "too long a header", line.text)
            return before
        words = line.text.lstrip()[1:].strip()
        if found := _TAG.fullmatch(words):
            name, value = found[1].strip(), found[2]
            self.match.tags.append((name, value))
            if name.lower() in ("player 1", "player 2"):
                players = [*self.match.players]
                players[int(name[-1]) - 1] = value
                self.match.players = players[0], players[1]
        else:
            self.match.comments.append(words)
        return before

    def begin_length(self, line: TextLine, length: int) -> RawMatch | None:
        before = self.to_header(line)
        self.has_length = True
        self.match.length = length or None
        return before

    # --- games

    def begin_game(self, line: TextLine, number: int) -> RawMatch | None:
        before = None
        if not self.has_length:
            what = "a game before the length of the match is said: read as for money"
            self.match.report("unreadable", line.number, 1, what, line.text.strip())
        if self.size > MOST_ENTRIES:
            before = self.begin_match(line)
            self.match.tags, self.match.comments = [*before.tags], [*before.comments]
            self.match.length, self.match.players = before.length, before.players
            what = f"goes on from the match before, which has {MOST_ENTRIES:,} entries"
            self.match.report("unreadable", line.number, 1, what)
        self.has_anything = self.has_length = self.wants_score = True
        self.goes_on = False
        self.match.games.append(RawGame(number, line=line.number))
        self.column = _SECOND_COLUMN
        self.size += 1
        return before

    def score(self, text: str) -> bool:
        """Read the line with both names and scores below the number of a game."""
        self.wants_score = False
        # A name may be empty, or have colons and digits itself; where the header has it, that is
        # known.
        one, other = (re.escape(player.strip()) for player in self.match.players)
        known = rf"\s*+({one})\s*+:\s*+(\d{{1,9}})\s++({other})\s*+:\s*+(\d{{1,9}})\s*+"
        found = re.fullmatch(known, text)
        if found is None and len(text) <= _LONGEST_SCORE:
            found = _SCORE.fullmatch(text)
        if found is None:
            return False
        game = self.game
        assert game is not None
        game.score = int(found[2]), int(found[4])
        self.column, ending = found.start(3), found.end(2)
        if self.match.tag("player 1") is None and self.match.tag("player 2") is None:
            self.match.players = found[1], found[3]
        # Columns may be lost on the way through a mail or a page.
        self.is_squeezed = self.column - ending < 3 and self.column < _SECOND_COLUMN - 10
        return True

    def cells(self, line: TextLine, at: int) -> None:
        """Read a line of a game: the cells of both players, from column `at` on."""
        text, game, match = line.text, self.game, self.match
        self.has_anything = True
        if game is None:
            match.report("unreadable", line.number, 1, "a play before any game", text.strip())
            return
        self.wants_score = False
        starts = [*_CELL.finditer(text, at)]
        first = starts[0].start() if starts else len(text)
        if stray := text[at:first].strip():
            column = text.index(stray, at) + 1
            match.report("unreadable", line.number, column, "no dice, no word of the cube", stray)
        ends = [*(start.start() for start in starts[1:]), len(text)][: len(starts)]
        for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if self.size > MOST_ENTRIES and len(game.entries) > MOST_ENTRIES:
                match.report("unreadable", line.number, 1, BEYOND, text.strip())
                return
            side = self.side_of(start, place, len(starts))
            if game.declared is not None and not start["result"] and not self.goes_on:
                self.goes_on = True
                what = "the game goes on after its result"
                match.report("contradiction", line.number, start.start() + 1, what, text.strip())
            self.cell(line, side, start, text[start.end() : end])
            self.size += 1

    def side_of(self, start: re.Match[str], place: int, cells: int) -> int:
        """Tell whose cell it is: of two by their order, of one by where it stands."""
        game = self.game
        assert game is not None
        if cells > 1:
            return int(place > 0)
        if not self.is_squeezed:
            return int(start.start() > (_FIRST_COLUMN + self.column) / 2)
        # Without columns: one cell in the first line is of player 2, who has opened; later players
        # take turns, and who played last has won.
        if not game.entries:
            return 1
        last = game.entries[-1]
        has_won = (start["result"] or "").lower() == "wins" and last.action == "play" and last.words
        return last.side if has_won else 1 - last.side

    def cell(self, line: TextLine, side: int, start: re.Match[str], rest: str) -> None:
        game, column = self.game, start.start() + 1
        assert game is not None
        if dice := start["dice"]:
            words: str | None = rest.strip()
            assert words is not None
            if words.lower() in _PASSES:
                words = "pass"
            elif _NOT_PLAYED.fullmatch(words):
                words = None
            roll = int(dice[0]), int(dice[1])
            game.entries.append(Entry(side, "play", roll, words, None, line.number, column))
            return
        if start["result"]:
            self.result(line, side, start["result"].lower(), rest, column)
            return
        word = start["word"].lower()
        action = next(_WORDS[key] for key in _WORDS if word.startswith(key))
        value = None
        if action in _RAISES and (found := _CUBE.match(rest)):
            value = int(found[1])
            rest = rest[found.end() :]
        game.entries.append(Entry(side, action, None, None, value, line.number, column))
        if stray := rest.strip():
            at = line.text.index(stray, start.end()) + 1
            self.match.report("unreadable", line.number, at, f"behind {start['word']!r}", stray)

    def result(self, line: TextLine, side: int, word: str, rest: str, column: int) -> None:
        """Keep what a game is said to have ended with; several words for it have to agree."""
        game = self.game
        assert game is not None
        found = _POINTS.match(rest)
        if word.startswith("draw"):
            declared: tuple[int | None, int] = None, 0
        elif found:
            declared = side if word.startswith("win") else 1 - side, int(found[1])
        else:
            what = f"{word.title()} must be followed by the points"
            self.match.report("unreadable", line.number, column, what, line.text.strip())
            return
        if game.declared not in (None, declared):
            what = "says another result than the words before"
            self.match.report("contradiction", line.number, column, what, line.text.strip())
        else:
            game.declared = declared
