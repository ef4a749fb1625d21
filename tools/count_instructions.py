"""Count the instructions of the kernel by callgrind, and compare them with a stored ceiling.

    python tools/count_instructions.py [--store]

Time is no witness on a shared machine; instructions are nearly the same on every run. Each width
goes once over the same seeded work. A count above the ceiling in tools/instructions.json fails.
Without valgrind, and where compiler or processor are other ones than the ceiling's, it is reported
and does not fail. --store writes today's counts and a margin as the new ceiling.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nardy

CEILING = Path(__file__).with_name("instructions.json")
MARGIN = 1.03
WIDTHS = ("baseline", "v3")
# A call of C that Python makes for us and that nothing else here makes: callgrind writes down what
# was counted since the last one, so imports and preparations stand in parts of their own.
MARK, mark = "getppid", os.getppid

Figures = dict[str, float]


class Job(NamedTuple):
    """A call of the kernel, and what it is divided by."""

    name: str
    call: Callable[[], Any]
    size: Callable[[Any], int]


def work() -> list[Job]:
    """List what is counted: both games, what a bench also measures."""
    jobs: list[Job] = []
    for game in ("long", "short"):
        rules = nardy.rules(game)
        rows = nardy.random_rows(2000, rules=rules, seed=7)
        rolls = np.random.default_rng(1).integers(1, 7, (len(rows), 2), dtype=np.int8)
        few, starts = rows[::8].copy(), np.repeat(rows[:1], 40, axis=0)
        options: dict[str, Any] = {"rules": rules, "out": np.empty((200_000, 32), np.int8)}
        jobs += [
            Job(
                f"{game}: after-states, natural dice, per after-state",
                partial(nardy.after_states, rows, rolls, **options),
                lambda found: len(found[0]),
            ),
            Job(
                f"{game}: after-states, all 21 rolls, per after-state",
                partial(nardy.after_states_all_rolls, few, **options),
                lambda found: len(found[0]),
            ),
            Job(
                f"{game}: counts of all 21 rolls, per pair",
                partial(nardy.counts_all_rolls, few, rules=rules),
                lambda found: int(found.size),
            ),
            Job(
                f"{game}: playouts, per game",
                partial(nardy.playouts, starts, rules=rules, seed=3),
                lambda found: len(found.turns),
            ),
        ]
    return jobs


def counted() -> None:
    """Do the work between marks; what runs under callgrind."""
    jobs = work()
    nardy.counts_all_rolls(nardy.random_rows(1, rules="long", seed=1), rules="long")  # warm
    done = []
    for job in jobs:
        mark()
        found = job.call()
        mark()
        done.append((job.name, job.size(found)))
    print(json.dumps(done))


def count(width: str, valgrind: str) -> Figures:
    """Run the work of one width under callgrind."""
    with tempfile.TemporaryDirectory(prefix="nardy-") as place:
        out = Path(place, "out")
        done = subprocess.run(
            [
                *(valgrind, "--tool=callgrind", f"--dump-before={MARK}"),
                *(f"--callgrind-out-file={out}", sys.executable, __file__, "--counted"),
            ],
            env=os.environ | {"NARDY_WIDTH": width, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
        jobs: list[tuple[str, int]] = json.loads(done.stdout.splitlines()[-1])
        # Part 1 ends at the first mark; then what was marked and what lies between take turns.
        parts = [out.with_name(f"out.{2 * job + 2}").read_text() for job in range(len(jobs))]
    return {
        name: round(total(part) / divisor, 2)
        for (name, divisor), part in zip(jobs, parts, strict=True)
    }


def total(part: str) -> int:
    """Read how many instructions a part of callgrind's output holds."""
    found = re.search(r"^totals: (\d+)", part, re.MULTILINE)
    assert found, "callgrind wrote no total"
    return int(found[1])


def where() -> dict[str, str]:
    """Say what else decides the counts."""
    return {"compiler": nardy.build_info()["compiler"], "machine": platform.machine()}


def above(ceiling: dict[str, Figures], today: dict[str, Figures]) -> list[str]:
    """Name what is above its ceiling, or has none."""
    wrong = []
    for width, figures in today.items():
        for name, figure in figures.items():
            limit = ceiling.get(width, {}).get(name)
            if limit is None:
                wrong.append(f"{width}, {name}: {figure} and no ceiling is stored")
            elif figure > limit:
                wrong.append(f"{width}, {name}: {figure}, above {limit}")
    return wrong


def compare(stored: dict[str, Any], today: dict[str, Figures], here: dict[str, str]) -> list[str]:
    """Say what fails: nothing, where the ceiling was stored for something else."""
    other = {name: stored[name] for name in here if stored[name] != here[name]}
    wrong = above(stored["ceiling"], today)
    if other:
        print(f"the ceiling is for {other}, this is {here}: nothing fails")
        print(*wrong, sep="\n")
        return []
    return wrong


def main() -> None:
    """Count and compare, or store."""
    if "--counted" in sys.argv:
        counted()
        return
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        print("there is no valgrind here: no instructions are counted")
        return
    widths = [width for width in WIDTHS if width == "baseline" or runs(width)]
    today = {width: count(width, valgrind) for width in widths}
    for name in today[widths[0]]:
        figures = ", ".join(f"{width} {today[width][name]:,.1f}" for width in widths)
        print(f"{name}: {figures}")
    if "--store" in sys.argv:
        ceiling = {
            width: {name: round(figure * MARGIN, 1) for name, figure in figures.items()}
            for width, figures in today.items()
        }
        CEILING.write_text(json.dumps({**where(), "ceiling": ceiling}, indent=1) + "\n")
        return
    if wrong := compare(json.loads(CEILING.read_text()), today, where()):
        sys.exit("more instructions than allowed:\n" + "\n".join(wrong))


def runs(width: str) -> bool:
    """Whether this processor, or build, has a width."""
    code = [sys.executable, "-c", "import nardy"]
    environment = os.environ | {"NARDY_WIDTH": width}
    return not subprocess.run(code, env=environment, capture_output=True, check=False).returncode


if __name__ == "__main__":
    main()
