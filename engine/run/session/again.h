/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run gone through again from its records, on a world of its own: for whoever wants to look at
 * the world behind every event. */
#ifndef LP_RUN_SESSION_AGAIN_H
#define LP_RUN_SESSION_AGAIN_H

#include "run/session/session.h"

/* What is called after every event that a session shows, with the world as the event left it, and
 * once more at the end with event NULL. Both are valid until it returns. */
typedef LpErr (*LpAgain)(void *user, const LpContext *context, const LpWorld *world,
                         const LpEvent *event, LpDiag *diag);

/* From the beginning up to the moment where the session is; the session is not touched and no
 * policy is asked. Errors: LP_ENOMEM; what a replay answers; what `take` answers ends it. Costs as
 * much as the run without its policy. */
LpErr lp_session_again(const LpSession *session, LpAgain take, void *user,
                       LpDiag *diag) LP_MUST_USE;

#endif
