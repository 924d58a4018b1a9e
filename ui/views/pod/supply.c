/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What share of the pod slices can use while hosts fail, switched and static, by formula; and what
 * this run has had so far. */
#include <math.h>
#include <stdio.h>

#include "views/pod/pod_view_impl.h"
#include "widgets/chart.h"

enum { NOTES = 5 };

typedef struct Line {
    const LpPodCapacity *at;
    uint32_t points;
} Line;

/* The curve at x, a host's share of the time that it is down; NAN: not worked out yet. */
static double value_at(const void *data, double x) {
    const Line *line = data;
    double place = log(x / lp_pod_down(0)) / log(lp_pod_down(1) / lp_pod_down(0));
    uint32_t point = (uint32_t)lround(fmin(fmax(place, 0), 1) * (LP_POD_POINTS - 1));
    return point < line->points ? line->at[point].mean : (double)NAN;
}

static void print_up(double down, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.4g %%", 100 * (1 - down));
}

static void print_share(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2f", value);
}

static const double ticks[] = {0.0001, 0.0005, 0.001, 0.005, 0.01, 0.02, 0.05};

static double cursor_of(const LpModel *model) {
    const LpPodState *state = lp_pod_state(model);
    double one_percent = log(0.01 / lp_pod_down(0)) / log(lp_pod_down(1) / lp_pod_down(0));
    return state->chosen ? state->cursor : one_percent;
}

static void draw_chart(const LpModel *model, const LpArea *area) {
    const LpPodFacts *f = lp_pod_facts(model);
    uint32_t part = lp_pod_state(model)->part;
    const Line data[] = {{f->switched[part], f->supplied}, {f->fixed[part], f->supplied}};
    const LpPlotLine line[] = {{value_at, &data[0], "switched", lp_chart_style(0), false},
                               {value_at, &data[1], "static", lp_chart_style(1), true}};
    LpChart chart = {.from = lp_pod_down(0),
                     .to = lp_pod_down(1),
                     .top = 1,
                     .log_x = true,
                     .print_x = print_up,
                     .print_y = print_share,
                     .ticks = LP_COUNTOF(ticks),
                     .tick = ticks,
                     .lines = LP_COUNTOF(line),
                     .line = line,
                     .cursor = cursor_of(model)};
    lp_chart_draw(&chart, area);
}

static void draw_legend(const LpArea *area, int y) {
    int x = lp_area_text(area, 1, y, lp_chart_style(0), "switched: any cubes that work");
    x = lp_area_text(area, x + 3, y, lp_chart_style(1), "static: fixed places");
    lp_area_fit(area, x + 3, y, area->rect.w - x - 3, LP_ROLE_MUTED, "x: a host works so much");
}

/* Values where the cursor stands, worked out there and not at the nearest point. */
static void draw_reading(const LpModel *model, const LpArea *area, int y) {
    const LpPod *pod = lp_pod_of(model);
    uint32_t size = pod->cube * pod->cube * pod->cube, hosts = size > 4 ? size / 4 : 1;
    LpPodSupply supply = {.cubes = pod->cubes,
                          .of = lp_pod_part(model, lp_pod_state(model)->part),
                          .hosts = hosts,
                          .up = 1 - lp_pod_down(cursor_of(model)),
                          .share = 0.97};
    LpPodCapacity switched, fixed;
    LpDiag diag;
    if (lp_pod_capacity(&supply, &switched, &fixed, &diag) != LP_OK) {
        area->canvas->incomplete = true;
        return;
    }
    lp_area_textf(area, 1, y, LP_ROLE_TEXT, "at %.2f %%: switched %.4f, static %.4f",
                  100 * supply.up, switched.mean, fixed.mean);
    lp_area_textf(area, 1, y + 1, LP_ROLE_TEXT,
                  "promised for 97 %% of the time: switched %.2f, static %.2f", switched.promised,
                  fixed.promised);
}

/* Sizes that the run asks for, with what there was of them. */
static void draw_run(const LpModel *model, const LpArea *area, int y) {
    const LpPodFacts *f = lp_pod_facts(model);
    LpBuf text = {0};
    uint32_t of = lp_pod_part(model, lp_pod_state(model)->part);
    for (uint32_t i = 0; f->run_known && i < f->run.capacities; i++)
        if (f->run.capacity[i].cubes == of)
            lp_buf_addf(&text, "this run so far: switched %.4f, static %.4f",
                        f->run.capacity[i].switched, f->run.capacity[i].fixed);
    if (text.len == 0)
        lp_buf_addf(&text, "this run has no slices of %u cubes", (unsigned)of);
    lp_area_fit(area, 1, y, area->rect.w - 1, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

void lp_view_supply(const LpModel *model, const LpArea *area) {
    const LpPodFacts *f = lp_pod_facts(model);
    LpBuf title = {0};
    lp_buf_addf(&title, "CAPACITY share of %u cubes that slices of %u can use",
                (unsigned)lp_pod_of(model)->cubes,
                (unsigned)lp_pod_part(model, lp_pod_state(model)->part));
    if (f->supplied < LP_POD_POINTS)
        lp_buf_addf(&title, "; %u of %d points", (unsigned)f->supplied, (int)LP_POD_POINTS);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    int rows = box.rect.h - NOTES;
    LpArea chart = lp_area_part(&box, (LpRect){0, 0, box.rect.w - 1, rows});
    draw_chart(model, &chart);
    draw_legend(&box, rows);
    draw_reading(model, &box, rows + 1);
    draw_run(model, &box, rows + 3);
    lp_area_done(area, &title);
}
