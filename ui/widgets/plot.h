/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves in a few lines of text: dots in braille cells, axes with numbers, names where they end. */
#ifndef LP_UI_WIDGETS_PLOT_H
#define LP_UI_WIDGETS_PLOT_H

#include "term/canvas.h"

enum { LP_PLOT_LABEL = 24 };

/* A curve of steps. */
typedef struct LpPlotLine {
    double (*at)(const void *data, double x); /* its height at x; NAN: not known there */
    const void *data;
    const char *name;
    LpStyle style;
    bool dashed;
} LpPlotLine;

typedef struct LpPlot {
    double from, to; /* of the x axis */
    double top;      /* of the y axis, which begins at 0; > 0 */
    char end[40];    /* what the right end of the x axis is called */
    char top_label[LP_PLOT_LABEL], middle_label[LP_PLOT_LABEL];
    void (*print)(double value, char text[LP_PLOT_LABEL]); /* the height at the end of a curve */
    int legend;                                            /* columns for names */
    int lines;
    const LpPlotLine *line; /* the first ones are drawn last, over the others */
} LpPlot;

/* Draws into the whole area; `empty` in place of the curves unless it is NULL. Nothing where there
 * is no room. O(columns * lines) calls. */
void lp_plot_draw(const LpPlot *plot, const LpArea *area, const char *empty);

#endif
