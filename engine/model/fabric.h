/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fabric is a table of functions over the cluster's parameters: where a block of servers may
 * lie, how long a transfer or a collective takes, which ports a flow occupies, and what relabelling
 * of servers changes nothing. Adding a fabric is one file and one row of the table. */
#ifndef LP_MODEL_FABRIC_H
#define LP_MODEL_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cluster.h"

#define LP_NO_PORT UINT32_MAX

/* A block of n servers: groups x racks x servers on RAMP ("diagonal": n servers along groups and
 * racks, published semantics only); 1 x 1 x n on fabrics without geometry. */
typedef struct LpShape {
    uint32_t groups, racks, servers;
    bool diagonal;
} LpShape;

enum { LP_SHAPES_MAX = 192, LP_SHAPE_TEXT = 40 };

/* May `server` take position `position` (0..n-1) of the block being tried? */
typedef bool (*LpServerTest)(const void *context, uint32_t server, uint32_t position);

typedef enum LpCollective { LP_REDUCE_SCATTER, LP_ALL_GATHER, LP_ALL_REDUCE } LpCollective;

struct LpFabricOps;

/* Derived constants of one cluster; plain data, filled by lp_fabric_init. */
typedef struct LpFabric {
    const struct LpFabricOps *ops;
    const LpCluster *cluster;
    uint32_t groups, racks, per_rack; /* RAMP x, J, L; ideal 1, 1, N */
    uint32_t servers;
    double port_rate;   /* bytes/s of one light path: W / x on RAMP, W on ideal */
    double latency;     /* propagation + 2 * I/O, s */
    double slot;        /* s charged when a transmit port turns to another destination; 0: never */
    uint32_t tx_ports, rx_ports; /* contended ports in the whole fabric; 0: nothing is shared */
    double light_capacity;       /* circuits that can be lit at once: N * x on RAMP, N on ideal */
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
} LpBlockSearch;

typedef struct LpFabricOps {
    const char *name;  /* word in scenario files */
    const char *title; /* for people */
    void (*init)(LpFabric *fabric);
    /* Shapes of n servers in the order in which they are tried (semantics 5.2); with `fallbacks`
     * the published last resorts (n, n, diagonal) and (n, 1, 1) too. Returns how many. */
    uint32_t (*shapes)(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out);
    uint64_t (*origins)(const LpFabric *fabric, const LpShape *shape);
    /* Writes the servers of the block in block order; false if one fails the test. */
    bool (*block)(const LpBlockSearch *search, uint64_t origin, uint32_t *out);
    /* Time of `bytes` from one server to another, uncontended, s (0 for the same server). */
    double (*transfer_time)(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes);
    /* Time of one collective over n servers, s; corrected-semantics.md "Collectives on RAMP", or
     * ring. peak, bandwidth: of the device, for the adds. */
    double (*collective_time)(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                              uint32_t n, double bytes, double peak, double memory_bandwidth);
    /* The same by the published formula (semantics 6.2: always an all-reduce; constants fixed). */
    double (*published_collective_time)(const LpFabric *fabric, LpCollective op,
                                        const uint32_t *servers, uint32_t n, double bytes);
    /* Ports that a flow occupies, LP_NO_PORT where nothing is shared. */
    void (*ports)(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx, uint32_t *rx);
    /* Relabels servers by first appearance up to the fabric's symmetry (RAMP: groups, racks and
     * indices are each interchangeable): equal output means equal step simulations. */
    void (*canonical)(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out);
    /* Subnet wavelength that a circuit uses, for the rule of shared subnets; LP_NO_PORT when the
     * rule does not apply. Values are below `wavelengths`. */
    uint32_t (*wavelength)(const LpFabric *fabric, uint32_t src, uint32_t dst);
    uint32_t (*wavelengths)(const LpFabric *fabric);
} LpFabricOps;

/* cluster must outlive the fabric. */
void lp_fabric_init(LpFabric *fabric, const LpCluster *cluster);
const LpFabricOps *lp_fabric_ops(LpFabricKind kind);
/* -1 when unknown. */
int lp_fabric_find(const char *name);

/* Searches blocks of n servers, shapes in order, origins in order. test NULL: every server does. */
void lp_block_search(LpBlockSearch *search, const LpFabric *fabric, uint32_t n, bool fallbacks,
                     LpServerTest test, const void *context);
/* Restricts a search to one shape. */
void lp_block_search_shape(LpBlockSearch *search, const LpFabric *fabric, const LpShape *shape,
                           LpServerTest test, const void *context);
/* Next acceptable block into out[n]; false when there is none left. The shape found is
 * search->shape[search->at_shape]. O(origins * n) at worst. */
bool lp_block_next(LpBlockSearch *search, uint32_t *out);

/* "2x2x1", "diagonal 4". Returns buf. */
const char *lp_shape_print(const LpShape *shape, char buf[LP_SHAPE_TEXT]);

/* Group, rack and index of a server, group-major numbering (design section 4). */
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
