# What comes in: kinds, dtypes, shapes, numbers, and the errors that say what was wanted and what
# came. Included by nardy_core.pyx.

from libc.stdint cimport int8_t, int64_t, uint64_t

from nardy_core.batch cimport ALL_ROLLS, BAD_ROW, Batch
from nardy_core.bits cimport WIDTH
from nardy_core.rules cimport Rules, set_later_caps

from operator import index

import numpy as np

from nardy.board import Status, refuse, status_of_row
from nardy.options import PRESETS
from nardy.options import Rules as PythonRules
from nardy.options import rules as named_rules

# A look-up of our own: 90 ns less a call than named_rules.
cdef dict presets = {name: (chosen, chosen.codes) for name, chosen in PRESETS.items()}


cdef object read_rules(object rules, Rules* into):
    """Fill in the codes that shape play and score; the Rules themselves, if a name came."""
    cdef tuple codes, preset = presets.get(rules) if type(rules) is str else None
    if preset is not None:
        rules, codes = preset
    else:
        if type(rules) is not PythonRules:
            rules = named_rules(rules)
        codes = rules.codes
    into.game = codes[0]
    into.checkers = codes[1]
    into.doubles_moves = codes[2]
    into.head = codes[3]
    into.head_doubles = codes[4]
    into.head_side = codes[5]
    into.block = codes[6]
    into.block_check = codes[7]
    into.overshoot = codes[8]
    into.mandatory = codes[9]
    into.koks = codes[10]
    set_later_caps(into)
    return rules


cdef str wanted_array(str name, int columns, int kind):
    dtype = "int8" if kind == NPY_INT8 else "int16"
    return f"{name}: wanted a C-contiguous NumPy array of {dtype}, shape (n, {columns})"


cdef Py_ssize_t open_array(object array, str name, int columns, int kind=NPY_INT8) except -1:
    """Check kind, dtype, shape and order; how many rows there are. The caller holds the array as
    long as its memory is in use."""
    cdef PyArrayObject* a = <PyArrayObject*> array
    if not PyArray_CheckExact(array) and (
        not PyArray_Check(array) or isinstance(array, np.ma.MaskedArray)
    ):
        raise TypeError(f"{wanted_array(name, columns, kind)}; got {type(array).__name__}")
    if PyArray_TYPE(a) != kind or not PyArray_ISBEHAVED_RO(a):
        raise TypeError(f"{wanted_array(name, columns, kind)}; got dtype {array.dtype}")
    if PyArray_NDIM(a) != 2 or PyArray_DIM(a, 1) != columns:
        raise ValueError(f"{wanted_array(name, columns, kind)}; got shape {array.shape}")
    # The stride of an axis shorter than 2 means nothing.
    if PyArray_DIM(a, 0) and (
        PyArray_STRIDE(a, 1) != PyArray_ITEMSIZE(a)
        or (PyArray_DIM(a, 0) > 1 and PyArray_STRIDE(a, 0) != columns * PyArray_ITEMSIZE(a))
    ):
        raise ValueError(
            f"{wanted_array(name, columns, kind)}; got strides {array.strides}:"
            " numpy.ascontiguousarray makes a copy in that order"
        )
    return PyArray_DIM(a, 0)


cdef int refuse_overlap(object out, object source) except -1:
    """What is written must share no memory with what is read."""
    cdef char* to = <char*> data_of(out)
    cdef char* read = <char*> data_of(source)
    if to < read + PyArray_NBYTES(<PyArrayObject*> source) and (
        read < to + PyArray_NBYTES(<PyArrayObject*> out)
    ):
        raise ValueError("out: wanted memory of its own; got an array that overlaps an input")
    return 0


cdef object as_int(object value, str name, object low, object high):
    """An int of low..high (NumPy's too) and nothing that only looks like one."""
    if value is low:  # 1 thread, seed 0
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        value = index(value)
    except TypeError:
        raise TypeError(f"{name}: wanted an int {low}..{high}; got {value!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{name}: wanted an int {low}..{high}; got {value!r}")
    return value


cdef uint64_t as_key(object value, str name) except? 0:
    """A word of the key of a random stream."""
    return as_int(value, name, 0, 2**64 - 1)


cdef object bad_row(const int8_t* row, Py_ssize_t number, object rules):
    """The error for a row that is no board, with all that is wrong with it."""
    cdef list columns = [row[column] for column in range(WIDTH)]
    blocks = Status.OWN_BLOCK | Status.OPPONENT_BLOCK  # no business of a batch
    return refuse(
        status_of_row(columns, rules) & ~blocks, rules, f"rows: row {number} is {columns}"
    )


cdef object problem_of(const Batch* batch, Py_ssize_t pair, Py_ssize_t first, object rules):
    """The error that ended `fill` at this pair; the batch's row 0 is row `first` of the caller."""
    cdef Py_ssize_t i = pair if batch.rolls else pair // ALL_ROLLS
    if batch.problem == BAD_ROW:
        return bad_row(batch.rows + WIDTH * i, first + i, rules)
    return bad_roll(batch, pair, first + i)


cdef object bad_roll(const Batch* batch, Py_ssize_t pair, Py_ssize_t number):
    return ValueError(
        f"rolls: wanted two dice 1..6 in each row; got {batch.rolls[2 * pair]} and"
        f" {batch.rolls[2 * pair + 1]} in row {number}"
    )


cdef object too_small(int64_t needed, int64_t capacity):
    return ValueError(f"out: wanted at least {needed} rows for these after-states; got {capacity}")
