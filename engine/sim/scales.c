/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of a scaled network. */
#include "sim/scales.h"

#include "base/mem.h"
#include "sim/light/circuits_impl.h"

typedef struct Scaled {
    LpScales scales;
    LpCluster cluster; /* what the fabric of the context borrows */
    LpContext *context;
} Scaled;

struct LpScaleTable {
    LpArena *arena; /* of scaled networks */
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

static LpErr make(LpScaleTable *t, const LpScales *scales, LpDiag *diag) {
    const LpContext *base = t->item[0]->context;
    Scaled *made = lp_arena_alloc(t->arena, 1, sizeof *made);
    if (made == NULL ||
        lp_cluster_scale(&base->scenario->cluster, scales, t->arena, &made->cluster) != LP_OK)
        return lp_fail_memory(diag, "a network of another speed");
    made->scales = *scales;
    made->context = lp_alloc(1, sizeof *made->context);
    if (made->context == NULL)
        return lp_fail_memory(diag, "a network of another speed");
    *made->context = *base;
    made->context->scales = (uint32_t)t->count;
    lp_fabric_init(&made->context->fabric, &made->cluster);
    lp_context_set_light(made->context);
    LpErr err = LP_OK;
    if (base->circuits != NULL) { /* they show the same links, whichever these are */
        made->context->fabric.network = base->fabric.network;
        err = lp_circuits_scale(made->context, diag);
    }
    if (err == LP_OK && add(t, made) != LP_OK)
        err = lp_fail_memory(diag, "a network of another speed");
    if (err != LP_OK)
        lp_free(made->context);
    return err;
}

LpErr lp_context_scale(const LpContext *context, const LpScales *scales, uint32_t *number,
                       LpDiag *diag) {
    LpScaleTable *t = context->scaled;
    for (size_t i = 0; i < t->count; i++) {
        const LpScales *s = &t->item[i]->scales;
        if (s->bandwidth == scales->bandwidth && s->latency == scales->latency &&
            s->reconfiguration == scales->reconfiguration) {
            *number = (uint32_t)i;
            return LP_OK;
        }
    }
    LP_TRY(make(t, scales, diag));
    *number = (uint32_t)t->count - 1;
    return LP_OK;
}

LpErr lp_scales_again(const LpContext *fresh, const LpContext *from, LpDiag *diag) {
    for (size_t i = 1; i < from->scaled->count; i++) {
        uint32_t number;
        LP_TRY(lp_context_scale(fresh, &from->scaled->item[i]->scales, &number, diag));
    }
    return LP_OK;
}
