# Races: whether the sides can still meet, and the numbers of both placements of a row
# (docs/rules.md §1, §5, §8; docs/bearoff.md).
from libc.stdint cimport int8_t, int64_t, uint32_t

from nardy_core.bits cimport (
    BAR, HOME, OFF, POINTS, THEIR_BAR, THEIR_OFF, bit_highest, bit_lowest, row_above, row_below,
    row_load,
)
from nardy_core.block cimport on_their_track, runs_of_six
from nardy_core.board cimport Board, LongBoard
from nardy_core.placements cimport keeps_blocks_out, nardy_choose
from nardy_core.rules cimport BLOCK_HOME, Rules

cdef enum:
    LAST_HALF = 0x00001FFE     # bits 1..12


cdef inline bint parted(Board* game, const int8_t* row, const Rules* rules) noexcept nogil:
    """No checker of a valid row can ever stand in the way of the other side's, and no rule about
    blocks but `strict`, which asks one side alone, can forbid a half-move.

    Long: the other side's last point is our 13. While it has checkers they may come to stand there,
    so ours have to be past it, on 12..1, and its checkers past our 1 likewise. Then all its
    checkers are past every block that we can hold (§5 `ahead`, `never`); `home` asks whether one is
    home or off. Short: our farthest checker is past its farthest.
    """
    cdef uint32_t own = row_above(row_load(row), 0) & POINTS
    cdef uint32_t theirs = row_below(row_load(row), 0) & POINTS
    if row[OFF] == rules.checkers or row[THEIR_OFF] == rules.checkers:
        return True            # one side is not there any more
    if Board is LongBoard:
        if own & ~<uint32_t> LAST_HALF or theirs & LAST_HALF:
            return False
        if rules.block == BLOCK_HOME:
            return (row[OFF] or own & HOME) and (
                row[THEIR_OFF] or on_their_track(theirs) & HOME
            )
        return True
    else:
        if row[BAR] or row[THEIR_BAR]:
            return False
        return bit_highest(own) < <int> bit_lowest(theirs)


cdef inline int64_t placement_of(
    Board* game, const int8_t* row, const Rules* rules, bint mine, int points, int checkers
) noexcept nogil:
    """Number of one side's placement in a row that is a race, or -1 if a table does not hold it."""
    cdef int64_t index = 0
    cdef int beyond = 0, p, men
    cdef uint32_t held
    for p in range(points, 0, -1):
        if mine:
            men = row[p]
        elif Board is LongBoard:
            men = -row[p + 12]
        else:
            men = -row[25 - p]
        # Without a branch: who stands where is as random as can be (a third of the time).
        beyond += max(men, 0)
        index += nardy_choose[beyond + points - p][points - p + 1]
    if beyond > checkers or beyond + row[OFF if mine else THEIR_OFF] != rules.checkers:
        return -1
    if keeps_blocks_out(rules):
        held = row_above(row_load(row), 0) if mine else row_below(row_load(row), 0) >> 12
        if runs_of_six(held & POINTS):
            return -1
    return index
