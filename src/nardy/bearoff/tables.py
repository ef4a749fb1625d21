"""What both kinds of tables share: opening or building one, and finding rows in it."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.bearoff.store import BadTable, cache_folder, load, save
from nardy.bearoff.variants import Variant, checked_limit, variant_of
from nardy.nardy_core import find_in_table, is_race
from nardy.options import Rules

__all__: list[str] = []

Progress = Callable[[int, int], object]


class Table(ABC):
    """A table and the rules under which rows are looked up in it.

    Attributes
    ----------
    points, checkers : int
        A side is in the table if all its checkers still on the board stand on 1..points and are no
        more than `checkers`.
    rules : Rules
    data : ndarray of float64
        The table, read-only (docs/bearoff.md).
    file : Path or None
        Where it is mapped from; None if it was built in memory.
    """

    kind: str
    file: Path | None = None

    def __init__(self, variant: Variant, rules: Rules, data: NDArray[np.float64]) -> None:
        self.points: int = variant.points
        self.checkers: int = variant.checkers
        self.rules = rules
        self.data: NDArray[np.float64] = np.asarray(data).view()
        self.data.flags.writeable = False

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} of {self.points} points, {self.checkers} checkers, {self.rules!r}>"

    @classmethod
    def obtain(
        cls,
        points: int,
        checkers: int | None,
        rules: Rules | str,
        *,
        threads: int,
        path: str | os.PathLike[str] | None,
        limit: int | None,
        progress: Progress | None,
        rebuild: bool,
    ) -> Self:
        """Open the table, or build and save it first."""
        rules = options.rules(rules)
        variant = variant_of(cls.kind, points, checkers, rules)
        if not isinstance(path, str | os.PathLike | None):
            raise TypeError(f"path must be a str or a path, not {path!r}")
        folder = cache_folder() if path is None else Path(path)
        found = None if rebuild else cls._opened(folder, variant, rules, path)
        if found is None:
            checked_limit(limit, cls.kind, variant, rules)
            data, extra = cls._solved(variant, rules, threads, progress)
            save(folder, variant, data, extra)
            del data  # the file is mapped instead: a table is in memory once
            found = cls._opened(folder, variant, rules, path)
            if found is None:
                raise FileNotFoundError(f"{folder}: the table was removed while it was being built")
        return found

    @classmethod
    def _opened(cls, folder: Path, variant: Variant, rules: Rules, path: object) -> Self | None:
        try:
            found = load(folder, variant)
            if found is None:
                return None
            data, said = found
            if not cls._fits(variant, data, said):
                raise BadTable(f"{folder / said['file']} is not what its sidecar says")
            table = cls._made(variant, rules, data, said)
            table.file = folder / said["file"]
            return table
        except BadTable as wrong:
            command = variant.command(rules, None if path is None else str(folder))
            raise ValueError(f"{wrong}; to build it anew: {command}") from None

    @classmethod
    def build(
        cls,
        points: int = 6,
        checkers: int | None = None,
        rules: Rules | str = options.LONG,
        *,
        threads: int = 1,
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Build the table in memory, without a file; parameters as of the function that opens."""
        rules = options.rules(rules)
        variant = variant_of(cls.kind, points, checkers, rules)
        checked_limit(limit, cls.kind, variant, rules)
        return cls._made(variant, rules, *cls._solved(variant, rules, threads, progress))

    @classmethod
    @abstractmethod
    def _solved(
        cls, variant: Variant, rules: Rules, threads: int, progress: Progress | None
    ) -> tuple[NDArray[np.float64], dict[str, int]]:
        """Return the array of the table, and what its sidecar says beside the shape."""

    @classmethod
    @abstractmethod
    def _fits(cls, variant: Variant, data: NDArray[np.float64], said: dict[str, Any]) -> bool:
        """Tell whether an array that was opened has the shape of the table."""

    @classmethod
    @abstractmethod
    def _made(
        cls, variant: Variant, rules: Rules, data: NDArray[np.float64], extra: dict[str, Any]
    ) -> Self:
        """Return the table that holds the array."""

    # --- rows

    def _find(
        self, rows: NDArray[np.int8], both: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        if both:
            return find_in_table(rows, rules=self.rules, points=self.points, checkers=self.checkers)
        return find_in_table(
            rows, rules=self.rules, points=self.points, checkers=self.checkers, both=False
        )

    def _own(self, rows: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the placement of the side to roll in each row; all must be covered."""
        own, _ = self._find(rows, False)
        if len(own) and own.min() < 0:
            self._refuse(rows, own < 0)
        return own

    def _both(self, rows: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return both placements of each row; all must be covered."""
        own, opponent = self._find(rows, True)
        assert opponent is not None
        if len(own) and min(own.min(), opponent.min()) < 0:
            self._refuse(rows, (own < 0) | (opponent < 0))
        return own, opponent

    def missing(self, row: NDArray[np.int8]) -> str:
        """Say of one row (32,) that is not in the table what the table holds, for an error.

        Examples
        --------
        >>> table = nardy.bearoff.one_sided(points=6, checkers=15, rules=nardy.LONG)
        >>> table.missing(nardy.Position.start("long").row)  # doctest: +ELLIPSIS
        'is not in this table, which holds a race ...; it is no race: [0, ...'
        """
        wanted = (
            f"a race with at most {self.checkers} checkers a side on the board, all on points"
            f" 1..{self.points}"
        )
        if self.rules.game == "long" and self.rules.block == "strict":
            wanted += ", no six points in a row"
        if not is_race(row[np.newaxis], rules=self.rules)[0]:
            wanted += "; it is no race"
        return f"is not in this table, which holds {wanted}: {row.tolist()}"

    def _refuse(self, rows: NDArray[np.int8], bad: NDArray[np.bool_]) -> None:
        """Raise the error for the first row that the table does not hold."""
        row = int(bad.argmax())
        raise ValueError(f"rows: row {row} {self.missing(rows[row])}")
