/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run should stop: at events of a kind, at blocks of a cause, or where a condition in Lua
 * comes true. */
#ifndef LP_SESSION_BREAKPOINT_H
#define LP_SESSION_BREAKPOINT_H

#include "base/str.h"
#include "session/session.h"

typedef struct LpBreak LpBreak;

/* "event block" (a name of lp_event_name), "cause deadline" (a code of lp_cause_code), "job 12"
 * (its decisions and what becomes of it), otherwise Lua over the views that policies see, such as
 * `job(3).state == "blocked"` or `cluster.free < 4`. The break may be used for this session only.
 * Errors: LP_EINVAL naming the nearest event or cause; LP_ESCRIPT. */
LpErr lp_break_new(const LpSession *session, const char *text, LpBreak **out,
                   LpDiag *diag) LP_MUST_USE;
void lp_break_free(LpBreak *stop); /* NULL allowed */
const char *lp_break_text(const LpBreak *stop);
/* Does it hold right after this event? A Lua condition holds when it has become true: it is not
 * hit again before it was false. Errors: of the Lua condition; the session is unchanged. */
LpErr lp_break_hit(LpBreak *stop, const LpSession *session, const LpEvent *event, bool *hit,
                   LpDiag *diag) LP_MUST_USE;
/* Steps until it is hit or the run is over; progress as lp_session_run, which stops the stepping
 * but leaves the run where it is. */
LpErr lp_session_run_until(LpSession *session, LpBreak *stop, LpProgress progress, void *user,
                           bool *hit, LpDiag *diag) LP_MUST_USE;

/* Runs Lua over the views of this moment and appends what it printed and its first value to out.
 * Errors: LP_ESCRIPT; out is unchanged then. */
LpErr lp_session_query(const LpSession *session, const char *text, LpBuf *out,
                       LpDiag *diag) LP_MUST_USE;

#endif
