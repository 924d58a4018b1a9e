/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name. */
#include "run/place_rule.h"

#include <string.h>

#include "base/mem.h"
#include "sim/store.h"

static const struct {
    const char *name, *doc;
} RULES[] = {
#define X(id, name, doc) {name, doc},
    LP_PLACE_RULES(X)
#undef X
};

const char *lp_place_rule_name(LpPlaceRule rule) {
    return RULES[rule].name;
}

const char *lp_place_rule_doc(LpPlaceRule rule) {
    return RULES[rule].doc;
}

int lp_place_rule_find(const char *name) {
    for (int i = 0; i < LP_PLACE_RULE_COUNT; i++)
        if (strcmp(RULES[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- searching ---- */

typedef struct Search {
    const LpWorld *world;
    const LpFabric *fabric;
    bool fallbacks;
    uint32_t *taken, round; /* taken[s] == round: to be left out as well */
    uint32_t *other;        /* room for a block */
} Search;

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    const Search *s = context;
    (void)position;
    return s->taken[server] != s->round && lp_world_server_free(s->world, server);
}

static void start(LpBlockSearch *blocks, const Search *s, uint32_t n) {
    lp_block_search(blocks, s->fabric, n, s->fallbacks, is_free, s);
}

static void take(Search *s, const uint32_t *block, uint32_t n) {
    s->round++;
    for (uint32_t i = 0; i < n; i++)
        s->taken[block[i]] = s->round;
}

/* The largest block that is free once this one is taken. Below `enough` nobody asks how much. */
static uint32_t largest_left(Search *s, const uint32_t *block, uint32_t n, uint32_t enough) {
    LpBlockSearch blocks;
    uint32_t left = lp_world_free_servers(s->world) - n;
    take(s, block, n);
    for (; left > enough; left--) {
        start(&blocks, s, left);
        if (lp_block_next(&blocks, s->other))
            break;
    }
    s->round++;
    return left;
}

/* Servers that stay free in the racks of the block. */
static uint32_t left_in_racks(Search *s, const uint32_t *block, uint32_t n) {
    uint32_t size = s->fabric->per_rack, left = 0;
    take(s, block, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = block[i] - block[i] % size;
        for (uint32_t server = first; server < first + size && server < s->fabric->servers;
             server++)
            if (is_free(s, server, 0)) {
                s->taken[server] = s->round;
                left++;
            }
    }
    s->round++;
    return left;
}

static bool first_fit(const Search *s, uint32_t n, uint32_t *out) {
    LpBlockSearch blocks;
    start(&blocks, s, n);
    return lp_block_next(&blocks, out);
}

static bool best_fit(Search *s, uint32_t n, uint32_t *block, uint32_t *out) {
    LpBlockSearch blocks;
    uint32_t best = UINT32_MAX;
    start(&blocks, s, n);
    for (int i = 0; i < LP_PLACE_BEST_LIMIT && lp_block_next(&blocks, block); i++) {
        uint32_t left = left_in_racks(s, block, n);
        if (left < best) {
            best = left;
            memcpy(out, block, n * sizeof *out);
        }
    }
    return best != UINT32_MAX;
}

static bool least_fragmenting(Search *s, uint32_t n, uint32_t *block, uint32_t *out,
                              uint32_t *most) {
    LpBlockSearch blocks;
    bool found = false;
    *most = 0;
    start(&blocks, s, n);
    for (int i = 0; i < LP_PLACE_LEAST_LIMIT && lp_block_next(&blocks, block); i++) {
        uint32_t left = largest_left(s, block, n, found ? *most : 0);
        if (!found || left > *most) {
            found = true;
            *most = left;
            memcpy(out, block, n * sizeof *out);
        }
    }
    return found;
}

static bool choose(Search *s, LpPlaceRule rule, uint32_t n, uint32_t *block, uint32_t *out,
                   uint32_t *most) {
    if (n == 0 || n > lp_world_free_servers(s->world))
        return false;
    switch (rule) {
    case LP_PLACE_FIRST_FIT:
        return first_fit(s, n, out);
    case LP_PLACE_BEST_FIT:
        return best_fit(s, n, block, out);
    case LP_PLACE_LEAST_FRAGMENTING:
        return least_fragmenting(s, n, block, out, most);
    default:
        return false;
    }
}

/* Servers that the job's block needs; 0 where the degree cannot be cut. */
static LpErr block_size(const LpWorld *world, const LpContext *context, uint32_t job,
                        uint32_t degree, uint32_t *n, LpDiag *diag) {
    const LpJob *j = lp_world_job(world, job);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    uint32_t partition, placement;
    if (j->graph < 0) {
        *n = j->rigid_servers;
        return LP_OK;
    }
    LP_TRY(lp_world_outline(world, context, job, &answer, &partition, &placement, diag));
    *n = partition != LP_NO_INDEX ? lp_store_partition(context->store, partition)->degree : 0;
    return LP_OK;
}

LpErr lp_place_choose(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t degree,
                      LpPlaceRule rule, uint32_t *server, uint32_t *count, uint32_t *left,
                      LpDiag *diag) {
    uint32_t servers = context->fabric.servers, n, most = 0;
    *count = 0;
    if (rule == LP_PLACE_ENGINE)
        return LP_OK;
    LP_TRY(block_size(world, context, job, degree, &n, diag));
    uint32_t *room = lp_alloc(3 * (size_t)servers, sizeof *room);
    if (room == NULL)
        return lp_fail_memory(diag, "a choice of blocks");
    Search s = {.world = world,
                .fabric = &context->fabric,
                .fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE),
                .taken = room,
                .round = 1,
                .other = room + servers};
    if (choose(&s, rule, n, room + 2 * (size_t)servers, server, &most))
        *count = n;
    if (left != NULL)
        *left = most;
    lp_free(room);
    return LP_OK;
}
