/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a job as others meet it: what it does by itself, and the phases in which it sends on
 * links that jobs share. */
#ifndef LP_SIM_TRAFFIC_PHASES_H
#define LP_SIM_TRAFFIC_PHASES_H

#include "sim/traffic/traffic_load.h"

/* Its own work is all that no other job can delay: ops, and what is sent on cables of its own. It
 * is one lane, whose time goes on while something of that runs in the step alone; the phases are
 * the other one, in their order. A phase begins when the one before it has ended and the own work
 * is done up to `after`; the own work goes on beyond `until` only when this phase and all before
 * it have ended. So a phase that is slowed down delays what waits for it, and hides behind
 * computation that does not. */
typedef struct LpSendPhase {
    double after, until; /* s of own work; until INFINITY: only the end of the step waits for it */
    double quiet;        /* s from its start during which it sends nothing: latencies, adds */
    double begun;        /* s of all phases before it */
    LpLoad load; /* what it sends: load.sending s at load.rate; phases and links may be none */
} LpSendPhase;

typedef struct LpSendPhases {
    double own;     /* s of own work in a step */
    double sending; /* s of all phases, alone */
    uint32_t count;
    const LpSendPhase *phase;
} LpSendPhases;

/* More phases than this are joined with their neighbours. */
enum { LP_PHASES_MAX = 64 };

/* Cuts a step, as it is alone (trace), into its phases. Without anybody in the way they take the
 * trace's time again, but for phases that were joined. Errors: LP_ENOMEM. O(tasks log tasks +
 * phases * what lp_load_make takes). */
LpErr lp_phases_make(const LpFabric *fabric, const LpStepGraph *graph, const LpPartition *partition,
                     const LpTrace *trace, LpArena *arena, LpSendPhases *out) LP_MUST_USE;
/* The same where only sums of the step are known: own work, and one phase of all that it sends, at
 * its end as far as it overlaps. */
LpErr lp_phases_of_sums(const LpLoad *load, const LpStepSummary *step, LpArena *arena,
                        LpSendPhases *out) LP_MUST_USE;

#endif
