"""Two-sided tables: who wins a bear-off, and what it is worth with the cube."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.bearoff.placements import placement_count
from nardy.bearoff.tables import Progress, Table
from nardy.bearoff.variants import Variant
from nardy.nardy_core import solve_two_sided
from nardy.options import Rules

if TYPE_CHECKING:
    import os

__all__ = ["EQUITIES", "TwoSided", "two_sided"]

EQUITIES: Final = ("cubeless", "centred", "own", "opponent")
"""Columns of :meth:`TwoSided.equities`: whose the cube is."""

DEFAULT_LIMIT: Final = 2**30


class TwoSided(Table):
    """Chances and money equities of bear-offs in which both sides play for the best.

    Made by :func:`two_sided`, or in memory by :meth:`build`. Without Jacoby rule and beavers, the
    cube unlimited, cube and checkers played for the best by both; each equity with its own play of
    the checkers (docs/bearoff.md has the recursion).

    Methods take rows ``(n, 32)`` int8 as the side to roll sees them, and answer for that side. A
    row that the table does not hold is a ValueError that names it: see :meth:`covers`. A game that
    is over has its result.

    Attributes
    ----------
    has_mars : bool
        Whether a mars is possible in the table: it holds all checkers of the rules.

    Examples
    --------
    >>> pairs = TwoSided.build(points=6, checkers=2, rules="short")
    >>> sixes = nardy.Position.from_points({6: 1}, {6: 1}, rules="short").row[None]
    >>> pairs.win(sixes)
    array([0.8125])
    >>> pairs.equities(sixes)                   # cubeless, centred, own, the opponent's
    array([[0.625, 1.   , 1.   , 0.5  ]])
    """

    kind = "two-sided"

    def __init__(self, variant: Variant, rules: Rules, data: NDArray[np.float64]) -> None:
        super().__init__(variant, rules, data)
        self.has_mars: bool = data.shape[2] > len(EQUITIES)
        self._lines = self.data.reshape(-1, data.shape[2])
        self._flat = self.data.reshape(-1)

    @classmethod
    def _solved(
        cls, variant: Variant, rules: Rules, threads: int, progress: Progress | None
    ) -> tuple[NDArray[np.float64], dict[str, int]]:
        data = solve_two_sided(
            rules=rules,
            points=variant.points,
            checkers=variant.checkers,
            threads=threads,
            progress=progress,
        )
        return data, {}

    @classmethod
    def _fits(cls, variant: Variant, data: NDArray[np.float64], said: dict[str, Any]) -> bool:
        n = placement_count(variant.points, variant.checkers)
        return data.shape == (n, n, 7 if "total" in dict(variant.options) else 4)

    @classmethod
    def _made(
        cls, variant: Variant, rules: Rules, data: NDArray[np.float64], extra: dict[str, Any]
    ) -> Self:
        return cls(variant, rules, data)

    def covers(self, rows: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Tell which rows the table holds: bool (n,).

        Examples
        --------
        >>> pairs = TwoSided.build(points=6, checkers=2, rules="short")
        >>> sixes = nardy.Position.from_points({6: 1}, {6: 1}, rules="short").row[None]
        >>> pairs.covers(sixes), pairs.covers(nardy.Position.start("short").row[None])
        (array([ True]), array([False]))
        """
        own, opponent = self._find(rows, True)
        assert opponent is not None
        return (own >= 0) & (opponent >= 0)

    def _places(self, rows: NDArray[np.int8]) -> NDArray[np.int64]:
        own, opponent = self._both(rows)
        own *= placement_count(self.points, self.checkers)
        own += opponent
        return own

    def win(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chance of the side to roll to win, both playing for just that: float64 (n,).

        Examples
        --------
        >>> pairs = TwoSided.build(points=6, checkers=2, rules="short")
        >>> sixes = nardy.Position.from_points({6: 1}, {6: 1}, rules="short").row[None]
        >>> pairs.win(sixes)
        array([0.8125])
        """
        places = self._places(rows)
        places *= self._lines.shape[1]
        if self.has_mars:
            places += len(EQUITIES)
        # A look-up by a pair of indices takes three times as long.
        found: NDArray[np.float64] = self._flat.take(places)
        if not self.has_mars:
            found += 1
            found /= 2
        return found

    def equities(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Money equities of the side to roll, before it may double: float64 (n, 4).

        Cubeless, with a cube in the middle, with its own, with the opponent's (:data:`EQUITIES`);
        in points of the game for a cube that stands at 1.

        Examples
        --------
        >>> pairs = TwoSided.build(points=6, checkers=2, rules="short")
        >>> sixes = nardy.Position.from_points({6: 1}, {6: 1}, rules="short").row[None]
        >>> pairs.equities(sixes)
        array([[0.625, 1.   , 1.   , 0.5  ]])
        """
        found: NDArray[np.float64] = self._lines.take(self._places(rows), axis=0)
        return found[:, : len(EQUITIES)]

    def chances(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chances under the play of the cubeless equity: float64 (n, 5).

        Win, win mars, win koks, lose mars, lose koks, each including the next; a ValueError where
        the table has no koks apart from mars (``koks="no_home"`` with more than six points).

        Examples
        --------
        >>> five = nardy.LONG.replace(checkers=5)
        >>> pairs = TwoSided.build(points=2, checkers=5, rules=five)
        >>> last = nardy.Position.from_points({2: 2}, {2: 5}, rules=five).row[None]
        >>> pairs.chances(last).round(4)
        array([[1.    , 0.7222, 0.    , 0.    , 0.    ]])
        """
        lines = self._lines[self._places(rows)]
        chances = np.zeros((len(lines), 5))
        chances[:, 0] = (1 + lines[:, 0]) / 2
        if self.has_mars:
            if self.rules.game == "long" and self.rules.koks == "no_home" and self.points > 6:
                raise ValueError("rules: koks='no_home' needs a table of six points at most")
            chances[:, 1], chances[:, 3] = lines[:, 5], lines[:, 6]
            # Equity = 2 win - 1 + win mars - lose mars.
            chances[:, 0] -= (chances[:, 1] - chances[:, 3]) / 2
        return chances


def two_sided(
    points: int = 6,
    checkers: int | None = 6,
    rules: Rules | str = options.LONG,
    *,
    threads: int = 1,
    path: str | os.PathLike[str] | None = None,
    limit: int | None = DEFAULT_LIMIT,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> TwoSided:
    """Open a two-sided table, and build it first if it is not there.

    Parameters
    ----------
    points : int
        1..10: both sides' checkers stand on 1..points or are off.
    checkers : int
        Of each side on the board at most; None for all of the rules'.
    rules, threads, path, limit, progress, rebuild
        As in :func:`one_sided`. A table that holds all checkers of the rules knows mars, and is
        another one for another number of them.

    Returns
    -------
    TwoSided

    Raises
    ------
    TypeError, MemoryError, OSError
    ValueError
        As of :func:`one_sided`; and rules under which a roll may have to be passed, such as
        ``bearoff_overshoot="exact"``.

    Notes
    -----
    6 x 6 takes 0.15 s to build and 27 MB; 6 x 10 holds 64 million pairs in 2.05 GB, so it wants a
    `limit`, and takes minutes: :func:`table_size` says how much memory before.

    Examples
    --------
    >>> pairs = two_sided(points=6, checkers=6, rules=nardy.LONG)
    >>> sixes = nardy.Position.from_points({6: 6}, {6: 6}, rules=nardy.LONG)
    >>> pairs.win(sixes.row[None]).round(6)
    array([0.6512])
    """
    return TwoSided.obtain(
        points,
        checkers,
        rules,
        threads=threads,
        path=path,
        limit=limit,
        progress=progress,
        rebuild=rebuild,
    )
