/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric "ocs": a packet network whose links are circuits. It is one at every moment, so what
 * depends on the links of the moment is in model/fabric/packet.c; here are its parameters and the
 * constants, which do not. */
#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"

/* ---- parameters ---- */

static void ocs_defaults(LpCluster *cluster) {
    cluster->ocs = (LpOcsParams){.servers = 16,
                                 .switches = 1,
                                 .nics = 1,
                                 .server_bandwidth = 12.5e9,
                                 .uplink_bandwidth = 12.5e9,
                                 .server_delay = 500e-9,
                                 .uplink_delay = 500e-9,
                                 .delay = {.turn = 10e-3}};
}

/* The ports, and the network that the circuits start with. */
static LpErr ocs_build(LpCluster *cluster, LpArena *arena, LpDiag *diag) {
    LpOcsParams *ocs = &cluster->ocs;
    LpDiag inner = {0};
    if (cluster->packet.network != NULL)
        return LP_OK;
    if (lp_ocs_finish(ocs, arena, &inner) == LP_OK) {
        LpLit *lit = lp_alloc(ocs->ports, sizeof *lit);
        const double hold = 1;
        LpSchedule initial = {ocs->ports, 1, ocs->initial, &hold};
        if (lit == NULL)
            return lp_fail_memory(diag, "the circuits of a network");
        LpErr err = lp_ocs_network(ocs, lit, lp_schedule_lit(&initial, 0, lit), arena,
                                   &cluster->packet.network, &inner);
        lp_free(lit);
        if (err == LP_OK)
            return LP_OK;
    }
    if (inner.code == LP_ENOMEM)
        return lp_fail_memory(diag, "a network");
    return lp_fail(diag, inner.code, "cluster.ocs.%s", inner.text);
}

static LpErr ocs_check(const LpCluster *cluster, LpDiag *diag) {
    const LpOcsParams *ocs = &cluster->ocs;
    const LpNumber numbers[] = {
        {"cluster.ocs.io_latency", cluster->packet.io_latency, LP_NEED_NOT_NEGATIVE},
        {"cluster.ocs.reconfiguration.program", ocs->delay.program, LP_NEED_NOT_NEGATIVE},
        {"cluster.ocs.reconfiguration.switch", ocs->delay.turn, LP_NEED_NOT_NEGATIVE},
        {"cluster.ocs.reconfiguration.lock", ocs->delay.lock, LP_NEED_NOT_NEGATIVE},
        {"cluster.ocs.interval", ocs->interval, LP_NEED_NOT_NEGATIVE},
    };
    return lp_need_all(numbers, LP_COUNTOF(numbers), diag);
}

static uint64_t ocs_count(const LpCluster *cluster) {
    return cluster->ocs.servers;
}

/* Its reconfiguration time is scaled where it is paid, its networks where they are made. */
static LpErr ocs_scale(LpCluster *cluster, const LpScales *s, LpArena *arena) {
    LpOcsParams *ocs = &cluster->ocs;
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
    cluster->packet.io_latency *= s->latency;
    return LP_OK;
}

/* A link is the fibre that ends in a port. */
static void ocs_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    counts[LP_OUTAGE_SERVER] = cluster->ocs.servers;
    counts[LP_OUTAGE_LINK] = cluster->ocs.ports;
    counts[LP_OUTAGE_SWITCH] = cluster->ocs.switches;
}

static const LpPacketParams *ocs_packet(const LpCluster *cluster) {
    return &cluster->packet;
}

/* ---- constants ---- */

/* What one server can receive: all that is plugged into switches, and its fixed cables. */
static double receive_rate(const LpOcsParams *o, uint32_t server) {
    double rate = 0;
    for (uint32_t p = 0; p < o->ports; p++)
        rate += o->plug[p].node == server ? o->plug[p].bandwidth : 0;
    for (uint32_t i = 0; i < o->cables; i++)
        rate += o->cable[i].a == server || o->cable[i].b == server ? o->cable[i].capacity : 0;
    return rate;
}

/* A server reaches others over as many links as its circuits and cables have far ends. */
static uint32_t links_per_server(const LpOcsParams *o) {
    return o->servers + o->aggregators + o->cables;
}

static void ocs_init(LpFabric *f) {
    const LpOcsParams *o = &f->cluster->ocs;
    f->network = f->cluster->packet.network;
    f->servers = o->servers;
    f->groups = f->racks = 1;
    f->per_rack = f->servers;
    f->server_rate = receive_rate(o, 0);
    for (uint32_t s = 1; s < f->servers; s++) {
        double rate = receive_rate(o, s);
        f->server_rate = rate < f->server_rate ? rate : f->server_rate;
    }
    double least = 0;
    for (uint32_t p = 0; p < o->ports; p++)
        if (o->plug[p].node < o->servers && (least == 0 || o->plug[p].bandwidth < least))
            least = o->plug[p].bandwidth;
    f->port_rate = least;
    f->latency = 2.0 * f->cluster->packet.io_latency + 2.0 * o->server_delay;
    f->tx_ports = f->rx_ports = f->servers * links_per_server(o);
    f->light_capacity = o->ports;
}

/* One more rack than aggregators: of the servers that are joined to none. */
static void ocs_board(const LpFabric *f, LpBoardPlan *plan) {
    plan->joins = LP_BOARD_PORTS;
    plan->rack = "aggregator";
    plan->rack_many = "aggregators";
    plan->count = f->cluster->ocs.aggregators + 1;
    plan->loose = true;
}

/* Servers keep their numbers: circuits refer to them. */
static void ocs_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n,
                          uint32_t *out) {
    (void)fabric;
    memcpy(out, servers, n * sizeof *out);
}

const LpFabricOps lp_fabric_ocs = {
    .name = "ocs",
    .title = "optical circuit switches between servers and aggregators",
    .any_pair = true,
    .circuits = true,
    /* circuits follow the demand, else nothing would be lit */
    .form = {.usage = "ocs:SERVERS",
             .sizes = 1,
             .size = {"servers"},
             .bandwidth = {"server_bandwidth"},
             .latency = {"server_delay"},
             .more = ",\"interval\":1"},
    .defaults = ocs_defaults,
    .build = ocs_build,
    .check = ocs_check,
    .count = ocs_count,
    .scale = ocs_scale,
    .components = ocs_components,
    .packet = ocs_packet,
    .init = ocs_init,
    .board_plan = ocs_board,
    .canonical = ocs_canonical,
    LP_PACKET_OPERATIONS,
};
