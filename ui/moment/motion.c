/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which scenes there are, and the frames of each. */
#include "moment/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "moment/motion_internal.h"

static const char *const names[] = {
#define X(id, name) name,
    LP_SCENE_TABLE(X)
#undef X
};

const char *lp_scene_name(LpScene scene) {
    return names[scene];
}

void lp_motion_fini(LpMotionModel *motion) {
    lp_free(motion->mark);
    lp_free(motion->light);
    lp_buf_fini(&motion->caption);
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
    if (event == NULL || event->job == LP_NO_INDEX)
        return LP_SCENE_NONE;
    switch (event->kind) {
    case LP_EVENT_START:
        return model->ui->scene > 0 ? LP_SCENE_LIT : LP_SCENE_PLACED;
    case LP_EVENT_BLOCK:
        return LP_SCENE_BLOCKED;
    case LP_EVENT_COMPLETION:
        return LP_SCENE_DONE;
    default:
        return LP_SCENE_NONE;
    }
}

/* ---- what a scene is about ---- */

static const LpCandidate *candidate_of(const LpModel *model) {
    const LpDecision *d = &model->decision;
    int row = model->ui->row >= 0 && model->ui->row < (int)d->count ? model->ui->row : d->chosen;
    return row >= 0 && row < (int)d->count ? &d->candidate[row] : NULL;
}

/* Takes servers and forecast of the marked candidate, if it fits. */
static void take_forecast(LpMotionSubject *s) {
    const LpCandidate *candidate = candidate_of(s->model);
    if (candidate == NULL || !candidate->forecast.feasible || !candidate->forecast.server)
        return;
    s->forecast = &candidate->forecast;
    s->server = s->forecast->server;
    s->servers = s->forecast->servers;
}

static void take_job(LpMotionSubject *s) {
    if (s->job->placement == LP_NO_INDEX)
        return;
    const LpPlacement *p = lp_store_placement(s->model->context->store, s->job->placement);
    s->server = p->server;
    s->servers = p->servers;
}

/* ---- parts of frames ---- */

static void mark(LpMotionModel *m, uint32_t server, LpServerMark as) {
    if (server >= m->mark_cap)
        return;
    m->marks += m->mark[server] == LP_SERVER_UNMARKED;
    m->mark[server] = (uint8_t)as;
}

static void name_servers(const LpMotionSubject *s, uint32_t from, uint32_t to) {
    lp_words_servers(s->model, s->server + from, to - from, 6, &s->motion->caption);
}

/* The first `now` servers show as wanted, those since `before` as the newest. */
static void want(LpMotionSubject *s, uint32_t before, uint32_t now) {
    s->motion->wants = true;
    s->motion->wanted = s->server;
    s->motion->wanted_count = now;
    for (uint32_t i = before; i < now; i++)
        mark(s->motion, s->server[i], LP_SERVER_NEWEST);
}

/* ---- the scenes of a decision ---- */

enum { WEIGHED_MOST = LP_MOTION_FRAMES - 2 }; /* between arrival and answer */

static uint32_t weighed_count(const LpMotionSubject *s) {
    uint32_t count = s->model->decision.count;
    return count <= 1 ? 0 : count < WEIGHED_MOST ? count : WEIGHED_MOST;
}

static int partition_frames(LpMotionSubject *s) {
    return 2 + (int)weighed_count(s);
}

static void say_arrival(LpMotionSubject *s) {
    const LpModel *model = s->model;
    uint32_t servers = lp_world_servers(model->world), busy = 0;
    char limit[LP_SHOW_TEXT];
    for (uint32_t i = 0; i < servers; i++)
        busy += lp_world_server(model->world, i)->job != LP_NO_INDEX;
    lp_buf_addf(&s->motion->caption, "job %u %s is here: ", (unsigned)s->job->id,
                lp_words_graph(model, s->job));
    if (isinf(s->job->max_jct))
        lp_buf_add(&s->motion->caption, "no limit");
    else
        lp_buf_addf(&s->motion->caption, "limit %s", lp_show_seconds(s->job->max_jct, limit));
    lp_buf_addf(&s->motion->caption, ", %u of %u servers are free", (unsigned)(servers - busy),
                (unsigned)servers);
}

/* Marks every free server as one that cannot be used. */
static void refuse_free(LpMotionSubject *s) {
    uint32_t servers = lp_world_servers(s->model->world);
    for (uint32_t i = 0; i < servers; i++) {
        const LpServer *server = lp_world_server(s->model->world, i);
        if (server->job == LP_NO_INDEX && server->state != LP_SERVER_FAILED)
            mark(s->motion, i, LP_SERVER_REFUSED);
    }
}

