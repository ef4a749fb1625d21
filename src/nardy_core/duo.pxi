# Two-sided tables of bear-offs: one call, and what its threads share. Included by nardy_core.pyx
# after solo.pxi.

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libc.string cimport memcpy, memset

from nardy_core.batch cimport ALL_ROLLS
from nardy_core.bits cimport OFF, THEIR_OFF, WIDTH
from nardy_core.outcome cimport outcome
from nardy_core.placements cimport (
    MOST_CHECKERS, MOST_POINTS, Placement, is_forbidden, men_on, nardy_choose, read_placement,
)
from nardy_core.rules cimport Rules
from nardy_core.stop cimport go_on
from nardy_core.twosided cimport (
    ALL_VALUES, MOST_AFTERS, VALUES, Found, Pairs, chances_of_pair, list_afters, value_pair,
)

import numpy as np

from nardy.options import rules as named_rules
from nardy.parts import shared

cdef enum:
    PAIRS_A_LOOK = 65536       # pairs between two looks for Ctrl-C: 10 ms
    LEAST_PAIR_LINES = 64      # lines of a level that a thread takes at least


cdef object by_pips(int points, int checkers):
    """All placements in the order of their pips, uint32, and where each number of pips begins:
    equal ones do not depend on one another."""
    cdef int64_t n = nardy_choose[points + checkers][points], i
    cdef Placement at
    cdef int stop = 0
    cdef int64_t* next
    cdef uint32_t* to
    starts = np.zeros(points * checkers + 2, np.int64)
    order = np.empty(n, np.uint32)
    next = <int64_t*> data_of(starts) + 1
    to = <uint32_t*> data_of(order)
    for i in range(n):
        read_placement(&at, points, i)
        next[at.pips] += 1
        if i % PLACEMENTS_A_CHUNK == 0:
            go_on(&stop)
    np.cumsum(starts, out=starts)
    places = starts.copy()
    next = <int64_t*> data_of(places)
    for i in range(n):
        read_placement(&at, points, i)
        to[next[at.pips]] = i
        next[at.pips] += 1
        if i % PLACEMENTS_A_CHUNK == 0:
            go_on(&stop)
    return order, starts


def list_after_states(*, rules, points, checkers):
    """List where each roll can take each placement of one side alone.

    Parameters
    ----------
    rules : Rules or str
    points : int
        1..10.
    checkers : int
        1..15.

    Returns
    -------
    afters : ndarray of uint32, shape (m,)
        Placements, rising; the placement itself for a pass.
    starts : ndarray of int64, shape (21 n + 1,)
        Those of placement i and roll r are ``afters[starts[k]:starts[k + 1]]``, ``k = 21 i + r``.

    Raises
    ------
    TypeError, ValueError, MemoryError

    Examples
    --------
    >>> afters, starts = list_after_states(rules="short", points=6, checkers=1)
    >>> afters[starts[21 * 6]:starts[21 * 6 + 2]].tolist()      # one on the 6-point, 1-1 and 2-1
    [2, 3]
    """
    cdef Rules codes
    cdef Placement at
    cdef Found* found
    cdef int most = as_int(points, "points", 1, MOST_POINTS), a, b, stop = 0
    cdef int men = as_int(checkers, "checkers", 1, MOST_CHECKERS)
    cdef int64_t n = nardy_choose[most + men][most], i, m = 0, pair = 0, room
    cdef int64_t* to
    cdef uint32_t* into
    read_rules(rules, &codes)
    starts = np.empty(ALL_ROLLS * n + 1, np.int64)
    to = <int64_t*> data_of(starts)
    to[0] = 0
    room = 256 * n
    afters = np.empty(room, np.uint32)
    into = <uint32_t*> data_of(afters)
    holder = np.empty(sizeof(Found), np.int8)
    found = <Found*> data_of(holder)
    for i in range(n):
        if m + ALL_ROLLS * MOST_AFTERS > room:
            room = 2 * room + ALL_ROLLS * MOST_AFTERS
            afters.resize(room, refcheck=False)
            into = <uint32_t*> data_of(afters)
        with nogil:
            read_placement(&at, most, i)
            for a in range(1, 7):
                for b in range(1, a + 1):
                    if i == 0 or is_forbidden(&at, &codes):
                        found.n = 0
                    else:
                        list_afters(&codes, most, i, a, b, found)
                    memcpy(into + m, found.index, found.n * sizeof(uint32_t))
                    m += found.n
                    pair += 1
                    to[pair] = m
        go_on(&stop)
    afters.resize(m, refcheck=False)
    return afters, starts


cdef int points_lost(const Placement* at, const Rules* rules) noexcept:
    """Points lost by a side that still stands there when the other has finished."""
    cdef int8_t[WIDTH] row
    cdef int p
    memset(row, 0, WIDTH)
    row[THEIR_OFF] = rules.checkers
    row[OFF] = rules.checkers - at.beyond[1]
    for p in range(1, at.points + 1):
        row[p] = men_on(at, p)
    return -outcome(row, rules)


