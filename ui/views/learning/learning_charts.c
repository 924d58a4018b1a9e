/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws learning curves. */
#include "views/learning/learning_charts.h"

#include <math.h>
#include <stdio.h>

#include "widgets/show.h"

enum {
    TAGS = 2,                               /* columns for the numbers of the series */
    LEAST_COLS = 60,                        /* for more than one chart */
    TWO_BANDS = 14,                         /* rows for two charts below each other */
    THREE_BANDS = 36,                       /* rows for three of them */
    SPARSE = 4,                             /* columns for each evaluation's mark to stand out */
    CURSOR_STEPS = 100,                     /* of the cursor over the axis */
    MARKS = LP_CANVAS_MAX + LP_LEARN_SERIES /* one a column, and the best */
};

static const struct {
    LpLearnMetric metric, evaluated;
    const char *name;
    bool zero, percent;
} kinds[LP_LEARN_CHART_COUNT] = {
#define X(id, metric, evaluated, name, zero, percent)                                              \
    {LP_LEARN_##metric, LP_LEARN_##evaluated, name, zero, percent},
    LP_LEARN_CHART_TABLE(X)
#undef X
};

/* ---- values ---- */

typedef struct Line {
    const LpLearnCurve *curve;
    LpLearnMetric metric;
    bool evaluated;
} Line;

/* Where its first update began; one that went on from a checkpoint has no earlier ones. */
static double begin_of(const LpLearnCurve *c) {
    if (c->count == 0 || c->point[0].update <= 1)
        return 0.0;
    double first = (double)c->point[0].steps;
    double each = c->count > 1 ? (double)c->point[1].steps - first : 0.0;
    return fmax(first - each, 0.0);
}

static double value_at(const void *data, double steps) {
    const Line *l = data;
    const LpLearnCurve *c = l->curve;
    if (c->count == 0 || steps > (double)c->point[c->count - 1].steps || steps < begin_of(c))
        return (double)NAN;
    const LpLearnPoint *p = l->evaluated ? lp_learn_evaluated(c, steps) : lp_learn_at(c, steps);
    return p != NULL ? p->value[l->metric] : (double)NAN;
}

static void print_steps(double value, char text[LP_PLOT_LABEL]) {
    char full[LP_SHOW_TEXT];
    lp_str_copy(text, LP_PLOT_LABEL, lp_show_count((uint64_t)(fmax(value, 0.0) + 0.5), full));
    if (value < 0.5)
        lp_str_copy(text, LP_PLOT_LABEL, "0 decisions");
}

static void print_plain(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g", value);
}

/* ---- one chart ---- */

typedef struct Panel {
    const LpLearnCharts *charts;
    LpLearnChart kind;
    Line line[LP_LEARN_SERIES];
    LpPlotLine plot[LP_LEARN_SERIES];
    LpChartMark mark[MARKS];
    LpChart chart;
} Panel;

static double shortest(const LpLearnCharts *charts) {
    double least = (double)INFINITY;
    for (int i = 0; i < charts->count; i++)
        if (charts->series[i].curve->count > 0)
            least = fmin(least, begin_of(charts->series[i].curve));
    return isinf(least) ? 0.0 : least;
}

static double longest(const LpLearnCharts *charts) {
    double most = 0.0;
    for (int i = 0; i < charts->count; i++) {
        const LpLearnCurve *c = charts->series[i].curve;
        if (c->count > 0)
            most = fmax(most, (double)c->point[c->count - 1].steps);
    }
    return most;
}

static bool shows_evaluated(const Panel *p) {
    return p->charts->state->evaluated && kinds[p->kind].evaluated != LP_LEARN_COUNT;
}

static void add_mark(Panel *p, const LpLearnPoint *point, LpGlyph glyph, LpStyle style) {
    if (p->chart.marks == MARKS)
        return;
    p->mark[p->chart.marks++] = (LpChartMark){.x = (double)point->steps,
                                              .y = point->value[kinds[p->kind].evaluated],
                                              .low = (double)NAN,
                                              .high = (double)NAN,
                                              .glyph = glyph,
                                              .style = style};
}

/* The best first: it is drawn over the others. */
static void add_marks(Panel *p, int columns) {
    const LpLearnCharts *charts = p->charts;
    if (kinds[p->kind].evaluated == LP_LEARN_COUNT)
        return;
    for (int i = 0; i < charts->count; i++) {
        const LpLearnCurve *c = charts->series[i].curve;
        if (c->best > 0)
            add_mark(p, &c->point[c->best - 1], LP_GLYPH_BOOKMARK,
                     (LpStyle)((charts->count > 1 ? lp_chart_style(i) : (LpStyle)LP_ROLE_GOOD) |
                               LP_BOLD));
    }
    if (charts->count != 1 || shows_evaluated(p))
        return;
    const LpLearnCurve *c = charts->series[0].curve;
    bool sparse = (int64_t)c->evaluated * SPARSE <= columns;
    if (c->evaluated > (uint32_t)columns) {
        /* Of more evaluations than columns the last in each. */
        for (int x = 0; x < columns; x++) {
            double steps = lp_chart_x(&p->chart, (x + 1.0) / columns);
            const LpLearnPoint *point = lp_learn_evaluated(c, steps);
            if (point != NULL)
                add_mark(p, point, LP_GLYPH_FREE, LP_ROLE_TEXT);
        }
        return;
    }
    for (uint32_t i = c->count; i-- > 0 && p->chart.marks < MARKS;)
        if (!isnan(c->point[i].value[kinds[p->kind].evaluated]) && i + 1 != c->best)
            add_mark(p, &c->point[i], sparse ? LP_GLYPH_STARTED : LP_GLYPH_FREE, LP_ROLE_TEXT);
}

/* Both ends of what is drawn. */
static void fit(Panel *p, int columns) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    lp_chart_span(&p->chart, columns, &low, &high);
    for (uint32_t i = 0; i < p->chart.marks; i++) {
        low = fmin(low, p->mark[i].y);
        high = fmax(high, p->mark[i].y);
    }
    if (high >= low)
        lp_chart_fit(&p->chart, low, high, kinds[p->kind].zero);
}

