/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of policies as people type them. For session/ and ask/. */
#ifndef LP_SESSION_PARAM_H
#define LP_SESSION_PARAM_H

#include "base/mem.h"
#include "script/policy/policy.h"

/* "degree=4": numbers, true, false and quoted texts are what they look like, anything else is a
 * text; the declaration of the parameter judges it later. Texts go into the arena. Errors:
 * LP_EINVAL without a name before "="; LP_ENOMEM. */
LpErr lp_param_parse(LpArena *arena, const char *text, LpPolicyParam *out,
                     LpDiag *diag) LP_MUST_USE;

#endif
