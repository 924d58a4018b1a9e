/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The light that a plan keeps lit. */
#include "ask/inspect/inspect_light.h"

#include <stdlib.h>

#include "base/hash.h"
#include "session/session_impl.h"
#include "sim/forecast.h"
#include "sim/world.h"

/* A stretch of time during which a circuit between two groups, a transmitter, or a path between
 * two servers is lit: from a group or a server, times the number of groups or servers, plus the one
 * that it goes to. */
typedef struct Lit {
    uint64_t pair;
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

static LpErr add_lit(LitList *list, uint64_t pair, double from, double to) {
    void *items = list->item;
    if (!(to > from))
        return LP_OK;
    LP_TRY(lp_grow(&items, &list->cap, list->count + 1, sizeof *list->item));
    list->item = items;
    list->item[list->count++] = (Lit){pair, from, to};
    return LP_OK;
}

/* What is lit, by groups, by transmitters and by paths. */
typedef struct Lists {
    LitList groups, servers, paths;
} Lists;

static LpErr add_path(const LpFabric *f, uint32_t src, uint32_t dst, double from, double to,
                      Lists *lists) {
    uint32_t column = lp_fabric_group(f, dst);
    LP_TRY(
        add_lit(&lists->groups, (uint64_t)lp_fabric_group(f, src) * f->groups + column, from, to));
    LP_TRY(add_lit(&lists->servers, (uint64_t)src * f->groups + column, from, to));
    return add_lit(&lists->paths, (uint64_t)src * f->servers + dst, from, to);
}

static LpErr collect_flows(const LpFabric *f, const LpStepGraph *g, const LpTrace *trace,
                           Lists *lists) {
    for (uint32_t t = 0; t < g->transfers; t++)
        if (g->flow[t])
            LP_TRY(add_path(f, g->src[t], g->dst[t], trace->start[g->parts + t],
                            trace->end[g->parts + t], lists));
    return LP_OK;
}

/* A collective steers every transceiver group of its servers: all pairs of their groups. */
static LpErr collect_collective(const LpFabric *f, const LpStepGraph *g, const LpTrace *trace,
                                uint32_t c, Lists *lists) {
    uint32_t task = g->parts + g->transfers + c;
    uint32_t begin = g->member_begin[c], end = g->member_begin[c + 1];
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t k = begin; k < end; k++)
            if (i != k)
                LP_TRY(add_path(f, g->server_id[g->member[i]], g->server_id[g->member[k]],
                                trace->start[task], trace->end[task], lists));
    return LP_OK;
}

/* What the stretches of one pair come to. */
typedef struct Union {
    uint64_t pair;
    double share, first; /* length of the union over the length of the step; where it begins */
} Union;

/* One of each pair, ascending, in place of the list; returns how many. */
static size_t unite(LitList *list, double step, Union *out) {
    double reached = 0;
    size_t count = 0;
    if (list->count > 1)
        qsort(list->item, list->count, sizeof *list->item, compare_lit);
    for (size_t i = 0; i < list->count; i++) {
        const Lit *lit = &list->item[i];
        if (i == 0 || lit->pair != list->item[i - 1].pair) {
            out[count++] = (Union){lit->pair, 0.0, lit->from};
            reached = lit->from;
        }
        double from = lit->from > reached ? lit->from : reached;
        if (lit->to > from)
            out[count - 1].share += (lit->to - from) / step;
        if (lit->to > reached)
            reached = lit->to;
    }
    return count;
}

/* A job's plan, or one that is only forecast. */
typedef struct Plan {
    const LpContext *context;
    uint32_t partition, placement, step;
    LpOrders orders;
} Plan;

/* Shares by pair of groups, the transmitters that send at all, and their paths. */
static LpErr sum_up(const LpFabric *f, Lists *lists, double step, LpSessionLight *light) {
    size_t most = lists->paths.count; /* each of the lists is as long */
    Union *all = lp_alloc(most + 1, sizeof *all);
    light->tx = lp_alloc(most + 1, sizeof *light->tx);
    light->path = lp_alloc(most + 1, sizeof *light->path);
    if (all == NULL || light->tx == NULL || light->path == NULL) {
        lp_free(all);
        return LP_ENOMEM;
    }
    size_t count = unite(&lists->groups, step, all);
    for (size_t i = 0; i < count; i++)
        light->share[all[i].pair] = all[i].share;
    count = unite(&lists->servers, step, all);
    for (size_t i = 0; i < count; i++)
        light->tx[light->txs++] =
            (LpTransmitter){(uint32_t)(all[i].pair / f->groups),
                            (uint32_t)(all[i].pair % f->groups), all[i].share, all[i].first};
    count = unite(&lists->paths, step, all);
    for (size_t i = 0; i < count; i++)
        light->path[light->paths++] = (LpPath){(uint32_t)(all[i].pair / f->servers),
                                               (uint32_t)(all[i].pair % f->servers), all[i].share};
    lp_free(all);
    return LP_OK;
}

static LpErr light_of(const Plan *plan, LpSessionLight *light) {
    const LpContext *context = plan->context;
    const LpFabric *f = &context->fabric;
    LpStepGraph g;
    LpTrace trace;
    Lists lists = {0};
    LP_TRY(
        lp_store_trace(context, plan->partition, plan->placement, plan->orders, &g, &trace, NULL));
    double step = 0;
    for (uint32_t t = 0; t < trace.tasks; t++)
        if (trace.end[t] > step)
            step = trace.end[t];
    LpErr err = collect_flows(f, &g, &trace, &lists);
    for (uint32_t c = 0; err == LP_OK && c < g.collectives; c++)
        err = collect_collective(f, &g, &trace, c, &lists);
    if (err == LP_OK && step > 0)
        err = sum_up(f, &lists, step, light);
    lp_free(lists.groups.item);
    lp_free(lists.servers.item);
    lp_free(lists.paths.item);
    lp_trace_fini(&trace);
    return err;
}

