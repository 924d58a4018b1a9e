/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two branches side by side at one time: where they part, and what became of each. */
#include "views/compare/impl.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "widgets/plot.h"

typedef enum Kind { COUNT, SHARE, SECONDS, FACTOR } Kind;

static const struct {
    const char *name;
    Kind kind;
    size_t offset; /* in LpSummary; counts are uint64_t */
} rows[] = {
    {"arrived", COUNT, offsetof(LpSummary, arrived)},
    {"done", COUNT, offsetof(LpSummary, completed)},
    {"blocked", COUNT, offsetof(LpSummary, blocked)},
    {"blocking rate", SHARE, offsetof(LpSummary, blocking_rate)},
    {"mean JCT", SECONDS, offsetof(LpSummary, mean_jct)},
    {"p50 JCT", SECONDS, offsetof(LpSummary, p50_jct)},
    {"p95 JCT", SECONDS, offsetof(LpSummary, p95_jct)},
    {"speed-up", FACTOR, offsetof(LpSummary, mean_jct_speedup)},
    {"mean wait", SECONDS, offsetof(LpSummary, mean_wait)},
    {"servers busy", SHARE, offsetof(LpSummary, server_utilisation)},
};

static double value_of(const LpSummary *summary, size_t index) {
    const char *at = (const char *)summary + rows[index].offset;
    return rows[index].kind == COUNT ? (double)*(const uint64_t *)(const void *)at
                                     : *(const double *)(const void *)at;
}

static const char *show(Kind kind, double value, char text[LP_SHOW_TEXT]) {
    if (isnan(value))
        return lp_str_copy(text, LP_SHOW_TEXT, "-");
    if (kind == COUNT)
        return lp_show_count((uint64_t)value, text);
    if (kind == SECONDS)
        return lp_show_seconds(value, text);
    snprintf(text, LP_SHOW_TEXT, kind == SHARE ? "%.1f %%" : "%.2f",
             kind == SHARE ? value * 100.0 : value);
    return text;
}

/* With its sign; shares differ by points. */
static const char *show_difference(Kind kind, double value, char text[LP_SHOW_TEXT]) {
    char bare[LP_SHOW_TEXT];
    if (isnan(value))
        return lp_str_copy(text, LP_SHOW_TEXT, "-");
    show(kind, fabs(value), bare);
    text[0] = value > 0 ? '+' : '-';
    lp_str_copy(text + (value != 0), LP_SHOW_TEXT - 1, bare);
    return text;
}

static const char *show_relative(double here, double there, char text[LP_SHOW_TEXT]) {
    if (isnan(here) || isnan(there) || there == 0.0)
        return lp_str_copy(text, LP_SHOW_TEXT, "-");
    snprintf(text, LP_SHOW_TEXT, "%+.1f %%", (here - there) / there * 100.0);
    return text;
}

static void draw_row(const LpOther *other, const LpArea *area, int y, size_t index, int step) {
    double here = value_of(&other->here, index), there = value_of(&other->there, index);
    char text[LP_SHOW_TEXT];
    /* what differs by rounding alone is the same */
    bool differs = fabs(here - there) > 1e-9 * fmax(fabs(here), fabs(there));
    double difference = differs ? here - there : 0.0 * (here - there);
    LpStyle style = differs ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_MUTED;
    int x = 14;
    lp_area_text(area, 0, y, LP_ROLE_LABEL, rows[index].name);
    lp_area_right(area, x += step, y, LP_ROLE_TEXT, show(rows[index].kind, here, text));
    lp_area_right(area, x += step, y, LP_ROLE_TEXT, show(rows[index].kind, there, text));
    lp_area_right(area, x += step, y, style, show_difference(rows[index].kind, difference, text));
    lp_area_right(area, x + step, y, style, show_relative(here, there, text));
}

static void draw_headings(const LpModel *model, const LpArea *area, int y, int step) {
    const char *names[] = {model->time.branch.name, model->time.other.name, "difference",
                           "relative"};
    for (int i = 0; i < 4; i++) {
        int width = lp_text_width(names[i]), room = step - 2;
        int end = 14 + (i + 1) * step;
        lp_area_fit(area, end - (width < room ? width : room), y, room, LP_ROLE_MUTED, names[i]);
    }
}

