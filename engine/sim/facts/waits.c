/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/waits.h"

#include <math.h>

#include "base/mem.h"
#include "sim/account/accounts.h"
#include "sim/facts/job_facts.h"
#include "sim/facts/worst.h"

/* Values of which mean and ranks are taken. */
typedef struct Values {
    double *value;
    uint64_t count;
    double sum, squares;
} Values;

static void add(Values *v, double value) {
    v->value[v->count++] = value;
    v->sum += value;
    v->squares += value * value;
}

static double mean(const Values *v) {
    return v->count > 0 ? v->sum / (double)v->count : (double)NAN;
}

static double rank(Values *v, uint64_t percent) {
    return lp_metrics_rank(v->value, v->count, percent);
}

/* Without a measure window every job counts. */
static bool counts(const LpSummary *s, const LpStand *job) {
    return !s->windowed || (job->arrival >= s->from && job->arrival < s->until);
}

static bool done(const LpStand *job) {
    return job->outcome == LP_JOB_COMPLETED;
}

static bool unfinished(const LpStand *job) {
    return !done(job) && job->outcome != LP_JOB_BLOCKED && job->outcome != LP_JOB_ABORTED;
}

static bool waits(const LpStand *job) {
    return unfinished(job) && !isnan(job->since);
}

/* ---- waits ---- */

/* Of jobs that started. mean_wait is known already: NAN where nobody was ever in the queue. */
static void set_waits(const LpStanding *st, Values v, LpSummary *s) {
    for (uint32_t i = 0; i < st->jobs; i++)
        if (counts(s, &st->job[i]) && !isnan(st->job[i].start))
            add(&v, st->job[i].waited);
    if (isnan(s->mean_wait))
        v.count = 0;
    s->p50_wait = rank(&v, 50);
    s->p95_wait = rank(&v, 95);
    s->p99_wait = rank(&v, 99);
    s->max_wait = rank(&v, 100);
}

/* Of all that started or waited. */
static void set_waits_of_all(const LpStanding *st, bool queued, Values v, LpSummary *s) {
    s->oldest_waiting = s->oldest_job = (double)NAN;
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *job = &st->job[i];
        if (!counts(s, job))
            continue;
        s->never_started += unfinished(job) && isnan(job->start);
        s->still_waiting += waits(job);
        if (waits(job) && !(job->left - job->since <= s->oldest_waiting)) {
            s->oldest_waiting = job->left - job->since;
            s->oldest_job = i;
        }
        if (queued && (!isnan(job->start) || unfinished(job) || job->waited > 0))
            add(&v, isnan(job->waited) ? 0 : job->waited);
    }
    s->waiters = v.count;
    s->mean_wait_all = mean(&v);
    s->p50_wait_all = rank(&v, 50);
    s->p95_wait_all = rank(&v, 95);
    s->p99_wait_all = rank(&v, 99);
    s->max_wait_all = rank(&v, 100);
}

/* Was anybody in the queue, if only for no time? Who waits at the end was, whether he started or
 * not. */
static bool anybody(const LpWorld *world, const LpStanding *st) {
    bool any = lp_world_tally(world)->offers > 0;
    for (uint32_t i = 0; !any && i < st->jobs; i++)
        any = st->job[i].waited >= 0 && (waits(&st->job[i]) || st->job[i].waited > 0);
    return any;
}

/* ---- slowdown and fairness ---- */

static void set_slowdowns(const LpStanding *st, double tau, Values v, LpSummary *s) {
    double all = 0, count = 0;
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *job = &st->job[i];
        if (!counts(s, job) || !(done(job) || unfinished(job)))
            continue;
        if (done(job))
            add(&v, job->slowdown);
        all += done(job) ? job->slowdown
                         : lp_bounded_slowdown(job->left - job->arrival, job->alone, tau);
        count++;
    }
    s->mean_slowdown = mean(&v);
    s->p95_slowdown = rank(&v, 95);
    s->max_slowdown = rank(&v, 100);
    s->mean_slowdown_all = count > 0 ? all / count : (double)NAN;
    s->jain_slowdown = v.squares > 0 ? v.sum * v.sum / ((double)v.count * v.squares) : (double)NAN;
}

