# One side alone: the policy that lowers the mean number of rolls, and the distribution under it.
#
# Each placement keeps a line of 20 keys (fours.h): its own, and the lowest of what can be reached
# with one more die d, with two, with three:
#
#     column   0     1..6              7..12      13..18          19
#              own   after one die d   after dd   after d, d, d   0
#
# A roll then costs no search: the lowest after-state of d is the columnwise lowest line of where d
# leads, and after (a, b) it is column b of that line for a, or column a of that for b.
from libc.math cimport HUGE_VAL, NAN, isinf, isnan
from libc.stdint cimport uint32_t

from nardy_core.placements cimport (
    MOST_STEPS_A_DIE, Placement, is_forbidden, never_passes_through, read_placement, steps_of_die,
)
from nardy_core.rules cimport Rules

ctypedef const double* Chances         # of 0, 1, 2 ... rolls

cdef extern from "fours.h" nogil:
    double key_of(double mean, uint32_t index) noexcept
    uint32_t key_index(double key) noexcept
    void keys_lowest(double* to, const double* rows, const uint32_t* which, int n) noexcept
    void keys_done(double* to, const double* row) noexcept
    void mean_of_rows(
        double* to, Chances* twos, int m, Chances* ones, int n, int k
    ) noexcept

cdef enum:
    LINE = 20                  # doubles of a line of keys

ctypedef struct Rolls:
    double mean
    double square              # mean of the square
    double most                # infinite where a roll may have to be passed
    double spare

ctypedef struct Policy:
    double* lines              # (n, LINE)
    uint32_t* best             # (n, 21): where each roll is played to; itself: a pass
    Rolls* rolls               # (n,): to the end

cdef inline double variance(const Rolls* rolls) noexcept nogil:
    return rolls.square - rolls.mean * rolls.mean


cdef inline double lowest(double[LINE]* line, int a, int b, int moves) noexcept nogil:
    """Key of the best after-state of a roll a >= b, infinite for a pass: as many dice as can be
    played, then the larger (§3.4)."""
    cdef double key
    cdef int column
    if a == b:
        column = 6 * (moves - 2) + a
        while column > 0:
            if not isinf(line[a][column]):
                return line[a][column]
            column -= 6
        return line[a][0]
    key = min(line[a][b], line[b][a])
    if isinf(key):
        key = line[a][0]
    if isinf(key):
        key = line[b][0]
    return key


cdef inline void settle(
    const Policy* policy, double[LINE]* line, uint32_t index, const Rules* rules, bint ends
) noexcept nogil:
    """Play each roll to its best after-state; `ends`: turns may end on this placement."""
    cdef double* own = policy.lines + <size_t> LINE * index
    cdef uint32_t* best = policy.best + <size_t> 21 * index
    cdef Rolls* rolls = policy.rolls + index
    cdef const Rolls* after
    cdef double sum = 36, square = 36, most = 0, key
    cdef int a, b, d, weight, stay = 0, r = 0
    for a in range(1, 7):
        for b in range(1, a + 1):
            key = lowest(line, a, b, rules.doubles_moves)
            weight = 1 if a == b else 2
            if isinf(key):
                stay += weight
                best[r] = index
            else:
                best[r] = key_index(key)
                after = policy.rolls + best[r]
                sum += weight * after.mean
                square += weight * (2 * after.mean + after.square)
                most = max(most, after.most)
            r += 1
    # A pass leaves everything as it was: mean = 1 + (rest + stay * mean) / 36, solved for mean.
    rolls.mean = sum / (36 - stay)
    rolls.square = (square + 2 * stay * rolls.mean) / (36 - stay)
    rolls.most = HUGE_VAL if stay else most + 1
    own[0] = key_of(rolls.mean, index) if ends else HUGE_VAL
    own[19] = 0
    for d in range(1, 7):
        own[d] = line[d][0]
        own[6 + d] = line[d][d]
        own[12 + d] = line[d][6 + d]
    if not ends:
        rolls.mean = rolls.square = NAN
        rolls.most = 0


cdef inline void finish(const Policy* policy) noexcept nogil:
    """The placement without checkers: no roll is needed."""
    cdef int k
    for k in range(LINE):
        policy.lines[k] = 0
    for k in range(21):
        policy.best[k] = 0
    policy.rolls.mean = policy.rolls.square = policy.rolls.most = 0


cdef inline void never_reach(const Policy* policy, uint32_t index) noexcept nogil:
    cdef int k
    for k in range(LINE):
        policy.lines[<size_t> LINE * index + k] = HUGE_VAL
    for k in range(21):
        policy.best[<size_t> 21 * index + k] = index
    policy.rolls[index].mean = policy.rolls[index].square = NAN
    policy.rolls[index].most = 0


cdef inline void solve_placement(
    const Policy* last, const Policy* first, const Rules* rules, int points, uint32_t index
) noexcept nogil:
    """Solve one placement, all lower ones being solved: for the last checker off, and for the
    first one.

    For the first one a half-move that bears off ends the matter, provided that the dice left can be
    played as they must: the line of the last one tells.
    """
    cdef Placement at
    cdef double[7][LINE] to_last
    cdef double[7][LINE] to_first
    cdef uint32_t[2 * MOST_STEPS_A_DIE] to
    cdef int die, n, inside = 0, t
    read_placement(&at, points, index)
    if never_passes_through(&at, rules):
        never_reach(last, index)
        never_reach(first, index)
        return
    for die in range(1, 7):
        n = steps_of_die(&at, rules, die, to, &inside)
        keys_lowest(to_last[die], last.lines, to, n)
        keys_lowest(to_first[die], first.lines, to, inside)
        for t in range(inside, n):
            keys_done(to_first[die], last.lines + <size_t> LINE * to[t])
    settle(last, to_last, index, rules, not is_forbidden(&at, rules))
    settle(first, to_first, index, rules, not is_forbidden(&at, rules))


cdef inline void spread_placement(
    const Policy* policy, uint32_t index, double* table, Py_ssize_t stride, int width, double* tail
) noexcept nogil:
    """Write the chances of 0 .. width - 1 rolls (a multiple of 8) into line `index` of the table,
    those of all lower placements being there, and of more into `tail` (one a line too)."""
    cdef double* out = table + stride * index
    cdef const uint32_t* best = policy.best + <size_t> 21 * index
    cdef Chances[21] twos
    cdef Chances[21] ones
    cdef const double* after
    cdef double[8] eight
    cdef double over = 0
    cdef double most = policy.rolls[index].most
    cdef int a, b, k, r = 0, m = 0, n = 0, stay = 0
    cdef int columns = width if isinf(most) else <int> most
    for k in range(width):
        out[k] = 0
    tail[stride * index] = 0
    if isnan(policy.rolls[index].mean):
        out[0] = tail[stride * index] = NAN
        return
    if index == 0:
        out[0] = 1
        return
    for a in range(1, 7):
        for b in range(1, a + 1):
            after = table + stride * best[r]
            if best[r] == index:
                stay += 1 if a == b else 2
            elif a == b:
                ones[n] = after
                n += 1
                over += tail[stride * best[r]] + after[width - 1]
            else:
                twos[m] = after
                m += 1
                over += 2 * (tail[stride * best[r]] + after[width - 1])
            r += 1
    for k in range(0, columns, 8):
        mean_of_rows(eight, twos, m, ones, n, k)
        for r in range(min(8, width - 1 - k)):
            out[k + r + 1] = eight[r]
    if isinf(most):
        for k in range(1, width):
            out[k] += stay * out[k - 1] / 36
        tail[stride * index] = (over + stay * out[width - 1]) / (36 - stay)
