/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the formats of pictures; private to ui/term/picture*.c. */
#ifndef LP_UI_TERM_PICTURE_IMPL_H
#define LP_UI_TERM_PICTURE_IMPL_H

#include "term/colour.h"
#include "term/picture.h"

/* The colours and emphasis of a run of cells. */
typedef struct LpPictureInk {
    LpColour front, back;
    bool bold, underline, filled; /* filled: the background is not the paper's */
} LpPictureInk;

typedef struct LpPaper {
    LpColour front, back;
} LpPaper;

typedef struct LpPictureRun {
    int x, y, len;
    LpStyle style;
} LpPictureRun;

LpPaper lp_picture_paper(const LpTheme *theme);
LpPictureInk lp_picture_ink(const LpTheme *theme, const LpPaper *paper, LpStyle style);
/* The next run of equal style in a row; false at its end. */
bool lp_picture_next(const LpCanvas *canvas, LpPictureRun *run);
/* Appends what the cell shows, with < > & as markup has them. */
void lp_picture_markup(const LpCell *cell, LpBuf *out);
/* ui/term/picture_svg.c */
void lp_picture_svg(const LpCanvas *canvas, const LpTheme *theme, LpBuf *out);

#endif
