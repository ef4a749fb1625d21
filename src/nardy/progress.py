"""How the command says how far it is, and that it was ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["INTERRUPTED", "progress"]

INTERRUPTED: Final = 130
"""Exit code of a command that Ctrl-C ended: 128 + SIGINT, as shells count it."""


@contextmanager
def progress(total: int, unit: str) -> Iterator[Callable[[int], object]]:
    """Give what shows how much is done: a bar on a terminal, else a line now and then."""
    try:
        from tqdm import tqdm
    except ImportError:
        tqdm = None  # type: ignore[assignment,misc]
    if tqdm is not None and sys.stderr.isatty():
        with tqdm(total=total, unit=unit, unit_scale=True, leave=False) as bar:
            yield lambda done: bar.update(done - bar.n)
        return
    said = time.monotonic()

    def say(done: int) -> None:
        nonlocal said
        if time.monotonic() - said >= 2:
            said = time.monotonic()
            print(f"{done:,} of {total:,} {unit}s", file=sys.stderr, flush=True)

    yield say
