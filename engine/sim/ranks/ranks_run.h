/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded step, run: every rank does its nodes, alone on a network without a middle, where each
 * flow and each collective has a link's bandwidth to itself, or on the network that a caller has.
 */
#ifndef LP_SIM_RANKS_RUN_H
#define LP_SIM_RANKS_RUN_H

#include "model/ranks/step_trace.h"

/* The network under the ranks. Times are in ns. */
typedef struct LpTraceNet {
    void *user;
    /* A flow of at least 1 byte from one rank to another. */
    double (*flow_ns)(void *user, uint32_t from, uint32_t to, double bytes);
    /* A collective of at least two ranks: `bytes` as the trace counts them. */
    double (*call_ns)(void *user, LpTraceCall call, const uint32_t *member, uint32_t members,
                      double bytes);
    /* An op that takes `ns` where it was recorded. */
    double (*op_ns)(void *user, uint32_t rank, double ns);
    /* Ports of a rank each way, on each of which one flow goes at a time; a collective takes all of
     * its members'. 0: nothing is in the way of anything. */
    uint32_t ports;
    void (*port)(void *user, uint32_t from, uint32_t to, uint32_t *tx, uint32_t *rx);
} LpTraceNet;

typedef struct LpTraceRunSpec {
    LpTraceRules rules;
    double bandwidth;      /* B/s of a link, > 0; without `net` */
    double latency_ns;     /* of a flow, and of each step of a ring; without `net` */
    double peak_flops;     /* FLOP/s of an op that says what it computes; 0: unknown, it takes
                              rules.unknown_ns */
    double memory;         /* B/s of one that does; 0: no bound */
    const LpTraceNet *net; /* NULL: a link for each flow and each collective */
    bool log;              /* notes when each node ran */
} LpTraceRunSpec;

typedef struct LpTraceRunRank {
    double end_ns;       /* of its last node */
    double computing_ns; /* while an op runs */
    double exposed_ns;   /* while it communicates, or waits for that, and no op runs */
} LpTraceRunRank;

/* When a node ran. Numbers of nodes count over all ranks. */
typedef struct LpTraceLog {
    double begin_ns; /* NAN: never */
    double
        moving_ns;  /* when its data began to move: of a send, and of a collective's last member */
    double end_ns;  /* of a send: when its data had arrived */
    uint32_t after; /* of those that it waited for, the op, send or collective that ended last;
                       LP_NO_INDEX: it waited for none */
    uint32_t by;    /* the same, or who held last what it had to wait for besides */
    uint32_t call;  /* of a collective: number of the call; of a send: its receive */
} LpTraceLog;

/* A collective that was called by all of its members. */
typedef struct LpTraceCalled {
    uint32_t group; /* of the trace */
    uint32_t last;  /* node of the member that called last, in whose log its times stand */
    LpTraceCall call;
    double bytes; /* the most that one of them says */
} LpTraceCalled;

typedef struct LpTraceRun {
    double step_ns; /* the last end of all ranks */
    LpTraceRunRank *rank;
    uint32_t ranks, slowest; /* the first of those that end last */
    uint32_t *base;          /* by rank: number of its first node; one more: of all */
    LpTraceLog *log;         /* by node; NULL: not asked for */
    LpTraceCalled *call;     /* with `log` */
    uint32_t calls;
    char stuck[LP_DIAG_TEXT]; /* "": it ended; else who waits for what, forever */
} LpTraceRun;

/* Runs a trace; `out` is to be freed by lp_trace_run_free on success. Of a stream or port of a rank
 * one node runs at a time, and ready ones start by their ids; receives take none. What ends at the
 * same time ends by rank, then by id. A receive takes the first send that fits, and a send the
 * first receive, in the order in which they began. A collective begins when all members have called
 * it, and lasts as a ring does, or as flows from or to one member in turn. Errors: LP_EINVAL for a
 * peer or a member that the trace does not have; LP_ELIMIT, LP_ENOMEM. O((nodes + edges) log
 * nodes); a receive that takes any costs a walk over what waits for its rank, and with ports each
 * end a walk over the flows that wait for one. */
LpErr lp_trace_run(const LpStepTrace *trace, const LpTraceRunSpec *spec, LpTraceRun *out,
                   LpDiag *diag) LP_MUST_USE;
void lp_trace_run_free(LpTraceRun *run);

#endif
