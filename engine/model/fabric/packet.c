/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `packet`: servers and switches that all jobs share. A transfer alone goes at the rate
 * of the narrowest link of its route; what others take of the links inside is sim/sharing.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"

static const LpPacketParams *params(const LpFabric *fabric) {
    return fabric->ops->packet(fabric->cluster);
}

/* ---- parameters ---- */

static void packet_defaults(LpCluster *cluster) {
    cluster->packet = (LpPacketParams){.spec = {.topology = LP_TOPOLOGY_LEAF_SPINE,
                                                .leaves = 4,
                                                .spines = 2,
                                                .servers_per_leaf = 8,
                                                .k = 4,
                                                .server_bandwidth = 12.5e9,
                                                .uplink_bandwidth = 12.5e9,
                                                .server_delay = 500e-9,
                                                .uplink_delay = 500e-9},
                                       .io_latency = 1e-6};
}

/* Fails with the message about a network, its object (and key) in front. */
static LpErr fail_network(const LpDiag *inner, const char *object, LpDiag *diag) {
    bool key = strncmp(inner->text, "the ", 4) != 0 && strncmp(inner->text, "server ", 7) != 0;
    if (inner->code == LP_ENOMEM)
        return lp_fail_memory(diag, "a network");
    return lp_fail(diag, inner->code, "cluster.%s%s%s", object, key ? "." : ": ", inner->text);
}

LpErr lp_packet_build(LpPacketParams *packet, const char *object, LpArena *arena, LpDiag *diag) {
    LpDiag inner = {0};
    if (packet->network != NULL)
        return LP_OK;
    if (lp_network_build(&packet->spec, arena, &packet->network, &inner) != LP_OK)
        return fail_network(&inner, object, diag);
    return LP_OK;
}

static LpErr packet_build(LpCluster *cluster, LpArena *arena, LpDiag *diag) {
    return lp_packet_build(&cluster->packet, "packet", arena, diag);
}

/* The rest was checked when it was built. */
static LpErr packet_check(const LpCluster *cluster, LpDiag *diag) {
    return lp_need("cluster.packet.io_latency", cluster->packet.io_latency, LP_NEED_NOT_NEGATIVE,
                   diag);
}

static uint64_t packet_count(const LpCluster *cluster) {
    return lp_network_spec_servers(&cluster->packet.spec);
}

LpErr lp_packet_scale(LpPacketParams *packet, const LpScales *s, LpArena *arena) {
    const LpNetwork *from = packet->network;
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
    packet->network = to;
    packet->io_latency *= s->latency;
    return LP_OK;
}

static LpErr packet_scale(LpCluster *cluster, const LpScales *scales, LpArena *arena) {
    return lp_packet_scale(&cluster->packet, scales, arena);
}

static const LpPacketParams *packet_of(const LpCluster *cluster) {
    return &cluster->packet;
}

/* ---- constants ---- */

/* Groups, racks and servers as the boards show them: pods and edge switches, leaves, or the
 * dimensions of a torus. */
static void set_geometry(LpFabric *f) {
    const LpNetworkSpec *s = &f->network->spec;
    f->groups = f->racks = 1;
    f->per_rack = f->servers;
    if (s->topology == LP_TOPOLOGY_LINKS || s->topology == LP_TOPOLOGY_ZONES)
        return;
    f->per_rack = f->network->locality_begin[1];
    f->racks = f->servers / f->per_rack;
    if (s->topology == LP_TOPOLOGY_FAT_TREE) {
        f->groups = s->k;
        f->racks = s->k / 2;
    }
    if (s->topology == LP_TOPOLOGY_TORUS && s->dimensions > 2) {
        f->racks = s->size[s->dimensions - 2];
        f->groups = f->servers / (f->racks * f->per_rack);
    }
}

