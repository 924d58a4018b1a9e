/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The light paths of one training step between two groups, circuit by circuit: when each is lit,
 * when its transmitter is being set, and when data waits for it. */
#ifndef LP_ASK_INSPECT_CIRCUIT_H
#define LP_ASK_INSPECT_CIRCUIT_H

#include "sim/context.h"

/* A stretch of light. Times in s from the start of the step. */
typedef struct LpCircuitSpan {
    double ready, start, end; /* could have begun at `ready` */
    double turn;              /* of it, from `start` on, the transmitter is being set */
    double bytes;             /* of a transfer; of a collective all that it moves */
    uint32_t op;              /* number of the op that sends */
    bool collective;
} LpCircuitSpan;

typedef struct LpCircuit {
    uint32_t src, dst;   /* servers */
    uint32_t first, end; /* its spans, by start */
    double lit;          /* share of the step */
    double waited;       /* s that its data waited, summed */
} LpCircuit;

typedef struct LpCircuitInspection {
    double step_time;
    uint32_t circuits;
    LpCircuit *circuit; /* by source, then destination */
    uint32_t spans;
    LpCircuitSpan *span;
} LpCircuitInspection;

/* Those from a server of group `from` to one of group `to` in a step of a placed job: simulates the
 * step again. A collective lights all pairs of its servers. Errors: LP_ENOMEM; LP_EREFUSED for a
 * step that cannot be simulated. O(tasks + spans log spans). */
LpErr lp_circuit_inspect(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpOrders orders, uint32_t from, uint32_t to, LpCircuitInspection *out,
                         LpDiag *diag) LP_MUST_USE;
void lp_circuit_inspection_fini(LpCircuitInspection *seen); /* zeroed allowed */

/* The circuit between two servers, NULL: there is none. O(log circuits). */
const LpCircuit *lp_circuit_inspection_find(const LpCircuitInspection *seen, uint32_t src,
                                            uint32_t dst);

/* Shares of a stretch of time; they add up to 1 at most, light first. */
typedef struct LpCircuitState {
    double lit, turning, waiting;
} LpCircuitState;
LpCircuitState lp_circuit_inspection_state(const LpCircuitInspection *seen,
                                           const LpCircuit *circuit, double from, double to);

#endif
