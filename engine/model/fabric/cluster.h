/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster: servers, their devices and memory, and the parameters of the fabric joining them.
 * Plain data; what a fabric does with it is in model/fabric.h. */
#ifndef LP_MODEL_FABRIC_CLUSTER_H
#define LP_MODEL_FABRIC_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/circuit/circuit.h"
#include "model/fabric/collective.h"
#include "model/network/network.h"
#include "model/pod/outage.h"
#include "model/pod/rules.h"
#include "model/pod/slice.h"
#include "model/tree/tree.h"

typedef struct LpDevice LpDevice; /* model/device/device.h */

/* The table of fabrics: kind, and the word in scenario files. model/fabric/WORD.c has its
 * operations as lp_fabric_WORD (LpFabricOps). The first is the fabric of a scenario that names
 * none. */
#define LP_FABRICS(X)                                                                              \
    X(RAMP, ramp)                                                                                  \
    X(IDEAL, ideal)                                                                                \
    X(PACKET, packet)                                                                              \
    X(OCS, ocs)                                                                                    \
    X(ZONES, zones)                                                                                \
    X(POD, pod)

/* Only model/fabric names a kind: what differs between fabrics is asked of their operations. */
typedef enum LpFabricKind {
#define LP_KIND(KIND, word) LP_FABRIC_##KIND,
    LP_FABRICS(LP_KIND)
#undef LP_KIND
        LP_FABRIC_COUNT
} LpFabricKind;

/* RAMP (Ottino et al., OSN 51 (2023)): x groups, J racks per group (J <= x), L servers per rack. */
typedef struct LpRampParams {
    uint32_t communication_groups, racks_per_group, servers_per_rack;
    double node_bandwidth;      /* W, bytes/s; one transceiver group has W / x */
    double propagation_latency; /* s */
    double io_latency;          /* s, charged at both ends */
    uint32_t channels;          /* per ordered server pair; published semantics only */
    bool rack_isolated;         /* false: one circuit per wavelength in a subnet between groups */
    double slot;                /* s, reconfiguration of a transceiver group */
} LpRampParams;

typedef struct LpIdealParams {
    uint32_t servers;
    double node_bandwidth, latency, io_latency;
} LpIdealParams;

/* The order in which a ring visits its members. */
typedef enum LpRingOrder {
    LP_RING_AWARE, /* along the network's walk (lp_network_rank): few crossings */
    LP_RING_GIVEN  /* as placed */
} LpRingOrder;

/* A packet network (model/network/network.h) whose links all jobs share. */
/* When the flows of running jobs share a link: all of the time, or while both really send. */
typedef enum LpSharingMode { LP_SHARING_ALWAYS_ON, LP_SHARING_INTERLEAVED } LpSharingMode;

typedef struct LpPacketParams {
    LpNetworkSpec spec;
    const LpNetwork *network; /* built by lp_scenario_finish */
    LpAlgorithm collective;
    LpRingOrder ring;
    double io_latency; /* s, charged at both ends */
    LpSharingMode sharing;
} LpPacketParams;

/* How well the monitoring of a network sees it: each figure is off by a factor drawn evenly from
 * 1 - error .. 1 + error, anew for every server pair and every interval. */
typedef struct LpMeasureParams {
    double interval;                                  /* s between measurements; 0: always of now */
    double delay_error, loss_error, throughput_error; /* 0 .. 1 */
    uint64_t seed;
} LpMeasureParams;

/* Sites far apart: a packet network with losses and TCP. */
typedef struct LpZonesParams {
    LpPacketParams net; /* topology LP_TOPOLOGY_ZONES */
    LpMeasureParams measured;
} LpZonesParams;

/* Cubes of accelerators whose faces are joined by circuit switches, or for good (docs/pods.md). A
 * server is an accelerator. */
typedef enum LpPodWiring { LP_POD_SWITCHED, LP_POD_STATIC } LpPodWiring;
typedef enum LpPodCollective { LP_POD_CONCURRENT, LP_POD_SEQUENTIAL } LpPodCollective;
typedef enum LpPodOrder { LP_POD_LOWEST, LP_POD_SPREAD } LpPodOrder;
typedef enum LpPodSubOrder { LP_POD_SUB_FEWEST, LP_POD_SUB_LOWEST } LpPodSubOrder;

typedef struct LpPodParams {
    LpPod net; /* ports and grid 0: as many as needed; fixed and sequential follow from below */
    LpPodWiring wiring;
    LpPodCollective collective;
    LpPodOrder order;
    LpPodSubOrder sub_order;
    LpPodRules rules; /* spares and cubes_per_domain; the rest follows from order and sub_order */
    uint32_t host[3]; /* accelerators of a host along x, y, z */
    double settle;    /* s from ordering circuits to light */
    bool auto_twist;  /* a number of accelerators whose shape can be twisted gets it so */
    bool fault_tolerant; /* a slice that loses light goes on, on what is left of it */
} LpPodParams;

