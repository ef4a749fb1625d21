"""The boundary between Python and the kernel.

What it promises: every array and option that comes in is checked, nothing is cast silently, no input
can crash the interpreter, the GIL is released while rows are worked on, and Ctrl-C ends a call soon.

Who raises what: ``TypeError`` for a wrong kind or dtype; ``ValueError`` for a wrong shape, order, roll,
option or number; ``InvalidPosition`` for a row that is no board, named by the first; ``MemoryError``
before work is lost. Nothing is returned then.

No rule of a game stands here: those are the .pxd files of src/nardy_core.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from nardy_core.batch cimport (
    ALL_ROLLS, BAD_ROLL, BAD_ROW, NO_PROBLEM, Batch, fill, first_bad_row, flip_rows, play_games,
    score_rows,
)
from nardy_core.bits cimport WIDTH
from nardy_core.board cimport LongBoard, ShortBoard
from nardy_core.deltas cimport fill_deltas
from nardy_core.perft cimport PERFT_ROOM, perft_below
from nardy_core.playout cimport record_game
from nardy_core.rules cimport GAME_LONG, Rules, set_later_caps
from nardy_core.sinks cimport MOST_STATES, MOST_STEPS, SPARE_STATES, CountSink, RowSink, StepSink
from nardy_core.start cimport write_start
from nardy_core.stop cimport go_on

from collections import namedtuple
from operator import index

import numpy as np

from nardy.errors import InvalidPosition
from nardy.options import Rules as PythonRules
from nardy.options import rules as named_rules

cdef extern from "build.h":
    const char* NARDY_WIDTH_NAME
    const char* NARDY_COMPILER


cdef extern from *:
    const char* NARDY_VERSION  # a macro that setup.py defines from pyproject.toml


cdef object ndarray = np.ndarray
cdef object empty = np.empty
cdef object int8 = np.dtype(np.int8)
cdef object int32 = np.dtype(np.int32)
cdef object int64 = np.dtype(np.int64)

cdef enum:
    PAIRS_A_CHUNK = 4096       # pairs between two looks for Ctrl-C: about 0.3 ms
    GAMES_A_CHUNK = 256        # games likewise: about 1 ms
    PAIR_ROOM = MOST_STATES + SPARE_STATES     # rows for one pair at most
    FIRST_ROOM = 4096          # rows on the stack: small batches need no other room than their result

fill_deltas()


# --- what comes in ----------------------------------------------------------------------------


cdef int read_rules(object rules, Rules* into) except -1:
    """The codes that shape play and score."""
    cdef tuple codes
    if type(rules) is not PythonRules:
        rules = named_rules(rules)
    codes = rules.codes
    into.game = codes[0]
    into.checkers = codes[1]
    into.doubles_moves = codes[2]
    into.head = codes[3]
    into.head_doubles = codes[4]
    into.head_side = codes[5]
    into.block = codes[6]
    into.block_check = codes[7]
    into.overshoot = codes[8]
    into.mandatory = codes[9]
    into.koks = codes[10]
    set_later_caps(into)
    return 0


cdef int open_array(object array, str name, int columns, Py_buffer* view) except -1:
    """Check kind, dtype, shape and order, and hold the buffer: the caller releases it."""
    cdef str wanted = f"{name}: wanted a C-contiguous NumPy array of int8, shape (n, {columns})"
    if not isinstance(array, ndarray):
        raise TypeError(f"{wanted}; got {type(array).__name__}")
    if array.dtype is not int8 and array.dtype != int8:
        raise TypeError(f"{wanted}; got dtype {array.dtype}")
    PyObject_GetBuffer(array, view, PyBUF_STRIDES)
    if view.ndim != 2 or view.shape[1] != columns:
        PyBuffer_Release(view)
        raise ValueError(f"{wanted}; got shape {array.shape}")
    if view.shape[0] and (view.strides[1] != 1 or (view.shape[0] > 1 and view.strides[0] != columns)):
        PyBuffer_Release(view)
        raise ValueError(f"{wanted}; got strides {array.strides}: use numpy.ascontiguousarray")
    return 0


cdef int refuse_overlap(const Py_buffer* out, const Py_buffer* source) except -1:
    """What is written must share no memory with what is read."""
    if <char*> out.buf < <char*> source.buf + source.len and (
        <char*> source.buf < <char*> out.buf + out.len
    ):
        raise ValueError("out: wanted memory of its own; got an array that overlaps an input")
    return 0


cdef int64_t as_number(object value, str name, int64_t low, int64_t high) except? -1:
    """An int (NumPy's too) and nothing that only looks like one."""
    if type(value) is not int:
        try:
            if isinstance(value, bool):
                raise TypeError
            value = index(value)
        except TypeError:
            raise TypeError(f"{name}: wanted an int {low}..{high}; got {value!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{name}: wanted an int {low}..{high}; got {value!r}")
    return value


cdef uint64_t as_seed(object value, str name) except? 0:
    """A key word of the random stream: 0 .. 2**64 - 1."""
    if isinstance(value, bool):
        raise TypeError(f"{name}: wanted an int 0..2**64 - 1; got {value!r}")
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name}: wanted an int 0..2**64 - 1; got {value!r}") from None
    if not 0 <= number < 1 << 64:
        raise ValueError(f"{name}: wanted an int 0..2**64 - 1; got {value!r}")
    return number


