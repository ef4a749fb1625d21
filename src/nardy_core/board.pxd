# The row as masks of columns. No rule of a game.
from libc.stdint cimport int8_t, uint32_t


cdef extern from "row.h" nogil:
    uint32_t row_above(const int8_t* row, int8_t limit) noexcept


cdef inline uint32_t own_points(const int8_t* row) noexcept nogil:
    """Columns 1..24 where the side to move has a checker, as bits."""
    return row_above(row, 0) & 0x1FFFFFE
