/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a placed partition sends, whatever carries it. */
#ifndef LP_SIM_TRAFFIC_TRAFFIC_H
#define LP_SIM_TRAFFIC_TRAFFIC_H

#include "sim/step/step.h"

/* What a placement sends, whatever the geometry: depends only on which parts share servers. */
typedef struct LpTraffic {
    uint32_t flows, channels;
    double flow_bytes;
} LpTraffic;

/* Counts what a placed partition sends; dense[i] is a small number for group_server[i]. */
LpErr lp_traffic_count(const LpPartition *partition, const LpPlacement *placement,
                       const uint32_t *dense, uint32_t servers, uint32_t per_pair,
                       LpTraffic *out) LP_MUST_USE;

#endif
