/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What failures did to a run, and where the time of all held servers went. */
#ifndef LP_SIM_FACTS_FAILURES_H
#define LP_SIM_FACTS_FAILURES_H

#include "sim/account/accounts.h"
#include "sim/context.h"

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
