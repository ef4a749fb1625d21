# All distinct after-states of two different dice (docs/rules.md §3.4), each found exactly once: no
# de-duplication.
#
# Where nothing depends on the order of the half-moves, they are the rows of pairs.pxd: `play_rows`.
# Else (`play_in_order`) checkers come in first, or bearing off adds plays whose order matters, or
# the rows are gone through half-move by half-move.
from libc.stdint cimport int8_t, int64_t, uint32_t

from nardy_core.bits cimport (
    BAR, WIDTH, bit_lowest, nardy_hit, row_add, row_load, row_store, row_t,
)
from nardy_core.board cimport Board, LongBoard, ShortBoard, moved
from nardy_core.halfmoves cimport after_leaving, inner_origins, landing, off_origins
from nardy_core.pairs cimport (
    Pairs, count_pairs, may_bear, read_pairs, seconds_after, staying, watch_block,
)
from nardy_core.plays cimport take, take_one
from nardy_core.sinks cimport SPARE_STATES, CountSink, LeafSink, Sink, Trail, filled


cdef inline const int8_t* with_hits(
    Board* board, Sink* sink, uint32_t blots, int die, int8_t* room
) noexcept nogil:
    """The table of `die` in which landing on a blot also hits it: a copy in `room`, or itself if
    there is none."""
    cdef const int8_t* table = moved(board, die)
    cdef int origin
    if Sink is not CountSink and Sink is not LeafSink:
        if blots:
            for origin in range(1, 32):
                row_store(room + WIDTH * origin, row_load(table + WIDTH * origin))
            table = room
        while blots:
            origin = bit_lowest(blots) + die
            blots &= blots - 1
            row_store(
                room + WIDTH * origin,
                row_add(row_load(room + WIDTH * origin), row_load(&nardy_hit[origin - die][0])),
            )
    return table


cdef inline uint32_t blots_of(Board* board) noexcept nogil:
    if Board is ShortBoard:
        return board.blots
    else:
        return 0


cdef inline row_t step_row(Board* board, row_t row, int origin, int die) noexcept nogil:
    """The row after one more half-move, with the hit if it lands on a blot nobody has hit yet."""
    row = row_add(row, row_load(moved(board, die) + WIDTH * origin))
    if Board is ShortBoard:
        if origin > die and board.blots >> (origin - die) & 1:
            row = row_add(row, row_load(&nardy_hit[origin - die][0]))
    return row


cdef inline void take_row(
    Board* board, Sink* sink, row_t row, const int8_t* table, uint32_t seconds,
    const Trail* trail, int die, bint plain,
) noexcept nogil:
    """All second half-moves after a first one (the trail): who lands where the first one hit does
    not hit again."""
    cdef int8_t first = trail.origin[0] - trail.die[0]
    cdef uint32_t again
    if Board is ShortBoard:
        if first > 0 and board.blots >> first & 1:
            again = seconds & (<uint32_t> 1 << first << die)
            if again:
                take(board, sink, row, moved(board, die), again, trail, die, plain, 1)
                seconds &= ~again
    take(board, sink, row, table, seconds, trail, die, plain, SPARE_STATES)


cdef inline void take_pair(
    Board* board, Sink* sink, int i, int x, int j, int y, Trail* trail, bint plain
) noexcept nogil:
    """One play of two half-moves, i by x and then j by y, that do not land on the same point."""
    trail.origin[0] = i
    trail.die[0] = x
    take_one(
        board, sink, step_row(board, step_row(board, board.base, i, x), j, y), trail, j, y, plain
    )


cdef inline int play_unequal(Board* board, Sink* sink, int large, int small) noexcept nogil:
    """Send all plays of the two dice to the sink; the number of half-moves that they have."""
    cdef Pairs pairs
    cdef int64_t start = filled(sink)
    if Sink is LeafSink:
        # It is for what is not among the pairs (picks.pxd).
        return play_in_order(board, sink, large, small)
    else:
        if not read_pairs(board, &pairs, large, small):
            return play_in_order(board, sink, large, small)
        if Sink is CountSink:
            sink.n += count_pairs(board, &pairs)
        else:
            play_rows(board, sink, &pairs, True)
        if filled(sink) != start:
            return 2
        return play_single(board, sink, pairs.firsts, large, pairs.seconds, small)


