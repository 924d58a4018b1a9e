/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may change under a running cluster: speed of the network, deadlines, load, broken servers
 * and light paths, one more job. Conditions live in the world image, so that clones, rewinds and
 * forks carry them; every cached step is keyed by those it depends on. Corrected semantics only. */
#ifndef LP_SIM_CONDITION_H
#define LP_SIM_CONDITION_H

#include "sim/world.h"

/* X(ID, "name", "what its value means", lowest, highest) - scales multiply the scenario's value,
 * 1 is as the scenario says; they replace the scale before, they do not add up. */
#define LP_CONDITION_TABLE(X)                                                                      \
    X(BANDWIDTH, "bandwidth", "times the scenario's node bandwidth", 1e-6, 1e6)                    \
    X(LATENCY, "latency", "times the scenario's propagation and I/O latency", 0, 1e6)              \
    X(DEADLINE, "deadline", "times the limit of jobs that arrive from now on", 1e-6, 1e6)          \
    X(RATE, "arrival_rate", "times as many arrivals per second from the next gap on", 1e-6, 1e6)   \
    X(FAIL_SERVER, "fail_server", "server that breaks now", 0, 4294967294.0)                       \
    X(REPAIR_SERVER, "repair_server", "server that works again", 0, 4294967294.0)                  \
    X(EXTRA_JOB, "extra_job", "graph of one more job that arrives now", 0, 4294967294.0)

typedef enum LpConditionKind {
#define X(id, name, meaning, low, high) LP_CONDITION_##id,
    LP_CONDITION_TABLE(X)
#undef X
        LP_CONDITION_COUNT
} LpConditionKind;

const char *lp_condition_name(LpConditionKind kind);
const char *lp_condition_meaning(LpConditionKind kind);
int lp_condition_find(const char *name); /* -1 when unknown */

/* One change. value as in the table; steps and fraction only for EXTRA_JOB (steps > 0; fraction of
 * the sequential JCT, 0: no deadline). */
typedef struct LpCondition {
    LpConditionKind kind;
    double value;
    double steps, fraction;
} LpCondition;

/* The scales in force. */
typedef struct LpConditions {
    double bandwidth, latency, deadline, rate;
} LpConditions;
const LpConditions *lp_world_conditions(const LpWorld *world);

/* Applies the change now; running jobs go on at the speed they started with, later starts and
 * forecasts see the change. A job on a server that breaks is stopped, keeps its finished steps and
 * waits to be offered again. Random draws of arrivals stay the same: RATE divides the gaps drawn.
 * event: what happened (LP_EVENT_CONDITION, job = the server's job, the extra job, or none); an
 * extra job's decision is due when the world next advances. Errors: LP_EINVAL, LP_ERANGE naming
 * what is wrong (range, no such server or graph, server already broken); LP_ESTATE while a
 * decision is due or the run is over, or under published semantics; LP_ENOMEM. World unchanged on
 * failure. */
LpErr lp_world_change(LpWorld *world, const LpContext *context, const LpCondition *condition,
                      LpEvent *event, LpDiag *diag) LP_MUST_USE;

#endif
