/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in the words of a fork: "tensor=8 pipeline=2 data=4". */
#ifndef LP_SESSION_MOMENT_PLAN_WORDS_H
#define LP_SESSION_MOMENT_PLAN_WORDS_H

#include "session/moment/moment.h"

/* Is this the key of a plan's word? "wait" is one too, where it has a value. */
bool lp_is_plan_key(const char *key, size_t len);
/* The plan that the words name becomes the fork's answer, with a batch of 0 where none is named.
 * Errors: LP_EINVAL for a bad value, or a degree beside it. */
LpErr lp_fork_read_plan(LpForkText *fork, const char *words, LpDiag *diag) LP_MUST_USE;
/* The plan for the job that is due: the batch is that of its graph. Errors, with the numbers:
 * LP_EINVAL where the graph has no plans, LP_EREFUSED where the model cannot be split so or the
 * plan has no place now (too many servers, not enough memory). */
LpErr lp_fork_check_plan(LpSession *session, LpForkText *fork, LpDiag *diag) LP_MUST_USE;

#endif
