"""Evaluators that need no training: exact tables of the end, and games played at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.bearoff.onesided import OneSided, one_sided
from nardy.bearoff.twosided import TwoSided, two_sided
from nardy.dice import as_word
from nardy.errors import as_int_from
from nardy.nardy_core import playouts
from nardy.options import Rules
from nardy.values import CHANCES, Evaluator, as_rows, asked, equities, identity_of, rules_for

__all__ = ["MOST_GAMES", "RandomGames", "Tables"]

AnyTable = TypeVar("AnyTable", OneSided, TwoSided)

# Games that are played in one call: Ctrl-C is heard within it too, this bounds memory.
MOST_GAMES: Final = 1 << 20


class RandomGames:
    """Values boards by uniformly random games from each: the chances are shares of those games.

    Parameters
    ----------
    rules : Rules or str
    games : int
        From each board, 1 .. 2**20.
    seed : int
        0 .. 2**64 - 1.

    Notes
    -----
    Game j of every board is game j of the seed (``nardy.playouts``), whatever else is in the batch.
    So a value is a function of the board and the seed alone, and the boards of a choice are
    compared on the same dice: luck that helps all of them alike does not count. A game of long
    nardy takes 5 microseconds; the standard error of an equity is about ``1.2 / sqrt(games)``.

    Examples
    --------
    >>> start = nardy.Position.start("long").row[None]
    >>> RandomGames("long", games=1000, seed=7)(start).round(2)
    array([[0.53, 0.11, 0.  , 0.07, 0.  ]], dtype=float32)
    """

    def __init__(self, rules: Rules | str, *, games: int = 36, seed: int = 0) -> None:
        self.rules: Rules = options.rules(rules)
        self.games: int = as_int_from("games", games, 1, MOST_GAMES)
        self.seed: int = as_word("seed", seed)

    def __repr__(self) -> str:
        return f"RandomGames({self.rules!r}, games={self.games}, seed={self.seed})"

    @property
    def identity(self) -> str:
        """What tells its values from those of another evaluator.

        Examples
        --------
        >>> RandomGames("long", games=100, seed=3).identity
        '100 random games of seed 3'
        """
        return f"{self.games} random games of seed {self.seed}"

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the chances of rows (m, 32) for the side to roll: float32 (m, 5)."""
        rows = as_rows(rows)
        chances = np.zeros((len(rows), len(CHANCES)), np.float32)
        # A call a board: only there do the games have the same numbers for each. It costs 3
        # microseconds, less than one game.
        for row, into in zip(rows, chances, strict=True):
            ends = playouts(
                np.tile(row, (self.games, 1)), rules=self.rules, seed=self.seed
            ).outcomes
            counts = np.bincount(ends.astype(np.int64) + 3, minlength=7)
            # Outcomes 3, 2, 1 added up are koks, mars and win; likewise -3, -2 of what is lost.
            into[2::-1] = counts[:3:-1].cumsum() / self.games
            into[4:2:-1] = counts[:2].cumsum() / self.games
        return chances


