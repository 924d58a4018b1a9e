/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric as a job on a slice of a pod has it. */
#include "model/pod/place.h"
#include "sim/store/store_impl.h"

const LpFabric *lp_store_fabric(const LpContext *context, const LpPlacement *p) {
    LpStore *store = context->store;
    if (p->slice == 0)
        return &context->fabric;
    for (uint32_t i = 0; i < p->servers; i++)
        store->in_slice[p->server[i]] = i;
    store->slice = lp_pod_slice_on(&context->fabric.cluster->pod.net,
                                   &context->scenario->slice[p->slice - 1].slice, p->server);
    lp_pod_fabric(&context->fabric, &store->slice, store->in_slice, store->rest, &store->on_slice);
    return &store->on_slice;
}
