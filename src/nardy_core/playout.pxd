# Uniform random games: throw, choose among the distinct after-states with equal chances, hand over.
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t

from nardy_core.bits cimport WIDTH, row_load, row_store
from nardy_core.board cimport RUNNING, Board, read_board
from nardy_core.generate cimport play_roll
from nardy_core.outcome cimport outcome
from nardy_core.random cimport Stream, fair, open_stream, spare_word, word_of_turn
from nardy_core.rules cimport Rules
from nardy_core.sinks cimport CountSink, PickSink, RowSink

cdef enum:
    # Passes in a row after which it is asked whether anybody can ever move again.
    PASSES_TO_LOOK = 64


cdef inline bint next_turn(
    Board* board, Stream* stream, int64_t turn, int8_t* room, int8_t* after
) noexcept nogil:
    """Throw and play one turn of the board; false if it was a pass. `room` holds one roll's states.

    High 32 bits of the turn's word give the dice, low 32 bits the choice; where either would be
    unfair, another word does. Two different dice are counted, then one is made; the states
    of a double cost as much to count as to make, so they are made once.
    """
    cdef uint64_t word = word_of_turn(stream, turn)
    cdef uint32_t dice, choice = 0
    cdef int length = 0, spare = 0, large, small
    cdef CountSink counted
    cdef PickSink picked
    cdef RowSink made
    while True:
        if fair(word >> 32, 36, &dice):
            large, small = dice // 6 + 1, dice % 6 + 1
            if large == small:
                made.out = room
                length = play_roll(board, &made, large, small)
                if fair(<uint32_t> word, (made.out - room) // WIDTH, &choice):
                    row_store(after, row_load(room + WIDTH * <size_t> choice))
                    return length != 0
            else:
                counted.n = 0
                length = play_roll(board, &counted, large, small)
                if fair(<uint32_t> word, counted.n, &choice):
                    picked.left = choice
                    picked.out = after
                    play_roll(board, &picked, large, small)
                    return length != 0
        word = spare_word(stream, turn, spare)
        spare += 1


cdef inline bint can_ever_move(Board* board, const int8_t* row, const Rules* rules) noexcept nogil:
    """Some roll lets the side to move, or the other one, play at least one half-move."""
    cdef int8_t[32] other
    cdef CountSink nowhere
    cdef int one, two, _
    nowhere.n = 0
    row_store(other, row_load(row))
    for _ in range(2):
        read_board(board, other, rules)
        for one in range(1, 7):
            for two in range(1, one + 1):
                if play_roll(board, &nowhere, one, two):
                    return True
        row_store(other, board.base)
    return False


cdef inline int play_game(
    Board* board, const int8_t* start, const Rules* rules, uint64_t seed, uint64_t game,
    int8_t* room, int32_t* turns,
) noexcept nogil:
    """Play the row to its end; the outcome as the side to roll in it sees it. 0 if neither side can
    ever move again."""
    cdef int8_t[32] row
    cdef int8_t[32] after
    cdef Stream stream
    cdef int64_t turn = 0
    cdef int passes = 0, points
    open_stream(&stream, seed, game)
    row_store(row, row_load(start))
    while read_board(board, row, rules) == RUNNING:
        if next_turn(board, &stream, turn, room, after):
            passes = 0
        else:
            passes += 1
            if passes % PASSES_TO_LOOK == 0 and not can_ever_move(board, row, rules):
                turn += 1
                break
        row_store(row, row_load(after))
        turn += 1
    turns[0] = turn
    points = outcome(row, rules)
    return -points if turn & 1 else points


cdef inline int64_t record_game(
    Board* board, const int8_t* start, const Rules* rules, uint64_t seed, uint64_t game,
    int8_t* room, int8_t* out, int64_t most,
) noexcept nogil:
    """Write down the boards at the start of each turn of a game, `most` at most; how many."""
    cdef Stream stream
    cdef int8_t[32] after
    cdef int64_t turn = 0
    open_stream(&stream, seed, game)
    row_store(after, row_load(start))
    while turn < most:
        row_store(out + WIDTH * turn, row_load(after))
        if read_board(board, out + WIDTH * turn, rules) != RUNNING:
            break
        next_turn(board, &stream, turn, room, after)
        turn += 1
    return turn
