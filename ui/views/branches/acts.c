/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the tree of branches and along their tracks, and going there. */
#include <math.h>

#include "app/impl.h"
#include "app/view.h"

static const LpTwig *marked(const LpApp *app) {
    const LpTimeModel *time = &app->model.time;
    int row = lp_model_branch_row(&app->model);
    return row < (int)time->twigs ? &time->twig[row] : NULL;
}

void lp_app_branches_move(LpApp *app, int lines) {
    int last = (int)app->model.time.twigs - 1, row = lp_model_branch_row(&app->model);
    row = lines > last - row ? last : lines < -row ? 0 : row + lines;
    app->ui.branch_row = row < 0 ? 0 : row;
}

void lp_app_branches_along(LpApp *app, int columns) {
    const LpTwig *twig = marked(app);
    double now = lp_world_now(lp_session_world(app->session));
    if (!twig)
        return;
    double column = app->model.tracks.end / (lp_view_track_columns(app->canvas.cols) - 1);
    double at = lp_tracks_at(&app->ui.track, twig, now) + columns * column;
    app->ui.track.marked = true;
    app->ui.track.at = fmin(fmax(at, 0.0), twig->info.tip_time);
}

/* One seek, so that one undo comes back from it. */
static LpErr go_to(LpApp *app, LpMoment moment, LpDiag *diag) {
    LpMoment from = lp_session_moment(app->session);
    if (moment.branch != from.branch)
        LP_TRY(lp_session_switch(app->session, moment.branch, diag));
    LpErr err = lp_session_seek(app->session, moment.step, diag);
    lp_app_left(app, from);
    if (moment.branch != from.branch)
        app->ui.versus = (int)from.branch;
    return err;
}

void lp_app_branches_take(LpApp *app) {
    const LpTwig *twig = marked(app);
    LpDiag diag = {0};
    if (!twig)
        return;
    uint32_t branch = twig->branch;
    double at = lp_tracks_at(&app->ui.track, twig, 0.0);
    LpErr err =
        app->ui.track.marked
            ? go_to(app, (LpMoment){branch, lp_session_step_at(app->session, branch, at)}, &diag)
            : lp_app_switch_to(app, branch, &diag);
    app->ui.track.marked = false;
    if (err != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
}
