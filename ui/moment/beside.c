/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the branch that is compared with. */
#include "moment/beside.h"

#include <string.h>

#include "base/mem.h"
#include "moment/gather.h"
#include "moment/picture/model.h"

void lp_beside_drop(LpModel *model) {
    if (!model->beside)
        return;
    lp_letters_fini(&model->beside->letters); /* what it does not share */
    lp_free(model->beside->running);
    lp_free(model->beside->place);
    lp_free(model->beside->pending);
    lp_links_drop(model->beside);
    lp_free(model->beside);
    model->beside = NULL;
}

/* The servers that the job takes there once it is decided. */
static LpErr gather_taken(LpModel *beside, const LpOther *other, LpDiag *diag) {
    uint32_t due = lp_world_due(beside->world);
    beside->decision.due = due != LP_NO_INDEX;
    beside->decision.job = due;
    beside->decision.chosen = -1;
    const LpJob *job = other->after ? lp_world_job(other->after, due) : NULL;
    const LpPlacement *at = job && job->placed.placement != LP_NO_INDEX
                                ? lp_store_placement(beside->context->store, job->placed.placement)
                                : NULL;
    return lp_gather_pending(beside, at ? at->server : NULL, at ? at->servers : 0, diag);
}

LpErr lp_beside_update(LpModel *model, LpSession *session, bool wanted, LpDiag *diag) {
    if (!wanted || !model->time.other.world) {
        lp_beside_drop(model);
        return LP_OK;
    }
    if (!model->beside && !(model->beside = lp_alloc(1, sizeof *model->beside)))
        return lp_fail_memory(diag, "the other cluster");
    LpModel *beside = model->beside;
    const LpOther *other = &model->time.other;
    /* What both pictures share. */
    beside->views = model->views;
    memcpy(beside->state, model->state, sizeof beside->state);
    memcpy(beside->facts, model->facts, sizeof beside->facts);
    beside->session = model->session;
    beside->scenario = model->scenario;
    beside->context = model->context;
    beside->board = model->board;
    beside->ui = model->ui;
    beside->world = model->time.other.world;
    LP_TRY(lp_links_keep(beside, diag));
    LP_TRY(lp_letters_of_branch(&beside->letters, session, other->at.branch, other->events, diag));
    LP_TRY(lp_gather_running(beside, session, diag));
    beside->moving = (LpRunning){.letter = -1};
    return gather_taken(beside, other, diag);
}

/* A job that is not there leaves the others as bright as they are. */
void lp_beside_focus(LpModel *model) {
    if (model->beside)
        model->beside->focus =
            lp_model_shows(model->beside, model->focus) ? model->focus : LP_NO_INDEX;
}
