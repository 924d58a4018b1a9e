/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws curves in braille dots, two wide and four high in a cell. */
#include "widgets/plot.h"

#include <math.h>

#include "term/glyph.h"

enum { AXIS = 6, LEAST = 4 }; /* columns of the labels and the axis; of the curves */

typedef struct Frame {
    const LpArea *area;
    const LpPlot *plot;
    int x, w, h; /* cells */
} Frame;

static int columns_of(const LpPlot *plot, int width) {
    return width - AXIS - plot->legend;
}

/* Row of dots, from the top. */
static int dot_row(const Frame *f, double value) {
    int dots = f->h * 4;
    int row = (int)((1.0 - fmin(value / f->plot->top, 1.0)) * (dots - 1) + 0.5);
    return row < 0 ? 0 : row >= dots ? dots - 1 : row;
}

/* The dots of one column: each half is a step from the last height to its own. */
static void dots_of(const Frame *f, const LpPlotLine *line, int column, int *last,
                    uint32_t bits[LP_CANVAS_MAX]) {
    const LpPlot *p = f->plot;
    for (int half = 0; half < 2; half++) {
        double share = (2 * column + half + 1) / (2.0 * f->w);
        double value = line->at(line->data, p->from + (p->to - p->from) * share);
        if (isnan(value)) {
            *last = -1;
            continue;
        }
        int row = dot_row(f, value), before = *last < 0 ? row : *last;
        int low = row < before ? row : before, high = row < before ? before : row;
        for (int dot = low; dot <= high; dot++)
            if (dot == row || dot != before)
                bits[dot / 4] |= 1u << (half + 2 * (dot % 4));
        *last = row;
    }
}

static void draw_line(const Frame *f, const LpPlotLine *line) {
    int last = f->h * 4 - 1;
    for (int column = 0; column < f->w; column++) {
        uint32_t bits[LP_CANVAS_MAX] = {0};
        dots_of(f, line, column, &last, bits);
        for (int y = 0; y < f->h && !(line->dashed && column % 2); y++)
            if (bits[y])
                lp_area_put(f->area, f->x + column, y, line->style,
                            lp_glyph_dots(bits[y], f->area->canvas->ascii));
    }
}

static void draw_axes(const Frame *f) {
    const LpPlot *p = f->plot;
    int bottom = f->h - 1;
    lp_area_text(f->area, 0, 0, LP_ROLE_MUTED, p->top_label);
    if (f->h >= 5)
        lp_area_text(f->area, 0, f->h / 2, LP_ROLE_MUTED, p->middle_label);
    if (f->h > 1)
        lp_area_text(f->area, 0, bottom, LP_ROLE_MUTED, p->top_label[1] == '.' ? "0.0" : "0");
    for (int y = 0; y <= bottom; y++)
        lp_area_glyph(f->area, AXIS - 2, y, LP_ROLE_BORDER,
                      y == 0        ? LP_GLYPH_TICK_LEFT
                      : y == bottom ? LP_GLYPH_CROSS
                                    : LP_GLYPH_VERTICAL);
    lp_area_text(f->area, f->x + f->w + 1, bottom, LP_ROLE_MUTED, p->end);
}

/* Has nothing been written there, right of the curves? */
static bool is_blank(const Frame *f, int y) {
    for (int x = f->x + f->w + 1; x < f->area->rect.w; x++) {
        const LpCell *cell =
            lp_canvas_at(f->area->canvas, f->area->rect.x + x, f->area->rect.y + y);
        if (cell != NULL && cell->cp != ' ')
            return false;
    }
    return true;
}

/* The row without a name that is nearest, above the axis; -1: none is left. */
static int free_row(const Frame *f, int near) {
    int rows = f->h > 1 ? f->h - 1 : 1;
    near = near < rows ? near : rows - 1;
    for (int off = 0; off < rows; off++) {
        if (near - off >= 0 && is_blank(f, near - off))
            return near - off;
        if (near + off < rows && is_blank(f, near + off))
            return near + off;
    }
    return -1;
}

/* ".78 meets-deadline", beside where the curve ends, or near there; what has no row left has no
 * name. */
static void draw_legend(const Frame *f, const LpPlotLine *line) {
    double value = line->at(line->data, f->plot->to);
    int x = f->x + f->w + 1, room = f->area->rect.w - x;
    int y = free_row(f, isnan(value) ? 0 : dot_row(f, value) / 4);
    char text[LP_PLOT_LABEL] = "-";
    if (y < 0)
        return;
    if (!isnan(value))
        f->plot->print(value, text);
    x = lp_area_fit(f->area, x, y, room, line->style, text);
    lp_area_fit(f->area, x + 1, y, f->area->rect.w - x - 1, LP_ROLE_TEXT, line->name);
}

void lp_plot_draw(const LpPlot *plot, const LpArea *area, const char *empty) {
    Frame f = {area, plot, AXIS - 1, columns_of(plot, area->rect.w), area->rect.h};
    if (f.w < LEAST || f.h < 1)
        return;
    draw_axes(&f);
    if (empty) {
        lp_area_text(area, AXIS, f.h / 2, LP_ROLE_MUTED, empty);
        return;
    }
    for (int i = plot->lines - 1; i >= 0; i--)
        draw_line(&f, &plot->line[i]);
    for (int i = 0; i < plot->lines; i++)
        draw_legend(&f, &plot->line[i]);
}
