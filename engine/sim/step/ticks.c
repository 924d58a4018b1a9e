/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published step clock (semantics 8): ticks as long as the first thing that ends, every ready
 * transfer advances in every communication tick, whatever light path it shares (Q8, Q8b). The
 * subtract-per-tick form is kept because results must agree to the last digits. */
#include <math.h>
#include <string.h>

#include "sim/step/step_impl.h"

/* A ready flow (or collective), packed because every one is touched in every tick. */
typedef struct Flow {
    double left, time;
    uint32_t task, channel;
} Flow;

typedef struct Run {
    const LpStepGraph *g;
    LpTrace *trace;
    double now;
    double *left;     /* parts */
    int32_t *missing; /* tasks: parents still to end */
    /* ready parts of each server: a heap in its own stretch of `heap` */
    uint32_t *heap_begin, *heap_count, *heap;
    Flow *flow; /* ready flows */
    uint32_t flows;
    uint32_t *empty; /* ready transfers that are no flows: they end in a tick of length 0 */
    uint32_t empties;
    /* winner of each channel in this tick */
    uint32_t *winner, *stamp, *touched;
    uint32_t touched_count, tick_number;
    uint32_t unfinished;
    uint32_t active; /* servers with a running op in this tick */
    LpStepSummary sum;
    size_t tick_cap;
} Run;

/* ---- ready ops ---- */

static uint32_t *server_heap(Run *r, uint32_t server) {
    return &r->heap[r->heap_begin[server]];
}

static void push_op(Run *r, uint32_t part) {
    uint32_t server = r->g->server[part];
    uint32_t *heap = server_heap(r, server);
    uint32_t at = r->heap_count[server]++;
    const uint64_t *priority = r->g->op_priority;
    while (at > 0 && priority[heap[(at - 1) / 2]] > priority[part]) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = part;
}

static void pop_op(Run *r, uint32_t server) {
    uint32_t *heap = server_heap(r, server);
    uint32_t count = --r->heap_count[server], last = heap[count], at = 0;
    const uint64_t *priority = r->g->op_priority;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && priority[heap[child + 1]] < priority[heap[child]])
            child++;
        if (priority[heap[child]] >= priority[last])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
}

/* ---- readiness ---- */

static void add_flow(Run *r, uint32_t task, uint32_t channel) {
    r->flow[r->flows++] = (Flow){r->g->time[task], r->g->time[task], task, channel};
}

static void ready(Run *r, uint32_t task, uint32_t by, double at) {
    const LpStepGraph *g = r->g;
    if (r->trace != NULL)
        r->trace->released_by[task] = by;
    if (task < g->parts) {
        push_op(r, task);
    } else if (task < g->parts + g->transfers) {
        uint32_t t = task - r->g->parts;
        if (r->trace != NULL)
            r->trace->start[task] = at;
        if (r->g->flow[t])
            add_flow(r, task, r->g->channel[t]);
        else
            r->empty[r->empties++] = task;
    } else {
        if (r->trace != NULL)
            r->trace->start[task] = at;
        add_flow(r, task, g->channels + (task - g->parts - g->transfers));
    }
}

static void ended(Run *r, uint32_t task, double at) {
    const LpStepGraph *g = r->g;
    r->unfinished--;
    if (r->trace != NULL)
        r->trace->end[task] = at;
    for (uint32_t i = g->succ_begin[task]; i < g->succ_begin[task + 1]; i++)
        if (--r->missing[g->succ[i]] == 0)
            ready(r, g->succ[i], task, at);
}

/* ---- one tick ---- */

/* The flow of a channel that decides the tick: the shortest one from the start, ties the later. */
static bool beats(const Flow *a, const Flow *b) {
    return a->time < b->time || (a->time == b->time && a->task > b->task);
}

static void find_winners(Run *r) {
    r->touched_count = 0;
    for (uint32_t i = 0; i < r->flows; i++) {
        uint32_t channel = r->flow[i].channel;
        if (r->stamp[channel] != r->tick_number) {
            r->stamp[channel] = r->tick_number;
            r->touched[r->touched_count++] = channel;
            r->winner[channel] = i;
        } else if (beats(&r->flow[i], &r->flow[r->winner[channel]])) {
            r->winner[channel] = i;
        }
    }
}

