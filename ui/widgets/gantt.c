/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows over a common axis of time. */
#include "widgets/gantt.h"

#include <math.h>
#include <stdio.h>

#include "widgets/show.h"

enum { TICK_LEAST = 16 /* columns between two ticks */ };

double lp_gantt_time(const LpGantt *gantt, int column) {
    return gantt->from + gantt->width * column / gantt->columns;
}

int lp_gantt_column(const LpGantt *gantt, double time) {
    return (int)floor((time - gantt->from) / gantt->width * gantt->columns);
}

void lp_gantt_text(const LpGantt *gantt, int y, double start, double end, int inset, LpStyle style,
                   const char *text) {
    int from = lp_gantt_column(gantt, start), to = lp_gantt_column(gantt, end);
    from = from < 0 ? 0 : from;
    to = to > gantt->columns ? gantt->columns : to;
    if (lp_text_width(text) + 2 * inset <= to - from)
        lp_area_text(gantt->area, gantt->x + from + inset, y, style, text);
}

void lp_gantt_axis(const LpGantt *gantt, int y) {
    char text[LP_SHOW_TEXT];
    int ticks = gantt->columns / TICK_LEAST;
    double every = lp_show_nice(gantt->width / (ticks > 0 ? ticks : 1));
    int decimals = every < 1e-3 ? (int)ceil(-log10(every * 1e3) - 1e-9) : 0;
    for (double at = ceil(gantt->from / every) * every; at < gantt->from + gantt->width;
         at += every) {
        int column = lp_gantt_column(gantt, at);
        if (gantt->from + gantt->width < 1.0)
            snprintf(text, sizeof text, "%.*f ms", decimals, at * 1e3);
        else
            lp_show_seconds(at, text);
        if (column < 0 || column + lp_text_width(text) + 1 > gantt->columns)
            continue;
        lp_area_glyph(gantt->area, gantt->x + column, y, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_LEFT);
        lp_area_text(gantt->area, gantt->x + column + 1, y, LP_ROLE_MUTED, text);
    }
}

void lp_gantt_at(const LpGantt *gantt, int y, double time, const char *what) {
    int column = lp_gantt_column(gantt, time), width = lp_text_width(what);
    if (column < 0 || column >= gantt->columns)
        return;
    lp_area_glyph(gantt->area, gantt->x + column, y, LP_ROLE_CURSOR, LP_GLYPH_AT);
    if (column + 2 + width <= gantt->columns)
        lp_area_text(gantt->area, gantt->x + column + 2, y, LP_ROLE_CURSOR, what);
    else
        lp_area_right(gantt->area, gantt->x + column - 1, y, LP_ROLE_CURSOR, what);
}
