/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves with the room that they deserve: axes with ticks and units, several lines told apart
 * without colour, points, and a cursor that reads values off. */
#ifndef LP_UI_WIDGETS_CHART_H
#define LP_UI_WIDGETS_CHART_H

#include "widgets/dots.h"
#include "widgets/plot.h"

/* What lines are made of. X(ID, "name") */
#define LP_CHART_INK_TABLE(X)                                                                      \
    X(BRAILLE, "braille")                                                                          \
    X(BLOCK, "block")

typedef enum LpChartInk {
#define X(id, name) LP_CHART_##id,
    LP_CHART_INK_TABLE(X)
#undef X
        LP_CHART_INK_COUNT
} LpChartInk;

const char *lp_chart_ink_name(LpChartInk ink);

/* Single values, drawn as dots. */
typedef struct LpChartPoint {
    double x, y;
} LpChartPoint;

/* A value with a sign of its own, over the lines. */
typedef struct LpChartMark {
    double x, y, low, high; /* low..high: an upright stroke, unless they are NAN */
    uint32_t cp;            /* the sign; 0: `glyph` */
    LpGlyph glyph;
    LpStyle style;
} LpChartMark;

typedef void LpChartPrint(double value, char text[LP_PLOT_LABEL]);

typedef struct LpChart {
    double from, to, bottom, top;    /* of the axes */
    bool log_x;                      /* the x axis counts factors; from > 0 */
    LpChartPrint *print_x, *print_y; /* with the unit */
    uint32_t ticks;
    const double *tick; /* of the x axis, rising, in the place of round numbers; 0 of them: those */
    const char *const *tick_name; /* of each; NULL: as print_x has them */
    int lines;
    const LpPlotLine *line; /* the first one is drawn last and is solid, the n-th has gaps */
    uint32_t points;
    const LpChartPoint *point;
    uint32_t marks;
    const LpChartMark *mark; /* the first one is drawn last */
    LpChartInk ink;
    double cursor; /* share of the x axis, 0..1; < 0: none */
} LpChart;

enum { LP_CHART_MARGIN = 9 }; /* columns left of the curves */

/* Columns of curves in an area of `width` columns. */
int lp_chart_columns(int width);
/* Draws into the whole area: curves, below them the axis and its numbers. Nothing where there is no
 * room. O(columns * lines + points + marks). */
void lp_chart_draw(const LpChart *chart, const LpArea *area);
/* Row of the height `y`, among `rows` from the top; the nearest one where it lies outside. */
int lp_chart_row(const LpChart *chart, double y, int rows);
/* The value at this share of the x axis. */
double lp_chart_x(const LpChart *chart, double share);
/* Puts both ends of the y axis where ticks are, so that low..high lies between them; `zero`: it
 * begins at 0 if nothing lies below. */
void lp_chart_fit(LpChart *chart, double low, double high, bool zero);
/* The style of the n-th of several lines, and of its marks and numbers. */
LpStyle lp_chart_style(int index);
/* Lowest and highest value of the lines where they are drawn, into what is there already. */
void lp_chart_span(const LpChart *chart, int columns, double *low, double *high);
/* Where values are read off in an area so wide: at the cursor, else at the right end. */
double lp_chart_reading(const LpChart *chart, int width);
/* The line above a chart: its name, which stands out where it is the chosen one. Returns the column
 * after it. */
int lp_chart_title(const LpArea *area, int x, bool chosen, const char *name);
/* "12.3 %", "366 s" */
LpChartPrint lp_chart_percent, lp_chart_seconds;
/* The column, of `columns`, in which a cursor at this share stands. */
int lp_chart_cursor_column(double cursor, int columns);

#endif
