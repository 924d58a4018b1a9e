/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves where they have the screen for themselves: one of them, or all where there is room, of
 * every branch, with a cursor that reads them off. */
#include "views/curves/curves_view_impl.h"

#include <math.h>
#include <stdio.h>

#include "moment/picture/dates.h"
#include "widgets/chart.h"

enum { ALL_COLS = 140, ALL_ROWS = 40, NAME = 14, BAR_TEXT = 34, TAGS = 2, DATE_COLS = 9 };

/* A line of a chart: which curve of which branch. */
typedef struct Curve {
    const LpModel *model;
    const LpCurvesBranch *branch;
    LpCurve kind;
} Curve;

/* ---- values ---- */

static double fraction_at(const Curve *c, double x) {
    const LpCurvesBranch *b = c->branch;
    double base = c->model->ui->completed_only ? b->count : b->arrived;
    uint32_t low = 0, high = b->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (b->jct[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return base > 0.0 ? low / base : (double)NAN;
}

/* Mean of the last ones done by then. */
static double mean_at(const LpCurvesBranch *b, double time) {
    uint32_t end = lp_curves_done_by(b, time);
    uint32_t from = end > LP_CURVES_MEAN ? end - LP_CURVES_MEAN : 0;
    return end > 0 ? (b->sum[end] - b->sum[from]) / (end - from) : (double)NAN;
}

static double counted(const Curve *c, const LpMarkCounts *counts) {
    switch (c->kind) {
    case LP_CURVE_BLOCKING:
        return counts->arrived ? (double)counts->blocked / counts->arrived : 0.0;
    case LP_CURVE_BUSY:
        return (double)counts->busy / lp_world_servers(c->model->world);
    case LP_CURVE_WAITING:
        return counts->waiting;
    default:
        return counts->lit;
    }
}

/* What was expected at the last decision. */
static double expected_at(const Curve *c, double time) {
    const LpValuesModel *m = &lp_curves_facts(c->model)->values;
    const LpValue *value =
        m->values ? lp_values_at(m->values, c->model->session, c->branch->branch, time) : NULL;
    return value ? value->value : (double)NAN;
}

static double value_at(const void *data, double x) {
    const Curve *c = data;
    const LpSession *session = c->model->session;
    LpMomentFacts facts;
    if (c->kind == LP_CURVE_JCT)
        return fraction_at(c, x);
    if (x > c->branch->until * (1 + 1e-12))
        return (double)NAN;
    if (c->kind == LP_CURVE_VALUE)
        return expected_at(c, x * (1 + 1e-12));
    if (c->kind == LP_CURVE_OVER_TIME)
        return mean_at(c->branch, x);
    LpMoment at = {c->branch->branch, lp_session_step_at(session, c->branch->branch, x)};
    if (lp_session_moment_facts(session, at, &facts) != LP_OK)
        return (double)NAN;
    return counted(c, &facts.counts);
}

static void print_fraction(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2g", value);
}

static void print_count(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.4g", value);
}

static void print_value(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g", value);
}

static const struct {
    LpChartPrint *print;
    bool time;  /* over the run's time, rather than over JCTs */
    bool facts; /* needs a time line */
} kinds[LP_CURVE_COUNT] = {
    [LP_CURVE_JCT] = {print_fraction, false, false},
    [LP_CURVE_OVER_TIME] = {lp_chart_seconds, true, false},
    [LP_CURVE_BY_MODEL] = {lp_chart_seconds, false, false},
    [LP_CURVE_BLOCKING] = {lp_chart_percent, true, true},
    [LP_CURVE_BUSY] = {lp_chart_percent, true, true},
    [LP_CURVE_WAITING] = {print_count, true, true},
    [LP_CURVE_LIGHT] = {print_count, true, true},
    [LP_CURVE_VALUE] = {print_value, true, true},
};

bool lp_view_curve_is_shown(const LpModel *model, LpCurve curve) {
    return curve != LP_CURVE_VALUE || lp_curves_facts(model)->values.networks > 0 ||
           lp_curves_state(model)->curve == LP_CURVE_VALUE;
}

bool lp_view_curve_is_time(LpCurve curve) {
    return kinds[curve].time;
}

/* ---- one chart ---- */

typedef struct Lines {
    Curve curve[LP_CURVES_BRANCHES];
    LpPlotLine line[LP_CURVES_BRANCHES];
    LpDateTicks dates;
    LpChart chart;
} Lines;

static double longest_jct(const LpCurvesModel *m) {
    double most = 0.0;
    for (int i = 0; i < m->branches; i++)
        if (m->branch[i].count > 0)
            most = fmax(most, m->branch[i].jct[m->branch[i].count - 1]);
    return most;
}

static double top_of(const LpModel *model, const LpChart *chart, LpCurve kind, int columns) {
    if (kind == LP_CURVE_JCT || kind == LP_CURVE_BUSY)
        return 1.0;
    if (kind == LP_CURVE_OVER_TIME)
        return lp_show_nice(fmax(longest_jct(&lp_curves_facts(model)->curves), 1e-9));
    double low = 0.0, most = 0.0;
    lp_chart_span(chart, columns, &low, &most);
    if (kind == LP_CURVE_BLOCKING)
        return most > 0.5 ? 1.0 : lp_show_nice(fmax(most, 0.01));
    return lp_show_nice(fmax(most, 2.0)); /* of whole things */
}

static void prepare(const LpModel *model, LpCurve kind, int width, Lines *l) {
    const LpCurvesModel *m = &lp_curves_facts(model)->curves;
    const LpCurvesState *state = lp_curves_state(model);
    bool time = kinds[kind].time;
    for (int i = 0; i < m->branches; i++) {
        l->curve[i] = (Curve){model, &m->branch[i], kind};
        l->line[i] =
            (LpPlotLine){value_at, &l->curve[i], m->branch[i].name, lp_chart_style(i), i > 0};
    }
    l->chart = (LpChart){.to = time ? m->now : lp_show_nice(fmax(longest_jct(m), 1e-9)),
                         .print_x = lp_chart_seconds,
                         .print_y = kinds[kind].print,
                         .lines = m->branches,
                         .line = l->line,
                         .ink = state->ink,
                         .cursor = state->cursor};
    if (time) {
        lp_date_ticks(model->scenario, 0.0, m->now, lp_chart_columns(width) / DATE_COLS, &l->dates);
        l->chart.ticks = l->dates.count;
        l->chart.tick = l->dates.at;
        l->chart.tick_name = l->dates.name;
    }
    if (kind == LP_CURVE_OVER_TIME) {
        l->chart.points = m->branch[0].count;
        l->chart.point = m->branch[0].point;
    }
    if (kind == LP_CURVE_VALUE) {
        const LpValuesModel *v = &lp_curves_facts(model)->values;
        l->chart.points = v->q_count;
        l->chart.point = v->q;
        if (v->low <= v->high)
            lp_chart_fit(&l->chart, v->low, v->high, false);
    } else if (l->chart.to > 0.0)
        l->chart.top = top_of(model, &l->chart, kind, lp_chart_columns(width));
}

/* Why there is nothing to draw; NULL: there is. */
static const char *nothing(const LpModel *model, LpCurve kind) {
    const LpCurvesModel *m = &lp_curves_facts(model)->curves;
    if (kinds[kind].facts && !m->known)
        return "this session keeps no time line";
    if (kind == LP_CURVE_VALUE && lp_curves_facts(model)->values.networks == 0)
        return "the policy has no network that could expect anything";
    if (kind == LP_CURVE_VALUE &&
        !(lp_curves_facts(model)->values.low <= lp_curves_facts(model)->values.high))
        return lp_curves_facts(model)->values.more ? "the network is being asked"
                                                   : "no decision was due yet";
    if (!kinds[kind].time || kind == LP_CURVE_OVER_TIME)
        return longest_jct(m) > 0.0 ? NULL : "no job is done yet";
    return m->now > 0.0 ? NULL : "nothing has happened yet";
}

static void draw_chart(const LpModel *model, const LpArea *area, LpCurve kind) {
    const char *empty = nothing(model, kind);
    LpArea curves = lp_area_part(area, (LpRect){0, 0, area->rect.w - TAGS, area->rect.h});
    Lines lines;
    if (empty) {
        lp_area_text(area, 1, 0, LP_ROLE_MUTED, empty);
        return;
    }
    prepare(model, kind, curves.rect.w, &lines);
    lp_chart_draw(&lines.chart, &curves);
    /* The numbers of the branches where their lines end. */
    int taken[LP_CURVES_BRANCHES], h = area->rect.h - 2;
    for (int i = 0; i < lines.chart.lines && lines.chart.lines > 1; i++) {
        double value = value_at(&lines.curve[i], lines.chart.to);
        if (isnan(value))
            value = value_at(&lines.curve[i], lines.curve[i].branch->until);
        if (isnan(value) || !(lines.chart.top > lines.chart.bottom)) {
            taken[i] = -1;
            continue;
        }
        int y = lp_chart_row(&lines.chart, value, h);
        for (int k = 0; k < i; k++)
            y += taken[k] == y;
        taken[i] = y;
        if (y < h)
            lp_area_put(area, area->rect.w - 1, y, lines.line[i].style, (uint32_t)('1' + i));
    }
}

/* ---- by model ---- */

static void draw_bar(const LpArea *area, int y, const LpByModel *row, double most, LpStyle style,
                     int index) {
    int width = area->rect.w - NAME - 3 - BAR_TEXT;
    char mean[LP_SHOW_TEXT], p95[LP_SHOW_TEXT];
    int x = NAME + 3, full = width > 0 ? (int)(row->mean / most * width + 0.5) : 0;
    lp_area_put(area, NAME, y, style, (uint32_t)('1' + index));
    lp_area_repeat(area, x, y, full, style, LP_GLYPH_FULL);
    if (width > 0)
        lp_area_glyph(area, x + (int)(row->p95 / most * (width - 1) + 0.5), y, LP_ROLE_TEXT,
                      LP_GLYPH_VERTICAL);
    x += width > 0 ? width + 1 : 0;
    lp_area_textf(area, x, y, LP_ROLE_TEXT, "%s, 95 %% in %s, %u", lp_show_seconds(row->mean, mean),
                  lp_show_seconds(row->p95, p95), (unsigned)row->jobs);
}

/* Each model, and for each branch a bar; graph -1 is of rigid jobs. */
static void draw_by_model(const LpModel *model, const LpArea *area) {
    const LpCurvesModel *m = &lp_curves_facts(model)->curves;
    double most = longest_jct(m);
    int y = 0;
    if (!(most > 0.0)) {
        lp_area_text(area, 1, 0, LP_ROLE_MUTED, "no job is done yet");
        return;
    }
    for (int32_t graph = -1; graph < (int32_t)model->scenario->graphs; graph++) {
        bool named = false;
        for (int i = 0; i < m->branches && y < area->rect.h; i++) {
            LpByModel row;
            if (lp_curves_by_model(&m->branch[i], graph, &row) != LP_OK || row.jobs == 0)
                continue;
            if (!named)
                lp_area_fit(area, 0, y, NAME - 1, LP_ROLE_LABEL,
                            graph < 0 ? lp_words_rigid(model) : model->scenario->graph[graph]->id);
            named = true;
            draw_bar(area, y++, &row, most, lp_chart_style(i), i);
        }
        y += named && m->branches > 1;
    }
}

static void draw_curve(const LpModel *model, const LpArea *area, LpCurve kind) {
    if (kind == LP_CURVE_BY_MODEL)
        draw_by_model(model, area);
    else
        draw_chart(model, area, kind);
}

/* ---- names, legend, read-out ---- */

static void print_title(const LpModel *model, LpCurve kind, char *out, size_t size) {
    if (kind == LP_CURVE_JCT)
        snprintf(out, size, "fraction of %s jobs done within x",
                 model->ui->completed_only ? "COMPLETED" : "ARRIVED");
    else
        snprintf(out, size, "%s", lp_curve_title(kind));
}

static void draw_tabs(const LpModel *model, const LpArea *area) {
    LpCurve chosen = lp_curves_state(model)->curve;
    int x = 0;
    for (int i = 0; i < LP_CURVE_COUNT; i++) {
        const char *name = lp_curve_name((LpCurve)i);
        bool here = i == (int)chosen;
        if ((area->rect.w < 64 && !here) || !lp_view_curve_is_shown(model, (LpCurve)i))
            continue;
        if (here)
            lp_area_glyph(area, x, 0, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
        x = lp_area_text(area, x + 1, 0, here ? LP_ROLE_STAGE | LP_BOLD : LP_ROLE_MUTED, name) + 1;
    }
}

/* "12.3 s", or a date. */
static void print_moment(const LpModel *model, double time, char text[LP_WORDS_TIME]) {
    if (model->scenario->epoch.given)
        lp_words_at(model, time, text);
    else
        lp_show_seconds(time, text);
}

/* "at 12.3 s  1 main 0.69  2 d5 degree=8 0.71" */
static void draw_reading(const LpModel *model, const LpArea *area, LpCurve kind) {
    const LpCurvesModel *m = &lp_curves_facts(model)->curves;
    Lines l;
    char text[LP_WORDS_TIME];
    int x = 0, width = area->rect.w - TAGS;
    bool drawn = kind != LP_CURVE_BY_MODEL && !nothing(model, kind);
    if (drawn) {
        prepare(model, kind, width, &l);
        double at = lp_chart_reading(&l.chart, width);
        if (kinds[kind].time)
            print_moment(model, at, text);
        else
            lp_show_seconds(at, text);
        x = lp_area_textf(area, 0, 0, LP_ROLE_CURSOR, kinds[kind].time ? "at %s" : "within %s",
                          text) +
            2;
    }
    for (int i = 0; i < m->branches && x < area->rect.w; i++) {
        char value[LP_PLOT_LABEL] = "";
        if (drawn) {
            double read = value_at(&l.curve[i], lp_chart_reading(&l.chart, width));
            value[0] = '-';
            value[1] = '\0';
            if (!isnan(read))
                kinds[kind].print(read, value);
        }
        int from = x;
        x = lp_area_textf(area, x, 0, lp_chart_style(i) | (LpStyle)(i == 0 ? LP_BOLD : 0),
                          "%d %.*s", i + 1, (int)lp_str_prefix(m->branch[i].name, 24),
                          m->branch[i].name);
        lp_area_hit(area, (LpRect){from, 0, x - from, 1}, LP_HIT_CURVE, (uint32_t)i);
        x = lp_area_textf(area, x + 1, 0, LP_ROLE_TEXT, "%s", value);
        if (m->branch[i].until < m->now) {
            print_moment(model, m->branch[i].until, text);
            x = lp_area_textf(area, x, 0, LP_ROLE_WAIT, "%s(played to %s)", value[0] ? " " : "",
                              text);
        }
        x += 2;
    }
    if (m->more > 0)
        lp_area_textf(area, x, 0, LP_ROLE_MUTED, "and %d more", m->more);
}

/* ---- the pane ---- */

static void draw_one(const LpModel *model, const LpArea *area) {
    LpCurve kind = lp_curves_state(model)->curve;
    char title[96];
    int y = 0, w = area->rect.w, h = area->rect.h;
    if (h >= 6) {
        LpArea line = lp_area_part(area, (LpRect){0, y++, w, 1});
        draw_tabs(model, &line);
    }
    if (h >= 9) {
        print_title(model, kind, title, sizeof title);
        lp_area_fit(area, 0, y++, w, LP_ROLE_LABEL, title);
    }
    LpArea reading = lp_area_part(area, (LpRect){0, y++, w, 1});
    draw_reading(model, &reading, kind);
    int keys = h >= 12;
    LpArea below = lp_area_part(area, (LpRect){0, y, w, h - y - keys});
    draw_curve(model, &below, kind);
    if (keys)
        lp_area_keys(
            area, 0, h - 1, w, LP_ROLE_MUTED, model->ui->keymap,
            kinds[kind].time
                ? "{up} {down} curve  {left} {right} read off  {take} go there"
                : "{up} {down} curve  {left} {right} read off  {variant} arrived, completed");
}

/* Two columns; the chosen one's title stands out, and is read off in the first line. */
static void draw_all(const LpModel *model, const LpArea *area) {
    enum { COLUMNS = 2, LINES = (LP_CURVE_COUNT + 1) / COLUMNS };
    LpCurve chosen = lp_curves_state(model)->curve;
    LpArea line = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    int w = area->rect.w / COLUMNS, h = (area->rect.h - 2) / LINES;
    draw_reading(model, &line, chosen);
    for (int i = 0; i < LP_CURVE_COUNT && lp_view_curve_is_shown(model, (LpCurve)i); i++) {
        char title[96];
        LpRect rect = {i % COLUMNS * w, 2 + i / COLUMNS * h, w - 2, h - 1};
        LpArea cell = lp_area_part(area, rect);
        LpArea below = lp_area_part(&cell, (LpRect){0, 1, rect.w, rect.h - 1});
        print_title(model, (LpCurve)i, title, sizeof title);
        if (i == (int)chosen)
            lp_area_glyph(&cell, 0, 0, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
        int x = lp_chart_title(&cell, 1, i == (int)chosen, lp_curve_name((LpCurve)i));
        lp_area_fit(&cell, x + 2, 0, rect.w - x - 2, LP_ROLE_MUTED, title);
        draw_curve(model, &below, (LpCurve)i);
    }
}

static bool shows_all(int w, int h) {
    return w >= ALL_COLS && h >= ALL_ROWS;
}

bool lp_view_curves_all(int cols, int rows) {
    return shows_all(cols - 3, rows - 5);
}

int lp_view_curves_columns(int cols, int rows) {
    int w = cols - 3, h = rows - 5;
    return lp_chart_columns((shows_all(w, h) ? w / 2 - 2 : w) - TAGS);
}

void lp_view_curves(const LpModel *model, const LpArea *area) {
    char title[96], now[LP_WORDS_TIME];
    snprintf(title, sizeof title, "CURVES up to now, %s",
             lp_words_time(model, lp_curves_facts(model)->curves.now, now));
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (inside.rect.w <= 0 || inside.rect.h <= 0)
        return;
    if (shows_all(inside.rect.w, inside.rect.h))
        draw_all(model, &inside);
    else
        draw_one(model, &inside);
}
