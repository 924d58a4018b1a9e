/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the trace of a step to its phases on shared links. */
#include "sim/traffic/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

/* A time during which the same tasks send, or several of these joined. */
typedef struct Burst {
    double begin, end;   /* s of the step alone */
    double last;         /* s, sending without the gaps between */
    double after, until; /* as in LpSendPhase */
} Burst;

typedef struct Cut {
    const LpStepGraph *g;
    const LpTrace *trace;
    bool *meets;           /* tasks that send on shared links */
    double *after, *until; /* tasks: s of own work */
    double *begin, *end;   /* of the runs of own work, ascending */
    double *done;          /* runs: own work before each */
    uint32_t runs;
    double *instant; /* starts and ends of what meets, each once */
    uint32_t instants;
    Burst *burst;
    uint32_t bursts;
} Cut;

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- own work ---- */

static int compare_spans(const void *a, const void *b) {
    const Burst *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Runs of own work: the union of its tasks. span: room for all tasks. */
static void find_runs(Cut *c, Burst *span) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < c->g->tasks; t++)
        if (!c->meets[t] && c->trace->end[t] > c->trace->start[t])
            span[count++] = (Burst){.begin = c->trace->start[t], .end = c->trace->end[t]};
    qsort(span, count, sizeof *span, compare_spans);
    double done = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (c->runs > 0 && span[i].begin <= c->end[c->runs - 1]) {
            if (span[i].end > c->end[c->runs - 1])
                c->end[c->runs - 1] = span[i].end;
            continue;
        }
        done += c->runs > 0 ? c->end[c->runs - 1] - c->begin[c->runs - 1] : 0;
        c->begin[c->runs] = span[i].begin;
        c->end[c->runs] = span[i].end;
        c->done[c->runs++] = done;
    }
}

