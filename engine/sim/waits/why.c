/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/waits/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/facts/identity.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/outages.h"
#include "sim/place/asked.h"
#include "sim/place/slice.h"
#include "sim/queue/queue.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

/* What is gathered of a world. */
typedef struct Gathering {
    const LpWorld *world;
    const LpContext *context;
    const LpJob *job;
    LpAnswer answer; /* that the job would be started with */
    LpReasonJob self, head;
    LpReasonView view;
    LpReasonEnd *end;
    LpLabel *label; /* of jobs that run; then of the head, and of the job itself */
    uint32_t *held;
    LpReasonDown *down;
    char lacking[LP_DIAG_TEXT], by[LP_COMPONENT_TEXT];
    LpDiag *diag;
} Gathering;

static int by_end(const void *left, const void *right) {
    const LpReasonEnd *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->job > b->job) - (a->job < b->job);
}

static bool end_known(const Gathering *g, const LpJob *job) {
    return !lp_published(&g->context->scenario->options, LP_OPT_HORIZON) &&
           job->light.dark == LP_JOB_LIT && isfinite(job->times.forecast_end);
}

/* Running jobs that are known to end, with the servers that they hold. */
static void gather_ends(Gathering *g) {
    const LpScenario *scenario = g->context->scenario;
    uint32_t held = 0, ends = 0;
    for (uint32_t id = lp_world_first_running(g->world); id != LP_NO_INDEX;
         id = lp_world_next_running(g->world, id)) {
        const LpJob *job = lp_world_job(g->world, id);
        if (!end_known(g, job))
            continue;
        g->label[ends] = lp_job_label(scenario, job);
        g->end[ends] = (LpReasonEnd){
            .label = g->label[ends].text, .job = id, .begin = held, .at = job->times.forecast_end};
        for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
             s = lp_world_server(g->world, s)->next)
            g->held[held++] = s;
        g->end[ends].count = held - g->end[ends].begin;
        ends++;
    }
    qsort(g->end, ends, sizeof *g->end, by_end);
    g->view.end = g->end;
    g->view.ends = ends;
    g->view.held = g->held;
}

static void gather_down(Gathering *g) {
    uint32_t downs = 0, servers = lp_world_servers(g->world);
    uint32_t all = lp_world_tally(g->world)->failed_servers;
    for (uint32_t s = 0; s < servers && downs < all; s++) {
        const LpServer *server = lp_world_server(g->world, s);
        if (server->state != LP_SERVER_IN_SERVICE)
            g->down[downs++] = (LpReasonDown){s, server->job != LP_NO_INDEX};
    }
    g->view.down = g->down;
    g->view.downs = downs;
}

/* The ways that the job would be cut: as it was, as its policy waits for, as its hint says, else
 * the fewest that there is a place for. */
static LpErr find_degree(const Gathering *g, const LpJob *job, uint32_t *degree) {
    const LpScenario *scenario = g->context->scenario;
    const LpHint *hint =
        job->asked.spec < scenario->jobs ? &scenario->job[job->asked.spec].hint : NULL;
    *degree = job->placed.degree > 0 ? job->placed.degree : job->queue.need;
    if (*degree == 0 && hint != NULL && hint->has_degree && hint->degree >= 1 &&
        hint->degree <= g->context->fabric.servers)
        *degree = (uint32_t)hint->degree;
    if (*degree == 0)
        return lp_world_least_degree(g->world, g->context, job->id, degree, g->diag);
    return LP_OK;
}

static LpErr describe(Gathering *g, const LpJob *job, const LpLabel *label, LpReasonJob *out,
                      uint32_t *degree) {
    const LpSlice *slice = lp_job_slice(g->context, job);
    *out = (LpReasonJob){.label = label->text,
                         .arrival = job->asked.arrival,
                         .ask = lp_job_tree_ask(g->context, job),
                         .rigid = job->graph < 0,
                         .servers = job->asked.rigid_servers,
                         .duration = job->graph < 0 ? job->asked.rigid_duration : (double)NAN};
    *degree = 0;
    if (slice != NULL) {
        out->servers = slice->accelerators;
    } else if (job->graph >= 0) {
        LP_TRY(find_degree(g, job, degree));
        LP_TRY(lp_world_cut_size(g->world, g->context, job->id, *degree, &out->servers, g->diag));
        if (out->servers == 0)
            out->servers = *degree > 0 ? *degree : 1;
    }
    if (out->ask.segment > 0 && out->servers % out->ask.segment != 0)
        out->ask.segment = 0; /* no degree that it could be answered with */
    return LP_OK;
}

