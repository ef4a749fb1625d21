# perft: the number of paths of (roll, after-state) over the 21 rolls, unweighted (docs/rules.md
# §12). The last ply is counted, not written.
from libc.stdint cimport int8_t, int64_t

from nardy_core.bits cimport WIDTH
from nardy_core.board cimport RUNNING, Board, read_board
from nardy_core.counts cimport ALL_ROLLS, count_rolls
from nardy_core.generate cimport play_roll
from nardy_core.rules cimport Rules
from nardy_core.sinks cimport TURN_ROOM, RowSink
from nardy_core.stop cimport go_on


cdef inline int64_t perft_below(
    Board* game, const int8_t* row, const Rules* rules, int depth, int8_t* room, const int* stop
) except -1 nogil:
    """Paths of `depth` turns from a valid row; `game` only says which game it is. `room` holds
    depth - 1 rolls."""
    cdef Board board
    cdef int64_t[ALL_ROLLS] leaves
    cdef RowSink sink
    cdef int8_t* after
    cdef int64_t paths = 0
    cdef int one, two
    if depth == 0:
        return 1
    if read_board(&board, row, rules) != RUNNING:
        return 0
    if depth == 1:
        count_rolls(&board, leaves)
        for one in range(ALL_ROLLS):
            paths += leaves[one]
        return paths
    for one in range(1, 7):
        for two in range(1, one + 1):
            sink.out = room
            play_roll(&board, &sink, one, two)
            after = room
            while after < sink.out:
                paths += perft_below(game, after, rules, depth - 1, room + TURN_ROOM, stop)
                after += WIDTH
            if depth > 2:
                go_on(stop)
    return paths
