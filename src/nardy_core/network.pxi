# Values of boards by a small network. Included by nardy_core.pyx.

from nardy_core.network cimport (
    CHANCES, NETWORK_LINES, NETWORK_MOST, NETWORK_OUTPUTS, Network, value_rows,
)

cdef enum:
    ROWS_TO_VALUE = 8192       # rows between two looks for Ctrl-C: some 2 ms
    ROWS_A_PART = 512          # for a thread at least: 100 microseconds


cdef class Valuing(Work):
    """A call that values rows."""

    cdef Network network
    cdef object weights_held
    cdef float* values

    def value(self, Py_ssize_t first, Py_ssize_t last):
        """Write the values of the rows first .. last - 1."""
        cdef LongBoard long_board
        cdef ShortBoard short_board
        cdef Py_ssize_t end
        while first < last:
            end = min(first + ROWS_TO_VALUE, last)
            with nogil:
                if self.batch.rules.game == GAME_LONG:
                    first = value_rows(
                        &long_board, &self.batch, first, end, &self.network, self.values
                    )
                else:
                    first = value_rows(
                        &short_board, &self.batch, first, end, &self.network, self.values
                    )
            if first < end:
                raise bad_row(self.batch.rows + WIDTH * first, first, self.rules)
            go_on(&self.stopped)


cdef const float* weights_of(object array, str name, tuple shape) except NULL:
    check_kind(
        array, name, f"a C-contiguous NumPy array of float32, shape {shape}", (np.float32,)
    )
    if array.shape != shape:
        raise ValueError(f"{name}: wanted shape {shape}; got {array.shape}")
    return <const float*> data_of(array)


def network_values(rows, *, rules, table, bias, second, threads=1):
    """Value boards by a network with one hidden layer (``nardy.Network``).

    Parameters
    ----------
    rows : ndarray of int8, shape (m, 32), C-contiguous
        One board a row, as the side to roll sees it. Not modified.
    rules : Rules or str
    table : ndarray of float32, shape (808, units)
        Weights of the first layer: a line for each column of a row and each count in it (31 for
        each point, -15 first; then 16 each for own off, own bar, the opponent's off and bar). Lines
        of a count of 0 are not used.
    bias : ndarray of float32, shape (units,)
        Of the hidden units: a multiple of 32, at most 256.
    second : ndarray of float32, shape (units + 1, 8)
        Weights of the five outputs, one line a unit, and their bias last; three columns are room.
    threads : int
        Threads that share the rows; the result does not depend on it.

    Returns
    -------
    ndarray of float32, shape (m, 5)
        Chances of the side to roll: to win, to win mars, koks, to lose mars, koks; each includes
        the next. A game that is over has its outcome.

    Raises
    ------
    TypeError, ValueError, InvalidPosition
        As in :func:`after_states`.

    Notes
    -----
    Releases the GIL. The value of a row is the same to the last bit in every batch, width and
    number of threads.

    Examples
    --------
    >>> nothing = dict(
    ...     table=np.zeros((808, 32), np.float32),
    ...     bias=np.zeros(32, np.float32),
    ...     second=np.zeros((33, 8), np.float32),
    ... )
    >>> start = nardy.Position.start("short").row[None]
    >>> network_values(start, rules="short", **nothing)
    array([[0.5, 0.5, 0.5, 0.5, 0.5]], dtype=float32)
    """
    cdef Valuing work = Valuing()
    cdef int units
    work.open(rows, rules, threads)
    check_kind(bias, "bias", "a C-contiguous NumPy array of float32", (np.float32,))
    if bias.ndim != 1 or not 32 <= len(bias) <= NETWORK_MOST or len(bias) % 32:
        raise ValueError(f"bias: wanted 32, 64 .. {NETWORK_MOST} units; got shape {bias.shape}")
    units = len(bias)
    work.network.units = units
    work.network.bias = weights_of(bias, "bias", (units,))
    work.network.table = weights_of(table, "table", (NETWORK_LINES, units))
    work.network.second = weights_of(second, "second", (units + 1, NETWORK_OUTPUTS))
    work.weights_held = table, bias, second
    values = new_rows(work.n, CHANCES, NPY_FLOAT32)
    work.values, work.kept = <float*> data_of(values), values
    run(work, work.value, work.n, ROWS_A_PART)
    return values