/* The first in the queue, where that is another job. */
static uint32_t find_head(const Gathering *g) {
    const LpWorld *w = g->world;
    if (!lp_world_is_ranked(w, g->job->id)) {
        uint32_t first = lp_world_first_waiting(w);
        return first != g->job->id ? first : LP_NO_INDEX;
    }
    uint32_t first = lp_world_first_in_queue(w, g->job->id);
    bool earlier = first != LP_NO_INDEX && lp_queue_earlier(lp_world_job(w, first), g->job);
    return earlier ? first : LP_NO_INDEX;
}

/* ---- what the engine says where there are servers enough ---- */

static LpReasonCode code_of(LpCause cause) {
    switch (cause) {
    case LP_CAUSE_MEMORY:
        return LP_REASON_MEMORY;
    case LP_CAUSE_NO_CIRCUIT:
        return LP_REASON_LIGHT;
    case LP_CAUSE_RESOURCE:
        return LP_REASON_RESOURCE;
    case LP_CAUSE_BROKEN:
        return LP_REASON_BROKEN;
    case LP_CAUSE_NO_PLACEMENT:
    case LP_CAUSE_SHAPE:
        return LP_REASON_SHAPE;
    default:
        return LP_REASON_POLICY;
    }
}

/* When a block for a job that asks for no place of the tree is free. */
static LpErr find_block_time(Gathering *g) {
    uint64_t looked = 0;
    double at;
    if (g->view.lacks != LP_REASON_SHAPE || lp_tree_asks(&g->self.ask) ||
        lp_job_slice(g->context, g->job) != NULL)
        return LP_OK;
    LP_TRY(lp_world_free_at(g->world, g->context, g->self.servers, &at, &looked, g->diag));
    for (uint32_t e = 0; e < g->view.ends && isnan(g->view.enough_at); e++)
        if (g->view.end[e].at == at) {
            g->view.enough_at = at;
            g->view.when = e;
        }
    return LP_OK;
}

static LpErr find_lack(Gathering *g) {
    LpForecast forecast;
    g->view.lacks = LP_REASON_POLICY;
    if (g->view.count[g->view.tree->nodes - 1].free < g->self.servers)
        return LP_OK;
    LP_TRY(lp_world_predict(g->world, g->context, g->job->id, &g->answer, &forecast, g->diag));
    if (forecast.feasible) {
        if (!g->self.rigid)
            g->self.duration = forecast.finish - g->view.now;
        return LP_OK;
    }
    g->view.lacks = code_of(forecast.cause);
    snprintf(g->lacking, sizeof g->lacking, "%s", forecast.why);
    g->view.lacking = g->lacking;
    return find_block_time(g);
}

/* ---- step times across nodes ---- */

/* n free servers of the nodes of a level, those of the fullest nodes first. */
static bool spread_servers(const Gathering *g, uint32_t level, uint32_t n, uint32_t *out) {
    const LpTree *tree = g->view.tree;
    uint32_t found = 0, last = UINT32_MAX, at = 0;
    while (found < n) { /* the next node in order of what is free, of equal ones by number */
        uint32_t best = LP_NO_NODE;
        for (uint32_t i = tree->level_begin[level]; i < tree->level_begin[level + 1]; i++) {
            uint32_t free = g->view.count[i].free;
            bool after = free < last || (free == last && i > at);
            if (after && free > 0 && (best == LP_NO_NODE || free > g->view.count[best].free))
                best = i;
        }
        if (best == LP_NO_NODE)
            return false;
        for (uint32_t s = 0; s < tree->servers && found < n; s++)
            if (lp_world_server_free(g->world, s) && lp_tree_node_of(tree, s, level) == best)
                out[found++] = s;
        last = g->view.count[best].free;
        at = best;
    }
    return true;
}

/* Time of a step of the job, as it would be cut, on these servers; NAN: it cannot run there. */
static double step_on(const Gathering *g, const LpWorld *world, const uint32_t *server) {
    LpJob free_of_place = *g->job;
    LpAnswer answer = g->answer;
    LpPlan plan;
    free_of_place.asked.spec = LP_SPEC_ANYWHERE;
    answer.servers = g->self.servers;
    answer.server = server;
    if (lp_plan_make(world, g->context, &free_of_place, &answer, false, &plan, NULL) != LP_OK ||
        plan.cause != LP_CAUSE_NONE)
        return (double)NAN;
    return plan.step_time;
}

