/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/accounts.h"

#include <math.h>
#include <string.h>

#include "sim/outages.h"
#include "sim/store/store.h"
#include "sim/world.h"

/* ---- one job ---- */

/* A running job's work since its last checkpoint is useful until a failure takes it. */
static LpAccounts in_pieces(const LpJob *job, double now) {
    LpStretch s = {0};
    if (job->outcome == LP_JOB_RUNNING)
        s = lp_job_stretch(job, now);
    return (LpAccounts){.useful = job->saved + s.kept + s.open,
                        .lost = job->lost,
                        .checkpoint = job->checkpointing + s.checkpoint,
                        .restart = job->restarting + s.restart,
                        .settle = job->settling + s.settle,
                        .slow = job->slow + s.slow};
}

/* What a job at its present pace takes longer than alone, as a share of the time. */
static double slower(const LpContext *context, const LpJob *job) {
    if (job->load == LP_NO_INDEX || !(job->step_time > 0))
        return 0;
    return 1 - lp_store_step(context->store, job->step)->step_time / job->step_time;
}

static double positive(double x) {
    return x > 0 ? x : 0;
}

/* A job whose pace may change, and which keeps its finished steps. */
static LpAccounts by_pace(const LpContext *context, const LpJob *job, double now) {
    bool runs = job->outcome == LP_JOB_RUNNING, lit = runs && job->dark == LP_JOB_LIT;
    double run = lit ? positive(now - job->running_since) : 0;
    double unread = !runs ? 0 : lit ? positive(job->running_since - now) : job->reading;
    double slow = job->slow + run * slower(context, job);
    LpAccounts a = {.useful = job->attained + run - slow - job->lost,
                    .lost = job->lost,
                    .restart = job->stalled - job->unread - unread,
                    .settle = job->reconfiguring,
                    .slow = slow,
                    .stalled = job->unlit};
    if (runs && job->dark == LP_JOB_TURNING)
        a.settle += positive(now - job->running_since);
    if (runs && job->dark == LP_JOB_UNLIT)
        a.stalled += positive(now - job->running_since);
    return a;
}

LpAccounts lp_job_accounts(const LpWorld *world, const LpContext *base, const LpJob *job) {
    double now = lp_world_now(world);
    bool held_up = job->outcome == LP_JOB_RUNNING && job->dark == LP_JOB_HELD;
    LpAccounts a = lp_job_in_pieces(job) ? in_pieces(job, now) : by_pace(base, job, now);
    a.held_up = job->held_up + (held_up ? now - job->running_since : 0);
    a.stalled += a.held_up;
#define X(field, word) a.held += a.field;
    LP_ACCOUNTS(X)
#undef X
    return a;
}

void lp_accounts_add(LpAccounts *sum, const LpAccounts *of, double servers) {
#define X(field, word) sum->field += of->field * servers;
    LP_ACCOUNTS(X)
#undef X
    sum->held += of->held * servers;
    sum->held_up += of->held_up * servers;
}

/* ---- a run ---- */

/* The list of failures so far, gone over again. */
static LpErr count_failures(const LpWorld *world, const LpContext *context, LpFailureSummary *s) {
    LpImage *m = world->image;
    for (uint32_t at = 0; at < m->fault; at++) {
        const LpOutageEvent *e;
        LP_TRY(lp_outages_at(context, m->seed, at, &e));
        if (lp_outages_averted(m, e))
            continue;
        LpKindFailures *k = &s->kind[e->kind];
        k->failures += e->fails;
        k->repairs += !e->fails;
        k->down += e->fails ? m->now - e->time : e->time - m->now;
    }
    return LP_OK;
}

LpErr lp_failures_summary(const LpWorld *world, const LpContext *context, LpFailureSummary *out,
                          LpDiag *diag) {
    LpFailureSummary s = {.stops = lp_world_tally(world)->stops,
                          .aborted = lp_world_tally(world)->aborted,
                          .area = lp_world_now(world) * context->fabric.servers};
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        const LpJob *job = lp_world_job(world, id);
        LpAccounts a = lp_job_accounts(world, context, job);
        lp_accounts_add(&s.accounts, &a, job->servers);
    }
    if (count_failures(world, context, &s) != LP_OK)
        return lp_fail_memory(diag, "the failures of a run");
    *out = s;
    return LP_OK;
}

static const struct {
    const char *name, *words;
} parts[] = {
#define X(id, name, words) {name, words},
    LP_TIME_PARTS(X)
#undef X
};

const char *lp_time_name(LpTimePart part) {
    return parts[part].name;
}

const char *lp_time_words(LpTimePart part) {
    return parts[part].words;
}

/* ---- what a step is spent on ---- */

static bool is_succ(const LpStepGraph *g, uint32_t task, uint32_t next) {
    for (uint32_t i = g->succ_begin[task]; i < g->succ_begin[task + 1]; i++)
        if (g->succ[i] == next)
            return true;
    return false;
}

static LpTimePart kind_of(const LpStepGraph *g, uint32_t task, bool contended) {
    if (task < g->parts)
        return contended ? LP_TIME_SERVER : LP_TIME_COMPUTING;
    if (task < g->parts + g->transfers)
        return contended ? LP_TIME_CIRCUIT : LP_TIME_SENDING;
    return LP_TIME_COLLECTIVE;
}