cdef object bad_row(const int8_t* row, Py_ssize_t number, const Rules* rules):
    """The error for a row that is no board, with what a person needs to mend it."""
    cdef int column, own = row[0] + row[25], theirs = row[26] + row[27]
    for column in range(1, 25):
        own += max(<int> row[column], 0)
        theirs -= min(<int> row[column], 0)
    game = "long" if rules.game == GAME_LONG else "short"
    return InvalidPosition(
        f"rows: row {number} is no board of {game} nardy with {rules.checkers} checkers a side: own"
        f" {own}, the opponent's {theirs}, off {row[0]} and {row[26]}, on the bar {row[25]} and"
        f" {row[27]}, columns 28..31 {row[28]} {row[29]} {row[30]} {row[31]}"
        " (Position.status() tells each defect)"
    )


cdef object problem_of(const Batch* batch, Py_ssize_t pair, Py_ssize_t first):
    """The error that ended `fill` at this pair; `first` is the number of the batch's row 0 for the caller."""
    cdef Py_ssize_t i = pair if batch.rolls else pair // ALL_ROLLS
    if batch.problem == BAD_ROW:
        return bad_row(batch.rows + WIDTH * i, first + i, &batch.rules)
    return ValueError(
        f"rolls: row {first + i} must be two dice 1..6;"
        f" got {batch.rolls[2 * i]} and {batch.rolls[2 * i + 1]}"
    )


# --- what goes out ----------------------------------------------------------------------------


cdef void* data_of(object array) except NULL:
    """Address of a new array's memory; the array keeps it."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    PyBuffer_Release(&view)
    return view.buf if view.buf != NULL else <void*> 1


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
        wider = empty((rows, self.width), int8)
        to = data_of(wider)
        if used:
            memcpy(to, self.data, used * self.width)
        self.array, self.data, self.room = wider, <int8_t*> to, rows
        return 0

    cdef object cut(self, int64_t rows):
        """The array with the first `rows` rows: the C library gives the rest back without a copy."""
        self.array.resize((rows, self.width), refcheck=False)
        return self.array


cdef class Stop:
    """A flag that ends the work of all threads of a call."""

    cdef int flag


def _share(Py_ssize_t n, Py_ssize_t least, int threads, Stop stop, work):
    """Call work(first, last) for the parts of range(n), in `threads` threads; results in order.

    Parts hold at least `least` items. At most two parts a thread are ahead of the caller, so what
    waits is bounded. An exception, Ctrl-C too, stops the others.
    """
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    cdef Py_ssize_t part = max(least, min(n // (8 * threads), 64 * least)), first
    waiting = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for first in range(0, n, part):
            if len(waiting) == 2 * threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(work, first, min(first + part, n)))
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        stop.flag = 1
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# --- after-states -----------------------------------------------------------------------------


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


cdef object fresh_states(Batch* batch, Py_ssize_t pairs, Py_ssize_t first, bint want_steps, Stop stop):
    """New arrays (rows, offsets, steps or None) for a batch, in one thread."""
    cdef int8_t[WIDTH * FIRST_ROOM] room
    cdef int8_t[2 * MOST_STEPS * FIRST_ROOM] step_room
    cdef int8_t* rows = room
    cdef int8_t* steps = step_room if want_steps else NULL
    cdef Py_ssize_t pair = 0, chunk
    cdef int64_t capacity = FIRST_ROOM
    cdef object offsets = empty(pairs + 1, int64), states, steps_of
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef Growing grown = None, grown_steps = None
    numbers[0] = 0
    batch.total = 0
    while True:
        chunk = min(pair + PAIRS_A_CHUNK, pairs)
        with nogil:
            pair = fill_some(
                batch, rows + WIDTH * batch.total,
                steps + 2 * MOST_STEPS * batch.total if steps != NULL else NULL,
                pair, chunk, rows + WIDTH * (capacity - PAIR_ROOM), numbers + 1,
            )
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, first)
        if pair == pairs:
            break
        go_on(&stop.flag)
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
                    grown_steps = Growing(2 * MOST_STEPS)
                    grown_steps.hold(capacity, 0)
                    memcpy(grown_steps.data, steps, 2 * MOST_STEPS * batch.total)
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
            steps_of = empty((batch.total, 2 * MOST_STEPS), int8)
            memcpy(data_of(steps_of), steps, 2 * MOST_STEPS * batch.total)
    return states, offsets, steps_of


cdef object out_states(Batch* batch, Py_ssize_t pairs, int8_t* out, int64_t capacity, Stop stop):
    """Fill the caller's rows, in one thread: the offsets."""
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
                go_on(&stop.flag)
                with nogil:
                    pair = count_some(batch, pair, min(pair + PAIRS_A_CHUNK, pairs), numbers + 1)
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, 0)
        if batch.total > capacity:
            raise too_small(batch.total, capacity)
        if pair == pairs:
            return offsets
        go_on(&stop.flag)


