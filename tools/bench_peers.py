"""Measure other generators of short nardy beside ours, in one run, on the same pairs.

    python tools/bench_peers.py [--pairs 20000] [--rounds 5] [--peers gnubg-nn,bgsage,...]

Each peer gets an environment of its own beside this one, by pip when it is first needed, and a
process of its own; one that cannot be had is skipped with a word. Ours and the peer's rounds take
turns, on one core, by the time of the thread. The result goes to build/benchmarks/peers.json, from
which tools/benchmarks.py makes the page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import nardy
from machine import about
from peers.compare import Check, compare, read_sets
from peers.engines import ENGINES, Pair

TOOLS = Path(__file__).resolve().parent
RESULT = TOOLS.parent / "build" / "benchmarks" / "peers.json"
SEED = 7
PATIENCE = 600  # seconds for an installation


def make_pairs(count: int) -> bytes:
    """Boards of uniform random games with natural dice: 36 bytes each, as peers/engines.py reads.

    Which roll led from a board to the next one is found again, for the peer that must play there.
    """
    rows = nardy.random_rows(count, rules=nardy.SHORT, seed=SEED)
    rolls = np.random.default_rng(SEED).integers(1, 7, (count, 2), dtype=np.int8)
    onward = np.zeros((count, 2), np.int8)
    for first in range(0, count - 1, 1000):
        part = rows[first : first + 1000]
        after, offsets = nardy.after_states_all_rolls(part, rules=nardy.SHORT)
        for place, following in enumerate(rows[first + 1 : first + 1 + len(part)]):
            mine = offsets[21 * place : 21 * place + 22]
            hits = np.flatnonzero((after[mine[0] : mine[-1]] == following).all(axis=1))
            if len(hits):
                roll = int(np.searchsorted(mine, mine[0] + hits[0], side="right")) - 1
                onward[first + place] = nardy.ROLLS[roll]
    return np.concatenate([rows, rolls, onward], axis=1).tobytes()


def make_endings() -> bytes:
    """One to three last men at home with a blot among them, all rolls: where peers went wrong."""
    rows = []
    for men in (1, 2, 3):
        for points in combinations_with_replacement(range(1, 7), men):
            for blot in set(range(1, 7)) - set(points):
                row = np.zeros(32, np.int8)
                np.add.at(row, list(points), 1)
                row[0], row[blot], row[20], row[26] = 15 - men, -1, -2, 12
                rows.append(row)
    rolls = np.tile(nardy.ROLLS, (len(rows), 1)).astype(np.int8)
    boards = np.repeat(rows, len(nardy.ROLLS), axis=0)
    return np.concatenate([boards, rolls, np.zeros_like(rolls)], axis=1).tobytes()


def environment(package: str) -> Path | str:
    """Return the Python that has the package; a word instead if it cannot be had."""
    folder = Path(sys.prefix) / "peers" / package
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        print(f"installing {package}", flush=True)
        install = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", package]
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(folder)],
            [str(python), *install],
        ):
            try:
                subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
            except (OSError, subprocess.SubprocessError):
                return (
                    f"pip has no {package} for Python {sys.version_info[0]}.{sys.version_info[1]}"
                )
        (folder / "installed").touch()
    return python


class Worker:
    """An engine in its process; see peers/worker.py."""

    def __init__(self, python: Path, name: str, pairs: Path) -> None:
        self.process = subprocess.Popen(
            [str(python), "-m", "peers.worker", name, str(pairs)],
            cwd=TOOLS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.ready = self.read()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the process ended")
        read: dict[str, Any] = json.loads(line)
        return read

    def ask(self, command: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.read()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def worker(python: Path, name: str, pairs: Path) -> Iterator[Worker]:
    """Start an engine, and end it whatever happens."""
    started = Worker(python, name, pairs)
    try:
        yield started
    finally:
        started.end()


def one_round(asked: Worker, times: dict[str, Any]) -> None:
    """Let an engine go through all its modes once, and note the seconds."""
    for mode in asked.ready["modes"]:
        took = asked.ask(f"run {mode}")
        noted = times.setdefault(mode, {"seconds": []})
        noted["seconds"].append(took["seconds"])
        noted.update(pairs=took["pairs"], delivered=took["delivered"])


def sets(asked: Worker, folder: Path) -> list[list[bytes]]:
    """Let an engine write down all its after-states."""
    file = folder / "sets"
    asked.ask(f"sets {file}")
    return read_sets(file.read_bytes())


def check(us: Worker, them: Worker, pairs: Path) -> Check:
    """Compare all after-states."""
    raw = pairs.read_bytes()
    read = [Pair.read(raw[at : at + 36]) for at in range(0, len(raw), 36)]
    return compare(read, sets(us, pairs.parent), sets(them, pairs.parent))


def measure(name: str, rounds: int, pairs: Path, endings: Path) -> dict[str, Any]:
    """Measure one peer beside ourselves; or say why not."""
    python = environment(name)
    if isinstance(python, str):
        return {"skipped": python}
    here = Path(sys.executable)
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    checks = {}
    try:
        with worker(here, "nardy", pairs) as us, worker(python, name, pairs) as them:
            for _ in range(rounds):
                one_round(us, ours)
                one_round(them, theirs)
            one_round(us, ours)
            checks["random play"] = check(us, them, pairs)
            said = {key: them.ready[key] for key in ("version", "note")}
        with worker(here, "nardy", endings) as us, worker(python, name, endings) as them:
            checks["endings"] = check(us, them, endings)
    except (RuntimeError, BrokenPipeError) as error:
        return {"skipped": f"{name} is installed and does not work here: {error}"}
    return {**said, "modes": theirs, "nardy": ours, "checks": checks}


def main() -> None:
    """Measure all of them."""
    peers = [name for name in ENGINES if name != "nardy"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default=",".join(peers), help="names with commas between")
    chosen = parser.parse_args()
    result: dict[str, Any] = {"about": about(), "pairs": chosen.pairs, "rounds": chosen.rounds}
    result["peers"] = {}
    with tempfile.TemporaryDirectory(prefix="nardy-") as place:
        pairs, endings = Path(place, "pairs"), Path(place, "endings")
        pairs.write_bytes(make_pairs(chosen.pairs))
        endings.write_bytes(make_endings())
        for name in chosen.peers.split(","):
            found = measure(name, chosen.rounds, pairs, endings)
            result["peers"][name] = found
            print(f"{name}: {word(found)}", flush=True)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def word(found: dict[str, Any]) -> str:
    """Say how one peer went, in a line."""
    if "skipped" in found:
        return f"skipped: {found['skipped']}"
    batch = median(found["nardy"]["batch"]["seconds"]) / found["nardy"]["batch"]["pairs"]
    parts = []
    for mode, noted in found["modes"].items():
        each = median(noted["seconds"]) / noted["pairs"]
        parts.append(f"{mode} {1 / each:,.0f} pairs/s (nardy's batch {each / batch:,.0f} x)")
    for where, found_there in found["checks"].items():
        same, compared = found_there["same"], found_there["pairs"]
        parts.append(f"{where}: {same} of {compared} sets are ours {found_there['kinds']}")
    return "; ".join(parts)


if __name__ == "__main__":
    main()
