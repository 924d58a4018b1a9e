/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which frame is shown: while playing, by itself after a key in a terminal, and asked for. */
#include <string.h>

#include "app/impl.h"
#include "base/num.h"

enum {
    PLAY_MS = 33,   /* a frame while playing */
    STEP_MS = 60,   /* ... after a key */
    SLOW_MS = 150,  /* ... for a class */
    PLAY_FRAMES = 3 /* of a scene while playing */
};

/* Frames that are shown of a scene while playing. */
static int shown_frames(const LpApp *app, int frames) {
    int most = app->motion == LP_MOTION_SLOW   ? LP_MOTION_FRAMES
               : app->motion == LP_MOTION_FAST ? 1
                                               : PLAY_FRAMES;
    return frames < most ? frames : most;
}

int64_t lp_app_frame_ms(const LpApp *app) {
    if (app->ui.speed > 0 || app->motion == LP_MOTION_OFF)
        return 0;
    return app->motion == LP_MOTION_SLOW ? SLOW_MS : PLAY_MS;
}

/* Brings the model to the frame; false when nothing is shown in steps here. */
static bool refresh(LpApp *app) {
    LpDiag diag = {0};
    if (!lp_app_check(app, lp_model_update(&app->model, app->session, &app->ui, &diag), &diag))
        return false;
    app->dirty = true;
    return app->model.motion.scene != LP_SCENE_NONE;
}

/* ---- over the scenes of a moment ---- */

/* Where the policy does not let the job run there is only the first stage. */
static bool has_next_scene(const LpApp *app) {
    const LpAnswer *answer;
    if (!app->model.decision.due)
        return false;
    answer = app->model.decision.answer;
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

/* The k-th of `shown` frames out of `frames`; the last one is always the last. */
static int pick(int k, int shown, int frames) {
    return frames * (k + 1) / shown - 1;
}

void lp_app_first_frame(LpApp *app) {
    app->ui.frame = -1;
    if (lp_app_frame_ms(app) == 0)
        return;
    app->ui.frame = 0;
    if (!refresh(app)) {
        app->ui.frame = -1;
        return;
    }
    int frames = app->model.motion.frames;
    app->ui.frame = pick(0, shown_frames(app, frames), frames);
}

bool lp_app_next_shown_frame(LpApp *app) {
    if (app->ui.frame < 0 || lp_app_frame_ms(app) == 0 || !refresh(app))
        return false;
    int frames = app->model.motion.frames, shown = shown_frames(app, frames);
    for (int k = 0; k < shown; k++)
        if (pick(k, shown, frames) > app->ui.frame) {
            app->ui.frame = pick(k, shown, frames);
            return true;
        }
    if (!has_next_scene(app)) {
        app->ui.frame = -1;
        return false;
    }
    go_to_scene(app, 1);
    lp_app_first_frame(app);
    return true;
}

/* ---- after a key ---- */

void lp_app_begin_motion(LpApp *app, int64_t now) {
    bool fast = app->ui.speed >= LP_UI_SPEEDS - 1 || app->motion == LP_MOTION_FAST;
    app->ui.frame = -1;
    app->moving = false;
    if (!app->clock || app->motion == LP_MOTION_OFF || fast || app->ui.playing)
        return;
    app->ui.frame = 0;
    app->moving = refresh(app);
    app->ui.frame = app->moving ? 0 : -1;
    app->moving_at = now + STEP_MS;
}

void lp_app_end_motion(LpApp *app) {
    app->moving = false;
    app->ui.frame = -1;
}

void lp_app_motion_tick(LpApp *app, int64_t now) {
    if (!app->moving || now < app->moving_at)
        return;
    app->moving_at = now + (app->motion == LP_MOTION_SLOW ? SLOW_MS : STEP_MS);
    app->dirty = true;
    if (app->ui.frame + 1 < app->model.motion.frames) {
        app->ui.frame++;
    } else {
        lp_app_end_motion(app);
    }
}

/* ---- asked for ---- */

void lp_app_frame(LpApp *app, int by) {
    bool still = app->ui.frame < 0;
    app->ui.playing = app->moving = false;
    if (!refresh(app)) {
        lp_app_say(app, false, "nothing here is shown in steps; n goes to the next decision");
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
    app->moving = false;
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
                       "no job has just started, ended or been blocked");
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
