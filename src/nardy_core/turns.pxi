# One turn, half-move by half-move. Included by nardy_core.pyx.

from libc.stdint cimport int8_t, int16_t, uint32_t
from libc.string cimport memset

from nardy_core.bits cimport row_store
from nardy_core.board cimport INVALID, RUNNING, Reading, handed_over
from nardy_core.referee cimport (
    ACTIONS, ACTIONS_A_DIE, AMBIGUOUS, END_OF_TURN, GAME_OVER, NO_FAULT, Fault, Line, Moment, Turn,
    count_ends, is_complete, mark_actions, open_turn, replay,
)
from nardy_core.wording cimport MOST_HOPS, Wording, read_wording

import numpy as np

from nardy.errors import REASONS, IllegalPlay

cdef tuple reasons = tuple(REASONS)

cdef object bool_ = np.dtype(np.bool_)

HalfMoves = namedtuple("HalfMoves", "masks rows")
HalfMoves.__doc__ = """What `half_moves` returns: `masks` bool (n, 151) and `rows` int8 (n, 32)."""


cdef enum Answer:
    GOOD, ROW_IS_BAD, ROLL_IS_BAD, PLAYED_IS_BAD


cdef Reading begin_turn(
    const int8_t* row, const Rules* rules, int one, int other, Turn* turn
) noexcept nogil:
    """`open_turn` of either game, compiled once: the head rule has the whole generator inside."""
    cdef LongBoard long_board
    cdef ShortBoard short_board
    if rules.game == GAME_LONG:
        return open_turn(&long_board, row, rules, one, other, turn)
    return open_turn(&short_board, row, rules, one, other, turn)


cdef Answer answer_pair(
    const int8_t* row, const int8_t* roll, const Rules* rules, const int16_t* played,
    int8_t* mask, int8_t* now_row, Fault* fault,
) noexcept nogil:
    """The mask and the board of one pair."""
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Turn turn
    cdef Moment now
    cdef Reading reading
    cdef int8_t[MOST_STEPS] dice
    cdef int8_t[MOST_STEPS] origins
    cdef int made = 0, unused
    fault[0] = NO_FAULT
    if not (1 <= roll[0] <= 6 and 1 <= roll[1] <= 6):
        return ROLL_IS_BAD
    while played != NULL and made < MOST_STEPS and played[made] != -1:
        if not 0 <= played[made] < END_OF_TURN:
            return PLAYED_IS_BAD
        dice[made] = played[made] // ACTIONS_A_DIE + 1
        origins[made] = played[made] % ACTIONS_A_DIE + 1
        made += 1
    if played != NULL:
        for unused in range(made, MOST_STEPS):
            if played[unused] != -1:
                return PLAYED_IS_BAD
    reading = begin_turn(row, rules, roll[0], roll[1], &turn)
    if reading == INVALID:
        return ROW_IS_BAD
    if reading != RUNNING:
        memcpy(now_row, row, WIDTH)
        fault[0] = GAME_OVER if made else NO_FAULT
        return PLAYED_IS_BAD if made else GOOD
    if rules.game == GAME_LONG:
        fault[0] = replay(&long_board, &turn, dice, origins, made, &now)
        if fault[0] == NO_FAULT:
            mark_actions(&long_board, &turn, &now, made, mask)
    else:
        fault[0] = replay(&short_board, &turn, dice, origins, made, &now)
        if fault[0] == NO_FAULT:
            mark_actions(&short_board, &turn, &now, made, mask)
    memcpy(now_row, now.row, WIDTH)
    return GOOD if fault[0] == NO_FAULT else PLAYED_IS_BAD


