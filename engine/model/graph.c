/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The finished computation graph: its times on a device, its sums and hash, its end.
 * How one is built is in graph_builder.c. */
#include "model/graph.h"

#include <stddef.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/graph_internal.h"

static uint64_t hash_op(uint64_t h, const LpOp *op) {
    h = lp_hash_u64(h, op->number);
    h = lp_hash_f64(h, op->forward);
    h = lp_hash_f64(h, op->backward);
    h = lp_hash_f64(h, op->activation);
    return lp_hash_f64(h, op->parameters);
}

static uint64_t hash_graph(const LpGraph *graph) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, graph->ops);
    h = lp_hash_u64(h, graph->edges);
    for (uint32_t i = 0; i < graph->ops; i++)
        h = hash_op(h, &graph->op[i]);
    for (uint32_t e = 0; e < graph->edges; e++)
        h = lp_hash_u64(h, (uint64_t)graph->edge_src[e] << 32 | graph->edge_dst[e]);
    return graph->split != NULL ? lp_hash_u64(h, graph->split_hash) : h;
}

void lp_graph_summarise(LpGraph *graph) {
    double forward = 0, backward = 0, activation = 0, parameters = 0;
    for (uint32_t i = 0; i < graph->ops; i++) {
        forward += graph->op[i].forward;
        backward += graph->op[i].backward;
        activation += graph->op[i].activation;
        parameters += graph->op[i].parameters;
    }
    graph->forward_sum = forward;
    graph->backward_sum = backward;
    graph->activation_sum = activation;
    graph->parameter_sum = parameters;
    graph->hash = hash_graph(graph);
}

void lp_graph_scale_time(LpGraph *graph, double factor) {
    LP_ASSERT(factor >= 0);
    for (uint32_t i = 0; i < graph->ops; i++) {
        LpOp *op = &graph->op[i];
        if (op->has_work)
            continue;
        op->forward *= factor;
        op->backward *= factor;
    }
    lp_graph_summarise(graph);
}

static double roofline(double flops, double bytes, const LpDevice *device) {
    double compute = flops / (device->peak_flops * device->flops_efficiency);
    double memory = bytes / (device->bandwidth * device->memory_efficiency);
    return compute > memory ? compute : memory;
}

void lp_graph_cost(LpGraph *graph, const LpDevice *device) {
    for (uint32_t i = 0; i < graph->ops; i++) {
        LpOp *op = &graph->op[i];
        if (!op->has_work)
            continue;
        op->forward = roofline(op->work.forward_flops, op->work.forward_bytes, device);
        op->backward = roofline(op->work.backward_flops, op->work.backward_bytes, device);
        graph->device = device->name;
    }
    lp_graph_summarise(graph);
}

double lp_graph_sequential_time(const LpGraph *graph) {
    /* One running sum: forward_sum + backward_sum would round differently. */
    double sum = 0;
    for (uint32_t i = 0; i < graph->ops; i++)
        sum += graph->op[i].forward;
    for (uint32_t i = 0; i < graph->ops; i++)
        sum += graph->op[i].backward;
    return sum;
}

void lp_graph_free(LpGraph *graph) {
    if (graph == NULL)
        return;
    /* The owner begins with its graph, see graph_internal.h. */
    lp_arena_free(((LpGraphOwner *)graph)->arena);
}
