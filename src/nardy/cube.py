"""Cube: the doubling cube as a value, and when it may be offered (docs/rules.md §8.5).

A cube is the same for both games. It knows what was done with it and nothing of the board: whose
turn it is, and whether dice lie, is the business of ``nardy.games``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nardy.errors import as_int
from nardy.options import Rules

__all__ = ["SIDES", "Cube", "Fault", "as_away", "as_side", "limit_fault", "offer_fault"]

SIDES: Final = (0, 1)
"""The two sides, as the places of a score: neither of them is the one to start."""

Fault = tuple[str, str]
"""Why an action is refused: one of ``nardy.ACTION_REASONS``, and a sentence."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: frozen, equal by value.

    Parameters
    ----------
    value : int
        What the game is worth, to be multiplied by 2 for mars and 3 for koks. The cube of an
        untouched game is 1, which people show as 64.
    owner : int or None
        The side that alone may offer the next double; None while it lies in the middle.
    is_turned : bool
        Whether a double was offered and taken. Automatic doubles raise the value without that.

    Examples
    --------
    >>> cube = nardy.Cube()
    >>> cube.taken(by=1)
    Cube(value=2, owner=1, is_turned=True)
    >>> cube.beavered(by=1)
    Cube(value=4, owner=1, is_turned=True)
    """

    value: int = 1
    owner: int | None = None
    is_turned: bool = False

    def __post_init__(self) -> None:
        if as_int("value", self.value, "a power of two") < 1 or self.value & (self.value - 1):
            raise ValueError(f"value must be a power of two, not {self.value!r}")
        if self.owner is not None:
            as_side("owner", self.owner)

    def taken(self, by: int) -> Cube:
        """Return the cube after an offer was taken: twice the value, and the taker owns it.

        Examples
        --------
        >>> nardy.Cube(2, owner=0).taken(by=1).value
        4
        """
        return Cube(2 * self.value, by, True)

    def beavered(self, by: int) -> Cube:
        """Return the cube after the taker doubled again at once: four times the value, his.

        Examples
        --------
        >>> nardy.Cube().beavered(by=1).value
        4
        """
        return Cube(4 * self.value, by, True)

    def raccooned(self, owner: int) -> Cube:
        """Return the cube after a raccoon upon a beaver: twice the beaver's value.

        Examples
        --------
        >>> nardy.Cube().beavered(by=1).raccooned(owner=0)
        Cube(value=8, owner=0, is_turned=True)
        """
        return Cube(2 * self.value, owner, True)

    def doubled_by_a_tie(self) -> Cube:
        """Return the cube after an automatic double: it stays in the middle, and is not turned.

        Examples
        --------
        >>> nardy.Cube().doubled_by_a_tie()
        Cube(value=2, owner=None, is_turned=False)
        """
        return Cube(2 * self.value, None, False)

    def is_dead(self, side: int, away: tuple[int, int] | None) -> bool:
        """Return whether doubling can bring a side nothing: what lies is enough for the match.

        Parameters
        ----------
        side : int
        away : tuple of two ints or None
            Points that each side still needs; None outside matches, where no cube is dead.

        Notes
        -----
        It may be offered all the same: docs/rules.md calls that meaningless, not illegal.

        Examples
        --------
        >>> nardy.Cube(2, owner=0).is_dead(0, away=(2, 5)), nardy.Cube(2).is_dead(1, away=(2, 5))
        (True, False)
        """
        needed, side = as_away(away), as_side("side", side)
        return needed is not None and self.value >= needed[side]


def as_side(name: str, value: int) -> int:
    """Take 0 or 1.

    Examples
    --------
    >>> as_side("side", 2)
    Traceback (most recent call last):
        ...
    ValueError: side must be 0 or 1, not 2
    """
    side = as_int(name, value, "0 or 1")
    if side not in SIDES:
        raise ValueError(f"{name} must be 0 or 1, not {value!r}")
    return side


def as_away(away: tuple[int, int] | None) -> tuple[int, int] | None:
    """Take the points that each side needs in a match, or None outside matches.

    Examples
    --------
    >>> as_away((3, 0))
    Traceback (most recent call last):
        ...
    ValueError: away must be the points that each side needs, two ints >= 1, not (3, 0)
    """
    if away is None:
        return None
    wanted = "the points that each side needs, two ints >= 1"
    if not isinstance(away, tuple | list) or len(away) != 2:
        raise TypeError(f"away must be {wanted}, not {away!r}")
    one, other = (as_int("away: each", points, "an int >= 1") for points in away)
    if min(one, other) < 1:
        raise ValueError(f"away must be {wanted}, not {away!r}")
    return one, other


def offer_fault(
    cube: Cube, side: int, turn_number: int, rules: Rules, *, is_crawford: bool
) -> Fault | None:
    """Say why a side that has not thrown yet may not offer a double; None if it may (§8.5)."""
    if not rules.cube:
        return "no_cube", "these rules are played without a cube"
    if is_crawford:
        return "crawford", "the Crawford game is played without the cube"
    if cube.owner == 1 - side:
        return "not_owner", f"the cube is side {cube.owner}'s"
    if turn_number < rules.cube_from_turn:
        first = rules.cube_from_turn
        return "too_early", f"the cube may be offered from turn {first} on; this is {turn_number}"
    return limit_fault(2 * cube.value, rules)


def limit_fault(value: int, rules: Rules) -> Fault | None:
    """Say that a value is beyond the cube (option ``cube_max``)."""
    if rules.cube_max is not None and value > rules.cube_max:
        return "cube_max", f"{value} is more than {rules.cube_max}, the last of this cube"
    return None
