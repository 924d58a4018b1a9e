/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of held servers went, on every fabric. */
#ifndef LP_SIM_ACCOUNT_ACCOUNTS_H
#define LP_SIM_ACCOUNT_ACCOUNTS_H

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

/* Accounts of one job, s: what it held its servers for up to now. O(1). */
LpAccounts lp_job_accounts(const LpWorld *world, const LpContext *context, const LpJob *job);
/* Adds the accounts `of` a job with `servers` servers to `sum`. */
void lp_accounts_add(LpAccounts *sum, const LpAccounts *of, double servers);

#endif
