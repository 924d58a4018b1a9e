/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name. */
#include "session/player/place_rule.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/fabric/best.h"
#include "sim/forecast.h"
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

LpErr lp_place_size(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t way,
                    uint32_t *n, LpDiag *diag) {
    const LpJob *j = lp_world_job(world, job);
    const LpParallel *plan;
    if (j->graph < 0) {
        *n = j->asked.rigid_servers;
        return LP_OK;
    }
    if (!lp_context_planned(context, j->graph))
        return lp_world_cut_size(world, context, job, way, n, diag);
    LP_TRY(lp_context_plan(context, j->graph, way, &plan, diag));
    *n = plan != NULL ? lp_parallel_devices(plan) : 0;
    return LP_OK;
}

LpErr lp_place_choose_in(LpPlaceRoom *room, const LpWorld *world, const LpContext *context,
                         uint32_t job, uint32_t degree, LpPlaceRule rule, uint32_t *server,
                         uint32_t *count, uint32_t *left, LpDiag *diag) {
    uint32_t n, most = 0;
    *count = 0;
    if (rule == LP_PLACE_ENGINE)
        return LP_OK;
    LP_TRY(lp_place_size(world, context, job, degree, &n, diag));
    if (n == 0) {
        if (left != NULL)
            *left = 0;
        return LP_OK;
    }
    const LpFabric *fabric = &lp_world_context(world, context)->fabric;
    bool fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    LpBlockSearch search;
    LpBlockChoice choice;
    lp_block_search_in(&search, fabric, n, fallbacks, lp_world_room(world), NULL, NULL);
    if (lp_block_best(&search, (LpBlockRank){SCORE[rule], LP_SCORE_FIRST_FIT}, LIMIT[rule],
                      fallbacks, room->scratch, server, &choice)) {
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

/* ---- choices ---- */

LpErr lp_place_choice_read(const char *const *name, uint32_t count, LpPlaceChoice *out,
                           LpDiag *diag) {
    LpPlaceChoice choice = {.count = count > 0 ? count : 1};
    char shown[80];
    if (count > LP_PLACINGS_MAX)
        return lp_fail(diag, LP_EINVAL, "%u rules of placement are named; expected at most %d",
                       count, LP_PLACINGS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        int rule = lp_place_rule_find(name[i]);
        if (rule < 0)
            return lp_fail(diag, LP_EINVAL,
                           "there is no rule of placement \"%s\"; expected engine, first_fit, "
                           "best_fit or least_fragmenting",
                           lp_str_show(shown, sizeof shown, name[i]));
        choice.rule[i] = (LpPlaceRule)rule;
    }
    *out = choice;
    return LP_OK;
}

LpErr lp_place_choice_choose(const LpPlaceChoice *choice, const LpWorld *world,
                             const LpContext *context, uint32_t job, uint32_t degree,
                             uint32_t placing, uint32_t *server, uint32_t *count, uint32_t *left,
                             bool *engine, LpDiag *diag) {
    LpPlaceRule rule = choice->rule[placing];
    *engine = rule == LP_PLACE_ENGINE;
    *count = 0;
    *left = UINT32_MAX;
    if (*engine)
        return LP_OK;
    return lp_place_choose_in(choice->room, world, context, job, degree, rule, server, count,
                              rule == LP_PLACE_LEAST_FRAGMENTING ? left : NULL, diag);
}

static LpErr choose_for(void *user, const LpWorld *world, const LpContext *context, uint32_t job,
                        uint32_t degree, uint32_t placing, uint32_t *server, uint32_t *count,
                        uint32_t *left, bool *engine, LpDiag *diag) {
    return lp_place_choice_choose(user, world, context, job, degree, placing, server, count, left,
                                  engine, diag);
}

LpPlacer lp_place_choice_placer(const LpPlaceChoice *choice) {
    LpPlacer placer = {.placings = choice->count, .user = (void *)(uintptr_t)choice};
    if (choice->count > 1 || choice->rule[0] != LP_PLACE_ENGINE)
        placer.choose = choose_for;
    return placer;
}
