"""A file that keeps the sums of a rollout, so that it can go on where it was ended."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from typing import Any, Final

from nardy.outfile import replaced
from nardy.rolled import difference
from nardy.sums import Sums

__all__ = ["Checkpoint"]

_FORMAT: Final = 1
_SECONDS_BETWEEN: Final = 1.0


class Checkpoint:
    """The file of a rollout, or none: one line of JSON, written whole or not at all.

    Parameters
    ----------
    path : path or None
    question : mapping
        All that the trials depend on: a file of another question is refused.
    """

    def __init__(self, path: str | os.PathLike[str] | None, question: Mapping[str, Any]) -> None:
        if path is not None and not isinstance(path, str | os.PathLike):
            raise TypeError(f"checkpoint must be a path or None, not {path!r}")
        self.path = None if path is None else os.fspath(path)
        self.question = question
        self._written = time.monotonic()

    def read(self, subjects: int, first: int) -> Sums:
        """Return the sums that the file holds; of nothing if it is not there.

        Raises
        ------
        ValueError
            It holds no rollout, one of another question, or other trials than those from `first`.
        """
        if self.path is None or not os.path.exists(self.path):
            return Sums(subjects)
        try:
            with open(self.path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["nardy_rollout"] != _FORMAT:
                raise ValueError(f"it is of version {kept['nardy_rollout']!r}")
            if kept.pop("sha256") != _digest(kept):
                raise ValueError("it was altered")
            apart = difference(self.question, dict(kept["question"]))
            sums = Sums(subjects) if apart else Sums.from_json(kept, subjects)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"checkpoint: {self.path} holds no rollout: {error}") from None
        if apart is not None:
            raise ValueError(f"checkpoint: {self.path} is of another question: {apart}")
        if sums.ranges not in ((), ((first, first + sums.trials),)):
            raise ValueError(
                f"checkpoint: {self.path} holds the trials {sums.ranges}, not those from {first} on"
            )
        return sums

    def write(self, sums: Sums) -> None:
        """Put the sums into the file, if there is one and something to keep."""
        if self.path is None or not sums.trials:
            return
        kept = {"nardy_rollout": _FORMAT, "question": self.question} | sums.as_json()
        with replaced(self.path) as file:
            json.dump(kept | {"sha256": _digest(kept)}, file)
        self._written = time.monotonic()

    def write_now_and_then(self, sums: Sums) -> None:
        """Put them there if that was a while ago."""
        if time.monotonic() - self._written >= _SECONDS_BETWEEN:
            self.write(sums)


def _digest(kept: Mapping[str, Any]) -> str:
    """Tell what is kept from what a hand, or a disk, has made of it: sums look like any others."""
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
