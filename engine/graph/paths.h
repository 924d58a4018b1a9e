/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest paths from one node, and the order of a graph without cycles. */
#ifndef LP_GRAPH_PATHS_H
#define LP_GRAPH_PATHS_H

#include <stdint.h>

#include "base/err.h"
#include "graph/edges.h"

/* Shortest paths from `source` to every node, along the edges' direction.
 *   weight    list->edges items, finite, >= 0, in any unit (seconds, hops ...)
 *   distance  list->nodes items: the sum of weights from the source on; INFINITY where no path
 *             leads
 *   parent    NULL or list->nodes items: the last edge of the path to a node; LP_GRAPH_NONE for
 *             the source and where no path leads. Following src[parent[v]] ends at the source. Of
 *             several shortest paths one with the fewest edges is taken, of these the one whose
 *             last edge comes first in the list.
 * On failure outputs are unchanged. Errors: LP_EINVAL (NaN, infinite or negative weight),
 * LP_ERANGE (no such node; weights adding up to more than 1e300), LP_ELIMIT (sizes of edges.h),
 * LP_ENOMEM, LP_EIO where igraph cannot be loaded. O(nodes + edges log edges) (Dijkstra 1959). */
LpErr lp_graph_shortest(const LpEdgeList *list, const double *weight, uint32_t source,
                        double *distance, uint32_t *parent, LpDiag *diag) LP_MUST_USE;

/* An order in which every edge leads from an earlier to a later node: by depth, then by number.
 * It does not depend on the order of the edges.
 *   order     NULL or list->nodes items: the nodes in that order
 *   depth     NULL or list->nodes items: the most edges of a path that ends at the node
 * On failure outputs are unchanged. Errors: LP_ECYCLE (a loop is one, too), naming the nodes of a
 * cycle; LP_ERANGE, LP_ELIMIT, LP_ENOMEM. O(nodes + edges). */
LpErr lp_graph_topological(const LpEdgeList *list, uint32_t *order, uint32_t *depth,
                           LpDiag *diag) LP_MUST_USE;

#endif
