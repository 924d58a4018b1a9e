/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a decision came to, or the policy answers, and why. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/decision/decision_view_impl.h"

/* What has become of the job that was decided last. */
LpStyle lp_view_outcome(const LpModel *model, LpBuf *out) {
    const LpDecision *decision = &model->decision;
    const LpJob *job = lp_world_job(model->world, decision->job);
    char at[LP_WORDS_TIME], jct[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    lp_words_time(model, job->times.forecast_end, at);
    switch ((LpOutcome)job->outcome) {
    case LP_JOB_RUNNING:
        if (job->light.dark != LP_JOB_LIT)
            lp_buf_addf(out, "started %s, its circuits are dark", lp_words_cut(model, job, cut));
        else
            lp_buf_addf(out, "started %s, ends at %s", lp_words_cut(model, job, cut), at);
        return LP_ROLE_GOOD;
    case LP_JOB_COMPLETED:
        lp_buf_addf(out, "done, JCT %s", lp_show_seconds(job->times.end - job->asked.arrival, jct));
        return LP_ROLE_GOOD;
    case LP_JOB_BLOCKED:
        if (decision->error) {
            lp_buf_addf(out, "blocked (%s)", lp_cause_code((LpCause)job->cause));
            return LP_ROLE_BAD;
        }
        lp_buf_addf(out, "blocked (%s): %s", lp_cause_code((LpCause)job->cause),
                    *decision->why.reason ? decision->why.reason
                                          : lp_cause_sentence((LpCause)job->cause));
        return LP_ROLE_BAD;
    default:
        lp_buf_add(out, lp_outcome_name((LpOutcome)job->outcome));
        return LP_ROLE_WAIT;
    }
}

/* What the policy answers where that is not one of the rows. */
static LpStyle print_answer(const LpModel *model, LpBuf *out) {
    const LpAnswer *answer = model->decision.answer;
    const LpForecast *forecast;
    int marked = lp_model_marked(model);
    if (model->drafted.drafted)
        return LP_ROLE_TEXT;
    if (answer && answer->kind == LP_ANSWER_DECLINE && model->ui->row < 0) {
        lp_buf_add(out, answer->cause == LP_CAUSE_POLICY_ERROR ? "the policy's script fails here  "
                                                               : "the policy declines  ");
        return LP_ROLE_BAD;
    }
    if (answer && answer->kind == LP_ANSWER_WAIT && model->ui->row < 0) {
        lp_buf_add(out, "the policy lets the job wait  ");
        return LP_ROLE_WAIT;
    }
    if (answer && answer->ways && model->ui->row < 0) {
        lp_keymap_add(model->ui->keymap,
                      "the policy splits each op its own way, {whatif} compares  ", out);
        return LP_ROLE_PENDING;
    }
    if (marked < 0 || model->ui->stage != LP_STAGE_PLACE)
        return LP_ROLE_TEXT;
    forecast = &model->decision.candidate[marked].forecast;
    if (!forecast->feasible || !forecast->server)
        return LP_ROLE_TEXT;
    lp_buf_add(out, "on ");
    lp_words_servers(model, forecast->server, forecast->servers, 6, out);
    lp_buf_add(out, "  ");
    return LP_ROLE_PENDING;
}

static bool is_blank(const LpArea *area, int y) {
    for (int x = 0; x < area->rect.w; x++)
        if (lp_canvas_at(area->canvas, area->rect.x + x, area->rect.y + y)->cp != ' ')
            return false;
    return true;
}

/* Why in the policy's words, with the line of its file where that has room; or the error. */
static void add_why(const LpDecision *d, int width, LpBuf *out) {
    const char *why = d->answer && d->answer->why ? d->answer->why : d->why.why;
    const char *where = d->answer && d->answer->where ? d->answer->where : d->why.where;
    enum { QUOTES = 8 }; /* why: "" and a blank */
    if (d->error) {
        const char *file = strrchr(d->error->file, '/');
        lp_buf_addf(out, "%s:%d: %s", file ? file + 1 : d->error->file, d->error->line,
                    d->error->text);
        return;
    }
    if (!why || !*why)
        return;
    bool both = where && *where && lp_text_width(why) + lp_text_width(where) + QUOTES <= width;
    lp_buf_addf(out, "why: \"%s\"%s%s", why, both ? " " : "", both ? where : "");
}

/* The last line: outcome or answer, why, and the keys that matter here; two lines where one is too
 * short and the one above is free. */
void lp_view_why(const LpModel *model, const LpArea *area, int y) {
    const LpDecision *decision = &model->decision;
    int x, w = area->rect.w;
    char hint[120];
    lp_keymap_text(model->ui->keymap,
                   model->ui->row < 0 && !model->drafted.drafted
                       ? "{up} {down} mark a row  {stage} stage"
                       : "{take} decide so  {out} back",
                   hint, sizeof hint);
    LpBuf text = {0}, why = {0};
    LpStyle style = decision->due ? print_answer(model, &text) : lp_view_outcome(model, &text);
    add_why(decision, w, &why);
    int answer = lp_text_width(lp_buf_text(&text)), rest = lp_text_width(lp_buf_text(&why));
    bool two = answer > 0 && rest > 0 && answer + 2 + rest > w && y > 0 && is_blank(area, y - 1);
    x = lp_area_fit(area, 0, y - two, w, style, lp_buf_text(&text));
    x = two ? 0 : x + (x > 0 && !decision->due ? 2 : 0);
    style = decision->error ? LP_ROLE_BAD : LP_ROLE_TEXT;
    x = lp_area_fit(area, x, y, w - x, style, lp_buf_text(&why));
    if (decision->due && x + 3 + lp_text_width(hint) <= w)
        lp_area_right(area, w, y, LP_ROLE_MUTED, hint);
    lp_area_done(area, &text);
    lp_area_done(area, &why);
}
