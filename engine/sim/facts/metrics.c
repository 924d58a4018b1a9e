/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries: counts, completion times, utilisation and throughput over the measured window. */
#include "sim/facts/metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/facts/standing.h"
#include "sim/facts/waits.h"
#include "sim/state/image.h"
#include "sim/world.h"

static bool published(const LpContext *context, LpOption option) {
    return lp_published(&context->scenario->options, option);
}

static int compare_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The part of low .. high in which the value of that rank lies after the values are parted by one
 * of them; low == high: it is there. */
static void part(double *value, uint64_t rank, uint64_t *low, uint64_t *high) {
    double pivot = value[*low + (*high - *low) / 2];
    int64_t i = (int64_t)*low, j = (int64_t)*high;
    while (i <= j) {
        while (value[i] < pivot)
            i++;
        while (value[j] > pivot)
            j--;
        if (i <= j) {
            double swapped = value[i];
            value[i++] = value[j];
            value[j--] = swapped;
        }
    }
    /* up to j none is above the pivot, from i on none below it, and what lies between is like it */
    if ((int64_t)rank <= j)
        *high = (uint64_t)j;
    else if ((int64_t)rank >= i)
        *low = (uint64_t)i;
    else
        *low = *high = rank;
}

/* What sorting would put at `rank`; sorts what is left if the values lie so that parting them
 * hardly helps. */
static double value_at(double *value, uint64_t count, uint64_t rank) {
    enum { ROUNDS = 100 };
    uint64_t low = 0, high = count - 1;
    for (int round = 0; low < high && round < ROUNDS; round++)
        part(value, rank, &low, &high);
    if (low < high)
        qsort(value + low, high - low + 1, sizeof *value, compare_double);
    return value[rank];
}