static bool same_time(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_job(const LpJob *a, const LpJob *b) {
    if (a->outcome == LP_JOB_DECIDING || b->outcome == LP_JOB_DECIDING)
        return true; /* nothing is decided yet */
    return a->outcome == b->outcome && same_time(a->start, b->start) && same_time(a->end, b->end) &&
           lp_words_ways(a) == lp_words_ways(b);
}

/* "completed x4 in 1.13 s" */
static void print_fate(const LpJob *job, char text[64]) {
    char jct[LP_SHOW_TEXT];
    const char *outcome = lp_outcome_name((LpOutcome)job->outcome);
    unsigned ways = (unsigned)lp_words_ways(job);
    if (job->outcome == LP_JOB_COMPLETED)
        snprintf(text, 64, "%s x%u in %.20s", outcome, ways,
                 lp_show_seconds(job->end - job->arrival, jct));
    else if (job->outcome == LP_JOB_RUNNING)
        snprintf(text, 64, "%s x%u", outcome, ways);
    else
        snprintf(text, 64, "%s", outcome);
}

/* The jobs whose end differs, from the one that is scrolled to. */
static void draw_jobs(const LpModel *model, const LpArea *area) {
    const LpWorld *other = model->time.other.world;
    uint32_t jobs = lp_world_jobs(model->world), others = lp_world_jobs(other), differ = 0;
    char here[64], there[64];
    for (uint32_t i = 0; i < jobs && i < others; i++) {
        const LpJob *a = lp_world_job(model->world, i), *b = lp_world_job(other, i);
        if (same_job(a, b))
            continue;
        int y = 1 + (int)differ++ - model->ui->scroll;
        if (y < 1 || y >= area->rect.h)
            continue;
        print_fate(a, here);
        print_fate(b, there);
        lp_area_textf(area, 0, y, LP_ROLE_TEXT, "job %u %.24s: here %s, there %s", (unsigned)a->id,
                      lp_words_graph(model, a), here, there);
    }
    int x = lp_area_textf(area, 0, 0, LP_ROLE_LABEL, "%u job%s differ%s so far", (unsigned)differ,
                          differ == 1 ? "" : "s", differ == 1 ? "s" : "");
    if ((int)differ >= area->rect.h)
        lp_area_fit(area, x + 2, 0, area->rect.w - x - 2, LP_ROLE_MUTED, "Up Down scroll");
}

int lp_view_compare_jobs(const LpModel *model) {
    const LpWorld *other = model->time.other.world;
    int differ = 0;
    if (!other)
        return 0;
    uint32_t jobs = lp_world_jobs(model->world), others = lp_world_jobs(other);
    for (uint32_t i = 0; i < jobs && i < others; i++)
        differ += !same_job(lp_world_job(model->world, i), lp_world_job(other, i));
    return differ;
}

/* ---- curves over time ---- */

/* What a branch is like at a time. */
typedef struct History {
    const LpModel *model;
    uint32_t branch;
    double until; /* s, not known after that */
    double (*of)(const LpModel *model, const LpMarkCounts *counts);
} History;

static double value_at(const void *data, double time) {
    const History *h = data;
    LpMomentFacts facts;
    LpMoment at = {h->branch, lp_session_step_at(h->model->session, h->branch, time)};
    if (time > h->until || lp_session_moment_facts(h->model->session, at, &facts) != LP_OK)
        return (double)NAN;
    return h->of(h->model, &facts.counts);
}

static double blocking(const LpModel *model LP_UNUSED, const LpMarkCounts *counts) {
    return counts->arrived ? (double)counts->blocked / counts->arrived : 0.0;
}

static double busy(const LpModel *model, const LpMarkCounts *counts) {
    return (double)counts->busy / lp_world_servers(model->world);
}

static double waiting(const LpModel *model LP_UNUSED, const LpMarkCounts *counts) {
    return counts->waiting;
}

static void print_share(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2f", value);
}

static void print_count(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.0f", value);
}

static const struct {
    const char *title;
    double (*of)(const LpModel *model, const LpMarkCounts *counts);
    bool share;
} curves[] = {
    {"blocking rate over time", blocking, true},
    {"share of servers busy over time", busy, true},
    {"jobs waiting over time", waiting, false},
};

/* The highest value of both lines, for the axis. */
static double highest(const LpPlot *plot, int columns) {
    double most = 0.0;
    for (int i = 0; i < plot->lines; i++)
        for (int c = 0; c < 2 * columns; c++) {
            double x = plot->to * (c + 1) / (2.0 * columns);
            most = fmax(most, plot->line[i].at(plot->line[i].data, x));
        }
    return most;
}

static void draw_history(const LpModel *model, const LpArea *area, size_t which) {
    const LpOther *other = &model->time.other;
    double now = lp_world_now(model->world);
    History history[2] = {{model, model->time.moment.branch, now, curves[which].of},
                          {model, other->at.branch, other->time, curves[which].of}};
    LpPlotLine line[2] = {{value_at, &history[0], model->time.branch.name, LP_ROLE_CURVE, false},
                          {value_at, &history[1], other->name, LP_ROLE_MUTED, true}};
    LpPlot plot = {.to = now,
                   .top = 1.0,
                   .print = curves[which].share ? print_share : print_count,
                   .legend = area->rect.w >= 48 ? 21 : 15,
                   .lines = 2,
                   .line = line};
    lp_area_text(area, 0, 0, LP_ROLE_LABEL, curves[which].title);
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    double most = now > 0.0 ? highest(&plot, lp_plot_columns(&plot, area->rect.w)) : 0.0;
    if (!curves[which].share)
        plot.top = lp_show_nice(fmax(most, 1.0));
    else if (most <= 0.5 && most > 0.0)
        plot.top = lp_show_nice(most);
    snprintf(plot.top_label, sizeof plot.top_label, curves[which].share ? "%.1f" : "%.0f",
             plot.top);
    snprintf(plot.middle_label, sizeof plot.middle_label,
             curves[which].share && plot.top > 0.5 ? "%.1f" : "%.3g", plot.top / 2);
    if (plot.top < 0.1)
        snprintf(plot.top_label, sizeof plot.top_label, "%.2f", plot.top);
    lp_show_seconds(now, plot.end);
    lp_plot_draw(&plot, &below, now > 0.0 ? NULL : "nothing has happened yet");
}

static void draw_jct(const LpModel *model, const LpArea *area) {
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    lp_area_textf(area, 0, 0, LP_ROLE_LABEL, "fraction of %s jobs done within x",
                  model->ui->completed_only ? "completed" : "arrived");
    lp_view_part(model, LP_PANE_CURVE, &below);
}

/* Variant 0 of what is below the table is the list of jobs. */
static void draw_variant(const LpModel *model, const LpArea *area, int variant) {
    if (variant == 0)
        draw_jobs(model, area);
    else if (variant == 1)
        draw_jct(model, area);
    else
        draw_history(model, area, (size_t)variant - 2);
}

/* Table and list to the left, all curves to the right. */
static void draw_all(const LpModel *model, const LpArea *area, int left) {
    int x = left + 3, w = area->rect.w - x, plots = 1 + (int)LP_COUNTOF(curves);
    int h = area->rect.h / plots;
    for (int i = 0; i < plots; i++) {
        LpArea part = lp_area_part(area, (LpRect){x, i * h, w, h - (i + 1 < plots)});
        draw_variant(model, &part, i + 1);
    }
}

static void draw_table(const LpModel *model, const LpArea *area) {
    const LpOther *other = &model->time.other;
    int step = area->rect.w >= 84 ? 17 : area->rect.w >= 66 ? 13 : 10;
    char at[LP_SHOW_TEXT];
    int x = lp_area_textf(area, 0, 0, LP_ROLE_TEXT, "they part at decision d%llu, t %s s",
                          (unsigned long long)other->split.decisions,
                          lp_show_clock(other->split.time, model->marks.scale, at));
    if (other->short_of)
        lp_area_textf(area, x, 0, LP_ROLE_WAIT, "; there only up to t %s s, c plays it on",
                      lp_show_clock(other->time, model->marks.scale, at));
    draw_headings(model, area, 1, step);
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        draw_row(other, area, 2 + (int)i, i, step);
}

void lp_view_compare(const LpModel *model, const LpArea *area) {
    enum { TABLE = 3 + (int)LP_COUNTOF(rows), WIDE = 150, TALL = 20, LEFT = 88 };
    LpArea box = lp_area_heading(area, "COMPARE this branch with another, at the same time");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    bool wide = inside.rect.w >= WIDE && inside.rect.h >= TALL;
    int width = wide ? LEFT : inside.rect.w;
    if (!model->time.other.world) {
        lp_area_fit(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED,
                    "no other branch is compared with; compare NAME chooses one");
        return;
    }
    LpArea left = lp_area_part(&inside, (LpRect){0, 0, width, inside.rect.h});
    LpArea below = lp_area_part(&left, (LpRect){0, TABLE, width, inside.rect.h - TABLE});
    draw_table(model, &left);
    draw_variant(model, &below, wide ? 0 : lp_compare_state(model)->variant);
    if (wide)
        draw_all(model, &inside, LEFT);
}
