/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about a cluster, of which its fabric answers most. */
#include "model/fabric/cluster.h"

#include "base/assert.h"
#include "model/fabric/fabric.h"

uint32_t lp_cluster_type_of(const LpCluster *cluster, uint32_t server) {
    LP_ASSERT(server < cluster->servers);
    uint32_t type = 0, end = cluster->type[0].count;
    while (server >= end && type + 1 < cluster->types)
        end += cluster->type[++type].count;
    return type;
}

void lp_cluster_defaults(LpCluster *cluster) {
    *cluster = (LpCluster){.types = 1};
    for (int kind = 0; kind < LP_FABRIC_COUNT; kind++)
        lp_fabric_ops((LpFabricKind)kind)->defaults(cluster);
}

uint32_t lp_cluster_servers(const LpCluster *cluster) {
    uint64_t servers = lp_fabric_ops(cluster->fabric)->count(cluster);
    return servers <= LP_SERVERS_MAX ? (uint32_t)servers : 0;
}

const LpPacketParams *lp_cluster_packet(const LpCluster *cluster) {
    const LpFabricOps *ops = lp_fabric_ops(cluster->fabric);
    return ops->packet != NULL ? ops->packet(cluster) : NULL;
}

LpErr lp_cluster_scale(const LpCluster *cluster, const LpScales *scales, LpArena *arena,
                       LpCluster *out) {
    *out = *cluster;
    return lp_fabric_ops(cluster->fabric)->scale(out, scales, arena);
}
