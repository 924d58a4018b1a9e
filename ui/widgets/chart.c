/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts. */
#include "widgets/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "widgets/show.h"

enum { BELOW = 2, TICK_COLS = 14, TICK_LINES = 3 };

static const char *const ink_names[] = {
#define X(id, name) name,
    LP_CHART_INK_TABLE(X)
#undef X
};

const char *lp_chart_ink_name(LpChartInk ink) {
    return ink_names[ink];
}

typedef struct Frame {
    const LpChart *chart;
    const LpArea *area;
    int w, h; /* of the curves */
} Frame;

int lp_chart_columns(int width) {
    return width - LP_CHART_MARGIN;
}

/* The gaps that tell line `index` apart: does it have ink in this column? */
static bool has_ink(int index, int column) {
    return index == 0 || column % (index + 1) != index;
}

/* A step of 1, 2 or 5 times a power of ten by which 0..to has about `most` ticks at most. */
static double step_of(double to, int most) {
    double step = fmax(to / (most > 1 ? most : 1), 1e-12);
    return step < 1e290 ? lp_show_nice(step) : step; /* beyond that nothing is nice */
}

/* ---- axes ---- */

/* The place on the y axis, 0 at the top. */
static double depth_of(const LpChart *c, double y) {
    return 1.0 - (y - c->bottom) / (c->top - c->bottom);
}

/* The nearest of 0 .. count - 1, whatever comes: numbers of files may be as large as doubles are.
 */
static int whole_of(double value, int count) {
    double rounded = floor(value + 0.5);
    return rounded >= count - 1 ? count - 1 : rounded > 0.0 ? (int)rounded : 0;
}

int lp_chart_row(const LpChart *chart, double y, int rows) {
    return whole_of(depth_of(chart, y) * (rows - 1), rows);
}

static double share_of(const LpChart *c, double x) {
    if (c->log_x)
        return x > 0.0 ? log(x / c->from) / log(c->to / c->from) : -1.0;
    return (x - c->from) / (c->to - c->from);
}

double lp_chart_x(const LpChart *c, double share) {
    return c->log_x ? c->from * pow(c->to / c->from, share) : c->from + (c->to - c->from) * share;
}

void lp_chart_fit(LpChart *c, double low, double high, bool zero) {
    double from = zero && low >= 0.0 ? 0.0 : low;
    if (!(high > from)) { /* a single value, or none */
        high = from > 0.0 || from < 0.0 ? from + fabs(from) / 2.0 : 1.0;
        from = zero && low >= 0.0 ? 0.0 : from - (high - from);
    }
    double least = 1e-6 * fmax(fabs(from), fabs(high)); /* nothing finer can be counted in ticks */
    double step = step_of(fmax(high - from, least), 4);
    c->bottom = floor(from / step + 1e-9) * step;
    c->top = fmax(ceil(high / step - 1e-9) * step, c->bottom + step);
}

static int line_of(const Frame *f, double y) {
    return lp_chart_row(f->chart, y, f->h);
}

static int column_of(const Frame *f, double x) {
    return whole_of(share_of(f->chart, x) * (f->w - 1), f->w);
}

