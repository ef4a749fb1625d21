/* One row of 32 int8 in vector registers, and the bit tricks that go with it: all that the kernel needs of the
 * machine. Four forms of the same functions: AVX2 (NARDY_V3, set by widths.c), SSE2, NEON, and plain loops for the rest.
 *
 * Intrinsics throughout: gcc 12 compares generic vectors byte by byte on SSE2 (over 2x slower), and memcpy into a
 * vector struct is 6-7x slower on AVX2. Loads and stores are unaligned: NumPy promises 16 bytes at most.
 */
#ifndef NARDY_ROW_H
#define NARDY_ROW_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define NARDY_INLINE static __forceinline
#define NARDY_ALIGN64 __declspec(align(64))
NARDY_INLINE unsigned bit_lowest(uint32_t mask) { unsigned long i; _BitScanForward(&i, mask); return i; }
NARDY_INLINE int bit_highest(uint32_t mask) { unsigned long i; _BitScanReverse(&i, mask); return (int)i; }
NARDY_INLINE int bit_count(uint32_t mask) {
    mask -= (mask >> 1) & 0x55555555u;
    mask = (mask & 0x33333333u) + ((mask >> 2) & 0x33333333u);
    return (int)((((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
#else
#define NARDY_INLINE static inline __attribute__((always_inline, unused))
#define NARDY_ALIGN64 __attribute__((aligned(64)))
/* Both are undefined for 0: callers keep a bit in the mask. */
NARDY_INLINE unsigned bit_lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }
NARDY_INLINE int bit_highest(uint32_t mask) { return 31 - __builtin_clz(mask); }
NARDY_INLINE int bit_count(uint32_t mask) { return __builtin_popcount(mask); }
#endif

/* A condition that hardly ever holds: what it guards is kept out of the way of the rest, and out of its registers. */
#ifdef __has_builtin
#if __has_builtin(__builtin_expect_with_probability) /* gcc 10, clang 11 */
#define NARDY_NEVER(condition) __builtin_expect_with_probability(condition, 0, 1.0)
#endif
#endif
#ifndef NARDY_NEVER
#define NARDY_NEVER(condition) (condition)
#endif
NARDY_INLINE int rarely(int condition) { return (int)NARDY_NEVER(condition); }

/* bit_select: position of the n-th set bit, counted from 0; the mask has more than n of them.
 * bit_gather: the bits that stand where `mask` has some, moved together. bit_spread: bit k becomes byte k, 0 or 1.
 * byte_tops: how many bytes have their top bit set. The last three are worth it as single instructions only. */
#if defined(NARDY_V3)
#include <immintrin.h>
#define NARDY_GATHERS 1
NARDY_INLINE int bit_select(uint32_t mask, int n) { return __builtin_ctz(_pdep_u32(1u << n, mask)); }
NARDY_INLINE uint32_t bit_gather(uint32_t bits, uint32_t mask) { return _pext_u32(bits, mask); }
NARDY_INLINE uint64_t bit_spread(uint32_t bits) { return _pdep_u64(bits, UINT64_C(0x0101010101010101)); }
NARDY_INLINE int byte_tops(uint64_t bytes) { return __builtin_popcountll(bytes & UINT64_C(0x8080808080808080)); }
#else
#define NARDY_GATHERS 0
NARDY_INLINE uint32_t bit_gather(uint32_t bits, uint32_t mask) { (void)mask; return bits; }
NARDY_INLINE uint64_t bit_spread(uint32_t bits) { return bits; }
NARDY_INLINE int byte_tops(uint64_t bytes) { return (int)bytes; }
NARDY_INLINE int bit_select(uint32_t mask, int n) {
    for (; n > 0; n--) mask &= mask - 1;
    return bit_lowest(mask);
}
#endif

/* Handing a row over: where each column comes from and with which sign. Point p of the mover is point 25 - p (short)
 * or p +- 12 (long) of the other side, whose checkers count negative; 0 <-> 26 (off), 25 <-> 27 (bar). 128: nothing. */
#define NARDY_Z 128
#define NARDY_HANDED_LONG \
    26, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 1, 2, 3, \
    4, 5, 6, 7, 8, 9, 10, 11, 12, 27, 0, 25, NARDY_Z, NARDY_Z, NARDY_Z, NARDY_Z
#define NARDY_HANDED_SHORT \
    26, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, \
    9, 8, 7, 6, 5, 4, 3, 2, 1, 27, 0, 25, NARDY_Z, NARDY_Z, NARDY_Z, NARDY_Z
#define NARDY_HANDED_SIGN \
    1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, \
    -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 0, 0, 0, 0

#if defined(NARDY_V3)
/* ------------------------------------------------------------------------------------------------ AVX2 + BMI2 */
typedef __m256i row_t;

NARDY_INLINE row_t row_load(const int8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
NARDY_INLINE void row_store(int8_t *p, row_t r) { _mm256_storeu_si256((__m256i *)p, r); }
NARDY_INLINE row_t row_add(row_t a, row_t b) { return _mm256_add_epi8(a, b); }
/* Bit c of the result: column c is above (below) the limit. */
NARDY_INLINE uint32_t row_above(row_t r, int limit) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(r, _mm256_set1_epi8((char)limit)));
}
NARDY_INLINE uint32_t row_below(row_t r, int limit) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_set1_epi8((char)limit), r));
}
/* Sum of the columns above 0 in the low half, sum of all sizes in the high half. */
NARDY_INLINE uint64_t row_sums(row_t r) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i up = _mm256_sad_epu8(_mm256_max_epi8(r, zero), zero);
    __m256i all = _mm256_slli_epi64(_mm256_sad_epu8(_mm256_abs_epi8(r), zero), 32);
    __m256i four = _mm256_or_si256(up, all);
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}
/* pshufb stays within 128 bits: take each column from its own half or from the other one, then join. */
NARDY_INLINE row_t row_hand_over(row_t r, const uint8_t *from) {
    static const int8_t sign[32] = {NARDY_HANDED_SIGN};
    const __m256i index = _mm256_loadu_si256((const __m256i *)from);
    const __m256i half = _mm256_setr_epi64x(0, 0, 0x1010101010101010, 0x1010101010101010);
    /* 0..15 within the wanted half, else the top bit is set and pshufb gives 0 */
    __m256i own = _mm256_xor_si256(index, half);
    __m256i other = _mm256_xor_si256(own, _mm256_set1_epi8(0x10));
    own = _mm256_or_si256(own, _mm256_cmpgt_epi8(own, _mm256_set1_epi8(15)));
    other = _mm256_or_si256(other, _mm256_cmpgt_epi8(other, _mm256_set1_epi8(15)));
    __m256i swapped = _mm256_permute2x128_si256(r, r, 1);
    __m256i joined = _mm256_or_si256(_mm256_shuffle_epi8(r, own), _mm256_shuffle_epi8(swapped, other));
    return _mm256_sign_epi8(joined, _mm256_loadu_si256((const __m256i *)sign));
}
NARDY_INLINE row_t row_flip_long(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_LONG};
    return row_hand_over(row_load(p), from);
}
NARDY_INLINE row_t row_flip_short(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_SHORT};
    return row_hand_over(row_load(p), from);
}

