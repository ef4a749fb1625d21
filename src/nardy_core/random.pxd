# Chance: Philox 4x64-10 (Salmon et al. 2011), a pure function of key and counter. The stream of a
# game has the key (seed, number of the game); block `turn // 4`, word `turn % 4` serves the dice
# and the choice of that turn, so the answer is the same for any number of threads, chunks or
# machines, and one game can be replayed alone.
from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifndef NARDY_PHILOX
    #define NARDY_PHILOX
    #if defined(__SIZEOF_INT128__)
    #define NARDY_HIGH(a, b) ((uint64_t)(((unsigned __int128)(a) * (b)) >> 64))
    #else
    #define NARDY_HIGH(a, b) __umulh((a), (b))
    #endif
    #define NARDY_FACTOR_A UINT64_C(0xD2E7470EE14C6C93)
    #define NARDY_FACTOR_C UINT64_C(0xCA5A826395121157)
    #define NARDY_STEP_A UINT64_C(0x9E3779B97F4A7C15)
    #define NARDY_STEP_B UINT64_C(0xBB67AE8584CAA73B)
    #endif
    """
    const uint64_t FACTOR_A "NARDY_FACTOR_A"
    const uint64_t FACTOR_C "NARDY_FACTOR_C"
    const uint64_t STEP_A "NARDY_STEP_A"
    const uint64_t STEP_B "NARDY_STEP_B"
    uint64_t multiply_high "NARDY_HIGH" (uint64_t a, uint64_t b) noexcept nogil

ctypedef struct Stream:
    uint64_t[2] key
    uint64_t[4] words          # the block in hand
    int64_t block              # its number, -1 if none

cdef enum:
    ROUNDS = 10


cdef inline void philox(
    const uint64_t* key, uint64_t counter, uint64_t second, uint64_t* words
) noexcept nogil:
    """The block with this counter (its third and fourth words are 0)."""
    cdef uint64_t a = counter, b = second, c = 0, d = 0
    cdef uint64_t high_a, high_c, key_a = key[0], key_b = key[1]
    cdef int _
    for _ in range(ROUNDS):
        high_a = multiply_high(FACTOR_A, a)
        high_c = multiply_high(FACTOR_C, c)
        a, b, c, d = high_c ^ b ^ key_a, FACTOR_C * c, high_a ^ d ^ key_b, FACTOR_A * a
        key_a += STEP_A
        key_b += STEP_B
    words[0], words[1], words[2], words[3] = a, b, c, d


cdef inline void open_stream(Stream* stream, uint64_t seed, uint64_t game) noexcept nogil:
    stream.key[0] = seed
    stream.key[1] = game
    stream.block = -1


cdef inline uint64_t word_of_turn(Stream* stream, int64_t turn) noexcept nogil:
    """One block serves four turns: a block costs about 8 ns, as much as a quarter of a turn."""
    if stream.block != turn >> 2:
        stream.block = turn >> 2
        philox(stream.key, stream.block, 0, stream.words)
    return stream.words[turn & 3]


cdef inline uint64_t spare_word(const Stream* stream, int64_t turn, int n) noexcept nogil:
    """The n-th word that replaces the one of the turn: once in 10**9 turns, from counters no turn
    comes to."""
    cdef uint64_t[4] words
    philox(stream.key, (<uint64_t> 1 << 63) + <uint64_t> turn, n >> 2, words)
    return words[n & 3]


cdef inline bint fair(uint32_t part, uint32_t n, uint32_t* below) noexcept nogil:
    """A number below n from 32 random bits; false for the few bits that would favour some (Lemire
    2019)."""
    cdef uint64_t product = <uint64_t> part * n
    below[0] = product >> 32
    if <uint32_t> product >= n:
        return True
    return <uint32_t> product >= (0 - n) % n
