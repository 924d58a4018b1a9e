/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals of a scenario, and the bounds of them. */
#include "many/bound/bound.h"

#include <math.h>

#include "many/bound/menu.h"
#include "sim/world.h"

/* What a whole number of jobs may exceed its bound by without being less than it: rounding. */
#define WHOLE 1e-6
/* Deadlines of published rules depend on the cut in their last digits. */
#define LATER 1e-8

static const struct {
    const char *key;
    LpFreedom freedom;
    bool any;
    const char *doc;
} BOUNDS[] = {
#define X(id, key, freedom, any, doc) {key, freedom, any, doc},
    LP_BOUNDS(X)
#undef X
};

const char *lp_bound_key(LpBoundKind kind) {
    return BOUNDS[kind].key;
}

/* ---- what is covered ---- */

static LpErr check(const LpSession *session, LpDiag *diag) {
    const LpScenario *s = lp_session_scenario(session);
    const LpContext *context = lp_session_context(session);
    if (context->fabric.network != NULL || context->circuits != NULL || s->slices > 0 ||
        s->generator.slices > 0)
        return lp_fail(diag, LP_EREFUSED,
                       "no bound is known where jobs share links, circuits are switched or slices "
                       "are held; expected the fabric ramp or ideal");
    if (s->answers)
        return lp_fail(diag, LP_EREFUSED,
                       "no bound is known where servers break (failures), since the ways of a job "
                       "are worked out while all are whole; expected a scenario without failures");
    if (s->cluster.types > 1)
        return lp_fail(diag, LP_EREFUSED,
                       "no bound is known for servers of %u kinds; expected one kind",
                       s->cluster.types);
    for (uint32_t g = 0; g < s->graphs; g++)
        if (s->graph[g]->trace != NULL)
            return lp_fail(diag, LP_EREFUSED,
                           "no bound is known for recorded steps (graph %s); expected graphs that "
                           "are cut by a degree",
                           s->graph[g]->id);
    for (uint32_t g = 0; g < s->graphs; g++)
        if (s->graph[g]->split != NULL)
            return lp_fail(diag, LP_EREFUSED,
                           "no bound is known for jobs that are split by plans (graph %s); "
                           "expected graphs that are cut by a degree",
                           s->graph[g]->id);
    return LP_OK;
}

/* ---- arrivals ---- */

typedef struct Arrivals {
    const LpScenario *scenario;
    LpMenu menu;
    LpBoundJob *job;
    size_t cap;
    uint32_t jobs;
    LpDiag *diag;
} Arrivals;

static bool counts(const LpScenario *s, double arrival) {
    return !s->has_measure || (arrival >= s->measure_from && arrival < s->measure_until);
}

static LpErr add_job(Arrivals *a, const LpJob *job) {
    void *items = a->job;
    if (!counts(a->scenario, job->asked.arrival))
        return LP_OK;
    if (lp_grow(&items, &a->cap, (size_t)a->jobs + 1, sizeof *a->job) != LP_OK)
        return lp_fail_memory(a->diag, "a bound");
    a->job = items;
    double end = job->asked.arrival + job->asked.max_jct * (1 + LATER),
           horizon = a->scenario->horizon;
    LpBoundJob one = {
        .arrival = job->asked.arrival, .end = end < horizon ? end : horizon, .scale = 1};
    if (job->graph >= 0) {
        one.scale = job->asked.steps;
        one.way = a->menu.graph[job->graph].way;
        one.ways = a->menu.graph[job->graph].ways;
    } else {
        LpBoundWay *way = lp_arena_alloc(a->menu.arena, 1, sizeof *way);
        if (way == NULL)
            return lp_fail_memory(a->diag, "a bound");
        *way = (LpBoundWay){.servers = job->asked.rigid_servers, .time = job->asked.rigid_duration};
        one.way = way;
        one.ways = 1;
    }
    a->job[a->jobs++] = one;
    return LP_OK;
}

/* Nothing is ever started, so that every job is seen on an empty cluster. */
static LpErr decline_all(LpSession *session, Arrivals *a) {
    static const LpAnswer decline = {.kind = LP_ANSWER_DECLINE, .cause = LP_CAUSE_DECLINED};
    LpEvent event;
    for (;;) {
        LP_TRY(lp_session_to_decision(session, &event, a->diag));
        uint32_t due = lp_world_due(lp_session_world(session));
        if (due == LP_NO_INDEX)
            return LP_OK;
        LP_TRY(lp_menu_learn(&a->menu, session, due, a->diag));
        LP_TRY(add_job(a, lp_world_job(lp_session_world(session), due)));
        LP_TRY(lp_session_answer(session, &decline, &event, a->diag));
    }
}

