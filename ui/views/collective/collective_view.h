/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a collective on circuits: its steps, when the light turns, and what that is worth. */
#ifndef LP_UI_VIEWS_COLLECTIVE_VIEW_H
#define LP_UI_VIEWS_COLLECTIVE_VIEW_H

#include "moment/view.h"

extern const LpView lp_collective_view;

/* Shows the collective of "KEY=VALUE ..." as `lightpath collective` has it; NULL or "": the one
 * that was shown last. Errors: LP_EINVAL where there is none, and those of its words; nothing has
 * changed then. */
LpErr lp_collective_open(LpHost *host, const char *words, LpDiag *diag) LP_MUST_USE;

#endif
