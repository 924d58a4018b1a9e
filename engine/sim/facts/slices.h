/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run on a pod comes to, beside the summary of every run: blocking by class of slice,
 * waiting by cause, circuits that were set, and where the time of held accelerators went. */
#ifndef LP_SIM_FACTS_SLICES_H
#define LP_SIM_FACTS_SLICES_H

#include "sim/account/accounts.h"
#include "sim/context.h"
#include "sim/state/state.h"

/* Jobs that ask for one shape, within the measured window. */
typedef struct LpSliceClass {
    const LpSlice *slice;
    uint64_t arrived, blocked;
    uint64_t blocked_by[LP_CAUSE_COUNT];
} LpSliceClass;

/* Share of the pod that slices of `cubes` cubes could use, over the time of the run so far: only
 * cubes in which all accelerators work count (docs/pods.md, capacity). Promised: the most that was
 * there for 97 % of it. */
typedef struct LpSliceCapacity {
    uint32_t cubes;
    double switched, fixed, promised, promised_fixed;
} LpSliceCapacity;

typedef struct LpSliceSummary {
    uint32_t capacities;
    LpSliceCapacity *capacity; /* for each number of cubes that is asked for, ascending; owned */
    uint64_t stops, aborted;
    uint32_t classes;
    LpSliceClass *item; /* in order of the scenario's slices; owned, lp_slices_fini */
    uint64_t cross_connects;
    double waited[LP_WAIT_COUNT]; /* s of all jobs, by what they waited for */
    LpAccounts accounts;
    double area; /* accelerator-seconds of the pod so far */
} LpSliceSummary;

/* Errors: LP_ENOMEM. O(jobs classes). */
LpErr lp_slices_summary(const LpWorld *world, const LpContext *context, LpSliceSummary *out,
                        LpDiag *diag) LP_MUST_USE;
void lp_slices_fini(LpSliceSummary *summary);

#endif
