# Rows that tables of bear-offs may hold: races, and the numbers of both placements. Included by
# nardy_core.pyx.

from libc.stdint cimport int8_t, int64_t, uint8_t

from nardy_core.batch cimport Batch
from nardy_core.bits cimport WIDTH
from nardy_core.board cimport INVALID, Board, LongBoard, ShortBoard, read_board
from nardy_core.placements cimport MOST_CHECKERS, MOST_POINTS, fill_choose
from nardy_core.race cimport parted, placement_of
from nardy_core.rules cimport GAME_LONG, Rules

import numpy as np

cdef enum:
    ROWS_A_LOOK = 1 << 18      # rows between two looks for Ctrl-C: 10 ms

fill_choose()


cdef Py_ssize_t find_races(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, uint8_t* out
) noexcept nogil:
    """Number of the first row from i on that is no board, or `end`."""
    cdef const int8_t* row
    while i < end:
        row = batch.rows + WIDTH * i
        if read_board(board, row, &batch.rules) == INVALID:
            break
        out[i] = parted(board, row, &batch.rules)
        i += 1
    return i


cdef Py_ssize_t find_placements(
    Board* board, const Batch* batch, Py_ssize_t i, Py_ssize_t end, int points, int checkers,
    int64_t* own, int64_t* theirs,
) noexcept nogil:
    """Number of the first row from i on that is no board, or `end`. `theirs` may be NULL."""
    cdef const Rules* rules = &batch.rules
    cdef const int8_t* row
    cdef bint race
    while i < end:
        row = batch.rows + WIDTH * i
        if read_board(board, row, rules) == INVALID:
            break
        race = parted(board, row, rules)
        own[i] = placement_of(board, row, rules, True, points, checkers) if race else -1
        if theirs != NULL:
            theirs[i] = placement_of(board, row, rules, False, points, checkers) if race else -1
        i += 1
    return i


def is_race(rows, *, rules):
    """Tell in which rows the sides can no longer meet, so that each plays for itself.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it. Not modified.
    rules : Rules or str

    Returns
    -------
    ndarray of bool, shape (n,)
        True where no checker can still stand in the way of one of the other side, and no rule about
        blocks of six can forbid a half-move: under ``block="home"`` each side has a checker home or
        off. ``block="strict"`` looks at one side alone and is left to the tables. A game that is
        over is a race.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> race = nardy.Position.from_points({12: 15}, {12: 15}, rules="long")
    >>> start = nardy.Position.start("long")
    >>> is_race(np.stack([race.row, start.row]), rules="long")
    array([ True, False])
    """
    cdef Work work = Work()
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Py_ssize_t i = 0, end
    cdef uint8_t* to
    work.open(rows, rules, 1)
    races = np.empty(work.n, np.bool_)
    to = <uint8_t*> data_of(races)
    while i < work.n:
        end = min(i + ROWS_A_LOOK, work.n)
        with nogil:
            if work.batch.rules.game == GAME_LONG:
                i = find_races(&long_board, &work.batch, i, end, to)
            else:
                i = find_races(&short_board, &work.batch, i, end, to)
        if i < end:
            raise bad_row(work.batch.rows + WIDTH * i, i, work.rules)
        go_on(&work.stopped)
    return races


def find_in_table(rows, *, rules, points, checkers, both=True):
    """Number the placements of both sides in each row (docs/bearoff.md).

    Returns
    -------
    own, opponent : ndarrays of int64, shape (n,)
        -1 where the row is no race or the side's placement is not in a table of so many points and
        checkers. `opponent` is None unless both are wanted.
    """
    cdef Work work = Work()
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef Py_ssize_t i = 0, end
    cdef int64_t* own
    cdef int64_t* theirs = NULL
    cdef int most_points = as_int(points, "points", 1, MOST_POINTS)
    cdef int most_checkers = as_int(checkers, "checkers", 1, MOST_CHECKERS)
    work.open(rows, rules, 1)
    mine, others = np.empty(work.n, np.int64), None
    own = <int64_t*> data_of(mine)
    if both:
        others = np.empty(work.n, np.int64)
        theirs = <int64_t*> data_of(others)
    while i < work.n:
        end = min(i + ROWS_A_LOOK, work.n)
        with nogil:
            if work.batch.rules.game == GAME_LONG:
                i = find_placements(
                    &long_board, &work.batch, i, end, most_points, most_checkers, own, theirs
                )
            else:
                i = find_placements(
                    &short_board, &work.batch, i, end, most_points, most_checkers, own, theirs
                )
        if i < end:
            raise bad_row(work.batch.rows + WIDTH * i, i, work.rules)
        go_on(&work.stopped)
    return mine, others
