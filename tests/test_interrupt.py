"""Ctrl-C ends any call soon, and leaves nothing behind that spoils the next."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import nardy

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends a signal as POSIX does")

SECONDS = 0.2
TRIES = 3  # on a busy machine one of them will be undisturbed

CHILD = """
import os, signal, sys, threading, time
import numpy as np
import nardy

n, threads = 1_500_000, int(sys.argv[2])
rows = np.tile(nardy.random_rows(3_000, rules="short", seed=1), (n // 3_000, 1))
rolls = np.full((n, 2), 3, np.int8)
wide = np.tile(nardy.random_rows(3_000, rules="long", seed=2), (n // 3_000, 1))
out = np.zeros((1, 32), np.int8)
start = nardy.Position.start(nardy.LONG)
calls = {
    "after_states": lambda: nardy.after_states(rows, rolls, rules="short", threads=threads),
    "steps": lambda: nardy.after_states(rows, rolls, rules="short", threads=threads, steps=True),
    "out": lambda: nardy.after_states(rows, rolls, rules="short", threads=threads, out=out),
    "all_rolls": lambda: nardy.after_states_all_rolls(wide, rules="long", threads=threads),
    "counts": lambda: nardy.counts(rows, rolls, rules="short", threads=threads),
    "counts_all_rolls": lambda: nardy.counts_all_rolls(wide, rules="long", threads=threads),
    "perft": lambda: nardy.perft(start, 12, threads=threads),
    "playouts": lambda: nardy.playouts(wide, rules="long", seed=1, threads=threads),
    "one_sided": lambda: nardy.bearoff.OneSided.build(8, 15, threads=threads),
    "two_sided": lambda: nardy.bearoff.TwoSided.build(6, 8, threads=threads),
    "features": lambda: nardy.features(wide, "tesauro", rules="long", threads=threads),
    "network": lambda: network(wide),
    "few_words": lambda: nardy.nardy_core.game_words(2, 30_000_000, seed=1),
    "many_words": lambda: nardy.nardy_core.game_words(10_000_000, 4, seed=1),
    "random_rows": lambda: nardy.random_rows(100_000_000, rules="short", seed=1),
}
network = nardy.network("long")
network.threads = threads
call = calls[sys.argv[1]]
sent = []

def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

timer = threading.Timer(0.03, interrupt)
timer.start()
try:
    call()
    # What is over before the signal comes must not meet it later, outside of this `try`.
    timer.cancel()
    timer.join()
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0])
else:
    print("finished")
print(nardy.perft(start, 2), nardy.counts(rows[:9], rolls[:9], rules="short").sum())
"""
LONG_CALLS = [
    "all_rolls", "counts_all_rolls", "perft", "playouts", "random_rows", "one_sided", "two_sided",
    "few_words", "many_words",
]  # fmt: skip
QUICK_CALLS = ["after_states", "steps", "out", "counts", "features", "network"]


def run(call: str, threads: int) -> tuple[str, float]:
    """What became of the call, and after how many seconds."""
    child = subprocess.run(
        [sys.executable, "-c", CHILD, call, str(threads)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert child.returncode == 0, child.stderr
    how, after = child.stdout.splitlines()
    assert after.split()[0] == "489", "the kernel works on afterwards"
    word, _, seconds = how.partition(" ")
    return word, float(seconds or 0)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", LONG_CALLS)
def test_ctrl_c_ends_a_long_call(call: str, threads: int) -> None:
    seconds = []
    for _ in range(TRIES):
        how, after = run(call, threads)
        assert how == "interrupted"
        seconds.append(after)
        if after < SECONDS:
            return
    raise AssertionError(f"ended {seconds} seconds after Ctrl-C")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", QUICK_CALLS)
def test_ctrl_c_in_a_quick_call_waits_no_longer_than_promised(call: str, threads: int) -> None:
    # These may be done before the signal comes; then Python itself raises after the call.
    assert any(run(call, threads)[1] < SECONDS for _ in range(TRIES))


def test_a_signal_handler_that_returns_does_not_stop_the_call() -> None:
    rows = np.tile(nardy.Position.start(nardy.LONG).row, (100_000, 1))
    calm = nardy.playouts(rows, rules=nardy.LONG, seed=1)
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    try:
        timer = threading.Timer(0.03, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        disturbed = nardy.playouts(rows, rules=nardy.LONG, seed=1)
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert heard == [signal.SIGUSR1]
    assert np.array_equal(disturbed.outcomes, calm.outcomes)
    assert np.array_equal(disturbed.turns, calm.turns)