cdef class PairSolver:
    """What the threads that fill a two-sided table share."""

    cdef Pairs pairs
    cdef int threads, stopped
    cdef const uint32_t* order
    cdef const int64_t* starts  # where each number of pips begins in `order`
    cdef const int32_t* pips   # of each place in `order`
    cdef int level, most_pips
    cdef object kept

    def end(self):
        """End the work of all threads soon."""
        self.stopped = 1

    def value(self, Py_ssize_t first, Py_ssize_t last):
        """Value the pairs of `level` pips whose second placement is order[first .. last - 1]."""
        while first < last:
            with nogil:
                first = self.value_some(first, last)
            go_on(&self.stopped)

    cdef Py_ssize_t value_some(self, Py_ssize_t place, Py_ssize_t last) noexcept nogil:
        """The first place in `order` that is still to do."""
        cdef Py_ssize_t u
        cdef int64_t pairs = 0, i, j
        cdef int mine
        while place < last and pairs < PAIRS_A_LOOK:
            j = self.order[place]
            mine = self.level - self.pips[place]
            place += 1
            if not 1 <= mine <= self.most_pips or self.is_empty(j):
                continue
            for u in range(self.starts[mine], self.starts[mine + 1]):
                i = self.order[u]
                if self.is_empty(i):
                    continue
                value_pair(&self.pairs, i, j)
                if self.pairs.columns == ALL_VALUES:
                    chances_of_pair(&self.pairs, i, j)
            pairs += self.starts[mine + 1] - self.starts[mine]
        return place

    cdef bint is_empty(self, int64_t i) noexcept nogil:
        """No turn begins on it: it is forbidden."""
        return self.pairs.starts[ALL_ROLLS * i] == self.pairs.starts[ALL_ROLLS * i + 1]


def solve_two_sided(*, rules, points, checkers, threads=1, progress=None):
    """Solve the bear-off of two sides that cannot meet (docs/bearoff.md).

    Parameters
    ----------
    rules : Rules or str
    points : int
        1..10.
    checkers : int
        Of each side, 1..15.
    threads : int
    progress : callable, optional
        Called with the pairs done and the pairs there are, from time to time.

    Returns
    -------
    ndarray of float64, shape (n, n, 4) or (n, n, 7)
        Of the side to roll at the first placement, the other at the second: the equities cubeless,
        with the cube in the middle, one's own and the opponent's; where a mars is possible also the
        chances of a win, of winning a mars and of losing one. NaN for what ``block="strict"``
        forbids, and for two sides that have both finished.

    Raises
    ------
    TypeError, ValueError, MemoryError
        A ValueError also for rules under which a roll may have to be passed.

    Examples
    --------
    >>> table = solve_two_sided(rules="short", points=6, checkers=1)
    >>> table[6, 6].tolist()                                    # one on the 6-point each
    [0.625, 1.0, 1.0, 0.5]
    """
    cdef PairSolver solver = PairSolver()
    cdef Placement at
    cdef Rules codes
    cdef int64_t n, done = 0, i
    cdef int level, most = as_int(points, "points", 1, MOST_POINTS)
    cdef int men = as_int(checkers, "checkers", 1, MOST_CHECKERS)
    read_rules(rules, &codes)
    if men > codes.checkers:
        raise ValueError(
            f"checkers: wanted an int 1..{codes.checkers} under these rules; got {men}"
        )
    solver.threads = as_int(threads, "threads", 1, 1024)
    n = nardy_choose[most + men][most]
    # First, so that what cannot fit is told before the work begins.
    values = np.empty((n, n, ALL_VALUES if men == codes.checkers else VALUES), np.float64)
    order, starts = by_pips(most, men)
    afters, after_starts = list_after_states(rules=rules, points=most, checkers=men)
    origins = np.repeat(np.arange(n), np.diff(after_starts[::ALL_ROLLS]))
    if bool((afters == origins).any()):
        raise ValueError(
            "rules: wanted rules under which every roll can be played, for a two-sided table; got"
            f" {named_rules(rules)!r}"
        )
    for i in range(n):         # not in one go: 6 x 10 are two gigabytes, and Ctrl-C waits
        values[i] = np.nan
        go_on(&solver.stopped)
    for i in range(1, n):
        read_placement(&at, most, i)
        if not is_forbidden(&at, &codes):
            lost = points_lost(&at, &codes)
            values[0, i, :VALUES] = lost
            values[i, 0, :VALUES] = -lost
            values[0, i, VALUES:] = (1, lost > 1, 0)[:values.shape[2] - VALUES]
            values[i, 0, VALUES:] = (0, 0, lost > 1)[:values.shape[2] - VALUES]
    del origins
    pips = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    solver.kept = (values, order, starts, pips, afters, after_starts)
    solver.pairs.values = <double*> data_of(values)
    solver.pairs.n = n
    solver.pairs.columns = values.shape[2]
    solver.pairs.starts = <const int64_t*> data_of(after_starts)
    solver.pairs.afters = <const uint32_t*> data_of(afters)
    solver.order = <const uint32_t*> data_of(order)
    solver.starts = <const int64_t*> data_of(starts)
    solver.pips = <const int32_t*> data_of(pips)
    solver.most_pips = len(starts) - 2
    sizes = np.diff(starts)
    pairs_of_level = np.convolve(sizes, sizes)
    for level in range(2, 2 * solver.most_pips + 1):
        solver.level = level
        if solver.threads == 1 or pairs_of_level[level] < PAIRS_A_LOOK:
            solver.value(1, n)
        else:
            shared(n, LEAST_PAIR_LINES, solver.threads, solver.value, solver.end)
        done += pairs_of_level[level]
        if progress is not None:
            progress(int(done), int(n * n))
    return values
