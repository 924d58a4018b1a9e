/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace of a step, run alone: every rank does its nodes, on a network without a middle, where
 * each flow and each collective has a link's bandwidth to itself. */
#ifndef LP_IMPORT_TRACE_RUN_H
#define LP_IMPORT_TRACE_RUN_H

#include "base/json_out.h"
#include "import/trace/trace.h"

typedef struct LpTraceRunSpec {
    double bandwidth;  /* B/s of a link, > 0 */
    double latency_ns; /* of a flow, and of each step of a ring */
    /* Sends take their port, not their stream, and end when a receive has their data; those of at
     * most `eager` bytes take nothing and end when they begin. Otherwise they take their stream
     * until they have arrived. */
    bool ports;
    uint64_t eager;
    double unknown_ns; /* of an op of 0 ns that does not say what it computes */
    double peak_flops; /* FLOP/s of one that does; 0: unknown, it takes unknown_ns */
    double memory;     /* B/s of one that does; 0: no bound */
} LpTraceRunSpec;

typedef struct LpTraceRunRank {
    double end_ns;       /* of its last node */
    double computing_ns; /* while an op runs */
    double exposed_ns;   /* while it communicates, or waits for that, and no op runs */
} LpTraceRunRank;

typedef struct LpTraceRun {
    double step_ns; /* the last end of all ranks */
    LpTraceRunRank *rank;
    uint32_t ranks, slowest;  /* the first of those that end last */
    char stuck[LP_DIAG_TEXT]; /* "": it ended; else who waits for what, forever */
} LpTraceRun;

/* Runs a trace; `out` is to be freed by lp_trace_run_free on success. Of a stream or port of a rank
 * one node runs at a time, and ready ones start by their ids; receives take none. What ends at the
 * same time ends by rank, then by id. A receive takes the first send that fits, and a send the
 * first receive, in the order in which they began. A collective begins when all members have called
 * it, and lasts as a ring does, or as flows from or to one member in turn. Errors: LP_EINVAL for a
 * peer or a member that the trace does not have; LP_ELIMIT, LP_ENOMEM. O((nodes + edges) log
 * nodes); a receive that takes any costs a walk over what waits for its rank. */
LpErr lp_trace_run(const LpStepTrace *trace, const LpTraceRunSpec *spec, LpTraceRun *out,
                   LpDiag *diag) LP_MUST_USE;
void lp_trace_run_free(LpTraceRun *run);

/* It, under the key "alone", with `all` by rank; and as lines of a report. */
void lp_trace_run_put(const LpTraceRun *run, bool all, LpJsonOut *json);
void lp_trace_run_text(const LpTraceRun *run, LpBuf *out);

#endif
