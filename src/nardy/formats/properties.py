r"""The properties of a Smart Game Format file of any size and any bytes, one after the other.

Such a file is trees of nodes, ``(;PW[one]PB[two];W[31hefe](;B[42qusu])(;B[66]))``: a node begins
with ``;`` and has properties, a property has one value or more in brackets, and a tree in a tree is
a variation. Inside a value ``\`` takes the meaning from the character that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

from nardy.formats.lines import shown

__all__ = ["LONGEST_VALUE", "Properties", "Property"]

LONGEST_VALUE: Final = 1 << 20
"""Characters of a value that are read; a longer one is left out."""

_CHUNK: Final = 1 << 18
_INSIDE: Final = r"[^\]\\]*+(?:\\.[^\]\\]*+)*+"
_NAMED: Final = r"\s*+(;?)\s*+([A-Za-z]*+)\s*+\["
_PIECE: Final = re.compile(rf"{_NAMED}({_INSIDE})\]|\s*+([;()])", re.DOTALL)
_OPENED: Final = re.compile(_NAMED)
_TO_END: Final = re.compile(_INSIDE, re.DOTALL)
_BLANKS: Final = re.compile(r"\s*+")
_STRAY: Final = re.compile(r"[A-Za-z]++|[^;()\[A-Za-z\s]++|\[")
_ESCAPED: Final = re.compile(r"\\(\r\n|.)", re.DOTALL)
_LATIN: Final = frozenset("iso-8859-1 iso8859-1 latin-1 latin1 cp1252 windows-1252".split())


class Property(NamedTuple):
    """One value of a property, or what stands between properties."""

    name: str
    """Its letters; "(" and ")" for a tree, and "" for what is no part of any."""
    value: str = ""
    """As it is written; :meth:`Properties.text` reads it."""
    begins_node: bool = False
    fault: str = ""
    """What is wrong with it; "" for nothing."""


class Properties:
    r"""The properties of a stream, of bytes or of text, and where the last one stands.

    Parameters
    ----------
    stream : open file

    Attributes
    ----------
    depth : int
        Trees that are open. Who sees that one was never closed may set it.
    charset : str
        What the file says of its bytes.

    Notes
    -----
    Memory is bounded, and time is linear, whatever the stream holds: no tree is held whole.

    Examples
    --------
    >>> import io
    >>> for piece in Properties(io.StringIO("(;PW[a\\]b];W[31hefe]?)")):
    ...     print([*piece])
    ['(', '', False, '']
    ['PW', 'a\\]b', True, '']
    ['W', '31hefe', True, '']
    ['', '?', False, 'is no property']
    [')', '', False, '']
    """

    def __init__(self, stream: IO[Any]) -> None:
        self.depth: int = 0
        self.charset = ""
        self._stream = stream
        self._is_bytes = False
        self._text = ""
        self._at = 0  # where what was given last begins
        self._has_ended = False
        # The place of `_told` is known: others are counted on from there.
        self._told, self._line, self._column = 0, 1, 1

    def __iter__(self) -> Iterator[Property]:
        name, at, begins_node = "", 0, False
        match = _PIECE.match
        while True:
            text = self._text
            if not self.depth:
                start = text.find("(", at)
                end = len(text) if start < 0 else start
                if stray := text[at:end].strip().removeprefix("\ufeff" if not at else ""):
                    self._at = _end(_BLANKS, text, at)
                    yield Property("", stray, fault="is outside of any game")
                at = end
                if start < 0:
                    if not self._read_on(at):
                        return
                    at = 0
                    continue
                self.depth, self._at, at = 1, start, start + 1
                name, begins_node = "", False
                yield Property("(")
                continue
            if found := match(text, at):
                semicolon, letters, value, mark = found.groups()
                self._at, at = found.start(4 if mark else 2), found.end()
                if mark == ";":
                    begins_node, name = True, ""
                elif mark:
                    self.depth += 1 if mark == "(" else -1
                    name, begins_node = "", False
                    yield Property(mark)
                else:
                    begins_node = begins_node or semicolon == ";"
                    name = _capitals(letters) if letters else "" if semicolon else name
                    fault = "" if name else "a value of no property"
                    yield Property(name, value, begins_node, fault)
                    begins_node = False
                continue
            # A piece may go on in what is not read yet, unless it is too long for one.
            at = _end(_BLANKS, text, at)
            if len(text) - at < LONGEST_VALUE and not self._has_ended:
                is_more, at = self._read_on(at), 0
                if is_more:
                    continue
                text = self._text
            if at == len(text):
                return
            self._at = at
            if found := _OPENED.match(text, at):
                name = _capitals(found[2]) if found[2] else name
                what = "a value that does not end" if self._has_ended else "too long a value"
                yield Property("", text[at : at + 100], fault=what)
                at, begins_node = self._skip_value(found.end()), False
            else:
                at = _end(_STRAY, text, at)
                yield Property("", text[self._at : at], fault="is no property")

    def place(self) -> tuple[int, int]:
        """Return line and column, from 1, of what was given last."""
        self._tell(self._at)
        return self._line, self._column

    def text(self, value: str) -> tuple[str, str]:
        """Return a value as it is meant, and what is wrong with it, "" for nothing."""
        fault = ""
        if self._is_bytes and not value.isascii():
            octets = value.encode("latin-1")
            if self.charset.strip().lower() not in _LATIN:
                try:
                    value = octets.decode("utf-8")
                except UnicodeDecodeError:
                    # The format has Latin-1 where nothing is said.
                    fault = "is not UTF-8: read as Latin-1" if self.charset else ""
        if "\\" in value:
            value = _ESCAPED.sub(_meant, value)
        lines = [shown(line) for line in value.split("\n")]
        strange = next((what for _, what in lines if what), "")
        return "\n".join(line for line, _ in lines), fault or strange

    def _tell(self, at: int) -> None:
        """Count lines and columns on to a character of what is read."""
        passed = self._text[self._told : at]
        if lines := passed.count("\n"):
            self._line += lines
            self._column = 1
            passed = passed[passed.rfind("\n") + 1 :]
        if self._is_bytes and not passed.isascii():
            passed = self.text(passed.replace("\\", "/"))[0]
        self._column += len(passed)
        self._told = at

    def _read_on(self, at: int) -> bool:
        """Forget what is before a character, and read more; False where the stream ends."""
        piece = self._stream.read(_CHUNK)
        self._tell(at)
        if isinstance(piece, bytes):
            # Each byte a character, until a value is asked for: the marks are the same in UTF-8.
            self._is_bytes, piece = True, piece.decode("latin-1")
            if not self._text and not at:
                piece = piece.removeprefix("\xef\xbb\xbf")
        self._text = self._text[at:] + piece
        self._told = self._at = 0
        self._has_ended = not piece
        return bool(piece)

    def _skip_value(self, at: int) -> int:
        """Find where a value ends, holding none of it; return what follows."""
        while True:
            at = _end(_TO_END, self._text, at)
            if self._text.startswith("]", at):
                return at + 1
            if not self._read_on(at):
                return len(self._text)
            at = 0


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _meant(escaped: re.Match[str]) -> str:
    """Return the character behind a backslash; a line is broken there without a meaning."""
    return "" if escaped[1] in ("\n", "\r\n") else escaped[1]


def _capitals(letters: str) -> str:
    """Leave out small letters, which old versions of the format allow in names."""
    return letters if letters.isupper() else "".join(filter(str.isupper, letters)) or letters
