/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One question about degrees, and its answer; lists of shapes. */
#include "sim/place/known.h"

#include <string.h>

#include "base/mem.h"

void lp_known_fini(LpKnownDegrees *known) {
    lp_free(known->room);
    lp_free(known->degree);
    *known = (LpKnownDegrees){0};
}

bool lp_known_is(const LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room) {
    const LpKnownKey *k = &known->key;
    return known->room != NULL && k->context == key->context && k->graph == key->graph &&
           k->kind == key->kind && k->most == key->most && known->room->words == room->words &&
           memcmp(known->room, room, lp_room_size(room)) == 0;
}

void lp_known_keep(LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room,
                   const uint32_t *degree, uint32_t count) {
    size_t bytes = lp_room_size(room);
    void *copy = known->room, *list = known->degree;
    if (lp_grow(&copy, &known->room_cap, bytes, 1) != LP_OK) {
        lp_known_fini(known);
        return;
    }
    known->room = copy;
    if (lp_grow(&list, &known->cap, (size_t)count + 1, sizeof *degree) != LP_OK) {
        lp_known_fini(known);
        return;
    }
    known->degree = list;
    memcpy(known->room, room, bytes);
    memcpy(known->degree, degree, count * sizeof *degree);
    known->count = count;
    known->key = *key;
}

/* ---- shapes ---- */

void lp_known_fini_shapes(LpKnownShapes *known) {
    for (uint32_t n = 0; n <= LP_KNOWN_SERVERS; n++) {
        lp_free(known->list[false][n].shape);
        lp_free(known->list[true][n].shape);
    }
    *known = (LpKnownShapes){0};
}

static bool of_fabric(const LpKnownShapes *known, const LpFabric *fabric) {
    return known->ops == fabric->ops && known->cluster == fabric->cluster &&
           known->groups == fabric->groups && known->racks == fabric->racks &&
           known->per_rack == fabric->per_rack;
}

const LpShape *lp_known_shapes(LpKnownShapes *known, const LpFabric *fabric, uint32_t n,
                               bool fallbacks, uint32_t *count) {
    if (n > LP_KNOWN_SERVERS || !fabric->ops->racked)
        return NULL;
    if (!of_fabric(known, fabric)) {
        lp_known_fini_shapes(known);
        known->ops = fabric->ops;
        known->cluster = fabric->cluster;
        known->groups = fabric->groups;
        known->racks = fabric->racks;
        known->per_rack = fabric->per_rack;
    }
    struct LpKnownList *list = &known->list[fallbacks][n];
    if (list->shape == NULL) {
        LpShape shape[LP_SHAPES_MAX];
        list->count = fabric->ops->shapes(fabric, n, fallbacks, shape);
        list->shape = lp_alloc((size_t)list->count + 1, sizeof *shape);
        if (list->shape == NULL)
            return NULL;
        memcpy(list->shape, shape, list->count * sizeof *shape);
    }
    *count = list->count;
    return list->shape;
}