static void weigh(LpMotionSubject *s, int index) {
    const LpCandidate *c = &s->model->decision.candidate[index];
    LpBuf *out = &s->motion->caption;
    char shape[LP_SHAPE_TEXT], percent[LP_SHOW_TEXT];
    s->motion->weighed = index;
    lp_buf_addf(out, "weighing %u way%s: ", (unsigned)c->degree, c->degree == 1 ? "" : "s");
    if (c->forecast.feasible && c->forecast.shape.groups)
        lp_buf_addf(out, "%s, ", lp_shape_print(&c->forecast.shape, shape));
    if (c->forecast.feasible && !isnan(c->of_limit))
        lp_buf_addf(out, "%s of the limit, ", lp_show_percent(c->of_limit, percent));
    lp_words_verdict(s->job, &c->forecast, c->valid, c->free_after, false, out);
    if (!c->forecast.feasible)
        refuse_free(s);
}

static void say_answer(LpMotionSubject *s) {
    const LpAnswer *answer = s->model->decision.answer;
    LpBuf *out = &s->motion->caption;
    const LpCandidate *c = candidate_of(s->model);
    bool policys = s->model->ui->row < 0;
    if (policys && answer && answer->kind != LP_ANSWER_RUN)
        lp_buf_add(out, answer->kind == LP_ANSWER_WAIT ? "the policy lets the job wait"
                                                       : "the policy turns the job away");
    else if (policys && answer && answer->ways)
        lp_buf_add(out, "the policy splits each op its own way");
    else if (c)
        lp_buf_addf(out, "%s %u way%s",
                    policys ? "the policy splits" : "marked:", (unsigned)c->degree,
                    c->degree == 1 ? "" : "s");
    if (policys && answer && answer->why && *answer->why)
        lp_buf_addf(out, ", why: \"%s\"%s%s", answer->why,
                    answer->where && *answer->where ? " " : "", answer->where ? answer->where : "");
}

static void show_partition(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t weighed = weighed_count(s);
    if (m->frame == 0) {
        s->motion->wants = true;
        say_arrival(s);
    } else if (m->frame <= (int)weighed) {
        weigh(s, (int)lp_motion_upto(s->model->decision.count, m->frame - 1, (int)weighed) - 1);
    } else {
        say_answer(s);
        if (candidate_of(s->model))
            m->weighed = (int)(candidate_of(s->model) - s->model->decision.candidate);
    }
}

static int server_frames(LpMotionSubject *s) {
    return lp_motion_frames_for(s->servers);
}

static void show_place(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    if (s->servers == 0) {
        lp_buf_add(&m->caption, "there are no servers to place it on");
        return;
    }
    uint32_t now = lp_motion_upto(s->servers, m->frame, m->frames);
    uint32_t before = m->frame > 0 ? lp_motion_upto(s->servers, m->frame - 1, m->frames) : 0;
    bool last = now == s->servers;
    want(s, last ? now : before, now);
    lp_buf_addf(&m->caption, "placing %u of %u: ", (unsigned)now, (unsigned)s->servers);
    name_servers(s, last ? 0 : before, now);
    if (last && s->forecast && s->forecast->shape.groups) {
        char shape[LP_SHAPE_TEXT];
        lp_buf_addf(&m->caption, ", block %s", lp_shape_print(&s->forecast->shape, shape));
    }
}

/* ---- instants of a step ---- */

static int step_frames(LpMotionSubject *s) {
    return lp_motion_lay_out(s) ? LP_MOTION_FRAMES : 1;
}

static void show_ops(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    const LpStepBar *first = NULL;
    uint32_t busy = 0, where = 0;
    char text[LP_SHOW_TEXT];
    if (m->frames <= 1) {
        lp_buf_add(&m->caption, "there is no step to look into");
        return;
    }
    bool instant = lp_motion_instant(s);
    double area = 0.0;
    for (uint32_t i = 0; i < seen->servers; i++) {
        const LpStepBar *bar = instant ? lp_motion_bar(seen, i, m->at) : NULL;
        area += seen->row[i].busy;
        busy += bar != NULL;
        if (bar && !first)
            first = bar, where = seen->row[i].server;
        if (instant)
            mark(m, seen->row[i].server, bar ? LP_SERVER_COMPUTES : LP_SERVER_IDLE);
    }
    if (!instant) {
        double share = seen->servers ? area / (seen->servers * seen->step_time) : 0.0;
        lp_buf_addf(&m->caption, "over the step its %u server%s for %s of the time",
                    (unsigned)seen->servers, seen->servers == 1 ? " computes" : "s compute",
                    lp_show_percent(share, text));
        return;
    }
    lp_buf_addf(&m->caption, "%u of %u servers compute", (unsigned)busy, (unsigned)seen->servers);
    if (first)
        lp_buf_addf(&m->caption, ", server %u op %u of the %s pass", (unsigned)where,
                    (unsigned)first->op, first->backward ? "backward" : "forward");
}

/* ---- the scenes after a decision ---- */

