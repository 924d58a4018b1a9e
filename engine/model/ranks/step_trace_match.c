/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fits together between ranks: flows that one side sends and the other takes, and calls of
 * collectives that all members make alike. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/ranks/step_trace.h"

typedef struct Send {
    uint32_t rank, node;
} Send;

/* A send to, or a receive of, one destination. */
typedef struct Flow {
    uint64_t bytes;
    uint32_t source, tag;
    bool sent;
} Flow;

typedef struct Flows {
    Flow *flow;
    size_t flows, cap;
} Flows;

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "matching sends and receives");
}

static LpErr add_flow(Flows *all, Flow flow, LpDiag *diag) {
    if (lp_grow((void **)&all->flow, &all->cap, all->flows + 1, sizeof flow) != LP_OK)
        return no_memory(diag);
    all->flow[all->flows++] = flow;
    return LP_OK;
}

static int compare_flows(const void *pa, const void *pb) {
    const Flow *a = pa, *b = pb;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* Sends by their destination: those to d are send[first[d]] .. send[first[d + 1]], and those to
 * ranks that are not there are the last. */
static LpErr sends_by_peer(const LpStepTrace *trace, Send **out, uint64_t **first, LpDiag *diag) {
    uint32_t ranks = trace->ranks;
    uint64_t *at = lp_alloc((size_t)ranks + 3, sizeof *at), sends = 0;
    if (at == NULL)
        return no_memory(diag);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t i = 0; i < trace->rank[r].nodes; i++) {
            const LpTraceNode *node = &trace->rank[r].node[i];
            if (node->kind != LP_TRACE_SEND)
                continue;
            at[(node->peer < ranks ? node->peer : ranks) + 2]++;
            sends++;
        }
    Send *send = lp_alloc(sends, sizeof *send);
    if (send == NULL) {
        lp_free(at);
        return no_memory(diag);
    }
    for (uint32_t d = 2; d <= ranks + 2; d++)
        at[d] += at[d - 1];
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t i = 0; i < trace->rank[r].nodes; i++) {
            const LpTraceNode *node = &trace->rank[r].node[i];
            if (node->kind == LP_TRACE_SEND)
                send[at[(node->peer < ranks ? node->peer : ranks) + 1]++] = (Send){r, i};
        }
    *out = send;
    *first = at;
    return LP_OK;
}

/* What rank `to` takes; those that take any are only counted. */
static LpErr add_receives(const LpTraceRank *rank, Flows *all, uint64_t *wild, LpDiag *diag) {
    for (uint32_t i = 0; i < rank->nodes; i++) {
        const LpTraceNode *node = &rank->node[i];
        if (node->kind != LP_TRACE_RECEIVE)
            continue;
        if (node->peer == LP_TRACE_ANY || node->tag == LP_TRACE_ANY)
            ++*wild;
        else
            LP_TRY(add_flow(
                all, (Flow){.bytes = node->amount, .source = node->peer, .tag = node->tag}, diag));
    }
    return LP_OK;
}

/* Sorted: equal ones stand together, and those of a source and a tag, too. */
static void count_unmatched(Flows *all, uint64_t *flows, uint64_t *kinds) {
    bool differ = false;
    if (all->flows > 1)
        qsort(all->flow, all->flows, sizeof *all->flow, compare_flows);
    for (size_t i = 0; i < all->flows;) {
        const Flow *first = &all->flow[i];
        int64_t more = 0;
        for (; i < all->flows && compare_flows(first, &all->flow[i]) == 0; i++)
            more += all->flow[i].sent ? 1 : -1;
        *flows += (uint64_t)(more < 0 ? -more : more);
        differ |= more != 0;
        if (i == all->flows || all->flow[i].source != first->source ||
            all->flow[i].tag != first->tag) {
            *kinds += differ;
            differ = false;
        }
    }
}

