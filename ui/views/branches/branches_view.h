/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the time line as a tree of branches. */
#ifndef LP_UI_VIEWS_BRANCHES_BRANCHES_H
#define LP_UI_VIEWS_BRANCHES_BRANCHES_H

#include "moment/view.h"

extern const LpView lp_branches_view;

#endif
