/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about a cluster, of which its fabric answers most. */
#include "model/fabric/cluster.h"

#include <inttypes.h>
#include <string.h>

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

/* ---- levels and names ---- */

uint32_t lp_cluster_levels(const LpCluster *cluster, const char *name[LP_TREE_LEVELS]) {
    const LpFabricOps *ops = lp_fabric_ops(cluster->fabric);
    uint32_t servers[2];
    if (cluster->levels.levels == 0)
        return ops->levels != NULL ? ops->levels(cluster, name, servers) : 0;
    for (uint32_t l = 0; l < cluster->levels.levels; l++)
        name[l] = cluster->levels.level[l].name;
    return cluster->levels.levels;
}

/* A node for each zone. */
static LpErr spec_of_zones(const LpNetworkSpec *net, const char *level, LpArena *arena,
                           LpTreeSpec *out, LpDiag *diag) {
    uint32_t all = lp_network_spec_servers(net), first = 0;
    uint32_t *server = lp_arena_alloc(arena, all, sizeof *server);
    LpTreeNodeSpec *node = lp_arena_alloc(arena, net->zones, sizeof *node);
    LpTreeLevelSpec *one = lp_arena_alloc(arena, 1, sizeof *one);
    if (server == NULL || node == NULL || one == NULL)
        return lp_fail_memory(diag, "the levels of a cluster");
    for (uint32_t s = 0; s < all; s++)
        server[s] = s;
    for (uint32_t z = 0; z < net->zones; first += net->zone[z++].servers)
        node[z] = (LpTreeNodeSpec){
            .name = net->zone[z].name, .servers = net->zone[z].servers, .server = server + first};
    *one = (LpTreeLevelSpec){level, net->zones, node};
    *out = (LpTreeSpec){1, one};
    return LP_OK;
}

static LpErr spec_of_fabric(const LpCluster *cluster, LpArena *arena, LpTreeSpec *out,
                            LpDiag *diag) {
    const LpFabricOps *ops = lp_fabric_ops(cluster->fabric);
    const char *name[2] = {NULL, NULL};
    uint32_t servers[2] = {0, 0};
    uint32_t levels = 0, all = lp_cluster_servers(cluster);
    if (ops->levels != NULL && all > 0) /* else a check finds what is wrong with the fabric */
        levels = ops->levels(cluster, name, servers);
    if (levels > 0 && servers[0] == 0)
        return spec_of_zones(&lp_cluster_packet(cluster)->spec, name[0], arena, out, diag);
    return lp_tree_spec_even(levels, name, servers, all, arena, out, diag);
}

LpErr lp_cluster_build_tree(LpCluster *cluster, LpArena *arena, LpDiag *diag) {
    uint32_t servers = lp_cluster_servers(cluster);
    LpTreeSpec spec = cluster->levels;
    if (cluster->names > 0 && cluster->names != servers)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.names has %" PRIu32 " names: expected as many as servers, %" PRIu32,
                       cluster->names, servers);
    if (spec.levels > 0 && lp_fabric_ops(cluster->fabric)->slices)
        return lp_fail(diag, LP_EINVAL,
                       "cluster.levels stands beside the fabric \"%s\": expected none, since its "
                       "slices are its levels",
                       lp_fabric_ops(cluster->fabric)->name);
    if (spec.levels == 0)
        LP_TRY(spec_of_fabric(cluster, arena, &spec, diag));
    return lp_tree_build(&spec, servers, arena, &cluster->tree, diag);
}
