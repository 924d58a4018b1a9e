/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which type a server of the cluster is; clusters with a faster or slower network. */
#include "model/fabric/cluster.h"

uint32_t lp_cluster_type_of(const LpCluster *cluster, uint32_t server) {
    uint32_t type = 0, end = cluster->type[0].count;
    while (server >= end && type + 1 < cluster->types)
        end += cluster->type[++type].count;
    return type;
}

static LpErr scale_network(const LpNetwork *from, const LpScales *s, LpArena *arena,
                           const LpNetwork **out) {
    LpNetwork *to = lp_arena_alloc(arena, 1, sizeof *to);
    double *capacity = lp_arena_alloc(arena, from->links, sizeof *capacity);
    double *delay = lp_arena_alloc(arena, from->links, sizeof *delay);
    if (to == NULL || capacity == NULL || delay == NULL)
        return LP_ENOMEM;
    for (uint32_t l = 0; l < from->links; l++) {
        capacity[l] = from->capacity[l] * s->bandwidth;
        delay[l] = from->delay[l] * s->latency;
    }
    *to = *from;
    to->capacity = capacity;
    to->delay = delay;
    *out = to;
    return LP_OK;
}

static LpErr scale_circuits(LpOcsParams *ocs, const LpScales *s, LpArena *arena) {
    LpPlug *plug = lp_arena_alloc(arena, ocs->ports, sizeof *plug);
    LpCable *cable = lp_arena_alloc(arena, ocs->cables, sizeof *cable);
    if (plug == NULL || cable == NULL)
        return LP_ENOMEM;
    for (uint32_t p = 0; p < ocs->ports; p++) {
        plug[p] = ocs->plug[p];
        plug[p].bandwidth *= s->bandwidth;
        plug[p].delay *= s->latency;
    }
    for (uint32_t i = 0; i < ocs->cables; i++) {
        cable[i] = ocs->cable[i];
        cable[i].capacity *= s->bandwidth;
        cable[i].delay *= s->latency;
    }
    ocs->server_bandwidth *= s->bandwidth;
    ocs->uplink_bandwidth *= s->bandwidth;
    ocs->server_delay *= s->latency;
    ocs->uplink_delay *= s->latency;
    ocs->plug = plug;
    ocs->cable = cable;
    return LP_OK;
}

/* Which parameters a fabric has of each kind. */
LpErr lp_cluster_scale(const LpCluster *cluster, const LpScales *s, LpArena *arena,
                       LpCluster *out) {
    *out = *cluster;
    out->ramp.node_bandwidth *= s->bandwidth;
    out->ramp.propagation_latency *= s->latency;
    out->ramp.io_latency *= s->latency;
    out->ramp.slot *= s->reconfiguration;
    out->ideal.node_bandwidth *= s->bandwidth;
    out->ideal.latency *= s->latency;
    out->ideal.io_latency *= s->latency;
    out->packet.io_latency *= s->latency;
    out->zones.net.io_latency *= s->latency;
    if (cluster->fabric == LP_FABRIC_ZONES)
        return scale_network(cluster->zones.net.network, s, arena, &out->zones.net.network);
    if (cluster->fabric == LP_FABRIC_OCS) /* its reconfiguration time is scaled where it is paid */
        return scale_circuits(&out->ocs, s, arena);
    if (cluster->fabric != LP_FABRIC_PACKET)
        return LP_OK;
    return scale_network(cluster->packet.network, s, arena, &out->packet.network);
}