/* ---- bounds ---- */

/* Any cut and any servers: the work of a step, shared evenly by all servers. */
static void take_any(Arrivals *a, const LpSession *session) {
    const LpWorld *world = lp_session_world(session);
    uint32_t at = 0;
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        const LpJob *job = lp_world_job(world, id);
        if (!counts(a->scenario, job->asked.arrival) || job->graph < 0) {
            at += counts(a->scenario, job->asked.arrival);
            continue;
        }
        a->job[at].way = &a->menu.graph[job->graph].any;
        a->job[at++].ways = 1;
    }
}

/* Published rules keep the JCT of the first job of a graph and degree, for all that come after it:
 * among jobs of different length one may then end sooner than any step of it allows. */
static LpErr check_lengths(const Arrivals *a, const LpSession *session) {
    const LpWorld *world = lp_session_world(session);
    uint32_t first = 0;
    if (!lp_published(&a->scenario->options, LP_OPT_CACHE))
        return LP_OK;
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        const LpJob *job = lp_world_job(world, id);
        if (job->graph < 0)
            continue;
        for (first = 0; first < id && lp_world_job(world, first)->graph != job->graph; first++)
            ;
        const LpJob *before = lp_world_job(world, first);
        if (before->asked.steps != job->asked.steps)
            return lp_fail(a->diag, LP_EREFUSED,
                           "no bound is known where the option cache is published and jobs of one "
                           "graph differ in their steps (graph %s: %.17g and %.17g), since the "
                           "first one's JCT serves them all; expected options.cache=corrected, or "
                           "steps that are the same",
                           a->scenario->graph[job->graph]->id, before->asked.steps,
                           job->asked.steps);
    }
    return LP_OK;
}

static LpErr bound_all(LpSession *session, Arrivals *a, LpBound *out) {
    uint32_t servers = lp_session_context(session)->fabric.servers;
    LpSummary summary;
    LP_TRY(lp_metrics_summary(lp_session_world(session), lp_session_context(session), &summary,
                              a->diag));
    out->arrived = summary.arrived;
    for (int k = 0; k < LP_BOUND_COUNT; k++) {
        LpRelaxed relaxed;
        if (BOUNDS[k].any)
            take_any(a, session);
        LP_TRY(lp_relax(a->job, a->jobs, servers, BOUNDS[k].freedom, &relaxed, a->diag));
        double arrived = (double)out->arrived;
        out->most[k] = (uint32_t)floor(relaxed.most * (1 + 1e-12) + WHOLE);
        out->rate[k] = arrived > 0 ? (arrived - out->most[k]) / arrived : (double)NAN;
        out->relaxed[k] = arrived > 0 ? (arrived - relaxed.value) / arrived : (double)NAN;
        out->rounds[k] = relaxed.rounds;
    }
    return LP_OK;
}

LpErr lp_bound_session(LpSession *session, LpBound *out, LpDiag *diag) {
    Arrivals a = {.scenario = lp_session_scenario(session), .diag = diag};
    LpBound bound = {0};
    LP_TRY(check(session, diag));
    LP_TRY(lp_menu_new(a.scenario->graphs + 1, &a.menu, diag));
    LpErr err = decline_all(session, &a);
    if (err == LP_OK)
        err = check_lengths(&a, session);
    if (err == LP_OK)
        err = bound_all(session, &a, &bound);
    lp_free(a.job);
    lp_menu_fini(&a.menu);
    if (err == LP_OK)
        *out = bound;
    return err;
}

/* ---- outputs ---- */

void lp_bound_text(const LpBound *b, LpBuf *out) {
    lp_buf_addf(out,
                "%llu job%s arrive%s. Of them at least this share is lost, for policies that ...\n",
                (unsigned long long)b->arrived, lp_str_s(b->arrived), b->arrived == 1 ? "s" : "");
    for (int k = 0; k < LP_BOUND_COUNT; k++)
        lp_buf_addf(out, "  %-11s %8.4f   %s\n", BOUNDS[k].key, b->rate[k], BOUNDS[k].doc);
}

void lp_bound_json(const LpBound *b, LpJsonOut *out) {
    lp_json_put_count(out, "arrived", b->arrived);
    lp_json_open(out, "bounds", '[');
    for (int k = 0; k < LP_BOUND_COUNT; k++) {
        lp_json_break(out);
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "bound", BOUNDS[k].key);
        lp_json_put_count(out, "served_at_most", b->most[k]);
        lp_json_put_number(out, "lost_at_least", b->rate[k]);
        lp_json_put_number(out, "relaxed", b->relaxed[k]);
        lp_json_put_count(out, "rounds", b->rounds[k]);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}
