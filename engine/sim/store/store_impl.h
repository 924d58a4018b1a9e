/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the store; private to sim/. */
#ifndef LP_SIM_STORE_IMPL_H
#define LP_SIM_STORE_IMPL_H

#include "model/pod/net.h"
#include "model/split/split.h"
#include "sim/parallel/parallel_step.h"
#include "sim/store/intern.h"
#include "sim/store/store.h"
#include "sim/traffic/traffic.h"
#include "sim/traffic/traffic_load.h"

/* What placing a partition in one block needs, worked out once per partition. */
typedef struct LpBlockNeeds {
    double *need;       /* degree: bytes at each block position */
    uint16_t *op_group; /* forward ops: group of ops with equal ways */
    uint32_t groups;
    uint32_t *group_ways; /* groups: number of servers of the block that it uses */
    uint32_t *group_from; /* groups: position of the first of them; NULL: all begin at the block's
                             first */
    double *op_bytes;     /* of a plan: forward ops, bytes on each of its servers; NULL: by
                             lp_store_op_bytes */
    double most;          /* of need */
    double all;           /* bytes of one pair of parts of every op together, both passes mounted:
                             no server can be asked for more */
} LpBlockNeeds;

typedef struct LpStepEntry {
    LpStepSummary summary;
    LpErr refused;             /* LP_OK, or why this step cannot be simulated */
    char reason[LP_DIAG_TEXT]; /* `refused` in words */
    LpStepPlan plan;           /* of what lp_store_add_step adds */
} LpStepEntry;

/* What a step sends between servers; pair: in the store's arena. */
typedef struct LpPairs {
    const LpPairBytes *pair;
    uint32_t count;
} LpPairs;

/* A slice without some of its light. */
typedef struct LpSliceLeft {
    uint32_t lost, zero; /* circuits that are dead */
    double slowdown;     /* greatest load of uniform traffic over that with nothing dead; INFINITY:
                            it falls apart */
} LpSliceLeft;

/* A stretch, the one after it that was added last, and the one added before beside it; 0: none. */
typedef struct LpBooked {
    LpEarlier earlier;
    uint32_t after, beside;
} LpBooked;

struct LpStore {
    LpArena *arena;
    LpIntern partition_key, placement_key, step_key, traffic_key, list_key, load_key, pairs_key,
        order_key, left_key, rest_key, first_key, spell_key, pattern_key, links_key, known_key;
    LpPartition **partition;
    size_t partitions_shared;      /* `partition` up to here is another store's (lp_context_twin) */
    LpBlockNeeds *needs;           /* per partition */
    LpPlacement **placement;       /* NULL: packed, and not open */
    struct LpOpenPlacements *open; /* NULL: none are packed (lp_store_pack) */
    LpStepEntry **step;
    uint32_t *known; /* per row of known_key: its step */
    LpBooked *stretch;
    size_t stretches, stretch_cap;
    uint32_t *first; /* per row of first_key: the stretch, which has none before it */
    size_t first_cap;
    LpTraffic *traffic;
    LpLoad **load;
    LpPairs *pairs;
    LpSliceLeft *left;
    double *rest_step;          /* s, of a step on what is left of its slice */
    struct LpPodRest *rest;     /* of the step that is simulated just now; NULL: intact */
    LpParallelStep **plan_step; /* per graph with plans: of each alone, {0} not worked out */
    uint32_t **by_degree;       /* per (graph, kind): partition + 1 of each degree, 0 unknown */
    uint32_t degrees;           /* entries of each list: scenario's largest degree + 1 */
    size_t partition_cap, needs_cap, placement_cap, step_cap, traffic_cap, load_cap, pairs_cap,
        left_cap, rest_cap, known_cap;
    uint32_t *stamp, *dense; /* per server, to rename those of a placement */
    uint32_t round;
    uint32_t *in_slice; /* per server, on pods: its number in `slice` */
    LpFabric on_slice;  /* fabric of `slice` */
    LpSlice slice;      /* the slice whose fabric was asked for last, as it lies */
    uint32_t *ways;     /* working arrays, one entry per op of the largest graph */
    uint32_t *canonical;
    size_t canonical_cap;
    uint8_t *key;
    size_t key_cap;
    uint64_t step_hits, step_misses;
};

