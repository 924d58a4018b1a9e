/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving over the board of circuits, and into two groups. */
#include "app/impl.h"

/* Is it the board of groups, rather than one of links or ports? */
static bool has_groups(const LpApp *app) {
    const LpContext *context = lp_session_context(app->session);
    return context->circuits == NULL && context->fabric.network == NULL;
}

static uint32_t moved(uint32_t at, int by, uint32_t count) {
    int64_t to = (int64_t)at + by;
    return (uint32_t)(to < 0 ? 0 : to >= (int64_t)count ? (int64_t)count - 1 : to);
}

static uint32_t servers_of_group(const LpApp *app) {
    const LpFabric *f = &lp_session_context(app->session)->fabric;
    return f->racks * f->per_rack;
}

/* One circuit after the other? With a single group there is nothing else. */
static bool is_inside(const LpApp *app) {
    return app->ui.circuits.inside || lp_session_context(app->session)->fabric.groups == 1;
}

static void move_inside(LpApp *app, int lines) {
    bool page = (lines > 1 || lines < -1) && lines > -LP_UI_FAR && lines < LP_UI_FAR;
    if (page) { /* through the slots of the marked circuit */
        app->ui.scroll = (int)moved((uint32_t)app->ui.scroll, lines / 2, LP_UI_FAR);
        return;
    }
    app->ui.circuits.tx = moved(app->ui.circuits.tx, lines, servers_of_group(app));
    app->ui.scroll = 0;
}

void lp_app_circuits_move(LpApp *app, int lines) {
    LpCircuitsState *state = &app->ui.circuits;
    if (!has_groups(app))
        return;
    if (is_inside(app))
        move_inside(app, lines);
    else
        state->from = moved(state->from, lines, lp_session_context(app->session)->fabric.groups);
}

void lp_app_circuits_along(LpApp *app, int columns) {
    LpCircuitsState *state = &app->ui.circuits;
    if (!has_groups(app))
        return;
    if (is_inside(app))
        state->rx = moved(state->rx, columns, servers_of_group(app));
    else
        state->to = moved(state->to, columns, lp_session_context(app->session)->fabric.groups);
    app->ui.scroll = 0;
}

/* The step of the job that lights the marked circuit. */
static void step_here(LpApp *app) {
    const LpCircuitsModel *model = &app->model.circuits;
    uint32_t servers = servers_of_group(app);
    const LpPairJob *whose;
    if (!model->known || !lp_circuits_model_find(model, model->from * servers + app->ui.circuits.tx,
                                                 model->to * servers + app->ui.circuits.rx, &whose))
        lp_app_say(app, false, "no job lights this circuit");
    else
        lp_app_step_of(app, whose->job);
}

void lp_app_circuits_take(LpApp *app) {
    if (!has_groups(app)) {
        lp_app_say(app, false, "there is nothing inside a circuit of a switch, or a link");
    } else if (is_inside(app)) {
        step_here(app);
    } else {
        app->ui.circuits.inside = true;
        app->ui.scroll = 0;
    }
}

void lp_app_circuits_zoom(LpApp *app, bool in) {
    if (has_groups(app))
        app->ui.circuits.inside = in;
}

bool lp_app_circuits_leave(LpApp *app) {
    bool inside = app->ui.only == LP_PANE_CIRCUITS && app->ui.circuits.inside;
    app->ui.circuits.inside = false;
    return inside;
}
