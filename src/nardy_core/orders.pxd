# The plain rule of long nardy, half-move by half-move: is there an order in which a set of half-
# moves is legal? Asked only where the order can matter (a watched board): where a block of six may
# come up, or where bearing off is compulsory. Every other after-state is known to have an order
# (docs/decisions/0008).
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcpy

from nardy_core.bits cimport OFF, WIDTH
from nardy_core.block cimport holds_forbidden
from nardy_core.board cimport LongBoard
from nardy_core.halfmoves cimport after_leaving, inner_origins, landing, off_origins
from nardy_core.rules cimport CHECK_STEP
from nardy_core.sinks cimport Trail


cdef inline bint step_is_forbidden(
    LongBoard* board, const int8_t* counts, uint32_t own, int origin, int die
) noexcept nogil:
    """§5: the half-move would leave a forbidden block, and the rule looks after every half-move."""
    cdef uint32_t bit = <uint32_t> 1 << origin
    if board.rules.block_check != CHECK_STEP:
        return False
    if counts[origin] == 1:
        own &= ~bit
    return holds_forbidden(board, own | landing(bit, die))


cdef inline bint can_bear_off(
    LongBoard* board, const int8_t* counts, uint32_t own, int die
) noexcept nogil:
    """§6 `bearoff_mandatory`: this die can bear a checker off, so it has to."""
    cdef uint32_t off = off_origins(board, own, die)
    cdef int origin
    for origin in range(1, 7):
        if off >> origin & 1 and not step_is_forbidden(board, counts, own, origin, die):
            return True
    return False


cdef inline bint half_move_is_legal(
    LongBoard* board, const int8_t* counts, uint32_t own, int origin, int die
) noexcept nogil:
    """§9's order of tests: landing, block, compulsory bearing off (the head cap holds in every
    order alike)."""
    cdef uint32_t bit = <uint32_t> 1 << origin
    cdef uint32_t off = off_origins(board, own, die)
    if not (inner_origins(board, own, die) | off) & bit:
        return False
    if step_is_forbidden(board, counts, own, origin, die):
        return False
    return off & bit or not (board.rules.mandatory and can_bear_off(board, counts, own, die))


cdef inline bint may_hold_block(LongBoard* board, const Trail* play) noexcept nogil:
    """§5: a forbidden block stands on all points of this play together; if not, on no board of it
    either."""
    cdef uint32_t reach = board.own
    cdef int k
    for k in range(play.n):
        reach |= landing(<uint32_t> 1 << play.origin[k], play.die[k])
    return holds_forbidden(board, reach)


cdef inline uint32_t free_origins(LongBoard* board, uint32_t own, int die) noexcept nogil:
    """Points from which the die can be played where no block is in question: those it has to bear
    off from, if there are any."""
    cdef uint32_t off = off_origins(board, own, die)
    if off and board.rules.mandatory:
        return off
    return off | inner_origins(board, own, die)


cdef inline bint find_free_order(
    LongBoard* board, const Trail* wanted, Trail* found
) noexcept nogil:
    """`find_order` for one or two half-moves where no block is in question: masks say it, in a
    sixth of the time."""
    cdef uint32_t now, bit
    cdef int k, other
    found[0] = wanted[0]
    for k in range(wanted.n):
        bit = <uint32_t> 1 << wanted.origin[k]
        if not free_origins(board, board.own, wanted.die[k]) & bit:
            continue
        if wanted.n == 1:
            return True
        other = 1 - k
        now = after_leaving(board.own, board.more, bit) | landing(bit, wanted.die[k])
        if free_origins(board, now, wanted.die[other]) >> wanted.origin[other] & 1:
            found.origin[0], found.die[0] = wanted.origin[k], wanted.die[k]
            found.origin[1], found.die[1] = wanted.origin[other], wanted.die[other]
            return True
    return False


cdef inline bint find_order(LongBoard* board, const Trail* wanted, Trail* found) noexcept nogil:
    """Put the half-moves of `wanted` into a legal order, if there is one."""
    cdef bint block = may_hold_block(board, wanted)
    if wanted.n <= 2 and not block:
        return find_free_order(board, wanted, found)
    return try_orders(board, wanted, found, block)


cdef inline bint try_orders(
    LongBoard* board, const Trail* wanted, Trail* found, bint block
) noexcept nogil:
    """The same for any play: depth first over the at most 24 orders. `block`: one may come up."""
    cdef int8_t[5][32] counts      # [k]: own checkers after k half-moves
    cdef uint32_t[5] own
    cdef int[5] choice             # [k]: which half-move of `wanted` comes k-th
    cdef int k = 0, n = wanted.n, used = 0, origin, die
    memcpy(&counts[0][0], board.row, WIDTH)
    own[0] = board.own
    choice[0] = -1
    while k >= 0:
        if k == n:
            if not holds_forbidden(board, own[n]):
                found.n = n
                for k in range(n):
                    found.origin[k] = wanted.origin[choice[k]]
                    found.die[k] = wanted.die[choice[k]]
                return True
            k -= 1
            used &= ~(1 << choice[k])
        choice[k] += 1
        if choice[k] == n:
            k -= 1
            if k >= 0:
                used &= ~(1 << choice[k])
            continue
        if used >> choice[k] & 1:
            continue
        origin = wanted.origin[choice[k]]
        die = wanted.die[choice[k]]
        if block:
            if not half_move_is_legal(board, &counts[k][0], own[k], origin, die):
                continue
        elif not free_origins(board, own[k], die) >> origin & 1:
            continue
        used |= 1 << choice[k]
        memcpy(&counts[k + 1][0], &counts[k][0], WIDTH)
        own[k + 1] = own[k] | landing(<uint32_t> 1 << origin, die)
        counts[k + 1][origin] -= 1
        if counts[k + 1][origin] == 0:
            own[k + 1] &= ~(<uint32_t> 1 << origin)
        if origin > die:
            # An own point or an empty one: the opponent's count is never here.
            counts[k + 1][origin - die] += 1
        k += 1
        choice[k] = -1
    return False


cdef inline bint find_pair_order(
    LongBoard* board, const Trail* wanted, Trail* found
) noexcept nogil:
    """The same for two different dice, where an after-state can also come about by other half-
    moves."""
    cdef int x = wanted.die[0], y = wanted.die[1]
    cdef int i = wanted.origin[0], j = wanted.origin[1]
    cdef Trail other = wanted[0]
    if find_order(board, wanted, found):
        return True
    if j == i - x and i > y:
        # One checker plays both dice: it may also go by way of i - y.
        other.die[0] = y
        other.origin[1] = i - y
        other.die[1] = x
        return find_order(board, &other, found)
    if i <= x and j <= y and i <= y and j <= x and i != j:
        # Both checkers go off: they may exchange dice.
        other.die[0] = y
        other.die[1] = x
        return find_order(board, &other, found)
    return False