static double shortest_communication(Run *r) {
    if (r->empties > 0)
        return 0;
    find_winners(r);
    double shortest = (double)INFINITY;
    for (uint32_t i = 0; i < r->touched_count; i++) {
        double left = r->flow[r->winner[r->touched[i]]].left;
        if (left < shortest)
            shortest = left;
    }
    return shortest;
}

static void run_ops(Run *r, double tick) {
    for (uint32_t s = 0; s < r->g->servers; s++) {
        if (r->heap_count[s] == 0)
            continue;
        uint32_t part = server_heap(r, s)[0];
        if (r->trace != NULL && r->left[part] == r->g->time[part] && isnan(r->trace->start[part]))
            r->trace->start[part] = r->now;
        r->left[part] -= tick < r->left[part] ? tick : r->left[part];
        if (r->left[part] == 0) {
            pop_op(r, s);
            ended(r, part, r->now + tick);
        }
    }
}

static void run_empties(Run *r, uint32_t count, double at) {
    /* the first `count` end; what became ready meanwhile waits for the next tick */
    for (uint32_t i = 0; i < count; i++)
        ended(r, r->empty[i], at);
    r->empties -= count;
    memmove(r->empty, r->empty + count, r->empties * sizeof *r->empty);
}

static void run_flows(Run *r, uint32_t count, double tick) {
    double at = r->now + tick;
    for (uint32_t i = count; i-- > 0;) {
        Flow *flow = &r->flow[i];
        flow->left -= tick < flow->left ? tick : flow->left;
        if (flow->left == 0) {
            uint32_t task = flow->task;
            *flow = r->flow[--r->flows]; /* an untouched or already ticked one */
            ended(r, task, at);
        }
    }
}

static LpErr log_tick(Run *r, double tick) {
    if (r->trace == NULL)
        return LP_OK;
    LpTrace *trace = r->trace;
    if (trace->ticks == r->tick_cap) {
        size_t cap = r->tick_cap ? r->tick_cap * 2 : 256;
        uint32_t *active = lp_realloc(trace->tick_active, cap, sizeof *active);
        if (active == NULL)
            return LP_ENOMEM;
        trace->tick_active = active;
        double *length = lp_realloc(trace->tick_length, cap, sizeof *length);
        if (length == NULL)
            return LP_ENOMEM;
        trace->tick_length = length;
        r->tick_cap = cap;
    }
    trace->tick_active[trace->ticks] = r->active;
    trace->tick_length[trace->ticks++] = tick;
    return LP_OK;
}

static void account(Run *r, double tick, bool computing, bool communicating) {
    if (computing)
        r->sum.computation += tick;
    if (communicating) {
        r->sum.communication += tick;
        if (!computing)
            r->sum.exposed += tick;
        r->sum.light_area += tick * r->touched_count;
        if (r->touched_count > r->sum.peak_circuits)
            r->sum.peak_circuits = r->touched_count;
    }
    r->sum.busy_area += tick * r->active;
    r->sum.step_time += tick;
    r->sum.ticks++;
}

static LpErr one_tick(Run *r, LpDiag *diag) {
    r->tick_number++;
    double op = (double)INFINITY;
    r->active = 0;
    for (uint32_t s = 0; s < r->g->servers; s++) {
        if (r->heap_count[s] == 0)
            continue;
        r->active++;
        double left = r->left[server_heap(r, s)[0]];
        if (left < op)
            op = left;
    }
    double communication = shortest_communication(r);
    double tick = op < communication ? op : communication;
    if (isinf(tick))
        return lp_fail(diag, LP_EREFUSED,
                       "%u tasks of the step wait for each other and can never start",
                       r->unfinished);
    uint32_t empties = r->empties, flows = r->flows;
    run_ops(r, tick);
    if (empties > 0)
        run_empties(r, empties, r->now + tick);
    else
        run_flows(r, flows, tick);
    account(r, tick, r->active > 0, empties == 0 && flows > 0);
    LP_TRY(log_tick(r, tick));
    r->now += tick;
    return LP_OK;
}

