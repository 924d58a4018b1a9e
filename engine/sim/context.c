/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What worlds of one scenario share is put together: facts about the graphs, and what the rooms
 * keep in a context. */
#include "sim/context.h"

#include <math.h>

#include "base/debug_log.h"
#include "base/num.h"
#include "sim/light/circuits_impl.h"
#include "sim/outages.h"
#include "sim/place/place.h"
#include "sim/sharing/sharing.h"
#include "sim/store/family.h"
#include "sim/store/store_impl.h"

/* Sums in the reference's order (semantics 1.3): nodes forward then backward, edges by node order.
 * Backward edges and the join are listed after the forward ones of their tail. */
static void sum_graph(const LpGraph *graph, LpGraphFacts *facts) {
    uint32_t n = graph->ops, last = graph->by_number[n];
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < n; i++) {
            const LpOp *op = &graph->op[i];
            facts->sequential_time += pass == 0 ? op->forward : op->backward;
            facts->memory_sum += op->activation + op->parameters;
        }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = graph->succ_begin[i]; e < graph->succ_begin[i + 1]; e++)
            facts->dep_sum += graph->op[i].activation;
        if (i == last)
            facts->dep_sum += graph->op[i].activation;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = graph->pred_begin[i]; e < graph->pred_begin[i + 1]; e++)
            facts->dep_sum += graph->op[i].activation;
    facts->edges = 2.0 * graph->edges + 1;
}

/* Corrected: a dependency carries its tensor there and the gradient back; a join carries nothing.
 */
static double demand_of(const LpGraph *graph, const LpOptions *options, const LpGraphFacts *facts) {
    uint32_t last = graph->by_number[graph->ops];
    double bytes = facts->dep_sum;
    if (lp_published(options, LP_OPT_EDGE_SIZE))
        return facts->memory_sum + bytes;
    bytes = lp_published(options, LP_OPT_GRAPH_JOIN) ? graph->op[last].activation : 0;
    for (uint32_t e = 0; e < graph->edges; e++)
        bytes += 2 * graph->op[graph->edge_src[e]].activation;
    return facts->memory_sum + bytes;
}

static LpErr set_speeds(LpContext *context) {
    const LpCluster *cluster = &context->scenario->cluster;
    bool equal = true;
    for (uint32_t t = 0; t < cluster->types; t++)
        equal = equal && cluster->type[t].speed == 1;
    if (equal)
        return LP_OK;
    context->speed = lp_alloc(cluster->types, sizeof *context->speed);
    if (context->speed == NULL)
        return LP_ENOMEM;
    for (uint32_t t = 0; t < cluster->types; t++)
        context->speed[t] = cluster->type[t].speed;
    return LP_OK;
}

static LpErr build(LpContext *context, LpDiag *diag) {
    const LpScenario *scenario = context->scenario;
    lp_fabric_init(&context->fabric,
                   scenario->scaled != NULL ? scenario->scaled : &scenario->cluster);
    lp_context_set_light(context);
    context->facts = lp_alloc(scenario->graphs, sizeof *context->facts);
    context->store = lp_store_new();
    context->scratch = lp_step_scratch_new();
    context->place = lp_place_scratch_new(context);
    context->family = lp_family_new(context);
    if (context->family == NULL || context->place == NULL || context->facts == NULL ||
        context->store == NULL || context->scratch == NULL)
        return LP_ENOMEM;
    *context->max_memory = (double)INFINITY;
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        sum_graph(scenario->graph[g], &context->facts[g]);
        context->facts[g].demand =
            demand_of(scenario->graph[g], &scenario->options, &context->facts[g]);
    }
    if (context->fabric.network != NULL && (context->sharing = lp_sharing_new()) == NULL)
        return LP_ENOMEM;
    LP_TRY(set_speeds(context));
    LP_TRY(lp_outages_new(context));
    LP_TRY(lp_circuits_new(context, diag)); /* last: it copies the context */
    return lp_store_prepare(context->store, context);
}

LpErr lp_context_new(const LpScenario *scenario, LpContext **out, LpDiag *diag) {
    LpContext *context = lp_alloc(1, sizeof *context);
    if (context == NULL)
        return lp_fail_memory(diag, "the context of a scenario");
    context->scenario = scenario;
    if (build(context, diag) != LP_OK) {
        lp_context_free(context);
        return lp_fail_memory(diag, "the context of a scenario");
    }
    *out = context;
    return LP_OK;
}

void lp_context_log(LpContext *context, const LpDebugLog *log) {
    *context->log = log != NULL ? *log : (LpDebugLog){0};
}

void lp_context_share(LpContext *context) {
    context->sharers++;
}

void lp_context_free(LpContext *context) {
    if (context == NULL)
        return;
    if (context->sharers > 0) {
        context->sharers--;
        return;
    }
    lp_family_free(context->family);
    lp_store_free(context->store);
    lp_step_scratch_free(context->scratch);
    lp_place_scratch_free(context->place);
    lp_sharing_free(context->sharing);
    lp_circuits_free(context->circuits);
    lp_outages_free(context->outages);
    lp_free(context->facts);
    lp_free(context->speed);
    lp_free(context);
}

/* ---- other speeds ---- */

LpErr lp_context_scale(const LpContext *context, const LpScales *scales, uint32_t *number,
                       LpDiag *diag) {
    LpFamily *t = context->family;
    LpContext *made;
    uint32_t found = lp_family_find(t, scales);
    if (found != LP_NO_INDEX) {
        *number = found;
        return LP_OK;
    }
    LP_TRY(lp_family_make(t, scales, &made, diag));
    LpErr err = lp_circuits_scale(made, diag);
    if (err == LP_OK && lp_family_add(t, scales, made) != LP_OK)
        err = lp_fail_memory(diag, "a network of another speed");
    if (err == LP_OK)
        *number = made->scales;
    else
        lp_free(made);
    return err;
}

/* ---- twins ---- */

/* All scalings of another context of the same scenario, under the same numbers, in a fresh one. */
static LpErr scale_again(const LpContext *fresh, const LpContext *from, LpDiag *diag) {
    for (uint32_t i = 1; i < lp_family_count(from->family); i++) {
        uint32_t number;
        LP_TRY(lp_context_scale(fresh, lp_family_scales(from->family, i), &number, diag));
    }
    return LP_OK;
}

/* Scales first: making them adds networks, which those of `from` then replace. */
static LpErr build_twin(LpContext *twin, const LpContext *from, LpDiag *diag) {
    LP_TRY(scale_again(twin, from, diag));
    if (lp_store_share(twin->store, from->store) != LP_OK ||
        lp_circuits_share(twin, from) != LP_OK ||
        lp_sharing_reserve(twin->sharing, from->sharing) != LP_OK)
        return lp_fail_memory(diag, "the twin of a context");
    return LP_OK;
}

LpErr lp_context_twin(const LpContext *from, LpContext **out, LpDiag *diag) {
    LpContext *twin;
    from = lp_context_at(from, 0);
    LP_TRY(lp_context_new(from->scenario, &twin, diag));
    *twin->max_memory = *from->max_memory;
    LpErr err = build_twin(twin, from, diag);
    if (err == LP_OK)
        *out = twin;
    else
        lp_context_free(twin);
    return err;
}
