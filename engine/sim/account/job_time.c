/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/account/job_time.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "sim/step/step.h"
#include "sim/store/family.h"
#include "sim/store/store.h"

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

/* Shares out the time of a step whose tasks are simulated one by one. */
static LpErr share_tasks(const LpContext *context, const LpStepPlan *p, double *spent,
                         LpDiag *diag) {
    LpStepGraph graph;
    LpTrace trace = {0};
    LP_TRY(lp_store_trace(context, p->partition, p->placement, p->orders, &graph, &trace, diag));
    /* Adds each moment of the step to its part; the path may have gaps only where clocks round,
     * which count for the task after them. */
    const LpStepGraph *g = &graph;
    double at = 0;
    for (uint32_t i = 0; i < trace.critical; i++) {
        uint32_t task = trace.critical_path[i];
        bool last = i + 1 == trace.critical;
        bool contended = !last && !is_succ(g, task, trace.critical_path[i + 1]);
        double length = trace.end[task] - at;
        double turning = trace.end[task] - trace.start[task] - g->time[task];
        bool flow = task >= g->parts && task < g->parts + g->transfers;
        if (!flow || !(turning > 0) || g->slot == 0)
            turning = 0;
        else if (turning > g->slot)
            turning = g->slot;
        spent[LP_TIME_TURNING] += turning;
        spent[kind_of(g, task, contended)] += length - turning;
        at = trace.end[task];
    }
    lp_trace_fini(&trace);
    return LP_OK;
}

/* Shares out the time of a plan's step, by its sums. */
static LpErr share_plan(const LpContext *context, const LpStepPlan *p, double *spent,
                        LpDiag *diag) {
    LpStepSummary s;
    LP_TRY(lp_store_step_again(context, p->partition, p->placement, p->orders, &s, diag));
    double left = s.step_time - s.computation - s.turn_time;
    double sent = fmax(fmin(s.exposed, left), 0);
    spent[LP_TIME_COMPUTING] = s.computation;
    spent[LP_TIME_TURNING] = s.turn_time;
    spent[LP_TIME_COLLECTIVE] = sent;
    spent[LP_TIME_BUBBLE] = fmax(left - sent, 0);
    return LP_OK;
}

