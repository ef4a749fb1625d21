"""A rollout is the same wherever it is worked on, however it is cut, interrupted and resumed."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from threading import Event, Lock
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nardy
from nardy import checkpoints, chunks, plans, sums

LONG = nardy.Position.start("long")
SHORT = nardy.Position.start("short")
TRIALS = 864

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals as POSIX does")

Rolled = nardy.Rollout | nardy.PlaysRollout


def position(**how: Any) -> nardy.Rollout:
    return nardy.rollout(LONG, **{"seed": 5, "trials": TRIALS, "truncate": 6} | how)


def plays(**how: Any) -> nardy.PlaysRollout:
    asked: dict[str, Any] = {"seed": 6, "trials": TRIALS, "truncate": 5, "candidates": 3}
    return nardy.rollout_plays(SHORT, "31", **asked | how)


def reduced(**how: Any) -> nardy.PlaysRollout:
    asked: dict[str, Any] = {"seed": 7, "trials": 216, "truncate": 2, "variance_reduction": True}
    return nardy.rollout_plays(LONG, "33", **asked | how)


def at_random(**how: Any) -> nardy.Rollout:
    return nardy.rollout(SHORT, nardy.Uniform("short"), **{"seed": 8, "trials": TRIALS} | how)


@cache
def tables() -> nardy.Tables:
    return nardy.Tables("long", nardy.network("long"))


def ended_by_tables(**how: Any) -> nardy.PlaysRollout:
    race = nardy.Position.from_points({8: 2, 6: 3, 5: 2}, {7: 2, 4: 4}, rules="long")
    asked: dict[str, Any] = {"seed": 9, "trials": TRIALS, "tables": tables()}
    return nardy.rollout_plays(race, "21", tables(), **asked | how)


def until_small(**how: Any) -> nardy.Rollout:
    return position(trials=3600, standard_error=0.01, **how)


def until_clear(**how: Any) -> nardy.PlaysRollout:
    return plays(trials=3600, clear=2.0, **how)


QUESTIONS = [position, plays, reduced, at_random, ended_by_tables, until_small, until_clear]
question = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.__name__)


@cache
def truth(asked: Callable[..., Rolled]) -> Rolled:
    """What one thread finds, left to choose its chunks."""
    return asked()


def assert_same(found: Rolled, asked: Callable[..., Rolled]) -> None:
    assert found == truth(asked)
    assert (str(found), found.trials) == (str(truth(asked)), truth(asked).trials)


class Counted:
    """Values boards by nothing but their pips; calls what is to happen at one of its calls."""

    rules = nardy.LONG
    identity = "pips of the tests"

    def __init__(self, at: int = 0, then: Callable[[], object] | None = None) -> None:
        self.pips = nardy.Pips("long")
        self.calls, self.at, self.then = count(1), at, then

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        if next(self.calls) == self.at and self.then is not None:  # in one of many threads
            self.then()
        return self.pips(rows)


# --- in this process


def test_the_rules_for_stopping_stop_these() -> None:
    assert TRIALS > truth(until_clear).trials >= 216
    assert 3600 > truth(until_small).trials >= 432


@question
@pytest.mark.parametrize("threads", [2, 3])
def test_threads(asked: Callable[..., Rolled], threads: int) -> None:
    assert_same(asked(threads=threads), asked)


@question
@pytest.mark.parametrize("chunk", [36, 108, 252, 3600])
def test_chunks(asked: Callable[..., Rolled], chunk: int) -> None:
    assert_same(asked(chunk=chunk), asked)
    assert_same(asked(chunk=chunk, threads=2), asked)


@question
def test_an_executor_of_threads(asked: Callable[..., Rolled]) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert_same(asked(executor=pool), asked)
        assert_same(asked(executor=pool, chunk=36), asked)


@question
def test_a_pickled_result_is_the_same(asked: Callable[..., Rolled]) -> None:
    again = pickle.loads(pickle.dumps(truth(asked)))
    assert_same(again, asked)
    assert again.position == truth(asked).position


@pytest.mark.parametrize("asked", QUESTIONS[:5], ids=lambda asked: asked.__name__)
@pytest.mark.parametrize("shuffle", range(3))
def test_parts_in_any_order_add_up_to_the_whole(asked: Callable[..., Rolled], shuffle: int) -> None:
    chance = random.Random(shuffle)
    total = truth(asked).trials
    cuts = [0, *sorted(chance.sample(range(36, total, 36), 5)), total]
    parts: list[Any] = [asked(first=first, trials=last - first) for first, last in pairwise(cuts)]
    while len(parts) > 1:  # any two of them
        chance.shuffle(parts)
        parts.append(parts.pop() + pickle.loads(pickle.dumps(parts.pop())))
    assert_same(parts[0], asked)


def test_parts_of_other_questions_do_not_add_up() -> None:
    one = position(trials=36)
    with pytest.raises(ValueError, match=r"other must hold no trial .*both hold trial 0"):
        one + position(trials=36)
    for name, value in {"seed": 9, "truncate": 7, "variance_reduction": True}.items():
        with pytest.raises(ValueError, match=f"other must be of the same question: {name} is"):
            one + position(trials=36, first=36, **{name: value})
    with pytest.raises(TypeError, match="other must be a Rollout"):
        one + plays(trials=36)  # type: ignore[operator]


# --- executors that fail


class Losing(Executor):
    """Two threads; by order, a chunk is lost: raised, cancelled, or its answer thrown away."""

    def __init__(self, lose: Callable[[int, int], str | None]) -> None:
        self.pool, self.lose = ThreadPoolExecutor(2), lose
        self.asked: Counter[int] = Counter()

    def submit(self, call: Any, /, *words: Any, **_: Any) -> Future[Any]:
        first = words[1]
        self.asked[first] += 1
        how = self.lose(first, self.asked[first])
        lost: Future[Any] = Future()
        if how is None:
            return self.pool.submit(call, *words)
        if how == "cancelled":
            lost.cancel()
            lost.set_running_or_notify_cancel()
        elif how == "raised":
            lost.set_exception(ConnectionError(f"the worker of {first} is gone"))
        else:
            return self.pool.submit(self._worked_in_vain, call, *words)
        return lost

    @staticmethod
    def _worked_in_vain(call: Any, *words: Any) -> Any:
        call(*words)
        raise OSError("the answer did not come through")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.pool.shutdown(wait, cancel_futures=cancel_futures)


@question
def test_lost_chunks_are_worked_on_again(asked: Callable[..., Rolled]) -> None:
    chance = random.Random(11)
    ways = [None, None, "raised", "cancelled", "in vain"]

    def lose(_: int, tries: int) -> str | None:
        return chance.choice(ways) if tries < 4 else None

    with Losing(lose) as pool:
        assert_same(asked(executor=pool, chunk=36), asked)
    assert max(pool.asked.values()) > 1


@pytest.mark.parametrize("way", ["raised", "cancelled", "in vain"])
def test_a_chunk_that_is_lost_four_times_is_given_up(way: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    pool = Losing(lambda first, _: way if first == 72 else None)
    with pool, pytest.raises(Exception) as caught:
        position(executor=pool, chunk=36, checkpoint=kept)
    assert caught.type.__name__ == {
        "raised": "ConnectionError", "cancelled": "CancelledError", "in vain": "OSError"
    }[way]  # fmt: skip
    assert pool.asked[72] == 4
    assert max(tries for first, tries in pool.asked.items() if first != 72) == 1
    assert json.loads(kept.read_text())["trials"] == [[0, 72]]
    assert_same(position(checkpoint=kept), position)


def test_nothing_is_left_in_an_executor_that_takes_no_more() -> None:
    class Full(Executor):
        def __init__(self) -> None:
            self.taken: list[Future[Any]] = []

        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            if len(self.taken) == 3:
                raise RuntimeError("full")
            self.taken.append(Future())
            return self.taken[-1]

    pool = Full()
    with pytest.raises(RuntimeError, match="full"):
        position(executor=pool, chunk=36)
    assert [future.cancelled() for future in pool.taken] == [True] * 3


class OwnError(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 2])
def test_an_evaluators_own_error_comes_out_as_it_was_raised(threads: int) -> None:
    error = OwnError("no idea")

    def broken() -> None:
        raise error

    evaluator = Counted(3, broken)
    with pytest.raises(OwnError) as caught:
        nardy.rollout(LONG, evaluator, seed=1, trials=36, threads=threads)
    assert caught.value is error
    assert next(evaluator.calls) == 4


def test_an_evaluators_own_error_is_not_asked_for_again() -> None:
    error = OwnError("no idea")

    def broken() -> None:
        raise error

    evaluator = Counted(1, broken)
    with Losing(lambda *_: None) as pool, pytest.raises(OwnError) as caught:
        nardy.rollout(LONG, evaluator, seed=1, trials=36, executor=pool)
    assert caught.value is error
    assert (next(evaluator.calls), pool.asked[0]) == (2, 1)


# --- interrupted, killed, and gone on with

CHILD = """
import sys, time
import nardy, nardy.checkpoints
nardy.checkpoints._SECONDS_BETWEEN = 0.0  # or this would take a minute
told = []

