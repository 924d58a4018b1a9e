/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greatest flow and least cut by shortest augmenting paths. igraph's push-relabel is not used
 * here: its flows are wrong where capacities differ by more than a double has digits (one edge
 * "without limit" suffices), and it cannot be interrupted. The tests compare the two. */
#include "graph/flow.h"

#include <string.h>

#include "base/mem.h"
#include "graph/csr.h"

static const uint64_t looks_max = (uint64_t)1 << 26;

/* Arc 2e follows edge e, arc 2e + 1 goes back along it, as far as it carries flow. */
typedef struct Net {
    uint32_t nodes, source, target;
    const double *capacity;
    double *flow;
    uint32_t *tail; /* of an arc; its head is the tail of its twin */
    LpCsr arcs;     /* leaving a node */
    uint32_t *level;
    uint32_t *next;  /* of a node: the arc to try next, an index into arcs.item */
    uint32_t *queue; /* nodes in a search, arcs on a path */
    uint64_t looks;
} Net;

static uint32_t head_of(const Net *net, uint32_t arc) {
    return net->tail[arc ^ 1];
}

static double residual(const Net *net, uint32_t arc) {
    double flow = net->flow[arc / 2];
    return arc % 2 ? flow : net->capacity[arc / 2] - flow;
}

/* Distances from the source over arcs with a residual; true if the target has one. Then nodes
 * that are not nearer than the target may be without. */
static bool find_levels(Net *net) {
    for (uint32_t v = 0; v < net->nodes; v++) {
        net->level[v] = LP_GRAPH_NONE;
        net->next[v] = net->arcs.first[v];
    }
    uint32_t head = 0, tail = 0;
    net->level[net->source] = 0;
    net->queue[tail++] = net->source;
    while (head < tail) {
        uint32_t v = net->queue[head++];
        net->looks += net->arcs.first[v + 1] - net->arcs.first[v];
        for (uint32_t k = net->arcs.first[v]; k < net->arcs.first[v + 1]; k++) {
            uint32_t arc = net->arcs.item[k], w = head_of(net, arc);
            if (net->level[w] != LP_GRAPH_NONE || residual(net, arc) <= 0)
                continue;
            net->level[w] = net->level[v] + 1;
            if (w == net->target)
                return true;
            net->queue[tail++] = w;
        }
    }
    return false;
}

/* The first arc of v, from its next on, that leads one level on; LP_GRAPH_NONE if none does. */
static uint32_t step(Net *net, uint32_t v) {
    for (; net->next[v] < net->arcs.first[v + 1]; net->next[v]++) {
        uint32_t arc = net->arcs.item[net->next[v]];
        net->looks++;
        if (net->level[head_of(net, arc)] == net->level[v] + 1 && residual(net, arc) > 0)
            return arc;
    }
    return LP_GRAPH_NONE;
}

/* Fills the path of `length` arcs; returns how many arcs lie before the first that is now full. */
static uint32_t fill_path(Net *net, uint32_t length) {
    double least = residual(net, net->queue[0]);
    for (uint32_t k = 1; k < length; k++)
        if (residual(net, net->queue[k]) < least)
            least = residual(net, net->queue[k]);
    uint32_t keep = length;
    for (uint32_t k = length; k-- > 0;) {
        /* Edges that are filled or emptied are set, not added to: a saturated arc has a residual of
         * 0. */
        uint32_t arc = net->queue[k];
        double *flow = &net->flow[arc / 2];
        bool all = least >= residual(net, arc);
        if (arc % 2)
            *flow = all ? 0 : *flow - least;
        else
            *flow = all ? net->capacity[arc / 2] : *flow + least;
        if (residual(net, net->queue[k]) <= 0)
            keep = k;
    }
    net->looks += length;
    return keep;
}

/* Adds paths of the shortest length until there are none left, depth first. */
static LpErr fill_level(Net *net, LpDiag *diag) {
    uint32_t length = 0;
    for (uint32_t v = net->source;;) {
        if (net->looks > looks_max)
            return lp_fail(diag, LP_ELIMIT,
                           "the greatest flow takes too long to find: %llu looks "
                           "at an edge did not suffice",
                           (unsigned long long)looks_max);
        uint32_t arc = v == net->target ? LP_GRAPH_NONE : step(net, v);
        if (arc != LP_GRAPH_NONE) {
            net->queue[length++] = arc;
            v = head_of(net, arc);
        } else if (v == net->target) {
            length = fill_path(net, length);
            v = net->tail[net->queue[length]];
        } else if (length > 0) { /* a dead end: its last arc is not tried again */
            v = net->tail[net->queue[--length]];
            net->next[v]++;
        } else {
            return LP_OK;
        }
    }
}

static double cut_value(const Net *net, const LpEdgeList *list) {
    double sum = 0;
    for (uint32_t e = 0; e < list->edges; e++)
        if (net->level[list->src[e]] != LP_GRAPH_NONE && net->level[list->dst[e]] == LP_GRAPH_NONE)
            sum += net->capacity[e];
    return sum;
}

static LpErr check(const LpEdgeList *list, const double *capacity, uint32_t source, uint32_t target,
                   LpDiag *diag) {
    LP_TRY(lp_edges_check(list, diag));
    LP_TRY(lp_edges_check_values(list, capacity, "capacity", diag));
    LP_TRY(lp_edges_check_node(list, source, "source", diag));
    LP_TRY(lp_edges_check_node(list, target, "target", diag));
    if (source == target)
        return lp_fail(diag, LP_EINVAL, "source and target of the flow are both node %u",
                       source + 1);
    return LP_OK;
}

/* Leaves the flow and, in level, the source's side of the least cut. Free `net` also on failure. */
static LpErr solve(Net *net, const LpEdgeList *list, LpDiag *diag) {
    net->nodes = list->nodes;
    net->flow = lp_alloc(list->edges, sizeof *net->flow);
    net->tail = lp_alloc(2 * (size_t)list->edges, sizeof *net->tail);
    net->level = lp_alloc(list->nodes, sizeof *net->level);
    net->next = lp_alloc(list->nodes, sizeof *net->next);
    net->queue = lp_alloc(list->nodes, sizeof *net->queue);
    if (!net->flow || !net->tail || !net->level || !net->next || !net->queue) {
        lp_fail_memory(diag, "a flow");
        return LP_ENOMEM;
    }
    for (uint32_t e = 0; e < list->edges; e++) {
        net->tail[2 * (size_t)e] = list->src[e];
        net->tail[2 * (size_t)e + 1] = list->dst[e];
    }
    LP_TRY(lp_csr_build(&net->arcs, list->nodes, net->tail, 2 * list->edges, diag));
    while (find_levels(net))
        LP_TRY(fill_level(net, diag));
    return LP_OK;
}

LpErr lp_graph_max_flow(const LpEdgeList *list, const double *capacity, uint32_t source,
                        uint32_t target, double *value, double *flow, LpDiag *diag) {
    LP_TRY(check(list, capacity, source, target, diag));
    Net net = {.source = source, .target = target, .capacity = capacity};
    LpErr err = solve(&net, list, diag);
    if (err == LP_OK) {
        *value = cut_value(&net, list);
        if (flow && list->edges > 0)
            memcpy(flow, net.flow, list->edges * sizeof *flow);
    }
    lp_free(net.flow);
    lp_free(net.tail);
    lp_free(net.level);
    lp_free(net.next);
    lp_free(net.queue);
    lp_csr_free(&net.arcs);
    return err;
}
