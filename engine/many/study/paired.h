/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over seeds: a mean with its interval, and a paired test. Plain arithmetic only, so
 * that they are the same bytes everywhere. */
#ifndef LP_MANY_STUDY_PAIRED_H
#define LP_MANY_STUDY_PAIRED_H

#include <stdbool.h>
#include <stdint.h>

/* NAN stands for "no data": values that are NAN are left out. */
typedef struct LpEstimate {
    uint32_t n;
    double mean;
    double half; /* half width of the 95 % confidence interval of the mean, NAN below two values */
} LpEstimate;

/* Mean +- t(0.975, n - 1) s / sqrt(n) (Student). O(n). */
LpEstimate lp_estimate(const double *value, uint32_t count);
/* Two-sided 97.5 % quantile of Student's t; between the tabled degrees of freedom (1..30, 40, 60,
 * 120, infinity) interpolated in 1 / df. NAN for 0. */
double lp_student_975(uint32_t df);

/* A paired comparison: b - a, seed by seed, where both have a value. */
typedef struct LpPaired {
    LpEstimate difference;
    double p;   /* of the sign-flip test, NAN below two pairs */
    bool exact; /* all 2^n sign patterns were counted, else 65 536 random ones */
} LpPaired;

/* Values that differ by 1e-9 of their size or less are taken as equal. Fisher's paired
 * randomisation (sign-flip) test: the share of sign patterns of the differences whose sum is at
 * least as far from 0 as the observed one. Exact up to 16 pairs. With n pairs p cannot be below 2 /
 * 2^n: under 6 pairs nothing is significant at 5 %. O(2^min(n, 16) + n). */
LpPaired lp_paired(const double *a, const double *b, uint32_t count);

#endif
