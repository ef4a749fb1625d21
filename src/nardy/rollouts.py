"""Rollouts: what a position or a play is worth, by playing it out many times (docs/rollouts.md).

The way of a rollout: a plan (``nardy.plans``) makes a job of the question; its trials (``trials``)
are cut into chunks, which are worked on here, in threads or by an executor (``chunks``), come back
in order, and are added up exactly (``sums``). A file (``checkpoints``) keeps the sums now and then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np

from nardy.dice import as_roll
from nardy.errors import as_int_from
from nardy.exact import Tables
from nardy.networks import network
from nardy.plans import Plan, positive
from nardy.plays import Play, Roll
from nardy.position import Position
from nardy.rolled import PlaysRollout, Rollout
from nardy.search import Search
from nardy.stakes import Money, Stakes
from nardy.sums import Sums
from nardy.values import Evaluator

__all__ = ["rollout", "rollout_plays"]

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
        The mean stays the same, whatever the evaluator says; the error of a trial is some 2.4 (long
        nardy) to 3.5 times smaller, but a trial costs some 20 times as much: more trials are the
        better use of time, unless the evaluator is much better than the shipped network.
    tables : Tables, optional
        Games end in a race that these tables hold, with what they say: exact under best play of
        both, whatever the evaluator would have played. With a cube their chances go through the
        model of the stakes, as an evaluator's do.
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
        it, to the same result as if it had never been interrupted. Does it hold more trials than
        are asked for, or than would have been enough, the result is of all of them.
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
    played_for = _checked_stakes(stakes)
    target = positive("standard_error", standard_error)
    plan = Plan(
        rows=position.row[None].copy(),
        rules=position.rules,
        about={"position": position.row.tolist()},
        may_double_first=False,
        evaluator=network(position.rules) if evaluator is None else evaluator,
        seed=seed,
        trials=trials,
        first=first,
        stakes=played_for,
        truncate=truncate,
        variance_reduction=variance_reduction,
        tables=tables,
        threads=threads,
        executor=executor,
        chunk=chunk,
        checkpoint=checkpoint,
        progress=progress,
    )
    question = plan.question()

    def made(sums: Sums) -> Rollout:
        return Rollout(position, question, played_for, sums)

    def enough(found: Rollout) -> bool:
        return target is not None and found.standard_error <= target

    return plan.run(question, made, None if target is None else enough)


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
    played_for = _checked_stakes(stakes)
    target, lead = positive("standard_error", standard_error), positive("clear", clear)
    dice = as_roll(roll)
    chosen = network(position.rules) if evaluator is None else evaluator
    wanted = _chosen_plays(position, dice, plays, candidates, chosen)
    plan = Plan(
        rows=np.array([play.after.row for play in wanted], np.int8),
        rules=position.rules,
        about={
            "position": position.row.tolist(),
            "roll": [*dice],
            "plays": [str(play) for play in wanted],
        },
        may_double_first=True,
        evaluator=chosen,
        seed=seed,
        trials=trials,
        first=first,
        stakes=played_for.seen_by_other(),
        truncate=truncate,
        variance_reduction=variance_reduction,
        tables=tables,
        threads=threads,
        executor=executor,
        chunk=chunk,
        checkpoint=checkpoint,
        progress=progress,
    )
    question = plan.question()

    def made(sums: Sums) -> PlaysRollout:
        return PlaysRollout(position, dice, wanted, question, played_for, sums)

    def enough(found: PlaysRollout) -> bool:
        small = target is not None and all(entry.standard_error <= target for entry in found)
        return small or (lead is not None and found.lead() >= lead)

    return plan.run(question, made, None if target is None and lead is None else enough)


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
    if candidates is None or len(legal) <= as_int_from("candidates", candidates, 1):
        return list(legal)
    rolls = np.array([roll], np.int8)
    worth = Search(evaluator, position.rules).after_states(position.row[None], rolls).equities
    best = np.sort(np.argsort(-worth, kind="stable")[:candidates])
    return [legal[place] for place in best.tolist()]


def _checked_position(position: Position) -> None:
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {position!r}")


def _checked_stakes(stakes: Stakes | None) -> Stakes:
    if stakes is None:
        return Money()
    if not isinstance(stakes, Stakes):
        raise TypeError(f"stakes must be nardy.Money or nardy.MatchPlay, not {stakes!r}")
    return stakes
