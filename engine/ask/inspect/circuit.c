/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the flows and collectives of a simulated step into circuits. */
#include "ask/inspect/circuit.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/store/store.h"

/* A span with the pair that it belongs to. */
typedef struct Item {
    uint32_t src, dst;
    LpCircuitSpan span;
} Item;

typedef struct Items {
    const LpFabric *fabric;
    const LpPartition *partition;
    const LpStepGraph *graph;
    const LpTrace *trace;
    uint32_t from, to;
    Item *item;
    size_t count, cap;
} Items;

void lp_circuit_inspection_fini(LpCircuitInspection *seen) {
    lp_free(seen->circuit);
    lp_free(seen->span);
    *seen = (LpCircuitInspection){0};
}

static LpErr add(Items *l, uint32_t src, uint32_t dst, const LpCircuitSpan *span) {
    if (lp_fabric_group(l->fabric, src) != l->from || lp_fabric_group(l->fabric, dst) != l->to)
        return LP_OK;
    LP_TRY(lp_grow((void **)&l->item, &l->cap, l->count + 1, sizeof *l->item));
    l->item[l->count++] = (Item){src, dst, *span};
    return LP_OK;
}

/* When each task could have started: its last parent's end. */
static double *ready_times(const LpStepGraph *g, const LpTrace *trace) {
    double *ready = lp_alloc(g->tasks, sizeof *ready);
    for (uint32_t t = 0; ready && t < g->tasks; t++)
        for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++)
            ready[g->succ[i]] = fmax(ready[g->succ[i]], trace->end[t]);
    return ready;
}

static LpCircuitSpan span_of(const Items *l, uint32_t task, const double *ready, uint32_t op) {
    const LpGraph *graph = l->partition->graph;
    double start = l->trace->start[task], end = l->trace->end[task];
    double turn = end - start - l->graph->time[task];
    return (LpCircuitSpan){.ready = fmin(ready[task], start),
                           .start = start,
                           .end = end,
                           .turn = turn > 0.5 * l->graph->slot ? l->graph->slot
                                                               : 0.0, /* the rest is rounding */
                           .op = graph->op[op < graph->ops ? op : op - graph->ops].number};
}

static LpErr add_flows(Items *l, const double *ready) {
    const LpStepGraph *g = l->graph;
    for (uint32_t t = 0; t < g->transfers; t++) {
        if (!g->flow[t])
            continue;
        LpCircuitSpan span =
            span_of(l, g->parts + t, ready, lp_step_op(g, l->partition, g->parts + t));
        span.bytes = g->bytes[t];
        LP_TRY(add(l, g->src[t], g->dst[t], &span));
    }
    return LP_OK;
}

static LpErr add_collective(Items *l, const double *ready, uint32_t c) {
    const LpStepGraph *g = l->graph;
    const LpCollectiveTask *task = lp_step_call(g, l->partition, c);
    LpCircuitSpan span = span_of(l, g->parts + g->transfers + c, ready, task->op);
    span.collective = true;
    span.turn = 0.0;
    span.bytes = task->bytes;
    for (uint32_t i = g->member_begin[c]; i < g->member_begin[c + 1]; i++)
        for (uint32_t k = g->member_begin[c]; k < g->member_begin[c + 1]; k++)
            if (i != k)
                LP_TRY(add(l, g->server_id[g->member[i]], g->server_id[g->member[k]], &span));
    return LP_OK;
}

static LpErr gather(Items *l) {
    double *ready = ready_times(l->graph, l->trace);
    LpErr err = ready ? add_flows(l, ready) : LP_ENOMEM;
    for (uint32_t c = 0; err == LP_OK && c < l->graph->collectives; c++)
        err = add_collective(l, ready, c);
    lp_free(ready);
    return err;
}

static int by_pair(const void *x, const void *y) {
    const Item *a = x, *b = y;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    if (a->span.start != b->span.start)
        return a->span.start < b->span.start ? -1 : 1;
    if (a->span.end != b->span.end)
        return a->span.end < b->span.end ? -1 : 1;
    return (a->span.op > b->span.op) - (a->span.op < b->span.op);
}

