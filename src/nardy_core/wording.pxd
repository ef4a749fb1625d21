# From the words of a play to the play: a wording names hops ("24/13", "8/5*"), each of one or more
# half-moves of one checker, in any order. All orders and routes are tried; there are at most four
# half-moves.
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcmp

from nardy_core.bits cimport THEIR_BAR, WIDTH
from nardy_core.block cimport holds_forbidden
from nardy_core.board cimport RUNNING, Board, LongBoard, read_board
from nardy_core.referee cimport (
    AMBIGUOUS, DIE_USED, INCOMPLETE, NO_FAULT, NOT_ROLLED, SIX_BLOCK, Fault, Line, Moment, Turn,
    fault_of, is_complete, lengthen, rest_fault,
)

cdef enum:
    MOST_HOPS = 5              # one more than can ever be played: then some die is used twice
    AS_A_WHOLE = 5             # progress of a wording whose half-moves are all legal

ctypedef struct Wording:
    int n
    int8_t[5] at               # where the checker of each hop is now
    int8_t[5] target
    uint32_t named             # points that are some hop's target
    uint32_t marked            # points with a *: something is hit there
    bint partial               # the first half-moves of a play will do
    # What came of it.
    bint clean                 # `line` is legal and hits nothing on the way of a hop
    bint found                 # `line` is legal
    bint several               # `other` is too, and leads to another board
    bint unhit                 # legal, but for a * where nothing is hit
    Line line
    Line other
    Fault fault                # of the order that gets farthest, the first of equals
    int progress               # half-moves before that; AS_A_WHOLE: the fault is the whole play's
    Line before                # those half-moves
    int fault_origin
    int fault_target
    int fault_die              # 0: no die fits


cdef inline void note(
    Wording* words, int progress, Fault fault, Line* line, int origin, int target, int die
) noexcept nogil:
    """Remember the fault that is met latest."""
    if words.fault == NO_FAULT or progress > words.progress:
        words.fault = fault
        words.progress = progress
        words.before = line[0]
        words.fault_origin = origin
        words.fault_target = target
        words.fault_die = die


cdef inline bint fits(const int* dice, const int* left, int origin, int target) noexcept nogil:
    """Whether one checker can go from origin to target with these dice, the board apart."""
    cdef int distance = origin - target, large, small, pips
    for large in range(left[0] + 1):
        for small in range(left[1] + 1):
            pips = large * dice[0] + small * dice[1]
            if pips == distance and distance > 0:
                return True
            # Borne off with more than is needed, but with no half-move too many.
            if target == 0 and pips > distance and distance > 0:
                if (large and pips - dice[0] < distance) or (small and pips - dice[1] < distance):
                    return True
    return False


cdef inline Fault whole_fault(
    Board* game, const Turn* turn, const Moment* now, int made, bint partial
) noexcept nogil:
    """What is wrong with a play whose half-moves are all legal by themselves."""
    cdef Board board
    cdef Fault fault = rest_fault(game, turn, now, made)
    if partial or is_complete(turn, now, made):
        return fault
    if Board is LongBoard:
        if made and read_board(&board, &now.row[0], turn.rules) == RUNNING:
            if holds_forbidden(&board, board.own):
                return SIX_BLOCK
    return INCOMPLETE if fault == NO_FAULT else fault


cdef inline void conclude(
    Board* game, const Turn* turn, Wording* words, Line* line, uint32_t hits
) noexcept nogil:
    """All hops have arrived."""
    cdef Fault fault = whole_fault(game, turn, &line.end, line.made, words.partial)
    if fault != NO_FAULT:
        note(words, AS_A_WHOLE, fault, line, 0, 0, 0)
    elif words.marked & ~hits:
        words.unhit = True
    elif not hits & ~words.named:
        words.clean = words.found = True
        words.line = line[0]
    elif not words.found:
        words.found = True
        words.line = line[0]
    elif memcmp(&words.line.end.row[0], &line.end.row[0], WIDTH) != 0:
        words.several = True
        words.other = line[0]


cdef inline void try_orders(
    Board* game, const Turn* turn, Wording* words, Line* line, uint32_t hits
) noexcept nogil:
    """Go on with each hop that has not arrived, by each die, until a clean line is found."""
    cdef Board board
    cdef Line then
    cdef const Moment* now = &line.end
    cdef Fault fault
    cdef int h, other, which, origin, target, landing
    cdef int[2] left
    cdef bint arrived = True, again, any_die
    cdef uint32_t hit
    read_board(&board, &now.row[0], turn.rules)  # all off: nobody is left for `fault_of` to ask
    for h in range(words.n):
        origin = words.at[h]
        target = words.target[h]
        if origin == target:
            continue
        arrived = again = any_die = False
        for other in range(h):
            again |= words.at[other] == origin and words.target[other] == target
        if again:
            continue
        for which in range(2):
            if not now.left[which]:
                continue
            landing = max(origin - now.die[which], 0)
            left[0] = now.left[0]
            left[1] = now.left[1]
            left[which] -= 1
            if landing != target and not fits(&now.die[0], left, landing, target):
                continue
            any_die = True
            fault = fault_of(&board, now, origin, now.die[which])
            if fault != NO_FAULT:
                note(words, line.made, fault, line, origin, landing, now.die[which])
                continue
            lengthen(line, origin, which, &then)
            hit = 0
            if then.end.row[THEIR_BAR] != now.row[THEIR_BAR]:
                hit = <uint32_t> 1 << landing
            words.at[h] = landing
            try_orders(game, turn, words, &then, hits | hit)
            words.at[h] = origin
            if words.clean:
                return
        if not any_die:
            fault = NOT_ROLLED
            if fits(&now.die[0], &turn.start.left[0], origin, target):
                fault = DIE_USED
            note(words, line.made, fault, line, origin, target, 0)
    if arrived:
        conclude(game, turn, words, line, hits)


cdef inline void read_wording(
    Board* game, const Turn* turn, Line* line, Wording* words
) noexcept nogil:
    """Judge a wording of what follows `line`: `found`, or the fault."""
    cdef int h
    words.clean = words.found = words.several = words.unhit = False
    words.fault = NO_FAULT
    words.progress = 0
    words.named = 0
    for h in range(words.n):
        words.named |= <uint32_t> 1 << words.target[h]
    try_orders(game, turn, words, line, 0)
    if words.several and not words.clean:
        words.found = False
        words.fault = AMBIGUOUS
