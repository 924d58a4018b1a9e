/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: what igraph 1.0 calls otherwise than 0.10, each once. */
#ifndef LP_GRAPH_IGRAPH_VERSION_H
#define LP_GRAPH_IGRAPH_VERSION_H

#include "graph/igraph_calls.h"

/* A vector of igraph over `count` numbers of the caller, which must outlive it; it is not to be
 * destroyed. 1.0 returns the view. */
static inline igraph_vector_t lp_igraph_view(const double *number, uint32_t count) {
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_vector_view(number, count);
#else
    igraph_vector_t view = {0}; /* declared const there: gcc takes it for read before it is set */
    igraph_vector_view(&view, number, count);
    return view;
#endif
}

/* Columns of a layered drawing whose layers are given, nodes 1 apart, into `place` (nodes x 2).
 * 1.0 hands out the bends of edges in another form; neither is asked for. An igraph error code. */
static inline igraph_error_t lp_igraph_sugiyama(const igraph_t *graph, igraph_matrix_t *place,
                                                const igraph_vector_int_t *layer, int sweeps) {
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_layout_sugiyama(graph, place, NULL, layer, 1.0, 1.0, sweeps, NULL);
#else
    return igraph_layout_sugiyama(graph, place, NULL, NULL, layer, 1.0, 1.0, sweeps, NULL);
#endif
}

/* Edge betweenness of all edges, from the first `sources` nodes to the first `targets`. An igraph
 * error code. */
static inline igraph_error_t lp_igraph_betweenness(const igraph_t *graph, igraph_vector_t *result,
                                                   uint32_t sources, uint32_t targets) {
    igraph_vs_t first, to;
    IGRAPH_CHECK(igraph_vs_range(&first, 0, (igraph_integer_t)sources));
    IGRAPH_CHECK(igraph_vs_range(&to, 0, (igraph_integer_t)targets));
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_edge_betweenness_subset(graph, NULL, result, first, to,
                                          igraph_ess_all(IGRAPH_EDGEORDER_ID), true, false);
#else
    return igraph_edge_betweenness_subset(graph, result, igraph_ess_all(IGRAPH_EDGEORDER_ID), true,
                                          first, to, NULL);
#endif
}

#endif
