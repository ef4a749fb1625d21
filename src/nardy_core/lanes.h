/* Several 32-bit masks side by side: what is asked of one roll is asked of LANES rolls at once.
 *
 * A lanes_t is used with C's own operators, so that one text of a rule (a function on the fused type `Mask`) serves one
 * roll and several. gcc and clang bring their vectors to any processor; elsewhere there is one lane.
 */
#ifndef NARDY_LANES_H
#define NARDY_LANES_H

#include "row.h"

#if defined(NARDY_V3)
#define LANES 8
#elif defined(__GNUC__)
#define LANES 4
#else
#define LANES 1
#endif

#if LANES > 1
typedef uint32_t lanes_t __attribute__((vector_size(4 * LANES)));
#else
typedef uint32_t lanes_t;
#endif

/* Not by memcpy into a vector: that goes through memory. */
NARDY_INLINE lanes_t lanes_load(const uint32_t *p) {
#if defined(NARDY_V3)
    return (lanes_t)_mm256_loadu_si256((const __m256i *)p);
#else
    lanes_t lanes;
    memcpy(&lanes, p, sizeof lanes);
    return lanes;
#endif
}
NARDY_INLINE void lanes_store(uint32_t *p, lanes_t lanes) { memcpy(p, &lanes, sizeof lanes); }

/* The same mask in every lane. */
NARDY_INLINE lanes_t lanes_of(uint32_t mask) {
#if LANES > 1
    return mask - (lanes_t){0};
#else
    return mask;
#endif
}

/* Bits of each lane. */
NARDY_INLINE lanes_t lanes_count(lanes_t lanes) {
#if defined(NARDY_V3)
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bits = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    __m256i low = _mm256_and_si256((__m256i)lanes, nibble);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)lanes, 4), nibble);
    __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(bits, low), _mm256_shuffle_epi8(bits, high));
    __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
    return (lanes_t)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
#else
    lanes -= (lanes >> 1) & 0x55555555u;
    lanes = (lanes & 0x33333333u) + ((lanes >> 2) & 0x33333333u);
    lanes = (lanes + (lanes >> 4)) & 0x0f0f0f0fu;
    lanes += lanes >> 8;
    return (lanes + (lanes >> 16)) & 0x3fu;
#endif
}

/* Bit k: lane k is 0. */
NARDY_INLINE uint32_t lanes_zero(lanes_t lanes) {
#if defined(NARDY_V3)
    __m256i zero = _mm256_cmpeq_epi32((__m256i)lanes, _mm256_setzero_si256());
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero));
#else
    uint32_t each[LANES], mask = 0;
    lanes_store(each, lanes);
    for (int k = 0; k < LANES; k++) mask |= (uint32_t)(each[k] == 0) << k;
    return mask;
#endif
}

/* `lanes` where `asked` is 0, and 0 elsewhere. */
NARDY_INLINE lanes_t lanes_where_zero(lanes_t asked, lanes_t lanes) {
#if LANES > 1
    return lanes & (lanes_t)(asked == 0);
#else
    return asked ? 0 : lanes;
#endif
}

#endif
