/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What if: a small session on a copy of a world, which shares scenario, context
 * and policy with the session it came from. The policy's data and stream are in the world, so the
 * session it came from notices nothing. For one thread; other threads take a twin. */
#ifndef LP_SESSION_PROBE_H
#define LP_SESSION_PROBE_H

#include "script/policy/policy.h"
#include "session/session.h"

/* The probe starts where `world` is (a world of this session's context; copied) and is driven with
 * lp_session_step, _answer and the views; its history is its own and is lost with it. Conditions
 * change when they did in the session's run. The session must not change while it lives. Errors:
 * LP_ENOMEM. O(size of the world). */
LpErr lp_probe_open(const LpSession *session, const LpWorld *world, LpSession **probe,
                    LpDiag *diag) LP_MUST_USE;
/* Before a step: conditions that changed in the session's run after the probe's world change here
 * at the same time, as a step of their own. */
LpErr lp_probe_follow(LpSession *probe, bool *changed, LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* What a probe on another thread needs besides a world: a context and a policy of its own, which
 * mean the same. */
typedef struct LpProbeHome {
    LpContext *context;
    LpPolicy *policy; /* NULL: the engine's default */
} LpProbeHome;
/* Make it on the session's thread. The policy is made from the text that the session's was loaded
 * from, whatever the disk says now. The session may go on, step, fork and load its policy again;
 * it must not be closed before. Errors: LP_ENOMEM, those of the policy. */
LpErr lp_probe_home_new(const LpSession *session, LpProbeHome *out, LpDiag *diag) LP_MUST_USE;
void lp_probe_home_free(LpProbeHome *home); /* zeroed or filled */
/* A probe for the thread that uses this home, one at a time; `session` is only read for what never
 * changes, `world` is copied and may be read by other threads meanwhile. */
LpErr lp_probe_open_home(const LpSession *session, const LpProbeHome *home, const LpWorld *world,
                         LpSession **probe, LpDiag *diag) LP_MUST_USE;
void lp_probe_close(LpSession *probe); /* NULL allowed */

#endif
