"""Turn: one turn played checker by checker under the law of the whole turn: what a server needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.board import BAR, OFF
from nardy.dice import as_roll
from nardy.errors import IllegalPlay, as_int
from nardy.nardy_core import flip, judge, look, only_end
from nardy.plays import Play, Plays, Roll
from nardy.position import Position
from nardy.referee import refusal
from nardy.wording import point_text, words_of

__all__ = ["HALF_MOVES", "Turn"]

HALF_MOVES: Final[NDArray[np.int8]] = np.array(
    [(origin, die) for die in range(1, 7) for origin in range(1, BAR + 1)], dtype=np.int8
)
"""int8 (150, 2), read-only: origin (25: the bar) and die of each number of :func:`half_moves`."""
HALF_MOVES.flags.writeable = False

# Half-moves (origin, die) from the start of the turn.
_Line = tuple[tuple[int, int], ...]


class _State(NamedTuple):
    """The turn at one moment."""

    lines: tuple[_Line, ...]
    """The half-moves so far, once for each choice of dice that can have made them. There are two
    where either die bears the same checker off, else one."""
    targets: dict[int, dict[int, list[_Line]]]
    """By origin and target: the lines one half-move longer."""
    complete: bool
    row: bytes


class Turn:
    """A turn that is being played: the dice come from outside, half-moves can be taken back.

    Whatever is offered can be completed: a half-move that leads only to plays shorter than the
    rules demand is not offered, and refused with the reason.

    Parameters
    ----------
    position : Position
        The board at the start; its side moves.
    roll : two ints 1..6 in either order, or a text such as "65"

    Attributes
    ----------
    position : Position
    roll : tuple of two ints
        The larger die first.

    Examples
    --------
    >>> turn = nardy.Turn(nardy.Position.start("short"), roll=(3, 1))
    >>> turn.sources()
    [24, 13, 8, 6]
    >>> turn.targets(8), turn.targets(8, combined=True)
    ([7, 5], [7, 5, 4])
    >>> turn.move(8, 5)
    >>> turn.undo()
    (8, 5)
    >>> turn.move(8, 5)
    >>> turn.move(6, 5)
    >>> turn.is_complete, str(turn)
    (True, '8/5 6/5')
    >>> turn.commit().gnubg_id
    'sGfwATDgc/ABMA'
    """

    __slots__ = ("_states", "position", "roll")

    position: Position
    roll: tuple[int, int]

    def __init__(self, position: Position, roll: Roll) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"position must be a Position, not {position!r}")
        self.position = position
        self.roll = as_roll(roll)
        self._states = [self._state(((),))]

    # --- what is so

    @property
    def row(self) -> NDArray[np.int8]:
        """The board now, as the mover sees it: int8 (32,), read-only."""
        return np.frombuffer(self._now.row, dtype=np.int8)

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Half-moves (from, to) so far: 25 is the bar, 0 off."""
        return _steps(self._now.lines[0])

    @property
    def is_complete(self) -> bool:
        """Whether the turn can be committed: a legal play is made, or there is none."""
        return self._now.complete

    def __str__(self) -> str:
        return words_of(self.position.row.tolist(), self.steps) if self.steps else ""

    def __repr__(self) -> str:
        large, small = self.roll
        return f"<Turn {large}-{small}: {str(self) or 'nothing moved'}>"

    # --- what can be done

    def sources(self) -> list[int]:
        """Return the points from which a half-move can start now, the farthest first; 25: the bar.

        None if the turn is complete.
        """
        return sorted(self._now.targets, reverse=True)

    def targets(self, point: int, *, combined: bool = False) -> list[int]:
        """Return where a checker of a point can go now, the nearest first; 0: off.

        Parameters
        ----------
        point : int
            1..24, or 25 for the bar, in the mover's distances.
        combined : bool
            Whether to add the points that the checker reaches by several half-moves. Where it can
            go by ways that hit differently, :meth:`move` wants them one by one.
        """
        at = as_int("point", point, "an int 1..25")
        found = self._reached(self._now, at) if combined else self._now.targets.get(at, ())
        return sorted(found, reverse=True)

    def forced(self) -> tuple[tuple[int, int], ...]:
        """Return the half-moves (from, to) that end the turn on the only board still possible.

        () if there is a choice, or nothing left to move.

        Examples
        --------
        >>> nardy.Turn(nardy.Position.start("long"), roll=(6, 5)).forced()
        ((24, 18), (18, 13))
        """
        position, now = self.position, self._now
        ends: dict[bytes, _Line] = {}
        for line in now.lines:
            found = only_end(position.cells, self.roll, position.rules, line)
            if found is None:
                return ()
            whole, row = found
            ends[row] = whole
        if len(ends) != 1:
            return ()
        return _steps(*ends.values())[len(now.lines[0]) :]

    def move(self, origin: int, target: int) -> None:
        """Move a checker, by one half-move or by several of it.

        Parameters
        ----------
        origin, target : int
            Points in the mover's distances; 25 is the bar, 0 off.

        Raises
        ------
        IllegalPlay
            No legal play goes on so: with the reason, one of ``nardy.REASONS``, and a sentence.
            Nothing is changed then.

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("long"), roll=(6, 5))
        >>> turn.move(24, 13)
        >>> turn.steps
        ((24, 18), (18, 13))
        >>> turn.move(24, 18)
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalPlay: 24/18: no die is left for 24/18
        """
        start = as_int("origin", origin, "an int 1..25")
        end = as_int("target", target, "an int 0..24")
        longer = self._now.targets.get(start, {}).get(end)
        if longer:
            self._states.append(self._state(longer))
            return
        position = self.position
        text = f"{point_text(start)}/{point_text(end)}"
        if not (1 <= start <= BAR and 0 <= end < BAR and start != end):
            raise IllegalPlay(f"{text} is no half-move", reason="not_rolled")
        hops = ((start, end, False),)
        for line in self._now.lines:  # there is one at least
            refused, made, _ = judge(position.cells, self.roll, position.rules, line, hops, True)
            if refused is None:
                # A state for each half-move, so that they can be taken back one by one.
                new = range(len(line) + 1, len(made) + 1)
                self._states += [self._state((made[:k],)) for k in new]
                return
        assert refused is not None
        raise refusal(position.row.tolist(), self.roll, position.rules, text, refused)

    def undo(self) -> tuple[int, int]:
        """Take the last half-move back and return it as (from, to).

        Raises
        ------
        ValueError
            Nothing has been moved.
        """
        if len(self._states) == 1:
            raise ValueError("undo: nothing has been moved in this turn")
        last = self.steps[-1]
        self._states.pop()
        return last

    def commit(self) -> Position:
        """Return the position after the turn, the other side to move.

        Raises
        ------
        IllegalPlay
            The turn is not complete: reason "incomplete" (or "game_over"), with what is missing.
        """
        if not self.is_complete:
            return self.play.after  # which it refuses, with the reason
        (row,) = flip(self.row[np.newaxis], rules=self.position.rules)
        return self.position.successor(row.tobytes())

    @property
    def play(self) -> Play:
        """The play that was made, one of ``position.plays(roll)``; an error as :meth:`commit`."""
        return Plays(self.position, self.roll).find(str(self) or "pass")

    # --- inside

    @property
    def _now(self) -> _State:
        return self._states[-1]

    def _state(self, lines: Sequence[_Line]) -> _State:
        """Look where lines that lead to the same board can go on."""
        position = self.position
        if len(lines) > 1:
            # Lines that have used the same dice are one.
            lines = (*{tuple(sorted(die for _, die in line)): line for line in lines}.values(),)
        targets: dict[int, dict[int, list[_Line]]] = {}
        for line in lines:
            moves, complete, row = look(position.cells, self.roll, position.rules, line)
            for origin, die in moves:
                to = targets.setdefault(origin, {}).setdefault(max(origin - die, OFF), [])
                to.append((*line, (origin, die)))
        return _State(tuple(lines), targets, complete, row)

    def _reached(self, state: _State, point: int) -> set[int]:
        """Where one checker of a point can get to."""
        found: set[int] = set()
        for target, lines in state.targets.get(point, {}).items():
            found.add(target)
            if target != OFF:
                found |= self._reached(self._state(lines), target)
        return found


def _steps(line: _Line) -> tuple[tuple[int, int], ...]:
    return tuple((origin, max(origin - die, OFF)) for origin, die in line)
