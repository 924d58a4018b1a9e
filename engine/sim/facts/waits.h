/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measures of a summary that are about waiting and fairness. Private to this room. */
#ifndef LP_SIM_FACTS_WAITS_H
#define LP_SIM_FACTS_WAITS_H

#include "sim/facts/metrics.h"
#include "sim/facts/standing.h"

/* Fills them in; from, until and the counts of the summary are known. Errors: LP_ENOMEM.
 * O(jobs + spells log spells). */
LpErr lp_waits_summary(const LpWorld *world, const LpContext *context, const LpStanding *standing,
                       LpSummary *summary, LpDiag *diag) LP_MUST_USE;

#endif
