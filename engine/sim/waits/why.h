/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job of a world waits. */
#ifndef LP_SIM_WHY_H
#define LP_SIM_WHY_H

#include "sim/state/state.h"
#include "sim/waits/reason.h"

/* What the world does not know. Zero-initialise. */
typedef struct LpWhyAsk {
    const char *says; /* the policy's own reason; NULL: none */
    uint32_t rule;    /* what the policy declares of its queue: bits of sim/queue/rank.h. The world
                         knows them only once it was asked for an order. */
} LpWhyAsk;

/* Does it wait, or is it being decided; or did it wait when its world ended? Not one with a slice
 * then: where slices lay is not known any more. */
bool lp_why_waits(const LpJob *job);

/* The reason for which a job waits. How its policy goes through the queue is what it declared
 * (policy.queue). Of a world that is over it is that of its end, where memory and light are not
 * looked at. Errors: LP_ESTATE for a job that does not wait; LP_ENOMEM, and those of
 * lp_world_predict. O(nodes log nodes + running log running + servers), and the forecasts of a job
 * with a graph; of a world that is over also O(jobs). */
LpErr lp_world_why(const LpWorld *world, const LpContext *context, uint32_t job,
                   const LpWhyAsk *ask, LpReason *out, LpDiag *diag) LP_MUST_USE;

/* Questions about many jobs of a world that stays as it is: what is the same for all of them is
 * gathered once. Errors: LP_ENOMEM. */
typedef struct LpWhyBook LpWhyBook;
LpErr lp_why_open(const LpWorld *world, const LpContext *context, LpWhyBook **out,
                  LpDiag *diag) LP_MUST_USE;
void lp_why_close(LpWhyBook *book); /* NULL allowed */
LpErr lp_why_ask(const LpWhyBook *book, uint32_t job, const LpWhyAsk *ask, LpReason *out,
                 LpDiag *diag) LP_MUST_USE;

#endif
