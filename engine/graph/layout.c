/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layered drawing: rows by own rules, columns by igraph, then put in order. */
#include "graph/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "graph/csr.h"
#include "graph/igraph_version.h"
#include "graph/lock.h"
#include "graph/paths.h"

enum {
    BENDS_MAX = 10000, /* places where long edges pass a row */
    SWEEPS = 24        /* rounds of the search for few crossings */
};

typedef struct Layout {
    const LpEdgeList *list;
    uint32_t *row;
    uint32_t *src, *dst; /* the edges that igraph sees */
    uint32_t kept;
    double *x;
} Layout;

/* Keeps edges, shortest first, as long as they bend in few enough places. */
static LpErr keep_edges(Layout *l, uint32_t *span, LpDiag *diag) {
    const LpEdgeList *list = l->list;
    for (uint32_t e = 0; e < list->edges; e++)
        span[e] = l->row[list->dst[e]] - l->row[list->src[e]];
    LpCsr by_span = {0};
    LP_TRY(lp_csr_build(&by_span, list->nodes, span, list->edges, diag));
    uint32_t bends = 0;
    for (uint32_t k = 0; k < list->edges; k++) {
        uint32_t e = by_span.item[k];
        bends += span[e] - 1;
        if (bends > BENDS_MAX)
            break;
        l->src[l->kept] = list->src[e];
        l->dst[l->kept++] = list->dst[e];
    }
    lp_csr_free(&by_span);
    return LP_OK;
}

static igraph_error_t columns_of(void *data) {
    const Layout *l = data;
    LpEdgeList kept = {l->list->nodes, l->kept, l->src, l->dst};
    igraph_t graph;
    igraph_matrix_t place;
    igraph_vector_int_t rows;
    IGRAPH_CHECK(lp_igraph_create(&graph, &kept));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_matrix_init(&place, 0, 0));
    IGRAPH_FINALLY(igraph_matrix_destroy, &place);
    IGRAPH_CHECK(igraph_vector_int_init(&rows, kept.nodes));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &rows);
    for (uint32_t v = 0; v < kept.nodes; v++)
        VECTOR(rows)[v] = l->row[v];
    IGRAPH_CHECK(lp_igraph_sugiyama(&graph, &place, &rows, SWEEPS));
    for (uint32_t v = 0; v < kept.nodes; v++)
        l->x[v] = MATRIX(place, v, 0);
    igraph_vector_int_destroy(&rows);
    igraph_matrix_destroy(&place);
    igraph_destroy(&graph);
    IGRAPH_FINALLY_CLEAN(3);
    return IGRAPH_SUCCESS;
}

typedef struct Spot {
    double x;
    uint32_t row, node;
} Spot;

static int compare_spots(const void *a, const void *b) {
    const Spot *p = a, *q = b;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

/* igraph's columns may be nearer than 1, and start anywhere. */
static LpErr space_out(Layout *l, LpDiag *diag) {
    uint32_t nodes = l->list->nodes;
    Spot *spot = lp_alloc(nodes, sizeof *spot);
    if (!spot)
        return lp_fail_memory(diag, "a layout");
    for (uint32_t v = 0; v < nodes; v++)
        spot[v] = (Spot){l->x[v], l->row[v], v};
    qsort(spot, nodes, sizeof *spot, compare_spots);
    double least = nodes > 0 ? spot[0].x : 0;
    for (uint32_t k = 1; k < nodes; k++) {
        if (spot[k].row == spot[k - 1].row && spot[k].x < spot[k - 1].x + 1)
            spot[k].x = spot[k - 1].x + 1;
        if (spot[k].x < least)
            least = spot[k].x;
    }
    for (uint32_t k = 0; k < nodes; k++)
        l->x[spot[k].node] = spot[k].x - least;
    lp_free(spot);
    return LP_OK;
}

static LpErr lay_out(Layout *l, LpDiag *diag) {
    uint32_t nodes = l->list->nodes;
    l->row = lp_alloc(nodes, sizeof *l->row);
    l->x = lp_alloc(nodes, sizeof *l->x);
    if (!l->row || !l->x)
        return lp_fail_memory(diag, "a layout");
    LP_TRY(lp_graph_topological(l->list, NULL, l->row, diag));
    /* Moves nodes without predecessors (parameters, inputs) next to where they are used. */
    const LpEdgeList *list = l->list;
    uint32_t *least = lp_alloc(list->nodes, sizeof *least);
    if (!least)
        return lp_fail_memory(diag, "a layout");
    for (uint32_t e = 0; e < list->edges; e++) {
        uint32_t v = list->src[e], row = l->row[list->dst[e]];
        if (least[v] == 0 || row < least[v])
            least[v] = row;
    }
    for (uint32_t v = 0; v < list->nodes; v++)
        if (l->row[v] == 0 && least[v] > 0)
            l->row[v] = least[v] - 1;
    lp_free(least);
    uint32_t *span = lp_alloc(l->list->edges, sizeof *span);
    l->src = lp_alloc(l->list->edges, sizeof *l->src);
    l->dst = lp_alloc(l->list->edges, sizeof *l->dst);
    LpErr err = LP_ENOMEM;
    if (span && l->src && l->dst)
        err = keep_edges(l, span, diag);
    else
        lp_fail_memory(diag, "a layout");
    lp_free(span);
    LP_TRY(err);
    LP_TRY(lp_igraph_do(columns_of, l, "a layout", diag));
    return space_out(l, diag);
}

LpErr lp_graph_layers(const LpEdgeList *list, double *x, double *y, LpDiag *diag) {
    if (list->nodes > LP_LAYOUT_NODES_MAX || list->edges > LP_LAYOUT_EDGES_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "a graph of %u nodes and %u edges is too large to draw; at "
                       "most %d and %d are supported",
                       list->nodes, list->edges, LP_LAYOUT_NODES_MAX, LP_LAYOUT_EDGES_MAX);
    Layout l = {.list = list};
    LpErr err = lay_out(&l, diag);
    for (uint32_t v = 0; v < list->nodes && err == LP_OK; v++) {
        x[v] = l.x[v];
        y[v] = l.row[v];
    }
    lp_free(l.row);
    lp_free(l.src);
    lp_free(l.dst);
    lp_free(l.x);
    return err;
}