double lp_metrics_rank(double *value, uint64_t count, uint64_t percent) {
    if (count == 0)
        return (double)NAN;
    uint64_t rank = (count * percent + 99) / 100;
    return value_at(value, count, rank < 1 ? 0 : rank - 1);
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

/* First and last moment of all work that was added up. */
typedef struct Reach {
    double from, until;
} Reach;

/* Part of a job's work that lies inside the window, 0..1. Of a job in several stretches (preempted,
 * moved, stopped) what was done is spread evenly from its start to its last moment. */
static double share_inside(const LpSummary *s, const LpWorld *world, const LpJob *job,
                           Reach *reach) {
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
    reach->from = from < reach->from ? from : reach->from;
    reach->until = to > reach->until ? to : reach->until;
    return (share < 1 ? share : 1) * done;
}

typedef struct Work {
    double busy, resident, compute, dep, flow, demand;
} Work;

typedef struct Totals {
    double jct, speedup, wait, started;
    bool queued; /* some job was in the queue */
    Work work;
} Totals;

static void count_job(LpSummary *s, const LpJob *job, double now, double *jcts, Totals *t) {
    t->queued = t->queued || lp_job_waits(job) || lp_job_waited(job, now) > 0;
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
        t->wait += lp_job_waited(job, now);
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
                     const LpJob *job, Work *t, Reach *reach) {
    double share = share_inside(s, world, job, reach);
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

/* From the arrival of the first job that ran to the last moment at which one did: what is blocked,
 * before, after or between, changes no mean over time; what waits for its turn does. */
static void widen(LpSummary *s, const LpWorld *world, const LpJob *job) {
    if (isnan(job->times.start))
        return;
    double until = ran_until(world, job);
    s->from = s->from <= job->asked.arrival ? s->from : job->asked.arrival;
    s->until = s->until >= until ? s->until : until;
}

/* docs/semantics.md, "The window": the scenario's, or that of the work, or, published, the whole
 * run. s->from, s->until: those of the work. */
static void set_window(LpSummary *s, const LpWorld *world, const LpContext *context) {
    const LpScenario *scenario = context->scenario;
    double now = lp_world_now(world);
    if (published(context, LP_OPT_THROUGHPUT)) {
        s->from = s->windowed ? scenario->measure_from : 0;
        s->until = s->windowed && scenario->measure_until < now ? scenario->measure_until : now;
    } else if (s->windowed) {
        take_measure(s, world, scenario);
    }
}

/* Does the window cut nothing off the work from reach.from to reach.until? */
static bool holds(const LpSummary *s, const Reach *reach, double now) {
    return reach->from > reach->until ||
           (reach->from >= s->from && reach->until <= s->until && s->until <= now);
}

/* Jobs that ended are packed, so each walk over them costs. One does where the window cuts nothing
 * off a job: work is added up as if the window were all time until now, and afterwards it is seen
 * whether that was so. */
static void take_all(LpSummary *s, const LpWorld *world, const LpContext *context, double *jcts,
                     Totals *t) {
    uint32_t jobs = lp_world_jobs(world);
    double now = lp_world_now(world);
    LpSummary all = {.from = -(double)INFINITY, .until = now};
    Reach reach = {.from = (double)INFINITY, .until = -(double)INFINITY};
    s->windowed = context->scenario->has_measure;
    s->from = s->until = (double)NAN;
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        widen(s, world, job);
        if (s->windowed)
            continue;
        count_job(s, job, now, jcts, t);
        add_work(context, &all, world, job, &t->work, &reach);
    }
    set_window(s, world, context);
    if (!s->windowed && holds(s, &reach, now))
        return;
    t->work = (Work){0};
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        if (s->windowed)
            count_job(s, job, now, jcts, t);
        add_work(context, s, world, job, &t->work, &reach);
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
    bool queued = t->queued || lp_world_tally(world)->offers > 0;
    s->mean_wait = queued ? ratio(t->wait, t->started) : (double)NAN;
    s->server_utilisation = ratio(t->work.busy, time * context->fabric.servers);
    s->kernel_utilisation = ratio(t->work.resident, time * context->fabric.servers);
    s->compute_throughput = ratio(t->work.compute, time);
    s->dep_throughput = ratio(t->work.dep, time);
    s->flow_throughput = ratio(t->work.flow, time);
    s->demand_throughput = ratio(t->work.demand, time);
}

double lp_summary_lost(const LpSummary *s) {
    return s->arrived > 0 ? s->unserved_rate + (double)s->late / (double)s->arrived : (double)NAN;
}

LpErr lp_metrics_of(const LpWorld *world, const LpContext *context, const LpStanding *standing,
                    LpSummary *out, LpDiag *diag) {
    uint32_t jobs = lp_world_jobs(world);
    double *jcts = lp_alloc(jobs, sizeof *jcts);
    LpSummary s = {0};
    Totals t = {0};
    if (jcts == NULL)
        return lp_fail_memory(diag, "a summary");
    take_all(&s, world, context, jcts, &t);
    s.p50_jct = lp_metrics_rank(jcts, s.completed, 50);
    s.p95_jct = lp_metrics_rank(jcts, s.completed, 95);
    s.p99_jct = lp_metrics_rank(jcts, s.completed, 99);
    s.longest_jct = lp_metrics_rank(jcts, s.completed, 100);
    lp_free(jcts);
    set_means(&s, world, context, &t);
    LP_TRY(lp_waits_summary(world, context, standing, &s, diag));
    /* Published rules for utilisation are means over cluster steps, not over time (Q15, Q20). */
    const LpPublishedSums *sums = lp_world_published(world);
    if (published(context, LP_OPT_UTILISATION))
        s.server_utilisation = ratio(sums->cluster_util, sums->steps);
    *out = s;
    return LP_OK;
}

LpErr lp_metrics_summary(const LpWorld *world, const LpContext *context, LpSummary *out,
                         LpDiag *diag) {
    LpStanding standing;
    LP_TRY(lp_standing_new(world, context, false, &standing, diag));
    LpErr err = lp_metrics_of(world, context, &standing, out, diag);
    lp_standing_fini(&standing);
    return err;
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
