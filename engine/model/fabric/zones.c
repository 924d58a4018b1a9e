/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `zones`: sites far apart, a packet network whose ways lose packets and whose transfers
 * are carried by TCP (model/network/network.h, model/network/tcp.h). What differs from `packet`:
 * its parameters, its symmetry, and that policies see it by measurements. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"
#include "model/network/network_impl.h"

/* ---- parameters ---- */

static void zones_defaults(LpCluster *cluster) {
    cluster->zones = (LpZonesParams){
        .net = {.spec = {.topology = LP_TOPOLOGY_ZONES,
                         .tcp = {.segment = 1460, .timeout = 1, .acked = 1, .connections = 1}},
                .io_latency = 1e-6},
        .measured = {.seed = 1}};
}

static LpErr zones_build(LpCluster *cluster, LpArena *arena, LpDiag *diag) {
    return lp_packet_build(&cluster->zones.net, "zones", arena, diag);
}

static LpErr zones_check(const LpCluster *cluster, LpDiag *diag) {
    const LpZonesParams *zones = &cluster->zones;
    const LpMeasureParams *m = &zones->measured;
    const LpNumber numbers[] = {
        {"cluster.zones.io_latency", zones->net.io_latency, LP_NEED_NOT_NEGATIVE},
        {"cluster.zones.measured.interval", m->interval, LP_NEED_NOT_NEGATIVE},
        {"cluster.zones.measured.delay_error", m->delay_error, LP_NEED_SHARE},
        {"cluster.zones.measured.loss_error", m->loss_error, LP_NEED_SHARE},
        {"cluster.zones.measured.throughput_error", m->throughput_error, LP_NEED_SHARE},
    };
    return lp_need_all(numbers, LP_COUNTOF(numbers), diag);
}

static uint64_t zones_count(const LpCluster *cluster) {
    return lp_network_spec_servers(&cluster->zones.net.spec);
}

static LpErr zones_scale(LpCluster *cluster, const LpScales *scales, LpArena *arena) {
    return lp_packet_scale(&cluster->zones.net, scales, arena);
}

static const LpPacketParams *zones_packet(const LpCluster *cluster) {
    return &cluster->zones.net;
}

static const LpMeasureParams *zones_measured(const LpCluster *cluster) {
    return &cluster->zones.measured;
}

/* Ways are objects of their own. */
static void write_way(LpJsonOut *out, const char *key, double bandwidth, double delay) {
    lp_json_open(out, key, '{');
    if (bandwidth >= 0)
        lp_json_put_number(out, "bandwidth", bandwidth);
    if (delay >= 0)
        lp_json_put_number(out, "delay", delay);
    lp_json_close(out, '}');
}

static void zones_write(const uint32_t *size, double bandwidth, double latency, LpJsonOut *out) {
    char name[24];
    lp_json_open(out, "zones", '[');
    for (uint32_t z = 0; z < size[0]; z++) {
        snprintf(name, sizeof name, "zone %u", z);
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "name", name);
        lp_json_put_count(out, "servers", size[1]);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    write_way(out, "inside", bandwidth, latency);
    write_way(out, "between", bandwidth, latency);
}

/* ---- the fabric ---- */

static void zones_board(const LpFabric *f, LpBoardPlan *plan) {
    lp_packet_board(f, plan);
    plan->sites = true;
    plan->rows = f->network->localities;
}

/* A round number of zones of equal size stands as racks on the boards. */
static void zones_init(LpFabric *f) {
    lp_packet_init(f);
    const LpNetwork *n = f->network;
    bool equal = true;
    for (uint32_t z = 0; z < n->localities; z++)
        equal = equal && n->spec.zone[z].servers == n->spec.zone[0].servers;
    if (!equal)
        return;
    f->groups = n->localities;
    f->per_rack = n->spec.zone[0].servers;
}

/* As zones_canonical, of few servers, without looking at the others. */
static void canonical_few(const uint32_t *alike, const uint32_t *servers, uint32_t n,
                          uint32_t *out) {
    uint32_t used[LP_AXIS_FEW], label[LP_AXIS_FEW];
    memcpy(used, servers, n * sizeof *used);
    uint32_t count = lp_axis_sort(used, n);
    for (uint32_t k = 0; k < count; k++) {
        label[k] = alike[used[k]];
        for (uint32_t before = 0; before < k; before++)
            label[k] += alike[used[before]] == alike[used[k]];
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = label[lp_axis_rank(used, count, servers[i])];
}

/* Servers of one zone that follow each other and have like cables are interchangeable as long as
 * who comes first stays first: numbers stay in order, so a ring in either order, a tree and groups
 * meet the same cables and ways in the same order. Other servers, and zones, differ. Where memory
 * is short everybody keeps their number, which costs a simulation and changes no result. */
static void zones_canonical(const LpFabric *f, const uint32_t *servers, uint32_t n, uint32_t *out) {
    const uint32_t *alike = f->network->alike;
    if (n <= LP_AXIS_FEW) {
        canonical_few(alike, servers, n, out);
        return;
    }
    uint32_t *label = lp_alloc(2 * (size_t)f->servers, sizeof *label);
    memcpy(out, servers, n * sizeof *out);
    for (uint32_t i = 0; label != NULL && i < n; i++)
        label[servers[i]] = 1; /* used */
    for (uint32_t s = 0; label != NULL && s < f->servers; s++)
        if (label[s] != 0)
            label[s] = alike[s] + label[f->servers + alike[s]]++; /* those of the run so far */
    for (uint32_t i = 0; label != NULL && i < n; i++)
        out[i] = label[servers[i]];
    lp_free(label);
}

static void zones_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    lp_packet_components(cluster->zones.net.network, counts);
}

static uint32_t zones_levels(const LpCluster *cluster, const char *name[2], uint32_t servers[2]) {
    (void)cluster;
    name[0] = "zone";
    servers[0] = 0;
    return 1;
}

const LpFabricOps lp_fabric_zones = {
    .name = "zones",
    .title = "sites far apart, joined by TCP",
    .any_pair = true,
    .form = {.usage = "zones:ZONESxSERVERS", .sizes = 2, .write = zones_write},
    .defaults = zones_defaults,
    .build = zones_build,
    .check = zones_check,
    .count = zones_count,
    .scale = zones_scale,
    .components = zones_components,
    .levels = zones_levels,
    .packet = zones_packet,
    .measured = zones_measured,
    .init = zones_init,
    .board_plan = zones_board,
    .canonical = zones_canonical,
    LP_PACKET_OPERATIONS,
};
