/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `ideal`: any servers will do and nothing is shared, so what remains is the loss that
 * no fabric can avoid. */
#include <inttypes.h>
#include <string.h>

#include "model/fabric/fabric_impl.h"

/* ---- parameters ---- */

static void ideal_defaults(LpCluster *cluster) {
    cluster->ideal = (LpIdealParams){
        .servers = 32, .node_bandwidth = 1.6e12, .latency = 50e-9, .io_latency = 100e-9};
}

static LpErr ideal_check(const LpCluster *cluster, LpDiag *diag) {
    const LpIdealParams *ideal = &cluster->ideal;
    const LpNumber numbers[] = {
        {"cluster.ideal.servers", ideal->servers, LP_NEED_WHOLE},
        {"cluster.ideal.node_bandwidth", ideal->node_bandwidth, LP_NEED_POSITIVE},
        {"cluster.ideal.latency", ideal->latency, LP_NEED_NOT_NEGATIVE},
        {"cluster.ideal.io_latency", ideal->io_latency, LP_NEED_NOT_NEGATIVE},
    };
    return lp_need_all(numbers, LP_COUNTOF(numbers), diag);
}

static uint64_t ideal_count(const LpCluster *cluster) {
    return cluster->ideal.servers;
}

static LpErr ideal_scale(LpCluster *cluster, const LpScales *s, LpArena *arena) {
    LpIdealParams *ideal = &cluster->ideal;
    (void)arena;
    ideal->node_bandwidth *= s->bandwidth;
    ideal->latency *= s->latency;
    ideal->io_latency *= s->latency;
    return LP_OK;
}

static uint32_t ideal_larger(const LpCluster *cluster, const LpGrowth *growth, LpBuf *out) {
    lp_buf_addf(out, "cluster.ideal.servers=%" PRIu32, cluster->ideal.servers + growth->count);
    return growth->count;
}

/* ---- the fabric ---- */

static void ideal_init(LpFabric *fabric) {
    const LpIdealParams *ideal = &fabric->cluster->ideal;
    fabric->groups = fabric->racks = 1;
    fabric->per_rack = fabric->servers = ideal->servers;
    fabric->port_rate = ideal->node_bandwidth;
    fabric->latency = ideal->latency + 2.0 * ideal->io_latency;
    fabric->light_capacity = ideal->servers;
}

bool lp_any_regular(const LpFabric *fabric, uint32_t n) {
    return n >= 1 && n <= fabric->servers;
}

uint32_t lp_any_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out) {
    (void)fallbacks;
    if (!lp_any_regular(fabric, n))
        return 0;
    out[0] = (LpShape){.groups = 1, .racks = 1, .servers = n};
    return 1;
}

uint64_t lp_any_origins(const LpFabric *fabric, const LpShape *shape) {
    return !shape->diagonal && shape->groups == 1 && shape->racks == 1 &&
           lp_any_regular(fabric, shape->servers);
}

/* The lowest-numbered servers that pass. */
bool lp_any_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out) {
    (void)origin;
    uint32_t found = 0, servers = search->fabric->servers;
    for (uint32_t s = 0; found < search->n && s < servers; s++)
        if (!search->test || search->test(search->context, s, found))
            out[found++] = s;
    return found == search->n;
}

bool lp_any_block_in(LpBlockSearch *search, uint64_t *origin, uint32_t *out) {
    const LpRoom *room = search->room;
    uint32_t found = 0, servers = search->fabric->servers;
    if (*origin > 0 || search->n > room->free)
        return false;
    *origin = 1;
    search->looked += out != NULL ? servers / 64 + 1 : 0;
    if (out == NULL)
        return true;
    for (uint32_t s = lp_room_next(room, 0, servers); found < search->n && s < servers;
         s = lp_room_next(room, s + 1, servers))
        if (!search->test || search->test(search->context, s, found))
            out[found++] = s;
    return found == search->n;
}

uint32_t lp_any_bound(const LpFabric *fabric, const LpRoom *room, bool fallbacks, uint32_t enough,
                      bool *exact, uint64_t *looked) {
    (void)fabric, (void)fallbacks, (void)enough;
    *exact = false; /* a search will tell, in no time */
    ++*looked;
    return room->free;
}

static double ideal_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes) {
    if (src == dst || bytes == 0.0)
        return 0.0;
    return fabric->latency + bytes / fabric->port_rate;
}

static double ideal_collective(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                               uint32_t n, double bytes, double peak, double memory_bandwidth) {
    uint32_t size = lp_axis_distinct((LpFabricAxis){1, fabric->servers}, servers, n);
    if (size < 2 || bytes == 0.0)
        return 0.0;
    return lp_collective_total(op, lp_collective_ring(size, bytes, fabric->latency,
                                                      fabric->port_rate, peak, memory_bandwidth));
}

static double ideal_published(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                              uint32_t n, double bytes) {
    return ideal_collective(fabric, op, servers, n, bytes, LP_PUBLISHED_PEAK,
                            LP_PUBLISHED_MEMORY_BANDWIDTH);
}

void lp_any_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx, uint32_t *rx) {
    (void)fabric, (void)src, (void)dst;
    *tx = *rx = LP_NO_PORT;
}

void lp_any_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out) {
    memset(out, 0, n * sizeof *out);
    lp_axis_relabel((LpFabricAxis){1, fabric->servers}, servers, n, out);
}

uint32_t lp_any_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst) {
    (void)fabric, (void)src, (void)dst;
    return LP_NO_PORT;
}

uint32_t lp_any_wavelengths(const LpFabric *fabric) {
    (void)fabric;
    return 0;
}

static void ideal_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    lp_light_components(ideal_count(cluster), counts);
}

const LpFabricOps lp_fabric_ideal = {
    .name = "ideal",
    .title = "any free servers, nothing shared",
    .any_pair = true,
    .reserves = true,
    .form = {.usage = "ideal:SERVERS, such as ideal:32",
             .sizes = 1,
             .size = {"servers"},
             .bandwidth = {"node_bandwidth"},
             .latency = {"latency"}},
    .defaults = ideal_defaults,
    .check = ideal_check,
    .count = ideal_count,
    .scale = ideal_scale,
    .larger = ideal_larger,
    .components = ideal_components,
    .init = ideal_init,
    .board_plan = lp_light_board,
    .shapes = lp_any_shapes,
    .regular = lp_any_regular,
    .origins = lp_any_origins,
    .block = lp_any_block,
    .block_in = lp_any_block_in,
    .bound = lp_any_bound,
    .transfer_time = ideal_transfer,
    .collective_time = ideal_collective,
    .published_collective_time = ideal_published,
    .sends = lp_ring_sends,
    .ports = lp_any_ports,
    .canonical = lp_any_canonical,
    .wavelength = lp_any_wavelength,
    .wavelengths = lp_any_wavelengths,
};
