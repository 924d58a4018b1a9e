/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/checkpoint.h"

#include <math.h>

#include "base/need.h"
#include "base/num.h"

LpErr lp_checkpoint_check(const LpPodCheckpoint *c, LpDiag *diag) {
    const LpNumber number[] = {
        {"work", c->work, LP_NEED_POSITIVE},
        {"cost", c->cost, LP_NEED_NOT_NEGATIVE},
        {"restart", c->restart, LP_NEED_NOT_NEGATIVE},
        {"mean", c->mean, LP_NEED_POSITIVE},
    };
    return lp_need_all(number, LP_COUNTOF(number), diag);
}

double lp_checkpoint_young(const LpPodCheckpoint *c) {
    return sqrt(2 * c->cost * c->mean);
}

double lp_checkpoint_daly(const LpPodCheckpoint *c) {
    double r = sqrt(c->cost / (2 * c->mean));
    if (c->cost >= 2 * c->mean)
        return c->mean;
    return lp_checkpoint_young(c) * (1 + r / 3 + r * r / 9) - c->cost;
}

/* Pieces of work, the last one without a checkpoint. */
static double pieces(const LpPodCheckpoint *c, double interval) {
    return ceil(c->work / interval);
}

/* e^x - 1, where x is small by its series. */
static double grow(double x) {
    return x < 1e-5 ? x + x * x / 2 + x * x * x / 6 : lp_num_exp(x) - 1;
}

double lp_checkpoint_time(const LpPodCheckpoint *c, double interval) {
    double p = pieces(c, interval), last = c->work - (p - 1) * interval;
    double full = p > 1 ? (p - 1) * grow((interval + c->cost) / c->mean) : 0;
    return c->mean * lp_num_exp(c->restart / c->mean) * (full + grow(last / c->mean));
}

double lp_checkpoint_undisturbed(const LpPodCheckpoint *c, double interval) {
    return c->work + (pieces(c, interval) - 1) * c->cost;
}
