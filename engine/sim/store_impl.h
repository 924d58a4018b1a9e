/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the store; private to sim/. */
#ifndef LP_SIM_STORE_IMPL_H
#define LP_SIM_STORE_IMPL_H

#include "sim/intern.h"
#include "sim/place.h"
#include "sim/store.h"

/* What a placement sends, whatever the geometry: depends only on which parts share servers. */
typedef struct LpTraffic {
    uint32_t flows, channels;
    double flow_bytes;
} LpTraffic;

typedef struct LpStepEntry {
    LpStepSummary summary;
    LpErr refused; /* LP_OK, or why this step cannot be simulated ... */
    char reason[LP_DIAG_TEXT];
} LpStepEntry;

struct LpStore {
    LpArena *arena;
    LpIntern partition_key, placement_key, step_key, traffic_key, list_key;
    LpPartition **partition;
    LpPlacement **placement;
    LpStepEntry **step;
    LpTraffic *traffic;
    size_t partition_cap, placement_cap, step_cap, traffic_cap;
    LpPlaceScratch *place;
    uint32_t *ways; /* working arrays, one entry per op of the largest graph */
    uint32_t *canonical;
    size_t canonical_cap;
    uint8_t *key;
    size_t key_cap;
    uint64_t step_hits, step_misses;
};

/* Each finds or makes an entry and gives its index. */
LpErr lp_store_add_partition(const LpContext *context, uint32_t graph, LpPartitionKind kind,
                             const uint32_t *ways, uint32_t *index, LpDiag *diag) LP_MUST_USE;
LpErr lp_store_add_placement(const LpContext *context, const LpPlacement *placement,
                             uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Simulates one step of a placed partition unless it is known. */
LpErr lp_store_add_step(const LpContext *context, uint32_t partition, uint32_t placement,
                        LpOrder order_ops, LpOrder order_flows, uint32_t *index,
                        LpDiag *diag) LP_MUST_USE;
LpErr lp_store_add_traffic(const LpContext *context, uint32_t partition, uint32_t placement,
                           LpTraffic *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_store_add_list(const LpContext *context, const uint32_t *items, uint32_t count,
                        uint32_t *index, LpDiag *diag) LP_MUST_USE;
/* Sizes the working arrays for the context's largest graph. */
LpErr lp_store_prepare(LpStore *store, const LpContext *context) LP_MUST_USE;
/* The cut that a context's scenario asks for. */
LpCut lp_context_cut(const LpContext *context, uint32_t graph, LpPartitionKind kind);

#endif
