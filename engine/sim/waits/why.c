/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/waits/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/account/belief.h"
#include "sim/facts/identity.h"
#include "sim/forecast.h"
#include "sim/job_plan.h"
#include "sim/outages.h"
#include "sim/place/asked.h"
#include "sim/place/slice.h"
#include "sim/queue/queue.h"
#include "sim/queue/rank.h"
#include "sim/world.h"

/* What is gathered of a world, once for all questions. Of one that is over it is how it stood at
 * its end: jobs are off their servers by then, and it follows from what was left unfinished. */
struct LpWhyBook {
    const LpWorld *world;
    const LpContext *context;
    bool over;
    LpReasonEnd *end;
    LpLabel *label; /* of the ends */
    uint32_t *held;
    uint32_t ends, holds, downs;
    LpReasonDown *down;
    bool *taken; /* by server */
    LpTreeCount *count;
    LpRoom *room;           /* of one that is over */
    uint32_t first, second; /* in the queue, where it is over */
};

/* A question. */
typedef struct Gathering {
    const LpWorld *world;
    const LpContext *context;
    const LpWhyBook *book;
    const LpJob *job;
    LpAnswer answer; /* that the job would be started with */
    LpReasonJob self, head;
    LpLabel self_label, head_label;
    LpReasonView view;
    char lacking[LP_DIAG_TEXT], by[LP_COMPONENT_TEXT];
    LpDiag *diag;
} Gathering;

bool lp_why_waits(const LpJob *job) {
    return job->outcome == LP_JOB_WAITING || job->outcome == LP_JOB_DECIDING ||
           (job->outcome == LP_JOB_UNFINISHED && !isnan(job->times.waiting_since) &&
            job->slice.row == 0);
}

/* ---- what is gathered once ---- */

static int by_end(const void *left, const void *right) {
    const LpReasonEnd *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->job > b->job) - (a->job < b->job);
}

static void take_server(LpWhyBook *b, uint32_t server) {
    b->held[b->holds++] = server;
    b->taken[server] = true;
}

/* A running job, or one that ran when the world ended. */
static void add_running(LpWhyBook *b, const LpJob *job) {
    uint32_t begin = b->holds;
    bool known = !lp_published(&b->context->scenario->options, LP_OPT_HORIZON) &&
                 job->light.dark == LP_JOB_LIT && isfinite(job->times.forecast_end);
    if (job->outcome == LP_JOB_RUNNING) {
        for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
             s = lp_world_server(b->world, s)->next)
            take_server(b, s);
    } else {
        const LpPlacement *p = lp_store_placement(b->context->store, job->placed.placement);
        for (uint32_t i = 0; i < p->servers; i++)
            take_server(b, p->server[i]);
    }
    if (!known)
        return;
    b->label[b->ends] = lp_job_label(b->context->scenario, job);
    b->end[b->ends] =
        (LpReasonEnd){.label = b->label[b->ends].text,
                      .job = job->id,
                      .begin = begin,
                      .count = b->holds - begin,
                      .at = lp_job_believed_end(b->context->scenario, job, lp_world_now(b->world))};
    b->ends++;
}

static bool ran_at_the_end(const LpJob *job) {
    bool stopped = job->outcome == LP_JOB_UNFINISHED ||
                   (job->outcome == LP_JOB_BLOCKED && job->cause == LP_CAUSE_HORIZON);
    return stopped && isnan(job->times.waiting_since) && job->times.start >= 0 &&
           job->placed.placement != LP_NO_INDEX;
}

/* The two that stood first in the queue. */
static void rank_waiting(LpWhyBook *b, uint32_t id) {
    const LpJob *job = lp_world_job(b->world, id);
    if (job->outcome != LP_JOB_UNFINISHED || !lp_why_waits(job))
        return;
    if (b->first == LP_NO_INDEX || lp_queue_earlier(job, lp_world_job(b->world, b->first))) {
        b->second = b->first;
        b->first = id;
    } else if (b->second == LP_NO_INDEX ||
               lp_queue_earlier(job, lp_world_job(b->world, b->second))) {
        b->second = id;
    }
}