/* A run of equal servers. */
typedef struct LpServerType {
    const LpDevice *device;
    double memory; /* bytes */
    double speed;  /* relative to the cluster's first type, for ops costed on that type */
    uint32_t count;
} LpServerType;

enum { LP_SERVER_TYPES_MAX = 16, LP_SERVERS_MAX = 1 << 20 };

typedef struct LpCluster {
    LpFabricKind fabric;
    LpRampParams ramp;
    LpIdealParams ideal;
    LpPacketParams packet; /* ocs: its collectives, and the network that it starts with */
    LpOcsParams ocs;
    LpZonesParams zones;
    LpPodParams pod;
    bool every_shape;  /* blocks have every shape that fits (option shapes corrected) */
    bool single_light; /* one transceiver group leads to each group, in collectives, too (option
                          collective_light corrected) */
    uint32_t servers;
    uint32_t types;
    LpServerType type[LP_SERVER_TYPES_MAX]; /* in server order; counts sum to servers */
    LpTreeSpec levels;       /* as stated; none: those of the fabric (lp_cluster_levels) */
    const LpTree *tree;      /* set by lp_scenario_finish */
    uint32_t names;          /* as many as servers, or 0 */
    const char *const *name; /* of servers */
} LpCluster;

/* How much faster or slower than in the scenario a network is; 1 is as there. */
typedef struct LpScales {
    double bandwidth;       /* of every port and link */
    double latency;         /* propagation and input/output */
    double reconfiguration; /* delay of turning a light path */
} LpScales;

/* Parameters of all fabrics as they are where a scenario says nothing; one type of server, whose
 * device is the caller's. */
void lp_cluster_defaults(LpCluster *cluster);

/* Names of the cluster's levels, closest to the servers first: those that it states, else those of
 * its fabric, which need not be built. Returns how many. */
uint32_t lp_cluster_levels(const LpCluster *cluster, const char *name[LP_TREE_LEVELS]);
/* Makes cluster->tree into the arena, once the fabric is built. Errors: those of lp_tree_build;
 * LP_EINVAL for levels of a fabric of slices, and for names that are not as many as servers. */
LpErr lp_cluster_build_tree(LpCluster *cluster, LpArena *arena, LpDiag *diag) LP_MUST_USE;
/* A server as people call it: its name, made safe for a terminal, else its number. Returns buf. */
enum { LP_SERVER_TEXT = 80 };
const char *lp_cluster_server(const LpCluster *cluster, uint32_t server, char buf[LP_SERVER_TEXT]);

/* Servers of the cluster's fabric, 0 when they are more than LP_SERVERS_MAX. */
uint32_t lp_cluster_servers(const LpCluster *cluster);

/* The same cluster with a scaled network: its own copy, but for devices and unscaled tables, and
 * for the parameters of other fabrics, which stay. What a scaled packet network needs goes into the
 * arena. Errors: LP_ENOMEM. O(1), a packet network O(links). */
LpErr lp_cluster_scale(const LpCluster *cluster, const LpScales *scales, LpArena *arena,
                       LpCluster *out) LP_MUST_USE;

/* The packet network of the cluster; NULL where its fabric has none. */
const LpPacketParams *lp_cluster_packet(const LpCluster *cluster);

/* Components that can break by themselves, by kind (docs/failures.md):
 * - pods: domains, cubes, hosts, accelerators; switches and cables, but on static wiring;
 * - all others: servers;
 * - ramp and ideal: circuits, the light paths between two servers a < b, numbered (0, 1), (0, 2)
 *   and so on; none where they are more than 32 bits count;
 * - packet and zones: links, the cables of the network by number, and switches, counted from 0;
 * - ocs: links, the fibres by the port in which they end, and switches, the circuit switches.
 * O(1) once the cluster is built. */
void lp_cluster_components(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]);

/* Ends of a component: the two servers of a circuit, the two nodes of a link on a packet network.
 * O(log servers). */
void lp_cluster_ends(const LpCluster *cluster, uint32_t kind, uint32_t index, uint32_t *a,
                     uint32_t *b);

/* A component in words: "server 3", "light between servers 3 and 7", "link 5 (server 5 to switch
 * 0)", "link 4 (server 2 at port 4)", "host 19 (cube 1)". Returns buf. */
enum { LP_COMPONENT_TEXT = 96 };
const char *lp_cluster_component(const LpCluster *cluster, uint32_t kind, uint32_t index,
                                 char buf[LP_COMPONENT_TEXT]);

/* Type index of a server. O(types). */
uint32_t lp_cluster_type_of(const LpCluster *cluster, uint32_t server);

#endif
