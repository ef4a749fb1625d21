"""What each engine is asked, and how its answer is read.

An engine is made from pairs and prepares its own form of them untimed. Its ``modes`` are functions
that go through the pairs once and return through how many, and how many things they were given.
``after(place)`` lists the after-states of one pair as rows that the other side sees, doubled ones
doubled; none at all means that this engine cannot tell.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple, Protocol

from peers.boards import after_steps, from_bgsage, handed_over, row_of, sides_of, to_bgsage


class Pair(NamedTuple):
    """A board of a random game, a roll for it, and the roll with which the game went on."""

    row: bytes
    roll: tuple[int, int]
    onward: tuple[int, int]  # (0, 0) where the next pair belongs to another game

    @classmethod
    def read(cls, raw: bytes) -> Pair:
        """Read 36 bytes: row, roll, onward."""
        return cls(raw[:32], (raw[32], raw[33]), (raw[34], raw[35]))


Mode = Callable[[], tuple[int, int]]


class Engine(Protocol):
    """See the top of this file."""

    modes: dict[str, Mode]

    def after(self, place: int) -> list[bytes]: ...


def each_once(pairs: list[Pair], count: Callable[[], int]) -> Mode:
    """Make a mode of what goes through all pairs."""
    return lambda: (len(pairs), count())


class Nardy:
    """Ourselves, and the store loops that say what the machine can do at all."""

    def __init__(self, pairs: list[Pair]) -> None:
        import numpy as np

        import nardy

        rows = np.frombuffer(b"".join(pair.row for pair in pairs), np.int8).reshape(-1, 32).copy()
        rolls = np.array([pair.roll for pair in pairs], np.int8)
        singles = [(rows[i : i + 1], rolls[i : i + 1]) for i in range(len(rows))]
        self.after_states, self.offsets = nardy.after_states(rows, rolls, rules="short")
        count = len(self.after_states)
        out = np.empty((count + 4096, 32), np.int8)
        generate = nardy.after_states

        def fill() -> int:
            out[:count].fill(1)
            return count

        def copy() -> int:
            np.copyto(out[:count], self.after_states)
            return count

        def one_by_one() -> int:
            return sum(len(generate(row, roll, rules="short")[0]) for row, roll in singles)

        self.modes = {
            "fill": each_once(pairs, fill),
            "copy": each_once(pairs, copy),
            "batch": each_once(
                pairs, lambda: len(generate(rows, rolls, rules="short", out=out)[0])
            ),
            "fresh": each_once(pairs, lambda: len(generate(rows, rolls, rules="short")[0])),
            "single": each_once(pairs, one_by_one),
        }

    def after(self, place: int) -> list[bytes]:
        first, end = self.offsets[place : place + 2]
        return [row.tobytes() for row in self.after_states[first:end]]


class GnubgNn:
    """The generator of GNU Backgammon behind Python: keys, which a second call decodes."""

    def __init__(self, pairs: list[Pair]) -> None:
        import gnubg_nn

        self.moves: Callable[..., Any] = gnubg_nn.moves
        self.decode: Callable[..., Any] = gnubg_nn.board_from_position_key
        self.asked: list[tuple[Any, int, int]] = []
        for pair in pairs:
            own, other = sides_of(pair.row)
            self.asked.append(((other, own), *pair.roll))
        self.pairs = pairs
        self.modes = {"keys": each_once(pairs, self.keys), "boards": each_once(pairs, self.boards)}

    def keys(self) -> int:
        moves = self.moves
        return sum(len(moves(*asked)) for asked in self.asked)

    def boards(self) -> int:
        moves, decode = self.moves, self.decode
        return sum(len([decode(key) for key in moves(*asked)]) for asked in self.asked)

    def after(self, place: int) -> list[bytes]:
        decoded = [self.decode(key) for key in self.moves(*self.asked[place])]
        return [row_of(*board) for board in decoded] or [handed_over(self.pairs[place].row)]


class Bgsage:
    """Open Sage: lists of 26 cells."""

    def __init__(self, pairs: list[Pair]) -> None:
        import bgbot_cpp

        self.moves: Callable[..., Any] = bgbot_cpp.possible_moves
        self.asked = [(to_bgsage(pair.row), *pair.roll) for pair in pairs]
        self.modes = {"boards": each_once(pairs, self.boards)}

    def boards(self) -> int:
        moves = self.moves
        return sum(len(moves(*asked)) for asked in self.asked)

    def after(self, place: int) -> list[bytes]:
        found = []
        for cells in self.moves(*self.asked[place]):
            own, other = from_bgsage(cells)
            found.append(row_of(other, own))
        return found


class Gnubg:
    """GNU Backgammon itself: it lists plays, and values each with its network meanwhile."""

    def __init__(self, pairs: list[Pair]) -> None:
        import gnubg

        self.best: Callable[..., Any] = gnubg.findbestmoves
        self.context = gnubg.cubeinfo(), gnubg.evalcontext()
        self.pairs = pairs
        self.boards = []
        for pair in pairs:
            own, other = sides_of(pair.row)
            self.boards.append((tuple(other), tuple(own)))
        self.modes = {"valued": each_once(pairs, self.valued)}

    def plays(self, place: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.best(
            self.boards[place], *self.context, self.pairs[place].roll
        )
        return found

    def valued(self) -> int:
        return sum(len(self.plays(place)) for place in range(len(self.pairs)))

    def after(self, place: int) -> list[bytes]:
        row = self.pairs[place].row
        if sum(sides_of(row)[0][6:]) <= 3:
            return []  # its lists leave "off" out: (6, 5) is 6/5, and 6/off 5/off too
        moves = [play["move"] for play in self.plays(place)]
        steps = [list(zip(move[::2], move[1::2], strict=True)) for move in moves]
        return [after_steps(row, play) for play in steps] or [handed_over(row)]


class OpenSpiel:
    """OpenSpiel cannot be set on a board from Python: it plays the same games up to each pair.

    Its doubles are two turns of two half-moves, so its actions are whole plays of other rolls
    only; ``boards`` goes on to the end of the play.
    """

    STEP = 20  # of the pairs, for what takes milliseconds each

    def __init__(self, pairs: list[Pair]) -> None:
        import pyspiel

        has_long = "long_narde" in pyspiel.registered_names()
        self.note = f"It {'has' if has_long else 'has no'} `long_narde`."
        game = pyspiel.load_game("backgammon", {"max_player_turns": 5000})
        start = game.new_initial_state()
        opening = row_of(side(start, 0), side(start, 1))
        self.states: list[Any] = []  # None where it cannot get
        state = None
        for before, pair in pairwise([None, *pairs]):
            assert pair is not None
            if before is None or before.onward == (0, 0):
                state = start if pair.row == opening else None
            elif state is not None:
                found = ends(roll(state, before.onward))
                state = next((end for row, end in found if row == pair.row), None)
            self.states.append(state and roll(state, pair.roll))
        self.modes = {"actions": self.actions, "boards": self.boards}

    def actions(self) -> tuple[int, int]:
        states = [state for state in self.states if state is not None]
        return len(states), sum(len(state.legal_actions()) for state in states)

    def boards(self) -> tuple[int, int]:
        states = [state for state in self.states if state is not None][:: self.STEP]
        return len(states), sum(len(dict(ends(state))) for state in states)

    def after(self, place: int) -> list[bytes]:
        # Orders of one play are several actions: that they meet on one board is no fault.
        state = self.states[place]
        return [] if state is None else list(dict(ends(state)))


def roll(state: Any, dice: tuple[int, int]) -> Any:
    """Return a copy with the dice thrown: outcomes 0..29 are unlike dice, both ways round."""
    low, high = sorted(dice)
    if low == high:
        return state.child(29 + low)
    return state.child(2 * list(combinations(range(1, 7), 2)).index((low, high)))


def ends(state: Any) -> Iterator[tuple[bytes, Any]]:
    """Yield where the whole play may end: the board as the other side sees it, and the state."""
    mover = state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal() and child.current_player() == mover:
            yield from ends(child)  # the second half of a double
        else:
            yield row_of(side(child, 1 - mover), side(child, mover)), child


def side(state: Any, player: int) -> list[int]:
    """Read one side; player 0 runs from 0 to 23, player 1 back."""
    points = range(24) if player else range(23, -1, -1)
    return [state.board(player, point) for point in points] + [state.board(player, 100)]


ENGINES: dict[str, Callable[[list[Pair]], Engine]] = {
    "nardy": Nardy,
    "gnubg-nn": GnubgNn,
    "bgsage": Bgsage,
    "open_spiel": OpenSpiel,
    "gnubg": Gnubg,
}


def version(package: str) -> str:
    """Return what is installed."""
    return importlib.metadata.version(package)
