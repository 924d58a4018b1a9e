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

/* Applies an answer to the job whose decision is due: START, WAIT or BLOCK. A bad answer blocks the
 * job with its cause; that is no error. reason (NULL allowed) gets the sentence behind a cause.
 * Errors: LP_ESTATE when this job's decision is not due; LP_ENOMEM; world unchanged then. */
LpErr lp_world_decide(LpWorld *world, const LpContext *context, uint32_t job,
                      const LpAnswer *answer, LpEvent *event, char reason[LP_DIAG_TEXT],
                      LpDiag *diag) LP_MUST_USE;
/* After LP_EVENT_ROUND: offers the waiting jobs in this order; jobs left out wait this round.
 * Without it they are offered in queue order. Errors: LP_ESTATE at any other moment, LP_EREFUSED
 * for a job that is not to be offered or named twice; the order is unchanged then. */
LpErr lp_world_order_queue(LpWorld *world, const uint32_t *jobs, uint32_t count,
                           LpDiag *diag) LP_MUST_USE;
/* Waiting jobs of this round in order: writes at most room, returns how many there are. */
uint32_t lp_world_round(const LpWorld *world, uint32_t *jobs, uint32_t room);

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

/* Degrees that a policy may answer for this job now, ascending without 0, at most `max` (0: the
 * scenario's max_degree). out has room for `room`; *count is how many there are (never more than
 * room are written). Published: semantics 10.1; corrected: every degree with a placement now.
 * Errors: LP_ENOMEM; LP_EMEMLIMIT where a degree's step needs more than --max-memory. */
LpErr lp_world_degrees(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t max,
                       uint32_t *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* A plan that a job's graph lists, as things stand now. */
typedef struct LpPlanChoice {
    const LpParallel *plan;
    const LpParallelStep *alone; /* see lp_store_plan_alone; good as long as the context */
    uint32_t servers;
    bool fits; /* a server has the memory of its fullest stage, the cluster so many servers */
    bool free; /* it fits, and a block is free now */
} LpPlanChoice;

/* All plans of a job, by servers, of equals the fastest first; none of a job without plans. Room
 * for LP_SPLIT_PLANS is enough. Errors: LP_ENOMEM, LP_EMEMLIMIT. */
LpErr lp_world_plans(const LpWorld *world, const LpContext *context, uint32_t job,
                     LpPlanChoice *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* What would happen if the answer were given now; nothing changes. */
typedef struct LpForecast {
    bool feasible; /* a placement exists; the deadline is not judged */
    LpCause cause; /* why not; or DEADLINE when it would miss it */
    char why[LP_DIAG_TEXT];
    double jct, finish, step_time, communication, computation, exposed; /* as in LpJob */
    uint32_t degree, partition_degree, ops, deps, circuits;
    uint32_t servers;
    const uint32_t *server; /* in the store: valid as long as the context */
    LpShape shape;
    uint64_t ticks;
    uint32_t partition, placement, step; /* store indices */
    LpOrders orders;
} LpForecast;

LpErr lp_world_predict(const LpWorld *world, const LpContext *context, uint32_t job,
                       const LpAnswer *answer, LpForecast *out, LpDiag *diag) LP_MUST_USE;

/* Servers that a job (not a rigid one) needs at most when it is cut so many ways; 0 where it cannot
 * be. Errors: LP_ENOMEM. */
LpErr lp_world_cut_size(const LpWorld *world, const LpContext *context, uint32_t job,
                        uint32_t degree, uint32_t *servers, LpDiag *diag) LP_MUST_USE;

/* How an answer would cut and place the job (not a rigid one), without simulating a step: indices
 * in the store, *placement LP_NO_INDEX where there is none. Errors: LP_ENOMEM. */
LpErr lp_world_outline(const LpWorld *world, const LpContext *context, uint32_t job,
                       const LpAnswer *answer, uint32_t *partition, uint32_t *placement,
                       LpDiag *diag) LP_MUST_USE;

#endif