#elif defined(__SSE2__) || defined(_M_X64)
/* ------------------------------------------------------------------------------------------- plain x86-64: SSE2 */
#include <emmintrin.h>
typedef struct { __m128i lo, hi; } row_t;

NARDY_INLINE row_t row_load(const int8_t *p) {
    row_t r = {_mm_loadu_si128((const __m128i *)p), _mm_loadu_si128((const __m128i *)(p + 16))};
    return r;
}
NARDY_INLINE void row_store(int8_t *p, row_t r) {
    _mm_storeu_si128((__m128i *)p, r.lo);
    _mm_storeu_si128((__m128i *)(p + 16), r.hi);
}
NARDY_INLINE row_t row_add(row_t a, row_t b) {
    row_t r = {_mm_add_epi8(a.lo, b.lo), _mm_add_epi8(a.hi, b.hi)};
    return r;
}
NARDY_INLINE uint32_t row_join(__m128i lo, __m128i hi) {
    return (uint32_t)_mm_movemask_epi8(lo) | ((uint32_t)_mm_movemask_epi8(hi) << 16);
}
NARDY_INLINE uint32_t row_above(row_t r, int limit) {
    const __m128i than = _mm_set1_epi8((char)limit);
    return row_join(_mm_cmpgt_epi8(r.lo, than), _mm_cmpgt_epi8(r.hi, than));
}
NARDY_INLINE uint32_t row_below(row_t r, int limit) {
    const __m128i than = _mm_set1_epi8((char)limit);
    return row_join(_mm_cmplt_epi8(r.lo, than), _mm_cmplt_epi8(r.hi, than));
}
NARDY_INLINE __m128i row_half_sums(__m128i h) {
    const __m128i zero = _mm_setzero_si128();
    __m128i below = _mm_cmplt_epi8(h, zero);
    __m128i up = _mm_sad_epu8(_mm_andnot_si128(below, h), zero);
    __m128i all = _mm_sad_epu8(_mm_sub_epi8(_mm_xor_si128(h, below), below), zero);
    return _mm_or_si128(up, _mm_slli_epi64(all, 32));
}
NARDY_INLINE uint64_t row_sums(row_t r) {
    __m128i two = _mm_add_epi64(row_half_sums(r.lo), row_half_sums(r.hi));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}
