"""Transitions: the state that each action leads to, as pure functions.

That the action is possible is the caller's duty: ``nardy.phases.fault`` says so.
"""

from __future__ import annotations

from nardy.clocks import Clock
from nardy.cube import Cube
from nardy.endings import (
    DRAW,
    KINDS,
    How,
    Kind,
    Result,
    Setting,
    is_draw,
    is_last_roll_due,
    last_board,
    lift_last,
    points_of,
)
from nardy.events import (
    Beavered,
    Dropped,
    Event,
    Flagged,
    Offered,
    Played,
    Raccooned,
    Resigned,
    Rolled,
    RolledOff,
    Taken,
)
from nardy.phases import State
from nardy.position import Position

__all__ = [
    "beavered",
    "beginning",
    "dropped",
    "flagged",
    "offered",
    "played",
    "raccooned",
    "resigned",
    "rolled",
    "rolled_off",
    "taken",
]


def beginning(position: Position, starter: int | None, clock: Clock | None) -> State:
    """Return the state before anything has happened."""
    if starter is None:
        return State("roll_off", None, position, None, 0, None, Cube(), 0, 0, clock, None, None)
    return State("roll", starter, position, None, 1, starter, Cube(), 0, 0, clock, None, None)


# --- dice and plays -------------------------------------------------------------------------------


def rolled_off(state: State, dice: tuple[int, int], setting: Setting) -> State:
    """One die each: the higher starts; a tie may double the stake (§2, §8.1)."""
    event, rules = RolledOff(dice), setting.rules
    state = state._replace(throws=state.throws + 1, event=event)
    if event.starter is None:
        is_doubled = setting.is_money and state.ties < rules.automatic_doubles
        cube = state.cube.doubled_by_a_tie() if is_doubled else state.cube
        return state._replace(cube=cube, ties=state.ties + 1)
    uses = rules.opening == "use_rolloff"
    return state._replace(
        phase="play" if uses else "roll",
        side=event.starter,
        starter=event.starter,
        roll=(max(dice), min(dice)) if uses else None,
        turn_number=1,
    )


# Rolling and playing write a state out in full: `_replace` takes 1.4 us, this 0.4 us, and random
# play is little else.


def rolled(state: State, roll: tuple[int, int], setting: Setting) -> State:
    """Throw the dice of a turn, the larger first."""
    _, side, position, _, turn_number, starter, cube, ties, throws, clock, _, _ = state
    assert side is not None
    now = State(
        "play", side, position, roll, turn_number, starter, cube, ties, throws + 1, clock, None,
        Rolled(side, roll),
    )  # fmt: skip
    if now.is_last_roll and last_board(position, roll) is None:
        return _ended(now, _borne_off(now, position, 1 - side, setting))
    return now


def played(
    state: State, board: Position, after: Position, seconds: float | None, setting: Setting
) -> State:
    """Play the roll from a board (the state's own, but for the last roll) to a board."""
    _, side, _, roll, turn_number, starter, cube, ties, throws, clock, _, _ = state
    assert side is not None and roll is not None
    was_last = state.is_last_roll
    event, other = Played(side, roll, board, after, seconds), 1 - side
    if was_last:
        after = lift_last(after, setting.rules)
    now = State(
        "roll", other, after, None, turn_number + 1, starter, cube, ties, throws, clock, None, event
    )
    if not after.is_over:
        return now
    if was_last:
        # Who has finished before is to move now.
        result = DRAW if is_draw(after) else _borne_off(now, after, other, setting)
    elif is_last_roll_due(after, starter_finished=side == starter):
        return now
    else:
        result = _borne_off(now, after, side, setting)
    return _ended(now._replace(turn_number=turn_number), result)


def _borne_off(state: State, over: Position, winner: int, setting: Setting) -> Result:
    """Return the result of a board on which one side has borne off all (§7, §8.4)."""
    outcome = over.outcome
    assert outcome is not None
    kind = KINDS[abs(outcome) - 1]
    return Result(winner, points_of(kind, state.cube, setting), kind, "borne_off")


def _ended(state: State, result: Result) -> State:
    return state._replace(phase="over", roll=None, result=result)


# --- the cube (§8.5) ------------------------------------------------------------------------------


def offered(state: State) -> State:
    """Offer a double: the cube is not turned yet."""
    assert state.side is not None
    return state._replace(phase="offered", event=Offered(state.side, 2 * state.cube.value))


def taken(state: State) -> State:
    """Take a double: twice the stake, the taker's cube. Or accept a beaver: all is done."""
    taker = state.to_act
    assert taker is not None
    cube = state.cube.taken(by=taker) if state.phase == "offered" else state.cube
    return state._replace(phase="doubled", cube=cube, event=Taken(taker, cube.value))


def beavered(state: State) -> State:
    """Take a double and double again at once: four times the stake, the beaverer's cube."""
    taker = state.to_act
    assert taker is not None
    cube = state.cube.beavered(by=taker)
    return state._replace(phase="beavered", cube=cube, event=Beavered(taker, cube.value))


def raccooned(state: State, setting: Setting) -> State:
    """Double a beaver again: eight times the stake, whose cube by ``raccoon_owner``."""
    side = state.side
    assert side is not None
    cube = state.cube.raccooned(side if setting.rules.raccoon_owner == "raccooner" else 1 - side)
    return state._replace(phase="doubled", cube=cube, event=Raccooned(side, cube.value))


def dropped(state: State) -> State:
    """Refuse a double, or a beaver."""
    assert state.to_act is not None
    return _lost(state, state.to_act, "dropped", Dropped(state.to_act))


# --- other ends -----------------------------------------------------------------------------------


def resigned(state: State, loser: int, kind: Kind, setting: Setting) -> State:
    """Give up a game of a kind."""
    result = Result(1 - loser, points_of(kind, state.cube, setting), kind, "resigned")
    return _ended(state._replace(event=Resigned(loser, kind)), result)


def flagged(state: State, seconds: float | None) -> State:
    """End the game on time (§8.7): the side to act loses a single game."""
    loser, clock = state.to_act, state.clock
    assert loser is not None and clock is not None
    stopped = clock.after(loser, clock.limit(loser) if seconds is None else seconds)
    return _lost(state._replace(clock=stopped), loser, "time", Flagged(loser, seconds))


def _lost(state: State, loser: int, how: How, event: Event) -> State:
    """Lose a single game at the stake before the offer; a beaver has doubled that once (§8.5)."""
    stake = state.cube.value // (2 if state.phase == "beavered" else 1)
    return _ended(state._replace(event=event), Result(1 - loser, stake, "oin", how))
