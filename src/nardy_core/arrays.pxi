# NumPy arrays by NumPy's own C interface: as much of it as the boundary needs, declared here
# (docs/decisions/0012: of 8,700 instructions a call with one position, the buffer protocol and
# `np.empty` were 4,200). Included by nardy_core.pyx.

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArrayObject:
        pass
    enum:
        NPY_INT8
        NPY_INT16
        NPY_INT32
        NPY_INT64
        NPY_UINT64
        NPY_FLOAT32
    int _import_array() except -1
    bint PyArray_Check(object array)
    bint PyArray_CheckExact(object array)
    int PyArray_TYPE(PyArrayObject* array)
    int PyArray_NDIM(PyArrayObject* array)
    Py_ssize_t PyArray_DIM(PyArrayObject* array, int axis)
    Py_ssize_t PyArray_STRIDE(PyArrayObject* array, int axis)
    Py_ssize_t PyArray_ITEMSIZE(PyArrayObject* array)
    Py_ssize_t PyArray_NBYTES(PyArrayObject* array)
    void* PyArray_DATA(PyArrayObject* array)
    bint PyArray_ISBEHAVED_RO(PyArrayObject* array)    # aligned, and in the machine's byte order
    bint PyArray_ISWRITEABLE(PyArrayObject* array)
    object PyArray_SimpleNew(int dimensions, Py_ssize_t* shape, int kind)

_import_array()


cdef inline void* data_of(object array) noexcept:
    """Address of an array's memory; the array keeps it."""
    return PyArray_DATA(<PyArrayObject*> array)


cdef inline object new_line(Py_ssize_t n, int kind):
    """An array of shape (n,), not filled; `kind` is its dtype: NPY_INT8 and so on."""
    return PyArray_SimpleNew(1, &n, kind)


cdef inline object new_rows(Py_ssize_t rows, Py_ssize_t columns, int kind):
    """An array of shape (rows, columns), not filled."""
    cdef Py_ssize_t[2] shape
    shape[0], shape[1] = rows, columns
    return PyArray_SimpleNew(2, shape, kind)
