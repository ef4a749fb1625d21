# The score of a finished board (docs/rules.md §7, §8.4).
from libc.stdint cimport int8_t

from nardy_core.bits cimport BAR, HEAD, OFF, THEIR_BAR, THEIR_OFF
from nardy_core.deltas cimport seen_by_other
from nardy_core.rules cimport GAME_SHORT, KOKS_FIRST_QUARTER, KOKS_NO_HOME, Rules


cdef inline int outcome(const int8_t* row, const Rules* rules) noexcept nogil:
    """Points of the side to roll: 0 while the game runs, else +-1 (oin), 2 (mars) or 3 (koks)."""
    cdef bint won = row[OFF] == rules.checkers
    cdef int off = row[THEIR_OFF] if won else row[OFF]        # of the loser, as all below
    cdef bint behind = (row[THEIR_BAR] if won else row[BAR]) > 0, home = False, here
    cdef int p, points = 2
    if not won and row[THEIR_OFF] != rules.checkers:
        return 0
    if off:
        return 1 if won else -1
    for p in range(1, HEAD + 1):
        here = row[seen_by_other(rules.game, p)] < 0 if won else row[p] > 0
        behind |= here and p >= 19
        home |= here and p <= 6
    if rules.game == GAME_SHORT or rules.koks == KOKS_FIRST_QUARTER:
        points += behind
    elif rules.koks == KOKS_NO_HOME:
        points += not home
    return points if won else -points
