/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows over a common axis of time: which column an instant is in, numbers on bars, the axis. */
#ifndef LP_UI_WIDGETS_GANTT_H
#define LP_UI_WIDGETS_GANTT_H

#include "term/canvas.h"

/* The window from `from` s on, `width` s > 0 wide, in `columns` > 0 columns from x on. */
typedef struct LpGantt {
    const LpArea *area;
    int x, columns;
    double from, width;
} LpGantt;

/* Where a column begins; may be outside of the window. */
double lp_gantt_time(const LpGantt *gantt, int column);
/* The column of an instant, from 0; less than 0 or >= columns outside of the window. */
int lp_gantt_column(const LpGantt *gantt, double time);
/* A text on the bar from `start` to `end`, `inset` columns from where it begins, if all of it fits
 * there. */
void lp_gantt_text(const LpGantt *gantt, int y, double start, double end, int inset, LpStyle style,
                   const char *text);
/* Ticks with their times. */
void lp_gantt_axis(const LpGantt *gantt, int y);
/* A pointer up to an instant, and what it is. */
void lp_gantt_at(const LpGantt *gantt, int y, double time, const char *what);

#endif
