/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays a step out: tasks become bars, bars are sorted into rows. */
#include "ask/inspect/inspect_step.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/split/split.h"
#include "sim/parallel/parallel_step.h"
#include "sim/parallel/stages.h"
#include "sim/store/store.h"

/* A bar with the row that it belongs to. */
typedef struct Placed {
    uint32_t kind, server, to; /* of its row */
    uint32_t task;
    LpStepBar bar;
} Placed;

typedef struct Layout {
    const LpPartition *partition;
    const LpStepGraph *graph;
    const LpTrace *trace;
    double *ready; /* by task */
    Placed *item;
    uint32_t count;
    LpStepInspection *out;
} Layout;

void lp_step_inspection_fini(LpStepInspection *seen) {
    lp_free(seen->row);
    lp_free(seen->bar);
    lp_free(seen->critical_bar);
    *seen = (LpStepInspection){0};
}

/* ---- tasks ---- */

static void set_op(Placed *p, const LpPartition *partition, uint32_t op) {
    const LpGraph *graph = partition->graph;
    p->bar.backward = op >= graph->ops;
    p->bar.op = graph->op[p->bar.backward ? op - graph->ops : op].number;
}

/* False for a dependency that is no flow: it takes no time and no light. */
static bool place(const Layout *l, uint32_t task, Placed *p) {
    const LpStepGraph *g = l->graph;
    *p = (Placed){.task = task,
                  .bar = {.start = l->trace->start[task],
                          .end = l->trace->end[task],
                          .ready = l->ready[task]}};
    if (task < g->parts) {
        p->kind = LP_STEP_SERVER;
        p->server = g->server_id[g->server[task]];
        p->to = l->out->recorded ? lp_step_op(g, l->partition, task) : 0;
        p->bar.kind = LP_TASK_OP;
        set_op(p, l->partition, lp_step_op(g, l->partition, task));
        p->bar.part = lp_step_part(g, l->partition, task);
    } else if (task < g->parts + g->transfers) {
        uint32_t t = task - g->parts;
        if (!g->flow[t])
            return false;
        p->kind = LP_STEP_PAIR;
        p->server = g->src[t];
        p->to = g->dst[t];
        p->bar.kind = LP_TASK_FLOW;
        p->bar.bytes = g->bytes[t];
        set_op(p, l->partition, lp_step_op(g, l->partition, task));
        p->bar.part = lp_step_part(g, l->partition, task);
        uint32_t to = lp_step_head_op(g, l->partition, t);
        const LpGraph *graph = l->partition->graph;
        p->bar.to_backward = to >= graph->ops;
        p->bar.to = graph->op[p->bar.to_backward ? to - graph->ops : to].number;
    } else {
        const LpCollectiveTask *c = lp_step_call(g, l->partition, task - g->parts - g->transfers);
        p->kind = LP_STEP_COLLECTIVES;
        p->bar.kind = LP_TASK_COLLECTIVE;
        p->bar.bytes = c->bytes;
        set_op(p, l->partition, c->op);
        p->bar.part = l->out->recorded ? lp_step_part(g, l->partition, task) : 0;
    }
    return true;
}

static int by_row(const void *x, const void *y) {
    const Placed *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->server != b->server)
        return a->server < b->server ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->bar.start != b->bar.start)
        return a->bar.start < b->bar.start ? -1 : 1;
    if (a->bar.end != b->bar.end) /* what takes no time comes first */
        return a->bar.end < b->bar.end ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

static bool same_row(const Placed *a, const Placed *b) {
    return a->kind == b->kind && a->server == b->server && a->to == b->to;
}

/* ---- rows ---- */

static void end_row(LpStepInspection *out) {
    LpStepRow *row = &out->row[out->rows - 1];
    double reached = 0;
    row->end = out->bars;
    for (uint32_t i = row->first; i < row->end; i++) {
        LpStepBar *bar = &out->bar[i];
        double from = bar->start > reached ? bar->start : reached;
        row->busy += bar->end > from ? bar->end - from : 0;
        bar->reach = reached = bar->end > reached ? bar->end : reached;
    }
}

static void make_rows(Layout *l, uint32_t *bar_of) {
    LpStepInspection *out = l->out;
    for (uint32_t i = 0; i < l->count; i++) {
        const Placed *p = &l->item[i];
        if (i == 0 || !same_row(p, &l->item[i - 1])) {
            if (i > 0)
                end_row(out);
            out->row[out->rows++] = (LpStepRow){.kind = (LpStepRowKind)p->kind,
                                                .server = p->server,
                                                .to = p->to,
                                                .first = out->bars};
            out->servers += p->kind == LP_STEP_SERVER;
            out->pairs += p->kind == LP_STEP_PAIR;
        }
        if (p->bar.end > out->step_time)
            out->step_time = p->bar.end;
        bar_of[p->task] = out->bars;
        out->bar[out->bars++] = p->bar;
    }
    if (l->count > 0)
        end_row(out);
}

