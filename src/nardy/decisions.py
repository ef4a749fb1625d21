"""Tables of decisions of short nardy: id before, roll, id after; which of them are legal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.dice import as_roll
from nardy.errors import InvalidNotation
from nardy.formats.gnubg import decode_id, decode_ids
from nardy.nardy_core import after_states
from nardy.options import Rules

__all__ = ["Decisions", "read_decisions"]


@dataclass(frozen=True)
class Decisions:
    """A table as it was read: n decisions, and the lines that are none."""

    numbers: list[int]
    """Line of each decision, the first line of the file being 1."""
    texts: list[str]
    before: NDArray[np.int8]
    """(n, 32), as the player who decided sees it."""
    rolls: NDArray[np.int8]
    """(n, 2)"""
    after: NDArray[np.int8]
    """(n, 32), as the other player sees it."""
    unreadable: list[tuple[int, str]]
    """Line and reason."""

    def legal(self, rules: Rules, *, threads: int = 1) -> NDArray[np.bool_]:
        """Tell of each decision whether its board is among the after-states of its roll."""
        rows, offsets = after_states(self.before, self.rolls, rules=rules, threads=threads)
        decision = np.repeat(np.arange(len(self.numbers)), np.diff(offsets))
        same = (rows == self.after[decision]).all(axis=1)
        found = np.zeros(len(self.numbers), dtype=np.bool_)
        found[decision[same]] = True
        return found


class _Line(NamedTuple):
    number: int
    text: str
    before: str
    roll: tuple[int, int]
    after: str


def read_decisions(lines: Iterable[str]) -> Decisions:
    """Read a table: id before, roll, id after on each line; # starts a comment line."""
    good: list[_Line] = []
    unreadable: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            before, roll, after = _fields(text)
            good.append(_Line(number, text, before, as_roll(roll), after))
        except ValueError as error:
            unreadable.append((number, str(error)))
    try:
        boards = _boards(good)
    except ValueError:  # a bad id at least: find all of them, and go on with the others
        good, bad = _sifted(good)
        boards = _boards(good)
        unreadable = sorted(unreadable + bad)
    return Decisions(
        numbers=[line.number for line in good],
        texts=[line.text for line in good],
        before=boards[0],
        rolls=np.array([line.roll for line in good], dtype=np.int8).reshape(-1, 2),
        after=boards[1],
        unreadable=unreadable,
    )


def _fields(text: str) -> list[str]:
    fields = text.split()
    if len(fields) != 3:
        raise InvalidNotation(f"must hold id, roll, id; holds {len(fields)} fields: {text!r}")
    return fields


def _boards(lines: list[_Line]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    return decode_ids([line.before for line in lines]), decode_ids([line.after for line in lines])


def _sifted(lines: list[_Line]) -> tuple[list[_Line], list[tuple[int, str]]]:
    """Part the lines whose ids can be read from those that give a reason why not."""
    good: list[_Line] = []
    bad: list[tuple[int, str]] = []
    for line in lines:
        try:
            decode_id(line.before)
            decode_id(line.after)
            good.append(line)
        except ValueError as error:
            bad.append((line.number, str(error)))
    return good, bad