/* Own work done at an instant of the step alone. */
static double own_at(const Cut *c, double time) {
    uint32_t low = 0, high = c->runs;
    while (low < high) { /* the runs that begin before it */
        uint32_t middle = low + (high - low) / 2;
        if (c->begin[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    double end = c->end[low - 1] < time ? c->end[low - 1] : time;
    return c->done[low - 1] + (end - c->begin[low - 1]);
}

/* ---- bursts ---- */

static void find_instants(Cut *c) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < c->g->tasks; t++)
        if (c->meets[t]) {
            c->instant[count++] = c->trace->start[t];
            c->instant[count++] = c->trace->end[t];
        }
    qsort(c->instant, count, sizeof *c->instant, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        if (c->instants == 0 || c->instant[i] > c->instant[c->instants - 1] * (1 + LP_NUM_TIE))
            c->instant[c->instants++] = c->instant[i];
}

static uint32_t instant_at(const Cut *c, double time) {
    uint32_t low = 0, high = c->instants;
    while (low + 1 < high) { /* the last one that is not after it */
        uint32_t middle = low + (high - low) / 2;
        if (c->instant[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* One burst between each two instants while something meets: by counting starts and ends. running:
 * zeros, one for each instant. */
static void find_bursts(Cut *c, int32_t *running) {
    for (uint32_t i = 0; i < c->instants; i++)
        c->burst[i] = (Burst){.until = (double)INFINITY};
    for (uint32_t t = 0; t < c->g->tasks; t++) {
        if (!c->meets[t])
            continue;
        uint32_t from = instant_at(c, c->trace->start[t]), to = instant_at(c, c->trace->end[t]);
        if (from == to)
            continue;
        running[from]++;
        running[to]--;
        c->burst[from].after = fmax(c->burst[from].after, c->after[t]);
        c->burst[to - 1].until = fmin(c->burst[to - 1].until, c->until[t]);
    }
    int32_t now = 0;
    for (uint32_t i = 0; i + 1 < c->instants; i++) {
        now += running[i];
        Burst b = c->burst[i];
        b.begin = c->instant[i];
        b.end = c->instant[i + 1];
        b.last = b.end - b.begin;
        if (now > 0)
            c->burst[c->bursts++] = b;
    }
}

static void join(Burst *b, const Burst *next) {
    b->end = next->end;
    b->last += next->last;
    b->until = fmin(b->until, next->until);
}

/* Nobody can tell two bursts apart between which the own work neither begins nor waits. */
static bool alike(const Burst *b, const Burst *next) {
    return next->begin <= b->end && next->after <= b->after && b->until >= next->until;
}

static void join_alike(Cut *c) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->bursts; i++) {
        if (kept > 0 && alike(&c->burst[kept - 1], &c->burst[i]))
            join(&c->burst[kept - 1], &c->burst[i]);
        else
            c->burst[kept++] = c->burst[i];
    }
    c->bursts = kept;
}

/* Neighbours that send less together than two of LP_PHASES_MAX equal shares: of any two that stay
 * apart the sum is more, so that LP_PHASES_MAX are enough. */
static void join_many(Cut *c) {
    double all = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->bursts; i++)
        all += c->burst[i].last;
    for (uint32_t i = 0; i < c->bursts; i++) {
        bool small =
            kept > 0 && c->burst[kept - 1].last + c->burst[i].last <= 2 * all / (LP_PHASES_MAX - 1);
        if (small)
            join(&c->burst[kept - 1], &c->burst[i]);
        else
            c->burst[kept++] = c->burst[i];
    }
    c->bursts = kept;
}

/* ---- phases ---- */

/* The least until of a phase and all behind it: these have not ended while it has not. */
static void wait_in_order(LpSendPhase *phase, uint32_t count) {
    for (uint32_t i = count; i-- > 1;)
        phase[i - 1].until = fmin(phase[i - 1].until, phase[i].until);
}

static LpErr make_phases(const Cut *c, const LpFabric *f, const LpPartition *partition,
                         LpArena *arena, double *weight, LpSendPhases *out) {
    LpSendPhase *phase = lp_arena_alloc(arena, c->bursts, sizeof *phase);
    if (phase == NULL)
        return LP_ENOMEM;
    *out = (LpSendPhases){.count = c->bursts, .phase = phase};
    if (c->runs > 0)
        out->own = c->done[c->runs - 1] + (c->end[c->runs - 1] - c->begin[c->runs - 1]);
    for (uint32_t i = 0; i < c->bursts; i++) {
        const Burst *b = &c->burst[i];
        phase[i] = (LpSendPhase){.after = b->after, .until = b->until, .begun = out->sending};
        /* The share of each task that lies in the burst. */
        for (uint32_t t = 0; t < c->g->tasks; t++) {
            double start = c->trace->start[t], end = c->trace->end[t];
            double from = fmax(start, b->begin), to = fmin(end, b->end);
            weight[t] = c->meets[t] && to > from ? (to - from) / (end - start) : 0;
        }
        LP_TRY(lp_load_weighted(f, c->g, partition, weight, b->last, arena, &phase[i].load));
        if (phase[i].load.links == 0)
            phase[i].load.sending = 0;
        phase[i].quiet = b->last - phase[i].load.sending;
        out->sending += b->last;
    }
    wait_in_order(phase, c->bursts);
    return LP_OK;
}

static LpErr cut(Cut *c, const LpFabric *f, const LpPartition *partition, LpArena *work,
                 LpArena *arena, LpSendPhases *out) {
    size_t tasks = c->g->tasks, instants = 2 * tasks + 1;
    c->meets = lp_arena_alloc(work, tasks, sizeof *c->meets);
    c->after = lp_arena_alloc(work, tasks, sizeof *c->after);
    c->until = lp_arena_alloc(work, tasks, sizeof *c->until);
    c->begin = lp_arena_alloc(work, tasks, sizeof *c->begin);
    c->end = lp_arena_alloc(work, tasks, sizeof *c->end);
    c->done = lp_arena_alloc(work, tasks, sizeof *c->done);
    c->instant = lp_arena_alloc(work, instants, sizeof *c->instant);
    c->burst = lp_arena_alloc(work, instants, sizeof *c->burst);
    int32_t *running = lp_arena_alloc(work, instants, sizeof *running);
    double *weight = lp_arena_alloc(work, tasks, sizeof *weight);
    if (!c->meets || !c->after || !c->until || !c->begin || !c->end || !c->done || !c->instant ||
        !c->burst || !running || !weight)
        return LP_ENOMEM;
    LP_TRY(lp_load_meets(f, c->g, partition, c->meets));
    find_runs(c, c->burst);
    const LpStepGraph *g = c->g;
    for (uint32_t t = 0; t < g->tasks; t++)
        c->until[t] = (double)INFINITY;
    for (uint32_t t = 0; t < g->tasks; t++)
        for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++) {
            uint32_t child = g->succ[i];
            if (c->meets[t] == c->meets[child])
                continue;
            if (c->meets[t])
                c->until[t] = fmin(c->until[t], own_at(c, c->trace->start[child]));
            else
                c->after[child] = fmax(c->after[child], own_at(c, c->trace->end[t]));
        }
    find_instants(c);
    find_bursts(c, running);
    join_alike(c);
    if (c->bursts > LP_PHASES_MAX)
        join_many(c);
    return make_phases(c, f, partition, arena, weight, out);
}

LpErr lp_phases_make(const LpFabric *f, const LpStepGraph *graph, const LpPartition *partition,
                     const LpTrace *trace, LpArena *arena, LpSendPhases *out) {
    Cut c = {.g = graph, .trace = trace};
    LpArena *work = lp_arena_new(0);
    LpErr err = work != NULL ? cut(&c, f, partition, work, arena, out) : LP_ENOMEM;
    lp_arena_free(work);
    return err;
}

LpErr lp_phases_of_sums(const LpLoad *load, const LpStepSummary *step, LpArena *arena,
                        LpSendPhases *out) {
    LpSendPhase *phase = lp_arena_alloc(arena, 1, sizeof *phase);
    if (phase == NULL)
        return LP_ENOMEM;
    double own = step->step_time - step->exposed, hidden = step->communication - step->exposed;
    *phase = (LpSendPhase){.after = own - hidden,
                           .until = (double)INFINITY,
                           .quiet = step->communication - load->sending,
                           .load = *load};
    *out = (LpSendPhases){own, step->communication, 1, phase};
    return LP_OK;
}
