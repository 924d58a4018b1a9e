/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries: counts, completion times, utilisation and throughput over the measured window. */
#include "sim/metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

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

static bool arrived_inside(const LpSummary *s, const LpJob *job) {
    return job->arrival >= s->from && (!s->windowed || job->arrival < s->until);
}

/* Part of a job's work that lies inside the window, 0..1. */
static double share_inside(const LpSummary *s, const LpJob *job) {
    if (isnan(job->start) || !(job->jct > 0))
        return 0;
    /* of a job in several stretches (preempted, moved) the work is spread evenly */
    double end = isnan(job->end) ? job->start + job->jct : job->end;
    double length = job->preemptions + job->moves > 0 ? end - job->start : job->jct;
    double from = job->start > s->from ? job->start : s->from;
    double to = end < s->until ? end : s->until;
    double share = to > from && length > 0 ? (to - from) / length : 0;
    return share < 1 ? share : 1;
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
    s->unfinished += job->outcome != LP_JOB_BLOCKED && job->outcome != LP_JOB_COMPLETED;
    if (job->outcome == LP_JOB_BLOCKED)
        s->blocked_by[job->cause]++;
    if (!isnan(job->start)) {
        t->wait += job->wait;
        t->started++;
    }
    if (job->outcome == LP_JOB_COMPLETED) {
        double jct = job->end - job->arrival;
        jcts[s->completed++] = jct;
        t->jct += jct;
        t->speedup += job->sequential_jct / jct;
    }
}

/* Corrected: every step's bytes. Published (Q19): one step's bytes over the whole job. */
static void add_work(const LpContext *context, const LpSummary *s, const LpJob *job, Totals *t) {
    double share = share_inside(s, job);
    if (share <= 0)
        return;
    double busy = job->graph < 0 ? job->servers * job->jct : job->busy_area * job->steps;
    if (job->preemptions + job->moves > 0 && job->outcome == LP_JOB_COMPLETED)
        busy = job->past_busy;
    t->busy += busy * share;
    if (job->graph < 0) {
        t->resident += busy * share;
        return;
    }
    t->resident += job->servers * (job->computation + job->exposed) * share;
    const LpGraphFacts *facts = &context->facts[job->graph];
    double steps = published(context, LP_OPT_THROUGHPUT) ? share : share * job->steps;
    t->compute += job->part_memory * steps;
    t->dep += job->part_deps * steps;
    t->flow += job->flow_bytes * steps;
    t->demand += (facts->memory_sum + facts->dep_sum) * steps;
}

static void set_window(LpSummary *s, const LpWorld *world, const LpScenario *scenario) {
    double now = lp_world_now(world);
    s->windowed = scenario->has_measure;
    s->from = scenario->has_measure ? scenario->measure_from : 0;
    s->until =
        scenario->has_measure && scenario->measure_until < now ? scenario->measure_until : now;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : (double)NAN;
}

static void set_means(LpSummary *s, const LpWorld *world, const LpContext *context,
                      const Totals *t) {
    double completed = (double)s->completed, time = s->until - s->from;
    s->blocking_rate = ratio((double)s->blocked, (double)s->arrived);
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

/* Published rules for utilisation are means over cluster steps, not over time (Q15, Q20). */
static void set_published_means(LpSummary *s, const LpWorld *world, const LpContext *context) {
    const LpPublishedSums *sums = lp_world_published(world);
    if (published(context, LP_OPT_UTILISATION))
        s->server_utilisation = ratio(sums->cluster_util, sums->steps);
}

LpErr lp_metrics_summary(const LpWorld *world, const LpContext *context, LpSummary *out,
                         LpDiag *diag) {
    uint32_t jobs = lp_world_jobs(world);
    double *jcts = lp_alloc(jobs, sizeof *jcts);
    LpSummary s = {0};
    Totals t = {0};
    if (jcts == NULL)
        return lp_fail_memory(diag, "a summary");
    set_window(&s, world, context->scenario);
    for (uint32_t i = 0; i < jobs; i++) {
        count_job(&s, lp_world_job(world, i), jcts, &t);
        add_work(context, &s, lp_world_job(world, i), &t);
    }
    qsort(jcts, s.completed, sizeof *jcts, compare_double);
    s.p50_jct = percentile(jcts, s.completed, 0.5);
    s.p95_jct = percentile(jcts, s.completed, 0.95);
    lp_free(jcts);
    set_means(&s, world, context, &t);
    set_published_means(&s, world, context);
    *out = s;
    return LP_OK;
}

uint32_t lp_metrics_jcts(const LpWorld *world, double *out, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->outcome != LP_JOB_COMPLETED)
            continue;
        if (count < room)
            out[count] = job->end - job->arrival;
        count++;
    }
    if (room > 0)
        qsort(out, count < room ? count : room, sizeof *out, compare_double);
    return count;
}
