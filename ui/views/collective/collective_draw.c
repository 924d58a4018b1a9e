/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A collective on circuits as a picture: what it comes to, its steps, the curve by delay, the
 * slider. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/collective/collective_view_impl.h"
#include "widgets/chart.h"

enum {
    BESIDE = 32,
    LEAST_COLS = 60,
    LEAST_ROWS = 18,
    SERVER_ROWS = 24,
    STEPS = 6,
    SERVERS = 4,
    LINE = 160
};

/* ---- in words ---- */

/* "3 turns", "stay, then 3 turns", "stay". */
static void print_choice(const LpCollectiveFacts *f, char *text, size_t size) {
    char turns[LP_MANY_TEXT];
    bool stays_first = f->choice[0] == 's' && f->best.turns > 0;
    snprintf(text, size, "%s%s", stays_first ? "stay, then " : "",
             f->best.turns > 0 ? lp_str_many(turns, f->best.turns, "turn") : "stay");
}

static const char *base_name(const LpCollSpec *spec, char text[LP_COLLECTIVE_NAME]) {
    if (spec->base == LP_COLL_BASE_TORUS)
        snprintf(text, LP_COLLECTIVE_NAME, "torus %ux%u", (unsigned)spec->side[0],
                 (unsigned)spec->side[1]);
    else
        snprintf(text, LP_COLLECTIVE_NAME, "%s",
                 spec->base == LP_COLL_BASE_RING ? "ring" : "nothing");
    return text;
}

static void draw_head(const LpModel *model, const LpArea *area) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    const LpCollectiveState *state = lp_collective_state(model);
    const LpCollSpec *spec = &state->spec;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT], d[LP_SHOW_TEXT], how[LINE],
        rate[LP_SHOW_TEXT], base[LP_COLLECTIVE_NAME];
    const char *fan = spec->fan > 1 ? ", several at a time" : "";
    int title = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "COLLECTIVE") + 1;
    lp_area_textf(area, title, 0, LP_ROLE_TITLE | LP_BOLD, "%s%s%s, %s, %s, %u servers",
                  lp_coll_algorithm_words()[spec->algorithm],
                  spec->order == LP_COLL_NEAR  ? ""
                  : spec->order == LP_COLL_FAR ? " far"
                                               : " swing",
                  fan, lp_coll_op_words()[spec->op], lp_show_bytes(spec->bytes, a),
                  (unsigned)spec->servers);
    lp_area_right(area, area->rect.w - 1, 0, LP_ROLE_LABEL, lp_coll_orders_name(state->orders));
    print_choice(f, how, sizeof how);
    int x = lp_area_textf(area, 1, 1, LP_ROLE_CURSOR | LP_BOLD,
                          "%s delay %s:", lp_glyph_text(LP_GLYPH_POINTER, area->canvas->ascii),
                          lp_show_seconds(f->delay, a));
    lp_area_textf(area, x + 1, 1, LP_ROLE_TEXT, "%s %s; all stay %s, all turn %s", how,
                  lp_show_seconds(f->best.time, b), lp_show_seconds(f->stay, c),
                  lp_show_seconds(f->every_turn, d));
    lp_area_textf(area, 1, 2, LP_ROLE_MUTED, "%u ports of %s, %s a hop, lit before the start: %s",
                  (unsigned)spec->ports,
                  lp_quantity_print(spec->rate, LP_DIM_BANDWIDTH, rate, sizeof rate),
                  lp_show_seconds(spec->hop, a), base_name(spec, base));
}

/* ---- the curve ---- */

static double best_at(const void *data, double delay) {
    const LpCollectiveFacts *f = data;
    return lp_coll_curve_at(f->piece, f->pieces, delay);
}

static double stay_at(const void *data, LP_UNUSED double delay) {
    return ((const LpCollectiveFacts *)data)->stay;
}

static double rival_of(const LpCollectiveFacts *f) {
    return isnan(f->ring) ? f->direct : f->ring;
}

static double rival_at(const void *data, LP_UNUSED double delay) {
    return rival_of(data);
}

