# All distinct after-states of a double (docs/rules.md §3.4), each found exactly once: no
# de-duplication.
#
# With one number the after-state and the multiset of origins determine each other, hits included,
# and a multiset that can be played in some order can be played farthest checker first. So: origins
# in falling order, to the wanted depth, the last half-move for a whole mask of origins at a time.
from libc.stdint cimport int8_t, int64_t, uint32_t

from nardy_core.bits cimport (
    BAR, HEAD_BIT, OFF, OUTSIDE, POINTS, WIDTH, bit_count, bit_lowest, row_above, row_add, row_load,
    row_t,
)
from nardy_core.board cimport Board, LongBoard, ShortBoard, moved
from nardy_core.halfmoves cimport bears_exactly, off_origins
from nardy_core.pairs cimport watch_block
from nardy_core.plays cimport take
from nardy_core.sinks cimport (
    MOST_STEPS, CountSink, LeafSink, Sink, StepSink, Trail, filled, put_row, put_ways,
)
from nardy_core.stacks cimport Stacks, far_out, moved_on
from nardy_core.unequal cimport step_row, with_hits

# What stays the same through one double.
ctypedef struct Double:
    const int8_t* table        # what a half-move adds, with the hit
    uint32_t open              # bit 0: off too
    int die
    bint bears                 # somebody may come to bear off
    uint32_t hitting           # origins whose landing hits
    Trail trail

cdef enum:
    # After-states written between two tests: the last half-move has 1.6 origins on average.
    FEW = 2


cdef inline uint32_t origins_of(
    Board* board, const Double* double, const Stacks* stacks, uint32_t last, bint plain
) noexcept nogil:
    """Points from which the next half-move can start, none beyond the last one."""
    cdef uint32_t origins = stacks.one & (double.open << double.die)
    if not plain and double.bears:
        origins |= off_origins(board, stacks.one | stacks.farther, double.die) & (last | (last - 1))
    return origins


cdef inline row_t moved_row(
    Board* board, const Double* double, row_t row, unsigned int i, uint32_t last
) noexcept nogil:
    """The row after a half-move from i; a second checker from there does not hit again."""
    if Board is ShortBoard:
        if double.hitting & last & (<uint32_t> 1 << i):
            return row_add(row, row_load(moved(board, double.die) + WIDTH * <size_t> i))
    return row_add(row, row_load(double.table + WIDTH * <size_t> i))


cdef inline void remember(
    Board* board, Sink* sink, Double* double, int k, unsigned int origin, bint plain
) noexcept nogil:
    """Note half-move k for who will read the trail: a sink that tells it, or a watched board."""
    if Sink is StepSink or Sink is LeafSink or (Board is LongBoard and not plain):
        double.trail.n = k + 1
        double.trail.origin[k] = origin


# The half-moves from the last one back: each function plays one and leaves the rest to the one
# above it. `last` is the origin just played (a bit; at first the bar, which is beyond all points),
# `k` the number of half-moves played. `plain`, known when this is compiled, says that nobody can
# bear off and the board is not watched. Alike as they look, they are not one function: as one loop
# over the depth, with its state in memory, a double took 2,810 instructions instead of 2,080.


cdef inline void play_last(
    Board* board, Sink* sink, Double* double, row_t row, const Stacks* stacks, uint32_t last,
    bint plain,
) noexcept nogil:
    cdef uint32_t origins = origins_of(board, double, stacks, last, plain), again
    if Board is ShortBoard:
        again = origins & double.hitting & last
        if again:
            take(
                board, sink, row, moved(board, double.die), again, &double.trail, double.die,
                plain, 1,
            )
            origins &= ~again
    take(board, sink, row, double.table, origins, &double.trail, double.die, plain, FEW)


cdef inline void play_two(
    Board* board, Sink* sink, Double* double, row_t row, const Stacks* stacks, uint32_t last,
    int k, bint plain,
) noexcept nogil:
    cdef uint32_t rest = origins_of(board, double, stacks, last, plain), bit
    cdef Stacks after
    cdef unsigned int i
    while rest:
        i = bit_lowest(rest)
        bit = rest & (0 - rest)
        rest &= rest - 1
        after = moved_on(stacks, bit, double.die)
        remember(board, sink, double, k, i, plain)
        play_last(
            board, sink, double, moved_row(board, double, row, i, last), &after, bit, plain
        )


cdef inline void play_three(
    Board* board, Sink* sink, Double* double, row_t row, const Stacks* stacks, uint32_t last,
    int k, bint plain,
) noexcept nogil:
    cdef uint32_t rest = origins_of(board, double, stacks, last, plain), bit
    cdef Stacks after
    cdef unsigned int i
    while rest:
        i = bit_lowest(rest)
        bit = rest & (0 - rest)
        rest &= rest - 1
        after = moved_on(stacks, bit, double.die)
        remember(board, sink, double, k, i, plain)
        play_two(
            board, sink, double, moved_row(board, double, row, i, last), &after, bit, k + 1, plain
        )


