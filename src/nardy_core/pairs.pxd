# The plays of two different dice where nothing depends on the order of the half-moves: nearly
# always. They can be read off a handful of masks, and are counted without being gone through.
#
# Pairs (i by the large die, j by the small one) read off the starting masks give distinct after-
# states, but for one checker k that plays both dice. Such a play stands once in row k (large die
# first); the pair (j = i + small), which would give the same board, is dropped, and k is added by
# itself (`lone`) where only the small die can come first, or where the two ways hit differently.
from libc.stdint cimport uint32_t

from nardy_core.bits cimport HEAD_BIT, OFF, OUTSIDE, POINTS
from nardy_core.block cimport holds_forbidden
from nardy_core.board cimport Board, LongBoard, ShortBoard
from nardy_core.halfmoves cimport after_leaving, bears_exactly
from nardy_core.lanes cimport Mask, count_of

ctypedef struct Pairs:
    uint32_t large
    uint32_t small
    uint32_t open              # bit 0: off too
    uint32_t firsts            # by the large die
    uint32_t seconds           # by the small die, from the starting board
    uint32_t stay              # points that a second checker may leave
    uint32_t lone              # one checker plays both dice, the small one first


cdef inline bint read_pairs(Board* board, Pairs* pairs, int large, int small) noexcept nogil:
    """Read the masks; false where they do not tell all plays, or (a watched board) some of them may
    not be legal."""
    cdef uint32_t open = board.open, far
    cdef bint two_far
    if Board is ShortBoard:
        if board.bar:
            return False
    if may_bear(board, large):
        far = board.own >> large
        two_far = far & (far - 1) or board.more >> large
        if not bears_exactly(board, board.own, two_far):
            return False
        if Board is LongBoard:
            if board.rules.mandatory:
                return False
        open |= 1 << OFF
    pairs.large = large
    pairs.small = small
    pairs.open = open
    pairs.firsts = board.own & (open << large)
    pairs.seconds = board.own & (open << small)
    pairs.stay = staying(board)
    pairs.lone = lone_origins(board, open, pairs.large, pairs.small)
    if Board is LongBoard:
        watch_block(board, landings_of(board.own, open, pairs.large, pairs.small))
        return not board.watched
    else:
        return True


cdef inline int count_pairs(Board* board, const Pairs* pairs) noexcept nogil:
    """How many after-states there are."""
    return pairs_of(
        board.own, pairs.stay, pairs.open, pairs.firsts, pairs.seconds, pairs.lone, pairs.large,
        pairs.small,
    )


cdef inline Mask pairs_of(
    uint32_t own, uint32_t stay, Mask open, Mask firsts, Mask seconds, Mask lone, Mask large,
    Mask small,
) noexcept nogil:
    """The same from the masks.

    Row i has all seconds of the start, but for i itself if it holds no other checker that may
    leave, and for the dropped i + small; and it gains i - large if nobody stood there. Six counts
    instead of a loop: all 21 rolls of a row 28 -> 32 M pairs/s (long), 19 -> 31 M (short).
    """
    return (
        count_of(firsts) * count_of(seconds)
        - count_of(firsts & seconds & ~stay)
        - count_of(firsts & (own >> small))
        + count_of(firsts & ~(own << large) & (open << (large + small)))
        + count_of(lone)
    )


cdef inline uint32_t seconds_after(
    Board* board, const Pairs* pairs, uint32_t bit
) noexcept nogil:
    """Origins by the small die once the checker at `bit` has played the large one: row `bit`."""
    return (
        (after_leaving(board.own, pairs.stay, bit) | (bit >> pairs.large))
        & (pairs.open << pairs.small) & ~(bit << pairs.small)
    )


cdef inline uint32_t staying(Board* board) noexcept nogil:
    """Points from which a second checker may leave in this turn: two checkers, and no head cap of
    one."""
    if Board is LongBoard:
        return board.more if board.cap > 1 else board.more & ~<uint32_t> HEAD_BIT
    else:
        return board.more


cdef inline bint may_bear(Board* board, int large) noexcept nogil:
    """One checker outside that the dice can bring home, or none: bearing off is possible."""
    cdef uint32_t outside = board.own & OUTSIDE
    return not outside & (outside - 1) and not outside & board.more and not outside >> (7 + large)


cdef inline Mask lone_origins(Board* board, Mask open, Mask large, Mask small) noexcept nogil:
    """Checkers that can play both dice with the small one first, and that no row has: the large die
    is closed to them, or the two ways hit differently."""
    cdef Mask lone = board.own & (open << (large + small)) & (open << small)
    if Board is LongBoard:
        return lone & ~(open << large)
    else:
        return lone & (~(open << large) | (board.blots << large) | (board.blots << small))


cdef inline Mask landings_of(uint32_t own, Mask open, Mask large, Mask small) noexcept nogil:
    """Points that the two dice can reach, together or alone."""
    return POINTS & (
        ((own & (open << large)) >> large) | ((own & (open << small)) >> small)
        | ((own & (open << (large + small))) >> (large + small))
    )


cdef inline void watch_block(LongBoard* board, uint32_t landings) noexcept nogil:
    """§5 asks about every board on the way: test once the union of all points that this roll can
    hold."""
    board.watched = holds_forbidden(board, board.own | landings)