cdef inline int play_in_order(Board* board, Sink* sink, int large, int small) noexcept nogil:
    """The same where the order of the half-moves matters, or each of them has to be looked at."""
    cdef Pairs pairs
    cdef int64_t start = filled(sink)
    if Board is ShortBoard:
        if board.bar:
            return play_entering(board, sink, large, small)
    if may_bear(board, large):
        return play_bearing(board, sink, large, small)
    read_pairs(board, &pairs, large, small)
    play_rows(board, sink, &pairs, False)
    if filled(sink) != start:
        return 2
    return play_single(board, sink, pairs.firsts, large, pairs.seconds, small)


cdef inline void play_rows(
    Board* board, Sink* sink, const Pairs* pairs, bint plain
) noexcept nogil:
    """A row of plays for each origin of the large die, then `lone`: the small die first."""
    cdef int8_t[32 * 32] room
    cdef int large = pairs.large, small = pairs.small, i
    cdef uint32_t firsts = pairs.firsts, lone = pairs.lone, bit
    cdef const int8_t* by_small = with_hits(
        board, sink, blots_of(board) & ((board.own | (firsts >> large)) >> small), small, room
    )
    cdef row_t row, base = board.base
    cdef Trail trail
    trail.n = 1
    trail.die[0] = large
    while firsts:
        i = bit_lowest(firsts)
        bit = firsts & (0 - firsts)
        firsts &= firsts - 1
        row = step_row(board, base, i, large)
        trail.origin[0] = i
        take_row(
            board, sink, row, by_small, seconds_after(board, pairs, bit), &trail, small, plain
        )
    while lone:
        i = bit_lowest(lone)
        lone &= lone - 1
        take_pair(board, sink, i, small, i - small, large, &trail, plain)


cdef inline int play_single(
    Board* board, Sink* sink, uint32_t by_large, int large, uint32_t by_small, int small
) noexcept nogil:
    """§3.4: only one die can be played: the larger one if possible."""
    cdef int8_t[32 * 32] room
    cdef const int8_t* table
    cdef int64_t start = filled(sink)
    cdef Trail trail
    trail.n = 0
    table = with_hits(board, sink, blots_of(board) & (by_large >> large), large, room)
    take(board, sink, board.base, table, by_large, &trail, large, False, SPARE_STATES)
    if filled(sink) != start:
        return 1
    table = with_hits(board, sink, blots_of(board) & (by_small >> small), small, room)
    take(board, sink, board.base, table, by_small, &trail, small, False, SPARE_STATES)
    return filled(sink) != start


cdef inline int play_entering(ShortBoard* board, Sink* sink, int large, int small) noexcept nogil:
    """§8.2: checkers on the bar enter first. With two or more of them both dice enter."""
    cdef int8_t[32 * 32] room
    cdef int64_t start = filled(sink)
    cdef uint32_t bar = <uint32_t> 1 << BAR
    cdef uint32_t at_large = bar >> large, at_small = bar >> small
    cdef bint enters_large = board.open & at_large != 0, enters_small = board.open & at_small != 0
    cdef const int8_t* table
    cdef uint32_t own, seconds
    cdef row_t row
    cdef Trail trail
    trail.n = 1
    if board.bar > 1:
        if enters_large and enters_small:
            take_pair(board, sink, BAR, large, BAR, small, &trail, True)
            return 2
    else:
        if enters_large:
            trail.origin[0] = BAR
            trail.die[0] = large
            own = board.own | at_large
            seconds = own & (board.open << small)
            table = with_hits(board, sink, board.blots & (seconds >> small), small, room)
            row = step_row(board, board.base, BAR, large)
            take_row(board, sink, row, table, seconds, &trail, small, True)
        if enters_small:
            trail.origin[0] = BAR
            trail.die[0] = small
            own = board.own | at_small
            seconds = own & (board.open << large)
            # The entered checker goes on: the same board as above, unless one of the two ways hits
            # on entering.
            if enters_large and not board.blots & (at_large | at_small):
                seconds &= ~at_small
            table = with_hits(board, sink, board.blots & (seconds >> large), large, room)
            row = step_row(board, board.base, BAR, small)
            take_row(board, sink, row, table, seconds, &trail, large, True)
        if filled(sink) != start:
            return 2
    return play_single(
        board, sink, bar if enters_large else 0, large, bar if enters_small else 0, small
    )


