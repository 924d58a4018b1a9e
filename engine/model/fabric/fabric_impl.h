/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fabrics share: counting and relabelling coordinates of servers, and the arithmetic of
 * collectives. Only fabric*.c include it. */
#ifndef LP_MODEL_FABRIC_INTERNAL_H
#define LP_MODEL_FABRIC_INTERNAL_H

#include <stdint.h>

#include "base/need.h"

#include "model/fabric/board.h"
#include "model/fabric/fabric.h"

#define LP_DECLARE(KIND, word) extern const LpFabricOps lp_fabric_##word;
LP_FABRICS(LP_DECLARE)
#undef LP_DECLARE

/* One coordinate of a server: server / divide % modulo. On RAMP the three of them are the group,
 * the rack and the index; {1, N} is the server itself. */
typedef struct LpFabricAxis {
    uint32_t divide, modulo;
} LpFabricAxis;

static inline uint32_t lp_axis_of(LpFabricAxis axis, uint32_t server) {
    return server / axis.divide % axis.modulo;
}

/* Different values of a coordinate among n servers. modulo <= LP_SERVERS_MAX. O(n + modulo / 64).
 */
uint32_t lp_axis_distinct(LpFabricAxis axis, const uint32_t *servers, uint32_t n);

enum { LP_AXIS_FEW = 64 }; /* servers that are sorted sooner than all values are gone through */
/* Sorts values and leaves one of each; returns how many. O(n * n), for few. */
uint32_t lp_axis_sort(uint32_t *value, uint32_t n);
/* How many of `count` sorted values are less. O(log count). */
uint32_t lp_axis_rank(const uint32_t *value, uint32_t count, uint32_t it);
/* Numbers the values of a coordinate that are used 0, 1, ... in ascending order and adds number *
 * divide to out[i]; out of memory they keep their own. out and servers do not overlap. O(n +
 * modulo). */
void lp_axis_relabel(LpFabricAxis axis, const uint32_t *servers, uint32_t n, uint32_t *out);

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

/* LpFabricOps.larger of a network whose cables are listed. */
uint32_t lp_links_larger(const LpNetworkSpec *spec, const LpGrowth *growth, LpBuf *out);

/* Where any free servers make a block and nothing is shared, see LpFabricOps; RAMP's bound. */
uint32_t lp_any_bound(const LpFabric *fabric, const LpRoom *room, bool fallbacks, uint32_t enough,
                      bool *exact, uint64_t *looked);
bool lp_any_regular(const LpFabric *fabric, uint32_t n);
uint32_t lp_any_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out);
uint64_t lp_any_origins(const LpFabric *fabric, const LpShape *shape);
bool lp_any_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out);
bool lp_any_block_in(LpBlockSearch *search, uint64_t *origin, uint32_t *out);
void lp_any_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx, uint32_t *rx);
void lp_any_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out);
uint32_t lp_any_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst);
uint32_t lp_any_wavelengths(const LpFabric *fabric);
uint32_t lp_ramp_bound(const LpFabric *fabric, const LpRoom *room, bool fallbacks, uint32_t enough,
                       bool *exact, uint64_t *looked);
/* RAMP's where a rack is one word, else false: servers of the largest block of semantics 5.2 but
 * the last resorts, where it is more than *most; see LpFabricOps.survey. */
bool lp_ramp_most(const LpFabric *fabric, const LpRoom *room, uint32_t *most, uint64_t *looked);
bool lp_ramp_survey(const LpFabric *fabric, const LpRoom *room, LpSurvey *survey, uint64_t *looked);
/* See LpFabricOps.last_resort. */
uint32_t lp_ramp_last_resort(const LpFabric *fabric, bool fallbacks);

/* Transmitters of racks in groups as the fabric's numbers say; links of packet networks. See
 * LpFabricOps.board_plan. */
void lp_light_board(const LpFabric *fabric, LpBoardPlan *plan);
void lp_packet_board(const LpFabric *fabric, LpBoardPlan *plan);

/* Collectives in stages on full blocks of groups, racks and indices, else round a ring; always
 * round a ring. See LpFabricOps.sends. */
LpErr lp_staged_sends(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) LP_MUST_USE;
LpErr lp_ring_sends(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                    double bytes, LpSend **out, uint32_t *count) LP_MUST_USE;

/* Builds the network where there is none yet; `object` is that of the scenario, such as "packet".
 * Errors with the key: those of lp_network_build. */
LpErr lp_packet_build(LpPacketParams *packet, const char *object, LpArena *arena,
                      LpDiag *diag) LP_MUST_USE;
LpErr lp_packet_scale(LpPacketParams *packet, const LpScales *scales, LpArena *arena) LP_MUST_USE;

/* Servers and the light paths between them; servers, cables and switches. */
void lp_light_components(uint64_t servers, uint32_t counts[LP_OUTAGE_COUNT]);
void lp_packet_components(const LpNetwork *network, uint32_t counts[LP_OUTAGE_COUNT]);

/* What packet networks have in common (model/fabric/packet.c), see LpFabricOps. */
void lp_packet_init(LpFabric *fabric);
bool lp_packet_regular(const LpFabric *fabric, uint32_t n);
uint32_t lp_packet_shapes(const LpFabric *fabric, uint32_t n, bool fallbacks, LpShape *out);
uint64_t lp_packet_origins(const LpFabric *fabric, const LpShape *shape);
bool lp_packet_block(const LpBlockSearch *search, uint64_t origin, uint32_t *out);
bool lp_packet_block_in(LpBlockSearch *search, uint64_t *origin, uint32_t *out);
double lp_packet_transfer(const LpFabric *fabric, uint32_t src, uint32_t dst, double bytes);
double lp_packet_collective(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                            uint32_t n, double bytes, double peak, double memory_bandwidth);
double lp_packet_published(const LpFabric *fabric, LpCollective op, const uint32_t *servers,
                           uint32_t n, double bytes);
void lp_packet_ports(const LpFabric *fabric, uint32_t src, uint32_t dst, uint32_t *tx,
                     uint32_t *rx);
uint32_t lp_packet_wavelength(const LpFabric *fabric, uint32_t src, uint32_t dst);
uint32_t lp_packet_wavelengths(const LpFabric *fabric);

/* The operations that all packet networks have alike. */
#define LP_PACKET_OPERATIONS                                                                       \
    .shapes = lp_packet_shapes, .regular = lp_packet_regular, .origins = lp_packet_origins,        \
    .block = lp_packet_block, .block_in = lp_packet_block_in, .bound = lp_any_bound,               \
    .transfer_time = lp_packet_transfer, .collective_time = lp_packet_collective,                  \
    .published_collective_time = lp_packet_published, .sends = lp_packet_sends,                    \
    .ports = lp_packet_ports, .wavelength = lp_packet_wavelength,                                  \
    .wavelengths = lp_packet_wavelengths

#endif
