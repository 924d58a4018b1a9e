/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: outcomes by model beside the curve, moments, causes, and what to do next. */
#include "views/summary/summary_view_impl.h"

#include <math.h>
#include <stdio.h>

enum {
    MODEL_COLS = 47, /* the table by model */
    NAME = 16,
    CURVE_LEAST = 24,
    CURVE_MOST = 110,
    WHAT = 24,      /* what kind of moment */
    WAIT_LINES = 4, /* of the waits, with their heading */
    BAR = 20
};

typedef struct Frame {
    const LpModel *model;
    const LpArea *area;
    int y;
} Frame;

/* A heading over the whole width; false: no room. */
static bool head(Frame *f, const char *title, int least) {
    if (f->y + least >= f->area->rect.h)
        return false;
    LpArea line = lp_area_part(f->area, (LpRect){0, f->y++, f->area->rect.w, 1});
    lp_area_heading(&line, title);
    return true;
}

/* ---- by model ---- */

static void draw_model_row(const LpArea *area, int y, const char *name, const LpSummaryModel *m,
                           LpStyle style) {
    char text[LP_SHOW_TEXT];
    lp_area_fit(area, 1, y, NAME - 2, style, name);
    lp_area_right(area, NAME + 5, y, style, lp_show_count(m->came, text));
    lp_area_right(area, NAME + 11, y, style, lp_show_count(m->done, text));
    lp_area_right(area, NAME + 19, y, style,
                  lp_show_percent(m->came ? (double)m->blocked / m->came : (double)NAN, text));
    lp_area_right(area, NAME + 29, y, style,
                  lp_show_seconds(m->done ? m->jct / m->done : (double)NAN, text));
}

static void draw_models(const LpModel *model, const LpArea *area) {
    const LpSummaryFacts *facts = lp_summary_facts(model);
    char title[80], busy[LP_SHOW_TEXT];
    snprintf(title, sizeof title, "BY MODEL servers busy %s",
             lp_show_percent(facts->summary.server_utilisation, busy));
    LpArea box = lp_area_heading(area, title);
    LpSummaryModel all = {0};
    int y = 1;
    lp_area_text(&box, 1, 0, LP_ROLE_MUTED, "model");
    lp_area_right(&box, NAME + 5, 0, LP_ROLE_MUTED, "came");
    lp_area_right(&box, NAME + 11, 0, LP_ROLE_MUTED, "done");
    lp_area_right(&box, NAME + 19, 0, LP_ROLE_MUTED, "blocked");
    lp_area_right(&box, NAME + 29, 0, LP_ROLE_MUTED, "mean JCT");
    for (uint32_t i = 0; i < facts->models; i++) {
        const LpSummaryModel *m = &facts->model[i];
        if (m->came == 0)
            continue;
        all.came += m->came;
        all.done += m->done;
        all.blocked += m->blocked;
        all.jct += m->jct;
        if (y + 1 < box.rect.h)
            draw_model_row(&box, y++,
                           i + 1 == facts->models ? lp_words_rigid(model)
                                                  : model->scenario->graph[i]->id,
                           m, LP_ROLE_TEXT);
    }
    draw_model_row(&box, y, "all", &all, LP_ROLE_TEXT | LP_BOLD);
}

static int models_of(const LpSummaryFacts *facts) {
    int count = 0;
    for (uint32_t i = 0; i < facts->models; i++)
        count += facts->model[i].came > 0;
    return count;
}

/* Lines of what was waited for, with their heading. */
static int waits_of(const LpSummaryFacts *facts) {
    int count = 0;
    for (int w = 0; w < LP_WAIT_COUNT; w++)
        count += facts->waited[w] > 0;
    return count > 0 ? count + 1 : 0;
}

/* Outcomes by model, and the curve beside them. */
static void draw_upper(Frame *f) {
    int w = f->area->rect.w, rows = models_of(lp_summary_facts(f->model)) + 3;
    /* below it: moments, causes, waiting, what next */
    int spare = f->area->rect.h - 15 - waits_of(lp_summary_facts(f->model)) - rows;
    spare -= lp_summary_facts(f->model)->waits.any ? WAIT_LINES : 0;
    rows = rows + (spare > 0 ? spare : 0) < f->area->rect.h ? rows + (spare > 0 ? spare : 0)
                                                            : f->area->rect.h;
    rows = rows > 24 ? 24 : rows;
    bool both = w >= MODEL_COLS + 2 + CURVE_LEAST;
    LpArea left = lp_area_part(f->area, (LpRect){0, f->y, both ? MODEL_COLS : w, rows});
    draw_models(f->model, &left);
    if (both) {
        int room = w - MODEL_COLS - 2;
        LpArea right = lp_area_part(
            f->area, (LpRect){MODEL_COLS + 2, f->y, room < CURVE_MOST ? room : CURVE_MOST, rows});
        LpArea box = lp_area_heading(&right, "JCT share of all jobs done within x");
        lp_view_part(f->model, LP_PANE_CURVE, &box);
    }
    f->y += rows;
}

