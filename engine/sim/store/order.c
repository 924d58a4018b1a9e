/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders in the store: a policy's own priorities, found by content. */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "sim/store/store_impl.h"

/* The rule first, then the priorities: one block of numbers, so that lists are found by content. */
static const LpInternEntry *list_of(const LpStore *store, uint32_t order) {
    return order < LP_ORDER_COUNT ? NULL : &store->order_key.entry[order - LP_ORDER_COUNT];
}

const double *lp_store_priorities(const LpStore *store, uint32_t order, uint32_t *count) {
    const LpInternEntry *e = list_of(store, order);
    if (e == NULL)
        return NULL;
    if (count != NULL)
        *count = (uint32_t)(e->len / sizeof(double)) - 1;
    return (const double *)e->bytes + 1;
}

LpOrder lp_store_rule(const LpStore *store, uint32_t order) {
    const LpInternEntry *e = list_of(store, order);
    return e != NULL ? (LpOrder) * (const double *)e->bytes : (LpOrder)order;
}

uint64_t lp_store_order_hash(const LpStore *store, uint64_t hash, LpOrders orders) {
    const uint32_t order[] = {orders.ops, orders.flows};
    for (size_t i = 0; i < LP_COUNTOF(order); i++) {
        uint32_t count = 0;
        const double *value = lp_store_priorities(store, order[i], &count);
        LpOrder rule = lp_store_rule(store, order[i]);
        if (value != NULL)
            hash = lp_hash_u64(hash, i + 1);
        for (uint32_t k = 0; k < count; k++)
            hash = lp_hash_f64(hash, value[k]);
        if (value != NULL && rule != LP_ORDER_SRPT)
            hash = lp_hash_u64(hash, rule);
    }
    return hash;
}

LpErr lp_store_add_order(const LpContext *context, LpOrder rule, const double *priority,
                         uint32_t count, uint32_t *order, LpDiag *diag) {
    LpIntern *orders = &context->store->order_key;
    size_t len = ((size_t)count + 1) * sizeof *priority;
    double *list = lp_alloc((size_t)count + 1, sizeof *list);
    uint64_t hash;
    if (list == NULL)
        return lp_fail_memory(diag, "an order");
    list[0] = rule;
    memcpy(list + 1, priority, count * sizeof *priority);
    *order = lp_intern_find(orders, list, len, &hash);
    LpErr err = *order == LP_NO_INDEX ? lp_intern_add(orders, list, len, hash, order) : LP_OK;
    lp_free(list);
    if (err != LP_OK)
        return lp_fail_memory(diag, "an order");
    *order += LP_ORDER_COUNT;
    return LP_OK;
}
