/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two branches side by side at one time: where they part, and what became of each. */
#include "view.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

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
           lp_model_ways(a) == lp_model_ways(b);
}

/* "completed x4 in 1.13 s" */
static void print_fate(const LpJob *job, char text[64]) {
    char jct[LP_SHOW_TEXT];
    const char *outcome = lp_outcome_name((LpOutcome)job->outcome);
    unsigned ways = (unsigned)lp_model_ways(job);
    if (job->outcome == LP_JOB_COMPLETED)
        snprintf(text, 64, "%s x%u in %.20s", outcome, ways,
                 lp_show_seconds(job->end - job->arrival, jct));
    else if (job->outcome == LP_JOB_RUNNING)
        snprintf(text, 64, "%s x%u", outcome, ways);
    else
        snprintf(text, 64, "%s", outcome);
}

/* The jobs whose end differs, as far as there is room. */
static void draw_jobs(const LpModel *model, const LpArea *area, int y) {
    const LpWorld *other = model->time.other.world;
    uint32_t jobs = lp_world_jobs(model->world), others = lp_world_jobs(other), differ = 0;
    char here[64], there[64];
    for (uint32_t i = 0; i < jobs && i < others; i++) {
        const LpJob *a = lp_world_job(model->world, i), *b = lp_world_job(other, i);
        if (same_job(a, b))
            continue;
        differ++;
        if (y + (int)differ >= area->rect.h)
            continue;
        print_fate(a, here);
        print_fate(b, there);
        lp_area_textf(area, 0, y + (int)differ, LP_ROLE_TEXT, "job %u %.24s: here %s, there %s",
                      (unsigned)a->id, lp_model_graph(model, a), here, there);
    }
    if (y < area->rect.h)
        lp_area_textf(area, 0, y, LP_ROLE_LABEL, "%u job%s differ%s so far", (unsigned)differ,
                      differ == 1 ? "" : "s", differ == 1 ? "s" : "");
}

void lp_view_compare(const LpModel *model, const LpArea *area) {
    const LpOther *other = &model->time.other;
    LpArea box = lp_area_box(area, "compare: this branch with another, at the same time");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int step = inside.rect.w >= 84 ? 17 : inside.rect.w >= 66 ? 13 : 10;
    char at[LP_SHOW_TEXT];
    if (!other->world) {
        lp_area_fit(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED,
                    "no other branch is compared with; compare NAME chooses one");
        return;
    }
    int x = lp_area_textf(&inside, 0, 0, LP_ROLE_TEXT, "they part at decision d%llu, t %s s",
                          (unsigned long long)other->split.decisions,
                          lp_show_clock(other->split.time, model->marks.scale, at));
    if (other->short_of)
        lp_area_textf(&inside, x, 0, LP_ROLE_WAIT, "; there only up to t %s s, c plays it on",
                      lp_show_clock(other->time, model->marks.scale, at));
    draw_headings(model, &inside, 1, step);
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        draw_row(other, &inside, 2 + (int)i, i, step);
    draw_jobs(model, &inside, 3 + (int)LP_COUNTOF(rows));
}
