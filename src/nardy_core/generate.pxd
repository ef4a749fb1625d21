# One roll of one board: the head rule (docs/rules.md §4), then the generator that fits the dice.
from libc.stdint cimport int8_t

from nardy_core.bits cimport HEAD, rarely
from nardy_core.board cimport Board, LongBoard
from nardy_core.doubles cimport play_double
from nardy_core.rules cimport (
    HEAD_ANY_DOUBLE, HEAD_ANY_DOUBLE_FIRST, HEAD_BLOCKED_DOUBLE, HEAD_FREE, HEAD_LISTED,
    HEAD_NAMED, HEAD_NONE, SIDE_SECOND, Rules,
)
from nardy_core.sinks cimport CountSink, Sink, Trail, put_row
from nardy_core.unequal cimport play_unequal


cdef inline int play_dice(Board* board, Sink* sink, int large, int small) noexcept nogil:
    """All longest plays, the head cap being set; their length."""
    if large != small:
        return play_unequal(board, sink, large, small)
    if Board is LongBoard:
        return play_double(board, sink, large, board.rules.doubles_moves)
    else:
        return play_double(board, sink, large, 4)


cdef inline bint second_checker_helps(LongBoard* board, int large, int small) noexcept nogil:
    """N(2) > N(1): two checkers off the head make a longer play than one."""
    cdef CountSink nowhere
    cdef int[3] length         # by the cap
    nowhere.n = 0
    for board.cap in range(1, 3):
        length[board.cap] = play_dice(board, &nowhere, large, small)
    return length[2] > length[1]


cdef inline int head_cap(LongBoard* board, int large, int small) noexcept nogil:
    """How many checkers may leave the head in this turn."""
    cdef const Rules* rules = board.rules
    cdef bint double = large == small
    if rarely(board.row[HEAD] == rules.checkers):
        return first_head_cap(board, large, small)
    return rules.later_cap_of_doubles if double else rules.later_cap


cdef inline int first_head_cap(LongBoard* board, int large, int small) noexcept nogil:
    """The same where all checkers are on the head."""
    cdef const Rules* rules = board.rules
    cdef bint double = large == small
    cdef bint second_player
    if rules.head == HEAD_FREE or rules.head == HEAD_ANY_DOUBLE or rules.head == HEAD_NONE:
        return rules.later_cap_of_doubles if double else rules.later_cap
    # The first turn of a side is the one with all its checkers on the head; the starter cannot
    # fail to move in his.
    second_player = board.row[12] != -rules.checkers
    if rules.head_side == SIDE_SECOND and not second_player:
        return 1
    if rules.head == HEAD_ANY_DOUBLE_FIRST:
        return 2 if double else 1
    if rules.head == HEAD_NAMED or rules.head == HEAD_LISTED:
        if double and rules.head_doubles >> large & 1:
            return 2
        if rules.head == HEAD_NAMED or not second_player or not (
            (large == 5 and small == 5) or (large == 6 and small == 2)
        ):
            return 1
    elif rules.head == HEAD_BLOCKED_DOUBLE and not double:
        return 1
    return 2 if second_checker_helps(board, large, small) else 1


cdef inline void set_head_cap(Board* board, int large, int small) noexcept nogil:
    if Board is LongBoard:
        board.cap = head_cap(board, large, small)


cdef inline int play_capped(Board* board, Sink* sink, int large, int small) noexcept nogil:
    """All plays of a roll to the sink, the pass included, the head cap being set; the number of
    half-moves of each."""
    cdef int length = play_dice(board, sink, large, small)
    cdef Trail trail
    if not length:
        trail.n = 0
        put_row(sink, board.base, &trail)
    return length


cdef inline int play_roll(Board* board, Sink* sink, int one, int other) noexcept nogil:
    """All plays of a roll to the sink, the pass included; the number of half-moves of each."""
    cdef int large = max(one, other), small = min(one, other)
    set_head_cap(board, large, small)
    return play_capped(board, sink, large, small)
