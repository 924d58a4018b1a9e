/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time machine's commands: going back, seeking, undoing that, forks. */
#include <string.h>

#include "app/impl.h"
#include "run/moment/moment.h"

/* ---- undo of seeks ---- */

static void push(LpTrail *trail, LpMoment moment) {
    if (trail->count == LP_APP_UNDOS) {
        memmove(trail->moment, trail->moment + 1, (LP_APP_UNDOS - 1) * sizeof *trail->moment);
        trail->count--;
    }
    trail->moment[trail->count++] = moment;
}

/* Call before leaving a moment; true when it was left after all: then it can be come back to. */
static bool moved(LpApp *app, LpMoment from) {
    LpMoment to = lp_session_moment(app->session);
    app->ui.playing = false;
    lp_app_arrive(app);
    if (to.branch == from.branch && to.step == from.step)
        return false;
    if (app->ui.only == LP_PANE_SUMMARY) /* it was of the moment that is left */
        app->ui.only = app->ui.back = LP_PANE_COUNT;
    push(&app->undo, from);
    app->redo.count = 0;
    return true;
}

/* Messages of the session's refusals are shown as they are; they are no failure of the run. */
static bool refused(LpApp *app, LpErr err, const LpDiag *diag) {
    char text[sizeof app->ui.message];
    if (err == LP_OK)
        return false;
    lp_app_say(app, false, "%s", lp_diag_format(diag, text, sizeof text));
    return true;
}

static LpErr visit(LpApp *app, LpMoment moment, LpDiag *diag) {
    if (moment.branch != lp_session_moment(app->session).branch)
        LP_TRY(lp_session_switch(app->session, moment.branch, diag));
    return lp_session_seek(app->session, moment.step, diag);
}

LpErr lp_app_go_to(LpApp *app, LpMoment moment, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LpErr err = visit(app, moment, diag);
    moved(app, from);
    return err;
}

void lp_app_undo(LpApp *app, bool redo) {
    LpTrail *from = redo ? &app->redo : &app->undo, *to = redo ? &app->undo : &app->redo;
    LpMoment now = lp_session_moment(app->session);
    LpDiag diag = {0};
    app->ui.playing = false;
    if (from->count == 0) {
        lp_app_say(app, false, redo ? "nothing was undone" : "there is no seek to undo");
        return;
    }
    LpMoment moment = from->moment[--from->count];
    lp_app_arrive(app);
    if (!refused(app, visit(app, moment, &diag), &diag))
        push(to, now);
}

/* ---- going there ---- */

void lp_app_back(LpApp *app, bool decision) {
    LpMoment from = lp_session_moment(app->session);
    LpDiag diag = {0};
    LpErr err = decision ? lp_session_back_decision(app->session, &diag)
                         : lp_session_back(app->session, &diag);
    app->ui.playing = false;
    if (err == LP_ERANGE)
        lp_app_say(app, false, "this is the start");
    else if (!refused(app, err, &diag))
        moved(app, from);
}

/* Plays what is beyond the tip. */
static LpErr go(LpApp *app, const LpAt *at, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    uint64_t step = 0;
    LpErr err = lp_session_find(app->session, at->kind, at->value, &step, diag);
    if (err == LP_OK)
        err = lp_session_seek(app->session, step, diag);
    moved(app, from);
    return err;
}

LpErr lp_app_seek(LpApp *app, const char *text, LpDiag *diag) {
    LpAt at;
    LP_TRY(lp_at_parse(text, &at, diag));
    return go(app, &at, diag);
}

void lp_app_seek_time(LpApp *app, double time) {
    LpAt at = {LP_SEEK_TIME, time > 0.0 ? time : 0.0};
    LpDiag diag = {0};
    refused(app, go(app, &at, &diag), &diag);
}

void lp_app_visit(LpApp *app, uint64_t step) {
    LpMoment from = lp_session_moment(app->session);
    LpDiag diag = {0};
    if (!refused(app, lp_session_seek(app->session, step, &diag), &diag))
        moved(app, from);
}

void lp_app_left(LpApp *app, LpMoment from) {
    moved(app, from);
}

void lp_app_to_end(LpApp *app, bool tip) {
    uint32_t branch = lp_session_moment(app->session).branch;
    lp_app_visit(app, tip ? lp_session_tip(app->session, branch) : 0);
}

/* ---- forks ---- */

/* On success the new branch is the current one. */
static LpErr fork_now(LpApp *app, const LpForkSpec *spec, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LpBranchInfo info;
    uint32_t branch;
    char shown[80], rest[100];
    app->ui.playing = false;
    LP_TRY(lp_session_fork(app->session, spec, &branch, diag));
    moved(app, from);
    app->ui.versus = (int)from.branch;
    if (lp_session_branch(app->session, branch, &info) == LP_OK)
        lp_app_say(app, false, "branch %s; %s", lp_str_show(shown, sizeof shown, info.name),
                   lp_keymap_text(&app->keymap,
                                  "{7} shows the branches, {c} compares, {u} goes back", rest,
                                  sizeof rest));
    return LP_OK;
}

LpErr lp_app_fork(LpApp *app, const char *text, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpErr err = arena ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a fork");
    if (err == LP_OK)
        err = lp_fork_complete(app->session, &fork, diag);
    if (err == LP_OK)
        err = fork_now(app, &fork.spec, diag);
    lp_arena_free(arena);
    return err;
}

LpErr lp_app_fork_answer(LpApp *app, const LpAnswer *answer, LpDiag *diag) {
    LpForkSpec spec = {.answer = answer};
    return fork_now(app, &spec, diag);
}

LpErr lp_app_change(LpApp *app, const char *text, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    LpEvent event;
    LpErr err =
        arena ? lp_fork_parse(text, arena, &fork, diag) : lp_fail_memory(diag, "a condition");
    if (err == LP_OK && !fork.spec.condition)
        err = lp_fail(diag, LP_EINVAL, "expected one condition, such as bandwidth=0.5");
    if (err == LP_OK)
        err = lp_fork_complete(app->session, &fork, diag);
    if (err == LP_OK)
        err = lp_session_change(app->session, fork.spec.condition, &event, diag);
    lp_arena_free(arena);
    app->ui.playing = false;
    lp_app_arrive(app);
    return err;
}

LpErr lp_app_switch_to(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LP_TRY(lp_session_switch(app->session, branch, diag));
    if (moved(app, from))
        app->ui.versus = (int)from.branch;
    return LP_OK;
}
