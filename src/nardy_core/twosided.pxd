# Two sides that no longer meet: the after-states of each roll, and the value of a pair of
# placements (docs/bearoff.md has the recursion).
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memmove

from nardy_core.placements cimport (
    MOST_STEPS_A_DIE, Placement, is_forbidden, never_passes_through, read_placement, steps_of_die,
)
from nardy_core.rules cimport Rules

cdef extern from "fours.h" nogil:
    ctypedef struct four_t:
        pass
    four_t four_load(const double* p) noexcept
    void four_store(double* p, four_t x) noexcept
    four_t four_all(double x) noexcept
    four_t four_min(four_t x, four_t y) noexcept
    four_t four_add(four_t x, four_t y) noexcept

cdef enum:
    # After-states of a double at most: 4 half-moves from 10 points, C(13, 4); with room to spare.
    MOST_AFTERS = 1024

# Values of a pair, of the side to roll, in this order (see docs/bearoff.md).
cdef enum:
    CUBELESS, CENTRED, OWN_CUBE, THEIR_CUBE
    VALUES                     # all that a table has unless a mars is possible; else also
    WIN = VALUES
    WIN_MARS, LOSE_MARS, ALL_VALUES

ctypedef struct Found:         # a set of placements, rising
    int n
    uint32_t[MOST_AFTERS] index

ctypedef struct Pairs:
    double* values             # (n, n, columns): of the side to roll, its placement first
    int64_t n
    int columns                # VALUES or ALL_VALUES
    const int64_t* starts      # (21 n + 1,): after-states of placement i and roll r are
    const uint32_t* afters     # afters[starts[21 i + r]:starts[21 i + r + 1]], rising


cdef inline void add_found(Found* found, uint32_t index) noexcept nogil:
    cdef int low = 0, high = found.n, middle
    while low < high:
        middle = (low + high) >> 1
        if found.index[middle] < index:
            low = middle + 1
        else:
            high = middle
    if low < found.n and found.index[low] == index:
        return
    memmove(&found.index[low + 1], &found.index[low], (found.n - low) * sizeof(uint32_t))
    found.index[low] = index
    found.n += 1


cdef inline void after_die(
    const Found* before, const Rules* rules, int points, int die, Found* after
) noexcept nogil:
    """Add where one more die leads to; a side that has finished needs none."""
    cdef Placement at
    cdef uint32_t[2 * MOST_STEPS_A_DIE] to
    cdef int i, t, n, inside = 0
    for i in range(before.n):
        if before.index[i] == 0:
            add_found(after, 0)
            continue
        read_placement(&at, points, before.index[i])
        n = steps_of_die(&at, rules, die, to, &inside)
        for t in range(n):
            read_placement(&at, points, to[t])
            if not never_passes_through(&at, rules):
                add_found(after, to[t])


cdef inline void keep_ends(
    const Found* reached, const Rules* rules, int points, Found* ends
) noexcept nogil:
    """The placements on which a turn may end."""
    cdef Placement at
    cdef int i
    ends.n = 0
    for i in range(reached.n):
        read_placement(&at, points, reached.index[i])
        if not is_forbidden(&at, rules):
            ends.index[ends.n] = reached.index[i]
            ends.n += 1


cdef inline void list_afters(
    const Rules* rules, int points, uint32_t index, int a, int b, Found* ends
) noexcept nogil:
    """After-states of a roll a >= b: as many dice as can be played, then the larger (§3.4)."""
    cdef Found start, one, other
    cdef int _
    start.n = 1
    start.index[0] = index
    one.n = 0
    if a == b:
        ends[0] = start
        for _ in range(rules.doubles_moves):
            one.n = 0
            after_die(&start, rules, points, a, &one)
            start = one
            keep_ends(&one, rules, points, &other)
            if other.n:
                ends[0] = other
        return
    other.n = 0
    after_die(&start, rules, points, a, &one)
    after_die(&one, rules, points, b, &other)
    one.n = 0
    after_die(&start, rules, points, b, &one)
    after_die(&one, rules, points, a, &other)
    keep_ends(&other, rules, points, ends)
    if ends.n == 0:
        one.n = 0
        after_die(&start, rules, points, a, &one)
        keep_ends(&one, rules, points, ends)
    if ends.n == 0:
        one.n = 0
        after_die(&start, rules, points, b, &one)
        keep_ends(&one, rules, points, ends)
    if ends.n == 0:
        ends[0] = start


cdef inline void value_pair(const Pairs* pairs, int64_t i, int64_t j) noexcept nogil:
    """Value of the side to roll at i, the other at j, all pairs with fewer pips being valued.

    What one side wants most is what the other, who is to roll next, has least of; the cube that is
    ours then is not his.
    """
    cdef const double* next = pairs.values + pairs.columns * pairs.n * j
    cdef double* value = pairs.values + pairs.columns * (pairs.n * i + j)
    cdef const int64_t* starts = pairs.starts + 21 * i
    cdef int64_t t = starts[0], end
    cdef four_t least, other, doubles = four_all(0), others = four_all(0)
    cdef double[4] theirs
    cdef double cash
    cdef int a, b, r = 0
    for a in range(1, 7):
        for b in range(1, a + 1):
            r += 1
            end = starts[r]
            least = four_load(next + pairs.columns * <int64_t> pairs.afters[t])
            t += 1
            while t < end:
                other = four_load(next + pairs.columns * <int64_t> pairs.afters[t])
                least = four_min(least, other)
                t += 1
            if a == b:
                doubles = four_add(doubles, least)
            else:
                others = four_add(others, least)
    four_store(theirs, four_add(four_add(others, others), doubles))
    value[CUBELESS] = -theirs[CUBELESS] / 36
    value[THEIR_CUBE] = -theirs[OWN_CUBE] / 36
    # Doubled and taken it is the other's cube, at twice the stake; dropped it is one point.
    cash = min(1.0, 2 * value[THEIR_CUBE])
    value[CENTRED] = max(-theirs[CENTRED] / 36, cash)
    value[OWN_CUBE] = max(-theirs[THEIR_CUBE] / 36, cash)


cdef inline void chances_of_pair(const Pairs* pairs, int64_t i, int64_t j) noexcept nogil:
    """The chance to win under the play that makes it largest, and those of mars, won and lost,
    under the play of the cubeless equity (of equals, to 1e-11, the first)."""
    cdef const double* next = pairs.values + pairs.columns * pairs.n * j
    cdef double* value = pairs.values + pairs.columns * (pairs.n * i + j)
    cdef const int64_t* starts = pairs.starts + 21 * i
    cdef const double* after
    cdef double win = 0, won = 0, lost = 0, least, wins
    cdef int64_t t
    cdef int a, b, r = 0, weight
    for a in range(1, 7):
        for b in range(1, a + 1):
            weight = 1 if a == b else 2
            least = wins = 4
            for t in range(starts[r], starts[r + 1]):
                after = next + pairs.columns * <int64_t> pairs.afters[t]
                least = min(least, after[CUBELESS])
                wins = min(wins, after[WIN])
            t = starts[r]
            while next[pairs.columns * <int64_t> pairs.afters[t] + CUBELESS] > least + 1e-11:
                t += 1
            after = next + pairs.columns * <int64_t> pairs.afters[t]
            win += weight * (1 - wins)
            won += weight * after[LOSE_MARS]
            lost += weight * after[WIN_MARS]
            r += 1
    value[WIN] = win / 36
    value[WIN_MARS] = won / 36
    value[LOSE_MARS] = lost / 36
