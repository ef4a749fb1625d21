# Lanes: masks of several rolls at once, and the type that makes one text of a rule serve both.
from libc.stdint cimport uint32_t

from nardy_core.bits cimport bit_count

cdef extern from "lanes.h" nogil:
    const int LANES
    # Wider than any mask, so that what a mask and a lane make is a lane; C knows what it is.
    ctypedef unsigned long long lanes_t
    lanes_t lanes_load(const uint32_t* p) noexcept
    void lanes_store(uint32_t* p, lanes_t lanes) noexcept
    lanes_t lanes_of(uint32_t mask) noexcept
    lanes_t lanes_count(lanes_t lanes) noexcept
    uint32_t lanes_zero(lanes_t lanes) noexcept
    lanes_t lanes_where_zero(lanes_t asked, lanes_t lanes) noexcept

# The masks of one roll, or of as many as there are lanes.
ctypedef fused Mask:
    uint32_t
    lanes_t


cdef inline Mask count_of(Mask mask) noexcept nogil:
    """Bits of a mask."""
    if Mask is lanes_t:
        return lanes_count(mask)
    else:
        return bit_count(mask)
