"""The boundary between Python and the kernel.

What it promises: every array and option that comes in is checked, nothing is cast silently, no
input can crash the interpreter, the GIL is released while rows are worked on, and Ctrl-C ends a
call soon.

Who raises what: ``TypeError`` for a wrong kind or dtype; ``ValueError`` for a wrong shape, order,
roll, option or number; ``InvalidPosition`` for a row that is no board, named by the first;
``MemoryError`` before work is lost. Nothing is returned then.

No rule of a game stands here: those are the .pxd files of src/nardy_core. Beside them lie the
parts of this file: arrays.pxi (the arrays of NumPy), checks.pxi (what comes in), calls.pxi (one
call, its room and its threads), states.pxi (how after-states find their place), turns.pxi (one
turn, half-move by half-move), segments.pxi (values of many boards), network.pxi (values by a small
network), features.pxi (inputs for others), races.pxi (rows that tables of bear-offs may hold),
solo.pxi and duo.pxi (those tables).
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from nardy_core.batch cimport flip_rows, score_rows
from nardy_core.bits cimport WIDTH
from nardy_core.board cimport LongBoard, ShortBoard
from nardy_core.deltas cimport fill_deltas
from nardy_core.playout cimport record_game
from nardy_core.random cimport Stream, open_stream, word_of_turn
from nardy_core.rules cimport GAME_LONG, Rules
from nardy_core.start cimport write_start
from nardy_core.stop cimport go_on

from collections import namedtuple

__all__ = [
    "HalfMoves",
    "Playouts",
    "after_states",
    "after_states_all_rolls",
    "build_info",
    "counts",
    "counts_all_rolls",
    "features",
    "find_in_table",
    "flip",
    "game_words",
    "half_moves",
    "is_race",
    "judge",
    "list_after_states",
    "look",
    "mean_over_rolls",
    "network_values",
    "only_end",
    "outcomes",
    "perft",
    "playouts",
    "random_rows",
    "segment_argmax",
    "segment_max",
    "segment_mean",
    "solve_one_sided",
    "solve_two_sided",
    "start_row",
]

cdef extern from "build.h":
    const char* NARDY_WIDTH_NAME
    const char* NARDY_COMPILER


cdef extern from *:
    const char* NARDY_VERSION  # a macro that setup.py defines from pyproject.toml


fill_deltas()

include "nardy_core/arrays.pxi"
include "nardy_core/checks.pxi"
include "nardy_core/calls.pxi"
include "nardy_core/states.pxi"
include "nardy_core/turns.pxi"
include "nardy_core/segments.pxi"
include "nardy_core/network.pxi"
include "nardy_core/features.pxi"
include "nardy_core/races.pxi"
include "nardy_core/solo.pxi"
include "nardy_core/duo.pxi"


# --- after-states -----------------------------------------------------------------------------


def after_states(rows, rolls, *, rules, threads=1, out=None, steps=False):
    """List the distinct boards that each roll can lead to.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it (layout: docs/architecture.md). Not modified.
    rolls : ndarray of int8, shape (n, 2), C-contiguous
        The two dice of each row, 1..6, in either order. Not modified.
    rules : Rules or str
        The game and its options, or the name of a preset.
    threads : int
        Threads that share the rows; the result does not depend on it.
    out : ndarray of int8, shape (k, 32), C-contiguous, optional
        Where to write; k >= m, sharing no memory with the inputs. The rows returned are then
        ``out[:m]``; the rest of `out` is undefined.
    steps : bool
        Whether to return the half-moves of one longest play for each after-state too.

    Returns
    -------
    rows : ndarray of int8, shape (m, 32)
        After-states of row 0, then of row 1, and so on, **as the other side sees them**: ready to
        be the next input. A row that cannot move has one, the same board handed over; a row whose
        game is over has none. Their order within a row is the same on every machine, in every build
        and for both orders of the dice.
    offsets : ndarray of int64, shape (n + 1,)
        Those of row i are ``rows[offsets[i]:offsets[i + 1]]``.
    steps : ndarray of int8, shape (m, 4, 2), only if asked for
        Half-moves (from, to) in the order played, in the mover's numbering: 25 is the bar, 0 off;
        -1 where nothing is played.

    Raises
    ------
    TypeError
        An array has another kind or dtype. Nothing is cast: a silent cast wraps 300 to 44.
    ValueError
        A wrong shape, order or option, a bad roll, or an `out` that is read-only, overlaps an input
        or is too small (the message says how many rows are needed).
    InvalidPosition
        A row that is no board, the first of them with its number and defects.
    MemoryError

    Notes
    -----
    Releases the GIL. Rows are independent: any split of a batch gives the same rows. A board that a
    forbidden block of six stands on is played all the same: half-moves are tested by what they
    leave. Memory: the result, and room that grows with `threads` only. Writing to one `out` again
    and again is up to twice as fast as new memory.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.LONG).row[None]
    >>> rows, offsets = after_states(start, np.array([[2, 1]], np.int8), rules=nardy.LONG)
    >>> offsets
    array([0, 1])
    >>> rows[0, [24, 12, 9]]
    array([ 15, -14,  -1], dtype=int8)
    >>> _, _, steps = after_states(start, np.array([[2, 1]], np.int8), rules="long", steps=True)
    >>> steps[0].tolist()
    [[24, 22], [22, 21], [-1, -1], [-1, -1]]
    """
    cdef Work work = Work()
    work.open(rows, rules, threads)
    work.open_rolls(rolls)
    return states_of(work, out, steps)


def after_states_all_rolls(rows, *, rules, threads=1, out=None, steps=False):
    """List the distinct boards that each of the 21 rolls can lead to.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it. Not modified.
    rules, threads, out, steps
        As in :func:`after_states`.

    Returns
    -------
    rows : ndarray of int8, shape (m, 32)
        As in :func:`after_states`; of each row for roll 0, roll 1 and so on of ``nardy.ROLLS``.
    offsets : ndarray of int64, shape (21 * n + 1,)
        Those of row i with roll r are ``rows[offsets[k]:offsets[k + 1]]`` with ``k = 21 * i + r``.
    steps : ndarray of int8, shape (m, 4, 2), only if asked for

    Raises
    ------
    TypeError, ValueError, InvalidPosition, MemoryError
        As in :func:`after_states`.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.SHORT).row[None]
    >>> rows, offsets = after_states_all_rolls(start, rules=nardy.SHORT)
    >>> np.diff(offsets)[:4]            # 1-1, 2-1, 2-2, 3-1
    array([42, 15, 75, 16])
    >>> len(rows)
    447
    """
    cdef Work work = Work()
    work.open(rows, rules, threads)
    return states_of(work, out, steps)


def counts(rows, rolls, *, rules, threads=1):
    """Count the distinct after-states of each roll, without making them.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it. Not modified.
    rolls : ndarray of int8, shape (n, 2), C-contiguous
        The two dice of each row, 1..6, in either order. Not modified.
    rules : Rules or str
    threads : int

    Returns
    -------
    ndarray of int64, shape (n,)
        1 for a row that must pass, 0 for a row whose game is over.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.SHORT).row[None]
    >>> counts(start, np.array([[6, 5]], np.int8), rules=nardy.SHORT)
    array([7])
    """
    cdef Work work = Work()
    work.open(rows, rules, threads)
    work.open_rolls(rolls)
    numbers = new_line(work.n, NPY_INT64)
    work.numbers, work.kept = <int64_t*> data_of(numbers), numbers
    run(work, work.count, work.n, max(PAIRS_A_PART // work.rolls, 1))
    return numbers


def counts_all_rolls(rows, *, rules, threads=1):
    """Count the distinct after-states of each of the 21 rolls, without making them.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, as the side to move sees it. Not modified.
    rules : Rules or str
    threads : int

    Returns
    -------
    ndarray of int64, shape (n, 21)
        In the order of ``nardy.ROLLS``.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> short = nardy.Position.start(nardy.SHORT).row[None]
    >>> int(counts_all_rolls(short, rules=nardy.SHORT).sum())
    447
    """
    cdef Work work = Work()
    work.open(rows, rules, threads)
    numbers = new_rows(work.n, ALL_ROLLS, NPY_INT64)
    work.numbers, work.kept = <int64_t*> data_of(numbers), numbers
    run(work, work.count, work.n, max(PAIRS_A_PART // work.rolls, 1))
    return numbers


# --- rows -------------------------------------------------------------------------------------


def flip(rows, *, rules):
    """Hand boards over: the same boards as the other side sees them.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row, finished or not. Not modified.
    rules : Rules or str

    Returns
    -------
    ndarray of int8, shape (n, 32)
        Flipping twice gives the rows again.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> position = nardy.Position.from_points({6: 15}, {24: 14, 3: 1}, rules="long")
    >>> np.flatnonzero(flip(position.row[None], rules="long")[0])
    array([ 3, 18, 24])
    """
    cdef Work work = Work()
    cdef int8_t* to
    work.open(rows, rules, 1)
    work.refuse_bad_rows()
    flipped = new_rows(work.n, WIDTH, NPY_INT8)
    to = <int8_t*> data_of(flipped)
    with nogil:
        if work.batch.rules.game == GAME_LONG:
            flip_rows(<LongBoard*> NULL, &work.batch, work.n, to)
        else:
            flip_rows(<ShortBoard*> NULL, &work.batch, work.n, to)
    return flipped


def outcomes(rows, *, rules):
    """Score boards: who has won, and how much (docs/rules.md §7, §8.4).

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a row. Not modified.
    rules : Rules or str

    Returns
    -------
    ndarray of int8, shape (n,)
        Points of the side to roll: 0 while the game runs, else +-1 (oin), +-2 (mars) or +-3 (koks).

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> lost = nardy.Position.from_points({24: 15}, {}, rules="long")
    >>> outcomes(lost.row[None], rules="long")
    array([-2], dtype=int8)
    """
    cdef Work work = Work()
    cdef int8_t* to
    work.open(rows, rules, 1)
    work.refuse_bad_rows()
    points = new_line(work.n, NPY_INT8)
    to = <int8_t*> data_of(points)
    with nogil:
        score_rows(&work.batch, work.n, to)
    return points


def start_row(*, rules):
    """Return the board at the start of a game: int8 (32,).

    Examples
    --------
    >>> start_row(rules="long")[[24, 12]]
    array([ 15, -15], dtype=int8)
    """
    cdef Rules codes
    read_rules(rules, &codes)
    row = new_line(WIDTH, NPY_INT8)
    write_start(<int8_t*> data_of(row), &codes)
    return row


# --- games ------------------------------------------------------------------------------------


def perft(position, depth, *, rules=None, threads=1):
    """Count the paths of (roll, after-state) over the 21 rolls, unweighted.

    Parameters
    ----------
    position : Position or ndarray of int8, shape (32,) or (1, 32)
    depth : int
        Turns, 0..100.
    rules : Rules or str
        With a bare row only; a position has its own.
    threads : int

    Returns
    -------
    int
        1 for depth 0; 0 for a position whose game is over and depth > 0. Exact below 2**63.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Notes
    -----
    Releases the GIL. The last turn is counted, not written.

    Examples
    --------
    >>> perft(nardy.Position.start(nardy.LONG), 3)
    35722
    """
    cdef Work work = Work()
    cdef int plies = as_int(depth, "depth", 0, 100)
    if PyArray_Check(position):
        if rules is None:
            raise TypeError("rules: wanted Rules or the name of a preset with a bare row; got None")
        row = position.reshape(1, -1) if position.ndim == 1 else position
    elif hasattr(position, "row") and hasattr(position, "rules"):
        if rules is not None and named_rules(rules) != position.rules:
            raise ValueError(f"rules: the position has its own, {position.rules}; got {rules!r}")
        rules, row = position.rules, position.row.reshape(1, -1)
    else:
        raise TypeError(
            f"position: wanted a Position, or a row of 32 int8; got {type(position).__name__}"
        )
    work.open(row, rules, threads, "position")
    if work.n != 1:
        raise ValueError(f"position: wanted one row of {WIDTH} int8; got {work.n} rows")
    work.refuse_bad_rows()
    work.depth = plies
    if work.threads == 1 or plies < 3:
        return work.paths(0, 1)
    # The boards after as many turns as it takes for parts of one board to be short ones.
    rows = row
    while plies > 2 and len(rows) < BOARDS_TO_SHARE:
        rows, _ = after_states_all_rolls(rows, rules=rules)
        plies -= 1
        if not len(rows):
            return 0
    work.batch.rows, work.rows_held = <const int8_t*> data_of(rows), rows
    work.depth = plies
    return sum(run(work, work.paths, len(rows), 1))


Playouts = namedtuple("Playouts", "outcomes turns")
Playouts.__doc__ = """What `playouts` returns: `outcomes` int8 (n,) and `turns` int32 (n,)."""


def playouts(rows, *, rules, seed, first=0, threads=1):
    """Play each row out, choosing uniformly among the distinct after-states of each roll.

    Parameters
    ----------
    rows : ndarray of int8, shape (n, 32), C-contiguous
        One board a game, as the side to move sees it. Not modified.
    rules : Rules or str
    seed : int
        0 .. 2**64 - 1.
    first : int
        Number of the first game, 0 .. 2**64 - n; row i is game ``first + i``.
    threads : int

    Returns
    -------
    Playouts
        A named tuple: ``outcomes`` int8 (n,), points of the side to roll in the given row, as
        :func:`outcomes`; ``turns`` int32 (n,), turns played, passes counted. A row whose game is
        over has its outcome and 0 turns. A game in which nobody can ever move again (only from a
        board that no game reaches) ends with outcome 0.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Notes
    -----
    Releases the GIL. Game i is a function of the row, the rules, `seed` and ``first + i`` alone:
    its stream is Philox 4x64-10 with key ``(seed, first + i)``, where turn t reads word ``t % 4``
    of block ``t // 4``. So threads, chunks and machines do not matter.

    Examples
    --------
    >>> start = nardy.Position.start(nardy.LONG).row[None]
    >>> games = playouts(np.repeat(start, 1000, axis=0), rules=nardy.LONG, seed=7)
    >>> alone = playouts(start, rules=nardy.LONG, seed=7, first=999)
    >>> int(alone.turns[0]) == int(games.turns[999])
    True
    """
    cdef Work work = Work()
    work.seed = as_key(seed, "seed")
    work.game = as_key(first, "first")
    work.open(rows, rules, threads)
    if work.n and work.game + <uint64_t> (work.n - 1) < work.game:
        raise ValueError(f"first: wanted first + {work.n - 1} < 2**64; got {first!r}")
    work.refuse_bad_rows()
    points, turns = new_line(work.n, NPY_INT8), new_line(work.n, NPY_INT32)
    work.points = <int8_t*> data_of(points)
    work.turns = <int32_t*> data_of(turns)
    work.kept = points, turns
    run(work, work.play, work.n, GAMES_A_PART)
    return Playouts(points, turns)


def random_rows(n, *, rules, seed):
    """Collect the boards at the start of each turn of uniform random games, one game after the
    other.

    Parameters
    ----------
    n : int
        Rows wanted; the last game is cut there.
    rules : Rules or str
    seed : int
        0 .. 2**64 - 1. The games are those of :func:`playouts` from the start with the same seed.

    Returns
    -------
    ndarray of int8, shape (n, 32)

    Raises
    ------
    TypeError, ValueError, MemoryError

    Examples
    --------
    >>> rows = random_rows(1000, rules=nardy.LONG, seed=7)
    >>> bool((rows[0] == nardy.Position.start(nardy.LONG).row).all())
    True
    """
    cdef Rules codes
    cdef LongBoard long_board
    cdef ShortBoard short_board
    cdef int8_t[WIDTH] start
    cdef Leaf[MOST_LEAVES] room
    cdef Py_ssize_t wanted = as_int(n, "n", 0, 2**58), done = 0
    cdef uint64_t key = as_key(seed, "seed"), game = 0
    cdef int8_t* to
    cdef int _, stop = 0
    read_rules(rules, &codes)
    write_start(start, &codes)
    rows = new_rows(wanted, WIDTH, NPY_INT8)
    to = <int8_t*> data_of(rows)
    while done < wanted:
        with nogil:
            for _ in range(GAMES_A_CHUNK):
                if done == wanted:
                    break
                if codes.game == GAME_LONG:
                    done += record_game(
                        &long_board, start, &codes, key, game, room, to + WIDTH * done,
                        wanted - done,
                    )
                else:
                    done += record_game(
                        &short_board, start, &codes, key, game, room, to + WIDTH * done,
                        wanted - done,
                    )
                game += 1
        go_on(&stop)
    return rows


def game_words(games, turns, *, seed, first=0, turn=0):
    """Draw the random bits of games, turn by turn: those from which :func:`playouts` takes its
    dice.

    Parameters
    ----------
    games, turns : int
        How many games, and how many words of each.
    seed : int
        0 .. 2**64 - 1.
    first : int
        Number of the first game, 0 .. 2**64 - games.
    turn : int
        Of the first word, 0 .. 2**62.

    Returns
    -------
    ndarray of uint64, shape (games, turns)
        Word t of game ``first + i``: its high half gives the dice of turn t, its low half the
        choice.

    Raises
    ------
    TypeError, ValueError, MemoryError

    Examples
    --------
    >>> words = game_words(2, 3, seed=7, turn=1)
    >>> int(words[1, 0]) == nardy.SeededDice(7, number=1).word(1)
    True
    """
    cdef Stream stream
    cdef Py_ssize_t n = as_int(games, "games", 0, 2**58), many = as_int(turns, "turns", 0, 2**58)
    cdef int64_t at = as_int(turn, "turn", 0, 2**62)
    cdef uint64_t key = as_key(seed, "seed"), game = as_key(first, "first")
    cdef Py_ssize_t done = 0, i, k, end
    cdef int stop = 0
    cdef uint64_t* to
    if n and game + <uint64_t> (n - 1) < game:
        raise ValueError(f"first: wanted first + {n - 1} < 2**64; got {first!r}")
    if many and n > 2**60 // many:
        raise MemoryError(f"games: {n} games of {many} words do not fit into memory")
    words = new_rows(n, many, NPY_UINT64)
    to = <uint64_t*> data_of(words)
    # Ctrl-C is heard however few and long they are: within a game, and among games.
    for i in range(n):
        open_stream(&stream, key, game + <uint64_t> i)
        done = 0
        while done < many:
            end = min(done + WORDS_A_CHUNK, many)
            with nogil:
                for k in range(done, end):
                    to[i * many + k] = word_of_turn(&stream, at + k)
            done = end
            if many > WORDS_A_CHUNK:
                go_on(&stop)
        if i % GAMES_A_CHUNK == 0:
            go_on(&stop)
    return words


def build_info():
    """Tell what was compiled, and which width is in use.

    Returns
    -------
    dict
        ``version`` of the package, ``compiler`` and ``width`` ("baseline" or "v3").

    Examples
    --------
    >>> sorted(build_info())
    ['compiler', 'version', 'width']
    """
    return {
        "version": NARDY_VERSION.decode(),
        "compiler": NARDY_COMPILER.decode(),
        "width": NARDY_WIDTH_NAME.decode(),
    }
