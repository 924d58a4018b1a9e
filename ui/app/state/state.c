/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the explorer is, and the message in place of the keys. */
#include <stdarg.h>
#include <stdio.h>

#include "app/state/state.h"

void lp_app_say(LpApp *app, bool bad, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(app->ui.message, sizeof app->ui.message, fmt, args);
    va_end(args);
    app->ui.message_bad = bad;
}

LpLabel lp_app_label(const LpApp *app, uint32_t job) {
    return lp_world_label(lp_session_world(app->session), lp_session_scenario(app->session), job);
}

void lp_app_tell(LpApp *app, const char *text) {
    char said[sizeof app->ui.message];
    lp_app_say(app, false, "%s", lp_keymap_text(&app->keymap, text, said, sizeof said));
}

bool lp_app_check(LpApp *app, LpErr err, const LpDiag *diag) {
    char text[sizeof app->ui.message];
    if (err == LP_OK)
        return true;
    app->diag = *diag;
    app->failed = true;
    app->ui.playing = false;
    lp_app_say(app, true, "%s", lp_diag_format(diag, text, sizeof text));
    return false;
}

bool lp_app_has_time(const LpApp *app) {
    return lp_session_branches(app->session) > 0;
}

bool lp_app_is_due(const LpApp *app) {
    return lp_world_due(lp_session_world(app->session)) != LP_NO_INDEX;
}

bool lp_app_is_over(const LpApp *app) {
    return lp_world_over(lp_session_world(app->session));
}

void lp_app_arrive(LpApp *app) {
    app->ui.stage = LP_STAGE_PARTITION;
    app->ui.row = app->ui.pick = -1;
    app->ui.frame = -1;
    if (lp_draft_any(&app->ui.hand.draft))
        app->kept = app->ui.hand;
    app->ui.hand = (LpHandState){0};
}

void lp_app_attempt(LpApp *app, LpErr err, const LpDiag *diag) {
    char text[sizeof app->ui.message];
    if (err != LP_OK)
        lp_app_say(app, true, "%s", lp_diag_format(diag, text, sizeof text));
}
