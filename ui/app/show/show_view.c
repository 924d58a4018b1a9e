/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the explorer shows: which view, how far scrolled, which row is marked. */
#include <string.h>

#include "app/show/show.h"
#include "glossary/glossary.h"
#include "screen/screen.h"
#include "term/output.h"
#include "term/picture.h"
#include "views/help/help_view.h"

/* Lines of what lies over the screen, 0: nothing does. */
static int overlay_lines(const LpApp *app) {
    int width, lines = 0;
    if (app->ui.page)
        lp_view_page_size(app->ui.page, lp_model_rest(&app->ui).w, &width, &lines);
    return lines;
}

/* The furthest that what is shown can be scrolled. */
static int scroll_limit(const LpApp *app) {
    int lines = overlay_lines(app), rows = lp_model_rest(&app->ui).h;
    if (lines > 0)
        return lines > rows ? lines - rows : 0;
    return lp_app_shown(app)->last(&app->model);
}

static bool scrolls(const LpApp *app) {
    return lp_app_shown(app)->last || overlay_lines(app) > 0;
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

void lp_app_move(LpApp *app, int lines) {
    if (app->ui.focus && (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)) {
        lp_app_to_end(app, lines > 0);
        return;
    }
    if (app->ui.words.open && !app->ui.page) {
        lp_gloss_move(&app->ui.words, lines);
        return;
    }
    if (scrolls(app)) {
        const LpView *view = lp_app_shown(app);
        if (view->first && overlay_lines(app) == 0) {
            app->ui.scroll = view->first(&app->model, lp_model_rest(&app->ui).h - 4);
            app->ui.follow = false;
        }
        app->ui.scroll = clamp(app->ui.scroll + lines, 0, scroll_limit(app));
        return;
    }
    LpHost host = lp_app_host(app, 0);
    const LpView *here = lp_app_here(app);
    if (here->move)
        here->move(&host, lines);
    else
        lp_host_move_decision(&host, lines);
}

void lp_app_explain(LpApp *app) {
    bool here = lp_model_wants(&app->model) & LP_WANTS_DECISION;
    app->ui.explain = !(here && app->ui.explain);
    if (!here)
        lp_app_show(app, LP_PANE_DECISION);
}

void lp_app_stage(LpApp *app, int by) {
    app->ui.playing = false;
    app->ui.frame = -1;
    if (lp_app_is_due(app))
        app->ui.stage = (LpStage)(((int)app->ui.stage + by + LP_STAGE_COUNT) % LP_STAGE_COUNT);
    else
        lp_app_tell(app, "no decision is due; {next-decision} goes to the next one");
}

void lp_app_take_mouse(LpApp *app, bool take) {
    app->ui.mouse = take ? LP_MOUSE_ON : LP_MOUSE_FREE;
    app->pointed.drag_row = -1;
    app->ui.playing = app->ui.playing && take; /* a selection would not survive a frame */
    if (take)
        lp_app_say(app, false, "the mouse clicks and drags here");
    else
        lp_app_tell(app,
                    "copy mode: the terminal's mouse selects and copies; {mouse} takes it back");
}

void lp_app_show(LpApp *app, LpPane pane) {
    lp_app_end_search(app);
    LpHost host = lp_app_host(app, 0);
    for (int i = 0; i < LP_PANE_COUNT; i++)
        if (lp_app_view((LpPane)i)->turn)
            lp_app_view((LpPane)i)->turn(&host);
    app->ui.only = pane;
    app->ui.back = LP_PANE_COUNT;
    app->ui.lesson.points = false;
    app->ui.follow = true;
    app->ui.pick = -1;
    app->ui.help = app->ui.words.open = false;
    app->ui.page = NULL;
    app->ui.scroll = 0;
}

void lp_app_enter(LpApp *app, LpPane pane) {
    LpPane from = app->ui.only;
    lp_app_show(app, pane);
    app->ui.back = from != pane ? from : LP_PANE_COUNT;
}

void lp_app_page(LpApp *app, const char *title, const LpBuf *text) {
    lp_app_end_search(app);
    lp_buf_clear(&app->page);
    lp_buf_add(&app->page, lp_buf_text(text));
    lp_str_copy(app->ui.page_title, sizeof app->ui.page_title, title);
    app->ui.page = lp_buf_text(&app->page);
    app->blamed.shown = false;
    app->ui.help = false;
    app->ui.scroll = 0;
}

void lp_app_close_page(LpApp *app) {
    app->ui.page = NULL;
    app->ui.help = app->blamed.shown = false;
}

/* One level out within the view that is shown; the others begin at their outermost, too. */
static bool leave_inside(LpApp *app) {
    LpHost host = lp_app_host(app, 0);
    bool inside = false;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpView *view = lp_app_view((LpPane)pane);
        if (view->leave && view->leave(&host) && pane == (int)app->ui.only)
            inside = true;
    }
    return inside;
}

bool lp_app_leave(LpApp *app) {
    LpUiState *ui = &app->ui;
    lp_app_end_search(app);
    if (ui->page)
        lp_app_close_page(app);
    else if (ui->words.open)
        ui->words.open = false;
    else if (leave_inside(app))
        ui->scroll = 0;
    else if (ui->only != LP_PANE_COUNT)
        lp_app_show(app, ui->back);
    else if (ui->focus)
        ui->focus = false;
    else
        return false;
    ui->scroll = 0;
    return true;
}

void lp_app_out(LpApp *app) {
    if (lp_app_leave(app))
        return;
    if (app->ui.row >= 0)
        app->ui.row = -1;
    else if (app->ui.focus_job > 0)
        app->ui.focus_job = 0;
    else if (app->other.ghost)
        lp_app_drop_ghost(app);
    else
        app->ui.playing = false;
}

/* ---- the screen ---- */

static LpErr draw(LpApp *app, bool at_once, LpDiag *diag) {
    app->ui.at_once = at_once;
    lp_app_keep_up(app);
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    app->canvas.incomplete = false;
    lp_screen_draw(&app->model, &app->canvas);
    if (app->canvas.incomplete)
        return lp_fail_memory(diag, "the screen");
    app->dirty = false;
    return LP_OK;
}

LpErr lp_app_draw(LpApp *app, LpDiag *diag) {
    return app->dirty ? draw(app, app->clock == NULL, diag) : LP_OK;
}

LpErr lp_app_draw_whole(LpApp *app, LpDiag *diag) {
    return draw(app, true, diag);
}

static LpErr write_file(const LpWriteSpec *spec, const LpBuf *text, LpDiag *diag) {
    LpOutput output = lp_output_standard();
    return strcmp(spec->path, "-") == 0 ? lp_output_add(&output, text, diag)
                                        : lp_write_text(spec, text, diag);
}

LpErr lp_ui_save_screen(const LpApp *app, const char *path, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .input = {app->scenario_file, app->keys_file}};
    LpBuf text = {0};
    LP_TRY(lp_picture_check(path, diag));
    lp_picture_add(&app->canvas, &app->theme, lp_picture_of(path), &text);
    LpErr err = write_file(&spec, &text, diag);
    lp_buf_fini(&text);
    return err;
}