cdef object too_small(int64_t needed, int64_t capacity):
    return ValueError(f"out: wanted at least {needed} rows for these after-states; got {capacity}")


cdef class Work:
    """One call: its arrays, held until it ends, and what its threads share.

    Threads take parts of the rows and write to their own places.
    """

    cdef Py_buffer rows_view, rolls_view, out_view
    cdef bint has_rows, has_rolls, has_out
    cdef Batch batch
    cdef Py_ssize_t n          # rows
    cdef Py_ssize_t rolls      # pairs a row: 1, or 21
    cdef bint want_steps
    cdef int threads
    cdef Stop stop
    cdef int64_t* numbers      # counts: one a pair
    cdef int8_t* points        # playouts: one a row
    cdef int32_t* turns
    cdef uint64_t seed, game
    cdef int depth             # perft: of each row

    def __cinit__(self):
        self.stop = Stop()
        self.rolls = ALL_ROLLS
        self.threads = 1

    def __dealloc__(self):
        if self.has_rows:
            PyBuffer_Release(&self.rows_view)
        if self.has_rolls:
            PyBuffer_Release(&self.rolls_view)
        if self.has_out:
            PyBuffer_Release(&self.out_view)

    cdef int open(self, object rows, object rules, object threads) except -1:
        """Check and hold what every call has."""
        read_rules(rules, &self.batch.rules)
        open_array(rows, "rows", WIDTH, &self.rows_view)
        self.has_rows = True
        self.n = self.rows_view.shape[0]
        self.batch.rows = <const int8_t*> self.rows_view.buf
        self.threads = as_number(threads, "threads", 1, 1024)
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
            raise bad_row(self.batch.rows + WIDTH * bad, bad, &self.batch.rules)
        return 0

    def states(self, Py_ssize_t first, Py_ssize_t last):
        """Return (rows, offsets, steps) of the rows first .. last - 1."""
        cdef Batch part = self.batch
        part.rows += WIDTH * first
        if part.rolls != NULL:
            part.rolls += 2 * first
        return fresh_states(
            &part, (last - first) * self.rolls, first, self.want_steps, self.stop
        )

    def count(self, Py_ssize_t first, Py_ssize_t last):
        """Write the counts of the rows first .. last - 1."""
        cdef Batch part = self.batch
        cdef Py_ssize_t pair = first * self.rolls, end = last * self.rolls
        part.problem = NO_PROBLEM
        while pair < end:
            with nogil:
                pair = count_some(&part, pair, min(pair + PAIRS_A_CHUNK, end), self.numbers)
            if part.problem != NO_PROBLEM:
                raise problem_of(&part, pair, 0)
            go_on(&self.stop.flag)

    def play(self, Py_ssize_t first, Py_ssize_t last):
        """Play the rows first .. last - 1 out."""
        cdef LongBoard long_board
        cdef ShortBoard short_board
        cdef Py_ssize_t end
        while first < last:
            end = min(first + GAMES_A_CHUNK, last)
            with nogil:
                if self.batch.rules.game == GAME_LONG:
                    play_games(
                        &long_board, &self.batch, first, end, self.seed, self.game, self.points,
                        self.turns,
                    )
                else:
                    play_games(
                        &short_board, &self.batch, first, end, self.seed, self.game, self.points,
                        self.turns,
                    )
            first = end
            go_on(&self.stop.flag)

    def paths(self, Py_ssize_t first, Py_ssize_t last):
        """Return the perft of the rows first .. last - 1, added up."""
        cdef int64_t total = 0
        cdef int8_t* room = <int8_t*> malloc(PERFT_ROOM * max(self.depth, 1))
        cdef Py_ssize_t i
        if room == NULL:
            raise MemoryError("perft: no room for the after-states of one path")
        try:
            for i in range(first, last):
                with nogil:
                    if self.batch.rules.game == GAME_LONG:
                        total += perft_below(
                            <LongBoard*> NULL, self.batch.rows + WIDTH * i, &self.batch.rules,
                            self.depth, room, &self.stop.flag,
                        )
                    else:
                        total += perft_below(
                            <ShortBoard*> NULL, self.batch.rows + WIDTH * i, &self.batch.rules,
                            self.depth, room, &self.stop.flag,
                        )
                go_on(&self.stop.flag)
        finally:
            free(room)
        return total


