/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With which steps a job did its work before its plan, or its light, changed. */
#ifndef LP_SIM_STATE_EARLIER_H
#define LP_SIM_STATE_EARLIER_H

#include "sim/state/state.h"

/* Before the step of a job that is stopped, or whose pace is settled, becomes `next` on `network`:
 * its useful work up to now was with the one that it has. Takes up to LP_EARLIER_ROOM of what
 * lp_store_reserve_earlier reserved. O(changes that a failure took back). */
void lp_job_book_step(const LpContext *context, LpJob *job, uint32_t next, uint32_t network);
/* s of useful work that the last `steps` steps of a job on a network took it, of which `since`
 * steps were done after its pace was last settled: its light may have changed among them.
 * O(changes). */
double lp_job_last_steps(const LpContext *context, const LpJob *job, double steps, double since);

#endif
