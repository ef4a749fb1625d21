"""The errors of the package: who raises what.

A wrong *kind* (None, a float where an int is due, a list where an array is due, another dtype) is
a ``TypeError``. A wrong *value* (shape, dice, checkers, option) is a ``ValueError`` or one of the
classes below, which are ``ValueError`` too. Every message names the argument, what was wanted and
what came; a function of the array world names the first bad row. Nothing is returned then.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from types import MappingProxyType
from typing import Any, Final

__all__ = [
    "ACTION_REASONS",
    "REASONS",
    "IllegalAction",
    "IllegalPlay",
    "InvalidNotation",
    "InvalidPosition",
    "InvalidState",
    "as_int",
    "as_int_from",
]

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "not_your_checker": "the mover has no checker where the half-move starts",
        "point_closed": "the landing is held by the opponent",
        "not_rolled": "no die of this roll makes that distance",
        "die_used": "the die was rolled, and is spent",
        "bar_first": "a checker on the bar has to enter first",
        "head_rule": "no further checker may leave the head this turn",
        "block": "the half-move builds a forbidden block of six",
        "not_all_home": "bearing off before every checker is home",
        "overshoot": "the die is larger than the distance and may not take this checker off",
        "must_bear_off": "a checker can be borne off with this die, so it has to be",
        "both_dice": "another order or choice plays more half-moves",
        "larger_die": "one die can be played, and it has to be the larger",
        "incomplete": "more half-moves have to follow",
        "must_pass": "nothing can be played with this roll",
        "game_over": "one side has borne off all its checkers",
        "ambiguous": "the wording fits several after-states",
    }
)
"""Why a play is illegal: the closed list of :attr:`IllegalPlay.reason`, with what each means."""

ACTION_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "game_over": "the game is over",
        "not_on_turn": "it is for the other side to act",
        "starter_unknown": "the roll-off has not said yet who starts",
        "starter_known": "it is known already who starts",
        "answer_due": "a double waits for its answer",
        "not_offered": "there is no double to answer",
        "not_thrown": "the dice have not been thrown in this turn",
        "thrown": "the dice are thrown, and the turn is to be played",
        "no_dice": "no dice were given, and the game has none of its own",
        "no_cube": "the game is played without a cube",
        "crawford": "the Crawford game is played without the cube",
        "not_owner": "the cube is the other side's",
        "too_early": "the cube may be offered only from a later turn of the game on",
        "offered_already": "a double was offered in this turn already",
        "cube_max": "the cube goes no higher",
        "last_roll": "only the last roll is left, which is thrown without a double",
        "not_in_rules": "the rules of this game, or of its match, do not have it",
        "time_left": "the side has time left",
        "no_mars": "a side that has borne off a checker cannot lose more than a single game",
        "nothing_done": "nothing has been done that could be taken back",
        "sealed": "the match has gone on to a later game",
        "game_running": "the game before is still running",
        "match_over": "the match is over",
    }
)
"""Why an action is refused: the closed list of :attr:`IllegalAction.reason`, with its meanings."""


class InvalidPosition(ValueError):
    """The checkers do not make a position of this game.

    Examples
    --------
    >>> nardy.Position.from_points({1: 15}, {24: 15}, rules="short")
    Traceback (most recent call last):
        ...
    nardy.errors.InvalidPosition: both sides stand on one point: own={1: 15}, opponent={24: 15}
    """


class IllegalPlay(ValueError):
    """The play is not legal for this position and roll.

    Parameters
    ----------
    message : str
        One sentence for a person.
    reason : str
        The same for a program: one of :data:`REASONS`.
    candidates : tuple of str
        Of an ambiguous play: words of two that it may mean.

    Examples
    --------
    >>> error = IllegalPlay("6/off: a checker stands on 8", reason="not_all_home")
    >>> error.reason
    'not_all_home'
    """

    def __init__(self, message: str, *, reason: str, candidates: tuple[str, ...] = ()) -> None:
        if reason not in REASONS:
            raise ValueError(f"reason must be one of {', '.join(REASONS)}, not {reason!r}")
        super().__init__(message)
        self.reason = reason
        self.candidates = candidates

    def __reduce__(self) -> tuple[object, ...]:
        # A keyword-only argument is not among BaseException.args, so pickling has to carry it.
        return _illegal_play, (str(self), self.reason, self.candidates)


class IllegalAction(ValueError):
    """What was to be done is not possible now in this game or match; nothing was changed.

    What is wrong with a *play* is an :class:`IllegalPlay`.

    Parameters
    ----------
    message : str
        One sentence for a person.
    reason : str
        The same for a program: one of :data:`ACTION_REASONS`.

    Examples
    --------
    >>> try:
    ...     nardy.Game("short", starter=0, seed=1).double()
    ... except nardy.IllegalAction as error:
    ...     print(error.reason, "|", error)
    too_early | double: the cube may be offered from turn 2 on; this is 1
    """

    def __init__(self, message: str, *, reason: str) -> None:
        if reason not in ACTION_REASONS:
            raise ValueError(f"reason must be one of {', '.join(ACTION_REASONS)}, not {reason!r}")
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return _illegal_action, (str(self), self.reason)


class InvalidState(ValueError):
    """The text holds no turn, game or match: it is damaged, or of a version that is not read.

    Examples
    --------
    >>> nardy.from_json('{"format": "nardy-game", "version": 99}')
    Traceback (most recent call last):
        ...
    nardy.errors.InvalidState: version 99 of nardy-game is not read; this library reads 1
    """


class InvalidNotation(ValueError):
    """The text is not written in the notation that was asked for.

    Examples
    --------
    >>> nardy.Position.start("long").play("24-13", roll=(6, 5))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    nardy.errors.InvalidNotation: play must be half-moves such as ...
    """


_MOST_BITS: Final = 4096  # 1,234 digits


def as_int(name: str, value: Any, wanted: str) -> int:
    """Take an int (NumPy's too) and nothing that only looks like one: no bool, float or str.

    One of more than 4,096 bits is a ValueError: nothing here is that large.

    Examples
    --------
    >>> as_int("checkers", 15.0, "an int 5..15")
    Traceback (most recent call last):
        ...
    TypeError: checkers must be an int 5..15, not 15.0
    """
    try:
        if not isinstance(value, bool):
            number = index(value)
            # Python writes out 4,300 digits at most: a text, JSON or an error with more would fail.
            if number.bit_length() <= _MOST_BITS:
                return number
            raise ValueError(f"{name} must be {wanted}, not one of {number.bit_length()} bits")
    except TypeError:
        pass
    raise TypeError(f"{name} must be {wanted}, not {value!r}")


def as_int_from(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Take an int as :func:`as_int`, from `low` on, up to `high` if that is given.

    Examples
    --------
    >>> as_int_from("threads", 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: threads must be an int >= 1, not 0
    """
    wanted = f"an int >= {low}" if high is None else f"an int {low}..{high}"
    number = as_int(name, value, wanted)
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return number


def _illegal_action(message: str, reason: str) -> IllegalAction:
    return IllegalAction(message, reason=reason)


def _illegal_play(message: str, reason: str, candidates: tuple[str, ...]) -> IllegalPlay:
    return IllegalPlay(message, reason=reason, candidates=candidates)
