/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and quantities: exact printing and parsing of doubles, quantities with units, and
 * natural logarithm and exponential made of + - * / only (so that results never depend on a libm).
 */
#ifndef LP_BASE_NUM_H
#define LP_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LP_NUM_TEXT = 32 };

/* Two times closer than this, relatively, are one: sums of equal terms in another order differ by
 * rounding, some units of 2.2e-16, and rounding must not decide who goes first. */
#define LP_NUM_TIE 1e-13
static inline bool lp_num_tied(double a, double b) {
    double apart = a < b ? b - a : a - b;
    return apart <= LP_NUM_TIE * (a < 0 ? -a : a);
}

/* Natural logarithm of x > 0, at most 2 ulp off, + - * / only. 0 gives -inf, less gives NaN. */
double lp_num_log(double x);
/* e to the x, at most 2 ulp off, + - * / only; 0 and infinity where that is out of range. */
double lp_num_exp(double x);

/* Shortest decimal text that reads back to the same double (the first of %.15g, %.16g and %.17g
 * that does); integers below 2^53 print without exponent or point. NaN and infinities print as
 * "null" (JSON has no such numbers). Independent of the locale. Returns buf. */
const char *lp_num_print(double value, char buf[LP_NUM_TEXT]);

/* Parses a whole text as one finite number in C/JSON syntax (no hex, no nan/inf, no spaces),
 * correctly rounded, independent of the locale. LP_EPARSE otherwise (also where it overflows);
 * *out unchanged on failure. */
LpErr lp_num_parse(const char *text, double *out, LpDiag *diag) LP_MUST_USE;
/* Whole text as a decimal unsigned integer, no sign. LP_EPARSE, or LP_ERANGE above 2^64-1. */
LpErr lp_num_parse_u64(const char *text, uint64_t *out, LpDiag *diag) LP_MUST_USE;

/* What a quantity measures; its SI unit is s, B, B/s, FLOP/s, or none. */
typedef enum LpDimension {
    LP_DIM_NONE,
    LP_DIM_TIME,
    LP_DIM_BYTES,
    LP_DIM_BANDWIDTH,
    LP_DIM_FLOPS
} LpDimension;

/* Parses "1.6 TB/s", "50 ns", "10 ms", "80 GB", "12.8 Tb/s", "3 h", "1e5 s" or a bare number (SI)
 * into SI. Time: ps ns us ms s min h d. The rest: decimal prefixes k M G T P E, binary Ki Mi Gi Ti
 * before B; B or b (bits, also "bit"), B/s or b/s (also "bit/s", "bps"), FLOP/s (also "FLOPS").
 * Decimal prefixes are exact: "50 ns" is the double 50e-9. A sign is allowed, so callers check the
 * range. LP_EPARSE names the accepted units; LP_ERANGE where the value overflows. *out unchanged on
 * failure. */
LpErr lp_quantity_parse(const char *text, LpDimension dim, double *out, LpDiag *diag) LP_MUST_USE;

/* Human text with a unit and 3 significant digits, e.g. "1.83 ms", "80 GB", "1.6 TB/s"; times from
 * 1000 s on in whole seconds ("9170 s"), from 1e6 s on in days ("11.6 d"); plain numbers with 4
 * digits, integers in full. NaN prints as "n/a". Cut to size. Returns buf. */
const char *lp_quantity_print(double value, LpDimension dim, char *buf, size_t size);

/* 10^decimals, exact up to 22; the point nearest to `value` on the grid of numbers with `decimals`
 * decimals, as a multiple of the grid's step; and that point itself. */
double lp_num_power_of_ten(int decimals);
double lp_num_grid(double value, int decimals);
double lp_num_round(double value, int decimals);
/* A sum that keeps in `low` what rounding takes from `high` (Neumaier 1974): of a million terms, or
 * of some that are far apart in size. Zero-initialise. */
typedef struct LpSum {
    double high, low;
} LpSum;
static inline void lp_sum_add(LpSum *s, double x) {
    double sum = s->high + x;
    double big = s->high < 0 ? -s->high : s->high, other = x < 0 ? -x : x;
    s->low += big >= other ? (s->high - sum) + x : (x - sum) + s->high;
    s->high = sum;
}
/* The difference of two sums, right to the last digits; then {0}: the sum itself. */
static inline double lp_sum_since(LpSum now, LpSum then) {
    return (now.high - then.high) + (now.low - then.low);
}

/* Sums and differences of times, s, without what rounding left in them: the nearest number of nine
 * decimals where that is the same by LP_NUM_TIE (of 1 s at least), else `value`. */
double lp_num_calm(double value);

/* A time as people say it: below 59.95 s with three digits ("9.75 s"), else in its two largest
 * units, half up, without a second one that is 0: "1 h", "2 h 10 min", "1 d 3 h". Not negative.
 * Returns out. */
enum { LP_SPAN_TEXT = 48 };
const char *lp_span_print(double seconds, char out[LP_SPAN_TEXT]);

#endif
