/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The degrees that were placeable when they were last asked for: a policy asks, and then its answer
 * is judged, on the same free servers. */
#ifndef LP_SIM_PLACE_KNOWN_H
#define LP_SIM_PLACE_KNOWN_H

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

void lp_known_fini(LpKnownDegrees *known);
/* Is it the last question again? O(servers / 64). */
bool lp_known_is(const LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room);
/* Keeps an answer in place of the last one; without memory none is kept. */
void lp_known_keep(LpKnownDegrees *known, const LpKnownKey *key, const LpRoom *room,
                   const uint32_t *degree, uint32_t count);

#endif
