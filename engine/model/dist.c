/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of one number: what may be asked for, its mean and bounds, and draws from it. */
#include "model/dist.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"

/* ---- checks ---- */

static LpErr fail_value(const char *key, const char *part, double value, const char *expected,
                        LpDiag *diag) {
    char text[LP_NUM_TEXT];
    return lp_fail(diag, LP_EINVAL, "%s%s is %s: expected %s", key, part,
                   isfinite(value) ? lp_num_print(value, text) : "not finite", expected);
}

static LpErr check_range(const LpDist *dist, const char *key, LpDiag *diag) {
    if (!isfinite(dist->min))
        return fail_value(key, ".min", dist->min, "a number", diag);
    if (!isfinite(dist->max))
        return fail_value(key, ".max", dist->max, "a number", diag);
    if (!(dist->min <= dist->max))
        return fail_value(key, ".max", dist->max, "a number not below min", diag);
    return LP_OK;
}

static LpErr check_uniform(const LpDist *dist, const char *key, LpDiag *diag) {
    LP_TRY(check_range(dist, key, diag));
    if (dist->decimals > LP_DECIMALS_MAX)
        return fail_value(key, ".decimals", dist->decimals, "0 to 15", diag);
    double power = lp_num_power_of_ten(dist->decimals);
    if (fabs(dist->min) * power > 0x1p52 || fabs(dist->max) * power > 0x1p52)
        return fail_value(key, ".decimals", dist->decimals,
                          "fewer: the grid has more points than numbers can tell apart", diag);
    return LP_OK;
}

static LpErr check_pmf(const LpDist *dist, const char *key, LpDiag *diag) {
    double sum = 0.0;
    if (dist->count == 0)
        return lp_fail(diag, LP_EINVAL, "%s.pmf is empty: expected values with probabilities", key);
    for (uint32_t i = 0; i < dist->count; i++) {
        if (!isfinite(dist->values[i]))
            return fail_value(key, ".pmf value", dist->values[i], "a number", diag);
        if (!(dist->weights[i] >= 0.0 && dist->weights[i] <= 1.0))
            return fail_value(key, ".pmf probability", dist->weights[i], "0 to 1", diag);
        sum += dist->weights[i];
    }
    if (!(fabs(sum - 1.0) <= 1e-9))
        return fail_value(key, ".pmf sum of probabilities", sum, "1", diag);
    return LP_OK;
}

static LpErr check_skew_normal(const LpDist *dist, const char *key, LpDiag *diag) {
    LP_TRY(check_range(dist, key, diag));
    if (!(dist->min >= 0.0))
        return fail_value(key, ".min", dist->min, "0 or more", diag);
    if (!(dist->max > 0.0))
        return fail_value(key, ".max", dist->max, "more than 0", diag);
    if (!(fabs(dist->skewness) <= 1e6))
        return fail_value(key, ".skewness", dist->skewness, "a number within -1e6 to 1e6", diag);
    if (dist->decimals < 0 || dist->decimals > LP_DECIMALS_MAX)
        return fail_value(key, ".decimals", dist->decimals, "0 to 15", diag);
    if (!(dist->max * lp_num_power_of_ten(dist->decimals) <= LP_SKEW_GRID_MAX))
        return fail_value(key, ".decimals", dist->decimals,
                          "fewer: at most 100000 grid points up to max", diag);
    return LP_OK;
}

static LpErr check_choice(const LpDist *dist, const char *key, LpDiag *diag) {
    if (dist->count == 0)
        return lp_fail(diag, LP_EINVAL, "%s.choice is empty: expected distributions", key);
    for (uint32_t i = 0; i < dist->count; i++) {
        char name[96];
        snprintf(name, sizeof name, "%.64s.choice[%u]", key, (unsigned)i);
        if (dist->choices[i].kind == LP_DIST_CHOICE || dist->choices[i].kind == LP_DIST_NONE)
            return lp_fail(diag, LP_EINVAL,
                           "%s is no plain distribution: expected one such as fixed", name);
        LP_TRY(lp_dist_check(&dist->choices[i], name, diag));
    }
    return LP_OK;
}

LpErr lp_dist_check(const LpDist *dist, const char *key, LpDiag *diag) {
    switch (dist->kind) {
    case LP_DIST_FIXED:
        return isfinite(dist->value) ? LP_OK : fail_value(key, "", dist->value, "a number", diag);
    case LP_DIST_EXPONENTIAL:
        return isfinite(dist->value) && dist->value > 0.0
                   ? LP_OK
                   : fail_value(key, ".exponential.mean", dist->value, "more than 0", diag);
    case LP_DIST_UNIFORM:
        return check_uniform(dist, key, diag);
    case LP_DIST_PMF:
        return check_pmf(dist, key, diag);
    case LP_DIST_SKEW_NORMAL:
        return check_skew_normal(dist, key, diag);
    case LP_DIST_CHOICE:
        return check_choice(dist, key, diag);
    case LP_DIST_NONE:
        break;
    }
    return LP_OK;
}

/* ---- bounds and means ---- */

static void widen(double value, double *min, double *max) {
    *min = value < *min ? value : *min;
    *max = value > *max ? value : *max;
}

