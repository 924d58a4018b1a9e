/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking into the decision that is due: what the policy weighed, and what if. */
#include "app_impl.h"
#include "run/whatif.h"

enum { BEST = 4 };

void lp_app_explain(LpApp *app) {
    bool here = app->ui.only == LP_PANE_COUNT || app->ui.only == LP_PANE_DECISION;
    app->ui.explain = !(here && app->ui.explain);
    if (!here)
        lp_app_show(app, LP_PANE_DECISION);
}

static bool goes_on(void *user, const LpSession *session) {
    const LpApp *app = user;
    (void)session;
    return !(app->stopped && app->stopped());
}

LpErr lp_app_whatif_end(LpApp *app, uint32_t best, LpDiag *diag) {
    LP_TRY(lp_model_update(&app->model, app->session, &app->ui, diag));
    if (app->model.whatif.count == 0)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    return lp_whatif_to_end(app->session, &app->model.whatif, best, goes_on, app, diag);
}

void lp_app_whatif(LpApp *app) {
    LpDiag diag = {0};
    app->ui.playing = false;
    if (!lp_app_is_due(app))
        lp_app_say(app, false, "no decision is due; n goes to the next one");
    else if (app->ui.only != LP_PANE_WHATIF)
        lp_app_show(app, LP_PANE_WHATIF);
    else
        lp_app_check(app, lp_app_whatif_end(app, BEST, &diag), &diag);
}

void lp_app_take_whatif(LpApp *app) {
    int pick = lp_model_picked(&app->model);
    if (pick < 0 || !lp_app_is_due(app)) {
        lp_app_say(app, false, "no decision is due; n goes to the next one");
        return;
    }
    const LpWhatIf *row = &app->model.whatif.row[pick];
    LpAnswer answer = lp_whatif_answer(row);
    answer.why = "by hand";
    if (row->kind == LP_ANSWER_RUN && !row->forecast.feasible) {
        lp_app_say(app, false, "this row cannot be placed");
    } else {
        lp_app_answer(app, &answer, row->chosen);
        lp_app_show(app, LP_PANE_COUNT);
    }
}
