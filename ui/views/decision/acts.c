/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking into the decision that is due: what the policy weighed, and what if. */
#include "app/impl.h"
#include "run/whatif/work.h"

enum { BEST = 4, LOOK_MS = 25 };

void lp_app_explain(LpApp *app) {
    bool here = app->ui.only == LP_PANE_COUNT || app->ui.only == LP_PANE_DECISION;
    app->ui.explain = !(here && app->ui.explain);
    if (!here)
        lp_app_show(app, LP_PANE_DECISION);
}

/* --- what if, to the end --- */

static bool goes_on(void *user, const LpSession *session) {
    const LpApp *app = user;
    (void)session;
    return !(app->stopped && app->stopped());
}

/* What was stopped is waited for only when the next work needs its place. */
bool lp_app_stop_whatif(LpApp *app) {
    if (!app->work)
        return false;
    lp_whatif_free(app->spent);
    lp_whatif_stop(app->work);
    app->spent = app->work;
    app->work = NULL;
    app->model.whatif_runs = 0;
    app->dirty = true;
    return true;
}

void lp_app_drop_whatif(LpApp *app) {
    lp_app_stop_whatif(app);
    lp_whatif_free(app->spent);
    app->spent = NULL;
}

bool lp_app_whatif_works(const LpApp *app) {
    return app->work != NULL || app->spent != NULL;
}

LpErr lp_app_whatif_end(LpApp *app, uint32_t best, LpDiag *diag) {
    LpModel *model = &app->model;
    LP_TRY(lp_model_update(model, app->session, &app->ui, diag));
    if (model->whatif.count == 0)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    lp_app_stop_whatif(app);
    if (!app->clock) /* nobody waits for a key meanwhile */
        return lp_whatif_to_end(app->session, &model->whatif, best, 0, goes_on, app, diag);
    LP_TRY(lp_whatif_start(app->session, &model->whatif, best, 0, &app->work, diag));
    app->work_of = model->whatif_of;
    app->work_until = app->clock() + LOOK_MS;
    model->whatif_runs = app->work_of;
    lp_app_tell(app, "running the best rows to the end; {Esc} stops");
    return LP_OK;
}

static void collect(LpApp *app) {
    bool works = lp_whatif_works(app->work), news;
    LpDiag diag = {0};
    LpErr err = lp_whatif_collect(app->work, &app->model.whatif, &news, &diag);
    app->dirty = app->dirty || news || !works;
    if (err != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
    if (works && err == LP_OK)
        return;
    lp_whatif_free(app->work); /* nothing works any more: no waiting */
    app->work = NULL;
    app->model.whatif_runs = 0;
}

void lp_app_whatif_tick(LpApp *app, int64_t now) {
    if (!lp_app_whatif_works(app) || now < app->work_until)
        return;
    app->work_until = now + LOOK_MS;
    if (app->spent && !lp_whatif_works(app->spent)) {
        lp_whatif_free(app->spent);
        app->spent = NULL;
    }
    if (app->work && app->model.whatif_of != app->work_of)
        lp_app_stop_whatif(app); /* another decision is looked at */
    else if (app->work)
        collect(app);
}

/* --- the decision alone --- */

/* At the second stage the table is that of blocks. */
static bool marks_blocks(const LpApp *app) {
    return lp_app_is_due(app) && app->ui.stage == LP_STAGE_PLACE && app->model.whatif.count > 0;
}

void lp_app_decision_move(LpApp *app, int lines) {
    if (marks_blocks(app))
        lp_app_move_in_whatif(app, lines);
    else
        lp_app_move_in_degrees(app, lines);
}

void lp_app_decision_take(LpApp *app) {
    if (marks_blocks(app) && app->ui.pick >= 0)
        lp_app_take_whatif(app);
    else if (app->ui.row >= 0 && lp_app_is_due(app))
        lp_app_take_row(app);
    else
        lp_app_step_of(app, LP_NO_INDEX);
}

/* --- the policy's networks --- */

void lp_app_network_next(LpApp *app) {
    uint32_t networks = app->model.network.networks;
    if (networks < 2)
        lp_app_say(app, false, "the policy has %s network", networks == 0 ? "no" : "one");
    else
        app->ui.network = (app->ui.network + 1) % networks;
}

void lp_app_network_take(LpApp *app) {
    if (app->ui.row >= 0 && lp_app_is_due(app))
        lp_app_take_row(app);
    else
        lp_app_tell(app, "{Up} {Down} mark an answer");
}

/* --- the table --- */

void lp_app_whatif(LpApp *app) {
    LpDiag diag = {0};
    app->ui.playing = false;
    if (!lp_app_is_due(app))
        lp_app_tell(app, "no decision is due; {n} goes to the next one");
    else if (app->ui.only != LP_PANE_WHATIF)
        lp_app_show(app, LP_PANE_WHATIF);
    else
        lp_app_check(app, lp_app_whatif_end(app, BEST, &diag), &diag);
}

void lp_app_take_whatif(LpApp *app) {
    int pick = lp_model_picked(&app->model);
    if (pick < 0 || !lp_app_is_due(app)) {
        lp_app_tell(app, "no decision is due; {n} goes to the next one");
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
