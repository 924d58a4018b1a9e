/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of a step whose circuits turn inside it, by the delay of a turn: two lines made of
 * straight pieces, whose slopes are the numbers of exposed turns, and what their kinks mean. */
#include <math.h>
#include <stdio.h>

#include "views/step/step_view_impl.h"
#include "widgets/chart.h"
#include "widgets/widgets_keys.h"

enum { NOTES = 7, CHART_LEAST = 4 };

static const char *const names[LP_TURN_ORDERS_COUNT] = {"on demand", "provisioned"};

/* ---- the range that is seen ---- */

static double zoom_of(const LpModel *model) {
    double zoom = lp_step_state(model)->delay_zoom;
    return zoom > 0 ? zoom : 1;
}

static double range_of(const LpModel *model) {
    return lp_delay_curve_most(lp_step_delay(model)->curve) / zoom_of(model);
}

double lp_view_delay_cursor(const LpModel *model) {
    const LpStepState *state = lp_step_state(model);
    double now = lp_delay_curve_now(lp_step_delay(model)->curve) / range_of(model);
    return state->delay_moved ? state->delay_at : fmin(now, 1);
}

/* ---- the chart ---- */

static double height(const void *data, double delay) {
    uint32_t slope;
    return lp_delay_line_at(data, delay, &slope);
}

/* The highest value in sight: where it is not known yet, that of the last point. */
static double highest(const LpModel *model, const LpDelayLine *line) {
    uint32_t slope;
    double at = lp_delay_line_at(line, range_of(model), &slope);
    return isnan(at) && line->points > 0 ? line->point[0].time : at;
}

/* Single points of both lines, until these are known. */
static uint32_t list_points(const LpDelayLine line[LP_TURN_ORDERS_COUNT], LpChartPoint *out,
                            uint32_t room) {
    uint32_t count = 0;
    for (int k = 0; k < LP_TURN_ORDERS_COUNT; k++)
        for (uint32_t i = 0; i < line[k].points && count < room; i++)
            out[count++] = (LpChartPoint){line[k].point[i].delay, line[k].point[i].time};
    return count;
}

static void draw_chart(const LpModel *model, const LpDelayLine line[LP_TURN_ORDERS_COUNT],
                       const LpArea *area) {
    const LpDelayCurve *curve = lp_step_delay(model)->curve;
    enum { POINTS = 128 };
    LpChartPoint point[POINTS];
    LpPlotLine lines[LP_TURN_ORDERS_COUNT];
    for (int k = 0; k < LP_TURN_ORDERS_COUNT; k++)
        lines[k] = (LpPlotLine){
            .at = height, .data = &line[k], .name = names[k], .style = lp_chart_style(k)};
    LpChart chart = {.to = range_of(model),
                     .print_x = lp_chart_seconds,
                     .print_y = lp_chart_seconds,
                     .lines = LP_TURN_ORDERS_COUNT,
                     .line = lines,
                     .points = list_points(line, point, POINTS),
                     .point = point,
                     .cursor = lp_view_delay_cursor(model)};
    lp_chart_fit(
        &chart, line[LP_TURN_PROVISIONED].piece[0].time,
        fmax(highest(model, &line[LP_TURN_DEMAND]), highest(model, &line[LP_TURN_PROVISIONED])),
        false);
    const LpChartMark now = {.x = lp_delay_curve_now(curve),
                             .y = lp_step_facts(model)->seen.step_time,
                             .low = chart.bottom,
                             .high = chart.top,
                             .glyph = LP_GLYPH_STARTED,
                             .style = LP_ROLE_PENDING};
    chart.marks = 1;
    chart.mark = &now;
    lp_chart_draw(&chart, area);
}

/* ---- what it says ---- */

static void draw_legend(const LpModel *model, const LpArea *area, int y) {
    const LpDelayCurve *curve = lp_step_delay(model)->curve;
    char delay[LP_SHOW_TEXT];
    int x = lp_area_textf(area, 0, y, LP_ROLE_PENDING, "%s now: %s, %s",
                          lp_glyph_text(LP_GLYPH_STARTED, area->canvas->ascii),
                          lp_show_seconds(lp_delay_curve_now(curve), delay),
                          names[lp_delay_curve_orders(curve)]);
    x = lp_area_textf(area, x + 3, y, lp_chart_style(0), "%s: solid", names[LP_TURN_DEMAND]);
    lp_area_textf(area, x + 3, y, lp_chart_style(1), "%s: gaps", names[LP_TURN_PROVISIONED]);
}

