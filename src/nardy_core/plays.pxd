# Putting half-moves together: how a generated after-state reaches its sink. The watched board
# checks each one.
from libc.stdint cimport int8_t, uint32_t

from nardy_core.bits cimport WIDTH, bit_lowest, rarely, row_add, row_load, row_t
from nardy_core.board cimport Board, LongBoard
from nardy_core.orders cimport find_order, find_pair_order, may_hold_block
from nardy_core.sinks cimport Sink, Trail, put, put_one, put_row


cdef inline void take(
    Board* board, Sink* sink, row_t row, const int8_t* table, uint32_t origins,
    const Trail* trail, int die, bint plain, int batch,
) noexcept nogil:
    """Hand `row + table[i]` for each origin i of the last half-move to the sink.

    On a watched board: those for which some order of the play is legal. `plain`, known when this is
    compiled, says that the board is not watched.
    """
    if Board is LongBoard:
        # `rarely` keeps the trying of orders out of the registers of the rest: doubles 2 % less.
        if not plain and rarely(board.watched):
            take_watched(board, sink, row, table, origins, trail, die)
            return
    put(sink, row, table, origins, trail, die, batch)


cdef inline void take_one(
    Board* board, Sink* sink, row_t row, const Trail* trail, int last, int die, bint plain
) noexcept nogil:
    """The same for a single after-state: `row` has the last half-move, from `last`, already."""
    if Board is LongBoard:
        if not plain and rarely(board.watched):
            take_if_legal(board, sink, row, trail, last, die)
            return
    put_one(sink, row, trail, last, die)


cdef inline void take_watched(
    LongBoard* board, Sink* sink, row_t row, const int8_t* table, uint32_t origins,
    const Trail* trail, int die,
) noexcept nogil:
    cdef int i
    while origins:
        i = bit_lowest(origins)
        origins &= origins - 1
        take_if_legal(board, sink, row_add(row, row_load(table + WIDTH * i)), trail, i, die)


cdef inline void take_if_legal(
    LongBoard* board, Sink* sink, row_t row, const Trail* trail, int last, int die
) noexcept nogil:
    cdef Trail wanted = trail[0], found
    wanted.origin[wanted.n] = last
    wanted.die[wanted.n] = die
    wanted.n += 1
    if not board.rules.mandatory and not may_hold_block(board, &wanted):
        # Its own order will do. Of the after-states of watched boards of random play this settles
        # four in five, at a tenth of the cost.
        put_one(sink, row, trail, last, die)
        return
    if wanted.n == 2 and wanted.die[0] != die:
        if find_pair_order(board, &wanted, &found):
            put_row(sink, row, &found)
    elif find_order(board, &wanted, &found):
        put_row(sink, row, &found)
