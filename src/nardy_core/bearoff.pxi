# Bear-offs: rows to placements, and the two kinds of tables. Included by nardy_core.pyx.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from nardy_core.bits cimport OFF, THEIR_OFF, WIDTH
from nardy_core.board cimport INVALID, Board, LongBoard, ShortBoard, read_board
from nardy_core.onesided cimport (
    LINE, Policy, Rolls, finish, solve_placement, spread_placement, variance,
)
from nardy_core.outcome cimport outcome
from nardy_core.placements cimport (
    MOST_CHECKERS, MOST_POINTS, Placement, fill_choose, is_forbidden, men_on, nardy_choose,
    read_placement,
)
from nardy_core.race cimport parted, placement_of
from nardy_core.rules cimport GAME_LONG, Rules
from nardy_core.twosided cimport (
    ALL_VALUES, VALUES, Found, Pairs, chances_of_pair, list_afters, value_pair,
)

cdef object float64 = np.dtype(np.float64)
cdef object uint32 = np.dtype(np.uint32)

cdef enum:
    ROWS_A_LOOK = 1 << 18      # rows between two looks for Ctrl-C: 10 ms
    PLACEMENTS_A_CHUNK = 4096  # between two looks for Ctrl-C: about 3 ms
    PAIRS_A_LOOK = 65536       # pairs likewise: 10 ms
    PLACEMENTS_OF_A_THREAD = 512
    LEAST_PAIR_LINES = 64      # lines of a level that a thread takes at least
    A_STRETCH = 65536          # placements between two words of progress: about 50 ms
    LEAST_CUT = 64             # columns that a distribution without end is first tried with

cdef double CUT_OFF = 1e-12     # chance of more rolls than a distribution lists, at most

fill_choose()


# --- rows -------------------------------------------------------------------------------------


cdef Py_ssize_t find_races(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, uint8_t* out
) noexcept nogil:
    """Number of the first row from i on that is no board, or `end`."""
    cdef const int8_t* row
    while i < end:
        row = batch.rows + WIDTH * i
        if read_board(board, row, &batch.rules) == INVALID:
            break
        out[i] = parted(board, row, &batch.rules)
        i += 1
    return i


cdef Py_ssize_t find_placements(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, int points, int checkers,
    int64_t* own, int64_t* theirs,
) noexcept nogil:
    """Number of the first row from i on that is no board, or `end`. `theirs` may be NULL."""
    cdef const Rules* rules = &batch.rules
    cdef const int8_t* row
    cdef bint race
    while i < end:
        row = batch.rows + WIDTH * i
        if read_board(board, row, rules) == INVALID:
            break
        race = parted(board, row, rules)
        own[i] = placement_of(board, row, rules, True, points, checkers) if race else -1
        if theirs != NULL:
            theirs[i] = placement_of(board, row, rules, False, points, checkers) if race else -1
        i += 1
    return i


def is_race(rows, *, rules):
    """Tell in which rows the sides can no longer meet, so that each plays for itself.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it. Not modified.
    rules : Rules or str

    Returns
    -------
    ndarray of bool, shape (n,)
        True where no checker can still stand in the way of one of the other side, and no rule about
        blocks of six can forbid a half-move: under ``block="home"`` each side has a checker home or
        off. ``block="strict"`` looks at one side alone and is left to the tables. A game that is
        over is a race.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> race = nardy.Position.from_points({12: 15}, {12: 15}, rules="long")
    >>> start = nardy.Position.start("long")
    >>> is_race(np.stack([race.row, start.row]), rules="long")
    array([ True, False])
    """
    cdef Work work = Work()
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Py_ssize_t i = 0, end
    cdef uint8_t* to
    work.open(rows, rules, 1)
    races = empty(work.n, np.bool_)
    to = <uint8_t*> data_of(races)
    while i < work.n:
        end = min(i + ROWS_A_LOOK, work.n)
        with nogil:
            if work.batch.rules.game == GAME_LONG:
                i = find_races(&long_board, &work.batch, i, end, to)
            else:
                i = find_races(&short_board, &work.batch, i, end, to)
        if i < end:
            raise bad_row(work.batch.rows + WIDTH * i, i, work.rules)
        go_on(&work.stopped)
    return races


