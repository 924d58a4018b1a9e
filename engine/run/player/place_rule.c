/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name. */
#include "run/player/place_rule.h"

#include <string.h>

#include "base/mem.h"
#include "sim/world.h"

static const char *const RULES[] = {
#define X(id, name, doc) name,
    LP_PLACE_RULES(X)
#undef X
};

const char *lp_place_rule_name(LpPlaceRule rule) {
    return RULES[rule];
}

int lp_place_rule_find(const char *name) {
    for (int i = 0; i < LP_PLACE_RULE_COUNT; i++)
        if (strcmp(RULES[i], name) == 0)
            return i;
    return -1;
}

/* ---- working room ---- */

enum { UNKNOWN, SOME, NONE };

struct LpPlaceRoom {
    uint32_t servers;
    uint8_t *now;   /* servers: is it free? */
    uint8_t *open;  /* the same, while some are taken away to see what is left */
    uint8_t *known; /* by size: is a block of it free now? asked only where it helps */
    uint32_t *block, *other;
};

LpPlaceRoom *lp_place_room_new(const LpContext *context) {
    uint32_t servers = context->fabric.servers;
    LpPlaceRoom *room = lp_alloc(1, sizeof *room);
    if (room == NULL)
        return NULL;
    room->servers = servers;
    room->now = lp_alloc(3 * (size_t)servers + 1, 1);
    room->block = lp_alloc(2 * (size_t)servers, sizeof *room->block);
    if (room->now == NULL || room->block == NULL) {
        lp_place_room_free(room);
        return NULL;
    }
    room->open = room->now + servers;
    room->known = room->open + servers;
    room->other = room->block + servers;
    return room;
}

void lp_place_room_free(LpPlaceRoom *room) {
    if (room == NULL)
        return;
    lp_free(room->now);
    lp_free(room->block);
    lp_free(room);
}

/* Decisions about one job ask for many degrees while nothing changes. Where circuits change, the
 * network does, too. */
static void refresh(LpPlaceRoom *room, const LpContext *context, const LpWorld *world) {
    bool same = context->circuits == NULL;
    for (uint32_t s = 0; s < room->servers; s++) {
        uint8_t now = lp_world_server_free(world, s) ? 1 : 0;
        same = same && now == room->now[s];
        room->now[s] = room->open[s] = now;
    }
    if (!same)
        memset(room->known, UNKNOWN, (size_t)room->servers + 1);
}

/* ---- searching ---- */

typedef struct Search {
    const LpFabric *fabric;
    LpPlaceRoom *room;
    uint32_t free; /* servers */
    bool fallbacks;
} Search;

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    const LpPlaceRoom *room = context;
    (void)position;
    return room->open[server] != 0;
}

static void start(LpBlockSearch *blocks, const Search *s, uint32_t n) {
    lp_block_search(blocks, s->fabric, n, s->fallbacks, is_free, s->room);
}

static bool any(const Search *s, uint32_t n) {
    LpBlockSearch blocks;
    start(&blocks, s, n);
    return lp_block_next(&blocks, s->room->other);
}

static void mark(const Search *s, const uint32_t *block, uint32_t n, uint8_t open) {
    for (uint32_t i = 0; i < n; i++)
        s->room->open[block[i]] = open;
}

/* The largest block that is free once this one is taken. Below `enough` nobody asks how much. A
 * size of which no block is free now has none then. */
static uint32_t largest_left(const Search *s, const uint32_t *block, uint32_t n, uint32_t enough) {
    uint8_t *known = s->room->known;
    uint32_t left = s->free - n;
    mark(s, block, n, 0);
    for (; left > enough; left--) {
        if (known[left] == NONE)
            continue;
        if (any(s, left))
            break;
        if (known[left] != UNKNOWN)
            continue;
        mark(s, block, n, 1);
        known[left] = any(s, left) ? SOME : NONE;
        mark(s, block, n, 0);
    }
    mark(s, block, n, 1);
    return left;
}

