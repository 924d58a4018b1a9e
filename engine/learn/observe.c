/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observing a job that is to be decided. What depends on the graphs alone is in observe_graph.c. */
#include "learn/observe.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "learn/feature.h"
#include "learn/observe_impl.h"
#include "learn/queue.h"
#include "model/dist.h"
#include "sim/account/belief.h"
#include "sim/forecast.h"
#include "sim/world.h"

#define ARRIVALS(arrivals, name, doc) arrivals,
static const double SOON_ARRIVALS[LP_SOON_COUNT] = {LP_SOON_FEATURES(ARRIVALS)};

static const char *const ENCODING_NAMES[LP_ENCODING_COUNT] = {
#define X(id, name) name,
    LP_ENCODING_TABLE(X)
#undef X
};

const char *lp_encoding_name(LpEncoding encoding) {
    return ENCODING_NAMES[encoding];
}

int lp_encoding_find(const char *name) {
    for (int i = 0; i < LP_ENCODING_COUNT; i++)
        if (strcmp(ENCODING_NAMES[i], name) == 0)
            return i;
    return -1;
}

uint32_t lp_encoding_actions(LpEncoding encoding, uint32_t degrees, uint32_t placings) {
    if (encoding == LP_ENCODING_QUEUE)
        return lp_observe_actions(LP_QUEUE_LADDER, placings) + 1;
    return lp_observe_actions(degrees, placings);
}

uint32_t lp_encoding_way(LpEncoding encoding, uint32_t action, uint32_t placings, bool plans) {
    uint32_t way = lp_action_degree(action, placings);
    if (encoding != LP_ENCODING_QUEUE || way == 0)
        return way;
    if (way > LP_QUEUE_LADDER)
        return LP_DEGREE_WAIT;
    return plans ? way : lp_queue_degree(way - 1);
}

uint32_t lp_observe_features(LpEncoding encoding, uint32_t degrees, uint32_t placings) {
    if (encoding == LP_ENCODING_QUEUE)
        return LP_QUEUE_COMMONS +
               (LP_QUEUE_OWNS + 1) * lp_encoding_actions(encoding, degrees, placings);
    uint32_t actions = lp_observe_actions(degrees, placings);
    return LP_GRAPH_FEATURES + actions +
           (encoding == LP_ENCODING_CORRECTED ? LP_SOON_COUNT + LP_PER_ACTION * actions : 0);
}

/* ---- ranges ---- */

static void widen(LpRange *range, double value) {
    if (value < range->min)
        range->min = value;
    if (value > range->max)
        range->max = value;
}

/* Steps and limits that jobs of the scenario may have. */
static void job_ranges(const LpScenario *s, LpRange *steps, LpRange *fraction) {
    *steps = *fraction = (LpRange){(double)INFINITY, -(double)INFINITY};
    if (s->has_generator) {
        double least, most;
        lp_dist_bounds(&s->generator.steps, &least, &most);
        *steps = (LpRange){least, most};
        lp_dist_bounds(&s->generator.max_jct_fraction, &least, &most);
        *fraction = isnan(least) ? (LpRange){1, 1} : (LpRange){least, most};
        return;
    }
    for (uint32_t i = 0; i < s->jobs; i++) {
        const LpJobSpec *job = &s->job[i];
        if (job->graph < 0)
            continue;
        widen(steps, job->steps);
        widen(fraction, job->max_jct_fraction > 0 ? job->max_jct_fraction : 1);
    }
    if (!(steps->min <= steps->max)) /* no job: anything will do */
        *steps = *fraction = (LpRange){1, 1};
}

/* Mean time from one arrival to the next, s; 0 where it is not known. */
static double between_arrivals(const LpScenario *s) {
    if (s->has_generator)
        return lp_dist_mean(&s->generator.interarrival);
    return s->jobs > 1 ? (s->job[s->jobs - 1].arrival - s->job[0].arrival) / (s->jobs - 1) : 0;
}

