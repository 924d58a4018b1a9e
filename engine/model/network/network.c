/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building networks: what a spec may say, and the cables of each topology. */
#include "model/network/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/network/network_impl.h"

/* ---- sizes ---- */

/* Servers, switches and cables; 0 servers: too many or none. */
typedef struct Size {
    uint64_t servers, switches, cables;
} Size;

static Size leaf_spine_size(const LpNetworkSpec *s) {
    uint64_t servers = (uint64_t)s->leaves * s->servers_per_leaf;
    return (Size){servers, (uint64_t)s->leaves + s->spines,
                  servers + (uint64_t)s->leaves * s->spines};
}

static Size fat_tree_size(const LpNetworkSpec *s) {
    uint64_t k = s->k <= 4096 ? s->k : 4096, h = k / 2; /* beyond any limit anyway */
    return (Size){k * h * h, 2 * k * h + h * h, 3 * k * h * h};
}

static Size torus_size(const LpNetworkSpec *s) {
    uint64_t servers = 1;
    for (uint32_t d = 0; d < s->dimensions && d < LP_TORUS_DIMENSIONS; d++)
        servers = servers <= LP_NETWORK_SERVERS_MAX ? servers * s->size[d] : servers;
    return (Size){servers, 0, servers * s->dimensions};
}

static Size list_size(const LpNetworkSpec *s) {
    return (Size){s->servers, s->switches, s->cables};
}

static Size zones_size(const LpNetworkSpec *s) {
    uint64_t zones = s->zones <= LP_ZONES_MAX ? s->zones : 0, servers = 0;
    for (uint32_t z = 0; z < zones; z++)
        servers += s->zone[z].servers;
    return (Size){servers, zones, servers + zones * (zones > 0 ? zones - 1 : 0) / 2};
}

static Size size_of(const LpNetworkSpec *spec) {
    static Size (*const sizes[LP_TOPOLOGY_COUNT])(const LpNetworkSpec *) = {
        [LP_TOPOLOGY_LEAF_SPINE] = leaf_spine_size, [LP_TOPOLOGY_FAT_TREE] = fat_tree_size,
        [LP_TOPOLOGY_TORUS] = torus_size,           [LP_TOPOLOGY_LINKS] = list_size,
        [LP_TOPOLOGY_ZONES] = zones_size,
    };
    return sizes[spec->topology](spec);
}

uint32_t lp_network_spec_servers(const LpNetworkSpec *spec) {
    uint64_t servers = size_of(spec).servers;
    return servers <= LP_NETWORK_SERVERS_MAX ? (uint32_t)servers : 0;
}

/* ---- what a spec may say ---- */

static LpErr check_count(const char *key, uint32_t value, uint32_t least, LpDiag *diag) {
    if (value >= least)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is %" PRIu32 ": expected at least %" PRIu32, key, value,
                   least);
}

static LpErr check_rate(const char *key, double value, LpDiag *diag) {
    if (value > 0 && isfinite(value))
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is %g: expected more than 0 bytes/s", key, value);
}

static LpErr check_delay(const char *key, double value, LpDiag *diag) {
    if (value >= 0 && isfinite(value))
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is %g: expected 0 s or more", key, value);
}

static LpErr check_leaf_spine(const LpNetworkSpec *spec, LpDiag *diag) {
    LP_TRY(check_count("leaves", spec->leaves, 1, diag));
    LP_TRY(check_count("spines", spec->spines, 1, diag));
    return check_count("servers_per_leaf", spec->servers_per_leaf, 1, diag);
}

static LpErr check_fat_tree(const LpNetworkSpec *spec, LpDiag *diag) {
    LP_TRY(check_count("k", spec->k, 2, diag));
    if (spec->k % 2 != 0)
        return lp_fail(diag, LP_EINVAL, "k is %" PRIu32 ": expected an even number of ports",
                       spec->k);
    return LP_OK;
}

static LpErr check_torus(const LpNetworkSpec *spec, LpDiag *diag) {
    if (spec->dimensions < 1 || spec->dimensions > LP_TORUS_DIMENSIONS)
        return lp_fail(diag, LP_EINVAL, "size has %" PRIu32 " dimensions: expected 1 to %d",
                       spec->dimensions, (int)LP_TORUS_DIMENSIONS);
    for (uint32_t d = 0; d < spec->dimensions; d++)
        if (spec->size[d] < 2)
            return lp_fail(diag, LP_EINVAL, "size[%" PRIu32 "] is %" PRIu32 ": expected at least 2",
                           d, spec->size[d]);
    return LP_OK;
}