/* Each finds or makes an entry and gives its index. */
LpErr lp_store_add_partition(const LpContext *context, uint32_t graph, LpPartitionKind kind,
                             const uint32_t *ways, uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Finds or makes the partition of a degree, without ways that a policy chose. */
LpErr lp_store_degree(const LpContext *context, uint32_t graph, LpPartitionKind kind,
                      uint32_t degree, uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Finds or makes the partition of a plan. Errors: LP_EREFUSED with the numbers where the graph
 * cannot be split so. */
LpErr lp_store_add_plan(const LpContext *context, uint32_t graph, const LpParallel *plan,
                        uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Finds or makes the partition of a recorded step. */
LpErr lp_store_add_recorded(const LpContext *context, uint32_t graph, uint32_t *index,
                            LpDiag *diag) LP_MUST_USE;
/* The plan that a degree means: of the plans with at most `degree` servers which fit into the
 * largest memory, those with most servers, and of these the fastest, the first among equals; where
 * no plan fits, memory does not count. Errors: LP_EREFUSED where even the smallest plan has more
 * servers. */
LpErr lp_store_choose_plan(const LpContext *context, uint32_t graph, uint32_t degree,
                           const LpParallel **out, LpDiag *diag) LP_MUST_USE;
/* Keeps a partition that is not known yet under the key that was made of it. */
LpErr lp_store_keep_partition(const LpContext *context, LpPartition *partition, const void *key,
                              size_t len, uint64_t hash, uint32_t *index) LP_MUST_USE;
/* Needs of a plan's stages. */
LpErr lp_store_plan_needs(const LpContext *context, const LpPartition *partition,
                          LpBlockNeeds *out) LP_MUST_USE;
/* Servers of a node as a placement of a plan has them: the largest number, not above the device's,
 * such that each run of as many positions lies in one node; below that, a multiple or divisor
 * of the tensor ways. */
uint32_t lp_store_plan_node(const LpPartition *partition, const LpPlacement *placement);
/* Adds to the graph of its messages what its groups send besides (sim/parallel/sends.h): the bytes,
 * and between nodes the pairs of servers, but on circuits that turn inside the step, which are its
 * own. *pairs (NULL allowed): how many of these no message uses. The list lives as long as the
 * graph. Errors: LP_ENOMEM. */
LpErr lp_store_plan_sends(const LpContext *context, const LpPartition *partition,
                          const LpPlacement *placement, LpStepGraph *graph,
                          uint32_t *pairs) LP_MUST_USE;
/* Its step; LP_EREFUSED where there is no way between two servers. `more` circuits than those of
 * the graph's messages. */
LpErr lp_store_plan_summary(const LpContext *context, const LpPartition *partition,
                            const LpPlacement *placement, LpOrders orders, const LpStepGraph *graph,
                            uint32_t more, LpStepSummary *out, LpDiag *diag) LP_MUST_USE;
/* What its parts do and when, as tasks of a graph that was built of it; trace as lp_step_run. */
LpErr lp_store_plan_trace(const LpContext *context, const LpPartition *partition,
                          const LpPlacement *placement, LpOrders orders, const LpStepGraph *graph,
                          LpTrace *trace, LpDiag *diag) LP_MUST_USE;
/* Room for a key that is made, and more of it: where it ends then. */
LpErr lp_store_key_room(LpStore *store, size_t bytes) LP_MUST_USE;
size_t lp_store_key_add(LpStore *store, size_t at, const void *bytes, size_t len);
/* What a key has of a placement: op groups, and a list of servers parallel to group_server; and the
 * most that it takes. */
size_t lp_store_placement_key(LpStore *store, size_t at, const LpPlacement *placement,
                              const uint32_t *group_server);
size_t lp_store_placement_room(const LpPlacement *placement);
/* In a store that has the placements of another one: reads those that are packed there by itself.
 * Errors: LP_ENOMEM. */
LpErr lp_store_share_packed(LpStore *to, const LpStore *from) LP_MUST_USE;
void lp_store_close_placements(LpStore *store);
const LpBlockNeeds *lp_store_needs(const LpStore *store, const LpPartition *partition);
/* The fabric as a placement has it: of its slice, where it is on one. Good until the next call. */
const LpFabric *lp_store_fabric(const LpContext *context, const LpPlacement *placement);
LpErr lp_store_add_placement(const LpContext *context, const LpPlacement *placement,
                             uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Finds or makes an order of a policy's own priorities, as LpOrders counts them; the rule orders
 * equals. */
LpErr lp_store_add_order(const LpContext *context, LpOrder rule, const double *priority,
                         uint32_t count, uint32_t *order, LpDiag *diag) LP_MUST_USE;
/* Adds the content of an order's lists to a hash; rules add nothing. */
uint64_t lp_store_order_hash(const LpStore *store, uint64_t hash, LpOrders orders);
/* Simulates one step of a placed partition unless it is known. */
LpErr lp_store_add_step(const LpContext *context, uint32_t partition, uint32_t placement,
                        LpOrders orders, uint32_t *index, LpDiag *diag) LP_MUST_USE;
LpErr lp_store_add_traffic(const LpContext *context, uint32_t partition, uint32_t placement,
                           LpTraffic *out, LpDiag *diag) LP_MUST_USE;
/* What a simulated step asks of shared links; LP_NO_INDEX where it asks for none. orders: the
 * step's. */
LpErr lp_store_add_load(const LpContext *context, uint32_t partition, uint32_t placement,
                        uint32_t step, LpOrders orders, uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* What a step of a placed partition sends between each two servers; good until the next call.
 * Errors: LP_ENOMEM. */
LpErr lp_store_add_pairs(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, const LpPairs **out, LpDiag *diag) LP_MUST_USE;
LpErr lp_store_add_list(const LpContext *context, const uint32_t *items, uint32_t count,
                        uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* What is left of the slice of this row (from 1) with some of its light dead, ascending, in terms
 * of its ordinals: dead[1] to dead[deads]; dead[0] is room, and the list is changed. Errors:
 * LP_ENOMEM. O(accelerators^2) for a set with a dead cable that is not known yet, an n^3-th of it
 * for others of dead switches (lp_pod_sources). */
LpErr lp_store_left(const LpContext *context, uint32_t row, LpPodDead *dead, size_t deads,
                    LpSliceLeft *out, LpDiag *diag) LP_MUST_USE;
/* Seconds of one step of a placed partition on what is left of its slice without what is dead,
 * ascending, in terms of its ordinals; INFINITY where it falls apart or has no such step. Simulated
 * once for each placement and each set. Errors: LP_ELIMIT, LP_ENOMEM. O(members accelerators) and
 * the step. */
LpErr lp_store_left_step(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, const LpPodDead *dead, size_t deads, double *step,
                         LpDiag *diag) LP_MUST_USE;
/* Simulates a step whether or not it is known; entry->refused and the reason where there is none.
 */
LpErr lp_store_simulate(const LpContext *context, uint32_t partition, const LpPlacement *placement,
                        LpOrders orders, LpStepEntry *entry, LpDiag *diag) LP_MUST_USE;
/* In a fresh store: the stretches of another one under the same numbers. Errors: LP_ENOMEM.
 * O(stretches). */
LpErr lp_store_share_earlier(LpStore *to, const LpStore *from) LP_MUST_USE;
/* Sizes the working arrays for the context's largest graph. */
LpErr lp_store_prepare(LpStore *store, const LpContext *context) LP_MUST_USE;
/* Works out the needs of a partition into the arena of the store. Errors: LP_ENOMEM. */
LpErr lp_store_work_out_needs(const LpContext *context, const LpPartition *partition,
                              LpBlockNeeds *out) LP_MUST_USE;
/* In a fresh store: the entries of another one under the same numbers, shared read-only; `from`
 * must outlive it. Errors: LP_ENOMEM. */
LpErr lp_store_share(LpStore *store, const LpStore *from) LP_MUST_USE;

#endif
