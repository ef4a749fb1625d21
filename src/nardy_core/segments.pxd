# The segments of an array of values (CSR): the best and the mean of each, and the mean over rolls.
from libc.math cimport INFINITY, NAN
from libc.stdint cimport int64_t

from nardy_core.stop cimport go_on

cdef enum:
    VALUES_A_CHUNK = 1 << 22   # between two looks for Ctrl-C: 20 ms at most

# What evaluators give. All work is in double: a float is one exactly, and back.
ctypedef fused Real:
    float
    double

# The largest value so far and its place; a NaN, once met, stays (as NumPy's max and argmax).
ctypedef struct Best:
    double value
    int64_t place

ctypedef struct Sum:
    double total

# What is folded over a segment.
ctypedef fused Fold:
    Best
    Sum


cdef inline void begin(Fold* fold) noexcept nogil:
    """The answer for no values, but for the division."""
    if Fold is Best:
        fold.value, fold.place = -INFINITY, -1
    else:
        fold.total = 0


cdef inline void take(
    Fold* fold, const Real* values, int64_t first, int64_t last
) noexcept nogil:
    """Go on with the values first .. last - 1, of which there is one at least."""
    cdef int64_t i, place
    cdef double value, best
    if Fold is Best:
        if fold.place < 0:
            fold.value, fold.place = values[first], first
        if fold.value != fold.value:
            return
        best, place = fold.value, fold.place
        for i in range(first, last):
            value = values[i]
            if value != value:
                best, place = value, i
                break
            # Without a branch on what is larger: a processor cannot guess that. 4.2 million values
            # in segments of ten: 10 ms instead of 17.
            place = i if value > best else place
            best = value if value > best else best
        fold.value, fold.place = best, place
    else:
        for i in range(first, last):
            fold.total += values[i]


cdef inline int fold_segments(
    Fold* fold, const Real* values, const int64_t* offsets, int64_t n, Real* results,
    int64_t* places,
) except -1 nogil:
    """Fold each of n segments: its value into `results`, or its place into `places`, if not NULL.

    The offsets rise or stay and lie within the values.
    """
    cdef int64_t i, at, end, last, since = 0
    cdef int never = 0
    for i in range(n):
        at, end = offsets[i], offsets[i + 1]
        begin(fold)
        while True:
            last = min(end, at + VALUES_A_CHUNK)
            if at < last:
                take(fold, values, at, last)
            since += last - at + 1
            if since >= VALUES_A_CHUNK:
                since = 0
                go_on(&never)
            at = last
            if at == end:
                break
        if Fold is Best:
            if places != NULL:
                places[i] = fold.place
            else:
                results[i] = <Real> fold.value
        else:
            end -= offsets[i]
            results[i] = <Real> (fold.total / end) if end else <Real> NAN
    return 0


cdef inline int64_t first_fall(const int64_t* offsets, int64_t n) except -1 nogil:
    """The first i in 1..n with offsets[i] below the one before it, or n + 1."""
    cdef int64_t i
    cdef int never = 0
    for i in range(1, n + 1):
        if offsets[i] < offsets[i - 1]:
            return i
        if i % VALUES_A_CHUNK == 0:
            go_on(&never)
    return n + 1


cdef inline int mean_rolls(
    const Real* values, int64_t n, int64_t columns, const int64_t* weights, int rolls,
    Real* means,
) except -1 nogil:
    """The weighted mean of each column over the rolls of each row: values (n, rolls, columns).

    A roll without weight never counts, not even with a value of inf or NaN.
    """
    cdef double[32] share
    cdef double total, whole = 0
    cdef int64_t i, column, since = 0
    cdef const Real* value
    cdef int r, never = 0
    for r in range(rolls):
        share[r] = weights[r]
        whole += share[r]
    for i in range(n):
        for column in range(columns):
            value = values + i * rolls * columns + column
            total = 0
            for r in range(rolls):
                if share[r]:
                    total += share[r] * value[0]
                value += columns
            means[i * columns + column] = <Real> (total / whole)
        since += rolls * columns + 1
        if since >= VALUES_A_CHUNK:
            since = 0
            go_on(&never)
    return 0
