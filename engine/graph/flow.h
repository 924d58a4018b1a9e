/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The greatest flow from one node to another, and the cheapest cut between them. */
#ifndef LP_GRAPH_FLOW_H
#define LP_GRAPH_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "graph/edges.h"

/* The greatest flow from `source` to `target` when edge e carries at most capacity[e] (any unit,
 * e.g. B/s), only in its direction.
 *   capacity  list->edges items, finite, >= 0 (an edge without a limit: any number above the sum
 *             of the others)
 *   *value    the capacity of the least cut, summed in the order of the edges; what leaves the
 *             source, net, is the same up to rounding
 *   flow      NULL or list->edges items: 0 <= flow[e] <= capacity[e]; at every other node as much
 *             enters as leaves, up to rounding (exactly for integers up to 2^53). Of several
 *             greatest flows always the same: shortest augmenting paths, lowest edges first
 *             (Dinitz 1970). Loops carry nothing.
 * On failure outputs are unchanged. Errors: LP_EINVAL (NaN, infinite or negative capacity; source
 * and target the same), LP_ERANGE (no such node; capacities adding up to more than 1e300),
 * LP_ELIMIT (sizes of edges.h; or 2^26 looks at an edge, a second or two, did not suffice, the same
 * on every machine), LP_ENOMEM. O(nodes^2 edges), in practice near linear. */
LpErr lp_graph_max_flow(const LpEdgeList *list, const double *capacity, uint32_t source,
                        uint32_t target, double *value, double *flow, LpDiag *diag) LP_MUST_USE;

#endif