/* The step's number stands for the scales of the network, its circuits and the orders that the plan
 * was made with; but under the published rules it may be that of another plan (option cache). */
static bool same_plan(const LpSessionLight *light, const Plan *plan) {
    return light->step == plan->step && light->partition == plan->partition &&
           light->placement == plan->placement && light->orders.ops == plan->orders.ops &&
           light->orders.flows == plan->orders.flows;
}

static uint64_t hash_of(uint32_t partition, uint32_t placement, uint32_t step, LpOrders orders) {
    uint64_t hash = lp_hash_u64(LP_HASH_INIT, (uint64_t)partition << 32 | placement);
    hash = lp_hash_u64(hash, step);
    return lp_hash_u64(hash, (uint64_t)orders.ops << 32 | orders.flows);
}

/* Thousands of jobs run at once, and each asks in every frame. */
static const LpSessionLight *find_light(const LpSession *s, const Plan *plan) {
    if (s->light_slots == 0)
        return NULL;
    size_t mask = s->light_slots - 1;
    size_t at = (size_t)hash_of(plan->partition, plan->placement, plan->step, plan->orders) & mask;
    for (; s->light_at[at] != 0; at = (at + 1) & mask)
        if (same_plan(&s->light[s->light_at[at] - 1], plan))
            return &s->light[s->light_at[at] - 1];
    return NULL;
}

static void enter(LpSession *s, uint32_t index) {
    const LpSessionLight *light = &s->light[index];
    size_t mask = s->light_slots - 1;
    size_t at =
        (size_t)hash_of(light->partition, light->placement, light->step, light->orders) & mask;
    while (s->light_at[at] != 0)
        at = (at + 1) & mask;
    s->light_at[at] = index + 1;
}

/* Room for one more, so that half of the slots at least stay empty. */
static LpErr reserve_slot(LpSession *s) {
    enum { LEAST = 64 };
    if (2 * (s->lights + 1) <= s->light_slots)
        return LP_OK;
    size_t slots = s->light_slots ? 2 * s->light_slots : LEAST;
    uint32_t *at = lp_alloc(slots, sizeof *at);
    if (at == NULL)
        return LP_ENOMEM;
    lp_free(s->light_at);
    s->light_at = at;
    s->light_slots = slots;
    for (size_t i = 0; i < s->lights; i++)
        enter(s, (uint32_t)i);
    return LP_OK;
}

static const LpSessionLight *make_light(LpSession *s, const Plan *plan) {
    size_t groups = s->context->fabric.groups;
    void *items = s->light;
    if (lp_grow(&items, &s->lights_cap, s->lights + 1, sizeof *s->light) != LP_OK)
        return NULL;
    s->light = items;
    if (reserve_slot(s) != LP_OK)
        return NULL;
    LpSessionLight light = {
        plan->partition, plan->placement, plan->step, plan->orders, NULL, NULL, NULL, 0, 0};
    light.share = lp_alloc(groups * groups, sizeof *light.share);
    if (light.share == NULL)
        return NULL;
    if (light_of(plan, &light) != LP_OK) {
        lp_free(light.share);
        lp_free(light.tx);
        lp_free(light.path);
        return NULL;
    }
    s->light[s->lights] = light;
    enter(s, (uint32_t)s->lights);
    return &s->light[s->lights++];
}

static const LpSessionLight *light_for(LpSession *s, const Plan *plan) {
    const LpSessionLight *light = find_light(s, plan);
    return light != NULL ? light : make_light(s, plan);
}

static const LpSessionLight *light_of_job(LpSession *s, const LpWorld *world, uint32_t id) {
    const LpJob *job = lp_world_job(world, id);
    Plan plan = {lp_job_context(job, s->context), job->placed.partition, job->placed.placement,
                 job->placed.step, job->placed.orders};
    if (job->placed.partition == LP_NO_INDEX || job->placed.placement == LP_NO_INDEX ||
        job->placed.circuits == 0)
        return NULL;
    return light_for(s, &plan);
}

static const LpSessionLight *light_ahead(LpSession *s, const LpForecast *forecast) {
    Plan plan = {lp_world_context(s->world, s->context), forecast->partition, forecast->placement,
                 forecast->step, forecast->orders};
    if (!forecast->feasible || forecast->partition == LP_NO_INDEX ||
        forecast->placement == LP_NO_INDEX || forecast->circuits == 0)
        return NULL;
    return light_for(s, &plan);
}

static LpPlanLight shown(const LpSession *s, const LpSessionLight *light) {
    if (light == NULL)
        return (LpPlanLight){.groups = s->context->fabric.groups};
    return (LpPlanLight){light->share, light->tx,   light->path, s->context->fabric.groups,
                         light->txs,   light->paths};
}

LpPlanLight lp_session_light_in(LpSession *s, const LpWorld *world, uint32_t id) {
    return shown(s, light_of_job(s, world, id));
}

LpPlanLight lp_session_light(LpSession *s, uint32_t id) {
    return lp_session_light_in(s, s->world, id);
}

LpPlanLight lp_session_light_ahead(LpSession *s, const LpForecast *forecast) {
    return shown(s, light_ahead(s, forecast));
}
