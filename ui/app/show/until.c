/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going on until something is so: run-until, breakpoints, and questions in Lua. */
#include <string.h>

#include "app/show/show.h"
#include "session/moment/moment.h"

static bool goes_on(void *user, const LpSession *session LP_UNUSED) {
    const LpApp *app = user;
    return !(app->stopped && app->stopped());
}

LpErr lp_app_run_until(LpApp *app, const char *text, LpDiag *diag) {
    LpBreak *stop;
    bool hit = false;
    char shown[80];
    app->ui.playing = false;
    LP_TRY(lp_break_new(app->session, text, &stop, diag));
    LpErr err = lp_session_run_until(app->session, stop, goes_on, app, &hit, diag);
    lp_break_free(stop);
    lp_app_arrive(app);
    LP_TRY(err);
    if (hit)
        lp_app_say(app, false, "here: %s", lp_str_show(shown, sizeof shown, text));
    else
        lp_app_say(app, true, "%s: %s",
                   lp_app_is_over(app) ? "the run is over, it never came to" : "stopped before",
                   lp_str_show(shown, sizeof shown, text));
    return LP_OK;
}

/* ---- breakpoints ---- */

static void list_breaks(LpApp *app) {
    LpBuf text = {0};
    for (int i = 0; i < app->stops.count; i++)
        lp_buf_addf(&text, "%d\t%s\n", i + 1, lp_break_text(app->stops.at[i]));
    if (app->stops.count == 0)
        lp_buf_add(&text, "none; break CONDITION sets one, such as break cause deadline\n");
    lp_app_page(app, "breakpoints, playing stops at", &text);
    lp_buf_fini(&text);
}

void lp_app_drop_breaks(LpApp *app) {
    for (int i = 0; i < app->stops.count; i++)
        lp_break_free(app->stops.at[i]);
    app->stops.count = 0;
}

LpErr lp_app_break(LpApp *app, const char *text, LpDiag *diag) {
    if (!*text) {
        list_breaks(app);
        return LP_OK;
    }
    if (strcmp(text, "off") == 0) {
        lp_app_drop_breaks(app);
        return LP_OK;
    }
    if (app->stops.count == LP_APP_BREAKS)
        return lp_fail(diag, LP_ELIMIT, "there are %d breakpoints: break off takes them away",
                       LP_APP_BREAKS);
    LP_TRY(lp_break_new(app->session, text, &app->stops.at[app->stops.count], diag));
    app->stops.count++;
    lp_app_say(app, false, "playing stops there; break lists, break off takes them away");
    return LP_OK;
}

void lp_app_meet_breaks(LpApp *app, const LpEvent *event) {
    char shown[80];
    for (int i = 0; i < app->stops.count; i++) {
        LpDiag diag = {0};
        bool hit = false;
        if (!lp_app_check(app, lp_break_hit(app->stops.at[i], app->session, event, &hit, &diag),
                          &diag))
            return;
        if (!hit)
            continue;
        app->ui.playing = false;
        lp_app_say(app, false, "breakpoint: %s",
                   lp_str_show(shown, sizeof shown, lp_break_text(app->stops.at[i])));
    }
}

/* ---- questions ---- */

LpErr lp_app_query(LpApp *app, const char *text, LpDiag *diag) {
    LpBuf out = {0};
    LpErr err = lp_session_query(app->session, text, &out, diag);
    size_t len = out.len;
    while (len > 0 && out.text[len - 1] == '\n')
        out.text[--len] = '\0';
    bool lines = strchr(lp_buf_text(&out), '\n') != NULL || len >= sizeof app->ui.message;
    if (err == LP_OK && lines)
        lp_app_page(app, "lua", &out);
    else if (err == LP_OK)
        lp_app_say(app, false, "%s", len ? lp_buf_text(&out) : "nil");
    lp_buf_fini(&out);
    return err;
}