def tell(done, _):
    print(done, flush=True)
    told.append(done)
    if len(told) == 10:
        time.sleep(600)  # enough for one life, should its end be late

found = nardy.rollout_plays(
    nardy.Position.start("short"), "31", seed=6, trials=864, truncate=5, candidates=3, chunk=36,
    threads=int(sys.argv[2]), checkpoint=sys.argv[1],
    progress=tell,
)
print("finished", flush=True)
"""


@posix
@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_killed_again_and_again_it_comes_to_the_same(threads: int, tmp_path: Path) -> None:
    kept, chance, lives = tmp_path / "kept", random.Random(threads), 0
    while True:
        lives += 1
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(kept), str(threads)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        with child:
            for _ in range(chance.randrange(1, 9)):  # each life does something
                child.stdout.readline()
            time.sleep(chance.random() / 100)  # and ends at any moment
            child.kill()
        if child.returncode == 0:
            break
        assert child.returncode == -signal.SIGKILL
    assert lives > 2
    assert json.loads(kept.read_text())["trials"] == [[0, TRIALS]]
    assert_same(plays(checkpoint=kept), plays)


class Interrupting(Counted):
    """Presses Ctrl-C once, at a call from half the way on, as soon as some trials are done."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.half, self.is_something_done, self.once = calls // 2, Event(), Lock()

    def goes_on(self, *_: int) -> None:
        self.is_something_done.set()

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        # The thread with the first chunk may be the slowest: the others give it time, at each call.
        is_due = next(self.calls) >= self.half and self.is_something_done.wait(0.01)
        if is_due and self.once.acquire(blocking=False):
            os.kill(os.getpid(), signal.SIGINT)
        return self.pips(rows)


