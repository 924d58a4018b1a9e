/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of held servers went, on every fabric, and what failures did to a run. */
#ifndef LP_SIM_ACCOUNTS_H
#define LP_SIM_ACCOUNTS_H

#include "sim/context.h"
#include "sim/state/state.h"

/* X(field, "word for people"): s of one job, or server-seconds of all. Their sum is `held`. */
#define LP_ACCOUNTS(X)                                                                             \
    X(useful, "useful")           /* work that is kept, or not lost yet */                         \
    X(lost, "lost with failures") /* work that is done again, or was given up */                   \
    X(checkpoint, "checkpoints")  /* writing them, broken-off ones too */                          \
    X(restart, "restarts")        /* reading a checkpoint, or what the scenario says it costs */   \
    X(settle, "settling")         /* circuits that are being set */                                \
    X(slow, "slowed down")        /* longer than alone on the same network, or with all light */   \
    X(stalled, "standing still")  /* without light, or until what broke was mended */
typedef struct LpAccounts {
#define X(field, word) double field;
    LP_ACCOUNTS(X)
#undef X
    double held;
    double held_up; /* of stalled: until what broke was mended */
} LpAccounts;

/* Of one job, s: what it held its servers for up to now. O(1). */
LpAccounts lp_job_accounts(const LpWorld *world, const LpContext *context, const LpJob *job);
/* Adds those of a job with so many servers. */
void lp_accounts_add(LpAccounts *sum, const LpAccounts *of, double servers);

/* Components of one kind. */
typedef struct LpKindFailures {
    uint64_t failures, repairs;
    double down; /* s of all components of the kind so far */
} LpKindFailures;

typedef struct LpFailureSummary {
    LpKindFailures kind[LP_OUTAGE_COUNT];
    uint64_t stops, aborted; /* times that jobs were stopped; jobs given up */
    LpAccounts accounts;     /* server-seconds */
    double area;             /* of all servers so far */
} LpFailureSummary;
/* Errors: LP_ENOMEM. O(jobs + failures). */
LpErr lp_failures_summary(const LpWorld *world, const LpContext *context, LpFailureSummary *out,
                          LpDiag *diag) LP_MUST_USE;

#endif
