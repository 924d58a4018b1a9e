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
} Plot;

/* The completion times of one branch, ascending. */
typedef struct Curve {
    const double *jct;
    uint32_t count;
    double base; /* jobs that 1.0 stands for */
    const char *name;
    LpStyle style;
    bool dashed;
} Curve;

static double fraction_at(const Curve *curve, uint32_t done) {
    return curve->base > 0.0 ? done / curve->base : 0.0;
}

/* Row of dots, from the top, for a fraction. */
static int dot_row(const Plot *plot, double fraction) {
    int dots = plot->h * 4, row = (int)((1.0 - fmin(fraction, 1.0)) * (dots - 1) + 0.5);
    return row < 0 ? 0 : row >= dots ? dots - 1 : row;
}

/* Draws column by column: a step goes from the last height to the new one. */
static void draw_curve(const Plot *plot, const Curve *curve) {
    uint32_t done = 0;
    int last = plot->h * 4 - 1;
    for (int column = 0; column < plot->w; column++) {
        uint32_t bits[LP_CANVAS_MAX] = {0};
        for (int half = 0; half < 2; half++) {
            double until = plot->end * (2 * column + half + 1) / (2.0 * plot->w);
            while (done < curve->count && curve->jct[done] <= until)
                done++;
            int row = dot_row(plot, fraction_at(curve, done));
            for (int dot = row; dot <= (last > row ? last : row); dot++)
                if (dot == row || dot < last)
                    bits[dot / 4] |= 1u << (half + 2 * (dot % 4));
            last = row;
        }
        for (int y = 0; y < plot->h && !(curve->dashed && column % 2); y++)
            if (bits[y])
                lp_area_put(plot->area, plot->x + column, plot->y + y, curve->style,
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

/* ".78 meets-deadline", beside where the curve ends; not on the row that is taken. Returns the
 * row. */
static int draw_legend(const Plot *plot, const Curve *curve, int taken) {
    double fraction = fraction_at(curve, curve->count);
    int x = plot->x + plot->w + 1, room = plot->area->rect.w - x;
    int y = plot->y + dot_row(plot, fraction) / 4;
    char text[LP_SHOW_TEXT];
    if (y >= plot->y + plot->h - 1 && plot->h > 1)
        y--;
    if (y == taken)
        y += y > plot->y ? -1 : 1;
    if (taken >= 0 && y >= plot->y + plot->h - 1)
        return y; /* no room left for a second one */
    snprintf(text, sizeof text, "%.2f", fraction);
    x = lp_area_fit(plot->area, x, y, room, curve->style, text);
    lp_area_fit(plot->area, x + 1, y, room - 5, LP_ROLE_TEXT, curve->name);
    return y;
}

static double base_of(const LpModel *model, const LpWorld *world, uint32_t completed) {
    return model->ui->completed_only ? (double)completed : (double)lp_world_tally(world)->arrived;
}

/* The curve of the branch that is shown, and of the one it is compared with. */
static int gather(const LpModel *model, Curve curve[2]) {
    const LpOther *other = &model->time.other;
    const char *policy = lp_session_policy_name(model->session);
    curve[0] = (Curve){model->jct,
                       model->jct_count,
                       base_of(model, model->world, model->jct_count),
                       policy && *policy ? policy : "defaults",
                       LP_ROLE_CURVE,
                       false};
    if (!other->world || other->short_of)
        return 1;
    curve[0].name = model->time.branch.name;
    curve[1] =
        (Curve){other->jct,  other->jct_count, base_of(model, other->world, other->jct_count),
                other->name, LP_ROLE_MUTED,    true};
    return 2;
}

static double last_of(const Curve *curve) {
    return curve->count ? curve->jct[curve->count - 1] : 0.0;
}

void lp_view_curve(const LpModel *model, const LpArea *area) {
    bool completed_only = model->ui->completed_only;
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[120];
    snprintf(title, sizeof title, "JCT %s fraction of %s jobs done within x", dash,
             completed_only ? "COMPLETED" : "ARRIVED");
    LpArea box = lp_area_box(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    int legend = inside.rect.w >= 48 ? 21 : 15;
    Plot plot = {&inside, AXIS - 1, 0, inside.rect.w - AXIS - legend, inside.rect.h, 1.0};
    Curve curve[2] = {{0}, {0}};
    int curves = gather(model, curve);
    if (plot.w < 4 || plot.h < 1)
        return;
    if (curve[0].count + curve[1].count == 0) {
        plot.end = (double)NAN;
        draw_axes(&plot);
        lp_area_text(&inside, AXIS, plot.h / 2, LP_ROLE_MUTED, "no job is done yet");
        return;
    }
    plot.end = lp_show_nice(fmax(fmax(last_of(&curve[0]), last_of(&curve[1])), 1e-9));
    draw_axes(&plot);
    for (int i = curves - 1; i >= 0; i--)
        draw_curve(&plot, &curve[i]);
    for (int i = 0, taken = -1; i < curves; i++)
        taken = draw_legend(&plot, &curve[i], taken);
}