static void prepare(Panel *p, const LpLearnCharts *charts, LpLearnChart kind, int width) {
    int columns = lp_chart_columns(width);
    *p = (Panel){.charts = charts, .kind = kind};
    bool evaluated = shows_evaluated(p);
    for (int i = 0; i < charts->count; i++) {
        p->line[i] = (Line){charts->series[i].curve,
                            evaluated ? kinds[kind].evaluated : kinds[kind].metric, evaluated};
        p->plot[i] =
            (LpPlotLine){value_at, &p->line[i], charts->series[i].name, lp_chart_style(i), i > 0};
    }
    p->chart = (LpChart){.from = shortest(charts),
                         .to = longest(charts),
                         .print_x = print_steps,
                         .print_y = kinds[kind].percent ? lp_chart_percent : print_plain,
                         .lines = charts->count,
                         .line = p->plot,
                         .mark = p->mark,
                         .ink = charts->state->ink,
                         .cursor = charts->state->cursor};
    if (columns < 1 || !(p->chart.to > p->chart.from))
        return;
    add_marks(p, columns);
    fit(p, columns);
}

/* The last value of a series that is not after `steps`. */
static double reading_of(const Panel *p, int index, double steps) {
    const LpLearnCurve *c = p->charts->series[index].curve;
    double end = c->count > 0 ? (double)c->point[c->count - 1].steps : 0.0;
    return value_at(&p->line[index], fmin(steps, end));
}

