/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer in a terminal: waits for keys, plays when it is time, shows what changed. */
#include "app.h"
#include "term.h"

/* An error whose terminal has gone; nothing to do but to end. */
static LpErr loop(LpApp *app, LpTerm *term, LpDiag *diag) {
    while (!app->quit) {
        int rows, cols;
        if (app->dirty) {
            lp_term_set_theme(term, app->theme);
            LP_TRY(lp_app_draw(app, diag));
            lp_term_show(term, &app->canvas, app->redraw);
            app->redraw = false;
        }
        int64_t deadline = lp_app_deadline(app), now = lp_term_now();
        LpKey key = lp_term_read(term,
                                 deadline < 0     ? -1
                                 : deadline > now ? deadline - now
                                                  : 0,
                                 lp_session_watch_fd(app->session));
        if (key == LP_KEY_RESIZE) {
            lp_term_size(term, &rows, &cols);
            LP_TRY(lp_app_resize(app, rows, cols, diag));
        } else if (key != LP_KEY_NONE) {
            lp_app_key(app, key, lp_term_now());
        } else {
            lp_app_wake(app);
            app->quit = app->quit || (deadline < 0 && lp_term_is_gone(term));
        }
        lp_app_tick(app, lp_term_now());
    }
    return LP_OK;
}

int lp_ui_run(LpSession *session, const LpUiOptions *options, LpDiag *diag) {
    const LpTheme *theme = lp_theme_find(options->theme);
    LpUiOptions mine = *options;
    LpTerm *term = NULL;
    LpApp app = {0};
    int rows, cols;
    if (options->plain)
        return lp_ui_run_plain(session, diag);
    if (!theme)
        return lp_ui_unknown_theme(options->theme, diag);
    if (lp_term_open(theme, options->no_color, &term, diag) != LP_OK)
        return 2;
    mine.ascii |= !lp_term_is_utf8(term);
    lp_term_size(term, &rows, &cols);
    LpErr err = lp_app_open(&app, session, &mine, rows, cols, diag);
    app.clock = lp_term_now;
    app.stopped = lp_term_is_interrupted;
    lp_session_watch(session, true);
    if (err == LP_OK)
        err = loop(&app, term, diag);
    lp_term_close(term);
    if (err == LP_OK && app.failed)
        *diag = app.diag;
    lp_app_fini(&app);
    return err != LP_OK || app.failed ? 1 : 0;
}
