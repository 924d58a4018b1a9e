/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/ranks/ranks_run.h"

#include <math.h>
#include <string.h>

#include "model/fabric/collective.h"
#include "sim/ranks/ranks_world.h"

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "running a trace");
}

/* ---- heaps ---- */

static bool sooner(const LpRanksItem *a, const LpRanksItem *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return a->id != b->id ? a->id < b->id : a->node < b->node;
}

static LpErr heap_put(LpRanksHeap *heap, LpRanksItem item, LpDiag *diag) {
    if (lp_grow((void **)&heap->item, &heap->cap, heap->count + 1, sizeof item) != LP_OK)
        return no_memory(diag);
    size_t at = heap->count++;
    for (; at > 0 && sooner(&item, &heap->item[(at - 1) / 2]); at = (at - 1) / 2)
        heap->item[at] = heap->item[(at - 1) / 2];
    heap->item[at] = item;
    return LP_OK;
}

static LpRanksItem heap_take(LpRanksHeap *heap) {
    LpRanksItem top = heap->item[0], last = heap->item[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && sooner(&heap->item[child + 1], &heap->item[child]))
            child++;
        if (!sooner(&heap->item[child], &last))
            break;
        heap->item[at] = heap->item[child];
    }
    heap->item[at] = last;
    return top;
}

/* ---- how long things take ---- */

static double stated_ns(const LpRanks *w, const LpTraceRank *rank, uint32_t node) {
    const LpTraceRunSpec *spec = w->spec;
    size_t from = 0, to = rank->works;
    if (rank->node[node].amount > 0)
        return (double)rank->node[node].amount;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (rank->work[middle].node < node)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == rank->works || rank->work[from].node != node || spec->peak_flops <= 0)
        return spec->rules.unknown_ns;
    const LpTraceWork *work = &rank->work[from];
    double computing = work->flop / spec->peak_flops;
    double moving = spec->memory > 0 ? work->bytes / spec->memory : 0;
    return 1e9 * (computing > moving ? computing : moving);
}

static double op_ns(const LpRanks *w, uint32_t rank, uint32_t node) {
    const LpTraceNet *net = w->spec->net;
    double ns = stated_ns(w, &w->trace->rank[rank], node);
    return net != NULL ? net->op_ns(net->user, rank, ns) : ns;
}

static double flow_ns(const LpTraceRunSpec *spec, uint32_t from, uint32_t to, uint64_t bytes) {
    double most = bytes > 0 ? (double)bytes : 1;
    if (spec->net != NULL)
        return spec->net->flow_ns(spec->net->user, from, to, most);
    return spec->latency_ns + most / spec->bandwidth * 1e9;
}

/* Rings as lightpath has them, or one member that sends to all others, or they to it, in turn. */
static double call_ns(const LpTraceRunSpec *spec, LpTraceCall call, const LpTraceGroup *group,
                      double bytes) {
    uint32_t ranks = group->members;
    const LpHop hop = {.latency = spec->latency_ns, .rate = spec->bandwidth * 1e-9};
    const LpCollectiveTeam team = {.algorithm = LP_ALGORITHM_RING,
                                   .n = ranks,
                                   .hops = 1,
                                   .hop = &hop,
                                   .peak = HUGE_VAL,
                                   .memory_bandwidth = HUGE_VAL};
    double others = ranks - 1.0;
    if (ranks <= 1)
        return 0;
    if (spec->net != NULL)
        return spec->net->call_ns(spec->net->user, call, group->member, ranks, bytes);
    switch (call) {
    case LP_TRACE_ALL_REDUCE:
        return lp_collective_time(&team, LP_ALL_REDUCE, bytes);
    case LP_TRACE_ALL_GATHER: /* its bytes are those of one member */
        return lp_collective_time(&team, LP_ALL_GATHER, bytes * ranks);
    case LP_TRACE_REDUCE_SCATTER:
    case LP_TRACE_REDUCE_SCATTER_BLOCK:
        return lp_collective_time(&team, LP_REDUCE_SCATTER, bytes);
    case LP_TRACE_ALL_TO_ALL: /* each sends a part to one other at a time */
        return others * (hop.latency + bytes / ranks / hop.rate);
    case LP_TRACE_SCATTER:
        return hop.latency + others * (bytes / ranks) / hop.rate;
    case LP_TRACE_BARRIER:
        return 2 * hop.latency;
    default:
        return hop.latency + others * bytes / hop.rate;
    }
}

