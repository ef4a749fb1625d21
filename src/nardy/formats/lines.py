"""The lines of a text file of any size and any bytes, each no longer than it may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

__all__ = ["LONGEST", "TextLine", "lines_of", "shown"]

LONGEST: Final = 4096
"""Characters of a line that are read; a longer one is no line of a record of games."""

_NO_WRITING: Final = frozenset("\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029")


class TextLine(NamedTuple):
    """A line of a file, without its end."""

    number: int
    text: str
    fault: str = ""
    """What is wrong with the line as a whole; "" for nothing."""


def lines_of(stream: IO[Any], longest: int = LONGEST) -> Iterator[TextLine]:
    r"""Read a stream of bytes or of text line by line.

    Bytes are UTF-8, with a mark at the beginning or without; a line that is not is read as Latin-1
    and said to be so. Tabs become blanks, for columns have a meaning, and so does whatever cannot
    be shown.

    Examples
    --------
    >>> import io
    >>> for line in lines_of(io.BytesIO(b"\xef\xbb\xbfone\r\ntw\xf6\n")):
    ...     print(line)
    TextLine(number=1, text='one', fault='')
    TextLine(number=2, text='twö', fault='is not UTF-8: read as Latin-1')
    """
    for number, piece in enumerate(_pieces(stream, longest + 2), start=1):
        fault = ""
        if isinstance(piece, bytes):
            try:
                text = piece.decode("utf-8")
            except UnicodeDecodeError:
                # A character may be cut in two where a long line is: that is no other encoding.
                text, fault = piece.decode("latin-1"), "is not UTF-8: read as Latin-1"
        else:
            text = piece
        if number == 1:
            text = text.removeprefix("\ufeff")
        whole = text.rstrip("\r\n").expandtabs()
        if len(piece) > longest and not text.endswith(("\n", "\r")):
            fault = f"is longer than {longest:,} characters: the rest is left out"
            _skip_line(stream, longest)
        if not whole.isprintable():
            whole, strange = shown(whole)
            fault = fault or strange
        yield TextLine(number, whole, fault)


def _pieces(stream: IO[Any], longest: int) -> Iterator[Any]:
    """Yield lines, or the beginnings of too long ones, of which the rest is still in the stream.

    A line may end with a CR alone, as on old computers, which no stream of bytes looks for.
    """
    piece = stream.readline(longest)
    mark, end, ends = ("\r", "\n", "\r\n") if isinstance(piece, str) else (b"\r", b"\n", b"\r\n")
    while piece:
        body = piece.rstrip(ends)
        ending = piece[len(body) :]
        *whole, rest = body.split(mark)
        yield from (line + end for line in whole)
        if ending or not whole:
            yield rest + ending
            rest = piece[:0]
        piece = rest + stream.readline(longest - len(rest))


def shown(text: str) -> tuple[str, str]:
    r"""Return a text with blanks for what cannot be shown, and what is wrong with it, if anything.

    All blanks that Unicode knows are blanks; a control sign is a fault.

    Examples
    --------
    >>> shown("13/8\u00a06/5"), shown("13/8\x1a")
    (('13/8 6/5', ''), ('13/8 ', 'has signs that cannot be shown: read as blanks'))
    """
    if text.isprintable():
        return text, ""
    whole = "".join(sign if sign.isprintable() else " " for sign in text)
    is_blank = all(sign.isprintable() or sign.isspace() for sign in text)
    # Of the signs that Python calls blanks, these are no writing.
    is_strange = not is_blank or any(sign in _NO_WRITING for sign in text)
    return whole, "has signs that cannot be shown: read as blanks" if is_strange else ""


def _skip_line(stream: IO[Any], longest: int) -> None:
    while piece := stream.readline(longest):
        if piece[-1:] in ("\n", b"\n"):
            return
