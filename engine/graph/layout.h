/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where to draw the nodes of a graph without cycles: rows from top to bottom, few crossings. */
#ifndef LP_GRAPH_LAYOUT_H
#define LP_GRAPH_LAYOUT_H

#include "base/err.h"
#include "graph/edges.h"

enum { LP_LAYOUT_NODES_MAX = 10000, LP_LAYOUT_EDGES_MAX = 40000 };

/* A layered drawing (Sugiyama, Tagawa and Toda 1981; columns by Brandes and Koepf 2002).
 *   x, y   list->nodes items each. y is the row: 0, 1, 2 ..., every edge leads to a row further
 *          down, nodes that nothing leads to stand just above the first node they lead to. x is
 *          the column: the least is 0, and two nodes of a row are at least 1 apart.
 * Very long edges may be left out of the search for few crossings, longest first, to bound its
 * time. Deterministic, but pleasing rather than exact: a newer igraph may draw another picture of
 * the same graph. On failure outputs are unchanged. Errors: LP_ECYCLE (a loop is one, too), naming
 * a cycle; LP_ERANGE (an edge to no node); LP_ELIMIT (sizes above); LP_ENOMEM; LP_EIO
 * where igraph cannot be loaded. Takes up to 0.2 s
 * for a few hundred nodes, a second or two at the limits: call it off the frame path and keep the
 * result. */
LpErr lp_graph_layers(const LpEdgeList *list, double *x, double *y, LpDiag *diag) LP_MUST_USE;

#endif
