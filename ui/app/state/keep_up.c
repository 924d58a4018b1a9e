/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays the branch beside the present one to the same time. */
#include "app/state/state.h"
#include "sim/world.h"

enum {
    SLICES = 64, /* of what is to be caught up on: between two the user may stop it */
    AHEAD = 100  /* while playing it goes so small a part of the run further than it must */
};

/* Does something happen there up to now that is not recorded yet? */
static bool is_behind(const LpSession *session, uint32_t branch, double now) {
    const LpWorld *tip = lp_session_tip_world(session, branch);
    if (lp_world_over(tip) || lp_world_now(tip) > now)
        return false;
    return lp_world_next_time(tip, lp_session_context(session)) <= now;
}

/* Plays the branch that is the present one, a slice at a time. */
static LpErr play_to(LpApp *app, double to, LpDiag *diag) {
    double from = lp_world_now(lp_session_world(app->session));
    for (int i = 1; i <= SLICES; i++) {
        double until = i == SLICES ? to : from + (to - from) * i / SLICES;
        if (app->stopped && app->stopped())
            return lp_fail(diag, LP_ESTATE, "stopped on the way to the same time");
        LP_TRY(lp_session_to_time(app->session, until, diag));
    }
    return LP_OK;
}

/* Whatever comes of it, the present moment is the same again. */
LpErr lp_app_catch_up(LpApp *app, uint32_t branch, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    double now = lp_world_now(lp_session_world(app->session));
    double ahead = app->ui.playing ? app->model.marks.scale / AHEAD : 0.0;
    if (!is_behind(app->session, branch, now))
        return LP_OK;
    LP_TRY(lp_session_switch(app->session, branch, diag));
    LpErr err = lp_session_seek(app->session, lp_session_tip(app->session, branch), diag);
    if (err == LP_OK)
        err = play_to(app, now + ahead, diag);
    LpDiag *why = err == LP_OK ? diag : NULL;
    LpErr back = lp_session_switch(app->session, here.branch, why);
    if (back == LP_OK)
        back = lp_session_seek(app->session, here.step, why);
    return err != LP_OK ? err : back;
}

void lp_app_keep_up(LpApp *app) {
    uint32_t branch = (uint32_t)app->ui.versus;
    LpBranchInfo info;
    LpDiag diag = {0};
    bool shown = app->ui.only == LP_PANE_COMPARE && app->ui.versus >= 0;
    if (!shown || lp_session_branch(app->session, branch, &info) != LP_OK || info.deleted ||
        branch == lp_session_moment(app->session).branch)
        return;
    if (app->stuck.branch == branch && app->stuck.step == info.tip)
        return; /* it would come to the same end */
    if (lp_app_catch_up(app, branch, &diag) == LP_OK)
        return;
    app->stuck = (LpMoment){branch, lp_session_tip(app->session, branch)};
    app->ui.playing = false;
    lp_app_say(app, true, "%.*s does not get as far as this: %s", (int)lp_str_prefix(info.name, 60),
               info.name, diag.text);
}
