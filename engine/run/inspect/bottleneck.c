/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attribution along the critical path of a step, and the step with other hardware. */
#include "run/inspect/bottleneck.h"

#include <math.h>

#include "run/session/session_impl.h"

static const struct {
    const char *name, *meaning;
} spents[] =
    {
#define X(id, name, meaning) {name, meaning},
        LP_SPENT_TABLE(X)
#undef X
},
  knobs[] = {
#define X(id, name, meaning) {name, meaning},
      LP_KNOB_TABLE(X)
#undef X
};

const char *lp_spent_name(LpSpent spent) {
    return spents[spent].name;
}

const char *lp_spent_meaning(LpSpent spent) {
    return spents[spent].meaning;
}

const char *lp_knob_name(LpStepKnob knob) {
    return knobs[knob].name;
}

const char *lp_knob_meaning(LpStepKnob knob) {
    return knobs[knob].meaning;
}

/* ---- one step ---- */

static bool is_succ(const LpStepGraph *g, uint32_t task, uint32_t next) {
    for (uint32_t i = g->succ_begin[task]; i < g->succ_begin[task + 1]; i++)
        if (g->succ[i] == next)
            return true;
    return false;
}

static LpSpent kind_of(const LpStepGraph *g, uint32_t task, bool contended) {
    if (task < g->parts)
        return contended ? LP_SPENT_SERVER : LP_SPENT_COMPUTE;
    if (task < g->parts + g->transfers)
        return contended ? LP_SPENT_CIRCUIT : LP_SPENT_TRANSFER;
    return LP_SPENT_COLLECTIVE;
}

/* Adds each moment of the step to what it is spent on; the path may have gaps only where clocks
 * round, which count for the task after them. */
static void attribute(const LpStepGraph *g, const LpTrace *trace, double steps, double *spent) {
    double at = 0;
    for (uint32_t i = 0; i < trace->critical; i++) {
        uint32_t task = trace->critical_path[i];
        bool last = i + 1 == trace->critical;
        bool contended = !last && !is_succ(g, task, trace->critical_path[i + 1]);
        double length = trace->end[task] - at;
        double turning = trace->end[task] - trace->start[task] - g->time[task];
        bool flow = task >= g->parts && task < g->parts + g->transfers;
        if (!flow || !(turning > 0) || g->slot == 0)
            turning = 0;
        else if (turning > g->slot)
            turning = g->slot;
        spent[LP_SPENT_RECONFIGURATION] += steps * turning;
        spent[kind_of(g, task, contended)] += steps * (length - turning);
        at = trace->end[task];
    }
}

/* Along the critical path, of a step whose tasks are simulated one by one. */
static LpErr attribute_tasks(const LpContext *context, const LpJob *job, LpBottleneck *out,
                             LpDiag *diag) {
    LpStepGraph graph;
    LpStepSummary summary;
    LpTrace trace = {0};
    LP_TRY(lp_store_graph(context, job->partition, job->placement, job->orders, &graph, diag));
    LP_TRY(
        lp_step_run(context->scratch, &graph, &context->scenario->options, &summary, &trace, diag));
    attribute(&graph, &trace, job->steps, out->spent);
    lp_trace_fini(&trace);
    return LP_OK;
}

/* Of a plan, by its sums. */
static LpErr attribute_plan(const LpContext *context, const LpJob *job, LpBottleneck *out,
                            LpDiag *diag) {
    LpStepSummary s;
    LP_TRY(lp_store_step_again(context, job->partition, job->placement, job->orders, &s, diag));
    double left = s.step_time - s.computation - s.turn_time;
    double sent = fmax(fmin(s.exposed, left), 0);
    out->spent[LP_SPENT_COMPUTE] = job->steps * s.computation;
    out->spent[LP_SPENT_RECONFIGURATION] = job->steps * s.turn_time;
    out->spent[LP_SPENT_COLLECTIVE] = job->steps * sent;
    out->spent[LP_SPENT_BUBBLE] = job->steps * fmax(left - sent, 0);
    return LP_OK;
}