cdef inline int play_bearing(Board* board, Sink* sink, int large, int small) noexcept nogil:
    """At most one checker is outside: here the order of the dice matters, since the first half-move
    may allow the second.

    First all plays with the large die first (rows as in `play_unequal`); then those with the small
    die first that nobody has seen: the large die bears off only now, or one checker plays both dice
    in this order alone.
    """
    cdef int8_t[32 * 32] room
    cdef uint32_t own = board.own, stay = staying(board)
    cdef uint32_t off_large = off_origins(board, own, large)
    cdef uint32_t off_small = off_origins(board, own, small)
    cdef uint32_t by_large = inner_origins(board, own, large) | off_large
    cdef uint32_t by_small = inner_origins(board, own, small) | off_small
    cdef uint32_t rest, bit, now, seconds, off, middle
    cdef const int8_t* table
    cdef int64_t start = filled(sink)
    cdef int i, j
    cdef row_t row
    cdef Trail trail

    if Board is LongBoard:
        watch_block(board, landing(own, large) | landing(own, small) | landing(own, large + small))
        if board.rules.mandatory:
            board.watched = True
    trail.n = 1
    table = with_hits(
        board, sink, blots_of(board) & landing(own | landing(by_large, large), small), small, room
    )
    rest = by_large
    while rest:
        i = bit_lowest(rest)
        rest &= rest - 1
        bit = <uint32_t> 1 << i
        now = after_leaving(own, stay, bit) | landing(bit, large)
        off = off_origins(board, now, small)
        if bit & off_large:
            # Both go off: with overshoot "any" the two may exchange dice; the farther one goes
            # first.
            off &= ~exchanged(board, own, stay, off & off_large & ~(bit | (bit - 1)), bit, small)
        seconds = (inner_origins(board, now, small) & ~(bit << small)) | off
        row = step_row(board, board.base, i, large)
        trail.origin[0] = i
        trail.die[0] = large
        take_row(board, sink, row, table, seconds, &trail, small, False)
    rest = by_small
    while rest:
        j = bit_lowest(rest)
        rest &= rest - 1
        bit = <uint32_t> 1 << j
        now = after_leaving(own, stay, bit) | landing(bit, small)
        middle = landing(bit, small)
        off = off_origins(board, now, large)
        seconds = off & ~(off_large | middle)
        if bit & off_large and not middle:
            # Both go off, and the first rows have it with the dice exchanged.
            seconds &= ~off_origins(board, now, small)
        if middle & (inner_origins(board, now, large) | off):
            if not same_checker_was_seen(board, bit, large, small):
                seconds |= middle
        while seconds:
            i = bit_lowest(seconds)
            seconds &= seconds - 1
            take_pair(board, sink, j, small, i, large, &trail, False)
    if filled(sink) != start:
        return 2
    return play_single(board, sink, by_large, large, by_small, small)


cdef inline uint32_t exchanged(
    Board* board, uint32_t own, uint32_t stay, uint32_t others, uint32_t bit, int small
) noexcept nogil:
    """Those of `others` after whose bearing off (by the large die) `bit` can go off by the small
    one."""
    cdef uint32_t found = 0, other
    while others:
        other = others & (0 - others)
        others &= others - 1
        if off_origins(board, after_leaving(own, stay, other), small) & bit:
            found |= other
    return found


cdef inline bint same_checker_was_seen(
    Board* board, uint32_t bit, int large, int small
) noexcept nogil:
    """The checker at `bit` can play the large die, then the small one, and comes to the same board
    that way."""
    cdef uint32_t middle = landing(bit, large) & board.open
    cdef uint32_t now = after_leaving(board.own, board.more, bit) | middle
    if Board is ShortBoard:
        if board.blots & (middle | landing(bit, small)):
            return False
    return middle & (inner_origins(board, now, small) | off_origins(board, now, small)) != 0
