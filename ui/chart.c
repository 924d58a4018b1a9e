/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts. */
#include "chart.h"

#include <math.h>
#include <string.h>

#include "show.h"

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

bool lp_chart_has_ink(int index, int column) {
    return index == 0 || column % (index + 1) != index;
}

double lp_chart_step(double to, int most) {
    return lp_show_nice(fmax(to / (most > 1 ? most : 1), 1e-12));
}

/* --- axes --- */

static int line_of(const Frame *f, double y) {
    int line = (int)floor((1.0 - y / f->chart->top) * (f->h - 1) + 0.5);
    return line < 0 ? 0 : line >= f->h ? f->h - 1 : line;
}

static int column_of(const Frame *f, double x) {
    const LpChart *c = f->chart;
    return (int)floor((x - c->from) / (c->to - c->from) * (f->w - 1) + 0.5);
}

static void draw_y(const Frame *f) {
    const LpChart *c = f->chart;
    double step = lp_chart_step(c->top, f->h / TICK_LINES);
    char text[LP_PLOT_LABEL];
    for (int y = 0; y < f->h; y++)
        lp_area_glyph(f->area, LP_CHART_MARGIN - 1, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
    for (int i = 0; i * step <= c->top * (1 + 1e-9); i++) {
        int y = line_of(f, i * step);
        c->print_y(i * step, text);
        int width = lp_text_width(text), room = LP_CHART_MARGIN - 2;
        lp_area_fit(f->area, width < room ? room - width : 0, y, room, LP_ROLE_MUTED, text);
        lp_area_glyph(f->area, LP_CHART_MARGIN - 1, y, LP_ROLE_BORDER, LP_GLYPH_TICK_LEFT);
    }
}

static void draw_x(const Frame *f) {
    const LpChart *c = f->chart;
    double step = lp_chart_step(c->to - c->from, f->w / TICK_COLS);
    char text[LP_PLOT_LABEL];
    int end = 0;
    lp_area_repeat(f->area, LP_CHART_MARGIN - 1, f->h, f->w + 1, LP_ROLE_BORDER,
                   LP_GLYPH_HORIZONTAL);
    lp_area_glyph(f->area, LP_CHART_MARGIN - 1, f->h, LP_ROLE_BORDER, LP_GLYPH_CROSS);
    for (double i = fmax(ceil(c->from / step - 1e-9), 0.0); i * step <= c->to * (1 + 1e-9); i++) {
        int x = LP_CHART_MARGIN + column_of(f, i * step);
        c->print_x(i * step, text);
        int width = lp_text_width(text), at = x - width / 2;
        at = at + width > f->area->rect.w ? f->area->rect.w - width : at;
        if (x > LP_CHART_MARGIN)
            lp_area_glyph(f->area, x, f->h, LP_ROLE_BORDER, LP_GLYPH_CROSS);
        if (at > end || end == 0)
            end = lp_area_text(f->area, at < 0 ? 0 : at, f->h + 1, LP_ROLE_MUTED, text);
    }
}

/* --- curves --- */

static int dot_row(const Frame *f, double y) {
    int dots = 4 * f->h, row = (int)floor((1.0 - y / f->chart->top) * (dots - 1) + 0.5);
    return row < 0 ? 0 : row >= dots ? dots - 1 : row;
}

/* A line of steps: level, and up or down where the next value is another. */
static void draw_line(const Frame *f, LpDots *dots, int index) {
    const LpChart *c = f->chart;
    const LpPlotLine *line = &c->line[index];
    int last = -1;
    for (int x = 0; x < 2 * f->w; x++) {
        double value = line->at(line->data, c->from + (c->to - c->from) * (x + 1) / (2.0 * f->w));
        if (isnan(value)) {
            last = -1;
            continue;
        }
        int row = dot_row(f, value), before = last < 0 ? row : last;
        int step = row < before ? -1 : 1;
        for (int y = before; lp_chart_has_ink(index, x / 2); y += step) {
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
        double share = (c->point[i].x - c->from) / (c->to - c->from);
        if (share >= 0.0 && share <= 1.0)
            lp_dots_put(dots, (int)(share * (2 * f->w - 1)), dot_row(f, c->point[i].y),
                        LP_ROLE_MUTED);
    }
}

static void draw_cursor(const Frame *f) {
    int x = LP_CHART_MARGIN + lp_chart_cursor_column(f->chart->cursor, f->w);
    for (int y = 0; y < f->h; y++) {
        const LpCell *cell =
            lp_canvas_at(f->area->canvas, f->area->rect.x + x, f->area->rect.y + y);
        if (cell && cell->cp == ' ')
            lp_area_glyph(f->area, x, y, LP_ROLE_CURSOR, LP_GLYPH_CURSOR);
        else
            lp_area_mark(f->area, x, y, 1, LP_REVERSE);
    }
}

int lp_chart_cursor_column(double cursor, int columns) {
    int x = (int)floor(cursor * (columns - 1) + 0.5);
    return x < 0 ? 0 : x >= columns ? columns - 1 : x;
}

void lp_chart_draw(const LpChart *chart, const LpArea *area) {
    Frame f = {chart, area, lp_chart_columns(area->rect.w), area->rect.h - BELOW};
    LpDots dots;
    if (f.w < 4 || f.h < 1 || !(chart->to > chart->from) || !(chart->top > 0.0))
        return;
    LpArea inside = lp_area_part(area, (LpRect){LP_CHART_MARGIN, 0, f.w, f.h});
    draw_y(&f);
    draw_x(&f);
    lp_dots_open(&dots, f.w, f.h);
    dots.blocks = chart->ink == LP_CHART_BLOCK;
    draw_points(&f, &dots);
    for (int i = chart->lines - 1; i >= 0; i--)
        draw_line(&f, &dots, i);
    lp_dots_close(&dots, &inside);
    if (chart->cursor >= 0.0)
        draw_cursor(&f);
}
