/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was decided by hand as a policy: a script that makes the same choices and leaves the rest to
 * the policy in charge. */
#ifndef LP_ASK_DRAFT_AS_POLICY_H
#define LP_ASK_DRAFT_AS_POLICY_H

#include "ask/draft/draft.h"
#include "base/str.h"

/* For whom the choices are. X(ID, "name", "sentence") */
#define LP_WIDTH_TABLE(X)                                                                          \
    X(JOB, "job", "these jobs, at these moments")                                                  \
    X(GRAPH, "graph", "every job of these graphs")

typedef enum LpPolicyWidth {
#define X(id, name, sentence) LP_WIDTH_##id,
    LP_WIDTH_TABLE(X)
#undef X
        LP_WIDTH_COUNT
} LpPolicyWidth;
const char *lp_policy_width_name(LpPolicyWidth width);
int lp_policy_width_find(const char *name); /* -1 when unknown */

/* Writes the script: of every branch on the path here that an answer by hand began. `name` is the
 * policy's name. Errors: LP_ESTATE where nothing was decided by hand; LP_ENOMEM. */
LpErr lp_as_policy(const LpSession *session, LpPolicyWidth width, const char *name, LpBuf *out,
                   LpDiag *diag) LP_MUST_USE;
/* Runs the scenario from its start with the policy in `file` up to the present moment: *same where
 * it gets to the same state. Errors: those of opening and running it. */
LpErr lp_as_policy_check(const LpSession *session, const char *file, bool *same,
                         LpDiag *diag) LP_MUST_USE;

#endif
