"""The parts of a batch that threads share: handed out in order, bounded ahead, ended together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["shared"]

Result = TypeVar("Result")

# A part for each thread is worked on while one more lies ready: what waits for its turn is bounded.
_AHEAD = 2
# Parts a thread: enough that threads end together, few enough that a part is long (>= `least`).
_PARTS = 8


def shared(
    n: int, least: int, threads: int, work: Callable[[int, int], Result], end: Callable[[], None]
) -> Iterator[Result]:
    """Call ``work(first, last)`` for the parts of ``range(n)`` in threads; yield results in order.

    Parameters
    ----------
    n : int
        Number of items.
    least : int
        Items of a part at least; a part holds at most 64 times as many.
    threads : int
    work : callable
        Releases the GIL while it works; looks for the flag that `end` sets.
    end : callable
        Called when a part fails, the caller is interrupted or wants no more: the others stop early.

    Examples
    --------
    >>> list(shared(5, 2, 2, lambda first, last: (first, last), lambda: None))
    [(0, 2), (2, 4), (4, 5)]
    """
    # Here, for most calls have one thread: a twelfth of the time that importing nardy takes.
    from concurrent.futures import ThreadPoolExecutor

    part = max(least, min(n // (_PARTS * threads), 64 * least))
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for first in range(0, n, part):
                if len(waiting) == _AHEAD * threads:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(work, first, min(first + part, n)))
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            end()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
