/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a demonstration. They go the way that keys and commands go, one at a time, so that
 * everything between two lines is as it always is. */
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"

enum {
    KEY_MS = 400,      /* so that it can be followed */
    COMMAND_MS = 1500, /* a command is there to be read */
    LOOK_MS = 50,      /* between two looks for a text that is waited for */
    PATIENCE_MS = 600000
};

void lp_app_pause(LpApp *app, const char *text, int64_t now) {
    lp_app_play(app, false, now);
    lp_str_copy(app->ui.told, sizeof app->ui.told, text);
    app->dirty = true;
}

/* Is the text on the screen as it is now, or with `whole` once all of it is worked out? */
static bool is_shown(LpApp *app, const char *text, bool whole, LpErr *err, LpDiag *diag) {
    LpBuf screen = {0};
    *err = whole ? lp_app_draw_whole(app, diag) : lp_app_draw(app, diag);
    if (*err == LP_OK) {
        lp_canvas_print(&app->canvas, &screen);
        *err = lp_buf_ok(&screen, diag);
    }
    bool found = *err == LP_OK && strstr(lp_buf_text(&screen), text) != NULL;
    lp_buf_fini(&screen);
    return found;
}

static LpErr expect(LpApp *app, const LpScriptStep *step, LpDiag *diag) {
    LpErr err;
    if (is_shown(app, step->text, false, &err, diag) || err != LP_OK)
        return err;
    if (is_shown(app, step->text, true, &err, diag) || err != LP_OK)
        return err;
    return lp_fail(diag, LP_ESTATE, "the screen does not show \"%s\"", step->text);
}

/* A size is the terminal's own here. */
static LpErr do_step(LpApp *app, const LpScriptStep *step, int64_t now, LpDiag *diag) {
    LpDemo *demo = &app->demo;
    switch (step->kind) {
    case LP_SCRIPT_KEY:
        demo->at = now + KEY_MS;
        lp_app_key(app, step->key, now);
        return LP_OK;
    case LP_SCRIPT_POINTER:
        demo->at = now + KEY_MS;
        lp_app_mouse(app, &step->mouse, now);
        return LP_OK;
    case LP_SCRIPT_COMMAND:
        demo->at = now + COMMAND_MS;
        return lp_app_command(app, step->text, now, diag);
    case LP_SCRIPT_WAIT:
        demo->at = now + step->ms;
        return LP_OK;
    case LP_SCRIPT_WAIT_UNTIL:
        demo->until = step->text;
        demo->patience = now + PATIENCE_MS;
        return LP_OK;
    case LP_SCRIPT_EXPECT:
        return expect(app, step, diag);
    case LP_SCRIPT_PAUSE:
        lp_app_demo_hold(app);
        lp_app_play(app, false, now);
        lp_app_demo_say(app, step->text);
        return lp_app_demo_note(app, step->text, diag);
    default:
        return LP_OK;
    }
}

/* Whatever fails ends it: the rest expects another state. Where somebody pressed keys of his own
 * meanwhile it may be due to them: then it waits, and can be gone on with. */
static void fail(LpApp *app, int line, const LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT], place[32] = "", keys[80];
    if (line > 0)
        snprintf(place, sizeof place, "line %d: ", line);
    lp_diag_format(diag, text, sizeof text);
    if (app->demo.meddled) {
        app->demo.until = NULL;
        app->failed = false;
        lp_app_demo_hold(app);
        lp_app_say(app, true, "%s%.100s; %s", place, text,
                   lp_keymap_text(&app->keymap, "{take} goes on after it, {out} ends the demo",
                                  keys, sizeof keys));
        return;
    }
    lp_app_demo_end(app);
    lp_app_say(app, true, "the demo ended: %s%s", place, text);
}

/* Waits on while what is waited for is not to be seen. */
static bool waits(LpApp *app, int64_t now) {
    LpDemo *demo = &app->demo;
    LpDiag diag;
    LpErr err = LP_OK;
    if (!demo->until || is_shown(app, demo->until, false, &err, &diag)) {
        demo->until = NULL;
        return false;
    }
    if (err == LP_OK && now >= demo->patience)
        err = lp_fail(&diag, LP_ESTATE, "the screen does not show \"%s\", however long one waits",
                      demo->until);
    if (err != LP_OK)
        fail(app, 0, &diag);
    demo->at = now + LOOK_MS;
    return true;
}

void lp_app_demo_tick(LpApp *app, int64_t now) {
    LpDemo *demo = &app->demo;
    LpScriptStep step;
    LpDiag diag;
    if (!demo->on || demo->held || now < demo->at || waits(app, now))
        return;
    LpErr err = lp_script_next(&demo->script, &step, &diag);
    if (err != LP_OK) {
        fail(app, 0, &diag);
        return;
    }
    if (step.kind == LP_SCRIPT_END) {
        lp_app_demo_end(app);
        lp_app_say(app, false, "the demo is over");
        return;
    }
    const LpSession *session = app->session;
    uint32_t branches = lp_app_has_time(app) ? lp_session_branches(session) : 0;
    demo->busy = true;
    err = do_step(app, &step, now, &diag);
    demo->busy = false;
    if (err == LP_OK && lp_app_has_time(app) && app->session == session)
        err = lp_app_demo_made(app, branches, &diag);
    app->dirty = true;
    if (err == LP_OK && app->failed) {
        err = app->diag.code;
        diag = app->diag;
    }
    if (err != LP_OK)
        fail(app, step.line, &diag);
}