/* The parts of one step alone on its network, each 0..1, in all 1. */
static LpErr share_step(const LpContext *base, const LpStepPlan *p, double *share, LpDiag *diag) {
    double spent[LP_TIME_COUNT] = {0}, whole = 0;
    const LpContext *context = lp_context_of(base, p->scales, p->network);
    bool planned = lp_store_partition(context->store, p->partition)->planned;
    LpErr err = (planned ? share_plan : share_tasks)(context, p, spent, diag);
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

struct LpStepShares {
    bool known;
    double share[LP_TIME_COUNT];
};

void lp_time_book_fini(LpTimeBook *book) {
    lp_free(book->step);
    *book = (LpTimeBook){0};
}

static LpErr shares_of(LpTimeBook *book, const LpContext *context, uint32_t step,
                       const double **share, LpDiag *diag) {
    if (step >= book->cap) {
        const LpStore *store = context->store;
        size_t steps = lp_store_stats(store).steps, before = book->cap;
        void *items = book->step;
        if (lp_grow(&items, &book->cap, steps, sizeof *book->step) != LP_OK)
            return lp_fail_memory(diag, "the accounts of jobs");
        book->step = items;
        for (size_t i = before; i < book->cap; i++)
            book->step[i].known = false;
    }
    struct LpStepShares *s = &book->step[step];
    if (!s->known)
        LP_TRY(share_step(context, lp_store_step_plan(context->store, step), s->share, diag));
    s->known = true;
    *share = s->share;
    return LP_OK;
}

/* ---- the account of a job's time ---- */

/* Useful time with one step, shared among the parts. */
static void add_useful(double *part, const double *share, double useful) {
    for (int i = LP_TIME_COMPUTING; i <= LP_TIME_TURNING; i++)
        part[i] += useful * share[i];
}

/* Shares of the job's present step. Where it has the step of another job (published cache), its own
 * place is asked instead. */
static LpErr share_present(LpTimeBook *book, const LpContext *context, const LpJob *job,
                           double *own, const double **share, LpDiag *diag) {
    if (job->placed.step != LP_NO_INDEX && !job->cached)
        return shares_of(book, context, job->placed.step, share, diag);
    *share = own;
    own[LP_TIME_COMPUTING] = 1;
    if (job->graph < 0 || job->placed.placement == LP_NO_INDEX)
        return LP_OK;
    LpStepPlan plan = {job->placed.partition, job->placed.placement, job->placed.orders,
                       job->placed.scales, job->light.network};
    return share_step(context, &plan, own, diag);
}

/* From the last stretch to the first. */
static LpErr add_stretches(LpTimeBook *book, const LpContext *context, const LpJob *job,
                           double useful, double *part, LpDiag *diag) {
    const double *share;
    double own[LP_TIME_COUNT] = {0}, from;
    LP_TRY(share_present(book, context, job, own, &share, diag));
    for (uint32_t at = job->placed.earlier;; at = lp_store_earlier(context->store, at)->before) {
        from = at > 0 ? lp_store_earlier(context->store, at)->useful : 0;
        if (useful > from || at == 0)
            add_useful(part, share, useful - from);
        useful = useful < from ? useful : from;
        if (at == 0)
            return LP_OK;
        LP_TRY(shares_of(book, context, lp_store_earlier(context->store, at)->step, &share, diag));
    }
}

/* Each moment in the queue, the present one too, or that of a job that waits at the end. */
static void add_waits(const LpJob *job, double now, double *part) {
    bool waits = lp_job_waits(job);
    part[LP_TIME_WAIT] = job->times.queued;
    part[LP_TIME_PREEMPTED] = job->times.put_aside;
    part[LP_TIME_REQUEUED] = job->times.requeued;
    if (waits)
        part[isnan(job->times.start) ? LP_TIME_WAIT
             : job->stops.stopped    ? LP_TIME_REQUEUED
                                     : LP_TIME_PREEMPTED] += now - job->times.waiting_since;
}

LpErr lp_job_time(const LpWorld *world, const LpContext *context, const LpJob *job,
                  LpTimeBook *book, LpJobTime *out, LpDiag *diag) {
    LpTimeBook own = {0};
    double now = lp_world_now(world);
    bool over = job->outcome == LP_JOB_COMPLETED || job->outcome == LP_JOB_ABORTED ||
                job->outcome == LP_JOB_KILLED;
    double until = job->outcome == LP_JOB_BLOCKED ? job->times.turned_away
                   : over                         ? job->times.end
                                                  : now;
    LpJobTime t = {.length = until - job->asked.arrival};
    LpAccounts a = lp_job_accounts(world, context, job);
    LpErr err = add_stretches(book != NULL ? book : &own, context, job, a.useful, t.part, diag);
    lp_time_book_fini(&own);
    if (err != LP_OK)
        return err;
    add_waits(job, now, t.part);
    t.part[LP_TIME_SLOW] = a.slow;
    t.part[LP_TIME_SETTLING] = a.settle;
    t.part[LP_TIME_CHECKPOINT] = a.checkpoint;
    t.part[LP_TIME_RESTART] = a.restart;
    t.part[LP_TIME_LOST] = a.lost;
    t.part[LP_TIME_HELD] = a.held_up;
    t.part[LP_TIME_DARK] = a.stalled - a.held_up;
    for (int i = 0; i < LP_TIME_COUNT; i++)
        t.part[i] = lp_num_calm(t.part[i]);
    *out = t;
    return LP_OK;
}

/* What every job has, if only 0 of it. */
static bool always_told(LpTimePart part) {
    return part == LP_TIME_WAIT || part == LP_TIME_PREEMPTED || part == LP_TIME_COMPUTING ||
           part == LP_TIME_LOST;
}

void lp_job_time_json(LpJsonOut *out, const LpJobTime *time) {
    lp_json_open(out, "account", '{');
    for (int i = 0; i < LP_TIME_COUNT; i++)
        if (time->part[i] != 0 || always_told((LpTimePart)i))
            lp_json_put_number(out, lp_time_name((LpTimePart)i), time->part[i]);
    lp_json_close(out, '}');
}
