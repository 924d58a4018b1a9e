/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking for a text in lines, and showing where it stands. Capitals and small letters of ASCII are
 * the same. */
#ifndef LP_UI_WIDGETS_SEARCH_H
#define LP_UI_WIDGETS_SEARCH_H

#include <stdbool.h>

#include "term/canvas.h"

enum { LP_SEARCH_TEXT = 80 };

/* What is looked for; the screen's own state. */
typedef struct LpSearch {
    char text[LP_SEARCH_TEXT]; /* "" for nothing */
    int match, matches;        /* the one that is shown, from 1; how many there are */
} LpSearch;

/* Is the needle somewhere in the text? Never for an empty needle. O(length * length). */
bool lp_search_in(const char *text, const char *needle);
/* Marks every place of an area where the needle can be read within one row, by LP_REVERSE, or by
 * LP_UNDERLINE where the row is reversed already. Returns how many. */
int lp_search_mark(const LpArea *area, const char *needle);

#endif
