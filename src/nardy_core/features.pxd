# Inputs for networks: a board as numbers that one can learn from (docs/networks.md has the tables).
# Each side is written in its own numbering, the side to roll first.
from libc.stdint cimport int8_t, uint8_t

from nardy_core.batch cimport Batch
from nardy_core.bits cimport BAR, HEAD, OFF, THEIR_BAR, THEIR_OFF, WIDTH
from nardy_core.board cimport INVALID, Board, read_board
from nardy_core.deltas cimport seen_by_other
from nardy_core.rules cimport Rules

cdef enum Kind:
    COUNTS, TESAURO, LONG_NARDY

cdef enum:
    COUNTS_WIDTH = 52          # two sides of 24 points, bar, off
    TESAURO_WIDTH = 198        # two sides of 24 x 4, bar, off; whose turn it is
    LONG_WIDTH = 168           # two sides of 24 x 3 and 12 more
    LONGEST_RUN = 6

ctypedef fused Number:
    float
    uint8_t

ctypedef struct Men:
    int[25] on                 # checkers on each point of the side's own numbering; [0] is not used
    int bar, off


cdef inline void read_side(
    const int8_t* row, const Rules* rules, bint own, Men* men
) noexcept nogil:
    cdef int p
    for p in range(1, HEAD + 1):
        if own:
            men.on[p] = max(row[p], 0)
        else:
            men.on[seen_by_other(rules.game, p)] = max(-row[p], 0)
    men.bar = row[BAR] if own else row[THEIR_BAR]
    men.off = row[OFF] if own else row[THEIR_OFF]


cdef inline void write_counts(const Men* men, Number* to) noexcept nogil:
    cdef int p
    for p in range(1, HEAD + 1):
        to[p - 1] = <Number> men.on[p]
    to[HEAD] = <Number> men.bar
    to[HEAD + 1] = <Number> men.off


cdef inline void write_tesauro(const Men* men, float* to) noexcept nogil:
    cdef int p, n
    for p in range(1, HEAD + 1):
        n = men.on[p]
        to[0], to[1], to[2] = n >= 1, n >= 2, n >= 3
        to[3] = max(n - 3, 0) / <float> 2
        to += 4
    to[0] = men.bar / <float> 2
    to[1] = men.off / <float> 15


cdef inline void write_long(
    const Men* men, const Men* other, int checkers, float* to
) noexcept nogil:
    """One side of long nardy. Its blocks lie on the other side's way, in whose numbering the own
    point p is p +- 12; nobody goes from its 1 to its 24, so no run reaches over that edge."""
    cdef int p, n, q, length = 0, first = 0, longest = 0
    cdef int pips = 0, spare = 0, behind = 0, ahead = 0
    cdef float whole = checkers
    for p in range(1, HEAD + 1):
        n = men.on[p]
        to[0], to[1] = n >= 1, n >= 2
        to[2] = max(n - 2, 0) / <float> 4
        to += 3
        pips += n * p
    # The longest run, of equal ones that which the most checkers still have to pass.
    for q in range(1, HEAD + 1):
        length = length + 1 if men.on[q + 12 if q <= 12 else q - 12] else 0
        if length > longest:
            longest, first = length, q - length + 1
    for q in range(1, HEAD + 1):
        p = q + 12 if q <= 12 else q - 12
        if not (longest and first <= q < first + longest):
            spare += men.on[p] * p
        if longest and q >= first + longest:
            behind += other.on[q]
        elif q < first:
            ahead += other.on[q]
    to[0] = men.on[HEAD] / whole
    to[1] = men.off / whole
    for n in range(LONGEST_RUN):
        to[2 + n] = longest > n
    to[8] = behind / whole
    to[9] = (ahead + other.off) / whole
    to[10] = pips / (HEAD * whole)
    to[11] = spare / (HEAD * whole)


cdef inline Py_ssize_t encode_rows(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, Kind kind, Number* to
) noexcept nogil:
    """Encode the rows from i on; the number of the first that is no board, or `end`."""
    cdef const int8_t* row
    cdef Number* at
    cdef Men own, other
    while i < end:
        row = batch.rows + WIDTH * i
        if read_board(board, row, &batch.rules) == INVALID:
            break
        read_side(row, &batch.rules, True, &own)
        read_side(row, &batch.rules, False, &other)
        if kind == COUNTS:
            at = to + COUNTS_WIDTH * i
            write_counts(&own, at)
            write_counts(&other, at + COUNTS_WIDTH // 2)
        elif Number is float:
            if kind == TESAURO:
                at = to + TESAURO_WIDTH * i
                write_tesauro(&own, at)
                write_tesauro(&other, at + (TESAURO_WIDTH - 2) // 2)
                at[TESAURO_WIDTH - 2], at[TESAURO_WIDTH - 1] = 1, 0
            else:
                at = to + LONG_WIDTH * i
                write_long(&own, &other, batch.rules.checkers, at)
                write_long(&other, &own, batch.rules.checkers, at + LONG_WIDTH // 2)
        i += 1
    return i
