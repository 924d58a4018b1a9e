/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of one job: what was considered, chosen and why, what became of it, where its time
 * went, and who had its servers before. */
#ifndef LP_ASK_INSPECT_STORY_H
#define LP_ASK_INSPECT_STORY_H

#include "ask/inspect/cutout.h"
#include "ask/sooner/sooner.h"
#include "base/str.h"
#include "session/session.h"
#include "sim/waits/why.h"

/* For people, and as { lightpath, scenario, policy, seed, hash, job, explain, why_waiting (of a job
 * that waits, or did when the run ended), account, held, step_time, knobs, no_knobs, bottleneck,
 * sooner, no_sooner (both where they were asked), helps, servers, events }; null where a job that
 * never started has nothing to say. What would help is told of the job's whole time on its servers,
 * by runs of its cut-out; without one (NULL) of one of its steps. sooner: what would have let it
 * start sooner; NULL: not told. The session keeps events. Errors: LP_ERANGE for a job that has not
 * arrived; LP_ENOMEM. */
LpErr lp_story_text(LpSession *session, uint32_t job, const LpCutout *cutout,
                    const LpSooner *sooner, LpBuf *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_story_json(LpSession *session, uint32_t job, const LpCutout *cutout,
                    const LpSooner *sooner, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* What the session knows of why a job waits, to ask its world with (lp_world_why). O(1). */
LpWhyAsk lp_story_asks(const LpSession *session, uint32_t job);

#endif