/* SSE2 cannot shuffle bytes: the points come from loads at other addresses, off and bar one by one. */
NARDY_INLINE row_t row_handed(__m128i lo, __m128i hi, const int8_t *p) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i lo_points = _mm_setr_epi8(0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i hi_points = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0);
    uint32_t rest = (uint32_t)(uint8_t)p[27] | (uint32_t)(uint8_t)p[0] << 8 | (uint32_t)(uint8_t)p[25] << 16;
    row_t r;
    r.lo = _mm_or_si128(_mm_and_si128(_mm_sub_epi8(zero, lo), lo_points), _mm_cvtsi32_si128((uint8_t)p[26]));
    r.hi = _mm_or_si128(_mm_and_si128(_mm_sub_epi8(zero, hi), hi_points), _mm_set_epi64x((int64_t)rest << 8, 0));
    return r;
}
NARDY_INLINE __m128i row_reversed(__m128i h) {
    h = _mm_or_si128(_mm_slli_epi16(h, 8), _mm_srli_epi16(h, 8));
    h = _mm_shufflehi_epi16(_mm_shufflelo_epi16(h, 0x1b), 0x1b);
    return _mm_shuffle_epi32(h, 0x4e);
}
NARDY_INLINE row_t row_flip_long(const int8_t *p) {
    const __m128i first = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0);
    __m128i far_half = _mm_loadu_si128((const __m128i *)(p + 12)); /* column c: p[c + 12], right for 1..12 */
    __m128i head_end = _mm_slli_si128(_mm_loadu_si128((const __m128i *)p), 12); /* p[c - 12], right for 13..15 */
    __m128i lo = _mm_or_si128(_mm_and_si128(far_half, first), _mm_andnot_si128(first, head_end));
    return row_handed(lo, _mm_loadu_si128((const __m128i *)(p + 4)), p);
}
NARDY_INLINE row_t row_flip_short(const int8_t *p) {
    __m128i lo = row_reversed(_mm_loadu_si128((const __m128i *)(p + 10)));
    __m128i hi = _mm_srli_si128(row_reversed(_mm_loadu_si128((const __m128i *)p)), 6);
    return row_handed(lo, hi, p);
}

#elif defined(__ARM_NEON) && defined(__aarch64__)
/* ---------------------------------------------------------------------------------------------- aarch64: NEON */
#include <arm_neon.h>
typedef struct { int8x16_t lo, hi; } row_t;

NARDY_INLINE row_t row_load(const int8_t *p) {
    row_t r = {vld1q_s8(p), vld1q_s8(p + 16)};
    return r;
}
NARDY_INLINE void row_store(int8_t *p, row_t r) {
    vst1q_s8(p, r.lo);
    vst1q_s8(p + 16, r.hi);
}
NARDY_INLINE row_t row_add(row_t a, row_t b) {
    row_t r = {vaddq_s8(a.lo, b.lo), vaddq_s8(a.hi, b.hi)};
    return r;
}
/* NEON has no movemask: weigh each byte with its bit, then add neighbours three times. */
NARDY_INLINE uint32_t row_join(uint8x16_t lo, uint8x16_t hi) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t weight = vld1q_u8(weights);
    uint8x16_t sum = vpaddq_u8(vandq_u8(lo, weight), vandq_u8(hi, weight));
    sum = vpaddq_u8(sum, sum);
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}
NARDY_INLINE uint32_t row_above(row_t r, int limit) {
    int8x16_t than = vdupq_n_s8((int8_t)limit);
    return row_join(vcgtq_s8(r.lo, than), vcgtq_s8(r.hi, than));
}
NARDY_INLINE uint32_t row_below(row_t r, int limit) {
    int8x16_t than = vdupq_n_s8((int8_t)limit);
    return row_join(vcltq_s8(r.lo, than), vcltq_s8(r.hi, than));
}
NARDY_INLINE uint64_t row_sums(row_t r) {
    int8x16_t zero = vdupq_n_s8(0);
    uint64_t up = (uint64_t)vaddlvq_s8(vmaxq_s8(r.lo, zero)) + (uint64_t)vaddlvq_s8(vmaxq_s8(r.hi, zero));
    uint64_t all = (uint64_t)vaddlvq_u8(vreinterpretq_u8_s8(vabsq_s8(r.lo))) +
                   (uint64_t)vaddlvq_u8(vreinterpretq_u8_s8(vabsq_s8(r.hi)));
    return up | all << 32;
}
NARDY_INLINE row_t row_hand_over(const int8_t *p, const uint8_t *from) {
    static const int8_t sign[32] = {NARDY_HANDED_SIGN};
    int8x16x2_t both = {{vld1q_s8(p), vld1q_s8(p + 16)}};
    row_t r = {vmulq_s8(vqtbl2q_s8(both, vld1q_u8(from)), vld1q_s8(sign)),
               vmulq_s8(vqtbl2q_s8(both, vld1q_u8(from + 16)), vld1q_s8(sign + 16))};
    return r;
}
NARDY_INLINE row_t row_flip_long(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_LONG};
    return row_hand_over(p, from);
}
NARDY_INLINE row_t row_flip_short(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_SHORT};
    return row_hand_over(p, from);
}

