/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving over the board of servers, and looking into what is under its cursor. */
#include "views/servers/servers_view.h"
#include "views/servers/servers_view_impl.h"

static LpFleetGrid grid_of(const LpHost *host) {
    LpRect rest = lp_model_rest(host->ui);
    return lp_view_fleet_grid(host->model, rest.w, rest.h);
}

/* Before the first frame of the view there is no fleet to move on. */
static bool is_ready(const LpHost *host) {
    return lp_servers_facts(host->model)->fleet.server != NULL;
}

static void move(LpHost *host, int columns, int lines) {
    if (!is_ready(host))
        return;
    LpFleetGrid grid = grid_of(host);
    uint32_t cell = lp_view_fleet_cell(host->model, grid.level);
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR)
        cell = lines < 0 ? 0 : grid.cells - 1;
    else
        cell = lp_fleet_grid_move(&grid, cell, columns, lines);
    uint32_t place = lp_fleet_begin(grid.fleet, grid.level, cell);
    if (place < grid.fleet->servers)
        lp_servers_state(host->model)->cursor = grid.fleet->server[place];
}

static void key_move(LpHost *host, int lines) {
    move(host, 0, lines);
}

static void key_along(LpHost *host, int columns) {
    move(host, columns, 0);
}

static void key_zoom(LpHost *host, bool in) {
    if (!is_ready(host))
        return;
    const LpFleet *fleet = &lp_servers_facts(host->model)->fleet;
    int level = (int)grid_of(host).level, step = in ? -1 : 1;
    do
        level += step;
    while (level > 0 && level < LP_FLEET_LEVELS && !lp_fleet_has(fleet, (LpFleetLevel)level));
    if (level < 0 || level >= LP_FLEET_LEVELS) {
        lp_host_say(host, false, in ? "these are single servers" : "there is nothing coarser");
        return;
    }
    lp_servers_state(host->model)->level = (LpFleetLevel)level;
    lp_servers_state(host->model)->zoomed = true;
}

static void key_fill(LpHost *host) {
    lp_servers_state(host->model)->fill =
        (LpFleetFill)((lp_servers_state(host->model)->fill + 1) % LP_FLEET_FILL_COUNT);
}

/* The job on the server under the cursor, LP_NO_INDEX and a message without one. */
static uint32_t job_here(LpHost *host) {
    const LpWorld *world = lp_session_world(host->session);
    uint32_t server = lp_servers_state(host->model)->cursor;
    uint32_t job = lp_world_server(world, server)->job;
    char name[LP_SERVER_TEXT];
    if (job == LP_NO_INDEX)
        lp_host_say(host, false, "no job is on server %s",
                    lp_cluster_server(&host->model->scenario->cluster, server, name));
    return job;
}

static void key_take(LpHost *host) {
    if (!is_ready(host))
        return;
    if (grid_of(host).level != LP_FLEET_SERVERS) {
        key_zoom(host, true);
        return;
    }
    uint32_t job = job_here(host);
    if (job == LP_NO_INDEX)
        return;
    if (lp_world_job(lp_session_world(host->session), job)->placed.partition == LP_NO_INDEX)
        lp_host_say(
            host, false, "%s has no graph: there is no step to show",
            lp_world_label(lp_session_world(host->session), host->model->scenario, job).text);
    else
        lp_host_open(host, LP_PANE_STEP, job);
}

static void key_story(LpHost *host) {
    LpDiag diag = {0};
    uint32_t job = job_here(host);
    if (job != LP_NO_INDEX && lp_host_story(host, job, &diag) != LP_OK)
        lp_host_say(host, true, "%s", diag.text);
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    return lp_servers_model_update(lp_servers_facts(model), session, diag);
}

static void drop(void *facts) {
    lp_servers_model_fini(facts);
}

static uint32_t job_under_cursor(const LpModel *model) {
    return lp_world_server(model->world, lp_servers_state(model)->cursor)->job;
}

static void click(LpHost *host, uint32_t server, bool shown, bool again) {
    const LpWorld *world = lp_session_world(host->session);
    uint32_t job = lp_world_server(world, server)->job;
    char cut[LP_WORDS_CUT], name[LP_SERVER_TEXT];
    lp_cluster_server(&host->model->scenario->cluster, server, name);
    lp_servers_state(host->model)->cursor = server;
    if (again && shown)
        key_take(host);
    else if (again)
        host->app->show(host, LP_PANE_SERVERS);
    else if (job == LP_NO_INDEX)
        lp_host_say(host, false, "server %s: free", name);
    else
        lp_host_say(host, false, "server %s: %.80s %s", name,
                    lp_words_name(host->model, lp_world_job(world, job)).text,
                    lp_words_cut(host->model, lp_world_job(world, job), cut));
}

static const LpViewKey keys[] = {
    {"arrows", "move the cursor; what is known of it stands below or beside"},
    {"Z z", "racks and groups for servers, closer again"},
    {"v", "heights: time computing, memory held, taken"},
    {"Enter", "look into a rack or group; of a server: its job's training step"},
    {"x", "the story of its job"},
    {NULL, NULL},
};

const LpView lp_servers_view = {
    .state = sizeof(LpServersState),
    .facts = sizeof(LpServersModel),
    .drop = drop,
    .update = update,
    .draw = lp_view_servers,
    .alone = lp_view_servers_alone,
    .part = lp_view_servers,
    .width = lp_view_servers_width,
    .rows = lp_view_board_rows,
    .tall = lp_view_servers_tall,
    .move = key_move,
    .along = key_along,
    .zoom = key_zoom,
    .variant = key_fill,
    .take = key_take,
    .takes = "look into",
    .looks = "other heights",
    .explain = key_story,
    .job = job_under_cursor,
    .click = click,
    .keys = keys,
};
