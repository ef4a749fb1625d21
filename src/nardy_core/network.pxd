# Values of boards by a small network (network.h): five chances of the side to roll, each what the
# rules leave possible.
from libc.stdint cimport int8_t

from nardy_core.batch cimport Batch
from nardy_core.bits cimport OFF, THEIR_OFF, WIDTH
from nardy_core.board cimport FINISHED, INVALID, Board, Reading, read_board
from nardy_core.outcome cimport outcome
from nardy_core.rules cimport GAME_LONG, KOKS_NONE, Rules

cdef extern from "network.h" nogil:
    enum:
        NETWORK_LINES
        NETWORK_MOST
        NETWORK_OUTPUTS
    void network_value(
        const int8_t* row, const float* table, const float* bias, const float* second, int units,
        float* to
    )

cdef enum:
    CHANCES = 5    # win, win mars, win koks, lose mars, lose koks: each includes the next

ctypedef struct Network:
    const float* table         # NETWORK_LINES x units
    const float* bias          # units
    const float* second        # units + 1 lines of NETWORK_OUTPUTS, the last one the bias
    int units


cdef inline void value_of(
    const int8_t* row, const Rules* rules, const Network* network, bint is_over, float* to
) noexcept nogil:
    """Write the five chances of the side to roll on a valid row."""
    cdef float[NETWORK_OUTPUTS] found
    cdef int points
    if is_over:
        points = outcome(row, rules)
        to[0] = points > 0
        to[1] = points > 1
        to[2] = points > 2
        to[3] = points < -1
        to[4] = points < -2
        return
    network_value(row, network.table, network.bias, network.second, network.units, found)
    # No mars of a side that has borne a checker off, no koks where there is none, and no chance
    # above the one that includes it.
    to[0] = found[0]
    to[1] = 0 if row[THEIR_OFF] else min(found[1], found[0])
    to[3] = 0 if row[OFF] else min(found[3], 1 - found[0])
    if rules.game == GAME_LONG and rules.koks == KOKS_NONE:
        to[2] = to[4] = 0
    else:
        to[2] = min(found[2], to[1])
        to[4] = min(found[4], to[3])


cdef inline Py_ssize_t value_rows(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, const Network* network,
    float* to
) noexcept nogil:
    """Value the rows from i on; the number of the first that is no board, or `end`."""
    cdef const int8_t* row
    cdef Reading state
    while i < end:
        row = batch.rows + WIDTH * i
        state = read_board(board, row, &batch.rules)
        if state == INVALID:
            break
        value_of(row, &batch.rules, network, state == FINISHED, to + CHANCES * i)
        i += 1
    return i
