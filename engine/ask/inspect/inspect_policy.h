/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy behind a session's decisions: its source, what its last call cost, what it
 * weighed. */
#ifndef LP_ASK_INSPECT_INSPECT_POLICY_H
#define LP_ASK_INSPECT_INSPECT_POLICY_H

#include "base/mem.h"
#include "session/session.h"

/* Valid until the next command. */
typedef struct LpPolicySummary {
    const char *name, *doc, *path, *source; /* source NULL: the engine's own rule */
    const char *traceback;         /* of the last call where it failed, a line each; "" otherwise */
    uint64_t instructions, budget; /* of the last call */
    uint64_t predictions;
    size_t memory; /* bytes of its state */
    uint32_t params;
} LpPolicySummary;

LpPolicySummary lp_session_policy_summary(const LpSession *session);

typedef struct LpPolicyParamValue {
    const char *name, *doc;
    char value[64];
} LpPolicyParamValue;

/* index < params */
LpPolicyParamValue lp_session_policy_param(const LpSession *session, uint32_t index);

/* Candidates that the policy explained: titles, then rows * columns cells. */
typedef struct LpExplained {
    uint32_t columns, rows;
    const char **column, **cell; /* in the arena; untrusted text */
    int32_t chosen;              /* row, -1: none */
} LpExplained;

/* At the job's decision that is due, or else the last one; rows 0 when nothing was explained or
 * keep_explain was not asked for. Errors: LP_ENOMEM. */
LpErr lp_session_explained_table(const LpSession *session, uint32_t job, LpArena *arena,
                                 LpExplained *out, LpDiag *diag) LP_MUST_USE;

#endif
