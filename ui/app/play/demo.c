/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demonstrations: which key script plays in the running program, whether it waits, and the keys
 * that are for it. demo_run.c does its lines. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/play/play.h"
#include "app/show/show.h"
#include "base/mem.h"
#include "host/paths.h"

enum { HURRY_MS = 600 }; /* within which a second key is one too many */

/* ---- which ---- */

/* A file, or one that came with the program, by name. */
static LpErr find_demo(const char *name, char *path, size_t size, LpDiag *diag) {
    char shown[120];
    if (lp_paths_demo(name, path, size))
        return LP_OK;
    int len = snprintf(path, size, "%s", name);
    if (len > 0 && (size_t)len < size && access(path, R_OK) == 0)
        return LP_OK;
    LpBuf names = {0};
    LpErr err = lp_paths_list_demos(&names, diag);
    for (char *c = names.text; err == LP_OK && c && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (err == LP_OK)
        err = lp_fail(diag, LP_EINVAL,
                      "there is no key script \"%s\": expected a file, or the name of one that "
                      "came with the program: %s",
                      lp_str_show(shown, sizeof shown, name), lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

void lp_app_demo_end(LpApp *app) {
    lp_script_free(&app->demo.script);
    for (size_t i = 0; i < app->demo.stops; i++)
        lp_free(app->demo.stop[i].views);
    lp_free(app->demo.stop);
    lp_free(app->demo.made);
    app->demo = (LpDemo){0};
    app->ui.demo = app->ui.demo_runs = false;
    app->ui.told[0] = '\0';
    app->dirty = true;
}

LpErr lp_app_demo(LpApp *app, const char *name, int64_t now, LpDiag *diag) {
    char path[sizeof app->demo.path];
    LpScript script;
    if (app->demo.busy)
        return lp_fail(diag, LP_ESTATE, "a script cannot play another one");
    LP_TRY(find_demo(name, path, sizeof path, diag));
    LP_TRY(lp_script_open(path, &script, diag));
    lp_app_demo_end(app);
    app->demo = (LpDemo){.on = true, .script = script, .at = now};
    app->demo.script.name = lp_str_copy(app->demo.path, sizeof app->demo.path, path);
    app->ui.demo = app->ui.demo_runs = true;
    app->ui.playing = false;
    return LP_OK;
}

/* What is said stands in the bar; without a text the keys that go on are told. */
void lp_app_demo_say(LpApp *app, const char *text) {
    lp_str_copy(app->ui.told, sizeof app->ui.told, text);
    if (!text[0])
        lp_app_tell(app, "{take} goes on, {out} ends the demo, {page-up} goes back");
    app->dirty = true;
}

void lp_app_demo_hold(LpApp *app) {
    app->demo.held = true;
    app->ui.demo_runs = false;
    app->dirty = true;
}

int64_t lp_app_demo_deadline(const LpApp *app) {
    return app->demo.on && !app->demo.held ? app->demo.at : -1;
}

/* ---- keys ---- */

/* Where somebody begins to look at something else is where the script goes on. */
void lp_app_demo_touched(LpApp *app) {
    LpDemo *demo = &app->demo;
    if (!demo->on || demo->busy)
        return;
    if (!demo->touched) {
        demo->touched = demo->meddled = true;
        demo->here = lp_app_has_time(app) ? lp_session_moment(app->session) : (LpMoment){0};
        demo->only = app->ui.only;
    }
    if (!demo->held)
        lp_app_demo_hold(app);
}

/* Is the screen as the script left it? Then Enter and Esc are the script's. */
static bool is_as_left(const LpApp *app) {
    const LpUiState *ui = &app->ui;
    bool open =
        ui->page || ui->words.open || ui->row >= 0 || ui->pick >= 0 || ui->focus || ui->hand.board;
    return !app->demo.touched || (!open && ui->only == app->demo.only);
}

/* On from where it stopped, whatever was looked at since. */
static void go_on(LpApp *app, int64_t now) {
    LpDemo *demo = &app->demo;
    LpDiag diag = {0};
    if (demo->held && demo->hurried > 0 && now - demo->hurried < HURRY_MS)
        return; /* a key too many for what came before: the pause is not skipped */
    if (!demo->held) {
        demo->hurried = now;
        app->ui.frame = -1;
    }
    if (demo->touched) {
        lp_app_close_page(app);
        lp_app_close_words(app);
        app->ui.row = app->ui.pick = -1;
        if (lp_app_has_time(app))
            lp_app_attempt(app, lp_app_return(app, demo->here, &diag), &diag);
        if (app->ui.only != demo->only)
            lp_app_show(app, demo->only);
    }
    demo->touched = demo->held = demo->paused = false;
    demo->at = now; /* also in the middle of a wait */
    app->ui.demo_runs = true;
    app->ui.told[0] = '\0';
}

bool lp_app_demo_on(LpApp *app, int64_t now) {
    if (!app->demo.on || app->demo.busy || !is_as_left(app))
        return false;
    go_on(app, now);
    app->dirty = true;
    return true;
}

bool lp_app_demo_key(LpApp *app, LpKey key, int64_t now) {
    LpUiAction action = lp_keymap_action(&app->keymap, key);
    LpUiState *ui = &app->ui;
    LpDemo *demo = &app->demo;
    if (!demo->on || demo->busy)
        return false;
    bool typed = ui->prompt.open || ui->ask[0], as_left = is_as_left(app);
    bool on = action == LP_UI_ACTION_PAGE_DOWN || action == LP_UI_ACTION_PLAY ||
              (action == LP_UI_ACTION_TAKE && as_left);
    bool out = action == LP_UI_ACTION_OUT && as_left;
    if (typed && !demo->held) { /* the script types: nothing gets between its letters */
        demo->at = on || key == LP_KEY_ENTER ? now : demo->at;
        return true;
    }
    if (typed || (!on && !out)) {
        lp_app_demo_touched(app);
        return false;
    }
    ui->message[0] = '\0';
    ui->message_bad = false;
    app->dirty = true;
    if (on) {
        go_on(app, now);
    } else {
        lp_app_demo_end(app);
        lp_app_say(app, false, "the demo ended here; all is as it stands");
    }
    return true;
}

void lp_app_words_demo(LpBuf *out) {
    (void)!lp_paths_list_demos(out, NULL);
}
