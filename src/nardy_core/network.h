/* The values of one board by a small network: eight floats side by side, the same bits on every machine.
 *
 * A sum has a fixed order, products are rounded before they are added (setup.py: -ffp-contract=off), and the exponential is
 * our own: so the value of a row depends on nothing but the row and the weights.
 *
 * The first layer is a table: for each column of a row and each count in it one line of weights; lines are added up instead
 * of multiplied, as networks in chess do. A count of 0 adds nothing (what it weighs is in the bias), so 12 lines or so are
 * added for a board, where a product with the 808 inputs takes eight times as long (`make bench`; docs/networks.md).
 */
#ifndef NARDY_NETWORK_H
#define NARDY_NETWORK_H

#include <stddef.h>

#include "row.h"

#define NETWORK_POINTS 24                 /* columns 1..24: counts -15..15 */
#define NETWORK_COUNTS 31
#define NETWORK_OFF (NETWORK_POINTS * NETWORK_COUNTS)    /* then 0..15 own off, own bar, their off, their bar */
#define NETWORK_LINES (NETWORK_OFF + 4 * 16)
#define NETWORK_OUTPUTS 8                 /* five, and room for a vector */
#define NETWORK_MOST 256                  /* hidden units */

#if defined(__GNUC__)
typedef float eight_t __attribute__((vector_size(32)));
typedef float eight_at __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t eight_int __attribute__((vector_size(32)));
NARDY_INLINE eight_t eight_load(const float *p) { return (eight_t)*(const eight_at *)p; }
NARDY_INLINE void eight_store(float *p, eight_t x) { *(eight_at *)p = (eight_at)x; }
NARDY_INLINE eight_t eight_all(float x) { return (eight_t){x, x, x, x, x, x, x, x}; }
NARDY_INLINE eight_t eight_add(eight_t x, eight_t y) { return x + y; }
NARDY_INLINE eight_t eight_times(eight_t x, eight_t y) { return x * y; }
NARDY_INLINE eight_t eight_over(eight_t x, eight_t y) { return x / y; }
/* Where x > y, else 0 bits. */
NARDY_INLINE eight_t eight_where(eight_t x, eight_t y, eight_t value) {
    return (eight_t)((eight_int)value & (eight_int)(x > y));
}
NARDY_INLINE eight_t eight_lesser(eight_t x, eight_t y) {
    eight_int less = (eight_int)(x < y);
    return (eight_t)(((eight_int)x & less) | ((eight_int)y & ~less));
}
/* 2 to the power of whole numbers -126..127 that stand in the low bits of floats from 1.5 * 2**23 on. */
NARDY_INLINE eight_t eight_power(eight_t magic) {
    return (eight_t)(((eight_int)magic + (eight_int){127, 127, 127, 127, 127, 127, 127, 127}) << 23);
}
#else
typedef struct { float lane[8]; } eight_t;
NARDY_INLINE eight_t eight_load(const float *p) { eight_t x; memcpy(x.lane, p, sizeof x.lane); return x; }
NARDY_INLINE void eight_store(float *p, eight_t x) { memcpy(p, x.lane, sizeof x.lane); }
NARDY_INLINE eight_t eight_all(float x) { eight_t y; for (int k = 0; k < 8; k++) y.lane[k] = x; return y; }
NARDY_INLINE eight_t eight_add(eight_t x, eight_t y) { for (int k = 0; k < 8; k++) x.lane[k] += y.lane[k]; return x; }
NARDY_INLINE eight_t eight_times(eight_t x, eight_t y) { for (int k = 0; k < 8; k++) x.lane[k] *= y.lane[k]; return x; }
NARDY_INLINE eight_t eight_over(eight_t x, eight_t y) { for (int k = 0; k < 8; k++) x.lane[k] /= y.lane[k]; return x; }
NARDY_INLINE eight_t eight_where(eight_t x, eight_t y, eight_t value) {
    for (int k = 0; k < 8; k++) value.lane[k] = x.lane[k] > y.lane[k] ? value.lane[k] : 0;
    return value;
}
NARDY_INLINE eight_t eight_lesser(eight_t x, eight_t y) {
    for (int k = 0; k < 8; k++) x.lane[k] = x.lane[k] < y.lane[k] ? x.lane[k] : y.lane[k];
    return x;
}
NARDY_INLINE eight_t eight_power(eight_t magic) {
    for (int k = 0; k < 8; k++) {
        uint32_t bits;
        memcpy(&bits, &magic.lane[k], sizeof bits);
        bits = (bits + 127) << 23;
        memcpy(&magic.lane[k], &bits, sizeof bits);
    }
    return magic;
}
#endif

/* 1 / (1 + exp(-x)), x within +-40 (further out it is 0 or 1 to the last bit). exp(y) = 2**n exp(r), |r| <= ln 2 / 2, by
 * its series up to r**7: off by less than 2 units of the last place. */
