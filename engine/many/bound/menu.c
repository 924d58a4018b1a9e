/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each degree on each shape of block that the empty cluster has. Blocks of one shape are alike: the
 * fabric's own symmetry maps one to the other, so that one of them stands for all. */
#include "many/bound/menu.h"

#include "sim/forecast.h"
#include "sim/world.h"

typedef struct LpDishes Dishes;

/* One graph being learnt. */
typedef struct Learning {
    const LpSession *session;
    const LpWorld *world;
    const LpContext *context;
    LpArena *arena;
    uint32_t job;
    uint32_t *block;
    LpBoundWay *way;
    uint32_t ways, room;
    LpDiag *diag;
} Learning;

LpErr lp_menu_new(uint32_t graphs, LpMenu *out, LpDiag *diag) {
    *out = (LpMenu){.arena = lp_arena_new(0), .graphs = graphs};
    if (out->arena != NULL)
        out->graph = lp_arena_alloc(out->arena, graphs, sizeof *out->graph);
    if (out->graph != NULL)
        return LP_OK;
    lp_menu_fini(out);
    return lp_fail_memory(diag, "a bound");
}

void lp_menu_fini(LpMenu *menu) {
    lp_arena_free(menu->arena);
    *menu = (LpMenu){0};
}

/* Keeps a way unless another one needs no more servers and no more time. */
static void keep(Learning *l, double servers, double time) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->ways; i++)
        if (l->way[i].servers <= servers && l->way[i].time <= time)
            return;
    for (uint32_t i = 0; i < l->ways; i++)
        if (!(servers <= l->way[i].servers && time <= l->way[i].time))
            l->way[kept++] = l->way[i];
    l->ways = kept;
    if (l->ways < l->room)
        l->way[l->ways++] = (LpBoundWay){servers, time};
}

static LpErr try_answer(Learning *l, const LpAnswer *answer) {
    LpForecast forecast;
    LP_TRY(lp_world_predict(l->world, l->context, l->job, answer, &forecast, l->diag));
    if (forecast.feasible && forecast.step_time > 0)
        keep(l, forecast.servers, forecast.step_time);
    return LP_OK;
}

/* The engine's own placement, and the first block of each shape. */
static LpErr try_degree(Learning *l, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpBlockSearch all;
    uint32_t servers;
    LP_TRY(try_answer(l, &answer));
    LP_TRY(lp_world_cut_size(l->world, l->context, l->job, degree, &servers, l->diag));
    if (servers == 0 || servers > l->context->fabric.servers)
        return LP_OK;
    lp_block_search(&all, &l->context->fabric, servers, true, NULL, NULL);
    for (uint32_t i = 0; i < all.shapes; i++) {
        LpBlockSearch one = all;
        LpShape shape = all.shape[i];
        lp_block_only(&one, &shape);
        if (!lp_block_next(&one, l->block))
            continue;
        answer.servers = servers;
        answer.server = l->block;
        LP_TRY(try_answer(l, &answer));
    }
    return LP_OK;
}

static LpErr learn(Learning *l, Dishes *dishes) {
    uint32_t most = l->context->scenario->partition.max_degree, count;
    uint32_t *degree = lp_arena_alloc(l->arena, most, sizeof *degree);
    l->room = most * 4 + 16;
    l->way = lp_arena_alloc(l->arena, l->room, sizeof *l->way);
    l->block = lp_arena_alloc(l->arena, l->context->fabric.servers, sizeof *l->block);
    if (degree == NULL || l->way == NULL || l->block == NULL)
        return lp_fail_memory(l->diag, "a bound");
    LP_TRY(lp_world_degrees(l->world, l->context, l->job, 0, degree, most, &count, l->diag));
    for (uint32_t i = 0; i < count && i < most; i++)
        LP_TRY(try_degree(l, degree[i]));
    dishes->way = l->way;
    dishes->ways = l->ways;
    return LP_OK;
}

LpErr lp_menu_learn(LpMenu *menu, const LpSession *session, uint32_t job, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    const LpContext *context = lp_world_context(world, lp_session_context(session));
    int32_t graph = lp_world_job(world, job)->graph;
    if (graph < 0 || menu->graph[graph].known)
        return LP_OK;
    Dishes *dishes = &menu->graph[graph];
    Learning l = {.session = session,
                  .world = world,
                  .context = context,
                  .arena = menu->arena,
                  .job = job,
                  .diag = diag};
    double servers = context->fabric.servers;
    dishes->any = (LpBoundWay){servers, context->facts[graph].sequential_time / servers};
    LP_TRY(learn(&l, dishes));
    dishes->known = true;
    return LP_OK;
}
