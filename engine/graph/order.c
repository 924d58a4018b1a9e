/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of a graph without cycles, or the cycle that is in the way. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "graph/csr.h"
#include "graph/paths.h"

enum { CYCLE_SHOWN = 8 };

typedef struct Sort {
    const LpEdgeList *list;
    uint32_t *waiting; /* of a node: edges from nodes that are not placed yet */
    uint32_t *depth, *queue;
    LpCsr out;
} Sort;

/* Places nodes whose predecessors are placed (Kahn 1962); returns how many could be. */
static uint32_t place(Sort *s) {
    uint32_t head = 0, tail = 0;
    for (uint32_t e = 0; e < s->list->edges; e++)
        s->waiting[s->list->dst[e]]++;
    for (uint32_t v = 0; v < s->list->nodes; v++)
        if (s->waiting[v] == 0)
            s->queue[tail++] = v;
    while (head < tail) {
        uint32_t v = s->queue[head++];
        for (uint32_t k = s->out.first[v]; k < s->out.first[v + 1]; k++) {
            uint32_t w = s->list->dst[s->out.item[k]];
            if (s->depth[w] < s->depth[v] + 1)
                s->depth[w] = s->depth[v] + 1;
            if (--s->waiting[w] == 0)
                s->queue[tail++] = w;
        }
    }
    return tail;
}

static LpErr fail_cycle(const uint32_t *before, uint32_t start, LpDiag *diag) {
    char text[CYCLE_SHOWN * 16];
    uint32_t v = start, shown = 0;
    int used = snprintf(text, sizeof text, "%u", start);
    do {
        v = before[v];
        used += snprintf(text + used, sizeof text - (size_t)used, " <- %u", v);
    } while (v != start && ++shown < CYCLE_SHOWN - 1);
    return lp_fail(diag, LP_ECYCLE, "the graph has a cycle: nodes %s%s", text,
                   v == start ? "" : " ...");
}

/* Every node that was not placed has a predecessor that was not, so going back ends in a cycle. */
static LpErr find_cycle(Sort *s, LpDiag *diag) {
    uint32_t *before = s->queue, start = LP_GRAPH_NONE;
    for (uint32_t e = s->list->edges; e-- > 0;)
        if (s->waiting[s->list->src[e]] > 0 && s->waiting[s->list->dst[e]] > 0)
            before[s->list->dst[e]] = s->list->src[e];
    for (uint32_t v = s->list->nodes; v-- > 0;)
        if (s->waiting[v] > 0)
            start = v;
    for (uint32_t k = 0; k < s->list->nodes; k++)
        start = before[start];
    return fail_cycle(before, start, diag);
}

/* Nodes by depth, then number: the index of all nodes by depth is that order. */
static LpErr sort(Sort *s, uint32_t *order, uint32_t *depth, LpDiag *diag) {
    uint32_t nodes = s->list->nodes;
    s->waiting = lp_alloc(nodes, sizeof *s->waiting);
    s->depth = lp_alloc(nodes, sizeof *s->depth);
    s->queue = lp_alloc(nodes, sizeof *s->queue);
    if (!s->waiting || !s->depth || !s->queue)
        return lp_fail_memory(diag, "a topological order");
    LP_TRY(lp_csr_build(&s->out, nodes, s->list->src, s->list->edges, diag));
    if (place(s) < nodes)
        return find_cycle(s, diag);
    LpCsr rows = {0};
    LP_TRY(lp_csr_build(&rows, nodes, s->depth, nodes, diag));
    if (order && nodes > 0)
        memcpy(order, rows.item, nodes * sizeof *order);
    if (depth && nodes > 0)
        memcpy(depth, s->depth, nodes * sizeof *depth);
    lp_csr_free(&rows);
    return LP_OK;
}

LpErr lp_graph_topological(const LpEdgeList *list, uint32_t *order, uint32_t *depth, LpDiag *diag) {
    LP_TRY(lp_edges_check(list, diag));
    Sort s = {.list = list};
    LpErr err = sort(&s, order, depth, diag);
    lp_free(s.waiting);
    lp_free(s.depth);
    lp_free(s.queue);
    lp_csr_free(&s.out);
    return err;
}
