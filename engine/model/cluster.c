/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which type a server of the cluster is. */
#include "model/cluster.h"

uint32_t lp_cluster_type_of(const LpCluster *cluster, uint32_t server) {
    uint32_t type = 0, end = cluster->type[0].count;
    while (server >= end && type + 1 < cluster->types)
        end += cluster->type[++type].count;
    return type;
}
