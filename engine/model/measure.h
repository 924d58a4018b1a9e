/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way between two servers as it is, and as the cluster's monitoring sees it: late, and with an
 * error that the scenario sets. The simulation uses the truth, policies are shown the measurement.
 */
#ifndef LP_MODEL_MEASURE_H
#define LP_MODEL_MEASURE_H

#include "model/fabric/fabric.h"

typedef struct LpMeasuredPath {
    double delay;       /* s that the first byte takes, both ends' I/O included */
    double loss;        /* probability that a packet is lost */
    double throughput;  /* bytes/s of one transfer that nobody else is in the way of */
    double measured_at; /* s */
} LpMeasuredPath;

/* The truth at `now`. The way to oneself takes no time and has no limit;
 * where there is no way, delay is INFINITY, loss 1 and throughput 0. On fabrics other than
 * packet networks all ways are alike. O(route). */
LpMeasuredPath lp_way_true(const LpFabric *fabric, uint32_t a, uint32_t b, double now);

/* What was measured last. measured_at = interval * floor(now / interval), or now where the interval
 * is 0. Each figure is the truth * (1 + error * u), u from -1 (included) to 1 drawn by hashing the
 * seed, the ordered pair, the number of the interval and the figure; a loss stays at most 1, and a
 * throughput above 0. Equals the truth where all errors are 0, and on every fabric but zones.
 * O(route). */
LpMeasuredPath lp_way_measured(const LpFabric *fabric, uint32_t a, uint32_t b, double now);

/* Zones as policies see them: sites, leaves or edge switches, rows of a torus, groups of servers
 * with one first switch; communication groups on RAMP; everything on fabrics without any. */
uint32_t lp_zone_count(const LpFabric *fabric);
/* The servers of a zone, ascending: those in the list, or begin .. end - 1 where it is NULL. O(1).
 */
typedef struct LpZoneServers {
    const uint32_t *list; /* of end - begin */
    uint32_t begin, end;
} LpZoneServers;
LpZoneServers lp_zone_servers(const LpFabric *fabric, uint32_t zone);
enum { LP_ZONE_NAME = 64 };
/* The name in the scenario, else "zone 3". Returns buf. */
const char *lp_zone_name(const LpFabric *fabric, uint32_t zone, char buf[LP_ZONE_NAME]);

#endif
