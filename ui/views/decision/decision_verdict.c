/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a way to decide comes to, in a sentence or in a word, and a job that none was taken for. */
#include <math.h>
#include <stdio.h>

#include "views/decision/decision_view_impl.h"

uint32_t lp_decision_free(const LpCandidate *candidate) {
    return candidate->free_after + (candidate->forecast.feasible ? candidate->forecast.servers : 0);
}

/* It cannot be placed: for want of servers, or of such that lie together. */
static LpStyle say_no_place(const LpCandidate *c, const LpDecisionVerdict *form, LpBuf *out) {
    uint32_t servers = lp_decision_free(c);
    const char *cross = form->brief ? lp_glyph_text(LP_GLYPH_BLOCKED, form->ascii) : "";
    if (c->forecast.cause != LP_CAUSE_NO_PLACEMENT && form->brief)
        lp_buf_addf(out, "%s %s", cross,
                    c->forecast.cause == LP_CAUSE_MEMORY       ? "memory"
                    : c->forecast.cause == LP_CAUSE_NO_CIRCUIT ? "light"
                    : c->forecast.cause == LP_CAUSE_REFUSED    ? "rules"
                                                               : "no");
    else if (c->forecast.cause != LP_CAUSE_NO_PLACEMENT)
        lp_buf_add(out,
                   c->forecast.why[0] ? c->forecast.why : lp_cause_sentence(c->forecast.cause));
    else if (form->brief)
        lp_buf_addf(out, "%s %s", cross, c->needs > servers ? "room" : "block");
    else if (c->needs > servers)
        lp_buf_addf(out, "no room: %u server%s short", (unsigned)(c->needs - servers),
                    c->needs - servers == 1 ? "" : "s");
    else
        lp_buf_addf(out, "no block: %u free, not in shape", (unsigned)servers);
    return form->brief ? LP_ROLE_BAD : LP_ROLE_MUTED;
}

static LpStyle say_brief(const LpCandidate *c, const LpDecisionVerdict *form, bool limit,
                         LpBuf *out) {
    if (c->forecast.cause == LP_CAUSE_DEADLINE) {
        lp_buf_add(out, "late");
        return LP_ROLE_BAD;
    }
    if (c->forecast.cause != LP_CAUSE_NONE) {
        lp_buf_addf(out, "%s no", lp_glyph_text(LP_GLYPH_BLOCKED, form->ascii));
        return LP_ROLE_BAD;
    }
    if (!c->valid) {
        lp_buf_addf(out, "%s rules", lp_glyph_text(LP_GLYPH_BLOCKED, form->ascii));
        return LP_ROLE_MUTED;
    }
    if (form->taken)
        lp_buf_addf(out, "%s take", lp_glyph_text(LP_GLYPH_CHECK, form->ascii));
    else
        lp_buf_add(out, limit ? "in time" : "fits");
    return LP_ROLE_GOOD;
}

LpStyle lp_decision_verdict(const LpModel *model, const LpCandidate *candidate,
                            const LpDecisionVerdict *form, LpBuf *out) {
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    if (form->past) {
        lp_buf_add(out, "taken");
        return LP_ROLE_GOOD;
    }
    if (!candidate->forecast.feasible)
        return say_no_place(candidate, form, out);
    if (form->brief)
        return say_brief(candidate, form, isfinite(job->asked.max_jct), out);
    return lp_words_verdict(job, &candidate->forecast, candidate->valid, candidate->free_after,
                            false, out);
}

void lp_view_lost(const LpModel *model, const LpArea *area) {
    const LpJob *job = lp_world_job(model->world, model->decision.job);
    char at[LP_WORDS_TIME], limit[LP_SHOW_TEXT] = "none";
    LpBuf text = {0};
    if (isfinite(job->asked.max_jct))
        lp_show_seconds(job->asked.max_jct, limit);
    lp_buf_addf(&text, "%c %s arrived at %s, limit %s",
                lp_letter(lp_letters_ever(&model->letters, job->id)), lp_words_graph(model, job),
                lp_words_time(model, job->asked.arrival, at), limit);
    lp_area_fit(area, 1, 0, area->rect.w - 1, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
    if (job->outcome == LP_JOB_BLOCKED && area->rect.h > 1)
        lp_area_keys(area, 1, 1, area->rect.w - 1, LP_ROLE_MUTED, model->ui->keymap,
                     "{blame} why was it turned away: who took its place?");
}
