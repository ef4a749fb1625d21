# One call: its arrays, what its threads share, and how results find room. Included by
# nardy_core.pyx.

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from nardy_core.batch cimport ALL_ROLLS, NO_PROBLEM, Batch, fill, first_bad_row, play_games
from nardy_core.bits cimport WIDTH
from nardy_core.board cimport LongBoard, ShortBoard
from nardy_core.perft cimport perft_below
from nardy_core.rules cimport GAME_LONG
from nardy_core.sinks cimport (
    MOST_LEAVES, MOST_STATES, MOST_STEPS, SPARE_STATES, TURN_ROOM, CountSink, Leaf, RowSink,
    StepSink,
)
from nardy_core.stop cimport go_on

from nardy.parts import shared

cdef enum:
    FEW_PAIRS = 16             # for so few the GIL is kept: to give it up and back costs 60 ns
    PAIRS_A_CHUNK = 4096       # pairs between two looks for Ctrl-C: about 0.3 ms
    GAMES_A_CHUNK = 256        # games likewise: about 1 ms
    ROWS_A_PART = 512          # rows for a thread at least: less is done sooner alone
    PAIR_ROOM = MOST_STATES + SPARE_STATES     # rows for one pair at most
    FIRST_ROOM = 4096          # rows on the stack: small batches need no other room
    STEPS_WIDTH = 2 * MOST_STEPS               # bytes of the half-moves of one after-state


# --- room for results -------------------------------------------------------------------------


