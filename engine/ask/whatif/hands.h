/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was decided and done by hand on a session's branch, once more in a run from its start: so
 * that a turned knob is the only thing that differs between the two. */
#ifndef LP_ASK_WHATIF_HANDS_H
#define LP_ASK_WHATIF_HANDS_H

#include "session/session.h"

typedef struct LpHands LpHands;

/* All that was decided, and regrouped, by hand up to the session's present moment. The session must
 * neither move nor end while the list lives. Errors: LP_ENOMEM, a damaged record. O(steps). */
LpErr lp_hands_list(const LpSession *session, LpHands **out, LpDiag *diag) LP_MUST_USE;
void lp_hands_free(LpHands *hands);      /* NULL allowed */
bool lp_hands_any(const LpHands *hands); /* is there anything? */
/* Did another policy decide an earlier part of the branch? The list does not have that. */
bool lp_hands_other_policy(const LpHands *hands);
/* A step of `run`, which began at the start: where the same offer of a job was answered by hand,
 * with that answer. What was regrouped by hand is once its time has come. Errors: those of
 * lp_session_step and lp_session_answer; LP_EINVAL where the answer cannot be given in this run. */
LpErr lp_hands_step(LpHands *hands, LpSession *run, LpEvent *event, LpDiag *diag) LP_MUST_USE;

#endif
