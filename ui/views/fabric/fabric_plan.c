/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where groups stand in the picture, and whose light stands out in it. */
#include "views/fabric/fabric_view_impl.h"

enum { FRAME = 2, LABEL = 4, GAP_LEAST = 1, GAP_MOST = 10, RAILS_LEAST = 2 };

bool lp_fabric_plan(const LpBoardPlan *plan, int width, int height, LpFabricPlan *out) {
    LpFabricPlan p = {.groups = plan->groups, .racks = plan->racks, .per_rack = plan->per_rack};
    if (plan->groups < 2 || plan->joins != LP_BOARD_LIGHT ||
        (int)p.racks + FRAME + RAILS_LEAST > height || p.per_rack > (uint32_t)width)
        return false;
    for (p.server = 4; p.server > 0; p.server--) {
        p.width = FRAME + LABEL + (int)p.per_rack * p.server;
        p.pitch = p.groups > 0 ? (width + GAP_LEAST) / (int)p.groups : 0;
        if (p.width + GAP_LEAST > p.pitch)
            continue;
        p.pitch = p.pitch > p.width + GAP_MOST ? p.width + GAP_MOST : p.pitch;
        *out = p;
        return true;
    }
    return false;
}

int lp_fabric_wire(const LpFabricPlan *p, uint32_t group) {
    return (int)group * p->pitch + p->width / 2;
}

const LpRunning *lp_fabric_focus(const LpModel *model) {
    if (model->moving.job != NULL && model->moving.job->id == model->focus)
        return model->moving.txs > 0 ? &model->moving : NULL;
    const LpRunning *job = lp_model_running(model, model->focus);
    return job != NULL && job->txs > 0 ? job : NULL;
}
