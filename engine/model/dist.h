/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of one number: checks, means, bounds and draws. + - * / and sqrt only, so that
 * draws are the same on every machine. */
#ifndef LP_MODEL_DIST_H
#define LP_MODEL_DIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "model/scenario.h"

enum { LP_DECIMALS_MAX = 15, LP_SKEW_BINS = 1000, LP_SKEW_GRID_MAX = 100000 };

/* Is the description complete and drawable? Errors: LP_EINVAL, with `key` (the scenario key, e.g.
 * "generator.steps") in the sentence. LP_DIST_NONE passes. A choice holds no choice. O(entries). */
LpErr lp_dist_check(const LpDist *dist, const char *key, LpDiag *diag) LP_MUST_USE;

/* Mean of a distribution that passed lp_dist_check; of a choice the mean of its means. A skew
 * normal has no closed form: the mean of one table made from a fixed stream. NAN for LP_DIST_NONE.
 * O(entries), skew normal as lp_skew_make. */
double lp_dist_mean(const LpDist *dist);
/* Least and largest number that may be drawn (exponential: 0 and INFINITY; LP_DIST_NONE: NAN). */
void lp_dist_bounds(const LpDist *dist, double *min, double *max);

/* A skew normal as drawn in one run: values on the grid of `decimals` with cumulative counts. Plain
 * data without padding. */
typedef struct LpSkewTable {
    uint32_t entries, total; /* 1..LP_SKEW_BINS; upto[entries - 1] */
    double value[LP_SKEW_BINS];
    uint32_t upto[LP_SKEW_BINS];
} LpSkewTable;

/* Makes the table (semantics 2.1, CustomSkewNorm): N = max(50 000, 10 * grid points) skew-normal
 * variates (Azzalini 1985: |U0| and V combined by delta = a / sqrt(1 + a^2)), shifted and scaled so
 * that they span [0, max], a histogram of LP_SKEW_BINS bins over what is within [min, max], each
 * bin counted at its right edge rounded to `decimals`. Variates below min: with `clamp` they count
 * as min (published, Q34), otherwise they are drawn again. Errors: LP_ENOMEM; *out unchanged. O(N).
 */
LpErr lp_skew_make(const LpDist *dist, bool clamp, LpRng *rng, LpSkewTable *out,
                   LpDiag *diag) LP_MUST_USE;

/* One number from a checked distribution that is neither NONE nor CHOICE. table: of a skew normal,
 * else ignored. Uniform on a grid draws each of its points equally likely, each the double nearest
 * to its decimal. A fixed value draws nothing. O(log) for a skew normal, O(entries) for a PMF. */
double lp_dist_draw(const LpDist *dist, const LpSkewTable *table, LpRng *rng);

#endif
