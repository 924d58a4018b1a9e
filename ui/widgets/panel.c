/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts of a few rows: dots in braille cells, an axis of seconds. */
#include "widgets/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "widgets/show.h"

enum { LEAST = 4, TICKS = 64 };

typedef struct Frame {
    const LpArea *area;
    const LpPanel *panel;
    int w, h; /* of the curves */
} Frame;

static double share_of(const LpPanel *p, double x) {
    if (!p->log)
        return (x - p->from) / (p->to - p->from);
    return x > 0.0 ? log(x / p->from) / log(p->to / p->from) : -1.0;
}

static double value_of(const LpPanel *p, double share) {
    return p->log ? p->from * pow(p->to / p->from, share) : p->from + (p->to - p->from) * share;
}

/* Column of a value, 0 to columns - 1; outside where the value lies outside. */
static int column_of(const LpPanel *panel, double x, int columns) {
    double at = floor(share_of(panel, x) * columns);
    return at < 0.0 ? -1 : at >= columns ? columns : (int)at;
}

/* ---- axes ---- */

static void draw_y(const Frame *f) {
    int half = f->h / 2;
    lp_area_text(f->area, 0, 0, LP_ROLE_MUTED, "1.0");
    if (f->h >= 4)
        lp_area_text(f->area, 0, half, LP_ROLE_MUTED, "0.5");
    lp_area_text(f->area, 0, f->h, LP_ROLE_MUTED, "0.0");
    for (int y = 0; y < f->h; y++)
        lp_area_glyph(f->area, LP_PANEL_MARGIN - 1, y, LP_ROLE_BORDER,
                      y == 0 || (y == half && f->h >= 4) ? LP_GLYPH_TICK_LEFT : LP_GLYPH_VERTICAL);
}

/* The values that are written below, ascending: 1, 2, 5 times powers of ten; multiples of such a
 * step on a linear axis. */
static int ticks_of(const LpPanel *p, double out[TICKS]) {
    static const double steps[] = {1.0, 2.0, 5.0};
    int count = 0;
    if (!p->log) {
        double step = lp_show_nice((p->to - p->from) / 6.0);
        for (double at = step; at < p->to && count < TICKS; at += step)
            out[count++] = at;
        return count;
    }
    for (double power = pow(10.0, floor(log10(p->from))); power <= p->to; power *= 10.0)
        for (int i = 0; i < 3 && count < TICKS; i++)
            if (steps[i] * power > p->from && steps[i] * power < p->to)
                out[count++] = steps[i] * power;
    return count;
}

static void draw_x(const Frame *f) {
    double tick[TICKS];
    int count = ticks_of(f->panel, tick), free_from = 0;
    lp_area_glyph(f->area, LP_PANEL_MARGIN - 1, f->h, LP_ROLE_BORDER, LP_GLYPH_BOTTOM_LEFT);
    lp_area_repeat(f->area, LP_PANEL_MARGIN, f->h, f->w, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    for (int i = 0; i < count; i++) {
        char text[LP_SHOW_TEXT];
        int x = column_of(f->panel, tick[i], f->w);
        int width = lp_text_width(lp_show_seconds(tick[i], text));
        if (x < free_from || x + 1 + width > f->w)
            continue;
        lp_area_glyph(f->area, LP_PANEL_MARGIN + x, f->h, LP_ROLE_BORDER, LP_GLYPH_TICK_UP);
        lp_area_text(f->area, LP_PANEL_MARGIN + x + 1, f->h, LP_ROLE_MUTED, text);
        free_from = x + width + 2;
    }
}

/* ---- lines ---- */

static int dot_row(const Frame *f, double value) {
    int dots = f->h * 4, row = (int)((1.0 - fmin(value, 1.0)) * (dots - 1) + 0.5);
    return row < 0 ? 0 : row >= dots ? dots - 1 : row;
}

/* The first is solid, the second dotted, others dashed. */
static bool has_gap(int index, int column) {
    return index == 1 ? column % 2 != 0 : index > 1 ? column % 4 == 3 : false;
}

/* Steps: each half of a cell goes from the last height to its own. */
static void draw_line(const Frame *f, int index) {
    const LpPlotLine *line = &f->panel->line[index];
    int last = f->h * 4 - 1;
    for (int column = 0; column < f->w; column++) {
        uint32_t bits[LP_CANVAS_MAX] = {0};
        for (int half = 0; half < 2; half++) {
            double share = (2 * column + half + 1) / (2.0 * f->w);
            double value = line->at(line->data, value_of(f->panel, share));
            int row = isnan(value) ? last : dot_row(f, value);
            for (int dot = row < last ? row : last; dot <= (row < last ? last : row); dot++)
                if (dot == row || dot != last)
                    bits[dot / 4] |= 1u << (half + 2 * (dot % 4));
            last = row;
        }
        for (int y = 0; y < f->h && !has_gap(index, column); y++)
            if (bits[y])
                lp_area_put(f->area, LP_PANEL_MARGIN + column, y, line->style,
                            lp_glyph_dots(bits[y], f->area->canvas->ascii));
    }
}

/* The free row nearest to `y`, below it or else above; -1: none. */
static int free_row(const bool *taken, int y, int lowest) {
    int below = y > lowest ? lowest : y, above = below;
    while (below <= lowest && taken[below])
        below++;
    while (above >= 0 && taken[above])
        above--;
    return below <= lowest ? below : above;
}

/* Above the end of each line, or near to that where the row is taken; not over the marks. */
static void draw_tags(const Frame *f) {
    bool taken[LP_CANVAS_MAX] = {false};
    int lowest = f->h - (f->panel->marks > 0 && f->h > 2 ? 2 : 1);
    for (int i = 0; i < f->panel->lines; i++) {
        const LpPlotLine *line = &f->panel->line[i];
        double value = line->at(line->data, f->panel->to);
        int y = isnan(value) ? 0 : dot_row(f, value) / 4 - 1;
        if (!line->name)
            continue;
        y = free_row(taken, y < 0 ? 0 : y, lowest);
        if (y < 0)
            continue;
        taken[y] = true;
        int end = f->area->rect.w, width = lp_text_width(line->name);
        int x = end - width > LP_PANEL_MARGIN + 1 ? end - width : LP_PANEL_MARGIN + 1;
        lp_area_put(f->area, x - 1, y, LP_ROLE_TEXT, ' ');
        lp_area_fit(f->area, x, y, end - x, line->style, line->name);
    }
}

static void draw_marks(const Frame *f) {
    bool taken[LP_CANVAS_MAX] = {false};
    for (int i = 0; i < f->panel->marks; i++) {
        const LpPanelMark *mark = &f->panel->mark[i];
        int x = column_of(f->panel, mark->x, f->w);
        if (x < 0)
            x = 0;
        while (x < f->w && taken[x])
            x++;
        for (x = x < f->w ? x : f->w - 1; x > 0 && taken[x];) /* at the end there is no room */
            x--;
        taken[x] = true;
        lp_area_put(f->area, LP_PANEL_MARGIN + x, f->h - 1, mark->style, mark->cp);
    }
}

void lp_panel_draw(const LpPanel *panel, const LpArea *area) {
    Frame f = {area, panel, area->rect.w - LP_PANEL_MARGIN, area->rect.h - 1};
    if (f.w < LEAST || f.h < 1 || !(panel->to > panel->from))
        return;
    draw_y(&f);
    draw_x(&f);
    for (int i = panel->lines - 1; i >= 0; i--)
        draw_line(&f, i);
    draw_tags(&f);
    draw_marks(&f);
}
