/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of a step inside which circuits turn, by the delay of a turn: T(D) of
 * docs/turning-light.md, on demand and provisioned, found a little at a time. */
#ifndef LP_ASK_INSPECT_DELAY_H
#define LP_ASK_INSPECT_DELAY_H

#include "sim/context.h"
#include "sim/turns/turns.h"

typedef struct LpDelayCurve LpDelayCurve;

/* What is known of one kind of orders. Times are of the whole step, s. */
typedef struct LpDelayLine {
    const LpTurnPiece *piece; /* ascending, good until the next work */
    uint32_t pieces;
    const LpTurnPiece *point; /* single points right of the last piece, descending */
    uint32_t points;
    bool done;
} LpDelayLine;

/* The curve of a placed plan whose circuits turn inside the step (lp_store_turns); what a hook
 * ordered for single turns does not count. `context` outlives it. Errors: those of
 * lp_store_plan_light, LP_ENOMEM. O(n) for n tasks and transfers of the step. */
LpErr lp_delay_curve_new(const LpContext *context, uint32_t partition, uint32_t placement,
                         LpDelayCurve **out, LpDiag *diag) LP_MUST_USE;
void lp_delay_curve_free(LpDelayCurve *curve); /* NULL allowed */
/* One look at one of both lines; true in *done once both are known. Errors: LP_ENOMEM. O(n). */
LpErr lp_delay_curve_work(LpDelayCurve *curve, bool *done, LpDiag *diag) LP_MUST_USE;

LpDelayLine lp_delay_curve_line(const LpDelayCurve *curve, LpTurnOrders orders);
/* The line's height and slope at a delay; NAN and 0 where it is not known yet. */
double lp_delay_line_at(const LpDelayLine *line, double delay, uint32_t *slope);
/* The delay that the lines are known up to: twice the present one, and not less than the longest
 * forward and backward pass together, behind which the last turns hide. */
double lp_delay_curve_most(const LpDelayCurve *curve);
double lp_delay_curve_now(const LpDelayCurve *curve); /* the present delay */
LpTurnOrders lp_delay_curve_orders(const LpDelayCurve *curve);

#endif
