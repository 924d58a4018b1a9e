/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeping the session in a file: written after every command, brought to the disk as often as the
 * disk allows, and never in anybody's way. */
#include <stdio.h>
#include <string.h>

#include "app/files/autosave.h"
#include "app/keep/keep.h"

enum {
    SYNC_SHARE = 10,    /* syncing takes at most one part in ten of the time */
    SYNC_PLAY_MS = 1000 /* while playing not more often than this */
};

static void show_trouble(LpApp *app, const char *why) {
    char text[sizeof app->ui.unsaved];
    text[0] = '\0';
    if (why != NULL)
        snprintf(text, sizeof text, "not saved (:write tries again): %.120s", why);
    if (strcmp(text, app->ui.unsaved) == 0)
        return;
    lp_str_copy(app->ui.unsaved, sizeof app->ui.unsaved, text);
    app->dirty = true;
}

/* Is there anything that somebody would miss? */
static bool worth_saving(const LpApp *app) {
    return lp_session_branches(app->session) > 1 ||
           lp_world_tally(lp_session_world(app->session))->decisions > 0;
}

static void begin_autosave(LpApp *app) {
    LpDiag diag = {0};
    if (!app->file.autosaves || app->file.save || app->own || !worth_saving(app))
        return;
    app->file.autosaves = false; /* tried once; :write tries again */
    app->file.of = app->session;
    if (lp_autosave_open(app->session, &app->file.save, &diag) != LP_OK)
        show_trouble(app, diag.text);
}

static int64_t sync_gap(const LpApp *app) {
    int64_t gap = app->file.sync_cost * SYNC_SHARE;
    return app->ui.playing && gap < SYNC_PLAY_MS ? SYNC_PLAY_MS : gap;
}

static void sync_when_due(LpApp *app, int64_t now) {
    LpDiag ignored;
    if (!app->clock || !lp_save_needs_sync(app->file.save) ||
        now < app->file.synced_at + sync_gap(app))
        return;
    int64_t start = app->clock();
    if (lp_save_sync(app->file.save, &ignored) == LP_OK) {
        app->file.synced_at = app->clock();
        app->file.sync_cost = app->file.synced_at - start;
    }
}

void lp_app_saved(LpApp *app, int64_t now) {
    LpDiag ignored;
    begin_autosave(app);
    if (!app->file.save || app->file.ended || app->file.of != app->session)
        return;
    if (lp_save_update(app->file.save, app->session, &ignored) == LP_OK)
        sync_when_due(app, now);
    show_trouble(app, lp_save_paused(app->file.save));
}

int64_t lp_app_sync_deadline(const LpApp *app) {
    if (!app->clock || !app->file.save || !lp_save_needs_sync(app->file.save))
        return -1;
    return app->file.synced_at + sync_gap(app);
}

LpErr lp_app_end_saving(LpApp *app, LpDiag *diag) {
    LpErr err = LP_OK;
    app->file.ended = true;
    if (app->file.save)
        err = lp_save_end(app->file.save, app->file.of, diag);
    if (app->file.save)
        show_trouble(app, lp_save_paused(app->file.save));
    return err;
}

/* ---- :write ---- */

/* The session's own file, if it is as it was when it was opened: another explorer may have gone on
 * with it meanwhile. */
static LpErr write_back(LpApp *app, LpDiag *diag) {
    char shown[160];
    if (lp_session_file_stamp(app->file.path) != app->file.stamp &&
        lp_session_file_is(app->file.path))
        return lp_fail(diag, LP_EIO,
                       "%s has been changed since it was opened here: expected another name",
                       lp_str_show(shown, sizeof shown, app->file.path));
    return lp_save_move(app->session, app->file.path, &app->file.save, diag);
}

/* Once more to where it was to be saved. */
static LpErr write_again(LpApp *app, LpDiag *diag) {
    if (app->file.save && lp_save_paused(app->file.save))
        return lp_save_resume(app->file.save, app->session, diag);
    if (app->file.path && (!app->file.save || strcmp(lp_save_path(app->file.save), app->file.path)))
        return write_back(app, diag);
    if (!app->file.save && app->ui.unsaved[0])
        return lp_autosave_open(app->session, &app->file.save, diag);
    if (!app->file.save)
        return lp_fail(diag, LP_EINVAL, "nothing is saved by itself here: expected write FILE");
    LP_TRY(lp_save_update(app->file.save, app->session, diag));
    return lp_save_sync(app->file.save, diag);
}

LpErr lp_app_write(LpApp *app, const char *path, LpDiag *diag) {
    char shown[160];
    if (app->own && app->file.of != app->own) { /* what is kept so far is not of this run */
        if (path == NULL)
            return lp_fail(diag, LP_EINVAL,
                           "a step's run is not saved by itself: expected write FILE");
        lp_save_close(app->file.save, app->file.of);
        app->file.save = NULL;
    }
    app->file.of = app->session;
    LP_TRY(path != NULL ? lp_save_move(app->session, path, &app->file.save, diag)
                        : write_again(app, diag));
    show_trouble(app, NULL);
    lp_app_say(app, false, "the session is in %s, and goes on there",
               lp_str_show(shown, sizeof shown, lp_save_path(app->file.save)));
    return LP_OK;
}
