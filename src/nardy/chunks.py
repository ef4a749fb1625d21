"""Chunks of a rollout, worked on wherever an executor puts them, and given back in order.

A chunk is a function of its job and its trials alone, so it can be asked for twice: one that was
lost with its machine is simply asked for again. There is no scheduler here: who works on what, and
where, is the business of the executor (``concurrent.futures``, Dask and others).
"""

from __future__ import annotations

import pickle
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from itertools import islice
from threading import Event
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nardy.trials import Job

__all__ = ["Chunk", "worked"]

Chunk: TypeAlias = tuple[int, int]
"""Trials from the first up to, but without, the last."""

_Values: TypeAlias = NDArray[np.int64]

# Chunks handed out before they are needed: enough for some hundred workers, and little memory.
_AHEAD: Final = 256
# So often a chunk is asked for before it is given up.
_TRIES: Final = 4


def worked(
    job: Job, chunks: Iterable[Chunk], *, threads: int, executor: Executor | None
) -> Generator[tuple[Chunk, _Values], None, None]:
    """Yield the values of each chunk, in the order of the chunks.

    Parameters
    ----------
    job : Job
    chunks : iterable of pairs
    threads : int
        Of this process, without an executor.
    executor : Executor or None

    Raises
    ------
    Exception
        Of the evaluator, as it raised it (a RuntimeError that names it, if it cannot be unpickled);
        of an executor that is broken, or that has lost the same chunk four times.
    """
    if executor is not None:
        yield from _handed_out(job, chunks, executor, None)
    elif threads == 1:
        for first, last in chunks:
            yield (first, last), job.play(first, last)
    else:
        ended = Event()
        with ThreadPoolExecutor(threads) as pool:
            try:
                yield from _handed_out(job, chunks, pool, ended.is_set)
            finally:
                ended.set()  # what is in work stops at its next turn


def _handed_out(
    job: Job,
    chunks: Iterable[Chunk],
    executor: Executor,
    stopped: Callable[[], bool] | None,
) -> Generator[tuple[Chunk, _Values], None, None]:
    def ask(chunk: Chunk, tries: int = 1) -> Future[_Values | _Raised]:
        return executor.submit(_values, job, *chunk, stopped, tries)

    left = iter(chunks)
    asked: deque[tuple[Chunk, Future[_Values | _Raised]]] = deque()
    try:
        for following in islice(left, _AHEAD):
            asked.append((following, ask(following)))
        while asked:
            chunk, future = asked[0]
            values = _result(future)
            tries = 1
            while isinstance(values, _Lost):
                if tries == _TRIES:
                    raise values.error
                tries += 1
                asked[0] = chunk, ask(chunk, tries)
                values = _result(asked[0][1])
            if isinstance(values, _Raised):
                raise values.error
            asked.popleft()
            for following in islice(left, 1):
                asked.append((following, ask(following)))
            yield chunk, values
    finally:
        for _, future in asked:
            future.cancel()


class _Raised:
    """What an evaluator raised. From another process it comes with the word of where."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        error = self.error
        told = "".join(traceback.format_exception(error))
        try:
            packed = pickle.dumps(error)
        except Exception:
            return _raised_elsewhere, (error, told)  # an executor may have means of its own
        try:
            pickle.loads(packed)
        except Exception:  # as of any that wants more than its text: it would break a process pool
            error = RuntimeError(f"the evaluator raised {type(error).__qualname__}: {error}")
        return _raised_elsewhere, (error, told)


def _raised_elsewhere(error: Exception, told: str) -> _Raised:
    error.add_note(f"Where it was raised:\n\n{told}")
    return _Raised(error)


class _Lost:
    """A chunk that did not come back: its worker died, or it was cancelled from outside."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _result(future: Future[_Values | _Raised]) -> _Values | _Raised | _Lost:
    try:
        return future.result()
    except BrokenExecutor:
        raise  # nothing can be asked of it any more
    except Exception as error:
        return _Lost(error)


def _values(
    job: Job, first: int, last: int, stopped: Callable[[], bool] | None, tries: int
) -> _Values | _Raised:
    """Play a chunk, wherever this runs.

    What an evaluator raises comes back as a value: to ask for the chunk again would be no use.
    `tries` tells the calls for a chunk apart: equal ones are one task to Dask, which would answer
    the second with the failure of the first.
    """
    try:
        return job.play(first, last, stopped)
    except Exception as error:
        return _Raised(error)
