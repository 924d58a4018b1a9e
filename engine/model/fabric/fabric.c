/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of fabrics and the search for blocks of servers, which is the same on all of them. */
#include "model/fabric/fabric.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "model/fabric/fabric_impl.h"

#define ROW(KIND, word) &lp_fabric_##word,
static const LpFabricOps *const fabrics[] = {LP_FABRICS(ROW)};

const LpFabricOps *lp_fabric_ops(LpFabricKind kind) {
    LP_ASSERT((size_t)kind < LP_COUNTOF(fabrics));
    return fabrics[kind];
}

void lp_fabric_init(LpFabric *fabric, const LpCluster *cluster) {
    *fabric = (LpFabric){.ops = fabrics[cluster->fabric], .cluster = cluster, .channels = 1};
    fabric->ops->init(fabric);
}

bool lp_fabric_mask_shape(const LpFabric *fabric, uint32_t n) {
    return fabric->ops->regular(fabric, n);
}

LpErr lp_fabric_sends(const LpFabric *fabric, LpCollective op, const uint32_t *servers, uint32_t n,
                      double bytes, LpSend **out, uint32_t *count) {
    *out = NULL;
    *count = 0;
    return fabric->ops->sends(fabric, op, servers, n, bytes, out, count);
}

static void begin_search(LpBlockSearch *search, const LpFabric *fabric, uint32_t n,
                         const LpRoom *room, LpServerTest test, const void *context) {
    LP_ASSERT(room == NULL || room->servers == fabric->servers);
    search->fabric = fabric;
    search->n = n;
    search->shapes = 0;
    search->at_shape = 0;
    search->at_origin = 0;
    search->test = test;
    search->context = context;
    search->room = room;
    search->looked = 0;
}

void lp_block_search(LpBlockSearch *search, const LpFabric *fabric, uint32_t n, bool fallbacks,
                     LpServerTest test, const void *context) {
    begin_search(search, fabric, n, NULL, test, context);
    search->shapes = fabric->ops->shapes(fabric, n, fallbacks, search->shape);
}

void lp_block_search_in(LpBlockSearch *search, const LpFabric *fabric, uint32_t n, bool fallbacks,
                        const LpRoom *room, LpServerTest test, const void *context) {
    begin_search(search, fabric, n, room, test, context);
    search->shapes = fabric->ops->shapes(fabric, n, fallbacks, search->shape);
}

void lp_block_search_listed(LpBlockSearch *search, const LpFabric *fabric, uint32_t n,
                            const LpShape *shape, uint32_t shapes, const LpRoom *room,
                            LpServerTest test, const void *context) {
    begin_search(search, fabric, n, room, test, context);
    search->shapes = shapes;
    memcpy(search->shape, shape, shapes * sizeof *shape);
}

void lp_block_only(LpBlockSearch *search, const LpShape *shape) {
    /* A shape that overflows here has no origin. */
    search->n = shape->diagonal ? shape->groups : shape->groups * shape->racks * shape->servers;
    search->shape[0] = *shape;
    search->shapes = 1;
    search->at_shape = 0;
    search->at_origin = 0;
}

bool lp_block_next(LpBlockSearch *search, uint32_t *out) {
    const LpFabricOps *ops = search->fabric->ops;
    for (; search->at_shape < search->shapes; search->at_shape++, search->at_origin = 0) {
        uint64_t origins = ops->origins(search->fabric, &search->shape[search->at_shape]);
        if (search->room != NULL && origins > 0 && ops->block_in(search, &search->at_origin, out))
            return true;
        while (search->room == NULL && search->at_origin < origins)
            if (ops->block(search, search->at_origin++, out))
                return true;
    }
    return false;
}

const char *lp_shape_print(const LpShape *shape, char buf[LP_SHAPE_TEXT]) {
    if (shape->diagonal)
        snprintf(buf, LP_SHAPE_TEXT, "diagonal %" PRIu32, shape->groups);
    else
        snprintf(buf, LP_SHAPE_TEXT, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, shape->groups,
                 shape->racks, shape->servers);
    return buf;
}
