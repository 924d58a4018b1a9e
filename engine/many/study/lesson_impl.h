/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that put lessons to work. */
#ifndef LP_MANY_STUDY_LESSON_IMPL_H
#define LP_MANY_STUDY_LESSON_IMPL_H

#include "many/study/study_lesson.h"

/* Appends the value at the path of what `run --json` prints of a session that is at its end.
 * `whole` keeps what was printed for it. Errors: LP_EINVAL where there is none; LP_ENOMEM. */
LpErr lp_lesson_result(const LpSession *session, LpBuf *whole, const char *path, LpBuf *out,
                       LpDiag *diag) LP_MUST_USE;
/* Runs Lua over the views of the session and appends its value without a line's end. */
LpErr lp_lesson_lua(const LpSession *session, const char *text, LpBuf *out,
                    LpDiag *diag) LP_MUST_USE;
/* Is what Lua printed true? */
bool lp_lesson_is_true(const char *text);
/* Where a policy of a lesson is: beside its scenario, in solutions/ there, or as it is called. */
void lp_lesson_policy_path(const char *scenario, const char *policy, LpBuf *out);
/* Opens a policy, or a network (.json) through the policy that takes its choices. */
LpErr lp_lesson_open(const LpSessionSpec *spec, LpSession **session, LpDiag *diag) LP_MUST_USE;
/* To a moment in words; NULL: the first decision. */
LpErr lp_lesson_go_to(LpSession *session, const char *at, LpDiag *diag) LP_MUST_USE;

#endif
