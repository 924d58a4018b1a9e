/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fabric is a table of functions over the cluster's parameters: what these are where nothing is
 * said and what must hold of them, where a block of servers may lie, how long a transfer or a
 * collective takes, which ports a flow occupies, what relabelling of servers changes nothing, how
 * boards show it. Adding one is a file and a row of LP_FABRICS (docs/architecture.md, "A fabric").
 */
#ifndef LP_MODEL_FABRIC_H
#define LP_MODEL_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "model/fabric/cluster.h"
#include "model/fabric/collective.h"
#include "model/fabric/room.h"
#include "model/network/network.h"

#define LP_NO_PORT UINT32_MAX

/* A block of n servers: groups x racks x servers on RAMP ("diagonal": n servers along groups and
 * racks, published semantics only); 1 x 1 x n on fabrics without geometry. */
typedef struct LpShape {
    uint32_t groups, racks, servers;
    bool diagonal;
} LpShape;

enum { LP_SHAPES_MAX = 768, LP_SHAPE_TEXT = 40 };

/* Constants of the published collective times (semantics 6.2): FLOP/s and bytes/s. */
#define LP_PUBLISHED_PEAK 130e12
#define LP_PUBLISHED_MEMORY_BANDWIDTH 2e12

/* May `server` take position `position` (0..n-1) of the block being tried? */
typedef bool (*LpServerTest)(const void *context, uint32_t server, uint32_t position);

struct LpFabricOps;
typedef struct LpSurvey LpSurvey;
typedef struct LpBoardPlan LpBoardPlan;

/* Derived constants of one cluster; plain data, filled by lp_fabric_init. */
typedef struct LpFabric {
    const struct LpFabricOps *ops;
    const LpCluster *cluster;
    uint32_t groups, racks, per_rack; /* RAMP x, J, L; ideal 1, 1, N */
    uint32_t servers;
    double port_rate; /* bytes/s of one light path: W / x on RAMP, W on ideal */
    double latency;   /* propagation + 2 * I/O, s */
    double slot;      /* s charged when a transmit port turns to another destination; 0: never */
    uint32_t tx_ports, rx_ports; /* contended ports in the whole fabric; 0: nothing is shared */
    uint32_t channels;           /* per ordered server pair, published semantics only; else 1 */
    double light_capacity;       /* circuits that can be lit at once: N * x on RAMP; a
                              context counts server pairs where nothing is shared */
    double server_rate;          /* bytes/s that a server receives at most; 0: port_rate * ports */
    const LpNetwork *network;    /* whose inner links running jobs share; NULL: jobs do not
                                    disturb each other */
    bool interleaved; /* jobs meet on them only while both send (LP_SHARING_INTERLEAVED) */
    /* The slice of a pod that this fabric is, for steps of the job on it (lp_pod_fabric); NULL: the
     * fabric is the whole pod. */
    const LpSlice *slice;
    const uint32_t *in_slice; /* per server: number in the slice */
    struct LpPodRest *rest;   /* what is left of it, with room for searches; NULL: all */
} LpFabric;

/* Position of a search for blocks; start with lp_block_search. */
typedef struct LpBlockSearch {
    const LpFabric *fabric;
    uint32_t n;
    uint32_t shapes, at_shape;
    uint64_t at_origin;
    LpShape shape[LP_SHAPES_MAX];
    LpServerTest test;
    const void *context;
    const LpRoom *room; /* NULL: servers are asked one by one */
    uint64_t looked;    /* in a room: words read so far */
} LpBlockSearch;

/* The short form "ramp:4x4x2" of `predict --fabric`: whole numbers from 1, joined by x, and how
 * they are written as keys of the scenario object "cluster.NAME". */
enum { LP_FORM_SIZES = 3 };
typedef struct LpFabricForm {
    const char *usage; /* "ramp:GROUPSxRACKSxSERVERS, such as ramp:4x4x2" */
    uint32_t sizes;
    /* Keys of the sizes, of the options --bandwidth and --latency, ended by NULL where there are
     * fewer; --io-latency is "io_latency". */
    const char *size[LP_FORM_SIZES], *bandwidth[2], *latency[2];
    const char *more; /* what it needs besides, as ",\"interval\":1"; NULL: nothing */
    /* Writes these keys where they are no plain numbers; NULL: by their names. bandwidth (bytes/s)
     * and latency (s) are negative when not given. */
    void (*write)(const uint32_t *size, double bandwidth, double latency, LpJsonOut *out);
} LpFabricForm;

