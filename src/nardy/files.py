"""Files of matches: read whatever they are, written beside their place and renamed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from nardy import options
from nardy.errors import InvalidNotation
from nardy.formats.entries import RawMatch
from nardy.formats.mat import read_mat
from nardy.formats.mat_text import mat_lines
from nardy.formats.record_json import (
    loaded,
    match_of_data,
    read_json_lines,
    record_line,
)
from nardy.formats.sgf import read_sgf
from nardy.matches import Match
from nardy.options import Rules
from nardy.outfile import replaced
from nardy.recording import raw_of, record_of
from nardy.replaying import replayed
from nardy.replays import MatchRecord
from nardy.states import from_json

__all__ = ["FORMS", "SUFFIXES", "form_of", "read", "write"]

Source = str | os.PathLike[str] | IO[Any]
"""A path, or an open file of bytes or of text."""

FORMS: Final = ("mat", "json")
"""What matches are written as."""

SUFFIXES: Final = {".mat": "mat", ".txt": "mat", ".json": "json", ".jsonl": "json"}
_PEEKED: Final = 4096
_SGF: Final = re.compile(r"\(\s*(?:;|$)")


def read(source: Source, *, rules: Rules | str | None = None) -> Iterator[MatchRecord]:
    r"""Read the matches of a file, one after the other, each play of them checked.

    What it is (``.mat`` text of any dialect, gnubg's ``.sgf``, or lines of JSON) is seen from what
    it holds. Memory stays bounded: a match is given before the next one is read.

    Parameters
    ----------
    source : str, path or open file
        Of bytes or of text. A str is a path; text goes into an ``io.StringIO``.
    rules : Rules or str, optional
        Instead of those that the file asks for.

    Yields
    ------
    MatchRecord
        With all that could be read, and what could not among its ``faults``; without games if it
        is nothing else. A match of more than 100,000 plays comes in parts.

    Raises
    ------
    OSError
        The file cannot be opened, at once; or read on, later.
    InvalidNotation
        It is no text: UTF-16, or a packed file.

    Examples
    --------
    >>> import io
    >>> text = " 3 point match\n Game 1\n x : 0    o : 0\n 1) 31: 8/5 6/5   42: 8/4 6/3\n"
    >>> [match] = nardy.read(io.StringIO(text))
    >>> for node in match.games[0].nodes:
    ...     print(node.play, node.is_legal, node.message)
    8/5 6/5 True None
    None False 8/4 6/3: 6/3: no die of 4-2 makes it
    """
    chosen = None if rules is None else options.rules(rules)
    if isinstance(source, str | os.PathLike):
        # Opened now, for an error to come at once; closed when the last match is read.
        return _read_and_close(open(source, "rb"), chosen)
    if not hasattr(source, "readline"):
        raise TypeError(f"source must be a path or an open file, not {source!r}")
    return _read(source, chosen)


def _read_and_close(stream: IO[bytes], rules: Rules | None) -> Iterator[MatchRecord]:
    with stream:
        yield from _read(stream, rules)


def _read(stream: IO[Any], rules: Rules | None) -> Iterator[MatchRecord]:
    peeked = _Peeked(stream)
    beginning = peeked.beginning()
    if beginning.startswith("{"):
        yield from _json_matches(peeked, rules)
        return
    reader = read_sgf if _SGF.match(beginning) else read_mat
    for raw in reader(peeked):  # type: ignore[arg-type]
        yield replayed(raw, rules)


def _json_matches(stream: Any, rules: Rules | None) -> Iterator[MatchRecord]:
    for line, text in read_json_lines(stream):
        try:
            if line.fault:
                raise InvalidNotation(line.fault)
            data = loaded(text)
            if data.get("format") == "nardy-match":
                match = from_json(text)
                assert isinstance(match, Match)
                yield record_of(match)
            else:
                yield replayed(match_of_data(data, line.number), rules)
        except (ValueError, TypeError) as error:
            raw = RawMatch(line=line.number)
            raw.report("unreadable", line.number, 1, str(error), text[:100])
            yield replayed(raw, rules)


class _Peeked:
    """A stream whose beginning has been looked at."""

    def __init__(self, stream: IO[Any]) -> None:
        self._stream = stream
        self._first = stream.readline(_PEEKED)

    def beginning(self) -> str:
        """Return what the text begins with; refuse what is no text of these formats."""
        first = self._first
        if isinstance(first, bytes):
            if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise InvalidNotation("source is UTF-16: UTF-8 is wanted")
            if b"\0" in first:
                raise InvalidNotation("source must be text: it has bytes 0 in its first line")
            first = first.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        elif not isinstance(first, str):
            raise TypeError(f"source must be a file of bytes or of text, not of {first!r}")
        return first.removeprefix("\ufeff").lstrip()

    def read(self, size: int) -> Any:
        """Read as much as asked for, or less, like any stream."""
        if not self._first:
            return self._stream.read(size)
        piece, self._first = self._first[:size], self._first[size:]
        return piece

    def readline(self, size: int) -> Any:
        """Read a line, or as much of it as asked for, like any stream."""
        if not self._first:
            return self._stream.readline(size)
        piece, self._first = self._first[:size], self._first[size:]
        if not self._first and len(piece) < size and piece[-1:] not in ("\n", b"\n"):
            piece += self._stream.readline(size - len(piece))
        return piece


# --- writing --------------------------------------------------------------------------------------


def write(
    matches: MatchRecord | Match | Iterable[MatchRecord | Match],
    target: Source,
    *,
    form: str | None = None,
) -> None:
    """Write matches to a file: read again, they are the same games.

    Parameters
    ----------
    matches : MatchRecord, Match, or an iterable of them
        One after the other, so that a file of any size can be converted.
    target : str, path or open file of text
        A path gets its file when all is written: beside it first, then renamed.
    form : "mat" or "json", optional
        Else the path says it: ``.mat``, ``.txt``, ``.json`` or ``.jsonl``.

    Raises
    ------
    ValueError
        A form that is not known, or a match that ``.mat`` text cannot say (docs/records.md).

    Examples
    --------
    >>> import sys
    >>> match = nardy.Match("short", length=3)
    >>> match.game.roll("31"); match.game.push("6/5 8/5"); match.game.double()
    >>> nardy.write(match, sys.stdout, form="mat")
    ; [Player 1 "player 1"]
    ; [Player 2 "player 2"]
    ; [Variation "Backgammon"]
    <BLANKLINE>
     3 point match
    <BLANKLINE>
     Game 1
     player 1 : 0                          player 2 : 0
      1) 31: 8/5 6/5                        Doubles => 2
    <BLANKLINE>
    <BLANKLINE>
    """
    given = [matches] if isinstance(matches, MatchRecord | Match) else matches
    chosen = _FORMS[form_of(target, form)]
    with _opened(target) as put:
        for match in given:
            record = record_of(match) if isinstance(match, Match) else match
            if not isinstance(record, MatchRecord):
                raise TypeError(f"matches: each must be a MatchRecord or a Match, not {match!r}")
            chosen(record, put)


def form_of(target: object, form: str | None) -> str:
    """Return the form to write: the one named, else what the path says."""
    if form is not None:
        if form not in FORMS:
            raise ValueError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
        return form
    suffix = Path(target).suffix.lower() if isinstance(target, str | os.PathLike) else ""
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise ValueError(f"target must end with one of {known}, or form must say it: {target!r}")
    return SUFFIXES[suffix]


def _write_mat(record: MatchRecord, put: Callable[[str], object]) -> None:
    for line in mat_lines(raw_of(record)):
        put(line)


def _write_json(record: MatchRecord, put: Callable[[str], object]) -> None:
    put(f"{record_line(raw_of(record))}\n")


_FORMS: Final[dict[str, Callable[[MatchRecord, Callable[[str], object]], None]]] = {
    "mat": _write_mat,
    "json": _write_json,
}


@contextmanager
def _opened(target: Source) -> Iterator[Callable[[str], object]]:
    if isinstance(target, str | os.PathLike):
        with replaced(target) as stream:
            yield stream.write
    elif hasattr(target, "write"):
        yield target.write
    else:
        raise TypeError(f"target must be a path or an open file, not {target!r}")