/* What a rank waits for is told bar by bar. */
static void note_after(Layout *l, const uint32_t *bar_of) {
    for (uint32_t t = 0; t < l->graph->tasks; t++) {
        uint32_t by = l->trace->released_by[t];
        if (bar_of[t] != LP_NO_INDEX)
            l->out->bar[bar_of[t]].after = by != LP_TRACE_NONE ? bar_of[by] : LP_NO_INDEX;
    }
}

static void mark_critical(Layout *l, const uint32_t *bar_of) {
    LpStepInspection *out = l->out;
    for (uint32_t i = 0; i < l->trace->critical; i++) {
        uint32_t bar = bar_of[l->trace->critical_path[i]];
        if (bar == LP_NO_INDEX)
            continue;
        out->bar[bar].critical = true;
        out->critical_bar[out->critical++] = bar;
    }
}

/* A task is ready when the last one that it needs has ended; one that needs only some of those that
 * name it, when it starts at the latest. */
static void find_ready(Layout *l) {
    const LpStepGraph *g = l->graph;
    for (uint32_t t = 0; t < g->tasks; t++)
        l->ready[t] = 0.0;
    for (uint32_t t = 0; t < g->tasks; t++)
        for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++)
            if (l->trace->end[t] > l->ready[g->succ[i]])
                l->ready[g->succ[i]] = l->trace->end[t];
    for (uint32_t t = 0; t < g->tasks; t++)
        if (l->ready[t] > l->trace->start[t])
            l->ready[t] = l->trace->start[t];
}

static LpErr lay_out(Layout *l) {
    uint32_t tasks = l->graph->tasks;
    uint32_t *bar_of = lp_alloc(tasks, sizeof *bar_of);
    LpStepInspection *out = l->out;
    l->item = lp_alloc(tasks, sizeof *l->item);
    out->bar = lp_alloc(tasks, sizeof *out->bar);
    out->row = lp_alloc(tasks, sizeof *out->row);
    out->critical_bar = lp_alloc(l->trace->critical, sizeof *out->critical_bar);
    l->ready = lp_alloc(tasks, sizeof *l->ready);
    bool ok = l->ready != NULL && bar_of != NULL && l->item != NULL && out->bar != NULL &&
              out->row != NULL && out->critical_bar != NULL;
    if (ok) {
        find_ready(l);
        memset(bar_of, 0xff, tasks * sizeof *bar_of);
        for (uint32_t t = 0; t < tasks; t++)
            l->count += place(l, t, &l->item[l->count]);
        qsort(l->item, l->count, sizeof *l->item, by_row);
        make_rows(l, bar_of);
        mark_critical(l, bar_of);
        if (out->recorded)
            note_after(l, bar_of);
    }
    lp_free(bar_of);
    lp_free(l->ready);
    lp_free(l->item);
    return ok ? LP_OK : LP_ENOMEM;
}

LpErr lp_step_inspect(const LpContext *context, uint32_t partition, uint32_t placement,
                      LpOrders orders, double step_time, LpStepInspection *out, LpDiag *diag) {
    LpStepGraph graph;
    LpTrace trace = {0};
    LpStepInspection seen = {
        .recorded = lp_store_partition(context->store, partition)->graph->trace != NULL};
    LP_TRY(lp_store_trace(context, partition, placement, orders, &graph, &trace, diag));
    Layout l = {.partition = lp_store_partition(context->store, partition),
                .graph = &graph,
                .trace = &trace,
                .out = &seen};
    LpErr err =
        context->fabric.network != NULL ? lp_trace_stretch(&graph, &trace, step_time, diag) : LP_OK;
    if (err == LP_OK)
        err = lay_out(&l);
    lp_trace_fini(&trace);
    if (err != LP_OK) {
        lp_step_inspection_fini(&seen);
        return lp_fail_memory(diag, "a training step");
    }
    *out = seen;
    return LP_OK;
}

/* ---- plans: a row per stage, a bar per pass of a micro-batch ---- */

typedef struct Pipeline {
    const LpPartition *partition;
    LpStepInspection *seen;
    uint32_t per_stage; /* bars */
    uint32_t *filled;   /* per stage */
    const uint32_t *op; /* per chunk: number of its first op */
} Pipeline;

static void add_pass(void *user, const LpPipelineEntry *e) {
    Pipeline *l = user;
    LpStepBar *bar = &l->seen->bar[e->stage * l->per_stage + l->filled[e->stage]++];
    *bar = (LpStepBar){.start = e->start,
                       .end = e->end,
                       .ready = e->start,
                       .op = l->op[e->chunk],
                       .part = e->micro_batch,
                       .chunk = e->chunk,
                       .kind = LP_TASK_OP,
                       .backward = !e->forward};
}

/* Number of the first op of each chunk; the embedding is op 1. */
static void find_ops(const LpPartition *p, uint32_t *op) {
    const LpGraph *graph = p->graph;
    uint32_t at = 0;
    for (uint32_t c = 0; c < p->plan.pipeline * p->plan.chunks; c++) {
        op[c] = graph->op[at < graph->ops ? at : graph->ops - 1].number;
        at += lp_parallel_layers(&graph->split->model, &p->plan, c) + (c == 0 ? 1 : 0);
    }
}

