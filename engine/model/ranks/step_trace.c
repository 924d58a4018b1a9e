/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces as arrays: a rank's nodes, and for each the nodes that it waits for. */
#include "model/ranks/step_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { COMM_ENTRIES_MAX = 1 << 26 }; /* communicators times ranks */

const char *lp_trace_call_word(LpTraceCall call) {
    static const char *const word[] = {
#define X(name, word) word,
        LP_TRACE_CALL_TABLE(X)
#undef X
    };
    return (unsigned)call < LP_TRACE_CALLS ? word[call] : "?";
}

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a trace of a step");
}

LpErr lp_step_trace_new(uint64_t ranks, LpStepTrace **out, LpDiag *diag) {
    if (ranks > LP_TRACE_RANKS_MAX)
        return lp_fail(diag, LP_ELIMIT, "%llu ranks: at most %d can be read",
                       (unsigned long long)ranks, LP_TRACE_RANKS_MAX);
    LpStepTrace *trace = lp_alloc(1, sizeof *trace);
    if (trace == NULL)
        return no_memory(diag);
    trace->arena = lp_arena_new(0);
    trace->rank = lp_alloc(ranks, sizeof *trace->rank);
    trace->ranks = (uint32_t)ranks;
    if (trace->arena == NULL || trace->rank == NULL) {
        lp_step_trace_free(trace);
        return no_memory(diag);
    }
    *out = trace;
    return LP_OK;
}

void lp_step_trace_free(LpStepTrace *trace) {
    if (trace == NULL)
        return;
    for (uint32_t r = 0; trace->rank != NULL && r < trace->ranks; r++) {
        lp_free(trace->rank[r].node);
        lp_free(trace->rank[r].edge);
        lp_free(trace->rank[r].id);
        lp_free(trace->rank[r].work);
    }
    lp_free(trace->rank);
    lp_free(trace->comm);
    lp_free(trace->group);
    lp_free(trace->slot);
    lp_arena_free(trace->arena);
    lp_free(trace);
}

/* ---- communicators ---- */

static size_t slot_of(const LpStepTrace *trace, const char *name, size_t len) {
    size_t at = lp_hash_bytes(LP_HASH_INIT, name, len) & (trace->slots - 1);
    for (; trace->slot[at] != 0; at = (at + 1) & (trace->slots - 1)) {
        const char *there = trace->comm[trace->slot[at] - 1].name;
        if (strlen(there) == len && memcmp(there, name, len) == 0)
            break;
    }
    return at;
}

static LpErr more_slots(LpStepTrace *trace, LpDiag *diag) {
    if (trace->slots > 2 * (size_t)trace->comms)
        return LP_OK;
    size_t slots = trace->slots > 0 ? 2 * trace->slots : 16;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return no_memory(diag);
    lp_free(trace->slot);
    trace->slot = slot;
    trace->slots = slots;
    for (uint32_t c = 0; c < trace->comms; c++)
        slot[slot_of(trace, trace->comm[c].name, strlen(trace->comm[c].name))] = c + 1;
    return LP_OK;
}

LpErr lp_step_trace_comm(LpStepTrace *trace, const char *name, size_t len, uint32_t *out,
                         LpDiag *diag) {
    const char *nul = len > 0 ? memchr(name, '\0', len) : NULL; /* names are shown as C texts */
    if (nul != NULL)
        len = (size_t)(nul - name);
    LP_TRY(more_slots(trace, diag));
    size_t at = slot_of(trace, name, len);
    if (trace->slot[at] != 0) {
        *out = trace->slot[at] - 1;
        return LP_OK;
    }
    if (((uint64_t)trace->comms + 1) * trace->ranks > COMM_ENTRIES_MAX)
        return lp_fail(diag, LP_ELIMIT, "%u communicators of %u ranks are too many to keep",
                       trace->comms + 1, trace->ranks);
    if (lp_grow((void **)&trace->comm, &trace->comm_cap, trace->comms + 1, sizeof *trace->comm) !=
        LP_OK)
        return no_memory(diag);
    LpTraceComm comm = {.name = lp_arena_strndup(trace->arena, name, len),
                        .group_of = lp_arena_raw(trace->arena, trace->ranks, sizeof(uint32_t))};
    if (comm.name == NULL || comm.group_of == NULL)
        return no_memory(diag);
    for (uint32_t r = 0; r < trace->ranks; r++)
        comm.group_of[r] = LP_NO_INDEX;
    trace->comm[trace->comms++] = comm;
    trace->slot[at] = trace->comms;
    *out = trace->comms - 1;
    return LP_OK;
}