/* Ports that a server sends on, the most of any. */
static uint32_t ports_per_server(const LpNetwork *n) {
    uint32_t most = 1;
    if (n->spec.topology == LP_TOPOLOGY_TORUS)
        return 2 * n->spec.dimensions;
    for (uint32_t s = 0; n->out_begin != NULL && s < n->servers; s++)
        if (n->out_begin[s + 1] - n->out_begin[s] > most)
            most = n->out_begin[s + 1] - n->out_begin[s];
    return most;
}

static double route_delay(const LpFabric *f, uint32_t src, uint32_t dst, double *rate) {
    uint32_t route[LP_NETWORK_ROUTE_MAX];
    uint32_t count = lp_network_route(f->network, src, dst, route);
    LpNetworkWay way = {0};
    if (count > 0)
        way = lp_network_way(f->network, route, count);
    *rate = way.rate;
    return 2.0 * params(f)->io_latency + way.delay;
}

void lp_packet_init(LpFabric *f) {
    double rate;
    f->network = params(f)->network;
    f->interleaved = params(f)->sharing == LP_SHARING_INTERLEAVED;
    f->servers = f->network->servers;
    set_geometry(f);
    /* The narrowest link that leaves a server. */
    const LpNetwork *n = f->network;
    double least = 0;
    for (uint32_t l = 0; l < n->links; l++)
        if (n->from[l] < n->servers && (least == 0 || n->capacity[l] < least))
            least = n->capacity[l];
    f->port_rate = least;
    f->latency = route_delay(f, 0, f->servers - 1, &rate);
    f->tx_ports = f->rx_ports = f->servers * ports_per_server(f->network);
    f->light_capacity = (double)f->tx_ports;
}

/* ---- blocks: any free servers, near ones first ---- */

bool lp_packet_regular(const LpFabric *fabric, uint32_t n) {
    return n >= 1 && n <= fabric->servers;
}

uint32_t lp_packet_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out) {
    (void)fallbacks;
    if (!lp_packet_regular(fabric, n))
        return 0;
    out[0] = (LpShape){.groups = 1, .racks = 1, .servers = n};
    return 1;
}

static uint32_t pods(const LpFabric *fabric) {
    const LpNetworkSpec *s = &fabric->network->spec;
    return s->topology == LP_TOPOLOGY_FAT_TREE ? s->k : 0;
}

/* One origin for each locality, then each pod, then the whole network. */
uint64_t lp_packet_origins(const LpFabric *fabric, const LpShape *shape) {
    bool fits = !shape->diagonal && shape->groups == 1 && shape->racks == 1 &&
                lp_packet_regular(fabric, shape->servers);
    return fits ? (uint64_t)fabric->network->localities + pods(fabric) + 1 : 0;
}

/* The servers of an origin are those at begin .. end of the list, or of the numbers. */
static void window(const LpFabric *f, uint64_t origin, uint32_t *begin, uint32_t *end,
                   const uint32_t **list) {
    const LpNetwork *n = f->network;
    *list = NULL;
    *begin = 0;
    *end = n->servers;
    if (origin < n->localities) {
        *begin = n->locality_begin[origin];
        *end = n->locality_begin[origin + 1];
        *list = n->locality_member;
    } else if (origin < (uint64_t)n->localities + pods(f)) {
        uint32_t size = n->servers / pods(f);
        *begin = (uint32_t)(origin - n->localities) * size;
        *end = *begin + size;
    }
}

/* The first ones of the window that pass. */
bool lp_packet_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out) {
    uint32_t begin, end, found = 0;
    const uint32_t *list;
    window(search->fabric, origin, &begin, &end, &list);
    for (uint32_t i = begin; found < search->n && search->n - found <= end - i && i < end; i++) {
        uint32_t server = list != NULL ? list[i] : i;
        if (!search->test || search->test(search->context, server, found))
            out[found++] = server;
    }
    return found == search->n;
}

