"""The boundary between Python and the kernel."""

from libc.stdint cimport int8_t

from nardy_core.board cimport own_points


cdef extern from "build.h":
    const char* NARDY_WIDTH_NAME
    const char* NARDY_COMPILER


cdef extern from *:
    const char* NARDY_VERSION  # a macro that setup.py defines from pyproject.toml


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


def points_held(const int8_t[::1] row):
    """Give the own points of a row as a bit mask.

    Examples
    --------
    >>> import numpy as np
    >>> bin(points_held(np.array([0, 3, 0, 1] + 28 * [0], np.int8)))
    '0b1010'
    """
    if row.shape[0] != 32:
        raise ValueError(f"row must have 32 columns, not {row.shape[0]}")
    return own_points(&row[0])