def half_moves(rows, rolls, *, rules, played=None):
    """Tell which half-moves a legal play still allows: the turn one checker at a time.

    A half-move is a small integer, ``25 * (die - 1) + origin - 1`` with the die 1..6 and the origin
    1..25 (25: the bar): 0..149. Row k of ``nardy.HALF_MOVES`` holds origin and die of half-move k;
    it goes to ``max(origin - die, 0)``, 0 being off. 150 ends the turn.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row at the start of the turn, as the side to move sees it. Not modified.
    rolls : ndarray of int8, shape (n, 2), C-contiguous
        The two dice of each row, 1..6, in either order. Not modified.
    rules : Rules or str
    played : ndarray of int16, shape (n, 4), C-contiguous, optional
        Half-moves of this turn so far, in their order, -1 from the first unused one on. Not
        modified.

    Returns
    -------
    HalfMoves
        A named tuple. ``masks`` bool (n, 151): the half-moves with which a legal play goes on;
        150 alone where the turn is complete (a pass too), none where the game was over before.
        ``rows`` int8 (n, 32): the boards now, **as the mover sees them**; :func:`flip` hands a
        complete one over.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.
    IllegalPlay
        A row of `played` with which no legal play begins, the first of them, with the reason.

    Notes
    -----
    The law is that of the whole turn: a half-move that leads into a shorter play is not allowed.
    About a microsecond a row; whole turns are much cheaper (:func:`after_states`). Two paths of
    half-moves often end on the same board.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.LONG).row[None]
    >>> roll = np.array([[6, 5]], np.int8)
    >>> masks, _ = half_moves(start, roll, rules=nardy.LONG)
    >>> np.flatnonzero(masks[0]).tolist()               # the 5 or the 6 from 24
    [123, 148]
    >>> nardy.HALF_MOVES[148].tolist()
    [24, 6]
    >>> played = np.array([[148, -1, -1, -1]], np.int16)
    >>> masks, rows = half_moves(start, roll, rules=nardy.LONG, played=played)
    >>> np.flatnonzero(masks[0]).tolist()               # the 5 from 18: the head has given its one
    [117]
    """
    cdef Work work = Work()
    cdef const int16_t* so_far = NULL
    cdef int8_t* mask
    cdef int8_t* to
    cdef Fault fault = NO_FAULT
    cdef Answer answer = GOOD
    cdef Py_ssize_t i = 0, last
    cdef int stop = 0
    work.open(rows, rules, 1)
    work.open_rolls(rolls)
    masks, boards = np.zeros((work.n, ACTIONS), bool_), new_rows(work.n, WIDTH, NPY_INT8)
    mask, to = <int8_t*> data_of(masks), <int8_t*> data_of(boards)
    if played is not None:
        if open_array(played, "played", MOST_STEPS, NPY_INT16) != work.n:
            raise ValueError(
                f"played: wanted shape ({work.n}, {MOST_STEPS}), half-moves for each row; got"
                f" {played.shape}"
            )
        so_far = <const int16_t*> data_of(played)
    while i < work.n and answer == GOOD:
        last = min(i + GAMES_A_CHUNK, work.n)
        with nogil:
            while i < last:
                answer = answer_pair(
                    work.batch.rows + WIDTH * i, work.batch.rolls + 2 * i, &work.batch.rules,
                    so_far + MOST_STEPS * i if so_far != NULL else NULL,
                    mask + ACTIONS * i, to + WIDTH * i, &fault,
                )
                if answer != GOOD:
                    break
                i += 1
        go_on(&stop)
    if answer == ROW_IS_BAD:
        raise bad_row(work.batch.rows + WIDTH * i, i, work.rules)
    if answer == ROLL_IS_BAD:
        raise bad_roll(&work.batch, i, i)
    if answer == PLAYED_IS_BAD and fault == NO_FAULT:
        raise ValueError(
            f"played: wanted half-moves 0..{END_OF_TURN - 1}, then -1; got {played[i].tolist()} in"
            f" row {i}"
        )
    if answer == PLAYED_IS_BAD:
        raise IllegalPlay(
            f"played: wanted half-moves that a legal play begins with; got {played[i].tolist()} in"
            f" row {i}: {REASONS[reasons[fault - 1]]}",
            reason=reasons[fault - 1],
        )
    return HalfMoves(masks, boards)


# --- one turn, for the Python face ------------------------------------------------------------
#
# What these functions take is checked by who calls them: `cells` is a valid row of 32 int8 as
# bytes, `roll` two ints 1..6, `rules` are Rules, `played` at most 4 half-moves (origin, die) with
# which a legal play begins.


cdef Reading open_line(
    bytes cells, tuple roll, object rules, tuple played, Rules* codes, Turn* turn, Line* line
):
    """Go to the board after the half-moves played so far."""
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef const int8_t* row = <const int8_t*> <const char*> cells
    cdef int k, one = roll[0], other = roll[1]
    cdef Reading reading
    read_rules(rules, codes)
    line.made = len(played)
    for k in range(line.made):
        line.origin[k], line.die[k] = played[k]
    reading = begin_turn(row, codes, one, other, turn)
    if reading == RUNNING and codes.game == GAME_LONG:
        replay(&long_board, turn, line.die, line.origin, line.made, &line.end)
    elif reading == RUNNING:
        replay(&short_board, turn, line.die, line.origin, line.made, &line.end)
    return reading


cdef tuple half_moves_of(const Line* line):
    cdef int k
    return tuple([(line.origin[k], line.die[k]) for k in range(line.made)])