/* ---- moments ---- */

static void say_job(const LpModel *model, uint32_t id, LpBuf *out) {
    const LpJob *job = lp_world_job(model->world, id);
    char at[LP_WORDS_TIME];
    lp_buf_addf(out, "%s at %s", lp_words_name(model, job).text,
                lp_words_at(model, job->asked.arrival, at));
}

static void say_first(const LpModel *model, LpBuf *out) {
    const LpSummaryFacts *f = lp_summary_facts(model);
    char text[LP_SHOW_TEXT];
    say_job(model, f->first_lost, out);
    if (f->before == LP_NO_INDEX)
        return;
    const LpJob *before = lp_world_job(model->world, f->before);
    double gap = lp_world_job(model->world, f->first_lost)->asked.arrival - before->times.start;
    if (gap >= 0.0)
        lp_buf_addf(out, ", %s after %s took %u", lp_show_seconds(gap, text),
                    lp_job_label(model->scenario, before).text, (unsigned)before->placed.servers);
}

void lp_summary_say(const LpModel *model, LpSummaryMoment moment, LpBuf *out) {
    const LpSummaryFacts *f = lp_summary_facts(model);
    char a[LP_SHOW_TEXT], b[LP_WORDS_TIME];
    switch (moment) {
    case LP_SUMMARY_FIRST_LOST:
        say_first(model, out);
        return;
    case LP_SUMMARY_WORST:
        lp_buf_addf(out, "%s to %s: %u of %u jobs turned away",
                    lp_words_clock(model, f->worst.from, a),
                    lp_words_at(model, f->worst.from + f->worst.length, b), (unsigned)f->worst.lost,
                    (unsigned)f->worst.came);
        return;
    case LP_SUMMARY_NEAREST: {
        const LpJob *job = lp_world_job(model->world, f->nearest);
        say_job(model, f->nearest, out);
        lp_buf_addf(out, ": %.1f %% of it",
                    100.0 * lp_job_of_limit(job, job->times.end - job->asked.arrival));
        return;
    }
    case LP_SUMMARY_LONGEST_WAIT: {
        const LpJob *job = lp_world_job(model->world, f->waits.longest.job);
        bool still = lp_job_waits(job) && job->times.waiting_since < f->waits.longest.time;
        lp_buf_addf(out, "%s at %s: %s%s", lp_words_name(model, job).text,
                    lp_words_at(model, f->waits.longest.time, b),
                    lp_show_span(f->waits.longest.seconds, a), still ? " so far" : "");
        return;
    }
    default: {
        const LpJob *job = lp_world_job(model->world, f->longest);
        say_job(model, f->longest, out);
        lp_buf_addf(out, ", JCT %s", lp_show_seconds(job->times.end - job->asked.arrival, a));
        return;
    }
    }
}

static void draw_moments(Frame *f) {
    LpSummaryMoment moment[LP_SUMMARY_MOMENTS];
    int count = lp_summary_moments(f->model, moment), w = f->area->rect.w;
    int row = lp_summary_state(f->model)->row;
    if (count == 0 || !head(f, "MOMENTS", 1))
        return;
    for (int i = 0; i < count && f->y < f->area->rect.h; i++, f->y++) {
        LpBuf text = {0};
        bool here = i == row || (row >= count && i + 1 == count);
        lp_summary_say(f->model, moment[i], &text);
        if (here)
            lp_area_glyph(f->area, 0, f->y, LP_ROLE_CURSOR, LP_GLYPH_POINTER);
        lp_area_fit(f->area, 2, f->y, WHAT - 2, here ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_TEXT,
                    lp_summary_kind(moment[i]));
        lp_area_fit(f->area, 2 + WHAT, f->y, w - WHAT - 2, LP_ROLE_TEXT, lp_buf_text(&text));
        lp_area_hit(f->area, (LpRect){0, f->y, w, 1}, LP_HIT_ROW, (uint32_t)i);
        lp_area_done(f->area, &text);
    }
}

/* ---- causes ---- */

static void draw_causes(Frame *f) {
    const LpSummary *s = &lp_summary_facts(f->model)->summary;
    if (s->blocked == 0 || !head(f, "BLOCKED BY", 1))
        return;
    for (int cause = 0; cause < LP_CAUSE_COUNT && f->y < f->area->rect.h; cause++) {
        char text[LP_SHOW_TEXT];
        double share = (double)s->blocked_by[cause] / (double)s->blocked;
        if (s->blocked_by[cause] == 0)
            continue;
        int x = lp_area_textf(f->area, 2, f->y, LP_ROLE_TEXT, "%s: %s",
                              lp_cause_code((LpCause)cause), lp_cause_sentence((LpCause)cause));
        x = x < 46 ? 46 : x + 1;
        lp_area_right(f->area, x + 6, f->y, LP_ROLE_TEXT,
                      lp_show_count(s->blocked_by[cause], text));
        if (x + 8 + BAR <= f->area->rect.w)
            lp_area_repeat(f->area, x + 8, f->y, (int)ceil(share * BAR), LP_ROLE_BAD, LP_GLYPH_BAR);
        f->y++;
    }
}

