/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of free blocks. */
#include "model/fabric/best.h"

#include <string.h>

#include "base/mem.h"
#include "model/fabric/room_read.h"
#include "model/fabric/survey.h"

/* ---- working memory ---- */

struct LpBlockScratch {
    size_t bytes;
    uint32_t servers;
    LpRoom *room;     /* a copy, in which servers are taken and given back */
    LpSurvey *survey; /* of that room; NULL: the fabric has none */
    bool surveyed;
    uint32_t *block;
};

LpBlockScratch *lp_block_scratch_new(const LpFabric *fabric) {
    LpBlockScratch *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    bool survey = fabric->ops->survey != NULL;
    s->bytes = lp_room_bytes(fabric);
    s->servers = fabric->servers;
    s->room = lp_alloc(s->bytes, 1);
    s->survey = survey ? lp_alloc(1, sizeof *s->survey) : NULL;
    s->block = lp_alloc(fabric->servers, sizeof *s->block);
    if (s->room != NULL && s->block != NULL && (s->survey != NULL || !survey))
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
    lp_free(scratch->survey);
    lp_free(scratch->block);
    lp_free(scratch);
}

/* Takes the room over, unless it is the one that is there, and surveys it. */
static void look_over(LpBlockScratch *s, const LpFabric *fabric, const LpRoom *room,
                      uint64_t *looked) {
    size_t bytes = lp_room_size(room);
    *looked += bytes / 64;
    if (s->surveyed && memcmp(s->room, room, bytes) == 0)
        return;
    memcpy(s->room, room, bytes);
    s->surveyed = s->survey != NULL && fabric->ops->survey(fabric, s->room, s->survey, looked);
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
    /* no larger one exists; whether this one does is asked of the search itself, if need be */
    bool exact;
    uint32_t size = fabric->ops->bound(fabric, room, fallbacks, enough, &exact, looked);
    while (!exact && size > enough && !any_of(fabric, room, fallbacks, size, looked))
        size--;
    return size > enough ? size : enough;
}

static void set_all(LpRoom *room, const uint32_t *block, uint32_t n, bool free) {
    for (uint32_t i = 0; i < n; i++)
        lp_room_set(room, block[i], free);
}

/* The largest block of the room of the scratch once a block is taken, `enough` where it is no
 * larger. */
static uint32_t left_over(LpBlockScratch *s, const LpFabric *fabric, bool fallbacks,
                          const uint32_t *block, uint32_t n, uint32_t enough, uint64_t *looked) {
    if (s->surveyed) {
        enough = lp_survey_left(fabric, s->survey, block, n, enough, looked);
        if (enough >= s->survey->floor && enough >= fabric->ops->last_resort(fabric, fallbacks))
            return enough;
    }
    set_all(s->room, block, n, false);
    uint32_t left = lp_block_largest(fabric, s->room, fallbacks, enough, looked);
    set_all(s->room, block, n, true);
    *looked += n;
    return left;
}