static void gather_jobs(LpWhyBook *b) {
    const LpWorld *w = b->world;
    b->first = b->second = LP_NO_INDEX;
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id))
        add_running(b, lp_world_job(w, id));
    for (uint32_t id = 0; b->over && id < lp_world_jobs(w); id++) {
        if (ran_at_the_end(lp_world_job(w, id)))
            add_running(b, lp_world_job(w, id));
        rank_waiting(b, id);
    }
    if (b->ends > 1)
        qsort(b->end, b->ends, sizeof *b->end, by_end);
}

static void gather_servers(LpWhyBook *b) {
    const LpTree *tree = b->context->fabric.cluster->tree;
    uint32_t servers = lp_world_servers(b->world);
    uint32_t all = lp_world_tally(b->world)->failed_servers;
    for (uint32_t s = 0; s < servers && b->downs < all; s++)
        if (lp_world_server(b->world, s)->state != LP_SERVER_IN_SERVICE)
            b->down[b->downs++] = (LpReasonDown){s, b->taken[s]};
    memcpy(b->count, lp_world_nodes(b->world), tree->nodes * sizeof *b->count);
    if (!b->over)
        return;
    memcpy(b->room, lp_world_room(b->world), lp_room_size(lp_world_room(b->world)));
    for (uint32_t i = 0; i < b->holds; i++) { /* as it was before they were released */
        if (!lp_room_has(b->room, b->held[i]))
            continue;
        lp_room_set(b->room, b->held[i], false);
        lp_tree_add(tree, b->count, b->held[i], -1, 0);
    }
}

/* Jobs that ran when a world that is over ended, else those that run. */
static size_t count_running(const LpWhyBook *b) {
    size_t count = (size_t)lp_world_tally(b->world)->running;
    for (uint32_t id = 0; b->over && id < lp_world_jobs(b->world); id++)
        count += ran_at_the_end(lp_world_job(b->world, id));
    return count;
}

LpErr lp_why_open(const LpWorld *world, const LpContext *base, LpWhyBook **out, LpDiag *diag) {
    LpWhyBook *b = lp_alloc(1, sizeof *b);
    if (b == NULL)
        return lp_fail_memory(diag, "why jobs wait");
    b->world = world;
    b->context = lp_world_context(world, base);
    b->over = lp_world_over(world);
    size_t running = count_running(b), servers = lp_world_servers(world);
    b->end = lp_alloc(running, sizeof *b->end);
    b->label = lp_alloc(running, sizeof *b->label);
    b->held = lp_alloc(servers, sizeof *b->held);
    b->down = lp_alloc(lp_world_tally(world)->failed_servers, sizeof *b->down);
    b->taken = lp_alloc(servers, sizeof *b->taken);
    b->count = lp_alloc(b->context->fabric.cluster->tree->nodes, sizeof *b->count);
    b->room = b->over ? lp_alloc(lp_room_size(lp_world_room(world)), 1) : NULL;
    if (b->end == NULL || b->label == NULL || b->held == NULL || b->down == NULL ||
        b->taken == NULL || b->count == NULL || (b->over && b->room == NULL)) {
        lp_why_close(b);
        return lp_fail_memory(diag, "why jobs wait");
    }
    gather_jobs(b);
    gather_servers(b);
    *out = b;
    return LP_OK;
}

void lp_why_close(LpWhyBook *b) {
    if (b == NULL)
        return;
    void *owned[] = {b->end, b->label, b->held, b->down, b->taken, b->count, b->room, b};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
}

