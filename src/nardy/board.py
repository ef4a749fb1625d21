"""The row of a board: its columns, its two numberings, and every defect it can have.

A board is a row of 32 int8, always from the side that moves, both games alike::

    column   0        1 .. 24                25        26         27         28 .. 31
    holds    own off  own > 0, opponent < 0  own bar   opp. off   opp. bar   0

Column ``p`` of 1..24 is the point that lies ``p`` pips from bearing off for the side that moves, so
home is 6..1 and the head of long nardy is 24. The opponent counts the same points his own way:
:func:`opponent_point`. Long nardy leaves the bar columns 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntFlag
from typing import Final, NamedTuple

from nardy.errors import InvalidPosition
from nardy.options import Rules

__all__ = [
    "BAR",
    "COLUMNS",
    "HEAD",
    "OFF",
    "OPPONENT_BAR",
    "OPPONENT_OFF",
    "Side",
    "Status",
    "opponent_point",
    "refuse",
    "row_of",
    "sides_of",
    "status_of_row",
    "status_of_sides",
]

COLUMNS: Final = 32
OFF: Final = 0
BAR: Final = 25
HEAD: Final = 24
OPPONENT_OFF: Final = 26
OPPONENT_BAR: Final = 27
_RESERVED: Final = slice(28, 32)


class Side(NamedTuple):
    """The checkers of one side, in its own numbering."""

    points: Mapping[int, int]
    """Checkers on each held point, 24 first."""
    bar: int
    off: int

    @property
    def checkers(self) -> int:
        """All checkers, on the board or not."""
        return sum(self.points.values()) + self.bar + self.off

    @property
    def pips(self) -> int:
        """Pips left to bear off: 25 for a checker on the bar."""
        return sum(point * men for point, men in self.points.items()) + BAR * self.bar


def opponent_point(game: str, point: int) -> int:
    """Return the opponent's number of an own point, and the other way round (rules §1, §8).

    Examples
    --------
    >>> opponent_point("long", 24), opponent_point("long", 12), opponent_point("short", 24)
    (12, 24, 1)
    """
    if game == "short":
        return 25 - point
    return point + 12 if point <= 12 else point - 12


def sides_of(row: Sequence[int], game: str) -> tuple[Side, Side]:
    """Read a row of 32 ints as the side to move and its opponent."""
    points = range(24, 0, -1)
    facing = {point: -row[opponent_point(game, point)] for point in points}
    own = Side({p: row[p] for p in points if row[p] > 0}, row[BAR], row[OFF])
    opponent = Side(
        {p: men for p, men in facing.items() if men > 0}, row[OPPONENT_BAR], row[OPPONENT_OFF]
    )
    return own, opponent


def row_of(own: Side, opponent: Side, game: str) -> list[int]:
    """Write the side to move and its opponent, who share no point, as 32 ints."""
    row = [0] * COLUMNS
    row[OFF], row[BAR] = own.off, own.bar
    row[OPPONENT_OFF], row[OPPONENT_BAR] = opponent.off, opponent.bar
    for point, men in own.points.items():
        row[point] = men
    for point, men in opponent.points.items():
        row[opponent_point(game, point)] = -men
    return row


class Status(IntFlag):
    """Every defect of a position; ``Status.VALID``, which is 0, if there is none.

    Examples
    --------
    >>> board = nardy.Position.from_row_unchecked([1] + [0] * 31, rules="long")
    >>> nardy.Status.OWN_CHECKERS in board.status(), nardy.Status.BOTH_OFF in board.status()
    (True, False)
    """

    VALID = 0
    OWN_CHECKERS = 1
    """The checkers of the side to move do not add up to ``rules.checkers``."""
    OPPONENT_CHECKERS = 2
    """The opponent's checkers do not add up to ``rules.checkers``."""
    SHARED_POINT = 4
    """Both sides stand on one point. No row can hold that: it is met on the way to one."""
    NEGATIVE_COUNT = 8
    """Fewer than 0 checkers off or on the bar."""
    BAR_IN_LONG = 16
    """Checkers on the bar, which long nardy does not have."""
    BOTH_OFF = 32
    """Both sides have borne off all their checkers."""
    RESERVED_COLUMNS = 64
    """Columns 28..31 are not 0."""
    OWN_BLOCK = 128
    """The side to move holds a block of six that ``rules.block`` forbids."""
    OPPONENT_BLOCK = 256
    """The opponent holds a block of six that ``rules.block`` forbids."""


