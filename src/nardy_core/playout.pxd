# Uniform random games: throw, choose among the distinct after-states with equal chances, hand over.
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t

from nardy_core.bits cimport THEIR_OFF, WIDTH, row_load, row_store
from nardy_core.board cimport RUNNING, Board, fill_board, read_board
from nardy_core.generate cimport play_capped, play_roll, set_head_cap
from nardy_core.outcome cimport outcome
from nardy_core.pairs cimport Pairs, count_pairs, read_pairs
from nardy_core.picks cimport picked, picked_pair
from nardy_core.random cimport Stream, fair, open_stream, spare_word, word_of_turn
from nardy_core.rules cimport Rules
from nardy_core.sinks cimport CountSink, Leaf, LeafSink, open_leaves

cdef enum:
    # Passes in a row after which it is asked whether anybody can ever move again.
    PASSES_TO_LOOK = 64


cdef inline bint next_turn(
    Board* board, Stream* stream, int64_t turn, Leaf* room, int8_t* after
) noexcept nogil:
    """Throw and play one turn of the board; false if it was a pass. `after` may be the board's row.

    High 32 bits of the turn's word give the dice, low 32 bits the choice; where either would be
    unfair, another word does.
    """
    cdef uint64_t word = word_of_turn(stream, turn), counter = turn
    cdef uint32_t dice, choice = 0
    cdef int length, spare = 0, n, one, other, large, small
    cdef Pairs pairs
    cdef LeafSink leaves
    while True:
        if fair(word >> 32, 36, &dice):
            one, other = dice // 6 + 1, dice % 6 + 1
            large, small = max(one, other), min(one, other)
            set_head_cap(board, large, small)
            n = 0
            if large != small and read_pairs(board, &pairs, large, small):
                n = count_pairs(board, &pairs)
            if n:
                if fair(<uint32_t> word, n, &choice):
                    row_store(after, picked_pair(board, &pairs, n, choice))
                    return True
            else:
                open_leaves(&leaves, room)
                length = play_capped(board, &leaves, large, small)
                if fair(<uint32_t> word, leaves.n, &choice):
                    row_store(after, picked(board, &leaves, choice))
                    return length != 0
        # From a variable, lest the compiler work a part of it out in every turn: 30 instructions.
        counter |= <uint64_t> 1 << 63
        word = spare_word(stream, counter, spare)
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
    Leaf* room, int32_t* turns,
) noexcept nogil:
    """Play the row to its end; the outcome as the side to roll in it sees it. 0 if neither side can
    ever move again.

    Two or four games in turns, to hide that each turn waits for the one before, gained nothing.
    """
    cdef int8_t[32] row
    cdef Stream stream
    cdef int64_t turn = 0
    cdef int passes = 0, points
    cdef bint running = read_board(board, start, rules) == RUNNING
    open_stream(&stream, seed, game)
    row_store(row, row_load(start))
    while running:
        # Only what comes from outside needs read_board's checks: they are 25 instructions.
        fill_board(board, row, rules)
        passes = 0 if next_turn(board, &stream, turn, room, row) else passes + 1
        turn += 1
        running = row[THEIR_OFF] != rules.checkers
        if passes == PASSES_TO_LOOK:
            passes = 0
            running = can_ever_move(board, row, rules)
    turns[0] = turn
    points = outcome(row, rules)
    return -points if turn & 1 else points


cdef inline int64_t record_game(
    Board* board, const int8_t* start, const Rules* rules, uint64_t seed, uint64_t game,
    Leaf* room, int8_t* out, int64_t most,
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
