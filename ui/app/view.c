/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the explorer shows: which view, how far scrolled, which row is marked. */
#include <string.h>

#include "app/impl.h"
#include "app/view.h"

/* Lines of what lies over the screen, 0: nothing does. */
static int overlay_lines(const LpApp *app) {
    int width, lines = 0;
    if (app->ui.page)
        lp_view_page_size(app->ui.page, lp_model_rest(&app->ui).w, &width, &lines);
    else if (app->ui.help)
        lp_view_help_size(app->ui.only, lp_model_rest(&app->ui).w, &width, &lines);
    return lines;
}

/* The furthest that what is shown can be scrolled. */
static int scroll_limit(const LpApp *app) {
    int lines = overlay_lines(app), rows = lp_model_rest(&app->ui).h;
    if (lines > 0)
        return lines > rows ? lines - rows : 0;
    if (app->ui.only == LP_PANE_POLICY)
        return lp_view_policy_last(&app->model);
    if (app->ui.only == LP_PANE_COMPARE) {
        int jobs = lp_view_compare_jobs(&app->model);
        return jobs > 1 ? jobs - 1 : 0;
    }
    const LpTally *tally = lp_world_tally(lp_session_world(app->session));
    return (int)(tally->running + tally->waiting);
}

static bool scrolls(const LpApp *app) {
    static const LpPane panes[] = {LP_PANE_POLICY, LP_PANE_COMPARE};
    for (size_t i = 0; i < LP_COUNTOF(panes); i++)
        if (app->ui.only == panes[i])
            return true;
    return overlay_lines(app) > 0;
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

void lp_app_move_in_degrees(LpApp *app, int lines) {
    int count = (int)app->model.decision.count, marked = lp_model_marked(&app->model);
    if (!app->model.decision.due || count == 0)
        return;
    app->ui.playing = false;
    app->ui.frame = -1;
    app->ui.row = marked < 0 ? (lines > 0 ? 0 : count - 1) : clamp(marked + lines, 0, count - 1);
}

void lp_app_move_in_whatif(LpApp *app, int lines) {
    int count = (int)app->model.whatif.count, picked = lp_model_picked(&app->model);
    if (count > 0)
        app->ui.pick = clamp(picked + lines, 0, count - 1);
}

void lp_app_move(LpApp *app, int lines) {
    if (app->ui.focus && (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)) {
        lp_app_to_end(app, lines > 0);
        return;
    }
    if (scrolls(app)) {
        if (app->ui.only == LP_PANE_POLICY && overlay_lines(app) == 0) {
            app->ui.scroll = lp_view_policy_first(&app->model, lp_model_rest(&app->ui).h - 4);
            app->ui.follow = false;
        }
        app->ui.scroll = clamp(app->ui.scroll + lines, 0, scroll_limit(app));
        return;
    }
    if (lp_app_pane_acts(app)->move) {
        lp_app_pane_acts(app)->move(app, lines);
        return;
    }
    if (app->ui.only == LP_PANE_WHATIF) {
        lp_app_move_in_whatif(app, lines);
        return;
    }
    lp_app_move_in_degrees(app, lines);
}

void lp_app_stage(LpApp *app, int by) {
    app->ui.playing = false;
    app->ui.frame = -1;
    if (lp_app_is_due(app))
        app->ui.stage = (LpStage)(((int)app->ui.stage + by + LP_STAGE_COUNT) % LP_STAGE_COUNT);
    else
        lp_app_tell(app, "no decision is due; {n} goes to the next one");
}

void lp_app_show(LpApp *app, LpPane pane) {
    lp_app_end_search(app);
    app->ui.events.marked = app->ui.track.marked = false;
    app->ui.only = pane;
    app->ui.back = LP_PANE_COUNT;
    app->ui.lesson.points = false;
    app->ui.step.playing = false;
    app->ui.follow = true;
    app->ui.pick = app->ui.branch_row = -1;
    app->ui.help = false;
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
    app->blamed = false;
    app->ui.help = false;
    app->ui.scroll = 0;
}

bool lp_app_leave(LpApp *app) {
    LpUiState *ui = &app->ui;
    lp_app_end_search(app);
    if (ui->page)
        ui->page = NULL;
    else if (ui->help)
        ui->help = false;
    else if (lp_app_circuits_leave(app))
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
    else if (app->ghost)
        lp_app_drop_ghost(app);
    else
        app->ui.playing = false;
}
