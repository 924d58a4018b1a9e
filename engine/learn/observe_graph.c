/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of a computation graph's nodes and edges, which never change. */
#include <stdlib.h>
#include <string.h>

#include "learn/observe_impl.h"
#include "model/partition.h"

/* Values of one kind, with what they are compared with. */
typedef struct Column {
    double *value;
    uint32_t count;
    double most;
} Column;

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double per(double value, double most) {
    return most > 0 ? value / most : 0;
}

/* Mean and median, both divided by the largest. Sorts the values. */
static void summarise(Column *c, double out[2]) {
    double sum = 0;
    if (c->count == 0)
        return; /* zeroed */
    for (uint32_t i = 0; i < c->count; i++)
        sum += c->value[i];
    qsort(c->value, c->count, sizeof *c->value, compare);
    double median = c->count % 2 != 0 ? c->value[c->count / 2]
                                      : (c->value[c->count / 2 - 1] + c->value[c->count / 2]) / 2;
    out[0] = per(sum / c->count, c->most);
    out[1] = per(median, c->most);
}

static LpErr unsplit(const LpScenario *s, const LpGraph *graph, LpPartition **out, LpDiag *diag) {
    LpCut cut = {.graph = graph,
                 .options = &s->options,
                 .kind = LP_PARTITION_MODEL,
                 .overlap = s->partition.overlap,
                 .reserve = lp_scenario_reserves(s),
                 .min_op_time = s->partition.min_op_time,
                 .max_deps = s->partition.max_deps};
    uint32_t *ways = lp_alloc(graph->ops, sizeof *ways);
    if (ways == NULL)
        return lp_fail_memory(diag, "an observer");
    (void)lp_cut_ways(&cut, 1, ways);
    LpErr err = lp_partition_build(&cut, ways, out, diag);
    lp_free(ways);
    return err;
}

/* Nodes on a shortest path from a source: breadth first. place[op]: its node number. */
static void find_depths(const LpPartition *p, bool first_only, const uint32_t *place,
                        uint32_t *queue, uint32_t *depth) {
    uint32_t head = 0, tail = 0;
    memset(depth, 0, p->ops * sizeof *depth);
    for (uint32_t i = 0; i < p->ops; i++) {
        uint32_t op = p->order[i];
        if (p->pred_begin[op + 1] != p->pred_begin[op] || (first_only && tail > 0))
            continue;
        depth[place[op]] = 1;
        queue[tail++] = op;
    }
    while (head < tail) {
        uint32_t op = queue[head++];
        for (uint32_t l = p->succ_begin[op]; l < p->succ_begin[op + 1]; l++) {
            uint32_t to = p->link[p->succ[l]].dst;
            if (depth[place[to]] > 0)
                continue;
            depth[place[to]] = depth[place[op]] + 1;
            queue[tail++] = to;
        }
    }
}

static double largest(const double *values, uint32_t count) {
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (values[i] > most)
            most = values[i];
    return most;
}

static void fill_nodes(const LpObserver *o, const LpPartition *p, const uint32_t *depth,
                       double *node) {
    bool published = o->encoding == LP_ENCODING_PUBLISHED;
    double time = largest(p->op_time, p->ops), memory = largest(p->op_memory, p->ops);
    uint32_t deepest = 0;
    for (uint32_t v = 0; v < p->ops; v++)
        deepest = depth[v] > deepest ? depth[v] : deepest;
    for (uint32_t v = 0; v < p->ops; v++) {
        double *f = node + (size_t)v * LP_NET_NODE;
        uint32_t op = p->order[v];
        f[0] = per(p->op_time[op], time);
        f[1] = !published && p->op_time[op] >= time ? 1 : 0;
        f[2] = per(p->op_memory[op], memory);
        f[3] = p->op_memory[op] >= memory ? 1 : 0;
        f[4] = per(depth[v], deepest);
    }
}

