/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries: counts, completion times, utilisation and throughput over the measured window. */
#include "sim/facts/metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/state/image.h"
#include "sim/world.h"

static bool published(const LpContext *context, LpOption option) {
    return lp_published(&context->scenario->options, option);
}

static int compare_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nearest rank. */
static double percentile(const double *sorted, uint64_t count, double p) {
    if (count == 0)
        return (double)NAN;
    double rank = ceil(p * (double)count);
    return sorted[rank < 1 ? 0 : (uint64_t)rank - 1];
}

/* Without a measure window every job counts. */
static bool arrived_inside(const LpSummary *s, const LpJob *job) {
    return !s->windowed || (job->asked.arrival >= s->from && job->asked.arrival < s->until);
}

/* The last moment at which a job that started ran: now, while it runs. */
static double ran_until(const LpWorld *world, const LpJob *job) {
    if (job->outcome == LP_JOB_COMPLETED)
        return job->times.end;
    return isnan(job->times.waiting_since) ? lp_world_now(world) : job->times.waiting_since;
}

static bool moved(const LpJob *job) {
    return job->stops.preemptions + job->stops.moves + job->stops.count > 0;
}

/* Part of a job's work that lies inside the window, 0..1. Of a job in several stretches (preempted,
 * moved, stopped) what was done is spread evenly from its start to its last moment. */
static double share_inside(const LpSummary *s, const LpWorld *world, const LpJob *job) {
    if (isnan(job->times.start) || !(job->forecast.jct > 0))
        return 0;
    double end = isnan(job->times.end) ? job->times.start + job->forecast.jct : job->times.end,
           length = job->forecast.jct, done = 1;
    if (moved(job)) {
        end = ran_until(world, job);
        length = end - job->times.start;
        done = lp_world_steps_done(world, job->id) / job->asked.steps;
    }
    double from = job->times.start > s->from ? job->times.start : s->from;
    double to = end < s->until ? end : s->until;
    double share = to > from && length > 0 ? (to - from) / length : 0;
    return (share < 1 ? share : 1) * done;
}

typedef struct Totals {
    double jct, speedup, wait, started;
    double busy, resident, compute, dep, flow, demand;
} Totals;

static void count_job(LpSummary *s, const LpJob *job, double *jcts, Totals *t) {
    if (!arrived_inside(s, job))
        return;
    s->arrived++;
    s->blocked += job->outcome == LP_JOB_BLOCKED;
    s->aborted += job->outcome == LP_JOB_ABORTED;
    s->unfinished += job->outcome != LP_JOB_BLOCKED && job->outcome != LP_JOB_COMPLETED &&
                     job->outcome != LP_JOB_ABORTED;
    if (job->outcome == LP_JOB_BLOCKED)
        s->blocked_by[job->cause]++;
    if (!isnan(job->times.start)) {
        t->wait += job->times.wait;
        t->started++;
    }
    if (job->outcome == LP_JOB_COMPLETED) {
        double jct = job->times.end - job->asked.arrival;
        jcts[s->completed++] = jct;
        s->late += jct > job->asked.max_jct * (1 + 1e-9);
        t->jct += jct;
        t->speedup += job->asked.sequential_jct / jct;
    }
}

/* Corrected: every step's bytes. Published (Q19): one step's bytes over the whole job. */
static void add_work(const LpContext *context, const LpSummary *s, const LpWorld *world,
                     const LpJob *job, Totals *t) {
    double share = share_inside(s, world, job);
    if (share <= 0)
        return;
    double busy = job->graph < 0 ? job->placed.servers * job->forecast.jct
                                 : job->forecast.busy_area * job->asked.steps;
    if (moved(job) && job->outcome == LP_JOB_COMPLETED)
        busy = job->work.past_busy;
    t->busy += busy * share;
    if (job->graph < 0) {
        t->resident += busy * share;
        return;
    }
    t->resident +=
        job->placed.servers * (job->forecast.computation + job->forecast.exposed) * share;
    const LpGraphFacts *facts = &context->facts[job->graph];
    bool one_step = published(context, LP_OPT_THROUGHPUT);
    double steps = one_step ? share : share * job->asked.steps;
    t->compute += job->forecast.part_memory * steps;
    t->dep += job->forecast.part_deps * steps;
    t->flow += job->forecast.flow_bytes * steps;
    t->demand += (one_step ? facts->memory_sum + facts->dep_sum : facts->demand) * steps;
}

/* Nothing would have happened later: a window may go on after the last event. */
static bool complete(const LpWorld *world) {
    return lp_world_over(world) && isinf(world->image->next_arrival) &&
           lp_world_tally(world)->unfinished == 0;
}

