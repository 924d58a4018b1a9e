/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/graph: which items (edges) belong to a node, as one array per graph. */
#ifndef LP_GRAPH_CSR_H
#define LP_GRAPH_CSR_H

#include <stdint.h>

#include "base/err.h"

/* The items of node k are item[first[k]] .. item[first[k + 1] - 1], ascending. */
typedef struct LpCsr {
    uint32_t *first, *item;
} LpCsr;

/* Sorts items 0 .. items-1 by key[item] < nodes (stable). Free with lp_csr_free, also a zeroed
 * one. LP_ENOMEM. O(nodes + items). */
LpErr lp_csr_build(LpCsr *csr, uint32_t nodes, const uint32_t *key, uint32_t items,
                   LpDiag *diag) LP_MUST_USE;
void lp_csr_free(LpCsr *csr);

#endif
