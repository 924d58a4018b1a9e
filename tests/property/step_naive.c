/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training step by the words of the rules. */
#include "step_naive.h"

#include "base/num.h"

bool naive_is_member(const LpStepGraph *g, uint32_t t, uint32_t server) {
    uint32_t c = t - g->parts - g->transfers;
    for (uint32_t m = g->member_begin[c]; m < g->member_begin[c + 1]; m++)
        if (g->member[m] == server)
            return true;
    return false;
}

static bool touches(const LpStepGraph *g, uint32_t flow, uint32_t server) {
    uint32_t i = flow - g->parts;
    return g->src[i] == g->server_id[server] || g->dst[i] == g->server_id[server];
}

bool naive_share_server(const LpStepGraph *g, uint32_t collective, uint32_t other) {
    for (uint32_t s = 0; s < g->servers; s++) {
        bool both =
            naive_is_collective(g, other) ? naive_is_member(g, other, s) : touches(g, other, s);
        if (both && naive_is_member(g, collective, s))
            return true;
    }
    return false;
}

/* Would tasks t and u, both of one kind or a flow and a collective, be in each other's way? */
static bool conflict(const Naive *n, uint32_t t, uint32_t u) {
    const LpStepGraph *g = n->graph;
    if (naive_is_op(g, t) || naive_is_op(g, u))
        return naive_is_op(g, t) && naive_is_op(g, u) && g->server[t] == g->server[u];
    if (!n->shared)
        return false;
    if (naive_is_collective(g, t))
        return (naive_is_collective(g, u) || naive_is_flow(g, u)) && naive_share_server(g, t, u);
    if (naive_is_collective(g, u))
        return naive_share_server(g, u, t);
    return naive_is_flow(g, u) &&
           (naive_same_port(g->tx[t - g->parts], g->tx[u - g->parts]) ||
            naive_same_port(g->rx[t - g->parts], g->rx[u - g->parts]) || naive_same_wave(g, t, u));
}

static bool hindered(const Naive *n, uint32_t t) {
    for (uint32_t u = 0; u < n->graph->tasks; u++) {
        bool blocks = n->state[u] == NAIVE_RUNS ||
                      (n->state[u] == NAIVE_READY && naive_is_flow(n->graph, t) &&
                       naive_is_collective(n->graph, u));
        if (u != t && blocks && conflict(n, t, u))
            return true;
    }
    return false;
}

/* Lowest id of those that were in the way of t and ended now. */
static uint32_t holder(const Naive *n, uint32_t t) {
    for (uint32_t u = 0; u < n->graph->tasks; u++)
        if (u != t && n->state[u] == NAIVE_DONE && n->end[u] == n->now && conflict(n, t, u))
            return u;
    return n->released_by[t];
}

/* What it costs to turn the port of flow t. */
static double turn(Naive *n, uint32_t t) {
    const LpStepGraph *g = n->graph;
    uint32_t i = t - g->parts, tx = g->tx[i];
    if (!n->shared || tx == LP_NO_PORT || n->faces[tx] == g->dst[i])
        return 0;
    n->faces[tx] = g->dst[i];
    n->reconfiguration += g->slot;
    return g->slot;
}

/* All ports of the members point nowhere from now on. */
static void steer_away(Naive *n, uint32_t collective) {
    const LpStepGraph *g = n->graph;
    for (uint32_t i = 0; i < g->transfers; i++)
        for (uint32_t s = 0; s < g->servers; s++)
            if (g->flow[i] && g->tx[i] != LP_NO_PORT && g->src[i] == g->server_id[s] &&
                naive_is_member(g, collective, s))
                n->faces[g->tx[i]] = LP_TRACE_NONE;
}

static void begin(Naive *n, uint32_t t) {
    const LpStepGraph *g = n->graph;
    double time = g->time[t];
    if (naive_is_flow(g, t)) {
        n->waiting += n->now - n->ready[t];
        time += turn(n, t);
    }
    if (naive_is_collective(g, t))
        steer_away(n, t);
    n->state[t] = NAIVE_RUNS;
    n->start[t] = n->now;
    n->end[t] = n->now + time;
    if (n->now > n->ready[t])
        n->released_by[t] = holder(n, t);
}

static uint64_t priority(const LpStepGraph *g, uint32_t t) {
    if (naive_is_op(g, t))
        return g->op_priority[t];
    return naive_is_collective(g, t) ? t : g->flow_priority[t - g->parts];
}

/* Starts tasks first..end-1, one kind, scanning those that are ready in order of priority. */
static void start_kind(Naive *n, uint32_t first, uint32_t end) {
    bool seen[SB_TASKS] = {false};
    for (;;) {
        uint32_t best = LP_TRACE_NONE;
        for (uint32_t t = first; t < end; t++)
            if (!seen[t] && n->state[t] == NAIVE_READY &&
                (best == LP_TRACE_NONE || priority(n->graph, t) < priority(n->graph, best)))
                best = t;
        if (best == LP_TRACE_NONE)
            return;
        seen[best] = true;
        if (!hindered(n, best))
            begin(n, best);
    }
}

