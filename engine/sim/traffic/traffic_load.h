/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a placed job asks of the links that jobs share: one demand per link, all in proportion. */
#ifndef LP_SIM_TRAFFIC_LOAD_H
#define LP_SIM_TRAFFIC_LOAD_H

#include "sim/step/step.h"

/* Inner links are those that jobs can meet on: all of a network where servers forward, else those
 * between switches (servers belong to one job at a time). Of the server pairs whose route has an
 * inner link the one with most bytes per step is the job's largest connection; the others go in
 * proportion to it, as the steps of a ring do. links == 0: the job shares nothing. */
struct LpSendPhases;
typedef struct LpLoad {
    const struct LpSendPhases *phases; /* sim/traffic/phases.h; NULL where flows are always on */
    uint32_t links;
    const uint32_t *link; /* inner links used, ascending */
    const double *use;    /* bytes on the link per byte of the largest connection */
    double sending; /* W, s per step: the most that one port of a server sends or receives over
                       such pairs, each at the rate of its own route; at most communication */
    double rate;    /* bytes/s of the largest connection while nobody is in its way: its bytes
                       per step / W */
} LpLoad;

/* Works out the load of a task graph into the arena. `communication`: of one step, s. Errors:
 * LP_ENOMEM. O(transfers + collectives * members + pairs * route log). */
LpErr lp_load_make(const LpFabric *fabric, const LpStepGraph *graph, const LpPartition *partition,
                   double communication, LpArena *arena, LpLoad *out) LP_MUST_USE;

/* The load of a part of the tasks: `weight` (0..1) of what each sends, sending at most `most` s. */
LpErr lp_load_weighted(const LpFabric *fabric, const LpStepGraph *graph,
                       const LpPartition *partition, const double *weight, double most,
                       LpArena *arena, LpLoad *out) LP_MUST_USE;
/* Which of the tasks send over an inner link; out has an entry for each. Errors: LP_ENOMEM. */
LpErr lp_load_meets(const LpFabric *fabric, const LpStepGraph *graph, const LpPartition *partition,
                    bool *out) LP_MUST_USE;

/* Has every server pair that the tasks send over a way in the network? LP_EREFUSED naming the first
 * pair that has none; LP_ENOMEM. */
LpErr lp_load_reach(const LpFabric *fabric, const LpStepGraph *graph, const LpPartition *partition,
                    LpDiag *diag) LP_MUST_USE;

/* What a server pair sends in one step. */
typedef struct LpPairBytes {
    uint32_t src, dst;
    double bytes;
} LpPairBytes;
/* All of them; *out is the caller's (lp_free). Errors: LP_ENOMEM. */
LpErr lp_load_pairs(const LpFabric *fabric, const LpStepGraph *graph, const LpPartition *partition,
                    LpPairBytes **out, uint32_t *count) LP_MUST_USE;

/* x = (rate / rate_now - 1) * W more seconds of sending per step lengthen it by
 * max(x * E / C, x - (P + E - C)): by the exposed share of them, and by all that the computation P
 * that nothing overlapped (P + E - C, with C communication and E its exposed part) cannot hide. Not
 * at all when rate_now is rate but for rounding. */
double lp_load_delay(const LpLoad *load, const LpStepSummary *step, double rate_now);
/* x itself. */
double lp_load_more_sending(const LpLoad *load, double rate_now);

#endif
