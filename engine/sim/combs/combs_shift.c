/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shifts: what comes of them, whether two jobs can take turns, and the best ones. */
#include <math.h>
#include <string.h>

#include "sim/combs/combs_impl.h"

static const double nudge = 1e-9, changed = 1e-6; /* of a row that is sensitive, relatively */
static const double better = 1e-9;      /* of a shift that is preferred to an earlier one */
static const double picoseconds = 1e12; /* in a second */

static double slowdown_of(const LpCombs *combs, uint32_t jobs, const double *step) {
    double sum = 0;
    for (uint32_t i = 0; i < jobs; i++)
        sum += step[i] / lp_comb_alone(&combs->job[i]);
    return sum / jobs;
}

LpCombsRow lp_combs_row(const LpCombs *combs, const double *shift) {
    LpCombsRow row = {0};
    uint32_t last = combs->jobs - 1;
    double near[LP_COMBS_JOBS_MAX], nudged[LP_COMBS_JOBS_MAX];
    memcpy(row.shift, shift, combs->jobs * sizeof *shift);
    memcpy(nudged, row.shift, sizeof nudged);
    nudged[last] += nudge * lp_comb_alone(&combs->job[last]);
    lp_combs_steps(combs, combs->jobs, row.shift, row.step);
    lp_combs_steps(combs, combs->jobs, nudged, near);
    row.slowdown = slowdown_of(combs, combs->jobs, row.step);
    for (uint32_t i = 0; i < combs->jobs; i++)
        row.sensitive = row.sensitive || fabs(row.step[i] - near[i]) > changed * row.step[i];
    return row;
}

/* The greatest time of which both are whole multiples, in whole picoseconds. */
static double common_period(double a, double b) {
    uint64_t x = (uint64_t)floor(a * picoseconds + .5), y = (uint64_t)floor(b * picoseconds + .5);
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (double)x / picoseconds;
}

bool lp_combs_fit(const LpCombs *combs, LpCombsFit *out) {
    const LpComb *a = &combs->job[0], *b = &combs->job[1];
    if (combs->jobs != 2)
        return false;
    if (a->cap + b->cap <= combs->rate * (1 + LP_COMBS_TIE)) {
        *out = (LpCombsFit){.from = 0, .width = (double)NAN, .every = (double)NAN};
        return true;
    }
    double every = common_period(lp_comb_alone(a), lp_comb_alone(b));
    double width = every - lp_comb_send(a) - lp_comb_send(b);
    if (!(width >= -LP_COMBS_TIE * every))
        return false;
    double from = lp_comb_alone(a) - b->compute;
    from -= every * floor(from / every);
    /* Rounding may leave it just below a whole period. */
    if (every - from <= better * every)
        from = 0;
    *out = (LpCombsFit){.from = from, .width = width > 0 ? width : 0, .every = every};
    return true;
}

/* The first of the best shifts of the last of `jobs` jobs, the others' as they are. */
static double search(const LpCombs *combs, uint32_t jobs, double *shift) {
    double alone = lp_comb_alone(&combs->job[jobs - 1]), best = (double)INFINITY, found = 0;
    double step[LP_COMBS_JOBS_MAX];
    for (uint32_t k = 0; k < combs->tries; k++) {
        shift[jobs - 1] = alone * k / combs->tries;
        lp_combs_steps(combs, jobs, shift, step);
        double slowdown = slowdown_of(combs, jobs, step);
        if (slowdown < best * (1 - better)) {
            best = slowdown;
            found = shift[jobs - 1];
        }
    }
    return found;
}

LpCombsRow lp_combs_best(const LpCombs *combs) {
    double shift[LP_COMBS_JOBS_MAX] = {0};
    LpCombsFit fit;
    if (lp_combs_fit(combs, &fit)) {
        shift[1] = isnan(fit.width) ? fit.from : fit.from + fit.width / 2;
        return lp_combs_row(combs, shift);
    }
    for (uint32_t jobs = 2; jobs <= combs->jobs; jobs++)
        shift[jobs - 1] = search(combs, jobs, shift);
    return lp_combs_row(combs, shift);
}

double lp_combs_two(double compute, double send, double shift) {
    double back = compute + send - shift, near = shift < back ? shift : back;
    double apart = compute + 2 * send - near, step = compute + send;
    step = 2 * send > step ? 2 * send : step;
    return apart > step ? apart : step;
}
