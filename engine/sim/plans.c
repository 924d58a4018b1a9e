/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plans of a job's graph, as it stands now. */
#include <math.h>

#include "base/debug_log.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/place/asked.h"
#include "sim/place/place.h"
#include "sim/place/slice.h"
#include "sim/sim_impl.h"
#include "sim/store/store_impl.h"
#include "sim/world.h"

static bool before(const LpPlanChoice *a, const LpPlanChoice *b) {
    if (a->servers != b->servers)
        return a->servers < b->servers;
    return a->alone->step_time < b->alone->step_time;
}

static LpErr judge(const LpWorld *world, const LpContext *context, const LpJob *job,
                   uint32_t number, LpPlanChoice *out, LpDiag *diag) {
    uint32_t graph = (uint32_t)job->graph;
    LpTreeAsk ask = lp_job_tree_ask(context, job);
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
                            lp_store_partition(context->store, index), &ask, &c.free) != LP_OK)
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
        LP_TRY(judge(world, context, job, i, &choice, diag));
        uint32_t at = i;
        for (; at > 0 && before(&choice, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = choice;
    }
    *count = plans;
    return LP_OK;
}

/* ---- by number ---- */

static const LpSplit *split_of(const LpContext *context, int32_t graph) {
    return graph >= 0 ? context->scenario->graph[graph]->split : NULL;
}

bool lp_context_planned(const LpContext *context, int32_t graph) {
    return split_of(context, graph) != NULL;
}

uint32_t lp_context_ways(const LpContext *context) {
    const LpScenario *s = context->scenario;
    uint32_t plans = 0;
    bool all = s->graphs > 0;
    for (uint32_t g = 0; g < s->graphs; g++) {
        const LpSplit *split = s->graph[g]->split;
        all = all && split != NULL;
        plans = split != NULL && split->plans > plans ? split->plans : plans;
    }
    return all || plans > s->partition.max_degree ? plans : s->partition.max_degree;
}

/* How many plans stand before this one in the order of ways. */
static LpErr rank_of(const LpContext *context, uint32_t graph, uint32_t number, uint32_t *out,
                     LpDiag *diag) {
    const LpSplit *split = context->scenario->graph[graph]->split;
    LpPlanChoice own = {.servers = lp_parallel_devices(&split->plan[number])};
    uint32_t rank = 0;
    LP_TRY(lp_store_plan_alone(context, graph, number, &own.alone, diag));
    for (uint32_t i = 0; i < split->plans; i++) {
        LpPlanChoice other = {.servers = lp_parallel_devices(&split->plan[i])};
        LP_TRY(lp_store_plan_alone(context, graph, i, &other.alone, diag));
        rank += before(&other, &own) || (i < number && !before(&own, &other));
    }
    *out = rank;
    return LP_OK;
}

LpErr lp_context_plan(const LpContext *context, int32_t graph, uint32_t way, const LpParallel **out,
                      LpDiag *diag) {
    const LpSplit *split = split_of(context, graph);
    const LpParallel *found = NULL;
    for (uint32_t i = 0; split != NULL && i < split->plans && found == NULL; i++) {
        uint32_t rank;
        LP_TRY(rank_of(context, (uint32_t)graph, i, &rank, diag));
        if (rank + 1 == way)
            found = &split->plan[i];
    }
    *out = found;
    return LP_OK;
}

LpErr lp_context_plan_alone(const LpContext *context, int32_t graph, const LpParallel *plan,
                            LpParallelStep *out, LpDiag *diag) {
    const LpSplit *split = split_of(context, graph);
    const LpParallelStep *alone;
    for (uint32_t i = 0; split != NULL && i < split->plans; i++)
        if (lp_parallel_same(&split->plan[i], plan)) {
            LP_TRY(lp_store_plan_alone(context, (uint32_t)graph, i, &alone, diag));
            *out = *alone;
            return LP_OK;
        }
    return lp_fail(diag, LP_EINVAL, "the graph does not list this plan");
}

LpErr lp_context_way_of(const LpContext *context, int32_t graph, const LpParallel *plan,
                        uint32_t *out, LpDiag *diag) {
    const LpSplit *split = split_of(context, graph);
    uint32_t rank = LP_NO_INDEX;
    for (uint32_t i = 0; split != NULL && i < split->plans && rank == LP_NO_INDEX; i++)
        if (lp_parallel_same(&split->plan[i], plan))
            LP_TRY(rank_of(context, (uint32_t)graph, i, &rank, diag));
    *out = rank != LP_NO_INDEX ? rank + 1 : LP_NO_INDEX;
    return LP_OK;
}

