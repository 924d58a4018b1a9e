/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy's networks say about a decision, and what moved them, for people and as JSON. */
#ifndef LP_ASK_NETWORK_NETWORK_TEXT_H
#define LP_ASK_NETWORK_NETWORK_TEXT_H

#include "ask/network/why.h"

enum { LP_NETWORK_OPS = 24 }; /* ops that the JSON has at most */

/* Puts a list of one object per network of the policy, about the last decision on the job up to
 * now (lp_network_inspect):
 *   [{"param","encoding","problem","decision","time","graph","value","best","next",
 *     "actions":[{"degree","rule","open","probability","logit","q"}],
 *     "why":{"output","action","against","moved":[{"of","name","action","input","moved"}],
 *            "ops":[{"op","name","pass","moved"}]},
 *     "why_value":the same, action and against null}]
 * Actions are numbered from 0, as they are listed. Errors: LP_ENOMEM. */
LpErr lp_network_json(LpSession *session, uint32_t job, const char *key, LpJsonOut *out,
                      LpDiag *diag) LP_MUST_USE;
/* Appends a table per network; nothing where there is none. */
LpErr lp_network_text(LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
