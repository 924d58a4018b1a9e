/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which frame is shown and for how long: while playing, by the pace; and asked for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/state/state.h"
#include "base/num.h"
#include "moment/parts/event_face.h"
#include "widgets/show.h"

/* ---- for how long ---- */

/* What a frame shows. */
typedef enum Kind { ARRIVES, WEIGH, VERDICT, TAKE, ORDER, LIGHT, SEND, EVENT, BLOCKED, KINDS } Kind;

/* ms at 0.5x */
static const int64_t shown_ms[KINDS] = {
    [ARRIVES] = 1000, [WEIGH] = 1200, [VERDICT] = 1500, [TAKE] = 600,     [ORDER] = 900,
    [LIGHT] = 600,    [SEND] = 900,   [EVENT] = 800,    [BLOCKED] = 2500,
};

/* Times at the paces that have frames, in quarters of shown_ms. */
static const int64_t quarters[LP_SPEED_4X] = {20, 8, 4, 2, 1};

/* From 4x on jobs move, not decisions: how long each is seen, ms at 4x. */
enum { CAME_MS = 300, WENT_MS = 300, LOST_MS = 500, DECISION_MS = 120 /* at 16x */ };

static Kind kind_of(const LpApp *app) {
    static const Kind of[LP_SCENE_COUNT] = {
        [LP_SCENE_PARTITION] = WEIGH, [LP_SCENE_PLACE] = TAKE,       [LP_SCENE_ORDER_OPS] = ORDER,
        [LP_SCENE_CIRCUITS] = LIGHT,  [LP_SCENE_ORDER_FLOWS] = SEND, [LP_SCENE_START] = EVENT,
        [LP_SCENE_BLOCKED] = BLOCKED, [LP_SCENE_DONE] = EVENT,       [LP_SCENE_REGROUP] = SEND,
        [LP_SCENE_RELIT] = SEND,      [LP_SCENE_NONE] = EVENT};
    const LpMotionModel *m = &app->model.motion;
    if (m->scene != LP_SCENE_PARTITION)
        return of[m->scene];
    return m->frame + 1 >= m->frames ? VERDICT : m->frame == 0 ? ARRIVES : WEIGH;
}

/* What happens only inside the program is passed over. */
static bool is_seen(const LpApp *app) {
    size_t events = lp_session_events(app->session);
    LpEventKind kind = events ? lp_session_event(app->session, events - 1)->kind : LP_EVENT_NONE;
    return !lp_event_face(kind)->unseen;
}

int64_t lp_app_shown_ms(const LpApp *app) {
    const LpMotionModel *m = &app->model.motion;
    bool due = lp_app_is_due(app), blocked = m->scene == LP_SCENE_BLOCKED;
    bool several = blocked || m->scene == LP_SCENE_DONE;
    if (app->ui.speed == LP_SPEED_MAX || (!due && !is_seen(app)))
        return 0;
    if (app->ui.speed == LP_SPEED_16X)
        return due ? DECISION_MS : 0;
    if (app->ui.speed == LP_SPEED_4X && (due || !m->on || m->scene == LP_SCENE_NONE))
        return due ? CAME_MS : 0;
    if (app->ui.speed == LP_SPEED_4X)
        return (blocked ? LOST_MS : WENT_MS) / (m->frames > 0 ? m->frames : 1);
    int64_t ms = shown_ms[kind_of(app)] * quarters[app->ui.speed] / 4;
    return several && m->on ? ms / m->frames : ms; /* the frames of one event share its time */
}

/* ---- which ---- */

/* All of them, the last one of a decision, or none. */
typedef enum Steps { ALL, MOMENTS, NONE } Steps;

static Steps steps_of(const LpApp *app) {
    if (app->motion == LP_MOTION_OFF || lp_app_shown(app)->still)
        return NONE;
    bool job = app->ui.speed == LP_SPEED_4X && !lp_app_is_due(app); /* it starts, ends, is lost */
    return app->ui.speed < LP_SPEED_4X || job ? ALL : app->ui.speed < LP_SPEED_MAX ? MOMENTS : NONE;
}

/* Brings the model to the frame; false when nothing is shown in steps here. */
static bool refresh(LpApp *app) {
    LpDiag diag = {0};
    if (!lp_app_check(app, lp_model_update(&app->model, app->session, &app->ui, &diag), &diag))
        return false;
    app->dirty = true;
    return app->model.motion.scene != LP_SCENE_NONE;
}

/* Where the policy does not let the job run there is only the first stage. */
static bool has_next_scene(const LpApp *app) {
    const LpAnswer *answer = app->model.decision.answer;
    if (!app->model.decision.due)
        return false;
    bool runs = app->ui.row >= 0 || (answer && answer->kind == LP_ANSWER_RUN);
    return runs && app->ui.stage + 1 < LP_STAGE_COUNT;
}

static bool has_scene_before(const LpApp *app) {
    return app->model.decision.due && app->ui.stage > 0;
}

static void go_to_scene(LpApp *app, int by) {
    app->ui.stage = (LpStage)((int)app->ui.stage + by);
}