/* "reward 0.213, evaluated 0.33, best 0.35", or a value for each series. */
static void draw_title(const Panel *p, const LpArea *area) {
    const LpLearnCharts *charts = p->charts;
    bool chosen = charts->state->chart == p->kind, evaluated = shows_evaluated(p);
    double at = lp_chart_reading(&p->chart, area->rect.w - (charts->count > 1 ? TAGS : 0));
    char text[LP_PLOT_LABEL];
    if (chosen)
        lp_area_glyph(area, 0, 0, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
    int x = lp_chart_title(area, 1, chosen, kinds[p->kind].name);
    if (evaluated)
        x = lp_area_text(area, x + 1, 0, LP_ROLE_MUTED, "evaluated");
    for (int i = 0; i < charts->count && x + 6 < area->rect.w; i++) {
        double value = reading_of(p, i, at);
        lp_str_copy(text, sizeof text, "-");
        if (!isnan(value))
            p->chart.print_y(value, text);
        if (charts->count > 1)
            x = lp_area_textf(area, x + 2, 0, lp_chart_style(i) | LP_BOLD, "%d", i + 1);
        x = lp_area_text(area, x + 1, 0, LP_ROLE_TEXT, text);
    }
    const LpLearnCurve *c = charts->count == 1 ? charts->series[0].curve : NULL;
    if (c == NULL || evaluated || kinds[p->kind].evaluated == LP_LEARN_COUNT || c->best == 0)
        return;
    p->chart.print_y(c->point[c->best - 1].value[kinds[p->kind].evaluated], text);
    lp_area_glyph(area, x + 2, 0, LP_ROLE_GOOD | LP_BOLD, LP_GLYPH_BOOKMARK);
    x = lp_area_textf(area, x + 4, 0, LP_ROLE_TEXT, "best %s", text);
    lp_area_glyph(area, x + 2, 0, LP_ROLE_TEXT, LP_GLYPH_STARTED);
    lp_area_fit(area, x + 4, 0, area->rect.w - x - 4, LP_ROLE_MUTED, "evaluated");
}

/* The numbers of the series where their lines end. */
static void draw_tags(const Panel *p, const LpArea *area, int columns) {
    int h = area->rect.h - 2;
    bool taken[LP_CANVAS_MAX] = {false};
    for (int i = 0; i < p->chart.lines && h > 0; i++) {
        double value = reading_of(p, i, p->chart.to);
        if (isnan(value) || !(p->chart.top > p->chart.bottom))
            continue;
        int y = lp_chart_row(&p->chart, value, h);
        while (y > 0 && taken[y])
            y--;
        taken[y] = true;
        lp_area_put(area, LP_CHART_MARGIN + columns + 1, y, lp_chart_style(i) | LP_BOLD,
                    (uint32_t)('1' + i));
    }
}

void lp_learn_draw_chart(const LpLearnCharts *charts, LpLearnChart kind, const LpArea *area) {
    int tags = charts->count > 1 ? TAGS : 0, w = area->rect.w, h = area->rect.h;
    Panel p;
    if (w < LP_CHART_MARGIN + 4 || h < 1)
        return;
    prepare(&p, charts, kind, w - tags);
    LpArea title = lp_area_part(area, (LpRect){0, 0, w, 1});
    draw_title(&p, &title);
    LpArea below = lp_area_part(area, (LpRect){0, 1, w, h - 1});
    LpArea inside = lp_area_part(&below, (LpRect){0, 0, w - tags, h - 1});
    lp_chart_draw(&p.chart, &inside);
    if (tags > 0)
        draw_tags(&p, &below, lp_chart_columns(w - tags));
}

/* ---- all of them ---- */

/* Charts `first` .. `first + count - 1` beside each other. */
static void draw_band(const LpLearnCharts *charts, int first, int count, LpRect rect,
                      const LpArea *area) {
    for (int i = 0; i < count && first + i < LP_LEARN_CHART_COUNT; i++) {
        int x = rect.w * i / count, end = rect.w * (i + 1) / count;
        LpArea cell = lp_area_part(area, (LpRect){x, rect.y, end - x - (i + 1 < count), rect.h});
        lp_learn_draw_chart(charts, (LpLearnChart)(first + i), &cell);
    }
}

void lp_learn_draw(const LpLearnCharts *charts, const LpArea *area) {
    static const int in_band[] = {2, 3, 3};
    int w = area->rect.w, h = area->rect.h;
    int bands = h >= THREE_BANDS ? 3 : h >= TWO_BANDS ? 2 : 1;
    if (charts->state->alone || w < LEAST_COLS) {
        lp_learn_draw_chart(charts, charts->state->chart, area);
        return;
    }
    for (int band = 0, first = 0, y = 0; band < bands; band++) {
        int left = h - y, high = band + 1 == bands ? left
                                 : band == 0       ? h * (5 - bands) / 5
                                                   : left / 2;
        draw_band(charts, first, in_band[band], (LpRect){0, y, w, high}, area);
        first += in_band[band];
        y += high;
    }
}

/* ---- keys ---- */

void lp_learn_move(LpLearnState *state, int lines) {
    int chart = (int)state->chart + (lines < 0 ? -1 : 1);
    state->chart = (LpLearnChart)((chart + LP_LEARN_CHART_COUNT) % LP_LEARN_CHART_COUNT);
}

void lp_learn_along(LpLearnState *state, int columns) {
    double from = state->cursor < 0.0 ? 1.0 : state->cursor;
    state->cursor = fmin(fmax(from + (double)columns / CURSOR_STEPS, 0.0), 1.0);
}
