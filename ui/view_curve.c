/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JCT curve: which fraction of the jobs is done within x. Of the jobs that arrived it levels
 * off below 1 where jobs are blocked or unfinished; of completed jobs only it always ends at 1. */
#include "view.h"

#include <math.h>
#include <stdio.h>

enum { AXIS = 6 }; /* columns of the labels and the axis */

/* The plot: dots in braille cells, two wide and four high. */
typedef struct Plot {
    const LpArea *area;
    int x, y, w, h; /* cells */
    double end;     /* s at the right edge */
    double base;    /* jobs that 1.0 stands for */
} Plot;

static double fraction_at(const Plot *plot, uint32_t done) {
    return plot->base > 0.0 ? done / plot->base : 0.0;
}

/* Row of dots, from the top, for a fraction. */
static int dot_row(const Plot *plot, double fraction) {
    int dots = plot->h * 4, row = (int)((1.0 - fmin(fraction, 1.0)) * (dots - 1) + 0.5);
    return row < 0 ? 0 : row >= dots ? dots - 1 : row;
}

/* Draws column by column: a step goes from the last height to the new one. */
static void draw_curve(const LpModel *model, const Plot *plot) {
    uint32_t done = 0;
    int last = plot->h * 4 - 1;
    for (int column = 0; column < plot->w; column++) {
        uint32_t bits[LP_CANVAS_MAX] = {0};
        for (int half = 0; half < 2; half++) {
            double until = plot->end * (2 * column + half + 1) / (2.0 * plot->w);
            while (done < model->jct_count && model->jct[done] <= until)
                done++;
            int row = dot_row(plot, fraction_at(plot, done));
            for (int dot = row; dot <= (last > row ? last : row); dot++)
                if (dot == row || dot < last)
                    bits[dot / 4] |= 1u << (half + 2 * (dot % 4));
            last = row;
        }
        for (int y = 0; y < plot->h; y++)
            if (bits[y])
                lp_area_put(plot->area, plot->x + column, plot->y + y, LP_ROLE_CURVE,
                            lp_glyph_dots(bits[y], plot->area->canvas->ascii));
    }
}

static void draw_axes(const Plot *plot) {
    const LpArea *area = plot->area;
    char end[LP_SHOW_TEXT];
    int bottom = plot->y + plot->h - 1;
    lp_area_text(area, 0, plot->y, LP_ROLE_MUTED, "1.0");
    if (plot->h >= 5)
        lp_area_text(area, 0, plot->y + plot->h / 2, LP_ROLE_MUTED, "0.5");
    if (plot->h > 1)
        lp_area_text(area, 0, bottom, LP_ROLE_MUTED, "0.0");
    for (int y = plot->y; y <= bottom; y++)
        lp_area_glyph(area, 4, y, LP_ROLE_BORDER,
                      y == plot->y  ? LP_GLYPH_TICK_LEFT
                      : y == bottom ? LP_GLYPH_CROSS
                                    : LP_GLYPH_VERTICAL);
    if (isnan(plot->end))
        return;
    lp_show_seconds(plot->end, end);
    lp_area_text(area, plot->x + plot->w + 1, bottom, LP_ROLE_MUTED, end);
}

/* ".78 meets-deadline", beside where the curve ends. */
static void draw_legend(const LpModel *model, const Plot *plot) {
    double fraction = fraction_at(plot, model->jct_count);
    const char *policy = lp_session_policy_name(model->session);
    int x = plot->x + plot->w + 1, room = plot->area->rect.w - x;
    int y = plot->y + dot_row(plot, fraction) / 4;
    char text[LP_SHOW_TEXT];
    if (y >= plot->y + plot->h - 1 && plot->h > 1)
        y--;
    snprintf(text, sizeof text, "%.2f", fraction);
    x = lp_area_fit(plot->area, x, y, room, LP_ROLE_CURVE, text);
    lp_area_fit(plot->area, x + 1, y, room - 5, LP_ROLE_TEXT,
                policy && *policy ? policy : "defaults");
}

void lp_view_curve(const LpModel *model, const LpArea *area) {
    const LpTally *tally = lp_world_tally(model->world);
    bool completed_only = model->ui->completed_only;
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[120];
    snprintf(title, sizeof title, "JCT %s fraction of %s jobs done within x", dash,
             completed_only ? "COMPLETED" : "ARRIVED");
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    int legend = inside.rect.w >= 48 ? 21 : 15;
    Plot plot = {&inside, AXIS - 1, 0, inside.rect.w - AXIS - legend, inside.rect.h, 1.0, 0.0};
    if (plot.w < 4 || plot.h < 1)
        return;
    if (model->jct_count == 0) {
        plot.end = (double)NAN;
        draw_axes(&plot);
        lp_area_text(&inside, AXIS, plot.h / 2, LP_ROLE_MUTED, "no job is done yet");
        return;
    }
    plot.end = lp_show_nice(fmax(model->jct[model->jct_count - 1], 1e-9));
    plot.base = completed_only ? (double)model->jct_count : (double)tally->arrived;
    draw_axes(&plot);
    draw_curve(model, &plot);
    draw_legend(model, &plot);
}
