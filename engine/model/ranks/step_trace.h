/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step as its ranks saw it, whichever program recorded it: what each rank does, in
 * which order, and what it sends. A rank is one accelerator. Appendix to Chakra, GOAL and SimAI
 * alike: a node starts when all that it waits for is done or begun, and its stream is free. */
#ifndef LP_MODEL_RANKS_STEP_TRACE_H
#define LP_MODEL_RANKS_STEP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum {
    LP_TRACE_NODES_MAX = INT32_MAX, /* of a rank */
    LP_TRACE_RANKS_MAX = 1 << 20,
};

/* A peer or a tag of a receive that takes any. */
#define LP_TRACE_ANY UINT32_MAX
/* An edge to a node that only has to have begun. */
#define LP_TRACE_BEGUN (UINT32_C(1) << 31)

typedef enum LpTraceKind {
    LP_TRACE_INSTANT,    /* takes no time: what waits for it waits for what it waits for */
    LP_TRACE_OP,         /* `amount` ns on stream `stream` of the rank */
    LP_TRACE_SEND,       /* `amount` bytes to rank `peer`, with `tag` */
    LP_TRACE_RECEIVE,    /* ends when the matching flow has arrived */
    LP_TRACE_COLLECTIVE, /* `amount` bytes among the rank's group of communicator `peer` */
} LpTraceKind;

/* X(name, word): collectives, numbered as in Chakra. */
#define LP_TRACE_CALL_TABLE(X)                                                                     \
    X(ALL_REDUCE, "all_reduce")                                                                    \
    X(REDUCE, "reduce")                                                                            \
    X(ALL_GATHER, "all_gather")                                                                    \
    X(GATHER, "gather")                                                                            \
    X(SCATTER, "scatter")                                                                          \
    X(BROADCAST, "broadcast")                                                                      \
    X(ALL_TO_ALL, "all_to_all")                                                                    \
    X(REDUCE_SCATTER, "reduce_scatter")                                                            \
    X(REDUCE_SCATTER_BLOCK, "reduce_scatter_block")                                                \
    X(BARRIER, "barrier")

typedef enum LpTraceCall {
#define X(name, word) LP_TRACE_##name,
    LP_TRACE_CALL_TABLE(X)
#undef X
        LP_TRACE_CALLS
} LpTraceCall;

const char *lp_trace_call_word(LpTraceCall call); /* "all_reduce" */

/* 24 bytes: a schedule of a real run has 10^8 of them. */
typedef struct LpTraceNode {
    uint64_t amount;
    uint32_t peer;
    uint32_t tag;
    uint32_t first; /* of its edges; the next node's first ends them */
    uint8_t kind;   /* LpTraceKind */
    uint8_t stream;
    uint8_t port;
    uint8_t what; /* LpTraceCall of a collective; else what the source calls the node */
} LpTraceNode;

/* What an op of unknown duration computes. */
typedef struct LpTraceWork {
    uint32_t node;
    double flop, bytes;
} LpTraceWork;

typedef struct LpTraceRank {
    LpTraceNode *node;
    uint32_t nodes;
    uint32_t *edge; /* nodes that one waits for, perhaps with LP_TRACE_BEGUN */
    uint32_t edges;
    uint64_t *id; /* what the source calls the nodes; NULL: their numbers */
    LpTraceWork *work;
    size_t works;
    uint64_t longest_ns; /* longest path of ops */
} LpTraceRank;

/* Ranks that call collectives together. */
typedef struct LpTraceGroup {
    uint32_t comm;
    uint32_t *member; /* in the source's order; may name ranks that the trace does not have */
    uint32_t members;
} LpTraceGroup;

/* A name of groups that do not overlap: each rank is in at most one of them. */
typedef struct LpTraceComm {
    const char *name;
    uint32_t *group_of; /* by rank; LP_NO_INDEX: in none */
    uint32_t groups;
} LpTraceComm;

/* How ranks take their nodes: what formats of traces differ in. */
typedef struct LpTraceRules {
    /* Sends take their port, not their stream, and end when a receive has their data; those of at
     * most `eager` bytes take nothing and end when they begin. Otherwise they take their stream
     * until they have arrived. */
    bool ports;
    bool free_streams; /* no node waits for a stream or a port of its rank */
    uint64_t eager;
    double unknown_ns; /* of an op of 0 ns that does not say what it computes */
} LpTraceRules;

typedef struct LpStepTrace {
    LpArena *arena; /* of communicators and texts */
    LpTraceRank *rank;
    uint32_t ranks;
    LpTraceComm *comm;
    uint32_t comms;
    LpTraceGroup *group;
    uint32_t groups;
    size_t comm_cap, group_cap;
    uint32_t *slot; /* comms by the hash of their names, number + 1 */
    size_t slots;
} LpStepTrace;

