/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Routes: up and down the tiers of a leaf-spine or fat tree, dimension by dimension on a torus,
 * along shortest ways of a listed network. */
#include "base/hash.h"
#include "model/network/network_impl.h"

#include "base/assert.h"

/* The number that chooses among equal ways. */
static uint64_t chooser(const LpNetwork *n, uint32_t src, uint32_t dst) {
    if (n->spec.ecmp == LP_ECMP_DESTINATION)
        return dst;
    uint64_t h = lp_hash_u64(LP_HASH_INIT, n->spec.seed);
    return lp_hash_u64(h, (uint64_t)src << 32 | dst);
}

/* Link of a cable, upwards or back. */
static uint32_t up(uint32_t cable) {
    return 2 * cable;
}

static uint32_t down(uint32_t cable) {
    return 2 * cable + 1;
}

/* ---- tiers ---- */

static uint32_t route_leaf_spine(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    const LpNetworkSpec *s = &n->spec;
    uint32_t from = src / s->servers_per_leaf, to = dst / s->servers_per_leaf, count = 0;
    out[count++] = up(src);
    if (from != to) {
        uint32_t spine = (uint32_t)(chooser(n, src, dst) % s->spines);
        out[count++] = up(n->servers + from * s->spines + spine);
        out[count++] = down(n->servers + to * s->spines + spine);
    }
    out[count++] = down(dst);
    return count;
}

static uint32_t route_fat_tree(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    uint32_t h = n->spec.k / 2, from = src / h, to = dst / h, count = 0;
    uint64_t choice = chooser(n, src, dst);
    uint32_t a = (uint32_t)(choice % h), c = (uint32_t)(choice / h % h);
    out[count++] = up(src);
    if (from != to) {
        out[count++] = up(n->servers + from * h + a);
        if (from / h != to / h) {
            out[count++] = up(2 * n->servers + (from / h * h + a) * h + c);
            out[count++] = down(2 * n->servers + (to / h * h + a) * h + c);
        }
        out[count++] = down(n->servers + to * h + a);
    }
    out[count++] = down(dst);
    return count;
}

/* ---- torus ---- */

/* One dimension: from coordinate `at` to `to` round a ring of `size` servers `step` apart. */
static uint32_t round_ring(const LpNetwork *n, uint32_t d, uint32_t step, uint32_t *server,
                           uint32_t to, uint32_t *out) {
    uint32_t size = n->spec.size[d], dims = n->spec.dimensions, at = *server / step % size;
    uint32_t base = *server - at * step, ahead = (to + size - at) % size, count = 0;
    bool upwards = 2 * (uint64_t)ahead <= size;
    while (at != to) {
        uint32_t next = upwards ? (at + 1) % size : (at + size - 1) % size;
        uint32_t owner = base + (upwards ? at : next) * step;
        out[count++] = upwards ? up(owner * dims + d) : down(owner * dims + d);
        at = next;
    }
    *server = base + at * step;
    return count;
}

static uint32_t route_torus(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    uint32_t step = n->servers, count = 0;
    for (uint32_t d = 0; d < n->spec.dimensions; d++) {
        step /= n->spec.size[d];
        count += round_ring(n, d, step, &src, dst / step % n->spec.size[d], out + count);
    }
    return count;
}

/* ---- zones ---- */

