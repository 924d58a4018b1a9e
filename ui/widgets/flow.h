/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in paragraphs: headings, and what a name means beside the name. */
#ifndef LP_UI_WIDGETS_FLOW_H
#define LP_UI_WIDGETS_FLOW_H

#include "term/canvas.h"

/* Draws the text into the area (NULL: nowhere) from its line `first` on; returns its lines. Lines
 * are paragraphs; "# " begins a heading, "#= " one below which names have columns of their own, a
 * tab sets what is left of it apart. Nothing is cut but by the area. */
int lp_flow_draw(const LpArea *area, const char *text, int width, int first);

/* The bytes of `text` that are its first line of at most `width` columns, cut at a blank where
 * there is one; *next: the bytes at which the line after it begins. */
size_t lp_flow_line(const char *text, int width, size_t *next);

#endif
