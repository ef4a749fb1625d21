"""Sums of trials: all that a rollout keeps of its games, as whole numbers.

Values come as whole parts of a point (``nardy.trials.UNIT``), and Python's ints have no end. So
sums are the same in whatever order and on whatever machines they were made, and of two rollouts of
the same question that share no trial the sum is what one rollout of both would have kept.

The error is that of a stratified sample: within each set of 36 trials the first throws are all 36,
so it is only what varies among trials of the same first throw that makes a mean uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.trials import NUMBERS, SET, UNIT

__all__ = ["Sums"]

_CHANCES: Final = NUMBERS - 1


class Sums:
    """Sums over some trials of k subjects: of none when made; what is added makes new ones.

    So Ctrl-C leaves none of them half done.

    Examples
    --------
    >>> sums = Sums.of(0, np.full((36, 1, 6), UNIT // 2))
    >>> sums.trials, sums.ranges, float(sums.means()[0, 0])
    (36, ((0, 36),), 0.5)
    """

    __slots__ = ("products", "ranges", "squares", "strata")

    def __init__(self, subjects: int) -> None:
        self.ranges: tuple[tuple[int, int], ...] = ()
        """The trials that are in: from, up to; apart from each other, rising."""
        # Of each first throw; then of all: products of the worths of two subjects, and squares of
        # chances.
        self.strata = np.zeros((SET, subjects, NUMBERS), object)
        self.products = np.zeros((subjects, subjects), object)
        self.squares = np.zeros((subjects, _CHANCES), object)

    @property
    def trials(self) -> int:
        """How many trials are in."""
        return sum(last - first for first, last in self.ranges)

    @classmethod
    def of(cls, first: int, values: NDArray[np.int64]) -> Sums:
        """Sum whole sets of trials up, int64 (trials, k, 6), the first of them number `first`."""
        sums = cls(values.shape[1])
        exact = values.astype(object)
        worths, chances = exact[:, :, 0], exact[:, :, 1:]
        sums.ranges = ((first, first + len(values)),)
        sums.strata = exact.reshape(-1, *sums.strata.shape).sum(axis=0)
        sums.products = worths.T @ worths
        sums.squares = (chances * chances).sum(axis=0)
        return sums

    def __add__(self, other: Sums) -> Sums:
        total = Sums(len(self.products))
        total.ranges = _joined(self.ranges, other.ranges)
        total.strata = self.strata + other.strata
        total.products = self.products + other.products
        total.squares = self.squares + other.squares
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sums) and self.as_json() == other.as_json()

    __hash__ = None  # type: ignore[assignment]

    def means(self) -> NDArray[np.float64]:
        """Return the means of each subject: worth and five chances, float64 (k, 6); NaN of none."""
        if not self.trials:
            return np.full(self.strata.shape[1:], np.nan)
        means: NDArray[np.float64] = (self.strata.sum(axis=0) / (self.trials * UNIT)).astype(float)
        return means

    def covariances(self) -> NDArray[np.float64]:
        """Return the covariances of the means of worth: float64 (k, k); infinite of 36 trials."""
        worths = self.strata[:, :, 0]
        return self._within(self.products, worths.T @ worths)

    def chance_errors(self) -> NDArray[np.float64]:
        """Return the standard errors of the means of the chances: float64 (k, 5)."""
        chances = self.strata[:, :, 1:]
        return np.sqrt(self._within(self.squares, (chances * chances).sum(axis=0)))

    def _within(
        self, products: NDArray[np.object_], of_strata: NDArray[np.object_]
    ) -> NDArray[np.float64]:
        """Divide what is left of products within first throws into a variance of the mean."""
        n = self.trials
        if n <= SET:
            return np.full(products.shape, np.inf)
        each = n // SET
        left = each * products - of_strata
        within: NDArray[np.float64] = (left / (each * n * (n - SET) * UNIT * UNIT)).astype(float)
        return within

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the variances."""
        return max(self.trials - SET, 0)

    def as_json(self) -> dict[str, Any]:
        """Return the sums as JSON can hold them."""
        return {
            "trials": [list(part) for part in self.ranges],
            "sums": self.strata.tolist(),
            "products": self.products.tolist(),
            "squares": self.squares.tolist(),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any], subjects: int) -> Sums:
        """Take what :meth:`as_json` gave.

        Raises
        ------
        ValueError, KeyError, TypeError
            Something else.
        """
        sums = cls(subjects)
        for first, last in kept["trials"]:
            if not (_whole(first) and _whole(last) and 0 <= first < last):
                raise ValueError(f"trials {first!r} .. {last!r}")
            if first % SET or last % SET:
                raise ValueError(f"trials {first} .. {last} are no whole sets of {SET}")
            sums.ranges = _joined(sums.ranges, ((first, last),))
        sums.strata = _ints(kept["sums"], sums.strata.shape)
        sums.products = _ints(kept["products"], sums.products.shape)
        sums.squares = _ints(kept["squares"], sums.squares.shape)
        return sums


def _joined(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Join ranges of trials; those that touch become one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted([*one, *other]):
        if joined and first < joined[-1][1]:
            raise ValueError(
                f"other must hold no trial that is in already; both hold trial {first}"
            )
        if joined and first == joined[-1][1]:
            first, _ = joined.pop()
        joined.append((first, last))
    return tuple(joined)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ints(kept: Any, shape: tuple[int, ...]) -> NDArray[np.object_]:
    array = np.array(kept, object)
    if array.shape != shape or not all(map(_whole, array.ravel().tolist())):
        raise ValueError(f"whole numbers of the shape {shape} are wanted")
    return array