/* ---- one job ---- */

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
    const LpWhyBook *b = g->book;
    bool ranked = lp_world_is_ranked(w, g->job->id);
    uint32_t first = b->over  ? (b->first != g->job->id ? b->first : b->second)
                     : ranked ? lp_world_first_in_queue(w, g->job->id)
                              : lp_world_first_waiting(w);
    if (first == LP_NO_INDEX || first == g->job->id)
        return LP_NO_INDEX;
    if ((ranked || b->over) && !lp_queue_earlier(lp_world_job(w, first), g->job))
        return LP_NO_INDEX;
    return first;
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

/* When a world is over only the block can be looked for. */
static void find_block(Gathering *g) {
    LpBlockSearch search;
    if (lp_tree_asks(&g->self.ask) || lp_job_slice(g->context, g->job) != NULL)
        return;
    lp_block_search_in(&search, &g->context->fabric, g->self.servers, false, g->book->room, NULL,
                       NULL);
    if (lp_block_next(&search, NULL))
        return;
    g->view.lacks = LP_REASON_SHAPE;
    g->view.lacking = "those that are free are no block that it can take";
}

static LpErr find_lack(Gathering *g) {
    LpForecast forecast;
    g->view.lacks = LP_REASON_POLICY;
    if (g->view.count[g->view.tree->nodes - 1].free < g->self.servers)
        return LP_OK;
    if (g->book->over) {
        find_block(g);
        return LP_OK;
    }
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
            if (lp_world_server_free(g->world, s) && !g->book->taken[s] &&
                lp_tree_node_of(tree, s, level) == best)
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
    if (isnan(job->times.waiting_since) || isnan(job->times.start) ||
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
    const LpWhyBook *b = g->book;
    uint32_t rule = lp_world_queue_rule(g->world) | ask->rule, head = find_head(g), degree, other;
    g->self_label = lp_job_label(g->context->scenario, g->job);
    LP_TRY(describe(g, g->job, &g->self_label, &g->self, &degree));
    g->answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = degree};
    g->view = (LpReasonView){.cluster = g->context->fabric.cluster,
                             .tree = g->context->fabric.cluster->tree,
                             .count = b->count,
                             .now = lp_world_now(g->world),
                             .down = b->down,
                             .downs = b->downs,
                             .end = b->end,
                             .ends = b->ends,
                             .held = b->held,
                             .order = rule & (LP_QUEUE_BLOCKS | LP_QUEUE_IN_ORDER) ? LP_IN_ORDER
                                      : rule & LP_QUEUE_FILLS ? LP_IN_ORDER_FILL
                                                              : LP_IN_ANY_ORDER,
                             .says = ask->says,
                             .enough_at = (double)NAN,
                             .ratio = find_ratio,
                             .context = g};
    gather_stop(g);
    if (head != LP_NO_INDEX) {
        const LpJob *first = lp_world_job(g->world, head);
        g->head_label = lp_job_label(g->context->scenario, first);
        LP_TRY(describe(g, first, &g->head_label, &g->head, &other));
        g->view.head = &g->head;
    }
    return find_lack(g);
}

LpErr lp_why_ask(const LpWhyBook *book, uint32_t id, const LpWhyAsk *ask, LpReason *out,
                 LpDiag *diag) {
    Gathering g = {.world = book->world,
                   .context = book->context,
                   .book = book,
                   .job = lp_world_job(book->world, id),
                   .diag = diag};
    if (!lp_why_waits(g.job))
        return lp_fail(diag, LP_ESTATE, "job %u does not wait", id);
    LP_TRY(gather(&g, ask));
    return lp_reason_find(&g.view, &g.self, out, diag);
}

LpErr lp_world_why(const LpWorld *world, const LpContext *context, uint32_t id, const LpWhyAsk *ask,
                   LpReason *out, LpDiag *diag) {
    LpWhyBook *book;
    LP_TRY(lp_why_open(world, context, &book, diag));
    LpErr err = lp_why_ask(book, id, ask, out, diag);
    lp_why_close(book);
    return err;
}
