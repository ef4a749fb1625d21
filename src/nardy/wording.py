"""Plays in words: ``24/18 13/8*(2)``, read and written.

A wording is a list of hops, each of one checker by one or more half-moves. Points are numbered by
"distance" (the pips left to bear off, 25 the bar and 0 off) or, in long nardy, by "path" (1 the
head, 24 the last point, 25 off).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from nardy.board import BAR, OFF
from nardy.errors import InvalidNotation

__all__ = [
    "Hop",
    "Line",
    "Numbering",
    "checked_numbering",
    "hits_of",
    "point_text",
    "read_hops",
    "steps_of",
    "words_of",
]

Numbering: TypeAlias = Literal["distance", "path"]
"""How points are numbered in texts."""

Hop: TypeAlias = tuple[int, int, bool]
"""(origin, target, whether a hit is claimed there), in distances."""

Line: TypeAlias = tuple[tuple[int, int], ...]
"""(origin, die) of half-moves in the order played: 25 is the bar."""

Step: TypeAlias = tuple[int, int]

_PLACE: Final = r"(?:bar|off|[0-9]{1,2})"
_CHAIN: Final = re.compile(rf"({_PLACE})((?:/{_PLACE}\*?)+)(?:\(([0-9]{{1,2}})\))?")
_WANTED: Final = "half-moves such as '24/18 13/8*', 'bar/20' or '6/off(2)', or 'pass'"
_BLANKS_INSIDE: Final = re.compile(r"\s*([/(])\s*|\s+(?=[*)])")
_LONGEST: Final = 200
_BETWEEN: Final = re.compile(r"[\s,;]+")


def checked_numbering(numbering: str, game: str) -> Numbering:
    """Return a numbering; a ValueError if it is none of this game."""
    if numbering not in get_args(Numbering):
        raise ValueError(f"numbering must be 'distance' or 'path', not {numbering!r}")
    if numbering == "path" and game == "short":
        raise ValueError("numbering 'path' is for long nardy: short nardy counts distances only")
    return numbering  # type: ignore[return-value]


def point_text(point: int, numbering: Numbering = "distance") -> str:
    """Write a place of the mover.

    Examples
    --------
    >>> point_text(25), point_text(24), point_text(0), point_text(24, "path")
    ('bar', '24', 'off', '1')
    """
    if point == OFF:
        return "off"
    if point == BAR:
        return "bar"
    return str(point if numbering == "distance" else BAR - point)


def read_hops(text: str, numbering: Numbering = "distance") -> list[Hop]:
    """Read the words of a play.

    Parameters
    ----------
    text : str
        Hops in any order and case: ``24/18``, ``bar/20``, ``6/off``, ``13/8*``, ``24/18/13``,
        ``8/5(2)``, or ``pass``. 25 is the bar and 0 off (by "path": 25 is off).
    numbering : "distance" or "path"

    Returns
    -------
    list of (int, int, bool)
        Origin and target of each hop in distances, and whether it claims a hit; none for a pass.

    Raises
    ------
    InvalidNotation
        A text that is no play.
    TypeError
        No str.

    Examples
    --------
    >>> read_hops("BAR/20*/14 6/5 (2)")
    [(25, 20, True), (20, 14, False), (6, 5, False), (6, 5, False)]
    >>> read_hops("1/7", "path"), read_hops("pass")
    ([(24, 18, False)], [])
    """
    if not isinstance(text, str):
        raise TypeError(f"play must be a text such as '24/18 13/8', not {text!r}")
    if len(text) > _LONGEST:
        raise InvalidNotation(f"play must have at most {_LONGEST} characters, not {len(text)}")
    words = text.lower().split()
    try:
        return _read_words(words, numbering)
    except InvalidNotation:
        # Blanks and commas may stand elsewhere too.
        tidy = _BETWEEN.sub(" ", _BLANKS_INSIDE.sub(r"\1", " ".join(words))).split()
        if tidy in (words, []):
            raise
        return _read_words(tidy, numbering)


def _read_words(words: list[str], numbering: Numbering) -> list[Hop]:
    if words == ["pass"]:
        return []
    if not words:
        raise InvalidNotation(f"play must be {_WANTED}, not an empty text")
    if "pass" in words:
        raise InvalidNotation("play: 'pass' stands alone")
    hops: list[Hop] = []
    for word in words:
        hops += _read_word(word, numbering)
    return hops


# People use few words: reading each but once makes a play three times as fast to read.
@lru_cache(maxsize=4096)
def _read_word(word: str, numbering: Numbering) -> tuple[Hop, ...]:
    """Read one checker's hops, as often as they are counted."""
    chain = _CHAIN.fullmatch(word)
    if chain is None or chain[3] == "0":
        hint = ": a slash divides points" if "-" in word else ""
        raise InvalidNotation(f"play must be {_WANTED}; {word!r} is no half-move{hint}")
    first, rest, times = chain.groups()
    at, path = _place(first, numbering), []
    for step in rest[1:].split("/"):
        marked = step[-1] == "*"
        to = _place(step[:-1] if marked else step, numbering)
        if not (0 <= at <= BAR and 0 <= to <= BAR):
            raise InvalidNotation(f"play: there is no such point in {word!r}, only 1..24, bar, off")
        if at in (OFF, to) or to == BAR:
            how = "nothing" if at == to else "backwards"
            raise InvalidNotation(f"play must be {_WANTED}; {word!r} moves {how}")
        path.append((at, to, marked))
        at = to
    return tuple(path) * int(times or 1)


