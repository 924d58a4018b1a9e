/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world: all simulation state that changes (sim/state/state.h), and what moves it from event to
 * event (lp_world_advance); where a job must be decided it stops until lp_world_decide. */
#ifndef LP_SIM_WORLD_H
#define LP_SIM_WORLD_H

#include "sim/context.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

/* Moves to the next event. Errors: LP_ESTATE while a decision is due; LP_ENOMEM. After
 * LP_EVENT_HORIZON every further call returns it again. */
LpErr lp_world_advance(LpWorld *world, const LpContext *context, LpEvent *event,
                       LpDiag *diag) LP_MUST_USE;
/* Time of the next event, INFINITY when none; a due decision counts as now. */
double lp_world_next_time(const LpWorld *world, const LpContext *context);

/* Is more to come of what an instant begins with: ends of jobs, then waiting jobs that reach their
 * deadline and times that a policy asked for? Nothing is to be acted on before. Not under the
 * published rules, by which ends are found one by one. O(1) in the mean. */
bool lp_world_settling(const LpWorld *world);

/* Applies an answer to the job whose decision is due: START, WAIT or BLOCK. A bad answer blocks the
 * job with its cause; that is no error. reason (NULL allowed) gets the sentence behind a cause.
 * Errors: LP_ESTATE when this job's decision is not due; LP_ENOMEM; world unchanged then. */
LpErr lp_world_decide(LpWorld *world, const LpContext *context, uint32_t job,
                      const LpAnswer *answer, LpEvent *event, char reason[LP_DIAG_TEXT],
                      LpDiag *diag) LP_MUST_USE;
/* Ends the run now as if the horizon were here (--until, Ctrl-C). */
void lp_world_finish(LpWorld *world, const LpContext *context);

/* Server-seconds of training that a job has had, on the servers that it then held; without reading
 * checkpoints and without waiting for light. */
double lp_world_attained(const LpWorld *world, uint32_t job);
/* Whole training steps that a job has finished, all of them once it is completed; of a rigid job
 * the share of its duration. */
double lp_world_steps_done(const LpWorld *world, uint32_t job);

/* *at: the time from which a block of n servers is free if running jobs end as forecast and nobody
 * starts meanwhile; now where there is one, INFINITY where there will be none. *looked counts words
 * that it read. Errors: LP_ENOMEM. O(running log running + servers that come back). */
LpErr lp_world_free_at(const LpWorld *world, const LpContext *context, uint32_t n, double *at,
                       uint64_t *looked, LpDiag *diag) LP_MUST_USE;

#endif
