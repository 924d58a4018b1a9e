/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel of knobs: knobs on the left, the curve and the figures of both runs on the right, and
 * what the marked knob means below. */
#include <math.h>
#include <stdio.h>

#include "views/adjust/adjust_view_impl.h"
#include "widgets/chart.h"
#include "widgets/widgets_list.h"

enum { NAME_COLS = 19, LIST_COLS = 42, BESIDE = 74, FOOT = 3, FIGURES = 6, CHART_LEAST = 6 };
enum { NOW_END = 17, THEN_END = 25, CHANGE_END = 34 }; /* of the columns of figures */

/* ---- values ---- */

static const char *show_value(const LpRunKnob *knob, double value, char text[LP_SHOW_TEXT]) {
    if (knob->dim == LP_DIM_TIME)
        return lp_show_seconds(value, text);
    if (knob->dim == LP_DIM_BYTES)
        return lp_show_bytes(value, text);
    if (knob->dim != LP_DIM_NONE)
        return lp_quantity_print(value, knob->dim, text, LP_SHOW_TEXT);
    if (knob->whole && value >= 0)
        return lp_show_count((uint64_t)value, text);
    snprintf(text, LP_SHOW_TEXT, knob->factor ? "x%.4g" : "%.4g", value);
    return text;
}

/* "0.9 --> 0.5" */
static void draw_value(const LpArea *area, int x, int y, const LpRunKnob *knob) {
    bool ascii = area->canvas->ascii;
    char text[LP_SHOW_TEXT];
    bool turned = lp_knob_is_turned(knob);
    x = lp_area_text(area, x, y, turned ? LP_ROLE_MUTED : LP_ROLE_TEXT,
                     show_value(knob, knob->base, text));
    if (!turned)
        return;
    lp_area_repeat(area, x + 1, y, 2, LP_ROLE_PENDING, LP_GLYPH_HORIZONTAL);
    lp_area_put(area, x + 3, y, LP_ROLE_PENDING, lp_glyph(LP_GLYPH_POINTER, ascii));
    lp_area_text(area, x + 5, y, LP_ROLE_PENDING | LP_BOLD, show_value(knob, knob->value, text));
}

/* ---- the list ---- */

/* Line of a knob in the list, whose groups have headings. */
static int line_of(const LpKnobs *knobs, uint32_t row) {
    int line = (int)row;
    for (uint32_t i = 0; i <= row && i < knobs->count; i++)
        line += i == 0 || knobs->row[i].heading != knobs->row[i - 1].heading;
    return line;
}

static void draw_list(const LpAdjustFacts *s, const LpArea *area) {
    const LpKnobs *knobs = &s->knobs;
    int lines = knobs->count > 0 ? line_of(knobs, knobs->count - 1) + 1 : 0;
    int first = lp_list_around(line_of(knobs, s->row), lines, area->rect.h);
    for (uint32_t i = 0; i < knobs->count; i++) {
        int y = line_of(knobs, i) - first;
        if ((i == 0 || knobs->row[i].heading != knobs->row[i - 1].heading) && y - 1 >= 0)
            lp_area_text(area, 1, y - 1, LP_ROLE_LABEL, knobs->row[i].heading);
        if (y >= 0 && y < area->rect.h) {
            const LpRunKnob *knob = &s->knobs.row[i];
            bool marked = i == s->row;
            LpStyle style = marked ? LP_ROLE_CURSOR : LP_ROLE_TEXT;
            if (marked)
                lp_area_glyph(area, 0, y, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
            lp_area_fit(area, 2, y, NAME_COLS - 1, style, knob->name);
            draw_value(area, 2 + NAME_COLS, y, knob);
            lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_ROW, i);
        }
    }
    if (lines > area->rect.h) {
        char text[64];
        snprintf(text, sizeof text, "%u of %u", (unsigned)s->row + 1, (unsigned)knobs->count);
        lp_area_right(area, area->rect.w - 2, area->rect.h - 1, LP_ROLE_MUTED, text);
    }
}

/* ---- the curve ---- */

static double share_at(const void *data, double x) {
    const LpAdjustRun *run = data;
    uint32_t low = 0, high = run->jcts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->jct[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return run->arrived > 0 ? (double)low / (double)run->arrived : (double)NAN;
}

static void print_share(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2g", value);
}

static void widen(const LpAdjustRun *run, double *least, double *most) {
    if (run->jcts == 0)
        return;
    *least = fmin(*least, run->jct[0]);
    *most = fmax(*most, run->jct[run->jcts - 1]);
}

static void draw_curve(const LpAdjustFacts *s, const LpArea *area) {
    double least = (double)INFINITY, most = 0;
    bool turned = s->turned.jcts > 0;
    const LpPlotLine line[] = {
        {share_at, &s->turned, "turned", lp_chart_style(0), false},
        {share_at, &s->as_is, "as it is", turned ? LP_ROLE_MUTED : lp_chart_style(0), turned}};
    widen(&s->as_is, &least, &most);
    widen(&s->turned, &least, &most);
    if (!(most > 0) || area->rect.h < CHART_LEAST)
        return;
    LpChart chart = {.from = fmax(least * 0.8, most * 1e-6),
                     .to = most * 1.2,
                     .top = 1,
                     .log_x = true,
                     .print_x = lp_chart_seconds,
                     .print_y = print_share,
                     .lines = turned ? 2 : 1,
                     .line = turned ? line : line + 1,
                     .cursor = -1};
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_LABEL,
                turned ? "JCT  dotted: as it was" : "JCT of the arrived jobs");
    lp_chart_draw(&chart, &below);
}

/* ---- figures ---- */

