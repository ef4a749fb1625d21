"""Long and short nardy in plain Python: the law of docs/rules.md, rule by rule.

Written to be read beside docs/rules.md and to be obviously right, not fast: each function is one
rule and names its section. It imports nothing of the package and reads the options (§9) as
attributes of whatever object it is given as `rules`; for short nardy it reads `game` alone.

Vocabulary
    Side        26 counts of one side's checkers in its own distances: 0 off, 1..24 points, 25 bar.
    Board       the two sides, the one that moves first.
    half-move   (from, to): one checker by one die; 25 is the bar, 0 is off.
    play        the half-moves of one turn, in the order played.
    row         32 int8, the board as arrays hold it, always from the side to roll: column 0 own
                checkers off, 1..24 the points (own > 0, opposing < 0), 25 own checkers on the bar,
                26 and 27 the opponent's off and on the bar, 28..31 zero.

A turn is unrolled in layers: layer i maps each (board, dice left) that i legal half-moves can reach
to the half-moves that lead there. All orders of the dice are walked; equal states only once.
"""

from collections.abc import Sequence
from functools import cache
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Options = Any  # an object with the options of §9 as attributes
Row = Sequence[int] | npt.NDArray[np.int8]
Side = tuple[int, ...]
HalfMove = tuple[int, int]
Play = tuple[HalfMove, ...]

OFF, BAR, HEAD, HOME = 0, 25, 24, 6
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

# The other side's number of each point, by game (§1, §8); off and the bar keep their numbers.
OTHER: dict[str, tuple[int, ...]] = {
    "long": (0, *(p + 12 if p <= 12 else p - 12 for p in range(1, 25)), 25),
    "short": tuple(25 - p if 1 <= p <= 24 else p for p in range(26)),
}


class Board(NamedTuple):
    """Both sides, each in its own distances; `own` is the side to move."""

    own: Side
    opponent: Side


class State(NamedTuple):
    """A board inside a turn and the dice that are still to be played, smaller first."""

    board: Board
    dice: tuple[int, ...]


Layer = dict[State, list[tuple[State, HalfMove]]]


# --- rows


def check(row: Row, *, rules: Options) -> str | None:
    """Say why `row` is refused as a board, or None if it is valid (§1, §2, §8.1)."""
    if len(row) != 32:
        return f"a row has 32 columns, not {len(row)}"
    cells = [index(x) for x in row]
    if any(cells[28:]):
        return "columns 28..31 must be 0"
    if min(cells[0], cells[25], cells[26], cells[27]) < 0:
        return "counts off and on the bar must not be negative"
    if rules.game == "long" and (cells[25] or cells[27]):
        return "long nardy has no bar"
    own = cells[0] + cells[25] + sum(x for x in cells[1:25] if x > 0)
    opponent = cells[26] + cells[27] - sum(x for x in cells[1:25] if x < 0)
    for name, count in (("own side", own), ("opponent", opponent)):
        if count != checkers(rules):
            return f"the {name} has {count} checkers, not {checkers(rules)}"
    if cells[0] == cells[26] == checkers(rules):
        return "both sides have borne off all their checkers"
    return None


def checkers(rules: Options) -> int:
    """Checkers of each side (§2, §8.1)."""
    return int(rules.checkers) if rules.game == "long" else 15


def board_of(row: Row, rules: Options) -> Board:
    """Read a row; a ValueError says why it is no board."""
    fault = check(row, rules=rules)
    if fault is not None:
        raise ValueError(f"row: {fault}: {list(row)!r}")
    cells = [index(x) for x in row]
    other = OTHER[rules.game]
    own = (cells[0], *(max(x, 0) for x in cells[1:25]), cells[25])
    opponent = (cells[26], *(max(-cells[other[p]], 0) for p in range(1, 25)), cells[27])
    return Board(own, opponent)


