/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer in a terminal: waits for keys, plays when it is time, shows what changed. */
#include <stdio.h>

#include "app/app_impl.h"
#include "app/files/autosave.h"
#include "app/play/play.h"
#include "base/str.h"
#include "front/front.h"
#include "term/cast.h"
#include "term/term.h"

/* Why a part of a very large terminal stays empty. */
static void tell_cut(LpApp *app, const LpTerm *term) {
    int rows, cols;
    if (lp_term_is_cut(term, &rows, &cols))
        lp_app_say(app, false,
                   "the terminal has %dx%d characters, a picture %dx%d at most: the "
                   "rest stays empty",
                   cols, rows, LP_CANVAS_MAX, LP_CANVAS_ROWS);
}

/* An error whose terminal has gone; nothing to do but to end. */
static LpErr loop(LpApp *app, LpTerm *term, LpCast *cast, LpDiag *diag) {
    int64_t start = lp_term_now();
    while (!app->quit && lp_term_ending() == 0) {
        int rows, cols;
        if (app->dirty) {
            if (app->redraw)
                lp_term_set_theme(term, &app->theme);
            LP_TRY(lp_app_draw(app, diag));
            lp_term_take_mouse(term, app->ui.mouse == LP_MOUSE_ON);
            lp_term_show(term, &app->canvas, app->redraw);
            if (cast)
                LP_TRY(lp_cast_frame(cast, &app->canvas, &app->theme, lp_term_now() - start, diag));
            if (app->copied.due)
                lp_term_copy(term, lp_buf_text(&app->copied.text), app->copied.text.len);
            app->copied.due = false;
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
            tell_cut(app, term);
        } else if (key == LP_KEY_MOUSE) {
            LpMouse mouse = lp_term_mouse(term);
            lp_app_mouse(app, &mouse, lp_term_now());
        } else if (key == LP_KEY_PASTE) {
            lp_app_paste(app, lp_term_pasted(term), lp_term_now());
        } else if (key != LP_KEY_NONE) {
            lp_app_key(app, key, lp_term_now());
        } else {
            lp_app_wake(app);
            app->quit = app->quit || (!app->ui.playing && lp_term_is_gone(term));
        }
        lp_app_tick(app, lp_term_now());
        lp_app_demo_tick(app, lp_term_now());
    }
    return LP_OK;
}

/* A session of the same scenario that was not left in good order. */
static const char *left_behind(const LpSession *session, const LpUiOptions *options, char *text,
                               size_t size) {
    char path[LP_AUTOSAVE_PATH], shown[160];
    if (!options->autosave || !lp_autosave_left(session, path))
        return NULL;
    snprintf(text, size, "the last session did not end well: lightpath %s goes on with it",
             lp_str_show(shown, sizeof shown, path));
    return text;
}

int lp_ui_run(LpSession *session, const LpUiOptions *options, LpDiag *diag) {
    LpUiOptions mine = *options;
    LpTerm *term = NULL;
    LpCast *cast = NULL;
    LpApp app = {0};
    char notice[sizeof app.ui.message];
    int rows, cols;
    if (options->plain)
        return lp_ui_run_plain(session, diag);
    if (lp_term_open(options->theme, options->no_color, &term, diag) != LP_OK)
        return 2;
    mine.ascii |= !lp_term_is_utf8(term);
    mine.theme = lp_term_theme(term);
    mine.background = lp_term_background(term);
    mine.notice = mine.notice ? mine.notice : lp_term_notice(term);
    lp_term_size(term, &rows, &cols);
    mine.notice = mine.notice ? mine.notice : left_behind(session, &mine, notice, sizeof notice);
    LpErr err = lp_app_open(&app, session, &mine, rows, cols, diag);
    if (!app.ui.message[0])
        tell_cut(&app, term);
    app.clock = lp_term_now;
    app.stopped = lp_term_is_interrupted;
    lp_app_watch(&app);
    if (err == LP_OK && options->look)
        err = lp_app_look(&app, options->look, true, diag);
    if (err == LP_OK && options->cast)
        err = lp_cast_open(options->cast, cols, rows, &cast, diag);
    if (err == LP_OK)
        err = loop(&app, term, cast, diag);
    LpErr closed = lp_cast_close(cast, err == LP_OK ? diag : NULL);
    err = err == LP_OK ? closed : err;
    lp_term_close(term);
    LpDiag ending;
    LpErr ended = lp_app_end(&app, &ending);
    if (err == LP_OK && ended != LP_OK) {
        *diag = ending;
        err = ended;
    }
    if (err == LP_OK && app.failed)
        *diag = app.diag;
    /* Once the screen is gone. That saving broke off is an error, and told as such. */
    char shown[400];
    bool goes_on = app.next && (app.next->list || app.next->open[0]);
    if (!app.file.save && app.ui.unsaved[0])
        fprintf(stderr, "lightpath: %s\n", lp_str_show(shown, sizeof shown, app.ui.unsaved));
    else if (app.file.save && !lp_save_paused(app.file.save) && !goes_on)
        fprintf(stderr, "lightpath: the session is in %s\n",
                lp_str_show(shown, sizeof shown, lp_save_path(app.file.save)));
    if (lp_progress_add(&app.progress, &ending) != LP_OK)
        fprintf(stderr, "lightpath: progress is not kept: %s\n", ending.text);
    lp_app_fini(&app);
    return err != LP_OK || app.failed ? 1 : lp_term_ending() != 0 ? 128 + lp_term_ending() : 0;
}
