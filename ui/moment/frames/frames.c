/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which scenes there are, and the frames of each. */
#include "moment/parts/motion.h"

#include <string.h>

#include "base/mem.h"
#include "moment/frames/frames_impl.h"
#include "moment/parts/event_face.h"

void lp_motion_fini(LpMotionModel *motion) {
    lp_free(motion->mark);
    lp_free(motion->light);
    lp_free(motion->shine);
    lp_step_model_fini(&motion->step);
    *motion = (LpMotionModel){0};
}

/* ---- which ---- */

static const LpEvent *last_event(const LpModel *model) {
    size_t events = lp_session_events(model->session);
    return events > 0 ? lp_session_event(model->session, events - 1) : NULL;
}

LpScene lp_motion_scene(const LpModel *model) {
    const LpEvent *event = last_event(model);
    if (model->decision.due)
        return (LpScene)model->ui->stage;
    if (event == NULL)
        return LP_SCENE_NONE;
    const LpEventFace *face = lp_event_face(event->kind);
    return event->job == LP_NO_INDEX ? face->all : face->scene;
}

/* ---- what a scene is about ---- */

/* Takes servers and forecast of what is chosen by hand, or of the marked candidate, if it fits. */
static void take_forecast(LpMotionSubject *s) {
    const LpCandidate *candidate = lp_motion_candidate(s->model);
    const LpForecast *forecast = s->model->drafted.priced ? lp_model_drafted(s->model)
                                 : candidate != NULL      ? &candidate->forecast
                                                          : NULL;
    if (forecast == NULL || !forecast->feasible || !forecast->server)
        return;
    s->forecast = forecast;
    s->server = s->forecast->server;
    s->servers = s->forecast->servers;
}

static void take_job(LpMotionSubject *s) {
    if (s->job->placed.placement == LP_NO_INDEX)
        return;
    const LpPlacement *p = lp_store_placement(s->model->context->store, s->job->placed.placement);
    s->server = p->server;
    s->servers = p->servers;
}

/* ---- all together ---- */

static const struct {
    int (*frames)(LpMotionSubject *s);
    void (*show)(LpMotionSubject *s);
} scenes[LP_SCENE_COUNT] = {
    [LP_SCENE_PARTITION] = {lp_motion_split_frames, lp_motion_show_split},
    [LP_SCENE_PLACE] = {lp_motion_place_frames, lp_motion_show_place},
    [LP_SCENE_ORDER_OPS] = {lp_motion_step_frames, lp_motion_show_ops},
    [LP_SCENE_CIRCUITS] = {lp_motion_light_frames, lp_motion_show_light},
    [LP_SCENE_ORDER_FLOWS] = {lp_motion_step_frames, lp_motion_show_flows},
    [LP_SCENE_START] = {lp_motion_start_frames, lp_motion_show_start},
    [LP_SCENE_BLOCKED] = {lp_motion_blocked_frames, lp_motion_show_blocked},
    [LP_SCENE_DONE] = {lp_motion_done_frames, lp_motion_show_done},
    [LP_SCENE_REGROUP] = {lp_motion_regroup_frames, lp_motion_show_regroup},
    [LP_SCENE_RELIT] = {lp_motion_relit_frames, lp_motion_show_relit},
};

static LpErr clear(LpMotionModel *m, uint32_t servers, LpDiag *diag) {
    if (m->mark_cap < servers) {
        lp_free(m->mark);
        m->mark_cap = 0;
        m->mark = lp_alloc(servers, 1);
        if (!m->mark)
            return lp_fail_memory(diag, "the frames of a decision");
        m->mark_cap = servers;
    } else if (m->marks) {
        memset(m->mark, 0, m->mark_cap);
    }
    m->marks = 0;
    m->on = m->wants = m->plan = m->lit = m->instant = false;
    m->wanted = NULL;
    m->wanted_count = 0;
    m->tx = NULL;
    m->txs = 0;
    m->weighed = -1;
    m->frame = m->frames = 0;
    return LP_OK;
}

/* The subject of the scene: job, its name, and servers of its plan. */
static void take_subject(LpMotionSubject *s) {
    const LpModel *model = s->model;
    LpMotionModel *m = s->motion;
    m->job = model->decision.due ? model->decision.job : last_event(model)->job;
    if (m->job == LP_NO_INDEX)
        return;
    s->job = lp_world_job(model->world, m->job);
    lp_words_job(model, s->job, s->name);
    s->now->job = m->job;
    if (model->decision.due || (m->scene == LP_SCENE_BLOCKED && model->decision.job == m->job))
        take_forecast(s);
    else
        take_job(s);
}

/* The still is the last frame without its marks. */
LpErr lp_motion_update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpMotionModel *m = &model->motion;
    LpNow *now = &model->now;
    LpMotionSubject s = {.model = model, .session = session, .motion = m, .now = now};
    int frame = model->ui->frame;
    LP_TRY(clear(m, lp_world_servers(model->world), diag));
    lp_said_clear(&now->said);
    lp_said_clear(&now->next);
    now->job = LP_NO_INDEX;
    now->step = now->steps = 0;
    m->scene = lp_motion_scene(model);
    if (m->scene == LP_SCENE_NONE)
        return LP_OK;
    take_subject(&s);
    m->frames = scenes[m->scene].frames(&s);
    m->frame = frame < 0 || frame >= m->frames ? m->frames - 1 : frame;
    m->on = frame >= 0;
    now->step = m->frame + 1;
    now->steps = m->frames > 1 ? m->frames : 0;
    scenes[m->scene].show(&s);
    return s.failed ? lp_fail_memory(diag, "the frames of a decision") : LP_OK;
}
