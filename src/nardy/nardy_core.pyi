from typing import Literal, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from nardy.options import Rules

class _Position(Protocol):
    @property
    def row(self) -> NDArray[np.int8]: ...
    @property
    def rules(self) -> Rules: ...

class Playouts(NamedTuple):
    outcomes: NDArray[np.int8]
    turns: NDArray[np.int32]

@overload
def after_states(
    rows: NDArray[np.int8],
    rolls: NDArray[np.int8],
    *,
    rules: Rules | str,
    threads: int = 1,
    out: NDArray[np.int8] | None = None,
    steps: Literal[False] = False,
) -> tuple[NDArray[np.int8], NDArray[np.int64]]: ...
@overload
def after_states(
    rows: NDArray[np.int8],
    rolls: NDArray[np.int8],
    *,
    rules: Rules | str,
    threads: int = 1,
    out: NDArray[np.int8] | None = None,
    steps: Literal[True],
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int8]]: ...
@overload
def after_states_all_rolls(
    rows: NDArray[np.int8],
    *,
    rules: Rules | str,
    threads: int = 1,
    out: NDArray[np.int8] | None = None,
    steps: Literal[False] = False,
) -> tuple[NDArray[np.int8], NDArray[np.int64]]: ...
@overload
def after_states_all_rolls(
    rows: NDArray[np.int8],
    *,
    rules: Rules | str,
    threads: int = 1,
    out: NDArray[np.int8] | None = None,
    steps: Literal[True],
) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int8]]: ...
def counts(
    rows: NDArray[np.int8], rolls: NDArray[np.int8], *, rules: Rules | str, threads: int = 1
) -> NDArray[np.int64]: ...
def counts_all_rolls(
    rows: NDArray[np.int8], *, rules: Rules | str, threads: int = 1
) -> NDArray[np.int64]: ...
def flip(rows: NDArray[np.int8], *, rules: Rules | str) -> NDArray[np.int8]: ...
def outcomes(rows: NDArray[np.int8], *, rules: Rules | str) -> NDArray[np.int8]: ...
def start_row(*, rules: Rules | str) -> NDArray[np.int8]: ...
def perft(
    position: _Position | NDArray[np.int8],
    depth: int,
    *,
    rules: Rules | str | None = None,
    threads: int = 1,
) -> int: ...
def playouts(
    rows: NDArray[np.int8],
    *,
    rules: Rules | str,
    seed: int,
    first: int = 0,
    threads: int = 1,
) -> Playouts: ...
def random_rows(n: int, *, rules: Rules | str, seed: int) -> NDArray[np.int8]: ...
def build_info() -> dict[str, str]: ...
