/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/ranks/ranks_match.h"

#include "base/hash.h"

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "running a trace");
}

static uint32_t *nobody(size_t count) {
    uint32_t *list = lp_alloc(count, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] = LP_NO_INDEX;
    return list;
}

LpErr lp_match_init(LpMatch *match, const LpStepTrace *trace, const uint32_t *base,
                    const uint32_t *rank_of, LpDiag *diag) {
    size_t ranks = trace->ranks, nodes = base[trace->ranks];
    *match = (LpMatch){.trace = trace,
                       .base = base,
                       .rank_of = rank_of,
                       .next = nobody(nodes),
                       .before = nobody(nodes),
                       .after = nobody(nodes),
                       .first = nobody(ranks),
                       .last = nobody(ranks),
                       .wild = nobody(ranks),
                       .last_wild = nobody(ranks),
                       .stamp = lp_alloc(nodes, sizeof *match->stamp)};
    bool ok = match->next != NULL && match->before != NULL && match->after != NULL &&
              match->first != NULL && match->last != NULL && match->wild != NULL &&
              match->last_wild != NULL && match->stamp != NULL;
    return ok ? LP_OK : no_memory(diag);
}

void lp_match_fini(LpMatch *match) {
    lp_free(match->queue);
    lp_free(match->slot);
    lp_free(match->next);
    lp_free(match->before);
    lp_free(match->after);
    lp_free(match->first);
    lp_free(match->last);
    lp_free(match->wild);
    lp_free(match->last_wild);
    lp_free(match->stamp);
    *match = (LpMatch){0};
}

/* ---- queues ---- */

static size_t slot_of(const LpMatch *m, uint32_t source, uint32_t target, uint32_t tag) {
    uint64_t hash = lp_hash_u64(lp_hash_u64(LP_HASH_INIT, (uint64_t)source << 32 | target), tag);
    size_t at = hash & (m->slots - 1);
    for (; m->slot[at] != 0; at = (at + 1) & (m->slots - 1)) {
        const LpMatchQueue *q = &m->queue[m->slot[at] - 1];
        if (q->source == source && q->target == target && q->tag == tag)
            break;
    }
    return at;
}

static LpErr more_slots(LpMatch *m, LpDiag *diag) {
    if (m->slots > 2 * m->queues)
        return LP_OK;
    size_t slots = m->slots > 0 ? 2 * m->slots : 1024;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return no_memory(diag);
    lp_free(m->slot);
    m->slot = slot;
    m->slots = slots;
    for (size_t i = 0; i < m->queues; i++) {
        const LpMatchQueue *q = &m->queue[i];
        slot[slot_of(m, q->source, q->target, q->tag)] = (uint32_t)i + 1;
    }
    return LP_OK;
}

static LpErr queue_of(LpMatch *m, uint32_t source, uint32_t target, uint32_t tag,
                      LpMatchQueue **out, LpDiag *diag) {
    LP_TRY(more_slots(m, diag));
    size_t at = slot_of(m, source, target, tag);
    if (m->slot[at] == 0) {
        if (lp_grow((void **)&m->queue, &m->cap, m->queues + 1, sizeof *m->queue) != LP_OK)
            return no_memory(diag);
        m->queue[m->queues++] =
            (LpMatchQueue){source, target, tag, LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX, LP_NO_INDEX};
        m->slot[at] = (uint32_t)m->queues;
    }
    *out = &m->queue[m->slot[at] - 1];
    return LP_OK;
}

static void put_last(LpMatch *m, uint32_t *first, uint32_t *last, uint32_t node) {
    if (*last == LP_NO_INDEX)
        *first = node;
    else
        m->next[*last] = node;
    *last = node;
    m->next[node] = LP_NO_INDEX;
}

static uint32_t take_first(const LpMatch *m, uint32_t *first, uint32_t *last) {
    uint32_t node = *first;
    *first = m->next[node];
    if (*first == LP_NO_INDEX)
        *last = LP_NO_INDEX;
    return node;
}

/* ---- beginning ---- */

static const LpTraceNode *node_of(const LpMatch *m, uint32_t node) {
    uint32_t rank = m->rank_of[node];
    return &m->trace->rank[rank].node[node - m->base[rank]];
}

