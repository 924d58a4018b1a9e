/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a partition asks of the servers of a block, kept beside it. */
#include <string.h>

#include "base/assert.h"
#include "sim/store/store_impl.h"

double lp_store_op_bytes(const LpContext *context, const LpPartition *p, uint32_t f) {
    const LpScenario *scenario = context->scenario;
    const LpOp *op = &p->graph->op[f];
    if (p->planned || p->graph->trace != NULL)
        return context->store->needs[p->id].op_bytes[f];
    if (lp_published(&scenario->options, LP_OPT_MEMORY))
        return (op->activation + op->parameters) / p->ways[f]; /* forward only (Q13) */
    return scenario->state_factor * p->op_parameters[f] + p->op_output[f];
}

/* Bytes that a server at block position k must hold (corrected memory rule), into need[degree]. */
static void fill_needs(const LpContext *context, const LpPartition *p, double *need) {
    memset(need, 0, p->degree * sizeof *need);
    for (uint32_t f = 0; f < p->graph->ops; f++) {
        double bytes = lp_store_op_bytes(context, p, f);
        for (uint32_t k = 0; k < p->ways[f]; k++)
            need[k] += bytes;
    }
}

static bool group_with(LpBlockNeeds *needs, uint32_t ways, uint16_t *group) {
    for (uint32_t g = 0; g < needs->groups; g++)
        if (needs->group_ways[g] == ways) {
            *group = (uint16_t)g;
            return true;
        }
    return false;
}

/* Each rank of a recorded step is a group of its own, and none says what it holds. */
static LpErr recorded_needs(const LpContext *context, const LpPartition *p, LpBlockNeeds *out) {
    LpArena *a = context->store->arena;
    uint32_t ranks = p->degree;
    LpBlockNeeds needs = {.groups = ranks,
                          .need = lp_arena_alloc(a, ranks, sizeof(double)),
                          .op_group = lp_arena_alloc(a, ranks, sizeof(uint16_t)),
                          .op_bytes = lp_arena_alloc(a, ranks, sizeof(double)),
                          .group_ways = lp_arena_alloc(a, ranks, sizeof(uint32_t)),
                          .group_from = lp_arena_alloc(a, ranks, sizeof(uint32_t))};
    if (needs.need == NULL || needs.op_group == NULL || needs.op_bytes == NULL ||
        needs.group_ways == NULL || needs.group_from == NULL)
        return LP_ENOMEM;
    for (uint32_t r = 0; r < ranks; r++) {
        needs.op_group[r] = (uint16_t)r;
        needs.group_ways[r] = 1;
        needs.group_from[r] = r;
    }
    *out = needs;
    return LP_OK;
}

LpErr lp_store_work_out_needs(const LpContext *context, const LpPartition *p, LpBlockNeeds *out) {
    LpArena *a = context->store->arena;
    if (p->planned)
        return lp_store_plan_needs(context, p, out);
    if (p->graph->trace != NULL)
        return recorded_needs(context, p, out);
    uint32_t n = p->graph->ops;
    LpBlockNeeds needs = {.need = lp_arena_alloc(a, p->degree, sizeof *needs.need),
                          .op_group = lp_arena_alloc(a, n, sizeof *needs.op_group),
                          .group_ways = lp_arena_alloc(a, n, sizeof *needs.group_ways)};
    if (needs.need == NULL || needs.op_group == NULL || needs.group_ways == NULL)
        return LP_ENOMEM;
    fill_needs(context, p, needs.need);
    needs.most = needs.need[0];
    needs.all = 2 * needs.need[0]; /* position 0 holds a part of every op */
    for (uint32_t f = 0; f < n; f++)
        if (!group_with(&needs, p->ways[f], &needs.op_group[f])) {
            needs.op_group[f] = (uint16_t)needs.groups;
            needs.group_ways[needs.groups++] = p->ways[f];
        }
    *out = needs;
    return LP_OK;
}

const LpBlockNeeds *lp_store_needs(const LpStore *store, const LpPartition *partition) {
    return &store->needs[partition->id];
}

LpErr lp_store_keep_partition(const LpContext *context, LpPartition *partition, const void *key,
                              size_t len, uint64_t hash, uint32_t *index) {
    LpStore *store = context->store;
    size_t count = store->partition_key.count;
    void *items = store->partition, *needs = store->needs;
    LP_TRY(lp_grow(&items, &store->partition_cap, count + 1, sizeof *store->partition));
    store->partition = items;
    LP_TRY(lp_grow(&needs, &store->needs_cap, count + 1, sizeof *store->needs));
    store->needs = needs;
    LP_TRY(lp_store_work_out_needs(context, partition, &store->needs[count]));
    LP_TRY(lp_intern_add(&store->partition_key, key, len, hash, index));
    LP_ASSERT(*index == count); /* needs lie beside their partition */
    partition->id = *index;
    store->partition[*index] = partition;
    return LP_OK;
}
