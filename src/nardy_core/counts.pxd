# How many after-states each of the 21 rolls has: the rolls side by side, one in each lane.
#
# Two different dice are counted as the pairs of pairs.pxd, doubles by `ways` (stacks.pxd): the same
# formulas as for one roll, with several rolls in their masks. What these do not tell (checkers
# that come in, some that may bear off in an order that matters, a block of six that may come up, a
# turn that may take two checkers off the head) is counted by the generator.
from libc.stdint cimport int64_t, uint32_t

from nardy_core.bits cimport HEAD, OFF, OUTSIDE, POINTS, bit_lowest
from nardy_core.block cimport on_their_track, runs_of_six, windows_of
from nardy_core.board cimport Board, LongBoard, ShortBoard
from nardy_core.doubles cimport fill_stacks, hold_back
from nardy_core.generate cimport play_roll
from nardy_core.halfmoves cimport bears_exactly
from nardy_core.lanes cimport (
    LANES, lanes_count, lanes_load, lanes_of, lanes_store, lanes_t, lanes_where_zero, lanes_zero,
)
from nardy_core.pairs cimport landings_of, lone_origins, pairs_of, staying
from nardy_core.sinks cimport CountSink
from nardy_core.stacks cimport Stacks, far_out, ways

cdef extern from *:
    """
    /* The dice in lanes: 15 rolls of two different ones, then the 6 doubles; what fills the last
     * lanes up is not read. Which of the 21 rolls it is: (1,1), (2,1), (2,2), (3,1) ... (6,6). */
    static const uint32_t nardy_large[24] = {
        2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 1, 2, 3, 4, 5, 6, 6, 6};
    static const uint32_t nardy_small[24] = {
        1, 1, 2, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 4, 5, 5, 1, 2, 3, 4, 5, 6, 6, 6};
    static const uint8_t nardy_roll[24] = {
        1, 3, 4, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18, 19, 19, 0, 2, 5, 9, 14, 20, 20, 20};
    """
    const uint32_t[24] nardy_large
    const uint32_t[24] nardy_small
    const unsigned char[24] nardy_roll

cdef enum:
    ALL_ROLLS = 21
    UNEQUAL = 16               # lanes of different dice; the last one only fills up
    DOUBLES = 8                # lanes of doubles; the last two only fill up
    READ = 0x3F7FFF            # lanes that are read


cdef inline void count_rolls(Board* board, int64_t* numbers) noexcept nogil:
    """The counts of all 21 rolls of a running board.

    A roll at a time, this took 297 instructions a pair (long), and 154 (short).
    """
    cdef uint32_t[UNEQUAL + DOUBLES] found
    cdef uint32_t missing = 0  # lanes with 0: a pass counts as one
    cdef lanes_t large, counts
    cdef CountSink sink
    cdef int k
    if are_apart(board):
        missing = READ
    else:
        k = 0
        while k < UNEQUAL + DOUBLES:
            large = lanes_load(nardy_large + k)
            if k < UNEQUAL:
                counts = unequal_counts(board, large, lanes_load(nardy_small + k))
            else:
                counts = double_counts(board, large)
            lanes_store(found + k, counts)
            missing |= lanes_zero(counts) << k
            k += LANES
        for k in range(UNEQUAL - 1):
            numbers[nardy_roll[k]] = found[k]
        for k in range(UNEQUAL, UNEQUAL + DOUBLES - 2):
            numbers[nardy_roll[k]] = found[k]
        missing &= READ
    while missing:
        k = bit_lowest(missing)
        missing &= missing - 1
        sink.n = 0
        play_roll(board, &sink, nardy_large[k], nardy_small[k])
        numbers[nardy_roll[k]] = sink.n


cdef inline bint are_apart(Board* board) noexcept nogil:
    """Nothing of this board is to be read off lanes."""
    if Board is LongBoard:
        return board.row[HEAD] == board.rules.checkers
    else:
        return board.bar != 0


cdef inline lanes_t unequal_counts(Board* board, lanes_t large, lanes_t small) noexcept nogil:
    """Counts of two different dice; 0 where they are not known."""
    cdef uint32_t own = board.own, outside = own & OUTSIDE
    cdef lanes_t open = lanes_of(board.open), known = lanes_of(1), far, by_large, by_small, counts
    if not outside & (outside - 1) and not outside & board.more:
        # At most one checker outside: it stays there, or off is like one more open point
        # (`bears_exactly`), or the order matters.
        if outside:
            known = outside >> (large + 7)
        elif can_read_off(board):
            far = own >> large
            known = (far & (far - 1)) | (board.more >> large)
            open |= <uint32_t> 1 << OFF
        else:
            return lanes_of(0)
    if Board is LongBoard:
        board.cap = board.rules.later_cap
    by_large, by_small = own & (open << large), own & (open << small)
    counts = pairs_of(
        own, staying(board), open, by_large, by_small, lone_origins(board, open, large, small),
        large, small,
    )
    # §3.4: one die only, the larger one if possible; or none.
    counts |= lanes_where_zero(counts, lanes_count(by_large))
    counts |= lanes_where_zero(counts, lanes_count(by_small))
    counts |= lanes_where_zero(counts, lanes_of(1))
    counts -= lanes_where_zero(known, counts)
    return unwatched(board, own | landings_of(own, open, large, small), counts)


cdef inline lanes_t double_counts(Board* board, lanes_t die) noexcept nogil:
    """Counts of doubles; 0 where they are not known."""
    cdef lanes_t open = lanes_of(board.open), short = lanes_of(0), reach, counts
    cdef int moves = 4, _
    cdef Stacks stacks
    cdef bint bears
    fill_stacks(board, &stacks)
    if Board is LongBoard:
        moves = board.rules.doubles_moves
        board.cap = board.rules.later_cap_of_doubles
    bears = moves > <int> far_out[uint32_t](&stacks, 7)
    if Board is LongBoard:
        hold_back(board, &stacks, &bears)
    if bears:
        if not can_read_off(board) or stacks.one & OUTSIDE:
            return lanes_of(0)
        # The top bit, where fewer than `moves` checkers stand on that of the die or beyond.
        short = (far_out(&stacks, die) - <uint32_t> moves) >> 31
        open |= <uint32_t> 1 << OFF
    counts = ways(&stacks, open, POINTS, die, moves)
    while moves > 1 and lanes_zero(counts):
        moves -= 1
        counts |= lanes_where_zero(counts, ways(&stacks, open, POINTS, die, moves))
    counts |= lanes_where_zero(counts, lanes_of(1))
    counts = lanes_where_zero(short, counts)
    reach = lanes_of(stacks.one)
    for _ in range(4):
        reach |= (reach >> die) & board.open
    return unwatched(board, reach, counts)


cdef inline bint can_read_off(Board* board) noexcept nogil:
    """Where all are home, off may be like one more open point."""
    if Board is LongBoard:
        return bears_exactly(board, board.own, True) and not board.rules.mandatory
    else:
        return True


cdef inline lanes_t unwatched(Board* board, lanes_t reach, lanes_t counts) noexcept nogil:
    """The counts; 0 where a forbidden block of six may come up on the points in `reach`."""
    cdef lanes_t runs
    if Board is LongBoard:
        runs = runs_of_six(on_their_track(reach))
        if lanes_zero(runs) != (<uint32_t> 1 << LANES) - 1:
            counts = lanes_where_zero(runs & windows_of(board), counts)
    return counts
