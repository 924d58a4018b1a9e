/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart for a pane of a few rows: shares over an axis with numbers below, linear or counting
 * factors; lines told apart without colour, each with what it is called and comes to at its end;
 * and signs that stand on the axis. */
#ifndef LP_UI_WIDGETS_PANEL_H
#define LP_UI_WIDGETS_PANEL_H

#include "widgets/plot.h"

enum { LP_PANEL_LINES = 6, LP_PANEL_MARKS = 128, LP_PANEL_MARGIN = 5 /* columns of the y axis */ };

/* A sign above the axis: at its x, or as near to the right as there is a free column. */
typedef struct LpPanelMark {
    double x;
    uint32_t cp;
    LpStyle style;
} LpPanelMark;

typedef struct LpPanel {
    double from, to; /* of the x axis; from > 0 where it counts factors */
    bool log;
    int lines;
    const LpPlotLine *line; /* heights 0..1; the name is the whole text at its end, NULL: none. The
                               first is solid, the second dotted, others dashed */
    int marks;
    const LpPanelMark *mark;
} LpPanel;

/* Draws into the whole area; nothing where there is no room. O(columns * lines + marks). */
void lp_panel_draw(const LpPanel *panel, const LpArea *area);

#endif
