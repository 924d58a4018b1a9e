/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals and the sign-flip test. */
#include "many/study/paired.h"

#include <math.h>
#include <stddef.h>

#include "base/err.h"
#include "base/rng.h"

enum { EXACT_PAIRS = 16, PATTERNS = 65536 };

/* Sums that differ by rounding only count as equal. */
#define ROUNDING 1e-12
/* Two values of a run that are this close, relatively, are the same. */
#define SAME 1e-9

/* Fisher and Yates, Statistical Tables (1963), table III; also NIST/SEMATECH e-Handbook 1.3.6.7.2.
 */
static const double t975[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                              2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                              2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                              2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

static const struct {
    double inverse, t; /* 1 / df */
} tail[] = {
    {1.0 / 30, 2.042}, {1.0 / 40, 2.021}, {1.0 / 60, 2.000}, {1.0 / 120, 1.980}, {0, 1.960}};

double lp_student_975(uint32_t df) {
    if (df == 0)
        return (double)NAN;
    if (df <= LP_COUNTOF(t975))
        return t975[df - 1];
    double inverse = 1.0 / df;
    size_t i = 1;
    while (tail[i].inverse > inverse)
        i++;
    double share = (inverse - tail[i].inverse) / (tail[i - 1].inverse - tail[i].inverse);
    return tail[i].t + share * (tail[i - 1].t - tail[i].t);
}

LpEstimate lp_estimate(const double *value, uint32_t count) {
    LpEstimate e = {.mean = (double)NAN, .half = (double)NAN};
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(value[i]))
            continue;
        sum += value[i];
        e.n++;
    }
    if (e.n == 0)
        return e;
    e.mean = sum / e.n;
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(value[i]))
            square += (value[i] - e.mean) * (value[i] - e.mean);
    if (e.n > 1)
        e.half = lp_student_975(e.n - 1) * sqrt(square / (e.n - 1)) / sqrt(e.n);
    return e;
}

/* ---- sign flips ---- */

/* NAN where one is missing; what only rounding tells apart is no difference. */
static double difference(const double *a, const double *b, uint32_t i) {
    double d = b[i] - a[i];
    return fabs(d) <= SAME * fmax(fabs(a[i]), fabs(b[i])) ? 0 : d;
}

static double flipped(const double *a, const double *b, uint32_t count, uint64_t signs) {
    double sum = 0;
    for (uint32_t i = 0, bit = 0; i < count; i++) {
        double d = difference(a, b, i);
        if (isnan(d))
            continue;
        sum += (signs >> (bit++ % 64)) & 1 ? -d : d;
    }
    return sum;
}

static double random_flip(const double *a, const double *b, uint32_t count, LpRng *rng) {
    double sum = 0;
    uint64_t bits = 0;
    for (uint32_t i = 0, used = 0; i < count; i++) {
        double d = difference(a, b, i);
        if (isnan(d))
            continue;
        if (used++ % 64 == 0)
            bits = lp_rng_u64(rng);
        sum += bits & 1 ? -d : d;
        bits >>= 1;
    }
    return sum;
}

LpPaired lp_paired(const double *a, const double *b, uint32_t count) {
    LpPaired r = {.difference = {.mean = (double)NAN, .half = (double)NAN}, .p = (double)NAN};
    double sum = 0, square = 0, size = 0;
    for (uint32_t i = 0; i < count; i++) {
        double d = difference(a, b, i);
        if (isnan(d))
            continue;
        r.difference.n++;
        sum += d;
        size += fabs(d);
    }
    uint32_t n = r.difference.n;
    if (n == 0)
        return r;
    r.difference.mean = sum / n;
    for (uint32_t i = 0; i < count; i++) {
        double d = difference(a, b, i) - r.difference.mean;
        square += isnan(d) ? 0 : d * d;
    }
    if (n < 2)
        return r;
    r.difference.half = lp_student_975(n - 1) * sqrt(square / (n - 1)) / sqrt(n);
    r.exact = n <= EXACT_PAIRS;
    uint64_t patterns = r.exact ? UINT64_C(1) << n : PATTERNS, far = 0;
    LpRng rng = lp_rng_stream(0, "sign flips", 0);
    for (uint64_t k = 0; k < patterns; k++) {
        double flip = r.exact ? flipped(a, b, count, k) : random_flip(a, b, count, &rng);
        far += fabs(flip) >= fabs(sum) - ROUNDING * size;
    }
    /* the observed pattern is one of the random ones, too: p is never 0 */
    r.p = r.exact ? (double)far / (double)patterns : ((double)far + 1) / ((double)patterns + 1);
    return r;
}
