/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which send a receive takes while a trace runs: of those that fit, the first that began. */
#ifndef LP_SIM_RANKS_MATCH_H
#define LP_SIM_RANKS_MATCH_H

#include "model/ranks/step_trace.h"

/* What waits of one source, destination and tag, the first one first. */
typedef struct LpMatchQueue {
    uint32_t source, target, tag;
    uint32_t send, last_send;       /* that no receive has taken */
    uint32_t receive, last_receive; /* that no send has come for */
} LpMatchQueue;

/* Nodes have numbers over all ranks; LP_NO_INDEX stands for none. */
typedef struct LpMatch {
    const LpStepTrace *trace;
    const uint32_t *base;    /* by rank: number of its first node */
    const uint32_t *rank_of; /* by node */
    LpMatchQueue *queue;
    size_t queues, cap;
    uint32_t *slot; /* of queues by their keys: number + 1 */
    size_t slots;
    uint32_t *next;             /* by node: behind it in its queue */
    uint32_t *before, *after;   /* by node: sends to a rank, in the order in which they began */
    uint32_t *first, *last;     /* by rank: the ends of that list */
    uint32_t *wild, *last_wild; /* by rank: receives that take any */
    uint64_t *stamp;            /* by node: the order in which receives began */
    uint64_t stamps;
} LpMatch;

/* `base` has an entry behind the last rank: the number of all nodes. The arrays are borrowed.
 * lp_match_fini in any case. LP_ENOMEM. */
LpErr lp_match_init(LpMatch *match, const LpStepTrace *trace, const uint32_t *base,
                    const uint32_t *rank_of, LpDiag *diag) LP_MUST_USE;
void lp_match_fini(LpMatch *match);
/* A send or a receive begins: *partner is the node that it goes with, which waits no longer, or
 * LP_NO_INDEX; then it waits. LP_ENOMEM. */
LpErr lp_match_begin(LpMatch *match, uint32_t node, uint32_t *partner, LpDiag *diag) LP_MUST_USE;

#endif
