/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a study. */
#include "views/study/study_charts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "widgets/show.h"
#include "widgets/widgets_list.h"

enum {
    LABEL = 9,        /* columns for a point's name */
    CELL = 13,        /* columns for a mean with its interval */
    NARROW_CELL = 7,  /* columns for a mean alone */
    TABLE_ROWS = 4,   /* at least */
    CHART_ROWS = 8,   /* beside a table, at least */
    LOW_ROWS = 7,     /* alone, at least */
    CHART_COLS = 52,  /* beside a table, at least */
    PRINTED_ROWS = 20 /* of a chart in text */
};

static uint32_t letter_of(uint32_t agent) {
    return agent < 26 ? 'a' + agent : 'A' + (agent - 26);
}

/* ---- numbers ---- */

static void print_time(double value, char text[LP_PLOT_LABEL]) {
    lp_chart_seconds(value, text);
    if (value == 0.0)
        lp_str_copy(text, LP_PLOT_LABEL, "0 s");
}

/* At an axis, where there is room for seven characters. */
static void print_span(double value, char text[LP_PLOT_LABEL]) {
    if (value < 1e4)
        print_time(value, text);
    else
        snprintf(text, LP_PLOT_LABEL, "%.3g ks", value / 1000.0);
}

static void print_bytes(double value, char text[LP_PLOT_LABEL]) {
    static const char *const units[] = {"", " k", " M", " G", " T", " P"};
    size_t unit = 0;
    for (; value >= 1000.0 && unit + 1 < LP_COUNTOF(units); unit++)
        value /= 1000.0;
    snprintf(text, LP_PLOT_LABEL, "%.3g%s", value, units[unit]); /* the unit is in the title */
}

static LpChartPrint *const prints[LP_STUDY_SHOWN] = {
    [LP_STUDY_METRIC_BLOCKING] = lp_chart_percent,
    [LP_STUDY_METRIC_UNSERVED] = lp_chart_percent,
    [LP_STUDY_METRIC_LOST] = lp_chart_percent,
    [LP_STUDY_METRIC_JCT] = print_span,
    [LP_STUDY_METRIC_OFFERED] = print_bytes,
    [LP_STUDY_METRIC_CLUSTER] = print_bytes,
    [LP_STUDY_GAP] = lp_chart_percent,
};

/* Is there a line that no agent can be below? */
static bool has_bound(const LpStudyData *d, LpStudyMetric metric) {
    return d->bounded && metric == LP_STUDY_METRIC_LOST;
}

/* decimals < 0: three digits. */
static void print_digits(char text[24], int decimals, double value) {
    if (decimals >= 0)
        snprintf(text, 24, "%.*f", decimals, value);
    else
        snprintf(text, 24, "%.3g", value);
}

/* The mean as in tables: ".5234", "12.3"; half NAN: without its interval. */
static void print_mean(LpStudyMetric metric, double value, double half, bool ascii,
                       char text[LP_SHOW_TEXT]) {
    bool rate = lp_study_metric_is_rate(metric);
    bool large = metric == LP_STUDY_METRIC_JCT && value >= 1000.0 && value < 1e9;
    int decimals = rate ? 3 : large ? 0 : -1;
    char mean[24] = "-", around[24] = "";
    if (!isnan(value))
        print_digits(mean, decimals, value);
    if (!isnan(half) && !isnan(value))
        print_digits(around, decimals, half);
    snprintf(text, LP_SHOW_TEXT, "%.12s%s%.12s", mean,
             around[0] == '\0' ? ""
             : ascii           ? "+-"
                               : "±",
             around);
}

/* ---- the chart ---- */

typedef struct Line {
    const LpStudyData *data;
    LpStudyMetric metric;
    uint32_t agent;
} Line;

static double value_at(const void *user, double time) {
    const Line *l = user;
    return lp_study_between(l->data, l->metric, l->agent, time);
}

static double bound_at(const void *user, double time) {
    const Line *l = user;
    return lp_study_bound_between(l->data, time);
}

typedef struct Panel {
    const LpStudyData *data;
    LpStudyMetric metric;
    Line line[LP_STUDY_AGENTS + 1];
    LpPlotLine plot[LP_STUDY_AGENTS + 1]; /* the last one is the bound */
    LpChartMark mark[LP_STUDY_LEADS + LP_STUDY_POINTS * LP_STUDY_AGENTS];
    double high;
    LpChart chart;
} Panel;