/* Servers that it does not have yet still show as wanted. */
static void show_placed(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t now = lp_motion_upto(s->servers, m->frame, m->frames);
    uint32_t before = m->frame > 0 ? lp_motion_upto(s->servers, m->frame - 1, m->frames) : 0;
    m->wants = true;
    m->wanted = s->server + now;
    m->wanted_count = s->servers - now;
    for (uint32_t i = before; i < now && now < s->servers; i++)
        mark(m, s->server[i], LP_SERVER_NEWEST);
    lp_motion_dark(s); /* its light comes in the next scene */
    lp_buf_addf(&m->caption, "job %u takes %u of %u servers: ", (unsigned)s->job->id, (unsigned)now,
                (unsigned)s->servers);
    name_servers(s, before, now);
}

static int refused_frames(LpMotionSubject *s) {
    return s->servers == 0 ? 2 : 1 + lp_motion_frames_for(s->servers < 7 ? s->servers : 7);
}

static void show_blocked(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpWhy why = lp_session_why(s->session, s->job->id);
    const char *sentence = why.reason && *why.reason ? why.reason : why.why;
    bool last = m->frame + 1 >= m->frames;
    uint32_t now = last ? 0 : lp_motion_upto(s->servers, m->frame, m->frames - 1);
    for (uint32_t i = 0; i < now; i++)
        mark(m, s->server[i], LP_SERVER_REFUSED);
    if (s->servers == 0 && !last)
        refuse_free(s);
    lp_buf_addf(&m->caption, "job %u is blocked, %s", (unsigned)s->job->id,
                lp_cause_code((LpCause)s->job->cause));
    if (sentence && *sentence)
        lp_buf_addf(&m->caption, ": %s", sentence);
}

static int released_frames(LpMotionSubject *s) {
    return s->servers == 0 ? 1 : 1 + lp_motion_frames_for(s->servers < 7 ? s->servers : 7);
}

static void show_done(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    bool last = m->frame + 1 >= m->frames;
    uint32_t now = last ? s->servers : lp_motion_upto(s->servers, m->frame, m->frames - 1);
    char jct[LP_SHOW_TEXT];
    m->letter = lp_letters_was(&s->model->letters, s->job->id);
    for (uint32_t i = 0; i < s->servers && !last; i++)
        mark(m, s->server[i], i < now ? LP_SERVER_RELEASED : LP_SERVER_KEPT);
    lp_buf_addf(&m->caption, "job %u %s is done, JCT %s: %u of %u servers are free again",
                (unsigned)s->job->id, lp_words_graph(s->model, s->job),
                lp_show_seconds(s->job->end - s->job->arrival, jct), (unsigned)now,
                (unsigned)s->servers);
}

/* ---- all together ---- */

static const struct {
    int (*frames)(LpMotionSubject *s);
    void (*show)(LpMotionSubject *s);
} scenes[LP_SCENE_COUNT] = {
    [LP_SCENE_PARTITION] = {partition_frames, show_partition},
    [LP_SCENE_PLACE] = {server_frames, show_place},
    [LP_SCENE_ORDER_OPS] = {step_frames, show_ops},
    [LP_SCENE_CIRCUITS] = {lp_motion_light_frames, lp_motion_show_light},
    [LP_SCENE_ORDER_FLOWS] = {step_frames, lp_motion_show_flows},
    [LP_SCENE_PLACED] = {server_frames, show_placed},
    [LP_SCENE_LIT] = {lp_motion_light_frames, lp_motion_show_light},
    [LP_SCENE_BLOCKED] = {refused_frames, show_blocked},
    [LP_SCENE_DONE] = {released_frames, show_done},
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
    m->weighed = -1;
    m->frame = m->frames = 0;
    lp_buf_clear(&m->caption);
    return LP_OK;
}

/* Where the still shows more than the moment itself: the light of the plan. */
static bool has_still(LpScene scene) {
    return scene == LP_SCENE_CIRCUITS || scene == LP_SCENE_ORDER_FLOWS;
}

LpErr lp_motion_update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpMotionModel *m = &model->motion;
    LpMotionSubject s = {.model = model, .session = session, .motion = m};
    int frame = model->ui->frame;
    LP_TRY(clear(m, lp_world_servers(model->world), diag));
    m->scene = lp_motion_scene(model);
    if (m->scene == LP_SCENE_NONE || (frame < 0 && !has_still(m->scene)))
        return LP_OK;
    m->job = model->decision.due ? model->decision.job : last_event(model)->job;
    s.job = lp_world_job(model->world, m->job);
    if (model->decision.due || (m->scene == LP_SCENE_BLOCKED && model->decision.job == m->job))
        take_forecast(&s);
    else
        take_job(&s);
    m->frames = scenes[m->scene].frames(&s);
    m->frame = frame < 0 || frame >= m->frames ? m->frames - 1 : frame;
    m->on = frame >= 0;
    scenes[m->scene].show(&s);
    return lp_buf_ok(&m->caption, diag);
}
