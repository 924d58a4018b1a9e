/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of transformers as partitions, and which of them a degree means: docs/parallel.md, "Jobs";
 * recorded steps as partitions: model/split/recorded.h. */
#include "model/ranks/step_trace.h"
#include "model/split/recorded.h"
#include "sim/parallel/rail_light.h"
#include "sim/store/store_impl.h"

/* ---- which plan ---- */

double lp_store_most_memory(const LpContext *context) {
    const LpCluster *cluster = &context->scenario->cluster;
    double most = 0;
    for (uint32_t t = 0; t < cluster->types; t++)
        if (cluster->type[t].memory > most)
            most = cluster->type[t].memory;
    return most;
}

/* A step with all its turns is so long, and so empty. */
static LpErr add_turns(const LpSplit *split, const LpParallel *plan, LpParallelStep *step,
                       LpDiag *diag) {
    LpRailLight light;
    if (!lp_split_turns(split, plan))
        return LP_OK;
    LP_TRY(lp_light_make(&split->model, plan, &split->machine, &split->turning, &light, diag));
    LpLightStep turning = lp_light_run(&light);
    step->step_time = turning.with.time;
    step->bubble = turning.bubble;
    lp_light_fini(&light);
    return LP_OK;
}

LpErr lp_store_step_alone(const LpSplit *split, const LpParallel *plan, LpParallelStep *out,
                          LpDiag *diag) {
    LpParallelStep step;
    LP_TRY(lp_parallel_step(&split->model, plan, &split->machine, &step, diag));
    LP_TRY(add_turns(split, plan, &step, diag));
    *out = step;
    return LP_OK;
}

LpErr lp_store_plan_alone(const LpContext *context, uint32_t graph, uint32_t plan,
                          const LpParallelStep **out, LpDiag *diag) {
    LpStore *store = context->store;
    const LpSplit *split = context->scenario->graph[graph]->split;
    LpParallelStep **known = &store->plan_step[graph];
    if (*known == NULL &&
        (*known = lp_arena_alloc(store->arena, split->plans, sizeof **known)) == NULL)
        return lp_fail_memory(diag, "the plans of a graph");
    if (!((*known)[plan].step_time > 0)) {
        LpParallelStep step;
        LP_TRY(lp_store_step_alone(split, &split->plan[plan], &step, diag));
        (*known)[plan] = step;
    }
    *out = &(*known)[plan];
    return LP_OK;
}

static LpErr no_plan(const LpGraph *graph, uint32_t degree, LpDiag *diag) {
    const LpSplit *s = graph->split;
    char text[LP_PARALLEL_TEXT];
    uint32_t least = 0;
    for (uint32_t i = 1; i < s->plans; i++)
        if (lp_parallel_devices(&s->plan[i]) < lp_parallel_devices(&s->plan[least]))
            least = i;
    return lp_fail(
        diag, LP_EREFUSED, "graph %s has no plan for %u server%s: the smallest needs %u (%s)",
        graph->id, (unsigned)degree, degree == 1 ? "" : "s",
        (unsigned)lp_parallel_devices(&s->plan[least]), lp_parallel_print(&s->plan[least], text));
}

LpErr lp_store_choose_plan(const LpContext *context, uint32_t graph, uint32_t degree,
                           const LpParallel **out, LpDiag *diag) {
    const LpGraph *g = context->scenario->graph[graph];
    double memory = lp_store_most_memory(context), best_time = 0;
    uint32_t best = LP_NO_INDEX, best_servers = 0;
    bool best_fits = false;
    for (uint32_t i = 0; i < g->split->plans; i++) {
        const LpParallelStep *step;
        uint32_t servers = lp_parallel_devices(&g->split->plan[i]);
        if (servers > degree)
            continue;
        LP_TRY(lp_store_plan_alone(context, graph, i, &step, diag));
        bool fits = step->held_bytes <= memory;
        bool better = fits != best_fits         ? fits
                      : servers != best_servers ? servers > best_servers
                                                : step->step_time < best_time;
        if (best != LP_NO_INDEX && !better)
            continue;
        best = i;
        best_servers = servers;
        best_time = step->step_time;
        best_fits = fits;
    }
    if (best == LP_NO_INDEX)
        return no_plan(g, degree, diag);
    *out = &g->split->plan[best];
    return LP_OK;
}

/* ---- partitions ---- */

enum {
    PLAN_MARK = 0x706c616e,
    TRACE_MARK = 0x74726163,
    BYTES_PER_PART = 400,
    BYTES_PER_NODE = 400
};

LpErr lp_store_add_plan(const LpContext *context, uint32_t graph, const LpParallel *plan,
                        uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    LpCut cut = lp_context_cut(context, graph, LP_PARTITION_MODEL);
    uint32_t key[2 + LP_PARALLEL_NUMBERS] = {graph, PLAN_MARK};
    lp_parallel_numbers(plan, key + 2);
    uint64_t hash;
    LpPartition *partition;
    *index = lp_intern_find(&store->partition_key, key, sizeof key, &hash);
    if (*index != LP_NO_INDEX)
        return LP_OK;
    LP_TRY(lp_split_check(cut.graph, plan, diag));
    LP_TRY(lp_context_allow(
        context, "the parts of so large a plan",
        2.0 * cut.graph->ops * plan->tensor * lp_parallel_replicas(plan) * BYTES_PER_PART, diag));
    LP_TRY(lp_split_partition(&cut, plan, &partition, diag));
    if (lp_store_keep_partition(context, partition, key, sizeof key, hash, index) != LP_OK) {
        lp_partition_free(partition);
        return lp_fail_memory(diag, "a partition");
    }
    return LP_OK;
}

static double nodes_of(const LpStepTrace *trace) {
    double nodes = 0;
    for (uint32_t r = 0; r < trace->ranks; r++)
        nodes += trace->rank[r].nodes;
    return nodes;
}

LpErr lp_store_add_recorded(const LpContext *context, uint32_t graph, uint32_t *index,
                            LpDiag *diag) {
    LpStore *store = context->store;
    LpCut cut = lp_context_cut(context, graph, LP_PARTITION_MODEL);
    const uint32_t key[] = {graph, TRACE_MARK};
    uint64_t hash;
    LpPartition *partition;
    *index = lp_intern_find(&store->partition_key, key, sizeof key, &hash);
    if (*index != LP_NO_INDEX)
        return LP_OK;
    LP_TRY(lp_context_allow(context, "the step of so many nodes",
                            nodes_of(cut.graph->trace) * BYTES_PER_NODE, diag));
    LP_TRY(lp_recorded_partition(&cut, &partition, diag));
    if (lp_store_keep_partition(context, partition, key, sizeof key, hash, index) != LP_OK) {
        lp_partition_free(partition);
        return lp_fail_memory(diag, "a partition");
    }
    return LP_OK;
}
