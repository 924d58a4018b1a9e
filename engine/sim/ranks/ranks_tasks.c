/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/ranks/ranks_tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/step/step_impl.h"

static const double NS = 1e-9; /* s */

/* ---- what a call is ---- */

bool lp_ranks_collective(LpTraceCall call, uint32_t n, LpCollective *kind, double *bytes) {
    switch (call) {
    case LP_TRACE_ALL_REDUCE:
        *kind = LP_ALL_REDUCE;
        return true;
    case LP_TRACE_ALL_GATHER: /* its bytes are those of one member */
        *kind = LP_ALL_GATHER;
        *bytes *= n;
        return true;
    case LP_TRACE_REDUCE_SCATTER:
    case LP_TRACE_REDUCE_SCATTER_BLOCK:
        *kind = LP_REDUCE_SCATTER;
        return true;
    default:
        return false;
    }
}

bool lp_ranks_to_first(LpTraceCall call) {
    return call == LP_TRACE_REDUCE || call == LP_TRACE_GATHER;
}

/* Flows that a call is; 0: it is a collective. */
static uint32_t flows_of(const LpTraceCalled *called, uint32_t n) {
    LpCollective kind;
    double bytes = called->bytes;
    if (n < 2 || lp_ranks_collective(called->call, n, &kind, &bytes))
        return 0;
    return called->call == LP_TRACE_ALL_TO_ALL ? n * (n - 1) : n - 1;
}

/* ---- tasks ---- */

/* Tasks are being made: first the ops, then what is sent, then collectives. */
typedef struct Making {
    const LpStepInput *input;
    const LpStepTrace *trace;
    const LpTraceRun *run;
    LpArena *arena;
    LpStepGraph *g;
    LpTrace *when;
    uint32_t *task_of; /* by node over all ranks: task that stands for it; LP_NO_INDEX */
    uint32_t *rank_of, *node_of;
    LpCollectiveTask *call;
    uint32_t *dense; /* by rank: server in the graph's order */
    uint32_t *own;   /* by rank: its node in the call that is looked at */
    uint32_t *begin; /* by call: its nodes in `caller`, in the order of ranks; one more */
    uint32_t *caller;
    uint32_t members;
} Making;

static uint32_t server_of(const Making *m, uint32_t rank) {
    const LpPlacement *at = m->input->placement;
    return at->group_server[at->group_begin[at->op_group[rank]]];
}

static int compare_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A server has one rank. */
static LpErr number_servers(Making *m) {
    LpStepGraph *g = m->g;
    uint32_t ranks = m->trace->ranks;
    g->servers = ranks;
    g->server_id = lp_arena_alloc(m->arena, ranks, sizeof *g->server_id);
    m->dense = lp_arena_alloc(m->arena, ranks, sizeof *m->dense);
    if (g->server_id == NULL || m->dense == NULL)
        return LP_ENOMEM;
    for (uint32_t r = 0; r < ranks; r++)
        g->server_id[r] = server_of(m, r);
    qsort(g->server_id, ranks, sizeof *g->server_id, compare_u32);
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t server = server_of(m, r);
        const uint32_t *at = bsearch(&server, g->server_id, ranks, sizeof server, compare_u32);
        m->dense[r] = (uint32_t)(at - g->server_id);
    }
    return LP_OK;
}

static void count_tasks(Making *m) {
    LpStepGraph *g = m->g;
    for (uint32_t r = 0; r < m->trace->ranks; r++)
        for (uint32_t i = 0; i < m->trace->rank[r].nodes; i++) {
            uint8_t kind = m->trace->rank[r].node[i].kind;
            g->parts += kind == LP_TRACE_OP;
            g->transfers += kind == LP_TRACE_SEND;
        }
    for (uint32_t c = 0; c < m->run->calls; c++) {
        uint32_t n = m->trace->group[m->run->call[c].group].members;
        uint32_t flows = flows_of(&m->run->call[c], n);
        g->transfers += flows;
        g->collectives += flows == 0;
        m->members += flows == 0 ? n : 0;
    }
    g->tasks = g->parts + g->transfers + g->collectives;
}

