/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contexts of one scenario: one per speed of the network, and where circuits come and go one
 * per network that was ever lit. All that depends on the network (routes, step times, forecasts,
 * shares) is asked of a context, whose fabric never changes and whose numbers are part of the
 * store's keys; a world and a job name theirs (lp_world_context, lp_job_context). So worlds of one
 * scenario under different conditions and circuits share store and scratch and never mix, whichever
 * of them was asked last. */
#ifndef LP_SIM_STORE_FAMILY_H
#define LP_SIM_STORE_FAMILY_H

#include "sim/store/context.h"

/* The context of that number of scales; valid as long as the base context. Of a family with
 * circuits any one of that speed. O(1). */
const LpContext *lp_context_at(const LpContext *context, uint32_t scales);
/* The one of that number of a network. Without circuit switches there is none but 0, and the
 * context itself is it. O(1). */
const LpContext *lp_context_lit(const LpContext *context, uint32_t network);
/* The one of both numbers: of the network where circuits come and go, else of the scales. O(1). */
const LpContext *lp_context_of(const LpContext *context, uint32_t scales, uint32_t network);

/* Number 0 of the scales is the base context itself, as the scenario says. */
LpFamily *lp_family_new(LpContext *base); /* NULL: out of memory */
void lp_family_free(LpFamily *family);    /* NULL allowed; not the base context */

/* ---- speeds ---- */

uint32_t lp_family_count(const LpFamily *family);
/* The scales of a number below the count. */
const LpScales *lp_family_scales(const LpFamily *family, uint32_t number);
/* Number of these scales, LP_NO_INDEX when there is none yet. O(numbers). */
uint32_t lp_family_find(const LpFamily *family, const LpScales *scales);
/* The context of the next number, not entered yet: the base one with a scaled cluster and its
 * fabric. lp_family_add or lp_free. Errors: LP_ENOMEM. */
LpErr lp_family_make(LpFamily *family, const LpScales *scales, LpContext **made,
                     LpDiag *diag) LP_MUST_USE;
/* Enters it: it is the family's then. Errors: LP_ENOMEM. */
LpErr lp_family_add(LpFamily *family, const LpScales *scales, LpContext *made) LP_MUST_USE;

/* ---- networks ---- */

/* Makes the context of network `number`, at most one above those that there are, in place of one
 * that had this number: as fast as `context`, of the family. The network outlives it. Errors:
 * LP_ENOMEM. */
LpErr lp_family_light(const LpContext *context, const LpNetwork *network,
                      uint32_t number) LP_MUST_USE;

#endif
