/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components of a pod break and are mended while jobs run: what that stops, and what stopped jobs
 * do. When it happens is a list of the seed alone (model/pod/outage.h); a world has the number of
 * its events that have happened. */
#ifndef LP_SIM_OUTAGES_H
#define LP_SIM_OUTAGES_H

#include "sim/context.h"
#include "sim/state/image.h"
#include "sim/state/state.h"

/* The lists that worlds of a context ask for, by seed. NULL where nothing breaks by itself.
 * Errors: LP_ENOMEM. */
LpErr lp_outages_new(LpContext *context) LP_MUST_USE;
void lp_outages_free(LpOutageBook *book); /* NULL allowed */
/* Event number `at` of a seed's list; NULL: there are no so many. Errors: LP_ENOMEM. */
LpErr lp_outages_at(const LpContext *context, uint64_t seed, uint32_t at,
                    const LpOutageEvent **out) LP_MUST_USE;

/* Time of the next one, INFINITY: none, or none that anybody could notice. */
double lp_outages_next(LpImage *image, const LpContext *context);
/* What happens now: one mend or failure, then one answer of a stopped job. *done says whether there
 * was one. Errors: LP_ENOMEM. */
LpErr lp_outages_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) LP_MUST_USE;

/* Interval of a job's checkpoints, s of work; 0: none. */
double lp_outages_interval(const LpContext *context, const LpCheckpointSpec *spec,
                           uint32_t slice_row);

#endif