/* Q23: the published maxima are those of graphs cut p ways, or rather what it took them for. */
static void overshoot(LpRange *range, double p) {
    double nodes = floor(range[LP_RANGE_NODES].max * p);
    range[LP_RANGE_NODES].max = nodes;
    range[LP_RANGE_EDGES].max = 3 * floor(range[LP_RANGE_EDGES].max * p);
    range[LP_RANGE_BYTES].max *= nodes * (nodes - 1) / 2;
}

static double mean_load(const LpObserver *o, const LpContext *context) {
    double sum = 0, bring = o->between * context->fabric.servers;
    const LpRange *steps = &o->range[LP_RANGE_STEPS];
    for (uint32_t g = 0; g < o->graphs; g++)
        sum += context->facts[g].sequential_time * (steps->min + steps->max) / 2;
    return bring > 0 ? sum / o->graphs / bring : 0;
}

LpSetting lp_observer_setting(const LpObserver *o) {
    const LpRange *limit = &o->range[LP_RANGE_FRACTION];
    return (LpSetting){o->servers, o->load, {limit->min, limit->max}};
}

static void find_ranges(LpObserver *o, const LpContext *context) {
    const LpScenario *s = context->scenario;
    LpRange steps, fraction;
    job_ranges(s, &steps, &fraction);
    for (int r = 0; r < LP_RANGE_COUNT; r++)
        o->range[r] = (LpRange){(double)INFINITY, -(double)INFINITY};
    for (uint32_t g = 0; g < o->graphs; g++) {
        const LpGraphFacts *facts = &context->facts[g];
        double time = facts->sequential_time;
        widen(&o->range[LP_RANGE_NODES], o->graph[g].nodes);
        widen(&o->range[LP_RANGE_EDGES], o->graph[g].edges);
        widen(&o->range[LP_RANGE_TIME], time * steps.min);
        widen(&o->range[LP_RANGE_TIME], time * steps.max);
        widen(&o->range[LP_RANGE_LIMIT], time * steps.min * fraction.min);
        widen(&o->range[LP_RANGE_LIMIT], time * steps.max * fraction.max);
        widen(&o->range[LP_RANGE_MEMORY], facts->memory_sum);
        widen(&o->range[LP_RANGE_BYTES], facts->dep_sum);
    }
    o->range[LP_RANGE_FRACTION] = fraction;
    o->range[LP_RANGE_STEPS] = steps;
    o->between = between_arrivals(s);
    o->servers = context->fabric.servers;
    o->load = mean_load(o, context);
    if (o->encoding == LP_ENCODING_PUBLISHED)
        overshoot(o->range, o->degrees);
}

