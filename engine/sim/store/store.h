/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store: append-only tables of immutable results, found by content. Worlds refer to entries by
 * index; an entry never changes or moves meaning, so rewinds and clones share it. */
#ifndef LP_SIM_STORE_H
#define LP_SIM_STORE_H

#include "model/parallel/decoder.h"
#include "sim/store/context.h"

typedef struct LpSplit LpSplit;               /* model/split/split.h */
typedef struct LpMachine LpMachine;           /* model/parallel/machine.h */
typedef struct LpParallelStep LpParallelStep; /* sim/parallel/step.h */

LpStore *lp_store_new(void); /* NULL: out of memory */
void lp_store_free(LpStore *store);

const LpPartition *lp_store_partition(const LpStore *store, uint32_t index);
/* Good as long as the store; in one that packs, that of a job without parts is good until
 * LP_STORE_OPEN - 1 others of such jobs have been read. */
const LpPlacement *lp_store_placement(const LpStore *store, uint32_t index);
enum { LP_STORE_OPEN = 8 };
/* From now on placements of jobs without parts are kept packed, in some 60 bytes instead of eight a
 * server: for long runs that nobody looks back in. The context's store is empty yet. Errors:
 * LP_ENOMEM. */
LpErr lp_store_pack(const LpContext *context, LpDiag *diag) LP_MUST_USE;
const LpStepSummary *lp_store_step(const LpStore *store, uint32_t index);
struct LpLoad;
/* What a placed job asks of shared links (sim/traffic/traffic_load.h). */
const struct LpLoad *lp_store_load(const LpStore *store, uint32_t index);
/* A list of numbers (valid degrees): *count is set. */
const uint32_t *lp_store_list(const LpStore *store, uint32_t index, uint32_t *count);

/* Bytes of one pair of parts (forward and backward) of forward op f, as the memory rule counts. */
double lp_store_op_bytes(const LpContext *context, const LpPartition *partition, uint32_t f);

/* The priorities of an order (see LpOrders), NULL for a rule; count may be NULL. */
const double *lp_store_priorities(const LpStore *store, uint32_t order, uint32_t *count);
/* The rule of an order: itself, or the one that orders equals of a list. */
LpOrder lp_store_rule(const LpStore *store, uint32_t order);
/* The flows of a placed partition, which priorities of flows are for; none under the published step
 * clock. Valid until the context's scratch is used again. Errors: LP_ENOMEM. Builds the graph of a
 * step. */
