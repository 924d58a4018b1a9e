/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plot or table of a lesson's step. */
#ifndef LP_UI_VIEWS_FIGURE_FIGURE_H
#define LP_UI_VIEWS_FIGURE_FIGURE_H

#include "moment/view.h"

extern const LpView lp_figure_view;

#endif
