/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The light that a plan keeps lit. */
#include "run/inspect/light.h"

#include <stdlib.h>

#include "run/session/impl.h"
#include "sim/world.h"

/* A stretch of time during which a circuit between two groups is lit. */
typedef struct Lit {
    uint32_t pair;
    double from, to;
} Lit;

static int compare_lit(const void *a, const void *b) {
    const Lit *x = a, *y = b;
    if (x->pair != y->pair)
        return x->pair < y->pair ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to); /* a total order: sums do not depend on qsort */
}

typedef struct LitList {
    Lit *item;
    size_t count, cap;
} LitList;

static LpErr add_lit(LitList *list, uint32_t pair, double from, double to) {
    void *items = list->item;
    if (!(to > from))
        return LP_OK;
    LP_TRY(lp_grow(&items, &list->cap, list->count + 1, sizeof *list->item));
    list->item = items;
    list->item[list->count++] = (Lit){pair, from, to};
    return LP_OK;
}

static LpErr collect_flows(const LpFabric *f, const LpStepGraph *g, const LpTrace *trace,
                           LitList *list) {
    for (uint32_t t = 0; t < g->transfers; t++) {
        if (!g->flow[t])
            continue;
        uint32_t pair = lp_fabric_group(f, g->src[t]) * f->groups + lp_fabric_group(f, g->dst[t]);
        LP_TRY(add_lit(list, pair, trace->start[g->parts + t], trace->end[g->parts + t]));
    }
    return LP_OK;
}

/* A collective steers every transceiver group of its servers: all pairs of their groups. */
static LpErr collect_collective(const LpFabric *f, const LpStepGraph *g, const LpTrace *trace,
                                uint32_t c, LitList *list) {
    uint32_t task = g->parts + g->transfers + c;
    uint32_t begin = g->member_begin[c], end = g->member_begin[c + 1];
    for (uint32_t i = begin; i < end; i++) {
        uint32_t from = lp_fabric_group(f, g->server_id[g->member[i]]);
        for (uint32_t k = begin; k < end; k++) {
            uint32_t to = lp_fabric_group(f, g->server_id[g->member[k]]);
            if (i != k)
                LP_TRY(add_lit(list, from * f->groups + to, trace->start[task], trace->end[task]));
        }
    }
    return LP_OK;
}

/* Length of the union of the stretches of each pair, over the length of the step. */
static void unite(LitList *list, double step, double *share) {
    double reached = 0;
    if (list->count > 1)
        qsort(list->item, list->count, sizeof *list->item, compare_lit);
    for (size_t i = 0; i < list->count; i++) {
        const Lit *lit = &list->item[i];
        if (i == 0 || lit->pair != list->item[i - 1].pair)
            reached = lit->from;
        double from = lit->from > reached ? lit->from : reached;
        if (lit->to > from)
            share[lit->pair] += (lit->to - from) / step;
        if (lit->to > reached)
            reached = lit->to;
    }
}

/* A job's plan, or one that is only forecast. */
typedef struct Plan {
    const LpContext *context;
    uint32_t partition, placement, step;
    LpOrders orders;
} Plan;

static LpErr light_of(const Plan *plan, double *share) {
    const LpContext *context = plan->context;
    const LpFabric *f = &context->fabric;
    LpStepGraph g;
    LpTrace trace;
    LitList list = {0};
    LP_TRY(
        lp_store_trace(context, plan->partition, plan->placement, plan->orders, &g, &trace, NULL));
    double step = 0;
    for (uint32_t t = 0; t < trace.tasks; t++)
        if (trace.end[t] > step)
            step = trace.end[t];
    LpErr err = collect_flows(f, &g, &trace, &list);
    for (uint32_t c = 0; err == LP_OK && c < g.collectives; c++)
        err = collect_collective(f, &g, &trace, c, &list);
    if (err == LP_OK && step > 0)
        unite(&list, step, share);
    lp_free(list.item);
    lp_trace_fini(&trace);
    return err;
}

/* The step's number stands for the scales of the network, its circuits and the orders that the plan
 * was made with; but under the published rules it may be that of another plan (option cache). */
static bool same_plan(const LpLight *light, const Plan *plan) {
    return light->step == plan->step && light->partition == plan->partition &&
           light->placement == plan->placement && light->orders.ops == plan->orders.ops &&
           light->orders.flows == plan->orders.flows;
}

static const LpLight *find_light(const LpSession *s, const Plan *plan) {
    for (size_t i = s->lights; i-- > 0;) /* running jobs are among the latest */
        if (same_plan(&s->light[i], plan))
            return &s->light[i];
    return NULL;
}

static const LpLight *make_light(LpSession *s, const Plan *plan) {
    size_t groups = s->context->fabric.groups;
    void *items = s->light;
    if (lp_grow(&items, &s->lights_cap, s->lights + 1, sizeof *s->light) != LP_OK)
        return NULL;
    s->light = items;
    double *share = lp_alloc(groups * groups, sizeof *share);
    if (share == NULL)
        return NULL;
    if (light_of(plan, share) != LP_OK) {
        lp_free(share);
        return NULL;
    }
    s->light[s->lights] =
        (LpLight){plan->partition, plan->placement, plan->step, plan->orders, share};
    return &s->light[s->lights++];
}

const double *lp_session_light(LpSession *s, uint32_t id, uint32_t *groups) {
    const LpJob *job = lp_world_job(s->world, id);
    Plan plan = {lp_job_context(job, s->context), job->partition, job->placement, job->step,
                 job->orders};
    *groups = s->context->fabric.groups;
    if (job->partition == LP_NO_INDEX || job->placement == LP_NO_INDEX || job->circuits == 0)
        return NULL;
    const LpLight *light = find_light(s, &plan);
    if (light == NULL)
        light = make_light(s, &plan);
    return light != NULL ? light->share : NULL;
}

const double *lp_session_light_ahead(LpSession *s, const LpForecast *forecast, uint32_t *groups) {
    Plan plan = {lp_world_context(s->world, s->context), forecast->partition, forecast->placement,
                 forecast->step, forecast->orders};
    *groups = s->context->fabric.groups;
    if (!forecast->feasible || forecast->partition == LP_NO_INDEX ||
        forecast->placement == LP_NO_INDEX || forecast->circuits == 0)
        return NULL;
    const LpLight *light = find_light(s, &plan);
    if (light == NULL)
        light = make_light(s, &plan);
    return light != NULL ? light->share : NULL;
}
