/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time machine's commands: going back, seeking, undoing that, forks and branches. */
#include <math.h>
#include <string.h>

#include "app/impl.h"
#include "base/mem.h"
#include "run/moment/moment.h"

enum { PAGES = 20 };

bool lp_app_has_time(const LpApp *app) {
    return lp_session_branches(app->session) > 0;
}

/* --- undo of seeks --- */

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

/* --- going there --- */

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

static void seek_time(LpApp *app, double time) {
    LpAt at = {LP_SEEK_TIME, fmax(time, 0.0)};
    LpDiag diag = {0};
    refused(app, go(app, &at, &diag), &diag);
}

void lp_app_along(LpApp *app, double share) {
    double now = lp_world_now(lp_session_world(app->session));
    LpMoment from = lp_session_moment(app->session);
    seek_time(app, now + share * app->model.marks.scale);
    LpMoment to = lp_session_moment(app->session);
    if (from.branch != to.branch || from.step != to.step)
        return;
    if (share > 0.0) /* nothing happens for so long: to what comes next */
        lp_app_next(app, false, 1);
    else
        lp_app_back(app, false);
}

void lp_app_page_of_time(LpApp *app, int by) {
    lp_app_along(app, (double)by / PAGES);
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

/* --- forks --- */

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

/* --- branches --- */

static LpErr find_branch(const LpApp *app, const char *name, uint32_t *out, LpDiag *diag) {
    const LpSession *session = app->session;
    uint32_t count = lp_session_branches(session), names = 0;
    const char **known = lp_alloc(count + 1, sizeof *known);
    char shown[64];
    int found = lp_session_branch_find(session, name);
    for (uint32_t i = 0; known && i < count; i++) {
        LpBranchInfo info;
        if (lp_session_branch(session, i, &info) == LP_OK && !info.deleted)
            known[names++] = info.name;
    }
    int near = known ? lp_str_nearest(name, known, names) : -1;
    if (found < 0)
        lp_fail(diag, LP_EINVAL, "there is no branch \"%s\"%s%s",
                lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                near >= 0 ? known[near] : "");
    lp_free(known);
    *out = found < 0 ? 0 : (uint32_t)found;
    return found < 0 ? LP_EINVAL : LP_OK;
}

LpErr lp_app_switch(LpApp *app, const char *name, LpDiag *diag) {
    uint32_t branch;
    LP_TRY(find_branch(app, name, &branch, diag));
    return lp_app_switch_to(app, branch, diag);
}

LpErr lp_app_switch_to(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    LP_TRY(lp_session_switch(app->session, branch, diag));
    if (moved(app, from))
        app->ui.versus = (int)from.branch;
    return LP_OK;
}

LpErr lp_app_rename(LpApp *app, const char *old, const char *name, LpDiag *diag) {
    uint32_t branch = lp_session_moment(app->session).branch;
    if (old)
        LP_TRY(find_branch(app, old, &branch, diag));
    return lp_session_rename(app->session, branch, name, diag);
}

/* Moments of a branch that is no more cannot be come back to. */
static void forget_branch(LpTrail *trail, uint32_t branch) {
    int kept = 0;
    for (int i = 0; i < trail->count; i++)
        if (trail->moment[i].branch != branch)
            trail->moment[kept++] = trail->moment[i];
    trail->count = kept;
}

LpErr lp_app_delete(LpApp *app, const char *name, LpDiag *diag) {
    uint32_t branch;
    LP_TRY(find_branch(app, name, &branch, diag));
    lp_app_drop_ghost(app); /* the branch's policy may go with it */
    LP_TRY(lp_session_delete(app->session, branch, diag));
    lp_app_forget_bookmarks(app, branch);
    forget_branch(&app->undo, branch);
    forget_branch(&app->redo, branch);
    if (app->ui.versus == (int)branch)
        app->ui.versus = -1;
    return LP_OK;
}

/* Plays another branch as far as the present one, if it is not there yet. */
static LpErr catch_up(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    double now = lp_world_now(lp_session_world(app->session));
    LpBranchInfo info;
    LP_TRY(lp_session_branch(app->session, branch, &info));
    if (info.over || info.tip_time >= now)
        return LP_OK;
    LP_TRY(lp_session_switch(app->session, branch, diag));
    LpErr err = lp_session_to_time(app->session, now, diag);
    LpErr back = visit(app, here, err == LP_OK ? diag : NULL);
    return err != LP_OK ? err : back;
}

LpErr lp_app_compare(LpApp *app, const char *name, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    char text[100];
    LpBranchInfo info;
    uint32_t branch = 0;
    if (name) {
        LP_TRY(find_branch(app, name, &branch, diag));
    } else if (app->ui.versus >= 0 && app->ui.versus != (int)here.branch) {
        branch = (uint32_t)app->ui.versus;
    } else {
        LP_TRY(lp_session_branch(app->session, here.branch, &info));
        if (info.parent == LP_NO_INDEX)
            return lp_fail(diag, LP_ESTATE, "there is no other branch yet: %s",
                           lp_keymap_text(&app->keymap,
                                          "{f} forks, or mark a row and press {Enter}", text,
                                          sizeof text));
        branch = info.parent;
    }
    if (branch == here.branch)
        return lp_fail(diag, LP_EINVAL, "this is the branch that is shown: expected another");
    LP_TRY(catch_up(app, branch, diag));
    app->ui.playing = false;
    app->ui.versus = (int)branch;
    lp_app_show(app, LP_PANE_COMPARE);
    return LP_OK;
}