/* The zone of a server. O(log zones). */
static uint32_t zone_of(const LpNetwork *n, uint32_t server) {
    uint32_t low = 0, high = n->localities;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (n->locality_begin[middle] <= server)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t route_zones(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    uint32_t from = zone_of(n, src), to = zone_of(n, dst), count = 0;
    out[count++] = up(src);
    if (from < to)
        out[count++] = up(n->servers + lp_zone_pair(n->localities, from, to));
    if (from > to)
        out[count++] = down(n->servers + lp_zone_pair(n->localities, to, from));
    out[count++] = down(dst);
    return count;
}

/* ---- list ---- */

uint32_t lp_network_distance(const LpNetwork *n, uint32_t node, uint32_t dst) {
    uint32_t best = LP_NETWORK_APART;
    if (node == dst)
        return 0;
    if (!lp_network_forwards(n, node))
        return LP_NETWORK_APART;
    const uint16_t *hops = n->hops + (size_t)(node - n->first_forwarder) * n->forwarders;
    if (lp_network_forwards(n, dst))
        return hops[dst - n->first_forwarder];
    for (uint32_t i = n->in_begin[dst]; i < n->in_begin[dst + 1]; i++) {
        uint32_t last = n->from[n->in_link[i]];
        if (lp_network_forwards(n, last) && hops[last - n->first_forwarder] < best)
            best = hops[last - n->first_forwarder];
    }
    return best == LP_NETWORK_APART ? best : best + 1;
}

/* Links from a node straight to the destination, in order of their numbers, as scan_ways. They are
 * all of the shortest ways where there is one: a switch with a thousand servers need not look at
 * each of them. */
static uint32_t scan_last(const LpNetwork *n, uint32_t node, uint32_t dst, uint32_t pick,
                          uint32_t *link) {
    uint32_t count = 0;
    for (uint32_t i = n->in_begin[dst]; i < n->in_begin[dst + 1]; i++)
        if (n->from[n->in_link[i]] == node && count++ == pick)
            *link = n->in_link[i];
    return count;
}

/* Links out of a node that begin a shortest way; the one of index `pick`, UINT32_MAX to count. */
static uint32_t scan_ways(const LpNetwork *n, uint32_t node, uint32_t dst, uint32_t pick,
                          uint32_t *link) {
    uint32_t best = LP_NETWORK_APART, count = scan_last(n, node, dst, pick, link);
    if (count > 0 || lp_network_direct(n))
        return count;
    for (uint32_t i = n->out_begin[node]; i < n->out_begin[node + 1]; i++) {
        uint32_t away = lp_network_distance(n, n->to[n->out_link[i]], dst);
        if (away < best) {
            best = away;
            count = 0;
        }
        if (away != best || away == LP_NETWORK_APART)
            continue;
        if (count++ == pick)
            *link = n->out_link[i];
    }
    return count;
}

static uint32_t route_list(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    uint64_t choice = chooser(n, src, dst);
    uint32_t count = 0;
    for (uint32_t node = src; node != dst; node = n->to[out[count - 1]]) {
        uint32_t ways = scan_ways(n, node, dst, UINT32_MAX, NULL);
        if (ways == 0)
            return 0;
        /* the best distance may improve during the scan, so the pick of an earlier one is
         * overwritten by that of the best */
        scan_ways(n, node, dst, (uint32_t)(choice % ways), &out[count++]);
        choice /= ways;
    }
    return count;
}

/* ---- public ---- */

uint32_t lp_network_route(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *out) {
    LP_ASSERT(src < n->servers && dst < n->servers);
    static uint32_t (*const routes[LP_TOPOLOGY_COUNT])(const LpNetwork *, uint32_t, uint32_t,
                                                       uint32_t *) = {
        [LP_TOPOLOGY_LEAF_SPINE] = route_leaf_spine, [LP_TOPOLOGY_FAT_TREE] = route_fat_tree,
        [LP_TOPOLOGY_TORUS] = route_torus,           [LP_TOPOLOGY_LINKS] = route_list,
        [LP_TOPOLOGY_ZONES] = route_zones,
    };
    return src == dst ? 0 : routes[n->spec.topology](n, src, dst, out);
}

uint32_t lp_network_locality(const LpNetwork *n, uint32_t server) {
    LP_ASSERT(server < n->servers);
    const LpNetworkSpec *s = &n->spec;
    switch (s->topology) {
    case LP_TOPOLOGY_LEAF_SPINE:
        return server / s->servers_per_leaf;
    case LP_TOPOLOGY_FAT_TREE:
        return server / (s->k / 2);
    case LP_TOPOLOGY_TORUS:
        return server / s->size[s->dimensions - 1];
    case LP_TOPOLOGY_ZONES:
        return zone_of(n, server);
    case LP_TOPOLOGY_LINKS:
    case LP_TOPOLOGY_COUNT:
        break;
    }
    for (uint32_t i = n->out_begin[server]; i < n->out_begin[server + 1]; i++)
        if (n->to[n->out_link[i]] >= n->servers)
            return n->to[n->out_link[i]] - n->servers;
    return n->switches + server;
}

/* Every second row is walked backwards, so that its end lies beside the next row's start. */
static uint64_t torus_rank(const LpNetwork *n, uint32_t server) {
    uint32_t step = n->servers;
    uint64_t rank = 0;
    for (uint32_t d = 0; d < n->spec.dimensions; d++) {
        uint32_t size = n->spec.size[d];
        step /= size;
        uint32_t at = server / step % size;
        rank = rank * size + (rank % 2 == 0 ? at : size - 1 - at);
    }
    return rank;
}

uint64_t lp_network_rank(const LpNetwork *n, uint32_t server) {
    LP_ASSERT(server < n->servers);
    if (n->spec.topology == LP_TOPOLOGY_TORUS)
        return torus_rank(n, server);
    if (n->spec.topology == LP_TOPOLOGY_LINKS)
        return (uint64_t)lp_network_locality(n, server) << 32 | server;
    return server;
}

/* ---- what a transfer finds ---- */

LpNetworkWay lp_network_way(const LpNetwork *n, const uint32_t *route, uint32_t count) {
    LpNetworkWay way = {.rate = n->capacity[route[0]]};
    for (uint32_t i = 0; i < count; i++) {
        double capacity = n->capacity[route[i]];
        way.delay += n->delay[route[i]];
        way.loss += n->loss != NULL ? n->loss[route[i]] : 0;
        way.rate = capacity < way.rate ? capacity : way.rate;
    }
    way.loss = way.loss < 1 ? way.loss : 1;
    if (n->loss != NULL) {
        LpTcpPath path = lp_tcp_path(2 * way.delay);
        path.loss = way.loss;
        path.segment = n->spec.tcp.segment;
        path.timeout = n->spec.tcp.timeout;
        path.acked = n->spec.tcp.acked;
        if (n->spec.tcp.window > 0)
            path.window = n->spec.tcp.window;
        double tcp = n->spec.tcp.connections * lp_tcp_throughput(n->spec.tcp.model, &path);
        way.rate = tcp < way.rate ? tcp : way.rate;
    }
    return way;
}
