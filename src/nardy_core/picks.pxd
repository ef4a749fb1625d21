# One after-state of a roll by its number in the documented order, the others unmade: they are
# counted as masks (LeafSink), then the half-moves of the one that is wanted are looked up.
from libc.stdint cimport int8_t, uint32_t

from nardy_core.bits cimport (
    BAR, POINTS, WIDTH, bit_count, bit_lowest, bit_select, nardy_hit, row_add, row_load, row_t,
)
from nardy_core.board cimport Board, ShortBoard, moved
from nardy_core.halfmoves cimport after_leaving
from nardy_core.sinks cimport Leaf, LeafSink, Pairs, Ways
from nardy_core.stacks cimport Stacks, moved_on, ways


cdef inline row_t next_row(
    Board* board, row_t row, int origin, int die, uint32_t* blots
) noexcept nogil:
    """The row after one more half-move; `blots` are those that nobody has hit yet."""
    cdef uint32_t hit
    row = row_add(row, row_load(moved(board, die) + WIDTH * <size_t> origin))
    if Board is ShortBoard:
        # Row 0 of the hits is no hit: no branch that chance would decide.
        hit = blots[0] & (<uint32_t> 1 << origin >> die)
        blots[0] &= ~hit
        row = row_add(row, row_load(&nardy_hit[bit_lowest(hit) if hit else 0][0]))
    return row


cdef inline uint32_t blots_at_start(Board* board) noexcept nogil:
    if Board is ShortBoard:
        return board.blots
    else:
        return 0


cdef inline uint32_t seconds_of(
    Board* board, const Pairs* pairs, uint32_t bit
) noexcept nogil:
    """Origins by the small die once the checker at `bit` has played the large one (a row of
    `play_unequal`)."""
    return (
        (after_leaving(board.own, pairs.stay, bit) | (bit >> pairs.large))
        & (board.open << pairs.small) & ~(bit << pairs.small)
    )


cdef inline int last_origin(uint32_t origins, uint32_t again, int k) noexcept nogil:
    """Number k of the last origins: who lands where the half-move before hit comes first."""
    again &= origins
    if again:
        if k == 0:
            return bit_lowest(again)
        k -= 1
    return bit_select(origins & ~again, k)


cdef inline row_t picked_pair(Board* board, const Pairs* pairs, int k) noexcept nogil:
    """Number k of the pairs."""
    cdef uint32_t rest = pairs.firsts, bit, seconds, hit, blots = blots_at_start(board)
    cdef int left = k, i, lone = pairs.n - bit_count(pairs.lone)
    cdef row_t row
    if k >= lone:
        i = bit_select(pairs.lone, k - lone)
        row = next_row(board, board.base, i, pairs.small, &blots)
        return next_row(board, row, i - pairs.small, pairs.large, &blots)
    while True:
        bit = rest & (0 - rest)
        seconds = seconds_of(board, pairs, bit)
        if left < bit_count(seconds):
            break
        left -= bit_count(seconds)
        rest &= rest - 1
    hit = blots & (bit >> pairs.large)
    row = next_row(board, board.base, bit_lowest(bit), pairs.large, &blots)
    i = last_origin(seconds, hit << pairs.small, left)
    return next_row(board, row, i, pairs.small, &blots)


cdef inline row_t picked_ways(Board* board, const Ways* of, int k) noexcept nogil:
    """Number k of the plays of a double: origins in falling order, as `play_falling` plays them."""
    cdef Stacks stacks = of.stacks, after
    cdef uint32_t open_die = board.open << of.die, allowed = POINTS
    cdef uint32_t blots = blots_at_start(board), hit = 0, rest, bit
    cdef int left = of.moves - 1, n, _
    cdef row_t row = board.base
    for _ in range(of.entered.n):
        row = next_row(board, row, BAR, of.die, &blots)
    while left:
        rest = stacks.one & open_die & allowed
        while True:
            bit = rest & (0 - rest)
            allowed = bit | (bit - 1)
            after = moved_on(&stacks, bit, of.die)
            rest &= rest - 1
            if not rest:
                break
            n = ways(&after, board.open, allowed, of.die, left)
            if k < n:
                break
            k -= n
        hit = bit & (blots_at_start(board) << of.die)
        row = next_row(board, row, bit_lowest(bit), of.die, &blots)
        stacks = after
        left -= 1
    return next_row(
        board, row, last_origin(stacks.one & open_die & allowed, hit, k), of.die, &blots
    )


cdef inline row_t picked(Board* board, const LeafSink* sink, int k) noexcept nogil:
    """After-state number k of all that the sink has taken."""
    cdef uint32_t blots = blots_at_start(board)
    cdef const Leaf* leaf = sink.first
    cdef row_t row = board.base
    cdef int step, i
    if sink.pairs.n:
        return picked_pair(board, &sink.pairs, k)
    if sink.ways.n:
        return picked_ways(board, &sink.ways, k)
    while k >= leaf.n:
        k -= leaf.n
        leaf += 1
    for step in range(leaf.trail.n):
        row = next_row(board, row, leaf.trail.origin[step], leaf.trail.die[step], &blots)
    i = bit_select(leaf.origins, k)
    return next_row(board, row, i, leaf.die, &blots) if i else row
