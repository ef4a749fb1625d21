"""Uniform play of a game on a seed's dice, state by state: what ``Game.play_out`` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nardy.board import COLUMNS
from nardy.dice import SeededDice, fair
from nardy.endings import Setting
from nardy.nardy_core import after_states
from nardy.phases import State, board_of
from nardy.plays import ROLL_ROWS, never_moves
from nardy.transitions import played, rolled, rolled_off

__all__ = ["uniform_states"]

_LOW_HALF: Final = 2**32 - 1
# After so many passes in a row it is asked whether anybody can ever move again.
_PASSES_TO_LOOK: Final = 64


def uniform_states(state: State, setting: Setting, dice: SeededDice) -> Iterator[State]:
    """Yield the states to the end of a game in which each after-state is as likely as any other.

    No double is offered. A throw's word gives the dice by its high half and the choice by its low
    one, as in ``nardy.playouts``.

    Raises
    ------
    ValueError
        Neither side can ever move again: only from a board that no game reaches.
    """
    passes = 0
    # The board last played to, as a position and as the row it came from.
    after, row = state.position, state.position.row.reshape(1, COLUMNS)
    while state.phase == "roll_off":
        state = rolled_off(state, dice.at(state.throws), setting)
        yield state
    while state.phase != "over":
        if state.phase != "play":
            one, other = dice.at(state.throws)
            state = rolled(state, (one, other) if one >= other else (other, one), setting)
            yield state
            continue
        board, throw, roll = board_of(state), state.throws - 1, state.roll
        assert roll is not None
        if board is not after:
            row = board.row.reshape(1, COLUMNS)
        rows, _ = after_states(row, ROLL_ROWS[roll], rules=board.rules)
        n = len(rows)
        choice = fair(dice.word(throw) & _LOW_HALF, n, dice, throw) if n > 1 else 0
        row = rows[choice : choice + 1]
        after = board._successor(row.tobytes())
        passes = passes + 1 if n == 1 and after == board.flip() else 0
        if passes == _PASSES_TO_LOOK:
            passes = 0
            if all(never_moves(side.row, side.rules) for side in (board, after)):
                raise ValueError(f"neither side can ever move again: {board!r}")
        state = played(state, board, after, None, setting)
        yield state
