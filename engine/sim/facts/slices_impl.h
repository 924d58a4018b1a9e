/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to this room: the part of a summary of slices that goes over the failures again. */
#ifndef LP_SIM_FACTS_SLICES_IMPL_H
#define LP_SIM_FACTS_SLICES_IMPL_H

#include "sim/facts/slices.h"

/* Fills in capacity. Errors: LP_ENOMEM. O(failures cubes). */
LpErr lp_slices_capacity(const LpWorld *world, const LpContext *context,
                         LpSliceSummary *summary) LP_MUST_USE;

#endif