def row_of(board: Board, rules: Options) -> tuple[int, ...]:
    """Write a board as the 32 numbers that its own side sees."""
    own, opponent = board
    other = OTHER[rules.game]
    points = (own[p] - opponent[other[p]] for p in range(1, 25))
    return (own[OFF], *points, own[BAR], opponent[OFF], opponent[BAR], 0, 0, 0, 0)


def flip(rows: npt.NDArray[np.int8], *, rules: Options) -> npt.NDArray[np.int8]:
    """Show each of `rows` (n, 32) as the other side sees it."""
    boards = (board_of(row, rules) for row in rows)
    flipped = [row_of(Board(opponent, own), rules) for own, opponent in boards]
    return np.array(flipped, np.int8).reshape(-1, 32)


# --- one half-move


def is_open(board: Board, point: int, rules: Options) -> bool:
    """§1: a point with an opposing checker is closed; §8.2: only one with two or more is."""
    standing = board.opponent[OTHER[rules.game][point]]
    return standing == 0 or (rules.game == "short" and standing == 1)


def all_home(own: Side) -> bool:
    """§6, §8.3: every checker still in play stands on 6..1."""
    return not any(own[HOME + 1 :])


def may_overshoot(own: Side, point: int, die: int, rules: Options) -> bool:
    """§6 `bearoff_overshoot`, §8.3: may a larger die than its distance bear a checker off."""
    overshoot = rules.bearoff_overshoot if rules.game == "long" else "farthest"
    if overshoot == "exact":
        return False
    farthest = max(p for p in range(1, BAR + 1) if own[p])
    return point == farthest or (overshoot == "any" and die > farthest)


def landing_fault(board: Board, source: int, die: int, rules: Options) -> str | None:
    """§1, §6, §8.2, §8.3: why a checker cannot move by `die`, block and head apart."""
    own, target = board.own, source - die
    if not own[source]:
        return "not_your_checker"
    if own[BAR] and source != BAR:
        return "bar_first"
    if target > 0:
        return None if is_open(board, target, rules) else "point_closed"
    if not all_home(own):
        return "not_all_home"
    return None if target == 0 or may_overshoot(own, source, die, rules) else "overshoot"


def moved(board: Board, source: int, die: int, rules: Options) -> Board:
    """Make a half-move; §8.2: landing on a single opposing checker sends it to the bar."""
    own, opponent, target = list(board.own), board.opponent, max(source - die, OFF)
    own[source] -= 1
    own[target] += 1
    there = OTHER[rules.game][target]
    if target != OFF and opponent[there]:
        hit = list(opponent)
        hit[there] -= 1
        hit[BAR] += 1
        opponent = tuple(hit)
    return Board(tuple(own), opponent)


def blocks(board: Board) -> list[int]:
    """§5: each run of six own points on the opponent's track, as its nearest distance from his end.

    The track is a straight line. Own 1 and own 24 are neighbours on it, own 13 and own 12 its ends.
    """
    other = OTHER["long"]
    runs, length = [], 0
    for distance in range(24, 0, -1):
        length = length + 1 if board.own[other[distance]] else 0
        if length >= 6:
            runs.append(distance)
    return runs


def forbidden(board: Board, rules: Options) -> bool:
    """§5 `block`: the own side has locked the opponent in as it must not."""
    if rules.game == "short" or rules.block == "free":
        return False
    runs = blocks(board)
    opponent = board.opponent
    if rules.block == "strict":
        return bool(runs)
    if rules.block == "never":
        return any(any(opponent[nearest + 6 : BAR]) for nearest in runs)
    if rules.block == "home":
        return bool(runs) and not any(opponent[OFF : HOME + 1])
    return any(not any(opponent[OFF:nearest]) for nearest in runs)  # ahead


def is_forbidden(row: Row, *, rules: Options) -> bool:
    """Tell whether the side to roll holds a forbidden block on this board (§5)."""
    return forbidden(board_of(row, rules), rules)


