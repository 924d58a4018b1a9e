/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes nodes and edges of a profile or of a partition, and finds their critical paths. */
#include "ask/inspect/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask/inspect/inspect_step.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/parallel/memory.h"
#include "model/parallel/ops.h"
#include "model/split/split.h"
#include "sim/store/store.h"

void lp_graph_inspection_fini(LpGraphInspection *seen) {
    lp_free(seen->node);
    lp_free(seen->src);
    lp_free(seen->dst);
    lp_free(seen->critical_edge);
    lp_free(seen->out);
    lp_free(seen->in);
    lp_free(seen->to);
    lp_free(seen->from);
    lp_free(seen->server_id);
    lp_free(seen->part_server);
    *seen = (LpGraphInspection){0};
}

/* ---- edges ---- */

static int by_ends(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Lists the edges of each node by one of their ends: counting sort. */
static void list_by(const LpGraphInspection *seen, const uint32_t *end, uint32_t *begin,
                    uint32_t *item) {
    for (uint32_t e = 0; e < seen->edges; e++)
        begin[end[e] + 1]++;
    for (uint32_t v = 0; v < seen->nodes; v++)
        begin[v + 1] += begin[v];
    for (uint32_t e = 0; e < seen->edges; e++)
        item[begin[end[e]]++] = e;
    for (uint32_t v = seen->nodes; v > 0; v--)
        begin[v] = begin[v - 1];
    begin[0] = 0;
}

static bool allocate_edges(LpGraphInspection *seen, uint32_t room) {
    size_t nodes = (size_t)seen->nodes + 1;
    seen->src = lp_alloc(room, sizeof *seen->src);
    seen->dst = lp_alloc(room, sizeof *seen->dst);
    seen->critical_edge = lp_alloc(room, sizeof *seen->critical_edge);
    seen->out = lp_alloc(nodes, sizeof *seen->out);
    seen->in = lp_alloc(nodes, sizeof *seen->in);
    seen->to = lp_alloc(room, sizeof *seen->to);
    seen->from = lp_alloc(room, sizeof *seen->from);
    return seen->src && seen->dst && seen->critical_edge && seen->out && seen->in && seen->to &&
           seen->from;
}

/* pairs: src, dst, src, dst ...; sorted and left in. */
static LpErr take_edges(LpGraphInspection *seen, uint32_t *pair, uint32_t count, LpDiag *diag) {
    if (!allocate_edges(seen, count))
        return lp_fail_memory(diag, "a computation graph");
    if (count > 1)
        qsort(pair, count, 2 * sizeof *pair, by_ends);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *p = pair + 2 * (size_t)i;
        if (p[0] == p[1] || (i > 0 && by_ends(p, p - 2) == 0))
            continue;
        seen->src[seen->edges] = p[0];
        seen->dst[seen->edges++] = p[1];
    }
    list_by(seen, seen->src, seen->out, seen->to);
    list_by(seen, seen->dst, seen->in, seen->from);
    seen->shape = lp_hash_u64(LP_HASH_INIT, seen->nodes);
    for (uint32_t e = 0; e < seen->edges; e++)
        seen->shape = lp_hash_u64(seen->shape, (uint64_t)seen->src[e] << 32 | seen->dst[e]);
    return LP_OK;
}

static void mark_edge(LpGraphInspection *seen, uint32_t src, uint32_t dst) {
    for (uint32_t i = seen->out[src]; i < seen->out[src + 1]; i++)
        if (seen->dst[seen->to[i]] == dst)
            seen->critical_edge[seen->to[i]] = true;
}

/* ---- a profile ---- */

static LpErr profile_edges(LpGraphInspection *seen, LpDiag *diag) {
    const LpGraph *g = seen->graph;
    uint32_t *pair = lp_alloc(2 * (size_t)g->edges, sizeof *pair);
    if (!pair)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t e = 0; e < g->edges; e++) {
        pair[2 * (size_t)e] = g->edge_src[e];
        pair[2 * (size_t)e + 1] = g->edge_dst[e];
    }
    LpErr err = take_edges(seen, pair, g->edges, diag);
    lp_free(pair);
    return err;
}

/* The longest path by time, the lowest op first where several are equally long. */
static LpErr profile_path(LpGraphInspection *seen, LpDiag *diag) {
    const LpGraph *g = seen->graph;
    double *reach = lp_alloc(g->ops, sizeof *reach); /* time from the op's start to the end */
    uint32_t first = 0;
    if (!reach)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t i = g->ops; i-- > 0;) {
        uint32_t u = g->topo[i];
        for (uint32_t s = g->succ_begin[u]; s < g->succ_begin[u + 1]; s++)
            reach[u] = fmax(reach[u], reach[g->succ[s]]);
        reach[u] += g->op[u].forward;
    }
    for (uint32_t u = 1; u < g->ops; u++)
        if (reach[u] > reach[first])
            first = u;
    seen->critical_time = reach[first];
    for (uint32_t u = first, next; u != LP_NO_INDEX; u = next) {
        seen->node[u].critical = true;
        next = LP_NO_INDEX;
        for (uint32_t s = g->succ_begin[u]; s < g->succ_begin[u + 1]; s++)
            if (next == LP_NO_INDEX || reach[g->succ[s]] > reach[next])
                next = g->succ[s];
        if (next != LP_NO_INDEX)
            mark_edge(seen, u, next);
    }
    lp_free(reach);
    return LP_OK;
}

