/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views/tree/tree_why.h"

#include "ask/inspect/story.h"
#include "base/mem.h"
#include "sim/waits/why.h"

static LpErr find(LpModel *model, uint32_t job, LpTreeWhy *out, LpDiag *diag) {
    LpWhyAsk ask = {0};
    if (model->session != NULL)
        ask = lp_story_asks(model->session, job);
    LpReason reason;
    LpWording wording = model->session ? lp_session_wording(model->session) : LP_WORDING_PLAIN;
    char word[LP_REASON_WORD];
    LP_TRY(lp_world_why(model->world, model->context, job, &ask, &reason, diag));
    *out = (LpTreeWhy){.job = job,
                       .enough_at = reason.enough_at,
                       .when_job = reason.when_job,
                       .across = reason.across,
                       .ratio = reason.ratio};
    lp_str_copy(out->word, sizeof out->word, lp_reason_word(&reason, wording, word));
    lp_str_copy(out->text, sizeof out->text, reason.text);
    return LP_OK;
}

LpErr lp_tree_why_ask(LpTreeWhys *whys, LpModel *model, uint32_t job, LpDiag *diag) {
    LpMoment at = model->time.moment;
    double now = lp_world_now(model->world);
    if (whys->why == NULL && (whys->why = lp_alloc(LP_TREE_WHYS, sizeof *whys->why)) == NULL)
        return lp_fail_memory(diag, "the reasons of waiting jobs");
    if (!model->time.known || whys->of.branch != at.branch || whys->of.step != at.step ||
        whys->at != now)
        whys->count = whys->next = 0;
    whys->of = at;
    whys->at = now;
    if (lp_tree_why_of(whys, job) != NULL)
        return LP_OK;
    LP_TRY(find(model, job, &whys->why[whys->next], diag));
    whys->next = (whys->next + 1) % LP_TREE_WHYS; /* the oldest makes room */
    whys->count += whys->count < LP_TREE_WHYS;
    return LP_OK;
}

const LpTreeWhy *lp_tree_why_of(const LpTreeWhys *whys, uint32_t job) {
    for (uint32_t i = 0; i < whys->count; i++)
        if (whys->why[i].job == job)
            return &whys->why[i];
    return NULL;
}

void lp_tree_whys_fini(LpTreeWhys *whys) {
    lp_free(whys->why);
    *whys = (LpTreeWhys){0};
}
