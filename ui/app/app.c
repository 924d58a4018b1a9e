/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's life. */
#include "app/app.h"

#include <stdio.h>

#include "app/app_impl.h"

LpErr lp_app_open(LpApp *app, LpSession *session, const LpUiOptions *options, int rows, int cols,
                  LpDiag *diag) {
    *app = (LpApp){.session = session,
                   .base = session,
                   .services = &lp_app_services,
                   .run = lp_app_run,
                   .ui = {.only = LP_PANE_COUNT,
                          .back = LP_PANE_COUNT,
                          .row = -1,
                          .pick = -1,
                          .versus = -1,
                          .speed = LP_SPEED_1X,
                          .search_line = -1,
                          .frame = -1},
                   .theme = options->theme ? *options->theme : *lp_theme_built_in(),
                   .background = options->background,
                   .scenario_file = options->scenario_file,
                   .keys_file = options->keys_file,
                   .motion = options->no_motion ? LP_MOTION_OFF : LP_MOTION_ON,
                   .dirty = true,
                   .file = {.of = session,
                            .autosaves = options->autosave,
                            .path = options->session_file,
                            .stamp = options->session_stamp},
                   .copied = {.command_line = options->command_line},
                   .next = options->next,
                   .due = {.interrupted = -1}};
    app->canvas.ascii = options->ascii;
    app->theme.plain = options->no_color;
    app->ui.lists = options->next != NULL;
    app->ui.cols = cols;
    app->ui.rows = rows;
    app->pointed.drag_row = -1;
    app->stuck = (LpMoment){LP_NO_INDEX, 0};
    app->ui.mouse = options->mouse ? LP_MOUSE_ON : LP_MOUSE_NONE;
    if (options->keymap)
        app->keymap = *options->keymap;
    else
        lp_keymap_defaults(&app->keymap);
    app->ui.keymap = &app->keymap;
    LP_TRY(lp_model_open(&app->model, lp_app_views(), diag));
    lp_model_attach(&app->model, session, &app->ui); /* keys may come before the first picture */
    LP_TRY(lp_canvas_resize(&app->canvas, rows, cols, diag));
    if (!options->session_file && !options->stay) /* there it is where it was left */
        lp_app_to_decision(app);
    /* what is looked at there is who waits and why, where the scenario says what jobs wait for */
    if (options->stay && lp_session_scenario(session)->cluster.levels.levels > 0)
        lp_app_show(app, LP_PANE_TREE);
    lp_app_lesson_open(app);
    if (options->tour) {
        LpErr err = lp_app_tour(app, 0, 0, diag);
        lp_app_check(app, err, diag);
    }
    if (options->play_file)
        lp_app_check(app, lp_app_demo(app, options->play_file, 0, diag), diag);
    if (options->notice && !app->ui.message[0])
        lp_app_say(app, false, "%s", options->notice);
    return LP_OK;
}

LpErr lp_app_end(LpApp *app, LpDiag *diag) {
    lp_app_record_end(app);
    return lp_app_end_saving(app, diag);
}

void lp_app_fini(LpApp *app) {
    lp_app_record_end(app);
    lp_save_close(app->file.save, app->file.of);
    lp_model_fini(&app->model);
    lp_lesson_forget(&app->known);
    lp_canvas_fini(&app->canvas);
    lp_history_fini(&app->typed.history);
    lp_history_fini(&app->typed.searches);
    lp_history_fini(&app->typed.questions);
    lp_buf_fini(&app->page);
    lp_buf_fini(&app->typed.choices);
    lp_buf_fini(&app->copied.text);
    lp_app_demo_end(app);
    lp_app_drop_breaks(app);
    lp_app_drop_ghost(app);
    lp_session_close(app->own);
}

void lp_app_watch(LpApp *app) {
    app->watches = true;
    lp_session_watch(app->session, true);
}

LpErr lp_app_resize(LpApp *app, int rows, int cols, LpDiag *diag) {
    app->dirty = app->redraw = true;
    if (rows == app->canvas.rows && cols == app->canvas.cols)
        return LP_OK;
    LP_TRY(lp_canvas_resize(&app->canvas, rows, cols, diag));
    app->ui.cols = cols;
    app->ui.rows = rows;
    lp_app_record_size(app);
    return LP_OK;
}
