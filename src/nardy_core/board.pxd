# A board as the generator sees it: masks read off one row. The type of the board is the game: functions on `Board*`
# are compiled once for each, and `if Board is LongBoard` costs nothing at run time.
from libc.stdint cimport int8_t, uint32_t, uint64_t

from nardy_core.bits cimport (
    BAR, HEAD, OFF, POINTS, THEIR_BAR, THEIR_OFF, nardy_moved, row_above, row_below, row_flip_long, row_flip_short,
    row_load, row_sums, row_t,
)
from nardy_core.block cimport forbidden_windows, on_their_track
from nardy_core.rules cimport GAME_LONG, GAME_SHORT, Rules

ctypedef struct LongBoard:
    const int8_t* row
    const Rules* rules
    row_t base                 # the same board handed over
    uint32_t own               # points with own checkers
    uint32_t more              # points with two or more
    uint32_t open              # points where own checkers may land
    uint32_t windows           # windows of six whose holding is forbidden (block.pxd)
    int cap                    # checkers that may leave the head in this turn
    bint watched               # this roll may break the block rule or must bear off: try every order

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


cdef inline Reading check_row(const int8_t* row, const Rules* rules) noexcept nogil:
    """Whether the row is a board, and whether its game is over. `RowDefects` of the boundary says what is wrong."""
    cdef row_t r = row_load(row)
    cdef uint32_t above = row_above(r, 0)
    cdef uint32_t below = row_below(r, 0)
    cdef uint32_t never_above = 0xF0000000
    cdef uint64_t sums = row_sums(r)
    cdef int theirs_away = row[THEIR_OFF] + row[THEIR_BAR]
    if rules.game == GAME_LONG:
        never_above |= (<uint32_t> 1 << BAR) | (<uint32_t> 1 << THEIR_BAR)
    # All sizes add up to both sides' checkers; those above 0, less the opponent's off and bar, to one side's.
    if (
        (below & ~<uint32_t> POINTS) | (above & never_above)
        or sums != (<uint64_t> (2 * rules.checkers) << 32) + rules.checkers + theirs_away
    ):
        return INVALID
    if row[OFF] == rules.checkers:
        return INVALID if row[THEIR_OFF] == rules.checkers else FINISHED
    return FINISHED if row[THEIR_OFF] == rules.checkers else RUNNING


cdef inline row_t handed_over(Board* board, const int8_t* row) noexcept nogil:
    if Board is LongBoard:
        return row_flip_long(row)
    else:
        return row_flip_short(row)


cdef inline void read_board(Board* board, const int8_t* row, const Rules* rules) noexcept nogil:
    """Fill the board from a valid row of a game that is not over."""
    cdef row_t r = row_load(row)
    cdef uint32_t theirs = row_below(r, 0)
    board.row = row
    board.rules = rules
    board.base = handed_over(board, row)
    board.own = row_above(r, 0) & POINTS
    board.more = row_above(r, 1) & POINTS
    if Board is LongBoard:
        board.open = POINTS & ~theirs
        board.windows = forbidden_windows(rules.block, on_their_track(theirs), row[THEIR_OFF])
    else:
        board.open = POINTS & ~row_below(r, -1)
        board.blots = theirs & board.open
        board.bar = row[BAR]


cdef inline const int8_t* moved(Board* board, int die) noexcept nogil:
    """Table of what a half-move by this die adds: 32 rows, one an origin."""
    if Board is LongBoard:
        return &nardy_moved[GAME_LONG][die][0][0]
    else:
        return &nardy_moved[GAME_SHORT][die][0][0]
