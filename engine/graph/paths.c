/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest paths: distances by igraph, parents by own rules so that ties do not depend on it. */
#include "graph/paths.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "graph/csr.h"
#include "graph/igraph_version.h"
#include "graph/lock.h"

typedef struct Search {
    const LpEdgeList *list;
    const double *weight;
    double *distance;
    uint32_t *parent, *hops, *queue;
    LpCsr out;
    uint32_t source;
} Search;

static igraph_error_t distances_of(void *data) {
    const Search *s = data;
    const LpEdgeList *list = s->list;
    igraph_t graph;
    igraph_matrix_t result;
    const igraph_vector_t weights = lp_igraph_view(s->weight, list->edges);
    IGRAPH_CHECK(lp_igraph_create(&graph, list));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_matrix_init(&result, 0, 0));
    IGRAPH_FINALLY(igraph_matrix_destroy, &result);
    IGRAPH_CHECK(igraph_distances_dijkstra(&graph, &result, igraph_vss_1(s->source),
                                           igraph_vss_all(), &weights, IGRAPH_OUT));
    for (uint32_t v = 0; v < list->nodes; v++)
        s->distance[v] = MATRIX(result, 0, v);
    igraph_matrix_destroy(&result);
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

/* Makes edge e the last one of the path to its end if it lies on a shortest path and is better. */
static bool visit(Search *s, uint32_t e) {
    uint32_t v = s->list->src[e], w = s->list->dst[e], hops = s->hops[v] + 1;
    if (hops > s->hops[w] || s->distance[v] + s->weight[e] != s->distance[w])
        return false;
    bool first = s->hops[w] == LP_GRAPH_NONE;
    if (first || e < s->parent[w])
        s->parent[w] = e;
    s->hops[w] = hops;
    return first;
}

/* A search by breadth over the edges that lie on shortest paths. Edges of weight 0 can close
 * circles among these; counting hops keeps the parents a tree. */
static uint32_t find_parents(Search *s, uint32_t source) {
    for (uint32_t v = 0; v < s->list->nodes; v++)
        s->hops[v] = s->parent[v] = LP_GRAPH_NONE;
    uint32_t head = 0, tail = 0;
    s->hops[source] = 0;
    s->queue[tail++] = source;
    while (head < tail) {
        uint32_t v = s->queue[head++];
        for (uint32_t k = s->out.first[v]; k < s->out.first[v + 1]; k++)
            if (visit(s, s->out.item[k]))
                s->queue[tail++] = s->list->dst[s->out.item[k]];
    }
    return tail;
}

static LpErr search(Search *s, uint32_t source, LpDiag *diag) {
    const LpEdgeList *list = s->list;
    s->distance = lp_alloc(list->nodes, sizeof *s->distance);
    s->parent = lp_alloc(list->nodes, sizeof *s->parent);
    s->hops = lp_alloc(list->nodes, sizeof *s->hops);
    s->queue = lp_alloc(list->nodes, sizeof *s->queue);
    if (!s->distance || !s->parent || !s->hops || !s->queue)
        return lp_fail_memory(diag, "shortest paths");
    LP_TRY(lp_csr_build(&s->out, list->nodes, list->src, list->edges, diag));
    s->source = source;
    LP_TRY(lp_igraph_do(distances_of, s, "shortest paths", diag));
    uint32_t reached = 0, found = find_parents(s, source);
    for (uint32_t v = 0; v < list->nodes; v++)
        reached += isfinite(s->distance[v]) != 0;
    if (found != reached)
        return lp_fail(diag, LP_ESTATE, "igraph found distances to %u nodes, but paths lead to %u",
                       reached, found);
    return LP_OK;
}

LpErr lp_graph_shortest(const LpEdgeList *list, const double *weight, uint32_t source,
                        double *distance, uint32_t *parent, LpDiag *diag) {
    LP_TRY(lp_edges_check(list, diag));
    LP_TRY(lp_edges_check_values(list, weight, "weight", diag));
    LP_TRY(lp_edges_check_node(list, source, "source", diag));
    Search s = {.list = list, .weight = weight};
    LpErr err = search(&s, source, diag);
    if (err == LP_OK) {
        memcpy(distance, s.distance, list->nodes * sizeof *distance);
        if (parent)
            memcpy(parent, s.parent, list->nodes * sizeof *parent);
    }
    lp_free(s.distance);
    lp_free(s.parent);
    lp_free(s.hops);
    lp_free(s.queue);
    lp_csr_free(&s.out);
    return err;
}