uint32_t lp_block_largest_left(const LpFabric *fabric, const LpRoom *room, bool fallbacks,
                               const uint32_t *block, uint32_t n, LpBlockScratch *scratch,
                               uint64_t *looked) {
    look_over(scratch, fabric, room, looked);
    return left_over(scratch, fabric, fallbacks, block, n, 0, looked);
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

/* ---- what a block touches and leaves ---- */

static uint32_t free_between(const LpRoom *room, uint32_t begin, uint32_t end) {
    return lp_room_free(room, begin, end < room->servers ? end : room->servers);
}

/* Bit of the block's server in this word of 64 servers from `first`; 0: it lies elsewhere. */
static uint64_t bit_in(uint32_t server, uint32_t first) {
    return server >= first && server - first < 64 ? UINT64_C(1) << (server - first) : 0;
}

/* Runs of servers begin .. end - 1 that are free and not among the n of the block. */
static uint32_t runs_left(const LpRoom *room, uint32_t begin, uint32_t end, const uint32_t *block,
                          uint32_t n) {
    uint32_t runs = 0;
    uint64_t before = 0; /* was the last server of the word before free? */
    for (uint32_t first = begin; first < end; first += 64) {
        uint64_t bits = lp_room_word(room, first, end);
        for (uint32_t i = 0; i < n; i++)
            bits &= ~bit_in(block[i], first);
        runs += (uint32_t)__builtin_popcountll(bits & ~(bits << 1 | before));
        before = bits >> 63;
    }
    return runs;
}

LpBlockTrace lp_block_trace(const LpFabric *f, const LpRoom *room, const uint32_t *block,
                            uint32_t n) {
    uint32_t per_group = f->racks * f->per_rack, group = UINT32_MAX;
    LpBlockTrace t = {0};
    for (uint32_t i = 0, next; i < n; i = next) {
        uint32_t rack = block[i] / f->per_rack, begin = rack * f->per_rack;
        uint32_t end = begin + f->per_rack < room->servers ? begin + f->per_rack : room->servers;
        for (next = i; next < n && block[next] / f->per_rack == rack;)
            next++;
        t.racks++;
        t.fragments += runs_left(room, begin, end, block + i, next - i);
        if (block[i] / per_group == group)
            continue;
        group = block[i] / per_group;
        t.groups++;
        t.left_in_groups += free_between(room, group * per_group, (group + 1) * per_group);
    }
    t.left_in_groups -= n;
    return t;
}

/* ---- the best block ---- */

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

/* What may be left at most: the largest block now, and what is free then. */
static uint32_t most_left(LpBlockScratch *s, const LpFabric *fabric, bool fallbacks, uint32_t n,
                          uint32_t enough, uint64_t *looked) {
    bool exact;
    uint32_t most = s->surveyed ? s->survey->largest : 0, free = s->room->free - n;
    if (!s->surveyed)
        most = fabric->ops->bound(fabric, s->room, fallbacks, enough, &exact, looked);
    else if (most < fabric->ops->last_resort(fabric, fallbacks))
        most = fabric->ops->last_resort(fabric, fallbacks);
    return most < free ? most : free;
}

/* No block can leave more than what is the largest now among those that leave it its servers. */
static bool least_fragmenting(LpBlockSearch *search, uint32_t limit, bool fallbacks,
                              LpBlockScratch *s, uint32_t *out, LpBlockChoice *choice) {
    const LpFabric *fabric = search->fabric;
    uint32_t n = search->n, most = 0, bound = UINT32_MAX;
    look_over(s, fabric, search->room, &search->looked);
    bool found = false;
    for (uint32_t i = 0; i < limit && most < bound && lp_block_next(search, s->block); i++) {
        uint32_t left = left_over(s, fabric, fallbacks, s->block, n, most, &search->looked);
        if (!found)
            bound = most_left(s, fabric, fallbacks, n, left, &search->looked);
        if (found && left <= most)
            continue;
        found = true;
        most = left;
        *choice = (LpBlockChoice){.shape = search->shape[search->at_shape], .value = left};
        memcpy(out, s->block, n * sizeof *out);
    }
    return found;
}

/* How bad the block is by `score`: where the score is how much is left over, less is worse. */
static uint64_t worth_less(LpBlockSearch *search, LpBlockScore score, bool fallbacks,
                           LpBlockScratch *s, LpBlockChoice *choice) {
    if (score != LP_SCORE_LEAST_FRAGMENTING)
        return badness(search, score, s->block, choice);
    choice->value =
        left_over(s, search->fabric, fallbacks, s->block, search->n, 0, &search->looked);
    return UINT32_MAX - choice->value;
}

static bool with_tie(LpBlockSearch *search, LpBlockRank rank, uint32_t limit, bool fallbacks,
                     LpBlockScratch *s, uint32_t *out, LpBlockChoice *choice) {
    bool found = false;
    uint64_t least = 0, tied = 0;
    if (rank.score == LP_SCORE_LEAST_FRAGMENTING || rank.tie == LP_SCORE_LEAST_FRAGMENTING)
        look_over(s, search->fabric, search->room, &search->looked);
    for (uint32_t i = 0; i < limit && lp_block_next(search, s->block); i++) {
        LpBlockChoice here = {.value = 0}, ignored;
        uint64_t bad = worth_less(search, rank.score, fallbacks, s, &here);
        search->looked += search->n / 2;
        if (found && bad > least)
            continue;
        uint64_t second = worth_less(search, rank.tie, fallbacks, s, &ignored);
        if (found && bad == least && second >= tied)
            continue;
        found = true;
        least = bad;
        tied = second;
        here.shape = search->shape[search->at_shape];
        *choice = here;
        memcpy(out, s->block, search->n * sizeof *out);
    }
    return found;
}

bool lp_block_best(LpBlockSearch *search, LpBlockRank rank, uint32_t limit, bool fallbacks,
                   LpBlockScratch *scratch, uint32_t *out, LpBlockChoice *choice) {
    if (search->n == 0 || search->n > search->room->free)
        return false;
    if (rank.tie != LP_SCORE_FIRST_FIT)
        return with_tie(search, rank, limit, fallbacks, scratch, out, choice);
    if (rank.score == LP_SCORE_LEAST_FRAGMENTING)
        return least_fragmenting(search, limit, fallbacks, scratch, out, choice);
    return least_bad(search, rank.score, limit, scratch->block, out, choice);
}