/* The end of task t: may make others ready, of which those that are no tasks of their own (a
 * transfer that is no flow) end at once, after all that end already. */
static void finish(Naive *n, uint32_t *ended, uint32_t *count, uint32_t t) {
    const LpStepGraph *g = n->graph;
    n->state[t] = NAIVE_DONE;
    n->done++;
    for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++) {
        uint32_t child = g->succ[i], last = n->released_by[child];
        if (n->state[child] != NAIVE_WAITS)
            continue;
        if (last == LP_TRACE_NONE || n->end[last] < n->now || last < t)
            n->released_by[child] = t;
        if (--n->need[child])
            continue;
        n->state[child] = NAIVE_READY;
        n->ready[child] = n->now;
        if (naive_is_op(g, child) || naive_is_flow(g, child) || naive_is_collective(g, child))
            continue;
        n->start[child] = n->end[child] = n->now;
        ended[(*count)++] = child;
    }
}

static void end_all(Naive *n, uint32_t *ended, uint32_t count) {
    for (uint32_t t = 0; t < n->graph->tasks; t++)
        if (n->state[t] == NAIVE_RUNS && n->end[t] == n->now)
            ended[count++] = t;
    for (uint32_t i = 0; i < count; i++)
        finish(n, ended, &count, ended[i]);
}

static bool next_instant(Naive *n) {
    bool any = false;
    double next = 0;
    for (uint32_t t = 0; t < n->graph->tasks; t++) {
        if (n->state[t] != NAIVE_RUNS || (any && n->end[t] >= next))
            continue;
        any = true;
        next = n->end[t];
    }
    double last = next;
    for (uint32_t t = 0; t < n->graph->tasks; t++)
        if (n->state[t] == NAIVE_RUNS && n->end[t] <= next * (1 + LP_NUM_TIE) && n->end[t] > last)
            last = n->end[t];
    for (uint32_t t = 0; any && t < n->graph->tasks; t++)
        if (n->state[t] == NAIVE_RUNS && n->end[t] <= last)
            n->end[t] = last;
    n->now = any ? last : n->now;
    return any;
}

void naive_run(Naive *n, const LpStepGraph *g, bool shared) {
    uint32_t ended[SB_TASKS], count = 0;
    memset(n, 0, sizeof *n);
    n->graph = g;
    n->shared = shared && g->tx_ports > 0;
    for (uint32_t p = 0; p < g->tx_ports; p++)
        n->faces[p] = LP_TRACE_NONE;
    for (uint32_t t = 0; t < g->tasks; t++) {
        n->released_by[t] = LP_TRACE_NONE;
        n->need[t] = g->need[t];
        n->state[t] = g->need[t] ? NAIVE_WAITS : NAIVE_READY;
        if (!g->need[t] && t >= g->parts && !naive_is_flow(g, t) && !naive_is_collective(g, t))
            ended[count++] = t;
    }
    do {
        end_all(n, ended, count);
        count = 0;
        start_kind(n, 0, g->parts);
        start_kind(n, g->parts, g->parts + g->transfers);
        start_kind(n, g->parts + g->transfers, g->tasks);
    } while (next_instant(n));
}

static void count_running(const Naive *n, double from, double until, uint32_t *ops, uint32_t *comm,
                          uint32_t *circuits) {
    const LpStepGraph *g = n->graph;
    *ops = *comm = *circuits = 0;
    for (uint32_t t = 0; t < g->tasks; t++) {
        if (n->start[t] > from || n->end[t] < until)
            continue;
        uint32_t c = t - g->parts - g->transfers;
        *ops += naive_is_op(g, t);
        *comm += !naive_is_op(g, t);
        *circuits += naive_is_flow(g, t);
        if (naive_is_collective(g, t))
            *circuits += (g->member_begin[c + 1] - g->member_begin[c]) * g->ports_per_server;
    }
}

void naive_summary(const Naive *n, LpStepSummary *out) {
    const LpStepGraph *g = n->graph;
    *out = (LpStepSummary){.waiting = n->waiting, .reconfiguration = n->reconfiguration};
    double from = -1;
    for (;;) {
        double until = -1;
        for (uint32_t t = 0; t < g->tasks; t++)
            if (n->end[t] > from && (until < 0 || n->end[t] < until))
                until = n->end[t];
        if (until < 0)
            break;
        uint32_t ops, comm, circuits;
        double since = from < 0 ? 0 : from, span = until - since;
        count_running(n, since, until, &ops, &comm, &circuits);
        out->ticks++;
        out->step_time = until;
        out->computation += ops ? span : 0;
        out->communication += comm ? span : 0;
        out->exposed += comm && !ops ? span : 0;
        out->busy_area += span * ops;
        out->light_area += span * circuits;
        if (span > 0 && circuits > out->peak_circuits)
            out->peak_circuits = circuits;
        from = until;
    }
    out->worker_utilisation =
        out->step_time > 0 ? out->busy_area / (g->servers * out->step_time) : 0;
}