/* Adds each moment of the step to its part; the path may have gaps only where clocks round, which
 * count for the task after them. */
static void follow_path(const LpStepGraph *g, const LpTrace *trace, double *spent) {
    double at = 0;
    for (uint32_t i = 0; i < trace->critical; i++) {
        uint32_t task = trace->critical_path[i];
        bool last = i + 1 == trace->critical;
        bool contended = !last && !is_succ(g, task, trace->critical_path[i + 1]);
        double length = trace->end[task] - at;
        double turning = trace->end[task] - trace->start[task] - g->time[task];
        bool flow = task >= g->parts && task < g->parts + g->transfers;
        if (!flow || !(turning > 0) || g->slot == 0)
            turning = 0;
        else if (turning > g->slot)
            turning = g->slot;
        spent[LP_TIME_TURNING] += turning;
        spent[kind_of(g, task, contended)] += length - turning;
        at = trace->end[task];
    }
}

/* Of a step whose tasks are simulated one by one. */
static LpErr share_tasks(const LpContext *context, const LpJob *job, double *spent, LpDiag *diag) {
    LpStepGraph graph;
    LpStepSummary summary;
    LpTrace trace = {0};
    LP_TRY(lp_store_graph(context, job->partition, job->placement, job->orders, &graph, diag));
    LP_TRY(
        lp_step_run(context->scratch, &graph, &context->scenario->options, &summary, &trace, diag));
    follow_path(&graph, &trace, spent);
    lp_trace_fini(&trace);
    return LP_OK;
}

/* Of a plan, by its sums. */
static LpErr share_plan(const LpContext *context, const LpJob *job, double *spent, LpDiag *diag) {
    LpStepSummary s;
    LP_TRY(lp_store_step_again(context, job->partition, job->placement, job->orders, &s, diag));
    double left = s.step_time - s.computation - s.turn_time;
    double sent = fmax(fmin(s.exposed, left), 0);
    spent[LP_TIME_COMPUTING] = s.computation;
    spent[LP_TIME_TURNING] = s.turn_time;
    spent[LP_TIME_COLLECTIVE] = sent;
    spent[LP_TIME_BUBBLE] = fmax(left - sent, 0);
    return LP_OK;
}

LpErr lp_time_shares(const LpContext *base, const LpJob *job, double share[LP_TIME_COUNT],
                     LpDiag *diag) {
    double spent[LP_TIME_COUNT] = {0}, whole = 0;
    LpErr err = LP_OK;
    if (job->graph >= 0 && job->placement != LP_NO_INDEX) {
        const LpContext *context = lp_job_context(job, base);
        bool planned = lp_store_partition(context->store, job->partition)->planned;
        err = (planned ? share_plan : share_tasks)(context, job, spent, diag);
    }
    if (err == LP_EREFUSED) /* where it has no step now, it has none to share */
        memset(spent, 0, sizeof spent);
    else if (err != LP_OK)
        return err;
    for (int i = 0; i < LP_TIME_COUNT; i++)
        whole += spent[i];
    for (int i = 0; i < LP_TIME_COUNT; i++)
        share[i] = whole > 0 ? spent[i] / whole : i == LP_TIME_COMPUTING;
    return LP_OK;
}

/* ---- the account of a job's time ---- */

/* Each moment in the queue, the present one too. */
static void add_waits(const LpJob *job, double now, double *part) {
    bool waits = job->outcome == LP_JOB_WAITING && !isnan(job->waiting_since);
    part[LP_TIME_WAIT] = job->queued;
    part[LP_TIME_PREEMPTED] = job->put_aside;
    part[LP_TIME_REQUEUED] = job->requeued;
    if (waits)
        part[isnan(job->start) ? LP_TIME_WAIT
             : job->stopped    ? LP_TIME_REQUEUED
                               : LP_TIME_PREEMPTED] += now - job->waiting_since;
}

LpJobTime lp_job_time(const LpWorld *world, const LpContext *context, const LpJob *job,
                      const double share[LP_TIME_COUNT]) {
    double now = lp_world_now(world);
    bool over = job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED;
    double until = job->outcome == LP_JOB_BLOCKED ? job->turned_away : over ? job->end : now;
    LpJobTime t = {.length = until - job->arrival};
    LpAccounts a = lp_job_accounts(world, context, job);
    for (int i = LP_TIME_COMPUTING; i <= LP_TIME_TURNING; i++)
        t.part[i] = a.useful * share[i];
    add_waits(job, now, t.part);
    t.part[LP_TIME_SLOW] = a.slow;
    t.part[LP_TIME_SETTLING] = a.settle;
    t.part[LP_TIME_CHECKPOINT] = a.checkpoint;
    t.part[LP_TIME_RESTART] = a.restart;
    t.part[LP_TIME_LOST] = a.lost;
    t.part[LP_TIME_HELD] = a.held_up;
    t.part[LP_TIME_DARK] = a.stalled - a.held_up;
    return t;
}

void lp_job_time_json(LpJsonOut *out, const LpJobTime *time) {
    lp_json_open(out, "account", '{');
    for (int i = 0; i < LP_TIME_COUNT; i++)
        if (time->part[i] != 0)
            lp_json_put_number(out, lp_time_name((LpTimePart)i), time->part[i]);
    lp_json_close(out, '}');
}
