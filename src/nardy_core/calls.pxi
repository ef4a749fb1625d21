# One call: its arrays, what its threads share, and how results find room. Included by
# nardy_core.pyx.

cimport cython
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
    PAIRS_A_CHUNK = 4095       # pairs between two looks for Ctrl-C, whole rows: about 0.3 ms
    GAMES_A_CHUNK = 256        # games likewise: about 1 ms
    WORDS_A_CHUNK = 4096       # words of one game likewise: about 0.1 ms
    PAIRS_OF_A_THREAD = 1024   # of a chunk of after-states: half a megabyte, it stays in the cache
    CHUNK_ROOM = 32768         # rows for one
    PAIRS_A_PART = 1024        # for a thread at least: 20 to 80 microseconds
    GAMES_A_PART = 16          # likewise
    BOARDS_TO_SHARE = 128      # perft: boards of which threads take one at least, for many turns
    FEW_PARTS = 4              # of these sizes: so much is done sooner alone
    PAIR_ROOM = MOST_STATES + SPARE_STATES     # rows for one pair at most
    FIRST_ROOM = 4096          # rows on the stack: small batches need no other room
    STEPS_WIDTH = 2 * MOST_STEPS               # bytes of the half-moves of one after-state


# --- room for results -------------------------------------------------------------------------


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
        if rows <= self.room:
            return 0
        stay_warm(rows * self.width)
        wider = new_rows(rows, self.width, NPY_INT8)
        if used:
            memcpy(data_of(wider), self.data, used * self.width)
        self.array, self.data, self.room = wider, <int8_t*> data_of(wider), rows
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
@cython.no_gc  # it refers to nothing that could refer to it
cdef class Work:
    """One call: its arrays, held until it ends, and what its threads share.

    Threads take parts of the rows and write to their own places.
    """

    # A thread that Ctrl-C leaves behind may still read the one and write to the other.
    cdef object rows_held, rolls_held
    cdef object kept
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

    cdef int open(
        self, object rows, object rules, object threads, str name="rows"
    ) except -1:
        """Check and hold what every call has."""
        self.rules = read_rules(rules, &self.batch.rules)
        self.n = open_array(rows, name, WIDTH)
        self.rows_held = rows
        self.batch.rows = <const int8_t*> data_of(rows)
        self.threads = as_int(threads, "threads", 1, 1024)
        return 0

    cdef int open_rolls(self, object rolls) except -1:
        """Check and hold one roll a row."""
        if open_array(rolls, "rolls", 2) != self.n:
            raise ValueError(
                f"rolls: wanted shape ({self.n}, 2), a roll for each row; got {rolls.shape}"
            )
        self.rolls_held = rolls
        self.rolls = 1
        self.batch.rolls = <const int8_t*> data_of(rolls)
        return 0

    cdef Py_ssize_t open_out(self, object out) except -1:
        """Check and hold the caller's rows to write to; how many there are."""
        cdef Py_ssize_t rows = open_array(out, "out", WIDTH)
        if not PyArray_ISWRITEABLE(<PyArrayObject*> out):
            raise ValueError("out: wanted a writable array; got a read-only one")
        refuse_overlap(out, self.rows_held)
        if self.rolls_held is not None:
            refuse_overlap(out, self.rolls_held)
        self.kept = out
        return rows

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
        cdef int8_t* room = <int8_t*> malloc(TURN_ROOM * max(self.depth - 1, 1))
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


cdef list run(Work work, object method, Py_ssize_t n, Py_ssize_t least):
    """All parts of range(n), in one thread or several: what they return."""
    if work.threads == 1 or n <= FEW_PARTS * least:
        return [method(0, n)]
    return shared(n, least, work.threads, method, work.end)