/* ---- beginning and ending ---- */

static bool talks(const LpTraceNode *node) {
    return node->kind >= LP_TRACE_SEND;
}

/* Adds what has passed to what the rank did meanwhile. */
static void account(LpRanks *w, uint32_t rank) {
    double passed = w->now - w->since[rank];
    LpTraceRunRank *out = &w->out->rank[rank];
    if (w->ops[rank] > 0)
        out->computing_ns += passed;
    else if (w->talks[rank] > 0)
        out->exposed_ns += passed;
    w->since[rank] = w->now;
}

static bool is_eager(const LpRanks *w, const LpTraceNode *node) {
    return w->spec->rules.ports && node->kind == LP_TRACE_SEND &&
           node->amount <= w->spec->rules.eager;
}

/* The last lane has no end of room. */
static uint32_t lane_of(const LpRanks *w, const LpTraceNode *node) {
    if (node->kind == LP_TRACE_INSTANT || node->kind == LP_TRACE_RECEIVE || is_eager(w, node) ||
        w->spec->rules.free_streams)
        return w->lanes - 1;
    return w->spec->rules.ports && node->kind == LP_TRACE_SEND ? w->streams + node->port
                                                               : node->stream;
}

static LpErr touch(LpRanks *w, size_t lane, LpDiag *diag) {
    if (w->lane[lane].touched)
        return LP_OK;
    if (lp_grow((void **)&w->touched, &w->touched_cap, w->touches + 1, sizeof lane) != LP_OK)
        return no_memory(diag);
    w->touched[w->touches++] = lane;
    w->lane[lane].touched = true;
    return LP_OK;
}

static LpErr make_ready(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    size_t lane = (size_t)rank * w->lanes + lane_of(w, &of->node[node]);
    LP_TRY(heap_put(&w->lane[lane].ready,
                    (LpRanksItem){.rank = rank, .node = node, .id = lp_trace_node_id(of, node)},
                    diag));
    return touch(w, lane, diag);
}

/* The op, send or collective that the end of a node, which is now, comes from. */
static uint32_t cause_of(const LpRanks *w, uint32_t node) {
    uint32_t rank = w->rank_of[node], other = w->partner[node];
    switch ((LpTraceKind)w->trace->rank[rank].node[node - w->base[rank]].kind) {
    case LP_TRACE_OP:
    case LP_TRACE_COLLECTIVE:
        return node;
    case LP_TRACE_SEND: /* it may have ended when it began, or when somebody took its data */
        if ((w->state[node] & LP_RANKS_ARRIVED) == 0)
            return w->log[node].by;
        return w->log[node].end_ns < w->now && other != LP_NO_INDEX ? w->log[other].by : node;
    case LP_TRACE_RECEIVE: /* its data may have been there when it began */
        return w->log[other].end_ns > w->log[node].begin_ns ? other : w->log[node].by;
    default:
        return w->log[node].by;
    }
}

/* Those that wait for the node to have begun, or to have ended. */
static LpErr wake(LpRanks *w, uint32_t rank, uint32_t node, bool begun, LpDiag *diag) {
    uint32_t g = w->base[rank] + node;
    for (uint32_t i = w->first[g]; i < w->first[g + 1]; i++) {
        uint32_t other = w->waiting[i] & ~LP_TRACE_BEGUN, at = w->base[rank] + other;
        if (((w->waiting[i] & LP_TRACE_BEGUN) != 0) != begun || --w->open[at] > 0)
            continue;
        w->ready[at] = w->now;
        w->log[at].after = w->log[at].by = begun ? w->log[g].by : cause_of(w, g);
        LP_TRY(make_ready(w, rank, other, diag));
    }
    return LP_OK;
}

static LpErr end_node(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    uint32_t lane = lane_of(w, n);
    account(w, rank);
    w->ops[rank] -= n->kind == LP_TRACE_OP;
    w->talks[rank] -= talks(n);
    w->state[w->base[rank] + node] |= LP_RANKS_ENDED;
    if (n->kind != LP_TRACE_SEND)
        w->log[w->base[rank] + node].end_ns = w->now;
    w->out->rank[rank].end_ns = w->now;
    w->left--;
    if (lane != w->lanes - 1) {
        w->lane[(size_t)rank * w->lanes + lane].busy = false;
        w->lane[(size_t)rank * w->lanes + lane].held_by = cause_of(w, w->base[rank] + node);
        LP_TRY(touch(w, (size_t)rank * w->lanes + lane, diag));
    }
    return wake(w, rank, node, false, diag);
}

