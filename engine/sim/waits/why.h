/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job of a world waits. */
#ifndef LP_SIM_WHY_H
#define LP_SIM_WHY_H

#include "sim/state/state.h"
#include "sim/waits/reason.h"

/* What the world does not know. Zero-initialise. */
typedef struct LpWhyAsk {
    const char *says; /* the policy's own reason; NULL: none */
} LpWhyAsk;

/* The reason for which a job waits, or is being decided. How its policy goes through the queue is
 * what it declared (policy.queue). Errors: LP_ESTATE for a job that does neither; LP_ENOMEM, and
 * those of lp_world_predict. O(nodes log nodes + running log running + servers held), and the
 * forecasts of a job with a graph. */
LpErr lp_world_why(const LpWorld *world, const LpContext *context, uint32_t job,
                   const LpWhyAsk *ask, LpReason *out, LpDiag *diag) LP_MUST_USE;

#endif
