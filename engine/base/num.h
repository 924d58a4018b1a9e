/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and quantities: exact printing and parsing of doubles, quantities with units, and a
 * natural logarithm made of + - * / only (so that results never depend on a libm). */
#ifndef LP_BASE_NUM_H
#define LP_BASE_NUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LP_NUM_TEXT = 32 };

/* Natural logarithm of x > 0, at most 2 ulp off, + - * / only. */
double lp_num_log(double x);

/* Shortest decimal text that reads back to the same double (tries %.15g, %.16g, %.17g); integers
 * below 2^53 print without exponent or point. NaN and infinities print as "null" (JSON has no
 * such numbers). Independent of the locale. Returns buf. */
const char *lp_num_print(double value, char buf[LP_NUM_TEXT]);

/* Parses a whole text as one finite number in C/JSON syntax (no hex, no nan/inf, no spaces),
 * independent of the locale. LP_EPARSE otherwise; *out unchanged on failure. */
LpErr lp_num_parse(const char *text, double *out, LpDiag *diag) LP_MUST_USE;
/* Whole text as a decimal unsigned integer, no sign. */
LpErr lp_num_parse_u64(const char *text, uint64_t *out, LpDiag *diag) LP_MUST_USE;

/* What a quantity measures; its SI unit is s, B, B/s, FLOP/s, or none. */
typedef enum LpDimension {
    LP_DIM_NONE,
    LP_DIM_TIME,
    LP_DIM_BYTES,
    LP_DIM_BANDWIDTH,
    LP_DIM_FLOPS
} LpDimension;

/* Parses "1.6 TB/s", "50 ns", "10 ms", "80 GB", "12.8 Tb/s", "3 h", "1e5 s" or a bare number (SI) into SI.
 * Decimal prefixes k M G T P E; binary Ki Mi Gi Ti for bytes; b = bits. The error names the
 * accepted units. *out unchanged on failure. */
LpErr lp_quantity_parse(const char *text, LpDimension dim, double *out, LpDiag *diag) LP_MUST_USE;

/* Human text with a unit and 3-4 significant digits, e.g. "183 s", "1.83 ms", "80 GB", "1.6 TB/s".
 * Returns buf. */
const char *lp_quantity_print(double value, LpDimension dim, char *buf, size_t size);

#endif
