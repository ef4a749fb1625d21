"""What boards are worth: the form of an evaluator, its equity, and what can be wrong with one.

Vocabulary: an **evaluator** is a callable on a batch. It takes rows ``(m, 32)`` int8, each as the
side to roll sees it, and returns for that side either **chances** ``(m, 5)``, cumulative, in the
order of :data:`CHANCES`, or an **equity** ``(m,)`` in points of the game. Both are float32, or
float64. A game that is over is never asked about: what it is worth is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nardy import options
from nardy.board import COLUMNS, OFF, OPPONENT_OFF
from nardy.dice import as_word
from nardy.nardy_core import outcomes, random_rows
from nardy.options import Rules

__all__ = [
    "CHANCES",
    "Checked",
    "Evaluator",
    "as_rows",
    "asked",
    "check_evaluator",
    "equities",
    "identity_of",
    "rules_for",
    "settled",
    "turned",
]

CHANCES: Final = ("win", "win mars", "win koks", "lose mars", "lose koks")
"""Columns of chances; each includes the next: a koks is a mars too, and a mars a win."""

Evaluator: TypeAlias = Callable[[NDArray[np.int8]], NDArray[Any]]

# What a sum of rounded numbers may miss a bound by: some units in the last place of a float32.
_ROUNDING: Final = 1e-5
_MOST_POINTS: Final = 3
_ROWS_TO_CHECK: Final = 256
_ROWS_ALONE: Final = 16


def equities(values: NDArray[Any]) -> NDArray[Any]:
    """Return the cubeless money equity of what an evaluator has said.

    Parameters
    ----------
    values : ndarray of float32 or float64, shape (m, 5) or (m,)
        Chances in the order of :data:`CHANCES`, or equities, which pass through. Not modified.

    Returns
    -------
    ndarray of the dtype of `values`, shape (m,)
        ``2 win - 1 + win mars + win koks - lose mars - lose koks``, in points, of the same side.
        Added up as float64 and rounded once; a row does not depend on the others.

    Raises
    ------
    TypeError
        Not an array of float32 or float64.
    ValueError
        Another shape.

    Examples
    --------
    >>> equities(np.array([[0.75, 0.25, 0, 0.125, 0], [1, 1, 1, 0, 0]], np.float32))
    array([0.625, 3.   ], dtype=float32)
    >>> equities(np.array([0.5, -1.0]))
    array([ 0.5, -1. ])
    """
    _check_form("values", values, None)
    if values.ndim == 1:
        return values
    # Column by column: a matrix product may add up in another order in another batch.
    win, win_mars, win_koks, lose_mars, lose_koks = values.astype(np.float64).T
    equity = 2 * win - 1 + win_mars + win_koks - lose_mars - lose_koks
    rounded: NDArray[Any] = equity.astype(values.dtype)
    return rounded


def turned(chances: NDArray[Any]) -> NDArray[Any]:
    """Return chances (m, 5) of one side as the other side has them: a new array of that dtype.

    Examples
    --------
    >>> turned(np.array([[0.75, 0.25, 0.125, 0.0625, 0.0]]))
    array([[0.25  , 0.0625, 0.    , 0.25  , 0.125 ]])
    """
    found: NDArray[Any] = chances[:, [0, 3, 4, 1, 2]]
    found[:, 0] = 1 - found[:, 0]
    return found


def rules_for(evaluator: object, rules: Rules | str | None) -> Rules:
    """Return the rules asked for, else those that an evaluator names as its ``rules``."""
    if not callable(evaluator):
        raise TypeError(f"evaluator must be a callable on rows (m, 32) int8, not {evaluator!r}")
    found = getattr(evaluator, "rules", None) if rules is None else rules
    if found is None:
        raise ValueError(f"rules must be given: {evaluator!r} has no rules of its own")
    chosen = options.rules(found)
    own = getattr(evaluator, "rules", None)
    if isinstance(own, Rules) and own.game != chosen.game:
        raise ValueError(f"evaluator is for {own.game} nardy, not for {chosen!r}: {evaluator!r}")
    return chosen


def identity_of(evaluator: object) -> str:
    """Return what tells an evaluator from others, also in another process.

    Its attribute ``identity``, if that is a text; else the name of its type, or of the function.

    Examples
    --------
    >>> identity_of(nardy.Pips("long"))
    'nardy.players.Pips'
    >>> identity_of(nardy.network("long")) == identity_of(nardy.network("short"))
    False
    """
    own = getattr(evaluator, "identity", None)
    if isinstance(own, str):
        return own
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}"


def as_rows(rows: NDArray[np.int8]) -> NDArray[np.int8]:
    """Take an array of boards; what stands on them is not looked at."""
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int8:
        what = f"of {rows.dtype}" if isinstance(rows, np.ndarray) else f"{type(rows).__name__}"
        raise TypeError(f"rows must be an array of int8, shape (m, 32), not {what}")
    if rows.ndim != 2 or rows.shape[1] != COLUMNS:
        raise ValueError(f"rows must have the shape (m, 32), not {rows.shape}")
    return rows


def settled(evaluator: Evaluator, rows: NDArray[np.int8], rules: Rules) -> NDArray[np.float64]:
    """Return equities (m,) of valid rows: exact where the game is over, else the evaluator's.

    Raises
    ------
    TypeError, ValueError
        The evaluator returns something else than its contract says, NaN or infinity.
    """
    men = rules.checkers
    over = (rows[:, OFF] == men) | (rows[:, OPPONENT_OFF] == men)
    if not over.any():
        return _asked(evaluator, rows)
    worth = outcomes(rows, rules=rules).astype(np.float64)
    running = np.flatnonzero(~over)
    worth[running] = _asked(evaluator, rows[running])
    return worth


def _asked(evaluator: Evaluator, rows: NDArray[np.int8]) -> NDArray[np.float64]:
    if not len(rows):
        return np.zeros(0)
    return equities(asked(evaluator, rows)).astype(np.float64)


def asked(evaluator: Evaluator, rows: NDArray[np.int8]) -> NDArray[Any]:
    """Return what an evaluator says of one row or more, as its contract has it.

    Raises
    ------
    TypeError, ValueError
        It returns something else, NaN or infinity.
    """
    values = evaluator(rows)
    _check_form("evaluator", values, len(rows))
    _check_finite(values, rows)
    return values


# --- the check of an evaluator --------------------------------------------------------------------


class Checked(NamedTuple):
    """What :func:`check_evaluator` has found of an evaluator that keeps its contract.

    Examples
    --------
    >>> found = check_evaluator(nardy.Spread("long"))
    >>> found.kind, found.is_batch_independent, found.largest_difference
    ('equity', True, 0.0)
    """

    kind: str
    """``"chances"`` or ``"equity"``."""
    dtype: np.dtype[Any]
    rows: int
    """How many boards it was asked about."""
    is_repeatable: bool
    """The same batch got the same values twice, bit for bit."""
    is_batch_independent: bool
    """A row had the same value alone, in halves, shuffled and in a padded batch, bit for bit."""
    largest_difference: float
    """Of a row's values in two batches; 0 if it is batch independent and repeatable."""


