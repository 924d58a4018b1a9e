/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the tree of branches and along their tracks, and going there. */
#include <math.h>

#include "views/branches/branches_view.h"
#include "views/branches/branches_view_impl.h"
#include "widgets/widgets_list.h"

static const LpTwig *marked(const LpModel *model) {
    const LpTimeModel *time = &model->time;
    int row = lp_branches_row(model);
    return row < (int)time->twigs ? &time->twig[row] : NULL;
}

static void key_move(LpHost *host, int lines) {
    int count = (int)host->model->time.twigs, row = lp_branches_row(host->model);
    lp_branches_state(host->model)->row = lp_list_moved(row, lines, count);
}

static void key_along(LpHost *host, int columns) {
    const LpTwig *twig = marked(host->model);
    double now = lp_world_now(lp_session_world(host->session));
    if (!twig)
        return;
    double column =
        lp_branches_facts(host->model)->end / (lp_view_track_columns(host->ui->cols) - 1);
    double at = lp_tracks_at(lp_branches_state(host->model), twig, now) + columns * column;
    lp_branches_state(host->model)->marked = true;
    lp_branches_state(host->model)->at = fmin(fmax(at, 0.0), twig->info.tip_time);
}

/* One seek, so that one undo comes back from it. */
static LpErr go_to(LpHost *host, LpMoment moment, LpDiag *diag) {
    LpMoment from = lp_session_moment(host->session);
    if (moment.branch != from.branch)
        LP_TRY(lp_session_switch(host->session, moment.branch, diag));
    LpErr err = lp_session_seek(host->session, moment.step, diag);
    host->app->left(host, from);
    if (moment.branch != from.branch)
        host->ui->versus = (int)from.branch;
    return err;
}

static void key_take(LpHost *host) {
    const LpTwig *twig = marked(host->model);
    LpDiag diag = {0};
    if (!twig)
        return;
    uint32_t branch = twig->branch;
    double at = lp_tracks_at(lp_branches_state(host->model), twig, 0.0);
    LpErr err =
        lp_branches_state(host->model)->marked
            ? go_to(host, (LpMoment){branch, lp_session_step_at(host->session, branch, at)}, &diag)
            : host->app->switch_to(host, branch, &diag);
    lp_branches_state(host->model)->marked = false;
    if (err != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    if (!model->time.known)
        return LP_OK;
    return lp_tracks_update(lp_branches_facts(model), &model->time, session, diag);
}

static void begin(void *state) {
    ((LpBranchesState *)state)->row = -1;
}

static void drop(void *facts) {
    lp_tracks_fini(facts);
}

static void turn(LpHost *host) {
    lp_branches_state(host->model)->marked = false;
    lp_branches_state(host->model)->row = -1;
}

static void click_row(LpHost *host, uint32_t row, bool again LP_UNUSED) {
    if (row < host->model->time.twigs)
        lp_branches_state(host->model)->row = (int)row;
}

static const LpViewKey keys[] = {
    {"Up Down", "mark a branch"},
    {"Left Right", "move the cursor along its track"},
    {"Enter", "go to the moment under the cursor"},
    {"m", "set a bookmark at the present moment"},
    {"c", "compare it with the current one"},
    {"r D", "rename, delete (asks)"},
    {NULL, NULL},
};

const LpView lp_branches_view = {
    .state = sizeof(LpBranchesState),
    .facts = sizeof(LpTracks),
    .begin = begin,
    .drop = drop,
    .update = update,
    .draw = lp_view_branches,
    .move = key_move,
    .along = key_along,
    .take = key_take,
    .takes = "go there",
    .branch = marked,
    .turn = turn,
    .row = click_row,
    .table = &lp_branches_table,
    .keys = keys,
};
