"""Damaged match files and ids through every reader: each is read or refused by name, and in time.

    python tools/fuzz_records.py --inputs 100000 --seed 1
    python tools/fuzz_records.py --seed 1 --first 1234 --inputs 1    one input again

Input k of a seed is always the same (as long as the real games are there or not): `--first` goes on
where a run was stopped. An error that a reader does not name, a reader that takes too long or too
much memory for the size of its input are faults: each kind is told once, with the smallest input
that still shows it, and the command ends with 1.
"""

import argparse
import io
import os
import signal
import sys
import time
import traceback
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import IO, Any, get_args

import nardy
from nardy import InvalidNotation, InvalidPosition, InvalidState
from nardy.formats import fibs, gnuid, xgid
from nardy.formats.entries import MOST_ENTRIES, Action, RawMatch
from nardy.formats.gnubg import decode_id
from nardy.formats.mat import read_mat
from nardy.formats.sgf import read_sgf
from proof import make_mat
from proof.mangle_text import damaged, smallest

CORPUS = Path(os.environ.get("NARDY_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
SGF = Path(__file__).parents[1] / "tests" / "data" / "sgf"
MADE = 2
"""Matches made of each dialect and game, usual and loose."""
MEASURED = 25
"""Of so many inputs one is read while its memory is measured, which takes longer."""
SECONDS_OF_ANY = 0.05
"""However small an input is."""
BYTES_OF_ANY = 500_000
SAID = {*get_args(Action)}
NODES = {*SAID, "roll"}
OFTEN = {"mat": 4, "json": 2, "sgf": 2}
"""How much more often than others some kinds of text are made."""
STOPPED_AFTER = 20.0
"""Seconds of its own time after which a reader that does not end is ended."""


@dataclass(frozen=True)
class Target:
    """A reader, and what is expected of it."""

    parse: Callable[[bytes], object]
    kinds: tuple[str, ...]
    """The texts that it is made for, by their names in `seeds_of`; it is given all others too."""
    errors: tuple[type[ValueError], ...] = (InvalidNotation, InvalidPosition, InvalidState)
    """By which it refuses."""
    seconds_per_byte: float = 20e-6
    """Far above what it takes; what is quadratic is far above that."""
    bytes_per_byte: int = 500


class Unexpected(Exception):
    """What was read is not as it should be."""


def read_raw(read: Callable[[IO[bytes]], Iterable[RawMatch]], data: bytes) -> None:
    """Read match files, and expect what is read to be what the data model says."""
    for match in read(io.BytesIO(data)):
        entries = [entry for game in match.games for entry in game.entries]
        expect(len(entries) <= MOST_ENTRIES, "entries", len(entries))
        expect(len(match.faults) <= 1000, "faults", len(match.faults))
        expect(match.length is None or match.length > 0, "length", match.length)
        for game in match.games:
            expect(game.score is None or min(game.score) >= 0, "score", game.score)
            winner, points = game.declared or (None, 0)
            expect(winner in (0, 1, None) and points >= 0, "declared", game.declared)
        for entry in entries:
            expect(entry.side in (0, 1) and entry.action in SAID, "entry", entry)
            expect((entry.dice is None) == (entry.action != "play"), "dice", entry)
            expect(entry.dice is None or {*entry.dice} <= {*range(1, 7)}, "dice", entry)
            expect(entry.line > 0 and entry.column >= 0, "place", entry)
        for fault in match.faults:
            expect(len(fault.text) <= 80 and fault.what in str(fault), "fault", fault)


def read_records(data: bytes) -> None:
    """Read and replay whatever it is, and expect it to be the same when it was written as JSON."""
    for record in nardy.read(io.BytesIO(data)):
        for game in record.games:
            for node in game.nodes:
                expect(node.side in (0, 1) and node.action in NODES, "node", node)
                expect(node.after is None or node.action == "play", "after", node)
        text = io.StringIO()
        nardy.write(record, text, form="json")
        text.seek(0)
        expect_same([*nardy.read(text)], record)


def expect_same(found: Sequence[nardy.MatchRecord], record: nardy.MatchRecord) -> None:
    """Expect one record that equals another; else name what differs, or why it was not read."""
    refused = [fault.what for each in found for fault in each.faults if not each.games]
    why = refused[0].partition(", not ")[0] if refused else ""
    expect(not refused or not record.games, f"not read again ({why})", record.games)
    expect(len(found) == 1, "one is read again as several", len(found))
    for name in ("rules", "length", "players", "games"):
        one, other = getattr(record, name), getattr(found[0], name)
        expect(one == other, f"read again with other {name}", (one, other))


def expect(holds: bool, what: str, shown: object) -> None:
    """Stop with what is not as it should be; an assertion would be lost under -O."""
    if not holds:
        raise Unexpected(what, shown)


def read_situation(codec: Any, data: bytes) -> None:
    """Read an id, and expect it to be written to what is read to the same."""
    written = codec.write(codec.read(data.decode("latin-1")))
    expect(codec.write(codec.read(written)) == written, "another id", written)


def read_long(data: bytes) -> None:
    """Read the id of a position of long nardy, and expect it to be written so."""
    position = nardy.Position.from_id(data.decode("latin-1"), rules="long")
    again = nardy.Position.from_id(position.id, rules="long")
    expect(again == position, "another position", position)


TARGETS: dict[str, Target] = {
    "mat": Target(partial(read_raw, read_mat), ("mat",)),
    "sgf": Target(partial(read_raw, read_sgf), ("sgf",)),
    "records": Target(
        read_records, ("mat", "json", "sgf"), seconds_per_byte=200e-6, bytes_per_byte=3000
    ),
    "gnubg": Target(lambda data: decode_id(data.decode("latin-1")), ("id",)),
    "gnuid": Target(partial(read_situation, gnuid), ("id",)),
    "xgid": Target(partial(read_situation, xgid), ("id",)),
    "fibs": Target(partial(read_situation, fibs), ("id",)),
    "long": Target(read_long, ("id",)),
}

IDS: Sequence[str] = (
    *("4HPwATDgc/ABMA", "4OvgATDgc+QBUA", "mxmAQ4PbAQAAAA", "PAAAICMAAAAAAA", "AAAAAQAADAAAAA"),
    *("cAkAAAAAAAAE", "8IluACAACAAE", "cBHgAAAAAAAE", "QYkqASAAIAAA"),
    *("4HPwATDgc/ABMA:8IluACAACAAE", "ln1:AACA/z8AAID/Pw", "ln1:AAAG/j8AAID/Pw"),
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:53:1:2:1:3:10",
    "XGID=a------------------------B:0:0:1:00:0:0:0:0:10",
    "XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8",
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2"
    ":0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
)
CELLS: Sequence[str] = (
    *("31: 8/5 6/5", "41: 13/9 24/23", "21: 25/23 25/24", "33: 14/11 13/10 13/10 11/8"),
    *("55: 5/0 5/0 5/0 5/0", "44: bar/21 24/20 13/9(2)", "44: bar/21 13/5* 9/5", "63: 22/13"),
    *("22: 24/22(2) 13/11(2)", "66: Cannot Move", "42: Bar/21 Bar/23*", "11: 3/1*(2)", "36:"),
    *(" Doubles => 2", " Takes", " Drops", " Wins 1 point", " Wins 2 points and the match"),
)


def seeds_of(seed: int) -> dict[str, list[bytes]]:
    """Collect the good texts of each kind, from which the damaged ones are made."""
    mats = [path.read_bytes() for path in sorted((CORPUS / "mat").glob("*.mat"))]
    for number in range(MADE):
        for name in make_mat.DIALECTS:
            for game in ("short", "long"):
                for loose in (False, True):
                    mats.append(make_mat.make(f"{seed}:{number}", name, game, loose=loose)[0])
    begin = " 5 point match\n\n Game 1\n a : 0              b : 0\n"
    mats += [f"{begin}  1) {cell:20}{cell}\n".encode() for cell in CELLS]
    return {
        "mat": mats,
        "id": [text.encode() for text in IDS],
        "json": [json_of(text) for text in mats[-len(CELLS) - 40 :: 5]],
        "sgf": [path.read_bytes() for path in sorted(SGF.glob("*.sgf"))],
    }


def json_of(mat: bytes) -> bytes:
    """Write a match file as lines of JSON."""
    text = io.StringIO()
    nardy.write(nardy.read(io.BytesIO(mat)), text, form="json")
    return text.getvalue().encode()


# --- one input ------------------------------------------------------------------------------------


class TooLong(BaseException):
    """A reader does not end: no Exception, lest it is caught on the way."""


@dataclass
class Seen:
    """What came of all inputs so far."""

    tally: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)
    """A fault by what is the same in all like it -> the first, in full."""
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Of each reader: seconds a byte (of inputs that are not small), and which input."""


def make_input(seed: int, number: int, kinds: Sequence[str], seeds: Mapping[str, Any]) -> bytes:
    """Make input `number` of a seed."""
    rng = Random(f"{seed}:{number}")
    return damaged(rng, seeds[rng.choice(kinds)])


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what takes longer, where the system has an alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def answer(target: Target, data: bytes) -> tuple[str, str | None]:
    """Read once: what came of it in a word, and the fault with its place if there is one."""
    try:
        with limited(STOPPED_AFTER):
            target.parse(data)
    except target.errors as error:
        return type(error).__name__, None
    except TooLong:
        return "endless", f"does not end within {STOPPED_AFTER:.0f} s"
    except Unexpected as error:
        return "fault", f"unexpected: {error.args[0]}"
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return "fault", f"{type(error).__name__} at {place}"
    return "read", None


def fault_of_time(target: Target, data: bytes) -> str | None:
    """Say that it takes too long, three times in a row: memory is tidied up now and then."""
    limit = SECONDS_OF_ANY + len(data) * target.seconds_per_byte
    for _ in range(3):
        began = time.process_time()
        answer(target, data)
        if time.process_time() - began <= limit:
            return None
    return "takes too long"


def fault_of_memory(target: Target, data: bytes) -> str | None:
    """Say that it takes too much memory for the size of the input."""
    tracemalloc.start()
    try:
        answer(target, data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    limit = BYTES_OF_ANY + len(data) * target.bytes_per_byte
    return "takes too much memory" if peak > limit else None


def first_fault(target: Target, data: bytes) -> str | None:
    """Look for all faults."""
    _, fault = answer(target, data)
    return fault or fault_of_time(target, data) or fault_of_memory(target, data)


def check(name: str, target: Target, data: bytes, number: int, seen: Seen) -> None:
    """Put one input through one reader and keep what came of it."""
    began = time.process_time()
    word, fault = answer(target, data)
    seconds = time.process_time() - began
    seen.tally[f"{name} {word}"] += 1
    if len(data) >= 1000:
        seen.slowest[name] = max(seen.slowest.get(name, (0.0, 0)), (seconds / len(data), number))
    if not fault and seconds > SECONDS_OF_ANY + len(data) * target.seconds_per_byte:
        fault = fault_of_time(target, data)
    if not fault and number % MEASURED == 0:
        fault = fault_of_memory(target, data)
    if not fault or f"{name}: {fault}" in seen.faults:
        return
    small = smallest(data, lambda shorter: first_fault(target, shorter) == fault, tries=300)
    shown = repr(small) if len(small) <= 2000 else f"{small[:2000]!r}... ({len(small)} bytes)"
    seen.faults[f"{name}: {fault}"] = f"input {number}: {name}: {fault}\n  {shown}"
    print(seen.faults[f"{name}: {fault}"], file=sys.stderr, flush=True)


# --- the command ----------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None, targets: Mapping[str, Target] = TARGETS) -> int:
    """Put that many inputs through."""
    parser = argparse.ArgumentParser(description="Put damaged texts through every reader.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--target", choices=sorted(targets), action="append")
    parser.add_argument("--show", action="store_true", help="write the inputs out, read nothing")
    options = parser.parse_args(words)
    chosen = {name: targets[name] for name in options.target or targets}
    seeds = seeds_of(options.seed)
    # By kinds of texts, not by readers: another reader of the same texts changes no input.
    named = sorted({kind for target in chosen.values() for kind in target.kinds})
    kinds = [kind for kind in named for _ in range(OFTEN.get(kind, 1))]
    seen, began = Seen(), time.monotonic()
    told, number, end = began, options.first, options.first + options.inputs
    try:
        while number < end and time.monotonic() - began < options.seconds:
            data = make_input(options.seed, number, kinds, seeds)
            if options.show:
                sys.stdout.buffer.write(data)
            else:
                for name, target in chosen.items():
                    check(name, target, data, number, seen)
            number += 1
            if time.monotonic() - told > 5:
                told = time.monotonic()
                print(f"{number - options.first:,} of {options.inputs:,}", file=sys.stderr)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    if options.show:
        return 0
    for name, (rate, at) in seen.slowest.items():
        print(f"{name}: slowest {rate * 1e6:.2f} µs a byte (input {at})", file=sys.stderr)
    said = ", ".join(f"{word} {count:,}" for word, count in sorted(seen.tally.items()))
    further = f"; --first {number} goes on" if number < end else ""
    faults = f"{len(seen.faults)} kinds of faults" if seen.faults else "no fault"
    print(
        f"seed {options.seed}, {number - options.first:,} inputs from {options.first:,}, {faults}, "
        f"{time.monotonic() - began:.0f} s: {said}{further}"
    )
    return 1 if seen.faults else 0


if __name__ == "__main__":
    sys.exit(main())
