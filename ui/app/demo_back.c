/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demonstrations go back: what is remembered of each pause, and how it is come back to. */
#include <stdio.h>
#include <string.h>

#include "app/app_impl.h"
#include "app/show/show.h"
#include "base/mem.h"

/* ---- what is shown ---- */

/* States of views without pointers of their own are bytes that can be kept. */
static bool is_kept(const LpApp *app, int pane) {
    const LpView *view = lp_app_view((LpPane)pane);
    return view->state > 0 && !view->end && app->model.state[pane];
}

static size_t views_size(const LpApp *app) {
    size_t size = 0;
    for (int i = 0; i < LP_PANE_COUNT; i++)
        size += is_kept(app, i) ? lp_app_view((LpPane)i)->state : 0;
    return size;
}

/* Copies the states of the views to `kept`, or from there. */
static void copy_views(LpApp *app, void *kept, bool from) {
    char *at = kept;
    for (int i = 0; i < LP_PANE_COUNT; i++) {
        if (!is_kept(app, i))
            continue;
        size_t size = lp_app_view((LpPane)i)->state;
        memcpy(from ? app->model.state[i] : at, from ? at : app->model.state[i], size);
        at += size;
    }
}

/* The branch that is compared with, where it had got to the present time: else nothing of it was to
 * be seen, and by now it may have got further. -1: none. */
static int beside_here(const LpApp *app) {
    LpBranchInfo info;
    int versus = app->ui.versus;
    if (versus < 0 || lp_session_branch(app->session, (uint32_t)versus, &info) != LP_OK)
        return -1;
    bool there = info.over || info.tip_time >= lp_world_now(lp_session_world(app->session));
    return there || app->ui.only == LP_PANE_COMPARE ? versus : -1;
}

LpErr lp_app_demo_note(LpApp *app, const char *told, LpDiag *diag) {
    LpDemo *demo = &app->demo;
    const LpUiState *ui = &app->ui;
    LP_TRY(lp_grow((void **)&demo->stop, &demo->stop_cap, demo->stops + 1, sizeof *demo->stop));
    void *views = lp_alloc(views_size(app) + 1, 1);
    if (!views)
        return lp_fail_memory(diag, "a pause of the demo");
    copy_views(app, views, false);
    LpDemoStop *stop = &demo->stop[demo->stops++];
    *stop = (LpDemoStop){.place = lp_script_place(&demo->script),
                         .made = demo->mades,
                         .session = app->session,
                         .lesson = ui->lesson.on,
                         .step = ui->lesson.step,
                         .page = ui->page || ui->words.open,
                         .views = views,
                         .only = ui->only,
                         .back = ui->back,
                         .focus_job = ui->focus_job,
                         .network = ui->network,
                         .scroll = ui->scroll,
                         .frame = ui->frame,
                         .row = ui->row,
                         .versus = beside_here(app),
                         .ran = ui->only == LP_PANE_WHATIF && app->model.whatif_runs != 0,
                         .pick = ui->pick,
                         .speed = ui->speed,
                         .pointers = ui->pointers,
                         .stage = ui->stage,
                         .hand = ui->hand,
                         .explain = ui->explain,
                         .focus = ui->focus,
                         .follow = ui->follow,
                         .completed_only = ui->completed_only,
                         .stops = ui->stops,
                         .look_at = ui->look_at,
                         .look = ui->look};
    if (lp_app_has_time(app))
        stop->moment = lp_session_moment(app->session);
    memcpy(stop->pointer, ui->pointer, sizeof stop->pointer);
    lp_str_copy(stop->told, sizeof stop->told, told);
    demo->paused = true;
    return LP_OK;
}

LpErr lp_app_demo_made(LpApp *app, uint32_t first, LpDiag *diag) {
    LpDemo *demo = &app->demo;
    for (uint32_t b = first; b < lp_session_branches(app->session); b++) {
        if (lp_grow((void **)&demo->made, &demo->made_cap, demo->mades + 1, sizeof *demo->made) !=
            LP_OK)
            return lp_fail_memory(diag, "the branches of the demo");
        demo->made[demo->mades++] = b;
    }
    return LP_OK;
}

