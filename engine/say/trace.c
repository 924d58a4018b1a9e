/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as JSON lines in order of time: what happened to the jobs and which servers they hold from
 * then on, merged with the tasks of the first step of each job that runs. The run is replayed for
 * it: what a job held then, its final state does not know. On shared links a step lasts what the
 * job's steps did on average (its step_time). */
#include <math.h>

#include "ask/inspect/trace_tasks.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "say/report_impl.h"
#include "session/replay.h"
#include "sim/outages.h"

/* What the lines told of a job. */
typedef struct Known {
    bool began;
    uint64_t line; /* number of the event, from 1, that last had a line of the job */
} Known;

/* Steps under way: never more than jobs run at once, plus those that ended within their step. */
typedef struct Merge {
    LpReport *report; /* its world and context are those of the replay */
    LpTraceTasks *step;
    size_t steps, cap;
    uint32_t *holder; /* of each server: the job that the lines gave it to */
    Known *known;     /* of each job */
    uint64_t lines;   /* events so far */
    size_t jobs, job_cap;
    bool over;
} Merge;

/* The servers that a job holds now, in block order; null: none. */
static void add_servers(const LpReport *r, uint32_t id, LpJsonOut *out) {
    uint32_t server =
        id != LP_NO_INDEX ? lp_world_job(r->world, id)->placed.first_server : LP_NO_INDEX;
    if (server == LP_NO_INDEX) {
        lp_json_put_null(out, "server");
        return;
    }
    lp_json_open(out, "server", '[');
    for (; server != LP_NO_INDEX; server = lp_world_server(r->world, server)->next)
        lp_json_put_count(out, NULL, server);
    lp_json_close(out, ']');
}

/* id LP_NO_INDEX: an event that is no job's. */
static void add_event(LpReport *r, const char *kind, uint32_t id, double time, uint32_t fault) {
    static const char *const none[] = {"from", "to", "circuit", "start", "end"};
    LpJsonOut out = {.out = r->out};
    lp_json_open(&out, NULL, '{');
    lp_json_put_number(&out, "t", lp_scenario_time(r->scenario, time));
    lp_json_put_text(&out, "kind", kind);
    if (id != LP_NO_INDEX)
        lp_json_put_count(&out, "job", id);
    else
        lp_json_put_null(&out, "job");
    lp_json_put_null(&out, "op");
    lp_json_put_null(&out, "part");
    lp_json_put_null(&out, "dep");
    add_servers(r, id, &out);
    for (size_t i = 0; i < LP_COUNTOF(none); i++)
        lp_json_put_null(&out, none[i]);
    if (kind == lp_event_rows[LP_EVENT_BLOCK].traced) {
        const char *cause = lp_cause_code((LpCause)lp_world_job(r->world, id)->cause);
        lp_json_put_text(&out, "cause", cause != NULL ? cause : "");
    }
    /* What broke or was mended by itself, such as "server 3". */
    char text[LP_COMPONENT_TEXT];
    const LpOutageEvent *what = lp_outages_of(r->context, lp_world_seed(r->world), fault);
    if (what != NULL)
        lp_json_put_text(&out, "component", lp_outages_text(r->context, what, text));
    if (id != LP_NO_INDEX && lp_job_identities_told(r->context))
        lp_facts_json(&lp_job_identity_facts, lp_world_job(r->world, id), &r->around, &out);
    lp_json_end(&out);
}

/* Jobs that the published horizon blocks have no event of their own. */
static void add_horizon(LpReport *r, double time) {
    for (uint32_t i = 0; i < lp_world_jobs(r->world); i++)
        if (lp_world_job(r->world, i)->cause == LP_CAUSE_HORIZON)
            add_event(r, lp_event_rows[LP_EVENT_BLOCK].traced, i, time, 0);
}

static LpErr begin_step(Merge *m, uint32_t id, double time) {
    const LpJob *job = lp_world_job(m->report->world, id);
    void *items = m->step;
    if (job->graph < 0 || job->placed.placement == LP_NO_INDEX ||
        job->placed.partition == LP_NO_INDEX)
        return LP_OK;
    if (lp_grow(&items, &m->cap, m->steps + 1, sizeof *m->step) != LP_OK)
        return lp_fail_memory(m->report->diag, "a trace");
    m->step = items;
    const LpContext *context = lp_job_context(job, m->report->context);
    /* of a job that runs on as it began, the pace that it had in the end */
    const LpJob *end = lp_world_job(lp_session_world(m->report->session), id);
    bool same = end->placed.placement == job->placed.placement &&
                end->placed.partition == job->placed.partition;
    double pace = context->fabric.network == NULL ? (double)NAN
                  : same                          ? end->forecast.step_time
                                                  : job->forecast.step_time;
    LpErr err = lp_trace_tasks(context, id, time, job->placed.partition, job->placed.placement,
                               job->placed.orders, pace, &m->step[m->steps], m->report->diag);
    if (err == LP_EREFUSED) /* it runs on a step remembered from elsewhere (published cache) */
        return LP_OK;
    m->steps += err == LP_OK;
    return err;
}

