/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every world of one scenario shares: the scenario, its fabric, and the store of immutable
 * results (partitions, placements, step simulations) that worlds refer to by index. How a context
 * is made: sim/context.h. */
#ifndef LP_SIM_STORE_CONTEXT_H
#define LP_SIM_STORE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/fabric/fabric.h"
#include "model/partition.h"
#include "model/scenario.h"
#include "sim/step/step.h"

/* Sums over one graph that jobs, statistics and observations need (semantics 1.3). */
typedef struct LpGraphFacts {
    double sequential_time; /* s per step: sum over mirrored ops in order */
    double memory_sum;      /* bytes: sum over mirrored ops of activation + parameters */
    double dep_sum;         /* bytes: original dependencies, as the published rules count them */
    double demand;          /* bytes: memory_sum + what the dependencies of the graph before it is
                               cut carry under the scenario's edge_size and graph_join */
    double edges;           /* mirrored dependencies, join included */
} LpGraphFacts;

typedef struct LpStore LpStore;   /* sim/store/store.h */
typedef struct LpFamily LpFamily; /* sim/store/family.h */
/* What the rooms above keep here: the context owns it and hands it on. */
typedef struct LpPlaceScratch LpPlaceScratch; /* sim/place/place.h */
typedef struct LpSharing LpSharing;           /* sim/sharing/sharing.h */
typedef struct LpOutageBook LpOutageBook;     /* sim/outages.h */
typedef struct LpCircuits LpCircuits;         /* sim/light/networks.h */
typedef struct LpDebugLog LpDebugLog;         /* base/debug_log.h */

/* With which circuits worlds begin where they come and go: numbers of sim/light. */
typedef struct LpFirstLight {
    uint32_t network, schedule;
    uint32_t lit;  /* circuits */
    uint64_t hash; /* of the schedule's content */
} LpFirstLight;

/* One speed of the network and, where circuits come and go, one network: its fabric is what it
 * answers for and never changes. Worlds name theirs by number (sim/store/family.h). */
typedef struct LpContext {
    const LpScenario *scenario; /* borrowed */
    uint32_t scales;            /* number of those that the fabric has; 0: none */
    uint32_t network;           /* number of the fabric's network; 0 where it always is the same */
    LpScales stated;  /* of the networks and turns that a split states for itself (model/split) */
    LpFamily *family; /* the contexts with all of them; they share store and scratch */
    LpFabric fabric;
    LpGraphFacts *facts; /* per graph */
    double *speed;       /* per server type; NULL when all are 1 */
    LpStore *store;
    LpStepScratch *scratch;
    LpPlaceScratch *place;
    LpCircuits *circuits;      /* NULL without circuit switches */
    const LpFirstLight *first; /* of `circuits`; NULL without circuit switches */
    LpSharing *sharing;        /* NULL where running jobs do not disturb each other */
    uint32_t sharers;          /* besides the first owner: lp_context_share */
    LpOutageBook *outages;     /* NULL where nothing breaks by itself */
    LpDebugLog *log;           /* the family's: what is done is said there; never NULL */
    double *max_memory; /* bytes that one partition's step, or a world, may need; INFINITY: no
                           limit; the same for the family */
} LpContext;

/* Errors: LP_EMEMLIMIT "WHAT needs 3.4 GB, the limit is 1.07 GB (--max-memory)". */
LpErr lp_context_allow(const LpContext *context, const char *what, double bytes,
                       LpDiag *diag) LP_MUST_USE;
/* The cut that a context's scenario asks for. */
LpCut lp_context_cut(const LpContext *context, uint32_t graph, LpPartitionKind kind);
/* Circuits that can be lit, after lp_fabric_init. */
void lp_context_set_light(LpContext *context);

#endif
