/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes nodes and edges of a profile or of a partition, and finds their critical paths. */
#include "run/inspect/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "run/inspect/step.h"
#include "sim/store/store.h"

void lp_graph_look_fini(LpGraphLook *look) {
    lp_free(look->node);
    lp_free(look->src);
    lp_free(look->dst);
    lp_free(look->critical_edge);
    lp_free(look->out);
    lp_free(look->in);
    lp_free(look->to);
    lp_free(look->from);
    lp_free(look->server_id);
    lp_free(look->part_server);
    *look = (LpGraphLook){0};
}

/* --- edges --- */

static int by_ends(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Lists the edges of each node by one of their ends: counting sort. */
static void list_by(const LpGraphLook *look, const uint32_t *end, uint32_t *begin, uint32_t *item) {
    for (uint32_t e = 0; e < look->edges; e++)
        begin[end[e] + 1]++;
    for (uint32_t v = 0; v < look->nodes; v++)
        begin[v + 1] += begin[v];
    for (uint32_t e = 0; e < look->edges; e++)
        item[begin[end[e]]++] = e;
    for (uint32_t v = look->nodes; v > 0; v--)
        begin[v] = begin[v - 1];
    begin[0] = 0;
}

static bool allocate_edges(LpGraphLook *look, uint32_t room) {
    size_t nodes = (size_t)look->nodes + 1;
    look->src = lp_alloc(room, sizeof *look->src);
    look->dst = lp_alloc(room, sizeof *look->dst);
    look->critical_edge = lp_alloc(room, sizeof *look->critical_edge);
    look->out = lp_alloc(nodes, sizeof *look->out);
    look->in = lp_alloc(nodes, sizeof *look->in);
    look->to = lp_alloc(room, sizeof *look->to);
    look->from = lp_alloc(room, sizeof *look->from);
    return look->src && look->dst && look->critical_edge && look->out && look->in && look->to &&
           look->from;
}

/* pairs: src, dst, src, dst ...; sorted and left in. */
static LpErr take_edges(LpGraphLook *look, uint32_t *pair, uint32_t count, LpDiag *diag) {
    if (!allocate_edges(look, count))
        return lp_fail_memory(diag, "a computation graph");
    if (count > 1)
        qsort(pair, count, 2 * sizeof *pair, by_ends);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *p = pair + 2 * (size_t)i;
        if (p[0] == p[1] || (i > 0 && by_ends(p, p - 2) == 0))
            continue;
        look->src[look->edges] = p[0];
        look->dst[look->edges++] = p[1];
    }
    list_by(look, look->src, look->out, look->to);
    list_by(look, look->dst, look->in, look->from);
    look->shape = lp_hash_u64(LP_HASH_INIT, look->nodes);
    for (uint32_t e = 0; e < look->edges; e++)
        look->shape = lp_hash_u64(look->shape, (uint64_t)look->src[e] << 32 | look->dst[e]);
    return LP_OK;
}

static void mark_edge(LpGraphLook *look, uint32_t src, uint32_t dst) {
    for (uint32_t i = look->out[src]; i < look->out[src + 1]; i++)
        if (look->dst[look->to[i]] == dst)
            look->critical_edge[look->to[i]] = true;
}

/* --- a profile --- */

static LpErr profile_edges(LpGraphLook *look, LpDiag *diag) {
    const LpGraph *g = look->graph;
    uint32_t *pair = lp_alloc(2 * (size_t)g->edges, sizeof *pair);
    if (!pair)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t e = 0; e < g->edges; e++) {
        pair[2 * (size_t)e] = g->edge_src[e];
        pair[2 * (size_t)e + 1] = g->edge_dst[e];
    }
    LpErr err = take_edges(look, pair, g->edges, diag);
    lp_free(pair);
    return err;
}

