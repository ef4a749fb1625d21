# One side alone on its last points: the number of a placement, and where one die leads from it
# (docs/rules.md §6, §8.3; the index: docs/bearoff.md).
#
# With b(p) checkers on point p or farther, of `points` points, a placement has the number
#
#     sum over p = 1 .. points of  C(b(p) + points - p, points - p + 1)
#
# 0 is the side that has finished; each half-move lowers the number.
from libc.stdint cimport int64_t, uint8_t, uint32_t

from nardy_core.block cimport runs_of_six
from nardy_core.rules cimport (
    BLOCK_STRICT, CHECK_STEP, GAME_LONG, OVERSHOOT_ANY, OVERSHOOT_FARTHEST, Rules,
)

cdef enum:
    MOST_POINTS = 10
    MOST_CHECKERS = 15
    MOST_STEPS_A_DIE = MOST_POINTS     # placements that one die leads to

cdef extern from *:
    """
    /* nardy_choose[n][k]: subsets of k of n things; filled when the module loads. */
    static uint32_t nardy_choose[26][12];
    """
    uint32_t[26][12] nardy_choose

ctypedef struct Placement:
    int points
    int far                    # farthest point that is held; 0: none
    int pips
    uint32_t index
    uint32_t held              # bit p: point p is held
    # drop[p]: how much lower the number is when one checker has gone from p off. To q instead:
    # drop[p] - drop[q].
    uint32_t[MOST_POINTS + 1] drop
    uint8_t[MOST_POINTS + 2] beyond    # [p]: checkers on p or farther


cdef inline void fill_choose() noexcept nogil:
    cdef int n, k
    for n in range(26):
        nardy_choose[n][0] = 1
        for k in range(1, 12):
            nardy_choose[n][k] = nardy_choose[n - 1][k - 1] + nardy_choose[n - 1][k] if n else 0


cdef inline void read_placement(Placement* at, int points, uint32_t index) noexcept nogil:
    """Fill in the placement of this number: b(1) is the largest that its summand allows, b(2) of
    what is left, and so on."""
    cdef uint32_t rest = index
    cdef int beyond = MOST_CHECKERS, p
    at.points = points
    at.index = index
    at.far = at.pips = 0
    at.held = 0
    at.drop[0] = 0
    for p in range(1, points + 1):
        while nardy_choose[beyond + points - p][points - p + 1] > rest:
            beyond -= 1
        rest -= nardy_choose[beyond + points - p][points - p + 1]
        at.beyond[p] = beyond
        at.pips += beyond
        at.drop[p] = at.drop[p - 1]
        if beyond:
            at.far = p
            at.drop[p] += nardy_choose[beyond + points - p - 1][points - p]
    at.beyond[points + 1] = 0
    for p in range(1, at.far + 1):
        at.held |= <uint32_t> (men_on(at, p) > 0) << p


cdef inline int men_on(const Placement* at, int p) noexcept nogil:
    return at.beyond[p] - at.beyond[p + 1]


cdef inline bint keeps_blocks_out(const Rules* rules) noexcept nogil:
    """§5: the one rule about blocks that bites though the opponent is past all points."""
    return rules.game == GAME_LONG and rules.block == BLOCK_STRICT


cdef inline bint is_forbidden(const Placement* at, const Rules* rules) noexcept nogil:
    """§5 `strict`: six points in a row, wherever the opponent stands."""
    return keeps_blocks_out(rules) and runs_of_six(at.held) != 0


cdef inline bint never_passes_through(const Placement* at, const Rules* rules) noexcept nogil:
    """§5 `block_check`: no half-move may lead to this placement."""
    return is_forbidden(at, rules) and rules.block_check == CHECK_STEP


cdef inline int steps_of_die(
    const Placement* at, const Rules* rules, int die, uint32_t* to, int* inside
) noexcept nogil:
    """Numbers of the placements that one die leads to, blocks apart; how many. The first `inside`
    keep the checker on the board, the others bear one off (§6 overshoot, mandatory)."""
    cdef uint32_t bearing = 0, moving = at.held >> (die + 1) << (die + 1)
    cdef int n = 0, p
    if at.far <= 6:
        if die <= at.far:
            bearing = at.held & (<uint32_t> 1 << die)
        elif rules.overshoot == OVERSHOOT_FARTHEST:
            bearing = at.held & (<uint32_t> 1 << at.far)
        elif rules.overshoot == OVERSHOOT_ANY:
            bearing = at.held
    if rules.mandatory and bearing:
        moving = 0
    for p in range(die + 1, at.far + 1):
        if moving >> p & 1:
            to[n] = at.index - (at.drop[p] - at.drop[p - die])
            n += 1
    inside[0] = n
    for p in range(1, at.far + 1):
        if bearing >> p & 1:
            to[n] = at.index - at.drop[p]
            n += 1
    return n
