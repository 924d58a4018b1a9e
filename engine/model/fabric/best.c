/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of free blocks. */
#include "model/fabric/best.h"

#include <string.h>

#include "base/mem.h"

/* ---- working memory ---- */

struct LpBlockScratch {
    size_t bytes;
    uint32_t servers;
    LpRoom *room;
    uint32_t *block;
};

LpBlockScratch *lp_block_scratch_new(const LpFabric *fabric) {
    LpBlockScratch *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->bytes = lp_room_bytes(fabric);
    s->servers = fabric->servers;
    s->room = lp_alloc(s->bytes, 1);
    s->block = lp_alloc(fabric->servers, sizeof *s->block);
    if (s->room != NULL && s->block != NULL)
        return s;
    lp_block_scratch_free(s);
    return NULL;
}

bool lp_block_scratch_fits(const LpBlockScratch *scratch, const LpRoom *room) {
    return scratch->bytes >= lp_room_size(room) && scratch->servers >= room->servers;
}

void lp_block_scratch_free(LpBlockScratch *scratch) {
    if (scratch == NULL)
        return;
    lp_free(scratch->room);
    lp_free(scratch->block);
    lp_free(scratch);
}

/* ---- the largest block ---- */

static bool any_of(const LpFabric *fabric, const LpRoom *room, bool fallbacks, uint32_t n,
                   uint64_t *looked) {
    LpBlockSearch search;
    lp_block_search_in(&search, fabric, n, fallbacks, room, NULL, NULL);
    bool found = lp_block_next(&search, NULL);
    *looked += search.looked + 1;
    return found;
}

uint32_t lp_block_largest(const LpFabric *fabric, const LpRoom *room, bool fallbacks,
                          uint32_t enough, uint64_t *looked) {
    /* no larger one exists; whether this one does is asked of the search itself */
    uint32_t size = fabric->ops->bound(fabric, room, fallbacks, enough, looked);
    while (size > enough && !any_of(fabric, room, fallbacks, size, looked))
        size--;
    return size > enough ? size : enough;
}

static void set_all(LpRoom *room, const uint32_t *block, uint32_t n, bool free) {
    for (uint32_t i = 0; i < n; i++)
        lp_room_set(room, block[i], free);
}

uint32_t lp_block_largest_left(const LpFabric *fabric, const LpRoom *room, bool fallbacks,
                               const uint32_t *block, uint32_t n, LpBlockScratch *scratch,
                               uint64_t *looked) {
    memcpy(scratch->room, room, lp_room_size(room));
    set_all(scratch->room, block, n, false);
    *looked += room->words / 8 + n;
    return lp_block_largest(fabric, scratch->room, fallbacks, 0, looked);
}

/* ---- scores ---- */

static const char *const SCORE_NAMES[LP_SCORE_COUNT] = {
    [LP_SCORE_FIRST_FIT] = "first_fit",
    [LP_SCORE_BEST_FIT] = "best_fit",
    [LP_SCORE_WORST_FIT] = "worst_fit",
    [LP_SCORE_FEWEST_GROUPS] = "fewest_groups",
    [LP_SCORE_LEAST_FRAGMENTING] = "least_fragmenting",
};

int lp_block_score_find(const char *name) {
    for (int i = 0; i < LP_SCORE_COUNT; i++)
        if (strcmp(SCORE_NAMES[i], name) == 0)
            return i;
    return -1;
}

/* Servers of a block ascend, so that those of a part follow each other. */
static uint32_t parts_of(const uint32_t *block, uint32_t n, uint32_t size) {
    uint32_t parts = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        parts += block[i] / size != last;
        last = block[i] / size;
    }
    return parts;
}

static uint32_t free_in_rack(const LpFabric *fabric, const LpRoom *room, uint32_t rack) {
    if (fabric->ops->racked)
        return (uint32_t)room->bits[room->at_row_free + rack];
    uint32_t begin = rack * fabric->per_rack, end = begin + fabric->per_rack;
    return lp_room_count(room, begin, end < room->servers ? end : room->servers);
}

uint32_t lp_block_left_in_racks(const LpFabric *fabric, const LpRoom *room, const uint32_t *block,
                                uint32_t n) {
    uint32_t left = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rack = block[i] / fabric->per_rack;
        left += rack != last ? free_in_rack(fabric, room, rack) : 0;
        last = rack;
    }
    return left - n;
}

/* Lower is better. */
static uint64_t badness(const LpBlockSearch *search, LpBlockScore score, const uint32_t *block,
                        LpBlockChoice *choice) {
    const LpFabric *fabric = search->fabric;
    if (score == LP_SCORE_FIRST_FIT)
        return 0;
    if (score == LP_SCORE_FEWEST_GROUPS) {
        choice->value = parts_of(block, search->n, fabric->racks * fabric->per_rack);
        choice->racks = parts_of(block, search->n, fabric->per_rack);
        return (uint64_t)choice->value << 32 | choice->racks;
    }
    choice->value = lp_block_left_in_racks(fabric, search->room, block, search->n);
    return score == LP_SCORE_BEST_FIT ? choice->value : UINT32_MAX - choice->value;
}

static bool least_bad(LpBlockSearch *search, LpBlockScore score, uint32_t limit, uint32_t *block,
                      uint32_t *out, LpBlockChoice *choice) {
    uint64_t least = UINT64_MAX;
    LpBlockChoice here = {.value = 0};
    for (uint32_t i = 0; i < limit && lp_block_next(search, block); i++) {
        uint64_t bad = badness(search, score, block, &here);
        search->looked += search->n / 4;
        if (bad >= least)
            continue;
        least = bad;
        *choice = here;
        choice->shape = search->shape[search->at_shape];
        memcpy(out, block, search->n * sizeof *out);
        if (score == LP_SCORE_FIRST_FIT)
            break;
    }
    return least != UINT64_MAX;
}

/* No block can leave more than what is the largest now among those that leave it its servers. */
static bool least_fragmenting(LpBlockSearch *search, uint32_t limit, bool fallbacks,
                              LpBlockScratch *s, uint32_t *out, LpBlockChoice *choice) {
    const LpFabric *fabric = search->fabric;
    uint32_t n = search->n, most = 0, bound = UINT32_MAX;
    memcpy(s->room, search->room, lp_room_size(search->room));
    search->looked += search->room->words / 8;
    bool found = false;
    for (uint32_t i = 0; i < limit && most < bound && lp_block_next(search, s->block); i++) {
        set_all(s->room, s->block, n, false);
        uint32_t left = lp_block_largest(fabric, s->room, fallbacks, most, &search->looked);
        set_all(s->room, s->block, n, true);
        search->looked += n;
        if (!found) {
            s->room->free -= n; /* so many at most */
            bound = fabric->ops->bound(fabric, s->room, fallbacks, left, &search->looked);
            s->room->free += n;
        }
        if (found && left <= most)
            continue;
        found = true;
        most = left;
        *choice = (LpBlockChoice){.shape = search->shape[search->at_shape], .value = left};
        memcpy(out, s->block, n * sizeof *out);
    }
    return found;
}

bool lp_block_best(LpBlockSearch *search, LpBlockScore score, uint32_t limit, bool fallbacks,
                   LpBlockScratch *scratch, uint32_t *out, LpBlockChoice *choice) {
    if (search->n == 0 || search->n > search->room->free)
        return false;
    if (score == LP_SCORE_LEAST_FRAGMENTING)
        return least_fragmenting(search, limit, fallbacks, scratch, out, choice);
    return least_bad(search, score, limit, scratch->block, out, choice);
}