static void draw_y(const Frame *f) {
    const LpChart *c = f->chart;
    double step = step_of(c->top - c->bottom, f->h / TICK_LINES);
    if (c->bottom >= 0.0 && c->bottom <= 0.0 && step > c->top)
        step = c->top; /* both ends, at least */
    char text[LP_PLOT_LABEL];
    for (int y = 0; y < f->h; y++)
        lp_area_glyph(f->area, LP_CHART_MARGIN - 1, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
    for (double i = ceil(c->bottom / step - 1e-9); i * step <= c->top + step * 1e-9; i++) {
        int y = line_of(f, i * step);
        c->print_y(i * step + 0.0, text); /* no minus before 0 */
        int width = lp_text_width(text), room = LP_CHART_MARGIN - 2;
        lp_area_fit(f->area, width < room ? room - width : 0, y, room, LP_ROLE_MUTED, text);
        lp_area_glyph(f->area, LP_CHART_MARGIN - 1, y, LP_ROLE_BORDER, LP_GLYPH_TICK_LEFT);
    }
}

/* The number of a tick of the x axis, or its name, and the column where it begins. */
static int place_tick(const Frame *f, double value, const char *name, char text[LP_PLOT_LABEL]) {
    int x = LP_CHART_MARGIN + column_of(f, value);
    if (name != NULL)
        lp_str_copy(text, LP_PLOT_LABEL, name);
    else
        f->chart->print_x(value, text);
    int width = lp_text_width(text), at = x - width / 2;
    return at + width > f->area->rect.w ? f->area->rect.w - width : at;
}

/* A tick of the x axis, and its number if there is room right of `end`; returns where that ends. */
static int draw_tick(const Frame *f, double value, const char *name, int end) {
    int x = LP_CHART_MARGIN + column_of(f, value);
    char text[LP_PLOT_LABEL];
    int at = place_tick(f, value, name, text);
    if (x > LP_CHART_MARGIN)
        lp_area_glyph(f->area, x, f->h, LP_ROLE_BORDER, LP_GLYPH_CROSS);
    if (at > end || end == 0)
        end = lp_area_text(f->area, at < 0 ? 0 : at, f->h + 1, LP_ROLE_MUTED, text);
    return end;
}

/* 1, 2 and 5 times powers of ten. */
static void draw_factors(const Frame *f) {
    static const double steps[] = {1.0, 2.0, 5.0};
    double ten = pow(10.0, floor(log10(f->chart->from)));
    for (int end = 0; ten <= f->chart->to; ten *= 10.0)
        for (size_t i = 0; i < LP_COUNTOF(steps); i++) {
            double value = ten * steps[i], share = share_of(f->chart, value);
            if (share >= -1e-9 && share <= 1.0 + 1e-9)
                end = draw_tick(f, value, NULL, end);
        }
}

/* Those that were given; the last number has its place before those on its left. */
static void draw_given(const Frame *f) {
    const LpChart *c = f->chart;
    char text[LP_PLOT_LABEL];
    uint32_t right = c->ticks - 1;
    const char *right_name = c->tick_name != NULL ? c->tick_name[right] : NULL;
    int end = 0, last = place_tick(f, c->tick[right], right_name, text);
    for (uint32_t i = 0; i < right; i++) {
        const char *name = c->tick_name != NULL ? c->tick_name[i] : NULL;
        int at = place_tick(f, c->tick[i], name, text);
        bool room = at + lp_text_width(text) < last;
        int drawn = draw_tick(f, c->tick[i], name, room ? end : f->area->rect.w);
        end = room ? drawn : end;
    }
    draw_tick(f, c->tick[right], right_name, 0);
}

static void draw_x(const Frame *f) {
    const LpChart *c = f->chart;
    double step = step_of(c->to - c->from, f->w / TICK_COLS);
    lp_area_repeat(f->area, LP_CHART_MARGIN - 1, f->h, f->w + 1, LP_ROLE_BORDER,
                   LP_GLYPH_HORIZONTAL);
    lp_area_glyph(f->area, LP_CHART_MARGIN - 1, f->h, LP_ROLE_BORDER, LP_GLYPH_CROSS);
    int end = 0;
    if (c->ticks > 0) {
        draw_given(f);
        return;
    }
    if (c->log_x) {
        draw_factors(f);
        return;
    }
    for (double i = fmax(ceil(c->from / step - 1e-9), 0.0); i * step <= c->to * (1 + 1e-9); i++)
        end = draw_tick(f, i * step, NULL, end);
}

/* ---- curves ---- */

static int dot_row(const Frame *f, double y) {
    return lp_chart_row(f->chart, y, 4 * f->h);
}

/* A line of steps: level, and up or down where the next value is another. */
static void draw_line(const Frame *f, LpDots *dots, int index) {
    const LpChart *c = f->chart;
    const LpPlotLine *line = &c->line[index];
    int last = -1;
    for (int x = 0; x < 2 * f->w; x++) {
        double value = line->at(line->data, lp_chart_x(c, (x + 1) / (2.0 * f->w)));
        if (isnan(value)) {
            last = -1;
            continue;
        }
        int row = dot_row(f, value), before = last < 0 ? row : last;
        int step = row < before ? -1 : 1;
        for (int y = before; has_ink(index, x / 2); y += step) {
            if (y != before || row == before)
                lp_dots_put(dots, x, y, line->style);
            if (y == row)
                break;
        }
        last = row;
    }
}

static void draw_points(const Frame *f, LpDots *dots) {
    const LpChart *c = f->chart;
    for (uint32_t i = 0; i < c->points; i++) {
        double share = share_of(c, c->point[i].x);
        if (share >= 0.0 && share <= 1.0)
            lp_dots_put(dots, (int)(share * (2 * f->w - 1)), dot_row(f, c->point[i].y),
                        LP_ROLE_MUTED);
    }
}

static bool is_inside(const Frame *f, const LpChartMark *mark) {
    double share = share_of(f->chart, mark->x);
    return share >= -1e-9 && share <= 1.0 + 1e-9 && !isnan(mark->y);
}

static void draw_strokes(const Frame *f, LpDots *dots) {
    const LpChart *c = f->chart;
    for (uint32_t i = c->marks; i-- > 0;) {
        const LpChartMark *m = &c->mark[i];
        if (!is_inside(f, m) || isnan(m->low) || isnan(m->high))
            continue;
        int x = 2 * column_of(f, m->x), last = dot_row(f, m->low);
        for (int y = dot_row(f, m->high); y <= last; y++)
            lp_dots_put(dots, x, y, m->style);
    }
}

static void draw_marks(const Frame *f) {
    const LpChart *c = f->chart;
    for (uint32_t i = c->marks; i-- > 0;) {
        const LpChartMark *m = &c->mark[i];
        int x = LP_CHART_MARGIN + column_of(f, m->x);
        if (!is_inside(f, m))
            continue;
        if (m->cp != 0)
            lp_area_put(f->area, x, line_of(f, m->y), m->style, m->cp);
        else
            lp_area_glyph(f->area, x, line_of(f, m->y), m->style, m->glyph);
    }
}

int lp_chart_cursor_column(double cursor, int columns) {
    return whole_of(cursor * (columns - 1), columns);
}

void lp_chart_draw(const LpChart *chart, const LpArea *area) {
    Frame f = {chart, area, lp_chart_columns(area->rect.w), area->rect.h - BELOW};
    LpDots dots;
    if (f.w < 4 || f.h < 1 || !(chart->to > chart->from) || !(chart->top > chart->bottom) ||
        (chart->log_x && !(chart->from > 0.0)))
        return;
    LpArea inside = lp_area_part(area, (LpRect){LP_CHART_MARGIN, 0, f.w, f.h});
    draw_y(&f);
    draw_x(&f);
    lp_dots_open(&dots, f.w, f.h);
    dots.blocks = chart->ink == LP_CHART_BLOCK;
    draw_points(&f, &dots);
    for (int i = chart->lines - 1; i >= 0; i--)
        draw_line(&f, &dots, i);
    draw_strokes(&f, &dots);
    lp_dots_close(&dots, &inside);
    draw_marks(&f);
    if (chart->cursor >= 0.0) {
        int x = LP_CHART_MARGIN + lp_chart_cursor_column(f.chart->cursor, f.w);
        for (int y = 0; y < f.h; y++) {
            const LpCell *cell =
                lp_canvas_at(f.area->canvas, f.area->rect.x + x, f.area->rect.y + y);
            if (cell && cell->cp == ' ')
                lp_area_glyph(f.area, x, y, LP_ROLE_CURSOR, LP_GLYPH_CURSOR);
            else
                lp_area_mark(f.area, x, y, 1, LP_REVERSE);
        }
    }
}

LpStyle lp_chart_style(int index) {
    return (LpStyle)(index == 0 ? LP_ROLE_CURVE : LP_ROLE_JOB0 + (index - 1) % LP_JOB_ROLES);
}

void lp_chart_span(const LpChart *chart, int columns, double *low, double *high) {
    for (int i = 0; i < chart->lines; i++)
        for (int x = 0; x < 2 * columns; x++) {
            const LpPlotLine *line = &chart->line[i];
            double value = line->at(line->data, lp_chart_x(chart, (x + 1) / (2.0 * columns)));
            *low = fmin(*low, value); /* not for NAN */
            *high = fmax(*high, value);
        }
}

double lp_chart_reading(const LpChart *chart, int width) {
    int columns = lp_chart_columns(width);
    if (chart->cursor < 0.0 || columns < 2)
        return chart->to;
    return lp_chart_x(chart, (lp_chart_cursor_column(chart->cursor, columns) + 1.0) / columns);
}

int lp_chart_title(const LpArea *area, int x, bool chosen, const char *name) {
    return lp_area_text(area, x, 0, chosen ? LP_ROLE_STAGE | LP_BOLD : (LpStyle)LP_ROLE_LABEL,
                        name);
}

void lp_chart_percent(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g %%", 100.0 * value);
}

void lp_chart_seconds(double value, char text[LP_PLOT_LABEL]) {
    char full[LP_SHOW_TEXT];
    lp_str_copy(text, LP_PLOT_LABEL, lp_show_seconds(value, full));
}
