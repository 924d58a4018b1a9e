/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what a decision by hand comes to, and the rows of its stage. */
#include <string.h>

#include "ask/draft/edit.h"
#include "base/hash.h"
#include "base/mem.h"
#include "moment/picture/model.h"
#include "sim/light/configure.h"
#include "sim/world.h"

void lp_draft_model_fini(LpDraftModel *draft) {
    lp_free(draft->choices);
    lp_free(draft->server);
    lp_configure_free(&draft->circuits);
    lp_step_model_fini(&draft->policys);
    *draft = (LpDraftModel){0};
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

/* What the draft comes to, and the servers that it has. */
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
    lp_configure_free(&m->circuits);
    m->circuits = (LpSchedule){0};
    LP_TRY(lp_draft_price(session, text, &m->price, diag));
    LP_TRY(lp_draft_servers(session, draft, &m->price, &m->server, &m->servers, diag));
    LP_TRY(lp_draft_needs(session, draft, &m->needs, diag));
    m->plan = (LpParallel){0};
    LpErr err = lp_draft_plan(session, draft, &m->plan, diag);
    if (err == LP_ENOMEM)
        return err;
    err = lp_draft_matchings(session, draft, &m->circuits, diag);
    if (err == LP_ENOMEM)
        return err; /* else the fabric has no ports to join, or the price says what is wrong */
    m->price_of = key;
    return LP_OK;
}

/* What the policy's own answer comes to, beside which the draft's price is looked at. */
static LpErr update_own(LpModel *model, LpSession *session, const LpDraft *draft,
                        uint64_t conditions, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    m->compared = lp_draft_any(draft);
    if (!m->compared || m->own_of == (conditions | 1))
        return LP_OK;
    m->own_of = 0;
    LP_TRY(lp_draft_price(session, "", &m->own, diag));
    m->own_of = conditions | 1;
    return LP_OK;
}

/* The step in the policy's order, beside which the draft's is looked at. */
static LpErr update_policys(LpModel *model, LpSession *session, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    LpStage stage = model->ui->stage;
    bool order = stage == LP_STAGE_ORDER_OPS || stage == LP_STAGE_ORDER_FLOWS;
    bool other = order && lp_model_choice(model) > 0 && m->price.possible;
    m->policys.known &= other;
    if (!other)
        return LP_OK;
    const LpForecast *f = &m->choices->row[0].price.forecast;
    LpStepSubject own = {model->decision.job, f->degree, f->partition, f->placement,
                         f->orders,           true,      f->step_time};
    bool steps = f->feasible && f->partition != LP_NO_INDEX && f->placement != LP_NO_INDEX;
    LpErr err =
        lp_step_model_update(&m->policys, session, steps ? &own : NULL, LP_STEP_ROWS_ALL, diag);
    return err == LP_EREFUSED ? LP_OK : err;
}

LpErr lp_draft_model_update(LpModel *model, LpSession *session, bool shown, LpDiag *diag) {
    LpDraftModel *m = &model->drafted;
    const LpUiState *ui = model->ui;
    LpDraft draft;
    const LpAnswer *answer = model->decision.answer;
    bool wanted = model->decision.due && shown;
    m->drafted = m->priced = m->compared = false;
    m->policys.known &= wanted && !ui->playing;
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
    m->priced =
        m->drafted || ui->stage > LP_STAGE_PARTITION || (own && ui->row < 0) || ui->hand.board;
    if (!m->priced)
        return LP_OK;
    LP_TRY(update_price(model, session, &draft, conditions, diag));
    LP_TRY(update_own(model, session, &draft, conditions, diag));
    return update_policys(model, session, diag);
}
