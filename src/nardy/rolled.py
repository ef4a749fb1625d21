"""What a rollout has found: means with their errors, of a position or of the plays of a roll."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from nardy.plays import Play
from nardy.position import Position
from nardy.stakes import Stakes
from nardy.sums import Sums
from nardy.tally import quantile
from nardy.values import CHANCES, turned

__all__ = ["PlaysRollout", "RolledPlay", "Rollout", "RolloutInterrupted", "difference"]


def difference(here: Mapping[str, Any], there: Mapping[str, Any]) -> str | None:
    """Say in what another question differs first; None if it is the same.

    Examples
    --------
    >>> difference({"game": "long", "seed": 1}, {"game": "long", "seed": 2})
    'seed is 2 there, 1 here'
    """
    for name, asked in here.items():
        if name not in there or there[name] != asked:
            return f"{name} is {there.get(name)!r} there, {asked!r} here"
    return None


class _Found:
    """What both kinds of rollouts keep: the question, word for word, and the sums of its trials."""

    __slots__ = ("question", "stakes", "sums")

    def __init__(self, question: Mapping[str, Any], stakes: Stakes, sums: Sums) -> None:
        self.question = question
        self.stakes = stakes
        self.sums = sums

    @property
    def trials(self) -> int:
        """How many games were played from each board."""
        return self.sums.trials

    def _merged(self, other: object) -> Sums:
        if not isinstance(other, type(self)):
            raise TypeError(f"other must be a {type(self).__name__}, not {other!r}")
        apart = difference(self.question, other.question)
        if apart is not None:
            raise ValueError(f"other must be of the same question: {apart}")
        return self.sums + other.sums

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, type(self))
            and self.question == other.question
            and self.sums == other.sums
        )

    __hash__ = None  # type: ignore[assignment]

    def _has_chances(self) -> bool:
        return bool(self.question["has_chances"])


class Rollout(_Found):
    """What a position is worth to the side to roll, by games played from it.

    Attributes
    ----------
    position : Position
    stakes : Money or MatchPlay
        What the games were played for.
    question : dict
        All that the trials depend on, as JSON can hold it.
    sums : Sums
        Exact sums of the trials.

    Examples
    --------
    >>> result = nardy.rollout(nardy.Position.start("long"), trials=36, seed=7)
    >>> result.trials, result.chances.shape
    (36, (5,))
    >>> more = nardy.rollout(nardy.Position.start("long"), trials=36, seed=7, first=36)
    >>> result + more == nardy.rollout(nardy.Position.start("long"), trials=72, seed=7)
    True
    """

    __slots__ = ("position",)

    def __init__(
        self, position: Position, question: Mapping[str, Any], stakes: Stakes, sums: Sums
    ) -> None:
        super().__init__(question, stakes, sums)
        self.position = position

    @property
    def equity(self) -> float:
        """Mean worth of a game to the side to roll: points, or the chance to win the match."""
        return float(self.sums.means()[0, 0])

    @property
    def standard_error(self) -> float:
        """Standard error of :attr:`equity`; infinite for 36 trials."""
        return math.sqrt(self.sums.covariances()[0, 0])

    @property
    def chances(self) -> NDArray[np.float64] | None:
        """Chances in the order of ``nardy.CHANCES``: float64 (5,).

        None where games were cut off and the evaluator knows no chances. By variance reduction
        they may leave 0..1 by their error.
        """
        return self.sums.means()[0, 1:] if self._has_chances() else None

    @property
    def chance_errors(self) -> NDArray[np.float64] | None:
        """Standard errors of :attr:`chances`."""
        return self.sums.chance_errors()[0] if self._has_chances() else None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of :attr:`equity`: of so many rollouts' it covers the true value.

        Parameters
        ----------
        level : float
            Above 0, below 1.

        Raises
        ------
        ValueError
            Another level.

        Notes
        -----
        By Student's t. True is what more and more games of the same evaluator come to: how well it
        plays is not in it.

        Examples
        --------
        >>> result = nardy.rollout(nardy.Position.start("long"), trials=216, seed=7)
        >>> low, high = result.interval()
        >>> low < result.equity < high
        True
        """
        half = quantile(level, self.sums.freedom) * self.standard_error
        return self.equity - half, self.equity + half

    def __add__(self, other: Rollout) -> Rollout:
        """Put the trials of two rollouts of the same question together, exactly."""
        sums = self._merged(other)
        return Rollout(self.position, self.question, self.stakes, sums)

    def __repr__(self) -> str:
        return f"<Rollout {self}>"

    def __str__(self) -> str:
        low, high = self.interval()
        text = (
            f"{self.equity:+.4f} ({low:+.4f} .. {high:+.4f}, standard error "
            f"{self.standard_error:.4f}), {self.trials:,} trials"
        )
        if self.chances is None:
            return text
        named = zip(CHANCES, self.chances, strict=True)
        return f"{text}: " + ", ".join(f"{name} {chance:.2%}" for name, chance in named)


class RolledPlay(NamedTuple):
    """A play and what it is worth to the side that plays.

    Examples
    --------
    >>> found = nardy.rollout_plays(nardy.Position.start("long"), "33", trials=72, seed=7)
    >>> found[0].behind, found[1].behind > 0
    (0.0, True)
    """

    play: Play
    equity: float
    """Mean worth of a game: points, or the chance to win the match."""
    standard_error: float
    chances: NDArray[np.float64] | None
    """In the order of ``nardy.CHANCES``, of the side that plays; None where unknown."""
    behind: float
    """How much less it is worth than the best play: >= 0."""
    behind_error: float
    """Standard error of that. All plays are played out on the same dice, so it is mostly smaller
    than those of the two equities suggest."""