/* The longest path by time, the lowest op first where several are equally long. */
static LpErr profile_path(LpGraphLook *look, LpDiag *diag) {
    const LpGraph *g = look->graph;
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
    look->critical_time = reach[first];
    for (uint32_t u = first, next; u != LP_NO_INDEX; u = next) {
        look->node[u].critical = true;
        next = LP_NO_INDEX;
        for (uint32_t s = g->succ_begin[u]; s < g->succ_begin[u + 1]; s++)
            if (next == LP_NO_INDEX || reach[g->succ[s]] > reach[next])
                next = g->succ[s];
        if (next != LP_NO_INDEX)
            mark_edge(look, u, next);
    }
    lp_free(reach);
    return LP_OK;
}

static LpErr fill_profile(LpGraphLook *look, LpDiag *diag) {
    const LpGraph *g = look->graph;
    look->nodes = g->ops;
    look->node = lp_alloc(g->ops, sizeof *look->node);
    if (!look->node)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t u = 0; u < g->ops; u++) {
        const LpOp *op = &g->op[u];
        look->node[u] = (LpGraphNode){
            .op = u, .ways = 1, .time = op->forward, .memory = op->activation + op->parameters};
        look->longest = fmax(look->longest, op->forward);
    }
    LP_TRY(profile_edges(look, diag));
    return profile_path(look, diag);
}

LpErr lp_graph_look(const LpContext *context, uint32_t graph, LpGraphLook *out, LpDiag *diag) {
    LpGraphLook look = {.graph = context->scenario->graph[graph], .width = -1, .height = -1};
    LpErr err = fill_profile(&look, diag);
    if (err == LP_OK)
        *out = look;
    else
        lp_graph_look_fini(&look);
    return err;
}

/* --- a partition --- */

static LpErr cut_edges(LpGraphLook *look, const LpPartition *p, LpDiag *diag) {
    uint32_t *pair = lp_alloc(2 * (size_t)p->links, sizeof *pair);
    if (!pair)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t l = 0; l < p->links; l++) {
        pair[2 * (size_t)l] = p->link[l].src;
        pair[2 * (size_t)l + 1] = p->link[l].dst;
    }
    LpErr err = take_edges(look, pair, p->links, diag);
    lp_free(pair);
    return err;
}