/* Light and waiting of a circuit whose spans are all there. */
static void finish(LpCircuitInspection *seen, LpCircuit *circuit) {
    double reached = 0.0;
    for (uint32_t i = circuit->first; i < circuit->end; i++) {
        const LpCircuitSpan *span = &seen->span[i];
        double from = fmax(span->start, reached);
        circuit->waited += span->start - span->ready;
        if (span->end > from)
            circuit->lit += (span->end - from) / seen->step_time;
        reached = fmax(reached, span->end);
    }
}

static LpErr sort_out(Items *l, LpCircuitInspection *seen) {
    seen->circuit = lp_alloc(l->count, sizeof *seen->circuit);
    seen->span = lp_alloc(l->count, sizeof *seen->span);
    if (!seen->circuit || !seen->span)
        return LP_ENOMEM;
    if (l->count > 1)
        qsort(l->item, l->count, sizeof *l->item, by_pair);
    for (size_t i = 0; i < l->count; i++) {
        const Item *item = &l->item[i];
        if (i == 0 || item->src != item[-1].src || item->dst != item[-1].dst)
            seen->circuit[seen->circuits++] =
                (LpCircuit){.src = item->src, .dst = item->dst, .first = seen->spans};
        seen->span[seen->spans++] = item->span;
        seen->circuit[seen->circuits - 1].end = seen->spans;
    }
    for (uint32_t c = 0; c < seen->circuits; c++)
        finish(seen, &seen->circuit[c]);
    return LP_OK;
}

LpErr lp_circuit_inspect(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, uint32_t from, uint32_t to, LpCircuitInspection *out,
                         LpDiag *diag) {
    LpStepGraph graph;
    LpTrace trace = {0};
    LpCircuitInspection seen = {0};
    LP_TRY(lp_store_trace(context, partition, placement, orders, &graph, &trace, diag));
    Items list = {.fabric = &context->fabric,
                  .partition = lp_store_partition(context->store, partition),
                  .graph = &graph,
                  .trace = &trace,
                  .from = from,
                  .to = to};
    for (uint32_t t = 0; t < trace.tasks; t++)
        seen.step_time = fmax(seen.step_time, trace.end[t]);
    LpErr err = gather(&list);
    if (err == LP_OK)
        err = sort_out(&list, &seen);
    lp_free(list.item);
    lp_trace_fini(&trace);
    if (err != LP_OK) {
        lp_circuit_inspection_fini(&seen);
        return lp_fail_memory(diag, "the circuits of a training step");
    }
    *out = seen;
    return LP_OK;
}

/* ---- asking ---- */

const LpCircuit *lp_circuit_inspection_find(const LpCircuitInspection *seen, uint32_t src,
                                            uint32_t dst) {
    uint32_t low = 0, high = seen->circuits;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const LpCircuit *c = &seen->circuit[middle];
        if (c->src < src || (c->src == src && c->dst < dst))
            low = middle + 1;
        else
            high = middle;
    }
    const LpCircuit *found = low < seen->circuits ? &seen->circuit[low] : NULL;
    return found && found->src == src && found->dst == dst ? found : NULL;
}

/* Length of [a, b) within [from, to). */
static double within(double a, double b, double from, double to) {
    double length = fmin(b, to) - fmax(a, from);
    return length > 0.0 ? length : 0.0;
}

LpCircuitState lp_circuit_inspection_state(const LpCircuitInspection *seen,
                                           const LpCircuit *circuit, double from, double to) {
    LpCircuitState state = {0};
    double reached = from;
    if (!(to > from))
        return state;
    for (uint32_t i = circuit->first; i < circuit->end; i++) {
        const LpCircuitSpan *s = &seen->span[i];
        state.waiting += within(s->ready, s->start, from, to);
        state.turning += within(s->start, s->start + s->turn, from, to);
        state.lit += within(fmax(s->start, reached), s->end, from, to);
        reached = fmax(reached, s->end);
    }
    double width = to - from;
    state.lit = fmin(state.lit / width, 1.0);
    state.turning = fmin(state.turning / width, state.lit);
    state.lit -= state.turning;
    state.waiting = fmin(state.waiting / width, 1.0 - state.lit - state.turning);
    return state;
}
