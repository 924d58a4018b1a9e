/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scenes and light show of a plan: its step laid out, and parts of it by frame. */
#include <string.h>

#include "moment/frames/frames_impl.h"

static LpStepSubject plan_of(const LpMotionSubject *s) {
    const LpForecast *f = s->forecast;
    if (f)
        return (LpStepSubject){s->job->id, f->degree, f->partition, f->placement,
                               f->orders,  true,      f->step_time};
    return (LpStepSubject){s->job->id,
                           s->job->placed.degree,
                           s->job->placed.partition,
                           s->job->placed.placement,
                           s->job->placed.orders,
                           false,
                           s->job->forecast.step_time};
}

/* The step of the plan laid out; false when there is none, or it cannot be made. */
bool lp_motion_lay_out(LpMotionSubject *s) {
    LpStepSubject plan = plan_of(s);
    LpDiag diag;
    s->motion->step.known &= s->servers > 0 && plan.partition != LP_NO_INDEX &&
                             plan.placement != LP_NO_INDEX; /* no step of another plan */
    if (s->servers == 0 || plan.partition == LP_NO_INDEX || plan.placement == LP_NO_INDEX)
        return false;
    return lp_step_model_update(&s->motion->step, s->session, &plan, LP_STEP_ROWS_ALL, &diag) ==
               LP_OK &&
           s->motion->step.seen.step_time > 0.0;
}

/* How many of n things are there in a frame: all of them in the last one. */
uint32_t lp_motion_upto(uint32_t n, int frame, int frames) {
    uint64_t f = (uint64_t)(frame + 1), all = (uint64_t)(frames > 0 ? frames : 1);
    return (uint32_t)(((uint64_t)n * f + all - 1) / all);
}

int lp_motion_frames_for(uint32_t things) {
    return things == 0 ? 1 : things < LP_MOTION_FRAMES ? (int)things : LP_MOTION_FRAMES;
}

const LpStepBar *lp_motion_bar(const LpStepInspection *seen, uint32_t row, double t) {
    uint32_t index = lp_step_inspection_at(seen, row, t);
    if (index == LP_NO_INDEX)
        return NULL;
    const LpStepBar *bar = &seen->bar[index];
    return bar->start <= t && t < bar->end ? bar : NULL;
}

void lp_motion_mark(LpMotionModel *m, uint32_t server, LpServerMark as) {
    if (server >= m->mark_cap)
        return;
    m->marks += m->mark[server] == LP_SERVER_UNMARKED;
    m->mark[server] = (uint8_t)as;
}

void lp_motion_want(LpMotionSubject *s, uint32_t before, uint32_t n) {
    s->motion->wants = true;
    s->motion->wanted = s->server;
    s->motion->wanted_count = n;
    for (uint32_t i = before; i < n; i++)
        lp_motion_mark(s->motion, s->server[i], LP_SERVER_NEWEST);
}

void lp_motion_refuse_free(LpMotionSubject *s) {
    uint32_t servers = lp_world_servers(s->model->world);
    for (uint32_t i = 0; i < servers; i++) {
        const LpServer *server = lp_world_server(s->model->world, i);
        if (server->job == LP_NO_INDEX && server->state != LP_SERVER_FAILED)
            lp_motion_mark(s->motion, i, LP_SERVER_REFUSED);
    }
}

const LpCandidate *lp_motion_candidate(const LpModel *model) {
    const LpDecision *d = &model->decision;
    int row = model->ui->row >= 0 && model->ui->row < (int)d->count ? model->ui->row : d->chosen;
    return row >= 0 && row < (int)d->count ? &d->candidate[row] : NULL;
}
