"""The way of every rollout: a question makes a job, its chunks come back in order and are added up.

After every whole round of 216 trials it can be asked whether that is enough. That depends on the
trials alone, not on how they were cut or who was ready first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from nardy.checkpoints import Checkpoint
from nardy.chunks import worked
from nardy.dice import as_word
from nardy.errors import as_int, as_int_from
from nardy.exact import Tables
from nardy.nardy_core import outcomes
from nardy.options import Rules
from nardy.players import Uniform
from nardy.rolled import PlaysRollout, Rollout, RolloutInterrupted
from nardy.stakes import Stakes
from nardy.sums import Sums
from nardy.trials import SET, Job
from nardy.values import Evaluator, asked, identity_of, rules_for

__all__ = ["ROUND", "Plan", "positive"]

ROUND: Final = 216
"""Trials between two looks at whether to stop: 6 of each first throw."""

# Games of a chunk: a second's work of the shipped network. Longer ones waste fewer small batches at
# their end; with variance reduction a game costs 20 times as much (decision 0021).
_GAMES: Final = 4096
_REDUCED_GAMES: Final = 256
# With an executor, whose workers nobody can count: more chunks, so that all have some.
_GAMES_HANDED_OUT: Final = 1024

Result = TypeVar("Result", Rollout, PlaysRollout)


@dataclass(kw_only=True, eq=False)
class Plan:
    """What is asked, and how it is to be worked on: arguments of ``nardy.rollout``, checked."""

    rows: NDArray[np.int8]
    rules: Rules
    about: Mapping[str, Any]
    """What the question is about, as JSON can hold it: the position, the plays."""
    may_double_first: bool
    evaluator: Evaluator
    seed: int
    trials: int
    first: int
    stakes: Stakes
    truncate: int | None
    variance_reduction: bool
    tables: Tables | None
    threads: int
    executor: Executor | None
    chunk: int | None
    checkpoint: str | os.PathLike[str] | None
    progress: Callable[[int, int], object] | None

    def __post_init__(self) -> None:
        rules_for(self.evaluator, self.rules)  # which refuses one of the other game
        # Ints of NumPy become those of Python, which have no end and fit into JSON.
        self.seed = as_word("seed", self.seed)
        self.trials = _sets("trials", self.trials, SET)
        self.first = as_word("first", _sets("first", self.first, 0))
        as_word("first + trials", self.first + self.trials)
        if self.truncate is not None:
            self.truncate = as_int_from("truncate", self.truncate, 1)
        if not isinstance(self.variance_reduction, bool):
            raise TypeError(
                f"variance_reduction must be True or False, not {self.variance_reduction!r}"
            )
        if self.tables is not None and not isinstance(self.tables, Tables):
            raise TypeError(f"tables must be a nardy.Tables or None, not {self.tables!r}")
        if self.tables is not None and self.tables.rules != self.rules:
            raise ValueError(f"tables are of {self.tables.rules!r}, not of {self.rules!r}")
        self.threads = as_int_from("threads", self.threads, 1)
        if self.executor is not None and not isinstance(self.executor, Executor):
            raise TypeError(
                f"executor must be a concurrent.futures.Executor or None, not {self.executor!r}"
            )
        if self.executor is not None and self.threads != 1:
            raise ValueError("threads must be 1 with an executor, which has its own")
        if self.chunk is not None:
            self.chunk = _sets("chunk", self.chunk, SET)
        if self.progress is not None and not callable(self.progress):
            raise TypeError(f"progress must be a callable or None, not {self.progress!r}")
        if isinstance(self.evaluator, Uniform):
            cut = self.truncate is not None or self.tables is not None
            if cut or self.variance_reduction or self.stakes.cube is not None:
                raise ValueError(
                    "evaluator: Uniform holds all boards equal, so it can neither value games that "
                    "are cut off, nor measure luck, nor double"
                )

    def question(self) -> dict[str, Any]:
        """Return all that the trials depend on, as JSON can hold it; asks the evaluator once."""
        return {
            "game": self.rules.game,
            "options": self.rules.options(),
            **self.about,
            "evaluator": identity_of(self.evaluator),
            "seed": self.seed,
            "stakes": repr(self.stakes),
            "truncate": self.truncate,
            "variance_reduction": self.variance_reduction,
            "tables": None if self.tables is None else identity_of(self.tables),
            "has_chances": self._has_chances(),
        }

    def _has_chances(self) -> bool:
        """Whether chances will be known: they are not where an equity ends a game."""
        running = self.rows[outcomes(self.rows, rules=self.rules) == 0]
        return self.truncate is None or not len(running) or asked(self.evaluator, running).ndim == 2

    def run(
        self,
        question: Mapping[str, Any],
        made: Callable[[Sums], Result],
        enough: Callable[[Result], bool] | None,
    ) -> Result:
        """Work through the trials.

        Parameters
        ----------
        question : mapping
            As :meth:`question` gave it.
        made : callable
            Makes a result of sums.
        enough : callable or None
            Asked after every round whether its result will do.

        Raises
        ------
        RolloutInterrupted
            On Ctrl-C, with what is done.
        """
        kept = Checkpoint(self.checkpoint, question)
        sums = kept.read(len(self.rows), self.first)
        work = self._work(sums, cut=enough is not None)
        try:
            while not self._is_over(sums, made, enough):
                sums = sums + Sums.of(*next(work))
                kept.write_now_and_then(sums)
                if self.progress is not None:
                    self.progress(sums.trials, self.trials)
        except KeyboardInterrupt:
            raise RolloutInterrupted(made(sums)) from None
        finally:
            work.close()
            kept.write(sums)
        return made(sums)

    def _is_over(
        self,
        sums: Sums,
        made: Callable[[Sums], Result],
        enough: Callable[[Result], bool] | None,
    ) -> bool:
        if sums.trials >= self.trials:
            return True
        at_round = sums.trials > 0 and sums.trials % ROUND == 0
        return enough is not None and at_round and enough(made(sums))

    def _work(
        self, sums: Sums, *, cut: bool
    ) -> Generator[tuple[int, NDArray[np.int64]], None, None]:
        """Yield the first number and the values of trials still to be played, in order.

        Pieces are chunks, `cut` where rounds end.
        """
        job = Job(
            self.rows,
            self.rules,
            self.evaluator,
            self.seed,
            self.stakes,
            self.truncate,
            self.variance_reduction,
            self.tables,
            self.may_double_first,
        )
        begin, end = self.first + sums.trials, self.first + self.trials
        size = self._chunk_size(end - begin, ROUND if cut else self.trials)
        chunks = ((first, min(first + size, end)) for first in range(begin, end, size))
        with closing(worked(job, chunks, threads=self.threads, executor=self.executor)) as work:
            for (first, last), values in work:
                place = first
                while place < last:
                    step = ROUND - (place - self.first) % ROUND if cut else last - place
                    yield place, values[place - first : place - first + step]
                    place += step

    def _chunk_size(self, trials: int, most: int) -> int:
        """Return how many trials make a chunk, `most` at most if that is left to us: whole sets."""
        if self.chunk is not None:
            return self.chunk
        games = _GAMES if self.executor is None else _GAMES_HANDED_OUT
        if self.variance_reduction:
            games = _REDUCED_GAMES
        sets = max(min(games // len(self.rows), most) // SET, 1)
        # As many for each thread, so that they end together.
        chunks = self.threads * -(-trials // (SET * sets * self.threads))
        return SET * -(-trials // (SET * chunks))


def _sets(name: str, value: int, low: int) -> int:
    """Take a number of trials: whole sets."""
    number = as_int(name, value, f"a multiple of {SET}")
    if number < low or number % SET:
        raise ValueError(
            f"{name} must be a multiple of {SET}: each set of {SET} trials begins with every throw "
            f"once; not {value!r}"
        )
    return number


def positive(name: str, value: float | None) -> float | None:
    """Take a number above 0, or None.

    Examples
    --------
    >>> positive("clear", 3), positive("clear", None)
    (3.0, None)
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number above 0, not {value!r}")
    if not value > 0:
        raise ValueError(f"{name} must be a number above 0, not {value!r}")
    return float(value)