def look(bytes cells, tuple roll, object rules, tuple played):
    """Return how a turn can go on: (half-moves, whether it is complete, row, longest).

    Half-moves are (origin, die); the row is 32 int8 as bytes, as the mover sees it; longest is the
    number of half-moves of a legal play of the whole turn.

    Examples
    --------
    >>> look(nardy.Position.start("long").cells, (6, 5), nardy.LONG, ())[:2]
    (((24, 5), (24, 6)), False)
    """
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Rules codes
    cdef Turn turn
    cdef Line line
    cdef int8_t[ACTIONS] mask
    cdef int action
    if open_line(cells, roll, rules, played, &codes, &turn, &line) != RUNNING:
        return (), False, cells, 0
    memset(mask, 0, ACTIONS)
    if codes.game == GAME_LONG:
        mark_actions(&long_board, &turn, &line.end, line.made, mask)
    else:
        mark_actions(&short_board, &turn, &line.end, line.made, mask)
    moves = tuple(
        [
            (action % ACTIONS_A_DIE + 1, action // ACTIONS_A_DIE + 1)
            for action in range(END_OF_TURN) if mask[action]
        ]
    )
    return moves, mask[END_OF_TURN] != 0, (<char*> line.end.row)[:WIDTH], turn.longest


def only_end(bytes cells, tuple roll, object rules, tuple played):
    """Return (half-moves, row) of a whole turn that begins so, if all such turns end on one board;
    else None. The row is as the mover sees it.

    Examples
    --------
    >>> only_end(nardy.Position.start("long").cells, (6, 5), nardy.LONG, ())[0]
    ((24, 6), (18, 5))
    """
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Rules codes
    cdef Turn turn
    cdef Line line, first
    cdef int found
    if open_line(cells, roll, rules, played, &codes, &turn, &line) != RUNNING:
        return None
    if codes.game == GAME_LONG:
        found = count_ends(&long_board, &turn, &line, &first, 0)
    else:
        found = count_ends(&short_board, &turn, &line, &first, 0)
    return (half_moves_of(&first), (<char*> first.end.row)[:WIDTH]) if found == 1 else None


def judge(bytes cells, tuple roll, object rules, tuple played, tuple hops, bint partial):
    """Find the play that words mean.

    Parameters
    ----------
    cells, roll, rules, played
        As above.
    hops : tuple of (int, int, bool)
        What follows, in any order: origin 1..25, another target 0..24, whether a hit is claimed
        there.
    partial : bool
        Whether the beginning of a legal play will do.

    Returns
    -------
    refused : None or tuple
        ``(reason, half-moves, (origin, target, die), longest, lines)``: what is wrong with the
        order that gets farthest; the half-moves of the turn before that; the one at fault (die 0:
        none fits), (0, 0, 0) if it is the play as a whole; the number of half-moves of a legal
        play; the two lines that an ambiguous wording means. The reason is "" for a hit claimed
        where there is none.
    half_moves : tuple of (int, int)
        All (origin, die) of the turn, if not refused.
    row : bytes
        The board after them: of a whole play as the other side sees it, else as the mover does.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.LONG).cells
    >>> judge(start, (6, 5), nardy.LONG, (), ((24, 13, False),), False)[1]
    ((24, 6), (18, 5))
    >>> judge(start, (6, 5), nardy.LONG, (), ((24, 18, False),), False)[0][0]
    'incomplete'
    """
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Rules codes
    cdef Turn turn
    cdef Line line
    cdef Wording words
    cdef int8_t[WIDTH] after
    if open_line(cells, roll, rules, played, &codes, &turn, &line) != RUNNING:
        return (reasons[GAME_OVER - 1], (), (0, 0, 0), 0, ()), (), b""
    words.n = 0
    words.marked = 0
    words.partial = partial
    for origin, target, marked in hops[:MOST_HOPS]:
        words.at[words.n], words.target[words.n] = origin, target
        if marked:
            words.marked |= <uint32_t> 1 << words.target[words.n]
        words.n += 1
    if codes.game == GAME_LONG:
        read_wording(&long_board, &turn, &line, &words)
    else:
        read_wording(&short_board, &turn, &line, &words)
    if words.fault == AMBIGUOUS and not words.found:
        lines = half_moves_of(&words.line), half_moves_of(&words.other)
        return (reasons[words.fault - 1], (), (0, 0, 0), turn.longest, lines), (), b""
    if not words.found and words.unhit:
        return ("", (), (0, 0, 0), turn.longest, ()), (), b""
    if not words.found:
        half_move = words.fault_origin, words.fault_target, words.fault_die
        before = half_moves_of(&words.before)
        return (reasons[words.fault - 1], before, half_move, turn.longest, ()), (), b""
    if partial:
        memcpy(after, words.line.end.row, WIDTH)
    elif codes.game == GAME_LONG:
        row_store(after, handed_over(&long_board, words.line.end.row))
    else:
        row_store(after, handed_over(&short_board, words.line.end.row))
    return None, half_moves_of(&words.line), (<char*> after)[:WIDTH]
