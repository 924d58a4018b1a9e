/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Articulation points, by igraph, in ascending order. */
#include "graph/cuts.h"

#include <stdlib.h>

#include "graph/lock.h"

typedef struct Cuts {
    const LpEdgeList *list;
    uint32_t *cut, cuts;
} Cuts;

static int by_number(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

static igraph_error_t find_cuts(void *data) {
    Cuts *c = data;
    igraph_t graph;
    igraph_vector_int_t found;
    IGRAPH_CHECK(lp_igraph_create(&graph, c->list));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_vector_int_init(&found, 0));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &found);
    IGRAPH_CHECK(igraph_articulation_points(&graph, &found));
    c->cuts = (uint32_t)igraph_vector_int_size(&found);
    for (uint32_t i = 0; i < c->cuts; i++)
        c->cut[i] = (uint32_t)VECTOR(found)[i];
    igraph_vector_int_destroy(&found);
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(2);
    return IGRAPH_SUCCESS;
}

LpErr lp_graph_cut_nodes(const LpEdgeList *list, uint32_t *cut, uint32_t *cuts, LpDiag *diag) {
    LP_TRY(lp_edges_check(list, diag));
    Cuts c = {list, cut, 0};
    LP_TRY(lp_igraph_do(find_cuts, &c, "cut nodes of a graph", diag));
    if (c.cuts > 1)
        qsort(cut, c.cuts, sizeof *cut, by_number);
    *cuts = c.cuts;
    return LP_OK;
}