static void add_mark(Panel *p, LpChartMark mark) {
    p->mark[p->chart.marks++] = mark;
}

/* Crossings first: they are drawn over all else. */
static void add_marks(Panel *p) {
    const LpStudyData *d = p->data;
    LpStudyLead lead[LP_STUDY_LEADS];
    uint32_t leads = lp_study_leads(d, p->metric, lead);
    double none = (double)NAN;
    for (uint32_t i = 1; i < leads; i++)
        add_mark(p, (LpChartMark){lead[i].time, lead[i].value, none, none, 'x', LP_GLYPH_SPACE,
                                  LP_ROLE_PENDING | LP_BOLD});
    for (uint32_t a = 0; a < d->agents; a++)
        for (uint32_t k = 0; k < d->points; k++) {
            const LpEstimate *e = lp_study_at(d, p->metric, k, a);
            bool interval = !isnan(e->half) && !isnan(e->mean);
            double low = interval ? e->mean - e->half : none;
            double high = interval ? e->mean + e->half : none;
            add_mark(p, (LpChartMark){d->point[k].interarrival, e->mean, low, high, letter_of(a),
                                      LP_GLYPH_SPACE, (LpStyle)(lp_chart_style((int)a) | LP_BOLD)});
            p->high = fmax(p->high, fmax(e->mean, interval ? high : e->mean));
        }
}

static double share_of_point(const LpStudyData *d, int point) {
    double from = d->point[0].interarrival, to = d->point[d->points - 1].interarrival;
    if (point < 0 || point >= (int)d->points)
        return -1.0;
    return log(d->point[point].interarrival / from) / log(to / from);
}

static bool is_drawable(const LpStudyData *d) {
    return lp_study_has_axis(d) && d->point[d->points - 1].interarrival > d->point[0].interarrival;
}

void lp_study_draw_chart(const LpStudyData *d, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area) {
    Panel p = {.data = d, .metric = metric};
    if (!is_drawable(d) || area->rect.h < 2)
        return;
    for (uint32_t a = 0; a < d->agents; a++) {
        p.line[a] = (Line){d, metric, a};
        p.plot[a] = (LpPlotLine){value_at, &p.line[a], d->agent[a], lp_chart_style((int)a), a > 0};
    }
    p.line[d->agents] = (Line){d, metric, 0};
    p.plot[d->agents] = (LpPlotLine){bound_at, &p.line[d->agents], "bound", LP_ROLE_MUTED, true};
    p.chart = (LpChart){.from = d->point[0].interarrival,
                        .to = d->point[d->points - 1].interarrival,
                        .log_x = true,
                        .print_x = print_time,
                        .print_y = prints[metric],
                        .lines = (int)d->agents + has_bound(d, metric),
                        .line = p.plot,
                        .mark = p.mark,
                        .ink = state->ink,
                        .cursor = share_of_point(d, state->point)};
    add_marks(&p);
    /* Rates end at 1 however wide their intervals are, and begin at 0. */
    bool rate = lp_study_metric_is_rate(p.metric);
    double high = rate ? fmin(p.high, 1.0) : p.high;
    lp_chart_fit(&p.chart, 0.0, high, true);
    for (uint32_t i = 0; i < p.chart.marks; i++) {
        if (isnan(p.mark[i].low))
            continue;
        p.mark[i].low = fmax(p.mark[i].low, p.chart.bottom);
        p.mark[i].high = fmin(p.mark[i].high, p.chart.top);
    }
    int x = lp_chart_title(area, 0, state->metric == metric, lp_study_metric_heading(metric));
    char about[64];
    snprintf(about, sizeof about, "%sby time between arrivals%s",
             prints[metric] == print_bytes ? "in B/s " : "",
             metric == LP_STUDY_GAP ? "" : "; | 95 %");
    lp_area_fit(area, x + 1, 0, area->rect.w - x - 1, LP_ROLE_MUTED, about);
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    lp_chart_draw(&p.chart, &below);
}

/* ---- the table ---- */

static int table_columns(const LpStudyData *d) {
    return LABEL + (int)d->agents * NARROW_CELL;
}