LpErr lp_store_flows(const LpContext *context, uint32_t partition, uint32_t placement,
                     const LpFlow **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* The full trace of a job's step, made again from its inputs on demand (a pure function of them)
 * and owned by the caller. graph is valid until the context's scratch is used again. */
LpErr lp_store_trace(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpOrders orders, LpStepGraph *graph, LpTrace *trace, LpDiag *diag) LP_MUST_USE;

/* The summary of a step, worked out with this context as it is and not kept: what it would be with
 * other hardware. Errors: LP_EREFUSED where it cannot be, LP_ENOMEM. */
LpErr lp_store_step_again(const LpContext *context, uint32_t partition, uint32_t placement,
                          LpOrders orders, LpStepSummary *out, LpDiag *diag) LP_MUST_USE;

/* The tasks alone, without simulating them. */
LpErr lp_store_graph(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpOrders orders, LpStepGraph *graph, LpDiag *diag) LP_MUST_USE;

/* ---- plans (docs/parallel.md, "Jobs") ---- */

/* A plan alone on servers of the first kind that lie together, no link slower than the device's
 * own: its step, and what of it is bubble, with the circuits that the split states; all else as on
 * packets. *out is unchanged on failure. Errors: those of lp_parallel_step and lp_light_make. */
LpErr lp_store_step_alone(const LpSplit *split, const LpParallel *plan, LpParallelStep *out,
                          LpDiag *diag) LP_MUST_USE;
/* The step of listed plan `plan` of a graph, alone as in lp_store_step_alone. Worked out once.
 * Errors: LP_ENOMEM. */
LpErr lp_store_plan_alone(const LpContext *context, uint32_t graph, uint32_t plan,
                          const LpParallelStep **out, LpDiag *diag) LP_MUST_USE;
/* Memory of the largest server, bytes. */
double lp_store_most_memory(const LpContext *context);
/* The step of a placed plan, and the constants of the slowest device and the ways between its
 * servers (either may be NULL). Errors: LP_EREFUSED where two servers have no way between them. */
LpErr lp_store_plan_step(const LpContext *context, const LpPartition *partition,
                         const LpPlacement *placement, LpMachine *machine, LpParallelStep *out,
                         LpDiag *diag) LP_MUST_USE;

struct LpRailLight;
/* A placed plan inside whose step circuits turn (lp_split_turns), with the turns that
 * `orders.flows` is a list for; the caller's (lp_light_fini). Errors: LP_EREFUSED with the numbers
 * where its tensor groups leave their nodes, LP_ENOMEM. */
LpErr lp_store_plan_light(const LpContext *context, const LpPartition *partition,
                          const LpPlacement *placement, LpOrders orders, struct LpRailLight *out,
                          LpDiag *diag) LP_MUST_USE;
/* Do circuits turn inside the steps of a partition? */
bool lp_store_turns(const LpPartition *partition);
/* How many turns a step has; 0 where none do. Errors: those of lp_store_plan_light. */
LpErr lp_store_count_turns(const LpContext *context, const LpPartition *partition,
                           const LpPlacement *placement, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* ---- plans that jobs had before ---- */

/* A stretch of a job's work with one step, and with what is before it: of a job whose plan, or
 * whose light, changed. */
typedef struct LpEarlier {
    uint32_t before; /* the stretch before it, from 1; 0: none */
    uint32_t step;
    uint32_t network; /* that the step was of; 0 where it always is the same */
    uint32_t unused;  /* 0: entries are compared by their bytes */
    double useful;    /* s of useful work (sim/account/accounts.h) from the job's start to the
                         stretch's end */
} LpEarlier;
/* Number: from 1. */
const LpEarlier *lp_store_earlier(const LpStore *store, uint32_t number);
/* Makes room for `more` entries of lp_store_add_earlier; a change of plan takes up to
 * LP_EARLIER_ROOM. Errors: LP_ENOMEM. */
enum { LP_EARLIER_ROOM = 2 };
LpErr lp_store_reserve_earlier(const LpContext *context, uint32_t more, LpDiag *diag) LP_MUST_USE;
/* Its number; found by content, and else added in room that was reserved. */
uint32_t lp_store_add_earlier(LpStore *store, const LpEarlier *earlier);

/* A spell of a job in the queue after it had started, which is over, with those before it. */
typedef struct LpSpell {
    double begin, end; /* s */
    uint32_t before;   /* number, from 1; 0: none */
    uint32_t unused;   /* 0: an entry is found by its bytes */
} LpSpell;
/* Number: from 1. */
const LpSpell *lp_store_spell(const LpStore *store, uint32_t number);
/* Makes room for one more. Errors: LP_ENOMEM. */
LpErr lp_store_reserve_spell(const LpContext *context, LpDiag *diag) LP_MUST_USE;
/* Its number; found by content, and else added in room that was reserved. */
uint32_t lp_store_add_spell(LpStore *store, const LpSpell *spell);

/* With what a step was simulated first; equal steps of other servers are the same. */
typedef struct LpStepPlan {
    uint32_t partition, placement;
    LpOrders orders;
    uint32_t scales, network; /* of its context: lp_context_of */
} LpStepPlan;
const LpStepPlan *lp_store_step_plan(const LpStore *store, uint32_t step);

/* Sizes, for the bench and the status line. */
typedef struct LpStoreStats {
    uint64_t partitions, placements, steps, step_hits, step_misses, bytes;
} LpStoreStats;
LpStoreStats lp_store_stats(const LpStore *store);

#endif
