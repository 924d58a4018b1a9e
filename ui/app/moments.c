/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moments of a run, gone to one after the other: its worst time first. */
#include <stdio.h>

#include "app/app_impl.h"
#include "app/moments.h"
#include "views/summary/summary_moments.h"

/* Notes the moments of all that was played of this branch. The present moment stays. */
static LpErr look_for_them(LpApp *app, LpDiag *diag) {
    LpGoneTo *g = &app->gone_to;
    LpSummaryMoment found[LP_SUMMARY_MOMENTS];
    LpMoment here = lp_session_moment(app->session);
    LpPane only = app->ui.only;
    *g = (LpGoneTo){.at = -1};
    LP_TRY(lp_session_seek(app->session, lp_session_tip(app->session, here.branch), diag));
    app->ui.only = LP_PANE_SUMMARY; /* its facts are those of the summary at the end */
    app->dirty = true;
    LpErr err = lp_app_draw(app, diag);
    int count = err == LP_OK ? lp_summary_moments(&app->model, found) : 0;
    for (int first = 1; first >= 0; first--)
        for (int i = 0; i < count && g->count < LP_APP_MOMENTS; i++) {
            LpBuf text = {0};
            if ((found[i] == LP_SUMMARY_WORST) != (first == 1))
                continue;
            lp_summary_place(&app->model, found[i], g->place[g->count], sizeof g->place[0]);
            lp_summary_say(&app->model, found[i], &text);
            snprintf(g->said[g->count++], sizeof g->said[0], "%s: %.120s",
                     lp_summary_kind(found[i]), lp_buf_text(&text));
            lp_buf_fini(&text);
        }
    app->ui.only = only;
    app->dirty = true;
    LpErr back = lp_session_seek(app->session, here.step, err == LP_OK ? diag : NULL);
    return err == LP_OK ? back : err;
}

LpErr lp_app_next_moment(LpApp *app, LpDiag *diag) {
    LpGoneTo *g = &app->gone_to;
    LpMoment here = lp_session_moment(app->session);
    char keys[80];
    app->ui.playing = false;
    if (g->count == 0 || g->moment.branch != here.branch || g->moment.step != here.step)
        LP_TRY(look_for_them(app, diag));
    if (g->count == 0) {
        lp_app_say(app, false, "no job is done or turned away yet: no moment to go to");
        return LP_OK;
    }
    g->at = (g->at + 1) % g->count;
    lp_app_show(app, LP_PANE_COUNT);
    LP_TRY(lp_app_seek(app, g->place[g->at], diag));
    g->moment = lp_session_moment(app->session);
    lp_app_say(
        app, false, "%s  %d of %d, %s",
        lp_keymap_text(&app->keymap, "{worst}: other moments, {undo}: back", keys, sizeof keys),
        g->at + 1, g->count, g->said[g->at]);
    return LP_OK;
}