def block_fault(board: Board, rules: Options) -> str | None:
    """§5 `block_check`: with "step" the board after each half-move must not be forbidden."""
    by_step = rules.game == "long" and rules.block_check == "step"
    return "block" if by_step and forbidden(board, rules) else None


def mandatory_fault(board: Board, source: int, die: int, rules: Options) -> str | None:
    """§6 `bearoff_mandatory`: a die that can bear off must bear off."""
    if rules.game == "short" or not rules.bearoff_mandatory or source - die <= 0:
        return None
    can_bear_off = any(
        landing_fault(board, point, die, rules) is None
        and block_fault(moved(board, point, die, rules), rules) is None
        for point in range(1, min(die, HOME) + 1)
    )
    return "must_bear_off" if can_bear_off else None


def head_fault(start: Board, board: Board, source: int, cap: int, rules: Options) -> str | None:
    """§4: at most `cap` checkers leave the head in one turn; none ever comes back to it."""
    gone = start.own[HEAD] - board.own[HEAD]
    return "head_rule" if rules.game == "long" and source == HEAD and gone >= cap else None


def half_move_fault(
    start: Board, board: Board, source: int, die: int, cap: int, rules: Options
) -> str | None:
    """§9: why a half-move is illegal, test by test; `start` is the board before the turn."""
    return (
        landing_fault(board, source, die, rules)
        or block_fault(moved(board, source, die, rules), rules)
        or mandatory_fault(board, source, die, rules)
        or head_fault(start, board, source, cap, rules)
    )


def half_moves(
    row: Row, die: int, *, rules: Options, cap: int = 1, start: Row | None = None
) -> dict[int, str | None]:
    """Say for each point with own checkers why none can move by `die` now; None where one can.

    `start` is the board at the start of the turn (`row` if nothing was played yet), `cap` how many
    checkers may leave the head in it. Maximal play (§3.4) is not looked at here.
    """
    board = board_of(row, rules)
    first = board if start is None else board_of(start, rules)
    sources = [p for p in range(1, BAR + 1) if board.own[p]]
    return {p: half_move_fault(first, board, p, die, cap, rules) for p in sources}


# --- the turn


def dice_of(roll: Sequence[int], rules: Options) -> tuple[int, ...]:
    """§3.1: the half-moves that a roll gives, smaller die first."""
    low, high = sorted(index(die) for die in roll)
    if not 1 <= low <= high <= 6:
        raise ValueError(f"roll: two dice of 1..6 are wanted, not {tuple(roll)!r}")
    if low < high:
        return (low, high)
    return (low,) * (rules.doubles_moves if rules.game == "long" else 4)


def without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    """Take one die away."""
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def unroll(start: Board, dice: tuple[int, ...], cap: int, rules: Options) -> list[Layer]:
    """§3: all legal sequences of half-moves, with at most `cap` from the head, in layers."""
    layers: list[Layer] = [{State(start, dice): []}]
    while layers[-1]:
        layer: Layer = {}
        for state in layers[-1]:
            sources = [p for p in range(1, BAR + 1) if state.board.own[p]]
            for die in sorted(set(state.dice)):
                left = without(state.dice, die)
                for source in sources:
                    if half_move_fault(start, state.board, source, die, cap, rules) is None:
                        after = State(moved(state.board, source, die, rules), left)
                        step = (source, max(source - die, OFF))
                        layer.setdefault(after, []).append((state, step))
        layers.append(layer)
    return layers[:-1]


def longest_ends(layers: list[Layer], rules: Options) -> tuple[int, list[State]]:
    """§3.4: the most half-moves that can be made, and where those sequences end.

    §5 `block_check`: with "turn_end" sequences that end forbidden are dropped before the maximum.
    """
    at_end = rules.game == "long" and rules.block_check == "turn_end"
    for length in range(len(layers) - 1, 0, -1):
        ends = [s for s in layers[length] if not (at_end and forbidden(s.board, rules))]
        if ends:
            return length, ends
    return 0, list(layers[0])


