/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded step that has run, as tasks and sums. Private to sim/ranks. */
#ifndef LP_SIM_RANKS_TASKS_H
#define LP_SIM_RANKS_TASKS_H

#include "sim/ranks/ranks_run.h"
#include "sim/step/step.h"

/* The collective of fabrics that a call of n members is, with its bytes as those count them; false:
 * it is flows. *bytes is what the trace says. */
bool lp_ranks_collective(LpTraceCall call, uint32_t n, LpCollective *kind, double *bytes);
/* Do flows of such a call go to its first member, rather than from it? */
bool lp_ranks_to_first(LpTraceCall call);

/* The tasks, in scratch memory, and when each ran, the caller's (lp_trace_fini, on failure too).
 * LP_ENOMEM. O(nodes log nodes), and for what all send to all the pairs. */
LpErr lp_ranks_tasks(LpStepScratch *scratch, const LpStepInput *input, const LpTraceRun *run,
                     LpStepGraph *graph, LpTrace *trace) LP_MUST_USE;
/* Its sums; counts the circuits and the bytes of the graph. LP_ENOMEM. */
LpErr lp_ranks_sums(LpStepScratch *scratch, const LpStepInput *input, const LpTraceRun *run,
                    LpStepGraph *graph, const LpTrace *trace, LpStepSummary *out) LP_MUST_USE;

#endif