static double norm(const LpObserver *o, LpRangeName name, double value) {
    const LpRange *range = &o->range[name];
    if (!(range->max > range->min))
        return 1;
    double at = (value - range->min) / (range->max - range->min);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

/* ---- the observer ---- */

LpErr lp_observer_new(const LpContext *context, LpEncoding encoding, uint32_t degrees,
                      const LpPlacer *placer, LpObserver **out, LpDiag *diag) {
    if (context->scenario->graphs == 0)
        return lp_fail(diag, LP_EINVAL, "the scenario has no computation graphs to be observed");
    if (degrees < 1 || degrees > LP_OBSERVE_DEGREES)
        return lp_fail(diag, LP_ERANGE, "degrees up to %u are to be observed; expected 1 to %d",
                       degrees, LP_OBSERVE_DEGREES);
    LpArena *arena = lp_arena_new(0);
    LpObserver *o = arena != NULL ? lp_arena_alloc(arena, 1, sizeof *o) : NULL;
    if (o == NULL) {
        lp_arena_free(arena);
        return lp_fail_memory(diag, "an observer");
    }
    o->arena = arena;
    o->encoding = encoding;
    o->degrees = degrees;
    o->placer = placer != NULL ? *placer : (LpPlacer){.placings = 1};
    o->actions = lp_encoding_actions(encoding, degrees, o->placer.placings);
    o->server = lp_arena_alloc(arena, context->fabric.servers, sizeof *o->server);
    LpErr err = o->server != NULL ? lp_observe_graphs(o, context->scenario, diag)
                                  : lp_fail_memory(diag, "an observer");
    if (err == LP_OK) {
        find_ranges(o, context);
        err = encoding == LP_ENCODING_QUEUE ? lp_observe_paces(o, context, diag) : LP_OK;
    }
    if (err != LP_OK) {
        lp_observer_free(o);
        return err;
    }
    *out = o;
    return LP_OK;
}

void lp_observer_free(LpObserver *observer) {
    if (observer != NULL)
        lp_arena_free(observer->arena);
}

uint32_t lp_observer_features(const LpObserver *observer) {
    return lp_observe_features(observer->encoding, observer->degrees, observer->placer.placings);
}

const uint32_t *lp_observer_ops(const LpObserver *observer, uint32_t graph) {
    return observer->op[graph];
}

const LpNetGraph *lp_observer_graphs(const LpObserver *observer, uint32_t *count) {
    *count = observer->graphs;
    return observer->graph;
}

/* ---- one observation ---- */

/* Servers that come back by the time of later arrivals, as far as policies may know that. */
static void observe_soon(const LpObserver *o, const LpContext *context, const LpWorld *world,
                         double *out) {
    double now = lp_world_now(world), servers = lp_world_servers(world);
    for (int i = 0; i < LP_SOON_COUNT; i++)
        out[i] = 0;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id)) {
        const LpJob *job = lp_world_job(world, id);
        for (int i = 0; i < LP_SOON_COUNT; i++)
            if (lp_job_believed_end(context->scenario, job, now) - now <=
                SOON_ARRIVALS[i] * o->between)
                out[i] += job->placed.servers / servers;
    }
}

static void tell_answer(const LpObserver *o, const LpGlance *glance, double servers, uint32_t left,
                        double *open, double *of) {
    *open = of[0] = glance->accepted ? 1 : 0;
    if (!glance->feasible)
        return;
    of[o->actions] = glance->servers / servers;
    if (left != UINT32_MAX)
        of[2 * o->actions] = left / servers;
    if (glance->jct > 0)
        of[3 * o->actions] = glance->jct / (glance->jct + o->between);
}

/* One action, open so far: closed where the job would be blocked, which declining does as well. */
static LpErr observe_answer(const LpObserver *o, const LpContext *context, const LpWorld *world,
                            uint32_t job, uint32_t action, double *open, double *of, LpDiag *diag) {
    const LpPlacer *placer = &o->placer;
    uint32_t placing = lp_action_placing(action, placer->placings), left = UINT32_MAX;
    bool engine = true;
    uint32_t way = lp_action_degree(action, placer->placings);
    LpAnswer answer;
    LpForecast forecast;
    LP_TRY(lp_context_way(context, lp_world_job(world, job)->graph, way, &answer, diag));
    LP_TRY(placer->choose(placer->user, world, context, job, way, placing, o->server,
                          &answer.servers, &left, &engine, diag));
    if (!engine && answer.servers == 0) {
        *open = 0;
        return LP_OK;
    }
    answer.server = o->server;
    LP_TRY(lp_world_predict(world, context, job, &answer, &forecast, diag));
    LpGlance glance = {.feasible = forecast.feasible,
                       .accepted = forecast.feasible && forecast.cause == LP_CAUSE_NONE,
                       .servers = forecast.servers,
                       .jct = forecast.jct};
    tell_answer(o, &glance, lp_world_servers(world), left, open, of);
    return LP_OK;
}