static LpErr end_later(LpRanks *w, uint32_t rank, uint32_t node, double ns, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    return heap_put(
        &w->end,
        (LpRanksItem){
            .time = w->now + ns, .rank = rank, .node = node, .id = lp_trace_node_id(of, node)},
        diag);
}

/* The data of a send are there, and a receive is there that takes them. */
static LpErr hand_over(LpRanks *w, uint32_t send, uint32_t receive, LpDiag *diag) {
    uint32_t from = w->rank_of[send], to = w->rank_of[receive];
    LP_TRY(end_node(w, to, receive - w->base[to], diag));
    return (w->state[send] & LP_RANKS_ENDED) == 0 ? end_node(w, from, send - w->base[from], diag)
                                                  : LP_OK;
}

/* ---- what moves data ---- */

static const LpTraceNode *node_of(const LpRanks *w, uint32_t g) {
    return &w->trace->rank[w->rank_of[g]].node[g - w->base[w->rank_of[g]]];
}

static const LpTraceGroup *group_of(const LpRanks *w, uint32_t g) {
    return lp_step_trace_group_of(w->trace, node_of(w, g)->peer, w->rank_of[g]);
}

/* The ports of a send: places in net.tx and net.rx. */
static void ports_of(const LpRanks *w, uint32_t send, uint32_t *tx, uint32_t *rx) {
    const LpTraceNet *net = w->spec->net;
    uint32_t from = w->rank_of[send], to = node_of(w, send)->peer;
    net->port(net->user, from, to, tx, rx);
    *tx += from * net->ports;
    *rx += to * net->ports;
}

static bool flow_may(const LpRanks *w, uint32_t g) {
    uint32_t tx, rx;
    if (w->rank_of[g] == node_of(w, g)->peer)
        return true;
    ports_of(w, g, &tx, &rx);
    return !w->net.tx[tx] && !w->net.rx[rx] && w->net.collective[w->rank_of[g]] == 0 &&
           w->net.collective[node_of(w, g)->peer] == 0;
}

static bool call_may(const LpRanks *w, uint32_t g) {
    const LpTraceGroup *group = group_of(w, g);
    for (uint32_t i = 0; i < group->members; i++)
        if (w->net.flows[group->member[i]] > 0 || w->net.collective[group->member[i]] > 0)
            return false;
    return true;
}

/* Takes or gives back the ports of a flow, and those of a rank in a collective. */
static void hold_flow(LpRanks *w, uint32_t g, bool take) {
    uint32_t tx, rx, ends[] = {w->rank_of[g], node_of(w, g)->peer};
    if (!lp_ranks_in_the_way(w) || ends[0] == ends[1])
        return;
    ports_of(w, g, &tx, &rx);
    w->net.tx[tx] = w->net.rx[rx] = take;
    for (int i = 0; i < 2; i++) {
        w->net.flows[ends[i]] += take ? 1 : UINT32_MAX;
        if (!take)
            w->net.held_by[ends[i]] = g;
    }
}

static LpErr note_call(LpRanks *w, uint32_t g, double bytes, uint32_t *number, LpDiag *diag) {
    LpTraceRun *out = w->out;
    if (lp_grow((void **)&out->call, &w->call_cap, out->calls + 1, sizeof *out->call) != LP_OK)
        return no_memory(diag);
    *number = out->calls;
    out->call[out->calls++] = (LpTraceCalled){.group = (uint32_t)(group_of(w, g) - w->trace->group),
                                              .last = g,
                                              .call = (LpTraceCall)node_of(w, g)->what,
                                              .bytes = bytes};
    return LP_OK;
}

/* All members have called: `g` is the node of the last of them. */
static LpErr start_call(LpRanks *w, uint32_t g, LpDiag *diag) {
    const LpTraceGroup *group = group_of(w, g);
    uint32_t number = w->log[g].call;
    const LpTraceCalled *called = &w->out->call[number];
    double ns = call_ns(w->spec, called->call, group, called->bytes);
    for (uint32_t at = called->last; at != LP_NO_INDEX; at = w->match.next[at]) {
        w->log[at].moving_ns = w->now;
        w->log[at].call = number;
        w->net.collective[w->rank_of[at]] += lp_ranks_in_the_way(w);
        LP_TRY(end_later(w, w->rank_of[at], at - w->base[w->rank_of[at]], ns, diag));
    }
    return LP_OK;
}

