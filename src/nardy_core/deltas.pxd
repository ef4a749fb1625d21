# What one half-move, and one hit, adds to the row that is handed over. Filled once, when the
# module loads. Handing over is linear, so an after-state is the handed-over board plus one table
# row a half-move: the flip is free.
from libc.stdint cimport int8_t

from nardy_core.bits cimport BAR, HEAD, OFF, THEIR_BAR, THEIR_OFF, nardy_hit, nardy_moved
from nardy_core.rules cimport GAME_LONG, GAME_SHORT


cdef inline int seen_by_other(int game, int point) noexcept nogil:
    """The other side's number of a point (docs/rules.md §1, §8)."""
    if game == GAME_SHORT:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


cdef inline void fill_deltas() noexcept nogil:
    cdef int game, die, origin, point
    for game in range(2):
        for die in range(1, 7):
            for origin in range(1, BAR + 1):
                # The mover's checkers count negative for the other side; off and bar count
                # positive.
                if origin == BAR:
                    nardy_moved[game][die][origin][THEIR_BAR] = -1
                else:
                    nardy_moved[game][die][origin][seen_by_other(game, origin)] = 1
                if origin > die:
                    nardy_moved[game][die][origin][seen_by_other(game, origin - die)] = -1
                else:
                    nardy_moved[game][die][origin][THEIR_OFF] = 1
    for point in range(1, HEAD + 1):
        nardy_hit[point][seen_by_other(GAME_SHORT, point)] = -1
        nardy_hit[point][BAR] = 1
