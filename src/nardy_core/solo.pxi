# One-sided tables of bear-offs: one call, and what its threads share. Included by nardy_core.pyx.

from libc.stdint cimport int64_t, uint32_t

from nardy_core.batch cimport ALL_ROLLS
from nardy_core.onesided cimport (
    LINE, Policy, Rolls, finish, solve_placement, spread_placement, variance,
)
from nardy_core.placements cimport MOST_CHECKERS, MOST_POINTS, nardy_choose
from nardy_core.rules cimport Rules
from nardy_core.stop cimport go_on

import numpy as np

cdef enum:
    LISTS = 6                  # columns of a one-sided table before its lists of chances
    PLACEMENTS_A_CHUNK = 4096  # between two looks for Ctrl-C: about 3 ms
    A_STRETCH = 65536          # placements between two words of progress; fewer are done alone
    LEAST_CUT = 64             # columns that a distribution without end is first tried with

cdef double CUT_OFF = 1e-12    # chance of more rolls than a distribution lists, at most


cdef class Solver:
    """What the threads that fill a one-sided table share."""

    cdef Rules rules
    cdef int points, stopped
    cdef Policy last, first
    # Stretches of placements: stretch g is bounds[2 g] .. bounds[2 g + 1] - 1.
    cdef const int64_t* bounds
    cdef double* table         # NULL before the policy is known
    cdef Py_ssize_t stride
    cdef int last_width, first_width
    cdef list kept

    def end(self):
        """End the work of all threads soon."""
        self.stopped = 1

    cdef int open(self, Policy* policy, Py_ssize_t n) except -1:
        arrays = (
            np.empty((n, LINE), np.float64),
            np.empty((n, ALL_ROLLS), np.uint32),
            np.empty((n, 4), np.float64),
        )
        policy.lines = <double*> data_of(arrays[0])
        policy.best = <uint32_t*> data_of(arrays[1])
        policy.rolls = <Rolls*> data_of(arrays[2])
        self.kept.append(arrays)
        finish(policy)
        return 0

    def work(self, Py_ssize_t first, Py_ssize_t last):
        """Find the policy of the stretches first .. last - 1, or write their lines once there is a
        table."""
        cdef Py_ssize_t g
        cdef int64_t i, end, stop
        for g in range(first, last):
            i, stop = self.bounds[2 * g], self.bounds[2 * g + 1]
            while i < stop:
                end = min(i + PLACEMENTS_A_CHUNK, stop)
                with nogil:
                    while i < end:
                        if self.table == NULL:
                            solve_placement(&self.last, &self.first, &self.rules, self.points, i)
                        else:
                            self.write(i)
                        i += 1
                go_on(&self.stopped)

    cdef void write(self, int64_t i) noexcept nogil:
        """Write line i of the table: see `solve_one_sided`."""
        cdef double* line = self.table + self.stride * i
        cdef double* lists = self.table + LISTS
        line[0] = self.last.rolls[i].mean
        line[1] = variance(self.last.rolls + i)
        line[3] = self.first.rolls[i].mean
        line[4] = variance(self.first.rolls + i)
        spread_placement(
            &self.last, i, lists, self.stride, self.last_width, self.table + 2
        )
        spread_placement(
            &self.first, i, lists + self.last_width, self.stride, self.first_width, self.table + 5
        )

    cdef int run_levels(self, list levels, int threads, object said) except -1:
        """Work through the levels one after the other; the stretches of each do not depend on one
        another."""
        for first, last, done in levels:
            if threads == 1 or last - first == 1:
                self.work(first, last)
            else:
                shared(
                    last - first, 1, threads,
                    lambda a, b, first=first: self.work(first + a, first + b), self.end,
                )
            said(done)
        return 0