/* The first ones of the window that are free and pass. */
static bool fill_window(LpBlockSearch *search, uint64_t origin, uint32_t *out) {
    const LpRoom *room = search->room;
    uint32_t begin, end, found = 0, n = search->n;
    const uint32_t *list;
    window(search->fabric, origin, &begin, &end, &list);
    search->looked += list != NULL ? end - begin : (end - begin) / 64 + 1;
    if (end - begin < n || (list == NULL && lp_room_count(room, begin, end) < n))
        return false;
    if (list == NULL && out == NULL)
        return true;
    for (uint32_t i = begin; found < n && n - found <= end - i && i < end; i++) {
        if (list == NULL && (i = lp_room_next(room, i, end)) == end)
            break;
        uint32_t server = list != NULL ? list[i] : i;
        if (!lp_room_has(room, server) ||
            (search->test && !search->test(search->context, server, found)))
            continue;
        if (out != NULL)
            out[found] = server;
        found++;
    }
    return found == n;
}

bool lp_packet_block_in(LpBlockSearch *search, uint64_t *origin, uint32_t *out) {
    uint64_t origins = (uint64_t)search->fabric->network->localities + pods(search->fabric) + 1;
    while (search->n <= search->room->free && *origin < origins)
        if (fill_window(search, (*origin)++, out))
            return true;
    return false;
}

/* ---- transfers ---- */

double lp_packet_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes) {
    double rate;
    if (src == dst || bytes == 0.0)
        return 0.0;
    double delay = route_delay(fabric, src, dst, &rate);
    return delay + bytes / rate;
}

/* Which of a server's ports a link is. */
static uint32_t port_of(const LpNetwork *n, uint32_t server, uint32_t link, const uint32_t *begin,
                        const uint32_t *list) {
    uint32_t dims = n->spec.dimensions, cable = link / 2;
    if (n->spec.topology == LP_TOPOLOGY_TORUS)
        return 2 * (cable % dims) + (cable / dims != server);
    for (uint32_t i = 0; begin != NULL && i < begin[server + 1] - begin[server]; i++)
        if (list[begin[server] + i] == link)
            return i;
    return 0;
}

void lp_packet_ports(const LpFabric *f, uint32_t src, uint32_t dst, uint32_t *tx, uint32_t *rx) {
    const LpNetwork *n = f->network;
    uint32_t route[LP_NETWORK_ROUTE_MAX], per_server = f->tx_ports / f->servers;
    uint32_t count = lp_network_route(n, src, dst, route);
    *tx = src * per_server;
    *rx = dst * per_server;
    if (count == 0)
        return;
    *tx += port_of(n, src, route[0], n->out_begin, n->out_link);
    *rx += port_of(n, dst, route[count - 1], n->in_begin, n->in_link);
}

uint32_t lp_packet_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst) {
    (void)fabric, (void)src, (void)dst;
    return LP_NO_PORT;
}

uint32_t lp_packet_wavelengths(const LpFabric *fabric) {
    (void)fabric;
    return 0;
}

/* ---- symmetry ---- */

/* As relabel_tier, of few servers, without looking at units that none of them is in. */
static void relabel_few(const uint32_t *servers, uint32_t n, uint32_t size, uint32_t parent,
                        uint32_t *out) {
    uint32_t unit[LP_AXIS_FEW], per = parent / size;
    for (uint32_t i = 0; i < n; i++)
        unit[i] = servers[i] / size;
    uint32_t count = lp_axis_sort(unit, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t it = servers[i] / size, first = it - it % per;
        out[i] += (lp_axis_rank(unit, count, it) - lp_axis_rank(unit, count, first)) * size;
    }
}

/* Numbers the units of `size` servers that are used, in ascending order, inside their parent of
 * `parent` servers; out[i] already holds the parent's new position. False: out of memory. */
