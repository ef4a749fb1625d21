# The block of six of long nardy (docs/rules.md §5): which windows of six are forbidden, and whether
# one is held.
from libc.stdint cimport uint32_t

from nardy_core.bits cimport HOME, POINTS, THEIR_OFF, bit_highest
from nardy_core.board cimport LongBoard
from nardy_core.lanes cimport Mask
from nardy_core.rules cimport BLOCK_AHEAD, BLOCK_FREE, BLOCK_HOME, BLOCK_NEVER


cdef inline Mask on_their_track(Mask points) noexcept nogil:
    """The same points in the opponent's numbering: its path decides what is consecutive."""
    return ((points >> 12) | (points << 12)) & POINTS


cdef inline Mask runs_of_six(Mask points) noexcept nogil:
    """Bit s: the points s .. s + 5 are all held."""
    cdef Mask two = points & (points >> 1)
    cdef Mask four = two & (two >> 2)
    return four & (two >> 4)


cdef inline uint32_t forbidden_windows(int block, uint32_t theirs, int their_off) noexcept nogil:
    """Bit s: holding s .. s + 5 of the opponent's track is forbidden (`theirs` in its numbering).

    The opponent's checkers do not move in our turn and cannot stand inside a window we hold, so
    each of the five rules is one mask for the whole turn: "nobody is past the window" means that it
    starts below their lowest point.
    """
    if block == BLOCK_FREE:
        return 0
    if block == BLOCK_AHEAD:
        return 0 if their_off else ((theirs & (0 - theirs)) - 1) & POINTS
    if block == BLOCK_HOME:
        return 0 if their_off or theirs & HOME else <uint32_t> POINTS
    if block == BLOCK_NEVER:
        return ((<uint32_t> 1 << bit_highest(theirs | 1)) - 1) & POINTS
    return POINTS


cdef inline bint holds_forbidden(const LongBoard* board, uint32_t own) noexcept nogil:
    """Whether the mover, standing on `own`, would hold a block of six that is forbidden."""
    cdef uint32_t runs = runs_of_six(on_their_track(own))
    # Six in a row are rare: what they mean is worked out only then (12 instructions a row saved).
    return runs != 0 and runs & windows_of(board) != 0


cdef inline uint32_t windows_of(const LongBoard* board) noexcept nogil:
    """The windows that are forbidden on this board."""
    return forbidden_windows(
        board.rules.block, on_their_track(board.theirs), board.row[THEIR_OFF]
    )
