/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the debug log (base/debug_log.h) about jobs and events. Private to sim/, and for what
 * asks policies. */
#ifndef LP_SIM_STATE_DEBUG_H
#define LP_SIM_STATE_DEBUG_H

#include "base/debug_log.h"
#include "sim/state/state.h"

/* "job 5 gnmt x4": its number, graph or slice, and the degree once it has one. Returns buf. */
enum { LP_DEBUG_JOB = 160 };
const char *lp_debug_job(const LpContext *context, const LpJob *job, char buf[LP_DEBUG_JOB]);

/* Says an event in the room sim, with what matters of its job; of kind NONE nothing. reason: the
 * sentence behind a cause, NULL or "" where there is none. O(1) where nobody listens. */
void lp_debug_event(const LpWorld *world, const LpContext *context, const LpEvent *event,
                    const char *reason);

/* Says in the room policy what `who` ("decide", "default") answered about a job. */
void lp_debug_answer(const LpContext *context, const char *who, const LpJob *job,
                     const LpAnswer *answer);

#endif
