"""Fixtures that several test files share (tests cannot import one another)."""

import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

Points = Mapping[int | str, int]

# A shell that starts the tests in the background leaves Ctrl-C ignored, in them and in all that
# they start: the tests that interrupt something would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Workers of a cluster take their time to start on a busy machine.
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "120s")


def row_from(own: Points, opponent: Points, game: str, checkers: int) -> list[int]:
    """Write a row from each side's points in its own distances; what is not on them is off."""
    row = [0] * 32
    for point, count in own.items():
        row[25 if point == "bar" else int(point)] = count
    for point, count in opponent.items():
        if point == "bar":
            row[27] = count
            continue
        column = 25 - int(point) if game == "short" else (int(point) + 11) % 24 + 1
        assert row[column] == 0, f"both sides stand on {column}"
        row[column] = -count
    row[0] = checkers - sum(own.values())
    row[26] = checkers - sum(opponent.values())
    return row


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep tables of bear-offs out of the user's cache."""
    os.environ["NARDY_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def make_row() -> Callable[..., list[int]]:
    return row_from


@pytest.fixture(scope="session")
def make_rules() -> Callable[..., Any]:
    """Build the Rules of a game with options as JSON and text files hold them."""
    from nardy.options import LONG, SHORT

    def make(game: str, **options: Any) -> Any:
        return {"long": LONG, "short": SHORT}[game].replace(**options)

    return make


class Reference:
    """`nardy.reference` as the tests of both implementations call it."""

    name = "reference"
    perft_nodes = 5_000  # a few seconds in all

    def __init__(self) -> None:
        from nardy import reference

        self.module: Any = reference

    def half_moves(self, row: list[int], roll: list[int], rules: Any) -> dict[tuple[int, ...], int]:
        """Map each after-state to the number of half-moves that lead to it."""
        found = self.module.plays(row, roll, rules=rules)
        assert all(len({len(play) for play in plays}) == 1 for plays in found.values())
        return {after: len(plays[0]) for after, plays in found.items()}

    def perft(self, row: list[int], depth: int, rules: Any) -> int:
        return int(self.module.perft(row, depth, rules=rules))


class Kernel:
    """`nardy.nardy_core` as the tests of both implementations call it."""

    name = "kernel"
    perft_nodes = 10_000_000

    def __init__(self) -> None:
        from nardy import nardy_core

        self.module: Any = nardy_core

    def half_moves(self, row: list[int], roll: list[int], rules: Any) -> dict[tuple[int, ...], int]:
        rows, rolls = np.array([row], np.int8), np.array([roll], np.int8)
        after, _, steps = self.module.after_states(rows, rolls, rules=rules, steps=True)
        lengths = (steps[:, :, 0] >= 0).sum(axis=1)
        found = {tuple(map(int, a)): int(n) for a, n in zip(after, lengths, strict=True)}
        assert len(found) == len(after), "an after-state is listed twice"
        return found

    def perft(self, row: list[int], depth: int, rules: Any) -> int:
        return int(self.module.perft(np.array(row, np.int8), depth, rules=rules))


@pytest.fixture(scope="session", params=[Reference, Kernel], ids=["reference", "kernel"])
def implementation(request: pytest.FixtureRequest) -> Any:
    """Each of the two generators; one that cannot be imported is a failure, never a skip."""
    return request.param()
