/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fabrics share: counting and relabelling coordinates of servers, and the arithmetic of
 * collectives. Only fabric*.c include it. */
#ifndef LP_MODEL_FABRIC_INTERNAL_H
#define LP_MODEL_FABRIC_INTERNAL_H

#include <stdint.h>

#include "model/fabric/fabric.h"

extern const LpFabricOps lp_fabric_ramp;
extern const LpFabricOps lp_fabric_ideal;
extern const LpFabricOps lp_fabric_packet;
extern const LpFabricOps lp_fabric_ocs; /* most of it is that of packet */

void lp_ocs_init(LpFabric *fabric);
void lp_ocs_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out);
extern const LpFabricOps lp_fabric_zones;

/* One coordinate of a server: server / divide % modulo. On RAMP the three of them are the group,
 * the rack and the index; {1, N} is the server itself. */
typedef struct LpAxis {
    uint32_t divide, modulo;
} LpAxis;

static inline uint32_t lp_axis_of(LpAxis axis, uint32_t server) {
    return server / axis.divide % axis.modulo;
}

/* Different values of a coordinate among n servers. modulo <= LP_SERVERS_MAX. O(n + modulo / 64).
 */
uint32_t lp_axis_distinct(LpAxis axis, const uint32_t *servers, uint32_t n);

/* Numbers the values of a coordinate 0, 1, ... by first appearance and adds number * divide to
 * out[i]. out and servers do not overlap. O(n + modulo). */
void lp_axis_relabel(LpAxis axis, const uint32_t *servers, uint32_t n, uint32_t *out);

/* The two directions of a collective: moving data one way, and the adds of the reducing way. */
typedef struct LpCollectiveCost {
    double comm, comp; /* s */
} LpCollectiveCost;

/* reduce-scatter = comm + comp, all-gather = comm, all-reduce = 2 * comm + comp. */
double lp_collective_total(LpCollective op, LpCollectiveCost cost);

/* Seconds to add `d` operands of `bytes` each, 2 bytes per element: L levels of a tree of adds,
 * L = ceil(log2 d), under a roofline whose arithmetic intensity is L / (2 (d + 1)) (semantics 6.2,
 * written order of evaluation). */
double lp_collective_adds(uint32_t d, double bytes, double peak, double memory_bandwidth);

/* One direction of a ring over n > 1 servers: n - 1 steps of bytes / n each at `rate`, and in the
 * reducing direction n - 1 adds of two operands, together bytes * (n - 1) / n. */
LpCollectiveCost lp_collective_ring(uint32_t n, double bytes, double latency, double rate,
                                    double peak, double memory_bandwidth);

/* What packet networks have in common (model/fabric/packet.c), see LpFabricOps. */
void lp_packet_init(LpFabric *fabric);
bool lp_packet_regular(const LpFabric *fabric, uint32_t n);
uint32_t lp_packet_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out);
uint64_t lp_packet_origins(const LpFabric *fabric, const LpShape *shape);
bool lp_packet_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out);
double lp_packet_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes);
double lp_packet_collective(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                            uint32_t n, double bytes, double peak, double memory_bandwidth);
double lp_packet_published(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                           uint32_t n, double bytes);
void lp_packet_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx,
                     uint32_t *rx);
uint32_t lp_packet_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst);
uint32_t lp_packet_wavelengths(const LpFabric *fabric);

#endif
