/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a world in order? What must hold of every world between two events, whatever was answered:
 *   layout     pools lie one behind the other, none holds more than there is room for
 *   clock      times are not before now, the events are those counted
 *   servers    a busy server is in the chain of exactly the running job that holds it, in the order
 *              of its placement; free, broken and busy ones add up
 *   queue      waiting and running jobs are in one list once, in the order in which they joined it;
 *              the job to be decided and the round of offers are of them
 *   timers     heap order; the end of each running job, deadline and retry of each waiting one
 *   light      wavelengths belong to running jobs; nothing is lit before its time
 *   memory     parts fit on their servers (corrected rule)
 *   jobs       arrived = running + waiting + deciding + completed + blocked + unfinished, and every
 *              tally is the sum over the jobs
 *   marks      in checked builds: no job and no server has changed without its mark (state/mark.h)
 *   work       no job has done more than its steps; what is left is what its end says
 *
 * Checked builds (base/assert.h) look after every event; tests call lp_world_validate in every
 * build. Cost: what lives now (servers, lists, timers) is looked at after each event, as the clock
 * itself does; layout, all jobs that ever were, and the memory of their parts, after every
 * LP_VALIDATE_EVERY-th event, more rarely by as much as there are more than LP_VALIDATE_JOBS jobs,
 * and at the end of the run, or a run would take time quadratic in its jobs. The number of the
 * event decides, so a failure comes back at the same event. */
#ifndef LP_SIM_STATE_VALIDATE_H
#define LP_SIM_STATE_VALIDATE_H

#include "sim/state/state.h"

enum { LP_VALIDATE_EVERY = 64, LP_VALIDATE_JOBS = 1024 };

/* Looks at everything. `context`: any of the world's family. Errors: LP_EINVAL with a sentence that
 * names what is wrong and where. O(jobs + timers + servers + parts of running jobs). */
LpErr lp_world_validate(const LpWorld *world, const LpContext *context, LpDiag *diag) LP_MUST_USE;

/* An event, or an attempt at one, ends here: stops at a world that is not in order. Called last by
 * the functions that move a world, where they changed it: a refused decision or action returns
 * before, and an order of offers is looked at with the next event. */
#if defined(LP_CHECKED)
void lp_world_check_event(const LpWorld *world, const LpContext *context);
#else
static inline void lp_world_check_event(const LpWorld *world, const LpContext *context) {
    (void)world;
    (void)context;
}
#endif

#endif
