/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was worked out before. The degrees that were placeable when they were last asked for: a
 * policy asks, and then its answer is judged, on the same free servers. And the shapes of blocks,
 * which are the same in every search. */
#ifndef LP_SIM_PLACE_KNOWN_H
#define LP_SIM_PLACE_KNOWN_H

#include "model/fabric/fabric.h"
#include "model/fabric/room.h"
#include "sim/store/context.h"

/* All that the answer depends on besides the free servers. */
typedef struct LpKnownKey {
    const LpContext *context;
    uint32_t graph, kind, most; /* the largest degree that is looked at */
} LpKnownKey;

/* Zero-initialise; free with lp_known_fini. */
typedef struct LpKnownDegrees {
    LpKnownKey key;
    LpRoom *room; /* NULL: nothing is known */
    uint32_t *degree;
    uint32_t count;
    size_t room_cap, cap;
} LpKnownDegrees;

/* The shapes that searches on one fabric with racks try, in their order. Zero-initialise; free with
 * lp_known_fini_shapes. */
enum { LP_KNOWN_SERVERS = 64 }; /* of the largest block whose shapes are kept */
typedef struct LpKnownShapes {
    const struct LpFabricOps *ops; /* NULL: of none yet */
    const LpCluster *cluster;
    uint32_t groups, racks, per_rack;
    struct LpKnownList {
        LpShape *shape; /* NULL: not known */
        uint32_t count;
    } list[2][LP_KNOWN_SERVERS + 1]; /* with fallbacks or not; by servers */
} LpKnownShapes;

void lp_known_fini_shapes(LpKnownShapes *known);
/* Shapes of a block of n servers, worked out at first; *count is set. NULL: none are kept, since
 * the block is large, the fabric has no racks, or there is no memory. Valid until the fabric is
 * another.
 */
const LpShape *lp_known_shapes(LpKnownShapes *known, const LpFabric *fabric, uint32_t n,
                               bool fallbacks, uint32_t *count);

void lp_known_fini(LpKnownDegrees *known);
/* Is it the last question again? O(servers / 64). */
bool lp_known_is(const LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room);
/* Keeps an answer in place of the last one; without memory none is kept. */
void lp_known_keep(LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room,
                   const uint32_t *degree, uint32_t count);

#endif