def _place(word: str, numbering: Numbering) -> int:
    if word == "bar":
        return BAR
    if word == "off":
        return OFF
    return int(word) if numbering == "distance" else BAR - int(word)


def steps_of(half_moves: Line) -> tuple[Step, ...]:
    """Return half-moves (origin, die) as (from, to), 0 being off.

    Examples
    --------
    >>> steps_of(((24, 6), (3, 5)))
    ((24, 18), (3, 0))
    """
    return tuple((origin, max(origin - die, OFF)) for origin, die in half_moves)


def hits_of(row: Sequence[int], steps: Iterable[Step]) -> list[bool]:
    """Tell of each half-move whether it hits; `row` is the board before the first.

    Examples
    --------
    >>> hits_of([0] * 5 + [-1] + [0] * 26, [(8, 5), (6, 5)])
    [True, False]
    """
    hit: set[int] = set()
    found = []
    for _, target in steps:
        # A lone opposing checker stays where it is until it is hit; more than one close a point.
        hits = 1 <= target < BAR and row[target] == -1 and target not in hit
        if hits:
            hit.add(target)
        found.append(hits)
    return found


def words_of(row: Sequence[int], steps: Sequence[Step], numbering: Numbering = "distance") -> str:
    """Write half-moves canonically.

    The highest origin comes first, each checker's run is one hop unless it hits on the way, equal
    ones are counted.

    Parameters
    ----------
    row : sequence of 32 ints
        The board at the start of the turn, as the mover sees it.
    steps : sequence of (int, int)
        Half-moves (from, to) in the order played.

    Examples
    --------
    >>> row = [0] * 32
    >>> words_of(row, [(24, 18), (18, 13), (8, 3), (8, 3)])
    '24/13 8/3(2)'
    >>> row[18] = -1
    >>> words_of(row, [(24, 18), (18, 13)]), words_of(row, [(24, 18)], "path"), words_of(row, [])
    ('24/18*/13', '1/7*', 'pass')
    """
    if not steps:
        return "pass"
    left = [(*step, hit) for step, hit in zip(steps, hits_of(row, steps), strict=True)]
    runs: Counter[tuple[int, int, str]] = Counter()
    hitting = set()
    while left:
        # The farthest checker first; of equal ones the one that moved first.
        at = max(range(len(left)), key=lambda k: (left[k][0], -k))
        origin, target, hit = left.pop(at)
        words = point_text(origin, numbering)
        while True:
            # On with the same checker, as long as it moved on later.
            then = next((k for k in range(at, len(left)) if left[k][0] == target != OFF), None)
            if then is None:
                break
            if hit:
                words += f"/{point_text(target, numbering)}*"
            at = then
            _, target, hit = left.pop(then)
        run = -origin, target, f"{words}/{point_text(target, numbering)}"
        runs[run] += 1
        if hit:
            hitting.add(run)
    # Of equal runs to a blot the first one hits: "6/1*(2)".
    return " ".join(
        f"{run[-1]}{'*' if run in hitting else ''}{f'({n})' if n > 1 else ''}"
        for run, n in sorted(runs.items())
    )