/* Every rank of PyTorch's traces says all groups again. */
static bool is_there(const LpStepTrace *trace, const LpTraceComm *comm, const uint32_t *member,
                     uint32_t members) {
    uint32_t first = member != NULL && members > 0 ? member[0] : 0;
    if (first >= trace->ranks || comm->group_of[first] == LP_NO_INDEX)
        return false;
    const LpTraceGroup *group = &trace->group[comm->group_of[first]];
    if (group->members != members)
        return false;
    for (uint32_t i = 0; i < members; i++)
        if (group->member[i] != (member != NULL ? member[i] : i))
            return false;
    return true;
}

LpErr lp_step_trace_group(LpStepTrace *trace, uint32_t comm, const uint32_t *member,
                          uint32_t members, LpDiag *diag) {
    LpTraceComm *c = &trace->comm[comm];
    if (member == NULL)
        members = trace->ranks;
    if (is_there(trace, c, member, members))
        return LP_OK;
    if (lp_grow((void **)&trace->group, &trace->group_cap, trace->groups + 1,
                sizeof *trace->group) != LP_OK)
        return no_memory(diag);
    LpTraceGroup group = {.comm = comm,
                          .member = lp_arena_raw(trace->arena, members, sizeof(uint32_t)),
                          .members = members};
    if (group.member == NULL)
        return no_memory(diag);
    for (uint32_t i = 0; i < members; i++) {
        uint32_t r = group.member[i] = member != NULL ? member[i] : i;
        if (r < trace->ranks && c->group_of[r] == trace->groups)
            return lp_fail(diag, LP_EINVAL, "rank %u stands twice in the communicator \"%s\"", r,
                           c->name);
        if (r < trace->ranks && c->group_of[r] == LP_NO_INDEX)
            c->group_of[r] = trace->groups;
    }
    trace->group[trace->groups++] = group;
    c->groups++;
    return LP_OK;
}

const LpTraceGroup *lp_step_trace_group_of(const LpStepTrace *trace, uint32_t comm, uint32_t rank) {
    uint32_t group = trace->comm[comm].group_of[rank];
    return group == LP_NO_INDEX ? NULL : &trace->group[group];
}

/* ---- making a rank ---- */

void lp_trace_draft_fini(LpTraceDraft *draft) {
    lp_free(draft->node);
    lp_free(draft->from);
    lp_free(draft->to);
    lp_free(draft->work);
    *draft = (LpTraceDraft){0};
}

LpErr lp_trace_draft_node(LpTraceDraft *draft, const LpTraceNode *node, LpDiag *diag) {
    if (draft->nodes >= LP_TRACE_NODES_MAX)
        return lp_fail(diag, LP_ELIMIT, "a rank has more than %d nodes", LP_TRACE_NODES_MAX);
    if (lp_grow((void **)&draft->node, &draft->node_cap, draft->nodes + 1, sizeof *node) != LP_OK)
        return no_memory(diag);
    draft->node[draft->nodes++] = *node;
    return LP_OK;
}

LpErr lp_trace_draft_work(LpTraceDraft *draft, uint32_t node, double flop, double bytes) {
    LP_TRY(lp_grow((void **)&draft->work, &draft->work_cap, draft->works + 1, sizeof *draft->work));
    draft->work[draft->works++] = (LpTraceWork){.node = node, .flop = flop, .bytes = bytes};
    return LP_OK;
}

LpErr lp_trace_draft_edge(LpTraceDraft *draft, uint32_t from, uint32_t to, LpDiag *diag) {
    size_t edges = draft->edges + 1;
    if (edges > LP_TRACE_NODES_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "the nodes of a rank wait for each other more than %d times",
                       LP_TRACE_NODES_MAX);
    if (lp_grow((void **)&draft->from, &draft->from_cap, edges, sizeof from) != LP_OK ||
        lp_grow((void **)&draft->to, &draft->to_cap, edges, sizeof to) != LP_OK)
        return no_memory(diag);
    draft->from[draft->edges] = from;
    draft->to[draft->edges++] = to;
    return LP_OK;
}

/* A block that is no larger than what is in it; `items` stays where it cannot be had. */
static void *exactly(void *items, size_t count, size_t size) {
    void *less = lp_realloc(items, count > 0 ? count : 1, size);
    return less != NULL ? less : items;
}

