/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: the assignment problem, on which the matchings rest. */
#ifndef LP_GRAPH_ASSIGN_H
#define LP_GRAPH_ASSIGN_H

#include <stdint.h>

#include "base/err.h"

/* Gives every row its own column so that the sum of cost[row * columns + column] is least.
 * rows <= columns; costs are finite and at most 1e300 in size. Shortest augmenting paths with
 * potentials (Kuhn 1955, Munkres 1957; the path form of Jonker and Volgenant 1987), rows entering
 * in order; among equals a free column before a taken one, then the lowest. out has `rows` items.
 * LP_ENOMEM. O(rows^2 columns), whatever the costs are and however they round. */
LpErr lp_assign_solve(const double *cost, uint32_t rows, uint32_t columns, uint32_t *out,
                      LpDiag *diag) LP_MUST_USE;
/* The same within *steps looks at a cost, which become those that were taken, whatever comes of
 * it. LP_ELIMIT: they were not enough. */
LpErr lp_assign_within(const double *cost, uint32_t rows, uint32_t columns, uint32_t *out,
                       uint64_t *steps, LpDiag *diag) LP_MUST_USE;

#endif