LpErr lp_step_trace_unmatched(const LpStepTrace *trace, uint64_t *flows, uint64_t *kinds,
                              uint64_t *wild, LpDiag *diag) {
    Flows all = {0};
    Send *send = NULL;
    uint64_t *first = NULL;
    *flows = *kinds = *wild = 0;
    LpErr err = sends_by_peer(trace, &send, &first, diag);
    for (uint32_t d = 0; err == LP_OK && d <= trace->ranks; d++) {
        all.flows = 0;
        for (uint64_t i = first[d]; err == LP_OK && i < first[d + 1]; i++) {
            const LpTraceNode *node = &trace->rank[send[i].rank].node[send[i].node];
            err = add_flow(
                &all,
                (Flow){
                    .bytes = node->amount, .source = send[i].rank, .tag = node->tag, .sent = true},
                diag);
        }
        if (err == LP_OK && d < trace->ranks)
            err = add_receives(&trace->rank[d], &all, wild, diag);
        if (err == LP_OK && all.flows > 0)
            count_unmatched(&all, flows, kinds);
    }
    lp_free(all.flow);
    lp_free(send);
    lp_free(first);
    return err;
}

/* ---- collectives ---- */

typedef struct Calls {
    uint64_t *of_rank;  /* by communicator: hash of what the rank calls */
    uint64_t *of_group; /* of what the first member called that called anything */
    bool *met;          /* by group: has one called? */
    bool *silent;       /* by group: has one called nothing? */
    bool *differ;       /* by communicator */
} Calls;

static void look_at_rank(const LpStepTrace *trace, uint32_t r, Calls *calls) {
    const LpTraceRank *rank = &trace->rank[r];
    memset(calls->of_rank, 0, trace->comms * sizeof *calls->of_rank);
    for (uint32_t i = 0; i < rank->nodes; i++) {
        const LpTraceNode *node = &rank->node[i];
        if (node->kind != LP_TRACE_COLLECTIVE)
            continue;
        uint64_t h = calls->of_rank[node->peer];
        h = lp_hash_u64(lp_hash_u64(h, node->what), node->amount);
        calls->of_rank[node->peer] = h != 0 ? h : 1;
    }
    for (uint32_t c = 0; c < trace->comms; c++) {
        uint32_t g = trace->comm[c].group_of[r];
        uint64_t h = calls->of_rank[c];
        if (g == LP_NO_INDEX)
            continue;
        if (h == 0)
            calls->silent[g] = true;
        else if (!calls->met[g])
            calls->of_group[g] = h;
        else if (calls->of_group[g] != h)
            calls->differ[c] = true;
        calls->met[g] |= h != 0;
    }
}

LpErr lp_step_trace_differing(const LpStepTrace *trace, uint64_t *comms, LpDiag *diag) {
    Calls calls = {.of_rank = lp_alloc(trace->comms, sizeof *calls.of_rank),
                   .of_group = lp_alloc(trace->groups, sizeof *calls.of_group),
                   .met = lp_alloc(trace->groups, sizeof *calls.met),
                   .silent = lp_alloc(trace->groups, sizeof *calls.silent),
                   .differ = lp_alloc(trace->comms, sizeof *calls.differ)};
    bool ok = calls.of_rank != NULL && calls.of_group != NULL && calls.met != NULL &&
              calls.silent != NULL && calls.differ != NULL;
    *comms = 0;
    for (uint32_t r = 0; ok && r < trace->ranks; r++)
        look_at_rank(trace, r, &calls);
    for (uint32_t g = 0; ok && g < trace->groups; g++) {
        bool absent = calls.silent[g];
        for (uint32_t i = 0; i < trace->group[g].members; i++)
            absent |= trace->group[g].member[i] >= trace->ranks;
        calls.differ[trace->group[g].comm] |= calls.met[g] && absent;
    }
    for (uint32_t c = 0; ok && c < trace->comms; c++)
        *comms += calls.differ[c];
    lp_free(calls.of_rank);
    lp_free(calls.of_group);
    lp_free(calls.met);
    lp_free(calls.silent);
    lp_free(calls.differ);
    return ok ? LP_OK : lp_fail_memory(diag, "comparing collectives");
}
