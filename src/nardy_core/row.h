/* A row of 32 int8 as one vector. */
#ifndef NARDY_ROW_H
#define NARDY_ROW_H

#include <stdint.h>

#ifdef NARDY_V3 /* set by widths.c; never ask for __AVX2__ alone */
#include <immintrin.h>

static inline uint32_t row_above(const int8_t *row, int8_t limit)
{
    __m256i columns = _mm256_loadu_si256((const __m256i *)row);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(columns, _mm256_set1_epi8(limit)));
}

#else

static inline uint32_t row_above(const int8_t *row, int8_t limit)
{
    uint32_t mask = 0;
    for (int column = 0; column < 32; column++)
        mask |= (uint32_t)(row[column] > limit) << column;
    return mask;
}

#endif

#endif