static void show_again(LpApp *app, const LpDemoStop *stop) {
    LpUiState *ui = &app->ui;
    LpBranchInfo info;
    lp_app_close_page(app);
    lp_app_close_words(app);
    lp_app_show(app, stop->only);
    copy_views(app, stop->views, true);
    ui->back = stop->back;
    ui->focus_job = stop->focus_job;
    ui->network = stop->network;
    ui->scroll = stop->scroll;
    ui->frame = stop->frame;
    ui->row = stop->row;
    ui->pick = stop->pick;
    ui->speed = stop->speed;
    ui->pointers = stop->pointers;
    ui->stage = stop->stage;
    ui->hand = stop->hand;
    ui->explain = stop->explain;
    ui->focus = stop->focus;
    ui->follow = stop->follow;
    ui->completed_only = stop->completed_only;
    ui->stops = stop->stops;
    ui->look_at = stop->look_at;
    ui->look = stop->look;
    memcpy(ui->pointer, stop->pointer, sizeof ui->pointer);
    bool beside = stop->versus >= 0 &&
                  lp_session_branch(app->session, (uint32_t)stop->versus, &info) == LP_OK &&
                  !info.deleted;
    ui->versus = beside ? stop->versus : -1;
}

/* ---- branches ---- */

/* The script makes the branch again, by the same name: it is deleted, or where somebody forked from
 * it since then, renamed. */
static LpErr unmake(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpBranchInfo info;
    LpDiag refused = {0};
    char name[160], old[160];
    LP_TRY(lp_session_branch(app->session, branch, &info));
    if (info.deleted)
        return LP_OK;
    lp_str_copy(old, sizeof old, info.name);
    if (lp_app_delete(app, old, &refused) == LP_OK)
        return LP_OK;
    snprintf(name, sizeof name, "%.*s before", (int)lp_str_prefix(old, 100), old);
    for (unsigned i = 2; lp_session_branch_find(app->session, name) >= 0; i++)
        snprintf(name, sizeof name, "%.*s before %u", (int)lp_str_prefix(old, 100), old, i);
    return lp_session_rename(app->session, branch, name, diag);
}

/* ---- going back ---- */

static LpErr go_back(LpApp *app, LpDiag *diag) {
    LpDemo *demo = &app->demo;
    bool here = demo->paused && !demo->touched;
    size_t count = demo->stops - (here && demo->stops > 0);
    if (count == 0)
        return lp_fail(diag, LP_ESTATE, "%s",
                       here ? "this is the demo's first pause" : "no pause of the demo was before");
    const LpDemoStop *stop = &demo->stop[count - 1];
    if (!lp_app_has_time(app))
        return lp_fail(diag, LP_ESTATE, "the demo cannot go back: this run has no time line");
    if (stop->session != app->session || stop->lesson != app->ui.lesson.on ||
        (stop->lesson && stop->step != app->ui.lesson.step))
        return lp_fail(diag, LP_ESTATE,
                       "the demo cannot go back: at the pause before it was in another run");
    LP_TRY(lp_app_return(app, stop->moment, diag));
    while (demo->mades > stop->made)
        LP_TRY(unmake(app, demo->made[--demo->mades], diag));
    show_again(app, stop);
    while (demo->stops > count)
        lp_free(demo->stop[--demo->stops].views);
    lp_script_go(&demo->script, stop->place);
    demo->until = NULL;
    demo->touched = false;
    demo->paused = true;
    demo->hurried = 0;
    lp_app_demo_hold(app);
    lp_app_demo_say(app, stop->told);
    if (stop->page)
        lp_app_say(app, false, "the text that lay over the screen here is not shown again");
    if (stop->ran)
        lp_app_tell(app, "{whatif} runs these rows to the end again");
    return LP_OK;
}

bool lp_app_demo_back_key(LpApp *app, LpKey key) {
    const LpDemo *demo = &app->demo;
    LpUiAction action = lp_keymap_action(&app->keymap, key);
    LpDiag diag = {0};
    if (!demo->on || demo->busy || app->ui.prompt.open || app->ui.ask[0])
        return false;
    /* p and Backspace have a meaning of their own where somebody looks at something else. */
    bool other = action == LP_UI_ACTION_BACK_DECISION || action == LP_UI_ACTION_UNCHOOSE;
    if (action != LP_UI_ACTION_PAGE_UP && (!other || demo->touched))
        return false;
    app->ui.message[0] = '\0';
    app->ui.message_bad = false;
    app->dirty = true;
    LpErr err = go_back(app, &diag);
    if (err == LP_ESTATE)
        lp_app_say(app, false, "%s", diag.text);
    else
        lp_app_attempt(app, err, &diag);
    return true;
}
