/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph of a scenario that is a recorded step: it is cut already, so a job of it has as many
 * servers as the step has ranks, rank r on the r-th server of its list. */
#ifndef LP_MODEL_RECORDED_H
#define LP_MODEL_RECORDED_H

#include "model/partition.h"
#include "model/ranks/step_trace.h"

/* Servers of a job: what a placement can name. */
enum { LP_RECORDED_RANKS = 65535 };

/* The graph: an op per rank, which takes as long as the rank computes, without dependencies, since
 * those are between the nodes of the trace. Takes the trace over, on failure too. file: for
 * messages, NULL: none. `device` outlives the graph: its rates are those of ops that say what they
 * compute and not how long that takes. *out is the caller's (lp_graph_free). Errors: LP_ELIMIT for
 * more than LP_RECORDED_RANKS ranks, LP_ENOMEM. O(nodes + edges). */
LpErr lp_recorded_graph(const char *id, const char *file, LpStepTrace *trace,
                        const LpTraceRules *rules, const LpRates *rates, LpGraph **out,
                        LpDiag *diag) LP_MUST_USE;

/* The partition of such a graph: each op in one part, and as many servers as ranks. cut: graph and
 * options are looked at. Errors: those of lp_partition_build. */
LpErr lp_recorded_partition(const LpCut *cut, LpPartition **out, LpDiag *diag) LP_MUST_USE;

#endif
