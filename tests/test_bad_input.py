"""Bad input to the kernel: the right error, which names argument, row, what was wanted and came."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import InvalidPosition, nardy_core
from proof.boards import make_row, start
from proof.walks import Rows

KERNEL: Any = nardy_core  # without its types: most calls here are wrong on purpose
START = start(nardy.LONG)
Call = Callable[..., Any]


def rolls_for(rows: Any) -> Rows:
    return np.full((len(rows), 2), 3, np.int8)


def three(**cells: int) -> Rows:
    """Three long starts; some cells of the second are changed."""
    rows = np.tile(START, (3, 1))
    for name, men in cells.items():
        rows[1, int(name.removeprefix("c"))] = men
    return rows


NETWORK = {
    "table": np.zeros((808, 32), np.float32),
    "bias": np.zeros(32, np.float32),
    "second": np.zeros((33, 8), np.float32),
}
# Every function of rows, as rows -> result; each checks its rows alike.
OF_ROWS: dict[str, Call] = {
    "after_states": lambda rows, **k: KERNEL.after_states(rows, rolls_for(three()), **k),
    "after_states_all_rolls": KERNEL.after_states_all_rolls,
    "counts": lambda rows, **k: KERNEL.counts(rows, rolls_for(three()), **k),
    "counts_all_rolls": KERNEL.counts_all_rolls,
    "features": lambda rows, **k: KERNEL.features(rows, "counts", **k),
    "find_in_table": lambda rows, **k: KERNEL.find_in_table(rows, points=6, checkers=15, **k),
    "flip": KERNEL.flip,
    "is_race": KERNEL.is_race,
    "network_values": lambda rows, **k: KERNEL.network_values(rows, **NETWORK, **k),
    "outcomes": KERNEL.outcomes,
    "playouts": lambda rows, **k: KERNEL.playouts(rows, seed=1, **k),
}
OF_ROLLS: dict[str, Call] = {"after_states": KERNEL.after_states, "counts": KERNEL.counts}
WITH_OUT: dict[str, Call] = {
    "after_states": lambda **k: KERNEL.after_states(three(), rolls_for(three()), **k),
    "after_states_all_rolls": lambda **k: KERNEL.after_states_all_rolls(three(), **k),
}
WITH_THREADS: dict[str, Call] = {
    "after_states": WITH_OUT["after_states"],
    "after_states_all_rolls": WITH_OUT["after_states_all_rolls"],
    "counts": lambda **k: KERNEL.counts(three(), rolls_for(three()), **k),
    "counts_all_rolls": lambda **k: KERNEL.counts_all_rolls(three(), **k),
    "features": lambda **k: KERNEL.features(three(), "long", **k),
    "network_values": lambda **k: KERNEL.network_values(three(), **NETWORK, **k),
    "perft": lambda **k: KERNEL.perft(START, 1, **k),
    "playouts": lambda **k: KERNEL.playouts(three(), seed=1, **k),
    "solve_one_sided": lambda **k: KERNEL.solve_one_sided(points=2, checkers=2, **k),
    "solve_two_sided": lambda **k: KERNEL.solve_two_sided(points=2, checkers=2, **k),
}


def each(functions: dict[str, Call]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("function", functions.values(), ids=list(functions))


@contextmanager
def refused(error: type[Exception], *words: str) -> Iterator[None]:
    """Expect this kind of error, and all the words in what it says."""
    with pytest.raises(error) as caught:
        yield
    message = str(caught.value)
    assert all(word in message for word in words), f"{words} in {message!r}"


# --- rows -----------------------------------------------------------------------------------------

WRONG_KIND = [
    (None, "NoneType"),
    (7, "int"),
    ("rows", "str"),
    (three().tolist(), "list"),
    (tuple(three()), "tuple"),
    (bytes(96), "bytes"),
    (memoryview(b"1" * 96), "memoryview"),
    (three().astype(np.int64), "int64"),
    (three().astype(np.uint8), "uint8"),
    (three().astype(np.float64), "float64"),
    (np.full((3, 32), np.nan), "float64"),
    (three().astype(object), "object"),
    (three().astype(np.bool_), "bool"),
    (three().astype("S1"), "S1"),
    (three().view(np.dtype([("cells", np.int8, 32)])), "cells"),
]
WRONG_SHAPE = [
    (START, "(32,)"),
    (np.array(1, np.int8), "()"),
    (three()[None], "(1, 3, 32)"),
    (three()[:, :31].copy(), "(3, 31)"),
    (np.zeros((3, 33), np.int8), "(3, 33)"),
    (np.zeros((32, 3), np.int8), "(32, 3)"),
    (np.zeros((3, 0), np.int8), "(3, 0)"),
]
WRONG_ORDER = [
    np.asfortranarray(three()),
    np.tile(START, (6, 1))[::2],
    three()[::-1],
    np.zeros((3, 64), np.int8)[:, ::2],
    np.broadcast_to(START, (2**40, 32)),  # huge, and in no memory
]


@each(OF_ROWS)
def test_rows_of_a_wrong_kind_are_a_type_error(function: Call) -> None:
    for rows, came in WRONG_KIND:
        with refused(TypeError, "rows", "int8", "(n, 32)", came):
            function(rows, rules=nardy.LONG)


@each(OF_ROWS)
def test_rows_of_a_wrong_shape_are_a_value_error(function: Call) -> None:
    for rows, came in WRONG_SHAPE:
        with refused(ValueError, "rows", "(n, 32)", came):
            function(rows, rules=nardy.LONG)


@each(OF_ROWS)
def test_rows_that_are_not_contiguous_are_a_value_error(function: Call) -> None:
    for rows in WRONG_ORDER:
        with refused(ValueError, "rows", "C-contiguous", str(rows.strides)):
            function(rows, rules=nardy.LONG)


NO_BOARDS = {
    "14 checkers": (nardy.LONG, three(c24=14), "own"),
    "16 checkers": (nardy.LONG, three(c24=16), "own"),
    "14 of the opponent's": (nardy.LONG, three(c12=-14), "opponent"),
    "16 of the opponent's": (nardy.LONG, three(c11=-1), "opponent"),
    "15 where 5 play": (nardy.LONG.replace(checkers=5), three(), " 5"),
    "own bar in long": (nardy.LONG, three(c24=14, c25=1), "bar"),
    "the other bar in long": (nardy.LONG, three(c12=-14, c27=1), "bar"),
    "both sides off": (nardy.LONG, three(c24=0, c0=15, c12=0, c26=15), "off"),
    "both sides off in short": (nardy.SHORT, three(c24=0, c0=15, c12=0, c26=15), "off"),
    "fewer than none off": (nardy.LONG, three(c0=-1, c24=16), "off"),
    "fewer than none of the opponent's off": (nardy.LONG, three(c26=-1, c12=-16), "-1"),
    "fewer than none on the bar": (nardy.SHORT, three(c25=-1, c24=16), "-1"),
    "fewer than none of the opponent's on the bar": (nardy.SHORT, three(c27=-1, c12=-16), "-1"),
    "a sum that wraps in 8 bits": (nardy.LONG, three(c24=127, c23=127, c22=17), ""),
    "the widest numbers": (nardy.LONG, np.full((3, 32), -128, np.int8), ""),
    **{f"column {c}": (nardy.LONG, three(**{f"c{c}": 1}), "28..31") for c in range(28, 32)},
    "column 31 below 0": (nardy.SHORT, three(c31=-128), "28..31"),
}


@each(OF_ROWS)
def test_a_row_that_is_no_board_is_refused_by_its_number(function: Call) -> None:
    for name, (rules, rows, word) in NO_BOARDS.items():
        number = 0 if name in ("the widest numbers", "15 where 5 play") else 1
        with refused(InvalidPosition, "rows", f"row {number} ", str(rows[number].tolist()), word):
            function(rows, rules=rules)


def test_the_first_bad_row_is_named_on_every_thread_count() -> None:
    rows = np.tile(START, (50_000, 1))
    rows[[31_234, 48_000], 24] = 14
    rolls = rolls_for(rows)
    for threads in (1, 2, 3):
        calls: list[Call] = [
            lambda n: KERNEL.after_states(rows, rolls, rules="long", threads=n),
            lambda n: KERNEL.after_states(rows, rolls, rules="long", threads=n, steps=True),
            lambda n: KERNEL.after_states_all_rolls(rows, rules="long", threads=n),
            lambda n: KERNEL.counts(rows, rolls, rules="long", threads=n),
            lambda n: KERNEL.counts_all_rolls(rows, rules="long", threads=n),
            lambda n: KERNEL.playouts(rows, rules="long", seed=1, threads=n),
            lambda n: KERNEL.features(rows, "long", rules="long", threads=n),
            lambda n: KERNEL.network_values(rows, rules="long", threads=n, **NETWORK),
        ]
        for call in calls:
            with refused(InvalidPosition, "rows", "row 31234 "):
                call(threads)


# --- rolls ----------------------------------------------------------------------------------------


@each(OF_ROLLS)
def test_rolls_of_a_wrong_kind_or_shape(function: Call) -> None:
    good = rolls_for(three())
    kinds: list[tuple[Any, str]] = [
        (None, "NoneType"),
        ([[3, 3]] * 3, "list"),
        ((6, 5), "tuple"),
        (good.astype(np.int64), "int64"),
        (good.astype(np.float32), "float32"),
        (np.full((3, 2), np.nan), "float64"),
    ]
    for rolls, came in kinds:
        with refused(TypeError, "rolls", "(n, 2)", came):
            function(three(), rolls, rules=nardy.LONG)
    shapes = [good[0], good[:, :1].copy(), good[:2], good[None], np.zeros((3, 3), np.int8)]
    for rolls in shapes:
        with refused(ValueError, "rolls", "2)", str(rolls.shape)):
            function(three(), rolls, rules=nardy.LONG)
    for rolls in (np.asfortranarray(np.tile(good, (1, 1))), np.full((3, 4), 3, np.int8)[:, ::2]):
        with refused(ValueError, "rolls", "C-contiguous", str(rolls.strides)):
            function(three(), rolls, rules=nardy.LONG)


@each(OF_ROLLS)
@pytest.mark.parametrize("face", [0, 7, -1, 36, 127, -128])
@pytest.mark.parametrize("die", [0, 1])
def test_dice_outside_1_to_6_are_named(function: Call, face: int, die: int) -> None:
    rolls = rolls_for(three())
    rolls[2, die] = face
    with refused(ValueError, "rolls", "row 2", "1..6", f" {face} "):
        function(three(), rolls, rules=nardy.LONG)


# --- out ------------------------------------------------------------------------------------------


@each(WITH_OUT)
def test_out_of_a_wrong_kind_or_shape(function: Call) -> None:
    for out, came in [([0], "list"), ("out", "str"), (np.zeros((999, 32)), "float64")]:
        with refused(TypeError, "out", came):
            function(out=out, rules=nardy.LONG)
    good = np.zeros((1998, 32), np.int8)
    for out in (good[0], good[:, :31].copy(), good[None]):
        with refused(ValueError, "out", str(out.shape)):
            function(out=out, rules=nardy.LONG)
    for out in (good[::2], np.asfortranarray(good)):
        with refused(ValueError, "out", "C-contiguous"):
            function(out=out, rules=nardy.LONG)
    good.flags.writeable = False
    with refused(ValueError, "out", "writable", "read-only"):
        function(out=good, rules=nardy.LONG)


@pytest.mark.parametrize("steps", [False, True])
def test_out_that_overlaps_an_input_is_refused(steps: bool) -> None:
    memory = np.zeros(400 * 32, np.int8)
    whole = memory.reshape(400, 32)
    rows, rolls = whole[200:203], memory[300 * 32 : 300 * 32 + 6].reshape(3, 2)
    rows[:], rolls[:] = START, 3
    for out in (whole[:201], whole[202:290], whole, whole[290:301], whole[300:301]):
        before = memory.copy()
        with refused(ValueError, "out", "overlap"):
            KERNEL.after_states(rows, rolls, rules="long", out=out, steps=steps)
        assert np.array_equal(memory, before)
    KERNEL.after_states(rows, rolls, rules="long", out=whole[:200], steps=steps)
    KERNEL.after_states(rows, rolls, rules="long", out=whole[203:300], steps=steps)
    with refused(ValueError, "out", "overlap"):
        KERNEL.after_states_all_rolls(rows, rules="long", out=whole[150:201], steps=steps)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("rows_in", [1, 3, 5000])
def test_too_small_an_out_says_how_many_rows_are_needed(
    rows_in: int, steps: bool, threads: int
) -> None:
    rows = KERNEL.random_rows(rows_in, rules=nardy.SHORT, seed=9)
    rolls = rolls_for(rows)
    fresh, offsets = KERNEL.after_states(rows, rolls, rules=nardy.SHORT)
    needed = len(fresh)
    assert needed > 1
    for room in {0, 1, needed // 2, needed - 1}:
        guarded = np.full((room + 20, 32), 77, np.int8)
        with refused(ValueError, "out", f" {needed} ", f"{room}"):
            KERNEL.after_states(
                rows,
                rolls,
                rules="short",
                out=guarded[10 : room + 10],
                steps=steps,
                threads=threads,
            )
        assert (guarded[:10] == 77).all() and (guarded[room + 10 :] == 77).all()
    enough = np.empty((needed, 32), np.int8)
    after = KERNEL.after_states(
        rows, rolls, rules="short", out=enough, steps=steps, threads=threads
    )[0]
    assert np.array_equal(after, fresh) and offsets[-1] == needed


# --- the other arguments --------------------------------------------------------------------------


@each(OF_ROWS)
def test_rules_are_needed_and_checked(function: Call) -> None:
    with refused(TypeError, "rules"):
        function(three())
    for rules in (None, 5, nardy.LONG.codes, b"long", nardy.Rules):
        with refused(TypeError, "rules", "Rules", repr(rules)):
            function(three(), rules=rules)
    for name in ("chess", "", "LONG", "long "):
        with refused(ValueError, "rules", "'long'", "'short'", repr(name)):
            function(three(), rules=name)


@each(WITH_THREADS)
def test_threads_are_an_int_of_at_least_one(function: Call) -> None:
    for threads in (None, 1.0, "2", True, np.float64(2), [1]):
        with refused(TypeError, "threads", repr(threads)):
            function(rules=nardy.LONG, threads=threads)
    for number in (0, -1, 10**6, 2**31, 2**64, -(2**63)):
        with refused(ValueError, "threads", repr(number)):
            function(rules=nardy.LONG, threads=number)
    function(rules=nardy.LONG, threads=np.int64(2))


@each(WITH_OUT)
def test_steps_is_true_or_false(function: Call) -> None:
    for steps in (None, 0, 1, "yes", np.array([True])):
        with refused(TypeError, "steps", "True or False"):
            function(rules=nardy.LONG, steps=steps)


SEEDED: dict[str, Call] = {
    "playouts seed": lambda seed: KERNEL.playouts(three(), rules="long", seed=seed),
    "playouts first": lambda seed: KERNEL.playouts(three(), rules="long", seed=1, first=seed),
    "random_rows seed": lambda seed: KERNEL.random_rows(3, rules="long", seed=seed),
    "game_words seed": lambda seed: KERNEL.game_words(3, 2, seed=seed),
    "game_words first": lambda seed: KERNEL.game_words(3, 2, seed=1, first=seed),
}


@pytest.mark.parametrize("name", SEEDED)
def test_seeds_are_64_bits_and_no_less(name: str) -> None:
    function = SEEDED[name]
    for seed in (None, 1.0, "7", True, float("nan"), b"7"):
        with refused(TypeError, name.split()[-1], repr(seed)):
            function(seed)
    for number in (-1, 2**64, 10**30):
        with refused(ValueError, name.split()[-1], repr(number)):
            function(number)


def test_a_seed_is_required() -> None:
    with refused(TypeError, "seed"):
        KERNEL.playouts(three(), rules="long")
    with refused(TypeError, "seed"):
        KERNEL.random_rows(3, rules="long")
    with refused(TypeError, "seed"):
        KERNEL.game_words(3, 2)


def test_random_rows_needs_a_count() -> None:
    for n in (None, 1.0, "3", True):
        with refused(TypeError, "n", repr(n)):
            KERNEL.random_rows(n, rules="long", seed=1)
    for number in (-1, 2**62, 2**70):
        with refused(ValueError, "n", repr(number)):
            KERNEL.random_rows(number, rules="long", seed=1)
    with pytest.raises(MemoryError):
        KERNEL.random_rows(2**50, rules="long", seed=1)


COUNTED: dict[str, Call] = {
    "games": lambda n: KERNEL.game_words(n, 2, seed=1),
    "turns": lambda n: KERNEL.game_words(3, n, seed=1),
    "turn": lambda n: KERNEL.game_words(3, 2, seed=1, turn=n),
}


@pytest.mark.parametrize("name", COUNTED)
def test_game_words_needs_counts(name: str) -> None:
    for n in (None, 1.0, "3", True):
        with refused(TypeError, name, repr(n)):
            COUNTED[name](n)
    for number in (-1, 2**62 + 1, 2**70):
        with refused(ValueError, name, repr(number)):
            COUNTED[name](number)


def test_game_words_knows_what_fits() -> None:
    for games, turns in ((2**50, 4), (2**58, 2**58), (4, 2**50)):
        with pytest.raises(MemoryError):
            KERNEL.game_words(games, turns, seed=1)
    with refused(ValueError, "first", repr(2**64 - 2)):
        KERNEL.game_words(3, 1, seed=1, first=2**64 - 2)


def test_perft_checks_position_depth_and_rules() -> None:
    position = nardy.Position.start(nardy.LONG)
    for board in (None, START.tolist(), START.astype(np.int16), "start"):
        with pytest.raises(TypeError, match="position"):
            KERNEL.perft(board, 1, rules="long")
    for shape in (np.zeros(31, np.int8), three()):
        with pytest.raises(ValueError, match="position"):
            KERNEL.perft(shape, 1, rules="long")
    with pytest.raises(InvalidPosition, match="14"):
        KERNEL.perft(three(c24=14)[1], 1, rules="long")
    for depth in (None, 1.0, "2", True):
        with refused(TypeError, "depth", repr(depth)):
            KERNEL.perft(position, depth)
    for number in (-1, 2**64):
        with refused(ValueError, "depth", repr(number)):
            KERNEL.perft(position, number)
    with refused(TypeError, "rules"):
        KERNEL.perft(START, 1)
    with refused(ValueError, "rules", "'short'"):
        KERNEL.perft(position, 1, rules="short")


def test_unreachable_boards_are_boards() -> None:
    # Accepted though no game reaches them: men off too soon, closed bars, an unmoved side late.
    early = make_row({24: 10}, {12: 3, 1: 1}, nardy.LONG)
    unmoved = make_row({24: 15}, {7: 1}, nardy.LONG)
    points = dict.fromkeys(range(1, 7), 2)
    closed = make_row(points | {25: 3}, {25 - p: 2 for p in points} | {27: 3}, nardy.SHORT)
    for row, rules in ((early, nardy.LONG), (unmoved, nardy.LONG), (closed, nardy.SHORT)):
        for function in OF_ROWS.values():
            function(np.tile(row, (3, 1)), rules=rules)


LITTLE_MEMORY = """
import resource, numpy as np, nardy
row = np.zeros(32, np.int8)
row[1:25:3], row[2:24:3] = 2, -2
row[1], row[2] = 1, -1
rows = np.tile(row, (400_000, 1))
rolls = np.full((400_000, 2), 1, np.int8)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000,) * 2)
for call in (
    lambda: nardy.after_states(rows, rolls, rules="short", threads=THREADS),
    lambda: nardy.after_states(rows, rolls, rules="short", threads=THREADS, steps=True),
    lambda: nardy.after_states_all_rolls(rows, rules="short", threads=THREADS),
    lambda: nardy.random_rows(2**33, rules="short", seed=1),
    lambda: nardy.nardy_core.game_words(2**25, 4, seed=1),
):
    try:
        call()
    except MemoryError:
        print("MemoryError")
print(nardy.counts(rows[:1], rolls[:1], rules="short").tolist())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")
@pytest.mark.parametrize("threads", [1, 2])
def test_what_does_not_fit_is_a_memory_error(threads: int) -> None:
    code = LITTLE_MEMORY.replace("THREADS", str(threads))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    *errors, last = run.stdout.split("\n")[:-1]
    assert errors == ["MemoryError"] * 5 and re.fullmatch(r"\[\d\d+\]", last)


def test_numbers_of_games_do_not_wrap() -> None:
    rows = three()
    with pytest.raises(ValueError, match="first"):
        KERNEL.playouts(rows, rules="long", seed=1, first=2**64 - 2)
    assert len(KERNEL.playouts(rows, rules="long", seed=1, first=2**64 - 3).turns) == 3


def test_a_mask_is_not_ignored() -> None:
    with pytest.raises(TypeError, match=r"rows: .*MaskedArray"):
        KERNEL.flip(np.ma.MaskedArray(three(), mask=False), rules="long")
