/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits where no policy decides about them. */
#ifndef LP_SIM_LIGHT_CONFIGURE_H
#define LP_SIM_LIGHT_CONFIGURE_H

#include "sim/light/circuits.h"

/* Rounds of greedy matchings: the pair with most demand first, then the next whose ports are dark;
 * round after round until every pair was served once; ports that a round leaves dark serve the
 * largest pairs of earlier rounds on. The holds are in proportion to the largest demand of each
 * round and add up to `period` seconds. demand: `count` entries, as of lp_world_demand_pairs.
 * out->entries is 0 when nothing is asked for; else the caller frees it (lp_configure_free).
 * Errors: LP_ENOMEM. O(pairs log pairs + rounds * (pairs + ports)). */
LpErr lp_configure_default(const LpOcsParams *ocs, const LpPortDemand *demand, uint32_t count,
                           double period, LpSchedule *out, LpDiag *diag) LP_MUST_USE;
void lp_configure_free(LpSchedule *schedule);

#endif
