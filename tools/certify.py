"""The long proof: kernel against reference on millions of pairs, and millions of games.

    python tools/certify.py             all of it; after an interruption the same words go on
    python tools/certify.py --row=... --roll=6,5 --rules="Rules('long')"      one pair alone

Progress is kept in `.certify/`; a changed kernel or reference starts anew. At the end the
certificate says what was compared and how often each rule bit; a disagreement, or a rule that never
bit, is a failure.
"""

import argparse
import ast
import hashlib
import json
import os
import platform
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import nardy
from nardy import nardy_core, reference
from nardy.options import Rules
from proof import bites, compare, games, invariants, samples

ROOT = Path(__file__).resolve().parent.parent
GAMES_AT_ONCE = 20_000
PAIRS_AT_ONCE = 400
SAVE_EVERY = 10.0  # seconds

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass
class Progress:
    """All that has been found so far; written to a file and read back."""

    key: dict[str, Any]
    """What must be the same for a run to go on."""
    chunks: int = 0
    pairs: int = 0
    first_turn_pairs: int = 0
    uniform_play_pairs: int = 0
    after_states: int = 0
    disagreements: int = 0
    shown: list[str] = field(default_factory=list)
    bites: dict[str, int] = field(default_factory=dict)
    presets: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Preset -> way of playing -> what came, and `blocks`, how many blocks of games are done."""
    seconds: float = 0.0

    def add_chunk(self, chunk: samples.Chunk, report: compare.Report) -> None:
        """Count what came of the next chunk."""
        self.chunks += 1
        if chunk.is_exhaustive:
            self.first_turn_pairs += report.pairs
        else:
            self.pairs += report.pairs
        self.uniform_play_pairs += report.uniform_play
        self.after_states += report.after_states
        self.disagreements += report.disagreements
        self.shown = (self.shown + report.shown)[:20]
        self.bites = dict(Counter(self.bites) + report.bites)

    def add_games(self, block: "GamesBlock", walked: games.Games, played: games.Games) -> None:
        """Count what came of the next block of games."""
        done = self.presets.setdefault(block.preset, {"blocks": 0})
        for way, result in (("turn_by_turn", walked), ("playouts", played)):
            done[way] = asdict(_games(done.get(way)) + result)
        done["blocks"] += 1


@dataclass(frozen=True)
class GamesBlock:
    """Some games under one preset."""

    preset: str
    seed: int
    number: int
    games: int


def play_games(block: GamesBlock) -> tuple[games.Games, games.Games]:
    """Play a block twice: turn by turn with all invariants, and inside the kernel."""
    rules = nardy.rules(block.preset)
    name = int.from_bytes(hashlib.sha256(block.preset.encode()).digest()[:4], "little")
    walked = games.walk(rules, block.games, [block.seed, name, block.number])
    first = block.number * GAMES_AT_ONCE
    return walked, games.playouts(rules, block.games, block.seed, first)


def _games(stored: dict[str, Any] | None) -> games.Games:
    if stored is None:
        return games.Games()
    outcomes = {int(points): count for points, count in stored["outcomes"].items()}
    return replace(games.Games(**stored), outcomes=outcomes)


# --- the stages -----------------------------------------------------------------------------------


def compare_pairs(options: argparse.Namespace, progress: Progress, pool: Executor) -> Iterator[int]:
    """Compare the chunks that are still to do; yields the pairs of each."""
    chunks = samples.plan(options.seed, options.pairs, PAIRS_AT_ONCE)
    left = islice(chunks, progress.chunks, None)
    for chunk, report in in_order(pool, compare.check_chunk, left, options.processes):
        progress.add_chunk(chunk, report)
        yield report.pairs


def all_games(options: argparse.Namespace, progress: Progress, pool: Executor) -> Iterator[int]:
    """Play the games of each preset that are still to do; yields the games of each block."""
    left = [
        GamesBlock(preset, options.seed, number, min(GAMES_AT_ONCE, options.games - first))
        for preset in nardy.PRESETS
        for number, first in enumerate(range(0, options.games, GAMES_AT_ONCE))
        if number >= progress.presets.get(preset, {"blocks": 0})["blocks"]
    ]
    for block, (walked, played) in in_order(pool, play_games, left, options.processes):
        progress.add_games(block, walked, played)
        yield block.games


def in_order(
    pool: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], processes: int
) -> Iterator[tuple[Task, Result]]:
    """Let the pool do the tasks, a few ahead, and yield them in their order."""
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    for task in tasks:
        waiting.append((task, pool.submit(work, task)))
        if len(waiting) >= 3 * processes:
            first, future = waiting.popleft()
            yield first, future.result()
    while waiting:
        first, future = waiting.popleft()
        yield first, future.result()


# --- keeping and telling --------------------------------------------------------------------------


def fingerprint() -> dict[str, str]:
    """Tell one kernel, reference and set of samples from another."""
    sources = [Path(nardy_core.__file__), Path(reference.__file__)]
    proof = sorted((ROOT / "tools" / "proof").glob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in proof)).hexdigest()
    named = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sources}
    return {**named, "samples": digest[:16], "width": str(nardy.build_info()["width"])}


def load(path: Path, key: dict[str, Any]) -> Progress:
    """Read the progress of an earlier run if it was of the same kernel, seed and size."""
    if path.exists():
        stored = Progress(**json.loads(path.read_text(encoding="utf-8")))
        if stored.key == key:
            return stored
        print(f"{path} is of another kernel, reference, seed or size: starting anew")
    return Progress(key)


def save(path: Path, progress: Progress) -> None:
    """Write beside and rename, so that an interruption leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(asdict(progress)), encoding="utf-8")
    os.replace(beside, path)


