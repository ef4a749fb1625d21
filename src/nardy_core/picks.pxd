# One after-state of a roll by its number in the documented order, the others unmade: they are
# counted as masks, then the half-moves of the one that is wanted are looked up.
#
# The plain way is `picked`: the generators send all plays to a LeafSink. Two different dice are
# five turns of six, and seldom does anything depend on their order: those are counted by
# themselves.
from libc.stdint cimport uint32_t, uint64_t

from nardy_core.bits cimport (
    BAR, GUARD, NARDY_GATHERS, OFF, POINTS, WIDTH, bit_count, bit_gather, bit_highest,
    bit_lowest, bit_select, bit_spread, byte_tops, nardy_hit, row_add, row_load, row_t,
)
from nardy_core.board cimport Board, LongBoard, ShortBoard, moved
from nardy_core.pairs cimport Pairs, seconds_after
from nardy_core.sinks cimport Leaf, LeafSink, Ways
from nardy_core.stacks cimport Stacks, moved_on, ways


cdef inline row_t next_row(
    Board* board, row_t row, int origin, int die, uint32_t* blots
) noexcept nogil:
    """The row after one more half-move; `blots` are those that nobody has hit yet."""
    cdef uint32_t hit
    row = row_add(row, row_load(moved(board, die) + WIDTH * <size_t> origin))
    if Board is ShortBoard:
        # The hits have rows of 0 where the guard bits are: no branch that chance would decide.
        hit = blots[0] & (<uint32_t> 1 << origin >> die)
        blots[0] &= ~hit
        row = row_add(row, row_load(&nardy_hit[bit_lowest(hit | <uint32_t> GUARD)][0]))
    return row


cdef inline uint32_t blots_at_start(Board* board) noexcept nogil:
    if Board is ShortBoard:
        return board.blots
    else:
        return 0


cdef inline int last_origin(uint32_t origins, uint32_t again, int k) noexcept nogil:
    """Number k of the last origins: who lands where the half-move before hit comes first."""
    again &= origins
    if again:
        if k == 0:
            return bit_lowest(again)
        k -= 1
    return bit_select(origins & ~again, k)


cdef inline uint32_t first_of(Board* board, const Pairs* pairs, int* k) noexcept nogil:
    """The first half-move (a bit) of pair number k, which becomes its number within that row."""
    cdef uint32_t rest = pairs.firsts, bit
    cdef uint64_t every = 0x0101010101010101, tops = 0x8080808080808080, ends
    cdef int row, size
    if NARDY_GATHERS and bit_count(rest) <= 8:
        # All rows at once, a byte each: their sizes (the terms of count_pairs), the sums of those
        # (<= 128), and how many rows end before k. A loop's branches are chance: 20 cycles a miss.
        ends = every * (
            every * <uint64_t> bit_count(pairs.seconds)
            - bit_spread(bit_gather(pairs.seconds & ~pairs.stay, rest))
            - bit_spread(bit_gather(board.own >> pairs.small, rest))
            + bit_spread(bit_gather(
                ~(board.own << pairs.large) & (pairs.open << (pairs.large + pairs.small)), rest
            ))
        )
        row = byte_tops((tops | every * <uint64_t> k[0]) - ends)
        k[0] -= (ends << 8 >> 8 * row) & 0xFF
        return <uint32_t> 1 << bit_select(rest, row)
    while True:
        bit = rest & (0 - rest)
        size = bit_count(seconds_after(board, pairs, bit))
        if k[0] < size:
            return bit
        k[0] -= size
        rest &= rest - 1


cdef inline row_t picked_pair(Board* board, const Pairs* pairs, int n, int k) noexcept nogil:
    """Number k of the n pairs."""
    cdef uint32_t blots = blots_at_start(board), bit, again
    cdef int lone = n - bit_count(pairs.lone), i
    cdef row_t row
    if k >= lone:
        i = bit_select(pairs.lone, k - lone)
        row = next_row(board, board.base, i, pairs.small, &blots)
        return next_row(board, row, i - pairs.small, pairs.large, &blots)
    bit = first_of(board, pairs, &k)
    again = (blots & (bit >> pairs.large)) << pairs.small
    row = next_row(board, board.base, bit_lowest(bit), pairs.large, &blots)
    i = last_origin(seconds_after(board, pairs, bit), again, k)
    return next_row(board, row, i, pairs.small, &blots)


