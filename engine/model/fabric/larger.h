/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A larger cluster than the one that there is, as overrides of its scenario: what more of the same
 * would be worth can be run then. */
#ifndef LP_MODEL_FABRIC_LARGER_H
#define LP_MODEL_FABRIC_LARGER_H

#include "base/mem.h"
#include "base/str.h"
#include "model/fabric/cluster.h"

typedef enum LpLargerBy {
    LP_LARGER_NODE,   /* a copy of the largest node of the lowest level, of equals the first */
    LP_LARGER_SERVERS /* a tenth more servers, rounded up: copies of servers of the lowest nodes in
                         turn; where these are alike, a tenth more in each */
} LpLargerBy;

enum { LP_LARGER_SETS = 8 };
typedef struct LpLarger {
    uint32_t more;     /* servers more; 0: this cluster cannot be made larger so */
    uint32_t sets;     /* overrides, such as "cluster.packet.leaves=5" */
    const char **set;  /* in the arena */
    const char *level; /* of the node that is copied */
} LpLarger;

/* The cluster is built and has one type of servers; new servers have the last numbers, but for
 * those of alike nodes. Errors: LP_ENOMEM. O(servers + cables). */
LpErr lp_cluster_larger(const LpCluster *cluster, LpLargerBy by, LpArena *arena, LpLarger *out,
                        LpDiag *diag) LP_MUST_USE;

#endif
