/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of one training step as trace lines, by starting time. */
#include "ask/inspect/trace_tasks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "sim/step/step.h"
#include "sim/traffic/traffic.h"

/* What a line needs; the step graph itself lives in scratch memory. */
typedef struct LpTraceTask {
    double start, end;
    uint32_t task; /* its number: the last tie-break */
    uint8_t kind;  /* LpTaskKind */
    uint32_t op, part;
    uint32_t dep, from, to;   /* flows; from is an op's server */
    uint32_t servers, server; /* collectives: how many, first in the list */
    size_t sends, send;
    double bytes; /* that flows and collectives send */
} LpTraceTask;

typedef struct Collecting {
    const LpContext *context;
    const LpPartition *partition;
    const LpStepGraph *graph;
    const LpTrace *trace;
    LpTraceTasks *out;
} Collecting;

/* A backward op is the mirror image of its forward op: 2n + 1 - number. */
static uint32_t op_number(const LpGraph *graph, uint32_t op) {
    if (op < graph->ops)
        return graph->op[op].number;
    return 2 * graph->ops + 1 - graph->op[op - graph->ops].number;
}

static LpErr add_members(Collecting *c, LpTraceTask *t, uint32_t collective) {
    const LpStepGraph *g = c->graph;
    LpTraceTasks *out = c->out;
    uint32_t first = g->member_begin[collective], end = g->member_begin[collective + 1];
    void *items = out->server;
    t->op = op_number(c->partition->graph, lp_step_call(g, c->partition, collective)->op);
    t->server = (uint32_t)out->servers;
    t->servers = end - first;
    LP_TRY(lp_grow(&items, &out->servers_cap, out->servers + t->servers, sizeof *out->server));
    out->server = items;
    for (uint32_t i = first; i < end; i++)
        out->server[out->servers++] = g->server_id[g->member[i]];
    return LP_OK;
}

static LpErr add_sends(Collecting *c, LpTraceTask *t, uint32_t collective) {
    LpTraceTasks *out = c->out;
    const LpCollectiveTask *task = lp_step_call(c->graph, c->partition, collective);
    void *items = out->send;
    LpSend *send;
    uint32_t sends;
    LP_TRY(lp_fabric_sends(&c->context->fabric, task->kind, &out->server[t->server], t->servers,
                           task->bytes, &send, &sends));
    LpErr err = lp_grow(&items, &out->sends_cap, out->sends + sends + 1, sizeof *out->send);
    if (err == LP_OK) {
        out->send = items;
        t->send = out->sends;
        t->sends = sends;
        for (uint32_t i = 0; i < sends; i++)
            t->bytes += (out->send[out->sends++] = send[i]).bytes;
    }
    lp_free(send);
    return err;
}

/* A dependency that is no flow takes no time and no light: it is left out. */
static LpErr add_task(Collecting *c, uint32_t task) {
    const LpStepGraph *g = c->graph;
    LpTraceTask *t = &c->out->task[c->out->count];
    *t = (LpTraceTask){.start = c->trace->start[task],
                       .end = c->trace->end[task],
                       .task = task,
                       .kind = LP_TASK_OP};
    if (task < g->parts) {
        t->op = op_number(c->partition->graph, lp_step_op(g, c->partition, task));
        t->part = lp_step_part(g, c->partition, task);
        t->from = g->server_id[g->server[task]];
    } else if (task < g->parts + g->transfers) {
        uint32_t transfer = task - g->parts;
        if (!g->flow[transfer])
            return LP_OK;
        t->kind = LP_TASK_FLOW;
        t->op = op_number(c->partition->graph, lp_step_op(g, c->partition, task));
        t->part = lp_step_part(g, c->partition, task);
        t->dep = g->link[transfer];
        t->from = g->src[transfer];
        t->to = g->dst[transfer];
        t->bytes = g->bytes[transfer];
    } else {
        t->kind = LP_TASK_COLLECTIVE;
        LP_TRY(add_members(c, t, task - g->parts - g->transfers));
        LP_TRY(add_sends(c, t, task - g->parts - g->transfers));
    }
    c->out->count++;
    return LP_OK;
}

