"""Clock: the time that each side has left, as a value; time passes when a caller says so.

Nothing here reads a clock of the machine: a server measures how long a turn took, or how long it
has been running, and passes the seconds in. So clocks are replayed, tested and stored like boards.

Kinds, for a side with ``left`` seconds on its clock and ``a`` seconds a turn, and a turn of ``t``:

=============  ===================================  ===================  =========================
kind           what it is                           time is up at        afterwards ``left`` is
=============  ===================================  ===================  =========================
``allowance``  docs/rules.md §8.7: each turn has    ``t >= a + left``    ``left - max(0, t - a)``
               ``a`` of its own, then the reserve
               runs; what is not used is lost
``bronstein``  the clock runs at once, and what     ``t >= left``        ``left - max(0, t - a)``
               the turn took, up to ``a``, is
               given back
``fischer``    ``a`` is added after each turn       ``t >= left``        ``left - t + a``
=============  ===================================  ===================  =========================

Bronstein's clock that starts with ``r + a`` ends a game exactly when the allowance clock with the
reserve ``r`` does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from nardy.errors import as_int

__all__ = ["CLOCKS", "Clock"]

Kind = Literal["allowance", "bronstein", "fischer"]

CLOCKS: Final = {"blitz": (15.0, 90.0), "normal": (20.0, 150.0), "slow": (25.0, 210.0)}
"""The named clocks of docs/rules.md §8.7: seconds a turn, and seconds in reserve for a game."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of both sides: frozen, equal by value, 0 and 1 are the sides.

    Parameters
    ----------
    kind : str
        ``"allowance"``, ``"bronstein"`` or ``"fischer"``: the table of ``nardy.clocks``.
    a_turn : float
        Seconds that belong to each turn; >= 0.
    left : tuple of two floats
        Seconds that stand on the clock of side 0 and of side 1; >= 0.
    out : int or None
        The side whose time is up. Nothing happens on the clock after that.

    Raises
    ------
    ValueError, TypeError
        A kind, a side or seconds that cannot be; no time to play at all.

    Examples
    --------
    >>> clock = nardy.Clock.of("blitz")
    >>> clock
    Clock(kind='allowance', a_turn=15.0, left=(90.0, 90.0), out=None)
    >>> clock.after(0, 20).after(1, 14.5).left
    (85.0, 90.0)
    >>> clock.is_out(0, 104.9), clock.is_out(0, 105)
    (False, True)
    """

    kind: Kind
    a_turn: float
    left: tuple[float, float]
    out: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in get_args(Kind):
            kinds = ", ".join(map(repr, get_args(Kind)))
            error = ValueError if isinstance(self.kind, str) else TypeError
            raise error(f"kind must be one of {kinds}, not {self.kind!r}")
        if not isinstance(self.left, tuple | list) or len(self.left) != 2:
            error = ValueError if isinstance(self.left, tuple | list) else TypeError
            raise error(f"left must be seconds of both sides, not {self.left!r}")
        # A frozen dataclass is filled by way of object.__setattr__.
        object.__setattr__(self, "a_turn", _seconds("a_turn", self.a_turn))
        object.__setattr__(self, "left", tuple(_seconds("left: each", each) for each in self.left))
        if self.out is not None:
            object.__setattr__(self, "out", _side("out", self.out))
            if self.left[self.out] > 0:
                raise ValueError(f"out must be a side without seconds left, not {self.out!r}")
        elif min(self.limit(0), self.limit(1)) == 0:
            raise ValueError(f"left must leave some time to play to both sides, not {self.left!r}")

    @classmethod
    def of(cls, clock: str | tuple[float, float]) -> Clock:
        """Return the clock that the option ``clock`` of the rules names, at the start of a game.

        Parameters
        ----------
        clock : str or tuple of two floats
            ``"blitz"``, ``"normal"``, ``"slow"``, or (seconds a turn, seconds in reserve).

        Examples
        --------
        >>> nardy.Clock.of((30, 0)).is_out(1, 29)
        False
        >>> nardy.Clock.of(nardy.SHORT.replace(clock="slow").clock).left
        (210.0, 210.0)
        """
        pair = CLOCKS.get(clock) if isinstance(clock, str) else clock
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            names = ", ".join(map(repr, CLOCKS))
            error = ValueError if isinstance(clock, str | tuple | list) else TypeError
            raise error(
                f"clock must be {names} or (seconds a turn, seconds in reserve), not {clock!r}"
            )
        a_turn, reserve = pair
        return cls("allowance", a_turn, (reserve, reserve))

    @classmethod
    def bronstein(cls, left: float, a_turn: float) -> Clock:
        """Return a clock that gives back what a turn took, up to ``a_turn`` seconds.

        Examples
        --------
        >>> clock = nardy.Clock.bronstein(60, 5)
        >>> clock.after(0, 3).left[0], clock.after(0, 8).left[0]
        (60.0, 57.0)
        """
        return cls("bronstein", a_turn, (left, left))

    @classmethod
    def fischer(cls, left: float, a_turn: float) -> Clock:
        """Return a clock that adds ``a_turn`` seconds after each turn of a side.

        Examples
        --------
        >>> clock = nardy.Clock.fischer(60, 5)
        >>> clock.after(0, 3).left[0], clock.after(0, 8).left[0]
        (62.0, 57.0)
        """
        return cls("fischer", a_turn, (left, left))

    def limit(self, side: int) -> float:
        """Return how many seconds the side's turn may take: with them its time is up.

        0 for the side whose time is up already. A server sets its timer to it.

        Examples
        --------
        >>> nardy.Clock.of("normal").limit(0), nardy.Clock.fischer(60, 5).limit(0)
        (170.0, 60.0)
        """
        side = _side("side", side)
        if side == self.out:
            return 0.0
        return self.left[side] + (self.a_turn if self.kind == "allowance" else 0.0)

    def is_out(self, side: int, seconds: float = 0.0) -> bool:
        """Return whether the side's time is up, once its turn has been running for ``seconds``.

        Examples
        --------
        >>> clock = nardy.Clock.of("blitz")
        >>> clock.is_out(0), clock.is_out(0, 105), clock.after(0, 105).is_out(0)
        (False, True, True)
        """
        return _seconds("seconds", seconds) >= self.limit(side)

    def after(self, side: int, seconds: float) -> Clock:
        """Return the clock after a turn of the side that took ``seconds``, or that ran out in them.

        Raises
        ------
        ValueError
            The time of a side is up already; negative or infinite seconds.

        Examples
        --------
        >>> nardy.Clock.of("blitz").after(1, 200)
        Clock(kind='allowance', a_turn=15.0, left=(90.0, 0.0), out=1)
        """
        if self.out is not None:
            raise ValueError(f"the time of side {self.out} is up: its clock has stopped")
        side, seconds = _side("side", side), _seconds("seconds", seconds)
        if seconds >= self.limit(side):
            return replace(self, left=self._with(side, 0.0), out=side)
        if self.kind == "fischer":
            return replace(self, left=self._with(side, self.left[side] - seconds + self.a_turn))
        # Below the limit rounding could still leave a hair less than nothing.
        left = max(0.0, self.left[side] - max(0.0, seconds - self.a_turn))
        return replace(self, left=self._with(side, left))

    def _with(self, side: int, left: float) -> tuple[float, float]:
        return (left, self.left[1]) if side == 0 else (self.left[0], left)


def _side(name: str, value: int) -> int:
    side = as_int(name, value, "0 or 1")
    if side not in (0, 1):
        raise ValueError(f"{name} must be 0 or 1, not {value!r}")
    return side


def _seconds(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    try:
        seconds = float(value)
    except OverflowError:  # an int beyond all floats
        seconds = math.inf
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"{name} must be a finite number of seconds >= 0, not {value!r}")
    return seconds
