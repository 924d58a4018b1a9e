/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what a run came to, from its jobs as they are now. */
#include "views/summary/summary_facts.h"

#include <math.h>

#include "base/mem.h"
#include "widgets/show.h"

void lp_summary_fini(LpSummaryFacts *facts) {
    lp_free(facts->model);
    *facts = (LpSummaryFacts){0};
}

static double jct_of(const LpJob *job) {
    return job->times.end - job->asked.arrival;
}

/* Is `job` nearer to the end of what is looked for than the one so far? */
static bool beats(const LpWorld *world, uint32_t so_far, double value,
                  double (*of)(const LpJob *job)) {
    return !isnan(value) && (so_far == LP_NO_INDEX || value > of(lp_world_job(world, so_far)));
}

static double limit_share(const LpJob *job) {
    return lp_job_of_limit(job, jct_of(job));
}

static void count_job(LpSummaryFacts *f, const LpWorld *world, const LpJob *job) {
    LpSummaryModel *m = &f->model[job->graph < 0 ? f->models - 1 : (uint32_t)job->graph];
    if (job->slice.row > 0) {
        /* What a job waits for now counts up to now. */
        double waited[LP_WAIT_COUNT];
        for (int w = 0; w < LP_WAIT_COUNT; w++)
            waited[w] = job->queue.waited[w];
        if (job->outcome == LP_JOB_WAITING)
            waited[job->queue.waits_for] += lp_world_now(world) - job->queue.waits_since;
        for (int w = 0; w < LP_WAIT_COUNT; w++) {
            f->waited[w] += waited[w];
            f->waiting += waited[w];
        }
    }
    m->came++;
    m->blocked += job->outcome == LP_JOB_BLOCKED;
    if (job->outcome != LP_JOB_COMPLETED)
        return;
    m->done++;
    m->jct += jct_of(job);
    if (beats(world, f->nearest, limit_share(job), limit_share))
        f->nearest = job->id;
    if (beats(world, f->longest, jct_of(job), jct_of))
        f->longest = job->id;
}

/* Arrivals are in order of time: a window ends at each of them in turn. */
static void find_worst(LpSummaryFacts *f, const LpWorld *world) {
    uint32_t jobs = lp_world_jobs(world), first = 0, lost = 0;
    double length = lp_show_nice(fmax(lp_world_now(world) / 20.0, 1e-9));
    f->worst = (LpSummaryWorst){.length = length};
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        lost += job->outcome == LP_JOB_BLOCKED;
        while (lp_world_job(world, first)->asked.arrival < job->asked.arrival - length)
            lost -= lp_world_job(world, first++)->outcome == LP_JOB_BLOCKED;
        if (lost > f->worst.lost ||
            (lost > 0 && lost == f->worst.lost && i + 1 - first < f->worst.came))
            f->worst = (LpSummaryWorst){lp_world_job(world, first)->asked.arrival, length,
                                        i + 1 - first, lost};
    }
}

/* The first job that was lost, and the last one that started before. */
static void find_first(LpSummaryFacts *f, const LpSession *session) {
    size_t events = lp_session_events(session);
    for (size_t i = 0; i < events; i++) {
        const LpEvent *event = lp_session_event(session, i);
        if (event->kind == LP_EVENT_START)
            f->before = event->job;
        if (!lp_event_is(event->kind, LP_EVENT_LOSES))
            continue;
        f->first_lost = event->job;
        return;
    }
    f->before = LP_NO_INDEX;
}

LpErr lp_summary_update(LpSummaryFacts *f, const LpSession *session, LpDiag *diag) {
    const LpWorld *world = lp_session_world(session);
    bool timed = lp_session_branches(session) > 0;
    LpMoment at = {0, lp_world_tally(world)->events};
    if (timed)
        at = lp_session_moment(session);
    if (f->known && f->of.branch == at.branch && f->of.step == at.step)
        return LP_OK;
    lp_summary_fini(f);
    f->models = lp_session_scenario(session)->graphs + 1;
    f->model = lp_alloc(f->models, sizeof *f->model);
    if (!f->model)
        return lp_fail_memory(diag, "the summary");
    LP_TRY(lp_metrics_summary(world, lp_session_context(session), &f->summary, diag));
    LP_TRY(lp_worst_of(world, lp_session_context(session), &f->waits, diag));
    f->first_lost = f->before = f->nearest = f->longest = LP_NO_INDEX;
    for (uint32_t i = 0; i < lp_world_jobs(world); i++)
        count_job(f, world, lp_world_job(world, i));
    find_worst(f, world);
    find_first(f, session);
    f->of = at;
    f->known = true;
    return LP_OK;
}
