"""The lines of a text file of any size and any bytes, each no longer than it may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

__all__ = ["LONGEST", "TextLine", "lines_of"]

LONGEST: Final = 4096
"""Characters of a line that are read; a longer one is no line of a record of games."""


class TextLine(NamedTuple):
    """A line of a file, without its end."""

    number: int
    text: str
    fault: str = ""
    """What is wrong with the line as a whole; "" for nothing."""


def lines_of(stream: IO[Any], longest: int = LONGEST) -> Iterator[TextLine]:
    r"""Read a stream of bytes or of text line by line.

    Bytes are UTF-8, with a mark at the beginning or without; a line that is not is read as Latin-1
    and said to be so. Tabs become blanks, for columns have a meaning.

    Examples
    --------
    >>> import io
    >>> for line in lines_of(io.BytesIO(b"\xef\xbb\xbfone\r\ntw\xf6\n")):
    ...     print(line)
    TextLine(number=1, text='one', fault='')
    TextLine(number=2, text='twö', fault='is not UTF-8: read as Latin-1')
    """
    number = 0
    while piece := stream.readline(longest + 2):
        number += 1
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
        whole = text.rstrip("\r\n")
        if len(piece) > longest and not text.endswith("\n"):
            fault = f"is longer than {longest:,} characters: the rest is left out"
            _skip_line(stream, longest)
        yield TextLine(number, whole.expandtabs(), fault)


def _skip_line(stream: IO[Any], longest: int) -> None:
    while piece := stream.readline(longest):
        if piece[-1:] in ("\n", b"\n"):
            return