/* ---- waiting ---- */

/* A number and what it is, two beside each other. */
static void put_wait(Frame *f, int column, int row, const char *name, const char *value) {
    int x = 2 + column * 40;
    lp_area_text(f->area, x, f->y + row, LP_ROLE_LABEL, name);
    lp_area_text(f->area, x + (column == 0 ? WHAT : 10), f->y + row, LP_ROLE_TEXT, value);
}

static void draw_wait(Frame *f) {
    const LpSummary *s = &lp_summary_facts(f->model)->summary;
    char text[LP_SHOW_TEXT], oldest[LP_SHOW_TEXT], still[2 * LP_SHOW_TEXT + 16];
    if (!lp_summary_facts(f->model)->waits.any || !head(f, "WAIT of all that waited", 3))
        return;
    put_wait(f, 0, 0, "longest", lp_show_span(s->max_wait_all, text));
    put_wait(f, 1, 0, "99 %", lp_show_span(s->p99_wait_all, text));
    put_wait(f, 0, 1, "95 %", lp_show_span(s->p95_wait_all, text));
    put_wait(f, 1, 1, "median", lp_show_span(s->p50_wait_all, text));
    lp_show_count(s->still_waiting, still);
    if (s->still_waiting > 0)
        snprintf(still, sizeof still, "%s (oldest %s)", lp_show_count(s->still_waiting, text),
                 lp_show_span(s->oldest_waiting, oldest));
    lp_area_text(f->area, 2, f->y + 2, LP_ROLE_LABEL, "still waiting");
    lp_area_text(f->area, 2 + WHAT, f->y + 2, LP_ROLE_TEXT, still);
    f->y += 3;
}

static const char *const waits[LP_WAIT_COUNT] = {
    [LP_WAIT_POLICY] = "the policy lets it wait",
    [LP_WAIT_RESOURCE] = "fewer are free than it asks for",
    [LP_WAIT_SHAPE] = "enough are free, but not in one place",
    [LP_WAIT_BROKEN] = "there would be a place if all were mended",
    [LP_WAIT_BEHIND] = "the head of the queue waits",
};

/* Share of the time that all jobs waited together. */
static void draw_waits(Frame *f) {
    const LpSummaryFacts *s = lp_summary_facts(f->model);
    char title[80], all[LP_SHOW_TEXT];
    snprintf(title, sizeof title, "WAITED FOR %s in all", lp_show_seconds(s->waiting, all));
    if (waits_of(s) == 0 || !head(f, title, 1))
        return;
    for (int w = 0; w < LP_WAIT_COUNT && f->y < f->area->rect.h; w++) {
        char text[LP_SHOW_TEXT];
        double share = s->waited[w] / s->waiting;
        if (!(s->waited[w] > 0))
            continue;
        int x = lp_area_textf(f->area, 2, f->y, LP_ROLE_TEXT, "%s: %s", lp_wait_code((LpWaitFor)w),
                              waits[w]);
        x = x < 52 ? 52 : x + 1;
        lp_area_right(f->area, x + 6, f->y, LP_ROLE_TEXT, lp_show_percent(share, text));
        if (x + 8 + BAR <= f->area->rect.w)
            lp_area_repeat(f->area, x + 8, f->y, (int)ceil(share * BAR), LP_ROLE_BAD, LP_GLYPH_BAR);
        f->y++;
    }
}

/* ---- what next ---- */

static void draw_next(Frame *f) {
    const LpSummaryFacts *facts = lp_summary_facts(f->model);
    const LpKeymap *map = f->model->ui->keymap;
    char why[120];
    snprintf(why, sizeof why, "{blame}  why was job %u turned away: who took its place?",
             (unsigned)facts->first_lost);
    const char *lines[] = {
        facts->first_lost != LP_NO_INDEX ? why : NULL,
        "{adjust}  turn a knob, such as the load: what does the run come to then?",
        "{fork}  another answer at a moment of this run, or another policy: a branch",
        "{compare}  this branch beside another one: where they part, and what each came to",
        "{whatif}  at a moment: every way to decide, and how the run would end",
        "{curve}  opens the curves; :yank curves FILE.csv writes them as a table",
    };
    if (!head(f, "WHAT NEXT", 1))
        return;
    for (size_t i = 0; i < LP_COUNTOF(lines) && f->y < f->area->rect.h; i++)
        if (lines[i])
            lp_area_keys(f->area, 2, f->y++, f->area->rect.w - 2, LP_ROLE_TEXT, map, lines[i]);
}

void lp_view_summary(const LpModel *model, const LpArea *area) {
    Frame f = {model, area, 0};
    if (!lp_summary_facts(model)->known)
        return;
    draw_upper(&f);
    draw_moments(&f);
    draw_causes(&f);
    draw_wait(&f);
    draw_waits(&f);
    draw_next(&f);
}