cdef object run(Work work, object method, Py_ssize_t n, Py_ssize_t least):
    """All parts of range(n), in one thread or several: the list of what they return."""
    if work.threads == 1 or n <= least:
        return [method(0, n)]
    parts = _share(n, least, work.threads, work.stop, method)
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
    cdef Growing grown = Growing(WIDTH), grown_steps = Growing(2 * MOST_STEPS)
    cdef Py_ssize_t pair = 0, pairs = work.n * work.rolls, m, k, i
    cdef int64_t total = 0, guess
    cdef int8_t* to = out
    cdef const int8_t* of
    numbers[0] = 0
    parts = _share(work.n, 512, work.threads, work.stop, work.states)
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
                    memcpy(grown_steps.data + 8 * total, data_of(part_steps), 8 * m)
            part_numbers = <const int64_t*> data_of(part_offsets)
            for i in range(1, k + 1):
                numbers[pair + i] = total + part_numbers[i]
            pair += k
            total += m
    finally:
        parts.close()
    if out != NULL:
        if total > capacity:
            raise too_small(total, capacity)
        return None, offsets, None
    return grown.cut(total), offsets, grown_steps.cut(total) if work.want_steps else None


cdef object states_of(Work work, object out, object steps):
    """The arrays that `after_states` returns, rows and rolls being open."""
    cdef object states, offsets, half_moves
    cdef bint alone = work.threads == 1 or work.n <= 512
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
                offsets = out_states(&work.batch, work.n * work.rolls, to, room, work.stop)
            else:
                _, offsets, _ = shared_states(work, to, room)
            return out[:work.batch.total], offsets
    if alone:
        states, offsets, half_moves = fresh_states(
            &work.batch, work.n * work.rolls, 0, steps, work.stop
        )
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


def after_states(rows, rolls, *, rules, threads=1, out=None, steps=False):
    """List the distinct boards that each roll can lead to."""
    cdef Work work = Work()
    work.open(rows, rules, threads)
    work.open_rolls(rolls)
    return states_of(work, out, steps)


def after_states_all_rolls(rows, *, rules, threads=1, out=None, steps=False):
    """List the distinct boards that each of the 21 rolls can lead to."""
    cdef Work work = Work()
    work.open(rows, rules, threads)
    return states_of(work, out, steps)


def counts(rows, rolls, *, rules, threads=1):
    """Count the distinct after-states of each roll."""
    cdef Work work = Work()
    work.open(rows, rules, threads)
    work.open_rolls(rolls)
    numbers = empty(work.n, int64)
    work.numbers = <int64_t*> data_of(numbers)
    run(work, work.count, work.n, 1024)
    return numbers


def counts_all_rolls(rows, *, rules, threads=1):
    """Count the distinct after-states of each of the 21 rolls."""
    cdef Work work = Work()
    work.open(rows, rules, threads)
    numbers = empty((work.n, ALL_ROLLS), int64)
    work.numbers = <int64_t*> data_of(numbers)
    run(work, work.count, work.n, 1024)
    return numbers


# --- rows -------------------------------------------------------------------------------------


