/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going to the moments of a run, one after the other. */
#ifndef LP_UI_APP_MOMENTS_H
#define LP_UI_APP_MOMENTS_H

#include "app/state/state.h"

/* To the worst time of what was played of this branch; where one got there so, to its next moment.
 * lp_app_has_time must hold. Errors: of seeking and drawing. */
LpErr lp_app_next_moment(LpApp *app, LpDiag *diag) LP_MUST_USE;

#endif