static LpErr fill_profile(LpGraphInspection *seen, LpDiag *diag) {
    const LpGraph *g = seen->graph;
    seen->nodes = g->ops;
    seen->node = lp_alloc(g->ops, sizeof *seen->node);
    if (!seen->node)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t u = 0; u < g->ops; u++) {
        const LpOp *op = &g->op[u];
        seen->node[u] = (LpGraphNode){
            .op = u, .ways = 1, .time = op->forward, .memory = op->activation + op->parameters};
        seen->longest = fmax(seen->longest, op->forward);
    }
    LP_TRY(profile_edges(seen, diag));
    return profile_path(seen, diag);
}

LpErr lp_graph_inspect(const LpContext *context, uint32_t graph, LpGraphInspection *out,
                       LpDiag *diag) {
    LpGraphInspection seen = {.graph = context->scenario->graph[graph], .width = -1, .height = -1};
    LpErr err = fill_profile(&seen, diag);
    if (err == LP_OK)
        *out = seen;
    else
        lp_graph_inspection_fini(&seen);
    return err;
}

/* ---- a partition ---- */

static int by_number(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static uint32_t index_of(const LpGraphInspection *seen, uint32_t server) {
    const uint32_t *at = bsearch(&server, seen->server_id, seen->servers, sizeof server, by_number);
    return at ? (uint32_t)(at - seen->server_id) : 0;
}

static LpErr take_servers(LpGraphInspection *seen, const LpPartition *p, const LpPlacement *at,
                          LpDiag *diag) {
    seen->server_id = lp_alloc(at->servers, sizeof *seen->server_id);
    seen->part_server = lp_alloc(p->parts, sizeof *seen->part_server);
    if (!seen->server_id || !seen->part_server)
        return lp_fail_memory(diag, "a computation graph");
    memcpy(seen->server_id, at->server, at->servers * sizeof *seen->server_id);
    qsort(seen->server_id, at->servers, sizeof *seen->server_id, by_number);
    seen->servers = at->servers;
    for (uint32_t v = 0; v < seen->nodes; v++) {
        const LpGraphNode *node = &seen->node[v];
        const uint32_t *server = at->group_server + at->group_begin[at->op_group[node->op]];
        for (uint32_t k = 0; k < node->ways; k++)
            seen->part_server[node->parts + k] = index_of(seen, server[k]);
    }
    return LP_OK;
}

/* Ops on the step's critical path, and the edges between those that follow one another there. */
static LpErr cut_path(LpGraphInspection *seen, const LpContext *context, uint32_t partition,
                      uint32_t placement, LpOrders orders, LpDiag *diag) {
    LpStepInspection step = {0};
    uint32_t last = LP_NO_INDEX;
    LP_TRY(lp_step_inspect(context, partition, placement, orders, (double)NAN, &step, diag));
    seen->critical_time = step.step_time;
    for (uint32_t i = 0; i < step.critical; i++) {
        const LpStepBar *bar = &step.bar[step.critical_bar[i]];
        uint32_t v = seen->graph->by_number[bar->op] + (bar->backward ? seen->graph->ops : 0);
        seen->node[v].critical = true; /* by what it computes or sends */
        if (last != LP_NO_INDEX && last != v)
            mark_edge(seen, last, v);
        last = v;
    }
    lp_step_inspection_fini(&step);
    return LP_OK;
}

/* The parameters of an op of a plan on one server: the embedding, a layer or the head. */
static double shard_of(const LpPartition *p, const LpStepShape *shape, uint32_t op) {
    const LpDecoder *model = &p->graph->split->model;
    if (op == 0)
        return lp_embedding_unit(model, shape).parameters;
    return op <= model->layers ? lp_layer_parameters(model, shape, op - 1)
                               : lp_head_unit(model, &p->plan, shape).parameters;
}

static void take_stages(LpGraphInspection *seen, const LpPartition *p) {
    const LpDecoder *model = &p->graph->split->model;
    LpStepShape shape = lp_step_shape(model, &p->plan);
    seen->stages = p->plan.pipeline;
    seen->tensor = p->plan.tensor;
    for (uint32_t v = 0; v < seen->nodes; v++) {
        LpGraphNode *node = &seen->node[v];
        node->stage = lp_parallel_stage(model, &p->plan, node->op);
        node->parameters = shard_of(p, &shape, node->op);
    }
}

static LpErr fill_cut(LpGraphInspection *seen, const LpContext *context, uint32_t partition,
                      uint32_t placement, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    uint32_t ops = seen->graph->ops, parts = 0;
    seen->cut = true;
    seen->nodes = p->ops;
    seen->node = lp_alloc(p->ops, sizeof *seen->node);
    if (!seen->node)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t v = 0; v < p->ops; v++) {
        uint32_t op = v < ops ? v : v - ops;
        seen->node[v] = (LpGraphNode){.op = op,
                                      .backward = v >= ops,
                                      .ways = p->ways[v],
                                      .parts = parts,
                                      .time = p->op_time[v],
                                      .memory = lp_store_op_bytes(context, p, op)};
        parts += p->ways[v];
        seen->longest = fmax(seen->longest, p->op_time[v]);
    }
    if (p->planned)
        take_stages(seen, p);
    uint32_t *pair = lp_alloc(2 * (size_t)p->links, sizeof *pair);
    if (!pair)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t l = 0; l < p->links; l++) {
        pair[2 * (size_t)l] = p->link[l].src;
        pair[2 * (size_t)l + 1] = p->link[l].dst;
    }
    LpErr err = take_edges(seen, pair, p->links, diag);
    lp_free(pair);
    LP_TRY(err);
    return take_servers(seen, p, lp_store_placement(context->store, placement), diag);
}

