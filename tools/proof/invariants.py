"""What must hold of every board of a game, on whole arrays at once and apart from the kernel."""

import numpy as np
import numpy.typing as npt

from nardy.board import opponent_point
from nardy.options import Rules
from proof.walks import Rows

Flags = npt.NDArray[np.bool_]


def valid(rows: Rows, rules: Rules) -> Flags:
    """Whether each row counts `checkers` men a side and is a board that the package accepts."""
    wide = rows.astype(np.int16)  # 24 columns of any int8 add up without overflow
    points = wide[:, 1:25]
    both, ahead = np.abs(points).sum(axis=1), points.sum(axis=1)
    own = wide[:, 0] + wide[:, 25] + (both + ahead) // 2
    other = wide[:, 26] + wide[:, 27] + (both - ahead) // 2
    good: Flags = (own == rules.checkers) & (other == rules.checkers)
    good &= (wide[:, [0, 25, 26, 27]].min(axis=1) >= 0) & ~wide[:, 28:].any(axis=1)
    good &= (wide[:, 0] < rules.checkers) | (wide[:, 26] < rules.checkers)
    if rules.game == "long":
        good &= (wide[:, 25] == 0) & (wide[:, 27] == 0)
    return good


def flipped(rows: Rows, rules: Rules) -> Rows:
    """Hand boards over: the same as the other side sees them (rules 1 and 8)."""
    seen = np.zeros_like(rows)
    for point in range(1, 25):
        seen[:, opponent_point(rules.game, point)] = -rows[:, point]
    seen[:, [0, 25, 26, 27]] = rows[:, [26, 27, 0, 25]]
    return seen


def forbidden(rows: Rows, rules: Rules) -> Flags:
    """Whether the side *not* on roll stands in a block that rule 5 forbids."""
    flags = np.zeros(len(rows), np.bool_)
    if rules.game == "long" and rules.block != "free":
        some = np.flatnonzero(_holds_six(rows))
        flags[some] = _forbidden_block(rows[some], rules.block)
    return flags


def _holds_six(rows: Rows) -> Flags:
    """Whether the side not on roll holds six points in a row on the other's way."""
    octets = np.packbits(rows[:, 1:25] < 0, axis=1).astype(np.uint32)
    held = octets[:, 0] << 16 | octets[:, 1] << 8 | octets[:, 2]
    pairs = held & held >> 1
    flags: Flags = (pairs & pairs >> 2 & pairs >> 4) != 0
    return flags


def _forbidden_block(rows: Rows, block: str) -> Flags:
    """Apply the test of rule 5 to boards that hold some six points in a row."""
    flags: Flags = np.ones(len(rows), np.bool_)
    if block == "strict":
        return flags
    path = rows[:, 24:0:-1]  # path point q of the side on roll in column q - 1
    inside = path > 0
    if block == "home":
        flags = ~inside[:, 18:].any(axis=1) & (rows[:, 0] == 0)
        return flags
    held = np.lib.stride_tricks.sliding_window_view(path < 0, 6, axis=1).all(axis=2)
    numbers, first_of_window = np.arange(1, 25), np.arange(1, 20)
    if block == "never":
        rearmost = np.where(inside, numbers, 25).min(axis=1)
        flags = (held & (rearmost[:, None] < first_of_window)).any(axis=1)
        return flags
    foremost = np.where(inside, numbers, 0).max(axis=1)
    nobody_past = held & (foremost[:, None] <= first_of_window + 5)
    flags = nobody_past.any(axis=1) & (rows[:, 0] == 0)
    return flags


def outcomes(rows: Rows, rules: Rules) -> npt.NDArray[np.int8]:
    """Points of the side to roll, 0 while the game is running (rules 7 and 8.4)."""
    won = _points_of_winner(rows, rules)
    lost = _points_of_winner(flipped(rows, rules), rules)
    return (won - lost).astype(np.int8)


def _points_of_winner(rows: Rows, rules: Rules) -> npt.NDArray[np.int64]:
    """Score what the side on roll has won: 0 unless all its men are off."""
    loser = flipped(rows, rules)
    points = np.where(loser[:, 0] == 0, 2, 1)
    worst: Flags = np.zeros(len(rows), np.bool_)
    if rules.game == "short":
        worst = loser[:, 19:26].max(axis=1) > 0  # the winner's home and the bar
    elif rules.koks == "first_quarter":
        worst = loser[:, 19:25].max(axis=1) > 0
    elif rules.koks == "no_home":
        worst = loser[:, 1:7].max(axis=1) <= 0
    points = points + ((points == 2) & worst)
    return np.where(rows[:, 0] == rules.checkers, points, 0)
