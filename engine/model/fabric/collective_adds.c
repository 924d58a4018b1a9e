/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of collectives that every fabric shares: adds under a roofline, and the ring. */
#include "model/fabric/fabric_impl.h"

double lp_collective_total(LpCollective op, LpCollectiveCost cost) {
    switch (op) {
    case LP_REDUCE_SCATTER:
        return cost.comm + cost.comp;
    case LP_ALL_GATHER:
        return cost.comm;
    case LP_ALL_REDUCE:
        break;
    }
    return 2.0 * cost.comm + cost.comp;
}

static uint32_t ceil_log2(uint32_t d) {
    uint32_t levels = 0;
    while ((UINT64_C(1) << levels) < d)
        levels++;
    return levels;
}

double lp_collective_adds(uint32_t d, double bytes, double peak, double memory_bandwidth) {
    double operands = d, levels = ceil_log2(d);
    double intensity = levels / ((operands + 1.0) * 2.0);
    double rate = memory_bandwidth * intensity;
    if (rate > peak)
        rate = peak;
    return (levels * ((bytes * operands) / operands) / 2.0) / rate;
}

LpCollectiveCost lp_collective_ring(uint32_t n, double bytes, double latency, double rate,
                                    double peak, double memory_bandwidth) {
    double moved = bytes * (n - 1.0) / n;
    return (LpCollectiveCost){.comm = (n - 1.0) * latency + moved / rate,
                              .comp = lp_collective_adds(2, moved, peak, memory_bandwidth)};
}
