/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A packet network: servers and switches joined by full-duplex cables, and the one route that
 * traffic of a server pair takes. Immutable once built; memory is linear in servers and cables. */
#ifndef LP_MODEL_NETWORK_H
#define LP_MODEL_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/network/tcp.h"

typedef enum LpTopology {
    LP_TOPOLOGY_LEAF_SPINE, /* two tiers, every leaf joined to every spine */
    LP_TOPOLOGY_FAT_TREE,   /* k-ary fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008) */
    LP_TOPOLOGY_TORUS,      /* no switches: every server joined to two neighbours per dimension */
    LP_TOPOLOGY_LINKS,      /* as listed */
    LP_TOPOLOGY_ZONES,      /* sites, every one joined to every other */
    LP_TOPOLOGY_COUNT
} LpTopology;

/* Which of several shortest ways a server pair takes (equal-cost multipath, one way per pair). */
typedef enum LpEcmp {
    LP_ECMP_DESTINATION, /* by the destination's number: "D-mod-k" (Zahavi et al., 2010) */
    LP_ECMP_HASH,        /* by a hash of source, destination and seed */
    LP_ECMP_COUNT
} LpEcmp;

enum {
    LP_TORUS_DIMENSIONS = 4,
    LP_ZONES_MAX = 256,
    LP_NETWORK_SERVERS_MAX = 1 << 20,
    LP_NETWORK_CABLES_MAX = 1 << 23,
    LP_NETWORK_ROUTE_MAX = 1024,     /* links of a route: sums of half sizes on a torus */
    LP_NETWORK_FORWARDERS_MAX = 2048 /* of a listed network: what it routes through */
};

/* Both directions of a cable. */
typedef struct LpCable {
    uint32_t a, b;   /* nodes: servers 0 .. servers-1, then switches */
    double capacity; /* bytes/s, each direction */
    double delay;    /* s */
} LpCable;

/* A way between two servers of a zone, or between two zones. */
typedef struct LpReach {
    double bandwidth; /* bytes/s, each direction */
    double delay;     /* s, one way */
    double loss;      /* probability that a packet is lost, 0 <= loss < 1 */
} LpReach;

/* Servers of a zone with cables of their own. */
typedef struct LpOwnLinks {
    uint32_t first, count; /* servers of the zone, counted from 0 */
    LpReach cable;         /* each one's: the whole of its delay and loss */
    double taken; /* share of the cable that other traffic takes at all times, 0 <= taken < 1 */
} LpOwnLinks;

typedef struct LpZone {
    const char *name;
    uint32_t servers;
    LpReach inside;        /* from server to server: each one's cable has half of delay and loss */
    const LpOwnLinks *own; /* ascending, without overlap */
    uint32_t owns;
} LpZone;

/* How TCP connections carry a transfer. */
typedef struct LpTcpUse {
    LpTcpModel model;
    double segment, window, timeout, acked; /* as in LpTcpPath; window 0: none stated */
    double connections;                     /* that one transfer is spread over, >= 1 */
} LpTcpUse;

/* What to build. Only the fields of the topology count. */
typedef struct LpNetworkSpec {
    LpTopology topology;
    LpEcmp ecmp;
    uint64_t seed; /* of LP_ECMP_HASH */
    /* leaf-spine */
    uint32_t leaves, spines, servers_per_leaf;
    /* fat tree: even; k*k*k/4 servers */
    uint32_t k;
    /* torus: sizes of at least 2 */
    uint32_t dimensions, size[LP_TORUS_DIMENSIONS];
    /* all but the list: a server's cable, and a cable between switches */
    double server_bandwidth, uplink_bandwidth; /* bytes/s */
    double server_delay, uplink_delay;         /* s */
    /* list */
    uint32_t servers, switches, cables;
    const LpCable *cable;
    bool servers_forward; /* may a route pass through a server? */
    bool one_way;         /* cable c is link c, from a to b only; servers may be out of reach */
    /* zones */
    uint32_t zones;
    const LpZone *zone;
    const LpReach *between; /* zones a < b at lp_zone_pair(zones, a, b) */
    LpTcpUse tcp;
} LpNetworkSpec;

/* Links are directed: cable c is link 2c from a to b, and link 2c + 1 back. Cables are numbered
 * - leaf-spine: server s to its leaf: s; leaf l to spine p: servers + l * spines + p;
 * - fat tree, h = k/2, pod p: server s to its edge switch: s; edge e to aggregation a:
 *   servers + (p*h + e) * h + a; aggregation a to core a*h + c: 2 * servers + (p*h + a) * h + c;
 * - torus: server s to its neighbour one up in dimension d: s * dimensions + d (row-major servers,
 *   the last dimension fastest);
 * - list: as listed; with one_way link c alone;
 * - zones: server s to its zone's switch: s; zones a < b: servers + lp_zone_pair(zones, a, b). */