static LpErr start_flow(LpRanks *w, uint32_t g, LpDiag *diag) {
    uint32_t rank = w->rank_of[g];
    const LpTraceNode *n = node_of(w, g);
    hold_flow(w, g, true);
    w->log[g].moving_ns = w->now;
    return end_later(w, rank, g - w->base[rank], flow_ns(w->spec, rank, n->peer, n->amount), diag);
}

static LpErr start_or_wait(LpRanks *w, uint32_t g, LpDiag *diag) {
    if (!lp_ranks_in_the_way(w))
        return node_of(w, g)->kind == LP_TRACE_SEND ? start_flow(w, g, diag)
                                                    : start_call(w, g, diag);
    if (lp_grow((void **)&w->net.waiting, &w->net.cap, w->net.waits + 1, sizeof *w->net.waiting) !=
        LP_OK)
        return no_memory(diag);
    w->net.waiting[w->net.waits++] = g;
    return LP_OK;
}

/* The flow or collective that gave back last what it waited for. */
static void note_holder(LpRanks *w, uint32_t g) {
    uint32_t holder = w->net.held_by[w->rank_of[g]];
    if (w->log[g].moving_ns > w->log[g].begin_ns && holder != LP_NO_INDEX)
        w->log[g].by = holder;
}

/* Starts what waits for ports and can go, in the order in which it came. A collective that has to
 * wait keeps what came after it off its members, or it could wait forever. */
static LpErr start_waiting(LpRanks *w, LpDiag *diag) {
    LpRanksNet *net = &w->net;
    size_t kept = 0;
    for (size_t i = 0; i < net->waits; i++) {
        uint32_t g = net->waiting[i];
        bool flow = node_of(w, g)->kind == LP_TRACE_SEND;
        if (flow ? flow_may(w, g) : call_may(w, g)) {
            LP_TRY(flow ? start_flow(w, g, diag) : start_call(w, g, diag));
            note_holder(w, g);
            continue;
        }
        net->waiting[kept++] = g;
        const LpTraceGroup *group = flow ? NULL : group_of(w, g);
        for (uint32_t k = 0; group != NULL && k < group->members; k++)
            net->collective[group->member[k]]++;
    }
    net->waits = kept;
    for (size_t i = 0; i < kept; i++) {
        const LpTraceGroup *group = node_of(w, net->waiting[i])->kind == LP_TRACE_SEND
                                        ? NULL
                                        : group_of(w, net->waiting[i]);
        for (uint32_t k = 0; group != NULL && k < group->members; k++)
            net->collective[group->member[k]]--;
    }
    return LP_OK;
}

static LpErr begin_flow(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    uint32_t g = w->base[rank] + node, partner;
    LP_TRY(lp_match_begin(&w->match, g, &partner, diag));
    if (partner != LP_NO_INDEX) {
        w->partner[g] = partner;
        w->partner[partner] = g;
        w->log[g].call = partner;
        w->log[partner].call = g;
    }
    if (n->kind == LP_TRACE_RECEIVE)
        return partner != LP_NO_INDEX && (w->state[partner] & LP_RANKS_ARRIVED) != 0
                   ? hand_over(w, partner, g, diag)
                   : LP_OK;
    LP_TRY(start_or_wait(w, g, diag));
    return is_eager(w, n) ? end_node(w, rank, node, diag) : LP_OK;
}

static LpErr arrive(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    uint32_t g = w->base[rank] + node;
    w->state[g] |= LP_RANKS_ARRIVED;
    w->log[g].end_ns = w->now;
    hold_flow(w, g, false);
    if (w->partner[g] != LP_NO_INDEX)
        return hand_over(w, g, w->partner[g], diag);
    return w->spec->rules.ports ? LP_OK : end_node(w, rank, node, diag);
}

static LpErr begin_call(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    const LpTraceGroup *group = lp_step_trace_group_of(w->trace, n->peer, rank);
    LpRanksCalls *calls = &w->calls[group - w->trace->group];
    uint32_t place = w->called[(size_t)n->peer * w->trace->ranks + rank]++;
    if (place == calls->calls) {
        if (lp_grow((void **)&calls->call, &calls->cap, calls->calls + 1, sizeof *calls->call) !=
            LP_OK)
            return no_memory(diag);
        calls->call[calls->calls++] = (LpRanksCall){.first = LP_NO_INDEX};
    }
    LpRanksCall *call = &calls->call[place];
    uint32_t g = w->base[rank] + node;
    w->match.next[g] = call->first;
    call->first = g;
    call->bytes = n->amount > call->bytes ? n->amount : call->bytes;
    if (++call->begun < group->members)
        return LP_OK;
    LP_TRY(note_call(w, g, (double)call->bytes, &w->log[g].call, diag));
    return start_or_wait(w, g, diag);
}

