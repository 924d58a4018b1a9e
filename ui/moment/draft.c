/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what a decision by hand comes to, and the rows of its stage. */
#include <stdio.h>
#include <string.h>

#include "ask/draft/edit.h"
#include "base/hash.h"
#include "base/mem.h"
#include "moment/picture/model.h"
#include "moment/view.h"
#include "sim/world.h"

void lp_draft_model_fini(LpDraftModel *draft) {
    lp_free(draft->choices);
    lp_free(draft->server);
    *draft = (LpDraftModel){0};
}

void lp_model_draft(const LpModel *model, LpDraft *out) {
    const LpDecision *d = &model->decision;
    int row = model->ui->row;
    *out = model->ui->hand.draft;
    if (row < 0 || row >= (int)d->count || row == d->chosen || out->word[0][0] != '\0')
        return;
    const LpCandidate *c = &d->candidate[row];
    if (c->plan.planned && c->plan.plan.tensor > 0) {
        char plan[LP_PARALLEL_TEXT];
        lp_str_copy(out->word[0], sizeof out->word[0], lp_parallel_words(&c->plan.plan, plan));
    } else if (c->degree > 0 && lp_world_job(model->world, d->job)->graph >= 0) {
        snprintf(out->word[0], sizeof out->word[0], "degree=%u", (unsigned)c->degree);
    }
}

const LpForecast *lp_model_plan(const LpModel *model) {
    int marked = lp_model_marked(model);
    if (!model->decision.due)
        return NULL;
    if (model->drafted.priced)
        return model->drafted.price.possible ? &model->drafted.price.forecast : NULL;
    return marked >= 0 ? &model->decision.candidate[marked].forecast : NULL;
}

int lp_model_choice(const LpModel *model) {
    const LpStageRows *choices = model->drafted.choices;
    const char *words = model->ui->hand.draft.word[model->ui->stage];
    if (choices == NULL || choices->count == 0)
        return -1;
    for (uint32_t i = 0; i < choices->count; i++)
        if (strcmp(choices->row[i].words, words) == 0)
            return (int)i;
    return (int)choices->count;
}

bool lp_model_has_board(const LpModel *model) {
    const LpStageRows *choices = model->drafted.choices;
    return model->decision.due && choices != NULL && choices->by_hand;
}

/* ---- gathering ---- */

/* All that rows and prices depend on besides the words. */
static uint64_t conditions_of(const LpModel *model, LpSession *session) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, lp_world_tally(model->world)->decisions);
    h = lp_hash_u64(h, lp_session_reloads(session));
    h = lp_hash_u64(h, lp_world_tally(model->world)->events);
    return lp_hash_u64(h, model->time.known ? model->time.moment.branch : 0);
}

static LpErr update_choices(LpModel *model, LpSession *session, const LpDraft *draft,
                            uint64_t conditions, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    LpStage stage = model->ui->stage;
    uint64_t key = lp_hash_u64(conditions, stage);
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        if (i != (int)stage)
            key = lp_hash_text(key, draft->word[i]);
    key |= 1;
    if (stage == LP_STAGE_PARTITION) {
        lp_free(m->choices);
        m->choices = NULL;
        m->choices_of = 0;
        return LP_OK;
    }
    if (m->choices != NULL && m->choices_of == key)
        return LP_OK;
    if (m->choices == NULL && (m->choices = lp_alloc(1, sizeof *m->choices)) == NULL)
        return lp_fail_memory(diag, "the choices of a stage");
    m->choices_of = 0;
    LP_TRY(lp_choices_list(session, draft, stage, m->choices, diag));
    m->choices_of = key;
    return LP_OK;
}

/* Of a row the price is known. */
static LpErr update_price(LpModel *model, LpSession *session, const LpDraft *draft,
                          uint64_t conditions, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    uint64_t key = lp_hash_text(conditions, lp_draft_text(draft, text)) | 1;
    if (m->price_of == key)
        return LP_OK;
    m->price_of = 0;
    lp_free(m->server);
    m->server = NULL;
    m->servers = 0;
    LP_TRY(lp_draft_price(session, text, &m->price, diag));
    LP_TRY(lp_draft_servers(draft, &m->price, &m->server, &m->servers, diag));
    LP_TRY(lp_draft_needs(session, draft, &m->needs, diag));
    m->price_of = key;
    return LP_OK;
}

LpErr lp_draft_model_update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    const LpUiState *ui = model->ui;
    LpDraft draft;
    const LpAnswer *answer = model->decision.answer;
    bool wanted = model->decision.due && (lp_model_wants(model) & LP_WANTS_DECISION);
    m->drafted = m->priced = false;
    if (!wanted || ui->playing) {
        lp_free(m->choices);
        m->choices = NULL;
        m->choices_of = 0;
    }
    /* In steps only what no row of the first stage can say: ways of single ops. */
    bool own = answer && answer->kind == LP_ANSWER_RUN && model->decision.chosen < 0;
    if (!wanted || (ui->playing && !own))
        return LP_OK;
    lp_model_draft(model, &draft);
    uint64_t conditions = conditions_of(model, session);
    if (ui->playing) {
        m->priced = true;
        return update_price(model, session, &draft, conditions, diag);
    }
    LP_TRY(update_choices(model, session, &draft, conditions, diag));
    for (int i = LP_STAGE_PARTITION + 1; i < LP_STAGE_COUNT; i++)
        m->drafted = m->drafted || draft.word[i][0] != '\0';
    m->drafted = m->drafted || ui->hand.draft.word[0][0] != '\0';
    m->priced = m->drafted || ui->stage > LP_STAGE_PARTITION || (own && ui->row < 0);
    if (!m->priced)
        return LP_OK;
    return update_price(model, session, &draft, conditions, diag);
}
