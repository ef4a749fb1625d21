"""What a file of games says, before any rule has looked at it: what all its formats have in common.

A reader (``nardy.formats.mat``, ``.sgf``, ``.record_json``) makes :class:`RawMatch` of text,
``nardy.replays`` plays them through under the rules, and a writer makes text of them again.
Sides are 0 and 1: player 1 and player 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, get_args

from nardy.options import Rules

__all__ = [
    "BEYOND",
    "LARGEST_CUBE",
    "MOST_ENTRIES",
    "RECORDED",
    "Action",
    "Entry",
    "FileFault",
    "RawGame",
    "RawMatch",
    "tag_of",
]

Action = Literal["play", "double", "take", "drop", "beaver", "raccoon", "resign"]

RECORDED: Final[tuple[str, ...]] = get_args(Action)
"""What a side can be said to have done."""

MOST_ENTRIES: Final = 100_000
"""Of one match: what goes on longer is given in parts, so that memory stays bounded."""

BEYOND: Final = f"the game goes on beyond {MOST_ENTRIES:,} entries: what follows is left out"
"""What is said of a game that has more."""

LARGEST_CUBE: Final = 1 << 29
"""A file can double as often as it likes."""

_MOST_FAULTS: Final = 1000
_LONGEST_QUOTE: Final = 80


@dataclass(slots=True)
class FileFault:
    """Something in a file that could not be read, or that contradicts the rest of it.

    Examples
    --------
    >>> print(FileFault("unreadable", 7, 3, "no line of a match", "hello"))
    line 7, column 3: no line of a match: 'hello'
    """

    kind: Literal["unreadable", "contradiction"]
    line: int
    """From 1; 0 where there is no text."""
    column: int
    what: str
    text: str = ""
    """What stands there, cut to 80 characters."""
    lines: int = 1
    """How many lines in a row it is about; their first is `line`."""

    def __str__(self) -> str:
        through = f"-{self.line + self.lines - 1}" if self.lines > 1 else ""
        place = f"line{'s' if through else ''} {self.line}{through}, column {self.column}: "
        return f"{place if self.line else ''}{self.what}{f': {self.text!r}' if self.text else ''}"


class Entry(NamedTuple):
    """One thing that a side did, as the file has it."""

    side: int
    action: Action
    dice: tuple[int, int] | None = None
    """Of a play, in the order written."""
    words: str | None = None
    """Of a play: as written, "pass" for none, "" if nothing stands there; None: not played."""
    value: int | None = None
    """Of a double, beaver or raccoon: what the cube is said to go to. Of giving up: 1, 2 or 3."""
    line: int = 0
    column: int = 0


@dataclass(slots=True)
class RawGame:
    """One game of a file."""

    number: int
    score: tuple[int, int] | None = None
    """Before the game, as it is written; None if it is not."""
    entries: list[Entry] = field(default_factory=list)
    declared: tuple[int | None, int] | None = None
    """Winner and points as they are written, (None, 0) for a draw; None if nothing is."""
    is_crawford: bool | None = None
    """None: not said, so the score says it."""
    row: Sequence[int] | None = None
    """The board that it begins on, as who moves first sees it; None: the usual one."""
    first_cube: int = 1
    """What the cube stood at: more than 1 after automatic doubles."""
    line: int = 0


@dataclass(slots=True)
class RawMatch:
    """One match of a file: its header, its games and what could not be read of it."""

    tags: list[tuple[str, str]] = field(default_factory=list)
    """All of the header, in its order; what is not known too."""
    comments: list[str] = field(default_factory=list)
    length: int | None = None
    """None for money."""
    players: tuple[str, str] = ("player 1", "player 2")
    rules: Rules | None = None
    """If the format has them; else the tags say it."""
    games: list[RawGame] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)
    unlisted_faults: int = 0
    """Those after the first 1,000."""
    line: int = 1

    def report(
        self,
        kind: Literal["unreadable", "contradiction"],
        line: int,
        column: int,
        what: str,
        text: str = "",
    ) -> None:
        """Keep a fault; the same one in the line that follows is kept as one of more lines."""
        last = self.faults[-1] if self.faults else None
        if last and last.what == what and last.line + last.lines == line and last.kind == kind:
            last.lines += 1
        elif len(self.faults) < _MOST_FAULTS:
            quote = text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 3]}..."
            self.faults.append(FileFault(kind, line, column, what, quote))
        else:
            self.unlisted_faults += 1

    def tag(self, name: str) -> str | None:
        """Return the value of a tag of the header, whatever its case; None if there is none."""
        return tag_of(self.tags, name)


def tag_of(tags: Iterable[tuple[str, str]], name: str) -> str | None:
    """Return the value of a tag, whatever its case; None if there is none.

    Examples
    --------
    >>> tag_of([("Event", "Open")], "EVENT")
    'Open'
    """
    return next((value for key, value in tags if key.lower() == name.lower()), None)