/* The step whose next task is first; steps are in order of their start, the earlier one wins. */
static size_t first_step(const Merge *m) {
    size_t first = 0;
    for (size_t i = 1; i < m->steps; i++)
        if (lp_trace_tasks_next(&m->step[i]) < lp_trace_tasks_next(&m->step[first]))
            first = i;
    return first;
}

static void end_step(Merge *m, size_t at) {
    lp_trace_tasks_fini(&m->step[at]);
    for (m->steps--; at < m->steps; at++)
        m->step[at] = m->step[at + 1];
}

/* Writes every task that starts before `until`. */
static LpErr write_tasks(Merge *m, double until) {
    while (m->steps > 0) {
        size_t first = first_step(m);
        LpTraceTasks *step = &m->step[first];
        double next = lp_trace_tasks_next(step);
        if (isinf(next))
            end_step(m, first);
        else if (next >= until)
            return LP_OK;
        else
            lp_trace_tasks_print(step, m->report->context, m->report->out);
        LP_TRY(lp_report_flush(m->report));
    }
    return LP_OK;
}

/* A job that lost its servers, or got others, within its first step does not finish it there. */
static void drop_step(Merge *m, uint32_t job) {
    for (size_t i = m->steps; i-- > 0;)
        if (m->step[i].job == job)
            end_step(m, i);
}

/* ---- who holds what ---- */

static LpErr know_job(Merge *m, uint32_t id) {
    void *items = m->known;
    if (lp_grow(&items, &m->job_cap, (size_t)id + 1, sizeof *m->known) != LP_OK)
        return lp_fail_memory(m->report->diag, "a trace");
    m->known = items;
    for (; m->jobs <= id; m->jobs++)
        m->known[m->jobs] = (Known){false, 0};
    return LP_OK;
}

/* A job beside the event's own that it gave or took servers, such as another one that a failure
 * stopped: a line of its own, once an event. */
static LpErr write_other(Merge *m, uint32_t id, double time) {
    LpReport *r = m->report;
    if (id == LP_NO_INDEX)
        return LP_OK;
    LP_TRY(know_job(m, id));
    if (m->known[id].line == m->lines)
        return LP_OK;
    m->known[id].line = m->lines;
    drop_step(m, id);
    bool runs = lp_world_job(r->world, id)->outcome == LP_JOB_RUNNING;
    add_event(r, runs ? "move" : "stop", id, time, 0);
    return lp_report_flush(r);
}

static LpErr write_event(Merge *m, const LpEvent *event) {
    LpReport *r = m->report;
    const char *kind = lp_event_rows[event->kind].traced;
    LP_TRY(write_tasks(m, event->time));
    m->lines++;
    m->over |= event->kind == LP_EVENT_HORIZON;
    if (event->kind == LP_EVENT_HORIZON)
        add_horizon(r, event->time);
    if (kind != NULL && event->job != LP_NO_INDEX) {
        LP_TRY(know_job(m, event->job));
        Known *job = &m->known[event->job];
        job->line = m->lines;
        if (event->kind == LP_EVENT_START && job->began)
            kind = lp_event_rows[LP_EVENT_RESUME].traced;
        job->began |= event->kind == LP_EVENT_START;
    }
    if (kind != NULL) {
        if (event->kind != LP_EVENT_COMPLETION)
            drop_step(m, event->job);
        add_event(r, kind, event->job, event->time, event->fault);
    }
    /* O(servers) */
    double time = event->time;
    const LpWorld *world = m->report->world;
    for (uint32_t s = 0; s < lp_world_servers(world); s++) {
        uint32_t holds = lp_world_server(world, s)->job;
        if (m->holder[s] == holds)
            continue;
        LP_TRY(write_other(m, m->holder[s], time));
        LP_TRY(write_other(m, holds, time));
        m->holder[s] = holds;
    }
    return event->kind == LP_EVENT_START ? begin_step(m, event->job, event->time) : LP_OK;
}

/* Called for every event of the replay, and with NULL at its end. */
static LpErr take(void *user, const LpContext *context, const LpWorld *world, const LpEvent *event,
                  LpDiag *diag) {
    Merge *m = user;
    LpReport *r = m->report;
    (void)diag; /* the report's */
    r->context = context;
    r->world = world;
    if (m->holder == NULL) {
        m->holder = lp_alloc((size_t)lp_world_servers(world) + 1, sizeof *m->holder);
        if (m->holder == NULL)
            return lp_fail_memory(r->diag, "a trace");
        for (uint32_t s = 0; s < lp_world_servers(world); s++)
            m->holder[s] = LP_NO_INDEX;
    }
    if (event != NULL) {
        LP_TRY(write_event(m, event));
        return lp_report_flush(r);
    }
    if (!m->over)
        add_horizon(r, lp_world_now(world));
    LpErr err = write_tasks(m, (double)INFINITY);
    while (m->steps > 0) /* they are of the replay's context */
        end_step(m, m->steps - 1);
    return err;
}

LpErr lp_report_write_trace(LpReport *report) {
    LpReport replay = *report;
    Merge m = {.report = &replay};
    LpErr err = lp_session_again(report->session, take, &m, report->diag);
    while (m.steps > 0)
        end_step(&m, m.steps - 1);
    lp_free(m.step);
    lp_free(m.holder);
    lp_free(m.known);
    return err;
}
