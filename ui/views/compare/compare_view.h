/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view that compares two branches. */
#ifndef LP_UI_VIEWS_COMPARE_COMPARE_H
#define LP_UI_VIEWS_COMPARE_COMPARE_H

#include "moment/view.h"

extern const LpView lp_compare_view;

#endif
