# One turn as a referee follows it, half-move by half-move: what is wrong with a half-move, and
# which of them a legal play still allows. The plain rule, by trying: about a microsecond a board.
# Whole batches of after-states are the business of `generate`.
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcmp, memcpy

from nardy_core.bits cimport BAR, HEAD, OFF, OUTSIDE, THEIR_BAR, WIDTH
from nardy_core.block cimport holds_forbidden
from nardy_core.board cimport RUNNING, Board, LongBoard, Reading, read_board
from nardy_core.generate cimport head_cap
from nardy_core.halfmoves cimport off_origins
from nardy_core.orders cimport can_bear_off, step_is_forbidden
from nardy_core.rules cimport Rules

# The closed list: `nardy.errors.REASONS` holds the names of 1, 2, ... in this order.
cdef enum Fault:
    NO_FAULT
    NOT_YOUR_CHECKER, POINT_CLOSED, NOT_ROLLED, DIE_USED, BAR_FIRST, HEAD_RULE, SIX_BLOCK
    NOT_ALL_HOME, OVERSHOOT, MUST_BEAR_OFF, BOTH_DICE, LARGER_DIE, INCOMPLETE, MUST_PASS
    GAME_OVER, AMBIGUOUS

# A board in the middle of a turn.
ctypedef struct Moment:
    int8_t[32] row             # as the mover sees it
    int[2] die                 # the larger one, the smaller one
    int[2] left                # half-moves to play with each; those of a double are all in [0]
    int cap                    # checkers that may still leave the head

ctypedef struct Turn:
    const Rules* rules
    Moment start
    int longest                # half-moves of every legal play
    bint larger_only           # of one half-move, and the larger die can make it


cdef inline Fault fault_of(
    Board* board, const Moment* now, int origin, int die
) noexcept nogil:
    """Why this half-move is illegal by itself, in §9's order of tests; `board` is `now`, read."""
    cdef const int8_t* row = &now.row[0]
    if row[origin] <= 0:
        return NOT_YOUR_CHECKER
    if row[BAR] and origin != BAR:
        return BAR_FIRST
    if origin > die:
        if not board.open >> (origin - die) & 1:
            return POINT_CLOSED
    elif board.own & OUTSIDE:
        return NOT_ALL_HOME
    elif not off_origins(board, board.own, die) >> origin & 1:
        return OVERSHOOT
    if Board is LongBoard:
        if step_is_forbidden(board, row, board.own, origin, die):
            return SIX_BLOCK
        if board.rules.mandatory and origin > die and can_bear_off(board, row, board.own, die):
            return MUST_BEAR_OFF
        if origin == HEAD and now.cap < 1:
            return HEAD_RULE
    return NO_FAULT


cdef inline void make(const Moment* now, int origin, int which, Moment* then) noexcept nogil:
    """Play a half-move with die[which]."""
    cdef int target = origin - now.die[which]
    then[0] = now[0]
    then.left[which] -= 1
    then.cap -= origin == HEAD
    then.row[origin] -= 1
    if target <= 0:
        then.row[OFF] += 1
        return
    if then.row[target] < 0:
        # A blot, or the point would be closed: it goes to the bar.
        then.row[target] = 0
        then.row[THEIR_BAR] += 1
    then.row[target] += 1


cdef inline bint all_off(const Moment* now, const Rules* rules) noexcept nogil:
    return now.row[OFF] == rules.checkers


cdef inline int reach(Board* game, const Moment* now, const Rules* rules) noexcept nogil:
    """The most half-moves that can follow and end on a board that may stand; -1: none can, nor may
    this board stand.

    Looks no further once all dice are used, so it is long only where the rules allow little.
    """
    cdef Board board
    cdef Moment then
    cdef int origin, which, deeper, best = 0
    if read_board(&board, &now.row[0], rules) != RUNNING:
        return 0  # the last checker is off
    if Board is LongBoard:
        if holds_forbidden(&board, board.own):
            best = -1
    for which in range(2):
        if not now.left[which]:
            continue
        for origin in range(BAR, 0, -1):
            if now.row[origin] <= 0 or fault_of(&board, now, origin, now.die[which]) != NO_FAULT:
                continue
            make(now, origin, which, &then)
            deeper = reach(game, &then, rules) + 1
            if deeper > best and deeper > 0:
                best = deeper
                if best == now.left[0] + now.left[1]:
                    return best
    return best


cdef inline Fault rest_fault(
    Board* game, const Turn* turn, const Moment* now, int made
) noexcept nogil:
    """Why no legal play begins with the `made` half-moves that led here, each legal by itself."""
    cdef int further, other, last
    if not made:
        return NO_FAULT
    if all_off(now, turn.rules):
        if made == turn.longest:
            return NO_FAULT
        # §3.5: one die has taken the last checker, two could have. It is the same board unless the
        # longer way, the other die first, hits.
        other = 0 if now.left[0] else 1
        last = BAR
        while turn.start.row[last] <= 0:
            last -= 1
        return NO_FAULT if turn.start.row[last - turn.start.die[other]] >= 0 else BOTH_DICE
    further = reach(game, now, turn.rules)
    if further < 0:
        return SIX_BLOCK
    if made + further < turn.longest:
        return BOTH_DICE
    if turn.larger_only and made == 1 and now.left[0]:
        return LARGER_DIE
    return NO_FAULT


