/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of plain-array graphs, and their index by node. */
#include "graph/edges.h"

#include <math.h>

#include "base/mem.h"
#include "graph/csr.h"

/* Sums of that many weights stay far from overflow. */
static const double sum_max = 1e300;

LpErr lp_edges_check(const LpEdgeList *list, LpDiag *diag) {
    if (list->nodes > LP_GRAPH_NODES_MAX)
        return lp_fail(diag, LP_ELIMIT, "the graph has %u nodes; at most %d are supported",
                       list->nodes, LP_GRAPH_NODES_MAX);
    if (list->edges > LP_GRAPH_EDGES_MAX)
        return lp_fail(diag, LP_ELIMIT, "the graph has %u edges; at most %d are supported",
                       list->edges, LP_GRAPH_EDGES_MAX);
    for (uint32_t e = 0; e < list->edges; e++)
        if (list->src[e] >= list->nodes || list->dst[e] >= list->nodes)
            return lp_fail(diag, LP_ERANGE,
                           "edge %u leads from node %u to node %u, but the graph has %u nodes, "
                           "numbered from 0",
                           e + 1, list->src[e], list->dst[e], list->nodes);
    return LP_OK;
}

LpErr lp_edges_check_values(const LpEdgeList *list, const double *value, const char *what,
                            LpDiag *diag) {
    double sum = 0;
    for (uint32_t e = 0; e < list->edges; e++) {
        if (!isfinite(value[e]) || value[e] < 0)
            return lp_fail(diag, LP_EINVAL,
                           "the %s of edge %u is %g; expected a finite number of at least 0", what,
                           e + 1, value[e]);
        sum += value[e];
    }
    if (sum > sum_max)
        return lp_fail(diag, LP_ERANGE,
                       "the sum over the %s of all edges is %g; at most %g is "
                       "supported",
                       what, sum, sum_max);
    return LP_OK;
}

LpErr lp_edges_check_node(const LpEdgeList *list, uint32_t node, const char *what, LpDiag *diag) {
    if (node >= list->nodes)
        return lp_fail(diag, LP_ERANGE,
                       "the %s is node %u, but the graph has %u nodes, numbered from 0", what, node,
                       list->nodes);
    return LP_OK;
}

LpErr lp_csr_build(LpCsr *csr, uint32_t nodes, const uint32_t *key, uint32_t items, LpDiag *diag) {
    uint32_t *first = lp_alloc((size_t)nodes + 2, sizeof *first);
    uint32_t *item = lp_alloc(items, sizeof *item);
    if (!first || !item) {
        lp_free(first);
        lp_free(item);
        return lp_fail_memory(diag, "the index of a graph");
    }
    /* first[k + 2] counts k, then first[k + 1] runs from the start of k to its end */
    for (uint32_t i = 0; i < items; i++)
        first[key[i] + 2]++;
    for (uint32_t k = 2; k < nodes + 2; k++)
        first[k] += first[k - 1];
    for (uint32_t i = 0; i < items; i++)
        item[first[key[i] + 1]++] = i;
    *csr = (LpCsr){.first = first, .item = item};
    return LP_OK;
}

void lp_csr_free(LpCsr *csr) {
    lp_free(csr->first);
    lp_free(csr->item);
    *csr = (LpCsr){0};
}