static void bounds_of_pmf(const LpDist *dist, double *min, double *max) {
    for (uint32_t i = 0; i < dist->count; i++)
        if (dist->weights[i] > 0.0)
            widen(dist->values[i], min, max);
}

static void bounds_of_choice(const LpDist *dist, double *min, double *max) {
    for (uint32_t i = 0; i < dist->count; i++) {
        double low, high;
        lp_dist_bounds(&dist->choices[i], &low, &high);
        widen(low, min, max);
        widen(high, min, max);
    }
}

void lp_dist_bounds(const LpDist *dist, double *min, double *max) {
    *min = (double)INFINITY;
    *max = -(double)INFINITY;
    switch (dist->kind) {
    case LP_DIST_NONE:
        *min = *max = (double)NAN;
        break;
    case LP_DIST_FIXED:
        *min = *max = dist->value;
        break;
    case LP_DIST_EXPONENTIAL:
        *min = 0.0;
        *max = (double)INFINITY;
        break;
    case LP_DIST_UNIFORM:
    case LP_DIST_SKEW_NORMAL:
        *min = dist->decimals < 0 ? dist->min : lp_num_round(dist->min, dist->decimals);
        *max = dist->decimals < 0 ? dist->max : lp_num_round(dist->max, dist->decimals);
        break;
    case LP_DIST_PMF:
        bounds_of_pmf(dist, min, max);
        break;
    case LP_DIST_CHOICE:
        bounds_of_choice(dist, min, max);
        break;
    }
}

static double mean_of_pmf(const LpDist *dist) {
    double sum = 0.0, weight = 0.0;
    for (uint32_t i = 0; i < dist->count; i++) {
        sum += dist->values[i] * dist->weights[i];
        weight += dist->weights[i];
    }
    return sum / weight;
}

static double mean_of_skew_normal(const LpDist *dist) {
    LpSkewTable table;
    LpRng rng = lp_rng_stream(0, "mean", 0);
    double sum = 0.0;
    if (lp_skew_make(dist, false, &rng, &table, NULL) != LP_OK)
        return dist->min + (dist->max - dist->min) / 2.0;
    for (uint32_t i = 0, before = 0; i < table.entries; before = table.upto[i++])
        sum += table.value[i] * (table.upto[i] - before);
    return sum / table.total;
}

static double mean_of_choice(const LpDist *dist) {
    double sum = 0.0;
    for (uint32_t i = 0; i < dist->count; i++)
        sum += lp_dist_mean(&dist->choices[i]);
    return sum / dist->count;
}

double lp_dist_mean(const LpDist *dist) {
    double min, max;
    switch (dist->kind) {
    case LP_DIST_FIXED:
    case LP_DIST_EXPONENTIAL:
        return dist->value;
    case LP_DIST_UNIFORM:
        lp_dist_bounds(dist, &min, &max);
        return min + (max - min) / 2.0;
    case LP_DIST_PMF:
        return mean_of_pmf(dist);
    case LP_DIST_SKEW_NORMAL:
        return mean_of_skew_normal(dist);
    case LP_DIST_CHOICE:
        return mean_of_choice(dist);
    case LP_DIST_NONE:
        break;
    }
    return (double)NAN;
}

/* ---- draws ---- */

static double draw_uniform(const LpDist *dist, LpRng *rng) {
    if (dist->decimals < 0)
        return dist->min + (dist->max - dist->min) * lp_rng_unit(rng);
    double low = lp_num_grid(dist->min, dist->decimals),
           high = lp_num_grid(dist->max, dist->decimals);
    double point = low + (double)lp_rng_below(rng, (uint64_t)(high - low) + 1);
    return point / lp_num_power_of_ten(dist->decimals);
}

static double draw_pmf(const LpDist *dist, LpRng *rng) {
    double sum = 0.0, upto = 0.0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < dist->count; i++)
        sum += dist->weights[i];
    double draw = lp_rng_unit(rng) * sum;
    for (uint32_t i = 0; i < dist->count; i++) {
        if (dist->weights[i] > 0.0)
            last = i; /* what is left when draw * sum rounds up to sum */
        upto += dist->weights[i];
        if (draw < upto)
            return dist->values[i];
    }
    return dist->values[last];
}

static double draw_table(const LpSkewTable *table, LpRng *rng) {
    uint64_t draw = lp_rng_below(rng, table->total);
    uint32_t low = 0, high = table->entries - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (draw < table->upto[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return table->value[low];
}

double lp_dist_draw(const LpDist *dist, const LpSkewTable *table, LpRng *rng) {
    switch (dist->kind) {
    case LP_DIST_FIXED:
        return dist->value;
    case LP_DIST_EXPONENTIAL:
        return lp_rng_exponential(rng, dist->value);
    case LP_DIST_UNIFORM:
        return draw_uniform(dist, rng);
    case LP_DIST_PMF:
        return draw_pmf(dist, rng);
    case LP_DIST_SKEW_NORMAL:
        return draw_table(table, rng);
    case LP_DIST_CHOICE:
    case LP_DIST_NONE:
        break;
    }
    return (double)NAN;
}
