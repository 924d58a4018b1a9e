/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of one step as lines of a trace. */
#ifndef LP_ASK_INSPECT_TRACE_TASKS_H
#define LP_ASK_INSPECT_TRACE_TASKS_H

#include "base/str.h"
#include "sim/store/store.h"

/* The tasks of one job's step by starting time. Owned. */
typedef struct LpTraceTasks {
    uint32_t job;
    double offset;      /* s, start of the step */
    uint32_t count, at; /* tasks, next one to be written */
    struct LpTraceTask *task;
    uint32_t *server; /* of all collectives */
    size_t servers, servers_cap;
    LpSend *send; /* what the collectives send */
    size_t sends, sends_cap;
} LpTraceTasks;

/* Simulates the step again and sorts its tasks; step_time as in lp_trace_stretch. Errors:
 * LP_ENOMEM; LP_EREFUSED where the step cannot be simulated. */
LpErr lp_trace_tasks(const LpContext *context, uint32_t job, double offset, uint32_t partition,
                     uint32_t placement, LpOrders orders, double step_time, LpTraceTasks *out,
                     LpDiag *diag) LP_MUST_USE;
void lp_trace_tasks_fini(LpTraceTasks *tasks);
/* Time of the next task, INFINITY when there is none left. */
double lp_trace_tasks_next(const LpTraceTasks *tasks);
/* Appends the next task's line. */
void lp_trace_tasks_print(LpTraceTasks *tasks, const LpContext *context, LpBuf *out);

#endif