static bool relabel_tier(const LpFabric *f, const uint32_t *servers, uint32_t n, uint32_t size,
                         uint32_t parent, uint32_t *out) {
    if (n <= LP_AXIS_FEW) {
        relabel_few(servers, n, size, parent, out);
        return true;
    }
    uint32_t *label = lp_alloc(f->servers / size, sizeof *label), next = 0;
    if (label == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++)
        label[servers[i] / size] = 1; /* used */
    for (uint32_t unit = 0; unit < f->servers / size; unit++) {
        if (unit % (parent / size) == 0)
            next = 0;
        if (label[unit] != 0)
            label[unit] = next++;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] += label[servers[i] / size] * size;
    lp_free(label);
    return true;
}

/* Leaves (pods, then edge switches) are interchangeable, and so are the servers below each, as long
 * as who comes first stays first: a ring follows the order of numbers, and links inside play no
 * part in a step alone. In a torus, in a list, and with algorithms whose hops depend on the order
 * of numbers, everybody keeps their number; so they do where memory is short, which costs a
 * simulation and changes no result.
 */
static void packet_canonical(const LpFabric *f, const uint32_t *servers, uint32_t n,
                             uint32_t *out) {
    const LpPacketParams *p = params(f);
    bool tree = f->network->spec.topology == LP_TOPOLOGY_FAT_TREE;
    bool tiers = tree || f->network->spec.topology == LP_TOPOLOGY_LEAF_SPINE;
    uint32_t leaf = f->per_rack, pod = tree ? leaf * f->racks : f->servers;
    memset(out, 0, n * sizeof *out);
    if (tiers && p->collective == LP_ALGORITHM_RING &&
        (!tree || relabel_tier(f, servers, n, pod, f->servers, out)) &&
        relabel_tier(f, servers, n, leaf, pod, out) && relabel_tier(f, servers, n, 1, leaf, out))
        return;
    memcpy(out, servers, n * sizeof *out);
}

/* ---- collectives ---- */

typedef struct Ranked {
    uint64_t rank;
    uint32_t server;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->server < y->server ? -1 : x->server > y->server;
}

/* Members once each, in the order of the ring: as given, or along the network's walk. `scratch` has
 * room for n. Returns how many. */
static uint32_t order_members(const LpFabric *f, const uint32_t *servers, uint32_t n,
                              Ranked *scratch, uint32_t *out) {
    bool given = params(f)->ring == LP_RING_GIVEN;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = (Ranked){lp_network_rank(f->network, servers[i]), servers[i]};
    if (!given)
        qsort(scratch, n, sizeof *scratch, compare_ranked);
    for (uint32_t i = 0; i < n; i++) {
        bool repeated = false;
        for (uint32_t k = given ? 0 : count > 0 ? count - 1 : 0; k < count && !repeated; k++)
            repeated = out[k] == scratch[i].server;
        if (!repeated)
            out[count++] = scratch[i].server;
    }
    return count;
}

/* A collective's members with what lies between them. */
typedef struct Team {
    LpCollectiveTeam team;
    uint32_t *member;
    LpHop *hop;
    Ranked *ranked;
} Team;

static void free_team(Team *t) {
    lp_free(t->member);
    lp_free(t->hop);
    lp_free(t->ranked);
}

static LpHop hop_between(const LpFabric *f, uint32_t a, uint32_t b) {
    LpHop hop;
    hop.latency = route_delay(f, a, b, &hop.rate);
    return hop;
}

static void widen(LpHop *worst, LpHop hop) {
    if (worst->rate == 0 || hop.rate < worst->rate)
        worst->rate = hop.rate;
    if (hop.latency > worst->latency)
        worst->latency = hop.latency;
}

/* Members of a group: as many as lie together, where that is the same number everywhere. */
static uint32_t group_size(const LpFabric *f, const Team *t) {
    uint32_t n = t->team.n, size = 0, run = 0;
    for (uint32_t i = 0; i < n; i++) {
        run++;
        bool last = i + 1 == n || lp_network_locality(f->network, t->member[i]) !=
                                      lp_network_locality(f->network, t->member[i + 1]);
        if (!last)
            continue;
        if (size != 0 && run != size)
            return n;
        size = run;
        run = 0;
    }
    return size;
}

