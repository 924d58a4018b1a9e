/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plans of a job's graph, as it stands now. */
#include "sim/forecast.h"
#include "sim/impl.h"
#include "sim/place/place.h"
#include "sim/store/impl.h"
#include "sim/world.h"

static bool before(const LpPlanChoice *a, const LpPlanChoice *b) {
    if (a->servers != b->servers)
        return a->servers < b->servers;
    return a->alone->step_time < b->alone->step_time;
}

static LpErr judge(const LpWorld *world, const LpContext *context, uint32_t graph, uint32_t number,
                   LpPlanChoice *out, LpDiag *diag) {
    const LpSplit *split = context->scenario->graph[graph]->split;
    LpPlanChoice c = {.plan = &split->plan[number],
                      .servers = lp_parallel_devices(&split->plan[number])};
    LP_TRY(lp_store_plan_alone(context, graph, number, &c.alone, diag));
    c.fits = c.servers <= context->fabric.servers &&
             c.alone->held_bytes <= lp_store_most_memory(context);
    if (c.fits) {
        uint32_t index;
        LP_TRY(lp_store_add_plan(context, graph, c.plan, &index, diag));
        if (lp_place_exists(context->place, context, world,
                            lp_store_partition(context->store, index), &c.free) != LP_OK)
            return lp_fail_memory(diag, "a placement");
    }
    *out = c;
    return LP_OK;
}

LpErr lp_world_plans(const LpWorld *world, const LpContext *base, uint32_t id, LpPlanChoice *out,
                     uint32_t room, uint32_t *count, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    const LpSplit *split = job->graph >= 0 ? context->scenario->graph[job->graph]->split : NULL;
    uint32_t plans = split == NULL ? 0 : split->plans < room ? split->plans : room;
    for (uint32_t i = 0; i < plans; i++) {
        LpPlanChoice choice;
        LP_TRY(judge(world, context, (uint32_t)job->graph, i, &choice, diag));
        uint32_t at = i;
        for (; at > 0 && before(&choice, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = choice;
    }
    *count = plans;
    return LP_OK;
}
