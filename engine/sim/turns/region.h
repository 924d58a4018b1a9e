/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regional circuits for experts: which servers of a region a circuit switch joins for a demand, in
 * greedy rounds, and how long an all-to-all then takes (docs/turning-light.md, 8). */
#ifndef LP_SIM_TURNS_REGION_H
#define LP_SIM_TURNS_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

enum { LP_REGION_SERVERS_MAX = 256, LP_REGION_PORTS_MAX = 1024, LP_REGION_NODES_MAX = 64 };

typedef struct LpRegion {
    uint32_t servers;
    const uint32_t *ports; /* free circuit ports of each server */
    const double *bytes;   /* servers * servers: from row to column; the diagonal is ignored */
    double rate;           /* bytes/s of a port, each direction */
    uint32_t packet_ports; /* of each server, into a full fat tree */
    uint32_t nodes;        /* NUMA nodes of a server, over which its ports are spread; 0 is 1 */
    bool skip; /* a pair without two free ports is set aside; else the allocation ends there */
} LpRegion;

/* One round: the pair that took longest. */
typedef struct LpRegionRound {
    uint32_t a, b;
    double demand; /* bytes, both directions */
    double time;   /* before it, of the demand over its circuits; infinite without one */
    bool given;    /* another circuit; else a port was lacking */
} LpRegionRound;

typedef struct LpRegionResult {
    uint32_t *circuits; /* servers * servers, symmetric */
    LpRegionRound *round;
    uint32_t rounds;
    double direct;  /* s: pairs with circuits use them alone, the others packets; may be infinite */
    double split;   /* s: the least that circuits and packets together allow */
    double packets; /* s: without circuits */
} LpRegionResult;

/* The allocation and its times. Errors: LP_EINVAL, LP_ELIMIT with the number; LP_ENOMEM.
 * O(servers^2) for each round, of which there are at most as many as ports, or pairs set aside. */
LpErr lp_region_make(const LpRegion *region, LpArena *arena, LpRegionResult *out,
                     LpDiag *diag) LP_MUST_USE;

/* The NUMA node of server `a` at which circuit i, from 0, to server `b` ends: a server's circuits,
 * in the order of the other servers, take its ports node by node in turn, so that parallel circuits
 * of a pair are spread. O(servers). */
uint32_t lp_region_node(const LpRegion *region, const LpRegionResult *result, uint32_t a,
                        uint32_t b, uint32_t i);

#endif