cdef void* data_of(object array) except NULL:
    """Address of a new array's memory; the array keeps it."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)
    return view.buf if view.buf != NULL else <void*> 1


cdef void stay_warm(int64_t size) noexcept:
    """Let the C library keep memory of this size when an array is freed, as it does (glibc, up to
    32 MB) once it has seen such a piece freed.

    Ours never are: they are cut first. So each call would get new pages from the system, and those
    cost more than the rows on them: 2 MB of after-states at 0.4 of the speed of `out=`. The piece
    is not touched.
    """
    PyMem_RawFree(PyMem_RawMalloc(size + 8192))


cdef class Growing:
    """An int8 array that grows: filled by address, cut to size in place at the end."""

    cdef object array
    cdef int8_t* data
    cdef int64_t room          # rows
    cdef int width             # bytes a row

    def __cinit__(self, int width):
        self.width = width
        self.room = 0

    cdef int hold(self, int64_t rows, int64_t used) except -1:
        """Make room for so many rows, keeping the first `used` ones."""
        cdef object wider
        cdef void* to
        if rows <= self.room:
            return 0
        stay_warm(rows * self.width)
        wider = empty((rows, self.width), int8)
        to = data_of(wider)
        if used:
            memcpy(to, self.data, used * self.width)
        self.array, self.data, self.room = wider, <int8_t*> to, rows
        return 0

    cdef object cut(self, int64_t rows):
        """The array with the first `rows` rows: the C library takes the rest back, no copy."""
        self.array.resize((rows, self.width), refcheck=False)
        return self.array


# --- the choice of game and sink ------------------------------------------------------------


cdef Py_ssize_t fill_some(
    Batch* batch, int8_t* rows, int8_t* steps, Py_ssize_t pair, Py_ssize_t end,
    const int8_t* limit, int64_t* numbers,
) noexcept nogil:
    """`fill` for the game and the sink that are wanted: the one place that chooses."""
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef RowSink sink
    cdef StepSink step_sink
    if steps == NULL:
        sink.out = rows
        if batch.rules.game == GAME_LONG:
            return fill(&long_board, &sink, batch, pair, end, limit, numbers)
        return fill(&short_board, &sink, batch, pair, end, limit, numbers)
    step_sink.out = rows
    step_sink.steps = steps
    if batch.rules.game == GAME_LONG:
        return fill(&long_board, &step_sink, batch, pair, end, limit, numbers)
    return fill(&short_board, &step_sink, batch, pair, end, limit, numbers)


cdef Py_ssize_t count_some(
    Batch* batch, Py_ssize_t pair, Py_ssize_t end, int64_t* numbers
) noexcept nogil:
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef CountSink sink
    if batch.rules.game == GAME_LONG:
        return fill(&long_board, &sink, batch, pair, end, NULL, numbers)
    return fill(&short_board, &sink, batch, pair, end, NULL, numbers)


# --- the call -------------------------------------------------------------------------------


@cython.freelist(4)
cdef class Work:
    """One call: its arrays, held until it ends, and what its threads share.

    Threads take parts of the rows and write to their own places.
    """

    cdef Py_buffer rows_view, rolls_view, out_view
    cdef bint has_rows, has_rolls, has_out
    cdef Batch batch
    cdef Py_ssize_t n          # rows
    cdef Py_ssize_t rolls      # pairs a row: 1, or 21
    cdef object rules          # as Python has them
    cdef bint want_steps
    cdef int threads
    cdef int stopped           # a flag that ends the work of all threads
    cdef int64_t* numbers      # counts: one a pair
    cdef int8_t* points        # playouts: one a row
    cdef int32_t* turns
    cdef uint64_t seed, game
    cdef int depth             # perft: of each row

    def __cinit__(self):
        self.rolls = ALL_ROLLS
        self.threads = 1

    def __dealloc__(self):
        if self.has_rows:
            PyBuffer_Release(&self.rows_view)
        if self.has_rolls:
            PyBuffer_Release(&self.rolls_view)
        if self.has_out:
            PyBuffer_Release(&self.out_view)

    cdef int open(
        self, object rows, object rules, object threads, str name="rows"
    ) except -1:
        """Check and hold what every call has."""
        self.rules = read_rules(rules, &self.batch.rules)
        open_array(rows, name, WIDTH, &self.rows_view)
        self.has_rows = True
        self.n = self.rows_view.shape[0]
        self.batch.rows = <const int8_t*> self.rows_view.buf
        self.threads = as_int(threads, "threads", 1, 1024)
        return 0

    cdef int open_rolls(self, object rolls) except -1:
        """Check and hold one roll a row."""
        open_array(rolls, "rolls", 2, &self.rolls_view)
        self.has_rolls = True
        self.rolls = 1
        self.batch.rolls = <const int8_t*> self.rolls_view.buf
        if self.rolls_view.shape[0] != self.n:
            raise ValueError(
                f"rolls: wanted shape ({self.n}, 2), a roll for each row; got {rolls.shape}"
            )
        return 0

    cdef int open_out(self, object out) except -1:
        """Check and hold the caller's rows to write to."""
        open_array(out, "out", WIDTH, &self.out_view)
        self.has_out = True
        if self.out_view.readonly:
            raise ValueError("out: wanted a writable array; got a read-only one")
        refuse_overlap(&self.out_view, &self.rows_view)
        if self.has_rolls:
            refuse_overlap(&self.out_view, &self.rolls_view)
        return 0

    cdef int refuse_bad_rows(self) except -1:
        cdef LongBoard long_board
        cdef ShortBoard short_board
        cdef Py_ssize_t bad
        with nogil:
            if self.batch.rules.game == GAME_LONG:
                bad = first_bad_row(&long_board, &self.batch, self.n)
            else:
                bad = first_bad_row(&short_board, &self.batch, self.n)
        if bad < self.n:
            raise bad_row(self.batch.rows + WIDTH * bad, bad, self.rules)
        return 0

    def end(self):
        """End the work of all threads soon."""
        self.stopped = 1

    def states(self, Py_ssize_t first, Py_ssize_t last):
        """Return (rows, offsets, steps) of the rows first .. last - 1."""
        cdef Batch part = self.batch
        part.rows += WIDTH * first
        if part.rolls != NULL:
            part.rolls += 2 * first
        return fresh_states(self, &part, (last - first) * self.rolls, first)

    def count(self, Py_ssize_t first, Py_ssize_t last):
        """Write the counts of the rows first .. last - 1."""
        cdef Batch part = self.batch
        cdef Py_ssize_t pair = first * self.rolls, end = last * self.rolls
        part.problem = NO_PROBLEM
        while pair < end:
            with nogil:
                pair = count_some(&part, pair, min(pair + PAIRS_A_CHUNK, end), self.numbers)
            if part.problem != NO_PROBLEM:
                raise problem_of(&part, pair, 0, self.rules)
            go_on(&self.stopped)

    def play(self, Py_ssize_t first, Py_ssize_t last):
        """Play the rows first .. last - 1 out."""
        cdef LongBoard long_board
        cdef ShortBoard short_board
        cdef Leaf[MOST_LEAVES] room
        cdef Py_ssize_t end
        while first < last:
            end = min(first + GAMES_A_CHUNK, last)
            with nogil:
                if self.batch.rules.game == GAME_LONG:
                    play_games(
                        &long_board, &self.batch, first, end, self.seed, self.game, room,
                        self.points, self.turns,
                    )
                else:
                    play_games(
                        &short_board, &self.batch, first, end, self.seed, self.game, room,
                        self.points, self.turns,
                    )
            first = end
            go_on(&self.stopped)

    def paths(self, Py_ssize_t first, Py_ssize_t last):
        """Return the perft of the rows first .. last - 1, added up."""
        cdef int64_t total = 0
        cdef int8_t* room = <int8_t*> malloc(TURN_ROOM * max(self.depth, 1))
        cdef Py_ssize_t i
        if room == NULL:
            raise MemoryError("perft: no room for the after-states of one path")
        try:
            for i in range(first, last):
                with nogil:
                    if self.batch.rules.game == GAME_LONG:
                        total += perft_below(
                            <LongBoard*> NULL, self.batch.rows + WIDTH * i, &self.batch.rules,
                            self.depth, room, &self.stopped,
                        )
                    else:
                        total += perft_below(
                            <ShortBoard*> NULL, self.batch.rows + WIDTH * i, &self.batch.rules,
                            self.depth, room, &self.stopped,
                        )
                go_on(&self.stopped)
        finally:
            free(room)
        return total