def maximal_ends(layers: list[Layer], rules: Options) -> list[State]:
    """§3.4: the ends of the legal plays: as many half-moves as possible, then the larger die."""
    length, ends = longest_ends(layers, rules)
    (start,) = layers[0]
    low, high = start.dice[0], start.dice[-1]
    if length == 1 and low != high:
        return [state for state in ends if high not in state.dice] or ends
    return ends


def second_helps(board: Board, dice: tuple[int, ...], rules: Options) -> bool:
    """§4: N(2) > N(1), a second checker from the head makes the play longer."""
    one, _ = longest_ends(unroll(board, dice, 1, rules), rules)
    two, _ = longest_ends(unroll(board, dice, 2, rules), rules)
    return two > one


def head_cap(board: Board, dice: tuple[int, ...], rules: Options) -> int:
    """§4 `head`: how many checkers may leave the head in this turn."""
    if rules.game == "short" or rules.head == "free":
        return checkers(rules)
    double = dice[0] == dice[-1]
    if rules.head == "any_double":
        return 2 if double else 1
    first_turn = board.own[HEAD] == checkers(rules)
    second_player = first_turn and board.opponent[HEAD] != checkers(rules)
    if not (second_player if rules.head_side == "second" else first_turn):
        return 1
    named = double and dice[0] in rules.head_doubles
    match rules.head:
        case "blocked":
            two = second_helps(board, dice, rules)
        case "blocked_double":
            two = double and second_helps(board, dice, rules)
        case "named":
            two = named
        case "listed":
            hindered = second_player and {*dice} in ({5}, {2, 6})
            two = named or (hindered and second_helps(board, dice, rules))
        case "any_double_first":
            two = double
        case _:  # none
            two = False
    return 2 if two else 1


def is_over(board: Board, rules: Options) -> bool:
    """§7, §8.4: a side has borne off everything; there is no further turn."""
    return checkers(rules) in (board.own[OFF], board.opponent[OFF])


def turn(board: Board, roll: Sequence[int], rules: Options) -> tuple[list[Layer], list[State]]:
    """Unroll a turn (§3) and find the ends of its legal plays; a finished board has none."""
    dice = dice_of(roll, rules)
    if is_over(board, rules):
        return [], []
    layers = unroll(board, dice, head_cap(board, dice, rules), rules)
    return layers, maximal_ends(layers, rules)


def handed_over(board: Board, rules: Options) -> tuple[int, ...]:
    """Write a board as the row that the other side sees."""
    return row_of(Board(board.opponent, board.own), rules)


def plays(row: Row, roll: Sequence[int], *, rules: Options) -> dict[tuple[int, ...], list[Play]]:
    """List all legal plays by the after-state that they lead to (§3).

    Returns a dict from the 32 numbers of each after-state, as the other side sees it, to the plays
    that lead there, both sorted. A pass is the board handed over with the one play `()`.
    """
    layers, ends = turn(board_of(row, rules), roll, rules)

    dice = len(dice_of(roll, rules))

    @cache
    def ways(state: State) -> list[Play]:
        steps = layers[dice - len(state.dice)][state]  # none lead to the start of the turn
        return [(*way, step) for before, step in steps for way in ways(before)] or [()]

    found: dict[tuple[int, ...], set[Play]] = {}
    for state in ends:
        found.setdefault(handed_over(state.board, rules), set()).update(ways(state))
    return {after: sorted(found[after]) for after in sorted(found)}