def find_in_table(rows, *, rules, points, checkers, both=True):
    """Number the placements of both sides in each row (docs/bearoff.md).

    Returns
    -------
    own, opponent : ndarrays of int64, shape (n,)
        -1 where the row is no race or the side's placement is not in a table of so many points and
        checkers. `opponent` is None unless both are wanted.
    """
    cdef Work work = Work()
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Py_ssize_t i = 0, end
    cdef int64_t* own
    cdef int64_t* theirs = NULL
    cdef int most_points = as_int(points, "points", 1, MOST_POINTS)
    cdef int most_checkers = as_int(checkers, "checkers", 1, MOST_CHECKERS)
    work.open(rows, rules, 1)
    mine, others = empty(work.n, int64), None
    own = <int64_t*> data_of(mine)
    if both:
        others = empty(work.n, int64)
        theirs = <int64_t*> data_of(others)
    while i < work.n:
        end = min(i + ROWS_A_LOOK, work.n)
        with nogil:
            if work.batch.rules.game == GAME_LONG:
                i = find_placements(
                    &long_board, &work.batch, i, end, most_points, most_checkers, own, theirs
                )
            else:
                i = find_placements(
                    &short_board, &work.batch, i, end, most_points, most_checkers, own, theirs
                )
        if i < end:
            raise bad_row(work.batch.rows + WIDTH * i, i, work.rules)
        go_on(&work.stopped)
    return mine, others


cdef object by_pips(int points, int checkers):
    """All placements in the order of their pips, uint32, and where each number of pips begins:
    equal ones do not depend on one another."""
    cdef int64_t n = nardy_choose[points + checkers][points], i
    cdef Placement at
    cdef int stop = 0
    cdef int64_t* next
    cdef uint32_t* to
    starts = np.zeros(points * checkers + 2, int64)
    order = empty(n, uint32)
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


# --- one-sided tables -------------------------------------------------------------------------


