/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/trace/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "import/trace/run_match.h"
#include "model/fabric/collective.h"

/* What is in order: what ends next, or what of a stream is ready. */
typedef struct Item {
    double time; /* 0 of what is ready */
    uint64_t id;
    uint32_t rank, node; /* of the rank */
} Item;

typedef struct Heap {
    Item *item;
    size_t count, cap;
} Heap;

/* A stream or a port of a rank. */
typedef struct Lane {
    Heap ready;
    bool busy, touched;
} Lane;

/* A collective of a group: its members' calls at one place of their order. */
typedef struct Call {
    uint32_t begun; /* members */
    uint32_t first; /* of their nodes, which nobody else lists: LpMatch.next */
    uint64_t bytes; /* the most that one of them says */
} Call;

typedef struct Calls {
    Call *call;
    size_t calls, cap;
} Calls;

typedef struct World {
    const LpStepTrace *trace;
    const LpTraceRunSpec *spec;
    LpTraceRun *out;
    uint32_t *base, *rank_of;  /* numbers of nodes over all ranks: as in LpMatch */
    uint32_t *open;            /* by node: what it still waits for */
    uint32_t *waiting, *first; /* by node: nodes of its rank that wait for it, LP_TRACE_BEGUN */
    uint32_t *partner;         /* of sends and receives */
    uint8_t *state;            /* by node: BEGUN, ARRIVED, ENDED */
    Lane *lane;                /* `lanes` a rank: streams, ports, and what needs neither */
    uint32_t lanes, streams;
    size_t *touched, touches, touched_cap; /* lanes that may begin something */
    Calls *calls;                          /* by group */
    uint32_t *called;                      /* by communicator and rank: calls begun */
    uint32_t *ops, *talks;                 /* by rank: that run now */
    double *since;                         /* by rank: when one of them changed last */
    LpMatch match;
    Heap end;
    double now;
    uint64_t left; /* nodes that have not ended */
} World;

enum { BEGUN = 1, ARRIVED = 2, ENDED = 4 };

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "running a trace");
}

/* ---- heaps ---- */

static bool sooner(const Item *a, const Item *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return a->id != b->id ? a->id < b->id : a->node < b->node;
}

static LpErr heap_put(Heap *heap, Item item, LpDiag *diag) {
    if (lp_grow((void **)&heap->item, &heap->cap, heap->count + 1, sizeof item) != LP_OK)
        return no_memory(diag);
    size_t at = heap->count++;
    for (; at > 0 && sooner(&item, &heap->item[(at - 1) / 2]); at = (at - 1) / 2)
        heap->item[at] = heap->item[(at - 1) / 2];
    heap->item[at] = item;
    return LP_OK;
}

