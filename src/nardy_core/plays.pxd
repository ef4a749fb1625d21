# Putting half-moves together: how a generated after-state reaches its sink. The watched board checks each one.
from libc.stdint cimport int8_t, uint32_t

from nardy_core.bits cimport WIDTH, bit_lowest, row_add, row_load, row_t
from nardy_core.board cimport Board, LongBoard
from nardy_core.orders cimport find_order, find_pair_order
from nardy_core.sinks cimport Sink, Trail, put, put_row


cdef inline void take(
    Board* board, Sink* sink, row_t row, const int8_t* table, uint32_t origins, const Trail* trail, int die
) noexcept nogil:
    """Hand `row + table[i]` for each origin i of the last half-move to the sink, if some order of the play is legal."""
    if Board is LongBoard:
        if board.watched:
            take_watched(board, sink, row, table, origins, trail, die)
            return
    put(sink, row, table, origins, trail, die)


cdef inline void take_watched(
    LongBoard* board, Sink* sink, row_t row, const int8_t* table, uint32_t origins, const Trail* trail, int die
) noexcept nogil:
    cdef Trail wanted = trail[0], found
    cdef int last = wanted.n, i
    cdef bint unequal = last == 1 and wanted.die[0] != die
    wanted.n = last + 1
    wanted.die[last] = die
    while origins:
        i = bit_lowest(origins)
        origins &= origins - 1
        wanted.origin[last] = i
        if find_pair_order(board, &wanted, &found) if unequal else find_order(board, &wanted, &found):
            put_row(sink, row_add(row, row_load(table + WIDTH * i)), &found)