cdef class Solver:
    """What the threads that fill a one-sided table share."""

    cdef Rules rules
    cdef int points, threads, stopped
    cdef Policy last, first
    cdef const uint32_t* order  # placements: each stands after those that it depends on
    cdef double* table         # None before the policy is known
    cdef Py_ssize_t stride
    cdef int last_width, first_width
    cdef list kept

    def end(self):
        """End the work of all threads soon."""
        self.stopped = 1

    cdef int open(self, Policy* policy, Py_ssize_t n) except -1:
        arrays = (
            empty((n, LINE), float64), empty((n, ALL_ROLLS), uint32), empty((n, 4), float64),
        )
        policy.lines = <double*> data_of(arrays[0])
        policy.best = <uint32_t*> data_of(arrays[1])
        policy.rolls = <Rolls*> data_of(arrays[2])
        self.kept.append(arrays)
        finish(policy)
        return 0

    def solve(self, Py_ssize_t first, Py_ssize_t last):
        """Find the policy of the placements order[first] .. order[last - 1]."""
        cdef Py_ssize_t i, end
        while first < last:
            end = min(first + PLACEMENTS_A_CHUNK, last)
            with nogil:
                for i in range(first, end):
                    solve_placement(
                        &self.last, &self.first, &self.rules, self.points, self.order[i]
                    )
            first = end
            go_on(&self.stopped)

    def spread(self, Py_ssize_t first, Py_ssize_t last):
        """Write the lines of the placements order[first] .. order[last - 1]: see `COLUMNS`."""
        cdef Py_ssize_t i, end
        cdef uint32_t at
        cdef double* line
        while first < last:
            end = min(first + PLACEMENTS_A_CHUNK, last)
            with nogil:
                for i in range(first, end):
                    at = self.order[i]
                    line = self.table + self.stride * at
                    line[0] = self.last.rolls[at].mean
                    line[1] = variance(self.last.rolls + at)
                    line[3] = self.first.rolls[at].mean
                    line[4] = variance(self.first.rolls + at)
                    spread_placement(
                        &self.last, at, self.table + 6, self.stride, self.last_width,
                        self.table + 2,
                    )
                    spread_placement(
                        &self.first, at, self.table + 6 + self.last_width, self.stride,
                        self.first_width, self.table + 5,
                    )
            first = end
            go_on(&self.stopped)


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
    read_rules(rules, &solver.rules)
    solver.points = as_int(points, "points", 1, MOST_POINTS)
    solver.threads = as_int(threads, "threads", 1, 1024)
    n = nardy_choose[solver.points + men][solver.points]
    if solver.threads > 1:
        order, starts = by_pips(solver.points, men)
        levels = list(zip(starts[1:].tolist(), starts[2:].tolist()))
    else:
        # By number: where one leads to lies near to where the next leads to (4 of 5 in time).
        order = np.arange(n, dtype=uint32)
        levels = [(max(a, 1), min(a + A_STRETCH, n)) for a in range(0, n, A_STRETCH)]
    solver.kept = [order]
    solver.order = <const uint32_t*> data_of(order)
    solver.open(&solver.last, n)
    solver.open(&solver.first, n)
    said = progress or (lambda done, total: None)
    for a, b in levels:
        spans(solver, solver.solve, a, b, solver.threads)
        said(b, 2 * n)
    rolls = [arrays[2] for arrays in solver.kept[1:]]
    if any(np.isinf(each[:, 0]).any() for each in rolls):
        raise ValueError("rules: some placement can never be played on; no table holds that")
    # Widths are multiples of 8, for lines are added up by eights; without an end they grow until
    # what is cut off is nothing.
    most = [float(each[:, 2].max()) for each in rolls]
    cuts = [LEAST_CUT if np.isinf(each) else int(each) // 8 * 8 + 8 for each in most]
    while True:
        solver.last_width, solver.first_width = cuts
        solver.stride = 6 + cuts[0] + cuts[1]
        table = empty((n, solver.stride), float64)
        solver.table = <double*> data_of(table)
        for a, b in [(0, 1), *levels]:
            spans(solver, solver.spread, a, b, solver.threads)
            said(n + b, 2 * n)
        tails = np.nanmax(table[:, 2]), np.nanmax(table[:, 5])
        if max(tails) < CUT_OFF:
            return table, cuts[0]
        cuts = [cut + 32 if tail >= CUT_OFF else cut for cut, tail in zip(cuts, tails)]


cdef object spans(object work, object method, Py_ssize_t first, Py_ssize_t last, int threads):
    """Do first .. last - 1, which do not depend on one another, in one thread or several."""
    if threads == 1 or last - first <= PLACEMENTS_OF_A_THREAD:
        method(first, last)
        return
    parts = shared(
        last - first, PLACEMENTS_OF_A_THREAD, threads,
        lambda a, b: method(first + a, first + b), work.end,
    )
    try:
        for _ in parts:
            pass
    finally:
        parts.close()


# --- two-sided tables -------------------------------------------------------------------------


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
    starts = empty(ALL_ROLLS * n + 1, int64)
    to = <int64_t*> data_of(starts)
    to[0] = 0
    room = 256 * n
    afters = empty(room, uint32)
    into = <uint32_t*> data_of(afters)
    holder = empty(sizeof(Found), int8)
    found = <Found*> data_of(holder)
    for i in range(n):
        if m + ALL_ROLLS * 1024 > room:
            room = 2 * room + ALL_ROLLS * 1024
            afters.resize(room, refcheck=False)
            into = <uint32_t*> data_of(afters)
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
    order, starts = by_pips(most, men)
    n = len(order)
    afters, after_starts = list_after_states(rules=rules, points=most, checkers=men)
    origins = np.repeat(np.arange(n), np.diff(after_starts[::ALL_ROLLS]))
    if bool((afters == origins).any()):
        raise ValueError(
            "rules: wanted rules under which every roll can be played, for a two-sided table; got"
            f" {named_rules(rules)!r}"
        )
    values = empty((n, n, ALL_VALUES if men == codes.checkers else VALUES), float64)
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
    pips = np.repeat(np.arange(len(starts) - 1, dtype=int32), np.diff(starts))
    solver.kept = (values, order, starts, pips, afters, after_starts)
    solver.pairs.values = <double*> data_of(values)
    solver.pairs.n = n
    solver.pairs.columns = values.shape[2]
    solver.pairs.starts = <const int64_t*> data_of(after_starts)
    solver.pairs.afters = <const uint32_t*> data_of(afters)
    solver.order = <const uint32_t*> data_of(order)
    solver.starts = <const int64_t*> data_of(starts)
    solver.pips = <const int32_t*> data_of(pips)
    solver.threads = as_int(threads, "threads", 1, 1024)
    solver.most_pips = len(starts) - 2
    sizes = np.diff(starts)
    pairs_of_level = np.convolve(sizes, sizes)
    for level in range(2, 2 * solver.most_pips + 1):
        solver.level = level
        if solver.threads == 1 or pairs_of_level[level] < PAIRS_A_LOOK:
            solver.value(1, n)
        else:
            parts = shared(n, LEAST_PAIR_LINES, solver.threads, solver.value, solver.end)
            try:
                for _ in parts:
                    pass
            finally:
                parts.close()
        done += pairs_of_level[level]
        if progress is not None:
            progress(int(done), int(n * n))
    return values
