/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that write the story of a job. */
#ifndef LP_ASK_INSPECT_STORY_IMPL_H
#define LP_ASK_INSPECT_STORY_IMPL_H

#include "session/session.h"

/* Appends what a line of the story begins with, "" on lines that belong to the one before. */
static inline void lp_story_label(LpBuf *out, const char *label) {
    lp_buf_addf(out, "%-12s", label);
}
/* Appends what the policy explained that it considered for the job, a line each, the one taken
 * marked by `>`; nothing where it explained nothing. Texts are escaped. Errors: LP_ENOMEM. */
LpErr lp_story_considered(const LpSession *session, uint32_t job, LpBuf *out,
                          LpDiag *diag) LP_MUST_USE;

#endif