static LpErr check_cable(const LpNetworkSpec *spec, uint32_t i, LpDiag *diag) {
    const LpCable *c = &spec->cable[i];
    uint64_t nodes = (uint64_t)spec->servers + spec->switches;
    uint32_t end = c->a >= nodes ? c->a : c->b;
    char key[64];
    if (end >= nodes)
        return lp_fail(diag, LP_EINVAL,
                       "links[%" PRIu32 "] ends at node %" PRIu32 ": expected 0 to %" PRIu64, i,
                       end, nodes - 1);
    if (c->a == c->b)
        return lp_fail(diag, LP_EINVAL,
                       "links[%" PRIu32 "] joins node %" PRIu32 " to itself: expected two nodes", i,
                       c->a);
    if (c->capacity > 0 && isfinite(c->capacity) && c->delay >= 0 && isfinite(c->delay))
        return LP_OK; /* keys are dear to print where circuits make a network at every turn */
    snprintf(key, sizeof key, "links[%" PRIu32 "].capacity", i);
    LP_TRY(check_rate(key, c->capacity, diag));
    snprintf(key, sizeof key, "links[%" PRIu32 "].delay", i);
    return check_delay(key, c->delay, diag);
}

static LpErr check_list(const LpNetworkSpec *spec, LpDiag *diag) {
    LP_TRY(check_count("servers", spec->servers, 1, diag));
    for (uint32_t i = 0; i < spec->cables; i++)
        LP_TRY(check_cable(spec, i, diag));
    return LP_OK;
}

static LpErr check_bandwidths(const LpNetworkSpec *spec, LpDiag *diag) {
    if (spec->topology == LP_TOPOLOGY_LINKS || spec->topology == LP_TOPOLOGY_ZONES)
        return LP_OK;
    LP_TRY(check_rate("server_bandwidth", spec->server_bandwidth, diag));
    LP_TRY(check_delay("server_delay", spec->server_delay, diag));
    if (spec->topology == LP_TOPOLOGY_TORUS)
        return LP_OK;
    LP_TRY(check_rate("uplink_bandwidth", spec->uplink_bandwidth, diag));
    return check_delay("uplink_delay", spec->uplink_delay, diag);
}

static LpErr check_spec(const LpNetworkSpec *spec, LpDiag *diag) {
    static LpErr (*const checks[LP_TOPOLOGY_COUNT])(const LpNetworkSpec *, LpDiag *) = {
        [LP_TOPOLOGY_LEAF_SPINE] = check_leaf_spine,
        [LP_TOPOLOGY_FAT_TREE] = check_fat_tree,
        [LP_TOPOLOGY_TORUS] = check_torus,
        [LP_TOPOLOGY_LINKS] = check_list,
        [LP_TOPOLOGY_ZONES] = lp_network_check_zones,
    };
    LP_TRY(checks[spec->topology](spec, diag));
    LP_TRY(check_bandwidths(spec, diag));
    Size size = size_of(spec);
    if (size.servers > LP_NETWORK_SERVERS_MAX || size.cables > LP_NETWORK_CABLES_MAX ||
        size.switches > LP_NETWORK_SERVERS_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "the network would have %" PRIu64 " servers, %" PRIu64 " switches and "
                       "%" PRIu64 " cables: expected at most %d, %d and %d",
                       size.servers, size.switches, size.cables, (int)LP_NETWORK_SERVERS_MAX,
                       (int)LP_NETWORK_SERVERS_MAX, (int)LP_NETWORK_CABLES_MAX);
    return LP_OK;
}

/* ---- cables ---- */

/* Where the next cable goes. */
typedef struct Laying {
    uint32_t *from, *to;
    double *capacity, *delay;
    double *loss; /* NULL: none */
    uint32_t next;
} Laying;

static void lay(Laying *l, uint32_t a, uint32_t b, double capacity, double delay) {
    uint32_t there = l->next, back = l->next + 1;
    l->from[there] = l->to[back] = a;
    l->to[there] = l->from[back] = b;
    l->capacity[there] = l->capacity[back] = capacity;
    l->delay[there] = l->delay[back] = delay;
    l->next += 2;
}

static void lay_leaf_spine(const LpNetworkSpec *s, Laying *l) {
    uint32_t servers = s->leaves * s->servers_per_leaf;
    for (uint32_t i = 0; i < servers; i++)
        lay(l, i, servers + i / s->servers_per_leaf, s->server_bandwidth, s->server_delay);
    for (uint32_t leaf = 0; leaf < s->leaves; leaf++)
        for (uint32_t spine = 0; spine < s->spines; spine++)
            lay(l, servers + leaf, servers + s->leaves + spine, s->uplink_bandwidth,
                s->uplink_delay);
}

