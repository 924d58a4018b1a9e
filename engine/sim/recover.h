/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs do that a failure stopped, or that go on more slowly because of one: go on at once
 * elsewhere, wait in the queue, keep their servers until they are mended, go on smaller, or end. As
 * the scenario says (on_failure), or as somebody answers for each. */
#ifndef LP_SIM_RECOVER_H
#define LP_SIM_RECOVER_H

#include "sim/context.h"
#include "sim/state/state.h"

/* From now on lp_world_advance announces each stopped job that is to answer (LP_EVENT_STOPPED), or
 * no more: then the scenario answers for it. Of this world, not of its clones. */
void lp_world_ask(LpWorld *world, bool asks);
/* The job that answers next: stopped, or slower than before; LP_NO_INDEX: none. O(waiting jobs). */
uint32_t lp_world_stopped(const LpWorld *world);

/* Carries out what a stopped job does. how NULL: as the scenario says. *event: RESUME, HOLD or
 * ABORT; NONE where it just waits in the queue now. *cause REFUSED with a reason, and nothing
 * changed, where it cannot be followed: spares where there are none, or that are not usable; a size
 * that is not smaller; degraded, of a job that was stopped. Errors: LP_ESTATE when the job is not
 * to answer; LP_ENOMEM. */
LpErr lp_world_recover(LpWorld *world, const LpContext *context, uint32_t job,
                       const LpRecovery *how, LpEvent *event, LpCause *cause,
                       char reason[LP_DIAG_TEXT], LpDiag *diag) LP_MUST_USE;

/* One answer, announcement, or job that goes on since what it holds is mended. *done says whether
 * there was one. Errors: LP_ENOMEM. */
LpErr lp_recover_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) LP_MUST_USE;

#endif