def certificate(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Sum up what was compared, with what, and what came of it."""
    never = sorted(bites.required() - progress.bites.keys())
    apart = {
        preset: games.differ(_games(done["turn_by_turn"]), _games(done["playouts"]))
        for preset, done in progress.presets.items()
    }
    faults = [f"{progress.disagreements} disagreements"] if progress.disagreements else []
    faults += [f"never bit: {name}" for name in never] if options.pairs else []
    faults += [f"games of {preset}: {text}" for preset, text in apart.items() if text]
    return {
        "result": "failed" if faults else "passed",
        "faults": faults,
        "shown": progress.shown,
        "date": datetime.now(UTC).date().isoformat(),
        "seed": options.seed,
        "pairs": progress.pairs,
        "pairs_from_uniform_play": progress.uniform_play_pairs,
        "first_turn_pairs": progress.first_turn_pairs,
        "after_states": progress.after_states,
        "disagreements": progress.disagreements,
        "bites": dict(sorted(progress.bites.items())),
        "games": {preset: _told(done) for preset, done in progress.presets.items()},
        "minutes": round(progress.seconds / 60, 1),
        "build": {name: str(value) for name, value in nardy.build_info().items()},
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "kernel_sha256": progress.key["fingerprint"][Path(nardy_core.__file__).name],
    }


def _told(done: dict[str, Any]) -> dict[str, Any]:
    told = {}
    for way in ("turn_by_turn", "playouts"):
        result = _games(done[way])
        told[way] = {
            "games": result.games,
            "mean_turns": round(result.mean_turns, 3),
            "longest": result.longest,
            "points_of_starter": {
                f"{points:+d}": n for points, n in sorted(result.outcomes.items())
            },
        }
    return told


class Meter:
    """A progress bar where tqdm is installed, else a line now and then."""

    def __init__(self, name: str, total: int, done: int) -> None:
        self.name, self.total, self.done, self.told = name, total, done, time.monotonic()
        try:
            from tqdm import tqdm
        except ImportError:
            self.bar: Any = None
        else:
            self.bar = tqdm(total=total, initial=done, desc=name, unit_scale=True)

    def add(self, count: int) -> None:
        """Count what has been done since."""
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
        elif time.monotonic() - self.told > SAVE_EVERY:
            self.told = time.monotonic()
            print(f"{self.name}: {self.done:,} of {self.total:,}", file=sys.stderr)

    def close(self) -> None:
        """Leave the bar as it stands."""
        if self.bar is not None:
            self.bar.close()


# --- the command ----------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Do all stages, keep the progress, write the certificate."""
    key = {
        "seed": options.seed,
        "pairs": options.pairs,
        "games": options.games,
        "fingerprint": fingerprint(),
    }
    path = Path(options.folder) / "progress.json"
    progress = load(path, key)
    save(path, progress)
    pairs = sum(chunk.pairs for chunk in samples.plan(options.seed, options.pairs, PAIRS_AT_ONCE))
    compared = progress.pairs + progress.first_turn_pairs
    played = sum(_games(done["playouts"]).games for done in progress.presets.values())
    stages = (
        ("pairs", compare_pairs, pairs, compared),
        ("games", all_games, options.games * len(nardy.PRESETS), played),
    )
    began, before = time.monotonic(), progress.seconds
    saved = began
    pool = ProcessPoolExecutor(options.processes, get_context("spawn"), initializer=_ignore_ctrl_c)
    try:
        for name, stage, total, done in stages:
            meter = Meter(name, total, done)
            for count in stage(options, progress, pool):
                meter.add(count)
                progress.seconds = before + time.monotonic() - began
                if time.monotonic() - saved > SAVE_EVERY:
                    save(path, progress)
                    saved = time.monotonic()
            meter.close()
            save(path, progress)
        written = certificate(options, progress)
    except KeyboardInterrupt:
        save(path, progress)
        print(f"\nstopped; the same words go on from {path}")
        return 130
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return report(options, written)


def _ignore_ctrl_c() -> None:
    """Ctrl-C goes to the whole group; the parent alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def report(options: argparse.Namespace, written: dict[str, Any]) -> int:
    """Write the certificate, and say it in short."""
    for text in written["shown"]:
        print(text, end="\n\n")
    output = Path(options.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, count in written["bites"].items():
        print(f"{count:>12,}  {name}")
    for preset, told in written["games"].items():
        print(f"{told['turn_by_turn']['games']:>12,}  games of {preset}: {told['turn_by_turn']}")
    print(
        f"{written['pairs']:,} pairs and {written['first_turn_pairs']:,} first turns, "
        f"seed {written['seed']}: {written['disagreements']} disagreements; "
        f"{written['result']}; {output}"
    )
    for fault in written["faults"]:
        print(f"  {fault}")
    return 0 if written["result"] == "passed" else 1


def replay_one(options: argparse.Namespace) -> int:
    """Compare a single pair and show the board."""
    row = np.array([int(cell) for cell in options.row.split(",")], np.int8)
    roll = np.array([int(die) for die in options.roll.split(",")], np.int8)
    rules = read_rules(options.rules)
    after, _, steps = nardy.after_states(row[None], roll[None], rules=rules, steps=True)
    fault = compare.disagreement(row, roll, after, steps, rules)
    if fault is None and not np.array_equal(
        nardy.outcomes(row[None], rules=rules), invariants.outcomes(row[None], rules)
    ):
        fault = "the score differs"
    print(compare.describe(row, roll, rules, fault or f"agree on {len(after)} after-states"))
    return 1 if fault else 0


def read_rules(text: str) -> Rules:
    """Read the name of a preset, or rules as their repr writes them.

    Raises
    ------
    ValueError
        The text is neither.
    """
    if text in nardy.PRESETS:
        return nardy.rules(text)
    try:
        call = ast.parse(text, mode="eval").body
    except SyntaxError:
        call = ast.Constant(text)
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "Rules":
        raise ValueError(f"rules must be a preset or Rules(...), not {text!r}")
    arguments = [ast.literal_eval(argument) for argument in call.args]
    options = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    return Rules(*arguments, **options)


def main(words: list[str] | None = None) -> int:
    """Read the words of the command line and do what they say."""
    parser = argparse.ArgumentParser(description="Prove the kernel against the reference.")
    parser.add_argument(
        "--pairs", type=int, default=2_000_000, help="pairs besides all first turns"
    )
    parser.add_argument("--games", type=int, default=1_000_000, help="games under each preset")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", default=str(ROOT / ".certify"), help="where progress is kept")
    parser.add_argument("--output", default=str(ROOT / "docs" / "certificate.json"))
    parser.add_argument("--row", help="replay one pair: 32 numbers with commas between")
    parser.add_argument("--roll", help="its dice: 6,5")
    parser.add_argument("--rules", default="long", help="a preset, or Rules('long', head='named')")
    options = parser.parse_args(words)
    if (options.row is None) != (options.roll is None):
        parser.error("--row and --roll go together")
    return replay_one(options) if options.row else run(options)


if __name__ == "__main__":
    sys.exit(main())
