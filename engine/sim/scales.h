/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One context per speed of the network. A world names by number the scales that are in force in it;
 * all that depends on the network (step times, forecasts, shares) is asked of the context of that
 * number, whose fabric is scaled and whose number is part of the store's keys. So worlds of one
 * scenario under different conditions share store and scratch and never mix. */
#ifndef LP_SIM_SCALES_H
#define LP_SIM_SCALES_H

#include "sim/context.h"

/* Table of a context: number 0 is the context itself, as the scenario says. */
LpScaleTable *lp_scale_table_new(LpContext *context); /* NULL: out of memory */
void lp_scale_table_free(LpScaleTable *table);        /* NULL allowed; not the context itself */

/* Finds or makes the number of a scaling; numbers depend on the order of asking, so they must not
 * be part of any result. context: any of the family. Errors: LP_ENOMEM, *number unchanged.
 * O(numbers), O(links) for a new one of a packet network. */
LpErr lp_context_scale(const LpContext *context, const LpScales *scales, uint32_t *number,
                       LpDiag *diag) LP_MUST_USE;
/* The context of that number; valid as long as the base context. O(1). */
const LpContext *lp_context_at(const LpContext *context, uint32_t number);

/* Makes all scalings of another context of the same scenario, under the same numbers, in a fresh
 * one. Errors: LP_ENOMEM. */
LpErr lp_scales_again(const LpContext *fresh, const LpContext *from, LpDiag *diag) LP_MUST_USE;

/* Circuits that can be lit, after lp_fabric_init (context.c). */
void lp_context_set_light(LpContext *context);

#endif
