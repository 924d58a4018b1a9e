/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One context per speed of the network. A world names by number the scales that are in force in it;
 * all that depends on the network (step times, forecasts, shares) is asked of the context of that
 * number, whose fabric is scaled and whose number is part of the store's keys. So worlds of one
 * scenario under different conditions share store and scratch and never mix. */
#ifndef LP_SIM_STORE_SCALES_H
#define LP_SIM_STORE_SCALES_H

#include "sim/store/context.h"

/* The context of that number; valid as long as the base context. O(1). */
const LpContext *lp_context_at(const LpContext *context, uint32_t number);

/* Table of a family: number 0 is the context itself, as the scenario says. */
LpScaleTable *lp_scale_table_new(LpContext *context); /* NULL: out of memory */
void lp_scale_table_free(LpScaleTable *table);        /* NULL allowed; not the context itself */

uint32_t lp_scales_count(const LpScaleTable *table);
/* The scales of a number below the count. */
const LpScales *lp_scales_of(const LpScaleTable *table, uint32_t number);
/* Number of these scales, LP_NO_INDEX when there is none yet. O(numbers). */
uint32_t lp_scales_find(const LpScaleTable *table, const LpScales *scales);
/* The context of the next number, not entered yet: the base one with a scaled cluster and its
 * fabric. lp_scales_add or lp_free. Errors: LP_ENOMEM. */
LpErr lp_scales_make(LpScaleTable *table, const LpScales *scales, LpContext **made,
                     LpDiag *diag) LP_MUST_USE;
/* Enters it: it is the table's then. Errors: LP_ENOMEM. */
LpErr lp_scales_add(LpScaleTable *table, const LpScales *scales, LpContext *made) LP_MUST_USE;

#endif
