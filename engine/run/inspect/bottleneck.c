/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attribution along the critical path of a step, and the step with other hardware. */
#include "run/inspect/bottleneck.h"

#include "run/session/impl.h"

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

const char *lp_knob_name(LpKnob knob) {
    return knobs[knob].name;
}

const char *lp_knob_meaning(LpKnob knob) {
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

/* Simulates the job's step with this hardware; step_time NULL: attributes it. */
static LpErr simulate(const LpContext *context, const LpJob *job, double *step_time,
                      LpBottleneck *out, LpDiag *diag) {
    LpStepGraph graph;
    LpStepSummary summary;
    LpTrace trace = {0};
    LP_TRY(lp_store_graph(context, job->partition, job->placement, job->orders, &graph, diag));
    LP_TRY(lp_step_run(context->scratch, &graph, &context->scenario->options, &summary,
                       step_time == NULL ? &trace : NULL, diag));
    if (step_time != NULL) {
        *step_time = summary.step_time;
        return LP_OK;
    }
    attribute(&graph, &trace, job->steps, out->spent);
    lp_trace_fini(&trace);
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
        err = simulate(&other, job, &out->knob[k], out, diag);
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
    if (job->graph < 0) {
        result.spent[LP_SPENT_COMPUTE] = job->rigid_duration;
        result.step_time = job->rigid_duration;
        for (int k = 0; k < LP_KNOB_COUNT; k++)
            result.knob[k] = result.step_time;
    } else {
        const LpContext *context = lp_job_context(job, s->context);
        LP_TRY(simulate(context, job, NULL, &result, diag));
        LP_TRY(turn_knobs(context, job, &result, diag));
    }
    judge(&result);
    *out = result;
    return LP_OK;
}
