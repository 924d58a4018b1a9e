/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The square-root laws of TCP. */
#include "model/network/tcp.h"

#include <math.h>

LpTcpPath lp_tcp_path(double round_trip) {
    return (LpTcpPath){.round_trip = round_trip,
                       .segment = 1460,
                       .capacity = (double)INFINITY,
                       .window = (double)INFINITY,
                       .timeout = 1,
                       .acked = 1};
}

static double least(double a, double b) {
    return a < b ? a : b;
}

static double mathis(const LpTcpPath *t) {
    return t->segment / t->round_trip * (sqrt(1.5) / sqrt(t->acked * t->loss));
}

static double padhye(const LpTcpPath *t) {
    double p = t->loss, b = t->acked;
    double fast = t->round_trip * sqrt(2 * b * p / 3);
    double slow = t->timeout * least(1, 3 * sqrt(3 * b * p / 8)) * p * (1 + 32 * p * p);
    return t->segment / (fast + slow);
}

double lp_tcp_throughput(LpTcpModel model, const LpTcpPath *t) {
    double bound = least(t->capacity, t->window / t->round_trip);
    if (!(t->loss > 0))
        return bound;
    return least(bound, model == LP_TCP_MATHIS ? mathis(t) : padhye(t));
}
