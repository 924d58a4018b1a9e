/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/rest.h"

#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
#include "model/pod/net_impl.h"

void lp_pod_rest_fini(LpPodRest *rest) {
    if (rest == NULL)
        return;
    lp_pod_search_fini(&rest->search);
    lp_pod_net_fini(&rest->net);
    lp_free(rest->row);
    lp_free(rest->hops);
    lp_free(rest->load);
    lp_free(rest);
}

/* Cables carry both ways: it is as far from a member as to it. */
static LpErr look_from(LpPodRest *rest, const uint32_t *member, uint32_t members, LpDiag *diag) {
    uint32_t nodes = rest->net.nodes;
    LpPodSearch *s = &rest->search;
    for (uint32_t i = 0; i < members; i++) {
        lp_pod_search(s, member[i], LP_NO_INDEX);
        if (s->found < nodes)
            return lp_pod_fail_apart(&rest->net, member[i], s->found, diag);
        memcpy(rest->hops + (size_t)i * nodes, s->hops, nodes * sizeof *s->hops);
        rest->row[member[i]] = i;
    }
    return LP_OK;
}

static LpErr fill(LpPodRest *rest, const uint32_t *member, uint32_t members, LpDiag *diag) {
    uint32_t nodes = rest->net.nodes;
    LP_TRY(lp_pod_search_init(&rest->search, &rest->net, diag));
    rest->row = lp_alloc(nodes, sizeof *rest->row);
    rest->hops = lp_alloc((size_t)members * nodes, sizeof *rest->hops);
    rest->load = lp_alloc(nodes, LP_POD_SIDES * sizeof *rest->load);
    if (rest->row == NULL || rest->hops == NULL || rest->load == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    memset(rest->row, 0xff, nodes * sizeof *rest->row);
    return look_from(rest, member, members, diag);
}

LpErr lp_pod_rest(const LpPod *pod, const LpSlice *slice, const LpPodDead *dead, size_t deads,
                  const uint32_t *member, uint32_t members, LpPodRest **out, LpDiag *diag) {
    LpPodRest *rest = lp_alloc(1, sizeof *rest);
    if (rest == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    rest->slice = *slice;
    LpErr err = lp_pod_net(pod, slice, dead, deads, &rest->net, diag);
    if (err == LP_OK)
        err = fill(rest, member, members, diag);
    if (err == LP_OK)
        *out = rest;
    else
        lp_pod_rest_fini(rest);
    return err;
}

void lp_pod_rest_rings(const LpPod *pod, LpPodRest *rest, const LpSlice *box, LpPodRing ring[3]) {
    for (int d = 0; d < 3; d++) {
        ring[d] = (LpPodRing){1, 1};
        LpErr err = lp_pod_ring_load(pod, &rest->slice, box->extent, &rest->search, d, rest->load,
                                     &ring[d], NULL);
        LP_ASSERT(err == LP_OK); /* it hangs together */
        (void)err;
    }
}

uint32_t lp_pod_rest_hops(const LpPodRest *rest, uint32_t from, uint32_t member) {
    return rest->hops[(size_t)rest->row[member] * rest->net.nodes + from];
}

void lp_pod_rest_way(const LpPodRest *rest, uint32_t from, uint32_t member, uint32_t *first,
                     uint32_t *last) {
    uint32_t at = from;
    while (at != member) {
        const uint32_t *link = rest->net.to + (size_t)LP_POD_SIDES * at;
        uint32_t k = 0, hops = lp_pod_rest_hops(rest, at, member);
        while (link[k] == LP_NO_INDEX || lp_pod_rest_hops(rest, link[k], member) >= hops)
            k++;
        if (at == from)
            *first = k;
        *last = k ^ 1;
        at = link[k];
    }
}
