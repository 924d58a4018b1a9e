/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The job in focus, how cells of jobs are filled, and which transmitters are lit. */
#include "moment/model.h"

static bool is_shown(const LpModel *model, uint32_t job) {
    if (model->decision.due && model->decision.job == job)
        return true;
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].job->id == job)
            return true;
    return false;
}

uint32_t lp_model_find_focus(const LpModel *model, bool fast) {
    const LpUiState *ui = model->ui;
    uint32_t said = model->now.job;
    if (ui->playing && fast)
        return LP_NO_INDEX;
    if (!model->motion.on && ui->focus_job > 0 && is_shown(model, ui->focus_job - 1))
        return ui->focus_job - 1;
    return said != LP_NO_INDEX && is_shown(model, said) ? said : LP_NO_INDEX;
}

LpStyle lp_model_letter_style(int letter) {
    return (LpStyle)(letter < 0 ? LP_ROLE_TEXT : LP_ROLE_JOB0 + letter % LP_JOB_ROLES);
}

bool lp_model_is_quiet(const LpModel *model, uint32_t job) {
    return model->focus != LP_NO_INDEX && job != model->focus;
}

static LpStyle job_look(const LpModel *model, uint32_t job, unsigned bits) {
    if (model->decision.due && job == model->decision.job)
        return (LpStyle)(bits & LP_FILL ? LP_ROLE_STAGE | LP_FILL : LP_ROLE_PENDING);
    if (lp_model_is_quiet(model, job))
        bits |= LP_DIM;
    else if (job == model->focus)
        bits |= LP_BOLD;
    return (LpStyle)(lp_model_letter_style(lp_letters_ever(&model->letters, job)) | bits);
}

LpStyle lp_model_fill(const LpModel *model, uint32_t job) {
    return job_look(model, job, LP_FILL);
}

LpStyle lp_model_ink(const LpModel *model, uint32_t job) {
    return job_look(model, job, 0);
}

bool lp_model_shines(const LpModel *model, const LpRunning *job, const LpTransmitter *tx) {
    const LpFabric *f = &model->context->fabric;
    return job != &model->moving ||
           job->light[lp_fabric_group(f, tx->server) * f->groups + tx->group] > 0.0;
}

uint32_t lp_model_lit(const LpModel *model) {
    uint32_t lit = 0;
    for (uint32_t i = 0; i < model->running_count; i++)
        lit += model->motion.instant ? 0 : model->running[i].txs;
    for (uint32_t i = 0; i < model->moving.txs; i++)
        lit += lp_model_shines(model, &model->moving, &model->moving.tx[i]);
    return lit;
}

uint32_t lp_model_next_focus(const LpModel *model, int by) {
    int count = (int)model->running_count, all = count + model->decision.due, at = -1;
    for (int i = 0; i < count; i++)
        if (model->running[i].job->id == model->focus)
            at = i;
    if (all == 0)
        return LP_NO_INDEX;
    if (at < 0 && model->focus != LP_NO_INDEX)
        at = count;
    at = at < 0 ? (by > 0 ? 0 : all - 1) : (at + by + all) % all;
    return at < count ? model->running[at].job->id : model->decision.job;
}
