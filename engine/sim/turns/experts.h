/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A training step of layers with experts whose region turns its circuits between layers
 * (docs/turning-light.md, 8): which turn hides behind what is computed? Times are seconds. */
#ifndef LP_SIM_TURNS_EXPERTS_H
#define LP_SIM_TURNS_EXPERTS_H

#include "sim/turns/turns.h"

/* Forward, layer by layer: attention with the gate, dispatch, experts, combine. Backward, from the
 * last layer: combine, experts, dispatch, attention. The circuits of a layer serve all four
 * all-to-alls, as what two servers send each other is the same both ways. */
typedef struct LpTurnExperts {
    uint32_t layers, steps;    /* of the model; in a chain */
    bool last;                 /* the demand of the step before is used; else that of the gate */
    bool each;                 /* a turn for every all-to-all, not one for a layer and direction */
    double attention, experts; /* forward, of a layer; > 0 */
    double attention_backward, experts_backward; /* > 0 */
    double all_to_all;                           /* each of the four; >= 0 */
    double order_cost;                           /* as in LpTurnStep */
} LpTurnExperts;

/* A plan whose one port is the region and whose places are layers. Errors: LP_EINVAL, LP_ELIMIT
 * with the key and its value; LP_ENOMEM. O(n log n) for n tasks and transfers. */
LpErr lp_turn_experts_make(const LpTurnExperts *step, LpTurnPlan **out, LpDiag *diag) LP_MUST_USE;

#endif
