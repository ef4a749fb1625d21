"""Run one engine over pairs read from a file, as often as is asked for on standard input.

    python -m peers.worker ENGINE PAIRS

Each line read is a command, each line written its answer in JSON::

    run MODE     seconds of this thread's own time, pairs gone through, things delivered
    sets PATH    write all after-states there: for each pair a count (4 bytes) and rows (32 each)
"""

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from peers.engines import ENGINES, Engine, Pair, version


def answer(engine: Engine, count: int, command: str) -> dict[str, Any]:
    """Do what one line says."""
    name, _, argument = command.strip().partition(" ")
    if name == "run":
        mode = engine.modes[argument]
        gc.collect()
        before = time.thread_time()
        pairs, delivered = mode()
        return {"seconds": time.thread_time() - before, "pairs": pairs, "delivered": delivered}
    with Path(argument).open("wb") as file:
        for place in range(count):
            rows = engine.after(place)
            file.write(len(rows).to_bytes(4, "little") + b"".join(rows))
    return {"pairs": count}


def main(name: str, path: str) -> None:
    """Prepare, say so, and listen."""
    if hasattr(os, "sched_setaffinity"):  # Linux: stay on one core
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    # What a library prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    raw = Path(path).read_bytes()
    pairs = [Pair.read(raw[at : at + 36]) for at in range(0, len(raw), 36)]
    engine = ENGINES[name](pairs)
    ready = {"version": version(name), "modes": list(engine.modes)}
    ready["note"] = getattr(engine, "note", "")
    print(json.dumps(ready), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(engine, len(pairs), line)), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
