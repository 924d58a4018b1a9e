/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving over the board of servers, and looking into what is under its cursor. */
#include "app/impl.h"
#include "app/view.h"

static LpFleetGrid grid_of(const LpApp *app) {
    LpRect rest = lp_model_rest(&app->ui);
    return lp_view_fleet_grid(&app->model, rest.w, rest.h);
}

/* Before the first frame of the view there is no fleet to move on. */
static bool is_ready(const LpApp *app) {
    return app->model.servers.fleet.server != NULL;
}

static void move(LpApp *app, int columns, int lines) {
    if (!is_ready(app))
        return;
    LpFleetGrid grid = grid_of(app);
    uint32_t cell = lp_view_fleet_cell(&app->model, grid.level);
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)
        cell = lines < 0 ? 0 : grid.cells - 1;
    else
        cell = lp_fleet_grid_move(&grid, cell, columns, lines);
    uint32_t place = lp_fleet_begin(grid.fleet, grid.level, cell);
    if (place < grid.fleet->servers)
        app->ui.servers.cursor = grid.fleet->server[place];
}

void lp_app_servers_move(LpApp *app, int lines) {
    move(app, 0, lines);
}

void lp_app_servers_along(LpApp *app, int columns) {
    move(app, columns, 0);
}

void lp_app_servers_zoom(LpApp *app, bool in) {
    if (!is_ready(app))
        return;
    const LpFleet *fleet = &app->model.servers.fleet;
    int level = (int)grid_of(app).level, step = in ? -1 : 1;
    do
        level += step;
    while (level > 0 && level < LP_FLEET_LEVELS && !lp_fleet_has(fleet, (LpFleetLevel)level));
    if (level < 0 || level >= LP_FLEET_LEVELS) {
        lp_app_say(app, false, in ? "these are single servers" : "there is nothing coarser");
        return;
    }
    app->ui.servers.level = (LpFleetLevel)level;
    app->ui.servers.zoomed = true;
}

void lp_app_servers_fill(LpApp *app) {
    app->ui.servers.fill = (LpFleetFill)((app->ui.servers.fill + 1) % LP_FLEET_FILL_COUNT);
}

/* The job on the server under the cursor, LP_NO_INDEX and a message without one. */
static uint32_t job_here(LpApp *app) {
    const LpWorld *world = lp_session_world(app->session);
    uint32_t server = app->ui.servers.cursor;
    uint32_t job = lp_world_server(world, server)->job;
    if (job == LP_NO_INDEX)
        lp_app_say(app, false, "no job is on server %u", (unsigned)server);
    return job;
}

void lp_app_servers_take(LpApp *app) {
    if (!is_ready(app))
        return;
    if (grid_of(app).level != LP_FLEET_SERVERS) {
        lp_app_servers_zoom(app, true);
        return;
    }
    uint32_t job = job_here(app);
    if (job == LP_NO_INDEX)
        return;
    if (lp_world_job(lp_session_world(app->session), job)->partition == LP_NO_INDEX)
        lp_app_say(app, false, "job %u has no graph: there is no step to show", (unsigned)job);
    else
        lp_app_step_of(app, job);
}

void lp_app_servers_story(LpApp *app) {
    LpDiag diag = {0};
    uint32_t job = job_here(app);
    if (job != LP_NO_INDEX && lp_app_story(app, job, &diag) != LP_OK)
        lp_app_say(app, true, "%s", diag.text);
}
