/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changing the conditions that a world runs under; what they are: sim/state/conditions.h. */
#ifndef LP_SIM_CONDITION_H
#define LP_SIM_CONDITION_H

#include "sim/context.h"
#include "sim/state/conditions.h"
#include "sim/state/state.h"

/* Lets the clock pass to `time` if nothing happens before or then; false, and nothing changed,
 * where something does. So that what was changed in one future can be changed in another. */
bool lp_world_pass(LpWorld *world, const LpContext *context, double time);

/* Applies the change now, also while a decision is due, which then is taken under the new
 * conditions. Running jobs go on at the speed they started with, later starts and forecasts see the
 * change; but links that jobs share have their new capacity at once. Jobs on a server that breaks,
 * and jobs that need a circuit that breaks, are stopped, keep their finished steps, and wait to be
 * offered again at this instant; a refusal then leaves them waiting for the next completion or
 * repair. Broken servers are never placed on. A plan that needs a broken circuit is refused with
 * cause no_circuit: light paths and routes are fixed, nothing goes another way. A flow needs the
 * light paths between its two servers, a collective those between all of its members, on a packet
 * network the cables on its routes. A failure and a repair let waiting jobs be offered again now.
 * Random draws of arrivals stay the same: RATE divides the gaps drawn.
 * event: what happened (LP_EVENT_CONDITION, job = the first job stopped, the extra job, or none);
 * an extra job's decision is due when the world next advances. Errors: LP_EINVAL, LP_ERANGE naming
 * what is wrong (range, no such server, cable or graph, server already broken); LP_ESTATE when the
 * run is over, or under published semantics; LP_ENOMEM. World unchanged on failure, but spoilt
 * where memory runs out while light of a pod breaks or is mended (FAIL, REPAIR). */
LpErr lp_world_change(LpWorld *world, const LpContext *context, const LpCondition *condition,
                      LpEvent *event, LpDiag *diag) LP_MUST_USE;

#endif
