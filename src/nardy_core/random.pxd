# Chance: Philox 4x64-10 (Salmon et al. 2011), a pure function of key and counter. The stream of a
# game has the key (seed, number of the game); block `turn // 4`, word `turn % 4` serves the dice
# and the choice of that turn, so the answer is the same for any number of threads, chunks or
# machines, and one game can be replayed alone.
from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef NARDY_PHILOX
    #define NARDY_PHILOX
    #define NARDY_FACTOR_A UINT64_C(0xD2E7470EE14C6C93)
    #define NARDY_FACTOR_C UINT64_C(0xCA5A826395121157)
    #define NARDY_STEP_A UINT64_C(0x9E3779B97F4A7C15)
    #define NARDY_STEP_B UINT64_C(0xBB67AE8584CAA73B)
    /* The low half of the product, and the high one: in one multiplication. */
    static CYTHON_INLINE uint64_t nardy_multiply(uint64_t a, uint64_t b, uint64_t *high) {
    #if defined(__SIZEOF_INT128__)
        unsigned __int128 product = (unsigned __int128)a * b;
        *high = (uint64_t)(product >> 64);
        return (uint64_t)product;
    #else
        return _umul128(a, b, high);
    #endif
    }
    #endif
    """
    const uint64_t FACTOR_A "NARDY_FACTOR_A"
    const uint64_t FACTOR_C "NARDY_FACTOR_C"
    const uint64_t STEP_A "NARDY_STEP_A"
    const uint64_t STEP_B "NARDY_STEP_B"
    uint64_t multiply "nardy_multiply" (uint64_t a, uint64_t b, uint64_t* high) noexcept nogil

cdef enum:
    ROUNDS = 10

ctypedef struct Stream:
    uint64_t[ROUNDS] key_a     # of each round
    uint64_t[ROUNDS] key_b
    uint64_t[4] words          # the block in hand
    int64_t block              # its number, -1 if none


cdef inline void open_stream(Stream* stream, uint64_t seed, uint64_t game) noexcept nogil:
    cdef int k
    for k in range(ROUNDS):
        stream.key_a[k] = seed + <uint64_t> k * STEP_A
        stream.key_b[k] = game + <uint64_t> k * STEP_B
    stream.block = -1


cdef inline void philox(
    const Stream* stream, uint64_t counter, uint64_t second, uint64_t* words
) noexcept nogil:
    """The block with this counter (its third and fourth words are 0)."""
    cdef uint64_t a = counter, b = second, c = 0, d = 0
    cdef uint64_t high_a = 0, high_c = 0, low_a, low_c
    cdef int k
    for k in range(ROUNDS):
        low_a = multiply(FACTOR_A, a, &high_a)
        low_c = multiply(FACTOR_C, c, &high_c)
        a = high_c ^ b ^ stream.key_a[k]
        c = high_a ^ d ^ stream.key_b[k]
        b, d = low_c, low_a
    words[0], words[1], words[2], words[3] = a, b, c, d


cdef inline uint64_t word_of_turn(Stream* stream, int64_t turn) noexcept nogil:
    """One block serves four turns: 290 instructions a block, with the products' halves and the
    keys worked out once 110, where a turn takes 400."""
    if stream.block != turn >> 2:
        stream.block = turn >> 2
        philox(stream, stream.block, 0, stream.words)
    return stream.words[turn & 3]


cdef inline uint64_t spare_word(const Stream* stream, uint64_t counter, int n) noexcept nogil:
    """The n-th word that replaces the one of the turn: once in 10**9 turns, from the counter
    2**63 + turn, which no turn comes to."""
    cdef uint64_t[4] words
    philox(stream, counter, n >> 2, words)
    return words[n & 3]


cdef inline bint fair(uint32_t part, uint32_t n, uint32_t* below) noexcept nogil:
    """A number below n from 32 random bits; false for the few bits that would favour some (Lemire
    2019)."""
    cdef uint64_t product = <uint64_t> part * n
    below[0] = product >> 32
    if <uint32_t> product >= n:
        return True
    return <uint32_t> product >= (0 - n) % n
