/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders in the store: a policy's own priorities, found by content. */
#include "base/hash.h"
#include "sim/store/store_impl.h"

const double *lp_store_priorities(const LpStore *store, uint32_t order, uint32_t *count) {
    if (order < LP_ORDER_COUNT)
        return NULL;
    const LpInternEntry *e = &store->order_key.entry[order - LP_ORDER_COUNT];
    if (count != NULL)
        *count = (uint32_t)(e->len / sizeof(double));
    return e->bytes;
}

uint64_t lp_store_order_hash(const LpStore *store, uint64_t hash, LpOrders orders) {
    const uint32_t order[] = {orders.ops, orders.flows};
    for (size_t i = 0; i < LP_COUNTOF(order); i++) {
        uint32_t count = 0;
        const double *value = lp_store_priorities(store, order[i], &count);
        if (value != NULL)
            hash = lp_hash_u64(hash, i + 1);
        for (uint32_t k = 0; k < count; k++)
            hash = lp_hash_f64(hash, value[k]);
    }
    return hash;
}

LpErr lp_store_add_order(const LpContext *context, const double *priority, uint32_t count,
                         uint32_t *order, LpDiag *diag) {
    LpIntern *orders = &context->store->order_key;
    uint64_t hash;
    *order = lp_intern_find(orders, priority, count * sizeof *priority, &hash);
    if (*order == LP_NO_INDEX &&
        lp_intern_add(orders, priority, count * sizeof *priority, hash, order) != LP_OK)
        return lp_fail_memory(diag, "an order");
    *order += LP_ORDER_COUNT;
    return LP_OK;
}
