"""One-sided tables: how many rolls one side needs to bear off."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.bearoff.placements import placement_count
from nardy.bearoff.store import cache_folder
from nardy.bearoff.tables import Progress, Table
from nardy.bearoff.variants import Variant
from nardy.nardy_core import solve_one_sided
from nardy.options import Rules

if TYPE_CHECKING:
    import os

__all__ = ["Bearoff", "OneSided", "bearoff_of", "one_sided"]

# Columns of the table before the two distributions.
_MEAN, _VARIANCE, _TAIL, _FIRST_MEAN, _FIRST_VARIANCE, _FIRST_TAIL, _HEAD = range(7)

DEFAULT_LIMIT: Final = 2**30
_ROWS_AT_ONCE: Final = 1 << 16


class OneSided(Table):
    """Rolls that one side needs, alone on the board, to its last and to its first checker off.

    Made by :func:`one_sided`, or in memory by :meth:`build`. Each placement is played so that the
    mean number of rolls is least; of after-states with the same mean (to 6e-11) the one with the
    lowest number is taken (docs/bearoff.md). The rolls to the first checker off are those under the
    play that makes *their* mean least.

    Methods take rows ``(n, 32)`` int8 as the side to roll sees them, and answer for that side. A
    row that the table does not hold is a ValueError that names it: see :meth:`covers`.

    Attributes
    ----------
    width, first_width : int
        Columns of the two distributions.

    Examples
    --------
    >>> table = OneSided.build(points=6, checkers=2, rules="short")
    >>> position = nardy.Position.from_points({6: 1}, {1: 2}, rules="short")
    >>> table.mean(position.row[None])
    array([1.25])
    >>> table.distribution(position.row[None])[0, :4]
    array([0.  , 0.75, 0.25, 0.  ])
    """

    kind = "one-sided"

    def __init__(
        self, variant: Variant, rules: Rules, data: NDArray[np.float64], width: int
    ) -> None:
        super().__init__(variant, rules, data)
        self.width = width
        self.first_width: int = data.shape[1] - _HEAD - width
        # Side by side: a look-up in the table itself fetches a line of 500 bytes for 8.
        self._numbers = np.ascontiguousarray(data[:, :_HEAD].T)
        self._numbers.flags.writeable = False

    @classmethod
    def _solved(
        cls, variant: Variant, rules: Rules, threads: int, progress: Progress | None
    ) -> tuple[NDArray[np.float64], dict[str, int]]:
        data, width = solve_one_sided(
            rules=rules,
            points=variant.points,
            checkers=variant.checkers,
            threads=threads,
            progress=progress,
        )
        return data, {"width": width}

    @classmethod
    def _fits(cls, variant: Variant, data: NDArray[np.float64], said: dict[str, Any]) -> bool:
        width = said.get("width")
        if data.ndim != 2 or len(data) != placement_count(variant.points, variant.checkers):
            return False
        if type(width) is not int or not 0 < width < data.shape[1] - _HEAD:
            return False
        # Who has finished needs no roll: of line 0 a 1 stands where each distribution begins.
        return bool(data[0, _HEAD] == data[0, _HEAD + width] == 1)

    @classmethod
    def _made(
        cls, variant: Variant, rules: Rules, data: NDArray[np.float64], extra: dict[str, Any]
    ) -> Self:
        return cls(variant, rules, data, extra["width"])

    def covers(self, rows: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Tell which rows the table holds: bool (n,).

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> rows = nardy.random_rows(1000, rules="short", seed=7)
        >>> int(table.covers(rows).sum())
        7
        """
        return self._find(rows, False)[0] >= 0

    def _number(self, which: int, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self._numbers[which].take(self._own(rows))
        return found

    def mean(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Mean number of rolls to the last checker off: float64 (n,); 0 if all are off.

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.mean(race)
        array([1.25])
        """
        return self._number(_MEAN, rows)

    def variance(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Variance of the number of rolls to the last checker off: float64 (n,).

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.variance(race)
        array([0.1875])
        """
        return self._number(_VARIANCE, rows)

    def effective_pips(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Effective pip count: float64 (n,), mean number of rolls times the pips of a mean roll.

        A mean roll is 49/6 pips; 7 where a double is played twice only.

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.effective_pips(race).round(3)
        array([10.208])
        """
        return self.mean(rows) * (49 / 6 if self.rules.doubles_moves == 4 else 7.0)

    def distribution(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chances of 0, 1, 2 ... rolls to the last checker off: float64 (n, width).

        Under ``bearoff_overshoot="exact"`` there is no last number: :meth:`tail` is cut off.

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.distribution(race)[:, :4]
        array([[0.  , 0.75, 0.25, 0.  ]])
        """
        return self.data[self._own(rows), _HEAD : _HEAD + self.width]

    def tail(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chance of more rolls than :meth:`distribution` lists: float64 (n,), below 1e-12.

        Examples
        --------
        >>> exact = nardy.LONG.replace(bearoff_overshoot="exact")
        >>> table = OneSided.build(points=6, checkers=2, rules=exact)
        >>> ace = nardy.Position.from_points({1: 1}, {1: 1}, rules=exact).row[None]
        >>> table.mean(ace).round(6), 0 < float(table.tail(ace)[0]) < 1e-12
        (array([3.272727]), True)
        """
        return self._number(_TAIL, rows)

    def first_mean(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Mean number of rolls to the next checker off: float64 (n,); 0 if all are off.

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> two = nardy.Position.from_points({6: 1, 1: 1}, {3: 2}, rules="short").row[None]
        >>> table.mean(two).round(3), table.first_mean(two).round(3)
        (array([1.586]), array([1.056]))
        """
        return self._number(_FIRST_MEAN, rows)

    def first_variance(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Variance of the number of rolls to the next checker off: float64 (n,).

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.first_variance(race)
        array([0.1875])
        """
        return self._number(_FIRST_VARIANCE, rows)

    def first_distribution(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chances of 0, 1, 2 ... rolls to the next checker off: float64 (n, first_width).

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.first_distribution(race)[:, :3]
        array([[0.  , 0.75, 0.25]])
        """
        return self.data[self._own(rows), _HEAD + self.width :]

    def race_outcome(self, rows: NDArray[np.int8]) -> NDArray[np.float64]:
        """Chances in a race in which each side plays as if it were alone.

        Parameters
        ----------
        rows : ndarray of int8, shape (n, 32), C-contiguous
            One board a row, as the side to roll sees it; both sides in the table. Not modified.

        Returns
        -------
        ndarray of float64, shape (n, 5)
            Win, win mars, win koks, lose mars, lose koks, each including the next, of the side to
            roll; what the game is over with is 0 or 1.

        Raises
        ------
        TypeError, InvalidPosition
        ValueError
            A row that the table does not hold, or rules with ``koks="no_home"`` and more than six
            points: who is home then is not in the table.

        Notes
        -----
        Real play looks at the other side too: docs/bearoff.md has the largest and mean error.

        Examples
        --------
        >>> table = OneSided.build(points=6, checkers=2, rules="short")
        >>> race = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").row[None]
        >>> table.race_outcome(race).round(4)
        array([[0.8819, 0.    , 0.    , 0.    , 0.    ]])
        """
        if self.rules.game == "long" and self.rules.koks == "no_home" and self.points > 6:
            raise ValueError("rules: koks='no_home' needs a table of six points at most")
        own, opponent = self._both(rows)
        chances = np.zeros((len(own), 5))
        for first in range(0, len(own), _ROWS_AT_ONCE):
            part = slice(first, first + _ROWS_AT_ONCE)
            self._race(own[part], opponent[part], chances[part])
        return chances

    def _race(
        self, own: NDArray[np.int64], opponent: NDArray[np.int64], into: NDArray[np.float64]
    ) -> None:
        ours, theirs = (self.data[side, _HEAD : _HEAD + self.width] for side in (own, opponent))
        # We win with roll k if the other side has not finished in its k - 1 rolls before.
        into[:, 0] = _chance_up_to(ours, theirs)
        # The numbers of placements rise with the checkers: from here on all are on the board.
        full = placement_count(self.points, self.checkers)
        if self.checkers == self.rules.checkers:
            full = placement_count(self.points, self.checkers - 1) if self.checkers > 1 else 1
        mars = np.flatnonzero(opponent >= full)
        into[mars, 1] = _chance_up_to(ours[mars], self._first(opponent[mars]))
        # The other side's roll k comes after our roll k.
        mars = np.flatnonzero(own >= full)
        into[mars, 3] = _chance_up_to(theirs[mars, :-1], self._first(own[mars])[:, 1:])

    def _first(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        return self.data[numbers, _HEAD + self.width :]


def _chance_up_to(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chance that `one`, chances of 0, 1 ... a row, is not more than `other`."""
    at_least = other[:, ::-1].cumsum(axis=1)[:, ::-1]
    width = min(one.shape[1], other.shape[1])
    found: NDArray[np.float64] = (one[:, :width] * at_least[:, :width]).sum(axis=1)
    return found


def one_sided(
    points: int = 6,
    checkers: int | None = None,
    rules: Rules | str = options.LONG,
    *,
    threads: int = 1,
    path: str | os.PathLike[str] | None = None,
    limit: int | None = DEFAULT_LIMIT,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> OneSided:
    """Open a one-sided table, and build it first if it is not there.

    Parameters
    ----------
    points : int
        1..10: a side is in the table when its checkers stand on 1..points or are off.
    checkers : int, optional
        On the board at most, 1..15; all of the rules' by default.
    rules : Rules or str
        Those under which rows are looked up. The table itself is one for all rules that do not
        differ in ``doubles_moves``, ``bearoff_overshoot``, ``bearoff_mandatory`` or the ban on six
        points in a row (``block="strict"``): both games have the same by default.
    threads : int
        That build it.
    path : path, optional
        The folder of tables; the platform's cache by default (``NARDY_CACHE`` overrules).
    limit : int, optional
        Bytes that building may need; None for any number. :func:`table_size` says how many.
    progress : callable, optional
        Called with the work done and the work there is while the table is built.
    rebuild : bool
        Build it though it is there.

    Returns
    -------
    OneSided

    Raises
    ------
    TypeError, MemoryError, OSError
    ValueError
        A number out of range, a table beyond `limit`, or a file that is truncated, altered or of
        something else, with the command that builds it anew.

    Notes
    -----
    6 x 15 takes 0.05 s to build and 23 MB on disk. What is opened is checked by its SHA-256 and
    then mapped: processes share its memory.

    Examples
    --------
    >>> table = one_sided(points=6, checkers=15, rules=nardy.LONG)
    >>> aces = nardy.Position.from_points({1: 15}, {1: 15}, rules=nardy.LONG)
    >>> table.mean(aces.row[None]).round(6)
    array([6.979592])
    """
    return OneSided.obtain(
        points,
        checkers,
        rules,
        threads=threads,
        path=path,
        limit=limit,
        progress=progress,
        rebuild=rebuild,
    )


class Bearoff(NamedTuple):
    """What a one-sided table says of one position's side to roll.

    Examples
    --------
    >>> found = nardy.Position.from_points({6: 1}, {3: 2}, rules="short").bearoff
    >>> found.mean, found.distribution[:3].tolist()
    (1.25, [0.0, 0.75, 0.25])
    """

    mean: float
    """Mean number of rolls to the last checker off."""
    variance: float
    effective_pips: float
    distribution: NDArray[np.float64]
    """Chances of 0, 1, 2 ... rolls to the last checker off."""
    first_mean: float
    """Mean number of rolls to the next checker off."""
    first_distribution: NDArray[np.float64]


def bearoff_of(row: NDArray[np.int8], rules: Rules) -> Bearoff:
    """Look one row (32,) up in the table of six points and all checkers, in the cache."""
    table, rows = _of_home(rules, cache_folder()), row[np.newaxis]
    if not table.covers(rows)[0]:
        raise ValueError(f"position {table.missing(row)}")
    return Bearoff(
        float(table.mean(rows)[0]),
        float(table.variance(rows)[0]),
        float(table.effective_pips(rows)[0]),
        table.distribution(rows)[0],
        float(table.first_mean(rows)[0]),
        table.first_distribution(rows)[0],
    )


@lru_cache(maxsize=8)
def _of_home(rules: Rules, folder: Path) -> OneSided:
    try:
        return one_sided(rules=rules, path=folder)
    except OSError:  # nowhere to keep it: each process builds its own
        return OneSided.build(rules=rules)
