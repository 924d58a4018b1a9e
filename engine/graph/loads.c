/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads of edges: igraph's edge betweenness from some sources. */
#include "graph/loads.h"

#include <stdbool.h>

#include "graph/igraph_version.h"
#include "graph/lock.h"

typedef struct Loads {
    const LpEdgeList *list;
    uint32_t sources, targets;
    double *load;
} Loads;

static igraph_error_t betweenness(void *data) {
    const Loads *l = data;
    igraph_t graph;
    igraph_vector_t result;
    IGRAPH_CHECK(lp_igraph_create(&graph, l->list));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_vector_init(&result, 0));
    IGRAPH_FINALLY(igraph_vector_destroy, &result);
    IGRAPH_CHECK(lp_igraph_betweenness(&graph, &result, l->sources, l->targets));
    for (uint32_t e = 0; e < l->list->edges; e++)
        l->load[e] = VECTOR(result)[e];
    igraph_vector_destroy(&result);
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

static LpErr find_loads(const LpEdgeList *list, uint32_t sources, bool among, double *load,
                        LpDiag *diag) {
    LP_TRY(lp_edges_check(list, diag));
    if (sources == 0)
        return lp_fail(diag, LP_ERANGE, "sources is 0: expected at least 1");
    LP_TRY(lp_edges_check_node(list, sources - 1, "source", diag));
    Loads loads = {list, sources, among ? sources : list->nodes, load};
    return lp_igraph_do(betweenness, &loads, "loads of links", diag);
}

LpErr lp_graph_loads(const LpEdgeList *list, uint32_t sources, double *load, LpDiag *diag) {
    return find_loads(list, sources, false, load, diag);
}

LpErr lp_graph_loads_among(const LpEdgeList *list, uint32_t sources, double *load, LpDiag *diag) {
    return find_loads(list, sources, true, load, diag);
}
