/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs do now, and who does something else than before. */
#include "sim/facts/samples.h"

#include "sim/store/store.h"

bool lp_sample_same(const LpSample *a, const LpSample *b) {
    return a->throughput == b->throughput && a->compute == b->compute &&
           a->resident == b->resident && a->dark == b->dark;
}

LpSample lp_sample_of(const LpWorld *world, const LpContext *context, uint32_t id) {
    const LpJob *job = lp_world_job(world, id);
    LpSample sample = {.time = lp_world_now(world), .job = id};
    if (job->outcome != LP_JOB_RUNNING)
        return sample;
    sample.dark = job->light.dark != LP_JOB_LIT;
    if (job->graph < 0)
        sample.compute = sample.resident = 1;
    if (job->graph < 0 || sample.dark || job->placed.step == LP_NO_INDEX ||
        !(job->forecast.step_time > 0))
        return sample;
    const LpStepSummary *step = lp_store_step(context->store, job->placed.step);
    double longer = job->forecast.step_time - step->step_time; /* others are in the way */
    sample.throughput = job->forecast.flow_bytes / job->forecast.step_time;
    sample.compute = step->computation / job->forecast.step_time;
    sample.resident = (step->computation + step->exposed + longer) / job->forecast.step_time;
    return sample;
}

LpErr lp_samples_changed(LpStamp *seen, const LpWorld *world, const LpContext *context,
                         LpSampleTake take, void *user, LpDiag *diag) {
    LpErr err = LP_OK;
    if (lp_stamp_same(lp_world_stamp(world), *seen))
        return LP_OK;
    bool follows = lp_world_follows(world, *seen);
    uint64_t at = seen->mark;
    uint32_t job, jobs = follows ? 0 : lp_world_jobs(world);
    for (job = lp_world_oldest(world); err == LP_OK && job < jobs; job++) {
        LpSample sample = lp_sample_of(world, context, job);
        err = take(user, &sample, diag);
    }
    while (err == LP_OK && follows && lp_world_next_changed(world, &at, &job)) {
        LpSample sample = lp_sample_of(world, context, job);
        err = take(user, &sample, diag);
    }
    if (err == LP_OK)
        *seen = lp_world_stamp(world);
    return err;
}