static LpErr turn_knobs(const LpContext *context, const LpJob *job, LpBottleneck *out,
                        LpDiag *diag) {
    uint32_t types = context->scenario->cluster.types;
    double *speed = lp_alloc(types, sizeof *speed);
    if (speed == NULL)
        return lp_fail_memory(diag, "a bottleneck");
    LpErr err = LP_OK;
    for (int k = 0; err == LP_OK && k < LP_KNOB_COUNT; k++) {
        LpContext other = *context; /* shares the store, whose results do not depend on it */
        for (uint32_t t = 0; t < types; t++)
            speed[t] = 2 * (context->speed != NULL ? context->speed[t] : 1);
        if (k == LP_KNOB_COMPUTE)
            other.speed = speed;
        other.fabric.port_rate *= k == LP_KNOB_BANDWIDTH ? 2 : 1;
        other.fabric.latency *= k == LP_KNOB_LATENCY ? 0.5 : 1;
        other.fabric.slot *= k == LP_KNOB_SLOT ? 0.5 : 1;
        other.stated.bandwidth *= k == LP_KNOB_BANDWIDTH ? 2 : 1;
        other.stated.latency *= k == LP_KNOB_LATENCY ? 0.5 : 1;
        other.stated.reconfiguration *= k == LP_KNOB_SLOT ? 0.5 : 1;
        LpStepSummary summary;
        err = lp_store_step_again(&other, job->partition, job->placement, job->orders, &summary,
                                  diag);
        out->knob[k] = err == LP_OK ? summary.step_time : 0;
    }
    lp_free(speed);
    return err;
}

/* ---- the job ---- */

static void judge(LpBottleneck *out) {
    double best = out->step_time;
    out->most = LP_SPENT_QUEUE;
    for (int i = 0; i < LP_SPENT_COUNT; i++)
        if (out->spent[i] > out->spent[out->most])
            out->most = (LpSpent)i;
    out->help = -1;
    for (int k = 0; k < LP_KNOB_COUNT; k++) {
        if (!(out->knob[k] < best))
            continue;
        best = out->knob[k];
        out->help = k;
    }
}

/* A rigid job says how long it runs. */
static void attribute_rigid(const LpJob *job, LpBottleneck *out) {
    out->spent[LP_SPENT_COMPUTE] = job->rigid_duration;
    out->step_time = job->rigid_duration;
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        out->knob[k] = out->step_time;
}

static LpErr attribute_job(const LpContext *context, const LpJob *job, LpBottleneck *out,
                           LpDiag *diag) {
    if (job->graph < 0) {
        attribute_rigid(job, out);
        return LP_OK;
    }
    bool planned = lp_store_partition(context->store, job->partition)->planned;
    LP_TRY((planned ? attribute_plan : attribute_tasks)(context, job, out, diag));
    return turn_knobs(context, job, out, diag);
}

/* Of one that was given up: what it trained, shared as the whole would have been. */
static void keep_trained(const LpJob *job, LpBottleneck *out) {
    double whole = 0;
    for (int i = LP_SPENT_COMPUTE; i < LP_SPENT_COUNT; i++)
        whole += out->spent[i];
    for (int i = LP_SPENT_COMPUTE; i < LP_SPENT_COUNT && whole > 0; i++)
        out->spent[i] *= job->attained / whole;
}

LpErr lp_bottleneck(const LpSession *s, uint32_t id, LpBottleneck *out, LpDiag *diag) {
    LpBottleneck result = {0};
    if (id >= lp_world_jobs(s->world))
        return lp_fail(diag, LP_ERANGE, "there is no job %u: %u jobs have arrived", (unsigned)id,
                       (unsigned)lp_world_jobs(s->world));
    const LpJob *job = lp_world_job(s->world, id);
    if (!(job->start >= 0))
        return lp_fail(diag, LP_ESTATE, "job %u never started", (unsigned)id);
    result.spent[LP_SPENT_QUEUE] = job->wait > 0 ? job->wait : 0;
    result.spent[LP_SPENT_CHECKPOINT] = job->stalled;
    result.step_time = job->step_time;
    LP_TRY(attribute_job(lp_job_context(job, s->context), job, &result, diag));
    if (job->outcome == LP_JOB_ABORTED)
        keep_trained(job, &result);
    judge(&result);
    *out = result;
    return LP_OK;
}