# --- after-states ---------------------------------------------------------------------------


cdef object fresh_states(Work work, Batch* batch, Py_ssize_t pairs, Py_ssize_t first):
    """New arrays (rows, offsets, steps or None) for a batch, in one thread.

    Its row 0 is row `first` of the call. The rows are written to the stack until that is full, then
    to an array of as many as the pairs so far let expect: untouched memory costs nothing, and
    counting first would cost more (150 M after-states/s instead of 246).
    """
    cdef int8_t[WIDTH * FIRST_ROOM] room
    cdef int8_t[STEPS_WIDTH * FIRST_ROOM] step_room
    cdef int8_t* rows = room
    cdef int8_t* steps = step_room
    cdef int8_t* to
    cdef int8_t* steps_to
    cdef const int8_t* limit
    cdef bint want_steps = work.want_steps
    cdef Py_ssize_t pair = 0, chunk
    cdef int64_t capacity = FIRST_ROOM
    cdef object offsets = empty(pairs + 1, int64), states, steps_of
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef Growing grown = None, grown_steps = None
    numbers[0] = 0
    batch.total = 0
    while True:
        chunk = min(pair + PAIRS_A_CHUNK, pairs)
        to = rows + WIDTH * batch.total
        steps_to = steps + STEPS_WIDTH * batch.total if want_steps else NULL
        limit = rows + WIDTH * (capacity - PAIR_ROOM)
        if pairs <= FEW_PAIRS:
            pair = fill_some(batch, to, steps_to, pair, chunk, limit, numbers + 1)
        else:
            with nogil:
                pair = fill_some(batch, to, steps_to, pair, chunk, limit, numbers + 1)
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, first, work.rules)
        if pair == pairs:
            break
        go_on(&work.stopped)
        if pair < chunk:
            # As many rows a pair as so far, an eighth more, and one largest pair.
            capacity = batch.total + PAIR_ROOM + <int64_t> (
                1.125 * (pairs - pair) * (batch.total + 1) / (pair + 1)
            )
            if grown is None:
                grown = Growing(WIDTH)
                grown.hold(capacity, 0)
                memcpy(grown.data, rows, WIDTH * batch.total)
                if want_steps:
                    grown_steps = Growing(STEPS_WIDTH)
                    grown_steps.hold(capacity, 0)
                    memcpy(grown_steps.data, steps, STEPS_WIDTH * batch.total)
            else:
                grown.hold(capacity, batch.total)
                if want_steps:
                    grown_steps.hold(capacity, batch.total)
            rows = grown.data
            if want_steps:
                steps = grown_steps.data
    if grown is not None:
        states = grown.cut(batch.total)
        steps_of = grown_steps.cut(batch.total) if want_steps else None
    else:
        states = empty((batch.total, WIDTH), int8)
        memcpy(data_of(states), rows, WIDTH * batch.total)
        steps_of = None
        if want_steps:
            steps_of = empty((batch.total, STEPS_WIDTH), int8)
            memcpy(data_of(steps_of), steps, STEPS_WIDTH * batch.total)
    return states, offsets, steps_of


