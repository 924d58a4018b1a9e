/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a trace that runs, between its rules (sim/ranks/ranks_run.c) and what it is made from
 * and comes to (sim/ranks/ranks_world.c). */
#ifndef LP_SIM_RANKS_WORLD_H
#define LP_SIM_RANKS_WORLD_H

#include "sim/ranks/ranks_match.h"
#include "sim/ranks/ranks_run.h"

/* What is in order: what ends next, or what of a stream is ready. */
typedef struct LpRanksItem {
    double time; /* 0 of what is ready */
    uint64_t id;
    uint32_t rank, node; /* of the rank */
} LpRanksItem;

typedef struct LpRanksHeap {
    LpRanksItem *item;
    size_t count, cap;
} LpRanksHeap;

/* A stream or a port of a rank. */
typedef struct LpRanksLane {
    LpRanksHeap ready;
    uint32_t held_by; /* the node that ended in it last, or whose end that was */
    bool busy, touched;
} LpRanksLane;

/* A collective of a group: its members' calls at one place of their order. */
typedef struct LpRanksCall {
    uint32_t begun; /* members */
    uint32_t first; /* of their nodes, which nobody else lists: LpMatch.next */
    uint64_t bytes; /* the most that one of them says */
} LpRanksCall;

typedef struct LpRanksCalls {
    LpRanksCall *call;
    size_t calls, cap;
} LpRanksCalls;

/* What of a network's ports is taken, and who waits for them. */
typedef struct LpRanksNet {
    bool *tx, *rx;        /* by rank and port */
    uint32_t *flows;      /* by rank: that run from or to it */
    uint32_t *collective; /* by rank: that run on it, or wait before what is looked at */
    uint32_t *held_by;    /* by rank: the flow or collective that ended there last */
    uint32_t *waiting;    /* flows, and collectives by the node of their last member */
    size_t waits, cap;
} LpRanksNet;

typedef struct LpRanks {
    const LpStepTrace *trace;
    const LpTraceRunSpec *spec;
    LpTraceRun *out;
    uint32_t *base, *rank_of;  /* numbers of nodes over all ranks: as in LpMatch */
    uint32_t *open;            /* by node: what it still waits for */
    uint32_t *waiting, *first; /* by node: nodes of its rank that wait for it, LP_TRACE_BEGUN */
    uint32_t *partner;         /* of sends and receives */
    uint8_t *state;            /* by node: LP_RANKS_BEGUN, LP_RANKS_ARRIVED, LP_RANKS_ENDED */
    LpRanksLane *lane;         /* `lanes` a rank: streams, ports, and what needs neither */
    uint32_t lanes, streams;
    size_t *touched, touches, touched_cap; /* lanes that may begin something */
    LpRanksCalls *calls;                   /* by group */
    uint32_t *called;                      /* by communicator and rank: calls begun */
    uint32_t *ops, *talks;                 /* by rank: that run now */
    double *since;                         /* by rank: when one of them changed last */
    LpMatch match;
    LpRanksHeap end;
    double now;
    uint64_t left;   /* nodes that have not ended */
    double *ready;   /* by node: when it waited for no other */
    LpTraceLog *log; /* by node */
    size_t call_cap; /* of out->call */
    LpRanksNet net;
} LpRanks;

enum { LP_RANKS_BEGUN = 1, LP_RANKS_ARRIVED = 2, LP_RANKS_ENDED = 4 };

/* Do flows and collectives wait for ports? */
static inline bool lp_ranks_in_the_way(const LpRanks *w) {
    return w->spec->net != NULL && w->spec->net->ports > 0;
}

/* Makes the state from w->trace, w->spec and w->out. lp_ranks_end in any case. Errors: LP_EINVAL
 * for a peer or a member that the trace does not have; LP_ELIMIT, LP_ENOMEM. O(nodes + edges). */
LpErr lp_ranks_make(LpRanks *w, LpDiag *diag) LP_MUST_USE;
void lp_ranks_end(LpRanks *w);
/* What came of it: *w->out. LP_ENOMEM. */
LpErr lp_ranks_sum_up(const LpRanks *w, LpDiag *diag) LP_MUST_USE;

#endif
