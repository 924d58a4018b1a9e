/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mouse: every cell says what it shows (lp_area_hit), so what is clicked is what is seen. What
 * has a command is done by it, so that a recording says what was meant and no place on the screen.
 */
#include <stdio.h>

#include "app/app_impl.h"
#include "app/hand/hand.h"
#include "base/num.h"
#include "moment/picture/words.h"

enum { WHEEL_LINES = 3 };

static void command(LpApp *app, const char *text, int64_t now) {
    LpDiag diag = {0};
    if (lp_app_command(app, text, now, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
}

/* ---- the time line ---- */

/* The cell of the time line at this column, or at its end that is nearer. */
static const LpCell *time_cell(const LpApp *app, int x, int y) {
    const LpCell *first = NULL, *last = NULL;
    for (int i = 0; i < app->canvas.cols; i++) {
        const LpCell *cell = lp_canvas_at(&app->canvas, i, y);
        if (!cell || cell->hit != LP_HIT_TIME)
            continue;
        first = first ? first : cell;
        if (i <= x)
            last = cell;
    }
    return last ? last : first;
}

static void seek(LpApp *app, const LpCell *cell, int64_t now) {
    char text[64], time[LP_NUM_TEXT];
    double share = (double)cell->what / LP_HIT_TIMES;
    snprintf(text, sizeof text, "seek %s s", lp_num_print(share * app->model.marks.scale, time));
    if (lp_app_has_time(app))
        command(app, text, now);
    else
        lp_app_say(app, false, "this session keeps no time line");
}

/* A drag is undone as one step. */
static void drag(LpApp *app, const LpMouse *mouse, int64_t now) {
    const LpCell *cell = time_cell(app, mouse->x, app->pointed.drag_row);
    if (!cell || (app->pointed.clicked == LP_HIT_TIME && app->pointed.what == cell->what))
        return;
    app->pointed.clicked = LP_HIT_TIME;
    app->pointed.what = cell->what;
    seek(app, cell, now);
    if (app->undo.count > app->pointed.drag_undo + 1)
        app->undo.count = app->pointed.drag_undo + 1;
}

/* An op or a flow under the pressed button goes where the mouse is; it is dropped with the button,
 * and stays picked up after a mere click. */
static void drag_bar(LpApp *app, const LpMouse *mouse) {
    const LpCell *cell = lp_canvas_at(&app->canvas, mouse->x, mouse->y);
    if (mouse->kind == LP_MOUSE_RELEASE) {
        app->ui.hand.held = app->ui.hand.held && !app->pointed.carried;
        app->pointed.carries = false;
    } else if (cell && lp_hand_drag(app, cell)) {
        app->pointed.carried = true;
    }
}

/* ---- clicks ---- */

/* On what a view drew, here or on the main screen. */
static void click_view(LpApp *app, LpPane pane, const LpCell *at, bool again, int64_t now) {
    LpHost host = lp_app_host(app, now);
    lp_app_view(pane)->click(&host, at->what, app->ui.only == pane, again);
}

/* A transmitter's server, or a path in the view of circuits. */
static void click_light(LpApp *app, const LpCell *at, bool again, int64_t now) {
    LpCell server = *at;
    server.what = at->what / LP_HIT_PATHS;
    if (at->hit == LP_HIT_LIGHT)
        click_view(app, LP_PANE_SERVERS, &server, again, now);
    else
        click_view(app, LP_PANE_CIRCUITS, at, again, now);
}

/* In the other of two clusters: who has the server there; the second click goes to that branch. */
static void click_other(LpApp *app, uint32_t server, bool again, int64_t now) {
    const LpModel *other = app->model.beside;
    LpBranchInfo info;
    char name[80], text[120], cut[LP_WORDS_CUT], called[LP_SERVER_TEXT];
    if (!other || app->ui.versus < 0 || server >= lp_world_servers(other->world) ||
        lp_session_branch(app->session, (uint32_t)app->ui.versus, &info) != LP_OK)
        return;
    lp_str_show(name, sizeof name, info.name);
    lp_cluster_server(&other->scenario->cluster, server, called);
    uint32_t id = lp_world_server(other->world, server)->job;
    const LpJob *job = id == LP_NO_INDEX ? NULL : lp_world_job(other->world, id);
    if (again) {
        snprintf(text, sizeof text, "branch %.*s", (int)lp_str_prefix(info.name, 100), info.name);
        command(app, text, now);
    } else if (job) {
        lp_app_say(app, false, "%s: server %s: %s %s; a second click goes there", name, called,
                   lp_words_name(other, job).text, lp_words_cut(other, job, cut));
    } else {
        lp_app_say(app, false, "%s: server %s: free; a second click goes there", name, called);
    }
}

/* Marks a row of the view that is shown, else of the decision. A click never decides: that takes
 * Enter. */
static void click_row(LpApp *app, const LpCell *at, bool again, int64_t now) {
    const LpDecision *decision = &app->model.decision;
    LpHost host = lp_app_host(app, now);
    if (lp_hand_row(app, at->what))
        return;
    if (lp_app_shown(app)->row) {
        lp_app_shown(app)->row(&host, at->what, again);
    } else if (decision->due && at->what < decision->count) {
        app->ui.playing = false;
        app->ui.row = (int)at->what;
    }
}

static void click_pane(LpApp *app, LpPane pane, int64_t now) {
    char text[64];
    bool alone = app->ui.only == pane;
    snprintf(text, sizeof text, "view %s", alone ? "main" : lp_pane_name(pane));
    command(app, text, now);
}

/* On another word while one is explained; what shows none of them closes the box. */
static void click_words(LpApp *app, const LpCell *at, const LpMouse *mouse) {
    if (!lp_app_tell_cell(app, mouse->x, mouse->y) && at->hit != LP_HIT_NONE)
        lp_app_leave(app);
}

static void click(LpApp *app, const LpMouse *mouse, int64_t now) {
    const LpCell *cell = lp_canvas_at(&app->canvas, mouse->x, mouse->y);
    bool covered = app->ui.page != NULL;
    if (!cell)
        return;
    LpCell at = *cell;
    bool again = app->pointed.clicked == at.hit && app->pointed.what == at.what;
    app->pointed.clicked = again ? LP_HIT_NONE : at.hit; /* a third begins anew */
    app->pointed.what = at.what;
    if (at.hit == LP_HIT_KEY && !app->ui.prompt.open) {
        char name[16];
        LpKey key = lp_key_find(lp_keymap_key(&app->keymap, (LpUiAction)at.what, name));
        if (!lp_app_presenter_key(app, key, now))
            lp_app_act(app, (LpUiAction)at.what, now);
    } else if (app->ui.prompt.open)
        return;
    else if (app->ui.words.open && !covered)
        click_words(app, &at, mouse);
    else if (covered && at.hit != LP_HIT_NONE)
        lp_app_leave(app); /* beside the page */
    else if (at.hit == LP_HIT_TIME) {
        app->pointed.drag_row = mouse->y;
        app->pointed.drag_undo = app->undo.count;
        seek(app, &at, now);
    } else if (lp_hand_click(app, &at)) {
        app->pointed.carries = app->ui.hand.held;
        app->pointed.carried = false;
    } else if (at.hit == LP_HIT_SERVER)
        click_view(app, LP_PANE_SERVERS, &at, again, now);
    else if (at.hit == LP_HIT_OTHER)
        click_other(app, at.what, again, now);
    else if (at.hit == LP_HIT_PATH || at.hit == LP_HIT_LIGHT)
        click_light(app, &at, again, now);
    else if (at.hit == LP_HIT_JOB)
        click_view(app, LP_PANE_JOBS, &at, again, now);
    else if (at.hit == LP_HIT_ROW)
        click_row(app, &at, again, now);
    else if (at.hit == LP_HIT_TITLE || (at.hit == LP_HIT_NONE && !covered))
        lp_app_tell_cell(app, mouse->x, mouse->y);
    else if (at.hit == LP_HIT_PANE)
        click_pane(app, (LpPane)at.what, now);
}

/* Over the time line an event back or on, elsewhere up and down. */
static void wheel(LpApp *app, const LpMouse *mouse, bool up) {
    const LpCell *cell = lp_canvas_at(&app->canvas, mouse->x, mouse->y);
    if (cell && cell->hit == LP_HIT_TIME && up && lp_app_has_time(app))
        lp_app_back(app, false);
    else if (cell && cell->hit == LP_HIT_TIME && !up)
        lp_app_next(app, false, 1);
    else if (app->ui.page || app->ui.only != LP_PANE_COUNT)
        lp_app_move(app, up ? -WHEEL_LINES : WHEEL_LINES);
    else if (cell && cell->hit == LP_HIT_ROW)
        lp_app_move(app, up ? -1 : 1);
}

void lp_app_mouse(LpApp *app, const LpMouse *mouse, int64_t now) {
    bool dragging = app->pointed.drag_row >= 0, carries = app->pointed.carries;
    bool stale = app->dirty && mouse->kind == LP_MOUSE_DRAG; /* the screen shows an older step */
    if (app->ui.mouse != LP_MOUSE_ON || app->ui.ask[0] || lp_app_looks(app))
        return;
    if (mouse->kind == LP_MOUSE_RELEASE)
        app->pointed.drag_row = -1;
    if (mouse->kind == LP_MOUSE_NOTHING ||
        (mouse->kind == LP_MOUSE_RELEASE && !dragging && !carries) ||
        (mouse->kind == LP_MOUSE_DRAG && !dragging && (!carries || stale)))
        return;
    const LpCell *cell = lp_canvas_at(&app->canvas, mouse->x, mouse->y);
    bool takes = cell && cell->hit == LP_HIT_KEY && cell->what == LP_UI_ACTION_TAKE;
    if (mouse->kind == LP_MOUSE_PRESS && takes && lp_app_demo_on(app, now))
        return;
    lp_app_demo_touched(app);
    app->ui.message[0] = '\0';
    app->ui.message_bad = false;
    app->dirty = true;
    lp_app_poll(app);
    LpMoment from = lp_app_has_time(app) ? lp_session_moment(app->session) : (LpMoment){0};
    LpPane only = app->ui.only;
    lp_app_record_played(app);
    if (mouse->kind == LP_MOUSE_PRESS)
        click(app, mouse, now);
    else if (carries)
        drag_bar(app, mouse);
    else if (mouse->kind == LP_MOUSE_DRAG)
        drag(app, mouse, now);
    else if (mouse->kind != LP_MOUSE_RELEASE)
        wheel(app, mouse, mouse->kind == LP_MOUSE_WHEEL_UP);
    lp_app_record_mouse(app, from, only);
    lp_app_saved(app, now);
}
