# Loops over the rows of a batch: check the row, read it, play its roll or all 21. A pair is one
# row with one roll; pair `21 * i + r` is row i with roll r where all rolls are played, else pair i
# is row i with its own roll.
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from nardy_core.bits cimport WIDTH, row_store
from nardy_core.board cimport INVALID, RUNNING, Board, Reading, handed_over, read_board
from nardy_core.counts cimport ALL_ROLLS, count_rolls
from nardy_core.generate cimport play_roll
from nardy_core.outcome cimport outcome
from nardy_core.playout cimport play_game, record_game
from nardy_core.rules cimport Rules
from nardy_core.sinks cimport CountSink, Leaf, RowSink, StepSink

cdef extern from *:
    """
    /* (1,1), (2,1), (2,2), (3,1) ... (6,6): the larger die first, rising. */
    static const int8_t nardy_rolls[21][2] = {
        {1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {5, 1},
        {5, 2}, {5, 3}, {5, 4}, {5, 5}, {6, 1}, {6, 2}, {6, 3}, {6, 4}, {6, 5}, {6, 6}};
    """
    const int8_t[21][2] nardy_rolls

# What a batch is for: rows or counts.
ctypedef fused BatchSink:
    RowSink
    CountSink
    StepSink

cdef enum Problem:
    NO_PROBLEM, BAD_ROW, BAD_ROLL

ctypedef struct Batch:
    const int8_t* rows
    const int8_t* rolls        # two dice a row; NULL: all 21 rolls of each row
    Rules rules
    int64_t total              # after-states so far
    Problem problem            # why the loop ended early: the pair that it returned is at fault


cdef inline Py_ssize_t fill(
    Board* board, BatchSink* sink, Batch* batch, Py_ssize_t pair, Py_ssize_t end,
    const int8_t* limit, int64_t* numbers,
) noexcept nogil:
    """Play the pairs from `pair` on; the first one not played: `end`, or earlier on a problem or
    for want of room.

    `numbers[pair]` becomes the pair's count (CountSink) or the total with it; `limit` is the last
    address from which the largest possible pair can still be written.
    """
    cdef int rolls = 1 if batch.rolls else ALL_ROLLS
    cdef int r = pair % rolls, k
    cdef const int8_t* row = batch.rows + WIDTH * (pair // rolls)
    cdef const int8_t* dice
    cdef const int8_t* origin = NULL       # where the batch's first after-state would be
    cdef bint running = False, fresh = True
    cdef Reading state
    if BatchSink is not CountSink:
        origin = sink.out - WIDTH * batch.total
    while pair < end:
        if BatchSink is not CountSink:
            if sink.out > limit:
                break
        if fresh:
            state = read_board(board, row, &batch.rules)
            if state == INVALID:
                batch.problem = BAD_ROW
                break
            running = state == RUNNING
        if batch.rolls:
            dice = batch.rolls + 2 * pair
            if not (1 <= dice[0] <= 6 and 1 <= dice[1] <= 6):
                batch.problem = BAD_ROLL
                break
        else:
            dice = &nardy_rolls[r][0]
        if BatchSink is CountSink:
            if running and r == 0 and not batch.rolls and pair + ALL_ROLLS <= end:
                count_rolls(board, numbers + pair)
                for k in range(ALL_ROLLS):
                    batch.total += numbers[pair + k]
                pair += ALL_ROLLS
                row += WIDTH
                continue
            sink.n = 0
        if running:
            play_roll(board, sink, dice[0], dice[1])
        if BatchSink is CountSink:
            batch.total += sink.n
            numbers[pair] = sink.n
        else:
            numbers[pair] = <size_t> (sink.out - origin) // WIDTH
        pair += 1
        r += 1
        fresh = r == rolls
        if fresh:
            r = 0
            row += WIDTH
    if BatchSink is not CountSink:
        batch.total = <size_t> (sink.out - origin) // WIDTH
    return pair


cdef inline void flip_rows(
    Board* game, const Batch* batch, Py_ssize_t n, int8_t* out
) noexcept nogil:
    """Hand each valid row over; `game` only says which game it is."""
    cdef Py_ssize_t i
    for i in range(n):
        row_store(out + WIDTH * i, handed_over(game, batch.rows + WIDTH * i))


cdef inline void score_rows(const Batch* batch, Py_ssize_t n, int8_t* points) noexcept nogil:
    """Outcome of each valid row."""
    cdef Py_ssize_t i
    for i in range(n):
        points[i] = outcome(batch.rows + WIDTH * i, &batch.rules)


cdef inline Py_ssize_t first_bad_row(Board* board, const Batch* batch, Py_ssize_t n) noexcept nogil:
    """Number of the first row that is no board, or n."""
    cdef Py_ssize_t i
    for i in range(n):
        if read_board(board, batch.rows + WIDTH * i, &batch.rules) == INVALID:
            return i
    return n


cdef inline void play_games(
    Board* board, const Batch* batch, Py_ssize_t first, Py_ssize_t last, uint64_t seed,
    uint64_t game, Leaf* room, int8_t* points, int32_t* turns,
) noexcept nogil:
    """Play the rows first .. last - 1 out; row i is game `game + i`."""
    cdef Py_ssize_t i
    for i in range(first, last):
        points[i] = play_game(
            board, batch.rows + WIDTH * i, &batch.rules, seed, game + <uint64_t> i, room,
            turns + i,
        )