static LpErr allocate(Making *m) {
    LpStepGraph *g = m->g;
    LpArena *a = m->arena;
    uint32_t **by_transfer[] = {&g->link, &g->tail,    &g->head, &g->src,
                                &g->dst,  &g->channel, &g->tx,   &g->rx};
    for (size_t i = 0; i < LP_COUNTOF(by_transfer); i++)
        if ((*by_transfer[i] = lp_arena_alloc(a, g->transfers, sizeof(uint32_t))) == NULL)
            return LP_ENOMEM;
    g->time = lp_arena_alloc(a, g->tasks, sizeof *g->time);
    g->need = lp_arena_alloc(a, g->tasks, sizeof *g->need);
    g->succ_begin = lp_arena_alloc(a, (size_t)g->tasks + 2, sizeof *g->succ_begin);
    g->succ = lp_arena_alloc(a, g->tasks, sizeof *g->succ);
    g->server = lp_arena_alloc(a, g->parts, sizeof *g->server);
    g->op_priority = lp_arena_alloc(a, g->parts, sizeof *g->op_priority);
    g->flow = lp_arena_alloc(a, g->transfers, sizeof *g->flow);
    g->bytes = lp_arena_alloc(a, g->transfers, sizeof *g->bytes);
    g->flow_priority = lp_arena_alloc(a, g->transfers, sizeof *g->flow_priority);
    g->collective = lp_arena_alloc(a, g->collectives, sizeof *g->collective);
    g->member_begin = lp_arena_alloc(a, (size_t)g->collectives + 1, sizeof *g->member_begin);
    g->member = lp_arena_alloc(a, m->members, sizeof *g->member);
    m->call = lp_arena_alloc(a, g->collectives, sizeof *m->call);
    m->rank_of = lp_arena_alloc(a, g->tasks, sizeof *m->rank_of);
    m->node_of = lp_arena_alloc(a, g->tasks, sizeof *m->node_of);
    m->task_of = lp_arena_alloc(a, m->run->base[m->trace->ranks], sizeof *m->task_of);
    bool ok = g->time && g->need && g->succ_begin && g->succ && g->server && g->op_priority &&
              g->flow && g->bytes && g->flow_priority && g->collective && g->member_begin &&
              g->member && m->call && m->rank_of && m->node_of && m->task_of;
    return ok ? LP_OK : LP_ENOMEM;
}

/* The nodes of each call. */
static LpErr list_callers(Making *m) {
    uint32_t calls = m->run->calls, nodes = m->run->base[m->trace->ranks];
    m->own = lp_arena_alloc(m->arena, m->trace->ranks, sizeof *m->own);
    m->begin = lp_arena_alloc(m->arena, (size_t)calls + 2, sizeof *m->begin);
    m->caller = lp_arena_alloc(m->arena, nodes, sizeof *m->caller);
    if (m->own == NULL || m->begin == NULL || m->caller == NULL)
        return LP_ENOMEM;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t c = 0; fill && c < calls; c++)
            m->begin[c + 2] += m->begin[c + 1];
        for (uint32_t r = 0; r < m->trace->ranks; r++)
            for (uint32_t i = 0; i < m->trace->rank[r].nodes; i++) {
                uint32_t at = m->run->base[r] + i, call = m->run->log[at].call;
                if (m->trace->rank[r].node[i].kind != LP_TRACE_COLLECTIVE)
                    continue;
                if (fill)
                    m->caller[m->begin[call + 1]++] = at;
                else
                    m->begin[call + 2]++;
            }
    }
    return LP_OK;
}

/* Sets `own` of the members of a call. */
static void look_at_call(Making *m, uint32_t call) {
    for (uint32_t i = m->begin[call], r = 0; i < m->begin[call + 1]; i++) {
        while (m->run->base[r + 1] <= m->caller[i])
            r++;
        m->own[r] = m->caller[i] - m->run->base[r];
    }
}

static void set_times(Making *m, uint32_t task, double begin, double end) {
    m->when->start[task] = NS * begin;
    m->when->end[task] = NS * end;
    m->g->time[task] = NS * (end - begin);
}

static void add_transfer(Making *m, uint32_t t, uint32_t from, uint32_t to, uint32_t node,
                         double bytes) {
    LpStepGraph *g = m->g;
    g->link[t] = t;
    g->tail[t] = from;
    g->head[t] = to;
    g->src[t] = server_of(m, from);
    g->dst[t] = server_of(m, to);
    g->bytes[t] = bytes;
    g->flow[t] = from != to && bytes > 0;
    g->flow_priority[t] = t;
    g->tx[t] = g->rx[t] = LP_NO_PORT;
    g->flows += g->flow[t];
    m->rank_of[g->parts + t] = from;
    m->node_of[g->parts + t] = node;
}

/* The flows of a call, which all last as long as it does. */
static uint32_t add_flows(Making *m, const LpTraceCalled *called, uint32_t t) {
    const LpTraceGroup *group = &m->trace->group[called->group];
    const LpTraceLog *log = &m->run->log[called->last];
    uint32_t n = group->members, last = t;
    bool in = lp_ranks_to_first(called->call), all = called->call == LP_TRACE_ALL_TO_ALL;
    bool share = all || called->call == LP_TRACE_SCATTER;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            if (i == k || (!all && (in ? k : i) != 0))
                continue;
            set_times(m, m->g->parts + t, log->moving_ns, log->end_ns);
            add_transfer(m, t++, group->member[i], group->member[k], m->own[group->member[i]],
                         share ? called->bytes / n : called->bytes);
        }
    return t - last;
}

