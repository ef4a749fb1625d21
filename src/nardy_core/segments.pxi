# Values of many boards at once: the best and the mean of each segment, the mean over the rolls.
# Included by nardy_core.pyx.

from libc.stdint cimport int64_t

from nardy_core.batch cimport ALL_ROLLS
from nardy_core.segments cimport Best, Fold, Sum, first_fall, fold_segments, mean_rolls

import numpy as np

from nardy.dice import ROLL_WEIGHTS


cdef int check_kind(object array, str name, str wanted, tuple dtypes) except -1:
    """Refuse what is no plain array of one of these dtypes, aligned and C-contiguous."""
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: wanted {wanted}; got {type(array).__name__}")
    if array.dtype not in dtypes:
        raise TypeError(f"{name}: wanted {wanted}; got dtype {array.dtype}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise ValueError(
            f"{name}: wanted {wanted}; got strides {array.strides}:"
            " numpy.ascontiguousarray makes a copy in that order"
        )
    return 0


cdef int check_values(object values, str shape) except -1:
    check_kind(
        values, "values", f"a C-contiguous NumPy array of float32 or float64, shape {shape}",
        (np.float32, np.float64),
    )
    return 0


cdef int64_t check_segments(object values, object offsets) except -1:
    """Refuse what are no segments of these values; how many there are."""
    cdef int64_t n, fall
    cdef const int64_t* at
    check_values(values, "(m,)")
    if values.ndim != 1:
        raise ValueError(f"values: wanted shape (m,), one a board; got {values.shape}")
    check_kind(
        offsets, "offsets", "a C-contiguous NumPy array of int64, shape (n + 1,)", (np.int64,)
    )
    if offsets.ndim != 1 or not len(offsets):
        raise ValueError(f"offsets: wanted shape (n + 1,) for n segments; got {offsets.shape}")
    n = len(offsets) - 1
    at = <const int64_t*> data_of(offsets)
    if at[0] != 0:
        raise ValueError(f"offsets: wanted 0 first; got {at[0]}")
    with nogil:
        fall = first_fall(at, n)
    if fall <= n:
        raise ValueError(
            f"offsets: wanted none below the one before; got {at[fall]} after {at[fall - 1]} at"
            f" {fall}"
        )
    if at[n] != len(values):
        raise ValueError(
            f"offsets: wanted {len(values)} last, the number of values; got {at[n]}"
        )
    return n


cdef object fold_each(Fold* fold, object values, object offsets, bint want_places):
    """One number a segment: a place (int64), or a value of the dtype of the values."""
    cdef int64_t n = check_segments(values, offsets)
    cdef object made = np.empty(n, np.int64 if want_places else values.dtype)
    cdef void* to = data_of(made)
    cdef void* source = data_of(values)
    cdef const int64_t* at = <const int64_t*> data_of(offsets)
    cdef int64_t* places = <int64_t*> to if want_places else NULL
    cdef bint single = values.dtype == np.float32
    with nogil:
        if single:
            fold_segments(fold, <const float*> source, at, n, <float*> to, places)
        else:
            fold_segments(fold, <const double*> source, at, n, <double*> to, places)
    return made


def segment_max(values, offsets):
    """Find the largest value of each segment.

    Parameters
    ----------
    values : ndarray of float32 or float64, shape (m,), C-contiguous
        One number a board, such as an evaluator's for each after-state. What is largest is best for
        whoever chooses: after-states are seen by the *other* side, so turn the sign of its equity.
    offsets : ndarray of int64, shape (n + 1,), C-contiguous
        Segment i is ``values[offsets[i]:offsets[i + 1]]``, as :func:`after_states` gives them: they
        begin with 0, never fall, and end with m.

    Returns
    -------
    ndarray of the dtype of `values`, shape (n,)
        -inf for an empty segment (a game that is over). As NumPy's ``max``, a segment with a NaN
        has NaN: a fault of an evaluator shows.

    Raises
    ------
    TypeError
        Another kind or dtype. Nothing is cast.
    ValueError
        A wrong shape or order, or offsets that are no segments of `values`.
    MemoryError

    Notes
    -----
    Releases the GIL. One thread: a value takes a few nanoseconds, as long as its after-state did,
    and next to nothing beside what it takes an evaluator to give it.

    Examples
    --------
    >>> values = np.array([0.5, 0.25, 0.5, -1.0])
    >>> segment_max(values, np.array([0, 3, 3, 4]))
    array([ 0.5, -inf, -1. ])
    """
    cdef Best best
    return fold_each(&best, values, offsets, False)


