"""The errors of the package: who raises what.

A wrong *kind* (None, a float where an int is due, a list where an array is due, another dtype) is
a ``TypeError``. A wrong *value* (shape, dice, checkers, option) is a ``ValueError`` or one of the
three below, which are ``ValueError`` too. Every message names the argument, what was wanted and
what came; a function of the array world names the first bad row. Nothing is returned then.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from types import MappingProxyType
from typing import Any, Final

__all__ = ["REASONS", "IllegalPlay", "InvalidNotation", "InvalidPosition", "as_int"]

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


class InvalidNotation(ValueError):
    """The text is not written in the notation that was asked for.

    Examples
    --------
    >>> nardy.Position.start("long").play("24-13", roll=(6, 5))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    nardy.errors.InvalidNotation: play must be half-moves such as ...
    """


def as_int(name: str, value: Any, wanted: str) -> int:
    """Take an int (NumPy's too) and nothing that only looks like one: no bool, float or str.

    Examples
    --------
    >>> as_int("checkers", 15.0, "an int 5..15")
    Traceback (most recent call last):
        ...
    TypeError: checkers must be an int 5..15, not 15.0
    """
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} must be {wanted}, not {value!r}")


def _illegal_play(message: str, reason: str, candidates: tuple[str, ...]) -> IllegalPlay:
    return IllegalPlay(message, reason=reason, candidates=candidates)
