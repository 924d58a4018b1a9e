/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Twins of contexts: what is in the store is shared, since it never changes; what is added later is
 * each one's own. */
#include <string.h>

#include "sim/light/circuits_impl.h"
#include "sim/scales.h"
#include "sim/sharing/sharing.h"
#include "sim/store/impl.h"

static LpErr share_keys(LpStore *to, const LpStore *from) {
    LP_TRY(lp_intern_share(&to->partition_key, &from->partition_key));
    LP_TRY(lp_intern_share(&to->placement_key, &from->placement_key));
    LP_TRY(lp_intern_share(&to->step_key, &from->step_key));
    LP_TRY(lp_intern_share(&to->traffic_key, &from->traffic_key));
    LP_TRY(lp_intern_share(&to->list_key, &from->list_key));
    LP_TRY(lp_intern_share(&to->load_key, &from->load_key));
    return lp_intern_share(&to->order_key, &from->order_key);
}

#define SHARE(field, keys)                                                                         \
    LP_TRY(lp_copy_array((void **)&to->field, &to->field##_cap, from->field, from->keys.count,     \
                         sizeof *to->field))

static LpErr share_tables(LpStore *to, const LpStore *from) {
    SHARE(partition, partition_key);
    to->partitions_shared = from->partition_key.count;
    SHARE(needs, partition_key);
    SHARE(placement, placement_key);
    SHARE(step, step_key);
    SHARE(traffic, traffic_key);
    SHARE(load, load_key);
    for (size_t i = 0; from->by_degree[i] != NULL; i++)
        memcpy(to->by_degree[i], from->by_degree[i], from->degrees * sizeof(uint32_t));
    return LP_OK;
}

/* The arrays before the keys: a store counts what it owns by its keys. */
static LpErr share_store(LpStore *to, const LpStore *from) {
    LP_TRY(share_tables(to, from));
    return share_keys(to, from);
}

/* Scales first: making them adds networks, which those of `from` then replace. */
static LpErr build(LpContext *twin, const LpContext *from, LpDiag *diag) {
    LP_TRY(lp_scales_again(twin, from, diag));
    if (share_store(twin->store, from->store) != LP_OK ||
        lp_circuits_share(twin->circuits, from->circuits) != LP_OK ||
        lp_sharing_reserve(twin->sharing, from->sharing) != LP_OK)
        return lp_fail_memory(diag, "the twin of a context");
    return LP_OK;
}

LpErr lp_context_twin(const LpContext *from, LpContext **out, LpDiag *diag) {
    LpContext *twin;
    from = lp_context_at(from, 0);
    LP_TRY(lp_context_new(from->scenario, &twin, diag));
    twin->max_memory = from->max_memory;
    LpErr err = build(twin, from, diag);
    if (err == LP_OK)
        *out = twin;
    else
        lp_context_free(twin);
    return err;
}