/* Servers that a cluster is to have more (model/fabric/larger.h): number servers + i is a copy of
 * of[i], in the same node of the tree, or all of them in one of their own: a copy of `node`. */
typedef struct LpGrowth {
    uint32_t node; /* of the lowest level; LP_NO_NODE: in those that there are */
    uint32_t count;
    const uint32_t *of;
} LpGrowth;

typedef struct LpFabricOps {
    const char *name;  /* word in scenario files */
    const char *title; /* for people */
    /* What differs in kind. */
    bool reserves; /* jobs stay inside their blocks whatever the option "reserve" says: there is no
                      geometry to spill over */
    bool circuits; /* policies turn its links: LpCluster.ocs has them */
    bool racked;   /* blocks lie in racks: the index of free room has a row for each */
    bool any_pair; /* every server may send to every other at any time: what recorded steps need */
    bool slices;   /* jobs ask for slices: LpCluster.pod has what they are cut from */
    LpFabricForm form;

    /* ---- the parameters ---- */

    void (*defaults)(LpCluster *cluster); /* fills in its own, of zeros */
    /* Makes what follows from them, such as a network, into the arena, unless it is there already;
     * NULL: nothing. Errors with the key: LP_EINVAL, LP_ELIMIT; LP_ENOMEM. */
    LpErr (*build)(LpCluster *cluster, LpArena *arena, LpDiag *diag);
    /* What must hold of them once they are built. Errors with the key: LP_EINVAL, LP_ELIMIT. */
    LpErr (*check)(const LpCluster *cluster, LpDiag *diag);
    /* Servers; where they are more than LP_SERVERS_MAX, some number above that, or 0. */
    uint64_t (*count)(const LpCluster *cluster);
    LpErr (*scale)(LpCluster *cluster, const LpScales *scales, LpArena *arena); /* LP_ENOMEM */
    /* How many components it has of each kind that can break by itself, 0 of all others; `counts`
     * comes as zeros. Of a cluster that is built. */
    void (*components)(const LpCluster *cluster, uint32_t counts[LP_OUTAGE_COUNT]);
    /* Parameters of the cluster's packet network; NULL: it has none. */
    const LpPacketParams *(*packet)(const LpCluster *cluster);
    /* The levels of a tree in which its servers lie: names, and servers of a node of each, closest
     * to the servers first; returns how many, at most 2. 0 servers: nodes are the zones of its
     * packet network. Need not be built. NULL: none. */
    uint32_t (*levels)(const LpCluster *cluster, const char *name[2], uint32_t servers[2]);
    /* Appends the overrides of the parameters that make it so much larger, a line each, but for
     * levels and names; returns how many servers more it then has, 0: it cannot be made larger so.
     * NULL: it never can. */
    uint32_t (*larger)(const LpCluster *cluster, const LpGrowth *growth, LpBuf *out);
    /* How well policies see its ways; NULL: as they are. */
    const LpMeasureParams *(*measured)(const LpCluster *cluster);

    /* ---- the fabric made of them ---- */

    void (*init)(LpFabric *fabric);
    /* What boards show, in a plan that has its numbers and no racks (model/fabric/board.h). */
    void (*board_plan)(const LpFabric *fabric, LpBoardPlan *plan);
    /* Shapes of n servers in the order in which they are tried (semantics 5.2): those of the factor
     * pairs, then with `fallbacks` the published last resort (n, n, diagonal), then (n, 1, 1); on a
     * cluster with every_shape then all others that fit, by groups, then racks, ascending.
     * Repeats and shapes without an origin occur. out has room for LP_SHAPES_MAX, which no cluster
     * reaches. Returns how many, 0 when n is 0 or more than all servers. O(min(n, servers per
     * rack)); with every_shape O(groups + divisors of n * racks). */
    uint32_t (*shapes)(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out);
    bool (*regular)(const LpFabric *fabric, uint32_t n); /* lp_fabric_mask_shape */
    /* Places where a shape may lie, 0 when it does not fit; numbered lexicographically by group,
     * rack, index of the first server. */
    uint64_t (*origins)(const LpFabric *fabric, const LpShape *shape);
    /* Writes the servers of the block of shape search->at_shape at an origin, in block order; false
     * at the first one that fails the test (out is then partly written). */
    bool (*block)(const LpBlockSearch *search, uint64_t origin, uint32_t *out);
    /* The first block of the same shape at or after *origin, in the same order, all of whose
     * servers are free in search->room and pass the test; *origin is then the next one. out NULL:
     * whether there is one, without a test. O(words of the bits that the windows cover). */
    bool (*block_in)(LpBlockSearch *search, uint64_t *origin, uint32_t *out);
    /* No block that is free in the room is larger than this, or than `enough`; *exact: there is one
     * of this size, if it is more than `enough`. *looked counts the words read.
     * O(shapes * words) at worst. */
    uint32_t (*bound)(const LpFabric *fabric, const LpRoom *room, bool fallbacks, uint32_t enough,
                      bool *exact, uint64_t *looked);
    /* Lists the largest blocks (survey.h), all but those of the last resorts, which have
     * last_resort servers at most; false: not for this room. NULL, both: not on this fabric. */
    bool (*survey)(const LpFabric *fabric, const LpRoom *room, LpSurvey *survey, uint64_t *looked);
    uint32_t (*last_resort)(const LpFabric *fabric, bool fallbacks);
    /* Time of `bytes` from one server to another, uncontended, s (0 for the same server). */
    double (*transfer_time)(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes);
    /* Time of one collective of `bytes` over the set of n servers (repeats count once), s. With
     * t_comm the time to move the data one way and t_comp the adds of the reducing way:
     * reduce-scatter = t_comm + t_comp, all-gather = t_comm, all-reduce = 2 t_comm + t_comp; 0 for
     * one server or no bytes. peak (FLOP/s) and memory_bandwidth (bytes/s) are the device's.
     * On RAMP a full block of g groups x rho racks x nu indices goes in stages of
     * d = [g, a, rho, ceil(nu/a)], a = min(g, nu), m_i = ceil(m_(i-1) / d_i); each d_i > 1 adds
     * latency + m_i / (trx * W/x) to t_comm and (L m_i / 2) / min(memory_bandwidth * I, peak) to
     * t_comp, where L = ceil(log2 d_i), I = L / (2 (d_i + 1)), and trx = max(1, min(floor(x/K),
     * floor(x/(d_i - 1)))), but 1 in the last stage when a = 1; K = rho unless rack-isolated, then
     * 1 (Ottino et al., OSN 51 (2023) 100761, bandwidth divided by x once). Where the cluster has
     * single_light, trx is 1 in the first stage and 1 / (d_i - 1) in the others.
     * Any other set, and every set on ideal, goes round one ring of its n servers: t_comm =
     * (n - 1) latency + moved / port_rate, moved = m (n - 1) / n, and t_comp the same adds with
     * d = 2 and m_i = moved. O(n). On a packet network by its algorithm (model/fabric/collective.h)
     * with the latency and narrowest link of each hop's route. Negative: out of memory. */
    double (*collective_time)(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                              uint32_t n, double bytes, double peak, double memory_bandwidth);
    /* The same by the published formula (semantics 6.2: bandwidth divided by x twice, last stage
     * ceil(nu/x), no ring, constants fixed; the published simulator only knows the all-reduce). On
     * ideal the ring with those constants. */
    double (*published_collective_time)(const LpFabric *fabric, LpCollective op,
                                        const uint32_t *servers, uint32_t n, double bytes);
    /* Who sends how much to whom (lp_fabric_sends). */
    LpErr (*sends)(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                   double bytes, LpSend **out, uint32_t *count);
    /* Ports that a flow occupies, LP_NO_PORT where nothing is shared. */
    void (*ports)(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx, uint32_t *rx);
    /* Relabels servers up to the fabric's symmetry (RAMP: groups, racks and indices are each
     * interchangeable) and keeps their order, which decides between equals in a step and where a
     * ring goes: equal output means equal step simulations, to the bit. A repeated
     * server gets the same label again. servers and out do not overlap. O(n + servers). */
    void (*canonical)(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out);
    /* Subnet wavelength that a circuit uses, for the rule of shared subnets: (i * x + j) * L + t
     * from group i to index t of group j. LP_NO_PORT when the rule does not apply. Values are below
     * `wavelengths`. */
    uint32_t (*wavelength)(const LpFabric *fabric, uint32_t src, uint32_t dst);
    uint32_t (*wavelengths)(const LpFabric *fabric);
} LpFabricOps;

