/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The skew normal distribution as a table: variates, scaled, binned and put on a grid. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model/dist.h"

/* Where variates go: x = (variate - low) * scale. */
typedef struct Skew {
    double delta, rest; /* a / sqrt(1 + a^2), sqrt(1 - delta^2) */
    double low, scale;
} Skew;

static double draw_variate(const Skew *skew, LpRng *rng) {
    double u0 = lp_rng_normal(rng), v = lp_rng_normal(rng);
    double u1 = skew->delta * u0 + v * skew->rest;
    return u0 >= 0.0 ? u1 : -u1;
}

static uint32_t variates_of(const LpDist *dist) {
    double n = (dist->max - dist->min) * 10.0;
    for (int d = 0; d < dist->decimals; d++)
        n *= 10.0;
    return n > 50000.0 ? (uint32_t)n : 50000;
}

/* Draws n variates and finds the scale that makes them span [0, max]. */
static void draw_all(const LpDist *dist, Skew *skew, LpRng *rng, double *x, uint32_t n) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = draw_variate(skew, rng);
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    skew->low = low;
    skew->scale = high > low ? dist->max / (high - low) : 0.0;
    for (uint32_t i = 0; i < n; i++)
        x[i] = x[i] >= high ? dist->max : (x[i] - low) * skew->scale;
}

/* Replaces what lies below min. Redrawing is bounded: where hardly anything lies above min, fewer
 * variates stay (the largest always does). Returns how many are left in x. */
static uint32_t enforce_min(const LpDist *dist, bool clamp, const Skew *skew, LpRng *rng, double *x,
                            uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (clamp || x[i] >= dist->min)
            x[kept++] = x[i] > dist->min ? x[i] : dist->min;
    for (uint64_t tries = 20 * (uint64_t)n; kept < n && tries > 0; tries--) {
        double again = (draw_variate(skew, rng) - skew->low) * skew->scale;
        if (again >= dist->min && again <= dist->max)
            x[kept++] = again;
    }
    return kept;
}

static void add_entry(LpSkewTable *table, double value, uint32_t count) {
    if (count == 0)
        return;
    table->total += count;
    if (table->entries == 0 || table->value[table->entries - 1] != value)
        table->value[table->entries++] = value;
    table->upto[table->entries - 1] = table->total;
}

LpErr lp_skew_make(const LpDist *dist, bool clamp, LpRng *rng, LpSkewTable *out, LpDiag *diag) {
    double a = dist->skewness;
    Skew skew = {.delta = a / sqrt(1.0 + a * a)};
    skew.rest = sqrt(1.0 - skew.delta * skew.delta);
    uint32_t n = variates_of(dist);
    double *x = lp_alloc(n, sizeof *x);
    if (!x)
        return lp_fail_memory(diag, "a skew normal distribution");
    draw_all(dist, &skew, rng, x, n);
    n = enforce_min(dist, clamp, &skew, rng, x, n);
    uint32_t count[LP_SKEW_BINS] = {0};
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    double width = (high - low) / LP_SKEW_BINS;
    for (uint32_t i = 0; i < n; i++) {
        double at = width > 0.0 ? (x[i] - low) / width : LP_SKEW_BINS - 1;
        count[at < LP_SKEW_BINS - 1 ? (uint32_t)at : LP_SKEW_BINS - 1]++;
    }
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < LP_SKEW_BINS; i++) {
        double edge = i == LP_SKEW_BINS - 1 ? high : low + width * (i + 1);
        add_entry(out, lp_num_round(edge, dist->decimals), count[i]);
    }
    lp_free(x);
    return LP_OK;
}
