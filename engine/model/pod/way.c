/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/way.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/pod/net.h"

static void place_of(const LpSlice *s, uint32_t node, int32_t at[3]) {
    at[0] = (int32_t)(node / s->extent[2] / s->extent[1]);
    at[1] = (int32_t)(node / s->extent[2] % s->extent[1]);
    at[2] = (int32_t)(node % s->extent[2]);
}

/* ---- distances ---- */

/* Along one dimension, round its ring where that is shorter. */
static uint32_t along(const LpSlice *s, int d, int32_t delta) {
    uint32_t ahead = (uint32_t)abs(delta), back = s->extent[d] - ahead;
    return s->closed[d] && back < ahead ? back : ahead;
}

/* Going once round dimension d of a twisted slice adds its extent there and takes the seam's offset
 * from the others. A seam adds at most half the longest extent, so two rounds either way do. */
static uint32_t through_seams(const LpPod *pod, const LpSlice *s, const int32_t delta[3]) {
    uint32_t best = UINT32_MAX;
    for (int k = 0; k < 125; k++) {
        const int32_t turns[3] = {k / 25 - 2, k / 5 % 5 - 2, k % 5 - 2};
        int32_t at[3];
        for (int e = 0; e < 3; e++) {
            at[e] = delta[e] + turns[e] * (int32_t)s->extent[e];
            for (int d = 0; d < 3; d++)
                at[e] -= turns[d] * (int32_t)(s->shift[d][e] * pod->cube);
        }
        uint32_t hops = (uint32_t)(abs(at[0]) + abs(at[1]) + abs(at[2]));
        best = hops < best ? hops : best;
    }
    return best;
}

uint32_t lp_pod_hops(const LpPod *pod, const LpSlice *s, uint32_t from, uint32_t to) {
    int32_t a[3], b[3], delta[3];
    uint32_t hops = 0;
    place_of(s, from, a);
    place_of(s, to, b);
    for (int d = 0; d < 3; d++) {
        delta[d] = b[d] - a[d];
        hops += along(s, d, delta[d]);
    }
    return s->twisted ? through_seams(pod, s, delta) : hops;
}

/* ---- ways ---- */

static uint32_t step(const LpPod *pod, const LpSlice *s, uint32_t from, uint32_t to,
                     uint32_t *link) {
    uint32_t hops = lp_pod_hops(pod, s, from, to);
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t next = lp_pod_link(pod, s, from, (int)(k / 2), (int)(k % 2));
        if (next == LP_NO_INDEX || lp_pod_hops(pod, s, next, to) >= hops)
            continue;
        *link = k;
        return next;
    }
    return to; /* not reached: a slice hangs together */
}

void lp_pod_way(const LpPod *pod, const LpSlice *s, uint32_t from, uint32_t to, uint32_t *first,
                uint32_t *last) {
    uint32_t link = 0, at = step(pod, s, from, to, &link);
    *first = link;
    while (at != to)
        at = step(pod, s, at, to, &link);
    *last = link ^ 1;
}

/* ---- boxes ---- */

bool lp_pod_box(const LpSlice *s, const uint32_t *member, uint32_t n, LpSlice *box) {
    uint32_t size[3] = {0};
    int32_t at[3];
    for (uint32_t i = 0; i < n; i++) {
        place_of(s, member[i], at);
        for (int d = 0; d < 3; d++)
            size[d] = (uint32_t)at[d] + 1 > size[d] ? (uint32_t)at[d] + 1 : size[d];
    }
    if ((uint64_t)size[0] * size[1] * size[2] != n)
        return false;
    *box = *s;
    box->accelerators = n;
    for (int d = 0; d < 3; d++) {
        box->extent[d] = size[d];
        box->closed[d] = s->closed[d] && size[d] == s->extent[d];
    }
    return true;
}