typedef struct LpNetwork {
    LpNetworkSpec spec;
    uint32_t servers, switches, nodes, links;
    const uint32_t *from, *to; /* links */
    const double *capacity;    /* links, bytes/s */
    const double *delay;       /* links, s */
    const double *loss;        /* links; NULL: nothing is lost */
    uint32_t route_max;        /* no route has more links */
    /* list only: links out of each node, and hops between the nodes that forward */
    const uint32_t *out_begin, *out_link, *in_begin, *in_link;
    uint32_t forwarders, first_forwarder;
    const uint16_t *hops; /* forwarders x forwarders, LP_NETWORK_APART where there is no way */
    /* Servers that lie together: under one leaf or edge switch, in one row of a torus's last
     * dimension, in one zone, with the same first switch in a list. The servers of
     * locality w are member[i], begin[w] <= i < begin[w + 1]; member NULL: server i itself. */
    uint32_t localities;
    const uint32_t *locality_begin, *locality_member;
    /* zones only. alike: of a server, the first of the run of servers of its zone, one after the
     * other, whose cables are like its own. usual: of a zone, its first server with a cable as
     * `inside` has it, else its first; others: how many servers have another one than that. */
    const uint32_t *alike, *usual, *others;
} LpNetwork;

#define LP_NETWORK_APART UINT16_MAX

/* Builds into the arena; the spec's cables and zones are copied, but for the names. Errors, with
 * the key (as "leaves", "links[3].capacity"), its value and what was expected: LP_EINVAL for a
 * value, a cable to itself or to a node that does not exist, a server that cannot be reached;
 * LP_ELIMIT; LP_ENOMEM. *out is unchanged then. O(servers + cables), and O(forwarders * (forwarders
 * + cables)) for a list. */
LpErr lp_network_build(const LpNetworkSpec *spec, LpArena *arena, const LpNetwork **out,
                       LpDiag *diag) LP_MUST_USE;
/* Servers of a spec, 0 when a size is 0 or they are more than LP_NETWORK_SERVERS_MAX. */
uint32_t lp_network_spec_servers(const LpNetworkSpec *spec);

/* The links from one server to another in order; out has room for route_max. Returns how many, 0
 * for the same server and where there is no way. A pure function of the network and the pair: a
 * shortest way by number of links. Where several next links begin a shortest way, they are counted
 * in order of their numbers and the one of index c mod n is taken, then c becomes c div n; c starts
 * as the destination's number (LP_ECMP_DESTINATION) or as a 64-bit hash of (seed, source,
 * destination). So the spine of a leaf-spine is destination mod spines, the aggregation switch of a
 * fat tree destination mod k/2 and its core switch (destination div k/2) mod k/2. On a torus
 * dimension-order routing instead: dimensions in order, the shorter way round, upwards when both
 * are equal. O(route_max * ports). */
uint32_t lp_network_route(const LpNetwork *network, uint32_t src, uint32_t dst, uint32_t *out);

/* Is every route one link, from the one server to the other, because nobody forwards? */
static inline bool lp_network_direct(const LpNetwork *network) {
    return network->spec.topology == LP_TOPOLOGY_LINKS && network->forwarders == 0;
}

/* Is it one switch with a cable to each server? */
static inline bool lp_network_star(const LpNetwork *network) {
    const LpNetworkSpec *s = &network->spec;
    return s->topology == LP_TOPOLOGY_LINKS && !s->servers_forward && !s->one_way &&
           s->switches == 1 && s->cables == s->servers;
}

/* What one transfer alone finds on a route. Delays and losses of its links add up (losses as small
 * ones do, never above 1). The rate is that of the narrowest link, and where there is loss to
 * speak of (network->loss) no more than the TCP connections of a transfer reach by the spec's model
 * with a round trip of twice the delay. count >= 1. */
typedef struct LpNetworkWay {
    double delay, loss, rate; /* s, probability, bytes/s */
} LpNetworkWay;
LpNetworkWay lp_network_way(const LpNetwork *network, const uint32_t *route, uint32_t count);

/* Place of the pair a < b < zones in a list of all pairs: (0, 1), (0, 2) and so on. */
static inline uint32_t lp_zone_pair(uint32_t zones, uint32_t a, uint32_t b) {
    return a * (2 * zones - a - 1) / 2 + (b - a - 1);
}

/* Have two servers of zones like cables? O(1). */
bool lp_network_same_cable(const LpNetwork *network, uint32_t a, uint32_t b);

/* The locality of a server; in a list its first switch, or switches + server where it has none.
 * O(ports). */
uint32_t lp_network_locality(const LpNetwork *network, uint32_t server);

/* Place of a server on the walk that a topology-aware ring takes: by number in tiers; on a torus
 * boustrophedon, each step to a neighbour; in a list by locality, then number. Different servers
 * have different ranks. O(ports). */
uint64_t lp_network_rank(const LpNetwork *network, uint32_t server);

#endif