#else
/* -------------------------------------------------------------------------------------- any other: plain loops */
typedef struct { int8_t column[32]; } row_t;

NARDY_INLINE row_t row_load(const int8_t *p) { row_t r; memcpy(r.column, p, 32); return r; }
NARDY_INLINE void row_store(int8_t *p, row_t r) { memcpy(p, r.column, 32); }
NARDY_INLINE row_t row_add(row_t a, row_t b) {
    for (int c = 0; c < 32; c++) a.column[c] = (int8_t)(a.column[c] + b.column[c]);
    return a;
}
NARDY_INLINE uint32_t row_above(row_t r, int limit) {
    uint32_t mask = 0;
    for (int c = 0; c < 32; c++) mask |= (uint32_t)(r.column[c] > limit) << c;
    return mask;
}
NARDY_INLINE uint32_t row_below(row_t r, int limit) {
    uint32_t mask = 0;
    for (int c = 0; c < 32; c++) mask |= (uint32_t)(r.column[c] < limit) << c;
    return mask;
}
NARDY_INLINE uint64_t row_sums(row_t r) {
    uint64_t up = 0, all = 0;
    for (int c = 0; c < 32; c++) {
        up += (uint64_t)(r.column[c] > 0 ? r.column[c] : 0);
        all += (uint64_t)(r.column[c] < 0 ? -r.column[c] : r.column[c]);
    }
    return up | all << 32;
}
NARDY_INLINE row_t row_hand_over(const int8_t *p, const uint8_t *from) {
    static const int8_t sign[32] = {NARDY_HANDED_SIGN};
    row_t r;
    for (int c = 0; c < 32; c++) r.column[c] = (int8_t)(from[c] == NARDY_Z ? 0 : sign[c] * p[from[c]]);
    return r;
}
NARDY_INLINE row_t row_flip_long(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_LONG};
    return row_hand_over(p, from);
}
NARDY_INLINE row_t row_flip_short(const int8_t *p) {
    static const uint8_t from[32] = {NARDY_HANDED_SHORT};
    return row_hand_over(p, from);
}
#endif

/* Copy rows to memory that is not read soon, past the cache: to fetch each line only to overwrite it costs 15 % of a
 * copy of 80 MB. */
NARDY_INLINE void rows_stream(int8_t *to, const int8_t *from, size_t bytes)
{
#if defined(__SSE2__) || defined(_M_X64)
    if (((uintptr_t)to & 15) == 0) {
        for (size_t i = 0; i < bytes; i += 16)
            _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
        _mm_sfence();
        return;
    }
#endif
    memcpy(to, from, bytes);
}

/* What moving one checker adds to the row that is handed over; filled once when the module loads (deltas.pxd).
 * [game][die][origin] and [game][point of a hit]. Origins above 25 exist so that a scan may run past its last bit.
 * Aligned to a cache line: left to chance, this cost 243 -> 175 M after-states/s. */
static NARDY_ALIGN64 int8_t nardy_moved[2][7][32][32];
static NARDY_ALIGN64 int8_t nardy_hit[32][32];

#endif