static int by_start(const void *a, const void *b) {
    const LpTraceTask *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static LpErr collect(Collecting *c, LpDiag *diag) {
    uint32_t tasks = c->graph->tasks;
    c->out->task = lp_alloc(tasks, sizeof *c->out->task);
    LpErr err = c->out->task != NULL ? LP_OK : LP_ENOMEM;
    for (uint32_t t = 0; t < tasks && err == LP_OK; t++)
        err = add_task(c, t);
    if (err != LP_OK)
        return lp_fail_memory(diag, "a step's trace");
    qsort(c->out->task, c->out->count, sizeof *c->out->task, by_start);
    return LP_OK;
}

LpErr lp_trace_tasks(const LpContext *context, uint32_t job, double offset, uint32_t partition,
                     uint32_t placement, LpOrders orders, double step_time, LpTraceTasks *out,
                     LpDiag *diag) {
    LpStepGraph graph;
    LpTrace trace = {0};
    LpTraceTasks tasks = {.job = job, .offset = offset};
    LP_TRY(lp_store_trace(context, partition, placement, orders, &graph, &trace, diag));
    Collecting c = {context, lp_store_partition(context->store, partition), &graph, &trace, &tasks};
    LpErr err = lp_trace_stretch(&graph, &trace, step_time, diag);
    if (err == LP_OK)
        err = collect(&c, diag);
    lp_trace_fini(&trace);
    if (err != LP_OK)
        lp_trace_tasks_fini(&tasks);
    else
        *out = tasks;
    return err;
}

void lp_trace_tasks_fini(LpTraceTasks *tasks) {
    lp_free(tasks->task);
    lp_free(tasks->server);
    lp_free(tasks->send);
    *tasks = (LpTraceTasks){0};
}

double lp_trace_tasks_next(const LpTraceTasks *tasks) {
    if (tasks->at == tasks->count)
        return (double)INFINITY;
    return tasks->offset + tasks->task[tasks->at].start;
}

/* ---- lines ---- */

/* A flow lights the transceiver group and the receiver group that face the other end's group. */
static void add_circuit(LpJsonOut *out, const LpContext *context, const LpTraceTask *t) {
    const LpFabric *f = &context->fabric;
    bool ports = f->tx_ports > 0 && !lp_published(&context->scenario->options, LP_OPT_CIRCUITS);
    char text[64];
    if (ports)
        snprintf(text, sizeof text, "tx%u w%u r%u rx%u", lp_fabric_group(f, t->to),
                 lp_fabric_index(f, t->to), lp_fabric_rack(f, t->to), lp_fabric_group(f, t->from));
    else
        snprintf(text, sizeof text, "%u>%u", t->from, t->to);
    lp_json_put_text(out, "circuit", text);
}

/* [from, to, bytes] for every pair of servers. */
static void add_sends_of(LpJsonOut *out, const LpTraceTasks *tasks, const LpTraceTask *t) {
    lp_json_open(out, "sends", '[');
    for (size_t i = 0; i < t->sends; i++) {
        const LpSend *send = &tasks->send[t->send + i];
        lp_json_open(out, NULL, '[');
        lp_json_put_count(out, NULL, send->from);
        lp_json_put_count(out, NULL, send->to);
        lp_json_put_number(out, NULL, send->bytes);
        lp_json_close(out, ']');
    }
    lp_json_close(out, ']');
}

/* Keys that say nothing of a kind are null. */
static void add_what(LpJsonOut *out, const LpContext *context, const LpTraceTasks *tasks,
                     const LpTraceTask *t) {
    bool flow = t->kind == LP_TASK_FLOW, collective = t->kind == LP_TASK_COLLECTIVE;
    lp_json_put_count(out, "op", t->op);
    lp_json_put_index(out, "part", collective ? LP_NO_INDEX : t->part);
    lp_json_put_index(out, "dep", flow ? t->dep : LP_NO_INDEX);
    if (collective)
        lp_json_put_counts(out, "server", &tasks->server[t->server], t->servers);
    else
        lp_json_put_index(out, "server", flow ? LP_NO_INDEX : t->from);
    lp_json_put_index(out, "from", flow ? t->from : LP_NO_INDEX);
    lp_json_put_index(out, "to", flow ? t->to : LP_NO_INDEX);
    if (flow)
        add_circuit(out, context, t);
    else
        lp_json_put_null(out, "circuit");
}

void lp_trace_tasks_print(LpTraceTasks *tasks, const LpContext *context, LpBuf *text) {
    static const char *const kinds[] = {
        [LP_TASK_OP] = "op", [LP_TASK_FLOW] = "flow", [LP_TASK_COLLECTIVE] = "collective"};
    const LpTraceTask *t = &tasks->task[tasks->at++];
    LpJsonOut out = {.out = text};
    double start = tasks->offset + t->start;
    lp_json_open(&out, NULL, '{');
    lp_json_put_number(&out, "t", lp_scenario_time(context->scenario, start));
    lp_json_put_text(&out, "kind", kinds[t->kind]);
    lp_json_put_count(&out, "job", tasks->job);
    add_what(&out, context, tasks, t);
    lp_json_put_number(&out, "start", start);
    lp_json_put_number(&out, "end", tasks->offset + t->end);
    if (t->kind != LP_TASK_OP)
        lp_json_put_number(&out, "bytes", t->bytes);
    if (t->kind == LP_TASK_COLLECTIVE)
        add_sends_of(&out, tasks, t);
    lp_json_end(&out);
}
