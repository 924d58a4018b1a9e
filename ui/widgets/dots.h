/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of braille dots, two wide and four high in a cell, gathered before they are drawn so that
 * lines may cross in a cell. */
#ifndef LP_UI_WIDGETS_DOTS_H
#define LP_UI_WIDGETS_DOTS_H

#include "term/canvas.h"

/* Zero-initialise; dots of an area of w x h cells. */
typedef struct LpDots {
    int w, h;
    uint8_t *bits;  /* w * h: as lp_glyph_dots takes them */
    LpStyle *style; /* of the line that came last */
    bool blocks;    /* half blocks instead, where a font has no braille */
    bool lacking;   /* there was no memory for them */
} LpDots;

/* Where there is no memory nothing is drawn, and lp_dots_close tells the canvas. */
void lp_dots_open(LpDots *dots, int w, int h);
/* From dot to dot (2 w x 4 h of them), both included; what lies outside is cut off. */
void lp_dots_line(LpDots *dots, double x0, double y0, double x1, double y1, LpStyle style);
/* One dot. */
void lp_dots_put(LpDots *dots, int x, int y, LpStyle style);
/* Draws what was gathered into the area, and frees it. */
void lp_dots_close(LpDots *dots, const LpArea *area);

#endif
