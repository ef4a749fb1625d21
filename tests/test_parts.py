"""Threads share the parts of a batch: each part once, results in order, no thread left behind."""

import threading
from itertools import pairwise, product

import pytest

from nardy.parts import shared

N = (0, 1, 2, 7, 48, 1000)


def never() -> None:
    raise AssertionError("nobody has interrupted anything")


@pytest.mark.parametrize(("n", "least", "threads"), [*product(N, (1, 3, 16), (1, 2, 5))])
def test_each_item_is_in_one_part_and_results_are_in_order(
    n: int, least: int, threads: int
) -> None:
    parts = shared(n, least, threads, lambda first, last: (first, last), never)
    assert [0, *(last for _, last in parts)] == [*(first for first, _ in parts), n]
    sizes = [last - first for first, last in parts]
    assert all(size >= least for size in sizes[:-1])
    assert all(before >= after for before, after in pairwise(sizes)), "ever shorter"


def test_the_calling_thread_works_and_no_more_threads_than_wanted() -> None:
    seen = set()
    together = threading.Barrier(3, timeout=20)

    def work(first: int, last: int) -> None:
        seen.add(threading.get_ident())
        if first < 3:
            together.wait()  # three parts at the same time: three threads

    shared(8, 1, 3, work, never)
    assert len(seen) == 3 and threading.get_ident() in seen


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_failure_of_the_first_part_counts(threads: int) -> None:
    later_has_failed = threading.Event()
    begun = []

    def work(first: int, last: int) -> None:
        begun.append(first)
        if first == 1:
            if threads > 1:
                assert later_has_failed.wait(20)
            raise ValueError("the second part")
        if first == 2:
            later_has_failed.set()
            raise ValueError("the third part")

    before = threading.active_count()
    with pytest.raises(ValueError, match="the second part"):
        shared(7, 1, threads, work, never)
    assert threads > 1 or begun == [0, 1], "nothing is begun any more"
    assert threading.active_count() == before


def test_an_interrupted_caller_ends_the_others_and_waits_for_them() -> None:
    stopped, others = threading.Event(), threading.Event()
    caller = threading.current_thread()
    ended = []

    def work(first: int, last: int) -> None:
        if threading.current_thread() is caller:
            assert others.wait(20)
            raise KeyboardInterrupt
        others.set()
        assert stopped.wait(20)
        ended.append(first)

    with pytest.raises(KeyboardInterrupt):
        shared(8, 1, 2, work, stopped.set)
    assert len(ended) == 1, "one was at work, and began no other part"


def test_where_no_thread_can_be_started_the_call_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    stopped = threading.Event()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="start new thread"):
        shared(8, 1, 2, lambda first, last: None, stopped.set)
    assert stopped.is_set()