static int by_number(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static uint32_t index_of(const LpGraphLook *look, uint32_t server) {
    const uint32_t *at = bsearch(&server, look->server_id, look->servers, sizeof server, by_number);
    return at ? (uint32_t)(at - look->server_id) : 0;
}

static LpErr take_servers(LpGraphLook *look, const LpPartition *p, const LpPlacement *at,
                          LpDiag *diag) {
    look->server_id = lp_alloc(at->servers, sizeof *look->server_id);
    look->part_server = lp_alloc(p->parts, sizeof *look->part_server);
    if (!look->server_id || !look->part_server)
        return lp_fail_memory(diag, "a computation graph");
    memcpy(look->server_id, at->server, at->servers * sizeof *look->server_id);
    qsort(look->server_id, at->servers, sizeof *look->server_id, by_number);
    look->servers = at->servers;
    for (uint32_t v = 0; v < look->nodes; v++) {
        const LpGraphNode *node = &look->node[v];
        const uint32_t *server = at->group_server + at->group_begin[at->op_group[node->op]];
        for (uint32_t k = 0; k < node->ways; k++)
            look->part_server[node->parts + k] = index_of(look, server[k]);
    }
    return LP_OK;
}

/* Ops on the step's critical path, and the edges between those that follow one another there. */
static LpErr cut_path(LpGraphLook *look, const LpContext *context, uint32_t partition,
                      uint32_t placement, LpOrders orders, LpDiag *diag) {
    LpStepLook step = {0};
    uint32_t last = LP_NO_INDEX;
    LP_TRY(lp_step_look(context, partition, placement, orders, (double)NAN, &step, diag));
    look->critical_time = step.step_time;
    for (uint32_t i = 0; i < step.critical; i++) {
        const LpStepBar *bar = &step.bar[step.critical_bar[i]];
        uint32_t v = look->graph->by_number[bar->op] + (bar->backward ? look->graph->ops : 0);
        look->node[v].critical = true; /* by what it computes or sends */
        if (last != LP_NO_INDEX && last != v)
            mark_edge(look, last, v);
        last = v;
    }
    lp_step_look_fini(&step);
    return LP_OK;
}

static LpErr fill_cut(LpGraphLook *look, const LpContext *context, uint32_t partition,
                      uint32_t placement, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    uint32_t ops = look->graph->ops, parts = 0;
    look->cut = true;
    look->nodes = p->ops;
    look->node = lp_alloc(p->ops, sizeof *look->node);
    if (!look->node)
        return lp_fail_memory(diag, "a computation graph");
    for (uint32_t v = 0; v < p->ops; v++) {
        uint32_t op = v < ops ? v : v - ops;
        look->node[v] = (LpGraphNode){.op = op,
                                      .backward = v >= ops,
                                      .ways = p->ways[v],
                                      .parts = parts,
                                      .time = p->op_time[v],
                                      .memory = lp_store_op_bytes(context, p, op)};
        parts += p->ways[v];
        look->longest = fmax(look->longest, p->op_time[v]);
    }
    LP_TRY(cut_edges(look, p, diag));
    return take_servers(look, p, lp_store_placement(context->store, placement), diag);
}

LpErr lp_graph_look_cut(const LpContext *context, uint32_t partition, uint32_t placement,
                        LpOrders orders, LpGraphLook *out, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    LpGraphLook look = {.graph = p->graph, .width = -1, .height = -1};
    LpErr err = fill_cut(&look, context, partition, placement, diag);
    if (err == LP_OK)
        err = cut_path(&look, context, partition, placement, orders, diag);
    if (err == LP_OK)
        *out = look;
    else
        lp_graph_look_fini(&look);
    return err;
}

/* --- a drawing --- */

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

LpErr lp_graph_look_place(LpGraphLook *look, const double *x, const double *y, LpDiag *diag) {
    Spot *spot = lp_alloc(look->nodes, sizeof *spot);
    if (!spot)
        return lp_fail_memory(diag, "a computation graph");
    look->width = look->height = 0;
    for (uint32_t v = 0; v < look->nodes; v++) {
        LpGraphNode *node = &look->node[v];
        node->x = y[v];
        node->y = x[v];
        spot[v] = (Spot){node->x, node->y, v};
        look->width = fmax(look->width, node->x);
        look->height = fmax(look->height, node->y);
    }
    qsort(spot, look->nodes, sizeof *spot, by_place);
    for (uint32_t i = 0, slot = 0; i < look->nodes; i++) {
        slot = i > 0 && spot[i].x == spot[i - 1].x ? slot + 1 : 0;
        look->node[spot[i].node].row = (uint32_t)spot[i].x;
        look->node[spot[i].node].slot = slot;
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
static uint32_t nearest_joined(const LpGraphLook *look, uint32_t node, int dx) {
    const uint32_t *begin = dx > 0 ? look->out : look->in, *item = dx > 0 ? look->to : look->from;
    const uint32_t *end = dx > 0 ? look->dst : look->src;
    uint32_t best = LP_NO_INDEX;
    double least = (double)INFINITY;
    for (uint32_t i = begin[node]; i < begin[node + 1]; i++) {
        uint32_t other = end[item[i]];
        double far = distance(&look->node[node], &look->node[other], dx, 0);
        if (far < least) {
            least = far;
            best = other;
        }
    }
    return best;
}

uint32_t lp_graph_look_next(const LpGraphLook *look, uint32_t node, int dx, int dy) {
    uint32_t best = node;
    double least = (double)INFINITY;
    if (dx != 0) {
        uint32_t joined = nearest_joined(look, node, dx);
        if (joined != LP_NO_INDEX)
            return joined;
    }
    for (uint32_t v = 0; v < look->nodes; v++) {
        double far = distance(&look->node[node], &look->node[v], dx, dy);
        if (far < least) {
            least = far;
            best = v;
        }
    }
    return best;
}

uint32_t lp_graph_look_near(const LpGraphLook *look, double x, double y) {
    uint32_t best = 0;
    double least = (double)INFINITY;
    for (uint32_t v = 0; v < look->nodes; v++) {
        double far = 4.0 * fabs(look->node[v].x - x) + fabs(look->node[v].y - y);
        if (far < least) {
            least = far;
            best = v;
        }
    }
    return best;
}
