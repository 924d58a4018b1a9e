/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truth and measurement of ways, and zones of servers. */
#include "model/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/hash.h"

LpMeasuredPath lp_way_true(const LpFabric *f, uint32_t a, uint32_t b, double now) {
    LpMeasuredPath way = {.throughput = (double)INFINITY, .measured_at = now};
    if (a == b)
        return way;
    if (f->network == NULL || f->ops->circuits) { /* circuits come and go */
        way.delay = f->latency;
        way.throughput = f->port_rate;
        return way;
    }
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    uint32_t count = lp_network_route(f->network, a, b, route);
    if (count == 0)
        return (LpMeasuredPath){.delay = (double)INFINITY, .loss = 1, .measured_at = now};
    LpNetworkWay found = lp_network_way(f->network, route, count);
    way.delay = found.delay + 2.0 * lp_cluster_packet(f->cluster)->io_latency;
    way.loss = found.loss;
    way.throughput = found.rate;
    return way;
}

/* ---- measuring ---- */

/* Even in [-1, 1): 53 bits of a hash. */
static double draw(uint64_t seed, uint32_t a, uint32_t b, double interval, uint64_t figure) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, seed);
    h = lp_hash_u64(h, (uint64_t)a << 32 | b);
    h = lp_hash_u64(h, (uint64_t)interval);
    h = lp_hash_u64(h, figure);
    return (double)(h >> 11) * 0x1p-52 - 1;
}

LpMeasuredPath lp_way_measured(const LpFabric *f, uint32_t a, uint32_t b, double now) {
    LpMeasuredPath way = lp_way_true(f, a, b, now);
    if (f->ops->measured == NULL || a == b)
        return way;
    const LpMeasureParams *m = f->ops->measured(f->cluster);
    double count = m->interval > 0 ? floor(now / m->interval) : 0;
    if (m->interval > 0)
        way.measured_at = count * m->interval;
    if (!(count < 0x1p53)) /* farther away than numbers count intervals */
        count = 0x1p53;
    way.delay *= 1 + m->delay_error * draw(m->seed, a, b, count, 0);
    way.loss *= 1 + m->loss_error * draw(m->seed, a, b, count, 1);
    way.loss = way.loss < 1 ? way.loss : 1;
    double seen = way.throughput * (1 + m->throughput_error * draw(m->seed, a, b, count, 2));
    way.throughput = seen > 0 ? seen : way.throughput * 0x1p-53;
    return way;
}

/* ---- zones ---- */

uint32_t lp_zone_count(const LpFabric *f) {
    return f->network != NULL ? f->network->localities : f->groups;
}

LpZoneServers lp_zone_servers(const LpFabric *f, uint32_t zone) {
    const LpNetwork *n = f->network;
    uint32_t size = f->racks * f->per_rack, begin = zone * size;
    if (n == NULL)
        return (LpZoneServers){NULL, begin, begin + size < f->servers ? begin + size : f->servers};
    LpZoneServers its = {NULL, n->locality_begin[zone], n->locality_begin[zone + 1]};
    if (n->locality_member != NULL)
        its = (LpZoneServers){n->locality_member + its.begin, 0, its.end - its.begin};
    return its;
}

const char *lp_zone_name(const LpFabric *f, uint32_t zone, char buf[LP_ZONE_NAME]) {
    if (f->network != NULL && f->network->spec.topology == LP_TOPOLOGY_ZONES)
        snprintf(buf, LP_ZONE_NAME, "%s", f->network->spec.zone[zone].name);
    else
        snprintf(buf, LP_ZONE_NAME, "zone %" PRIu32, zone);
    return buf;
}
