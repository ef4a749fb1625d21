# Ending long work early: the caller's flag, and Ctrl-C.

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef inline int look_for_signals() except -1 with gil:
    return PyErr_CheckSignals()


cdef inline int stopped(const int* stop) except -1 nogil:
    """Raise KeyboardInterrupt on Ctrl-C; 1 if another thread asked to stop."""
    look_for_signals()
    return stop[0]
