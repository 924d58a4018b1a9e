/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The finished computation graph: its times on a device, its sums and hash, its end.
 * How one is built is in graph_builder.c. */
#include "model/graph.h"

#include <stddef.h>

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/device/device.h"
#include "model/graph_internal.h"
#include "model/ranks/step_trace.h"

static uint64_t hash_op(uint64_t h, const LpOp *op) {
    h = lp_hash_u64(h, op->number);
    h = lp_hash_f64(h, op->forward);
    h = lp_hash_f64(h, op->backward);
    h = lp_hash_f64(h, op->activation);
    return lp_hash_f64(h, op->parameters);
}

/* Where parts take their time by size, more matters than the times of the ops. */
static uint64_t hash_product(uint64_t h, const LpWork *work) {
    const LpProduct *p = &work->product;
    const double of[] = {work->forward_flops,
                         work->backward_flops,
                         work->forward_bytes,
                         work->backward_bytes,
                         p->flops,
                         p->serial,
                         p->count,
                         p->rows,
                         p->columns,
                         p->depth};
    for (size_t i = 0; i < LP_COUNTOF(of); i++)
        h = lp_hash_f64(h, of[i]);
    return h;
}

static uint64_t hash_rates(uint64_t h, const LpRates *rates) {
    const LpDevice *d = rates->device;
    const double of[] = {lp_device_rate(d, rates->precision),
                         d->peak_flops,
                         d->bandwidth,
                         d->flops_efficiency,
                         d->memory_efficiency,
                         d->matrix_efficiency,
                         d->units,
                         d->tile_long,
                         d->tile_short,
                         d->op_time};
    for (size_t i = 0; i < LP_COUNTOF(of); i++)
        h = lp_hash_f64(h, of[i]);
    return lp_hash_u64(h, rates->precision);
}

static uint64_t hash_sizes(uint64_t h, const LpGraph *graph) {
    h = hash_rates(h, &graph->rates);
    for (uint32_t i = 0; i < graph->ops; i++)
        h = hash_product(h, &graph->op[i].work);
    return h;
}

static uint64_t hash_graph(const LpGraph *graph) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, graph->ops);
    h = lp_hash_u64(h, graph->edges);
    if (graph->rates.by_size)
        h = hash_sizes(h, graph);
    for (uint32_t i = 0; i < graph->ops; i++)
        h = hash_op(h, &graph->op[i]);
    for (uint32_t e = 0; e < graph->edges; e++)
        h = lp_hash_u64(h, (uint64_t)graph->edge_src[e] << 32 | graph->edge_dst[e]);
    return graph->split != NULL || graph->trace != NULL ? lp_hash_u64(h, graph->split_hash) : h;
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

void lp_graph_cost(LpGraph *graph, const LpRates *rates) {
    for (uint32_t i = 0; i < graph->ops; i++) {
        LpOp *op = &graph->op[i];
        if (!op->has_work)
            continue;
        op->forward = lp_work_time(&op->work, false, rates, 1, LP_SIDE_COLUMNS);
        op->backward = lp_work_time(&op->work, true, rates, 1, LP_SIDE_COLUMNS);
        graph->rates = *rates;
        graph->device = rates->device->name;
    }
    lp_graph_summarise(graph);
}

bool lp_graph_sized(const LpGraph *graph, uint32_t op) {
    return graph->rates.by_size && graph->op[op].has_work;
}

double lp_graph_part_time(const LpGraph *graph, uint32_t op, bool backward, double share,
                          LpSide side) {
    LP_ASSERT(lp_graph_sized(graph, op));
    return lp_work_time(&graph->op[op].work, backward, &graph->rates, share, side);
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
    lp_step_trace_free(graph->trace);
    /* The owner begins with its graph, see graph_internal.h. */
    lp_arena_free(((LpGraphOwner *)graph)->arena);
}
