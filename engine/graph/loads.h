/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all-to-all traffic lays on the edges of a graph. */
#ifndef LP_GRAPH_LOADS_H
#define LP_GRAPH_LOADS_H

#include "base/err.h"
#include "graph/edges.h"

/* The load of every edge when each of the first `sources` nodes sends one unit to every node that
 * it reaches, split evenly over all shortest paths (fewest edges), each counted as a sequence of
 * edges: parallel edges are paths of their own. With all nodes as sources that is directed edge
 * betweenness. load: list->edges items. On failure outputs are unchanged. Errors: LP_ERANGE (the
 * graph has fewer than `sources` nodes), LP_ELIMIT, LP_ENOMEM, LP_EIO where igraph cannot be
 * loaded. O(sources (nodes + edges)) (Brandes 2001, by igraph). */
LpErr lp_graph_loads(const LpEdgeList *list, uint32_t sources, double *load,
                     LpDiag *diag) LP_MUST_USE;
/* As lp_graph_loads, but each of the first `sources` nodes sends to the others of these alone. */
LpErr lp_graph_loads_among(const LpEdgeList *list, uint32_t sources, double *load,
                           LpDiag *diag) LP_MUST_USE;

#endif