static double largest(double a, double b) {
    return b > a ? b : a; /* b may be NAN */
}

static void draw_chart(const LpModel *model, const LpArea *area) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    const LpCollectiveState *state = lp_collective_state(model);
    const LpPlotLine line[] = {
        {.at = best_at, .data = f, .name = "best", .style = lp_chart_style(0)},
        {.at = stay_at, .data = f, .name = "staying", .style = lp_chart_style(1)},
        {.at = rival_at, .data = f, .name = "beside", .style = lp_chart_style(2)}};
    double marked = state->mark >= 0 ? lp_collective_delay(state->mark) : (double)NAN;
    LpChart chart = {.to = 2 * f->delay,
                     .print_x = lp_chart_seconds,
                     .print_y = lp_chart_seconds,
                     .lines = (int)LP_COUNTOF(line),
                     .line = line,
                     .cursor = 0.5};
    double high = largest(largest(best_at(f, chart.to), f->stay), rival_of(f));
    lp_chart_fit(&chart, 0, high, true);
    const LpChartMark mark = {.x = marked,
                              .y = best_at(f, marked),
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .glyph = LP_GLYPH_BOOKMARK,
                              .style = LP_ROLE_PENDING};
    chart.marks = marked <= chart.to;
    chart.mark = &mark;
    lp_chart_draw(&chart, area);
}

/* "turns 4 up to 83.9 us, 3 up to 117 us, then 0". */
static void draw_corners(const LpCollectiveFacts *f, const LpArea *area, int y) {
    LpBuf text = {0};
    char delay[LP_SHOW_TEXT];
    lp_buf_add(&text, "turns ");
    for (uint32_t i = 0; i < f->pieces; i++) {
        lp_buf_addf(&text, "%s%u",
                    i == 0              ? ""
                    : i + 1 < f->pieces ? ", "
                                        : ", then ",
                    (unsigned)f->piece[i].slope);
        if (i + 1 < f->pieces)
            lp_buf_addf(&text, " up to %s", lp_show_seconds(f->piece[i + 1].delay, delay));
    }
    lp_area_fit(area, 1, y, area->rect.w - 1, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void draw_beats(const LpCollectiveFacts *f, const LpArea *area, int y) {
    double other = rival_of(f);
    const char *name = isnan(f->ring) ? "all at once on the base" : "the ring algorithm";
    char delay[LP_SHOW_TEXT];
    if (isnan(other))
        return;
    double below = lp_coll_curve_below(f->piece, f->pieces, other);
    if (below > 0 && below < (double)INFINITY)
        lp_area_textf(area, 1, y, LP_ROLE_TEXT, "beats %s below %s", name,
                      lp_show_seconds(below, delay));
    else
        lp_area_textf(area, 1, y, LP_ROLE_TEXT, "%s beats %s", below > 0 ? "always" : "never",
                      name);
}

void lp_view_collective_curve(const LpModel *model, const LpArea *area) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    LpArea body = lp_area_heading(area, "TIME by delay");
    lp_area_heading_note(area, "TIME by delay", 30, LP_ROLE_MUTED, "solid: best");
    int h = body.rect.h;
    LpArea chart = lp_area_part(&body, (LpRect){0, 0, body.rect.w, h - 2});
    draw_chart(model, &chart);
    draw_corners(f, &body, h - 2);
    draw_beats(f, &body, h - 1);
}

/* ---- beside it ---- */

static int add_line(const LpArea *area, int y, LpStyle style, const char *name, double time) {
    char text[LP_SHOW_TEXT];
    if (isnan(time) || y >= area->rect.h)
        return y;
    lp_area_fit(area, 1, y, area->rect.w - 14, style, name);
    lp_area_right(area, area->rect.w - 1, y, style, lp_show_seconds(time, text));
    return y + 1;
}

void lp_view_collective_beside(const LpModel *model, const LpArea *area) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    char title[LINE], delay[LP_SHOW_TEXT];
    snprintf(title, sizeof title, "BESIDE IT at %s", lp_show_seconds(f->delay, delay));
    LpArea body = lp_area_heading(area, title);
    int y = add_line(&body, 0, LP_ROLE_TEXT | LP_BOLD, "this one", f->best.time);
    y = add_line(&body, y, LP_ROLE_TEXT, "half by half", f->overlap);
    y = add_line(&body, y, LP_ROLE_TEXT, "ring algorithm", f->ring);
    y = add_line(&body, y, LP_ROLE_TEXT, "all at once", f->direct);
    y = add_line(&body, y, LP_ROLE_MUTED, "no circuits beat", f->bound);
    for (uint32_t i = 0; i < f->rivals; i++)
        y = add_line(&body, y, f->rival[i].time < f->best.time ? LP_ROLE_GOOD : LP_ROLE_TEXT,
                     f->rival[i].name, f->rival[i].time);
}