class PlaysRollout(_Found, Sequence[RolledPlay]):
    """The plays of a roll by what they are worth, the best first.

    A sequence of :class:`RolledPlay`.

    Attributes
    ----------
    position : Position
    roll : pair of ints
    plays : tuple of Play
        Those that were played out, in the order of ``position.plays(roll)``.
    stakes, question, sums
        As in :class:`Rollout`; the sums are of the side that rolls next.

    Examples
    --------
    >>> found = nardy.rollout_plays(nardy.Position.start("long"), "33", trials=216, seed=7)
    >>> len(found), found.trials, str(found.best) == str(found[0].play)
    (2, 216, True)
    """

    __slots__ = ("plays", "position", "ranked", "roll")

    def __init__(
        self,
        position: Position,
        roll: tuple[int, int],
        plays: Sequence[Play],
        question: Mapping[str, Any],
        stakes: Stakes,
        sums: Sums,
    ) -> None:
        super().__init__(question, stakes, sums)
        self.position, self.roll, self.plays = position, roll, tuple(plays)
        self.ranked = self._ranked()

    def _ranked(self) -> list[RolledPlay]:
        means, spread = self.sums.means(), self.sums.covariances().tolist()
        # The subjects are what the plays lead to, seen by the side that rolls next.
        equities = self.stakes.flipped(means[:, 0])
        chances = turned(means[:, 1:])
        order = np.argsort(-equities, kind="stable").tolist()
        top = order[0]
        ranked = []
        for place in order:
            # Rounding may leave the variance of nearly nothing below 0; of 36 trials none is known.
            apart = spread[place][place] + spread[top][top] - 2 * spread[place][top]
            behind_error = math.inf if math.isnan(apart) else math.sqrt(max(apart, 0.0))
            ranked.append(
                RolledPlay(
                    self.plays[place],
                    float(equities[place]),
                    math.sqrt(spread[place][place]),
                    chances[place] if self._has_chances() else None,
                    float(equities[top] - equities[place]),
                    0.0 if place == top else behind_error,
                )
            )
        return ranked

    @overload
    def __getitem__(self, place: int) -> RolledPlay: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RolledPlay]: ...
    def __getitem__(self, place: int | slice) -> RolledPlay | Sequence[RolledPlay]:
        return self.ranked[place]

    def __len__(self) -> int:
        return len(self.ranked)

    def __iter__(self) -> Iterator[RolledPlay]:
        return iter(self.ranked)

    @property
    def best(self) -> Play:
        """The play that is worth most."""
        return self.ranked[0].play

    def interval(self, place: int = 0, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the equity of the play in a place, as :meth:`Rollout.interval`.

        Examples
        --------
        >>> found = nardy.rollout_plays(nardy.Position.start("long"), "33", trials=72, seed=7)
        >>> low, high = found.interval(1)
        >>> low < found[1].equity < high
        True
        """
        half = quantile(level, self.sums.freedom) * self.ranked[place].standard_error
        return self.ranked[place].equity - half, self.ranked[place].equity + half

    def lead(self) -> float:
        """Return how clearly the best play is best: in standard errors, over the nearest other.

        Infinite where there is one play, or nothing varies.

        Examples
        --------
        >>> nardy.rollout_plays(nardy.Position.start("long"), "66", trials=36, seed=7).lead()
        inf
        """
        leads = [
            entry.behind / entry.behind_error if entry.behind_error else math.inf * entry.behind
            for entry in self.ranked[1:]
        ]
        # Two plays that are worth the same in every game: neither leads.
        return min((0.0 if math.isnan(lead) else lead for lead in leads), default=math.inf)

    def __add__(self, other: PlaysRollout) -> PlaysRollout:
        """Put the trials of two rollouts of the same question together, exactly."""
        sums = self._merged(other)
        return PlaysRollout(self.position, self.roll, self.plays, self.question, self.stakes, sums)

    def __repr__(self) -> str:
        large, small = self.roll
        return f"<PlaysRollout of {large}-{small}: {self.best}, {self.trials:,} trials>"

    def __str__(self) -> str:
        wide = quantile(0.95, self.sums.freedom)
        lines = []
        for place, entry in enumerate(self.ranked):
            line = f"{entry.equity:+.4f} +-{wide * entry.standard_error:.4f}"
            if place:
                line += f"  {-entry.behind:+.4f} +-{wide * entry.behind_error:.4f}"
            lines.append(f"{line}  {entry.play}")
        return "\n".join(lines)


class RolloutInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a rollout. What was done by then is its :attr:`result`.

    Attributes
    ----------
    result : Rollout or PlaysRollout
        Of the chunks that were finished; perhaps of 0 trials, and then its numbers are NaN.

    Examples
    --------
    >>> def stop(done, wanted):
    ...     raise KeyboardInterrupt
    >>> try:
    ...     nardy.rollout(nardy.Position.start("long"), seed=7, chunk=72, progress=stop)
    ... except nardy.RolloutInterrupted as ended:
    ...     print(ended, ended.result.trials)
    interrupted after 72 trials 72
    """

    def __init__(self, result: Rollout | PlaysRollout) -> None:
        super().__init__(result)  # which pickle gives back
        self.result = result

    def __str__(self) -> str:
        return f"interrupted after {self.result.trials:,} trials"
