/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of blame; private to run/. */
#ifndef LP_RUN_BLAME_IMPL_H
#define LP_RUN_BLAME_IMPL_H

#include "base/str.h"
#include "run/blame.h"

/* Writes blame->text into the arena. */
LpErr lp_blame_tell(LpArena *arena, LpBlame *blame, LpDiag *diag) LP_MUST_USE;
/* Appends one blame as a JSON object. */
void lp_blame_json(LpBuf *out, const LpBlame *blame);

#endif