static LpErr begin_node(LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    const LpTraceNode *n = &of->node[node];
    account(w, rank);
    w->ops[rank] += n->kind == LP_TRACE_OP;
    w->talks[rank] += talks(n);
    w->state[w->base[rank] + node] |= LP_RANKS_BEGUN;
    w->log[w->base[rank] + node].begin_ns = w->now;
    LP_TRY(wake(w, rank, node, true, diag));
    switch ((LpTraceKind)n->kind) {
    case LP_TRACE_OP:
        w->log[w->base[rank] + node].moving_ns = w->now;
        return end_later(w, rank, node, op_ns(w, rank, node), diag);
    case LP_TRACE_SEND:
    case LP_TRACE_RECEIVE:
        return begin_flow(w, rank, node, diag);
    case LP_TRACE_COLLECTIVE:
        return begin_call(w, rank, node, diag);
    default:
        return end_node(w, rank, node, diag);
    }
}

/* Begins all that can, by rank and lane, until nothing can. */
static LpErr begin_all(LpRanks *w, LpDiag *diag) {
    while (w->touches > 0) {
        size_t least = 0;
        for (size_t i = 1; i < w->touches; i++)
            if (w->touched[i] < w->touched[least])
                least = i;
        size_t number = w->touched[least];
        LpRanksLane *lane = &w->lane[number];
        bool roomy = number % w->lanes == w->lanes - 1;
        if (lane->busy || lane->ready.count == 0) {
            lane->touched = false;
            w->touched[least] = w->touched[--w->touches];
            continue;
        }
        lane->busy = !roomy;
        LpRanksItem item = heap_take(&lane->ready);
        uint32_t g = w->base[item.rank] + item.node;
        if (!roomy && w->ready[g] < w->now)
            w->log[g].by = lane->held_by;
        LP_TRY(begin_node(w, item.rank, item.node, diag));
    }
    return LP_OK;
}

static LpErr run(LpRanks *w, LpDiag *diag) {
    for (uint32_t r = 0; r < w->trace->ranks; r++) {
        for (uint32_t i = 0; i < w->trace->rank[r].nodes; i++)
            if (w->open[w->base[r] + i] == 0)
                LP_TRY(make_ready(w, r, i, diag));
        LP_TRY(begin_all(w, diag));
    }
    LP_TRY(start_waiting(w, diag));
    while (w->end.count > 0) {
        LpRanksItem item = heap_take(&w->end);
        uint8_t kind = w->trace->rank[item.rank].node[item.node].kind;
        w->now = item.time;
        if (kind == LP_TRACE_COLLECTIVE && lp_ranks_in_the_way(w)) {
            w->net.collective[item.rank]--;
            w->net.held_by[item.rank] = w->base[item.rank] + item.node;
        }
        LP_TRY(kind == LP_TRACE_SEND ? arrive(w, item.rank, item.node, diag)
                                     : end_node(w, item.rank, item.node, diag));
        LP_TRY(begin_all(w, diag));
        if (w->net.waits > 0)
            LP_TRY(start_waiting(w, diag));
    }
    return LP_OK;
}

LpErr lp_trace_run(const LpStepTrace *trace, const LpTraceRunSpec *spec, LpTraceRun *out,
                   LpDiag *diag) {
    LpRanks world = {.trace = trace, .spec = spec, .out = out};
    *out = (LpTraceRun){0};
    LpErr err = lp_ranks_make(&world, diag);
    if (err == LP_OK)
        err = run(&world, diag);
    if (err == LP_OK)
        err = lp_ranks_sum_up(&world, diag);
    lp_ranks_end(&world);
    if (err == LP_OK && !spec->log) {
        lp_free(out->log);
        lp_free(out->call);
        out->log = NULL;
        out->call = NULL;
        out->calls = 0;
    }
    if (err != LP_OK)
        lp_trace_run_free(out);
    return err;
}

void lp_trace_run_free(LpTraceRun *run) {
    lp_free(run->rank);
    lp_free(run->base);
    lp_free(run->log);
    lp_free(run->call);
    *run = (LpTraceRun){0};
}
