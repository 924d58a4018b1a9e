/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of one job: what was considered, chosen and why, what became of it, where its time
 * went, and who had its servers before. */
#ifndef LP_RUN_INSPECT_STORY_H
#define LP_RUN_INSPECT_STORY_H

#include "base/str.h"
#include "run/session/session.h"

/* For people, and as { lightpath, scenario, policy, seed, hash, job, explain, account, step_time,
 * knobs, bottleneck, helps, servers, events }; null where a job that never started has nothing to
 * say. The session keeps events. Errors: LP_ERANGE for a job that has not arrived; LP_ENOMEM. */
LpErr lp_story_text(LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_story_json(LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
