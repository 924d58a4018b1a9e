/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson gone through without anybody watching: is every step staged, every number true? */
#ifndef LP_UI_FRONT_LESSON_VERIFY_H
#define LP_UI_FRONT_LESSON_VERIFY_H

#include "base/str.h"
#include "session/session.h"

/* Goes through the lesson of a session with a time line, opened from `scenario`, and marks the
 * policies that must pass and fail its exercise, with a student's own numbers where `id` is one
 * (NULL: none). Appends a line for what is wrong, one for each policy, and one with counts; *wrong
 * counts numbers that are not as shown or not worked out at all, and policies with other points or
 * reasons.
 * Errors: LP_EINVAL without a lesson, commands and expressions that fail, with their place. */
LpErr lp_lesson_verify(LpSession *session, const char *scenario, const char *id, uint32_t *wrong,
                       LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
