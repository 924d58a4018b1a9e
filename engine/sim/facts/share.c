/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finish-time fairness: what a job would take alone with its equal share of the cluster (Themis,
 * NSDI 2020). */
#include <math.h>

#include "base/mem.h"
#include "model/scenario.h"
#include "model/split/split.h"
#include "sim/facts/standing.h"
#include "sim/forecast.h"
#include "sim/place/slice.h"

/* The shortest step of a graph's jobs, by how many servers it may take. */
typedef struct Steps {
    double *within;  /* [servers], s; INFINITY: it fits on none so small. NULL: not known yet */
    uint32_t least;  /* servers of the smallest way that fits */
    double smallest; /* s, its step */
} Steps;

typedef struct Sharing {
    const LpContext *context;
    uint32_t servers;
    Steps *steps;   /* by graph */
    uint32_t *most; /* by graph: servers of the largest share that one of its jobs has */
    LpDiag *diag;
} Sharing;

/* ---- steps on an empty cluster ---- */

/* The servers that each way of a job takes; 0 where it cannot be taken. */
static LpErr sizes_of(const Sharing *s, const LpWorld *world, int32_t graph, uint32_t **out,
                      uint32_t *count) {
    LpPlanChoice plan[LP_SPLIT_PLANS];
    uint32_t ways = lp_context_ways(s->context);
    bool planned = lp_context_planned(s->context, graph);
    if (planned)
        LP_TRY(lp_world_plans(world, s->context, 0, plan, LP_SPLIT_PLANS, &ways, s->diag));
    uint32_t *size = lp_alloc((size_t)ways + 1, sizeof *size);
    LpErr err = size != NULL ? LP_OK : lp_fail_memory(s->diag, "shares of the cluster");
    for (uint32_t w = 0; err == LP_OK && w < ways; w++) {
        if (planned)
            size[w] = plan[w].fits ? plan[w].servers : 0;
        else
            err = lp_world_cut_size(world, s->context, 0, w + 1, &size[w], s->diag);
    }
    if (err == LP_OK) {
        *out = size;
        *count = ways;
    } else {
        lp_free(size);
    }
    return err;
}

/* Looks at ways up to the largest share, and beyond it until one fits. */
static LpErr try_ways(Sharing *s, const LpWorld *world, Steps *steps, const uint32_t *size,
                      uint32_t ways, uint32_t most) {
    for (uint32_t w = 0; w < ways; w++) {
        LpGlance glance;
        uint32_t way = w + 1;
        if (size[w] == 0 || (size[w] > most && steps->least > 0))
            continue;
        LP_TRY(lp_world_glances(world, s->context, 0, &way, 1, &glance, s->diag));
        if (!glance.feasible)
            continue;
        if (steps->least == 0 || glance.servers < steps->least) {
            steps->least = glance.servers;
            steps->smallest = glance.jct;
        }
        if (glance.servers <= s->servers && glance.jct < steps->within[glance.servers])
            steps->within[glance.servers] = glance.jct;
    }
    for (uint32_t n = 1; n <= s->servers; n++)
        if (steps->within[n - 1] < steps->within[n])
            steps->within[n] = steps->within[n - 1];
    return LP_OK;
}

static LpErr find_steps(Sharing *s, const LpJob *job) {
    Steps steps = {.within = lp_alloc((size_t)s->servers + 1, sizeof *steps.within)};
    uint32_t *size = NULL, ways = 0;
    LpWorld *world = NULL;
    if (steps.within == NULL)
        return lp_fail_memory(s->diag, "shares of the cluster");
    for (uint32_t n = 0; n <= s->servers; n++)
        steps.within[n] = (double)INFINITY;
    LpErr err = lp_world_lone(s->context, job, &world, s->diag);
    if (err == LP_OK)
        err = sizes_of(s, world, job->graph, &size, &ways);
    if (err == LP_OK)
        err = try_ways(s, world, &steps, size, ways, s->most[job->graph]);
    lp_free(size);
    lp_world_free(world);
    if (err == LP_OK)
        s->steps[job->graph] = steps;
    else
        lp_free(steps.within);
    return err;
}

/* ---- shares ---- */

/* Jobs that were in the system while it was, itself included, on average. */
static double company(const LpStand *job) {
    double time = job->left - job->arrival, mean = job->crowd / time;
    return mean > 1 ? mean : 1;
}

/* What only rounding keeps from a whole number of servers is that number. */
static uint32_t share_of(const Sharing *s, const LpStand *job) {
    double share = floor(s->servers / company(job) * (1 + 1e-9));
    return share > 1 ? (uint32_t)share : 1;
}

static bool is_split(const LpContext *context, const LpJob *job) {
    return job->graph >= 0 && lp_job_slice(context, job) == NULL;
}

static void find_most(Sharing *s, const LpWorld *world, const LpStanding *standing) {
    for (uint32_t i = 0; i < standing->jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->outcome != LP_JOB_COMPLETED || !is_split(s->context, job))
            continue;
        uint32_t share = share_of(s, &standing->job[i]);
        if (share > s->most[job->graph])
            s->most[job->graph] = share;
    }
}

/* s, with its share to itself. */
static LpErr with_share(Sharing *s, const LpJob *job, const LpStand *stand, double *out) {
    const LpSlice *slice = lp_job_slice(s->context, job);
    if (!is_split(s->context, job)) {
        double servers = slice != NULL ? slice->accelerators : job->asked.rigid_servers;
        double wider = servers * company(stand) / s->servers;
        *out = stand->alone * (wider > 1 ? wider : 1);
        return LP_OK;
    }
    if (s->steps[job->graph].within == NULL)
        LP_TRY(find_steps(s, job));
    const Steps *steps = &s->steps[job->graph];
    uint32_t share = share_of(s, stand);
    double step = steps->within[share];
    if (isinf(step))
        step = steps->least > 0 ? steps->smallest * steps->least / share : (double)NAN;
    *out = step * job->asked.steps;
    return LP_OK;
}

LpErr lp_standing_share(const LpWorld *world, const LpContext *context, LpStanding *standing,
                        LpDiag *diag) {
    uint32_t graphs = context->scenario->graphs;
    Sharing s = {.context = context,
                 .servers = context->fabric.servers,
                 .steps = lp_alloc((size_t)graphs + 1, sizeof *s.steps),
                 .most = lp_alloc((size_t)graphs + 1, sizeof *s.most),
                 .diag = diag};
    LpErr err = LP_OK;
    if (s.steps == NULL || s.most == NULL)
        err = lp_fail_memory(diag, "shares of the cluster");
    else
        find_most(&s, world, standing);
    for (uint32_t i = 0; err == LP_OK && i < standing->jobs; i++) {
        LpStand *stand = &standing->job[i];
        double alone;
        if (stand->outcome != LP_JOB_COMPLETED)
            continue;
        err = with_share(&s, lp_world_job(world, i), stand, &alone);
        if (err == LP_OK)
            stand->rho = (stand->left - stand->arrival) / alone;
    }
    for (uint32_t g = 0; s.steps != NULL && g < graphs; g++)
        lp_free(s.steps[g].within);
    lp_free(s.steps);
    lp_free(s.most);
    return err;
}
