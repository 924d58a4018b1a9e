/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Degrees that may be answered, and forecasts: what would happen if an answer were given now. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/debug_log.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/place/asked.h"
#include "sim/place/place.h"
#include "sim/sim_impl.h"
#include "sim/store/store_impl.h"
#include "sim/world.h"

/* Corrected: the partition that the degree leads to has a placement now. One that the scenario's
 * own limit (partition max_deps) forbids has none, nor has a degree that is no plan's; running out
 * of memory is no answer. */
static LpErr placeable(const LpWorld *world, const LpContext *context, const LpJob *job,
                       uint32_t degree, bool *is, LpDiag *diag) {
    uint32_t index;
    LpDiag local;
    LpTreeAsk ask = lp_job_tree_ask(context, job);
    LpErr err = lp_store_degree(context, (uint32_t)job->graph, (LpPartitionKind)job->kind, degree,
                                &index, &local);
    const LpPartition *partition = err == LP_OK ? lp_store_partition(context->store, index) : NULL;
    if (err == LP_OK && lp_graph_fixed(partition->graph) && partition->degree != degree) {
        *is = false; /* that of a plan with fewer servers, or of a recorded step */
        return LP_OK;
    }
    if (err == LP_OK)
        return lp_place_exists(context->place, context, world, partition, &ask, is) == LP_OK
                   ? LP_OK
                   : lp_fail_memory(diag, "a placement");
    if (err != LP_ELIMIT && err != LP_EREFUSED) {
        if (diag != NULL)
            *diag = local;
        return err;
    }
    *is = false;
    return LP_OK;
}

/* Corrected: degrees above the number of servers make sense where no op needs more parts than
 * that; then they all cut the job as `servers` does. */
static bool needs_no_more(const LpContext *context, const LpJob *job, uint32_t servers) {
    if (lp_graph_fixed(context->scenario->graph[job->graph]))
        return false;
    LpCut cut = lp_context_cut(context, (uint32_t)job->graph, (LpPartitionKind)job->kind);
    return lp_cut_ways(&cut, servers + 1, context->store->ways) <= servers;
}

/* May an answer be kept? Not where more than the free servers decides, nor where looking is logged.
 */
static bool keeps_degrees(const LpContext *context, const LpJob *job) {
    LpTreeAsk ask = lp_job_tree_ask(context, job);
    return !lp_tree_asks(&ask) && !lp_published(&context->scenario->options, LP_OPT_MASK) &&
           lp_scenario_reserves(context->scenario) && !lp_debug_on(context->log, LP_DEBUG_PLACE, 2);
}

const LpBlockSize *lp_world_block_sizes(const LpWorld *world, const LpContext *context,
                                        const LpJob *job, uint32_t most) {
    LpBlocks *blocks = context->place->blocks;
    bool fresh, all = true;
    uint32_t graph = (uint32_t)job->graph, partition = LP_NO_INDEX, block;
    if (lp_graph_fixed(context->scenario->graph[graph]) || most > context->fabric.servers ||
        !lp_blocks_has(blocks, 1))
        return NULL;
    LpBlockSize *size = lp_blocks_sizes(blocks, context, graph, job->kind, most, &fresh);
    if (size == NULL)
        return NULL;
    for (uint32_t degree = 1; fresh && degree <= most && all; degree++) {
        LpErr err =
            lp_store_degree(context, graph, (LpPartitionKind)job->kind, degree, &partition, NULL);
        const LpPartition *p = err == LP_OK ? lp_store_partition(context->store, partition) : NULL;
        all = err == LP_OK ? lp_place_known_block(context, world, p, &block)
                           : err == LP_ELIMIT || err == LP_EREFUSED;
        size[degree] = (LpBlockSize){p != NULL ? p->degree : 0, partition};
    }
    if (fresh) /* in the place of degree 0: whether the row can be used */
        size[0].servers = all;
    return size[0].servers > 0 ? size : NULL;
}

