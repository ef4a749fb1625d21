"""Duels: many games of one bot against another, side by side on the dice of a seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from nardy.bots import Bot
from nardy.chance import Chances
from nardy.dice import as_word
from nardy.errors import as_int_from
from nardy.nardy_core import outcomes, start_row
from nardy.options import Rules
from nardy.options import rules as named_rules
from nardy.tally import Chance, quantile, wilson

__all__ = ["Duel", "duel"]

# Games side by side: enough for few large batches, their words of chance take 4 MB.
_TOGETHER: Final = 4096


@dataclass(frozen=True, eq=False)
class Duel:
    """What the games of two bots came to, as the first of them sees it.

    Attributes
    ----------
    outcomes : ndarray of int8, shape (games,)
        Points that the first bot won (lost if negative) in each game: +-1, 2, 3.
    turns : ndarray of int32, shape (games,)
        Turns of both sides, passes counted.
    first : int
        Number of the first game. In games of an even number the first bot begins.

    Examples
    --------
    >>> found = Duel(np.array([1, -2, 1, 1], np.int8), np.array([90, 80, 85, 101], np.int32), 0)
    >>> found.games, found.wins.share, found.points
    (4, 0.75, 0.25)
    >>> print(found)
    4 games: won 75.0% (95 % within 30.1% .. 95.4%), 0.250 points a game (-1.220 .. 1.720)
    """

    outcomes: NDArray[np.int8]
    turns: NDArray[np.int32]
    first: int

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.outcomes)

    @property
    def wins(self) -> Chance:
        """Share of games won, with its Wilson 95 % interval: ``share``, ``low``, ``high``."""
        return wilson(int(np.count_nonzero(self.outcomes > 0)), self.games)

    @property
    def points(self) -> float:
        """Points won a game, less those lost."""
        return float(self.outcomes.mean(dtype=np.float64))

    @property
    def standard_error(self) -> float:
        """Standard error of :attr:`points`; infinite for a single game."""
        if self.games < 2:
            return math.inf
        return float(self.outcomes.astype(np.float64).std(ddof=1)) / math.sqrt(self.games)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of :attr:`points`, by the normal distribution.

        Parameters
        ----------
        level : float
            Above 0, below 1.

        Raises
        ------
        ValueError
            Another level.

        Examples
        --------
        >>> found = Duel(np.array([1, -1] * 50, np.int8), np.full(100, 90, np.int32), 0)
        >>> [round(bound, 3) for bound in found.interval()]
        [-0.197, 0.197]
        """
        half = quantile(level) * self.standard_error
        return self.points - half, self.points + half

    def __str__(self) -> str:
        (share, low, high), (least, most) = self.wins, self.interval()
        return (
            f"{self.games:,} games: won {share:.1%} (95 % within {low:.1%} .. {high:.1%}), "
            f"{self.points:.3f} points a game ({least:.3f} .. {most:.3f})"
        )


def duel(
    bot: Bot,
    other: Bot,
    games: int,
    seed: int,
    *,
    rules: Rules | str | None = None,
    first: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Duel:
    """Let two bots play games from the start, each beginning every other one.

    Parameters
    ----------
    bot, other : Bot
        Of the same rules.
    games, seed : int
        How many, >= 1; and of what chance, 0 .. 2**64 - 1.
    rules : Rules or str, optional
        By default the bots'; given, they must be the same.
    first : int
        Number of the first game: parts of a duel can be played apart.
    progress : callable, optional
        Called with the games finished and the games there are, after each turn.

    Returns
    -------
    Duel
        As `bot` sees it.

    Raises
    ------
    TypeError, ValueError
        Of an argument; of an evaluator that breaks its contract.

    Notes
    -----
    Game i is a function of the bots and ``(seed, i)`` alone: word t of the stream of game i of
    ``nardy.playouts`` gives the dice of turn t by its high half, and chooses among equals by its
    low one. The seeds of the bots do not matter. So two bots of ``Uniform`` play the games of
    ``nardy.playouts``, but that they see a win. Where the rules begin with the dice of the
    roll-off, words that throw a double are passed over at the start. In games of an even number
    `bot` begins. What is around the board (cube, last roll) does not enter.

    All games go on together, some thousand at a time, those in which a bot is to move in one batch.
    Ctrl-C ends it within a turn.

    Examples
    --------
    >>> long = [Bot(nardy.Spread("long")), Bot(nardy.Uniform("long"))]
    >>> found = duel(*long, games=200, seed=3)
    >>> found.games, found.wins.share > 0.6
    (200, True)
    """
    for name, player in (("bot", bot), ("other", other)):
        if not isinstance(player, Bot):
            raise TypeError(f"{name} must be a Bot, not {player!r}")
    chosen = bot.rules if rules is None else named_rules(rules)
    for name, player in (("bot", bot), ("other", other)):
        if player.rules != chosen:
            raise ValueError(f"{name} plays by {player.rules!r}, where {chosen!r} is wanted")
    as_int_from("games", games, 1)
    as_word("seed", seed)
    as_word("first + games", as_word("first", first) + games - 1)
    points, turns = np.zeros(games, np.int8), np.zeros(games, np.int32)
    for start in range(0, games, _TOGETHER):
        part = slice(start, min(start + _TOGETHER, games))
        chance = Chances(seed, first + start, part.stop - start)

        def finished(done: int, before: int = start) -> None:
            if progress is not None:
                progress(before + done, games)

        points[part], turns[part] = _played((bot, other), chance, chosen, finished)
    return Duel(points, turns, first)


def _played(
    bots: tuple[Bot, Bot], chance: Chances, rules: Rules, finished: Callable[[int], object]
) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Play the games of a chance to their ends."""
    n = len(chance)
    rows = np.tile(start_row(rules=rules), (n, 1))
    mover = (chance.first % 2 + np.arange(n)) % 2
    points, turns = np.zeros(n, np.int8), np.zeros(n, np.int32)
    if rules.opening == "use_rolloff":
        chance.pass_over_doubles()
    running = np.arange(n)
    while len(running):
        rolls, words = chance.throw(running)
        for side, bot in enumerate(bots):
            mine = mover[running] == side
            if mine.any():
                own = running[mine]
                rows[own] = bot.choose_rows(rows[own], rolls[mine], words=words[mine])
        turns[running] += 1
        mover[running] ^= 1
        ends = outcomes(rows[running], rules=rules)  # of the side that would roll now
        over = ends != 0
        done = running[over]
        points[done] = np.where(mover[done] == 0, ends[over], -ends[over])
        running = running[~over]
        finished(n - len(running))
    return points, turns
