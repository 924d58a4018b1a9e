/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath check`. */
#ifndef LP_SAY_CHECK_H
#define LP_SAY_CHECK_H

#include "base/str.h"

/* Loads a scenario (its graphs and its policy, too), an own profile or a PipeDream profile, told
 * apart by contents, and drops it. What is good and yet to be known of it is appended to `notes`
 * (NULL: not), a line each without the file's name. Errors: what is wrong with it. */
LpErr lp_check_file(const char *file, size_t max_input, LpBuf *notes, LpDiag *diag) LP_MUST_USE;

#endif