cdef object out_states(Work work, int8_t* out, int64_t capacity):
    """Fill the caller's rows, in one thread: the offsets."""
    cdef Batch* batch = &work.batch
    cdef Py_ssize_t pairs = work.n * work.rolls
    cdef int8_t[WIDTH * FIRST_ROOM] room
    cdef object offsets = empty(pairs + 1, int64)
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef Py_ssize_t pair = 0, chunk
    cdef int64_t before
    cdef const int8_t* limit = NULL
    if capacity >= PAIR_ROOM:
        limit = out + WIDTH * (capacity - PAIR_ROOM)
    numbers[0] = 0
    batch.total = 0
    while True:
        chunk = min(pair + PAIRS_A_CHUNK, pairs)
        with nogil:
            pair = fill_some(
                batch, out + WIDTH * batch.total, NULL, pair, chunk, limit, numbers + 1
            )
            if pair < chunk and batch.problem == NO_PROBLEM:
                # A largest pair might not fit any more: by way of a room of our own.
                before = batch.total
                pair = fill_some(
                    batch, room, NULL, pair, chunk, room + WIDTH * (FIRST_ROOM - PAIR_ROOM),
                    numbers + 1,
                )
                if batch.total <= capacity:
                    memcpy(out + WIDTH * before, room, WIDTH * (batch.total - before))
        if batch.total > capacity:
            while pair < pairs and batch.problem == NO_PROBLEM:
                go_on(&work.stopped)
                with nogil:
                    pair = count_some(batch, pair, min(pair + PAIRS_A_CHUNK, pairs), numbers + 1)
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, 0, work.rules)
        if batch.total > capacity:
            raise too_small(batch.total, capacity)
        if pair == pairs:
            return offsets
        go_on(&work.stopped)


cdef object run(Work work, object method, Py_ssize_t n, Py_ssize_t least):
    """All parts of range(n), in one thread or several: the list of what they return."""
    if work.threads == 1 or n <= least:
        return [method(0, n)]
    parts = shared(n, least, work.threads, method, work.end)
    try:
        return list(parts)
    finally:
        parts.close()


cdef object shared_states(Work work, int8_t* out, int64_t capacity):
    """The arrays of a batch in several threads: they fill parts, this one joins them in order.

    Returns (rows or None if `out` was given, offsets, steps or None).
    """
    cdef object offsets = empty(work.n * work.rolls + 1, int64), part, part_offsets, part_steps
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef const int64_t* part_numbers
    cdef Growing grown = Growing(WIDTH), grown_steps = Growing(STEPS_WIDTH)
    cdef Py_ssize_t pair = 0, pairs = work.n * work.rolls, m, k, i
    cdef int64_t total = 0, guess
    cdef int8_t* to = out
    cdef const int8_t* of
    numbers[0] = 0
    parts = shared(work.n, ROWS_A_PART, work.threads, work.states, work.end)
    try:
        for part, part_offsets, part_steps in parts:
            m, k = len(part), len(part_offsets) - 1
            if out == NULL:
                if total + m > grown.room:
                    guess = total + m + <int64_t> (
                        1.125 * (pairs - pair - k) * (total + m + 1) / (pair + k)
                    )
                    grown.hold(guess, total)
                    if work.want_steps:
                        grown_steps.hold(guess, total)
                to = grown.data
            if out == NULL or total + m <= capacity:
                of = <const int8_t*> data_of(part)
                with nogil:
                    memcpy(to + WIDTH * total, of, WIDTH * m)
                if work.want_steps:
                    memcpy(
                        grown_steps.data + STEPS_WIDTH * total, data_of(part_steps),
                        STEPS_WIDTH * m,
                    )
            part_numbers = <const int64_t*> data_of(part_offsets)
            for i in range(1, k + 1):
                numbers[pair + i] = total + part_numbers[i]
            pair += k
            total += m
    finally:
        parts.close()
    work.batch.total = total
    if out != NULL:
        if total > capacity:
            raise too_small(total, capacity)
        return None, offsets, None
    return grown.cut(total), offsets, grown_steps.cut(total) if work.want_steps else None


cdef object states_of(Work work, object out, object steps):
    """The arrays that `after_states` returns, rows and rolls being open."""
    cdef object states, offsets, half_moves
    cdef bint alone = work.threads == 1 or work.n <= ROWS_A_PART
    cdef int8_t* to = NULL
    cdef int64_t room = 0
    if steps is not True and steps is not False:
        raise TypeError(f"steps: wanted True or False; got {steps!r}")
    work.want_steps = steps
    if out is not None:
        work.open_out(out)
        to, room = <int8_t*> work.out_view.buf, work.out_view.shape[0]
        if not steps:
            if alone:
                offsets = out_states(work, to, room)
            else:
                _, offsets, _ = shared_states(work, to, room)
            return out[:work.batch.total], offsets
    if alone:
        states, offsets, half_moves = fresh_states(work, &work.batch, work.n * work.rolls, 0)
    else:
        states, offsets, half_moves = shared_states(work, NULL, 0)
    if not steps:
        return states, offsets
    if to != NULL:
        # Half-moves are asked for to be shown or replayed: the copy does not matter there.
        if len(states) > room:
            raise too_small(len(states), room)
        memcpy(to, data_of(states), WIDTH * len(states))
        states = out[:len(states)]
    return states, offsets, half_moves.reshape(-1, MOST_STEPS, 2)
