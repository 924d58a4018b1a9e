/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What worlds of one scenario share. */
#include "sim/context.h"

#include <math.h>

#include "base/num.h"
#include "sim/light/circuits_impl.h"
#include "sim/scales.h"
#include "sim/sharing/sharing.h"
#include "sim/store/impl.h"

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

/* Where flows do not occupy light paths (published, or a fabric that shares nothing) every ordered
 * pair of servers has its own channels. */
void lp_context_set_light(LpContext *context) {
    LpFabric *f = &context->fabric;
    const LpScenario *scenario = context->scenario;
    double pairs = (double)f->servers * (f->servers - 1.0);
    bool published = lp_published(&scenario->options, LP_OPT_CIRCUITS);
    if (f->tx_ports == 0)
        f->light_capacity = pairs;
    else if (published)
        f->light_capacity = pairs * f->channels;
}

static LpErr build(LpContext *context, LpDiag *diag) {
    const LpScenario *scenario = context->scenario;
    lp_fabric_init(&context->fabric, &scenario->cluster);
    lp_context_set_light(context);
    context->facts = lp_alloc(scenario->graphs, sizeof *context->facts);
    context->store = lp_store_new();
    context->scratch = lp_step_scratch_new();
    context->scaled = lp_scale_table_new(context);
    if (context->scaled == NULL || context->facts == NULL || context->store == NULL ||
        context->scratch == NULL)
        return LP_ENOMEM;
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        sum_graph(scenario->graph[g], &context->facts[g]);
        context->facts[g].demand =
            demand_of(scenario->graph[g], &scenario->options, &context->facts[g]);
    }
    if (context->fabric.network != NULL && (context->sharing = lp_sharing_new()) == NULL)
        return LP_ENOMEM;
    LP_TRY(lp_circuits_new(context, diag));
    LP_TRY(set_speeds(context));
    return lp_store_prepare(context->store, context);
}

LpErr lp_context_new(const LpScenario *scenario, LpContext **out, LpDiag *diag) {
    LpContext *context = lp_alloc(1, sizeof *context);
    if (context == NULL)
        return lp_fail_memory(diag, "the context of a scenario");
    context->scenario = scenario;
    context->max_memory = (double)INFINITY;
    if (build(context, diag) != LP_OK) {
        lp_context_free(context);
        return lp_fail_memory(diag, "the context of a scenario");
    }
    *out = context;
    return LP_OK;
}

void lp_context_free(LpContext *context) {
    if (context == NULL)
        return;
    lp_scale_table_free(context->scaled);
    lp_store_free(context->store);
    lp_step_scratch_free(context->scratch);
    lp_sharing_free(context->sharing);
    lp_circuits_free(context->circuits);
    lp_free(context->facts);
    lp_free(context->speed);
    lp_free(context);
}

LpErr lp_context_allow(const LpContext *context, const char *what, double bytes, LpDiag *diag) {
    char need[LP_NUM_TEXT], limit[LP_NUM_TEXT];
    if (bytes <= context->max_memory)
        return LP_OK;
    return lp_fail(diag, LP_EMEMLIMIT, "%s needs %s, the limit is %s (--max-memory)", what,
                   lp_quantity_print(bytes, LP_DIM_BYTES, need, sizeof need),
                   lp_quantity_print(context->max_memory, LP_DIM_BYTES, limit, sizeof limit));
}
