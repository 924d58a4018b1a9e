/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every world of one scenario shares: the scenario, its fabric, and the store of immutable
 * results (partitions, placements, step simulations) that worlds refer to by index. */
#ifndef LP_SIM_CONTEXT_H
#define LP_SIM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/fabric/fabric.h"
#include "model/partition.h"
#include "model/scenario.h"
#include "sim/step/step.h"

#define LP_NO_INDEX UINT32_MAX

/* Sums over one graph that jobs, statistics and observations need (semantics 1.3). */
typedef struct LpGraphFacts {
    double sequential_time; /* s per step: sum over mirrored ops in order */
    double memory_sum;      /* bytes: sum over mirrored ops of activation + parameters */
    double dep_sum;         /* bytes: original dependencies, as the published rules count them */
    double demand;          /* bytes: memory_sum + what the dependencies of the graph before it is
                               cut carry under the scenario's edge_size and graph_join */
    double edges;           /* mirrored dependencies, join included */
} LpGraphFacts;

typedef struct LpStore LpStore;       /* sim/store/store.h */
typedef struct LpSharing LpSharing;   /* sim/sharing/sharing.h */
typedef struct LpCircuits LpCircuits; /* sim/light/circuits_impl.h */

typedef struct LpScaleTable LpScaleTable; /* sim/scales.c */

typedef struct LpContext {
    const LpScenario *scenario; /* borrowed */
    uint32_t scales;            /* number of those that the fabric has (sim/scales.h); 0: none */
    LpScaleTable *scaled;       /* the context with each of them; all share store and scratch */
    LpFabric fabric;
    LpGraphFacts *facts; /* per graph */
    double *speed;       /* per server type; NULL when all are 1 */
    LpStore *store;
    LpStepScratch *scratch;
    LpCircuits *circuits; /* NULL without circuit switches; the fabric's network then changes, see
                             lp_world_show */
    LpSharing *sharing;   /* NULL where running jobs do not disturb each other */
    double
        max_memory; /* bytes that one partition's step, or a world, may need; INFINITY: no limit */
} LpContext;

/* Errors: LP_EMEMLIMIT "WHAT needs 3.4 GB, the limit is 1.07 GB (--max-memory)". */
LpErr lp_context_allow(const LpContext *context, const char *what, double bytes,
                       LpDiag *diag) LP_MUST_USE;

/* scenario must outlive the context. */
LpErr lp_context_new(const LpScenario *scenario, LpContext **out, LpDiag *diag) LP_MUST_USE;
void lp_context_free(LpContext *context); /* NULL allowed */

/* A context of its own in which a world of `from` means the same, for another thread: what is in
 * the store is shared read-only, what comes later is each one's own. Call it while nobody works
 * with `from`; `from` may go on being used afterwards, and must outlive the twin. Errors:
 * LP_ENOMEM. O(entries of the store). */
LpErr lp_context_twin(const LpContext *from, LpContext **out, LpDiag *diag) LP_MUST_USE;

#endif
