# Vector and bit primitives of row.h, and the masks of columns. No rule of a game, no knowledge of
# boards.
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

cdef extern from "row.h" nogil:
    ctypedef struct row_t:
        pass
    row_t row_load(const int8_t* p) noexcept
    void row_store(int8_t* p, row_t r) noexcept
    row_t row_add(row_t a, row_t b) noexcept
    uint32_t row_above(row_t r, int limit) noexcept
    uint32_t row_below(row_t r, int limit) noexcept
    uint64_t row_sums(row_t r) noexcept
    row_t row_flip_long(const int8_t* p) noexcept
    row_t row_flip_short(const int8_t* p) noexcept
    bint rarely(bint condition) noexcept
    unsigned int bit_lowest(uint32_t mask) noexcept
    int bit_highest(uint32_t mask) noexcept
    int bit_count(uint32_t mask) noexcept
    int bit_select(uint32_t mask, int n) noexcept
    const bint NARDY_GATHERS   # the next three do what they say: not in every width
    uint32_t bit_gather(uint32_t bits, uint32_t mask) noexcept
    uint64_t bit_spread(uint32_t bits) noexcept
    int byte_tops(uint64_t bytes) noexcept
    void rows_stream(int8_t* to, const int8_t* source, size_t size) noexcept
    int8_t[2][7][32][32] nardy_moved
    int8_t[32][32] nardy_hit

# Columns of a row (docs/architecture.md) and masks with one bit a column.
cdef enum:
    OFF = 0
    HEAD = 24
    BAR = 25
    THEIR_OFF = 26
    THEIR_BAR = 27
    WIDTH = 32                 # columns, and bytes, of a row
    POINTS = 0x01FFFFFE        # bits 1..24
    HOME = 0x0000007E          # bits 1..6
    OUTSIDE = 0x01FFFF80       # bits 7..24
    HEAD_BIT = 0x01000000
    ORIGINS = 0x03FFFFFE       # the points and the bar
    GUARD = 0xFC000000         # six bits above every origin: a scan for lowest bits never meets 0
