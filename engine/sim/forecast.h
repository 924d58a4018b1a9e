/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What would happen: the degrees and plans that a job could be answered with now, and what an
 * answer comes to. Nothing here changes the world. */
#ifndef LP_SIM_FORECAST_H
#define LP_SIM_FORECAST_H

#include "sim/context.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

/* Degrees that a policy may answer for this job now, ascending without 0, at most `max` (0: the
 * scenario's max_degree). out has room for `room`; *count is how many there are (never more than
 * room are written). Published: semantics 10.1; corrected: every degree with a placement now.
 * Errors: LP_ENOMEM; LP_EMEMLIMIT where a degree's step needs more than --max-memory. */
LpErr lp_world_degrees(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t max,
                       uint32_t *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* Where lp_world_degrees finds nothing: the least degree that has a place while all servers are
 * free and whole, so that the world can say what stands in its way now; 0 under the published mask,
 * which allows nothing else then. Of a job that is not rigid. Errors: LP_ENOMEM, LP_EMEMLIMIT. */
LpErr lp_world_least_degree(const LpWorld *world, const LpContext *context, uint32_t job,
                            uint32_t *degree, LpDiag *diag) LP_MUST_USE;
/* What is lacking where no degree can be answered now, or a rigid job has too few servers: how many
 * are free, how many it needs. Empty: nothing is, or the job asks for a slice. Errors: those of
 * lp_world_degrees. */
LpErr lp_world_lack(const LpWorld *world, const LpContext *context, uint32_t job,
                    char reason[LP_DIAG_TEXT], LpDiag *diag) LP_MUST_USE;

/* A plan that a job's graph lists, as things stand now. */
typedef struct LpPlanChoice {
    const LpParallel *plan;
    const LpParallelStep *alone; /* see lp_store_plan_alone; good as long as the context */
    uint32_t servers;
    bool fits; /* a server has the memory of its fullest stage, the cluster has `servers` */
    bool free; /* it fits, and a block is free now */
} LpPlanChoice;

/* All plans of a job, by servers, of equals the fastest first; none of a job without plans. Room
 * for LP_SPLIT_PLANS is enough. Errors: LP_ENOMEM, LP_EMEMLIMIT. */
LpErr lp_world_plans(const LpWorld *world, const LpContext *context, uint32_t job,
                     LpPlanChoice *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* ---- ways to run a job, by their numbers ----
 * From 1 on. Of a job without plans way d is degree d; of one with plans way w is the w-th plan of
 * its graph, by servers, of equals the fastest first, whether it has a place or not: the order of
 * lp_world_plans. What networks and learners answer are such numbers. */

/* Are jobs of this graph split by plans? graph < 0: no. */
bool lp_context_planned(const LpContext *context, int32_t graph);
/* The greatest number that a job of the scenario can be answered with: its max_degree, or, where
 * all graphs have plans, how many the one with most has. */
uint32_t lp_context_ways(const LpContext *context);
/* Those that a policy may answer now, as lp_world_degrees; of plans those that have a place now. */
LpErr lp_world_ways(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t max,
                    uint32_t *out, uint32_t room, uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* The plan of a way, NULL: jobs of the graph have none of that number. Good as long as the context.
 * Errors: LP_ENOMEM. */
LpErr lp_context_plan(const LpContext *context, int32_t graph, uint32_t way, const LpParallel **out,
                      LpDiag *diag) LP_MUST_USE;
/* The step of a listed plan alone, in line with nodes. Errors: LP_EINVAL for one that is not
 * listed; LP_ENOMEM. */
LpErr lp_context_plan_alone(const LpContext *context, int32_t graph, const LpParallel *plan,
                            LpParallelStep *out, LpDiag *diag) LP_MUST_USE;
/* The way of a plan; LP_NO_INDEX: the graph does not list it. Errors: LP_ENOMEM. */
LpErr lp_context_way_of(const LpContext *context, int32_t graph, const LpParallel *plan,
                        uint32_t *out, LpDiag *diag) LP_MUST_USE;
/* The answer of a way from 1 on; a plan that there is not is refused. Errors: LP_ENOMEM. */
LpErr lp_context_way(const LpContext *context, int32_t graph, uint32_t way, LpAnswer *out,
                     LpDiag *diag) LP_MUST_USE;

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

/* A world of the context in which nothing has happened but that a job like this one arrived, of one
 * step and with no deadline: it is job 0. The caller's. For forecasts on an empty cluster. Errors:
 * LP_ENOMEM; those of lp_world_new. */
LpErr lp_world_lone(const LpContext *context, const LpJob *like, LpWorld **out,
                    LpDiag *diag) LP_MUST_USE;

/* The little of a forecast that most learners look at. */
typedef struct LpGlance {
    bool feasible, accepted; /* a placement exists; and no cause blocks the job */
    uint32_t servers;        /* where feasible */
    double jct;
} LpGlance;

/* Forecasts of `count` ways (from 1 on) of a job that is not rigid, placed by the engine, in short:
 * no texts are made, and where nothing but the block decides (docs/performance.md, "Environment
 * steps") what was worked out for it before is looked up. out has room for count. Errors: as
 * lp_world_predict. */
LpErr lp_world_glances(const LpWorld *world, const LpContext *context, uint32_t job,
                       const uint32_t *way, uint32_t count, LpGlance *out,
                       LpDiag *diag) LP_MUST_USE;

/* Servers that a job (not a rigid one) needs at most when it is cut `degree` ways; 0 where it
 * cannot be cut so. Errors: LP_ENOMEM. */
LpErr lp_world_cut_size(const LpWorld *world, const LpContext *context, uint32_t job,
                        uint32_t degree, uint32_t *servers, LpDiag *diag) LP_MUST_USE;

/* How an answer would cut and place the job (not a rigid one), without simulating a step: indices
 * in the store, *placement LP_NO_INDEX where there is none. Errors: LP_ENOMEM. */
LpErr lp_world_outline(const LpWorld *world, const LpContext *context, uint32_t job,
                       const LpAnswer *answer, uint32_t *partition, uint32_t *placement,
                       LpDiag *diag) LP_MUST_USE;

#endif