void lp_study_draw_table(const LpStudyData *d, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, rows = (int)d->points;
    int agents = (int)d->agents > 0 ? (int)d->agents : 1;
    bool wide = w >= LABEL + agents * CELL;
    int cell = wide ? CELL : NARROW_CELL, first = 0;
    char text[LP_SHOW_TEXT];
    lp_area_fit(area, 0, 0, w, LP_ROLE_LABEL,
                lp_study_metric_unit(metric)[0] == '%' ? "rate" : lp_study_metric_unit(metric));
    for (int a = 0; a < agents; a++) {
        lp_area_put(area, LABEL + a * cell, 0, lp_chart_style(a) | LP_BOLD, letter_of((uint32_t)a));
        lp_area_fit(area, LABEL + a * cell + 2, 0, cell - 3, LP_ROLE_MUTED, d->agent[a]);
    }
    if (state->point >= 0 && rows > h - 1) /* what is read off is seen */
        first = state->point - (h - 1) / 2;
    first = lp_list_from(first, rows, h - 1);
    for (int y = 1; y < h && first + y - 1 < rows; y++) {
        int k = first + y - 1;
        bool here = k == state->point;
        lp_area_fit(area, 0, y, LABEL - 1, here ? LP_ROLE_CURSOR : LP_ROLE_TEXT, d->point[k].label);
        for (int a = 0; a < agents; a++) {
            const LpEstimate *e = lp_study_at(d, metric, (uint32_t)k, (uint32_t)a);
            print_mean(metric, e->mean, wide ? e->half : (double)NAN, area->canvas->ascii, text);
            lp_area_fit(area, LABEL + a * cell, y, cell - 1,
                        here ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_TEXT, text);
        }
    }
}

/* ---- the legend ---- */

typedef struct Legend {
    const LpArea *area;
    int x, y;
} Legend;

/* "a max .5234", letter 0: none; on a further row where it does not fit. */
static void add_entry(Legend *l, uint32_t letter, LpStyle style, const char *name,
                      const char *value) {
    char shown[64];
    lp_str_show(shown, sizeof shown, name);
    int before = letter != 0 ? 2 : 0;
    int need = before + lp_text_width(shown) + 1 + lp_text_width(value) + 2;
    if (l->x > 0 && l->x + need > l->area->rect.w && l->y + 1 < l->area->rect.h) {
        l->x = 0;
        l->y++;
    }
    if (letter != 0)
        lp_area_put(l->area, l->x, l->y, (LpStyle)(style | LP_BOLD), letter);
    l->x = lp_area_text(l->area, l->x + before, l->y, letter != 0 ? LP_ROLE_TEXT : style, shown);
    l->x =
        lp_area_text(l->area, l->x + (value[0] != '\0'), l->y, LP_ROLE_TEXT | LP_BOLD, value) + 2;
}

int lp_study_draw_legend(const LpStudyData *d, LpStudyMetric metric, const LpStudyState *state,
                         const LpArea *area) {
    int point = state->point < (int)d->points ? state->point : -1;
    char value[LP_SHOW_TEXT] = "", head[40] = "";
    if (point >= 0)
        snprintf(head, sizeof head, "at %s ", d->point[point].label);
    Legend legend = {area, lp_area_text(area, 0, 0, LP_ROLE_CURSOR, head), 0};
    for (uint32_t a = 0; a < d->agents; a++) {
        if (point >= 0) {
            const LpEstimate *e = lp_study_at(d, metric, (uint32_t)point, a);
            print_mean(metric, e->mean, e->half, area->canvas->ascii, value);
        }
        add_entry(&legend, letter_of(a), lp_chart_style((int)a), d->agent[a], value);
    }
    if (has_bound(d, metric)) {
        if (point >= 0)
            print_mean(metric, d->bound[point], (double)NAN, area->canvas->ascii, value);
        add_entry(&legend, 0, LP_ROLE_MUTED, "bound: none here can be below", value);
    }
    return legend.y + 1;
}

/* ---- all ---- */

static LpArea part(const LpArea *area, int x, int y, int w, int h) {
    return lp_area_part(area, (LpRect){x, y, w > 0 ? w : 0, h > 0 ? h : 0});
}

static void draw_one(const LpStudyData *d, LpStudyMetric metric, const LpStudyState *state,
                     const LpArea *area) {
    int w = area->rect.w, h = area->rect.h, table = table_columns(d);
    int wide = LABEL + (int)d->agents * CELL;
    if (!is_drawable(d) || state->table) {
        lp_area_fit(area, 0, 0, w, LP_ROLE_STAGE | LP_BOLD, lp_study_metric_heading(metric));
        LpArea rest = part(area, 0, 1, w, h - 1);
        lp_study_draw_table(d, metric, state, &rest);
        return;
    }
    table = w >= CHART_COLS + wide + 2 ? wide : table;
    if (w < CHART_COLS + table + 2 || h < CHART_ROWS) {
        lp_study_draw_chart(d, metric, state, area);
        return;
    }
    LpArea chart = part(area, 0, 0, w - table - 2, h),
           right = part(area, w - table, 1, table, h - 1);
    lp_study_draw_chart(d, metric, state, &chart);
    lp_study_draw_table(d, metric, state, &right);
}

