/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save, diff, ghost: after a save of the policy the run so far is decided again in the background,
 * from the last bookmark on; the difference can be looked at, and made a branch. */
#include <stdio.h>
#include <string.h>

#include "app/state/state.h"
#include "session/moment/moment.h"

enum {
    WORK_MS = 6, /* at a time: keys are read between */
    STEPS = 16,  /* between two looks at the clock */
    BATCH = 256  /* steps at a time where there is no clock */
};

/* ---- bookmarks ---- */

/* Is a moment part of the past (or the future) of the branch? *step: counted on that branch. */
static bool is_on(const LpSession *session, LpMoment moment, uint32_t branch) {
    LpBranchInfo info;
    uint64_t most = UINT64_MAX;
    while (branch != moment.branch) {
        if (lp_session_branch(session, branch, &info) != LP_OK || info.parent == LP_NO_INDEX)
            return false;
        most = info.forked_at < most ? info.forked_at : most;
        branch = info.parent;
    }
    return moment.step <= most;
}

static void remove_bookmark(LpUiState *ui, int index) {
    int after = --ui->bookmarks - index;
    memmove(ui->bookmark + index, ui->bookmark + index + 1, (size_t)after * sizeof *ui->bookmark);
    memmove(ui->bookmark_time + index, ui->bookmark_time + index + 1,
            (size_t)after * sizeof *ui->bookmark_time);
}

void lp_app_bookmark(LpApp *app) {
    LpUiState *ui = &app->ui;
    LpMoment here = lp_session_moment(app->session);
    for (int i = 0; i < ui->bookmarks; i++) {
        if (ui->bookmark[i].branch != here.branch || ui->bookmark[i].step != here.step)
            continue;
        remove_bookmark(ui, i);
        lp_app_say(app, false, "the bookmark is gone");
        return;
    }
    if (ui->bookmarks == LP_UI_BOOKMARKS)
        remove_bookmark(ui, 0);
    ui->bookmark[ui->bookmarks] = here;
    ui->bookmark_time[ui->bookmarks++] = lp_world_now(lp_session_world(app->session));
    lp_app_tell(app,
                "a bookmark: {to-bookmark} comes back here, and a saved policy is tried from here");
}

/* The last bookmark on this branch up to a step; -1: none. */
static int bookmark_before(const LpApp *app, LpMoment here) {
    int best = -1;
    for (int i = 0; i < app->ui.bookmarks; i++) {
        LpMoment at = app->ui.bookmark[i];
        if (at.step <= here.step && is_on(app->session, at, here.branch) &&
            (best < 0 || at.step > app->ui.bookmark[best].step))
            best = i;
    }
    return best;
}

void lp_app_to_bookmark(LpApp *app) {
    LpMoment here = lp_session_moment(app->session);
    LpMoment before = {here.branch, here.step > 0 ? here.step - 1 : 0};
    LpMoment last = {here.branch, lp_session_tip(app->session, here.branch)};
    int found = here.step > 0 ? bookmark_before(app, before) : -1;
    if (found < 0)
        found = bookmark_before(app, last);
    if (found < 0)
        lp_app_tell(app, "no bookmark on this branch; {bookmark} sets one");
    else
        lp_app_visit(app, app->ui.bookmark[found].step);
}

void lp_app_forget_bookmarks(LpApp *app, uint32_t branch) {
    for (int i = app->ui.bookmarks - 1; i >= 0; i--)
        if (app->ui.bookmark[i].branch == branch)
            remove_bookmark(&app->ui, i);
}

/* ---- the ghost ---- */

void lp_app_drop_ghost(LpApp *app) {
    lp_ghost_free(app->other.ghost);
    app->other.ghost = NULL;
    app->ui.ghost = NULL;
}

LpErr lp_app_ghost(LpApp *app, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    int bookmark = bookmark_before(app, here);
    uint64_t step = bookmark >= 0 ? app->ui.bookmark[bookmark].step : 0;
    LpWorld *from;
    lp_app_drop_ghost(app);
    if (here.step == step)
        return LP_OK; /* nothing was decided yet */
    app->other.from = (LpMoment){here.branch, step};
    app->other.until = lp_world_now(lp_session_world(app->session));
    LP_TRY(lp_session_world_at(app->session, app->other.from, &from, diag));
    LpErr err = lp_ghost_new(app->session, from, &app->other.ghost, diag);
    lp_world_free(from);
    app->ui.ghost = app->other.ghost;
    return err;
}