cdef inline bint is_complete(const Turn* turn, const Moment* now, int made) noexcept nogil:
    """Whether a play that has no `rest_fault` is a whole one."""
    return made == turn.longest or all_off(now, turn.rules)


cdef inline Reading open_turn(
    Board* game, const int8_t* row, const Rules* rules, int one, int other, Turn* turn
) noexcept nogil:
    """Find out what a roll asks for; the turn is of use only if the game is running."""
    cdef Board board
    cdef Moment then
    cdef int origin
    cdef Moment* start = &turn.start
    cdef Reading reading = read_board(&board, row, rules)
    if reading != RUNNING:
        return reading
    turn.rules = rules
    memcpy(&start.row[0], row, WIDTH)
    start.die[0] = max(one, other)
    start.die[1] = min(one, other)
    start.left[0] = start.left[1] = 1
    if one == other:
        start.left[0] = rules.doubles_moves
        start.left[1] = 0
    start.cap = 0
    if Board is LongBoard:
        start.cap = head_cap(&board, start.die[0], start.die[1])
    turn.longest = max(0, reach(game, start, rules))
    turn.larger_only = False
    if turn.longest == 1 and one != other:
        for origin in range(1, BAR + 1):
            if fault_of(&board, start, origin, start.die[0]) == NO_FAULT:
                make(start, origin, 0, &then)
                if reach(game, &then, rules) >= 0:
                    turn.larger_only = True
    return RUNNING


# --- actions: half-moves as small integers ------------------------------------------------------

cdef enum:
    ACTIONS_A_DIE = 25         # origins 1 .. 25
    END_OF_TURN = 150          # 25 * (die - 1) + origin - 1 is a half-move
    ACTIONS = 151


cdef inline Fault replay(
    Board* game, const Turn* turn, const int8_t* dice, const int8_t* origins, int n, Moment* now
) noexcept nogil:
    """Play half-moves from the start of the turn; why no legal play begins so."""
    cdef Board board
    cdef Moment then
    cdef Fault fault
    cdef int k, which
    now[0] = turn.start
    for k in range(n):
        if dice[k] == now.die[0] and now.left[0]:
            which = 0
        elif dice[k] == now.die[1] and now.left[1]:
            which = 1
        else:
            return DIE_USED if dice[k] == now.die[0] or dice[k] == now.die[1] else NOT_ROLLED
        if read_board(&board, &now.row[0], turn.rules) != RUNNING:
            return GAME_OVER
        fault = fault_of(&board, now, origins[k], dice[k])
        if fault != NO_FAULT:
            return fault
        make(now, origins[k], which, &then)
        now[0] = then
    return rest_fault(game, turn, now, n)


cdef inline void mark_actions(
    Board* game, const Turn* turn, const Moment* now, int made, int8_t* mask
) noexcept nogil:
    """Set mask[a] for each action that some legal play takes next; the mask is 0 before."""
    cdef Board board
    cdef Moment then
    cdef int which, origin, die
    if is_complete(turn, now, made):
        mask[END_OF_TURN] = 1
        return
    if read_board(&board, &now.row[0], turn.rules) != RUNNING:
        return
    for which in range(2):
        die = now.die[which]
        if not now.left[which]:
            continue
        for origin in range(1, BAR + 1):
            if fault_of(&board, now, origin, die) == NO_FAULT:
                make(now, origin, which, &then)
                if rest_fault(game, turn, &then, made + 1) == NO_FAULT:
                    mask[ACTIONS_A_DIE * (die - 1) + origin - 1] = 1


# --- how the turn can end -------------------------------------------------------------------------

# Half-moves of the turn so far, and the board after them.
ctypedef struct Line:
    int made
    int8_t[4] origin
    int8_t[4] die
    Moment end


cdef inline void lengthen(Line* line, int origin, int which, Line* longer) noexcept nogil:
    """Add a half-move with die[which]."""
    longer[0] = line[0]
    make(&line.end, origin, which, &longer.end)
    longer.origin[line.made] = origin
    longer.die[line.made] = line.end.die[which]
    longer.made = line.made + 1


cdef inline int count_ends(
    Board* game, const Turn* turn, Line* line, Line* first, int found
) noexcept nogil:
    """Look for boards that the turn can end on after `line`, until there are two; the number of
    them, `found` being known already. The first goes to `first`."""
    cdef Board board
    cdef Line then
    cdef int which, origin
    if is_complete(turn, &line.end, line.made):
        if not found:
            first[0] = line[0]
            return 1
        return 1 if memcmp(&first.end.row[0], &line.end.row[0], WIDTH) == 0 else 2
    read_board(&board, &line.end.row[0], turn.rules)
    for which in range(2):
        if not line.end.left[which]:
            continue
        for origin in range(BAR, 0, -1):
            if fault_of(&board, &line.end, origin, line.end.die[which]) == NO_FAULT:
                lengthen(line, origin, which, &then)
                if rest_fault(game, turn, &then.end, then.made) == NO_FAULT:
                    found = count_ends(game, turn, &then, first, found)
                    if found > 1:
                        return found
    return found
