# Ending long work early: the caller's flag, and Ctrl-C.

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef inline int look_around(const int* stop) except -1 with gil:
    PyErr_CheckSignals()
    if stop[0]:
        raise InterruptedError("another thread of the same call has failed or was interrupted")
    return 0


cdef inline int go_on(const int* stop) except -1 nogil:
    """Raise KeyboardInterrupt on Ctrl-C, InterruptedError if another thread has ended the call."""
    return look_around(stop)
