/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel of knobs: what can be turned, and at once what comes of it. */
#ifndef LP_UI_VIEWS_ADJUST_ADJUST_H
#define LP_UI_VIEWS_ADJUST_ADJUST_H

#include "moment/view.h"

extern const LpView lp_adjust_view;

#endif