LpErr lp_context_way(const LpContext *context, int32_t graph, uint32_t way, LpAnswer *out,
                     LpDiag *diag) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = way};
    if (lp_context_planned(context, graph)) {
        const LpParallel *plan;
        LP_TRY(lp_context_plan(context, graph, way, &plan, diag));
        if (plan != NULL)
            answer = (LpAnswer){.kind = LP_ANSWER_RUN,
                                .degree = lp_parallel_devices(plan),
                                .has_plan = true,
                                .parallel = *plan};
        else
            answer = (LpAnswer){.kind = LP_ANSWER_DECLINE,
                                .cause = LP_CAUSE_REFUSED,
                                .why = "the graph has no plan of this number"};
    }
    *out = answer;
    return LP_OK;
}

LpErr lp_world_ways(const LpWorld *world, const LpContext *base, uint32_t id, uint32_t max,
                    uint32_t *out, uint32_t room, uint32_t *count, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    int32_t graph = job->graph;
    const LpSplit *split = split_of(context, graph);
    uint32_t found = 0;
    if (split == NULL)
        return lp_world_degrees(world, base, id, max, out, room, count, diag);
    for (uint32_t way = 1; way <= split->plans && (max == 0 || way <= max); way++) {
        const LpParallel *plan;
        LpPlanChoice choice;
        LP_TRY(lp_context_plan(context, graph, way, &plan, diag));
        LP_TRY(judge(world, context, job, (uint32_t)(plan - split->plan), &choice, diag));
        if (choice.free && found < room)
            out[found] = way;
        found += choice.free;
    }
    *count = found;
    return LP_OK;
}

/* ---- glances ---- */

/* Does nothing but the block decide what comes of a job? Then no link or light is shared, nothing
 * is broken or remembered, and the job is whole and has not run yet. */
static bool block_decides(const LpWorld *world, const LpContext *c, const LpJob *job) {
    const LpOptions *options = &c->scenario->options;
    const LpImage *m = world->image;
    LpTreeAsk ask = lp_job_tree_ask(c, job);
    return !lp_tree_asks(&ask) && c->fabric.network == NULL && c->circuits == NULL &&
           m->waves == 0 && m->failed == 0 && !lp_published(options, LP_OPT_MASK) &&
           !lp_published(options, LP_OPT_CACHE) && !lp_published(options, LP_OPT_DEADLINE) &&
           !lp_job_in_pieces(job) && lp_job_slice(c, job) == NULL && isnan(job->times.start) &&
           !lp_graph_fixed(c->scenario->graph[job->graph]) &&
           !lp_debug_on(c->log, LP_DEBUG_STORE, 2) && !lp_debug_on(c->log, LP_DEBUG_PLACE, 1);
}

/* From what was worked out for the block before; false: it was not. */
static bool glance_at_block(const LpWorld *world, const LpContext *c, const LpJob *job,
                            const LpBlockSize *size, LpGlance *out) {
    uint32_t block = lp_blocks_first(c->place->blocks, size->servers, lp_world_room(world));
    if (block == LP_NO_INDEX)
        return false;
    const LpBlockPlan *plan =
        lp_blocks_plan(c->place->blocks, c, size->partition, size->servers, block);
    if (plan == NULL || plan->step == LP_NO_INDEX || plan->orders.ops != 0 ||
        plan->orders.flows != 0 || c->store->step[plan->step]->refused != LP_OK)
        return false;
    double jct = c->store->step[plan->step]->summary.step_time * job->asked.steps;
    double taken, limit;
    *out = (LpGlance){.feasible = true,
                      .accepted = !lp_job_misses(world->image->now, job, jct, &taken, &limit),
                      .servers = size->servers,
                      .jct = jct};
    c->store->step_hits++;
    return true;
}

static LpErr glance(const LpWorld *world, const LpContext *base, uint32_t id, uint32_t way,
                    LpGlance *out, LpDiag *diag) {
    LpAnswer answer;
    LpForecast forecast;
    LP_TRY(lp_context_way(base, lp_world_job(world, id)->graph, way, &answer, diag));
    LP_TRY(lp_world_predict(world, base, id, &answer, &forecast, diag));
    *out = (LpGlance){.feasible = forecast.feasible,
                      .accepted = forecast.feasible && forecast.cause == LP_CAUSE_NONE,
                      .servers = forecast.servers,
                      .jct = forecast.jct};
    return LP_OK;
}

LpErr lp_world_glances(const LpWorld *world, const LpContext *base, uint32_t id,
                       const uint32_t *way, uint32_t count, LpGlance *out, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    uint32_t most = lp_world_most_degree(context, job, 0);
    const LpBlockSize *size =
        block_decides(world, context, job) ? lp_world_block_sizes(world, context, job, most) : NULL;
    for (uint32_t i = 0; i < count; i++)
        if (size == NULL || way[i] > most || size[way[i]].servers == 0 ||
            !glance_at_block(world, context, job, &size[way[i]], &out[i]))
            LP_TRY(glance(world, base, id, way[i], &out[i], diag));
    return LP_OK;
}
