/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that simulate one training step share among themselves. */
#ifndef LP_SIM_STEP_IMPL_H
#define LP_SIM_STEP_IMPL_H

#include "sim/step/step.h"

/* graph: the task graph, reset by lp_step_graph. run: working state, reset at the start of every
 * lp_step_run_*; nothing in it outlives that call. */
struct LpStepScratch {
    LpArena *graph;
    LpArena *run;
};

/* Allocates start, end, released_by and critical_path for `tasks` tasks; released_by is filled with
 * LP_TRACE_NONE, the rest with 0, the tick log is empty. LP_ENOMEM: *trace is unchanged. The owner
 * ends it with lp_trace_fini. */
LpErr lp_trace_init(LpTrace *trace, uint32_t tasks, LpDiag *diag) LP_MUST_USE;

/* Fills critical and critical_path (which has room for all tasks) by walking back from the task
 * that ended last (ties: lowest id) through released_by. No task -> an empty path. O(tasks). */
void lp_trace_critical_path(LpTrace *trace);

/* Hash of every field of the summary but `hash` itself. */
uint64_t lp_step_summary_hash(const LpStepSummary *summary);

#endif