NARDY_INLINE eight_t eight_sigmoid(eight_t x) {
    const eight_t one = eight_all(1), minus = eight_all(-1), most = eight_all(40), magic = eight_all(12582912.0f);
    eight_t y, n, r, series;
    y = eight_lesser(eight_times(eight_lesser(x, most), minus), most);
    n = eight_add(eight_times(y, eight_all(1.44269504f)), magic);
    r = eight_add(n, eight_times(magic, minus));
    y = eight_add(y, eight_times(r, eight_all(-0.693359375f)));
    r = eight_add(y, eight_times(r, eight_all(2.12194440e-4f)));
    series = eight_all(1.0f / 5040);
    series = eight_add(eight_times(series, r), eight_all(1.0f / 720));
    series = eight_add(eight_times(series, r), eight_all(1.0f / 120));
    series = eight_add(eight_times(series, r), eight_all(1.0f / 24));
    series = eight_add(eight_times(series, r), eight_all(1.0f / 6));
    series = eight_add(eight_times(series, r), eight_all(0.5f));
    series = eight_add(eight_times(series, r), one);
    series = eight_add(eight_times(series, r), one);
    return eight_over(one, eight_add(one, eight_times(series, eight_power(n))));
}

/* The line of each column's count 0, and so of its count k, k lines further on. */
#define NETWORK_POINT(p) (NETWORK_COUNTS * ((p) - 1) + 15)
static const int16_t network_base[28] = {
    NETWORK_OFF, NETWORK_POINT(1), NETWORK_POINT(2), NETWORK_POINT(3), NETWORK_POINT(4), NETWORK_POINT(5),
    NETWORK_POINT(6), NETWORK_POINT(7), NETWORK_POINT(8), NETWORK_POINT(9), NETWORK_POINT(10), NETWORK_POINT(11),
    NETWORK_POINT(12), NETWORK_POINT(13), NETWORK_POINT(14), NETWORK_POINT(15), NETWORK_POINT(16), NETWORK_POINT(17),
    NETWORK_POINT(18), NETWORK_POINT(19), NETWORK_POINT(20), NETWORK_POINT(21), NETWORK_POINT(22), NETWORK_POINT(23),
    NETWORK_POINT(24), NETWORK_OFF + 16, NETWORK_OFF + 32, NETWORK_OFF + 48};

/* The lines of the first layer that a row adds up; how many. By a mask of the columns that are not 0: to ask each of 28
 * columns was guessed wrong too often. */
NARDY_INLINE int network_lines(const int8_t *row, const float **lines, const float *table, int units) {
    row_t columns = row_load(row);
    uint32_t mask = (row_above(columns, 0) | row_below(columns, 0)) & 0x0fffffffu;
    int n = 0;
    while (mask) {
        int column = bit_lowest(mask);
        lines[n++] = table + (ptrdiff_t)units * (network_base[column] + row[column]);
        mask &= mask - 1;
    }
    return n;
}

/* The five chances of a row before any is known better; `units` is a multiple of 32. */
NARDY_INLINE void network_value(
    const int8_t *row, const float *table, const float *bias, const float *second, int units, float *to
) {
    const float *lines[NETWORK_POINTS + 4];
    float hidden[32];
    eight_t a, b, c, d, zero = eight_all(0);
    eight_t out = eight_load(second + (size_t)units * NETWORK_OUTPUTS), sums[4];
    int n = network_lines(row, lines, table, units);
    for (int k = 0; k < 4; k++) sums[k] = zero;
    for (int at = 0; at < units; at += 32) {
        const float *weights = second + (size_t)at * NETWORK_OUTPUTS;
        a = eight_load(bias + at);
        b = eight_load(bias + at + 8);
        c = eight_load(bias + at + 16);
        d = eight_load(bias + at + 24);
        for (int i = 0; i < n; i++) {
            a = eight_add(a, eight_load(lines[i] + at));
            b = eight_add(b, eight_load(lines[i] + at + 8));
            c = eight_add(c, eight_load(lines[i] + at + 16));
            d = eight_add(d, eight_load(lines[i] + at + 24));
        }
        eight_store(hidden, eight_where(a, zero, a));
        eight_store(hidden + 8, eight_where(b, zero, b));
        eight_store(hidden + 16, eight_where(c, zero, c));
        eight_store(hidden + 24, eight_where(d, zero, d));
        /* Four sums, or each addition would wait for the one before. */
        for (int k = 0; k < 32; k += 4)
            for (int j = 0; j < 4; j++)
                sums[j] = eight_add(
                    sums[j], eight_times(eight_all(hidden[k + j]), eight_load(weights + (k + j) * NETWORK_OUTPUTS))
                );
    }
    out = eight_add(out, eight_add(eight_add(sums[0], sums[1]), eight_add(sums[2], sums[3])));
    eight_store(to, eight_sigmoid(out));
}

#endif