def check_evaluator(
    evaluator: Evaluator,
    rules: Rules | str | None = None,
    rows: NDArray[np.int8] | None = None,
    *,
    seed: int = 0,
) -> Checked:
    """Test an evaluator against its contract, and whether a value depends on the batch.

    Parameters
    ----------
    evaluator : callable
        Rows (m, 32) int8 of the side to roll -> its chances (m, 5) or equity (m,).
    rules : Rules or str, optional
        By default ``evaluator.rules``.
    rows : ndarray of int8, shape (m, 32), optional
        Boards to ask about; those whose game is over are left out. By default some of random games.
    seed : int
        Of those boards, and of the order in which they are shuffled.

    Returns
    -------
    Checked

    Raises
    ------
    TypeError
        It is no callable, or returns no array of float32 or float64.
    ValueError
        It returns another shape, NaN, chances outside 0..1 or out of order (a koks without the
        mars, more lost marses than losses), an equity beyond 3 points; it changes the rows, or what
        it returned before. The message names the first such row.

    Notes
    -----
    That values depend on the batch is no error: of most programs for nets the last bits do. But
    then a bot may play otherwise when it is asked about other positions at the same time.

    Examples
    --------
    >>> check_evaluator(nardy.Pips("long")).is_batch_independent
    True
    >>> check_evaluator(lambda rows: np.full((len(rows), 5), 0.6, np.float32), "short")
    Traceback (most recent call last):
        ...
    ValueError: evaluator: row 0 has lose mars 0.6 of ..., where at most 1 - win is wanted: ...
    """
    chosen = rules_for(evaluator, rules)
    boards = _running(rows, chosen, as_word("seed", seed))
    values = _asked_kindly(evaluator, boards)
    kept = values.copy()
    _check_finite(values, boards)
    _check_ranges(values, boards)
    again = _asked_kindly(evaluator, boards)
    order = np.random.default_rng(seed).permutation(len(boards))
    batches = [
        order,
        order[::-1],
        np.arange(len(boards) // 2),
        np.arange(len(boards) // 2, len(boards)),
    ]
    batches += [np.array([i]) for i in range(min(_ROWS_ALONE, len(boards)))]
    # Padded: each row stands among copies of the first, as in a block that must be full.
    batches.append(np.concatenate([order, np.zeros(_ROWS_TO_CHECK, np.int64)]))
    apart = 0.0
    for batch in batches:
        if not len(batch):
            continue
        found = _asked_kindly(evaluator, boards[batch])
        if found.ndim != values.ndim:
            raise ValueError(
                f"evaluator: returned the shape {values.shape} for {len(boards)} rows, but "
                f"{found.shape} for {len(batch)}: chances and equity"
            )
        apart = max(apart, _difference(found, kept[batch]))
    if not np.array_equal(values, kept):
        raise ValueError(
            "evaluator: what it returned was changed by a later call; it must return a new array"
        )
    repeated = _difference(again, kept)
    return Checked(
        "equity" if values.ndim == 1 else "chances",
        values.dtype,
        len(boards),
        repeated == 0,
        apart == 0,
        max(apart, repeated),
    )


def _running(rows: NDArray[np.int8] | None, rules: Rules, seed: int) -> NDArray[np.int8]:
    """Return boards to ask about whose games are not over."""
    if rows is None:
        # Of the boards of random games every eighth: several games, from their start to the end.
        rows = np.ascontiguousarray(random_rows(8 * _ROWS_TO_CHECK, rules=rules, seed=seed)[::8])
    running: NDArray[np.int8] = rows[outcomes(rows, rules=rules) == 0]
    if not len(running):
        raise ValueError("rows must hold a board whose game is not over")
    return running


def _asked_kindly(evaluator: Evaluator, rows: NDArray[np.int8]) -> NDArray[Any]:
    """Ask about a copy of the rows, and see that it is left as it was."""
    copy = rows.copy()
    values = evaluator(copy)
    _check_form("evaluator", values, len(rows))
    changed = (copy != rows).any(axis=1)
    if changed.any():
        row = int(changed.argmax())
        raise ValueError(
            f"evaluator: changed row {row} from {rows[row].tolist()} to {copy[row].tolist()}; it "
            "must not modify its rows"
        )
    return values


def _check_form(name: str, values: Any, m: int | None) -> None:
    """Refuse what is no array of chances or equities, of `m` rows if that is known."""
    verb = "must return" if name == "evaluator" else "must be"
    rows = "m" if m is None else str(m)
    wanted = f"{name} {verb} an array of float32, shape ({rows}, 5) or ({rows},)"
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{wanted}, not {type(values).__name__}")
    if values.dtype not in (np.float32, np.float64):
        raise TypeError(f"{wanted}, not of {values.dtype}")
    fits = values.ndim == 1 or (values.ndim == 2 and values.shape[1] == len(CHANCES))
    if not fits or (m is not None and len(values) != m):
        raise ValueError(f"{wanted}, not {values.shape}")


def _check_finite(values: NDArray[Any], rows: NDArray[np.int8]) -> None:
    fine = np.isfinite(values)
    if not fine.all():
        bad = ~fine if values.ndim == 1 else ~fine.all(axis=1)
        _complain(values, rows, bad, "", "finite numbers")


def _check_ranges(values: NDArray[Any], rows: NDArray[np.int8]) -> None:
    if values.ndim == 1:
        bad = np.abs(values) > _MOST_POINTS + _ROUNDING
        return _complain(values, rows, bad, "", "an equity of -3..3 points")
    chances = values.astype(np.float64)
    for column, name in enumerate(CHANCES):
        outside = (chances[:, column] < -_ROUNDING) | (chances[:, column] > 1 + _ROUNDING)
        _complain(values, rows, outside, f"{name} {{{column}:.6g}}", "chances of 0..1")
    limits = [(1, "win", chances[:, 0]), (2, "win mars", chances[:, 1])]
    limits += [(4, "lose mars", chances[:, 3]), (3, "1 - win", 1 - chances[:, 0])]
    for column, name, limit in limits:
        more = chances[:, column] > limit + _ROUNDING
        _complain(values, rows, more, f"{CHANCES[column]} {{{column}:.6g}}", f"at most {name}")
    return None


def _complain(
    values: NDArray[Any], rows: NDArray[np.int8], bad: NDArray[np.bool_], what: str, wanted: str
) -> None:
    """Raise the error for the first bad row, if there is one."""
    if not bad.any():
        return
    row = int(bad.argmax())
    said = values[row].tolist()
    shown = what.format(*said) + f" of {said}" if what else repr(said)
    raise ValueError(
        f"evaluator: row {row} has {shown}, where {wanted} is wanted: {rows[row].tolist()}"
    )


def _difference(one: NDArray[Any], other: NDArray[Any]) -> float:
    return float(np.abs(one.astype(np.float64) - other).max())
