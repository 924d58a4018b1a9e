/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a scenario before it is opened: its cluster after a few decisions. */
#ifndef LP_UI_FRONT_PREVIEW_H
#define LP_UI_FRONT_PREVIEW_H

#include "term/canvas.h"

typedef struct LpPreview LpPreview;

/* Opens the scenario and lets its policy decide a few times. NULL where that cannot be. */
LpPreview *lp_preview_open(const char *path, bool ascii);
void lp_preview_close(LpPreview *preview); /* NULL allowed */
/* Servers, below them circuits, the way of deciding and the curve, as far as there is room. */
void lp_preview_draw(LpPreview *preview, const LpArea *area);

#endif
