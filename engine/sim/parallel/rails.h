/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training step whose stages and replicas are joined by circuits that turn while it runs: the
 * times of docs/parallel.md on the ports of docs/turning-light.md, section 11. */
#ifndef LP_SIM_PARALLEL_RAILS_H
#define LP_SIM_PARALLEL_RAILS_H

#include "model/parallel/machine.h"
#include "model/parallel/ops.h"
#include "sim/turns/turns.h"

/* Each with the time of reducing a table of words that both ends hold, which is on no rail. */
typedef struct LpRailsStep {
    LpTurnResult with[LP_TURN_ORDERS_COUNT]; /* by kind of orders, with the delay */
    LpTurnResult without;                    /* as ordered, with delay 0 */
} LpRailsStep;

/* Its tasks and transfers; *more is the time of the step that is on no rail. The plan is the
 * caller's (lp_turn_plan_free). Errors: as lp_rails_step. */
LpErr lp_rails_plan(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpRails *rails, LpTurnPlan **out, double *more, LpDiag *diag) LP_MUST_USE;

/* Errors: those of lp_parallel_check, lp_machine_check and lp_turn_step_check; LP_EINVAL with the
 * numbers for tensor groups larger than a node. *out unchanged on failure. O(n log n) for n passes
 * and transfers. */
LpErr lp_rails_step(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpRails *rails, LpRailsStep *out, LpDiag *diag) LP_MUST_USE;

#endif
