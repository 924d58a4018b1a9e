/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole screen: each view into the pane that the layout gives it. */
#ifndef LP_UI_SCREEN_SCREEN_H
#define LP_UI_SCREEN_SCREEN_H

#include "moment/picture/model.h"
#include "screen/layout.h"

/* Where the panes are on such a canvas. */
LpScreenLayout lp_screen_layout(const LpModel *model, const LpCanvas *canvas);
/* Everything, as the layout says. */
void lp_screen_draw(const LpModel *model, LpCanvas *canvas);

#endif