/* A sentence, broken between words where there is a second line; returns its lines. */
static int draw_words(const LpArea *area, const char *text) {
    int w = area->rect.w, len = (int)strlen(text), take = len;
    char line[LP_CANVAS_MAX + 1];
    if (area->rect.h < 2 || len <= w || w < 1) {
        lp_area_fit(area, 0, 0, w, LP_ROLE_GOOD, text);
        return 1;
    }
    for (take = w; take > 0 && text[take] != ' '; take--) {
    }
    take = take > 0 ? take : w;
    lp_str_copy(line, (size_t)take + 1 < sizeof line ? (size_t)take + 1 : sizeof line, text);
    lp_area_fit(area, 0, 0, w, LP_ROLE_GOOD, line);
    lp_area_fit(area, 0, 1, w, LP_ROLE_GOOD, text + take + (text[take] == ' '));
    return 2;
}

/* The two metrics of a demonstration, or of any study where there is room. */
static bool shows_two(const LpStudyData *d, const LpStudyState *state, int h) {
    bool fits = h >= 2 * LOW_ROWS && d->study == LP_STUDY_METRIC;
    return !state->alone && !state->table && is_drawable(d) && (fits || h >= 5 * CHART_ROWS) &&
           (state->metric == LP_STUDY_METRIC_BLOCKING || state->metric == LP_STUDY_METRIC_JCT);
}

void lp_study_draw(const LpStudyData *d, const LpStudyState *state, const LpArea *area) {
    int w = area->rect.w, h = area->rect.h;
    LpBuf text = {0};
    LpArea top = part(area, 0, 0, w, h < 8 ? 1 : 3);
    int y = lp_study_draw_legend(d, state->metric, state, &top);
    lp_study_tell(d, &text);
    if (text.len > 0 && h >= 10) {
        LpArea said = part(area, 0, y, w, h >= 20 ? 2 : 1);
        y += draw_words(&said, lp_buf_text(&text));
    }
    lp_area_done(area, &text);
    int left = h - y;
    if (shows_two(d, state, left)) {
        LpArea upper = part(area, 0, y, w, left / 2),
               lower = part(area, 0, y + left / 2, w, left - left / 2);
        draw_one(d, LP_STUDY_METRIC_BLOCKING, state, &upper);
        draw_one(d, LP_STUDY_METRIC_JCT, state, &lower);
    } else {
        LpArea rest = part(area, 0, y, w, left);
        draw_one(d, state->metric, state, &rest);
    }
}

/* ---- as text ---- */

LpErr lp_study_print(const LpStudyData *d, int cols, bool ascii, LpBuf *out, LpDiag *diag) {
    LpStudyState state = {.point = -1};
    LpCanvas canvas = {.ascii = ascii};
    if (!is_drawable(d))
        return LP_OK;
    LP_TRY(lp_canvas_resize(&canvas, PRINTED_ROWS, cols, diag));
    static const LpStudyMetric shown[] = {LP_STUDY_METRIC_BLOCKING, LP_STUDY_METRIC_LOST,
                                          LP_STUDY_METRIC_JCT};
    for (size_t i = 0; i < LP_COUNTOF(shown); i++) {
        if (shown[i] == LP_STUDY_METRIC_LOST && !has_bound(d, shown[i]))
            continue;
        lp_canvas_clear(&canvas);
        LpArea all = lp_canvas_area(&canvas, (LpRect){0, 0, cols, PRINTED_ROWS});
        LpArea below = part(&all, 0, PRINTED_ROWS - 2, cols, 2);
        LpArea chart = part(&all, 0, 0, cols, PRINTED_ROWS - 2);
        state.metric = shown[i];
        lp_study_draw_chart(d, shown[i], &state, &chart);
        lp_study_draw_legend(d, shown[i], &state, &below);
        lp_buf_add(out, "\n");
        lp_canvas_print(&canvas, out);
    }
    lp_canvas_fini(&canvas);
    lp_buf_add(out, "\n");
    lp_study_tell(d, out);
    lp_buf_add(out, "\n");
    return lp_buf_ok(out, diag);
}
