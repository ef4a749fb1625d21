/* Four doubles side by side: AVX (NARDY_V3, set by widths.c), SSE2, and plain loops for the rest. No fused
 * multiply-add anywhere, so every width gives the same bits. Loads and stores are unaligned, as in row.h. */
#ifndef NARDY_FOURS_H
#define NARDY_FOURS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "row.h"

#if defined(NARDY_V3)
typedef __m256d four_t;
NARDY_INLINE four_t four_load(const double *p) { return _mm256_loadu_pd(p); }
NARDY_INLINE void four_store(double *p, four_t x) { _mm256_storeu_pd(p, x); }
NARDY_INLINE four_t four_all(double x) { return _mm256_set1_pd(x); }
NARDY_INLINE four_t four_min(four_t x, four_t y) { return _mm256_min_pd(x, y); }
NARDY_INLINE four_t four_add(four_t x, four_t y) { return _mm256_add_pd(x, y); }
NARDY_INLINE four_t four_divide(four_t x, four_t y) { return _mm256_div_pd(x, y); }
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
typedef struct { __m128d low, high; } four_t;
NARDY_INLINE four_t four_load(const double *p) {
    four_t x; x.low = _mm_loadu_pd(p); x.high = _mm_loadu_pd(p + 2); return x;
}
NARDY_INLINE void four_store(double *p, four_t x) { _mm_storeu_pd(p, x.low); _mm_storeu_pd(p + 2, x.high); }
NARDY_INLINE four_t four_all(double x) { four_t y; y.low = y.high = _mm_set1_pd(x); return y; }
NARDY_INLINE four_t four_min(four_t x, four_t y) {
    x.low = _mm_min_pd(x.low, y.low); x.high = _mm_min_pd(x.high, y.high); return x;
}
NARDY_INLINE four_t four_add(four_t x, four_t y) {
    x.low = _mm_add_pd(x.low, y.low); x.high = _mm_add_pd(x.high, y.high); return x;
}
NARDY_INLINE four_t four_divide(four_t x, four_t y) {
    x.low = _mm_div_pd(x.low, y.low); x.high = _mm_div_pd(x.high, y.high); return x;
}
#else
typedef struct { double lane[4]; } four_t;
NARDY_INLINE four_t four_load(const double *p) { four_t x; memcpy(x.lane, p, sizeof x.lane); return x; }
NARDY_INLINE void four_store(double *p, four_t x) { memcpy(p, x.lane, sizeof x.lane); }
NARDY_INLINE four_t four_all(double x) { four_t y; for (int k = 0; k < 4; k++) y.lane[k] = x; return y; }
NARDY_INLINE four_t four_min(four_t x, four_t y) {
    for (int k = 0; k < 4; k++) x.lane[k] = x.lane[k] < y.lane[k] ? x.lane[k] : y.lane[k];
    return x;
}
NARDY_INLINE four_t four_add(four_t x, four_t y) {
    for (int k = 0; k < 4; k++) x.lane[k] += y.lane[k];
    return x;
}
NARDY_INLINE four_t four_divide(four_t x, four_t y) {
    for (int k = 0; k < 4; k++) x.lane[k] /= y.lane[k];
    return x;
}
#endif

/* --- keys: a mean and an index in one double ----------------------------------------------------
 *
 *     bit   62 .. 56           55 .. 22                 21 .. 0
 *           whole rolls        the rest, in 2**-34      index of the placement
 *
 * Doubles above 0 are ordered as their bits, so the lower of two keys has the lower mean, and of
 * equal means the lower index: a minimum of doubles brings both. Means that the rounding makes equal
 * (6e-11) are equal; true ties differ by 1e-14 at most, and other placements are not that near.
 * Every mean but that of the finished placement (key 0) is 1 or more: no key is denormal. */
enum { KEY_INDEX_BITS = 22, KEY_FRACTION_BITS = 34 };
NARDY_INLINE double key_of(double mean, uint32_t index) {
    uint64_t bits = (uint64_t)(mean * (double)(UINT64_C(1) << KEY_FRACTION_BITS) + 0.5) << KEY_INDEX_BITS | index;
    double key;
    memcpy(&key, &bits, sizeof key);
    return key;
}
NARDY_INLINE uint32_t key_index(double key) {
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return (uint32_t)bits & ((UINT32_C(1) << KEY_INDEX_BITS) - 1);
}

/* Columnwise minimum of `n` of the `rows` of 20 doubles: five registers all the way. */
NARDY_INLINE void keys_lowest(double *to, const double *rows, const uint32_t *which, int n) {
    const double *row;
    four_t a, b, c, d, e;
    a = b = c = d = e = four_all(HUGE_VAL);
    for (int i = 0; i < n; i++) {
        row = rows + (size_t)20 * which[i];
        a = four_min(a, four_load(row));
        b = four_min(b, four_load(row + 4));
        c = four_min(c, four_load(row + 8));
        d = four_min(d, four_load(row + 12));
        e = four_min(e, four_load(row + 16));
    }
    four_store(to, a);
    four_store(to + 4, b);
    four_store(to + 8, c);
    four_store(to + 12, d);
    four_store(to + 16, e);
}

/* to[k] = 0 wherever key k of the row can be reached: not infinite. */
NARDY_INLINE void keys_done(double *to, const double *row) {
    for (int k = 0; k < 20; k++) to[k] = row[k] < HUGE_VAL ? 0 : to[k];
}

/* Columns k .. k + 7 of the rows at twos[0 .. m - 1], twice, and of those at ones[0 .. n - 1], added up, over 36. A sum
 * of 21 rows stays in registers; to add row by row to memory took five times the instructions. */
NARDY_INLINE void mean_of_rows(double *to, const double **twos, int m, const double **ones, int n, int k) {
    four_t low = four_all(0), high = four_all(0);
    for (int i = 0; i < m; i++) {
        low = four_add(low, four_load(twos[i] + k));
        high = four_add(high, four_load(twos[i] + k + 4));
    }
    low = four_add(low, low);
    high = four_add(high, high);
    for (int i = 0; i < n; i++) {
        low = four_add(low, four_load(ones[i] + k));
        high = four_add(high, four_load(ones[i] + k + 4));
    }
    four_store(to, four_divide(low, four_all(36)));
    four_store(to + 4, four_divide(high, four_all(36)));
}

#endif
