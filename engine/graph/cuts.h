/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that hold a graph together. */
#ifndef LP_GRAPH_CUTS_H
#define LP_GRAPH_CUTS_H

#include "base/err.h"
#include "graph/edges.h"

/* The nodes without which more nodes are apart than before, whatever the direction of the edges
 * (articulation points), ascending. cut: room for list->nodes. On failure outputs are unchanged.
 * Errors: LP_ELIMIT, LP_ERANGE, LP_ENOMEM, LP_EIO where igraph cannot be loaded.
 * O(nodes + edges), by igraph. */
LpErr lp_graph_cut_nodes(const LpEdgeList *list, uint32_t *cut, uint32_t *cuts,
                         LpDiag *diag) LP_MUST_USE;

#endif
