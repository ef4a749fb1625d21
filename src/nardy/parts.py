"""The parts of a batch that threads share: handed out in order, ended together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Condition, Thread
from typing import TypeVar

__all__ = ["shared"]

Result = TypeVar("Result")

# A part is this share of what each thread would still have: long ones first, then ever shorter
# ones, so that threads end together. Equal parts, eight a thread, left one of two threads idle for
# half a part at the end: a twentieth of the call.
_SHARE = 4
# Times `least` that a part holds at most: a failure ends the call when the parts in work are done.
_LONGEST = 64


def shared(
    n: int, least: int, threads: int, work: Callable[[int, int], Result], end: Callable[[], None]
) -> list[Result]:
    """Call ``work(first, last)`` for the parts of ``range(n)`` in threads; the results in order.

    The calling thread is one of them: it alone hears Ctrl-C. To start one more costs 50
    microseconds; two of a ``ThreadPoolExecutor``, with futures to wait for, cost 360 to 780.

    Parameters
    ----------
    n : int
        Number of items.
    least : int
        Items of a part at least, but for the last one.
    threads : int
    work : callable
        Releases the GIL while it works; looks for the flag that `end` sets. If it fails, no more
        parts are begun, and the failure of the first part that has one is raised.
    end : callable
        Called when the caller is interrupted: the others stop early.

    Examples
    --------
    >>> shared(5, 2, 2, lambda first, last: (first, last), lambda: None)
    [(0, 2), (2, 4), (4, 5)]
    """
    parts = enumerate(_parts(n, least, threads))
    results: dict[int, Result] = {}
    failures: dict[int, Exception] = {}
    change = Condition()  # guards `parts` and `gone`
    started = gone = 0
    over = False

    def work_on() -> None:
        while not (failures or over):
            with change:
                number, part = next(parts, (-1, (0, 0)))
            if number < 0:
                return
            try:
                results[number] = work(*part)
            except Exception as error:
                failures[number] = error

    def help_out() -> None:
        nonlocal gone
        try:
            work_on()
        finally:
            with change:
                gone += 1
                change.notify()

    def wait() -> None:
        # Not Thread.join: Python 3.11 takes a thread for ended once its join was interrupted.
        with change:
            change.wait_for(lambda: gone == started)

    try:
        while started < threads - 1:
            Thread(target=help_out).start()
            started += 1
        work_on()
        wait()
    except BaseException:
        over = True
        end()
        wait()
        raise
    if failures:
        raise failures[min(failures)]
    return [results[number] for number in range(len(results))]


def _parts(n: int, least: int, threads: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < n:
        size = max(min((n - first) // (_SHARE * threads), _LONGEST * least), least)
        yield first, min(first + size, n)
        first += size
