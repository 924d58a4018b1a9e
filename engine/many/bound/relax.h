/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many jobs can be served at most if all arrivals are known beforehand and any free servers
 * will do: a linear program, and a bound that holds whatever its solver says (docs/bound.md). Plain
 * arrays; knows neither worlds nor policies. */
#ifndef LP_MANY_BOUND_RELAX_H
#define LP_MANY_BOUND_RELAX_H

#include <stdint.h>

#include "base/err.h"

/* A way to run a job: it holds `servers` for `time`. */
typedef struct LpBoundWay {
    double servers, time; /* time > 0, s */
} LpBoundWay;

/* Served if it runs within [arrival, end]. */
typedef struct LpBoundJob {
    double arrival, end; /* s; end INFINITY: no deadline and no horizon */
    double scale;        /* its times are those of its ways times this (training steps) */
    const LpBoundWay *way;
    uint32_t ways;
} LpBoundJob;

/* What a policy may do with a job that it accepts. */
typedef enum LpFreedom {
    LP_FREEDOM_AT_ONCE,   /* it starts when it arrives, or never */
    LP_FREEDOM_WAITING,   /* it waits as long as it likes, then runs without a break */
    LP_FREEDOM_PREEMPTING /* it waits, is stopped, goes on, moves and changes its degree */
} LpFreedom;

typedef struct LpRelaxed {
    double most;     /* no schedule serves more jobs: proven for any prices */
    double value;    /* of the linear program over the ways generated so far, <= most */
    uint32_t rounds; /* of column generation */
} LpRelaxed;

/* jobs in order of arrival, `servers` of the cluster. Errors: LP_ENOMEM, LP_ESTATE (solver).
 * Memory O(jobs + columns x cells that they touch). */
LpErr lp_relax(const LpBoundJob *job, uint32_t jobs, double servers, LpFreedom freedom,
               LpRelaxed *out, LpDiag *diag) LP_MUST_USE;

#endif