/* ---- the slider ---- */

static void draw_slider(const LpModel *model, const LpArea *area, int y) {
    const LpCollectiveState *state = lp_collective_state(model);
    char delay[LP_SHOW_TEXT];
    int x = lp_area_textf(area, 1, y, LP_ROLE_LABEL, "delay %8s  ",
                          lp_show_seconds(lp_collective_delay(state->stop), delay));
    int end = area->rect.w - 16, columns = end - x;
    if (columns < 10)
        return;
    lp_area_repeat(area, x, y, columns, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    lp_area_glyph(area, x, y, LP_ROLE_BORDER, LP_GLYPH_TICK_RIGHT);
    lp_area_glyph(area, end - 1, y, LP_ROLE_BORDER, LP_GLYPH_TICK_LEFT);
    if (state->mark >= 0)
        lp_area_glyph(area, x + state->mark * (columns - 1) / LP_COLLECTIVE_STOPS, y,
                      LP_ROLE_PENDING, LP_GLYPH_BOOKMARK);
    lp_area_glyph(area, x + state->stop * (columns - 1) / LP_COLLECTIVE_STOPS, y,
                  LP_ROLE_CURSOR | LP_BOLD, LP_GLYPH_CURSOR);
    lp_area_text(area, end + 2, y, LP_ROLE_MUTED, "1 ns .. 1 s");
}

/* ---- the whole ---- */

/* Where there is little room: no curve. */
static void draw_narrow(const LpModel *model, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, y = 3 + STEPS + 1;
    LpArea steps = lp_area_part(area, (LpRect){0, 3, w, h - 4 < STEPS + 1 ? h - 4 : STEPS + 1});
    draw_head(model, area);
    lp_view_collective_steps(model, &steps);
    LpArea beside = lp_area_part(area, (LpRect){0, y, w, h - 1 - y});
    if (h - 1 - y > 1)
        lp_view_collective_beside(model, &beside);
    draw_slider(model, area, h - 1);
}

void lp_view_collective(const LpModel *model, const LpArea *area) {
    const LpCollectiveFacts *f = lp_collective_facts(model);
    int w = area->rect.w, h = area->rect.h;
    if (f->plan == NULL) {
        LpArea body = lp_area_heading(area, "COLLECTIVE");
        lp_area_text(&body, 1, 0, LP_ROLE_MUTED, "no collective is open: :collective WORDS");
        return;
    }
    if (w < LEAST_COLS || h < LEAST_ROWS) {
        draw_narrow(model, area);
        return;
    }
    bool servers = h >= SERVER_ROWS;
    int y = 3;
    draw_head(model, area);
    LpArea steps = lp_area_part(area, (LpRect){0, y, w, STEPS + 1});
    lp_view_collective_steps(model, &steps);
    y += STEPS + 1;
    if (servers) {
        LpArea who = lp_area_part(area, (LpRect){0, y, w, SERVERS});
        lp_view_collective_servers(model, &who);
        y += SERVERS;
    }
    LpArea curve = lp_area_part(area, (LpRect){0, y, w - BESIDE, h - 1 - y});
    lp_view_collective_curve(model, &curve);
    LpArea beside = lp_area_part(area, (LpRect){w - BESIDE, y, BESIDE, h - 1 - y});
    lp_view_collective_beside(model, &beside);
    draw_slider(model, area, h - 1);
}
