/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name. */
#include "run/player/place_rule.h"

#include <string.h>

#include "base/mem.h"
#include "model/fabric/best.h"
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

struct LpPlaceRoom {
    LpBlockScratch *scratch;
};

LpPlaceRoom *lp_place_room_new(const LpContext *context) {
    LpPlaceRoom *room = lp_alloc(1, sizeof *room);
    if (room == NULL)
        return NULL;
    room->scratch = lp_block_scratch_new(&context->fabric);
    if (room->scratch != NULL)
        return room;
    lp_place_room_free(room);
    return NULL;
}

void lp_place_room_free(LpPlaceRoom *room) {
    if (room == NULL)
        return;
    lp_block_scratch_free(room->scratch);
    lp_free(room);
}

/* ---- searching ---- */

static const LpBlockScore SCORE[LP_PLACE_RULE_COUNT] = {
    [LP_PLACE_FIRST_FIT] = LP_SCORE_FIRST_FIT,
    [LP_PLACE_BEST_FIT] = LP_SCORE_BEST_FIT,
    [LP_PLACE_LEAST_FRAGMENTING] = LP_SCORE_LEAST_FRAGMENTING,
};
static const uint32_t LIMIT[LP_PLACE_RULE_COUNT] = {
    [LP_PLACE_FIRST_FIT] = 1,
    [LP_PLACE_BEST_FIT] = LP_PLACE_BEST_LIMIT,
    [LP_PLACE_LEAST_FRAGMENTING] = LP_PLACE_LEAST_LIMIT,
};

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
    const LpFabric *fabric = &lp_world_context(world, context)->fabric;
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    LpBlockSearch search;
    LpBlockChoice choice;
    lp_block_search_in(&search, fabric, n, fallbacks, lp_world_room(world), NULL, NULL);
    if (lp_block_best(&search, SCORE[rule], LIMIT[rule], fallbacks, room->scratch, server,
                      &choice)) {
        *count = n;
        most = rule == LP_PLACE_LEAST_FRAGMENTING ? choice.value : 0;
    }
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
