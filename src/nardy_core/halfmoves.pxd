# From which points one die can be played: the landing rules of both games (docs/rules.md §1, §6,
# §8.2, §8.3).
from libc.stdint cimport int8_t, uint32_t

from nardy_core.bits cimport OUTSIDE, bit_highest
from nardy_core.board cimport Board, LongBoard
from nardy_core.rules cimport OVERSHOOT_ANY, OVERSHOOT_EXACT, OVERSHOOT_FARTHEST


cdef inline uint32_t inner_origins(Board* board, uint32_t own, int die) noexcept nogil:
    """Points from which a checker moves to another point; to bear off is `off_origins`."""
    return own & (board.open << die)


cdef inline uint32_t off_origins(Board* board, uint32_t own, int die) noexcept nogil:
    """Points from which a checker bears off, the own checkers standing on `own` now (nobody on the
    bar)."""
    cdef int overshoot = overshoot_of(board)
    if own & OUTSIDE or not own:
        return 0
    if own >> die or overshoot == OVERSHOOT_EXACT:
        return own & (<uint32_t> 1 << die)
    return own if overshoot == OVERSHOOT_ANY else <uint32_t> 1 << bit_highest(own)


cdef inline bint bears_exactly(Board* board, uint32_t own, int far) noexcept nogil:
    """All checkers are home, and a die bears off only from its own point: `far` of them, at least
    as many as there are half-moves, stand on that of the larger die or beyond. Off is then like one
    more point that is open."""
    return far and not own & OUTSIDE and overshoot_of(board) != OVERSHOOT_ANY


cdef inline int overshoot_of(Board* board) noexcept nogil:
    """Short nardy has the one rule that is the default of long nardy."""
    if Board is LongBoard:
        return board.rules.overshoot
    else:
        return OVERSHOOT_FARTHEST


cdef inline uint32_t after_leaving(uint32_t own, uint32_t staying, uint32_t origin) noexcept nogil:
    """Own points once a checker has left: `staying` are the points that keep another checker."""
    return own & ~(origin & ~staying)


cdef inline uint32_t landing(uint32_t origin, int die) noexcept nogil:
    """Bit of the point landed on; none when borne off."""
    return (origin >> die) & ~<uint32_t> 1
