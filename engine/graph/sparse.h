/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: matrices of which most entries are 0. */
#ifndef LP_GRAPH_SPARSE_H
#define LP_GRAPH_SPARSE_H

#include "graph/match.h"

/* The whole matrix, row by row, to be freed with lp_free; what: what its entries are, for messages.
 * NULL with *err LP_ELIMIT, LP_ERANGE or LP_ENOMEM. O(n^2 + entries). */
double *lp_sparse_fill(const LpSparse *sparse, const char *what, LpDiag *diag, LpErr *err);

#endif
