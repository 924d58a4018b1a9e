/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A screen as a file for slides and reports: plain text, text with colours, SVG, HTML. */
#ifndef LP_UI_TERM_PICTURE_H
#define LP_UI_TERM_PICTURE_H

#include "term/canvas.h"

typedef enum LpPicture {
    LP_PICTURE_TEXT,
    LP_PICTURE_ROLES, /* a letter for the role of every cell */
    LP_PICTURE_ANSI,  /* 256 colours by escape sequences, for cat and less -R */
    LP_PICTURE_SVG,
    LP_PICTURE_HTML,
    LP_PICTURE_COUNT
} LpPicture;

/* Appends the escape sequence that makes a terminal of 256 colours write in this style. */
void lp_picture_sgr(const LpTheme *theme, LpStyle style, LpBuf *out);

/* By the file's ending: .roles, .ansi, .svg, .html; text for any other. */
LpPicture lp_picture_of(const char *path);

/* LP_EINVAL where the ending is that of a format which this program does not write, such as .png.
 */
LpErr lp_picture_check(const char *path, LpDiag *diag) LP_MUST_USE;

/* Appends the screen as a whole file. Colours are the theme's 256; where the theme leaves a colour
 * to the terminal, SVG and HTML use light on dark, or dark on light for a theme made for that.
 * Cells hold nothing but printable code points, so nothing of the screen's texts acts in the file.
 */
void lp_picture_add(const LpCanvas *canvas, const LpTheme *theme, LpPicture picture, LpBuf *out);

#endif
