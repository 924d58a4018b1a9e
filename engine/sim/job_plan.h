/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an answer to a plan: partition, placement and step, or the cause why not. Nothing in the
 * world changes. Private to sim/. */
#ifndef LP_SIM_PLAN_H
#define LP_SIM_PLAN_H

#include "sim/context.h"
#include "sim/state/state.h"

typedef struct LpPlan {
    LpCause cause; /* NONE: it can run; the deadline is not judged here */
    char reason[LP_DIAG_TEXT];
    bool cached; /* published: the step came from the world's cache */
    bool never;  /* no place even when all is free and nothing is broken */
    bool waits;  /* not started: it waits in the queue for `waits_for` */
    LpWaitFor waits_for;
    uint32_t degree, partition_degree;
    uint32_t partition, placement, step; /* store indices, LP_NO_INDEX */
    LpOrders orders;
    uint32_t load;  /* store index; LP_NO_INDEX: shares no link */
    uint32_t shape; /* of the answer: row of its slice; 0: as asked for */
    uint32_t ops, deps, servers, circuits, peak_circuits;
    uint64_t ticks, hash;
    double jct, step_time, communication, computation, exposed;
    double busy_area, light_area, worker_utilisation, flow_bytes;
    double part_memory, part_deps, part_sequential;
    uint32_t network; /* that the step is of (sim/light/circuits.h) */
    bool dark;        /* it has no circuits yet, and its step is forecast as if it had */
    double rate;      /* with a load: bytes/s, see LpJob */
    double drag;      /* of a slice without some of its light, see LpJob */
} LpPlan;

/* masked: answers against the mask are refused (decisions); predictions ignore it. world NULL: an
 * empty cluster. Errors: LP_ENOMEM. */
LpErr lp_plan_make(const LpWorld *world, const LpContext *context, const LpJob *job,
                   const LpAnswer *answer, bool masked, LpPlan *out, LpDiag *diag) LP_MUST_USE;

/* As lp_plan_make, but only up to the partition. */
LpErr lp_plan_cut(const LpWorld *world, const LpContext *context, const LpJob *job,
                  const LpAnswer *answer, LpPlan *out, LpDiag *diag) LP_MUST_USE;

/* The same up to partition and placement: nothing is simulated, no light is asked for. */
LpErr lp_plan_outline(const LpWorld *world, const LpContext *context, const LpJob *job,
                      const LpAnswer *answer, LpPlan *out, LpDiag *diag) LP_MUST_USE;

/* Seconds of reading a checkpoint before a preempted job goes on by this plan; 0 for others. */
double lp_plan_stall(const LpContext *context, const LpJob *job, const LpPlan *plan);
/* Seconds of work of a job with a slice, those that it has kept included: a rigid job's duration,
 * or its steps by this plan. */
static inline double lp_plan_work(const LpJob *job, const LpPlan *plan) {
    if (job->graph < 0)
        return job->asked.rigid_duration;
    return job->pieces.saved + (job->asked.steps - job->work.steps_done) * plan->step_time;
}
/* Seconds that the job runs if the plan begins now: that, and the steps that are left. */
double lp_plan_left(const LpContext *context, const LpJob *job, const LpPlan *plan);
/* Does a job with `left` seconds to go from now on miss its deadline by the corrected rule? */
bool lp_job_misses(double now, const LpJob *job, double left, double *taken, double *limit);
/* Does the job then miss its deadline (option deadline)? *taken and *limit are what is compared, s;
 * without a deadline they are not set. */
bool lp_plan_misses(double now, const LpContext *context, const LpJob *job, const LpPlan *plan,
                    double *taken, double *limit);

/* Published (Q16): step simulated first for (graph, D) in this world; LP_NO_INDEX when none. *steps
 * is set to that job's training steps. */
uint32_t lp_world_cached_step(const LpWorld *world, int32_t graph, uint32_t degree, double *steps);
/* Published mask (semantics 10.1): degree 1 or even, not above the free servers as last seen, with
 * a shape on the empty cluster; world NULL: all servers free. */
bool lp_world_degree_masked(const LpWorld *world, const LpContext *context, uint32_t degree);

#endif