uint32_t lp_world_most_degree(const LpContext *context, const LpJob *job, uint32_t max) {
    uint32_t most = context->scenario->partition.max_degree, servers = context->fabric.servers;
    bool published = lp_published(&context->scenario->options, LP_OPT_MASK);
    if (max > 0 && max < most)
        most = max;
    if (most > servers && (published || !needs_no_more(context, job, servers)))
        most = servers;
    return most;
}

/* The degrees by the table of blocks; NULL: it does not say, or without memory. */
static LpBlockDegrees *look_up(const LpWorld *world, const LpContext *context, const LpJob *job,
                               uint32_t most) {
    LpBlocks *blocks = context->place->blocks;
    const LpRoom *room = lp_world_room(world);
    if (job->graph < 0 || most > LP_BLOCK_DEGREES || !keeps_degrees(context, job))
        return NULL;
    LpBlockDegrees question = {.free = room->first,
                               .graph = (uint32_t)job->graph,
                               .kind = job->kind,
                               .most = (uint8_t)most,
                               .list = LP_NO_INDEX};
    LpBlockDegrees *known = lp_blocks_degrees(blocks, context, &question);
    if (known == NULL || (known->free == question.free && known->graph == question.graph &&
                          known->kind == question.kind && known->most == question.most))
        return known;
    const LpBlockSize *size = lp_world_block_sizes(world, context, job, most);
    if (size == NULL)
        return NULL;
    for (uint32_t degree = 1; degree <= most; degree++)
        if (size[degree].servers > 0 && size[degree].servers <= room->free &&
            lp_blocks_first(blocks, size[degree].servers, room) != LP_NO_INDEX)
            question.degrees |= UINT64_C(1) << (degree - 1);
    *known = question;
    return known;
}

/* The degrees of a set of bits, ascending. */
static uint32_t list_bits(uint64_t bits, uint32_t *out, uint32_t room) {
    uint32_t found = 0;
    for (; bits != 0; bits &= bits - 1, found++)
        if (found < room)
            out[found] = (uint32_t)__builtin_ctzll(bits) + 1;
    return found;
}

LpErr lp_world_degrees(const LpWorld *world, const LpContext *base, uint32_t id, uint32_t max,
                       uint32_t *out, uint32_t room, uint32_t *count, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    uint32_t servers = context->fabric.servers, found = 0;
    bool published = lp_published(&context->scenario->options, LP_OPT_MASK), valid = false;
    *count = 0;
    if (job->graph < 0)
        return LP_OK;
    uint32_t most = lp_world_most_degree(context, job, max);
    const LpBlockDegrees *there = look_up(world, context, job, most);
    if (there != NULL) {
        *count = list_bits(there->degrees, out, room);
        return LP_OK;
    }
    LpKnownDegrees *known = &context->place->known;
    LpKnownKey key = {context, (uint32_t)job->graph, job->kind, most};
    if (keeps_degrees(context, job) && lp_known_is(known, &key, lp_world_room(world))) {
        *count = known->count;
        memcpy(out, known->degree, (*count < room ? *count : room) * sizeof *out);
        return LP_OK;
    }
    for (uint32_t degree = 1; degree <= most; degree++) {
        if (degree <= servers && published)
            valid = lp_world_degree_masked(world, context, degree);
        else if (degree <= servers)
            LP_TRY(placeable(world, context, job, degree, &valid, diag));
        if (valid && found < room)
            out[found] = degree;
        found += valid;
    }
    if (keeps_degrees(context, job) && found <= room)
        lp_known_keep(known, &key, lp_world_room(world), out, found);
    *count = found;
    return LP_OK;
}

