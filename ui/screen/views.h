/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of views, by pane. */
#ifndef LP_UI_SCREEN_VIEWS_H
#define LP_UI_SCREEN_VIEWS_H

#include "moment/view.h"

/* LP_PANE_COUNT of them, all there. */
const LpView *const *lp_app_views(void);
const LpView *lp_app_view(LpPane pane);

#endif