static void fill_edges(const LpPartition *p, const uint32_t *place, double most, double *edge,
                       uint32_t *src, uint32_t *dst) {
    for (uint32_t e = 0; e < p->links; e++) {
        edge[(size_t)e * LP_NET_EDGE] = per(p->link[e].bytes, most);
        edge[(size_t)e * LP_NET_EDGE + 1] = p->link[e].bytes >= most ? 1 : 0;
        src[e] = place[p->link[e].src];
        dst[e] = place[p->link[e].dst];
    }
}

static void fill_typical(const LpPartition *p, double most_bytes, double *room, double *out) {
    Column time = {room, p->ops, largest(p->op_time, p->ops)};
    memcpy(room, p->op_time, p->ops * sizeof *room);
    summarise(&time, out);
    Column memory = {room, p->ops, largest(p->op_memory, p->ops)};
    memcpy(room, p->op_memory, p->ops * sizeof *room);
    summarise(&memory, out + 2);
    Column bytes = {room, p->links, most_bytes};
    for (uint32_t e = 0; e < p->links; e++)
        room[e] = p->link[e].bytes;
    summarise(&bytes, out + 4);
}

static LpErr observe_graph(LpObserver *o, const LpPartition *p, uint32_t g, LpDiag *diag) {
    uint32_t items = p->ops > p->links ? p->ops : p->links;
    uint32_t *place = lp_arena_alloc(o->arena, p->ops, sizeof *place);
    uint32_t *op = lp_arena_alloc(o->arena, p->ops, sizeof *op);
    uint32_t *queue = lp_arena_alloc(o->arena, p->ops, sizeof *queue);
    uint32_t *depth = lp_arena_alloc(o->arena, p->ops, sizeof *depth);
    double *room = lp_arena_alloc(o->arena, items, sizeof *room);
    double *node = lp_arena_alloc(o->arena, (size_t)p->ops * LP_NET_NODE, sizeof *node);
    double *edge = lp_arena_alloc(o->arena, (size_t)p->links * LP_NET_EDGE, sizeof *edge);
    uint32_t *src = lp_arena_alloc(o->arena, p->links, sizeof *src);
    uint32_t *dst = lp_arena_alloc(o->arena, p->links, sizeof *dst);
    if (!place || !op || !queue || !depth || !room || !node || !edge || !src || !dst)
        return lp_fail_memory(diag, "an observer");
    for (uint32_t v = 0; v < p->ops; v++) {
        op[v] = p->order[v];
        place[op[v]] = v;
    }
    double most = 0;
    for (uint32_t e = 0; e < p->links; e++)
        most = p->link[e].bytes > most ? p->link[e].bytes : most;
    find_depths(p, o->encoding == LP_ENCODING_PUBLISHED, place, queue, depth);
    fill_nodes(o, p, depth, node);
    fill_edges(p, place, most, edge, src, dst);
    fill_typical(p, most, room, o->typical[g]);
    o->op[g] = op;
    o->graph[g] = (LpNetGraph){p->ops, p->links, node, edge, src, dst};
    return LP_OK;
}

LpErr lp_observe_graphs(LpObserver *o, const LpScenario *scenario, LpDiag *diag) {
    o->graphs = scenario->graphs;
    o->graph = lp_arena_alloc(o->arena, o->graphs, sizeof *o->graph);
    o->typical = lp_arena_alloc(o->arena, o->graphs, sizeof *o->typical);
    o->op = lp_arena_alloc(o->arena, o->graphs, sizeof *o->op);
    if (o->graph == NULL || o->typical == NULL || o->op == NULL)
        return lp_fail_memory(diag, "an observer");
    for (uint32_t g = 0; g < o->graphs; g++) {
        LpPartition *p;
        LP_TRY(unsplit(scenario, scenario->graph[g], &p, diag));
        LpErr err = observe_graph(o, p, g, diag);
        lp_partition_free(p);
        LP_TRY(err);
    }
    return LP_OK;
}