/* Rows as they stand in `seen`: all bars but the last are there. */
static void end_rows(Pipeline *l, const LpPlacement *at, double pipeline_time) {
    LpStepInspection *seen = l->seen;
    uint32_t servers = at->servers / seen->rows;
    for (uint32_t i = 0; i < seen->rows; i++) {
        LpStepRow *row = &seen->row[i];
        *row = (LpStepRow){.kind = LP_STEP_SERVER,
                           .server = at->server[i * servers],
                           .to = i,
                           .first = i * l->per_stage,
                           .end = (i + 1) * l->per_stage};
        seen->bar[row->end - 1] = (LpStepBar){.start = pipeline_time,
                                              .end = seen->step_time,
                                              .ready = pipeline_time,
                                              .op = l->op[i],
                                              .kind = LP_TASK_COLLECTIVE,
                                              .backward = true};
        for (uint32_t b = row->first; b < row->end; b++) {
            row->busy += seen->bar[b].end - seen->bar[b].start;
            seen->bar[b].reach = seen->bar[b].end;
        }
    }
}

static LpErr run_pipeline(Pipeline *l, const LpPlacement *at, const LpMachine *machine,
                          LpStages *stages, const LpParallelStep *step, LpDiag *diag) {
    const LpPartition *p = l->partition;
    double end;
    LP_TRY(lp_stages_init(stages, &p->graph->split->model, &p->plan, machine, diag));
    LP_TRY(lp_pipeline_run(&stages->pipeline, add_pass, l, &end, diag));
    end_rows(l, at, step->pipeline_time);
    return LP_OK;
}

static LpErr lay_out_pipeline(const LpPartition *p, const LpPlacement *at, const LpMachine *machine,
                              const LpParallelStep *step, LpStepInspection *seen, LpDiag *diag) {
    uint32_t stages = p->plan.pipeline, chunks = stages * p->plan.chunks;
    uint32_t per_stage = 2 * p->plan.chunks * step->micro_batches + 1;
    uint32_t *filled = lp_alloc(stages, sizeof *filled), *op = lp_alloc(chunks, sizeof *op);
    LpStages timed = {0};
    *seen = (LpStepInspection){.step_time = step->step_time,
                               .planned = true,
                               .bubble = step->bubble,
                               .rows = stages,
                               .servers = stages,
                               .row = lp_alloc(stages, sizeof *seen->row),
                               .bars = stages * per_stage,
                               .bar = lp_alloc((size_t)stages * per_stage, sizeof *seen->bar)};
    Pipeline l = {p, seen, per_stage, filled, op};
    LpErr err = filled != NULL && op != NULL && seen->row != NULL && seen->bar != NULL
                    ? LP_OK
                    : lp_fail_memory(diag, "a training step");
    if (err == LP_OK) {
        find_ops(p, op);
        err = run_pipeline(&l, at, machine, &timed, step, diag);
    }
    lp_stages_fini(&timed);
    lp_free(filled);
    lp_free(op);
    return err;
}

LpErr lp_step_inspect_plan(const LpContext *context, uint32_t partition, uint32_t placement,
                           double step_time, LpStepInspection *out, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    const LpPlacement *at = lp_store_placement(context->store, placement);
    LpMachine machine;
    LpParallelStep step;
    LpStepInspection seen = {0};
    LP_TRY(lp_store_plan_step(context, p, at, &machine, &step, diag));
    if (context->fabric.network != NULL && step_time > step.step_time)
        step.step_time = step_time;
    LpErr err = lay_out_pipeline(p, at, &machine, &step, &seen, diag);
    if (err != LP_OK)
        lp_step_inspection_fini(&seen);
    else
        *out = seen;
    return err;
}

/* ---- asking ---- */

/* First bar of a row that starts after t. */
static uint32_t after(const LpStepInspection *seen, uint32_t row, double t) {
    uint32_t low = seen->row[row].first, high = seen->row[row].end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (seen->bar[middle].start <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t lp_step_inspection_at(const LpStepInspection *seen, uint32_t row, double t) {
    uint32_t first = seen->row[row].first, next = after(seen, row, t);
    if (next == first)
        return LP_NO_INDEX;
    /* several may run at once on a pair: the last one to start that still runs */
    for (uint32_t i = next; i-- > first && seen->bar[i].reach > t;)
        if (seen->bar[i].end > t)
            return i;
    return next - 1;
}

double lp_step_inspection_share(const LpStepInspection *seen, uint32_t row, double from,
                                double to) {
    const LpStepRow *r = &seen->row[row];
    double reached = from, busy = 0;
    uint32_t i = after(seen, row, from);
    while (i > r->first && seen->bar[i - 1].reach > from)
        i--;
    for (; i < r->end && seen->bar[i].start < to; i++) {
        const LpStepBar *bar = &seen->bar[i];
        double begin = bar->start > reached ? bar->start : reached;
        double end = bar->end < to ? bar->end : to;
        if (end > begin) {
            busy += end - begin;
            reached = end;
        }
    }
    return to > from ? busy / (to - from) : 0;
}
