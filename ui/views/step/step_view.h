/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of one training step. */
#ifndef LP_UI_VIEWS_STEP_STEP_H
#define LP_UI_VIEWS_STEP_STEP_H

#include "moment/view.h"

extern const LpView lp_step_view;

#endif
