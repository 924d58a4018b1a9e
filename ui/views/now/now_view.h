/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The now bar: what happens at this moment, in one sentence. */
#ifndef LP_UI_VIEWS_NOW_NOW_H
#define LP_UI_VIEWS_NOW_NOW_H

#include "moment/view.h"

extern const LpView lp_now_view;

#endif
