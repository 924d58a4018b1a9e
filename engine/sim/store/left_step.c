/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of jobs on what is left of slices whose light is dead in part. */
#include <math.h>
#include <string.h>

#include "model/pod/rest.h"
#include "sim/store/store_impl.h"

/* The numbers in the slice of all servers that the step uses; the caller's. */
static LpErr members_of(const LpContext *context, const LpPlacement *p, uint32_t **out,
                        uint32_t *members, LpDiag *diag) {
    const LpFabric *fabric = lp_store_fabric(context, p);
    uint32_t count = p->group_begin[p->groups], found = 0;
    uint8_t *seen = lp_alloc(p->servers, sizeof *seen);
    uint32_t *member = lp_alloc(count, sizeof *member);
    if (seen == NULL || member == NULL) {
        lp_free(seen);
        lp_free(member);
        return lp_fail_memory(diag, "what is left of a slice");
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = fabric->in_slice[p->group_server[i]];
        if (!seen[at])
            member[found++] = at;
        seen[at] = 1;
    }
    lp_free(seen);
    *out = member;
    *members = found;
    return LP_OK;
}

/* The step of a placement while its slice is what is left of it. */
static LpErr simulate_on(const LpContext *context, LpPodRest *rest, uint32_t partition,
                         const LpPlacement *p, LpOrders orders, double *step, LpDiag *diag) {
    LpStepEntry entry = {0};
    context->store->rest = rest;
    LpErr err = lp_store_simulate(context, partition, p, orders, &entry, diag);
    context->store->rest = NULL;
    LP_TRY(err);
    *step = entry.refused != LP_OK ? (double)INFINITY : entry.summary.step_time;
    return LP_OK;
}

static LpErr work_out(const LpContext *context, uint32_t partition, const LpPlacement *p,
                      LpOrders orders, const LpPodDead *dead, size_t deads, double *step,
                      LpDiag *diag) {
    static const char WHAT[] = "the ways that are left in a slice";
    const LpSlice *slice = &context->scenario->slice[p->slice - 1].slice;
    uint32_t *member = NULL, members = 0;
    LpPodRest *rest;
    LP_TRY(members_of(context, p, &member, &members, diag));
    LpErr err = lp_context_allow(context, WHAT,
                                 (double)members * slice->accelerators * sizeof *rest->hops, diag);
    if (err == LP_OK)
        err = lp_pod_rest(&context->fabric.cluster->pod.net, slice, dead, deads, member, members,
                          &rest, diag);
    lp_free(member);
    if (err == LP_EREFUSED) {
        *step = (double)INFINITY;
        return LP_OK;
    }
    LP_TRY(err);
    err = simulate_on(context, rest, partition, p, orders, step, diag);
    lp_pod_rest_fini(rest);
    return err;
}

typedef struct Head {
    uint32_t partition, placement, ops, flows, scales;
} Head;

static LpErr keep(LpStore *store, const void *key, size_t len, uint64_t hash, double step) {
    uint32_t index;
    void *items = store->rest_step;
    LP_TRY(lp_grow(&items, &store->rest_cap, store->rest_key.count + 1, sizeof *store->rest_step));
    store->rest_step = items;
    store->rest_step[store->rest_key.count] = step;
    return lp_intern_add(&store->rest_key, key, len, hash, &index);
}

LpErr lp_store_left_step(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, const LpPodDead *dead, size_t deads, double *step,
                         LpDiag *diag) {
    LpStore *store = context->store;
    Head head = {partition, placement, orders.ops, orders.flows, context->scales};
    size_t list = deads * sizeof *dead, len = sizeof head + list;
    uint64_t hash;
    LpErr err = LP_OK;
    char *key = lp_alloc(len, 1);
    if (key == NULL)
        return lp_fail_memory(diag, "what is left of a slice");
    memcpy(key, &head, sizeof head);
    memcpy(key + sizeof head, dead, list);
    uint32_t found = lp_intern_find(&store->rest_key, key, len, &hash);
    if (found != LP_NO_INDEX) {
        *step = store->rest_step[found];
    } else {
        err = work_out(context, partition, lp_store_placement(store, placement), orders, dead,
                       deads, step, diag);
        if (err == LP_OK && keep(store, key, len, hash, *step) != LP_OK)
            err = lp_fail_memory(diag, "what is left of a slice");
    }
    lp_free(key);
    return err;
}
