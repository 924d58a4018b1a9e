/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/ranks/ranks_world.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "running a trace");
}

static LpErr check_peer(const LpRanks *w, uint32_t rank, uint32_t node, LpDiag *diag) {
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
static LpErr number(LpRanks *w, LpDiag *diag) {
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
static void turn_round(LpRanks *w) {
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

static LpErr make_net(LpRanks *w, LpDiag *diag) {
    size_t ranks = w->trace->ranks,
           ports = lp_ranks_in_the_way(w) ? w->spec->net->ports * ranks : 0;
    w->net.tx = lp_alloc(ports, sizeof *w->net.tx);
    w->net.rx = lp_alloc(ports, sizeof *w->net.rx);
    w->net.flows = lp_alloc(ranks, sizeof *w->net.flows);
    w->net.collective = lp_alloc(ranks, sizeof *w->net.collective);
    w->net.held_by = lp_alloc(ranks, sizeof *w->net.held_by);
    if (w->net.tx == NULL || w->net.rx == NULL || w->net.flows == NULL ||
        w->net.collective == NULL || w->net.held_by == NULL)
        return no_memory(diag);
    memset(w->net.held_by, 0xff, ranks * sizeof *w->net.held_by);
    return LP_OK;
}

LpErr lp_ranks_make(LpRanks *w, LpDiag *diag) {
    size_t ranks = w->trace->ranks, edges = 0;
    w->base = w->out->base = lp_alloc(ranks + 1, sizeof *w->base);
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
    w->ready = lp_alloc(nodes, sizeof *w->ready);
    w->log = w->out->log = lp_alloc(nodes, sizeof *w->log);
    LP_TRY(make_net(w, diag));
    if (w->rank_of == NULL || w->open == NULL || w->waiting == NULL || w->first == NULL ||
        w->partner == NULL || w->state == NULL || w->lane == NULL || w->calls == NULL ||
        w->called == NULL || w->ops == NULL || w->talks == NULL || w->since == NULL ||
        w->out->rank == NULL || w->ready == NULL || w->log == NULL)
        return no_memory(diag);
    for (size_t i = 0; i < ranks * w->lanes; i++)
        w->lane[i].held_by = LP_NO_INDEX;
    for (size_t g = 0; g < nodes; g++) {
        w->partner[g] = LP_NO_INDEX;
        w->log[g] = (LpTraceLog){(double)NAN, (double)NAN, (double)NAN,
                                 LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX};
    }
    w->out->ranks = (uint32_t)ranks;
    turn_round(w);
    return lp_match_init(&w->match, w->trace, w->base, w->rank_of, diag);
}

void lp_ranks_end(LpRanks *w) {
    for (size_t i = 0; w->lane != NULL && i < (size_t)w->trace->ranks * w->lanes; i++)
        lp_free(w->lane[i].ready.item);
    for (uint32_t g = 0; w->calls != NULL && g < w->trace->groups; g++)
        lp_free(w->calls[g].call);
    lp_match_fini(&w->match);
    lp_free(w->end.item);
    lp_free(w->net.tx);
    lp_free(w->net.rx);
    lp_free(w->net.flows);
    lp_free(w->net.collective);
    lp_free(w->net.held_by);
    lp_free(w->net.waiting);
    lp_free(w->ready);
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
static void add_stuck(const LpRanks *w, uint32_t rank, LpBuf *out) {
    const LpTraceRank *of = &w->trace->rank[rank];
    uint32_t node = 0;
    while (node < of->nodes &&
           (w->state[w->base[rank] + node] & (LP_RANKS_BEGUN | LP_RANKS_ENDED)) != LP_RANKS_BEGUN)
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

LpErr lp_ranks_sum_up(const LpRanks *w, LpDiag *diag) {
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
