/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest block of RAMP: by the side of its footprint, since a smaller footprint never has a
 * shorter run of free servers. */
#include "model/fabric/fabric_impl.h"

typedef struct Bound {
    const LpRoom *room;
    uint32_t best;
    uint64_t *looked;
} Bound;

/* Is the shape free somewhere, in the racks of `groups` groups from group i? */
static bool lies_from(const Bound *b, LpShape shape, uint32_t i) {
    const LpRoom *room = b->room;
    LpRows summary = lp_room_summary(room, i, shape.groups, shape.servers);
    LpRows rows = {.outer = shape.groups,
                   .outer_step = room->racks * room->row_words,
                   .inner = shape.racks,
                   .inner_step = room->row_words,
                   .words = room->row_words};
    for (uint32_t j = 0;; j++) {
        j = lp_rows_common(&summary, j, shape.racks, b->looked);
        if (j == UINT32_MAX)
            return false;
        rows.base = room->bits + (size_t)(i * room->racks + j) * room->row_words;
        if (lp_rows_common(&rows, 0, shape.servers, b->looked) != UINT32_MAX)
            return true;
    }
}

static bool lies(const Bound *b, LpShape shape) {
    bool found = false;
    for (uint32_t i = 0; !found && i + shape.groups <= b->room->groups; i++)
        found = lies_from(b, shape, i);
    ++*b->looked;
    return found;
}

/* The shape whose last factor grows: servers of a rack, or racks with one server each. */
static LpShape grown(LpShape base, bool by_racks, uint32_t size) {
    if (by_racks)
        base.racks = size;
    else
        base.servers = size;
    return base;
}

/* Raises `best` to the largest block of a footprint of `unit` servers, up to `most` times. */
static void grow(Bound *b, LpShape base, bool by_racks, uint32_t unit, uint32_t most) {
    uint32_t low = b->best / unit, high = b->room->free / unit;
    high = high < most ? high : most;
    if (low >= high || !lies(b, grown(base, by_racks, low + 1)))
        return;
    for (low++; low < high;) { /* low lies, more than high does not */
        uint32_t middle = high - (high - low) / 2;
        if (lies(b, grown(base, by_racks, middle)))
            low = middle;
        else
            high = middle - 1;
    }
    b->best = low * unit;
}

/* The shapes are those of semantics 5.2: v x v x b, a x 1 x b, a x b x 1; or all that fit. */
static void grow_shapes(Bound *b, const LpFabric *f) {
    uint32_t side = f->groups < f->racks ? f->groups : f->racks;
    uint32_t depth = f->per_rack < f->racks ? f->per_rack : f->racks;
    for (uint32_t v = side; v > 0 && (uint64_t)v * v * f->per_rack > b->best; v--)
        grow(b, (LpShape){.groups = v, .racks = v}, false, v * v, f->per_rack);
    for (uint32_t a = side; a > 0 && (uint64_t)a * f->per_rack > b->best; a--)
        grow(b, (LpShape){.groups = a, .racks = 1}, false, a, f->per_rack);
    for (uint32_t a = side; a > 0 && (uint64_t)a * depth > b->best; a--)
        grow(b, (LpShape){.groups = a, .servers = 1}, true, a, depth);
    if (f->cluster->every_shape) {
        /* Every footprint. */
        for (uint32_t p = f->groups; p > 0 && (uint64_t)p * f->racks * f->per_rack > b->best; p--)
            for (uint32_t q = f->racks; q > 0 && (uint64_t)p * q * f->per_rack > b->best; q--)
                grow(b, (LpShape){.groups = p, .racks = q}, false, p * q, f->per_rack);
    }
}

/* n x 1 x 1, and diagonals. */
uint32_t lp_ramp_last_resort(const LpFabric *f, bool fallbacks) {
    return fallbacks || f->groups > f->racks ? f->groups : 0;
}

uint32_t lp_ramp_bound(const LpFabric *f, const LpRoom *room, bool fallbacks, uint32_t enough,
                       bool *exact, uint64_t *looked) {
    Bound b = {.room = room, .best = enough, .looked = looked};
    uint32_t line = lp_ramp_last_resort(f, fallbacks);
    line = line < room->free ? line : room->free;
    if (!lp_ramp_most(f, room, &b.best, looked))
        grow_shapes(&b, f);
    *exact = line <= b.best;
    return *exact ? b.best : line;
}