static Item heap_take(Heap *heap) {
    Item top = heap->item[0], last = heap->item[--heap->count];
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

static double op_ns(const World *w, const LpTraceRank *rank, uint32_t node) {
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
        return spec->unknown_ns;
    const LpTraceWork *work = &rank->work[from];
    double computing = work->flop / spec->peak_flops;
    double moving = spec->memory > 0 ? work->bytes / spec->memory : 0;
    return 1e9 * (computing > moving ? computing : moving);
}

static double flow_ns(const LpTraceRunSpec *spec, uint64_t bytes) {
    return spec->latency_ns + (bytes > 0 ? (double)bytes : 1) / spec->bandwidth * 1e9;
}

/* Rings as lightpath has them, or one member that sends to all others, or they to it, in turn. */
static double call_ns(const LpTraceRunSpec *spec, LpTraceCall call, uint32_t ranks, double bytes) {
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
static void account(World *w, uint32_t rank) {
    double passed = w->now - w->since[rank];
    LpTraceRunRank *out = &w->out->rank[rank];
    if (w->ops[rank] > 0)
        out->computing_ns += passed;
    else if (w->talks[rank] > 0)
        out->exposed_ns += passed;
    w->since[rank] = w->now;
}

static bool is_eager(const World *w, const LpTraceNode *node) {
    return w->spec->ports && node->kind == LP_TRACE_SEND && node->amount <= w->spec->eager;
}

/* The last lane has no end of room. */
static uint32_t lane_of(const World *w, const LpTraceNode *node) {
    if (node->kind == LP_TRACE_INSTANT || node->kind == LP_TRACE_RECEIVE || is_eager(w, node))
        return w->lanes - 1;
    return w->spec->ports && node->kind == LP_TRACE_SEND ? w->streams + node->port : node->stream;
}

static LpErr touch(World *w, size_t lane, LpDiag *diag) {
    if (w->lane[lane].touched)
        return LP_OK;
    if (lp_grow((void **)&w->touched, &w->touched_cap, w->touches + 1, sizeof lane) != LP_OK)
        return no_memory(diag);
    w->touched[w->touches++] = lane;
    w->lane[lane].touched = true;
    return LP_OK;
}

static LpErr make_ready(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    size_t lane = (size_t)rank * w->lanes + lane_of(w, &of->node[node]);
    LP_TRY(heap_put(&w->lane[lane].ready,
                    (Item){.rank = rank, .node = node, .id = lp_trace_node_id(of, node)}, diag));
    return touch(w, lane, diag);
}

/* Those that wait for the node to have begun, or to have ended. */
static LpErr wake(World *w, uint32_t rank, uint32_t node, bool begun, LpDiag *diag) {
    uint32_t g = w->base[rank] + node;
    for (uint32_t i = w->first[g]; i < w->first[g + 1]; i++) {
        uint32_t other = w->waiting[i] & ~LP_TRACE_BEGUN;
        if (((w->waiting[i] & LP_TRACE_BEGUN) != 0) == begun &&
            --w->open[w->base[rank] + other] == 0)
            LP_TRY(make_ready(w, rank, other, diag));
    }
    return LP_OK;
}

static LpErr end_node(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    uint32_t lane = lane_of(w, n);
    account(w, rank);
    w->ops[rank] -= n->kind == LP_TRACE_OP;
    w->talks[rank] -= talks(n);
    w->state[w->base[rank] + node] |= ENDED;
    w->out->rank[rank].end_ns = w->now;
    w->left--;
    if (lane != w->lanes - 1) {
        w->lane[(size_t)rank * w->lanes + lane].busy = false;
        LP_TRY(touch(w, (size_t)rank * w->lanes + lane, diag));
    }
    return wake(w, rank, node, false, diag);
}

static LpErr end_later(World *w, uint32_t rank, uint32_t node, double ns, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    return heap_put(
        &w->end,
        (Item){.time = w->now + ns, .rank = rank, .node = node, .id = lp_trace_node_id(of, node)},
        diag);
}

/* The data of a send are there, and a receive is there that takes them. */
static LpErr hand_over(World *w, uint32_t send, uint32_t receive, LpDiag *diag) {
    uint32_t from = w->rank_of[send], to = w->rank_of[receive];
    LP_TRY(end_node(w, to, receive - w->base[to], diag));
    return (w->state[send] & ENDED) == 0 ? end_node(w, from, send - w->base[from], diag) : LP_OK;
}

static LpErr begin_flow(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    uint32_t g = w->base[rank] + node, partner;
    LP_TRY(lp_match_begin(&w->match, g, &partner, diag));
    if (partner != LP_NO_INDEX) {
        w->partner[g] = partner;
        w->partner[partner] = g;
    }
    if (n->kind == LP_TRACE_RECEIVE)
        return partner != LP_NO_INDEX && (w->state[partner] & ARRIVED) != 0
                   ? hand_over(w, partner, g, diag)
                   : LP_OK;
    LP_TRY(end_later(w, rank, node, flow_ns(w->spec, n->amount), diag));
    return is_eager(w, n) ? end_node(w, rank, node, diag) : LP_OK;
}

static LpErr arrive(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    uint32_t g = w->base[rank] + node;
    w->state[g] |= ARRIVED;
    if (w->partner[g] != LP_NO_INDEX)
        return hand_over(w, g, w->partner[g], diag);
    return w->spec->ports ? LP_OK : end_node(w, rank, node, diag);
}

static LpErr begin_call(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceNode *n = &w->trace->rank[rank].node[node];
    const LpTraceGroup *group = lp_step_trace_group_of(w->trace, n->peer, rank);
    Calls *calls = &w->calls[group - w->trace->group];
    uint32_t place = w->called[(size_t)n->peer * w->trace->ranks + rank]++;
    if (place == calls->calls) {
        if (lp_grow((void **)&calls->call, &calls->cap, calls->calls + 1, sizeof *calls->call) !=
            LP_OK)
            return no_memory(diag);
        calls->call[calls->calls++] = (Call){.first = LP_NO_INDEX};
    }
    Call *call = &calls->call[place];
    uint32_t g = w->base[rank] + node;
    w->match.next[g] = call->first;
    call->first = g;
    call->bytes = n->amount > call->bytes ? n->amount : call->bytes;
    if (++call->begun < group->members)
        return LP_OK;
    double ns = call_ns(w->spec, (LpTraceCall)n->what, group->members, (double)call->bytes);
    for (uint32_t at = call->first; at != LP_NO_INDEX; at = w->match.next[at])
        LP_TRY(end_later(w, w->rank_of[at], at - w->base[w->rank_of[at]], ns, diag));
    return LP_OK;
}

static LpErr begin_node(World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    const LpTraceNode *n = &of->node[node];
    account(w, rank);
    w->ops[rank] += n->kind == LP_TRACE_OP;
    w->talks[rank] += talks(n);
    w->state[w->base[rank] + node] |= BEGUN;
    LP_TRY(wake(w, rank, node, true, diag));
    switch ((LpTraceKind)n->kind) {
    case LP_TRACE_OP:
        return end_later(w, rank, node, op_ns(w, of, node), diag);
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
static LpErr begin_all(World *w, LpDiag *diag) {
    while (w->touches > 0) {
        size_t least = 0;
        for (size_t i = 1; i < w->touches; i++)
            if (w->touched[i] < w->touched[least])
                least = i;
        size_t number = w->touched[least];
        Lane *lane = &w->lane[number];
        bool roomy = number % w->lanes == w->lanes - 1;
        if (lane->busy || lane->ready.count == 0) {
            lane->touched = false;
            w->touched[least] = w->touched[--w->touches];
            continue;
        }
        lane->busy = !roomy;
        Item item = heap_take(&lane->ready);
        LP_TRY(begin_node(w, item.rank, item.node, diag));
    }
    return LP_OK;
}

static LpErr run(World *w, LpDiag *diag) {
    for (uint32_t r = 0; r < w->trace->ranks; r++) {
        for (uint32_t i = 0; i < w->trace->rank[r].nodes; i++)
            if (w->open[w->base[r] + i] == 0)
                LP_TRY(make_ready(w, r, i, diag));
        LP_TRY(begin_all(w, diag));
    }
    while (w->end.count > 0) {
        Item item = heap_take(&w->end);
        w->now = item.time;
        LP_TRY(w->trace->rank[item.rank].node[item.node].kind == LP_TRACE_SEND
                   ? arrive(w, item.rank, item.node, diag)
                   : end_node(w, item.rank, item.node, diag));
        LP_TRY(begin_all(w, diag));
    }
    return LP_OK;
}

/* ---- the world ---- */

static LpErr check_peer(const World *w, uint32_t rank, uint32_t node, LpDiag *diag) {
    const LpTraceRank *of = &w->trace->rank[rank];
    const LpTraceNode *n = &of->node[node];
    unsigned long long id = lp_trace_node_id(of, node);
    bool any = n->kind == LP_TRACE_RECEIVE && n->peer == LP_TRACE_ANY;
    if ((n->kind == LP_TRACE_SEND || n->kind == LP_TRACE_RECEIVE) && !any &&
        n->peer >= w->trace->ranks)
        return lp_fail(diag, LP_EINVAL, "node %llu of rank %u is about rank %u, of %u", id, rank,
                       n->peer, w->trace->ranks);
    if (n->kind != LP_TRACE_COLLECTIVE)
        return LP_OK;
    const LpTraceGroup *group = lp_step_trace_group_of(w->trace, n->peer, rank);
    for (uint32_t i = 0; i < group->members; i++)
        if (group->member[i] >= w->trace->ranks)
            return lp_fail(diag, LP_EINVAL,
                           "node %llu of rank %u is a collective with rank %u, of %u", id, rank,
                           group->member[i], w->trace->ranks);
    return LP_OK;
}

/* Numbers all nodes, and counts lanes. */
static LpErr number(World *w, LpDiag *diag) {
    uint64_t nodes = 0, edges = 0;
    uint32_t ports = 0;
    for (uint32_t r = 0; r < w->trace->ranks; r++) {
        const LpTraceRank *rank = &w->trace->rank[r];
        w->base[r] = (uint32_t)nodes;
        nodes += rank->nodes;
        edges += rank->edges;
        if (nodes >= UINT32_MAX || edges >= UINT32_MAX)
            return lp_fail(diag, LP_ELIMIT, "a trace of more than 2^32 nodes cannot be run");
        for (uint32_t i = 0; i < rank->nodes; i++) {
            const LpTraceNode *node = &rank->node[i];
            w->streams = node->stream >= w->streams ? node->stream + 1u : w->streams;
            ports = node->port >= ports ? node->port + 1u : ports;
        }
    }
    w->base[w->trace->ranks] = (uint32_t)nodes;
    w->lanes = w->streams + ports + 1;
    w->left = nodes;
    return LP_OK;
}

/* Turns edges round: who waits for whom. */
static void turn_round(World *w) {
    uint32_t nodes = w->base[w->trace->ranks];
    for (uint32_t r = 0; r < w->trace->ranks; r++) {
        const LpTraceRank *rank = &w->trace->rank[r];
        for (uint32_t i = 0; i < rank->nodes; i++) {
            w->rank_of[w->base[r] + i] = r;
            lp_trace_edges(rank, i, &w->open[w->base[r] + i]);
        }
        for (uint32_t e = 0; e < rank->edges; e++)
            w->first[w->base[r] + (rank->edge[e] & ~LP_TRACE_BEGUN) + 1]++;
    }
    for (uint32_t g = 0; g < nodes; g++)
        w->first[g + 1] += w->first[g];
    uint32_t edges = w->first[nodes];
    for (uint32_t r = 0; r < w->trace->ranks; r++)
        for (uint32_t i = w->trace->rank[r].nodes;
             i-- > 0;) { /* places are filled from their ends */
            uint32_t count;
            const uint32_t *edge = lp_trace_edges(&w->trace->rank[r], i, &count);
            for (uint32_t k = 0; k < count; k++) {
                uint32_t g = w->base[r] + (edge[k] & ~LP_TRACE_BEGUN);
                w->waiting[--w->first[g + 1]] = i | (edge[k] & LP_TRACE_BEGUN);
            }
        }
    memmove(w->first, w->first + 1, nodes * sizeof *w->first);
    w->first[nodes] = edges;
}

static LpErr make_world(World *w, LpDiag *diag) {
    size_t ranks = w->trace->ranks, edges = 0;
    w->base = lp_alloc(ranks + 1, sizeof *w->base);
    if (w->base == NULL)
        return no_memory(diag);
    LP_TRY(number(w, diag));
    size_t nodes = w->base[ranks];
    for (uint32_t r = 0; r < ranks; r++) {
        edges += w->trace->rank[r].edges;
        for (uint32_t i = 0; i < w->trace->rank[r].nodes; i++)
            LP_TRY(check_peer(w, r, i, diag));
    }
    w->rank_of = lp_alloc(nodes, sizeof *w->rank_of);
    w->open = lp_alloc(nodes, sizeof *w->open);
    w->waiting = lp_alloc(edges, sizeof *w->waiting);
    w->first = lp_alloc((size_t)nodes + 1, sizeof *w->first);
    w->partner = lp_alloc(nodes, sizeof *w->partner);
    w->state = lp_alloc(nodes, sizeof *w->state);
    w->lane = lp_alloc(ranks * w->lanes, sizeof *w->lane);
    w->calls = lp_alloc(w->trace->groups, sizeof *w->calls);
    w->called = lp_alloc((size_t)w->trace->comms * ranks, sizeof *w->called);
    w->ops = lp_alloc(ranks, sizeof *w->ops);
    w->talks = lp_alloc(ranks, sizeof *w->talks);
    w->since = lp_alloc(ranks, sizeof *w->since);
    w->out->rank = lp_alloc(ranks, sizeof *w->out->rank);
    if (w->rank_of == NULL || w->open == NULL || w->waiting == NULL || w->first == NULL ||
        w->partner == NULL || w->state == NULL || w->lane == NULL || w->calls == NULL ||
        w->called == NULL || w->ops == NULL || w->talks == NULL || w->since == NULL ||
        w->out->rank == NULL)
        return no_memory(diag);
    for (size_t g = 0; g < nodes; g++)
        w->partner[g] = LP_NO_INDEX;
    w->out->ranks = (uint32_t)ranks;
    turn_round(w);
    return lp_match_init(&w->match, w->trace, w->base, w->rank_of, diag);
}

static void end_world(World *w) {
    for (size_t i = 0; w->lane != NULL && i < (size_t)w->trace->ranks * w->lanes; i++)
        lp_free(w->lane[i].ready.item);
    for (uint32_t g = 0; w->calls != NULL && g < w->trace->groups; g++)
        lp_free(w->calls[g].call);
    lp_match_fini(&w->match);
    lp_free(w->end.item);
    lp_free(w->base);
    lp_free(w->rank_of);
    lp_free(w->open);
    lp_free(w->waiting);
    lp_free(w->first);
    lp_free(w->partner);
    lp_free(w->state);
    lp_free(w->lane);
    lp_free(w->touched);
    lp_free(w->calls);
    lp_free(w->called);
    lp_free(w->ops);
    lp_free(w->talks);
    lp_free(w->since);
}

/* ---- what came of it ---- */

/* What a rank that is not at its end does forever: the first node that has begun. */
static void add_stuck(const World *w, uint32_t rank, LpBuf *out) {
    const LpTraceRank *of = &w->trace->rank[rank];
    uint32_t node = 0;
    while (node < of->nodes && (w->state[w->base[rank] + node] & (BEGUN | ENDED)) != BEGUN)
        node++;
    if (node == of->nodes)
        return;
    const LpTraceNode *n = &of->node[node];
    lp_buf_addf(out, "%snode %llu of rank %u waits for ", out->len > 0 ? "; " : "",
                (unsigned long long)lp_trace_node_id(of, node), rank);
    if (n->kind == LP_TRACE_COLLECTIVE) {
        const LpTraceGroup *group = lp_step_trace_group_of(w->trace, n->peer, rank);
        uint32_t place = w->called[(size_t)n->peer * w->trace->ranks + rank] - 1;
        lp_buf_addf(out, "%u of %u members of its collective",
                    group->members - w->calls[group - w->trace->group].call[place].begun,
                    group->members);
    } else if (n->peer == LP_TRACE_ANY) {
        lp_buf_add(out, "data from any rank");
    } else {
        lp_buf_addf(out, n->kind == LP_TRACE_SEND ? "rank %u to receive" : "data from rank %u",
                    n->peer);
        if (n->tag != LP_TRACE_ANY)
            lp_buf_addf(out, " with tag %u", n->tag);
    }
}

static LpErr sum_up(const World *w, LpDiag *diag) {
    enum { NAMED = 4 };
    LpTraceRun *out = w->out;
    LpBuf stuck = {0};
    out->step_ns = w->now;
    for (uint32_t r = 0, named = 0; r < out->ranks; r++) {
        if (out->rank[r].end_ns > out->rank[out->slowest].end_ns)
            out->slowest = r;
        size_t before = stuck.len;
        if (w->left > 0 && named < NAMED)
            add_stuck(w, r, &stuck);
        named += stuck.len > before;
    }
    lp_str_copy(out->stuck, sizeof out->stuck, lp_buf_text(&stuck));
    LpErr err = lp_buf_ok(&stuck, diag);
    lp_buf_fini(&stuck);
    return err;
}

LpErr lp_trace_run(const LpStepTrace *trace, const LpTraceRunSpec *spec, LpTraceRun *out,
                   LpDiag *diag) {
    World world = {.trace = trace, .spec = spec, .out = out};
    *out = (LpTraceRun){0};
    LpErr err = make_world(&world, diag);
    if (err == LP_OK)
        err = run(&world, diag);
    if (err == LP_OK)
        err = sum_up(&world, diag);
    end_world(&world);
    if (err != LP_OK)
        lp_trace_run_free(out);
    return err;
}

void lp_trace_run_free(LpTraceRun *run) {
    lp_free(run->rank);
    *run = (LpTraceRun){0};
}

/* ---- telling ---- */

void lp_trace_run_put(const LpTraceRun *run, bool all, LpJsonOut *json) {
    lp_json_open(json, "alone", '{');
    lp_json_put_number(json, "step_ns", run->step_ns);
    lp_json_put_count(json, "slowest_rank", run->slowest);
    if (run->ranks > 0) {
        lp_json_put_number(json, "computing_ns", run->rank[run->slowest].computing_ns);
        lp_json_put_number(json, "exposed_ns", run->rank[run->slowest].exposed_ns);
    }
    if (run->stuck[0] != '\0')
        lp_json_put_text(json, "stuck", run->stuck);
    if (all) {
        lp_json_lines(json, "rank", '[');
        for (uint32_t r = 0; r < run->ranks; r++) {
            lp_json_open(json, NULL, '{');
            lp_json_put_number(json, "end_ns", run->rank[r].end_ns);
            lp_json_put_number(json, "computing_ns", run->rank[r].computing_ns);
            lp_json_put_number(json, "exposed_ns", run->rank[r].exposed_ns);
            lp_json_close(json, '}');
        }
        lp_json_close(json, ']');
    }
    lp_json_close(json, '}');
}

void lp_trace_run_text(const LpTraceRun *run, LpBuf *out) {
    char step[32], computing[32], exposed[32];
    if (run->stuck[0] != '\0') {
        lp_buf_addf(out, "  alone             it never ends: %s\n", run->stuck);
        return;
    }
    if (run->ranks == 0)
        return;
    const LpTraceRunRank *slowest = &run->rank[run->slowest];
    lp_quantity_print(run->step_ns * 1e-9, LP_DIM_TIME, step, sizeof step);
    lp_quantity_print(slowest->computing_ns * 1e-9, LP_DIM_TIME, computing, sizeof computing);
    lp_quantity_print(slowest->exposed_ns * 1e-9, LP_DIM_TIME, exposed, sizeof exposed);
    lp_buf_addf(out,
                "  alone             a step of %s; rank %u ends last: %s computing, %s only "
                "communicating\n"
                "                    each flow and collective with a link to itself\n",
                step, run->slowest, computing, exposed);
}
