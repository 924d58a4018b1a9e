/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph of a scenario that is a transformer with plans: each plan is a way in which a job of it
 * may be split, on tensor x context x pipeline x data servers. docs/parallel.md, "Jobs". */
#ifndef LP_MODEL_SPLIT_H
#define LP_MODEL_SPLIT_H

#include "model/parallel/machine.h"
#include "model/parallel/turning.h"
#include "model/partition.h"

typedef struct LpSplit {
    LpDecoder model;
    LpMachine machine;      /* of a server's device */
    LpTurning turning;      /* circuits that turn inside its steps, those of the cluster */
    uint32_t plans;         /* at least 1 */
    const LpParallel *plan; /* all with the same batch */
} LpSplit;

enum { LP_SPLIT_PLANS = 256 };

/* Do circuits turn inside a step of this plan? A region only joins the ways of experts. */
static inline bool lp_split_turns(const LpSplit *split, const LpParallel *plan) {
    return split->turning.form == LP_TURNING_RAILS ||
           (split->turning.form == LP_TURNING_REGION && lp_parallel_expert(plan) > 1);
}

/* Builds the graph: an op for the embedding, one per layer and one for the head, in a chain, with
 * their times on one device that does the whole batch alone, nothing computed again. `device` is
 * its name and outlives the graph, the rest is copied. file: for messages, NULL: none. *out is the
 * caller's (lp_graph_free). Errors: those of lp_parallel_check, with the plan's number, and
 * LP_EINVAL for plans with different batches; LP_ELIMIT; LP_ENOMEM. */
LpErr lp_split_graph(const char *id, const char *file, const char *device, const LpSplit *split,
                     LpGraph **out, LpDiag *diag) LP_MUST_USE;

/* May a job of this graph be split so? Errors: LP_EREFUSED with the numbers. */
LpErr lp_split_check(const LpGraph *graph, const LpParallel *plan, LpDiag *diag) LP_MUST_USE;

/* The partition that a plan makes: op f has tensor x context x data parts, its degree is the plan's
 * servers. Times are those of a step's micro-batches on one server, recomputation included; a
 * message between ops of different stages is a transfer, collectives are left out, since the plan's
 * step has them (sim/parallel). cut: graph, options, kind and max_deps are looked at. Errors: those
 * of lp_split_check and lp_partition_build. */
LpErr lp_split_partition(const LpCut *cut, const LpParallel *plan, LpPartition **out,
                         LpDiag *diag) LP_MUST_USE;

#endif
