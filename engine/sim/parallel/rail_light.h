/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The training step of a transformer whose circuits turn while it runs, in one form for rails and
 * regional switches: docs/turning-light.md, sections 11 and 12. */
#ifndef LP_SIM_PARALLEL_LIGHT_H
#define LP_SIM_PARALLEL_LIGHT_H

#include "model/parallel/machine.h"
#include "model/parallel/ops.h"
#include "sim/turns/turns.h"

/* Tasks and transfers of such a step, with what its circuits are set by. */
typedef struct LpRailLight {
    LpTurnPlan *plan;
    LpTurnOrders orders;
    double delay;    /* s */
    double more;     /* s of the step that is no part of the plan: none of it waits for light */
    uint32_t stages; /* that compute side by side */
} LpRailLight;

/* What turns and what it costs: time is that of the whole step. */
typedef struct LpLightStep {
    LpTurnResult with, without; /* the delay */
    double bubble; /* with it: share of the stages' time until the last pass that is no pass */
} LpLightStep;

/* `turning` has a form. Errors: those of lp_rails_step; LP_EINVAL with the numbers where a region
 * has no experts to join, pipeline stages, or layers that are computed again; LP_ENOMEM. *out is
 * the caller's (lp_light_fini), zero on failure. */
LpErr lp_light_make(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                    const LpTurning *turning, LpRailLight *out, LpDiag *diag) LP_MUST_USE;
void lp_light_fini(LpRailLight *light); /* zeroed allowed */

/* How many of its transfers need a turn. O(n). */
uint32_t lp_light_turns(const LpRailLight *light);
/* Its turns take the orders of `choice`, one value per turn in the order in which the plan has
 * them: 0 on demand, else provisioned. count: of the values; turns beyond keep the usual orders. */
void lp_light_choose(LpRailLight *light, const double *choice, uint32_t count);
/* Runs it; the plan is left as the run with the delay left it, longest path included. O(n). */
LpLightStep lp_light_run(LpRailLight *light);

/* The transformer's layers with experts as tasks of one region: what is computed before, between
 * and after the all-to-alls of a layer, chained over the micro-batches. Errors: as lp_light_make.
 */
LpErr lp_region_plan(const LpDecoder *model, const LpParallel *plan, const LpMachine *machine,
                     const LpRegional *region, LpTurnPlan **out, LpDiag *diag) LP_MUST_USE;

#endif
