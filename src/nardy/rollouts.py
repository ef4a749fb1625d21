"""Rollouts: what a position or a play is worth, by playing it out many times (docs/rollouts.md).

The way of a rollout: a question (``_Plan``) makes a job; its trials are cut into chunks, which are
worked on here, in threads or by an executor (``nardy.chunks``), come back in order, and are added
up exactly (``nardy.sums``). After every whole round of 216 trials it is asked whether that is
enough. A checkpoint file holds the sums now and then.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from nardy.chunks import Chunk, worked
from nardy.dice import as_roll, as_word
from nardy.errors import as_int
from nardy.exact import Tables
from nardy.nardy_core import outcomes
from nardy.networks import network
from nardy.outfile import replaced
from nardy.players import Uniform
from nardy.plays import Play, Roll
from nardy.position import Position
from nardy.rolled import PlaysRollout, Rollout, RolloutInterrupted
from nardy.search import Search
from nardy.stakes import Money, Stakes
from nardy.sums import Sums
from nardy.trials import SET, Job
from nardy.values import Evaluator, asked, identity_of, rules_for

__all__ = ["ROUND", "rollout", "rollout_plays"]

ROUND: Final = 216
"""Trials between two looks at whether to stop: 6 of each first throw."""

# Games of a chunk: a second's work of the shipped network. Longer ones waste fewer small batches at
# their end; with variance reduction a game costs 20 times as much (decision 0021).
_GAMES: Final = 4096
_REDUCED_GAMES: Final = 256
# With an executor, whose workers nobody can count: more chunks, so that all have some.
_GAMES_HANDED_OUT: Final = 1024
_SECONDS_BETWEEN_CHECKPOINTS: Final = 1.0
_FORMAT: Final = 1

Progress = Callable[[int, int], object]


def rollout(
    position: Position,
    evaluator: Evaluator | None = None,
    *,
    seed: int,
    trials: int = 1296,
    first: int = 0,
    stakes: Stakes | None = None,
    truncate: int | None = None,
    variance_reduction: bool = False,
    tables: Tables | None = None,
    standard_error: float | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    chunk: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Rollout:
    """Play a position out many times: what it is worth to the side to roll.

    Both sides play the after-state that the evaluator values most (of equals the first).

    Parameters
    ----------
    position : Position
        The side to move is about to roll; it does not double before.
    evaluator : callable, optional
        Rows (m, 32) int8 of the side to roll -> its chances (m, 5) or equity (m,). By default
        ``nardy.network(position.rules)``. A ``Search`` looks further ahead. ``nardy.Uniform`` is
        played by the kernel itself: trial i is game i of ``nardy.playouts``.
    seed : int
        0 .. 2**64 - 1.
    trials : int
        A multiple of 36: in any 36 that follow each other each first throw of the dice falls once.
    first : int
        Number of the first trial, a multiple of 36: so parts of a rollout can be made apart, and
        added up with ``+``.
    stakes : Money or MatchPlay, optional
        What the game is played for: by default points, without a cube. With a cube both sides
        double, take and drop as the evaluator's chances and the model of the stakes tell them; of
        the cube's sides 0 is the side to roll.
    truncate : int, optional
        Turns (of both sides) after which the evaluator says what a game is worth. By default games
        are played to their ends.
    variance_reduction : bool
        Whether the luck of the dice, by the evaluator's own reckoning, is taken from the results.
        The mean stays the same, whatever the evaluator says; the error of a trial is some 2.5 (long
        nardy) to 3.7 times smaller, but a trial costs 16 to 23 times as much: more trials are the
        better use of time, unless the evaluator is better than the shipped network.
    tables : Tables, optional
        Games end in a race that these tables hold, with what they say: exact under best play of
        both, whatever the evaluator would have played (docs/rollouts.md).
    standard_error : float, optional
        Stop once the standard error is not above this: asked after every 216 trials.
    threads : int
        Of this process; the result is the same.
    executor : concurrent.futures.Executor, optional
        Works in place of threads: of threads, processes or machines (Dask's
        ``Client.get_executor()``). The evaluator is sent to it, so it must be picklable. The result
        is the same. A chunk that is lost with its worker is worked on again.
    chunk : int, optional
        Trials that are worked on together, a multiple of 36; the result is the same.
    checkpoint : path, optional
        A file that keeps what is done, about every second. If it is there, the rollout goes on from
        it, to the same result as if it had never been interrupted.
    progress : callable, optional
        Called with the trials done and those wanted, after each chunk.

    Returns
    -------
    Rollout

    Raises
    ------
    TypeError, ValueError
        Of an argument; of an evaluator that breaks its contract; a checkpoint of another question.
    RolloutInterrupted
        On Ctrl-C: it holds what is done.

    Notes
    -----
    For an evaluator whose values do not depend on the batch (``nardy.check_evaluator``) the result
    is a function of the question alone, on one kind of processor: of position, evaluator, seed,
    trials, stakes, and how it is played. Trial i is a function of (seed, i). Sums are exact.

    Examples
    --------
    >>> result = nardy.rollout(nardy.Position.start("long"), seed=7, trials=432)
    >>> 0 < result.equity < 0.6, result.trials
    (True, 432)
    """
    _checked_position(position)
    stakes = Money() if stakes is None else _checked_stakes(stakes)
    plan = _Plan(
        position.row[None].copy(), position.rules, evaluator, seed, trials, first, stakes, truncate,
        variance_reduction, tables, threads, executor, chunk, checkpoint, progress,
        may_double_first=False, about={"position": position.row.tolist()},
    )  # fmt: skip
    target = _positive("standard_error", standard_error)

    def enough(sums: Sums) -> bool:
        return target is not None and _made(sums).standard_error <= target

    def _made(sums: Sums) -> Rollout:
        return Rollout(position, plan.question, stakes, sums)

    return plan.run(_made, enough if target is not None else None)


def rollout_plays(
    position: Position,
    roll: Roll,
    evaluator: Evaluator | None = None,
    *,
    seed: int,
    plays: Sequence[Play | str] | None = None,
    candidates: int | None = None,
    trials: int = 1296,
    first: int = 0,
    stakes: Stakes | None = None,
    truncate: int | None = None,
    variance_reduction: bool = False,
    tables: Tables | None = None,
    standard_error: float | None = None,
    clear: float | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    chunk: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> PlaysRollout:
    """Play the plays of a roll out, all on the same dice: which is worth most to who plays it.

    Parameters
    ----------
    position : Position
    roll : two ints 1..6, or a text such as "65"
        That the side to move has thrown.
    evaluator
        As in :func:`rollout`.
    seed : int
    plays : sequence of Play or str, optional
        Which plays; by default all.
    candidates : int, optional
        Only so many, those that the evaluator values most; by default all.
    trials, first
        As in :func:`rollout`: games from each play.
    stakes : Money or MatchPlay, optional
        As in :func:`rollout`: side 0 is the one that plays. After the play the other side may
        double before it rolls.
    truncate, variance_reduction, tables
        As in :func:`rollout`.
    standard_error : float, optional
        Stop once no play's standard error is above this: asked after every 216 trials.
    clear : float, optional
        Stop once the best play leads each other by so many standard errors of the difference:
        likewise. Who looks often errs more often than by a single look: 3 or more is wise.
    threads, executor, chunk, checkpoint, progress
        As in :func:`rollout`.

    Returns
    -------
    PlaysRollout
        A sequence, the best play first.

    Raises
    ------
    TypeError, ValueError, RolloutInterrupted
        As :func:`rollout`; IllegalPlay of a text that is no play of the roll.

    Examples
    --------
    >>> found = nardy.rollout_plays(nardy.Position.start("long"), "33", seed=7, trials=432)
    >>> len(found), found[0].equity >= found[1].equity
    (2, True)
    """
    _checked_position(position)
    stakes = Money() if stakes is None else _checked_stakes(stakes)
    dice = as_roll(roll)
    chosen = evaluator if evaluator is not None else network(position.rules)
    wanted = _chosen_plays(position, dice, plays, candidates, chosen)
    rows = np.array([play.after.row for play in wanted], np.int8)
    plan = _Plan(
        rows, position.rules, chosen, seed, trials, first, stakes.seen_by_other(), truncate,
        variance_reduction, tables, threads, executor, chunk, checkpoint, progress,
        may_double_first=True,
        about={"position": position.row.tolist(), "roll": [*dice], "plays": [*map(str, wanted)]},
    )  # fmt: skip
    target, lead = _positive("standard_error", standard_error), _positive("clear", clear)

    def _made(sums: Sums) -> PlaysRollout:
        return PlaysRollout(position, dice, wanted, plan.question, stakes, sums)

    def enough(sums: Sums) -> bool:
        found = _made(sums)
        small = target is not None and all(entry.standard_error <= target for entry in found)
        return small or (lead is not None and found.lead() >= lead)

    return plan.run(_made, None if target is None and lead is None else enough)


def _chosen_plays(
    position: Position,
    roll: tuple[int, int],
    plays: Sequence[Play | str] | None,
    candidates: int | None,
    evaluator: Evaluator,
) -> list[Play]:
    """Return the plays to be rolled out, in the order of ``position.plays(roll)``."""
    if position.is_over:
        raise ValueError(f"position: its game is over, there is nothing to play: {position!r}")
    legal = position.plays(roll)
    if plays is not None:
        if isinstance(plays, str | Play) or not isinstance(plays, Sequence):
            raise TypeError(f"plays must be a sequence of plays, not {plays!r}")
        found = [legal.find(play) if isinstance(play, str) else play for play in plays]
        for play in found:
            if not isinstance(play, Play) or play not in legal:
                raise ValueError(f"plays: {play!r} is no play of {roll[0]}-{roll[1]} here")
        listed = [play for play in legal if play in found]
        if not listed:
            raise ValueError("plays must name a play at least")
        return listed
    if candidates is None or len(legal) <= _at_least("candidates", candidates, 1):
        return list(legal)
    rolls = np.array([roll], np.int8)
    worth = Search(evaluator, position.rules).after_states(position.row[None], rolls).equities
    best = np.sort(np.argsort(-worth, kind="stable")[:candidates])
    return [legal[place] for place in best.tolist()]


# --- the way of every rollout ---------------------------------------------------------------------


@dataclass
class _Plan:
    """What is asked, and how it is to be worked on."""

    rows: NDArray[np.int8]
    rules: Any
    evaluator: Evaluator | None
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
    progress: Progress | None
    may_double_first: bool
    about: Mapping[str, Any]

    def __post_init__(self) -> None:
        evaluator = network(self.rules) if self.evaluator is None else self.evaluator
        rules_for(evaluator, self.rules)  # which refuses one of the other game
        self.seed = as_word("seed", self.seed)
        self.trials = _sets("trials", self.trials, 1)
        self.first = _sets("first", self.first, 0)
        as_word("first + trials", self.first + self.trials)
        if self.truncate is not None:
            _at_least("truncate", self.truncate, 1)
        if not isinstance(self.variance_reduction, bool):
            raise TypeError(
                f"variance_reduction must be True or False, not {self.variance_reduction!r}"
            )
        if self.tables is not None and not isinstance(self.tables, Tables):
            raise TypeError(f"tables must be a nardy.Tables or None, not {self.tables!r}")
        if self.tables is not None and self.tables.rules != self.rules:
            raise ValueError(f"tables are of {self.tables.rules!r}, not of {self.rules!r}")
        _at_least("threads", self.threads, 1)
        if self.executor is not None and not isinstance(self.executor, Executor):
            raise TypeError(
                f"executor must be a concurrent.futures.Executor or None, not {self.executor!r}"
            )
        if self.executor is not None and self.threads != 1:
            raise ValueError("threads must be 1 with an executor, which has its own")
        if self.chunk is not None:
            self.chunk = _sets("chunk", self.chunk, 1)
        self.job = Job(
            self.rows, self.rules, evaluator, self.seed, self.stakes, self.truncate,
            self.variance_reduction, self.tables, self.may_double_first,
        )  # fmt: skip
        has_chances = self._try_evaluator()
        self.question = {
            "game": self.rules.game,
            "options": self.rules.options(),
            **self.about,
            "evaluator": identity_of(evaluator),
            "seed": self.seed,
            "stakes": repr(self.stakes),
            "truncate": self.truncate,
            "variance_reduction": self.variance_reduction,
            "tables": None if self.tables is None else identity_of(self.tables),
            "has_chances": has_chances,
        }

    def _try_evaluator(self) -> bool:
        """Refuse what cannot be played; tell whether chances will be known."""
        job = self.job
        if isinstance(job.evaluator, Uniform):
            values = not (job.truncate is None and job.tables is None)
            if values or job.variance_reduction or job.stakes.cube is not None:
                raise ValueError(
                    "evaluator: Uniform holds all boards equal, so it can neither value games that "
                    "are cut off, nor measure luck, nor double"
                )
            return True
        running = self.rows[outcomes(self.rows, rules=self.rules) == 0]
        return job.truncate is None or not len(running) or asked(job.evaluator, running).ndim == 2

    def run(self, made: Callable[[Sums], Any], enough: Callable[[Sums], bool] | None) -> Any:
        """Work through the trials; `made` makes a result of sums, `enough` ends it early."""
        sums = self._resumed()
        said = time.monotonic()
        last = self.first + self.trials
        done = sums.ranges[-1][1] if sums.ranges else self.first
        if done >= last or (enough is not None and self._is_round(done) and enough(sums)):
            return made(sums)
        try:
            chunks = self._chunks(done, last, is_round=enough is not None)
            work = worked(self.job, chunks, threads=self.threads, executor=self.executor)
            try:
                for (begin, end), values in work:
                    stop = False
                    for part in self._rounds(begin, end, enough is not None):
                        sums.add(part[0], values[part[0] - begin : part[1] - begin])
                        stop = enough is not None and self._is_round(part[1]) and enough(sums)
                        if stop:
                            break
                    if time.monotonic() - said >= _SECONDS_BETWEEN_CHECKPOINTS:
                        self._keep(sums)
                        said = time.monotonic()
                    if self.progress is not None:
                        self.progress(sums.trials, self.trials)
                    if stop:
                        break
            finally:
                work.close()
        except KeyboardInterrupt:
            self._keep(sums)
            raise RolloutInterrupted(made(sums)) from None
        except BaseException:
            self._keep(sums)
            raise
        self._keep(sums)
        return made(sums)

    def _is_round(self, done: int) -> bool:
        return done > self.first and (done - self.first) % ROUND == 0

    def _rounds(self, begin: int, end: int, cut: bool) -> Iterator[Chunk]:
        """Cut a chunk where rounds end, if that matters."""
        while begin < end:
            size = ROUND - (begin - self.first) % ROUND if cut else end - begin
            yield begin, min(begin + size, end)
            begin += size

    def _chunks(self, done: int, last: int, *, is_round: bool) -> Iterator[Chunk]:
        size = self.chunk or self._chunk_size(last - done, is_round)
        for begin in range(done, last, size):
            yield begin, min(begin + size, last)

    def _chunk_size(self, trials: int, is_round: bool) -> int:
        """Return how many trials make a chunk: whole sets."""
        games = _GAMES if self.executor is None else _GAMES_HANDED_OUT
        if self.variance_reduction:
            games = _REDUCED_GAMES
        most = max(games // (SET * len(self.rows)), 1)
        if is_round:
            most = min(most, ROUND // SET)
        sets = trials // SET
        # As many for each thread, so that they end together.
        chunks = self.threads * -(-sets // (most * self.threads))
        return SET * -(-sets // chunks)

    # --- the checkpoint file

    def _resumed(self) -> Sums:
        """Return the sums that the checkpoint file holds, if it is there."""
        sums = Sums(len(self.rows))
        if self.checkpoint is None or not os.path.exists(self.checkpoint):
            return sums
        path = os.fspath(self.checkpoint)
        try:
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["nardy_rollout"] != _FORMAT:
                raise ValueError(f"version {kept['nardy_rollout']!r}")
            question = dict(kept["question"])
            sums = Sums.from_json(kept, len(self.rows))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"checkpoint: {path} holds no rollout ({error})") from None
        for name, wanted in self.question.items():
            if name not in question or question[name] != wanted:
                raise ValueError(
                    f"checkpoint: {path} is of another question: {name} is "
                    f"{question.get(name)!r} there, {wanted!r} here"
                )
        if len(sums.ranges) > 1 or (sums.ranges and sums.ranges[0][0] != self.first):
            raise ValueError(
                f"checkpoint: {path} holds the trials {sums.ranges}, not those from {self.first} on"
            )
        return sums

    def _keep(self, sums: Sums) -> None:
        if self.checkpoint is None:
            return
        with replaced(self.checkpoint) as file:
            json.dump({"nardy_rollout": _FORMAT, "question": self.question} | sums.as_json(), file)


# --- checks of arguments --------------------------------------------------------------------------


def _checked_position(position: Position) -> None:
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {position!r}")


def _checked_stakes(stakes: Stakes) -> Stakes:
    if not isinstance(stakes, Stakes):
        raise TypeError(f"stakes must be nardy.Money or nardy.MatchPlay, not {stakes!r}")
    return stakes


def _at_least(name: str, value: int, low: int) -> int:
    wanted = f"an int >= {low}"
    number = as_int(name, value, wanted)
    if number < low:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")
    return number


def _sets(name: str, value: int, low: int) -> int:
    """Take a number of trials: whole sets."""
    number = as_int(name, value, f"a multiple of {SET}")
    if number < low or number % SET:
        raise ValueError(
            f"{name} must be a multiple of {SET}: each set of {SET} trials begins with every throw "
            f"once; not {value!r}"
        )
    return number


def _positive(name: str, value: float | None) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number above 0, not {value!r}")
    if not value > 0:
        raise ValueError(f"{name} must be a number above 0, not {value!r}")
    return float(value)
