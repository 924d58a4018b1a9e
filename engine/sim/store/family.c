/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts by the speed of the network, and by the network. */
#include "sim/store/family.h"

#include "base/assert.h"
#include "base/debug_log.h"
#include "base/mem.h"

typedef struct Scaled {
    LpScales scales;
    LpContext *context;
} Scaled;

struct LpFamily {
    LpArena *arena; /* of items, scaled networks and contexts of networks */
    Scaled **item;  /* 0: the base context */
    size_t count, cap;
    LpContext **lit; /* per number of a network */
    size_t lit_cap;
    double max_memory; /* LpContext.max_memory */
    LpDebugLog log;    /* LpContext.log */
};

static LpErr add(LpFamily *f, Scaled *item) {
    void *items = f->item;
    LP_TRY(lp_grow(&items, &f->cap, f->count + 1, sizeof(Scaled *)));
    f->item = items;
    f->item[f->count++] = item;
    return LP_OK;
}

LpFamily *lp_family_new(LpContext *context) {
    LpFamily *f = lp_alloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->arena = lp_arena_new(0);
    Scaled *base = f->arena != NULL ? lp_arena_alloc(f->arena, 1, sizeof *base) : NULL;
    if (base == NULL || add(f, base) != LP_OK) {
        lp_family_free(f);
        return NULL;
    }
    base->scales = (LpScales){1, 1, 1};
    base->context = context;
    context->stated = context->scenario->scale;
    context->max_memory = &f->max_memory;
    context->log = &f->log;
    return f;
}

void lp_family_free(LpFamily *f) {
    if (f == NULL)
        return;
    for (size_t i = 1; i < f->count; i++)
        lp_free(f->item[i]->context);
    lp_free(f->item);
    lp_free(f->lit);
    lp_arena_free(f->arena);
    lp_free(f);
}

const LpContext *lp_context_at(const LpContext *context, uint32_t scales) {
    return context->scales == scales ? context : context->family->item[scales]->context;
}

const LpContext *lp_context_lit(const LpContext *context, uint32_t network) {
    return context->network == network ? context : context->family->lit[network];
}

const LpContext *lp_context_of(const LpContext *context, uint32_t scales, uint32_t network) {
    return context->circuits != NULL ? lp_context_lit(context, network)
                                     : lp_context_at(context, scales);
}

uint32_t lp_family_count(const LpFamily *f) {
    return (uint32_t)f->count;
}

const LpScales *lp_family_scales(const LpFamily *f, uint32_t number) {
    LP_ASSERT(number < f->count);
    return &f->item[number]->scales;
}

_Static_assert(sizeof(LpScales) == 3 * sizeof(double), "lp_family_find compares every scale");

uint32_t lp_family_find(const LpFamily *f, const LpScales *scales) {
    for (size_t i = 0; i < f->count; i++) {
        const LpScales *s = &f->item[i]->scales;
        if (s->bandwidth == scales->bandwidth && s->latency == scales->latency &&
            s->reconfiguration == scales->reconfiguration)
            return (uint32_t)i;
    }
    return LP_NO_INDEX;
}

LpErr lp_family_make(LpFamily *f, const LpScales *scales, LpContext **out, LpDiag *diag) {
    const LpContext *base = f->item[0]->context;
    const LpScales *by = &base->scenario->scale;
    const LpScales whole = {by->bandwidth * scales->bandwidth, by->latency * scales->latency,
                            by->reconfiguration * scales->reconfiguration};
    LpCluster *cluster = lp_arena_alloc(f->arena, 1, sizeof *cluster);
    if (cluster == NULL ||
        lp_cluster_scale(&base->scenario->cluster, &whole, f->arena, cluster) != LP_OK)
        return lp_fail_memory(diag, "a network of another speed");
    LpContext *made = lp_alloc(1, sizeof *made);
    if (made == NULL)
        return lp_fail_memory(diag, "a network of another speed");
    *made = *base;
    made->scales = (uint32_t)f->count;
    made->stated = whole;
    lp_fabric_init(&made->fabric, cluster);
    lp_context_set_light(made);
    *out = made;
    return LP_OK;
}

LpErr lp_family_add(LpFamily *f, const LpScales *scales, LpContext *made) {
    Scaled *item = lp_arena_alloc(f->arena, 1, sizeof *item);
    if (item == NULL)
        return LP_ENOMEM;
    *item = (Scaled){*scales, made};
    return add(f, item);
}

/* ---- networks ---- */

LpErr lp_family_light(const LpContext *context, const LpNetwork *network, uint32_t number) {
    LpFamily *f = context->family;
    void *items = f->lit;
    LP_TRY(lp_grow(&items, &f->lit_cap, (size_t)number + 1, sizeof *f->lit));
    f->lit = items;
    LpContext *made = lp_arena_alloc(f->arena, 1, sizeof *made);
    if (made == NULL)
        return LP_ENOMEM;
    *made = *context;
    made->network = number;
    made->fabric.network = network;
    f->lit[number] = made;
    return LP_OK;
}