LpErr lp_world_list_degrees(const LpWorld *world, const LpContext *context, uint32_t id,
                            uint32_t *list, LpDiag *diag) {
    uint32_t few[64], *items = few, room = 64;
    const LpJob *job = lp_world_job(world, id);
    *list = LP_NO_INDEX;
    if (job->graph < 0)
        return LP_OK;
    LpBlockDegrees *there = look_up(world, context, job, lp_world_most_degree(context, job, 0));
    if (there != NULL && there->list != LP_NO_INDEX) {
        *list = there->list;
        return LP_OK;
    }
    uint32_t count;
    LP_TRY(lp_world_degrees(world, context, id, 0, few, room, &count, diag));
    LpErr err = LP_OK;
    if (count > room) {
        items = lp_alloc(count, sizeof *items);
        if (items == NULL)
            return lp_fail_memory(diag, "a list of degrees");
        err = lp_world_degrees(world, context, id, 0, items, count, &count, diag);
    }
    if (err == LP_OK)
        err = lp_store_add_list(context, items, count, list, diag);
    if (err == LP_OK && there != NULL)
        there->list = *list;
    if (items != few)
        lp_free(items);
    return err;
}

static void fill_feasible(const LpWorld *world, const LpContext *context, const LpJob *job,
                          const LpPlan *plan, LpForecast *out) {
    const LpPlacement *placement = lp_store_placement(context->store, plan->placement);
    double now = lp_world_now(world), taken, limit;
    out->feasible = true;
    out->jct = plan->jct;
    out->finish = now + lp_plan_left(context, job, plan);
    out->step_time = plan->step_time;
    out->communication = plan->communication;
    out->computation = plan->computation;
    out->exposed = plan->exposed;
    out->ops = plan->ops;
    out->deps = plan->deps;
    out->circuits = plan->circuits;
    out->servers = placement->servers;
    out->server = placement->server;
    out->shape = placement->shape;
    out->ticks = plan->ticks;
    if (lp_plan_misses(now, context, job, plan, &taken, &limit)) {
        out->cause = LP_CAUSE_DEADLINE;
        snprintf(out->why, sizeof out->why, "late by %.6g s", taken - limit);
    }
}

LpErr lp_world_cut_size(const LpWorld *world, const LpContext *base, uint32_t id, uint32_t degree,
                        uint32_t *servers, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpPlan plan;
    LP_TRY(lp_plan_cut(world, context, lp_world_job(world, id), &answer, &plan, diag));
    *servers = plan.partition != LP_NO_INDEX ? plan.partition_degree : 0;
    return LP_OK;
}

LpErr lp_world_outline(const LpWorld *world, const LpContext *base, uint32_t id,
                       const LpAnswer *answer, uint32_t *partition, uint32_t *placement,
                       LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    LpPlan plan;
    LP_TRY(lp_plan_outline(world, context, lp_world_job(world, id), answer, &plan, diag));
    *partition = plan.partition;
    *placement = plan.cause == LP_CAUSE_NONE ? plan.placement : LP_NO_INDEX;
    return LP_OK;
}

LpErr lp_world_predict(const LpWorld *world, const LpContext *base, uint32_t id,
                       const LpAnswer *answer, LpForecast *out, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    const LpJob *job = lp_world_job(world, id);
    LpForecast forecast = {.partition = LP_NO_INDEX, .placement = LP_NO_INDEX, .step = LP_NO_INDEX};
    LpPlan plan;
    LP_TRY(lp_plan_make(world, context, job, answer, false, &plan, diag));
    forecast.degree = plan.degree;
    forecast.partition_degree = plan.partition_degree;
    forecast.cause = plan.cause;
    forecast.partition = plan.partition;
    forecast.placement = plan.placement;
    forecast.step = plan.step;
    forecast.orders = plan.orders;
    forecast.jct = forecast.finish = forecast.step_time = (double)NAN;
    forecast.communication = forecast.computation = forecast.exposed = (double)NAN;
    memcpy(forecast.why, plan.reason, sizeof forecast.why);
    if (plan.cause == LP_CAUSE_NONE)
        fill_feasible(world, context, job, &plan, &forecast);
    *out = forecast;
    return LP_OK;
}