/* A trace of `ranks` empty ranks. Errors: LP_ELIMIT over LP_TRACE_RANKS_MAX, LP_ENOMEM. */
LpErr lp_step_trace_new(uint64_t ranks, LpStepTrace **out, LpDiag *diag) LP_MUST_USE;
void lp_step_trace_free(LpStepTrace *trace); /* NULL allowed */

/* The communicator of this name (`len` bytes), made without groups where there is none yet.
 * Expected O(1). Errors: LP_ENOMEM; LP_ELIMIT where communicators times ranks are too many. */
LpErr lp_step_trace_comm(LpStepTrace *trace, const char *name, size_t len, uint32_t *out,
                         LpDiag *diag) LP_MUST_USE;
/* Adds a group to a communicator; a rank that is in one of its groups stays there. `member` is
 * copied, NULL stands for all ranks of the trace; a group that is there already changes nothing.
 * LP_EINVAL for a rank that stands twice in it, after which the trace is good for nothing but
 * lp_step_trace_free; LP_ENOMEM. */
LpErr lp_step_trace_group(LpStepTrace *trace, uint32_t comm, const uint32_t *member,
                          uint32_t members, LpDiag *diag) LP_MUST_USE;
/* The group of a rank in a communicator; NULL: it is in none. */
const LpTraceGroup *lp_step_trace_group_of(const LpStepTrace *trace, uint32_t comm, uint32_t rank);

/* ---- making a rank ---- */

/* A rank that grows. Zero-initialise; lp_trace_draft_fini frees what was not handed over. */
typedef struct LpTraceDraft {
    LpTraceNode *node;
    size_t nodes, node_cap;
    uint32_t *from, *to; /* edges: from[i] waits for to[i] */
    size_t edges, from_cap, to_cap;
    LpTraceWork *work;
    size_t works, work_cap;
} LpTraceDraft;

void lp_trace_draft_fini(LpTraceDraft *draft);
/* Errors: LP_ELIMIT over LP_TRACE_NODES_MAX nodes; LP_ENOMEM. */
LpErr lp_trace_draft_node(LpTraceDraft *draft, const LpTraceNode *node, LpDiag *diag) LP_MUST_USE;
/* `from` waits until `to` is done or, with LP_TRACE_BEGUN in it, has begun. Both may be nodes that
 * are still to come. Errors as above. */
LpErr lp_trace_draft_edge(LpTraceDraft *draft, uint32_t from, uint32_t to,
                          LpDiag *diag) LP_MUST_USE;
/* What a node that was added computes; nodes in ascending order. LP_ENOMEM. */
LpErr lp_trace_draft_work(LpTraceDraft *draft, uint32_t node, double flop,
                          double bytes) LP_MUST_USE;
/* Moves the draft, whose edges are between its nodes, into a rank and empties it for the next one.
 * Edges keep their order by node. Sets longest_ns. *cycle: LP_NO_INDEX, or a node that waits for
 * itself; then the rank is whole but for longest_ns. O(nodes + edges). LP_ENOMEM. */
LpErr lp_trace_draft_end(LpTraceDraft *draft, LpTraceRank *out, uint32_t *cycle,
                         LpDiag *diag) LP_MUST_USE;

/* ---- figures ---- */

/* The edges of a node; *count of them. */
const uint32_t *lp_trace_edges(const LpTraceRank *rank, uint32_t node, uint32_t *count);
/* What the source calls a node. */
uint64_t lp_trace_node_id(const LpTraceRank *rank, uint32_t node);
/* Sums that stay at the largest number instead of passing it. */
uint64_t lp_trace_sum(uint64_t a, uint64_t b);
/* The rank whose longest path of ops is longest, the first of equals. */
uint32_t lp_step_trace_slowest(const LpStepTrace *trace);
/* Flows that have no partner: sends and receives of a (source, destination, tag, bytes) that the
 * other side does not have as often, receives that take any left aside; *wild counts those. *kinds
 * counts triples (source, destination, tag) of which sizes differ. LP_ENOMEM. O(n log n). */
LpErr lp_step_trace_unmatched(const LpStepTrace *trace, uint64_t *flows, uint64_t *kinds,
                              uint64_t *wild, LpDiag *diag) LP_MUST_USE;
/* Communicators whose members do not make the same calls (type and bytes) in the same order.
 * LP_ENOMEM. */
LpErr lp_step_trace_differing(const LpStepTrace *trace, uint64_t *comms, LpDiag *diag) LP_MUST_USE;

#endif