cdef inline void play_four(
    Board* board, Sink* sink, Double* double, row_t row, const Stacks* stacks, uint32_t last,
    bint plain,
) noexcept nogil:
    cdef uint32_t rest = origins_of(board, double, stacks, last, plain), bit
    cdef Stacks after
    cdef unsigned int i
    while rest:
        i = bit_lowest(rest)
        bit = rest & (0 - rest)
        rest &= rest - 1
        after = moved_on(stacks, bit, double.die)
        remember(board, sink, double, 0, i, plain)
        play_three(
            board, sink, double, moved_row(board, double, row, i, last), &after, bit, 1, plain
        )


cdef inline void play_falling(
    Board* board, Sink* sink, Double* double, row_t row, const Stacks* stacks, int moves,
    bint plain,
) noexcept nogil:
    """All ways to play exactly `moves` more half-moves."""
    cdef uint32_t last = <uint32_t> 1 << BAR
    cdef int k = double.trail.n
    if moves == 4:
        play_four(board, sink, double, row, stacks, last, plain)
    elif moves == 3:
        play_three(board, sink, double, row, stacks, last, k, plain)
    elif moves == 2:
        play_two(board, sink, double, row, stacks, last, k, plain)
    else:
        play_last(board, sink, double, row, stacks, last, plain)
    double.trail.n = k


cdef inline bint is_free(Board* board) noexcept nogil:
    """Every after-state that the masks give is legal."""
    if Board is LongBoard:
        return not board.watched
    else:
        return True


cdef inline int play_double(Board* board, Sink* sink, int die, int moves) noexcept nogil:
    """Send all plays of `moves` half-moves by `die`, or as many as possible; how many that is."""
    cdef int8_t[32 * 32] room
    cdef row_t row = board.base
    cdef Stacks stacks
    cdef Double double
    cdef int64_t start
    cdef uint32_t reach
    cdef int k, _, left = moves
    cdef bint plain

    fill_stacks(board, &stacks)
    double.die = die
    double.trail.n = 0
    for k in range(MOST_STEPS):
        double.trail.die[k] = die
    if Board is ShortBoard:
        if board.bar:
            if not board.open >> (BAR - die) & 1:
                return 0
            row = enter(board, &stacks, &double.trail, die, moves)
            left -= double.trail.n
    double.open = board.open
    # Bearing off takes all checkers outside home first, and then one half-move more.
    double.bears = left > <int> far_out[uint32_t](&stacks, 7)
    reach = stacks.one
    for _ in range(MOST_STEPS):
        reach |= (reach >> die) & board.open
    if Board is LongBoard:
        hold_back(board, &stacks, &double.bears)
        watch_block(board, reach)
        if double.bears and board.rules.mandatory:
            board.watched = True
        double.table = moved(board, die)
    else:
        double.hitting = board.blots << die
        double.table = with_hits(board, sink, board.blots & (reach >> die), die, room)
    if is_free(board) and double.bears and bears_exactly(
        board, stacks.one, <int> far_out[uint32_t](&stacks, die) >= left
    ):
        double.open |= 1 << OFF
        double.bears = False
    plain = is_free(board) and not double.bears
    if Sink is CountSink or Sink is LeafSink:
        if plain:
            while left and not put_ways(sink, &stacks, double.open, left, &double.trail, die):
                left -= 1
            if left:
                return double.trail.n + left
    while left:
        start = filled(sink)
        if plain:
            play_falling(board, sink, &double, row, &stacks, left, True)
        else:
            play_falling(board, sink, &double, row, &stacks, left, False)
        if filled(sink) != start:
            return double.trail.n + left
        left -= 1
    if double.trail.n:
        put_row(sink, row, &double.trail)
    return double.trail.n


cdef inline void fill_stacks(Board* board, Stacks* stacks) noexcept nogil:
    cdef row_t counts = row_load(board.row)
    stacks.farther = 0
    stacks.one = board.own
    stacks.two = board.more
    stacks.three = row_above(counts, 2) & POINTS
    stacks.four = row_above(counts, 3) & POINTS


cdef inline void hold_back(LongBoard* board, Stacks* stacks, bint* bears) noexcept nogil:
    """§4: no more checkers may leave the head than the cap; those held back keep all from bearing
    off."""
    cdef uint32_t held = 0
    if board.cap < 2:
        held |= stacks.two & HEAD_BIT
        stacks.two &= ~<uint32_t> HEAD_BIT
    if board.cap < 3:
        held |= stacks.three & HEAD_BIT
        stacks.three &= ~<uint32_t> HEAD_BIT
    if board.cap < 4:
        held |= stacks.four & HEAD_BIT
        stacks.four &= ~<uint32_t> HEAD_BIT
    if held:
        bears[0] = False


cdef inline row_t enter(
    ShortBoard* board, Stacks* stacks, Trail* trail, int die, int moves
) noexcept nogil:
    """§8.2: as many checkers as the dice allow come in first; the trail then says how many did."""
    cdef row_t row = step_row(board, board.base, BAR, die)
    cdef int to = BAR - die, count, k
    trail.n = min(board.bar, moves)
    trail.origin[0] = BAR
    for k in range(1, trail.n):
        trail.origin[k] = BAR
        row = row_add(row, row_load(moved(board, die) + WIDTH * BAR))
    count = max(<int> board.row[to], 0) + trail.n
    stacks.one |= <uint32_t> 1 << to
    stacks.two |= <uint32_t> (count > 1) << to
    stacks.three |= <uint32_t> (count > 2) << to
    stacks.four |= <uint32_t> (count > 3) << to
    return row
