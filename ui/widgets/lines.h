/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a text. */
#ifndef LP_UI_WIDGETS_LINES_H
#define LP_UI_WIDGETS_LINES_H

#include "base/str.h"

/* How many there are; appends one of them, from 0, without its end. O(length). */
int lp_lines_count(const char *text);
void lp_lines_add(const char *text, int line, LpBuf *out);

#endif
