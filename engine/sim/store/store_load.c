/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What placed jobs send, in the store: what each asks of shared links, and the bytes of each pair
 * of servers. */
#include <string.h>

#include "sim/store/store_impl.h"
#include "sim/traffic/phases.h"

const LpLoad *lp_store_load(const LpStore *store, uint32_t index) {
    return store->load[index];
}

/* No route of the servers has a link that other jobs use: all are under one switch, or reach each
 * other straight. */
static bool stays_inside(const LpNetwork *n, const LpPlacement *p) {
    LpTopology topology = n->spec.topology;
    if (lp_network_direct(n))
        return true;
    if (topology != LP_TOPOLOGY_LEAF_SPINE && topology != LP_TOPOLOGY_FAT_TREE)
        return p->servers < 2;
    uint32_t first = lp_network_locality(n, p->server[0]);
    for (uint32_t i = 1; i < p->servers; i++)
        if (lp_network_locality(n, p->server[i]) != first)
            return false;
    return true;
}

static LpErr make(const LpContext *context, uint32_t partition, uint32_t placement, uint32_t step,
                  LpLoad *out, LpDiag *diag) {
    LpStore *store = context->store;
    LpStepGraph graph;
    LP_TRY(lp_store_graph(context, partition, placement, LP_RULES_SRPT, &graph, diag));
    if (lp_load_make(&context->fabric, &graph, store->partition[partition],
                     store->step[step]->summary.communication, store->arena, out) != LP_OK)
        return lp_fail_memory(diag, "a job's load on shared links");
    return LP_OK;
}

/* Its phases, from a trace of the step alone. The trace's graph is in the scratch. */
static LpErr make_phases(const LpContext *context, uint32_t partition, uint32_t placement,
                         uint32_t step, LpOrders orders, LpLoad *load, LpDiag *diag) {
    LpStore *store = context->store;
    LpSendPhases *phases = lp_arena_alloc(store->arena, 1, sizeof *phases);
    LpStepGraph graph;
    LpTrace trace;
    if (phases == NULL)
        return lp_fail_memory(diag, "a job's phases on shared links");
    load->phases = phases;
    if (store->partition[partition]->planned)
        return lp_phases_of_sums(load, &store->step[step]->summary, store->arena, phases);
    LP_TRY(lp_store_trace(context, partition, placement, orders, &graph, &trace, diag));
    LpErr err = lp_phases_make(&context->fabric, &graph, store->partition[partition], &trace,
                               store->arena, phases);
    lp_trace_fini(&trace);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "a job's phases on shared links");
}

static LpErr keep(LpStore *store, const LpLoad *load, const void *key, size_t len, uint64_t hash,
                  uint32_t *index) {
    void *items = store->load;
    LpLoad *kept = lp_arena_alloc(store->arena, 1, sizeof *kept);
    LP_TRY(lp_grow(&items, &store->load_cap, store->load_key.count + 1, sizeof(LpLoad *)));
    store->load = items;
    if (kept == NULL)
        return LP_ENOMEM;
    LP_TRY(lp_intern_add(&store->load_key, key, len, hash, index));
    *kept = *load;
    store->load[*index] = kept;
    return LP_OK;
}

LpErr lp_store_add_load(const LpContext *context, uint32_t partition, uint32_t placement,
                        uint32_t step, LpOrders orders, uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    uint32_t key[] = {partition, placement, step, context->network}, found;
    uint64_t hash;
    LpLoad load = {0};
    *index = LP_NO_INDEX;
    if (context->fabric.network == NULL ||
        stays_inside(context->fabric.network, lp_store_placement(store, placement)))
        return LP_OK;
    found = lp_intern_find(&store->load_key, key, sizeof key, &hash);
    if (found == LP_NO_INDEX) {
        LP_TRY(make(context, partition, placement, step, &load, diag));
        if (context->fabric.interleaved && load.links > 0)
            LP_TRY(make_phases(context, partition, placement, step, orders, &load, diag));
        if (keep(store, &load, key, sizeof key, hash, &found) != LP_OK)
            return lp_fail_memory(diag, "a job's load on shared links");
    }
    if (store->load[found]->links > 0)
        *index = found;
    return LP_OK;
}

/* ---- pairs ---- */

static LpErr make_pairs(const LpContext *context, uint32_t partition, uint32_t placement,
                        LpOrders orders, LpPairs *out, LpDiag *diag) {
    LpStore *store = context->store;
    LpStepGraph graph;
    LpPairBytes *pair;
    uint32_t count;
    LP_TRY(lp_store_graph(context, partition, placement, orders, &graph, diag));
    if (lp_load_pairs(&context->fabric, &graph, store->partition[partition], &pair, &count) !=
        LP_OK)
        return lp_fail_memory(diag, "the demand of jobs");
    LpPairBytes *kept = lp_arena_alloc(store->arena, count + 1U, sizeof *kept);
    if (kept != NULL && count > 0)
        memcpy(kept, pair, count * sizeof *kept);
    lp_free(pair);
    *out = (LpPairs){kept, count};
    return kept != NULL ? LP_OK : lp_fail_memory(diag, "the demand of jobs");
}

LpErr lp_store_add_pairs(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, const LpPairs **out, LpDiag *diag) {
    LpStore *store = context->store;
    /* the order of flows is that in which the bytes of a pair are summed */
    uint32_t key[] = {partition, placement, orders.ops, orders.flows, context->network}, found;
    uint64_t hash;
    LpPairs pairs;
    found = lp_intern_find(&store->pairs_key, key, sizeof key, &hash);
    if (found == LP_NO_INDEX) {
        void *items = store->pairs;
        LP_TRY(make_pairs(context, partition, placement, orders, &pairs, diag));
        if (lp_grow(&items, &store->pairs_cap, store->pairs_key.count + 1, sizeof pairs) != LP_OK)
            return lp_fail_memory(diag, "the demand of jobs");
        store->pairs = items;
        if (lp_intern_add(&store->pairs_key, key, sizeof key, hash, &found) != LP_OK)
            return lp_fail_memory(diag, "the demand of jobs");
        store->pairs[found] = pairs;
    }
    *out = &store->pairs[found];
    return LP_OK;
}
