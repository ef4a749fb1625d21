# Boards as inputs for networks. Included by nardy_core.pyx.

from libc.stdint cimport uint8_t

from nardy_core.features cimport (
    COUNTS, COUNTS_WIDTH, LONG_NARDY, LONG_WIDTH, TESAURO, TESAURO_WIDTH, Kind, encode_rows,
)

_KINDS = {
    "counts": (COUNTS, COUNTS_WIDTH),
    "tesauro": (TESAURO, TESAURO_WIDTH),
    "long": (LONG_NARDY, LONG_WIDTH),
}


cdef class Encoding(Work):
    """A call that encodes rows."""

    cdef Kind kind
    cdef float* floats         # one of the two is NULL
    cdef uint8_t* octets

    def encode(self, Py_ssize_t first, Py_ssize_t last):
        """Encode the rows first .. last - 1."""
        cdef LongBoard long_board
        cdef ShortBoard short_board
        cdef Py_ssize_t end
        cdef Batch* batch = &self.batch
        while first < last:
            end = min(first + ROWS_TO_VALUE, last)
            with nogil:
                if self.floats != NULL and batch.rules.game == GAME_LONG:
                    first = encode_rows(&long_board, batch, first, end, self.kind, self.floats)
                elif self.floats != NULL:
                    first = encode_rows(&short_board, batch, first, end, self.kind, self.floats)
                elif batch.rules.game == GAME_LONG:
                    first = encode_rows(&long_board, batch, first, end, self.kind, self.octets)
                else:
                    first = encode_rows(&short_board, batch, first, end, self.kind, self.octets)
            if first < end:
                raise bad_row(batch.rows + WIDTH * first, first, self.rules)
            go_on(&self.stopped)


def features(rows, kind, *, rules, dtype=np.float32, out=None, threads=1):
    """Write boards as inputs for a network; ``nardy.FEATURES[kind]`` names each of them.

    Parameters
    ----------
    rows : ndarray of int8, shape (m, 32), C-contiguous
        One board a row, as the side to roll sees it. Not modified.
    kind : "counts", "tesauro" or "long"
        Checkers on each point, on the bar and off (52 inputs, both games); the 198 inputs of
        TD-Gammon (both games; 196 without the last two, which say whose turn it is); or 168 inputs
        of long nardy, with runs, pips and timing (docs/networks.md).
    rules : Rules or str
    dtype : np.float32 or np.uint8
        uint8 for "counts" alone: the others have fractions.
    out : ndarray of that dtype, shape (k, inputs), C-contiguous, optional
        Where to write; k >= m. What is returned is ``out[:m]``.
    threads : int

    Returns
    -------
    ndarray of float32 or uint8, shape (m, inputs)
        Each side in its own numbering, the side to roll first.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Examples
    --------
    >>> start = nardy.Position.start("short").row[None]
    >>> inputs = features(start, "counts", rules="short", dtype=np.uint8)
    >>> [(nardy.FEATURES["counts"][k], int(inputs[0, k])) for k in np.flatnonzero(inputs[0])[:4]]
    [('own 6', 5), ('own 8', 3), ('own 13', 5), ('own 24', 2)]
    """
    cdef Encoding work = Encoding()
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}")
    dtype = np.dtype(dtype)
    if dtype not in ((np.float32, np.uint8) if kind == "counts" else (np.float32,)):
        wanted = "float32 or uint8" if kind == "counts" else "float32"
        raise ValueError(f"dtype must be {wanted} for {kind!r}, not {dtype}")
    work.open(rows, rules, threads)
    if kind == "long" and work.batch.rules.game != GAME_LONG:
        raise ValueError("kind 'long' is for long nardy, not for rules of short nardy")
    work.kind, width = _KINDS[kind]
    if out is None:
        found = np.empty((work.n, width), dtype)
    else:
        check_kind(
            out, "out", f"a C-contiguous NumPy array of {dtype}, shape (k, {width})", (dtype,)
        )
        if out.ndim != 2 or out.shape[1] != width or len(out) < work.n:
            raise ValueError(
                f"out: wanted shape (k, {width}), k >= {work.n}; got {out.shape}"
            )
        if not out.flags.writeable:
            raise ValueError("out: wanted a writable array; got a read-only one")
        refuse_overlap(out, rows)
        found = out[: work.n]
    work.kept = found
    if dtype == np.float32:
        work.floats = <float*> data_of(found)
    else:
        work.octets = <uint8_t*> data_of(found)
    run(work, work.encode, work.n, ROWS_A_PART)
    return found
