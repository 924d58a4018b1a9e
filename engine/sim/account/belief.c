/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/account/belief.h"

#include <math.h>

#include "base/num.h"
#include "sim/store/context.h"

double lp_job_requested(const LpScenario *scenario, const LpJob *job) {
    return job->asked.spec < scenario->jobs ? scenario->job[job->asked.spec].requested : 0;
}

bool lp_job_veiled(const LpScenario *scenario, const LpJob *job) {
    return !scenario->reveal && lp_job_requested(scenario, job) > 0 &&
           job->outcome < LP_JOB_COMPLETED;
}

double lp_job_believed_duration(const LpScenario *scenario, const LpJob *job) {
    return lp_job_veiled(scenario, job) ? lp_job_requested(scenario, job)
                                        : job->asked.rigid_duration;
}

/* A job is in the queue or on servers from its arrival on, so that what it has not waited it has
 * held. While it does not wait the sum does not change. */
static double limit_of(const LpJob *job, double requested) {
    double waited = isnan(job->times.wait) ? 0 : job->times.wait;
    return job->asked.arrival + waited + requested;
}

double lp_job_believed_end(const LpScenario *scenario, const LpJob *job, double now) {
    if (!lp_job_veiled(scenario, job) || isinf(job->times.forecast_end))
        return job->times.forecast_end;
    double end = limit_of(job, lp_job_requested(scenario, job));
    return end > now ? end : now;
}

double lp_job_requested_left(const LpScenario *scenario, const LpJob *job, double now) {
    double requested = lp_job_requested(scenario, job);
    if (isnan(job->times.start))
        return requested;
    if (!isnan(job->times.waiting_since))
        now = job->times.waiting_since;
    double left = limit_of(job, requested) - now;
    return left > 0 ? left : 0;
}

double lp_job_believed_work(const LpScenario *scenario, const LpJob *job, double now, double done) {
    if (job->graph < 0)
        return job->asked.rigid_servers * (lp_job_believed_end(scenario, job, now) - now);
    if (!lp_job_veiled(scenario, job))
        return job->asked.sequential_jct * (1 - done / job->asked.steps);
    double requested = lp_job_requested(scenario, job);
    done = 1 - lp_job_requested_left(scenario, job, now) / requested;
    return requested * (1 - done / job->asked.steps);
}

void lp_job_limit(LpImage *m, const LpContext *context, LpJob *job) {
    double requested = lp_job_requested(context->scenario, job);
    job->times.kill_at = 0;
    if (!context->scenario->kill_at_requested || !(requested > 0))
        return;
    double limit = limit_of(job, requested);
    if (job->times.forecast_end <= limit * (1 + LP_NUM_TIE))
        return;
    job->times.kill_at = limit;
    lp_timer_push(m, limit, LP_TIMER_KILL, job->id);
}