/* Sorts edges by the node that waits, a counting sort; node[i].first is set. */
static LpErr sort_edges(LpTraceDraft *draft, uint32_t **out, LpDiag *diag) {
    uint32_t *edge = lp_alloc(draft->edges, sizeof *edge);
    uint32_t next = 0;
    if (edge == NULL)
        return no_memory(diag);
    for (size_t i = 0; i < draft->nodes; i++)
        draft->node[i].first = 0;
    for (size_t i = 0; i < draft->edges; i++)
        draft->node[draft->from[i]].first++;
    for (size_t i = 0; i < draft->nodes; i++) {
        uint32_t count = draft->node[i].first;
        draft->node[i].first = next;
        next += count;
    }
    for (size_t i = 0; i < draft->edges; i++)
        edge[draft->node[draft->from[i]].first++] = draft->to[i];
    for (size_t i = draft->nodes; i-- > 1;)
        draft->node[i].first = draft->node[i - 1].first;
    if (draft->nodes > 0)
        draft->node[0].first = 0;
    *out = edge;
    return LP_OK;
}

/* Walks to what each node waits for, the deepest first: end[i] is when node i is done if all ops
 * that it waits for, directly or not, run as early as they can. */
typedef struct Walk {
    const LpTraceRank *rank;
    uint64_t *end;
    uint32_t
        *next; /* of its edges, to look at; UINT32_MAX: done, 0: not met yet (counted from 1) */
    uint32_t *stack;
} Walk;

static uint32_t walk_from(const Walk *walk, uint32_t root) {
    uint32_t depth = 0;
    walk->stack[depth++] = root;
    walk->next[root] = 1;
    while (depth > 0) {
        uint32_t at = walk->stack[depth - 1], count;
        const uint32_t *edge = lp_trace_edges(walk->rank, at, &count);
        uint32_t k = walk->next[at] - 1;
        if (k < count) {
            uint32_t to = edge[k] & ~LP_TRACE_BEGUN;
            if (walk->next[to] == 0) {
                walk->next[to] = 1;
                walk->stack[depth++] = to;
            } else if (walk->next[to] != UINT32_MAX) {
                return to;
            } else {
                walk->next[at]++;
                if (walk->end[to] > walk->end[at])
                    walk->end[at] = walk->end[to];
            }
            continue;
        }
        const LpTraceNode *node = &walk->rank->node[at];
        if (node->kind == LP_TRACE_OP)
            walk->end[at] = lp_trace_sum(walk->end[at], node->amount);
        walk->next[at] = UINT32_MAX;
        depth--;
    }
    return LP_NO_INDEX;
}

static LpErr find_longest(LpTraceRank *rank, uint32_t *cycle, LpDiag *diag) {
    Walk walk = {.rank = rank,
                 .end = lp_alloc(rank->nodes, sizeof *walk.end),
                 .next = lp_alloc(rank->nodes, sizeof *walk.next),
                 .stack = lp_alloc(rank->nodes, sizeof *walk.stack)};
    bool ok = walk.end != NULL && walk.next != NULL && walk.stack != NULL;
    *cycle = LP_NO_INDEX;
    for (uint32_t i = 0; ok && *cycle == LP_NO_INDEX && i < rank->nodes; i++) {
        if (walk.next[i] == 0)
            *cycle = walk_from(&walk, i);
        if (walk.end[i] > rank->longest_ns)
            rank->longest_ns = walk.end[i];
    }
    lp_free(walk.end);
    lp_free(walk.next);
    lp_free(walk.stack);
    return ok ? LP_OK : no_memory(diag);
}

LpErr lp_trace_draft_end(LpTraceDraft *draft, LpTraceRank *out, uint32_t *cycle, LpDiag *diag) {
    uint32_t *edge = NULL;
    LP_TRY(sort_edges(draft, &edge, diag));
    lp_free(draft->from);
    lp_free(draft->to);
    *out = (LpTraceRank){.node = exactly(draft->node, draft->nodes, sizeof *draft->node),
                         .nodes = (uint32_t)draft->nodes,
                         .edge = edge,
                         .edges = (uint32_t)draft->edges,
                         .work = draft->works > 0
                                     ? exactly(draft->work, draft->works, sizeof *draft->work)
                                     : draft->work,
                         .works = draft->works};
    *draft = (LpTraceDraft){0};
    return find_longest(out, cycle, diag);
}

/* ---- figures ---- */

const uint32_t *lp_trace_edges(const LpTraceRank *rank, uint32_t node, uint32_t *count) {
    uint32_t first = rank->node[node].first;
    *count = (node + 1 < rank->nodes ? rank->node[node + 1].first : rank->edges) - first;
    return rank->edge + first;
}

uint64_t lp_trace_node_id(const LpTraceRank *rank, uint32_t node) {
    return rank->id != NULL ? rank->id[node] : node;
}

uint64_t lp_trace_sum(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint32_t lp_step_trace_slowest(const LpStepTrace *trace) {
    uint32_t slowest = 0;
    for (uint32_t r = 1; r < trace->ranks; r++)
        if (trace->rank[r].longest_ns > trace->rank[slowest].longest_ns)
            slowest = r;
    return slowest;
}
