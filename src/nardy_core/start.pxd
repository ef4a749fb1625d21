# The start of a game (docs/rules.md §2, §8.1).
from libc.stdint cimport int8_t
from libc.string cimport memset

from nardy_core.bits cimport HEAD, WIDTH
from nardy_core.rules cimport GAME_LONG, Rules


cdef inline void write_start(int8_t* row, const Rules* rules) noexcept nogil:
    memset(row, 0, WIDTH)
    if rules.game == GAME_LONG:
        row[HEAD] = rules.checkers
        row[12] = -rules.checkers
    else:
        row[24], row[13], row[8], row[6] = 2, 5, 3, 5
        row[1], row[12], row[17], row[19] = -2, -5, -3, -5
