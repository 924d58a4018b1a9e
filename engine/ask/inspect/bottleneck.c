/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The account of a job, and its step with other hardware. */
#include "ask/inspect/bottleneck.h"

#include <math.h>

#include "session/session_impl.h"
#include "sim/light/circuits.h"
#include "sim/store/family.h"

static const struct {
    const char *name, *meaning;
} knobs[] = {
#define X(id, name, meaning) {name, meaning},
    LP_KNOB_TABLE(X)
#undef X
};

const char *lp_knob_name(LpStepKnob knob) {
    return knobs[knob].name;
}

const char *lp_knob_meaning(LpStepKnob knob) {
    return knobs[knob].meaning;
}

double lp_bottleneck_gain(const LpBottleneck *b, LpStepKnob knob) {
    return (knob == LP_KNOB_ALONE ? b->step_time : b->alone) / b->knob[knob];
}

/* ---- a step with one input changed ---- */

static LpErr step_in(const LpContext *context, const LpJob *job, double *step, LpDiag *diag) {
    LpStepSummary summary;
    LpErr err = lp_store_step_again(context, job->placed.partition, job->placed.placement,
                                    job->placed.orders, &summary, diag);
    if (err == LP_OK)
        *step = summary.step_time;
    return err == LP_EREFUSED ? LP_OK : err; /* no way in the dark: it has no step there */
}

static LpErr twice_as_fast(const LpContext *context, const LpJob *job, double *step, LpDiag *diag) {
    LpContext other = *context; /* shares the store, whose results do not depend on it */
    uint32_t types = context->scenario->cluster.types;
    double *speed = lp_alloc(types, sizeof *speed);
    if (speed == NULL)
        return lp_fail_memory(diag, "a bottleneck");
    for (uint32_t t = 0; t < types; t++)
        speed[t] = 2 * (context->speed != NULL ? context->speed[t] : 1);
    other.speed = speed;
    LpErr err = step_in(&other, job, step, diag);
    lp_free(speed);
    return err;
}

/* On the same servers and circuits, with the network `by` times what it is. */
static LpErr on_network(const LpContext *context, const LpJob *job, LpScales by, double *step,
                        LpDiag *diag) {
    LpScales scales = *lp_family_scales(context->family, context->scales);
    const LpContext *other;
    uint32_t number;
    scales.bandwidth *= by.bandwidth;
    scales.latency *= by.latency;
    scales.reconfiguration *= by.reconfiguration;
    LP_TRY(lp_context_scale(context, &scales, &number, diag));
    LP_TRY(lp_circuits_at(context, number, context->network, &other, diag));
    return step_in(other, job, step, diag);
}

static bool turns(const LpContext *context, const LpJob *job) {
    return context->fabric.slot > 0 ||
           lp_store_turns(lp_store_partition(context->store, job->placed.partition));
}

/* ---- the job ---- */

static void judge(LpBottleneck *b) {
    double best = 1;
    b->most = LP_TIME_WAIT;
    for (int i = 0; i < LP_TIME_COUNT; i++)
        if (b->time.part[i] > b->time.part[b->most])
            b->most = (LpTimePart)i;
    b->help = -1;
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        if (lp_bottleneck_gain(b, (LpStepKnob)k) > best) {
            best = lp_bottleneck_gain(b, (LpStepKnob)k);
            b->help = k;
        }
}

LpErr lp_bottleneck(const LpSession *s, uint32_t id, LpBottleneck *out, LpDiag *diag) {
    LpBottleneck b = {.step_time = (double)NAN, .alone = (double)NAN};
    if (id >= lp_world_jobs(s->world))
        return lp_fail(diag, LP_ERANGE, "there is no job %u: %u jobs have arrived", (unsigned)id,
                       (unsigned)lp_world_jobs(s->world));
    const LpJob *job = lp_world_job(s->world, id);
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        b.knob[k] = (double)NAN;
    LP_TRY(lp_job_time(s->world, s->context, job, NULL, &b.time, diag));
    if (job->times.start >= 0 && job->graph >= 0) {
        b.step_time = job->forecast.step_time;
        const LpContext *context = lp_job_context(job, s->context);
        const LpScales bandwidth = {2, 1, 1}, latency = {1, 0.5, 1}, slot = {1, 1, 0.5};
        LP_TRY(step_in(context, job, &b.alone, diag));
        LP_TRY(twice_as_fast(context, job, &b.knob[LP_KNOB_COMPUTE], diag));
        LP_TRY(on_network(context, job, bandwidth, &b.knob[LP_KNOB_BANDWIDTH], diag));
        LP_TRY(on_network(context, job, latency, &b.knob[LP_KNOB_LATENCY], diag));
        if (turns(context, job))
            LP_TRY(on_network(context, job, slot, &b.knob[LP_KNOB_SLOT], diag));
        if (context->sharing != NULL)
            b.knob[LP_KNOB_ALONE] = b.alone;
    }
    judge(&b);
    *out = b;
    return LP_OK;
}
