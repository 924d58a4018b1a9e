/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The job in focus, how cells of jobs are filled, and which transmitters are lit. */
#include "moment/picture/model.h"

const LpRunning *lp_model_running(const LpModel *model, uint32_t job) {
    uint32_t at = job < model->place_cap ? model->place[job] : LP_NO_INDEX;
    return at < model->running_count && model->running[at].job->id == job ? &model->running[at]
                                                                          : NULL;
}

bool lp_model_shows(const LpModel *model, uint32_t job) {
    return (model->decision.due && model->decision.job == job) ||
           lp_model_running(model, job) != NULL;
}

/* Also in the cluster beside this one. */
static bool shows_anywhere(const LpModel *model, uint32_t job) {
    return lp_model_shows(model, job) || (model->beside && lp_model_shows(model->beside, job));
}

uint32_t lp_model_find_focus(const LpModel *model, bool fast) {
    const LpUiState *ui = model->ui;
    uint32_t said = model->now.job;
    if (ui->playing && fast)
        return LP_NO_INDEX;
    if (!model->motion.on && ui->focus_job > 0 && shows_anywhere(model, ui->focus_job - 1))
        return ui->focus_job - 1;
    return said != LP_NO_INDEX && lp_model_shows(model, said) ? said : LP_NO_INDEX;
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
    return (LpStyle)(lp_letter_hue(job) | bits);
}

LpStyle lp_model_fill(const LpModel *model, uint32_t job) {
    return job_look(model, job, LP_FILL);
}

LpStyle lp_model_ink(const LpModel *model, uint32_t job) {
    return job_look(model, job, 0);
}

bool lp_model_shines(const LpModel *model, const LpRunning *job, const LpTransmitter *tx) {
    return job != &model->moving || model->motion.shine[tx - job->tx] != LP_SHINE_NOT;
}

bool lp_model_path_shines(const LpModel *model, const LpRunning *job, const LpPath *path) {
    uint32_t group = lp_fabric_group(&model->context->fabric, path->dst), low = 0, high = job->txs;
    if (job != &model->moving)
        return true;
    while (low < high) { /* by server, then by group */
        uint32_t middle = low + (high - low) / 2;
        const LpTransmitter *tx = &job->tx[middle];
        if (tx->server < path->src || (tx->server == path->src && tx->group < group))
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->txs && job->tx[low].server == path->src && job->tx[low].group == group &&
           lp_model_shines(model, job, &job->tx[low]);
}

bool lp_model_is_newest(const LpModel *model, const LpRunning *job, const LpTransmitter *tx) {
    return job == &model->moving && model->motion.shine[tx - job->tx] == LP_SHINE_NEWEST;
}

/* Slices hold circuits as long as they are there. */
static uint32_t slice_circuits(const LpModel *model) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < model->running_count; i++)
        held += model->running[i].job->placed.circuits;
    return held;
}

uint32_t lp_model_lit(const LpModel *model) {
    uint32_t lit = 0;
    if (model->board.joins == LP_BOARD_SLICES)
        return slice_circuits(model);
    for (uint32_t i = 0; i < model->running_count; i++)
        lit += model->motion.instant ? 0 : model->running[i].txs;
    for (uint32_t i = 0; i < model->moving.txs; i++)
        lit += lp_model_shines(model, &model->moving, &model->moving.tx[i]);
    return lit;
}

/* The jobs that run, the one that is decided, and those that run only in the cluster beside this
 * one; LP_NO_INDEX after the last. */
static uint32_t nth_job(const LpModel *model, uint32_t n) {
    if (n < model->running_count)
        return model->running[n].job->id;
    n -= model->running_count;
    if (model->decision.due && n-- == 0)
        return model->decision.job;
    for (uint32_t i = 0; model->beside && i < model->beside->running_count; i++) {
        uint32_t job = model->beside->running[i].job->id;
        if (!lp_model_shows(model, job) && n-- == 0)
            return job;
    }
    return LP_NO_INDEX;
}

uint32_t lp_model_next_focus(const LpModel *model, int by) {
    int all = 0, at = -1;
    for (uint32_t job; (job = nth_job(model, (uint32_t)all)) != LP_NO_INDEX; all++)
        if (job == model->focus)
            at = all;
    if (all == 0)
        return LP_NO_INDEX;
    at = at < 0 ? (by > 0 ? 0 : all - 1) : (at + by + all) % all;
    return nth_job(model, (uint32_t)at);
}