cdef object stretches(int points, int checkers, int threads):
    """Bounds of stretches of placements that make up all of them but the finished one, int64
    (m, 2), and levels: (first stretch, last + 1, placements done with it).

    One thread takes them by number: where one leads to lies near to where the next leads to. For
    several the placements that share b(1), b(2), b(3) of docs/bearoff.md are a stretch: a half-move
    raises none of the three, so that stretches of the same sum do not depend on one another. (By
    pips, placements of one level lie far apart: three times the processor's time.)
    """
    cdef int64_t n = nardy_choose[points + checkers][points]
    cdef int a, b, c
    if threads == 1 or n <= A_STRETCH:
        bounds = [(max(i, 1), min(i + A_STRETCH, n)) for i in range(0, n, A_STRETCH)]
        return np.array(bounds, np.int64), [(g, g + 1, bounds[g][1]) for g in range(len(bounds))]
    sums = [[] for _ in range(3 * checkers + 1)]
    for a in range(checkers + 1):
        for b in range(a + 1):
            for c in range(b + 1):
                first = (
                    nardy_choose[a + points - 1][points] + nardy_choose[b + points - 2][points - 1]
                    + nardy_choose[c + points - 3][points - 2]
                )
                size = nardy_choose[c + points - 3][points - 3]
                sums[a + b + c].append((max(first, 1), first + size))
    bounds, levels, done = [], [], 0
    for level in sums[1:]:
        bounds += level
        done += sum(end - first for first, end in level)
        levels.append((len(bounds) - len(level), len(bounds), done))
    return np.array(bounds, np.int64), levels


def solve_one_sided(*, rules, points, checkers, threads=1, progress=None):
    """Solve the bear-off of one side alone (docs/bearoff.md).

    Parameters
    ----------
    rules : Rules or str
    points : int
        1..10.
    checkers : int
        1..15.
    threads : int
    progress : callable, optional
        Called with the work done and the work there is, from time to time.

    Returns
    -------
    table : ndarray of float64, shape (n, 6 + width + first_width)
        A line a placement: mean, variance and tail of the rolls to the last checker off, the same
        to the first one, the chances of 0, 1, ... rolls to the last, and to the first. NaN for
        what ``block="strict"`` forbids.
    width : int
        Columns of the distribution of the last; the rest are those of the first.

    Raises
    ------
    TypeError, ValueError, MemoryError

    Examples
    --------
    >>> table, width = solve_one_sided(rules="short", points=6, checkers=1)
    >>> float(table[6, 0]), table[6, 6:6 + width].tolist()      # one on the 6-point
    (1.25, [0.0, 0.75, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0])
    """
    cdef Solver solver = Solver()
    cdef Py_ssize_t n
    cdef int men = as_int(checkers, "checkers", 1, MOST_CHECKERS)
    cdef int workers = as_int(threads, "threads", 1, 1024)
    read_rules(rules, &solver.rules)
    solver.points = as_int(points, "points", 1, MOST_POINTS)
    n = nardy_choose[solver.points + men][solver.points]
    bounds, levels = stretches(solver.points, men, workers)
    solver.kept = [bounds]
    solver.bounds = <const int64_t*> data_of(bounds)
    solver.open(&solver.last, n)
    solver.open(&solver.first, n)
    said = progress or (lambda done, total: None)
    solver.run_levels(levels, workers, lambda done: said(done, 2 * n))
    rolls = [arrays[2] for arrays in solver.kept[1:]]
    if any(np.isinf(each[:, 0]).any() for each in rolls):
        raise ValueError("rules: some placement can never be played on; no table holds that")
    # Widths are multiples of 8, for lines are added up by eights; without an end they grow until
    # what is cut off is nothing.
    most = [float(each[:, 2].max()) for each in rolls]
    cuts = [LEAST_CUT if np.isinf(each) else int(each) // 8 * 8 + 8 for each in most]
    while True:
        solver.last_width, solver.first_width = cuts
        solver.stride = LISTS + cuts[0] + cuts[1]
        table = np.empty((n, solver.stride), np.float64)
        solver.table = <double*> data_of(table)
        solver.write(0)
        solver.run_levels(levels, workers, lambda done: said(n + done, 2 * n))
        tails = np.nanmax(table[:, 2]), np.nanmax(table[:, 5])
        if max(tails) < CUT_OFF:
            return table, cuts[0]
        cuts = [cut + 32 if tail >= CUT_OFF else cut for cut, tail in zip(cuts, tails)]
