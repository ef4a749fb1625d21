"""Turn: one turn played checker by checker under the law of the whole turn: what a server needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nardy.board import BAR, OFF
from nardy.dice import as_roll
from nardy.errors import IllegalPlay, InvalidNotation, as_int_from
from nardy.nardy_core import judge, look, only_end
from nardy.plays import Play, Plays, Roll
from nardy.position import Position
from nardy.referee import Refused, refusal
from nardy.wording import Hop, Line, checked_numbering, point_text, steps_of, words_of

__all__ = ["HALF_MOVES", "Turn"]

HALF_MOVES: Final[NDArray[np.int8]] = np.array(
    [(origin, die) for die in range(1, 7) for origin in range(1, BAR + 1)], dtype=np.int8
)
"""int8 (150, 2), read-only: origin (25: the bar) and die of each number of :func:`half_moves`."""
HALF_MOVES.flags.writeable = False


class _State(NamedTuple):
    """The turn at one moment."""

    lines: tuple[Line, ...]
    """The half-moves so far, once for each choice of dice that can have made them. There are two
    where either die bears the same checker off, else one."""
    targets: dict[int, dict[int, list[Line]]]
    """By origin and target: the lines one half-move longer."""
    complete: bool
    row: bytes
    longest: int
    """Half-moves of a legal play."""


class Turn:
    """A turn that is being played: the dice come from outside, half-moves can be taken back.

    Whatever is offered can be completed: a half-move that leads only to plays shorter than the
    rules demand is not offered, and refused with the reason.

    Parameters
    ----------
    position : Position
        The board at the start; its side moves.
    roll : two ints 1..6 in either order, or a text such as "65"
    numbering : "distance" or "path"
        Of the points in sentences and in :meth:`text`. Points as ints are distances always.

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

    __slots__ = ("_numbering", "_position", "_roll", "_states")

    def __init__(self, position: Position, roll: Roll, *, numbering: str = "distance") -> None:
        if not isinstance(position, Position):
            raise TypeError(f"position must be a Position, not {position!r}")
        self._position = position
        self._roll = as_roll(roll)
        self._numbering = checked_numbering(numbering, position.rules.game)
        self._states = [self._state(((),))]

    def __copy__(self) -> Turn:
        """Copy the turn: what is moved in one stays where it was in the other."""
        twin = object.__new__(Turn)
        twin._position, twin._roll, twin._numbering = self._position, self._roll, self._numbering
        twin._states = self._states.copy()
        return twin

    # --- what is so

    @property
    def position(self) -> Position:
        """The position at the start of the turn."""
        return self._position

    @property
    def roll(self) -> tuple[int, int]:
        """The dice, the larger first."""
        return self._roll

    @property
    def numbering(self) -> str:
        """How points are numbered in texts: ``"distance"`` or ``"path"``."""
        return self._numbering

    @property
    def row(self) -> NDArray[np.int8]:
        """The board now, as the mover sees it: int8 (32,), read-only.

        ``nardy.flip(turn.row[None], rules=...)`` shows it to the other side. In the middle of a
        turn it may hold a block that the turn must not end on (``block_check="turn_end"``), so it
        is a row and no Position.
        """
        return np.frombuffer(self._now.row, dtype=np.int8)

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Half-moves (from, to) so far: 25 is the bar, 0 off."""
        return steps_of(self._now.lines[0])

    @property
    def dice_left(self) -> tuple[int, ...]:
        """The dice that a legal play still uses, the larger first; () once the turn is complete.

        Both are there while it is open which of them has borne a checker off.
        """
        large, small = self.roll
        if large == small:
            left = self._now.longest - len(self.steps)
            return (large,) * left if self._now.targets else ()
        ways = [way for to in self._now.targets.values() for line in to.values() for way in line]
        return tuple(sorted({way[-1][1] for way in ways}, reverse=True))

    @property
    def is_complete(self) -> bool:
        """Whether the turn can be committed: a legal play is made, or there is none.

        With nothing moved (no :attr:`steps`) it is a pass.
        """
        return self._now.complete

    def text(self) -> str:
        """Write the half-moves so far, canonically; "" for none yet, "pass" if none can be made.

        The words of a turn that is complete are those of a play.

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("long"), roll=(6, 5), numbering="path")
        >>> turn.move(24, 19)
        >>> turn.text()
        '1/6'
        """
        if not self.steps and not self.is_complete:
            return ""
        return words_of(self.position.row.tolist(), self.steps, self._numbering)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        large, small = self.roll
        return f"<Turn {large}-{small}: {str(self) or 'nothing moved'}>"

    # --- what can be done

    def sources(self) -> list[int]:
        """Return the points from which a half-move can start now, the farthest first; 25: the bar.

        An empty list if the turn is complete.

        Examples
        --------
        >>> nardy.Turn(nardy.Position.start("short"), roll=(6, 5)).sources()
        [24, 13, 8]
        """
        return sorted(self._now.targets, reverse=True)

    def targets(self, point: int, *, combined: bool = False) -> list[int]:
        """Return where a checker of a point can go now, the nearest first; 0: off.

        Parameters
        ----------
        point : int
            1..24, or 25 for the bar, in the mover's distances.
        combined : bool
            Whether to add the points that the checker reaches by several half-moves. To some of
            them :meth:`move` may not know the way: see there.

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("short"), roll=(6, 5))
        >>> turn.targets(24), turn.targets(24, combined=True)
        ([18], [18, 13])
        """
        at = as_int_from("point", point, 1, BAR)
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
        ends: dict[bytes, Line] = {}
        for line in now.lines:
            found = only_end(position.cells, self.roll, position.rules, line)
            if found is None:
                return ()
            whole, row = found
            ends[row] = whole
        if len(ends) != 1:
            return ()
        return steps_of(*ends.values())[len(now.lines[0]) :]

    def move(self, origin: int, target: int) -> None:
        """Move a checker, by one half-move or by several of it.

        Of several ways to a point one that hits nothing is taken; if all hit, and differently,
        the move is refused as ambiguous (``error.candidates`` has the words of two) and has to be
        made half-move by half-move.

        Parameters
        ----------
        origin, target : int
            Points in the mover's distances; 25 is the bar, 0 off.

        Raises
        ------
        IllegalPlay
            No legal play goes on so: with the reason, one of ``nardy.REASONS``, and a sentence.
            Nothing is changed then.
        ValueError, TypeError
            A point that does not exist, or is no int.

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("long"), roll=(6, 5))
        >>> turn.move(24, 13)
        >>> turn.steps
        ((24, 18), (18, 13))
        >>> turn.move(24, 18)
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalPlay: 24/18: the 6 is already used
        """
        start, end = as_int_from("origin", origin, 1, BAR), as_int_from("target", target, OFF, 24)
        longer = self._now.targets.get(start, {}).get(end)
        if longer:
            self._states.append(self._state(longer))
            return
        position, hops = self.position, ((start, end, False),)
        # A way that is no move at all is for no die to make: `judge` is not asked.
        lines = self._now.lines if start != end else ()
        refused: Refused | None = "not_rolled", (), (start, end, 0), self._now.longest, ()
        for line in lines:
            refused, made, _ = judge(position.cells, self.roll, position.rules, line, hops, True)
            if refused is None:
                # A state for each half-move, so that they can be taken back one by one.
                new = range(len(line) + 1, len(made) + 1)
                self._states += [self._state((made[:k],)) for k in new]
                return
        assert refused is not None
        text = "/".join(point_text(point, self._numbering) for point in (start, end))
        raise self._refusal(text, hops, refused)

    def undo(self) -> tuple[int, int]:
        """Take the last half-move back and return it as (from, to).

        Raises
        ------
        ValueError
            Nothing has been moved.

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("short"), roll=(6, 5))
        >>> turn.move(24, 13)
        >>> turn.undo(), turn.undo(), turn.steps
        ((18, 13), (24, 18), ())
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

        Examples
        --------
        >>> turn = nardy.Turn(nardy.Position.start("short"), roll=(6, 5))
        >>> turn.move(24, 18)
        >>> turn.commit()
        Traceback (most recent call last):
            ...
        nardy.errors.IllegalPlay: 24/18: the 5 is still to be played, as in 24/13
        """
        if not self.is_complete:
            made = self._now.lines[0]
            reason = "incomplete" if self._now.targets else "game_over"
            refused = reason, made, (0, 0, 0), self._now.longest, ()
            nothing = "nothing moved" if self._now.targets else "no turn"
            raise self._refusal(self.text() or nothing, (), refused)
        return self.position._successor(self._now.row).flip()

    @property
    def play(self) -> Play:
        """The play that was made, one of ``position.plays(roll)``; errors as :meth:`commit`.

        A play stands for the board that it leads to: its steps may come in another order, or by
        another way, than those of the turn.
        """
        return Plays(self.position, self.roll).leading_to(self.commit())

    # --- inside

    @property
    def _now(self) -> _State:
        return self._states[-1]

    def _state(self, lines: Sequence[Line]) -> _State:
        """Look where lines that lead to the same board can go on."""
        position = self.position
        if len(lines) > 1:
            # Lines that have used the same dice are one.
            lines = (*{tuple(sorted(die for _, die in line)): line for line in lines}.values(),)
        targets: dict[int, dict[int, list[Line]]] = {}
        for line in lines:
            moves, complete, row, longest = look(position.cells, self.roll, position.rules, line)
            for origin, die in moves:
                to = targets.setdefault(origin, {}).setdefault(max(origin - die, OFF), [])
                to.append((*line, (origin, die)))
        return _State(tuple(lines), targets, complete, row, longest)

    def _refusal(
        self, text: str, hops: Sequence[Hop], refused: Refused
    ) -> IllegalPlay | InvalidNotation:
        position = self.position
        return refusal(
            position.row.tolist(), self.roll, position.rules, text, hops, refused, self._numbering
        )

    def _reached(self, state: _State, point: int) -> set[int]:
        """Where one checker of a point can get to."""
        found: set[int] = set()
        for target, lines in state.targets.get(point, {}).items():
            found.add(target)
            if target != OFF:
                found |= self._reached(self._state(lines), target)
        return found