static void ring_hops(const LpFabric *f, Team *t) {
    t->team.hops = t->team.n;
    for (uint32_t i = 0; i < t->team.n; i++)
        t->hop[i] = hop_between(f, t->member[i], t->member[(i + 1) % t->team.n]);
}

/* Both directions, which may take different routes. */
static void widen_pair(const LpFabric *f, Team *t, uint32_t level, uint32_t a, uint32_t b) {
    widen(&t->hop[level], hop_between(f, t->member[a], t->member[b]));
    widen(&t->hop[level], hop_between(f, t->member[b], t->member[a]));
}

/* Hop i is the worst between those whom level i of a binomial tree joins. */
static void tree_hops(const LpFabric *f, Team *t) {
    uint32_t n = t->team.n, level = 0;
    for (uint64_t apart = 1; apart < n; apart *= 2, level++) {
        t->hop[level] = (LpHop){0, 0};
        for (uint64_t child = apart; child < n; child += 2 * apart)
            widen_pair(f, t, level, (uint32_t)child, (uint32_t)(child - apart));
    }
    t->team.hops = level;
}

/* Hop i is the worst between partners of round i; the first also takes the folded pairs, of whom
 * the even members go on (lp_collective_time). */
static void halving_hops(const LpFabric *f, Team *t) {
    uint32_t n = t->team.n, power = 1, level = 0;
    while (power <= n / 2)
        power *= 2;
    uint32_t folded = n - power;
    for (uint64_t apart = 1; apart < n; apart *= 2, level++)
        t->hop[level] = (LpHop){0, 0};
    t->team.hops = level;
    level = 0;
    for (uint32_t i = 0; i < folded; i++)
        widen_pair(f, t, 0, 2 * i, 2 * i + 1);
    for (uint32_t bit = 1; bit < power; bit *= 2, level++)
        for (uint32_t i = 0; i < power; i++) {
            uint32_t j = i ^ bit;
            if (i < j)
                widen_pair(f, t, level, i < folded ? 2 * i : i + folded,
                           j < folded ? 2 * j : j + folded);
        }
}

static void group_hops(const LpFabric *f, Team *t) {
    uint32_t n = t->team.n, h = t->team.group = group_size(f, t);
    t->team.hops = 2;
    t->hop[0] = t->hop[1] = (LpHop){0, 0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t inside = i / h * h + (i + 1) % h, across = (i + h) % n;
        if (h > 1)
            widen(&t->hop[0], hop_between(f, t->member[i], t->member[inside]));
        if (h < n)
            widen(&t->hop[1], hop_between(f, t->member[i], t->member[across]));
    }
}

/* False: out of memory. */
static bool make_team(const LpFabric *f, const uint32_t *servers, uint32_t n, Team *t) {
    *t = (Team){.member = lp_alloc(n, sizeof *t->member),
                .hop = lp_alloc((size_t)n + 2, sizeof *t->hop),
                .ranked = lp_alloc(n, sizeof *t->ranked)};
    if (t->member == NULL || t->hop == NULL || t->ranked == NULL) {
        free_team(t);
        return false;
    }
    t->team.algorithm = params(f)->collective;
    t->team.n = order_members(f, servers, n, t->ranked, t->member);
    t->team.hop = t->hop;
    if (t->team.algorithm == LP_ALGORITHM_RING)
        ring_hops(f, t);
    else if (t->team.algorithm == LP_ALGORITHM_HIERARCHICAL)
        group_hops(f, t);
    else if (t->team.algorithm == LP_ALGORITHM_TREE)
        tree_hops(f, t);
    else
        halving_hops(f, t);
    return true;
}