# Where the plays of a double that have been looked up so far lead.
ctypedef struct Descent:
    row_t row
    Stacks stacks
    uint32_t allowed           # origins not beyond the last one
    uint32_t blots
    int k                      # the wanted number among
    int n                      # the ways that are left


cdef inline void descend(
    Board* board, Descent* at, const Ways* of, int left
) noexcept nogil:
    """Find the next half-move of number k; `left` more follow.

    Most ways start at the farthest origin, so that is tried first; what the last one leads to need
    not be counted.
    """
    cdef uint32_t rest = at.stacks.one & (of.open << of.die) & at.allowed, bit
    cdef Stacks after
    cdef int n, i
    while True:
        i = bit_highest(rest)
        bit = <uint32_t> 1 << i
        after = moved_on(&at.stacks, bit, of.die)
        at.allowed = bit | (bit - 1)
        rest &= ~bit
        if not rest:
            break
        n = ways[uint32_t](&after, of.open, at.allowed, of.die, left)
        at.n -= n
        if at.k >= at.n:
            at.k -= at.n
            at.n = n
            break
    at.row = next_row(board, at.row, i, of.die, &at.blots)
    at.stacks = after


cdef inline row_t last_two(Board* board, Descent* at, const Ways* of) noexcept nogil:
    """The last two half-moves: what may follow the first one is known without moving it."""
    cdef uint32_t origins = at.stacks.one & (of.open << of.die) & at.allowed, rest = origins
    cdef uint32_t twice = origins & at.stacks.two
    cdef uint32_t on = origins & ~(at.stacks.one << of.die) & (of.open << 2 * of.die)
    cdef uint32_t bit, seconds
    cdef int i
    while True:
        i = bit_highest(rest)
        bit = <uint32_t> 1 << i
        rest &= ~bit
        seconds = (origins & (bit - 1)) | (twice & bit) | ((on & bit) >> of.die)
        at.n -= bit_count(seconds)
        if at.k >= at.n:
            break
    at.row = next_row(board, at.row, i, of.die, &at.blots)
    i = last_origin(seconds, bit & (blots_at_start(board) << of.die), at.k - at.n)
    return next_row(board, at.row, i, of.die, &at.blots)


cdef inline row_t picked_ways(Board* board, const Ways* of, int k) noexcept nogil:
    """Number k of the plays of a double: origins in falling order, as `play_falling` plays them."""
    cdef Descent at
    cdef int i, _
    at.row, at.stacks, at.blots = board.base, of.stacks, blots_at_start(board)
    at.allowed, at.k, at.n = POINTS, k, of.n
    for _ in range(of.entered.n):
        at.row = next_row(board, at.row, BAR, of.die, &at.blots)
    if of.moves == 1:
        i = bit_select(at.stacks.one & (of.open << of.die), k)
        return next_row(board, at.row, i, of.die, &at.blots)
    if of.moves > 3:
        descend(board, &at, of, 3)
    if of.moves > 2:
        descend(board, &at, of, 2)
    return last_two(board, &at, of)


cdef inline row_t picked(Board* board, const LeafSink* sink, int k) noexcept nogil:
    """After-state number k of all that the sink has taken."""
    cdef uint32_t blots = blots_at_start(board)
    cdef const Leaf* leaf = sink.first
    cdef row_t row = board.base
    cdef int step, i
    if sink.ways.n:
        return picked_ways(board, &sink.ways, k)
    while k >= leaf.n:
        k -= leaf.n
        leaf += 1
    for step in range(leaf.trail.n):
        row = next_row(board, row, leaf.trail.origin[step], leaf.trail.die[step], &blots)
    i = bit_select(leaf.origins, k)
    return next_row(board, row, i, leaf.die, &blots) if i else row