/* Takes the part of the scenario's window that was simulated. */
static void take_measure(LpSummary *s, const LpWorld *world, const LpScenario *scenario) {
    double now = lp_world_now(world), worked = s->until;
    s->from = scenario->measure_from;
    s->until = scenario->measure_until;
    if (isinf(s->until) && complete(world))
        s->until = worked;
    else if (now < s->until && !complete(world))
        s->until = now;
}

/* docs/semantics.md, "The window": the scenario's, or that of the work, or, published, the whole
 * run. */
static void set_window(LpSummary *s, const LpWorld *world, const LpContext *context) {
    const LpScenario *scenario = context->scenario;
    double now = lp_world_now(world);
    s->windowed = scenario->has_measure;
    /* From the arrival of the first job that ran to the last moment at which one did: what is
     * blocked, before, after or between, changes no mean over time; what waits for its turn does.
     */
    s->from = s->until = (double)NAN;
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        if (isnan(job->times.start))
            continue;
        double until = ran_until(world, job);
        s->from = s->from <= job->asked.arrival ? s->from : job->asked.arrival;
        s->until = s->until >= until ? s->until : until;
    }
    if (published(context, LP_OPT_THROUGHPUT)) {
        s->from = s->windowed ? scenario->measure_from : 0;
        s->until = s->windowed && scenario->measure_until < now ? scenario->measure_until : now;
    } else if (s->windowed) {
        take_measure(s, world, scenario);
    }
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : (double)NAN;
}

static void set_means(LpSummary *s, const LpWorld *world, const LpContext *context,
                      const Totals *t) {
    double completed = (double)s->completed, time = s->until - s->from;
    s->blocking_rate = ratio((double)s->blocked, (double)s->arrived);
    s->unserved_rate = ratio((double)(s->blocked + s->unfinished + s->aborted), (double)s->arrived);
    s->mean_jct = ratio(t->jct, completed);
    s->mean_jct_speedup = ratio(t->speedup, completed);
    s->mean_wait = lp_world_tally(world)->offers > 0 || lp_world_tally(world)->waiting > 0
                       ? ratio(t->wait, t->started)
                       : (double)NAN;
    s->server_utilisation = ratio(t->busy, time * context->fabric.servers);
    s->kernel_utilisation = ratio(t->resident, time * context->fabric.servers);
    s->compute_throughput = ratio(t->compute, time);
    s->dep_throughput = ratio(t->dep, time);
    s->flow_throughput = ratio(t->flow, time);
    s->demand_throughput = ratio(t->demand, time);
}

double lp_summary_lost(const LpSummary *s) {
    return s->arrived > 0 ? s->unserved_rate + (double)s->late / (double)s->arrived : (double)NAN;
}

LpErr lp_metrics_summary(const LpWorld *world, const LpContext *context, LpSummary *out,
                         LpDiag *diag) {
    uint32_t jobs = lp_world_jobs(world);
    double *jcts = lp_alloc(jobs, sizeof *jcts);
    LpSummary s = {0};
    Totals t = {0};
    if (jcts == NULL)
        return lp_fail_memory(diag, "a summary");
    set_window(&s, world, context);
    for (uint32_t i = 0; i < jobs; i++) {
        count_job(&s, lp_world_job(world, i), jcts, &t);
        add_work(context, &s, world, lp_world_job(world, i), &t);
    }
    qsort(jcts, s.completed, sizeof *jcts, compare_double);
    s.p50_jct = percentile(jcts, s.completed, 0.5);
    s.p95_jct = percentile(jcts, s.completed, 0.95);
    lp_free(jcts);
    set_means(&s, world, context, &t);
    /* Published rules for utilisation are means over cluster steps, not over time (Q15, Q20). */
    const LpPublishedSums *sums = lp_world_published(world);
    if (published(context, LP_OPT_UTILISATION))
        s.server_utilisation = ratio(sums->cluster_util, sums->steps);
    *out = s;
    return LP_OK;
}

double lp_metrics_blocking(const LpWorld *world, const LpContext *context) {
    LpSummary s = {0};
    uint64_t arrived = lp_world_jobs(world), blocked = lp_world_tally(world)->blocked;
    set_window(&s, world, context);
    if (s.windowed)
        arrived = blocked = 0;
    for (uint32_t i = 0; s.windowed && i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        arrived += arrived_inside(&s, job);
        blocked += arrived_inside(&s, job) && job->outcome == LP_JOB_BLOCKED;
    }
    return ratio((double)blocked, (double)arrived);
}

uint32_t lp_metrics_jcts(const LpWorld *world, double *out, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->outcome != LP_JOB_COMPLETED)
            continue;
        if (count < room)
            out[count] = job->times.end - job->asked.arrival;
        count++;
    }
    if (room > 0)
        qsort(out, count < room ? count : room, sizeof *out, compare_double);
    return count;
}
