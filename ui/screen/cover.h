/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lesson does to a screen that is drawn: the answer of an open question is covered, and what
 * is pointed at stands out. */
#ifndef LP_UI_SCREEN_COVER_H
#define LP_UI_SCREEN_COVER_H

#include "moment/picture/model.h"
#include "screen/layout.h"

/* Shows `?` in place of what the open question of the lesson hides, and of the number of its right
 * answer, everywhere but in the lesson's own pane. */
void lp_screen_cover(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas);
/* Draws what is pointed at. */
void lp_screen_point(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas);
/* How many places there are on this screen that the pointer means. */
int lp_screen_find(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas,
                   const LpPointer *pointer);

#endif
