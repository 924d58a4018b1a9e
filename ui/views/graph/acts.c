/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the view of a computation graph. */
#include "app/impl.h"
#include "app/view.h"

enum { LOOK_MS = 25 };

static const LpGraphLook *look_of(const LpApp *app) {
    const LpGraphModel *model = &app->model.graph;
    return model->known && model->look.width >= 0.0 ? &model->look : NULL;
}

static void step(LpApp *app, int dx) {
    LpGraphState *state = &app->ui.graph;
    const LpGraphLook *look = look_of(app);
    uint32_t node = lp_graph_model_node(&app->model.graph, state);
    state->node[look->cut] = lp_graph_look_next(look, node, dx, 0);
}

/* To the op beside this one, or where there is none to the band above or below. */
static void step_across(LpApp *app, int dy) {
    LpGraphState *state = &app->ui.graph;
    const LpGraphLook *look = look_of(app);
    uint32_t node = lp_graph_model_node(&app->model.graph, state);
    uint32_t next = lp_graph_look_next(look, node, 0, dy);
    LpRect rest = lp_model_rest(&app->ui);
    int band;
    lp_view_graph_zoom(&app->model, rest.w, rest.h, &band);
    if (band > 0 && look->node[next].row != look->node[node].row)
        next = lp_graph_look_near(look, look->node[node].x + dy * band, look->node[node].y);
    state->node[look->cut] = next;
}

/* First or last op, by number. */
static void jump(LpApp *app, bool last) {
    const LpGraphLook *look = look_of(app);
    app->ui.graph.node[look->cut] = last ? look->nodes - 1 : 0;
}

void lp_app_graph_move(LpApp *app, int lines) {
    if (!look_of(app))
        return;
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR) {
        jump(app, lines > 0);
        return;
    }
    bool page = lines > 1 || lines < -1; /* pages go along the graph, which is longer */
    for (int i = lines < 0 ? -lines : lines; i > 0; i--)
        if (page)
            step(app, lines < 0 ? -1 : 1);
        else
            step_across(app, lines);
}

void lp_app_graph_along(LpApp *app, int columns) {
    if (look_of(app))
        step(app, columns);
}

void lp_app_graph_zoom(LpApp *app, bool in) {
    if (!look_of(app))
        return;
    LpRect rest = lp_model_rest(&app->ui);
    int band, zoom = (int)lp_view_graph_zoom(&app->model, rest.w, rest.h, &band);
    zoom += in ? 1 : -1;
    if (zoom <= LP_GRAPH_ZOOM_AUTO || zoom >= LP_GRAPH_ZOOMS)
        lp_app_say(app, false, in ? "this is as close as it gets" : "this is all of it");
    else
        app->ui.graph.zoom = (LpGraphZoom)zoom;
}

/* The cursor stays on the op that it was on. */
void lp_app_graph_variant(LpApp *app) {
    LpGraphState *state = &app->ui.graph;
    const LpGraphLook *look = look_of(app);
    if (!look)
        return;
    if (!app->model.graph.cuts) {
        lp_app_say(app, false, "the job is not cut and placed: there is only its profile");
        return;
    }
    uint32_t op = look->node[lp_graph_model_node(&app->model.graph, state)].op;
    state->cut = !state->cut;
    state->node[state->cut] = op;
    state->zoom = LP_GRAPH_ZOOM_AUTO;
}

void lp_app_graph_step(LpApp *app) {
    lp_app_step_of(app, app->ui.graph.chosen ? app->ui.graph.job : LP_NO_INDEX);
}

void lp_app_graph_of(LpApp *app, uint32_t job) {
    bool cut = app->ui.graph.cut;
    app->ui.graph = (LpGraphState){.chosen = job != LP_NO_INDEX, .job = job, .cut = cut};
    lp_app_show(app, LP_PANE_GRAPH);
}

void lp_app_graph_here(LpApp *app) {
    const LpUiState *ui = &app->ui;
    const LpWorld *world = lp_session_world(app->session);
    uint32_t job = ui->only == LP_PANE_JOBS      ? lp_app_jobs_marked(app)
                   : ui->only == LP_PANE_SERVERS ? lp_world_server(world, ui->servers.cursor)->job
                   : ui->only == LP_PANE_STEP && ui->step.chosen ? ui->step.job
                                                                 : LP_NO_INDEX;
    if (ui->only == LP_PANE_GRAPH)
        lp_app_show(app, LP_PANE_COUNT);
    else if (job != LP_NO_INDEX && lp_world_job(world, job)->graph < 0)
        lp_app_say(app, false, "job %u has no graph", (unsigned)job);
    else
        lp_app_graph_of(app, job);
}

bool lp_app_graph_works(const LpApp *app) {
    return app->ui.only == LP_PANE_GRAPH && lp_graph_model_works(&app->model.graph);
}

void lp_app_graph_tick(LpApp *app, int64_t now) {
    const LpGraphModel *model = &app->model.graph;
    if (!lp_app_graph_works(app) || now < app->graph_until)
        return;
    app->graph_until = now + LOOK_MS;
    if (!model->draw || !lp_graph_draw_works(model->draw))
        app->dirty = true;
}
