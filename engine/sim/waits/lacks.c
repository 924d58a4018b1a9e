/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/waits/lacks.h"

#include <string.h>

#include "base/mem.h"
#include "model/fabric/fabric.h"
#include "model/split/split.h"
#include "sim/forecast.h"
#include "sim/place/asked.h"

/* Free servers, as blocks are searched and as nodes count them. */
typedef struct Places {
    const LpRoom *room;
    const LpTreeCount *count;
} Places;

struct LpLackLook {
    const LpWorld *world;
    const LpContext *context;
    uint64_t number;
    Places now;
    LpRoom *seen;        /* copy of what was looked at */
    LpRoom *mended_room; /* as if what is down were up */
    LpTreeCount *mended_count;
    uint32_t *down; /* broken servers, ascending */
    uint32_t downs;
    size_t down_cap;
    uint32_t *node; /* a number for each node */
};

/* ---- what a job asks for ---- */

LpLackAsk lp_lack_ask(const LpContext *context, const LpJob *job) {
    LpLackAsk ask = {.graph = job->graph,
                     .kind = job->graph < 0 ? 0 : job->kind,
                     .servers = job->graph < 0 ? job->asked.rigid_servers : 0,
                     .ask = lp_job_tree_ask(context, job)};
    ask.ask.preferred = 0; /* a wish that it does not wait for */
    return ask;
}

bool lp_lack_same(const LpLackAsk *a, const LpLackAsk *b) {
    return a->graph == b->graph && a->kind == b->kind && a->servers == b->servers &&
           a->ask.required == b->ask.required && a->ask.segment == b->ask.segment;
}

/* The plan of the fewest servers that fits into their memory. */
static LpErr least_plan(const LpWorld *world, const LpContext *context, uint32_t job,
                        LpLackAsk *ask, LpDiag *diag) {
    uint32_t count;
    LpPlanChoice *plan = lp_alloc(LP_SPLIT_PLANS, sizeof *plan);
    if (plan == NULL)
        return lp_fail_memory(diag, "what jobs wait for");
    LpErr err = lp_world_plans(world, context, job, plan, LP_SPLIT_PLANS, &count, diag);
    for (uint32_t i = 0; err == LP_OK && i < count && i < LP_SPLIT_PLANS && ask->plan == NULL; i++)
        if (plan[i].fits) {
            ask->plan = plan[i].plan;
            ask->need = plan[i].servers;
        }
    lp_free(plan);
    return err;
}

LpErr lp_lack_measure(const LpWorld *world, const LpContext *context, uint32_t job, LpLackAsk *ask,
                      LpDiag *diag) {
    ask->need = ask->servers;
    if (ask->graph < 0)
        return LP_OK;
    LpErr err;
    if (lp_context_planned(context, ask->graph)) {
        err = least_plan(world, context, job, ask, diag);
    } else {
        err = lp_world_least_degree(world, context, job, &ask->degree, diag);
        if (ask->degree == 0)
            ask->degree = 1;
        if (err == LP_OK)
            err = lp_world_cut_size(world, context, job, ask->degree, &ask->need, diag);
    }
    if (ask->need == 0)
        ask->need = 1;
    return err == LP_EMEMLIMIT ? LP_OK : err;
}

/* ---- looking ---- */

LpErr lp_lack_look_new(const LpContext *context, LpLackLook **out, LpDiag *diag) {
    const LpTree *tree = context->fabric.cluster->tree;
    size_t room = lp_room_bytes(&context->fabric);
    LpLackLook *look = lp_alloc(1, sizeof *look);
    if (look == NULL)
        return lp_fail_memory(diag, "what jobs wait for");
    look->seen = lp_alloc(room, 1);
    look->mended_room = lp_alloc(room, 1);
    look->mended_count = lp_alloc(tree->nodes, sizeof *look->mended_count);
    look->node = lp_alloc(tree->nodes, sizeof *look->node);
    if (look->seen == NULL || look->mended_room == NULL || look->mended_count == NULL ||
        look->node == NULL) {
        lp_lack_look_free(look);
        return lp_fail_memory(diag, "what jobs wait for");
    }
    *out = look;
    return LP_OK;
}

void lp_lack_look_free(LpLackLook *look) {
    if (look == NULL)
        return;
    void *owned[] = {look->seen, look->mended_room, look->mended_count,
                     look->down, look->node,        look};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
}

/* Are those that were broken at the last look all that are? */
static bool knows_down(const LpLackLook *look) {
    bool known = look->downs == lp_world_tally(look->world)->failed_servers;
    for (uint32_t i = 0; known && i < look->downs; i++)
        known = lp_world_server(look->world, look->down[i])->state == LP_SERVER_FAILED;
    return known;
}

