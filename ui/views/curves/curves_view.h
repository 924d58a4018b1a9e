/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of curves. */
#ifndef LP_UI_VIEWS_CURVES_CURVES_H
#define LP_UI_VIEWS_CURVES_CURVES_H

#include "moment/view.h"

extern const LpView lp_curves_view;

/* How fine they are drawn (LpChartInk). */
void lp_curves_ink(LpHost *host, int ink);
/* The axis of the JCT curve on the main screen: linear, or counting factors. */
void lp_curves_axis(LpHost *host, bool linear);

#endif
