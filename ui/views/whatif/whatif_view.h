/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if view: every way to decide. */
#ifndef LP_UI_VIEWS_WHATIF_WHATIF_H
#define LP_UI_VIEWS_WHATIF_WHATIF_H

#include "moment/view.h"

extern const LpView lp_whatif_view;

/* Runs the best rows to the end (best 0: all), where there is a clock on other threads. Errors:
 * LP_ESTATE without a decision; of the session. */
LpErr lp_whatif_run(LpHost *host, uint32_t best, LpDiag *diag) LP_MUST_USE;
/* What w does where the table is open: the few best; of a stage all. */
void lp_whatif_run_best(LpHost *host);

#endif
