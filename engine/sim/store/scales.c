/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of a scaled network. */
#include "sim/store/scales.h"

#include "base/assert.h"
#include "base/mem.h"

typedef struct Scaled {
    LpScales scales;
    LpContext *context;
} Scaled;

struct LpScaleTable {
    LpArena *arena; /* of items and scaled networks */
    Scaled **item;  /* 0: the base context */
    size_t count, cap;
};

static LpErr add(LpScaleTable *t, Scaled *item) {
    void *items = t->item;
    LP_TRY(lp_grow(&items, &t->cap, t->count + 1, sizeof(Scaled *)));
    t->item = items;
    t->item[t->count++] = item;
    return LP_OK;
}

LpScaleTable *lp_scale_table_new(LpContext *context) {
    LpScaleTable *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->arena = lp_arena_new(0);
    Scaled *base = t->arena != NULL ? lp_arena_alloc(t->arena, 1, sizeof *base) : NULL;
    if (base == NULL || add(t, base) != LP_OK) {
        lp_scale_table_free(t);
        return NULL;
    }
    base->scales = (LpScales){1, 1, 1};
    base->context = context;
    return t;
}

void lp_scale_table_free(LpScaleTable *t) {
    if (t == NULL)
        return;
    for (size_t i = 1; i < t->count; i++)
        lp_free(t->item[i]->context);
    lp_free(t->item);
    lp_arena_free(t->arena);
    lp_free(t);
}

const LpContext *lp_context_at(const LpContext *context, uint32_t number) {
    return context->scales == number ? context : context->scaled->item[number]->context;
}

uint32_t lp_scales_count(const LpScaleTable *t) {
    return (uint32_t)t->count;
}

const LpScales *lp_scales_of(const LpScaleTable *t, uint32_t number) {
    LP_ASSERT(number < t->count);
    return &t->item[number]->scales;
}

_Static_assert(sizeof(LpScales) == 3 * sizeof(double), "lp_scales_find compares every scale");

uint32_t lp_scales_find(const LpScaleTable *t, const LpScales *scales) {
    for (size_t i = 0; i < t->count; i++) {
        const LpScales *s = &t->item[i]->scales;
        if (s->bandwidth == scales->bandwidth && s->latency == scales->latency &&
            s->reconfiguration == scales->reconfiguration)
            return (uint32_t)i;
    }
    return LP_NO_INDEX;
}

LpErr lp_scales_make(LpScaleTable *t, const LpScales *scales, LpContext **out, LpDiag *diag) {
    const LpContext *base = t->item[0]->context;
    LpCluster *cluster = lp_arena_alloc(t->arena, 1, sizeof *cluster);
    if (cluster == NULL ||
        lp_cluster_scale(&base->scenario->cluster, scales, t->arena, cluster) != LP_OK)
        return lp_fail_memory(diag, "a network of another speed");
    LpContext *made = lp_alloc(1, sizeof *made);
    if (made == NULL)
        return lp_fail_memory(diag, "a network of another speed");
    *made = *base;
    made->scales = (uint32_t)t->count;
    lp_fabric_init(&made->fabric, cluster);
    lp_context_set_light(made);
    if (base->circuits != NULL) /* they show the same links, whichever these are */
        made->fabric.network = base->fabric.network;
    *out = made;
    return LP_OK;
}

LpErr lp_scales_add(LpScaleTable *t, const LpScales *scales, LpContext *made) {
    Scaled *item = lp_arena_alloc(t->arena, 1, sizeof *item);
    if (item == NULL)
        return LP_ENOMEM;
    *item = (Scaled){*scales, made};
    return add(t, item);
}
