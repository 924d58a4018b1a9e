/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinates of servers: how many different ones a set has, and numbering them without gaps. */
#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric_impl.h"

uint32_t lp_axis_distinct(LpFabricAxis axis, const uint32_t *servers, uint32_t n) {
    uint64_t seen[LP_SERVERS_MAX / 64];
    uint32_t distinct = 0;
    memset(seen, 0, ((size_t)axis.modulo + 63) / 64 * sizeof seen[0]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = lp_axis_of(axis, servers[i]);
        uint64_t bit = UINT64_C(1) << (value % 64);
        distinct += !(seen[value / 64] & bit);
        seen[value / 64] |= bit;
    }
    return distinct;
}

uint32_t lp_axis_sort(uint32_t *value, uint32_t n) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = count, it = value[i];
        while (at > 0 && value[at - 1] > it)
            at--;
        if (at > 0 && value[at - 1] == it)
            continue;
        memmove(value + at + 1, value + at, (count - at) * sizeof *value);
        value[at] = it;
        count++;
    }
    return count;
}

uint32_t lp_axis_rank(const uint32_t *value, uint32_t count, uint32_t it) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (value[middle] < it)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Few servers of very many: what they have is sorted, the rest is not looked at. */
static void relabel_few(LpFabricAxis axis, const uint32_t *servers, uint32_t n, uint32_t *out) {
    uint32_t value[LP_AXIS_FEW];
    for (uint32_t i = 0; i < n; i++)
        value[i] = lp_axis_of(axis, servers[i]);
    uint32_t count = lp_axis_sort(value, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] += lp_axis_rank(value, count, lp_axis_of(axis, servers[i])) * axis.divide;
}

/* label: one entry for each value, all 0. */
static void relabel(LpFabricAxis axis, const uint32_t *servers, uint32_t n, uint32_t *label,
                    uint32_t *out) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < n; i++)
        label[lp_axis_of(axis, servers[i])] = 1; /* used */
    for (uint32_t v = 0; v < axis.modulo; v++)
        if (label[v] != 0)
            label[v] = next++;
    for (uint32_t i = 0; i < n; i++)
        out[i] += label[lp_axis_of(axis, servers[i])] * axis.divide;
}

void lp_axis_relabel(LpFabricAxis axis, const uint32_t *servers, uint32_t n, uint32_t *out) {
    enum { SMALL = 1024 };
    uint32_t small[SMALL];
    if (axis.modulo <= SMALL) {
        memset(small, 0, axis.modulo * sizeof small[0]);
        relabel(axis, servers, n, small, out);
        return;
    }
    if (n <= LP_AXIS_FEW) {
        relabel_few(axis, servers, n, out);
        return;
    }
    uint32_t *label = lp_alloc(axis.modulo, sizeof *label);
    if (label != NULL)
        relabel(axis, servers, n, label, out);
    for (uint32_t i = 0; label == NULL && i < n; i++) /* out of memory: everybody keeps theirs */
        out[i] += lp_axis_of(axis, servers[i]) * axis.divide;
    lp_free(label);
}

/* ---- what breaks ---- */

void lp_light_components(uint64_t servers, uint32_t counts[LP_OUTAGE_COUNT]) {
    uint64_t pairs = servers > 0 ? servers * (servers - 1) / 2 : 0;
    counts[LP_OUTAGE_SERVER] = (uint32_t)servers;
    counts[LP_OUTAGE_CIRCUIT] = pairs <= UINT32_MAX ? (uint32_t)pairs : 0;
}

void lp_packet_components(const LpNetwork *n, uint32_t counts[LP_OUTAGE_COUNT]) {
    counts[LP_OUTAGE_SERVER] = n->servers;
    counts[LP_OUTAGE_LINK] = n->links / 2;
    counts[LP_OUTAGE_SWITCH] = n->switches;
}
