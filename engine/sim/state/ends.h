/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When running jobs end where they share links. Their ends move too often for timers, so each of
 * them has one place in a heap, and says itself where (LpJob.ends_at). It follows from the running
 * jobs and is not hashed. Elsewhere nothing is kept: ends are timers there. */
#ifndef LP_SIM_STATE_ENDS_H
#define LP_SIM_STATE_ENDS_H

#include "sim/state/image.h"

/* A job of a world whose jobs share links begins to run, its forecast_end (which is no NAN) is
 * another one, or it stops to run. O(log running). */
void lp_ends_add(LpImage *image, LpJob *job);
void lp_ends_moved(LpImage *image, LpJob *job); /* nothing where it does not run */
void lp_ends_remove(LpImage *image, LpJob *job);

/* The first of the ends, INFINITY where nobody runs. O(1). */
double lp_ends_next(LpImage *image);
/* The job with the lowest number that ends at `until` or before; LP_NO_INDEX: none does. O(jobs
 * that do). */
uint32_t lp_ends_due(LpImage *image, double until);

#endif