_MEANING: Final = {
    Status.OWN_CHECKERS: "own checkers do not add up to {checkers}",
    Status.OPPONENT_CHECKERS: "the opponent's checkers do not add up to {checkers}",
    Status.SHARED_POINT: "both sides stand on one point",
    Status.NEGATIVE_COUNT: "fewer than 0 checkers off or on the bar",
    Status.BAR_IN_LONG: "checkers on the bar in long nardy",
    Status.BOTH_OFF: "both sides have borne off all checkers",
    Status.RESERVED_COLUMNS: "columns 28..31 are not 0",
    Status.OWN_BLOCK: "the side to move holds a forbidden block of six (block={block!r})",
    Status.OPPONENT_BLOCK: "the opponent holds a forbidden block of six (block={block!r})",
}


def refuse(status: Status, rules: Rules, board: str) -> InvalidPosition:
    """Return the error that names every defect of a board; ``board`` is what came."""
    defects = "; ".join(
        meaning.format(checkers=rules.checkers, block=rules.block)
        for flag, meaning in _MEANING.items()
        if flag in status
    )
    return InvalidPosition(f"{defects}: {board}")


def status_of_sides(own: Side, opponent: Side, rules: Rules) -> Status:
    """Collect the defects of two sides, the one to move first."""
    long = rules.game == "long"
    defects = {
        Status.OWN_CHECKERS: own.checkers != rules.checkers,
        Status.OPPONENT_CHECKERS: opponent.checkers != rules.checkers,
        Status.SHARED_POINT: any(
            opponent_point(rules.game, point) in opponent.points for point in own.points
        ),
        Status.NEGATIVE_COUNT: min(own.bar, own.off, opponent.bar, opponent.off) < 0,
        Status.BAR_IN_LONG: long and bool(own.bar or opponent.bar),
        Status.BOTH_OFF: own.off == opponent.off == rules.checkers,
        Status.OWN_BLOCK: long and _forbidden_block(own, opponent, rules.block),
        Status.OPPONENT_BLOCK: long and _forbidden_block(opponent, own, rules.block),
    }
    status = Status.VALID
    for defect, found in defects.items():
        if found:
            status |= defect
    return status


def status_of_row(row: Sequence[int], rules: Rules) -> Status:
    """Collect the defects of a row of 32 ints.

    Examples
    --------
    >>> from nardy.options import LONG
    >>> status_of_row([0] * 24 + [14] + [0] * 7, LONG)
    <Status.OWN_CHECKERS|OPPONENT_CHECKERS: 3>
    """
    reserved = Status.RESERVED_COLUMNS if any(row[_RESERVED]) else Status.VALID
    return status_of_sides(*sides_of(row, rules.game), rules) | reserved


def _forbidden_block(holder: Side, other: Side, block: str) -> bool:
    """Tell whether the holder's blocks of six are forbidden (rules §5).

    Blocks lie on the other side's way, so they are looked for in the other side's numbering: nobody
    goes from its 1 to its 24, hence no block reaches over that edge. "Past" is nearer to 0.
    """
    held = {opponent_point("long", point) for point in holder.points}
    # The nearest point of each block of six consecutive points.
    blocks = [near for near in range(1, 20) if held.issuperset(range(near, near + 6))]
    if not blocks or block == "free":
        return False
    if block == "strict":
        return True
    if block == "never":
        return max(other.points, default=0) > min(blocks)
    if other.off > 0 or not other.points:
        return False
    return min(other.points) > (6 if block == "home" else min(blocks))
