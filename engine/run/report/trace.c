/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as JSON lines in order of time: what happened to the jobs, merged with the tasks of the
 * first step of each job that runs. On shared links a step lasts what the job's steps did on
 * average (its step_time). */
#include <math.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "run/report/report_impl.h"

/* Steps under way: never more than jobs run at once, plus those that ended within their step. */
typedef struct Merge {
    LpReport *report;
    LpTraceTasks *step;
    size_t steps, cap;
} Merge;

static const char *const kinds[LP_EVENT_COUNT] = {
    [LP_EVENT_ARRIVAL] = "arrival",
    [LP_EVENT_START] = "start",
    [LP_EVENT_WAIT] = "wait",
    [LP_EVENT_BLOCK] = "block",
    [LP_EVENT_COMPLETION] = "completion",
    [LP_EVENT_EXPIRY] = "block",
};

static void add_event(LpReport *r, const char *kind, uint32_t id, double time) {
    static const char *const none[] = {"op", "part",    "dep",   "server", "from",
                                       "to", "circuit", "start", "end"};
    LpJsonOut out = {.out = r->out};
    lp_json_open(&out, NULL, '{');
    lp_json_put_number(&out, "t", time);
    lp_json_put_text(&out, "kind", kind);
    lp_json_put_count(&out, "job", id);
    for (size_t i = 0; i < LP_COUNTOF(none); i++)
        lp_json_put_null(&out, none[i]);
    if (kind == kinds[LP_EVENT_BLOCK]) {
        const char *cause = lp_cause_code((LpCause)lp_world_job(r->world, id)->cause);
        lp_json_put_text(&out, "cause", cause != NULL ? cause : "");
    }
    lp_json_end(&out);
}

/* Jobs that the published horizon blocks have no event of their own. */
static void add_horizon(LpReport *r, double time) {
    for (uint32_t i = 0; i < lp_world_jobs(r->world); i++)
        if (lp_world_job(r->world, i)->cause == LP_CAUSE_HORIZON)
            add_event(r, kinds[LP_EVENT_BLOCK], i, time);
}

static LpErr begin_step(Merge *m, uint32_t id, double time) {
    const LpJob *job = lp_world_job(m->report->world, id);
    void *items = m->step;
    if (job->graph < 0 || job->placement == LP_NO_INDEX || job->partition == LP_NO_INDEX)
        return LP_OK;
    if (lp_grow(&items, &m->cap, m->steps + 1, sizeof *m->step) != LP_OK)
        return lp_fail_memory(m->report->diag, "a trace");
    m->step = items;
    const LpContext *context = lp_job_context(job, m->report->context);
    double pace = context->fabric.network != NULL ? job->step_time : (double)NAN;
    LpErr err = lp_trace_tasks(context, id, time, job->partition, job->placement, job->orders, pace,
                               &m->step[m->steps], m->report->diag);
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

static LpErr write_events(Merge *m) {
    LpReport *r = m->report;
    bool over = false;
    for (size_t i = 0; i < lp_session_events(r->session); i++) {
        const LpEvent *event = lp_session_event(r->session, i);
        LP_TRY(write_tasks(m, event->time));
        over |= event->kind == LP_EVENT_HORIZON;
        if (event->kind == LP_EVENT_HORIZON)
            add_horizon(r, event->time);
        else if (kinds[event->kind] != NULL)
            add_event(r, kinds[event->kind], event->job, event->time);
        if (event->kind == LP_EVENT_START)
            LP_TRY(begin_step(m, event->job, event->time));
        LP_TRY(lp_report_flush(r));
    }
    if (!over)
        add_horizon(r, lp_world_now(r->world));
    return write_tasks(m, (double)INFINITY);
}

LpErr lp_report_write_trace(LpReport *report) {
    Merge m = {.report = report};
    if (lp_session_events(report->session) == 0 && lp_world_jobs(report->world) > 0)
        return lp_fail(report->diag, LP_ESTATE, "the session did not keep its events");
    LpErr err = write_events(&m);
    while (m.steps > 0)
        end_step(&m, m.steps - 1);
    lp_free(m.step);
    return err;
}