@posix
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_gives_what_is_done(threads: int, tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    def asked(evaluator: Counted, **how: Any) -> nardy.Rollout:
        return nardy.rollout(LONG, evaluator, seed=3, chunk=36, **{"trials": 360} | how)

    calls = Counted()
    asked(calls)
    interrupting = Interrupting(next(calls.calls))
    with pytest.raises(nardy.RolloutInterrupted) as caught:
        asked(interrupting, threads=threads, checkpoint=kept, progress=interrupting.goes_on)
    part = caught.value.result
    assert isinstance(part, nardy.Rollout)
    assert 0 < part.trials < 360
    assert str(caught.value) == f"interrupted after {part.trials} trials"
    assert pickle.loads(pickle.dumps(caught.value)).result == part
    assert part == asked(Counted(), trials=part.trials)
    rest = asked(Counted(), first=part.trials, trials=360 - part.trials)
    assert part + rest == asked(Counted()) == asked(Counted(), checkpoint=kept)


@posix
def test_ctrl_c_before_anything_is_done(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    interrupting = Counted(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(nardy.RolloutInterrupted) as caught:
        nardy.rollout_plays(LONG, "33", interrupting, seed=3, trials=36, checkpoint=kept)
    nothing = caught.value.result
    assert isinstance(nothing, nardy.PlaysRollout)
    assert nothing.trials == 0 and np.isnan(nothing[0].equity) and "nan" in str(nothing)
    assert not kept.exists()
    whole = nardy.rollout_plays(LONG, "33", Counted(), seed=3, trials=36)
    assert nothing + whole == whole


def test_ctrl_c_at_any_line_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "_SECONDS_BETWEEN", 0.0)
    files = {str(module.__file__) for module in (checkpoints, chunks, plans, sums)}
    kept = tmp_path / "kept"

    def asked(**how: Any) -> nardy.Rollout:
        dice: dict[str, Any] = {"seed": 2, "trials": 108, "chunk": 36}
        return nardy.rollout(LONG, nardy.Uniform("long"), **dice | how)

    def interrupted_at(last: int) -> nardy.Rollout:
        """Run it under a debugger that presses Ctrl-C at a line of its way."""
        lines, before = count(1), sys.gettrace()

        def line(_: Any, event: str, __: Any) -> Any:
            if event == "line" and next(lines) == last:
                raise KeyboardInterrupt
            return line

        def called(frame: Any, *_: Any) -> Any:
            return line if frame.f_code.co_filename in files else None

        sys.settrace(called)
        try:
            return asked(checkpoint=kept)
        finally:
            sys.settrace(before)

    parts: dict[int, nardy.Rollout] = {n: asked(trials=n) for n in (36, 72, 108)}
    seen = set()
    for last in count(1):
        kept.unlink(missing_ok=True)
        found: Rolled | None = None
        try:
            found = interrupted_at(last)
            break
        except nardy.RolloutInterrupted as ended:
            found = ended.result
        except KeyboardInterrupt:  # before or after it was at work
            pass
        if found is not None:
            seen.add(found.trials)
            assert found.trials == 0 or found == parts[found.trials]
        assert asked(checkpoint=kept) == parts[108]
        assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert found == parts[108]
    assert seen == {0, 36, 72, 108}


# --- processes


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@question
def test_an_executor_of_processes(
    asked: Callable[..., Rolled], processes: ProcessPoolExecutor
) -> None:
    assert_same(asked(executor=processes), asked)
    assert_same(asked(executor=processes, chunk=72), asked)


def test_an_evaluators_own_error_crosses_processes(processes: ProcessPoolExecutor) -> None:
    bare = nardy.Tables("long")  # which has nothing to say of the start
    with pytest.raises(ValueError) as here:
        nardy.rollout(LONG, bare, seed=1, trials=36)
    with pytest.raises(ValueError) as there:
        nardy.rollout(LONG, bare, seed=1, trials=36, executor=processes)
    assert str(there.value) == str(here.value)
    assert "exact.py" in there.value.__notes__[0]  # the way to it, in the other process


class Twofold(Exception):
    """Pickle keeps its one argument, and so cannot make it again."""

    def __init__(self, what: str, code: int) -> None:
        super().__init__(what)
        self.code = code


def clueless(_: NDArray[np.int8]) -> NDArray[Any]:
    raise Twofold("no idea", 7)


def test_an_error_that_cannot_be_unpickled_breaks_no_pool(processes: ProcessPoolExecutor) -> None:
    with pytest.raises(RuntimeError, match=r"the evaluator raised Twofold: no idea") as caught:
        nardy.rollout(LONG, clueless, seed=1, trials=36, executor=processes)
    assert "in clueless\n" in caught.value.__notes__[0]
    assert processes.submit(int).result() == 0
    with pytest.raises(Twofold):
        nardy.rollout(LONG, clueless, seed=1, trials=36, threads=2)


@posix
def test_a_broken_pool_says_so_and_the_checkpoint_keeps_what_was_done(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = []

    def kill_a_worker(trials: int, _: int) -> None:
        done.append(trials)
        if len(done) == 1:
            os.kill(next(iter(pool._processes)), signal.SIGKILL)
            multiprocessing.connection.wait(sentinels)

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(int).result()
        sentinels = [process.sentinel for process in pool._processes.values()]
        with pytest.raises(BrokenProcessPool):
            plays(executor=pool, chunk=36, trials=36 * 400, checkpoint=kept, progress=kill_a_worker)
    assert json.loads(kept.read_text())["trials"] == [[0, done[-1]]]
    assert done[-1] < 36 * 400
    assert_same(plays(checkpoint=kept, trials=max(done[-1], TRIALS)), plays)


# --- machines, by Dask


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers, each a process of its own, that are started again when they die."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as started,
        distributed.Client(started) as client,
    ):
        yield client


@question
def test_a_cluster(asked: Callable[..., Rolled], cluster: Any) -> None:
    assert_same(asked(executor=cluster.get_executor()), asked)
    assert_same(asked(executor=cluster.get_executor(), chunk=72), asked)


class Deadly:
    """As Counted; but kills its process, once: when copies of it have been asked so often."""

    rules, identity = Counted.rules, Counted.identity

    def __init__(self, file: Path, calls: int) -> None:
        self.pips, self.file, self.deadly = nardy.Pips("long"), file, calls

    def __call__(self, rows: NDArray[np.int8]) -> NDArray[Any]:
        with self.file.open("ab", buffering=0) as tally:
            tally.write(b".")  # at its end, whoever else writes
            if tally.tell() >= self.deadly and self._is_first():
                os.kill(os.getpid(), signal.SIGKILL)
        return self.pips(rows)

    def _is_first(self) -> bool:
        try:
            self.file.with_suffix(".died").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


@posix
@pytest.mark.slow
@pytest.mark.parametrize("failures", [3, 0])
def test_a_worker_of_the_cluster_dies(failures: int, cluster: Any, tmp_path: Path) -> None:
    # Dask moves what a dead worker had to another; or, after so many deaths, gives the chunk up,
    # and we ask for it again.
    cluster.wait_for_workers(2, timeout=60)
    cluster.cluster.scheduler.allowed_failures = failures
    dice: dict[str, Any] = {"trials": 36 * 40, "seed": 60 + failures, "truncate": 6}
    calm = Counted()
    whole = nardy.rollout_plays(LONG, "33", calm, chunk=36, **dice)

    submitted: list[tuple[int, int]] = []
    executor = cluster.get_executor()
    submit = executor.submit

    def counted(*words: Any, **options: Any) -> Future[Any]:
        submitted.append(words[2:4])
        answer: Future[Any] = submit(*words, **options)
        return answer

    executor.submit = counted
    deadly = Deadly(tmp_path / "calls", next(calm.calls) // 2)
    assert nardy.rollout_plays(LONG, "33", deadly, chunk=36, executor=executor, **dice) == whole
    assert (tmp_path / "calls.died").exists()
    if failures == 0:
        assert len(submitted) > len(set(submitted)) == 40