def flip(rows, *, rules):
    """Hand boards over: the same boards as the other side sees them."""
    cdef Work work = Work()
    cdef int8_t* to
    work.open(rows, rules, 1)
    work.refuse_bad_rows()
    flipped = empty((work.n, WIDTH), int8)
    to = <int8_t*> data_of(flipped)
    with nogil:
        if work.batch.rules.game == GAME_LONG:
            flip_rows(<LongBoard*> NULL, &work.batch, work.n, to)
        else:
            flip_rows(<ShortBoard*> NULL, &work.batch, work.n, to)
    return flipped


def outcomes(rows, *, rules):
    """Score boards."""
    cdef Work work = Work()
    cdef int8_t* to
    work.open(rows, rules, 1)
    work.refuse_bad_rows()
    points = empty(work.n, int8)
    to = <int8_t*> data_of(points)
    with nogil:
        score_rows(&work.batch, work.n, to)
    return points


def start_row(*, rules):
    """Return the row at the start of a game."""
    cdef Rules codes
    read_rules(rules, &codes)
    row = empty(WIDTH, int8)
    write_start(<int8_t*> data_of(row), &codes)
    return row


# --- games ------------------------------------------------------------------------------------


def perft(position, depth, *, rules=None, threads=1):
    """Count the paths of (roll, after-state) over the 21 rolls, unweighted."""
    cdef Work work = Work()
    cdef int plies = as_number(depth, "depth", 0, 100)
    if isinstance(position, ndarray):
        if rules is None:
            raise TypeError("rules: wanted Rules or the name of a preset with a bare row; got None")
        row = position.reshape(1, -1) if position.ndim == 1 else position
    elif hasattr(position, "row") and hasattr(position, "rules"):
        if rules is not None and named_rules(rules) != position.rules:
            raise ValueError(f"rules: the position has its own, {position.rules}; got {rules!r}")
        rules, row = position.rules, position.row.reshape(1, -1)
    else:
        raise TypeError(
            f"position: wanted a Position, or a row of 32 int8; got {type(position).__name__}"
        )
    work.open(row, rules, threads)
    if work.n != 1:
        raise ValueError(f"position: wanted one row; got {work.n}")
    work.refuse_bad_rows()
    work.depth = plies
    if work.threads == 1 or plies < 3:
        return work.paths(0, 1)
    rows, _ = after_states_all_rolls(row, rules=rules)
    work.batch.rows = <const int8_t*> data_of(rows)
    work.depth = plies - 1
    return sum(run(work, work.paths, len(rows), 1))


Playouts = namedtuple("Playouts", "outcomes turns")


def playouts(rows, *, rules, seed, first=0, threads=1):
    """Play each row out, choosing uniformly among its distinct after-states."""
    cdef Work work = Work()
    work.seed = as_seed(seed, "seed")
    work.game = as_seed(first, "first")
    work.open(rows, rules, threads)
    work.refuse_bad_rows()
    points, turns = empty(work.n, int8), empty(work.n, int32)
    work.points = <int8_t*> data_of(points)
    work.turns = <int32_t*> data_of(turns)
    run(work, work.play, work.n, GAMES_A_CHUNK)
    return Playouts(points, turns)


def random_rows(n, *, rules, seed):
    """Collect rows met in uniform play of whole games."""
    cdef Rules codes
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef int8_t[WIDTH] start
    cdef Py_ssize_t wanted = as_number(n, "n", 0, INT64_MAX // WIDTH), done = 0
    cdef uint64_t key = as_seed(seed, "seed"), game = 0
    cdef Stop stop = Stop()
    cdef int8_t* to
    cdef int k
    read_rules(rules, &codes)
    write_start(start, &codes)
    rows = empty((wanted, WIDTH), int8)
    to = <int8_t*> data_of(rows)
    while done < wanted:
        with nogil:
            for k in range(GAMES_A_CHUNK):
                if done == wanted:
                    break
                if codes.game == GAME_LONG:
                    done += record_game(
                        &long_board, start, &codes, key, game, to + WIDTH * done, wanted - done
                    )
                else:
                    done += record_game(
                        &short_board, start, &codes, key, game, to + WIDTH * done, wanted - done
                    )
                game += 1
        go_on(&stop.flag)
    return rows


def build_info():
    """Tell what was compiled, and which width is in use.

    Returns
    -------
    dict
        ``version`` of the package, ``compiler`` and ``width`` ("baseline" or "v3").

    Examples
    --------
    >>> sorted(build_info())
    ['compiler', 'version', 'width']
    """
    return {
        "version": NARDY_VERSION.decode(),
        "compiler": NARDY_COMPILER.decode(),
        "width": NARDY_WIDTH_NAME.decode(),
    }
