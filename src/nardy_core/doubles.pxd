# All distinct after-states of a double (docs/rules.md §3.4), each found exactly once: no de-duplication.
#
# With one number the after-state and the multiset of origins determine each other, hits included, and a multiset that
# can be played in some order can be played farthest checker first. So: origins in falling order, to the wanted depth.
from libc.stdint cimport int8_t, int64_t, uint32_t

from nardy_core.bits cimport (
    BAR, HEAD, HEAD_BIT, OUTSIDE, POINTS, WIDTH, bit_count, bit_lowest, row_above, row_add, row_load, row_t,
)
from nardy_core.board cimport Board, LongBoard, ShortBoard, moved
from nardy_core.halfmoves cimport inner_origins, landing, off_origins
from nardy_core.plays cimport take
from nardy_core.sinks cimport MOST_STEPS, Sink, Trail, filled, put_row
from nardy_core.unequal cimport blots_of, step_row, watch_block, with_hits

# Own checkers by point, as far as four half-moves can tell: bit p of at_least[k - 1] is "k or more checkers may leave p".
ctypedef struct Stacks:
    uint32_t[4] at_least


cdef inline Stacks moved_on(const Stacks* stacks, uint32_t origin, int die) noexcept nogil:
    """The stacks after one checker has gone from `origin` by `die`."""
    cdef Stacks after
    cdef uint32_t to = landing(origin, die)
    after.at_least[0] = (stacks.at_least[0] & ~origin) | (stacks.at_least[1] & origin)
    after.at_least[1] = (stacks.at_least[1] & ~origin) | (stacks.at_least[2] & origin)
    after.at_least[2] = (stacks.at_least[2] & ~origin) | (stacks.at_least[3] & origin)
    after.at_least[3] = stacks.at_least[3] & ~origin
    after.at_least[3] |= after.at_least[2] & to
    after.at_least[2] |= after.at_least[1] & to
    after.at_least[1] |= after.at_least[0] & to
    after.at_least[0] |= to
    return after


cdef inline int play_double(Board* board, Sink* sink, int die, int moves) noexcept nogil:
    """Send all plays of `moves` half-moves by `die` to the sink, or of as many as possible; how many that is."""
    cdef int8_t[32 * 32] room
    cdef row_t counts = row_load(board.row), row = board.base
    cdef const int8_t* table
    cdef Stacks stacks
    cdef Trail trail
    cdef int64_t start
    cdef uint32_t reach
    cdef int k, left = moves, outside = 0
    cdef bint bears

    stacks.at_least[0] = board.own
    stacks.at_least[1] = board.more
    stacks.at_least[2] = row_above(counts, 2) & POINTS
    stacks.at_least[3] = row_above(counts, 3) & POINTS
    trail.n = 0
    for k in range(MOST_STEPS):
        trail.die[k] = die
    if Board is ShortBoard:
        if board.bar:
            if not board.open >> (BAR - die) & 1:
                return 0
            row = enter(board, &stacks, &trail, die, moves)
            left -= trail.n
    for k in range(4):
        outside += bit_count(stacks.at_least[k] & OUTSIDE)
    bears = outside < left
    if Board is LongBoard:
        for k in range(board.cap, 4):
            # Checkers that the head rule holds back stay on the head, so nobody can bear off.
            if stacks.at_least[k] & HEAD_BIT:
                bears = False
            stacks.at_least[k] &= ~<uint32_t> HEAD_BIT
        reach = landing(inner_origins(board, board.own, die), die)
        for k in range(moves - 1):
            reach |= landing(inner_origins(board, reach, die), die)
        watch_block(board, reach)
        if bears and board.rules.mandatory:
            board.watched = True
        table = moved(board, die)
    else:
        reach = stacks.at_least[0]
        for k in range(moves - 1):
            reach |= landing(inner_origins(board, reach, die), die)
        table = with_hits(board, moved(board, die), blots_of(board) & (reach >> die), die, room)
    while left:
        start = filled(sink)
        play_falling(board, sink, row, table, &stacks, &trail, die, left, bears)
        if filled(sink) != start:
            return trail.n + left
        left -= 1
    if trail.n:
        put_row(sink, row, &trail)
    return trail.n


cdef inline row_t enter(ShortBoard* board, Stacks* stacks, Trail* trail, int die, int moves) noexcept nogil:
    """§8.2: as many checkers as the dice allow come in from the bar first; the trail then says how many did."""
    cdef row_t row = step_row(board, board.base, BAR, die)
    cdef int to = BAR - die, count, k
    trail.n = min(board.bar, moves)
    trail.origin[0] = BAR
    for k in range(1, trail.n):
        trail.origin[k] = BAR
        row = row_add(row, row_load(moved(board, die) + WIDTH * BAR))
    count = max(<int> board.row[to], 0) + trail.n
    for k in range(min(count, 4)):
        stacks.at_least[k] |= <uint32_t> 1 << to
    return row


cdef inline void play_falling(
    Board* board, Sink* sink, row_t row, const int8_t* table, const Stacks* stacks, Trail* trail, int die, int moves,
    bint bears
) noexcept nogil:
    """All ways to play exactly `moves` more half-moves, each origin at or below the one before."""
    cdef const int8_t* plain = moved(board, die)
    cdef int entered = trail.n, depth = 0, i
    # [depth]: the state before this half-move, the origins still to be tried for it, those allowed by the order
    cdef Stacks[4] before
    cdef row_t[4] rows
    cdef uint32_t[4] rest
    cdef uint32_t allowed = 0xFFFFFFFF, origins, again = 0, bit
    before[0] = stacks[0]
    rows[0] = row
    while True:
        origins = inner_origins(board, before[depth].at_least[0], die)
        if bears:
            origins |= off_origins(board, before[depth].at_least[0], die)
        origins &= allowed
        if depth < moves - 1:
            rest[depth] = origins
        else:
            trail.n = entered + depth
            if Board is ShortBoard:
                # A second checker from the same origin does not hit again.
                again &= origins
                if again:
                    take(board, sink, rows[depth], plain, again, trail, die)
                    origins &= ~again
            take(board, sink, rows[depth], table, origins, trail, die)
            depth -= 1
        while depth >= 0 and not rest[depth]:
            depth -= 1
        if depth < 0:
            trail.n = entered
            return
        i = bit_lowest(rest[depth])
        rest[depth] &= rest[depth] - 1
        bit = <uint32_t> 1 << i
        before[depth + 1] = moved_on(&before[depth], bit, die)
        if Board is ShortBoard:
            again = bit & (board.blots << die)
            if depth and trail.origin[entered + depth - 1] == i and again:
                rows[depth + 1] = row_add(rows[depth], row_load(plain + WIDTH * i))
            else:
                rows[depth + 1] = row_add(rows[depth], row_load(table + WIDTH * i))
        else:
            rows[depth + 1] = row_add(rows[depth], row_load(table + WIDTH * i))
        trail.origin[entered + depth] = i
        allowed = bit | (bit - 1)
        depth += 1
