/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial capacity, and Kaufman's and Roberts' recursion. */
#include "model/pod/capacity.h"

#include <string.h>

#include "base/mem.h"
#include "base/need.h"

/* ---- availability ---- */

/* x^k by squaring. */
static double power_of(double x, uint32_t k) {
    double power = 1;
    for (; k > 0; k >>= 1, x *= x)
        power *= k & 1 ? x : 1;
    return power;
}

/* tail[j], j = 0..n, is the probability that at least j of n are up, each with probability p. Sums
 * of positive terms: nothing cancels. O(n^2). */
static void fill_tail(uint32_t n, double p, double *tail) {
    tail[0] = 1;
    for (uint32_t i = 0; i < n; i++) {
        /* adding one: j up = (j up before and this one down) or (j - 1 up and this one up) */
        tail[i + 1] = 0;
        for (uint32_t j = i + 1; j > 0; j--)
            tail[j] = p * tail[j - 1] + (1 - p) * tail[j];
    }
}

/* The largest number of slices that is there for the share, and the mean, from tails of slices. */
static LpPodCapacity capacity_of(const LpPodSupply *s, const double *tail, uint32_t every) {
    LpPodCapacity c = {0, 0};
    double one = (double)s->of / s->cubes;
    for (uint32_t j = 1; j <= s->cubes / s->of; j++) {
        c.mean += tail[j * every] * one;
        if (tail[j * every] >= s->share)
            c.promised = j * one;
    }
    return c;
}

static LpErr check_supply(const LpPodSupply *s, LpDiag *diag) {
    const struct {
        const char *name;
        uint32_t value, most;
    } count[] = {{"cubes", s->cubes, LP_POD_CUBES_MAX},
                 {"of", s->of, s->cubes},
                 {"hosts", s->hosts, LP_POD_CUBES_MAX}};
    for (size_t i = 0; i < LP_COUNTOF(count); i++)
        if (count[i].value < 1 || count[i].value > count[i].most)
            return lp_fail(diag, LP_EINVAL, "%s is %u: expected a whole number from 1 to %u",
                           count[i].name, count[i].value, count[i].most);
    LP_TRY(lp_need("up", s->up, LP_NEED_SHARE, diag));
    return lp_need("share", s->share, LP_NEED_SHARE, diag);
}

LpErr lp_pod_capacity(const LpPodSupply *s, LpPodCapacity *switched, LpPodCapacity *fixed,
                      LpDiag *diag) {
    LP_TRY(check_supply(s, diag));
    double *tail = lp_alloc((size_t)s->cubes + 1, sizeof *tail);
    if (tail == NULL)
        return lp_fail_memory(diag, "the capacity of a pod");
    double cube = power_of(s->up, s->hosts);
    fill_tail(s->cubes, cube, tail);
    *switched = capacity_of(s, tail, s->of);
    fill_tail(s->cubes / s->of, power_of(cube, s->of), tail);
    *fixed = capacity_of(s, tail, 1);
    lp_free(tail);
    return LP_OK;
}

/* ---- blocking ---- */

static const double LOAD_MOST = 1e9;

static LpErr check_loss(uint32_t cubes, double load, const LpPodClass *classes, size_t count,
                        double *weight, double *asked, LpDiag *diag) {
    if (cubes < 1 || cubes > LP_POD_CUBES_MAX)
        return lp_fail(diag, LP_EINVAL, "cubes is %u: expected a whole number from 1 to %d", cubes,
                       LP_POD_CUBES_MAX);
    LP_TRY(lp_need("load", load, LP_NEED_POSITIVE, diag));
    if (load > LOAD_MOST)
        return lp_need_fail("load", load, "at most 1e9", diag);
    for (size_t i = 0; i < count; i++) {
        LP_TRY(lp_need("weight", classes[i].weight, LP_NEED_NOT_NEGATIVE, diag));
        if (classes[i].cubes < 1 || classes[i].cubes > LP_POD_CUBES_MAX)
            return lp_fail(diag, LP_EINVAL, "a class asks for %u cubes: expected 1 to %d",
                           classes[i].cubes, LP_POD_CUBES_MAX);
        *weight += classes[i].weight;
        *asked += classes[i].weight * classes[i].cubes;
    }
    return lp_need("the sum of weights", *weight, LP_NEED_POSITIVE, diag);
}

/* Unnormalised probabilities that c cubes are busy, scaled down where they grow large. */
static double occupancy(uint32_t cubes, double rate, const LpPodClass *classes, size_t count,
                        double *q) {
    static const double LARGE = 1e200;
    double sum = q[0] = 1;
    for (uint32_t c = 1; c <= cubes; c++) {
        q[c] = 0;
        for (size_t i = 0; i < count; i++)
            if (classes[i].cubes <= c)
                q[c] += rate * classes[i].weight * classes[i].cubes * q[c - classes[i].cubes] / c;
        sum += q[c];
        if (sum > LARGE) {
            for (uint32_t b = 0; b <= c; b++)
                q[b] /= LARGE;
            sum /= LARGE;
        }
    }
    return sum;
}

LpErr lp_pod_loss(uint32_t cubes, double load, LpPodClass *classes, size_t count, LpPodLoss *out,
                  LpDiag *diag) {
    double weight = 0, asked = 0;
    LP_TRY(check_loss(cubes, load, classes, count, &weight, &asked, diag));
    double *q = lp_alloc((size_t)cubes + 1, sizeof *q);
    if (q == NULL)
        return lp_fail_memory(diag, "the states of a pod");
    LpPodLoss loss = {.mean = asked / weight, .arrivals = load * cubes * weight / asked};
    double rate = load * cubes / asked; /* arrivals of weight 1 */
    double sum = occupancy(cubes, rate, classes, count, q);
    for (size_t i = 0; i < count; i++) {
        double full = 0;
        for (uint32_t c = 0; c <= cubes; c++)
            full += c + classes[i].cubes > cubes ? q[c] : 0;
        classes[i].blocked = full / sum;
        loss.blocked += classes[i].weight / weight * classes[i].blocked;
    }
    for (uint32_t c = 1; c <= cubes; c++)
        loss.carried += c * q[c] / sum / cubes;
    lp_free(q);
    *out = loss;
    return LP_OK;
}

/* ---- what is asked for ---- */

const LpPodAsked *lp_pod_mix(size_t *count) {
    static const LpPodAsked mix[] = {
        {"1x1x1", 2.1},    {"1x1x2", 0.4},   {"1x2x2", 6.7},           {"2x2x2", 4.7},
        {"2x2x4", 6.4},    {"2x4x4", 8.9},   {"4x4x4", 13.9},          {"4x4x8 twisted", 16.0},
        {"4x4x8", 1.5},    {"4x4x12", 0.7},  {"4x8x8 twisted", 9.2},   {"4x8x8", 1.5},
        {"4x4x16", 1.0},   {"4x8x12", 0.1},  {"8x8x8", 9.6},           {"4x8x16", 1.7},
        {"4x4x32", 0.6},   {"8x8x12", 0.7},  {"8x8x16 twisted", 1.8},  {"8x8x16", 1.4},
        {"4x16x16", 0.3},  {"4x4x64", 0.1},  {"4x8x32", 0.1},          {"8x12x16", 0.1},
        {"4x4x96", 0.1},   {"8x8x24", 0.1},  {"8x16x16 twisted", 1.4}, {"8x16x16", 0.3},
        {"12x16x16", 5.7}, {"4x4x192", 0.4},
    };
    *count = LP_COUNTOF(mix);
    return mix;
}