/* ---- playing ---- */

void lp_app_first_frame(LpApp *app) {
    Steps steps = steps_of(app);
    app->ui.frame = -1;
    if (app->ui.speed == LP_SPEED_MAX || !refresh(app) || steps == NONE)
        return;
    app->ui.frame = steps == ALL ? 0 : app->model.motion.frames - 1;
    refresh(app);
}

bool lp_app_next_shown_frame(LpApp *app) {
    Steps steps = steps_of(app);
    if (app->ui.frame < 0 || steps == MOMENTS || steps == NONE || !refresh(app))
        return false;
    if (steps == ALL && app->ui.frame + 1 < app->model.motion.frames) {
        app->ui.frame++;
    } else if (has_next_scene(app)) {
        go_to_scene(app, 1);
        lp_app_first_frame(app);
    } else {
        app->ui.frame = -1;
        return false;
    }
    refresh(app);
    return true;
}

void lp_app_pass(LpApp *app, int64_t now) {
    enum { BAR_MS = 500 }; /* what changes more often cannot be read */
    LpPassing *p = &app->passing;
    const LpWorld *world = lp_session_world(app->session);
    const LpTally *t = lp_world_tally(world);
    char span[LP_SHOW_TEXT];
    if (!app->ui.playing || app->ui.speed != LP_SPEED_16X || (p->on && now - p->at < BAR_MS))
        return;
    double s = lp_world_now(world);
    if (p->on && t->arrived >= p->came && t->completed >= p->done && t->blocked >= p->lost)
        snprintf(app->ui.passed, sizeof app->ui.passed,
                 "%" PRIu64 " came, %" PRIu64 " done, %" PRIu64 " lost in %s", t->arrived - p->came,
                 t->completed - p->done, t->blocked - p->lost, lp_show_seconds(s - p->from, span));
    *p = (LpPassing){.on = true,
                     .at = now,
                     .from = s,
                     .came = t->arrived,
                     .done = t->completed,
                     .lost = t->blocked};
    app->dirty = true;
}

void lp_app_pace(LpApp *app, int speed, int64_t now) {
    app->passing.on = false;
    app->ui.passed[0] = '\0';
    app->ui.speed = speed < 0 ? 0 : speed >= LP_UI_SPEEDS ? LP_UI_SPEEDS - 1 : speed;
    int64_t at = now + lp_app_shown_ms(app);
    app->due.next = app->due.next < at ? app->due.next : at;
}

void lp_app_stop_here(LpApp *app) {
    app->ui.playing = false;
    app->ui.frame = app->motion == LP_MOTION_OFF ? -1 : 0;
}

/* ---- asked for ---- */

void lp_app_frame(LpApp *app, int by) {
    bool still = app->ui.frame < 0;
    app->ui.playing = false;
    if (lp_app_shown(app)->still || !refresh(app)) {
        lp_app_tell(app,
                    "nothing here is shown in steps; {next-decision} goes to the next decision");
        return;
    }
    app->ui.frame = still ? 0 : app->ui.frame;
    refresh(app);
    int frame = still && by > 0 ? 0 : still ? app->model.motion.frames - 1 : app->ui.frame + by;
    if (frame >= 0 && frame < app->model.motion.frames) {
        app->ui.frame = frame;
    } else if (by > 0 && has_next_scene(app)) {
        go_to_scene(app, 1);
        app->ui.frame = 0;
    } else if (by < 0 && has_scene_before(app)) {
        go_to_scene(app, -1);
        refresh(app);
        app->ui.frame = app->model.motion.frames - 1;
    } else {
        lp_app_say(app, false, by > 0 ? "this was the last frame" : "this is the first frame");
    }
}

LpErr lp_app_frame_to(LpApp *app, const char *word, LpDiag *diag) {
    uint64_t number = 0;
    char shown[40];
    if (strcmp(word, "next") == 0 || strcmp(word, "back") == 0) {
        lp_app_frame(app, *word == 'n' ? 1 : -1);
        return LP_OK;
    }
    if (strcmp(word, "off") == 0) {
        app->ui.frame = -1;
        return LP_OK;
    }
    app->ui.frame = 0;
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    app->ui.frame = -1;
    if (app->model.motion.scene == LP_SCENE_NONE)
        return lp_fail(diag, LP_ESTATE,
                       "nothing here is shown in steps: no decision is due, and "
                       "no job has just started, ended or been blocked, nor circuits turned");
    int frames = app->model.motion.frames;
    if (strcmp(word, "last") == 0)
        number = (uint64_t)frames;
    else if (lp_num_parse_u64(word, &number, NULL) != LP_OK || number < 1 ||
             number > (uint64_t)frames)
        return lp_fail(diag, LP_EINVAL,
                       "\"%s\" is no frame: expected 1 to %d here, next, back, last or off",
                       lp_str_show(shown, sizeof shown, word), frames);
    app->ui.playing = false;
    app->ui.frame = (int)number - 1;
    return LP_OK;
}
