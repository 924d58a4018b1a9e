/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demonstrations: which key script plays in the running program, whether it waits, and the keys
 * that are for it. demo_run.c does its lines. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/play/play.h"
#include "host/paths.h"

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
    app->demo = (LpDemo){0};
    app->ui.demo = false;
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
    app->ui.demo = true;
    app->ui.playing = false;
    return LP_OK;
}

void lp_app_demo_say(LpApp *app, const char *text) {
    char keys[80];
    lp_keymap_text(&app->keymap, text[0] ? "{play}: go on" : "{play} goes on, {out} ends the demo",
                   keys, sizeof keys);
    lp_app_say(app, false, "%s%s%s", text, text[0] ? "  " : "", keys);
}

void lp_app_demo_hold(LpApp *app) {
    app->demo.held = true;
    app->dirty = true;
}

int64_t lp_app_demo_deadline(const LpApp *app) {
    return app->demo.on && !app->demo.held ? app->demo.at : -1;
}

/* ---- keys ---- */

void lp_app_demo_touched(LpApp *app) {
    if (app->demo.on && !app->demo.busy && !app->demo.held)
        lp_app_demo_hold(app);
}

bool lp_app_demo_key(LpApp *app, LpKey key, int64_t now) {
    LpUiAction action = lp_keymap_action(&app->keymap, key);
    LpUiState *ui = &app->ui;
    if (!app->demo.on || app->demo.busy)
        return false;
    bool free = !ui->prompt.open && !ui->ask[0];
    bool on = action == LP_UI_ACTION_PAGE_DOWN || action == LP_UI_ACTION_PLAY;
    bool out = action == LP_UI_ACTION_OUT && !ui->page && !ui->words.open;
    if (free && (on || out)) {
        ui->message[0] = '\0';
        ui->message_bad = false;
        app->dirty = true;
    }
    if (free && action == LP_UI_ACTION_PLAY && !app->demo.held) {
        lp_app_demo_hold(app);
        lp_app_demo_say(app, "");
    } else if (free && on) {
        app->demo.held = false;
        app->demo.at = now; /* also in the middle of a wait */
    } else if (free && out) {
        lp_app_demo_end(app);
        lp_app_say(app, false, "the demo ended here; all is as it stands");
    } else {
        lp_app_demo_touched(app);
        return false;
    }
    return true;
}

void lp_app_words_demo(LpBuf *out) {
    (void)!lp_paths_list_demos(out, NULL);
}
