/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training step whose stages and replicas are joined by circuits that turn while it runs: the
 * times of docs/parallel.md on the ports of docs/turning-light.md, section 11. */
#ifndef LP_SIM_PARALLEL_RAILS_H
#define LP_SIM_PARALLEL_RAILS_H

#include "model/parallel/machine.h"
#include "model/parallel/ops.h"
#include "sim/turns/turns.h"

/* Rail k is a circuit switch with the k-th device of every server, and a tensor group is a server.
 * Times in s, rate in bytes/s. */
typedef struct LpRails {
    double delay; /* from an order until bits pass */
    LpTurnOrders orders;
    uint32_t ports; /* of a device: 1 or 2 */
    uint32_t parts; /* of a chunk's last backward, each with a bucket; 0: the layers of chunk 0 */
    bool serial;    /* a switch does one turn at a time */
    bool overlap;   /* ring transfers run beside computing */
    bool both_ways; /* rings run both ways, each at the full rate */
    LpTurnReduce reduce;
    double notice, order_cost; /* as in LpTurnStep */
    double rate;               /* of a port, each way; 0: the machine's network rate */
} LpRails;

/* Each with the time of reducing a table of words that both ends hold, which is on no rail. */
typedef struct LpRailsStep {
    LpTurnResult with[LP_TURN_ORDERS_COUNT]; /* by kind of orders, with the delay */
    LpTurnResult without;                    /* as ordered, with delay 0 */
} LpRailsStep;

/* Errors: those of lp_parallel_check, lp_machine_check and lp_turn_step_check; LP_EINVAL with the
 * numbers for tensor groups larger than a node. *out unchanged on failure. O(n log n) for n passes
 * and transfers. */
LpErr lp_rails_step(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpRails *rails, LpRailsStep *out, LpDiag *diag) LP_MUST_USE;

#endif