class Tables:
    """Values races of the end by tables (docs/bearoff.md), and leaves the rest to an evaluator.

    Rows that the two-sided table holds get their exact chances under best play; other rows whose
    sides are both in the one-sided table get those of a race in which each side plays as if alone,
    0.001 off in the mean; all others what the evaluator says.

    Parameters
    ----------
    rules : Rules or str
    evaluator : callable, optional
        Of boards that no table holds. Its values must be points or chances: a scale of its own
        cannot be compared with what the tables say. Without one, such a board is a ValueError.
    points : int
        Of both tables: how far from off the men may stand.
    checkers : int
        Of the two-sided table, a side. 0: no such table.
    path : path, optional
        The folder of tables, as in ``nardy.bearoff.one_sided``.

    Notes
    -----
    The tables are opened, or built and kept (0.2 s and 50 MB by default), or built in memory where
    they cannot be kept. With ``bearoff_overshoot="exact"`` there is no two-sided
    table.

    Examples
    --------
    >>> tables = Tables("long")
    >>> sixes = nardy.Position.from_points({6: 6}, {6: 6}, rules="long").row[None]
    >>> tables(sixes).round(4)
    array([[0.6512, 0.    , 0.    , 0.    , 0.    ]], dtype=float32)
    >>> tables.holds(nardy.random_rows(1, rules="long", seed=1))
    array([False])
    """

    def __init__(
        self,
        rules: Rules | str,
        evaluator: Evaluator | None = None,
        *,
        points: int = 6,
        checkers: int = 6,
        path: str | None = None,
    ) -> None:
        chosen = options.rules(rules)
        self.rules: Rules = chosen
        if evaluator is not None and not callable(evaluator):
            raise TypeError(f"evaluator must be a callable or None, not {evaluator!r}")
        if evaluator is not None:
            rules_for(evaluator, chosen)  # which refuses one of the other game
        self.evaluator = evaluator
        self._size = points, checkers, path
        self._has_chances: bool | None = None
        self.race: OneSided = _opened(one_sided, OneSided, points, chosen.checkers, chosen, path)
        self.pairs: TwoSided | None = None
        if checkers and chosen.bearoff_overshoot != "exact":
            most = min(checkers, chosen.checkers)
            self.pairs = _opened(two_sided, TwoSided, points, most, chosen, path)

    def __repr__(self) -> str:
        return f"<Tables of {self.race!r}, {self.pairs!r}, else {self.evaluator!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process opens the tables itself: they are files of 50 MB, or soon built.
        return _tables, (self.rules, self.evaluator, *self._size)

    @property
    def identity(self) -> str:
        """What tells its values from those of another evaluator.

        Examples
        --------
        >>> Tables("long", nardy.Pips("long")).identity
        'tables of 6 points, two-sided of 6 checkers, else nardy.players.Pips'
        """
        points, checkers, _ = self._size
        other = "nothing" if self.evaluator is None else identity_of(self.evaluator)
        return f"tables of {points} points, two-sided of {checkers} checkers, else {other}"

    def holds(self, rows: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Tell which rows the tables value: bool (m,).

        Examples
        --------
        >>> Tables("short").holds(nardy.Position.start("short").row[None])
        array([False])
        """
        own, opponent = self.race._find(rows, True)
        assert opponent is not None
        return (own >= 0) & (opponent >= 0)

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        """Value rows (m, 32) for the side to roll: float32 (m, 5), or (m,) as the evaluator."""
        held = self.holds(rows)
        if held.all():
            known = self._chances(rows)
            return known if self._speaks_of_chances(rows) else equities(known)
        if self.evaluator is None:
            row = int(held.argmin())
            raise ValueError(
                f"rows: row {row} is in no table, and there is no evaluator for it: "
                f"{rows[row].tolist()}"
            )
        if not held.any():  # nearly always: no copy of the rows
            return asked(self.evaluator, rows)
        said = asked(self.evaluator, rows[~held])
        chances = self._chances(rows[held])
        values = np.empty((len(rows), *said.shape[1:]), said.dtype)
        values[~held] = said
        values[held] = chances if said.ndim > 1 else equities(chances)
        return values

    def _speaks_of_chances(self, rows: NDArray[np.int8]) -> bool:
        """Whether the evaluator tells chances: so the same comes out for any batch.

        It is asked once, about a board that the tables hold.
        """
        if self._has_chances is None:
            said = None if self.evaluator is None else asked(self.evaluator, rows[:1])
            self._has_chances = said is None or said.ndim > 1
        return self._has_chances

    def _chances(self, rows: NDArray[np.int8]) -> NDArray[np.float32]:
        chances = self.race.race_outcome(rows)
        if self.pairs is not None:
            exact = self.pairs.covers(rows)
            chances[exact] = self.pairs.chances(rows[exact])
        # What the tables round may be a unit in the last place beyond a chance.
        return np.clip(chances, 0, 1).astype(np.float32)


def _tables(
    rules: Rules, evaluator: Evaluator | None, points: int, checkers: int, path: str | None
) -> Tables:
    """Open tables again, in another process: once there, for to check them costs 60 ms."""
    tables = object.__new__(Tables)  # copy() would come back here
    vars(tables).update(vars(_kept(rules, points, checkers, path)), evaluator=evaluator)
    return tables


@lru_cache(maxsize=2)
def _kept(rules: Rules, points: int, checkers: int, path: str | None) -> Tables:
    return Tables(rules, points=points, checkers=checkers, path=path)


def _opened(
    opener: Callable[..., AnyTable],
    kind: type[AnyTable],
    points: int,
    checkers: int,
    rules: Rules,
    path: str | None,
) -> AnyTable:
    try:
        return opener(points, checkers, rules, path=path)
    except OSError:  # nowhere to keep it
        return kind.build(points, checkers, rules)
