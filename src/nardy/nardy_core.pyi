from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from nardy.options import Rules

__all__ = [
    "HalfMoves",
    "Playouts",
    "after_states",
    "after_states_all_rolls",
    "build_info",
    "counts",
    "counts_all_rolls",
    "features",
    "find_in_table",
    "flip",
    "game_words",
    "half_moves",
    "is_race",
    "judge",
    "list_after_states",
    "look",
    "mean_over_rolls",
    "network_values",
    "only_end",
    "outcomes",
    "perft",
    "playouts",
    "random_rows",
    "segment_argmax",
    "segment_max",
    "segment_mean",
    "solve_one_sided",
    "solve_two_sided",
    "start_row",
]

_Int8 = npt.NDArray[np.int8]
_Int64 = npt.NDArray[np.int64]
_Real = TypeVar("_Real", np.float32, np.float64)
_UInt32 = npt.NDArray[np.uint32]
_Float64 = npt.NDArray[np.float64]

_Progress: TypeAlias = Callable[[int, int], object] | None

class _Position(Protocol):
    @property
    def row(self) -> _Int8: ...
    @property
    def rules(self) -> Rules: ...

_Line: TypeAlias = tuple[tuple[int, int], ...]
_Refused: TypeAlias = tuple[str, _Line, tuple[int, int, int], int, tuple[_Line, ...]]

class HalfMoves(NamedTuple):
    masks: npt.NDArray[np.bool_]
    rows: _Int8

class Playouts(NamedTuple):
    outcomes: _Int8
    turns: npt.NDArray[np.int32]

@overload
def after_states(
    rows: _Int8,
    rolls: _Int8,
    *,
    rules: Rules | str,
    threads: int = 1,
    out: _Int8 | None = None,
    steps: Literal[False] = False,
) -> tuple[_Int8, _Int64]: ...
@overload
def after_states(
    rows: _Int8,
    rolls: _Int8,
    *,
    rules: Rules | str,
    threads: int = 1,
    out: _Int8 | None = None,
    steps: Literal[True],
) -> tuple[_Int8, _Int64, _Int8]: ...
@overload
def after_states_all_rolls(
    rows: _Int8,
    *,
    rules: Rules | str,
    threads: int = 1,
    out: _Int8 | None = None,
    steps: Literal[False] = False,
) -> tuple[_Int8, _Int64]: ...
@overload
def after_states_all_rolls(
    rows: _Int8,
    *,
    rules: Rules | str,
    threads: int = 1,
    out: _Int8 | None = None,
    steps: Literal[True],
) -> tuple[_Int8, _Int64, _Int8]: ...
def counts(rows: _Int8, rolls: _Int8, *, rules: Rules | str, threads: int = 1) -> _Int64: ...
def counts_all_rolls(rows: _Int8, *, rules: Rules | str, threads: int = 1) -> _Int64: ...
def flip(rows: _Int8, *, rules: Rules | str) -> _Int8: ...
def outcomes(rows: _Int8, *, rules: Rules | str) -> _Int8: ...
def start_row(*, rules: Rules | str) -> _Int8: ...
def perft(
    position: _Position | _Int8,
    depth: int,
    *,
    rules: Rules | str | None = None,
    threads: int = 1,
) -> int: ...
def playouts(
    rows: _Int8, *, rules: Rules | str, seed: int, first: int = 0, threads: int = 1
) -> Playouts: ...
def random_rows(n: int, *, rules: Rules | str, seed: int) -> _Int8: ...
def game_words(
    games: int, turns: int, *, seed: int, first: int = 0, turn: int = 0
) -> npt.NDArray[np.uint64]: ...
def build_info() -> dict[str, str]: ...
def half_moves(
    rows: _Int8,
    rolls: _Int8,
    *,
    rules: Rules | str,
    played: npt.NDArray[np.int16] | None = None,
) -> HalfMoves: ...
def look(
    cells: bytes, roll: tuple[int, int], rules: Rules, played: _Line
) -> tuple[_Line, bool, bytes, int]: ...
def only_end(
    cells: bytes, roll: tuple[int, int], rules: Rules, played: _Line
) -> tuple[_Line, bytes] | None: ...
def judge(
    cells: bytes,
    roll: tuple[int, int],
    rules: Rules,
    played: _Line,
    hops: tuple[tuple[int, int, bool], ...],
    partial: bool,
) -> tuple[_Refused | None, _Line, bytes]: ...
def segment_max(values: npt.NDArray[_Real], offsets: _Int64) -> npt.NDArray[_Real]: ...
def segment_argmax(values: npt.NDArray[_Real], offsets: _Int64) -> _Int64: ...
def segment_mean(values: npt.NDArray[_Real], offsets: _Int64) -> npt.NDArray[_Real]: ...
def mean_over_rolls(
    values: npt.NDArray[_Real], *, weights: _Int64 | None = None
) -> npt.NDArray[_Real]: ...
def is_race(rows: _Int8, *, rules: Rules | str) -> npt.NDArray[np.bool_]: ...
@overload
def find_in_table(
    rows: _Int8, *, rules: Rules | str, points: int, checkers: int, both: Literal[False]
) -> tuple[_Int64, None]: ...
@overload
def find_in_table(
    rows: _Int8, *, rules: Rules | str, points: int, checkers: int, both: Literal[True] = True
) -> tuple[_Int64, _Int64]: ...
def solve_one_sided(
    *,
    rules: Rules | str,
    points: int,
    checkers: int,
    threads: int = 1,
    progress: _Progress = None,
) -> tuple[_Float64, int]: ...
def list_after_states(
    *, rules: Rules | str, points: int, checkers: int
) -> tuple[_UInt32, _Int64]: ...
def solve_two_sided(
    *,
    rules: Rules | str,
    points: int,
    checkers: int,
    threads: int = 1,
    progress: _Progress = None,
) -> _Float64: ...
def network_values(
    rows: _Int8,
    *,
    rules: Rules | str,
    table: npt.NDArray[np.float32],
    bias: npt.NDArray[np.float32],
    second: npt.NDArray[np.float32],
    threads: int = 1,
) -> npt.NDArray[np.float32]: ...
@overload
def features(
    rows: _Int8,
    kind: Literal["counts", "tesauro", "long"],
    *,
    rules: Rules | str,
    dtype: type[np.float32] = ...,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.float32]: ...
@overload
def features(
    rows: _Int8,
    kind: Literal["counts"],
    *,
    rules: Rules | str,
    dtype: type[np.uint8],
    out: npt.NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.uint8]: ...
