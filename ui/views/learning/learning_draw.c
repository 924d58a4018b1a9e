/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves in files: a line about each of them, and the charts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "many/study/paired.h"
#include "views/learning/learning_view_impl.h"

enum {
    KEYS_ROWS = 14, /* from which the keys have a line */
    WIDE = 140      /* columns, from which there is room for what is wrong beside the best */
};

static const char *name_of(const LpLearnStatus *status) {
    const char *slash = strrchr(status->path, '/');
    return slash != NULL ? slash + 1 : status->path;
}

/* What is wrong with the file; "": nothing. */
static const char *trouble(const LpLearnStatus *status, char *text, size_t size) {
    if (status->trouble[0] != '\0')
        return status->trouble;
    if (status->bad > 1)
        snprintf(text, size, "%llu lines are no update, the first: %s",
                 (unsigned long long)status->bad, status->first_bad);
    else
        lp_str_copy(text, size, status->first_bad);
    return text;
}

/* "1 seed1.jsonl  update 147  301 056 decisions  best 0.4 at update 126, blocked 30 %" */
static void draw_file(const LpLearnStatus *status, int index, const LpArea *area) {
    char text[LP_DIAG_TEXT + 120], shown[120], steps[LP_SHOW_TEXT];
    const LpLearnCurve *c = status->curve;
    int x = lp_area_textf(area, 0, 0, lp_chart_style(index) | LP_BOLD, "%d", index + 1);
    x = lp_area_fit(area, x + 1, 0, area->rect.w / 3, LP_ROLE_TEXT,
                    lp_str_show(shown, sizeof shown, name_of(status)));
    if (c->count == 0 && !status->more)
        x = lp_area_text(area, x + 2, 0, LP_ROLE_MUTED, "no update yet");
    if (c->count > 0) {
        const LpLearnPoint *last = &c->point[c->count - 1];
        x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "update %llu  %s decisions",
                          (unsigned long long)last->update, lp_show_count(last->steps, steps));
    }
    const char *wrong = trouble(status, text, sizeof text);
    if (c->best > 0 && (wrong[0] == '\0' || area->rect.w >= WIDE)) {
        const LpLearnPoint *best = &c->point[c->best - 1];
        lp_area_glyph(area, x + 2, 0, lp_chart_style(index) | LP_BOLD, LP_GLYPH_BOOKMARK);
        x = lp_area_textf(area, x + 4, 0, LP_ROLE_TEXT, "best %.4g at update %llu",
                          best->value[LP_LEARN_EVAL_REWARD], (unsigned long long)best->update);
        if (!isnan(best->value[LP_LEARN_EVAL_BLOCKED]))
            x = lp_area_textf(area, x, 0, LP_ROLE_TEXT, ", blocked %.3g %%",
                              100.0 * best->value[LP_LEARN_EVAL_BLOCKED]);
    }
    if (status->more)
        x = lp_area_text(area, x + 2, 0, LP_ROLE_WAIT, "reading");
    if (wrong[0] != '\0')
        lp_area_fit(area, x + 2, 0, area->rect.w - x - 2, LP_ROLE_BAD, wrong);
}

/* "best of 5: mean reward 0.331 +- 0.012, blocked 33 +- 1 % (95 %)"; nothing below two. */
static bool draw_mean(const LpLearnStatus *status, int files, const LpArea *area) {
    double reward[LP_LEARN_SERIES], blocked[LP_LEARN_SERIES];
    uint32_t n = 0;
    for (int i = 0; i < files; i++) {
        const LpLearnCurve *c = status[i].curve;
        if (c->best == 0)
            continue;
        reward[n] = c->point[c->best - 1].value[LP_LEARN_EVAL_REWARD];
        blocked[n++] = c->point[c->best - 1].value[LP_LEARN_EVAL_BLOCKED];
    }
    if (n < 2)
        return false;
    LpEstimate r = lp_estimate(reward, n), b = lp_estimate(blocked, n);
    int x = lp_area_textf(area, 0, 0, LP_ROLE_LABEL, "best of %u", (unsigned)n);
    const char *pm = area->canvas->ascii ? "+-" : "±";
    x = lp_area_textf(area, x + 2, 0, LP_ROLE_TEXT, "mean reward %.4g %s %.2g", r.mean, pm, r.half);
    if (b.n > 1)
        x = lp_area_textf(area, x, 0, LP_ROLE_TEXT, ", blocked %.3g %s %.2g %%", 100.0 * b.mean, pm,
                          100.0 * b.half);
    lp_area_text(area, x + 2, 0, LP_ROLE_MUTED, "(95 %)");
    return true;
}

/* Why there is nothing to draw. */
static void draw_nothing(const LpLearnStatus *status, int files, const LpArea *area) {
    char text[LP_DIAG_TEXT + 120];
    lp_area_fit(area, 1, 1, area->rect.w - 1, LP_ROLE_MUTED,
                files == 0 ? "no file is open: :learning FILE shows what lightpath train printed"
                           : "no update of a training was read yet; the files are followed");
    for (int i = 0; i < files; i++) {
        const char *wrong = trouble(&status[i], text, sizeof text);
        LpArea below = lp_area_part(area, (LpRect){1, 3 + i, area->rect.w - 1, 1});
        lp_area_fit(&below, 0, 0, below.rect.w, LP_ROLE_BAD, wrong);
    }
}

static void draw_inside(const LpModel *model, const LpArea *area) {
    const LpLearnPane *pane = lp_learning_state(model);
    LpLearnStatus status[LP_LEARN_SERIES];
    LpLearnSeries series[LP_LEARN_SERIES];
    LpLearnCharts charts = {pane->files, series, &pane->state};
    int y = 0, keys = area->rect.h >= KEYS_ROWS;
    bool any = false;
    for (int i = 0; i < pane->files; i++) {
        status[i] = lp_learn_status(pane->file[i]);
        series[i] = (LpLearnSeries){name_of(&status[i]), status[i].curve};
        any |= status[i].curve->count > 0;
    }
    for (int i = 0; i < pane->files && y < area->rect.h / 2; i++) {
        LpArea line = lp_area_part(area, (LpRect){0, y++, area->rect.w, 1});
        draw_file(&status[i], i, &line);
    }
    LpArea line = lp_area_part(area, (LpRect){0, y, area->rect.w, 1});
    if (y < area->rect.h / 2)
        y += draw_mean(status, pane->files, &line);
    LpArea below = lp_area_part(area, (LpRect){0, y, area->rect.w, area->rect.h - y});
    below.rect.h -= keys;
    if (any)
        lp_learn_draw(&charts, &below);
    else
        draw_nothing(status, pane->files, &below);
    if (keys && any)
        lp_area_keys(
            area, 0, area->rect.h - 1, area->rect.w, LP_ROLE_MUTED, model->ui->keymap,
            "{up} {down} chart  {take} alone  {left} {right} read off  {variant} evaluated or "
            "exploring");
}

void lp_view_learning(const LpModel *model, const LpArea *area) {
    char title[64];
    int files = lp_learning_state(model)->files;
    snprintf(title, sizeof title, "LEARNING CURVES of %d file%s", files, files == 1 ? "" : "s");
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (inside.rect.w > 0 && inside.rect.h > 0)
        draw_inside(model, &inside);
}