/* "at 25 ms: on demand 46.3 s, 46 exposed; provisioned 45.5 s, 15 exposed". */
static void draw_reading(const LpModel *model, const LpDelayLine line[LP_TURN_ORDERS_COUNT],
                         const LpArea *area, int y) {
    double delay = lp_view_delay_cursor(model) * range_of(model);
    char text[LP_SHOW_TEXT];
    int x = lp_area_textf(area, 0, y, LP_ROLE_CURSOR, "at %s", lp_show_seconds(delay, text));
    for (int k = 0; k < LP_TURN_ORDERS_COUNT; k++) {
        uint32_t slope;
        double time = lp_delay_line_at(&line[k], delay, &slope);
        x = lp_area_text(area, x, y, LP_ROLE_TEXT, k == 0 ? ": " : "; ");
        if (isnan(time))
            x = lp_area_textf(area, x, y, LP_ROLE_MUTED, "%s not known yet", names[k]);
        else
            x = lp_area_textf(area, x, y, LP_ROLE_TEXT, "%s %s, %u exposed", names[k],
                              lp_show_seconds(time, text), (unsigned)slope);
    }
}

/* "provisioned  slope 15, from 553 ms 30": the kinks. */
static void draw_kinks(const LpDelayLine *line, const char *name, const LpArea *area, int y) {
    LpBuf text = {0};
    char delay[LP_SHOW_TEXT];
    for (uint32_t i = 0; i < line->pieces; i++)
        if (i == 0)
            lp_buf_addf(&text, "%s: slope %u", name, (unsigned)line->piece[i].slope);
        else
            lp_buf_addf(&text, ", from %s %u", lp_show_seconds(line->piece[i].delay, delay),
                        (unsigned)line->piece[i].slope);
    if (!line->done)
        lp_buf_add(&text, ", being computed ...");
    else if (line->pieces == 1)
        lp_buf_add(&text, ", without a kink");
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* What the slope under the cursor comes to for the kind of orders that counts now. */
static void draw_meaning(const LpModel *model, const LpDelayLine line[LP_TURN_ORDERS_COUNT],
                         const LpArea *area, int y) {
    LpTurnOrders orders = lp_delay_curve_orders(lp_step_delay(model)->curve);
    const LpDelayLine *own = &line[orders];
    double delay = lp_view_delay_cursor(model) * range_of(model);
    LpBuf text = {0};
    char to[LP_SHOW_TEXT];
    uint32_t slope, i = 0;
    if (isnan(lp_delay_line_at(own, delay, &slope)))
        return;
    lp_buf_addf(&text, "slope = exposed turns: %s +1 ms of delay is +%u ms of step", names[orders],
                (unsigned)slope);
    while (i < own->pieces && own->piece[i].delay <= delay)
        i++;
    if (i < own->pieces)
        lp_buf_addf(&text, ", up to %s", lp_show_seconds(own->piece[i].delay, to));
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void draw_notes(const LpModel *model, const LpDelayLine line[LP_TURN_ORDERS_COUNT],
                       const LpArea *area, int y) {
    int w = area->rect.w;
    draw_legend(model, area, y);
    draw_reading(model, line, area, y + 1);
    draw_meaning(model, line, area, y + 2);
    lp_area_fit(area, 0, y + 3, w, LP_ROLE_TEXT,
                "kink: from that delay on turns stop hiding behind what is computed");
    for (int k = 0; k < LP_TURN_ORDERS_COUNT; k++)
        draw_kinks(&line[k], names[k], area, y + 4 + k);
    lp_area_keys(area, 0, y + 6, w, LP_ROLE_MUTED, model->ui->keymap,
                 "{left} {right} read off  {zoom-in} {zoom-out} zoom  {variant} the step  {adjust} "
                 "adjust the delay");
}

void lp_view_delay(const LpModel *model, const LpArea *area) {
    const LpStepDelay *delay = lp_step_delay(model);
    LpDelayLine line[LP_TURN_ORDERS_COUNT];
    if (delay->curve == NULL) {
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_MUTED, "being computed ...");
        return;
    }
    int rows = area->rect.h - NOTES, chart = rows >= CHART_LEAST ? rows : 0;
    for (int k = 0; k < LP_TURN_ORDERS_COUNT; k++)
        line[k] = lp_delay_curve_line(delay->curve, (LpTurnOrders)k);
    LpArea upper = lp_area_part(area, (LpRect){0, 0, area->rect.w, chart});
    draw_chart(model, line, &upper);
    draw_notes(model, line, area, chart);
}
