/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A look into another future: a small session on a copy of a world, which shares scenario, context
 * and policy with the session it came from. The policy's data and stream are in the world, so the
 * session it came from notices nothing. For one thread; other threads take a twin. */
#ifndef LP_RUN_PROBE_H
#define LP_RUN_PROBE_H

#include "run/session.h"

/* The probe starts where `world` is (a world of this session's context; copied) and is driven with
 * lp_session_step, _answer and the views; its history is its own and is lost with it. The session
 * must not change while it lives. Errors: LP_ENOMEM. O(size of the world). */
LpErr lp_probe_open(const LpSession *session, const LpWorld *world, LpSession **probe,
                    LpDiag *diag) LP_MUST_USE;
/* lp_session_answer followed by the policy's review of what came of it. */
LpErr lp_probe_answer(LpSession *probe, const LpAnswer *answer, LpEvent *event,
                      LpDiag *diag) LP_MUST_USE;
void lp_probe_close(LpSession *probe); /* NULL allowed */

#endif