typedef struct Figure {
    const char *name;
    double now, then; /* NAN: not known yet */
    bool share, seconds;
} Figure;

static void show_figure(const Figure *f, double value, bool sign, char text[LP_SHOW_TEXT]) {
    char bare[LP_SHOW_TEXT];
    bool none = f->share ? fabs(value) < 0.0005 : value == 0;
    const char *plus = !sign || isnan(value) || none ? "" : value < 0 ? "-" : "+";
    double size = sign ? fabs(value) : value;
    if (isnan(value))
        snprintf(text, LP_SHOW_TEXT, "-");
    else if (f->seconds)
        snprintf(text, LP_SHOW_TEXT, "%s%.30s", plus, lp_show_seconds(size, bare));
    else if (f->share)
        snprintf(text, LP_SHOW_TEXT, "%s%.1f%s", plus, size * 100, sign ? " pt" : " %");
    else
        snprintf(text, LP_SHOW_TEXT, "%s%.0f", plus, size);
}

static void draw_figure(const LpArea *area, int y, const Figure *f) {
    char text[LP_SHOW_TEXT];
    lp_area_text(area, 0, y, LP_ROLE_TEXT, f->name);
    show_figure(f, f->now, false, text);
    lp_area_right(area, NOW_END, y, LP_ROLE_TEXT, text);
    show_figure(f, f->then, false, text);
    lp_area_right(area, THEN_END, y, LP_ROLE_PENDING, text);
    show_figure(f, f->then - f->now, true, text);
    lp_area_right(area, CHANGE_END, y, LP_ROLE_TEXT, text);
}

static double known(const LpAdjustRun *run, double value) {
    return run->done && !run->failed ? value : (double)NAN;
}

static void draw_figures(const LpAdjustFacts *s, const LpArea *area) {
    const LpSummary *a = &s->as_is.sum, *b = &s->turned.sum;
    const LpAdjustRun *now = &s->as_is, *then = &s->turned;
    const Figure figure[] = {
        {"arrived", known(now, (double)a->arrived), known(then, (double)b->arrived), false, false},
        {"done", known(now, (double)a->completed), known(then, (double)b->completed), false, false},
        {"blocked", known(now, a->blocking_rate), known(then, b->blocking_rate), true, false},
        {"mean JCT", known(now, a->mean_jct), known(then, b->mean_jct), false, true},
        {"busy", known(now, a->server_utilisation), known(then, b->server_utilisation), true,
         false},
    };
    lp_area_text(area, 0, 0, LP_ROLE_MUTED, "at the end");
    lp_area_right(area, NOW_END, 0, LP_ROLE_MUTED, "now");
    lp_area_right(area, THEN_END, 0, LP_ROLE_MUTED, "turned");
    lp_area_right(area, CHANGE_END, 0, LP_ROLE_MUTED, "change");
    for (size_t i = 0; i < LP_COUNTOF(figure); i++)
        draw_figure(area, 1 + (int)i, &figure[i]);
}

/* ---- below ---- */

static void draw_keys(const LpArea *area, int y, const LpKeymap *keymap) {
    char text[200];
    lp_area_fit(area, 1, y, area->rect.w - 1, LP_ROLE_MUTED,
                lp_keymap_text(keymap,
                               "{up} {down} knob  {left} {right} turn  {take} keep it  "
                               "{variant} as it was  {out} leave",
                               text, sizeof text));
}

static void draw_foot(const LpModel *model, const LpAdjustFacts *s, const LpArea *area) {
    const LpRunKnob *knob = s->row < s->knobs.count ? &s->knobs.row[s->row] : NULL;
    if (knob == NULL)
        return;
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, knob->name);
    if (knob->meaning[0] != '\0')
        x = lp_area_text(area, x, 0, LP_ROLE_TEXT, ": ");
    lp_area_fit(area, x, 0, area->rect.w - x, LP_ROLE_TEXT, knob->meaning);
    if (area->rect.h > 1)
        lp_area_fit(area, 1, 1, area->rect.w - 1, LP_ROLE_MUTED,
                    lp_knob_is_whole_run(knob)
                        ? "It counts for a whole run: that is worked out anew, from t = 0."
                        : "It counts from now on, for the same jobs.");
    if (area->rect.h > 2)
        draw_keys(area, 2, model->ui->keymap);
}

static void draw_right(const LpAdjustFacts *s, const LpArea *area) {
    int figures = area->rect.h < FIGURES + CHART_LEAST ? 0 : FIGURES + 1;
    LpArea upper = lp_area_part(area, (LpRect){0, 0, area->rect.w, area->rect.h - figures});
    LpArea lower = lp_area_part(area, (LpRect){0, area->rect.h - FIGURES, area->rect.w, FIGURES});
    if (figures > 0)
        draw_curve(s, &upper);
    draw_figures(s, &lower);
}

void lp_view_adjust(const LpModel *model, const LpArea *area) {
    const LpAdjustFacts *s = lp_adjust_facts(model);
    LpArea box = lp_area_heading(area, "ADJUST knobs of this run");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    int foot = inside.rect.h > 8 ? FOOT : 1, list = inside.rect.h - foot;
    bool beside = inside.rect.w >= BESIDE;
    LpArea left = lp_area_part(&inside, (LpRect){0, 0, beside ? LIST_COLS : inside.rect.w, list});
    LpArea right = lp_area_part(&inside, (LpRect){LIST_COLS, 0, inside.rect.w - LIST_COLS, list});
    LpArea below = lp_area_part(&inside, (LpRect){0, list, inside.rect.w, foot});
    if (!s->open)
        return;
    draw_list(s, &left);
    if (beside)
        draw_right(s, &right);
    draw_foot(model, s, &below);
}
