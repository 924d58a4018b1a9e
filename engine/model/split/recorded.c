/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/split/recorded.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/device/device.h"
#include "model/graph_internal.h"

enum { NAME = 32 };

/* ---- content ---- */

/* A collective is of its members, whatever their communicator is called. */
static uint64_t hash_peer(uint64_t h, const LpStepTrace *trace, uint32_t r,
                          const LpTraceNode *node) {
    if (node->kind == LP_TRACE_INSTANT || node->kind == LP_TRACE_OP)
        return h;
    if (node->kind != LP_TRACE_COLLECTIVE)
        return lp_hash_u64(h, (uint64_t)node->peer << 32 | node->tag);
    const LpTraceGroup *group = lp_step_trace_group_of(trace, node->peer, r);
    h = lp_hash_u64(h, group->members);
    for (uint32_t i = 0; i < group->members && group->member[0] == r; i++)
        h = lp_hash_u64(h, group->member[i]);
    return h;
}

static uint64_t hash_node(uint64_t h, const LpStepTrace *trace, uint32_t r, uint32_t i) {
    const LpTraceRank *rank = &trace->rank[r];
    const LpTraceNode *node = &rank->node[i];
    uint32_t count;
    const uint32_t *edge = lp_trace_edges(rank, i, &count);
    bool counts = node->kind != LP_TRACE_INSTANT && node->kind != LP_TRACE_RECEIVE;
    h = lp_hash_u64(h, counts ? node->amount : 0);
    h = hash_peer(h, trace, r, node);
    h = lp_hash_u64(h, (uint64_t)node->kind << 24 | (counts ? (uint64_t)node->stream << 16 : 0) |
                           (node->kind == LP_TRACE_SEND ? (uint64_t)node->port << 8 : 0) |
                           (node->kind == LP_TRACE_COLLECTIVE ? node->what : 0));
    h = lp_hash_u64(h, lp_trace_node_id(rank, i));
    h = lp_hash_u64(h, count);
    for (uint32_t e = 0; e < count; e++)
        h = lp_hash_u64(h, edge[e]);
    return h;
}

static uint64_t hash_trace(const LpStepTrace *trace, const LpTraceRules *rules) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, trace->ranks);
    h = lp_hash_u64(h, (uint64_t)rules->ports << 1 | rules->free_streams);
    h = lp_hash_u64(h, rules->eager);
    for (uint32_t r = 0; r < trace->ranks; r++) {
        const LpTraceRank *rank = &trace->rank[r];
        h = lp_hash_u64(h, rank->nodes);
        for (uint32_t i = 0; i < rank->nodes; i++)
            h = hash_node(h, trace, r, i);
        for (size_t i = 0; i < rank->works; i++) {
            h = lp_hash_u64(h, rank->work[i].node);
            h = lp_hash_f64(lp_hash_f64(h, rank->work[i].flop), rank->work[i].bytes);
        }
    }
    return h;
}

/* ---- the graph ---- */

/* Ops that say nothing get the time that the rules have for them, so that a step is the same
 * whichever way it is written. */
static void settle_unknown(LpStepTrace *trace, LpTraceRules *rules) {
    for (uint32_t r = 0; r < trace->ranks; r++) {
        LpTraceRank *rank = &trace->rank[r];
        size_t work = 0;
        for (uint32_t i = 0; i < rank->nodes; i++) {
            bool says = work < rank->works && rank->work[work].node == i;
            work += says;
            if (rank->node[i].kind == LP_TRACE_OP && rank->node[i].amount == 0 && !says)
                rank->node[i].amount = (uint64_t)rules->unknown_ns;
        }
    }
    rules->unknown_ns = 0;
}

/* s that the ops of a rank take, those left aside that do not say it. */
static double computing(const LpTraceRank *rank) {
    double ns = 0;
    for (uint32_t i = 0; i < rank->nodes; i++)
        if (rank->node[i].kind == LP_TRACE_OP)
            ns += (double)rank->node[i].amount;
    return 1e-9 * ns;
}

static LpErr fill(LpGraphBuilder *builder, const LpStepTrace *trace, LpDiag *diag) {
    for (uint32_t r = 0; r < trace->ranks; r++) {
        char name[NAME];
        snprintf(name, sizeof name, "rank %u", (unsigned)r);
        LpOp op = {.number = r + 1, .forward = computing(&trace->rank[r]), .name = name};
        LP_TRY(lp_graph_builder_op(builder, &op, 0, 0, diag));
    }
    return LP_OK;
}

static LpErr build(const char *id, const char *file, const LpStepTrace *trace, LpGraph **out,
                   LpDiag *diag) {
    if (trace->ranks > LP_RECORDED_RANKS)
        return lp_fail(diag, LP_ELIMIT, "%u ranks, limit %d", (unsigned)trace->ranks,
                       LP_RECORDED_RANKS);
    LpGraphBuilder *builder = lp_graph_builder_new(id, file);
    if (builder == NULL)
        return lp_fail_memory(diag, "a computation graph");
    LpErr err = fill(builder, trace, diag);
    if (err == LP_OK)
        err = lp_graph_builder_finish(builder, out, diag);
    lp_graph_builder_free(builder);
    return err;
}

LpErr lp_recorded_graph(const char *id, const char *file, LpStepTrace *trace,
                        const LpTraceRules *rules, const LpRates *rates, LpGraph **out,
                        LpDiag *diag) {
    LpGraph *graph = NULL;
    LpTraceRules settled = *rules;
    settle_unknown(trace, &settled);
    LpErr err = build(id, file, trace, &graph, diag);
    LpTraceRules *kept =
        err == LP_OK ? lp_arena_alloc(((LpGraphOwner *)graph)->arena, 1, sizeof *kept) : NULL;
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "a computation graph");
    if (err != LP_OK) {
        lp_graph_free(graph);
        lp_step_trace_free(trace);
        return err;
    }
    *kept = settled;
    graph->trace = trace;
    graph->trace_rules = kept;
    graph->split_hash = hash_trace(trace, kept);
    graph->split_servers = trace->ranks;
    graph->rates = *rates;
    graph->rates.by_size = false;
    graph->device = rates->device->name;
    lp_graph_summarise(graph);
    *out = graph;
    return LP_OK;
}

/* ---- the partition ---- */

LpErr lp_recorded_partition(const LpCut *cut, LpPartition **out, LpDiag *diag) {
    LpPartition *p;
    LpCut bare = *cut;
    uint32_t *ways = lp_alloc(cut->graph->ops, sizeof *ways);
    if (ways == NULL)
        return lp_fail_memory(diag, "a partition");
    for (uint32_t r = 0; r < cut->graph->ops; r++)
        ways[r] = 1;
    bare.bare = true;
    bare.kind = LP_PARTITION_MODEL;
    LpErr err = lp_partition_build(&bare, ways, &p, diag);
    lp_free(ways);
    if (err != LP_OK)
        return err;
    p->degree = cut->graph->ops;
    p->hash = lp_hash_u64(p->hash, cut->graph->split_hash);
    *out = p;
    return LP_OK;
}