/* out: accepted, taken, left and lasting, each per action. way: those that the mask allows. */
static LpErr observe_answers(const LpObserver *o, const LpContext *context, const LpWorld *world,
                             uint32_t job, const uint32_t *way, uint32_t ways, double *mask,
                             double *out, LpDiag *diag) {
    LpGlance glance[LP_OBSERVE_DEGREES];
    for (uint32_t a = 0; a < o->actions; a++) {
        out[a] = out[2 * o->actions + a] = out[3 * o->actions + a] = 0;
        out[o->actions + a] = a == 0 ? 0 : 1;
    }
    if (o->placer.choose != NULL) {
        for (uint32_t a = 1; a < o->actions; a++)
            if (mask[a] > 0)
                LP_TRY(observe_answer(o, context, world, job, a, &mask[a], out + a, diag));
        return LP_OK;
    }
    LP_TRY(lp_world_glances(world, context, job, way, ways, glance, diag));
    for (uint32_t i = 0; i < ways; i++)
        for (uint32_t k = 0; k < o->placer.placings; k++) {
            uint32_t a = 1 + (way[i] - 1) * o->placer.placings + k;
            tell_answer(o, &glance[i], lp_world_servers(world), UINT32_MAX, &mask[a], out + a);
        }
    return LP_OK;
}

LpErr lp_observe(const LpObserver *o, const LpContext *context, const LpWorld *world, uint32_t job,
                 double *features, uint32_t *graph, LpDiag *diag) {
    const LpJob *j = lp_world_job(world, job);
    if (j->graph < 0)
        return lp_fail(diag, LP_EINVAL,
                       "job %u is rigid; only a job with a computation graph can be observed", job);
    *graph = (uint32_t)j->graph;
    if (o->encoding == LP_ENCODING_QUEUE)
        return lp_observe_queue(o, context, world, job, features, diag);
    double *mask = features + lp_observer_features(o) - o->actions;
    uint32_t open[LP_OBSERVE_DEGREES], placings = o->placer.placings;
    uint32_t count;
    LP_TRY(lp_world_ways(world, context, job, o->degrees, open, LP_OBSERVE_DEGREES, &count, diag));
    memset(mask, 0, o->actions * sizeof *mask);
    mask[0] = 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < placings; k++)
            mask[1 + (open[i] - 1) * placings + k] = 1;
    uint32_t g = (uint32_t)j->graph;
    double time = context->facts[g].sequential_time * j->asked.steps;
    double f = j->asked.fraction > 0 ? j->asked.fraction : 1;
    features[0] = norm(o, LP_RANGE_NODES, o->graph[g].nodes);
    features[1] = norm(o, LP_RANGE_EDGES, o->graph[g].edges);
    features[2] = norm(o, LP_RANGE_TIME, time);
    features[3] = norm(o, LP_RANGE_LIMIT, time * f);
    features[4] = norm(o, LP_RANGE_FRACTION, f);
    features[5] = f > 1 ? 1 : f;
    features[6] = norm(o, LP_RANGE_MEMORY, context->facts[g].memory_sum);
    features[7] = norm(o, LP_RANGE_BYTES, context->facts[g].dep_sum);
    features[8] = norm(o, LP_RANGE_STEPS, j->asked.steps);
    memcpy(features + 9, o->typical[g], sizeof o->typical[g]);
    double servers = lp_world_servers(world);
    const LpTally *tally = lp_world_tally(world);
    double busy =
        o->encoding == LP_ENCODING_PUBLISHED ? lp_world_seen_busy(world) : tally->busy_servers;
    features[15] = busy / servers;
    features[16] = (double)tally->running / servers;
    if (o->encoding == LP_ENCODING_CORRECTED) {
        observe_soon(o, context, world, features + LP_GRAPH_FEATURES);
        double *out = features + LP_GRAPH_FEATURES + LP_SOON_COUNT;
        LP_TRY(observe_answers(o, context, world, job, open, count, mask, out, diag));
    }
    return LP_OK;
}

void lp_observe_narrow(const double *features, uint32_t count, float *restrict out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = (float)features[i];
}