static void lay_fat_tree(const LpNetworkSpec *s, Laying *l) {
    uint32_t h = s->k / 2, edges = s->k * h, servers = edges * h;
    uint32_t edge = servers, aggregation = edge + edges, core = aggregation + edges;
    for (uint32_t i = 0; i < servers; i++)
        lay(l, i, edge + i / h, s->server_bandwidth, s->server_delay);
    for (uint32_t e = 0; e < edges; e++)
        for (uint32_t a = 0; a < h; a++)
            lay(l, edge + e, aggregation + e / h * h + a, s->uplink_bandwidth, s->uplink_delay);
    for (uint32_t a = 0; a < edges; a++)
        for (uint32_t c = 0; c < h; c++)
            lay(l, aggregation + a, core + a % h * h + c, s->uplink_bandwidth, s->uplink_delay);
}

/* Servers from one to the next in dimension d. */
static uint32_t stride(const LpNetworkSpec *s, uint32_t d) {
    uint32_t step = 1;
    for (uint32_t i = d + 1; i < s->dimensions; i++)
        step *= s->size[i];
    return step;
}

static void lay_torus(const LpNetworkSpec *s, Laying *l) {
    uint32_t servers = lp_network_spec_servers(s);
    for (uint32_t i = 0; i < servers; i++)
        for (uint32_t d = 0; d < s->dimensions; d++) {
            uint32_t step = stride(s, d), at = i / step % s->size[d];
            uint32_t up = at + 1 < s->size[d] ? i + step : i - at * step;
            lay(l, i, up, s->server_bandwidth, s->server_delay);
        }
}

static void lay_one_way(const LpNetworkSpec *s, Laying *l) {
    for (uint32_t i = 0; i < s->cables; i++) {
        l->from[i] = s->cable[i].a;
        l->to[i] = s->cable[i].b;
        l->capacity[i] = s->cable[i].capacity;
        l->delay[i] = s->cable[i].delay;
    }
}

static void lay_list(const LpNetworkSpec *s, Laying *l) {
    if (s->one_way) {
        lay_one_way(s, l);
        return;
    }
    for (uint32_t i = 0; i < s->cables; i++)
        lay(l, s->cable[i].a, s->cable[i].b, s->cable[i].capacity, s->cable[i].delay);
}

static void lay_reach(Laying *l, uint32_t a, uint32_t b, LpReach reach) {
    if (l->loss != NULL)
        l->loss[l->next] = l->loss[l->next + 1] = reach.loss;
    lay(l, a, b, reach.bandwidth, reach.delay);
}

/* The cables of a zone's servers: half of a way inside, or their own. */
static void lay_zone(const LpZone *zone, uint32_t first, uint32_t hub, Laying *l) {
    LpReach half = zone->inside;
    uint32_t at = 0;
    half.delay /= 2;
    half.loss /= 2;
    for (uint32_t i = 0; i < zone->servers; i++) {
        while (at < zone->owns && i >= zone->own[at].first + zone->own[at].count)
            at++;
        LpReach cable = half;
        if (at < zone->owns && i >= zone->own[at].first) {
            cable = zone->own[at].cable;
            cable.bandwidth *= 1 - zone->own[at].taken;
        }
        lay_reach(l, first + i, hub, cable);
    }
}

static void lay_zones(const LpNetworkSpec *s, Laying *l) {
    uint32_t servers = lp_network_spec_servers(s), first = 0;
    for (uint32_t z = 0; z < s->zones; first += s->zone[z].servers, z++)
        lay_zone(&s->zone[z], first, servers + z, l);
    for (uint32_t a = 0; a < s->zones; a++)
        for (uint32_t b = a + 1; b < s->zones; b++)
            lay_reach(l, servers + a, servers + b, s->between[lp_zone_pair(s->zones, a, b)]);
}

static uint32_t longest_route(const LpNetworkSpec *s) {
    uint32_t most = 0;
    if (s->topology == LP_TOPOLOGY_LEAF_SPINE)
        return 4;
    if (s->topology == LP_TOPOLOGY_FAT_TREE)
        return 6;
    if (s->topology == LP_TOPOLOGY_ZONES)
        return 3;
    for (uint32_t d = 0; d < s->dimensions; d++)
        most += s->size[d] / 2;
    return most;
}

static uint32_t locality_size(const LpNetworkSpec *s) {
    return s->topology == LP_TOPOLOGY_LEAF_SPINE ? s->servers_per_leaf
           : s->topology == LP_TOPOLOGY_FAT_TREE ? s->k / 2
                                                 : s->size[s->dimensions - 1];
}