static double find_ratio(void *context, uint32_t nodes) {
    const Gathering *g = context;
    const LpTree *tree = g->view.tree;
    LpTreeAsk one = {.required = g->self.ask.required};
    uint32_t n = g->self.servers, level = lp_tree_asked_level(tree, &g->self.ask);
    double ratio = (double)NAN;
    (void)nodes;
    if (g->self.rigid)
        return ratio;
    uint32_t *server = lp_alloc(2 * (size_t)n + 2 * (size_t)tree->nodes, sizeof *server);
    if (server == NULL)
        return ratio;
    uint32_t *alone = server + n, *room = alone + n, *take = room + tree->nodes;
    if (spread_servers(g, level, n, server) &&
        lp_tree_servers(g->context, NULL, &one, n, LP_TREE_TIGHT, room, take, alone))
        ratio = step_on(g, g->world, server) / step_on(g, NULL, alone);
    lp_free(server);
    return ratio;
}

/* ---- all of it ---- */

static void gather_stop(Gathering *g) {
    const LpJob *job = g->job;
    g->view.stopped_at = (double)NAN;
    if (job->outcome != LP_JOB_WAITING || isnan(job->times.start) ||
        job->stops.count + job->stops.preemptions == 0)
        return;
    g->view.stopped_at = job->times.waiting_since;
    g->view.stopped_by = job->stops.stopped ? "a failure" : "its policy";
    const LpOutageEvent *event =
        job->stops.stopped ? lp_outages_of(g->context, lp_world_seed(g->world), job->stops.by)
                           : NULL;
    if (event != NULL)
        g->view.stopped_by = lp_outages_text(g->context, event, g->by);
}

static LpErr gather(Gathering *g, const LpWhyAsk *ask) {
    uint32_t rule = lp_world_queue_rule(g->world), head = find_head(g), degree, other;
    size_t ends = (size_t)lp_world_tally(g->world)->running;
    g->label[ends] = lp_job_label(g->context->scenario, g->job);
    LP_TRY(describe(g, g->job, &g->label[ends], &g->self, &degree));
    g->answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = degree};
    g->view = (LpReasonView){.cluster = g->context->fabric.cluster,
                             .tree = g->context->fabric.cluster->tree,
                             .count = lp_world_nodes(g->world),
                             .now = lp_world_now(g->world),
                             .order = rule & (LP_QUEUE_BLOCKS | LP_QUEUE_IN_ORDER) ? LP_IN_ORDER
                                      : rule & LP_QUEUE_FILLS ? LP_IN_ORDER_FILL
                                                              : LP_IN_ANY_ORDER,
                             .says = ask->says,
                             .enough_at = (double)NAN,
                             .ratio = find_ratio,
                             .context = g};
    gather_ends(g);
    gather_down(g);
    gather_stop(g);
    if (head != LP_NO_INDEX) {
        const LpJob *first = lp_world_job(g->world, head);
        g->label[ends + 1] = lp_job_label(g->context->scenario, first);
        LP_TRY(describe(g, first, &g->label[ends + 1], &g->head, &other));
        g->view.head = &g->head;
    }
    return find_lack(g);
}

LpErr lp_world_why(const LpWorld *world, const LpContext *base, uint32_t id, const LpWhyAsk *ask,
                   LpReason *out, LpDiag *diag) {
    size_t running = (size_t)lp_world_tally(world)->running;
    Gathering g = {.world = world,
                   .context = lp_world_context(world, base),
                   .job = lp_world_job(world, id),
                   .diag = diag};
    if (g.job->outcome != LP_JOB_WAITING && g.job->outcome != LP_JOB_DECIDING)
        return lp_fail(diag, LP_ESTATE, "job %u does not wait", id);
    g.end = lp_alloc(running, sizeof *g.end);
    g.label = lp_alloc(running + 2, sizeof *g.label);
    g.held = lp_alloc(lp_world_servers(world), sizeof *g.held);
    g.down = lp_alloc(lp_world_tally(world)->failed_servers, sizeof *g.down);
    LpErr err = g.end != NULL && g.label != NULL && g.held != NULL && g.down != NULL
                    ? gather(&g, ask)
                    : lp_fail_memory(diag, "why a job waits");
    if (err == LP_OK)
        err = lp_reason_find(&g.view, &g.self, out, diag);
    lp_free(g.end);
    lp_free(g.label);
    lp_free(g.held);
    lp_free(g.down);
    return err;
}