LpErr lp_graph_inspect_cut(const LpContext *context, uint32_t partition, uint32_t placement,
                           LpOrders orders, LpGraphInspection *out, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    LpGraphInspection seen = {.graph = p->graph, .width = -1, .height = -1};
    LpErr err = fill_cut(&seen, context, partition, placement, diag);
    if (err == LP_OK)
        err = cut_path(&seen, context, partition, placement, orders, diag);
    if (err == LP_OK)
        *out = seen;
    else
        lp_graph_inspection_fini(&seen);
    return err;
}

/* ---- a drawing ---- */

typedef struct Spot {
    double x, y;
    uint32_t node;
} Spot;

static int by_place(const void *p, const void *q) {
    const Spot *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

LpErr lp_graph_inspection_place(LpGraphInspection *seen, const double *x, const double *y,
                                LpDiag *diag) {
    Spot *spot = lp_alloc(seen->nodes, sizeof *spot);
    if (!spot)
        return lp_fail_memory(diag, "a computation graph");
    seen->width = seen->height = 0;
    for (uint32_t v = 0; v < seen->nodes; v++) {
        LpGraphNode *node = &seen->node[v];
        node->x = y[v];
        node->y = x[v];
        spot[v] = (Spot){node->x, node->y, v};
        seen->width = fmax(seen->width, node->x);
        seen->height = fmax(seen->height, node->y);
    }
    qsort(spot, seen->nodes, sizeof *spot, by_place);
    for (uint32_t i = 0, slot = 0; i < seen->nodes; i++) {
        slot = i > 0 && spot[i].x == spot[i - 1].x ? slot + 1 : 0;
        seen->node[spot[i].node].row = (uint32_t)spot[i].x;
        seen->node[spot[i].node].slot = slot;
    }
    lp_free(spot);
    return LP_OK;
}

/* How far a node is off, in the direction of a step; INFINITY when it lies another way. */
static double distance(const LpGraphNode *a, const LpGraphNode *b, int dx, int dy) {
    double x = b->x - a->x, y = b->y - a->y;
    double along = dx ? x * dx : y * dy, across = dx ? fabs(y) : fabs(x);
    return along > 0.0 ? along + 4.0 * across : (double)INFINITY;
}

/* The nearest of the nodes that edges join it to; LP_NO_INDEX: none that way. */
static uint32_t nearest_joined(const LpGraphInspection *seen, uint32_t node, int dx) {
    const uint32_t *begin = dx > 0 ? seen->out : seen->in, *item = dx > 0 ? seen->to : seen->from;
    const uint32_t *end = dx > 0 ? seen->dst : seen->src;
    uint32_t best = LP_NO_INDEX;
    double least = (double)INFINITY;
    for (uint32_t i = begin[node]; i < begin[node + 1]; i++) {
        uint32_t other = end[item[i]];
        double far = distance(&seen->node[node], &seen->node[other], dx, 0);
        if (far < least) {
            least = far;
            best = other;
        }
    }
    return best;
}

uint32_t lp_graph_inspection_next(const LpGraphInspection *seen, uint32_t node, int dx, int dy) {
    uint32_t best = node;
    double least = (double)INFINITY;
    if (dx != 0) {
        uint32_t joined = nearest_joined(seen, node, dx);
        if (joined != LP_NO_INDEX)
            return joined;
    }
    for (uint32_t v = 0; v < seen->nodes; v++) {
        double far = distance(&seen->node[node], &seen->node[v], dx, dy);
        if (far < least) {
            least = far;
            best = v;
        }
    }
    return best;
}

uint32_t lp_graph_inspection_near(const LpGraphInspection *seen, double x, double y) {
    uint32_t best = 0;
    double least = (double)INFINITY;
    for (uint32_t v = 0; v < seen->nodes; v++) {
        double far = 4.0 * fabs(seen->node[v].x - x) + fabs(seen->node[v].y - y);
        if (far < least) {
            least = far;
            best = v;
        }
    }
    return best;
}