/* Zones may differ in size. */
static LpErr lay_zone_localities(LpNetwork *n, LpArena *arena) {
    uint32_t zones = n->spec.zones, *begin = lp_arena_raw(arena, (size_t)zones + 1, sizeof *begin);
    LpZone *zone = lp_arena_raw(arena, zones, sizeof *zone);
    if (begin == NULL || zone == NULL)
        return LP_ENOMEM;
    memcpy(zone, n->spec.zone, zones * sizeof *zone);
    begin[0] = 0;
    for (uint32_t z = 0; z < zones; z++) {
        begin[z + 1] = begin[z] + zone[z].servers;
        zone[z].own = NULL; /* the caller's: capacity, delay and loss say it all */
        zone[z].owns = 0;
    }
    n->spec.zone = zone;
    n->spec.between = NULL; /* the caller's, as the cables */
    n->localities = zones;
    n->locality_begin = begin;
    return lp_network_compare_cables(n, arena);
}

/* The structured topologies: localities of equal size in order of numbers. */
static LpErr lay_localities(LpNetwork *n, LpArena *arena) {
    if (n->spec.topology == LP_TOPOLOGY_ZONES)
        return lay_zone_localities(n, arena);
    uint32_t size = locality_size(&n->spec), count = n->servers / size;
    uint32_t *begin = lp_arena_raw(arena, (size_t)count + 1, sizeof *begin);
    if (begin == NULL)
        return LP_ENOMEM;
    for (uint32_t w = 0; w <= count; w++)
        begin[w] = w * size;
    n->localities = count;
    n->locality_begin = begin;
    return LP_OK;
}

static LpErr lay_cables(LpNetwork *n, uint32_t cables, LpArena *arena) {
    static void (*const layers[LP_TOPOLOGY_COUNT])(const LpNetworkSpec *, Laying *) = {
        [LP_TOPOLOGY_LEAF_SPINE] = lay_leaf_spine, [LP_TOPOLOGY_FAT_TREE] = lay_fat_tree,
        [LP_TOPOLOGY_TORUS] = lay_torus,           [LP_TOPOLOGY_LINKS] = lay_list,
        [LP_TOPOLOGY_ZONES] = lay_zones,
    };
    bool lossy = n->spec.topology == LP_TOPOLOGY_ZONES;
    size_t links = (n->spec.one_way ? 1 : 2) * (size_t)cables;
    Laying l = {.from = lp_arena_raw(arena, links, sizeof *l.from),
                .to = lp_arena_raw(arena, links, sizeof *l.to),
                .capacity = lp_arena_raw(arena, links, sizeof *l.capacity),
                .delay = lp_arena_raw(arena, links, sizeof *l.delay),
                .loss = lossy ? lp_arena_raw(arena, links, sizeof *l.loss) : NULL};
    if (l.from == NULL || l.to == NULL || l.capacity == NULL || l.delay == NULL ||
        (lossy && l.loss == NULL))
        return LP_ENOMEM;
    layers[n->spec.topology](&n->spec, &l);
    n->links = (uint32_t)links;
    n->from = l.from;
    n->to = l.to;
    n->capacity = l.capacity;
    n->delay = l.delay;
    n->loss = l.loss;
    return LP_OK;
}

LpErr lp_network_build(const LpNetworkSpec *spec, LpArena *arena, const LpNetwork **out,
                       LpDiag *diag) {
    LP_TRY(check_spec(spec, diag));
    Size size = size_of(spec);
    LpNetwork *n = lp_arena_alloc(arena, 1, sizeof *n);
    if (n == NULL)
        return lp_fail_memory(diag, "a network");
    n->spec = *spec;
    n->servers = (uint32_t)size.servers;
    n->switches = (uint32_t)size.switches;
    n->nodes = n->servers + n->switches;
    if (lay_cables(n, (uint32_t)size.cables, arena) != LP_OK)
        return lp_fail_memory(diag, "the cables of a network");
    n->spec.cable = NULL; /* the caller's: from, to, capacity and delay say it all */
    if (spec->topology == LP_TOPOLOGY_LINKS) {
        LP_TRY(lp_network_index(n, arena, diag));
    } else {
        n->route_max = longest_route(spec);
        if (lay_localities(n, arena) != LP_OK)
            return lp_fail_memory(diag, "the localities of a network");
    }
    if (n->route_max > LP_NETWORK_ROUTE_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "the network's longest route may have %" PRIu32
                       " links: expected at most %d",
                       n->route_max, (int)LP_NETWORK_ROUTE_MAX);
    *out = n;
    return LP_OK;
}