/* cluster must outlive the fabric; its servers * groups must fit in 32 bits (lp_scenario_finish
 * checks). */
void lp_fabric_init(LpFabric *fabric, const LpCluster *cluster);
const LpFabricOps *lp_fabric_ops(LpFabricKind kind);
/* The fabric of a job on a slice: times, ports and labels by where its servers lie in the slice,
 * whichever cubes it has. in_slice has a number for each of its servers. rest: of a slice that has
 * lost light, with ways to all servers that the job uses; NULL: it is intact. All are borrowed. */
void lp_pod_fabric(const LpFabric *pod, const LpSlice *slice, const uint32_t *in_slice,
                   struct LpPodRest *rest, LpFabric *out);

/* True when n servers have a regular shape on the empty fabric: what the published action mask asks
 * (semantics 10.1; the factor pairs of 5.2 without the last resorts). Ideal: n <= servers. */
bool lp_fabric_mask_shape(const LpFabric *fabric, uint32_t n);

/* Searches blocks of n servers, shapes in order, origins in order. test NULL: every server does. */
void lp_block_search(LpBlockSearch *search, const LpFabric *fabric, uint32_t n, bool fallbacks,
                     LpServerTest test, const void *context);
/* The same among the servers that are free in `room`, which belongs to this fabric and stays as it
 * is meanwhile: the same blocks in the same order as a test of freedom finds, without asking
 * servers one by one. test: what else must hold of a server, NULL: nothing. */