static void set_fairness(const LpStanding *st, Values v, LpSummary *s) {
    uint64_t late = 0;
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *job = &st->job[i];
        if (!counts(s, job) || isnan(job->rho))
            continue;
        add(&v, job->rho);
        late += job->rho > 1 + 1e-9;
    }
    s->mean_rho = mean(&v);
    s->max_rho = rank(&v, 100);
    s->unfair = v.count > 0 ? (double)late / (double)v.count : (double)NAN;
}

static void set_overtaken(const LpStanding *st, LpSummary *s) {
    s->most_overtaken = (double)NAN;
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *job = &st->job[i];
        if (!counts(s, job))
            continue;
        s->overtakings += job->overtaken;
        if (job->overtaken > s->max_overtaken) {
            s->max_overtaken = job->overtaken;
            s->most_overtaken = i;
        }
    }
}

/* NAN where a job has not ended, or none has. */
static void set_makespan(const LpStanding *st, LpSummary *s) {
    double first = (double)INFINITY, last = -(double)INFINITY;
    bool all = true;
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *job = &st->job[i];
        if (!counts(s, job))
            continue;
        first = fmin(first, job->arrival);
        all = all && !unfinished(job);
        if (done(job))
            last = fmax(last, job->left);
    }
    s->makespan = all && last >= first ? last - first : (double)NAN;
}

/* ---- servers ---- */

/* Share of a job's time on servers that lies in the window. It counts as spread evenly from its
 * start to the last moment at which it ran. */
static double inside(const LpSummary *s, const LpStand *stand, const LpJob *job) {
    double last = isnan(job->times.waiting_since) ? stand->left : job->times.waiting_since;
    double in = fmin(last, s->until) - fmax(stand->start, s->from), length = last - stand->start;
    if (!s->windowed || in >= length)
        return 1;
    return in > 0 ? in / length : 0;
}

/* Where failures are told of, held time is that of the whole run so far; else of the window. */
static void set_allocation(const LpWorld *world, const LpContext *context, const LpStanding *st,
                           LpSummary *s) {
    bool whole = lp_job_failures_told(context);
    double time = whole ? lp_world_now(world) : s->until - s->from;
    double held = 0, useful = 0, area = time * lp_world_servers(world);
    for (uint32_t i = 0; i < st->jobs; i++) {
        const LpStand *stand = &st->job[i];
        if (isnan(stand->start))
            continue;
        const LpJob *job = lp_world_job(world, i);
        LpAccounts a = lp_job_accounts(world, context, job);
        double share = whole ? 1 : inside(s, stand, job);
        held += a.held * job->placed.servers * share;
        useful += a.useful * job->placed.servers * share;
    }
    s->allocation = area > 0 ? held / area : (double)NAN;
    s->goodput = area > 0 ? useful / area : (double)NAN;
}

/* ---- the queue ---- */

static LpErr set_queue(const LpWorld *world, const LpContext *context, const LpStanding *st,
                       LpSummary *s, LpDiag *diag) {
    LpWorst worst;
    LP_TRY(lp_worst_find(st, context, &worst, diag));
    double time = st->jobs > 0 ? lp_world_now(world) - st->job[0].arrival : 0;
    s->mean_queue = time > 0 ? lp_world_tally(world)->waiting_area / time : (double)NAN;
    s->peak_waiting = worst.queue.waiting;
    s->peak_servers = worst.queue.servers;
    s->peak_time = worst.any ? worst.queue.time : (double)NAN;
    return LP_OK;
}

LpErr lp_waits_summary(const LpWorld *world, const LpContext *context, const LpStanding *st,
                       LpSummary *s, LpDiag *diag) {
    Values v = {.value = lp_alloc((size_t)st->jobs + 1, sizeof *v.value)};
    if (v.value == NULL)
        return lp_fail_memory(diag, "a summary");
    set_waits(st, v, s);
    set_waits_of_all(st, anybody(world, st), v, s);
    set_slowdowns(st, context->scenario->tau, v, s);
    set_fairness(st, v, s);
    lp_free(v.value);
    set_overtaken(st, s);
    set_makespan(st, s);
    set_allocation(world, context, st, s);
    return set_queue(world, context, st, s, diag);
}
