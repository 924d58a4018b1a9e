/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A directed graph as plain arrays: the input of flows, shortest paths and layouts. */
#ifndef LP_GRAPH_EDGES_H
#define LP_GRAPH_EDGES_H

#include <stdint.h>

#include "base/err.h"

/* "No row, no column, no edge" in results. */
#define LP_GRAPH_NONE UINT32_MAX

/* Sizes up to which the functions of this folder accept a graph. */
enum { LP_GRAPH_NODES_MAX = 1 << 16, LP_GRAPH_EDGES_MAX = 1 << 20 };

/* Edge e leads from node src[e] to node dst[e]; nodes are 0 .. nodes-1. Loops and parallel edges
 * are allowed. The arrays (`edges` items each, NULL allowed when there are none) belong to the
 * caller and are only read. */
typedef struct LpEdgeList {
    uint32_t nodes, edges;
    const uint32_t *src, *dst;
} LpEdgeList;

/* Checks sizes and node numbers; the functions of this folder call it themselves. LP_ELIMIT above
 * the sizes named here, LP_ERANGE for an edge whose end is not a node. Messages count edges from
 * 1. O(edges). */
LpErr lp_edges_check(const LpEdgeList *list, LpDiag *diag) LP_MUST_USE;

/* Checks that `value` holds one finite number >= 0 per edge; `what` names them in the message
 * ("capacity"). LP_EINVAL; LP_ERANGE where their sum is above 1e300. O(edges). */
LpErr lp_edges_check_values(const LpEdgeList *list, const double *value, const char *what,
                            LpDiag *diag) LP_MUST_USE;

/* Checks that `node` is one; `what` names it in the message ("source"). LP_ERANGE. */
LpErr lp_edges_check_node(const LpEdgeList *list, uint32_t node, const char *what,
                          LpDiag *diag) LP_MUST_USE;

#endif