def segment_argmax(values, offsets):
    """Find the place of the largest value of each segment, the first of equals.

    Parameters
    ----------
    values, offsets
        As in :func:`segment_max`.

    Returns
    -------
    ndarray of int64, shape (n,)
        Places in `values` (not within the segment): ``rows[places]`` are the after-states chosen,
        ``places - offsets[:-1]`` their numbers within the segments. -1 for an empty segment: look
        for it before you take rows, for -1 is the last one there. The first NaN of a segment, if it
        has one, as NumPy's ``argmax``.

    Raises
    ------
    TypeError, ValueError, MemoryError
        As in :func:`segment_max`.

    Examples
    --------
    >>> values = np.array([0.25, 0.5, 0.5, -1.0])
    >>> segment_argmax(values, np.array([0, 3, 3, 4]))
    array([ 1, -1,  3])
    """
    cdef Best best
    return fold_each(&best, values, offsets, True)


def segment_mean(values, offsets):
    """Average the values of each segment.

    Parameters
    ----------
    values, offsets
        As in :func:`segment_max`.

    Returns
    -------
    ndarray of the dtype of `values`, shape (n,)
        Added up as float64 from left to right, divided, and rounded once. NaN for an empty segment,
        and for one with a NaN or with both inf and -inf.

    Raises
    ------
    TypeError, ValueError, MemoryError
        As in :func:`segment_max`.

    Examples
    --------
    >>> segment_mean(np.array([0.5, 0.25, 0.75, -1.0]), np.array([0, 3, 3, 4]))
    array([ 0.5,  nan, -1. ])
    """
    cdef Sum total
    return fold_each(&total, values, offsets, False)


def mean_over_rolls(values, *, weights=None):
    """Average over the 21 rolls, each as often as it falls: the expectation before the dice.

    Parameters
    ----------
    values : ndarray of float32 or float64, shape (n, 21), (n, 21, k) or (21 n,), C-contiguous
        A number, or k numbers, for each of n boards and each roll in the order of ``nardy.ROLLS``;
        flat as the segments of :func:`after_states_all_rolls` come.
    weights : ndarray of int64, shape (21,), C-contiguous, optional
        How often each roll falls, none negative and not all 0. By default ``nardy.ROLL_WEIGHTS``;
        ``nardy.opening_weights(rules)`` for the first roll of a game.

    Returns
    -------
    ndarray of the dtype of `values`, shape (n,) or (n, k)
        Added up as float64 in the order of the rolls, divided, and rounded once. Inf and NaN count
        as in any sum, but for a roll of weight 0, which does not count.

    Raises
    ------
    TypeError, ValueError, MemoryError
        As in :func:`segment_max`; an array (n, k) with k other than 21.

    Notes
    -----
    Releases the GIL. With :func:`segment_max` it is the exact lookahead of one roll.

    Examples
    --------
    The chance to bear off two checkers, from 6 and from 1, in one turn:

    >>> pair = nardy.Position.from_points({6: 1, 1: 1}, {24: 15}, rules="long").row[None]
    >>> after, offsets = after_states_all_rolls(pair, rules="long")
    >>> wins = (outcomes(after, rules="long") < 0).astype(np.float64)
    >>> mean_over_rolls(segment_max(wins, offsets)) * 36
    array([15.])
    """
    cdef int64_t n, columns = 1
    cdef void* source
    cdef void* to
    cdef const int64_t* shares
    cdef bint single
    check_values(values, "(n, 21), (n, 21, k) or (21 n,)")
    if values.ndim == 1 and len(values) % ALL_ROLLS == 0:
        n = len(values) // ALL_ROLLS
    elif values.ndim in (2, 3) and values.shape[1] == ALL_ROLLS:
        n = len(values)
        columns = values.shape[2] if values.ndim == 3 else 1
    else:
        raise ValueError(
            f"values: wanted shape (n, 21), (n, 21, k) or (21 n,); got {values.shape}"
        )
    if weights is None:
        weights = ROLL_WEIGHTS
    check_kind(weights, "weights", "a C-contiguous NumPy array of int64, shape (21,)", (np.int64,))
    if weights.shape != (ALL_ROLLS,):
        raise ValueError(f"weights: wanted shape (21,), one a roll; got {weights.shape}")
    if weights.min() < 0 or not weights.any():
        raise ValueError(
            f"weights: wanted none negative and one above 0; got {weights.tolist()}"
        )
    made = np.empty((n, *values.shape[2:]), values.dtype)
    to, source, shares = data_of(made), data_of(values), <const int64_t*> data_of(weights)
    single = values.dtype == np.float32
    with nogil:
        if single:
            mean_rolls(<const float*> source, n, columns, shares, ALL_ROLLS, <float*> to)
        else:
            mean_rolls(<const double*> source, n, columns, shares, ALL_ROLLS, <double*> to)
    return made
