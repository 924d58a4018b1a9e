/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of which only some rows fit: which of them show, and moving a mark along it. */
#ifndef LP_UI_WIDGETS_LIST_H
#define LP_UI_WIDGETS_LIST_H

/* The first row shown of `count` where `rows` fit: `first`, but no blank rows below the last. */
int lp_list_from(int first, int count, int rows);
/* The first row shown of `count` where `rows` fit, with the marked row in the middle. */
int lp_list_around(int marked, int count, int rows);
/* The row `by` rows further on, which may be all the way; 0 in an empty list. */
int lp_list_moved(int row, int by, int count);

#endif
