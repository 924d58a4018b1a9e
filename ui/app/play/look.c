/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To when waiting was worst, which only the whole run tells: it is played on to its end a little at
 * a time, so that the screen says how far that is, and any key stops it. */
#include <stdio.h>

#include "app/play/play.h"
#include "session/moment/moment.h"

enum {
    WORK_MS = 50,   /* a key waits no longer */
    SHOWN_MS = 400, /* between two pictures, */
    SHARE = 10,     /* in which ten could be drawn: they are dear where many wait */
    STEPS = 64      /* between two looks at the clock */
};

static bool is_over(const LpApp *app) {
    LpBranchInfo info;
    uint32_t branch = lp_session_moment(app->session).branch;
    return lp_session_branch(app->session, branch, &info) == LP_OK && info.over;
}

/* "looking for the worst moment: 31 %", of the jobs that will come. */
static void say_how_far(LpApp *app) {
    const LpTally *tally = lp_world_tally(lp_session_world(app->session));
    uint64_t all = lp_model_expected_jobs(lp_session_scenario(app->session));
    uint64_t gone = tally->completed + tally->blocked;
    if (all > 0)
        snprintf(app->ui.looks, sizeof app->ui.looks, "looking for the worst moment: %.0f %%",
                 100.0 * (double)(gone < all ? gone : all) / (double)all);
    else
        snprintf(app->ui.looks, sizeof app->ui.looks,
                 "looking for the worst moment: %llu jobs have ended so far",
                 (unsigned long long)gone);
}

static void end(LpApp *app) {
    app->looking.on = false;
    app->ui.looks[0] = '\0';
    app->dirty = true;
}

/* The run is over. One that opens there has nothing to go back to, and stays at its start where
 * nobody waits. */
static LpErr go_there(LpApp *app, LpDiag *diag) {
    const LpLooking *l = &app->looking;
    LpAt at;
    LP_TRY(lp_session_seek(app->session, l->from.step, diag));
    if (!l->opening)
        return lp_app_seek(app, l->moment, diag);
    LP_TRY(lp_at_parse(l->moment, &at, diag));
    LpErr err = lp_session_go(app->session, &at, diag);
    LpEvent event;
    if (err == LP_ERANGE) /* its first decision, as where nothing says where to begin */
        err = lp_app_is_due(app) ? LP_OK : lp_session_to_decision(app->session, &event, diag);
    lp_app_arrive(app);
    return err;
}

bool lp_app_looks(const LpApp *app) {
    return app->looking.on;
}

void lp_app_look_stop(LpApp *app) {
    LpMoment from = app->looking.from;
    bool opening = app->looking.opening;
    end(app);
    lp_app_arrive(app);
    if (!opening)
        lp_app_left(app, from);
    lp_app_tell(app, "stopped on the way to the end of the run; :worst goes on");
}

void lp_app_look_tick(LpApp *app) {
    int64_t start = app->clock ? app->clock() : 0;
    LpDiag diag = {0};
    LpErr err = LP_OK;
    if (!app->looking.on)
        return;
    do {
        LpEvent event;
        for (int i = 0; err == LP_OK && i < STEPS && !is_over(app); i++)
            err = lp_session_step(app->session, &event, &diag);
    } while (err == LP_OK && !is_over(app) && app->clock() - start < WORK_MS);
    if (err == LP_OK && !is_over(app)) {
        LpLooking *l = &app->looking;
        if (l->shown > 0 && !l->drawn) {
            l->drawn = true;
            l->wait = SHARE * (start - l->shown);
        }
        if (l->shown > 0 && (start - l->shown < SHOWN_MS || start - l->shown < l->wait))
            return;
        lp_app_arrive(app);
        say_how_far(app);
        app->dirty = true;
        l->drawn = false;
        l->shown = app->clock();
        return;
    }
    bool failed = err != LP_OK;
    if (!failed)
        err = go_there(app, &diag);
    end(app);
    if (failed)
        lp_app_check(app, err, &diag);
    else
        lp_app_attempt(app, err, &diag);
}

LpErr lp_app_look(LpApp *app, const char *moment, bool opening, LpDiag *diag) {
    LpMoment here = lp_session_moment(app->session);
    /* a script, and a lesson, go on with what follows once they are there */
    bool at_once = !app->clock || app->demo.on || app->ui.lesson.on || is_over(app);
    if (at_once && !opening)
        return lp_app_seek(app, moment, diag);
    app->looking = (LpLooking){.on = true, .opening = opening, .from = here};
    lp_str_copy(app->looking.moment, sizeof app->looking.moment, moment);
    app->ui.playing = false;
    LpErr err = lp_session_seek(app->session, lp_session_tip(app->session, here.branch), diag);
    if (err != LP_OK) {
        end(app);
        return err;
    }
    lp_app_look_tick(app); /* a short run is over before a picture of it would be */
    return LP_OK;
}
