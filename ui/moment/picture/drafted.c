/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a decision by hand is so far, read off the picture. */
#include <stdio.h>
#include <string.h>

#include "ask/draft/edit.h"
#include "base/str.h"
#include "moment/picture/model.h"
#include "sim/world.h"

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

const LpForecast *lp_model_drafted(const LpModel *model) {
    const LpDraftModel *d = &model->drafted;
    return d->priced && d->price.possible ? &d->price.forecast : NULL;
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

uint32_t lp_model_split_rows(const LpModel *model) {
    const LpDecision *d = &model->decision;
    const LpJob *job = d->due ? lp_world_job(model->world, d->job) : NULL;
    if (job == NULL || job->graph < 0 || d->count == 0)
        return 0;
    if (lp_context_planned(model->context, job->graph))
        return LP_WAY_COUNT;
    return model->scenario->graph[job->graph]->ops;
}

LpHit lp_model_board_hit(const LpModel *model) {
    bool ports =
        model->board.joins == LP_BOARD_PORTS && model->scenario->cluster.ocs.aggregators == 0;
    switch (model->ui->stage) {
    case LP_STAGE_ORDER_OPS:
    case LP_STAGE_ORDER_FLOWS:
        return LP_HIT_BAR;
    case LP_STAGE_CIRCUITS:
        return ports ? LP_HIT_CROSS : LP_HIT_SERVER;
    case LP_STAGE_PARTITION:
        return LP_HIT_OP;
    case LP_STAGE_PLACE:
    case LP_STAGE_COUNT:
        break;
    }
    return LP_HIT_SERVER;
}

bool lp_model_has_board(const LpModel *model) {
    const LpStageRows *choices = model->drafted.choices;
    if (model->ui->stage == LP_STAGE_PARTITION)
        return lp_model_split_rows(model) > 0;
    return model->decision.due && choices != NULL && choices->by_hand;
}