static bool takes(const LpTraceNode *receive, uint32_t source, uint32_t tag) {
    return (receive->peer == LP_TRACE_ANY || receive->peer == source) &&
           (receive->tag == LP_TRACE_ANY || receive->tag == tag);
}

static bool takes_any(const LpTraceNode *receive) {
    return receive->peer == LP_TRACE_ANY || receive->tag == LP_TRACE_ANY;
}

/* The first receive of a rank that takes any and this; *before: the one in front of it. */
static uint32_t find_wild(const LpMatch *m, uint32_t target, uint32_t source, uint32_t tag,
                          uint32_t *before) {
    uint32_t at = m->wild[target];
    *before = LP_NO_INDEX;
    while (at != LP_NO_INDEX && !takes(node_of(m, at), source, tag)) {
        *before = at;
        at = m->next[at];
    }
    return at;
}

static LpErr begin_send(LpMatch *m, uint32_t node, uint32_t *partner, LpDiag *diag) {
    const LpTraceNode *send = node_of(m, node);
    uint32_t source = m->rank_of[node], target = send->peer, before;
    LpMatchQueue *q;
    LP_TRY(queue_of(m, source, target, send->tag, &q, diag));
    uint32_t wild = find_wild(m, target, source, send->tag, &before);
    if (q->receive != LP_NO_INDEX &&
        (wild == LP_NO_INDEX || m->stamp[q->receive] < m->stamp[wild])) {
        *partner = take_first(m, &q->receive, &q->last_receive);
    } else if (wild != LP_NO_INDEX) {
        *(before == LP_NO_INDEX ? &m->wild[target] : &m->next[before]) = m->next[wild];
        if (m->last_wild[target] == wild)
            m->last_wild[target] = before;
        *partner = wild;
    } else {
        *partner = LP_NO_INDEX;
        put_last(m, &q->send, &q->last_send, node);
        m->before[node] = m->last[target];
        m->after[node] = LP_NO_INDEX;
        *(m->last[target] == LP_NO_INDEX ? &m->first[target] : &m->after[m->last[target]]) = node;
        m->last[target] = node;
    }
    return LP_OK;
}

/* The first send of its queue waits no longer. */
static uint32_t take_send(LpMatch *m, LpMatchQueue *q) {
    uint32_t node = take_first(m, &q->send, &q->last_send);
    uint32_t before = m->before[node], after = m->after[node];
    *(before == LP_NO_INDEX ? &m->first[q->target] : &m->after[before]) = after;
    *(after == LP_NO_INDEX ? &m->last[q->target] : &m->before[after]) = before;
    return node;
}

static LpErr begin_receive(LpMatch *m, uint32_t node, uint32_t *partner, LpDiag *diag) {
    const LpTraceNode *receive = node_of(m, node);
    uint32_t target = m->rank_of[node], source = receive->peer, tag = receive->tag;
    LpMatchQueue *q;
    m->stamp[node] = m->stamps++;
    if (takes_any(receive)) {
        uint32_t at = m->first[target];
        while (at != LP_NO_INDEX && !takes(receive, m->rank_of[at], node_of(m, at)->tag))
            at = m->after[at];
        if (at == LP_NO_INDEX) {
            *partner = LP_NO_INDEX;
            put_last(m, &m->wild[target], &m->last_wild[target], node);
            return LP_OK;
        }
        source = m->rank_of[at]; /* the first that fits is the first of its queue */
        tag = node_of(m, at)->tag;
    }
    LP_TRY(queue_of(m, source, target, tag, &q, diag));
    *partner = q->send == LP_NO_INDEX ? LP_NO_INDEX : take_send(m, q);
    if (*partner == LP_NO_INDEX)
        put_last(m, &q->receive, &q->last_receive, node);
    return LP_OK;
}

LpErr lp_match_begin(LpMatch *match, uint32_t node, uint32_t *partner, LpDiag *diag) {
    return node_of(match, node)->kind == LP_TRACE_SEND ? begin_send(match, node, partner, diag)
                                                       : begin_receive(match, node, partner, diag);
}