def after_states(
    rows: npt.NDArray[np.int8], rolls: npt.NDArray[np.int8], *, rules: Options
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """List the distinct boards that each roll can lead to, as the other side sees them.

    Takes rows (n, 32) and rolls (n, 2). Returns rows (m, 32) int8 and offsets (n + 1,) int64:
    those of row i are ``rows[offsets[i]:offsets[i + 1]]``, sorted.
    """
    listed: list[tuple[int, ...]] = []
    offsets = [0]
    for row, roll in zip(rows, rolls, strict=True):
        _, ends = turn(board_of(row, rules), roll, rules)
        listed += sorted({handed_over(end.board, rules) for end in ends})
        offsets.append(len(listed))
    return np.array(listed, np.int8).reshape(-1, 32), np.array(offsets, np.int64)


def counts(
    rows: npt.NDArray[np.int8], rolls: npt.NDArray[np.int8], *, rules: Options
) -> npt.NDArray[np.int64]:
    """Count the distinct after-states of each row and roll."""
    return np.diff(after_states(rows, rolls, rules=rules)[1])


# --- the end, and numbers for tests


def points(loser: Side, rules: Options) -> int:
    """§7, §8.4: what a finished game is worth: oin 1, mars 2, koks 3."""
    if loser[OFF]:
        return 1
    far = any(loser[19:])  # the winner's home and the bar (short); the loser's first quarter (long)
    if rules.game == "short":
        return 3 if far else 2
    home = any(loser[1 : HOME + 1])
    koks = {"none": False, "first_quarter": far, "no_home": not home}[rules.koks]
    return 3 if koks else 2


def outcomes(rows: npt.NDArray[np.int8], *, rules: Options) -> npt.NDArray[np.int8]:
    """Score each row for its side to roll: 0 while the game runs, else +-1, 2, 3 (§7, §8.4)."""

    def outcome(own: Side, opponent: Side) -> int:
        if own[OFF] == checkers(rules):
            return points(opponent, rules)
        return -points(own, rules) if opponent[OFF] == checkers(rules) else 0

    return np.array([outcome(*board_of(row, rules)) for row in rows], np.int8)


def perft(row: Row, depth: int, *, rules: Options) -> int:
    """§12: count the paths of (roll, after-state) over the 21 rolls, unweighted."""
    if depth == 0:
        return 1
    board, total = board_of(row, rules), 0
    for roll in ROLLS:
        afters = {handed_over(end.board, rules) for end in turn(board, roll, rules)[1]}
        total += sum(perft(after, depth - 1, rules=rules) for after in afters)
    return total


def play_fault(row: Row, roll: Sequence[int], play: Play, *, rules: Options) -> str | None:
    """Say why a play is illegal, or None if it is legal.

    `must_pass` (§3.6): nothing can be played with this roll, yet the play names a half-move. Else
    the first half-move that is illegal where it is made gives the reason; then the play as a whole
    (§3.4): `block` (it ends forbidden), `incomplete` (a legal play goes on from there),
    `larger_die`, `both_dice` (others use more dice). §3.5: a play that wins is legal, though
    shorter or with the smaller die, if it ends on the board of one that is.
    """
    start, dice = board_of(row, rules), dice_of(roll, rules)
    layers, ends = turn(start, roll, rules)
    if not layers:
        return "game_over"
    if play and State(start, dice) in ends:
        return "must_pass"
    cap = head_cap(start, dice, rules)
    states = {State(start, dice)}  # several where either die bears the same checker off
    for source, target in play:
        if not any(max(source - die, OFF) == target for die in dice):
            return "not_rolled"
        faults = {
            (state, die): half_move_fault(start, state.board, source, die, cap, rules)
            for state in states
            for die in sorted({*state.dice})
            if max(source - die, OFF) == target
        }
        if None not in faults.values():
            return next(iter(faults.values()), "die_used")
        states = {
            State(moved(state.board, source, die, rules), without(state.dice, die))
            for (state, die), fault in faults.items()
            if fault is None
        }
    board = next(iter(states)).board
    if not states.isdisjoint(ends):
        return None
    if is_over(board, rules) and any(board == end.board for end in ends):
        return None
    if play and forbidden(board, rules):
        return "block"
    legal = [way for ways in plays(row, roll, rules=rules).values() for way in ways]
    if any(way[: len(play)] == play for way in legal):
        return "incomplete"
    return "larger_die" if len(play) == len(legal[0]) else "both_dice"