double lp_packet_collective(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                            double bytes, double peak, double memory_bandwidth) {
    Team t;
    if (n < 2 || bytes == 0.0)
        return 0.0;
    if (!make_team(f, servers, n, &t))
        return -1.0;
    t.team.peak = peak;
    t.team.memory_bandwidth = memory_bandwidth;
    double time = lp_collective_time(&t.team, op, bytes);
    free_team(&t);
    return time;
}

double lp_packet_published(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                           double bytes) {
    return lp_packet_collective(f, op, servers, n, bytes, LP_PUBLISHED_PEAK,
                                LP_PUBLISHED_MEMORY_BANDWIDTH);
}

LpErr lp_packet_sends(const LpFabric *f, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) {
    Team t;
    *count = 0;
    *out = NULL;
    if (!make_team(f, servers, n, &t))
        return LP_ENOMEM;
    LpSend *sends = lp_alloc(lp_collective_sends_max(&t.team), sizeof *sends);
    if (sends != NULL) {
        *count = lp_collective_sends(&t.team, op, bytes, sends);
        for (uint32_t i = 0; i < *count; i++) {
            sends[i].from = t.member[sends[i].from];
            sends[i].to = t.member[sends[i].to];
        }
    }
    *out = sends;
    free_team(&t);
    return sends != NULL ? LP_OK : LP_ENOMEM;
}

static void packet_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]) {
    lp_packet_components(cluster->packet.network, counts);
}

static uint32_t packet_levels(const LpCluster *cluster, const char *name[2], uint32_t servers[2]) {
    const LpNetworkSpec *s = &cluster->packet.spec;
    bool tree = s->topology == LP_TOPOLOGY_FAT_TREE;
    name[0] = tree ? "edge" : "leaf";
    name[1] = "pod";
    servers[0] = tree ? s->k / 2 : s->servers_per_leaf;
    servers[1] = s->k * s->k / 4;
    return tree ? 2 : s->topology == LP_TOPOLOGY_LEAF_SPINE ? 1 : 0;
}

/* Leaves are alike: a leaf more, or more servers on each of them; then numbers of servers move,
 * which levels and names that are stated do not follow. */
static uint32_t packet_larger(const LpCluster *cluster, const LpGrowth *growth, LpBuf *out) {
    const LpNetworkSpec *s = &cluster->packet.spec;
    uint32_t more = (s->servers_per_leaf + 9) / 10;
    if (s->topology == LP_TOPOLOGY_LINKS)
        return lp_links_larger(s, growth, out);
    if (s->topology != LP_TOPOLOGY_LEAF_SPINE)
        return 0;
    if (growth->node != LP_NO_NODE) {
        lp_buf_addf(out, "cluster.packet.leaves=%" PRIu32, s->leaves + 1);
        return growth->count == s->servers_per_leaf ? growth->count : 0;
    }
    if (cluster->levels.levels > 0 || cluster->names > 0)
        return 0;
    lp_buf_addf(out, "cluster.packet.servers_per_leaf=%" PRIu32, s->servers_per_leaf + more);
    return more * s->leaves;
}

const LpFabricOps lp_fabric_packet = {
    .name = "packet",
    .title = "packet network: links that jobs share",
    .any_pair = true,
    .form = {.usage = "packet:LEAVESxSPINESxSERVERS, such as packet:8x2x4",
             .sizes = 3,
             .size = {"leaves", "spines", "servers_per_leaf"},
             .bandwidth = {"server_bandwidth", "uplink_bandwidth"},
             .latency = {"server_delay", "uplink_delay"}},
    .defaults = packet_defaults,
    .build = packet_build,
    .check = packet_check,
    .count = packet_count,
    .scale = packet_scale,
    .larger = packet_larger,
    .components = packet_components,
    .levels = packet_levels,
    .packet = packet_of,
    .init = lp_packet_init,
    .board_plan = lp_packet_board,
    .canonical = packet_canonical,
    LP_PACKET_OPERATIONS,
};
