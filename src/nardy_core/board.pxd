# A board as the generator sees it: masks read off one row. The type of the board is the game:
# functions on `Board*` are compiled once for each, and `if Board is LongBoard` costs nothing at
# run time.
from libc.stdint cimport int8_t, uint32_t, uint64_t

from nardy_core.bits cimport (
    BAR, OFF, POINTS, THEIR_BAR, THEIR_OFF, nardy_moved, row_above, row_below, row_flip_long,
    row_flip_short, row_load, row_sums, row_t,
)
from nardy_core.rules cimport GAME_LONG, GAME_SHORT, Rules

ctypedef struct LongBoard:
    const int8_t* row
    const Rules* rules
    row_t base                 # the same board handed over
    uint32_t own               # points with own checkers
    uint32_t more              # points with two or more
    uint32_t open              # points where own checkers may land
    uint32_t theirs            # points with the opponent's checkers
    int cap                    # checkers that may leave the head in this turn
    bint watched               # a block of six, or must bear off: orders are tried

ctypedef struct ShortBoard:
    const int8_t* row
    const Rules* rules
    row_t base
    uint32_t own
    uint32_t more
    uint32_t open
    uint32_t blots             # points where landing hits
    int bar                    # own checkers on the bar

ctypedef fused Board:
    LongBoard
    ShortBoard

cdef enum Reading:
    RUNNING, FINISHED, INVALID


cdef inline row_t handed_over(Board* game, const int8_t* row) noexcept nogil:
    """The row as the other side sees it; `game` only says which game it is."""
    if Board is LongBoard:
        return row_flip_long(row)
    else:
        return row_flip_short(row)


cdef inline Reading read_board(Board* board, const int8_t* row, const Rules* rules) noexcept nogil:
    """Check a row and fill the board from it; the board is of use only if the game is running.

    What is wrong with an invalid row is told by `status_of_row` of the Python side.
    """
    cdef row_t r = row_load(row)
    cdef uint32_t above = row_above(r, 0)
    cdef uint32_t below = row_below(r, 0)
    cdef uint32_t never_above = 0xF0000000
    cdef uint64_t sums = row_sums(r)
    cdef int own_off = row[OFF], their_off = row[THEIR_OFF], checkers = rules.checkers
    if Board is LongBoard:
        never_above |= (<uint32_t> 1 << BAR) | (<uint32_t> 1 << THEIR_BAR)
    # All sizes add up to both sides' checkers; those above 0, less the opponent's off and bar,
    # to one side's.
    if (
        (below & ~<uint32_t> POINTS) | (above & never_above)
        or sums != (<uint64_t> (2 * checkers) << 32) + checkers + their_off + row[THEIR_BAR]
    ):
        return INVALID
    if own_off == checkers:
        return INVALID if their_off == checkers else FINISHED
    if their_off == checkers:
        return FINISHED
    fill_board(board, row, rules)
    return RUNNING


cdef inline void fill_board(Board* board, const int8_t* row, const Rules* rules) noexcept nogil:
    """Read a row that is known to be valid and running."""
    cdef row_t r = row_load(row)
    cdef uint32_t below = row_below(r, 0)
    board.row = row
    board.rules = rules
    board.base = handed_over(board, row)
    board.own = row_above(r, 0) & POINTS
    board.more = row_above(r, 1) & POINTS
    if Board is LongBoard:
        board.theirs = below
        board.open = POINTS & ~below
    else:
        board.open = POINTS & ~row_below(r, -1)
        board.blots = below & board.open
        board.bar = row[BAR]


cdef inline const int8_t* moved(Board* board, int die) noexcept nogil:
    """Table of what a half-move by this die adds: 32 rows, one an origin."""
    if Board is LongBoard:
        return &nardy_moved[GAME_LONG][die][0][0]
    else:
        return &nardy_moved[GAME_SHORT][die][0][0]
