/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision pane: the ways to decide about a job side by side, what the policy answers, and
 * why. */
#include "views/decision/decision_view_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "partition ✓  [place]  order ops ...", on the upper border. */
static void draw_stages(const LpModel *model, const LpArea *area, int x) {
    const char *check = lp_glyph_text(LP_GLYPH_CHECK, area->canvas->ascii);
    int stage = model->decision.due ? (int)model->ui->stage : LP_STAGE_COUNT;
    x += 2;
    if (x + 64 > area->rect.w) { /* no room for all five */
        if (stage < LP_STAGE_COUNT && x + 19 < area->rect.w)
            lp_area_textf(area, x, 0, LP_ROLE_STAGE, "[%s %d/%d]", lp_stage_name((LpStage)stage),
                          stage + 1, LP_STAGE_COUNT);
        return;
    }
    lp_area_put(area, x - 1, 0, LP_ROLE_BORDER, ' ');
    for (int i = 0; i < LP_STAGE_COUNT; i++) {
        const char *name = lp_stage_name((LpStage)i);
        if (i == stage)
            x = lp_area_textf(area, x, 0, LP_ROLE_STAGE, "[%s]", name);
        else
            x = lp_area_textf(area, x, 0, LP_ROLE_TEXT, i < stage ? "%s %s" : "%s", name, check);
        lp_area_text(area, x, 0, LP_ROLE_BORDER, i + 1 < LP_STAGE_COUNT ? "  " : " ");
        x += 2;
    }
}

static void add_limit(const LpJob *job, const char *dash, char *title, size_t size) {
    char limit[LP_SHOW_TEXT];
    size_t len = strlen(title);
    if (!isinf(job->asked.max_jct))
        snprintf(title + len, size - len, " %s limit %s", dash,
                 lp_show_seconds(job->asked.max_jct, limit));
}

static LpArea draw_box(const LpModel *model, const LpArea *area, bool alone) {
    const LpDecision *decision = &model->decision;
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[200];
    snprintf(title, sizeof title, "DECISION");
    if (decision->job != LP_NO_INDEX) {
        const LpJob *job = lp_world_job(model->world, decision->job);
        snprintf(title, sizeof title, "DECISION %c = %s",
                 lp_letter(lp_letters_ever(&model->letters, job->id)),
                 lp_words_name(model, job).text);
    }
    bool listed =
        alone && lp_view_stages_fit(model, area->rect.h - 1); /* then the stages stand inside */
    if (listed)
        add_limit(lp_world_job(model->world, decision->job), dash, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    if (decision->job != LP_NO_INDEX && !listed)
        draw_stages(model, area, 3 + lp_text_width(title));
    return lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
}

/* The whole decision in one line. */
static void draw_line(const LpModel *model, const LpArea *area) {
    const LpDecision *decision = &model->decision;
    int marked = lp_model_marked(model);
    LpBuf text = {0};
    char jct[LP_SHOW_TEXT], percent[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    if (decision->job == LP_NO_INDEX) {
        lp_area_text(area, 1, 0, LP_ROLE_MUTED, "no decision yet");
        return;
    }
    const LpJob *job = lp_world_job(model->world, decision->job);
    lp_buf_addf(&text, "%c = %s ", lp_letter(lp_letters_ever(&model->letters, job->id)),
                lp_words_name(model, job).text);
    LpStyle style = decision->due ? LP_ROLE_PENDING : lp_view_outcome(model, &text);
    if (decision->due && marked >= 0) {
        const LpCandidate *candidate = &decision->candidate[marked];
        lp_buf_addf(&text, "%s %s %s of limit", lp_words_cut_of(candidate, cut),
                    lp_show_seconds(candidate->forecast.jct, jct),
                    lp_show_percent(candidate->of_limit, percent));
    }
    lp_area_fit(area, 1, 0, area->rect.w - 1, style, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* Rows above the choices of a stage that come before a line that says why. */
static int picture_rows(const LpModel *model, int rows) {
    enum { LEAST = 5 };
    int below, bars = lp_view_order_rows(model, &below) + below;
    bool order = model->ui->stage == LP_STAGE_ORDER_OPS || model->ui->stage == LP_STAGE_ORDER_FLOWS;
    return order && below > 0 && bars > LEAST && bars <= rows ? bars : LEAST;
}

/* A last line that says why, unless rows of the table need it. */
static bool has_why(const LpModel *model, int width, int rows) {
    const LpDecision *d = &model->decision;
    int choices = lp_view_choices_rows(model, width);
    bool table = d->due && !model->ui->explain && model->ui->stage == LP_STAGE_PARTITION;
    if (d->due && !model->ui->explain && model->ui->stage > LP_STAGE_PARTITION)
        return rows > choices + picture_rows(model, rows - choices); /* these come first */
    bool lost = d->chosen >= 0 && !d->candidate[d->chosen].forecast.feasible;
    return rows > 1 && (!table || lost || model->ui->row >= 0 || !d->answer ||
                        d->answer->kind != LP_ANSWER_RUN || (int)d->count + 1 < rows);
}

static void draw(const LpModel *model, const LpArea *area, bool alone) {
    const LpDecision *decision = &model->decision;
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    LpArea inside = draw_box(model, area, alone);
    if (decision->job == LP_NO_INDEX) {
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "no decision yet");
        return;
    }
    bool parts = decision->due && model->ui->stage == LP_STAGE_PARTITION && model->ui->hand.board &&
                 lp_model_has_board(model);
    if (alone && !parts && lp_view_stages_fit(model, inside.rect.h)) {
        lp_view_stages(model, &inside);
        return;
    }
    int why = has_why(model, inside.rect.w, inside.rect.h);
    LpRect upper = {0, 0, inside.rect.w, inside.rect.h - why};
    LpArea body = lp_area_part(&inside, upper);
    if (model->ui->explain)
        lp_view_explain(model, &body);
    else if (decision->due && model->ui->stage > LP_STAGE_PARTITION)
        lp_view_stage_body(model, &body);
    else if (parts)
        lp_view_parts(model, &body);
    else
        lp_view_degrees(model, &body);
    if (why)
        lp_view_why(model, &inside, inside.rect.h - 1);
}

void lp_view_decision(const LpModel *model, const LpArea *area) {
    draw(model, area, false);
}

void lp_view_decision_alone(const LpModel *model, const LpArea *area) {
    draw(model, area, true);
}