static void add_collective(Making *m, const LpTraceCalled *called, uint32_t c) {
    LpStepGraph *g = m->g;
    const LpTraceGroup *group = &m->trace->group[called->group];
    const LpTraceLog *log = &m->run->log[called->last];
    uint32_t task = g->parts + g->transfers + c, at = g->member_begin[c];
    LpCollectiveTask *is = &m->call[c];
    *is = (LpCollectiveTask){.op = group->member[0], .kind = LP_ALL_REDUCE, .bytes = called->bytes};
    if (!lp_ranks_collective(called->call, group->members, &is->kind, &is->bytes))
        is->bytes = 0; /* of one member */
    is->one_way = is->bytes;
    g->collective[c] = c;
    for (uint32_t i = 0; i < group->members; i++)
        g->member[at++] = m->dense[group->member[i]];
    g->member_begin[c + 1] = at;
    m->rank_of[task] = group->member[0];
    m->node_of[task] = m->own[group->member[0]];
    set_times(m, task, log->moving_ns, log->end_ns);
}

/* Ops and sends, by rank and node. */
static uint32_t add_nodes(Making *m) {
    LpStepGraph *g = m->g;
    uint32_t part = 0, t = 0;
    for (uint32_t r = 0; r < m->trace->ranks; r++)
        for (uint32_t i = 0; i < m->trace->rank[r].nodes; i++) {
            const LpTraceNode *node = &m->trace->rank[r].node[i];
            uint32_t at = m->run->base[r] + i;
            const LpTraceLog *log = &m->run->log[at];
            m->task_of[at] = LP_NO_INDEX;
            if (node->kind == LP_TRACE_OP) {
                m->task_of[at] = part;
                m->rank_of[part] = r;
                m->node_of[part] = i;
                g->server[part] = m->dense[r];
                g->op_priority[part] = part;
                set_times(m, part++, log->moving_ns, log->end_ns);
            } else if (node->kind == LP_TRACE_SEND) {
                m->task_of[at] = g->parts + t;
                set_times(m, g->parts + t, log->moving_ns, log->end_ns);
                add_transfer(m, t++, r, node->peer, i, (double)node->amount);
            }
        }
    return t;
}

static void add_calls(Making *m, uint32_t t) {
    LpStepGraph *g = m->g;
    for (uint32_t i = 0, c = 0; i < m->run->calls; i++) {
        const LpTraceCalled *called = &m->run->call[i];
        bool flows = flows_of(called, m->trace->group[called->group].members) > 0;
        uint32_t task = flows ? g->parts + t : g->parts + g->transfers + c;
        m->task_of[called->last] = task;
        look_at_call(m, i);
        if (flows)
            t += add_flows(m, called, t);
        else
            add_collective(m, called, c++);
    }
}

/* The task of a node; of a collective that of its call. */
static uint32_t task_of(const Making *m, uint32_t node) {
    if (node == LP_NO_INDEX)
        return LP_NO_INDEX;
    uint32_t task = m->task_of[node];
    if (task != LP_NO_INDEX)
        return task;
    uint32_t call = m->run->log[node].call;
    return m->task_of[m->run->call[call].last];
}

/* What a task waited for: the one that let it start, and as a successor of the one that it depends
 * on. */
static void link_task(Making *m, uint32_t node, bool count) {
    LpStepGraph *g = m->g;
    uint32_t task = m->task_of[node];
    if (task == LP_NO_INDEX)
        return;
    uint32_t after = task_of(m, m->run->log[node].after), by = task_of(m, m->run->log[node].by);
    if (after == LP_NO_INDEX) {
        m->when->released_by[task] = by == LP_NO_INDEX ? LP_TRACE_NONE : by;
        return;
    }
    if (count) {
        g->succ_begin[after + 2]++;
        return;
    }
    g->need[task] = 1;
    g->succ[g->succ_begin[after + 1]++] = task;
    m->when->released_by[task] = by == LP_NO_INDEX ? after : by;
}

static void link_tasks(Making *m) {
    LpStepGraph *g = m->g;
    uint32_t nodes = m->run->base[m->trace->ranks];
    /* counted two entries on, so that filling moves each start to where it belongs */
    for (uint32_t i = 0; i < nodes; i++)
        link_task(m, i, true);
    for (uint32_t t = 0; t < g->tasks; t++)
        g->succ_begin[t + 2] += g->succ_begin[t + 1];
    for (uint32_t i = 0; i < nodes; i++)
        link_task(m, i, false);
}

LpErr lp_ranks_tasks(LpStepScratch *scratch, const LpStepInput *input, const LpTraceRun *run,
                     LpStepGraph *graph, LpTrace *trace) {
    lp_arena_reset(scratch->graph);
    *graph = (LpStepGraph){0};
    Making m = {.input = input,
                .trace = input->partition->graph->trace,
                .run = run,
                .arena = scratch->graph,
                .g = graph,
                .when = trace};
    LP_TRY(number_servers(&m));
    count_tasks(&m);
    LP_TRY(allocate(&m));
    LP_TRY(list_callers(&m));
    LP_TRY(lp_trace_init(trace, graph->tasks, NULL));
    add_calls(&m, add_nodes(&m));
    link_tasks(&m);
    lp_trace_critical_path(trace);
    graph->rank_of = m.rank_of;
    graph->node_of = m.node_of;
    graph->call = m.call;
    uint32_t per_server = input->fabric->tx_ports / input->fabric->servers;
    graph->ports_per_server = per_server > 0 ? per_server : 1;
    return LP_OK;
}