bool lp_app_ghost_works(const LpApp *app) {
    return app->other.ghost && !lp_ghost_report(app->other.ghost).done;
}

/* What a policy that fails comes to is no result: the run as it is stays alone on the screen. */
static void tell_failure(LpApp *app) {
    char text[sizeof app->ui.message];
    lp_diag_format(lp_ghost_failure(app->other.ghost), text, sizeof text);
    lp_app_say(app, true, "the saved policy fails, what was stays: %.200s", text);
    lp_app_drop_ghost(app);
}

void lp_app_ghost_tick(LpApp *app) {
    int64_t start = app->clock ? app->clock() : 0;
    LpDiag diag = {0};
    if (!lp_app_ghost_works(app))
        return;
    if (lp_session_moment(app->session).branch != app->other.from.branch) {
        lp_app_drop_ghost(app);
        return;
    }
    LpErr err = lp_ghost_work(app->other.ghost, app->clock ? STEPS : BATCH, &diag);
    while (err == LP_OK && app->clock && lp_app_ghost_works(app) && app->clock() - start < WORK_MS)
        err = lp_ghost_work(app->other.ghost, STEPS, &diag);
    app->dirty = true;
    if (err != LP_OK)
        lp_app_say(app, true, "the saved policy was not tried further: %s", diag.text);
    else if (lp_ghost_failure(app->other.ghost) != NULL)
        tell_failure(app);
}

void lp_app_next_difference(LpApp *app) {
    const LpWorld *world = lp_session_world(app->session);
    uint32_t due = lp_world_due(world);
    char text[40];
    LpDiag diag = {0};
    if (!app->other.ghost) {
        lp_app_tell(app, "compare with a branch ({compare}), or save the policy, first: then "
                         "{difference} goes to "
                         "the next difference");
        return;
    }
    /* from the job that is looked at on; at the end from the start again */
    uint32_t job = lp_ghost_next(app->other.ghost, due);
    if (job == LP_NO_INDEX)
        job = lp_ghost_next(app->other.ghost, LP_NO_INDEX);
    if (job == LP_NO_INDEX) {
        lp_app_say(app, false, "no decision differs%s", lp_app_ghost_works(app) ? " so far" : "");
        return;
    }
    snprintf(text, sizeof text, "j%u", (unsigned)job);
    if (lp_app_seek(app, text, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
}

/* A name that no branch has yet. */
static void free_name(const LpSession *session, char *out, size_t size) {
    snprintf(out, size, "saved");
    for (unsigned i = 2; lp_session_branch_find(session, out) >= 0; i++)
        snprintf(out, size, "saved %u", i);
}

/* The policy that is loaded now decides from where the ghost began; played as far as the run was.
 */
static LpErr branch_off(LpApp *app, uint32_t first, LpDiag *diag) {
    char name[40], rest[80];
    LpForkSpec spec = {.name = name};
    LpMoment from = lp_session_moment(app->session);
    uint32_t branch;
    uint64_t step;
    free_name(app->session, name, sizeof name);
    LP_TRY(lp_session_seek(app->session, app->other.from.step, diag));
    LP_TRY(lp_session_fork(app->session, &spec, &branch, diag));
    lp_app_drop_ghost(app);
    LP_TRY(lp_session_find(app->session, LP_SEEK_TIME, app->other.until, &step, diag));
    if (first != LP_NO_INDEX)
        LP_TRY(lp_session_find(app->session, LP_SEEK_JOB_FIRST, first, &step, diag));
    LP_TRY(lp_session_seek(app->session, step, diag));
    app->ui.versus = (int)from.branch;
    lp_app_left(app, from);
    lp_app_say(
        app, false, "branch %s: the saved policy from the %s on; %s", name,
        app->other.from.step ? "bookmark" : "start",
        lp_keymap_text(&app->keymap, "{compare} compares, {undo} goes back", rest, sizeof rest));
    return LP_OK;
}

void lp_app_take_ghost(LpApp *app) {
    LpDiag diag = {0};
    uint32_t first = lp_ghost_next(app->other.ghost, LP_NO_INDEX);
    app->ui.playing = false;
    if (branch_off(app, first, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
}