void lp_block_search_in(LpBlockSearch *search, const LpFabric *fabric, uint32_t n, bool fallbacks,
                        const LpRoom *room, LpServerTest test, const void *context);
/* A search with the shapes that lp_block_search would list for n, from a caller that keeps them;
 * room NULL: servers need not be free. */
void lp_block_search_listed(LpBlockSearch *search, const LpFabric *fabric, uint32_t n,
                            const LpShape *shape, uint32_t shapes, const LpRoom *room,
                            LpServerTest test, const void *context);
/* Restricts a search that was begun to one shape. */
void lp_block_only(LpBlockSearch *search, const LpShape *shape);
/* Next acceptable block into out[n]; false when there is none left. The shape found is
 * search->shape[search->at_shape]. O(origins * n) at worst; in a room without a test O(words of the
 * index), and out may be NULL: only whether there is one. */
bool lp_block_next(LpBlockSearch *search, uint32_t *out);

/* "2x2x1", "diagonal 4". Returns buf. */
const char *lp_shape_print(const LpShape *shape, char buf[LP_SHAPE_TEXT]);

/* On a packet network: who sends how much to whom during one collective, as cluster numbers, each
 * ordered pair at most once. *out is the caller's (lp_free). Errors: LP_ENOMEM. O(n log n); a ring
 * in given order O(n^2). */
LpErr lp_packet_sends(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) LP_MUST_USE;

/* The same on every fabric: on RAMP, on a full block, by stages, in each of which every server
 * sends m_i to each of the d_i - 1 others; else round the ring in their order, (n - 1)/n of
 * the bytes to the next; twice as much in an all-reduce. NULL and 0 for one server or no bytes. */
LpErr lp_fabric_sends(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) LP_MUST_USE;

/* Group, rack and index of a server, group-major numbering (lightpath(1)). */
static inline uint32_t lp_fabric_group(const LpFabric *f, uint32_t s) {
    return s / (f->racks * f->per_rack);
}
static inline uint32_t lp_fabric_rack(const LpFabric *f, uint32_t s) {
    return s / f->per_rack % f->racks;
}
static inline uint32_t lp_fabric_index(const LpFabric *f, uint32_t s) {
    return s % f->per_rack;
}

#endif