static LpErr list_down(LpLackLook *look, LpDiag *diag) {
    const LpWorld *world = look->world;
    uint32_t all = lp_world_tally(world)->failed_servers;
    void *items = look->down;
    if (knows_down(look))
        return LP_OK;
    if (lp_grow(&items, &look->down_cap, all, sizeof *look->down) != LP_OK)
        return lp_fail_memory(diag, "what jobs wait for");
    look->down = items;
    look->downs = 0;
    for (uint32_t s = 0; look->downs < all && s < lp_world_servers(world); s++)
        if (lp_world_server(world, s)->state == LP_SERVER_FAILED)
            look->down[look->downs++] = s;
    return LP_OK;
}

/* As if all that is down were up; who holds a broken server keeps it. */
static void mend(LpLackLook *look) {
    const LpTree *tree = look->context->fabric.cluster->tree;
    memcpy(look->mended_room, look->now.room, lp_room_size(look->now.room));
    memcpy(look->mended_count, look->now.count, tree->nodes * sizeof *look->mended_count);
    for (uint32_t i = 0; i < look->downs; i++) {
        if (lp_world_server(look->world, look->down[i])->job != LP_NO_INDEX)
            continue;
        lp_room_set(look->mended_room, look->down[i], true);
        lp_tree_add(tree, look->mended_count, look->down[i], 1, 0);
    }
}

LpErr lp_lack_look(LpLackLook *look, const LpWorld *world, const LpContext *context, LpDiag *diag) {
    const LpRoom *room = lp_world_room(world);
    bool whole = look->downs == 0;
    look->now = (Places){room, lp_world_nodes(world)};
    look->world = world;
    look->context = context;
    LP_TRY(list_down(look, diag));
    whole = whole && look->downs == 0; /* else who holds what is broken counts, too */
    if (look->number > 0 && whole && memcmp(look->seen, room, lp_room_size(room)) == 0)
        return LP_OK;
    memcpy(look->seen, room, lp_room_size(room));
    look->number++;
    if (look->downs > 0)
        mend(look);
    return LP_OK;
}

uint64_t lp_lack_room(const LpLackLook *look) {
    return look->number;
}

/* ---- what is lacking ---- */

static bool fits_in(LpLackLook *look, const LpLackAsk *ask, Places places) {
    const LpTree *tree = look->context->fabric.cluster->tree;
    LpTreeAsk place = ask->ask;
    if (place.segment > 0 && ask->need % place.segment != 0)
        place.segment = 0; /* it could not be answered with such groups */
    if (places.count[tree->nodes - 1].free < ask->need)
        return false;
    if (lp_tree_asks(&place)) {
        lp_tree_room(tree, places.count, place.segment, look->node);
        return lp_tree_fit(tree, look->node, &place, ask->need, LP_TREE_FIRST) != LP_NO_NODE;
    }
    LpBlockSearch search;
    lp_block_search_in(&search, &look->context->fabric, ask->need, false, places.room, NULL, NULL);
    return lp_block_next(&search, NULL);
}

/* There are servers for it: what does a forecast say? */
static LpErr find_beside(const LpLackLook *look, uint32_t job, const LpLackAsk *ask, LpLack *out,
                         LpDiag *diag) {
    LpForecast forecast;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = ask->degree};
    if (ask->plan != NULL) {
        answer.degree = lp_parallel_devices(ask->plan);
        answer.has_plan = true;
        answer.parallel = *ask->plan;
    }
    LpErr err = lp_world_predict(look->world, look->context, job, &answer, &forecast, diag);
    *out = LP_LACK_NOTHING;
    if (err == LP_EMEMLIMIT)
        return LP_OK; /* a policy that wants to know will be told */
    if (err != LP_OK || forecast.feasible)
        return err;
    if (forecast.cause == LP_CAUSE_MEMORY)
        *out = LP_LACK_MEMORY;
    else if (forecast.cause == LP_CAUSE_NO_CIRCUIT)
        *out = LP_LACK_LIGHT;
    else if (forecast.cause == LP_CAUSE_NO_PLACEMENT || forecast.cause == LP_CAUSE_SHAPE)
        *out = LP_LACK_SHAPE;
    return LP_OK;
}

LpErr lp_lack_find(LpLackLook *look, uint32_t job, const LpLackAsk *ask, LpLack *out,
                   LpDiag *diag) {
    const LpTree *tree = look->context->fabric.cluster->tree;
    uint32_t free = look->now.count[tree->nodes - 1].free;
    if (fits_in(look, ask, look->now)) {
        *out = LP_LACK_NOTHING;
        return ask->graph >= 0 ? find_beside(look, job, ask, out, diag) : LP_OK;
    }
    if (look->downs > 0 && fits_in(look, ask, (Places){look->mended_room, look->mended_count}))
        *out = LP_LACK_BROKEN;
    else
        *out = free < ask->need ? LP_LACK_RESOURCE : LP_LACK_SHAPE;
    return LP_OK;
}