/* ---- the whole step ---- */

static LpErr allocate(Run *r, LpArena *a) {
    const LpStepGraph *g = r->g;
    size_t channels = (size_t)g->channels + g->collectives;
    r->left = lp_arena_raw(a, g->parts, sizeof *r->left);
    r->missing = lp_arena_raw(a, g->tasks, sizeof *r->missing);
    r->heap_begin = lp_arena_alloc(a, (size_t)g->servers + 1, sizeof *r->heap_begin);
    r->heap_count = lp_arena_alloc(a, g->servers, sizeof *r->heap_count);
    r->heap = lp_arena_raw(a, g->parts, sizeof *r->heap);
    r->flow = lp_arena_raw(a, (size_t)g->flows + g->collectives, sizeof *r->flow);
    r->empty = lp_arena_raw(a, g->transfers, sizeof *r->empty);
    r->winner = lp_arena_raw(a, channels, sizeof *r->winner);
    r->stamp = lp_arena_alloc(a, channels, sizeof *r->stamp);
    r->touched = lp_arena_raw(a, channels, sizeof *r->touched);
    bool ok = r->left && r->missing && r->heap_begin && r->heap_count && r->heap && r->flow &&
              r->empty && r->winner && r->stamp && r->touched;
    return ok ? LP_OK : LP_ENOMEM;
}

static LpErr run(Run *r, LpArena *arena, LpDiag *diag) {
    if (allocate(r, arena) != LP_OK)
        return lp_fail_memory(diag, "the simulation of a training step");
    const LpStepGraph *g = r->g;
    memcpy(r->left, g->time, g->parts * sizeof *r->left);
    for (uint32_t t = 0; t < g->tasks; t++)
        r->missing[t] = (int32_t)g->need[t];
    for (uint32_t i = 0; i < g->parts; i++)
        r->heap_begin[g->server[i] + 1]++;
    for (uint32_t s = 0; s < g->servers; s++)
        r->heap_begin[s + 1] += r->heap_begin[s];
    r->unfinished = g->tasks;
    for (uint32_t t = 0; r->trace != NULL && t < g->tasks; t++)
        r->trace->start[t] = (double)NAN;
    for (uint32_t t = 0; t < g->tasks; t++)
        if (r->missing[t] == 0 && (t < g->parts || t >= g->parts + g->transfers))
            ready(r, t, LP_TRACE_NONE, 0);
    while (r->unfinished > 0) {
        LpErr err = one_tick(r, diag);
        if (err == LP_ENOMEM)
            return lp_fail_memory(diag, "the trace of a training step");
        LP_TRY(err);
    }
    return LP_OK;
}

LpErr lp_step_run_ticks(LpStepScratch *scratch, const LpStepGraph *graph, LpStepSummary *out,
                        LpTrace *trace, LpDiag *diag) {
    LpTrace filled = {0};
    Run r = {.g = graph};
    lp_arena_reset(scratch->run);
    if (trace != NULL) {
        LP_TRY(lp_trace_init(&filled, graph->tasks, diag));
        r.trace = &filled;
    }
    LpErr err = run(&r, scratch->run, diag);
    if (err != LP_OK) {
        lp_trace_fini(&filled);
        return err;
    }
    r.sum.servers = graph->servers;
    r.sum.channels = graph->channels;
    r.sum.flows = graph->flows;
    r.sum.flow_bytes = graph->flow_bytes;
    if (r.sum.step_time > 0)
        r.sum.worker_utilisation = r.sum.busy_area / (graph->servers * r.sum.step_time);
    r.sum.hash = lp_step_summary_hash(&r.sum);
    *out = r.sum;
    if (trace != NULL) {
        lp_trace_critical_path(&filled);
        *trace = filled;
    }
    return LP_OK;
}
