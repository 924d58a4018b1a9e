/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both step clocks do with a finished run: the trace's memory, its critical path, and the
 * summary's hash. */
#include "base/hash.h"
#include "sim/step/step_impl.h"

LpErr lp_trace_init(LpTrace *trace, uint32_t tasks, LpDiag *diag) {
    LpTrace fresh = {.tasks = tasks};
    fresh.start = lp_alloc(tasks, sizeof *fresh.start);
    fresh.end = lp_alloc(tasks, sizeof *fresh.end);
    fresh.released_by = lp_alloc(tasks, sizeof *fresh.released_by);
    fresh.critical_path = lp_alloc(tasks, sizeof *fresh.critical_path);
    if (!fresh.start || !fresh.end || !fresh.released_by || !fresh.critical_path) {
        lp_free(fresh.start);
        lp_free(fresh.end);
        lp_free(fresh.released_by);
        lp_free(fresh.critical_path);
        return lp_fail_memory(diag, "the trace of a training step");
    }
    for (uint32_t t = 0; t < tasks; t++)
        fresh.released_by[t] = LP_TRACE_NONE;
    *trace = fresh;
    return LP_OK;
}

void lp_trace_fini(LpTrace *trace) {
    lp_free(trace->start);
    lp_free(trace->end);
    lp_free(trace->released_by);
    lp_free(trace->critical_path);
    lp_free(trace->tick_active);
    lp_free(trace->tick_length);
    *trace = (LpTrace){0};
}

void lp_trace_critical_path(LpTrace *trace) {
    uint32_t last = trace->tasks ? 0 : LP_TRACE_NONE;
    for (uint32_t t = 1; t < trace->tasks; t++)
        if (trace->end[t] > trace->end[last])
            last = t;
    /* The bound on n keeps a malformed released_by (a loop) from running on. */
    uint32_t n = 0;
    for (uint32_t t = last; t != LP_TRACE_NONE && n < trace->tasks; t = trace->released_by[t])
        trace->critical_path[n++] = t;
    trace->critical = n;
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t swap = trace->critical_path[i];
        trace->critical_path[i] = trace->critical_path[n - 1 - i];
        trace->critical_path[n - 1 - i] = swap;
    }
}

uint64_t lp_step_summary_hash(const LpStepSummary *s) {
    const double real[] = {s->step_time, s->computation, s->communication,
                           s->exposed,   s->waiting,     s->reconfiguration,
                           s->busy_area, s->light_area,  s->worker_utilisation,
                           s->flow_bytes};
    const uint64_t count[] = {s->servers, s->channels, s->flows, s->peak_circuits, s->ticks};
    uint64_t h = LP_HASH_INIT;
    for (size_t i = 0; i < LP_COUNTOF(real); i++)
        h = lp_hash_f64(h, real[i]);
    for (size_t i = 0; i < LP_COUNTOF(count); i++)
        h = lp_hash_u64(h, count[i]);
    if (s->turns > 0) /* else as before there were such steps */
        h = lp_hash_f64(
            lp_hash_u64(lp_hash_u64(lp_hash_u64(h, s->turns), s->waiting_turns), s->exposed_turns),
            s->turn_time);
    return h;
}
