/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/slices.h"

#include <math.h>

#include "base/mem.h"
#include "sim/facts/slices_impl.h"
#include "sim/place/slice.h"
#include "sim/world.h"

/* ---- classes ---- */

static LpSliceClass *class_of(LpSliceSummary *s, const LpSlice *slice) {
    for (uint32_t i = 0; i < s->classes; i++)
        if (lp_slice_same(s->item[i].slice, slice))
            return &s->item[i];
    s->item[s->classes] = (LpSliceClass){.slice = slice};
    return &s->item[s->classes++];
}

static bool inside(const LpScenario *scenario, const LpJob *job) {
    return !scenario->has_measure || (job->asked.arrival >= scenario->measure_from &&
                                      job->asked.arrival < scenario->measure_until);
}

LpErr lp_slices_summary(const LpWorld *world, const LpContext *context, LpSliceSummary *out,
                        LpDiag *diag) {
    const LpScenario *scenario = context->scenario;
    LpSliceSummary s = {.item = lp_alloc(scenario->slices + 1, sizeof *s.item)};
    if (s.item == NULL)
        return lp_fail_memory(diag, "a summary of slices");
    for (uint32_t i = 0; i < scenario->slices; i++)
        class_of(&s, &scenario->slice[i].slice);
    for (uint32_t id = 0; id < lp_world_jobs(world); id++) {
        const LpJob *job = lp_world_job(world, id);
        const LpSlice *slice = lp_job_slice(context, job);
        if (slice == NULL)
            continue;
        LpAccounts a = lp_job_accounts(world, context, job);
        if (inside(scenario, job)) {
            LpSliceClass *c = class_of(&s, &scenario->slice[job->slice.row - 1].slice);
            c->arrived++;
            c->blocked += job->outcome == LP_JOB_BLOCKED;
            if (job->outcome == LP_JOB_BLOCKED)
                c->blocked_by[job->cause]++;
        }
        lp_accounts_add(&s.accounts, &a, slice->accelerators);
        for (int w = 0; w < LP_WAIT_COUNT; w++)
            s.waited[w] += job->queue.waited[w];
        if (job->outcome == LP_JOB_WAITING)
            s.waited[job->queue.waits_for] += lp_world_now(world) - job->queue.waits_since;
    }
    s.stops = lp_world_tally(world)->stops;
    s.aborted = lp_world_tally(world)->aborted;
    LpErr err = lp_slices_capacity(world, context, &s);
    if (err != LP_OK) {
        lp_slices_fini(&s);
        return lp_fail_memory(diag, "a summary of slices");
    }
    s.cross_connects = lp_world_tally(world)->cross_connects;
    s.area = lp_world_now(world) * context->fabric.servers;
    *out = s;
    return LP_OK;
}

void lp_slices_fini(LpSliceSummary *summary) {
    lp_free(summary->item);
    lp_free(summary->capacity);
    summary->item = NULL;
    summary->capacity = NULL;
}
