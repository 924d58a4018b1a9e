/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments as command lines that open them again, and whether such a line still leads to the same.
 */
#ifndef LP_SESSION_MOMENT_LINE_H
#define LP_SESSION_MOMENT_LINE_H

#include "base/str.h"
#include "session/time.h"

/* Appends a word as a shell takes it: in quotes where it needs them, as $'...' (bash, zsh, ksh)
 * where something in it acts on a terminal. */
void lp_shell_word(LpBuf *out, const char *word);
/* Appends " --at d9 --fork degree=4 --at d12": from the start of the trunk to the present moment,
 * fork by fork. from_here: the branch is there already (a session from a file), as " --branch NAME
 * --at d12". *all is false where something was changed by hand that no words say. */
void lp_moment_words(const LpSession *session, bool from_here, LpBuf *out, bool *all);
/* Appends " --expect scenario=HASH,policy=HASH,state=HASH" for the present moment. Without a time
 * line or kept inputs there is no scenario. */
void lp_moment_expect(const LpSession *session, LpBuf *out);
/* Compares: appends what is not as expected, in words; nothing when all is. Errors: LP_EINVAL for
 * another notation. */
LpErr lp_moment_check(const LpSession *session, const char *expect, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;

#endif