/* No block of n can leave more than this. */
static bool is_most(const Search *s, uint32_t n, uint32_t left) {
    uint32_t size = s->free - n;
    while (size > left && s->room->known[size] == NONE)
        size--;
    return size <= left;
}

/* Servers that stay free in the racks of the block. */
static uint32_t left_in_racks(const Search *s, const uint32_t *block, uint32_t n) {
    const LpPlaceRoom *room = s->room;
    uint32_t size = s->fabric->per_rack, left = 0;
    mark(s, block, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = block[i] - block[i] % size;
        for (uint32_t server = first; server < first + size && server < room->servers; server++) {
            left += room->open[server];
            room->open[server] = 0; /* counted */
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = block[i] - block[i] % size;
        for (uint32_t server = first; server < first + size && server < room->servers; server++)
            room->open[server] = room->now[server];
    }
    return left;
}

static bool first_fit(const Search *s, uint32_t n, uint32_t *out) {
    LpBlockSearch blocks;
    start(&blocks, s, n);
    return lp_block_next(&blocks, out);
}

static bool best_fit(const Search *s, uint32_t n, uint32_t *out) {
    LpBlockSearch blocks;
    uint32_t best = UINT32_MAX, *block = s->room->block;
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

static bool least_fragmenting(const Search *s, uint32_t n, uint32_t *out, uint32_t *most) {
    LpBlockSearch blocks;
    bool found = false;
    uint32_t *block = s->room->block;
    start(&blocks, s, n);
    for (int i = 0; i < LP_PLACE_LEAST_LIMIT && !(found && is_most(s, n, *most)) &&
                    lp_block_next(&blocks, block);
         i++) {
        uint32_t left = largest_left(s, block, n, found ? *most : 0);
        if (!found || left > *most) {
            found = true;
            *most = left;
            memcpy(out, block, n * sizeof *out);
        }
    }
    return found;
}

static bool choose(const Search *s, LpPlaceRule rule, uint32_t n, uint32_t *out, uint32_t *most) {
    if (n == 0 || n > s->free)
        return false;
    switch (rule) {
    case LP_PLACE_FIRST_FIT:
        return first_fit(s, n, out);
    case LP_PLACE_BEST_FIT:
        return best_fit(s, n, out);
    case LP_PLACE_LEAST_FRAGMENTING:
        return least_fragmenting(s, n, out, most);
    default:
        return false;
    }
}

/* Servers that the job's block needs; 0 where the degree cannot be cut. */
static LpErr block_size(const LpWorld *world, const LpContext *context, uint32_t job,
                        uint32_t degree, uint32_t *n, LpDiag *diag) {
    const LpJob *j = lp_world_job(world, job);
    if (j->graph >= 0)
        return lp_world_cut_size(world, context, job, degree, n, diag);
    *n = j->rigid_servers;
    return LP_OK;
}

LpErr lp_place_choose_in(LpPlaceRoom *room, const LpWorld *world, const LpContext *context,
                         uint32_t job, uint32_t degree, LpPlaceRule rule, uint32_t *server,
                         uint32_t *count, uint32_t *left, LpDiag *diag) {
    uint32_t n, most = 0;
    *count = 0;
    if (rule == LP_PLACE_ENGINE)
        return LP_OK;
    LP_TRY(block_size(world, context, job, degree, &n, diag));
    Search s = {.fabric = &lp_world_context(world, context)->fabric,
                .room = room,
                .free = lp_world_free_servers(world),
                .fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE)};
    refresh(room, context, world);
    if (choose(&s, rule, n, server, &most))
        *count = n;
    if (left != NULL)
        *left = most;
    return LP_OK;
}

LpErr lp_place_choose(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t degree,
                      LpPlaceRule rule, uint32_t *server, uint32_t *count, uint32_t *left,
                      LpDiag *diag) {
    LpPlaceRoom *room = lp_place_room_new(context);
    if (room == NULL)
        return lp_fail_memory(diag, "a choice of blocks");
    LpErr err =
        lp_place_choose_in(room, world, context, job, degree, rule, server, count, left, diag);
    lp_place_room_free(room);
    return err;
}
